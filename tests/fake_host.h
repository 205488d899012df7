/*
 * fake_host.h - a host for tests of policies' decisions: one domain whose kernels take what the
 * test says, at any number of SMs, with predictions that may be wrong.
 *
 * A kernel of an application takes work_ns * sms / min(its SMs, needs) as predicted, and `slow`
 * times that in truth, whatever runs beside it; its bandwidth and IPC fall as its speed does. The
 * host keeps the contract of policy.h for what it has: launches are checked, completions of one
 * instant are applied before the first callback. Kernels of two applications can be launched as one
 * where the test says how much of the shorter one that hides. Other actions, and timers, are not
 * offered.
 */
#ifndef DCS_TESTS_FAKE_HOST_H
#define DCS_TESTS_FAKE_HOST_H

#include "policies/policies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAKE_APPS = 6, FAKE_DEVICES = 4, FAKE_REQUESTS = 256, FAKE_LAUNCHES = 1024 };
enum { FAKE_REASONS = 4096, FAKE_KERNELS = 8, FAKE_PARAMS_BYTES = 256 };
enum { FAKE_QUANTITIES = HOST_MILLI_IPC + 1, FAKE_SMS = 256 };

#define FAKE_MS(x) ((int64_t)((x)*1000000))

struct fake_app {
    const char *name;
    enum host_class class;
    int64_t sla_ns; /* latency; HOST_NEVER: none */
    uint32_t kernels;
    bool transfer[FAKE_KERNELS];   /* it takes work_ns whatever its SMs, and needs none */
    int64_t work_ns[FAKE_KERNELS]; /* on all SMs of the device, if it can use them */
    uint32_t needs;                /* SMs beyond which it gets no faster; 0: none */
    int64_t bandwidth, milli_ipc;  /* at its highest speed */
    double slow;                   /* truth over prediction; 0: 1 */
    bool never;                    /* it is predicted to take for ever */
    uint64_t memory_bytes;
    double weight; /* 0: 1 */
    double pressure;
};

struct fake_request {
    app_id app;
    enum host_request_state state;
    int64_t arrival_ns, start_ns, end_ns, done_ns; /* done: HOST_NEVER before it is */
    uint32_t kernel, sms;
    dev_id device;
    int64_t measured_ns[FAKE_KERNELS];
    req_id fused; /* what it was launched with, 0: alone */
    bool told;    /* of what ended at this instant */
};

struct fake_launch {
    int64_t at_ns;
    req_id r;
    dev_id device;
    struct host_allotment allotment;
    req_id fused; /* the batch request of a fused launch; 0: none */
};

struct fake_reason {
    int64_t at_ns, value;
    req_id r;
    const char *what;
};

struct fake_host {
    struct host host; /* first */
    const struct policy *policy;
    void *state;
    _Alignas(max_align_t) unsigned char params[FAKE_PARAMS_BYTES];
    struct host_device device; /* what all devices are */
    uint32_t devices;
    int64_t switch_ns; /* what a kernel on other SMs than the one before it waits */
    struct fake_app apps[FAKE_APPS];
    uint32_t apps_count;
    struct fake_request requests[FAKE_REQUESTS]; /* by id - 1 */
    uint32_t requests_count;
    struct fake_launch launches[FAKE_LAUNCHES];
    uint32_t launches_count;
    struct fake_reason reasons[FAKE_REASONS];
    uint32_t reasons_count;
    /* By request, kernel and quantity, a bit for each number of SMs: asked for; and how often a
     * prediction was asked for once more. */
    uint64_t asked[FAKE_REQUESTS][FAKE_KERNELS][FAKE_QUANTITIES][FAKE_SMS / 64];
    uint32_t predictions, asked_again;
    uint32_t questions_of_many; /* each of which counts among the predictions as often as it asks */
    /* By latency and batch application: how much of the shorter kernel a fused launch hides, at
     * most 1; 0: they cannot be fused; below 0: that makes it slower. */
    double hides[FAKE_APPS][FAKE_APPS];
    uint32_t fusions_asked;
    bool counts; /* it has counters, and says how much kernels were slowed */
    int64_t now_ns;
    req_id current; /* in its last callback */
    char failure[256];
};

