/*
 * test_worlds.c - a few hundred small random clusters, run under the built-in policies.
 *
 * Pins, for random applications, jobs (open and closed loop, thinking, with limits and deadlines),
 * domains, routers, checkpoints, charges, horizons, warm-ups and options: that the core's own
 * assertions hold (balance of each domain, Little's law in ns, accounts of each device); that every
 * request is issued once, in order, and is done, dropped or inside; that counts per application are
 * those of the rows, and those of the jobs; that no two launches overlap on a device and none is
 * slower than its work; that the same world twice, with and without a recorder, gives the same
 * result in every field; that a recorder is told of requests in the order of recorder.h, and of as
 * much busy time as the accounts have, to the ns; that the
 * true work of a kernel is the same under all policies and routers; that a run without horizon
 * leaves nobody waiting; that it does not matter in which order shared devices that have changed at
 * one instant are settled, unless kernels of two of them end at one instant (then it is the order
 * in which policies hear of the ends, and which can differ); that no policies move
 * SMs between kernels that run but those of which policies.h says that they may, and that three of
 * these or more do; that requests of a job that is pinned go to its domain alone, and that the rows
 * of jobs say of their SLAs what the requests' rows say. All but the launches that never overlap
 * holds of worlds whose devices are shared, too. A failure prints its seed. Does not pin: who is
 * served when (tests/golden), averages (tests/stat).
 */
#include "policies/policies.h"
#include "tests/random_world.h"

/* After policy.h, where a member is called fail: cmocka has a macro of that name. */
#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

enum { WORLDS = 400, INDEX_MAX = 4096 };

static uint64_t running; /* seed of the world that is being tried */

/* ---- The true work of kernels, by (job, index, kernel) ---- */

struct work_log {
    int64_t work_ns[RANDOM_JOBS_MAX][INDEX_MAX][RANDOM_KERNELS_MAX]; /* 0: not seen */
    int64_t started_ns[RANDOM_JOBS_MAX][INDEX_MAX];                  /* of the kernel that runs */
    uint64_t seen, again;
};

static void log_start(void *context, int64_t now_ns, uint32_t job, uint64_t index, uint32_t kernel,
                      int64_t work_ns)
{
    struct work_log *log = context;
    assert_true(work_ns >= 1);
    if (index >= INDEX_MAX)
        return;
    int64_t *known = &log->work_ns[job][index][kernel];
    log->again += *known != 0;
    log->seen++;
    assert_true(*known == 0 || *known == work_ns);
    *known = work_ns;
    log->started_ns[job][index] = now_ns;
}

/* ---- What must hold ---- */

static void check_row(const struct world *w, const struct cluster_request_row *row)
{
    const struct dcs_job *job = &w->workload.jobs[row->job];
    assert_int_equal(row->app, job->app);
    assert_true(row->arrival_ns >= job->begin_ns);
    assert_true(job->requests == 0 || row->index < job->requests);
    assert_true(job->until_ns == 0 || row->arrival_ns < job->until_ns ||
                row->arrival_ns == job->begin_ns);
    assert_true(row->deadline_ns == (job->sla_ns > 0 ? row->arrival_ns + job->sla_ns : DCS_NEVER));
    assert_true(!job->pinned || row->domain == job->domain || row->domain == UINT32_MAX);
    assert_true(row->domain != UINT32_MAX || row->outcome == CLUSTER_DROPPED);
    if (row->outcome == CLUSTER_INSIDE) {
        assert_true(row->end_ns == DCS_NEVER);
        return;
    }
    assert_true(row->end_ns >= row->arrival_ns);
    assert_true(w->spec.horizon_ns == DCS_NEVER || row->end_ns < w->spec.horizon_ns);
    if (row->outcome == CLUSTER_DROPPED && !job->queue_limit && w->spec.policy->on_gone != NULL)
        assert_true(job->drop_late && row->end_ns == row->deadline_ns);
    if (row->outcome == CLUSTER_DONE)
        assert_true(row->start_ns >= row->arrival_ns && row->end_ns > row->start_ns);
}

