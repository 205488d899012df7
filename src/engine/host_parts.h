/* host_parts.h - what the files behind policies/policy.h share: host.c, host_act.c, host_charge.c,
 * host_chunks.c, host_predict.c and host_timer.c; for them only. */
#ifndef DCS_HOST_PARTS_H
#define DCS_HOST_PARTS_H

#include "engine/cluster_state.h"

static inline struct domain *host_domain(const struct host *h)
{
    return (struct domain *)h; /* the domain is the host's own, and not constant */
}

/* The request if it is in this domain; one that has ended only in its last callback. */
static inline struct request *host_visible(const struct domain *d, req_id id)
{
    struct request *r = request_find(d->cluster, id);
    if (r == NULL || r->domain != d->index ||
        (r->state == REQUEST_GONE && d->scheduler.current != id))
        return NULL;
    return r;
}

/* So many predictions more have been asked for in this callback. */
static inline void host_charge_predictions(struct domain *d, uint32_t predictions)
{
    d->scheduler.clock_ns =
        dcs_add_times(d->scheduler.clock_ns, dcs_times(predictions, d->cluster->spec->predict_ns));
}

/* host_charge.c */
/* Tells the probe and the recorder, and says whether the action goes on at all. */
bool host_tell_action(struct domain *d, enum cluster_action action, req_id r, uint64_t detail);
/* The same, where mostly there is nobody to be told. */
static inline bool host_begin_action(struct domain *d, enum cluster_action action, req_id r,
                                     uint64_t detail)
{
    const struct cluster *c = d->cluster;
    if (c->failed)
        return false;
    bool quiet = d->scheduler.in_callback && c->spec->probe == NULL && !recording(c);
    return quiet || host_tell_action(d, action, r, detail);
}
void host_act_launch(struct host *h, req_id id, dev_id to, struct host_allotment a);
void host_act_launch_fused(struct host *h, req_id latency, req_id batch, dev_id to,
                           uint32_t variant);
void host_act_allot(struct host *h, req_id id, struct host_allotment a);
void host_act_resize(struct host *h, req_id id, struct host_allotment a);
void host_act_quota(struct host *h, req_id id, uint32_t first_sm, uint32_t sms, int64_t work_ns);
void host_act_revoke(struct host *h, req_id id);
void host_act_drop(struct host *h, req_id id);
void host_act_return(struct host *h, req_id id);

/* host_predict.c */
int64_t host_ask_predict(struct host *h, req_id id, uint32_t kernel, enum host_quantity q,
                         struct host_allotment a);
void host_ask_predict_each(struct host *h, req_id id, enum host_quantity q, enum host_mechanism m,
                           const uint32_t *sms, uint32_t n, int64_t *out);

/* host_chunks.c */
bool host_ask_division(const struct host *h, req_id id, struct host_division *out);
bool host_ask_ended_chunk(const struct host *h, req_id id, dev_id device, struct host_chunk *out);
int64_t host_ask_predict_chunk(struct host *h, req_id id, dev_id device, uint64_t iterations);
void host_act_launch_chunk(struct host *h, req_id id, dev_id to, uint64_t iterations);
/* The same for a request that may get a chunk: checks the rest, and carries it out. */
void host_give_chunk(struct domain *d, struct request *r, dev_id to, uint64_t iterations,
                     struct host_allotment a);

/* host_charge.c: now, or when the charges so far have passed. The action is legal now. */
void host_carry_out_launch(struct domain *d, struct device *dev, struct device_launch *l);
void host_carry_out_chunk(struct domain *d, struct device *dev, struct request *r,
                          struct device_launch *l);
/* l: as if the present kernel of a request that runs were launched with the allotment. */
void host_carry_out_resize(struct domain *d, struct device *dev, const struct device_launch *l);
void host_carry_out_quota(struct domain *d, struct request *r, struct host_allotment where,
                          int64_t work_ns);
void host_carry_out(struct domain *d, enum cluster_action action, struct request *r); /* others */

/* host_timer.c */
timer_id host_act_timer(struct host *h, int64_t at_ns, uint64_t cookie);
void host_act_timer_cancel(struct host *h, timer_id id);

#endif