static inline void fake_must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "fake_host: %s\n", what);
    abort();
}

static inline struct fake_host *fake_of(const struct host *h)
{
    return (struct fake_host *)(void *)(uintptr_t)h;
}

/* Predicted time of a kernel on so many SMs (0: all). */
static inline int64_t fake_duration(const struct fake_host *f, const struct fake_app *app,
                                    uint32_t kernel, uint32_t sms)
{
    if (sms == 0 || app->transfer[kernel])
        sms = f->device.sms;
    if (app->needs != 0 && sms > app->needs)
        sms = app->needs;
    return app->work_ns[kernel] * f->device.sms / sms;
}

static inline int64_t fake_now(const struct host *h)
{
    return fake_of(h)->now_ns;
}

static inline uint32_t fake_devices(const struct host *h)
{
    return fake_of(h)->devices;
}

static inline bool fake_device(const struct host *h, dev_id d, struct host_device *out)
{
    const struct fake_host *f = fake_of(h);
    if (d >= f->devices)
        return false;
    *out = f->device;
    for (uint32_t i = 0; i < f->requests_count; i++) {
        const struct fake_request *r = &f->requests[i];
        if (r->state != HOST_RUNNING || r->device != d || r->end_ns <= f->now_ns)
            continue;
        out->state = HOST_BUSY;
        out->first = out->first == 0 ? i + 1 : out->first;
        out->kernels++;
        out->sms_allotted += r->sms;
        out->memory_used_bytes += f->apps[r->app].memory_bytes;
    }
    return true;
}

static inline bool fake_request(const struct host *h, req_id id, struct host_request *out)
{
    const struct fake_host *f = fake_of(h);
    if (id == 0 || id > f->requests_count)
        return false;
    const struct fake_request *r = &f->requests[id - 1];
    if (r->state == HOST_ENDED && f->current != id)
        return false;
    const struct fake_app *app = &f->apps[r->app];
    *out = (struct host_request){
        .app = r->app,
        .class = app->class,
        .job = r->app,
        .state = r->state,
        .arrival_ns = r->arrival_ns,
        .deadline_ns = app->class == HOST_LATENCY && app->sla_ns != HOST_NEVER
                           ? r->arrival_ns + app->sla_ns
                           : HOST_NEVER,
        .start_ns = r->start_ns,
        .began_ns = r->state == HOST_RUNNING && r->end_ns > f->now_ns ? r->start_ns : HOST_NEVER,
        .device = r->state == HOST_RUNNING ? r->device : HOST_NO_DEVICE,
        .kernel = r->kernel,
        .kernels = app->kernels,
        .memory_bytes = app->memory_bytes,
    };
    return true;
}

static inline const char *fake_app_name(const struct host *h, app_id a)
{
    const struct fake_host *f = fake_of(h);
    return a < f->apps_count ? f->apps[a].name : NULL;
}

static inline int64_t fake_predict(struct host *h, req_id id, uint32_t kernel, enum host_quantity q,
                                   struct host_allotment a)
{
    struct fake_host *f = fake_of(h);
    const struct fake_request *r = &f->requests[id - 1];
    const struct fake_app *app = &f->apps[r->app];
    if (kernel == HOST_CURRENT_KERNEL)
        kernel = r->kernel;
    if (kernel >= app->kernels)
        return -1;
    fake_must(a.mechanism == HOST_WHOLE || (a.sms > 0 && a.sms <= f->device.sms),
              "a prediction for an allotment that cannot be");
    fake_must(a.sms < FAKE_SMS, "too many SMs");
    uint64_t *asked = &f->asked[id - 1][kernel][q][a.sms / 64], bit = (uint64_t)1 << a.sms % 64;
    f->predictions++;
    f->asked_again += (*asked & bit) != 0;
    *asked |= bit;
    int64_t duration_ns = fake_duration(f, app, kernel, a.sms);
    int64_t best_ns = fake_duration(f, app, kernel, 0);
    if (q == HOST_BANDWIDTH)
        return app->bandwidth * best_ns / duration_ns;
    if (q == HOST_MILLI_IPC)
        return app->milli_ipc * best_ns / duration_ns;
    if (app->never)
        return HOST_NEVER;
    if (q == HOST_DURATION_NS)
        return duration_ns;
    int64_t sum = 0;
    for (uint32_t k = q == HOST_REQUEST_DURATION_NS ? 0 : kernel; k < app->kernels; k++)
        sum += fake_duration(f, app, k, a.sms);
    return sum;
}

