/* split_host.c - see split_host.h. */
#include "calibrate/split/split_host.h"

#include "calibrate/cpu/cpu_app.h"

#include <stdarg.h>
#include <stdlib.h>

#define REQUEST    ((req_id)1)
#define TIMERS_MAX 16

struct timer {
    timer_id id; /* 0: free */
    int64_t at_ns;
    uint64_t cookie;
};

struct real_host {
    struct host host; /* first: what a policy is given */
    struct cal_split_sides *sides;
    const struct cal_split *problem;
    const struct policy *policy;
    void *state;
    uint32_t threads;
    int sms, pass;
    int64_t began_ns,
        chunk_ns; /* when the request came, on the clock of the machine; its latest chunk */
    int64_t next;
    uint32_t running;
    bool busy[CAL_SPLIT_BOTH], has_ended[CAL_SPLIT_BOTH], done, failed;
    int64_t since_ns[CAL_SPLIT_BOTH];
    struct host_chunk ended[CAL_SPLIT_BOTH];
    struct timer timers[TIMERS_MAX];
    timer_id timers_count;
    uint64_t random, draws;
    struct cal_split_run run;
    struct dcs_err *err;
};

static struct real_host *own(const struct host *h)
{
    return (struct real_host *)(uintptr_t)h;
}