/* Counts of the rows, by application. */
static void check_apps(const struct world *w)
{
    const struct cluster_result *out = &w->out;
    for (uint32_t a = 0; a < out->apps_count; a++) {
        struct cluster_app_result sum = {0};
        for (size_t i = 0; i < out->requests_rows_count; i++) {
            const struct cluster_request_row *row = &out->requests_rows[i];
            if (row->app != a)
                continue;
            bool done = row->outcome == CLUSTER_DONE, inside = row->outcome == CLUSTER_INSIDE;
            sum.revocations += row->revocations;
            sum.completions += done && row->end_ns >= w->spec.warmup_ns;
            if (row->arrival_ns < w->spec.warmup_ns)
                continue;
            bool sla = row->deadline_ns != DCS_NEVER;
            sum.arrived++;
            sum.done += done;
            sum.inside += inside;
            sum.dropped += !done && !inside;
            sum.decided += sla && (!inside || row->deadline_ns < out->to_ns);
            sum.met += sla && done && row->end_ns <= row->deadline_ns;
        }
        const struct cluster_app_result *app = &out->apps[a];
        assert_int_equal(app->arrived, sum.arrived);
        assert_int_equal(app->arrived, app->done + app->dropped + app->inside);
        assert_int_equal(app->done, sum.done);
        assert_int_equal(app->dropped, sum.dropped);
        assert_int_equal(app->met, sum.met);
        assert_int_equal(app->completions, sum.completions);
        /* Rows have all of a request's; the result those inside the window. */
        assert_true(w->spec.warmup_ns > 0 ? app->revocations <= sum.revocations
                                          : app->revocations == sum.revocations);
        if (w->spec.horizon_ns != DCS_NEVER)
            assert_int_equal(app->decided, sum.decided);
        assert_int_equal(app->response != NULL ? app->response->count : 0, app->done);
    }
}

static int by_time(const void *pa, const void *pb)
{
    int64_t a = *(const int64_t *)pa, b = *(const int64_t *)pb;
    return a < b ? -1 : a > b;
}

/* What a job's row says of its SLA, from the rows of its requests. */
static void check_job_sla(const struct world *w, uint32_t j)
{
    const struct cluster_job_row *row = &w->out.jobs[j];
    const struct dcs_job *job = &w->workload.jobs[j];
    int64_t *times = dcs_alloc(w->out.requests_rows_count + 1, sizeof *times);
    uint64_t decided = 0, met = 0;
    size_t n = 0;
    for (size_t i = 0; i < w->out.requests_rows_count; i++) {
        const struct cluster_request_row *r = &w->out.requests_rows[i];
        if (r->job != j || r->arrival_ns < w->spec.warmup_ns)
            continue;
        bool done = r->outcome == CLUSTER_DONE, inside = r->outcome == CLUSTER_INSIDE;
        decided += job->sla_ns > 0 && (!inside || r->deadline_ns < w->out.to_ns);
        met += job->sla_ns > 0 && done && r->end_ns <= r->deadline_ns;
        if (done)
            times[n++] = r->end_ns - r->arrival_ns;
    }
    assert_int_equal(row->domain, job->pinned ? job->domain : UINT32_MAX);
    assert_true(row->sla_ns == job->sla_ns);
    assert_int_equal(row->met, met);
    if (w->spec.horizon_ns != DCS_NEVER)
        assert_int_equal(row->decided, decided);
    qsort(times, n, sizeof *times, by_time);
    bool kept = n > 0 && job->sla_ns > 0 && w->spec.keep_job_times;
    assert_true((row->p99_ns != DCS_NEVER) == kept);
    if (kept) {
        int64_t exact = times[(n * 99 + 99) / 100 - 1], off = row->p99_ns - exact;
        assert_true((off < 0 ? -off : off) <= exact / 256);
    }
    free(times);
}

static void check_jobs(const struct world *w)
{
    const struct cluster_result *out = &w->out;
    for (uint32_t j = 0; j < out->jobs_count; j++) {
        uint64_t issued = 0, done = 0, dropped = 0, indices = 0;
        for (size_t i = 0; i < out->requests_rows_count; i++) {
            const struct cluster_request_row *row = &out->requests_rows[i];
            if (row->job != j)
                continue;
            issued++;
            indices += row->index;
            done += row->outcome == CLUSTER_DONE;
            dropped += row->outcome == CLUSTER_DROPPED;
        }
        assert_int_equal(out->jobs[j].issued, issued);
        assert_int_equal(out->jobs[j].completed, done);
        assert_int_equal(out->jobs[j].dropped, dropped);
        assert_int_equal(indices, issued * (issued - (issued > 0)) / 2); /* 0, 1, 2, ... */
        check_job_sla(w, j);
        const struct dcs_job *job = &w->workload.jobs[j];
        bool all = job->requests != 0 && issued == job->requests && done + dropped == issued;
        assert_true((out->jobs[j].end_ns != DCS_NEVER) == (all && done > 0));
        if (w->spec.horizon_ns == DCS_NEVER)
            assert_true(done + dropped == issued && (all || job->until_ns != 0));
    }
}