static inline void fake_predict_each(struct host *h, req_id id, enum host_quantity q,
                                     enum host_mechanism m, const uint32_t *sms, uint32_t n,
                                     int64_t *out)
{
    fake_of(h)->questions_of_many++;
    for (uint32_t i = 0; i < n; i++)
        out[i] = fake_predict(h, id, HOST_CURRENT_KERNEL, q,
                              (struct host_allotment){.mechanism = m, .sms = sms[i]});
}

static inline int64_t fake_fused_ns(const struct fake_host *f, const struct fake_request *a,
                                    const struct fake_request *b)
{
    int64_t a_ns = fake_duration(f, &f->apps[a->app], a->kernel, 0);
    int64_t b_ns = fake_duration(f, &f->apps[b->app], b->kernel, 0);
    int64_t shorter_ns = a_ns < b_ns ? a_ns : b_ns;
    return a_ns + b_ns - (int64_t)(f->hides[a->app][b->app] * (double)shorter_ns);
}

/* The variant names the two applications. */
static inline uint32_t fake_variant(const struct fake_request *a, const struct fake_request *b)
{
    return 100 * a->app + b->app;
}

static inline bool fake_predict_fused(struct host *h, req_id latency, req_id batch,
                                      struct host_fusion *out)
{
    struct fake_host *f = fake_of(h);
    const struct fake_request *a = &f->requests[latency - 1], *b = &f->requests[batch - 1];
    fake_must(f->apps[a->app].class == HOST_LATENCY && f->apps[b->app].class == HOST_BATCH,
              "a prediction for a fused launch of what is no latency and batch request");
    f->fusions_asked++;
    if (f->hides[a->app][b->app] == 0)
        return false;
    *out = (struct host_fusion){
        .variant = fake_variant(a, b),
        .duration_ns = fake_fused_ns(f, a, b),
        .parts_ns = {fake_duration(f, &f->apps[a->app], a->kernel, 0),
                     fake_duration(f, &f->apps[b->app], b->kernel, 0)},
    };
    return true;
}

static inline int64_t fake_measured(const struct host *h, req_id id, uint32_t kernel)
{
    return fake_of(h)->requests[id - 1].measured_ns[kernel];
}

static inline void fake_start(struct fake_host *f, struct fake_request *r, dev_id d, uint32_t sms,
                              int64_t duration_ns)
{
    r->state = HOST_RUNNING;
    r->device = d;
    r->sms = sms;
    r->start_ns = f->now_ns;
    r->end_ns = f->now_ns + duration_ns;
    r->fused = 0;
}

static inline void fake_note(struct fake_host *f, struct fake_launch launch)
{
    fake_must(f->launches_count < FAKE_LAUNCHES, "too many launches");
    launch.at_ns = f->now_ns;
    f->launches[f->launches_count++] = launch;
}

static inline int64_t fake_switch_ns(const struct host *h, req_id id, struct host_allotment a)
{
    const struct fake_request *r = &fake_of(h)->requests[id - 1];
    return r->kernel > 0 && r->sms != a.sms ? fake_of(h)->switch_ns : 0;
}

