/* recorder.c - tells the recorder of a run, if there is one, what happens; see recorder.h. */
#include "engine/cluster_state.h"

static void tell(struct cluster *c, const struct cluster_record *record)
{
    if (c->failed)
        return;
    const struct recorder *recorder = c->spec->recorder;
    if (recorder->record(recorder->context, record, c->err) != 0)
        c->failed = true;
}

/* What is said of a request in every record about it. */
static struct cluster_record about(const struct cluster *c, enum record_kind kind,
                                   const struct request *r)
{
    uint32_t kernels = request_form(c, r)->kernels;
    return (struct cluster_record){
        .kind = kind,
        .at_ns = c->now_ns,
        .domain = r->domain,
        .device = r->device,
        .id = r->id,
        .slot = (uint32_t)(r->id & SLOT_MASK),
        .job = r->job,
        .app = r->app,
        .form = r->form,
        .kernel = r->kernel < kernels ? r->kernel : kernels - 1,
        .index = r->index,
        .deadline_ns = r->deadline_ns,
        .work_ns = r->work_ns,
        .saved_ns = r->saved_ns,
    };
}

void record_request(struct cluster *c, enum record_kind kind, const struct request *r, bool flag)
{
    struct cluster_record record = about(c, kind, r);
    record.flag = flag;
    tell(c, &record);
}

void record_launch(struct cluster *c, const struct device_launch *l, uint32_t part,
                   int64_t began_ns)
{
    struct cluster_record record = about(c, RECORD_LAUNCH, request_find(c, l->part[part].id));
    record.allotment = l->allotment;
    record.began_ns = began_ns;
    record.host_ns = l->part[part].host_ns;
    if (l->parts == 2) {
        const struct device_part *other = &l->part[1 - part];
        record.with = other->id;
        record.host_ns = other->host_ns > record.host_ns ? other->host_ns : record.host_ns;
    }
    tell(c, &record);
}

void record_quota(struct cluster *c, const struct request *r, struct host_allotment to)
{
    struct cluster_record record = about(c, RECORD_QUOTA, r);
    record.before = r->quota.last;
    record.allotment = to;
    tell(c, &record);
}

void record_rates(struct cluster *c, const struct device *dev)
{
    struct cluster_record record = {.kind = RECORD_RATES,
                                    .at_ns = c->now_ns,
                                    .domain = dev->domain,
                                    .device = dev->index,
                                    .gpu = dev->kind->gpu(dev)};
    tell(c, &record);
}

/* An action may name any request; one that is not there has no more than its id. */
static struct cluster_record said_of(const struct cluster *c, const struct domain *d,
                                     enum record_kind kind, req_id id, const char *what)
{
    const struct request *r = request_find(c, id);
    struct cluster_record record = {.kind = kind, .at_ns = c->now_ns};
    if (r != NULL)
        record = about(c, kind, r);
    record.domain = d->index;
    record.device = RECORD_NONE;
    record.what = what;
    return record;
}

void record_action(struct cluster *c, const struct domain *d, enum cluster_action action, req_id id,
                   uint64_t detail)
{
    static const char *const names[] = {[CLUSTER_LAUNCH] = "launch",
                                        [CLUSTER_REVOKE] = "revoke",
                                        [CLUSTER_DROP] = "drop",
                                        [CLUSTER_RETURN] = "return",
                                        [CLUSTER_ALLOT] = "allot",
                                        [CLUSTER_TIMER] = "timer",
                                        [CLUSTER_LAUNCH_FUSED] = "launch fused",
                                        [CLUSTER_RESIZE] = "resize",
                                        [CLUSTER_LAUNCH_CHUNK] = "launch chunk",
                                        [CLUSTER_QUOTA] = "quota"};
    bool timer = action == CLUSTER_TIMER;
    struct cluster_record record = said_of(c, d, RECORD_ACTION, timer ? 0 : id, names[action]);
    if (timer)
        record.to_ns = (int64_t)detail;
    if (action == CLUSTER_LAUNCH || action == CLUSTER_ALLOT || action == CLUSTER_RESIZE)
        record.allotment = host_detail_allotment(detail);
    if (action == CLUSTER_LAUNCH && host_detail_device(detail) < d->devices)
        record.device = d->first_device + host_detail_device(detail);
    tell(c, &record);
}

void record_reason(struct cluster *c, const struct domain *d, req_id id, const char *what,
                   int64_t value)
{
    struct cluster_record record = said_of(c, d, RECORD_REASON, id, what);
    record.value = value;
    tell(c, &record);
}

void record_callback(struct cluster *c, const struct domain *d, enum note_kind kind)
{
    struct cluster_record record = said_of(c, d, RECORD_CALLBACK, 0, note_callback(kind));
    record.to_ns = d->scheduler.clock_ns;
    tell(c, &record);
}

void record_end(struct cluster *c, int64_t end_ns)
{
    struct cluster_record record = {
        .kind = RECORD_END, .domain = RECORD_NONE, .device = RECORD_NONE};
    record.at_ns = end_ns;
    tell(c, &record);
}