static void check_devices(const struct world *w)
{
    int64_t length = w->out.to_ns - w->spec.warmup_ns;
    for (uint32_t i = 0; i < w->out.devices_count; i++) {
        const struct dcs_usage *u = &w->out.devices[i];
        assert_true(u->useful_ns >= 0 && u->lost_ns >= 0 && u->overhead_ns >= 0);
        assert_true(u->useful_ns + u->lost_ns + u->overhead_ns == u->busy_ns);
        assert_true(u->busy_ns <= (length > 0 ? length : 0));
    }
}

static void check_world(const struct world *w)
{
    const struct cluster_result *out = &w->out;
    assert_int_equal(out->requests, out->requests_rows_count);
    for (size_t i = 0; i < out->requests_rows_count; i++)
        check_row(w, &out->requests_rows[i]);
    check_apps(w);
    check_jobs(w);
    check_devices(w);
    assert_false(out->interrupted);
    if (w->spec.horizon_ns == DCS_NEVER)
        assert_int_equal(out->left_waiting, 0);
}

/* Useful work, without a window and a horizon, is all the work of the requests that were done. */
static void check_useful(const struct world *w, const struct work_log *log)
{
    int64_t useful = 0, work = 0;
    for (uint32_t i = 0; i < w->out.devices_count; i++)
        useful += w->out.devices[i].useful_ns;
    for (size_t i = 0; i < w->out.requests_rows_count; i++) {
        const struct cluster_request_row *row = &w->out.requests_rows[i];
        assert_true(row->index < INDEX_MAX);
        for (uint32_t k = 0; k < w->apps[row->app].kernels; k++)
            work += log->work_ns[row->job][row->index][k];
    }
    assert_true(useful == work);
}

static bool same_result(const struct cluster_result *a, const struct cluster_result *b)
{
    bool same = a->apps_count == b->apps_count && a->devices_count == b->devices_count &&
                a->jobs_count == b->jobs_count && a->from_ns == b->from_ns &&
                a->requests_rows_count == b->requests_rows_count && a->to_ns == b->to_ns &&
                a->mean_in_system == b->mean_in_system && a->area_ns == b->area_ns &&
                a->returned == b->returned && a->revocations == b->revocations &&
                a->launches == b->launches && a->events == b->events;
    for (size_t i = 0; same && i < a->requests_rows_count; i++) {
        const struct cluster_request_row *x = &a->requests_rows[i], *y = &b->requests_rows[i];
        same = x->id == y->id && x->job == y->job && x->index == y->index &&
               x->domain == y->domain && x->device == y->device && x->end_ns == y->end_ns &&
               x->start_ns == y->start_ns && x->arrival_ns == y->arrival_ns &&
               x->outcome == y->outcome && x->revocations == y->revocations;
    }
    for (uint32_t i = 0; same && i < a->devices_count; i++)
        same = memcmp(&a->devices[i], &b->devices[i], sizeof a->devices[i]) == 0;
    return same;
}

/* ---- What a recorder is told ---- */

/* As recorder.h orders what is told of a request. */
enum told { TOLD_NOTHING, TOLD_WAITS, TOLD_RUNS, TOLD_STOPS };

enum { SLOTS_MAX = 4096, DEVICES_MAX = 16 };

struct tape {
    const struct world *w;
    enum told of[SLOTS_MAX]; /* by slot */
    uint32_t kernels[DEVICES_MAX];
    int64_t since_ns[DEVICES_MAX], busy_ns[DEVICES_MAX];
    int64_t now_ns;
    uint64_t records;
    bool ended;
};

static void tape_idle(struct tape *t, uint32_t device, int64_t now_ns)
{
    int64_t from_ns = t->since_ns[device];
    if (from_ns < t->w->spec.warmup_ns)
        from_ns = t->w->spec.warmup_ns;
    if (now_ns > from_ns)
        t->busy_ns[device] += now_ns - from_ns;
}