static inline void fake_do_launch(struct host *h, req_id id, dev_id d, struct host_allotment a)
{
    struct fake_host *f = fake_of(h);
    struct host_device device;
    fake_must(fake_device(h, d, &device), "launch: no such device");
    struct fake_request *r = &f->requests[id - 1];
    struct fake_app *app = &f->apps[r->app];
    fake_must(r->state == HOST_WAITING, "launch: the request does not wait");
    fake_must((device.mechanisms & 1u << a.mechanism) != 0, "launch: mechanism is not offered");
    fake_must(device.kernels < device.kernels_max, "launch: too many kernels");
    bool copies = app->transfer[r->kernel];
    fake_must(copies || a.mechanism != HOST_WHOLE || device.sms_allotted == 0, "launch: not idle");
    fake_must(a.mechanism == HOST_WHOLE ? a.sms == 0 : a.sms > 0 && a.sms <= device.sms,
              "launch: no such number of SMs");
    fake_must(copies || a.mechanism != HOST_GREEN || device.sms_allotted + a.sms <= device.sms,
              "launch: SMs are taken");
    fake_must(device.memory_used_bytes + app->memory_bytes <= device.memory_bytes,
              "launch: memory is taken");
    fake_must(r->kernel == 0 || r->device == d, "launch: the request began elsewhere");
    double slow = app->slow > 0 ? app->slow : 1;
    uint32_t sms = copies ? 0 : a.mechanism == HOST_WHOLE ? device.sms : a.sms;
    int64_t duration_ns = (int64_t)((double)fake_duration(f, app, r->kernel, a.sms) * slow);
    fake_start(f, r, d, sms, fake_switch_ns(h, id, a) + duration_ns);
    fake_note(f, (struct fake_launch){.r = id, .device = d, .allotment = a});
}

static inline void fake_do_launch_fused(struct host *h, req_id latency, req_id batch, dev_id d,
                                        uint32_t variant)
{
    struct fake_host *f = fake_of(h);
    struct host_device device;
    fake_must(fake_device(h, d, &device) && device.sms_allotted == 0, "launch_fused: not idle");
    struct fake_request *a = &f->requests[latency - 1], *b = &f->requests[batch - 1];
    fake_must(a->state == HOST_WAITING && b->state == HOST_WAITING,
              "launch_fused: one is not here");
    fake_must(f->apps[a->app].memory_bytes + f->apps[b->app].memory_bytes <= device.memory_bytes,
              "launch_fused: memory is taken");
    fake_must((a->kernel == 0 || a->device == d) && (b->kernel == 0 || b->device == d),
              "launch_fused: one began elsewhere");
    fake_must(f->hides[a->app][b->app] != 0 && variant == fake_variant(a, b),
              "launch_fused: no such variant");
    double slow = f->apps[a->app].slow > 0 ? f->apps[a->app].slow : 1;
    int64_t duration_ns = (int64_t)((double)fake_fused_ns(f, a, b) * slow);
    fake_must(!f->apps[a->app].transfer[a->kernel] && !f->apps[b->app].transfer[b->kernel],
              "launch_fused: one is a transfer");
    fake_start(f, a, d, device.sms, duration_ns);
    fake_start(f, b, d, 0, duration_ns);
    a->fused = batch;
    b->fused = latency;
    fake_note(
        f, (struct fake_launch){
               .r = latency, .device = d, .allotment = {.mechanism = HOST_WHOLE}, .fused = batch});
}

static inline bool fake_is_transfer(const struct host *h, req_id id)
{
    const struct fake_request *r = &fake_of(h)->requests[id - 1];
    const struct fake_app *app = &fake_of(h)->apps[r->app];
    return r->kernel < app->kernels && app->transfer[r->kernel];
}

static inline double fake_weight(const struct host *h, app_id a)
{
    double weight = fake_of(h)->apps[a].weight;
    return weight > 0 ? weight : 1;
}

static inline void fake_fail(struct host *h, const char *why)
{
    snprintf(fake_of(h)->failure, sizeof fake_of(h)->failure, "%s", why);
}

static inline void fake_explain(struct host *h, req_id r, const char *what, int64_t value)
{
    struct fake_host *f = fake_of(h);
    fake_must(f->reasons_count < FAKE_REASONS, "too many reasons");
    f->reasons[f->reasons_count++] =
        (struct fake_reason){.at_ns = f->now_ns, .r = r, .what = what, .value = value};
}