/* The first reason is kept. */
static void break_off(struct real_host *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void break_off(struct real_host *r, const char *format, ...)
{
    char text[256];
    va_list args;
    if (r->failed)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    r->failed = true;
    dcs_err_set(r->err, "policy %s, %.3f ms after the request came: %s", r->policy->name,
                (double)(cal_split_now_ns() - r->began_ns) / 1e6, text);
}

/* --- questions --- */

static int64_t tell_now(const struct host *h)
{
    return cal_split_now_ns() - own(h)->began_ns;
}

static uint32_t count_devices(const struct host *h)
{
    (void)h;
    return CAL_SPLIT_BOTH;
}

static bool describe_device(const struct host *h, dev_id d, struct host_device *out)
{
    const struct real_host *r = own(h);
    if (d >= CAL_SPLIT_BOTH)
        return false;
    bool cpu = d == CAL_SPLIT_CPU;
    *out = (struct host_device){
        .state = r->busy[d] ? HOST_BUSY : HOST_IDLE,
        .mechanisms = 1u << HOST_WHOLE,
        .kernels_max = 1,
        .kernels = r->busy[d],
        .first = r->busy[d] ? REQUEST : 0,
        .since_ns = r->since_ns[d],
        .sms = cpu ? r->threads : (uint32_t)r->sms,
        .sms_step = cpu ? r->threads : (uint32_t)r->sms,
        .cores = cpu ? r->threads : 0,
        .revoke_ns = r->busy[d] ? HOST_NEVER : 0,
    };
    return true;
}

static bool describe_request(const struct host *h, req_id id, struct host_request *out)
{
    const struct real_host *r = own(h);
    if (id != REQUEST)
        return false;
    bool runs = r->running > 0;
    *out = (struct host_request){
        .class = HOST_BATCH,
        .state = r->done ? HOST_ENDED
                 : runs  ? HOST_RUNNING
                         : HOST_WAITING,
        .deadline_ns = HOST_NEVER,
        .start_ns = r->chunk_ns,
        .began_ns = runs ? r->chunk_ns : HOST_NEVER,
        .device = !runs                    ? HOST_NO_DEVICE
                  : r->busy[CAL_SPLIT_CPU] ? CAL_SPLIT_CPU
                                           : CAL_SPLIT_GPU,
        .kernel = (uint32_t)r->pass,
        .kernels = (uint32_t)r->problem->program->passes,
        .input_size = (uint64_t)r->problem->n,
    };
    return true;
}

static const char *name_app(const struct host *h, app_id a)
{
    return a == 0 ? own(h)->problem->program->name : NULL;
}

static int64_t predict_nothing(struct host *h, req_id r, uint32_t kernel, enum host_quantity q,
                               struct host_allotment a)
{
    (void)h, (void)r, (void)kernel, (void)q, (void)a;
    return -1;
}

static bool fuse_nothing(struct host *h, req_id latency, req_id batch, struct host_fusion *out)
{
    (void)h, (void)latency, (void)batch, (void)out;
    return false;
}

static int64_t measure_nothing(const struct host *h, req_id r, uint32_t kernel)
{
    (void)h, (void)r, (void)kernel;
    return -1;
}

static bool count_nothing(const struct host *h, req_id r, struct host_counters *out)
{
    (void)h, (void)r, (void)out;
    return false;
}

static uint64_t draw_bits(struct host *h)
{
    struct real_host *r = own(h);
    return cal_cpu_random(r->random, ++r->draws);
}

static bool describe_division(const struct host *h, req_id id, struct host_division *out)
{
    const struct real_host *r = own(h);
    if (id != REQUEST || r->done)
        return false;
    *out = (struct host_division){
        .iterations = (uint64_t)r->problem->iterations,
        .left = (uint64_t)(r->problem->iterations - r->next),
        .chunk_min = (uint64_t)r->problem->program->chunk_min,
        .chunks = r->running,
    };
    return true;
}

static bool describe_ended(const struct host *h, req_id id, dev_id d, struct host_chunk *out)
{
    const struct real_host *r = own(h);
    if (id != REQUEST || d >= CAL_SPLIT_BOTH || !r->has_ended[d])
        return false;
    *out = r->ended[d];
    return true;
}

/* --- actions --- */

static void give_chunk(struct host *h, req_id id, dev_id d, uint64_t iterations)
{
    struct real_host *r = own(h);
    int64_t left = r->problem->iterations - r->next, count = (int64_t)iterations;
    int64_t least = r->problem->program->chunk_min;
    if (r->failed)
        return;
    if (id != REQUEST || r->done || d >= CAL_SPLIT_BOTH) {
        break_off(r, "a chunk of what is not here, or for no device");
    } else if (r->busy[d]) {
        break_off(r, "a chunk for device %u, which has one", d);
    } else if (count <= 0 || iterations > (uint64_t)left) {
        break_off(r, "a chunk of %llu iterations, and %lld are left",
                  (unsigned long long)iterations, (long long)left);
    } else if (count < least && count < left) {
        break_off(r, "a chunk of %lld iterations, and one has at least %lld", (long long)count,
                  (long long)least);
    } else {
        r->run.steps += r->running == 0;
        r->run.gpu_iterations += d == CAL_SPLIT_GPU ? count : 0;
        r->chunk_ns = r->since_ns[d] = tell_now(h);
        r->busy[d] = true;
        r->running++;
        cal_split_hand_over(r->sides, (enum cal_split_side)d, r->next, count);
        r->next += count;
    }
}

static void launch_rest(struct host *h, req_id id, dev_id d, struct host_allotment a)
{
    struct real_host *r = own(h);
    if (a.mechanism != HOST_WHOLE)
        break_off(r, "a launch on a part of a device");
    else
        give_chunk(h, id, d, (uint64_t)(r->problem->iterations - r->next));
}

static void refuse_fused(struct host *h, req_id latency, req_id batch, dev_id d, uint32_t variant)
{
    (void)latency, (void)batch, (void)d, (void)variant;
    break_off(own(h), "a fused launch, which this host does not know");
}

static void refuse_allotment(struct host *h, req_id r, struct host_allotment a)
{
    (void)r, (void)a;
    break_off(own(h), "an allotment, which this host does not know");
}

static void refuse_request(struct host *h, req_id r)
{
    (void)r;
    break_off(own(h), "gives up its request, which this host does not know");
}

static timer_id set_timer(struct host *h, int64_t at_ns, uint64_t cookie)
{
    struct real_host *r = own(h);
    for (int i = 0; i < TIMERS_MAX; i++)
        if (r->timers[i].id == 0) {
            r->timers[i] = (struct timer){++r->timers_count, at_ns, cookie};
            return r->timers_count;
        }
    break_off(r, "more than %d timers", TIMERS_MAX);
    return 0;
}

static void cancel_timer(struct host *h, timer_id t)
{
    for (int i = 0; i < TIMERS_MAX; i++)
        if (own(h)->timers[i].id == t)
            own(h)->timers[i].id = 0;
}

static void fail_run(struct host *h, const char *why)
{
    break_off(own(h), "%s", why);
}

static void explain_nothing(struct host *h, req_id r, const char *what, int64_t value)
{
    (void)h, (void)r, (void)what, (void)value;
}

static const struct host_ops operations = {
    .abi = POLICY_ABI,
    .size = sizeof(struct host_ops),
    .now = tell_now,
    .devices = count_devices,
    .device = describe_device,
    .request = describe_request,
    .app_name = name_app,
    .predict = predict_nothing,
    .predict_fused = fuse_nothing,
    .measured = measure_nothing,
    .counters = count_nothing,
    .random_bits = draw_bits,
    .launch = launch_rest,
    .launch_fused = refuse_fused,
    .allot = refuse_allotment,
    .resize = refuse_allotment,
    .revoke = refuse_request,
    .drop = refuse_request,
    .return_to_router = refuse_request,
    .timer = set_timer,
    .timer_cancel = cancel_timer,
    .fail_run = fail_run,
    .explain = explain_nothing,
    .division = describe_division,
    .ended_chunk = describe_ended,
    .launch_chunk = give_chunk,
};

/* --- a request --- */

static void decide(struct real_host *r)
{
    if (r->policy->decide != NULL && !r->failed)
        r->policy->decide(r->state, &r->host);
}

/* Timers whose time has come; false: none is set. */
static bool fire_timers(struct real_host *r)
{
    bool any = false;
    for (int i = 0; i < TIMERS_MAX && !r->failed; i++) {
        struct timer t = r->timers[i];
        any = any || t.id != 0;
        if (t.id == 0 || t.at_ns > tell_now(&r->host))
            continue;
        r->timers[i].id = 0;
        if (r->policy->on_timer != NULL)
            r->policy->on_timer(r->state, &r->host, t.cookie);
        decide(r);
    }
    return any;
}

static int begin_pass(struct real_host *r)
{
    r->next = 0;
    return cal_split_begin_pass(r->sides, r->pass, r->err);
}

static int take_chunk(struct real_host *r)
{
    struct cal_split_ended e;
    if (cal_split_wait(r->sides, &e, r->err) != 0)
        return -1;
    r->busy[e.side] = false;
    r->running--;
    r->has_ended[e.side] = true;
    r->ended[e.side] = (struct host_chunk){(uint64_t)e.count, e.took_ns};
    r->run.busy_ns[e.side] += e.took_ns;
    r->since_ns[e.side] = tell_now(&r->host);
    if (r->next == r->problem->iterations && r->running == 0) {
        r->pass++;
        if (begin_pass(r) != 0)
            return -1;
        r->done = r->pass == r->problem->program->passes;
        if (r->done)
            r->run.time_ns = tell_now(&r->host);
    }
    r->policy->on_complete(r->state, &r->host, REQUEST, (dev_id)e.side, r->done);
    decide(r);
    return 0;
}

static int serve_request(struct real_host *r)
{
    if (r->policy->on_job != NULL)
        r->policy->on_job(r->state, &r->host, 0, true);
    r->began_ns = cal_split_now_ns();
    if (begin_pass(r) != 0)
        return -1;
    r->policy->on_ready(r->state, &r->host, REQUEST);
    decide(r);
    while (!r->done && !r->failed) {
        bool timers = fire_timers(r);
        if (r->running > 0 && take_chunk(r) != 0)
            return -1;
        if (r->running == 0 && !timers && !r->done && !r->failed)
            break_off(r, "%lld iterations are left, and it gives out none",
                      (long long)(r->problem->iterations - r->next));
    }
    if (r->policy->on_job != NULL && !r->failed)
        r->policy->on_job(r->state, &r->host, 0, false);
    return r->failed ? -1 : 0;
}

/* Chunks that still run when the run was broken off. */
static void wait_for_rest(struct real_host *r)
{
    struct cal_split_ended e;
    struct dcs_err unused = {0};
    for (; r->running > 0; r->running--)
        (void)cal_split_wait(r->sides, &e, &unused);
}

int cal_split_run_policy(struct cal_split_sides *b, const struct cal_split *s,
                         const struct policy *p, const void *options, uint32_t threads, int sms,
                         struct cal_split_run *run, struct dcs_err *err)
{
    struct real_host r = {
        .host.ops = &operations,
        .sides = b,
        .problem = s,
        .policy = p,
        .state = dcs_alloc(1, p->state_size + 1),
        .threads = threads,
        .sms = sms,
        .began_ns = cal_split_now_ns(),
        .random = s->seed,
        .err = err,
    };
    int failed = 0;
    if (p->init != NULL && p->init(r.state, options, &r.host) != 0 && !r.failed)
        break_off(&r, "it does not begin");
    if (!r.failed)
        failed = serve_request(&r);
    wait_for_rest(&r);
    if (p->fini != NULL)
        p->fini(r.state);
    free(r.state);
    *run = r.run;
    return failed != 0 || r.failed ? -1 : 0;
}