static void tape_request(struct tape *t, const struct cluster_record *r, enum told before,
                         enum told after)
{
    assert_true(r->slot < SLOTS_MAX && r->id != 0);
    assert_int_equal(t->of[r->slot], before);
    t->of[r->slot] = after;
    if (after == TOLD_RUNS && t->kernels[r->device]++ == 0)
        t->since_ns[r->device] = r->at_ns;
    bool leaves = before == TOLD_STOPS || (before == TOLD_RUNS && after != TOLD_STOPS);
    if (leaves && --t->kernels[r->device] == 0)
        tape_idle(t, r->device, r->at_ns);
}

static int tape_record(void *context, const struct cluster_record *r, struct dcs_err *err)
{
    struct tape *t = context;
    (void)err;
    assert_false(t->ended);
    assert_true(r->at_ns >= t->now_ns || r->kind == RECORD_END);
    t->now_ns = r->at_ns;
    t->records++;
    if (r->kind == RECORD_ROUTED)
        tape_request(t, r, TOLD_NOTHING, TOLD_WAITS);
    else if (r->kind == RECORD_LAUNCH)
        tape_request(t, r, TOLD_WAITS, TOLD_RUNS);
    else if (r->kind == RECORD_KERNEL_END)
        tape_request(t, r, TOLD_RUNS, r->flag ? TOLD_NOTHING : TOLD_WAITS);
    else if (r->kind == RECORD_STOP)
        tape_request(t, r, TOLD_RUNS, TOLD_STOPS);
    else if (r->kind == RECORD_STOPPED)
        tape_request(t, r, TOLD_STOPS, TOLD_WAITS);
    else if (r->kind == RECORD_LEAVES)
        tape_request(t, r, r->domain == RECORD_NONE ? TOLD_NOTHING : TOLD_WAITS, TOLD_NOTHING);
    t->ended = r->kind == RECORD_END;
    for (uint32_t i = 0; t->ended && i < DEVICES_MAX; i++)
        if (t->kernels[i] > 0)
            tape_idle(t, i, r->at_ns);
    return 0;
}

static void check_tape(const struct tape *t)
{
    assert_true(t->ended && t->records > 0);
    assert_true(t->w->out.devices_count <= DEVICES_MAX);
    for (uint32_t i = 0; i < t->w->out.devices_count; i++)
        assert_true(t->busy_ns[i] == t->w->out.devices[i].busy_ns);
}

static void one_world(uint64_t seed, const struct policy *policy, bool shared, struct work_log *log)
{
    static struct world w, again;
    const struct cluster_probe probe = {.context = log, .start = log_start};
    random_world(&w, seed, policy, shared);
    w.spec.probe = &probe;
    static struct tape tape;
    tape = (struct tape){.w = &w};
    const struct recorder recorder = {.context = &tape, .record = tape_record};
    w.spec.recorder = &recorder;
    int result = world_run(&w);
    if (result != 0)
        print_error("%s\n", w.err.text);
    assert_int_equal(result, 0);
    check_world(&w);
    check_tape(&tape);

    random_world(&again, seed, policy, shared); /* with neither of them: it must not matter */
    assert_int_equal(world_run(&again), 0);
    assert_true(same_result(&w.out, &again.out));
    world_release(&again);
    world_release(&w);
}

/* The log is kept over the policies of one seed: what a kernel is seen with must never change. */
static void try_worlds(bool shared)
{
    struct work_log *log = dcs_alloc(1, sizeof *log);
    uint64_t again = 0;
    for (running = 1; running <= WORLDS; running++) {
        memset(log, 0, sizeof *log);
        for (size_t i = 0; random_policy(i) != NULL; i++)
            one_world(running, random_policy(i), shared, log);
        again += log->again;
    }
    assert_true(again > 10000); /* it did compare */
    running = 0;
    free(log);
}

static void worlds(void **state)
{
    (void)state;
    try_worlds(false);
}

static void worlds_that_share(void **state)
{
    (void)state;
    try_worlds(true);
}

/* ---- The order in which devices are settled ---- */

/* Whether kernels of two devices have ended, or were gone, at one instant: which of them policies
 * hear of first is in the order in which their events were set. */