/* In the place of counters: the SMs that the application can use, and its pressure. */
static inline bool fake_events(const struct host *h, req_id r, uint32_t kernel,
                               struct host_events *out)
{
    const struct fake_host *f = fake_of(h);
    if (!f->counts || fake_measured(h, r, kernel) <= 0)
        return false;
    const struct fake_app *app = &f->apps[f->requests[r - 1].app];
    *out = (struct host_events){{app->needs != 0 ? app->needs : f->device.sms}};
    out->rate[HOST_EVENTS - 1] = app->pressure;
    return true;
}

/* Right about fewer SMs; by interference 1 and the pressure. */
static inline bool fake_slowdown(struct host *h, enum host_slowdown_by by, uint32_t sms,
                                 const struct host_events *own, const double *pressure,
                                 struct host_slowdown *out)
{
    if (!fake_of(h)->counts)
        return false;
    double needs = own->rate[0];
    out->scalability = sms < needs ? needs / sms : 1;
    out->interference = by == HOST_BY_NETWORK ? 1 + pressure[HOST_PRESSURES - 1] : 1;
    return true;
}

static const struct host_ops fake_operations = {
    .abi = POLICY_ABI,
    .size = sizeof(struct host_ops),
    .now = fake_now,
    .devices = fake_devices,
    .device = fake_device,
    .request = fake_request,
    .app_name = fake_app_name,
    .predict = fake_predict,
    .predict_fused = fake_predict_fused,
    .measured = fake_measured,
    .launch = fake_do_launch,
    .launch_fused = fake_do_launch_fused,
    .fail_run = fake_fail,
    .explain = fake_explain,
    .is_transfer = fake_is_transfer,
    .switch_ns = fake_switch_ns,
    .weight = fake_weight,
    .events = fake_events,
    .slowdown = fake_slowdown,
    .predict_each = fake_predict_each,
};

/* One device of 100 SMs in steps of 10, all mechanisms, 1000 bytes/s, 100 bytes, 16 kernels; the
 * policy's options at their defaults. Change device, devices, options and applications, then
 * fake_begin(). */
static inline void fake_init(struct fake_host *f, const char *policy)
{
    *f = (struct fake_host){.host.ops = &fake_operations, .devices = 1};
    f->policy = policies_find(policy);
    fake_must(f->policy != NULL && f->policy->params_size <= FAKE_PARAMS_BYTES, "no such policy");
    f->device = (struct host_device){
        .mechanisms = 1u << HOST_WHOLE | 1u << HOST_GREEN | 1u << HOST_MPS,
        .can_fuse = true,
        .kernels_max = 16,
        .sms = 100,
        .sms_step = 10,
        .bandwidth = 1000,
        .memory_bytes = 100,
    };
    for (const struct param *p = f->policy->params; p != NULL && p->type != PARAM_END; p++) {
        void *at = f->params + p->offset;
        if (p->type == PARAM_BOOL)
            *(bool *)at = p->number != 0;
        else if (p->type == PARAM_INT)
            *(int64_t *)at = (int64_t)p->number;
        else if (p->type == PARAM_REAL)
            *(double *)at = p->number;
        else if (p->type == PARAM_CHOICE)
            *(int *)at = (int)p->number;
        else if (p->type == PARAM_STRING)
            *(const char **)at = p->text;
    }
}

static inline void *fake_param(struct fake_host *f, const char *name)
{
    for (const struct param *p = f->policy->params; p->type != PARAM_END; p++)
        if (strcmp(p->name, name) == 0)
            return f->params + p->offset;
    fake_must(false, "no such option");
    return NULL;
}

static inline app_id fake_app(struct fake_host *f, struct fake_app app)
{
    f->apps[f->apps_count] = app;
    return f->apps_count++;
}

/* What init says. */
static inline int fake_begin(struct fake_host *f)
{
    f->state = calloc(1, f->policy->state_size);
    return f->policy->init(f->state, f->params, &f->host);
}

static inline void fake_end(struct fake_host *f)
{
    f->policy->fini(f->state);
    free(f->state);
}

static inline void fake_decide(struct fake_host *f)
{
    if (f->policy->decide != NULL)
        f->policy->decide(f->state, &f->host);
}