struct ties {
    int64_t at_ns;
    uint32_t device;
    bool found;
};

static int find_tie(void *context, const struct cluster_record *r, struct dcs_err *err)
{
    struct ties *t = context;
    (void)err;
    if (r->kind != RECORD_KERNEL_END && r->kind != RECORD_STOPPED)
        return 0;
    t->found = t->found || (t->at_ns == r->at_ns && t->device != r->device);
    t->at_ns = r->at_ns;
    t->device = r->device;
    return 0;
}

static void count_resize(void *context, int64_t now_ns, uint32_t domain, enum cluster_action action,
                         req_id r, uint64_t detail)
{
    (void)now_ns, (void)domain, (void)r, (void)detail;
    *(uint32_t *)context += action == CLUSTER_RESIZE;
}

/* Settled in another order, devices without ties do the same. */
static void settled_in_any_order(void **state)
{
    (void)state;
    static struct world w, again;
    uint32_t compared = 0, changed = 0, policies = 0, movers = 0, moved[32] = {0};
    while (random_policy(policies) != NULL)
        policies++;
    assert_true(policies <= 32);
    for (running = 1; running <= WORLDS; running++) {
        const struct policy *policy = random_policy(running % policies);
        struct ties ties = {.at_ns = -1};
        const struct recorder recorder = {.context = &ties, .record = find_tie};
        const struct cluster_probe probe = {.settle_seed = running};
        uint32_t resizes = 0;
        const struct cluster_probe counting = {.context = &resizes, .action = count_resize};
        if ((policy->needs & 1u << HOST_CPU) != 0)
            continue;
        random_world(&w, running, policy, true);
        w.spec.recorder = &recorder;
        w.spec.probe = &counting;
        assert_int_equal(world_run(&w), 0);
        moved[running % policies] += resizes;
        random_world(&again, running, policy, true);
        again.spec.probe = &probe;
        assert_int_equal(world_run(&again), 0);
        bool same = same_result(&w.out, &again.out);
        assert_true(same || ties.found);
        compared += !ties.found && w.out.devices_count > 1;
        changed += !same;
        world_release(&again);
        world_release(&w);
    }
    assert_true(compared > 100);
    assert_true(changed > 0); /* the order was another one, where it matters */
    for (uint32_t i = 0; i < policies; i++) {
        if (moved[i] > 0 && !policies_may_move_sms(random_policy(i)))
            fail_msg("%s moves SMs", random_policy(i)->name);
        movers += moved[i] > 0;
    }
    assert_true(movers >= 3); /* the others never see a reason to */
    running = 0;
}

/* Without deadlines, limits, warm-up and horizon all is done in the end, and all useful work is
 * theirs. */
static void work_is_conserved(void **state)
{
    (void)state;
    struct work_log *log = dcs_alloc(1, sizeof *log);
    for (running = 1; running <= WORLDS / 2; running++)
        for (size_t i = 0; random_policy(i) != NULL; i++) {
            static struct world w;
            const struct cluster_probe probe = {.context = log, .start = log_start};
            memset(log, 0, sizeof *log);
            make_world(&w, running, random_policy(i));
            w.spec.probe = &probe;
            w.spec.horizon_ns = DCS_NEVER;
            w.spec.warmup_ns = 0;
            for (size_t j = 0; j < w.workload.count; j++) {
                w.workload.jobs[j].drop_late = false;
                w.workload.jobs[j].queue_limit = 0;
                w.workload.jobs[j].requests += w.workload.jobs[j].requests == 0 ? 20 : 0;
            }
            assert_int_equal(world_run(&w), 0);
            check_world(&w);
            if (w.spec.sharing.cpu == NULL) /* time on a CPU is shared: test_cpu_random.c */
                check_useful(&w, log);
            world_release(&w);
        }
    running = 0;
    free(log);
}

/* cmocka leaves a failing test by a jump, so the seed is told afterwards. */
static int tell_seed(void **state)
{
    (void)state;
    if (running != 0)
        print_error("failed at seed %llu\n", (unsigned long long)running);
    running = 0;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(worlds, tell_seed),
        cmocka_unit_test_teardown(worlds_that_share, tell_seed),
        cmocka_unit_test_teardown(settled_in_any_order, tell_seed),
        cmocka_unit_test_teardown(work_is_conserved, tell_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