/* A request of an application arrives now; each application is one job. */
static inline req_id fake_arrive(struct fake_host *f, app_id app)
{
    fake_must(f->requests_count < FAKE_REQUESTS, "too many requests");
    f->requests[f->requests_count++] = (struct fake_request){.app = app,
                                                             .state = HOST_WAITING,
                                                             .arrival_ns = f->now_ns,
                                                             .start_ns = HOST_NEVER,
                                                             .done_ns = HOST_NEVER};
    f->policy->on_ready(f->state, &f->host, f->requests_count);
    fake_decide(f);
    return f->requests_count;
}

static inline void fake_job_ends(struct fake_host *f, app_id app)
{
    if (f->policy->on_job != NULL)
        f->policy->on_job(f->state, &f->host, app, false);
}

/* Tells the policy that the kernel of a request has ended, unless it knows. */
static inline void fake_tell(struct fake_host *f, req_id id)
{
    struct fake_request *r = &f->requests[id - 1];
    if (r->told)
        return;
    r->told = true;
    bool done = r->kernel == f->apps[r->app].kernels;
    r->state = done ? HOST_ENDED : HOST_WAITING;
    r->done_ns = done ? f->now_ns : HOST_NEVER;
    f->current = id;
    f->policy->on_complete(f->state, &f->host, id, r->device, done);
    f->current = 0;
    fake_decide(f);
}

/* Carries on to until_ns: what ends then has ended. */
static inline void fake_run(struct fake_host *f, int64_t until_ns)
{
    for (;;) {
        int64_t next_ns = HOST_NEVER;
        for (uint32_t i = 0; i < f->requests_count; i++)
            if (f->requests[i].state == HOST_RUNNING && f->requests[i].end_ns < next_ns)
                next_ns = f->requests[i].end_ns;
        if (next_ns > until_ns)
            break;
        f->now_ns = next_ns;
        uint32_t count = f->requests_count;
        for (uint32_t i = 0; i < count; i++) {
            struct fake_request *r = &f->requests[i];
            r->told = r->state != HOST_RUNNING || r->end_ns != next_ns;
            if (!r->told)
                r->measured_ns[r->kernel++] = next_ns - r->start_ns;
        }
        for (uint32_t i = 0; i < count; i++) {
            req_id other = f->requests[i].fused;
            if (!f->requests[i].told && other != 0 &&
                f->apps[f->requests[i].app].class == HOST_BATCH)
                fake_tell(f, other);
            fake_tell(f, i + 1);
        }
    }
    if (until_ns != HOST_NEVER)
        f->now_ns = until_ns;
}

/* The launch of a request came to nothing: it waits again. */
static inline void fake_too_late(struct fake_host *f, req_id r)
{
    f->requests[r - 1].state = HOST_WAITING;
    f->requests[r - 1].start_ns = HOST_NEVER;
    f->policy->on_ready(f->state, &f->host, r);
    fake_decide(f);
}

/* A request that waits leaves because it is late. */
static inline void fake_gone(struct fake_host *f, req_id r)
{
    f->requests[r - 1].state = HOST_ENDED;
    f->current = r;
    f->policy->on_gone(f->state, &f->host, r);
    f->current = 0;
    fake_decide(f);
}

/* SMs of the n-th launch of a request (all of them for whole); 0 if it has not happened. */
static inline uint32_t fake_sms(const struct fake_host *f, req_id r, uint32_t n)
{
    for (uint32_t i = 0; i < f->launches_count; i++) {
        const struct fake_launch *l = &f->launches[i];
        if ((l->r == r || l->fused == r) && n-- == 0)
            return l->allotment.mechanism == HOST_WHOLE ? f->device.sms : l->allotment.sms;
    }
    return 0;
}

/* When the n-th launch of a request was; -1 if it has not happened. */
static inline int64_t fake_at(const struct fake_host *f, req_id r, uint32_t n)
{
    for (uint32_t i = 0; i < f->launches_count; i++)
        if ((f->launches[i].r == r || f->launches[i].fused == r) && n-- == 0)
            return f->launches[i].at_ns;
    return -1;
}

#endif
