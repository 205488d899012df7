/*
 * test_host.c - what policies are told to expect, and the reasons that they give.
 *
 * Pins: that sums over kernels are the sums of what each kernel is told, at every allotment, with
 * the bounds of time; that many answers at once are those one by one, and charged as such;
 * instructions per cycle; that trained predictors answer in place of means, a request of them as a
 * whole and its kernels in proportion; that a clairvoyant is told the truth, noise included, and
 * nobody else; which reasons are kept, how many, and that none is unless wanted. Does not pin: how
 * good trained predictors are (test_predictor.c), nor how devices are seen
 * (tests/golden/test_shared_by_hand.c).
 */
#include "models/gpu/spatial_load.h"
#include "models/predictor/methods.h"
#include "models/predictor/predictor_read.h"
#include "models/profile/profile_schema.h"
#include "tests/gpu_case.h"
#include "tests/world.h"

#include <unistd.h>

#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

#define GREEN(n) ((struct host_allotment){.mechanism = HOST_GREEN, .sms = (n)})
#define WHOLE    ((struct host_allotment){.mechanism = HOST_WHOLE})

/* ---- A policy that asks, then launches on the whole device ---- */

struct asker {
    void (*ready)(struct asker *a, struct host *h, req_id r);
    void (*complete)(struct asker *a, struct host *h, req_id r, bool done);
    const struct cluster_spec *spec;
    int64_t told_ns[8];
    struct host *host;
};

struct asker_state {
    struct asker *asker;
};

static int asker_init(void *state, const void *params, struct host *h)
{
    struct asker_state *s = state;
    memcpy(&s->asker, params, sizeof s->asker);
    s->asker->host = h;
    host_explain(h, 1, "before any callback", 0);
    return 0;
}

static void asker_ready(void *state, struct host *h, req_id r)
{
    struct asker *a = ((struct asker_state *)state)->asker;
    if (a->ready != NULL)
        a->ready(a, h, r);
    host_launch(h, r, 0, WHOLE);
}

static void asker_complete(void *state, struct host *h, req_id r, dev_id d, bool done)
{
    struct asker *a = ((struct asker_state *)state)->asker;
    (void)d;
    if (a->complete != NULL)
        a->complete(a, h, r, done);
    if (!done)
        host_launch(h, r, 0, WHOLE);
}

static const struct policy policy_asker = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "asker",
    .state_size = sizeof(struct asker_state),
    .init = asker_init,
    .on_ready = asker_ready,
    .on_complete = asker_complete,
};

static void open_world(struct world *w, struct asker *a)
{
    world_init(w, &policy_asker, 1);
    memcpy(w->params, &a, sizeof a);
    a->spec = &w->spec;
}

static void run(struct world *w)
{
    if (world_run(w) != 0)
        fail_msg("%s", w->err.text);
}

/* ---- Sums ---- */

static void assert_sums(struct host *h, req_id r, uint32_t kernels, struct host_allotment a)
{
    int64_t sum = 0;
    for (uint32_t k = kernels; k-- > 0;) {
        int64_t one = host_predict_kernel(h, r, k, HOST_DURATION_NS, a);
        assert_true(one >= 1);
        sum = sum > HOST_NEVER - one ? HOST_NEVER : sum + one;
        assert_true(host_predict_kernel(h, r, k, HOST_TOTAL_DURATION_NS, a) == sum);
        assert_true(host_predict_kernel(h, r, k, HOST_DURATION_NS, a) == one);
    }
    for (uint32_t k = 0; k < kernels; k++)
        assert_true(host_predict_kernel(h, r, k, HOST_REQUEST_DURATION_NS, a) == sum);
    assert_true(host_predict_kernel(h, r, kernels, HOST_TOTAL_DURATION_NS, a) == -1);
}

static void sums_at_all_allotments(struct asker *a, struct host *h, req_id r)
{
    struct host_request view;
    assert_true(host_request(h, r, &view));
    assert_sums(h, r, view.kernels, WHOLE);
    for (uint32_t sms = 1; a->spec->sharing.spatial != NULL && sms <= 100; sms += 9)
        assert_sums(h, r, view.kernels, GREEN(sms));
}

static struct gpu_case model;
static const struct dcs_spatial *const models[] = {&model.spatial};

/* An application whose kernel k takes k + 1 ms on the whole device, and twice that on the half. */
static uint32_t shaped_app(struct world *w, uint32_t kernels)
{
    uint32_t index = world_app(w, DCS_LATENCY, kernels, 1);
    struct dcs_app *app = &w->apps[index];
    gpu_case_init(&model);
    app->shapes = dcs_alloc(kernels, sizeof *app->shapes);
    for (uint32_t k = 0; k < kernels; k++) {
        struct dcs_shape *shape = gpu_case_shape(&model, (k + 1) * 1e6, (k + 1) * 2e6);
        shape->instructions = 2e6;
        app->shapes[k] = k;
        app->mean_ns[k] = (k + 1) * 1000000;
    }
    w->spec.sharing = (struct cluster_sharing){.spatial = models, .step_sms = 8};
    return index;
}

static void sums(void **state)
{
    (void)state;
    for (int shared = 0; shared < 2; shared++)
        for (int clairvoyant = 0; clairvoyant < 2; clairvoyant++) {
            struct asker a = {.ready = sums_at_all_allotments};
            struct world w;
            open_world(&w, &a);
            w.spec.clairvoyant = clairvoyant;
            uint32_t app = shared ? shaped_app(&w, 5) : world_app(&w, DCS_LATENCY, 5, 700);
            world_job(&w, app, 0);
            world_job(&w, world_app(&w, DCS_BATCH, 1, 900), MS(50));
            run(&w);
            world_release(&w);
        }
}

static void beyond_time(struct asker *a, struct host *h, req_id r)
{
    (void)a;
    assert_sums(h, r, 3, WHOLE);
    assert_true(host_predict(h, r, HOST_TOTAL_DURATION_NS, WHOLE) == HOST_NEVER);
    host_drop(h, r);
    host_fail(h, "seen");
}

static void sums_are_bounded(void **state)
{
    (void)state;
    struct asker a = {.ready = beyond_time};
    struct world w;
    open_world(&w, &a);
    uint32_t app = world_app(&w, DCS_LATENCY, 3, 1);
    for (uint32_t k = 0; k < 3; k++)
        w.apps[app].mean_ns[k] = INT64_C(1) << 62;
    world_job(&w, app, 0);
    assert_int_equal(world_run(&w), -1);
    assert_non_null(strstr(w.err.text, "seen"));
    world_release(&w);
}

/* ---- Many at once ---- */

/* At each number of SMs, none and more than there are among them. */
static void assert_each(struct host *h, req_id r, enum host_mechanism m, bool here)
{
    static const uint32_t sms[] = {0, 1, 8, 50, 50, 100, 101};
    enum { N = sizeof sms / sizeof *sms };
    for (enum host_quantity q = HOST_DURATION_NS; q <= HOST_MILLI_IPC; q++) {
        int64_t out[N + 1] = {[N] = -7};
        for (int again = 0; again < 2; again++) {
            host_predict_each(h, r, q, m, sms, N, out);
            for (int i = 0; i < N; i++) {
                struct host_allotment a = {.mechanism = m, .sms = sms[i]};
                assert_true(out[i] == host_predict(h, r, q, a));
                assert_true(here ? out[i] >= 0 : out[i] == -1);
            }
        }
        assert_true(out[N] == -7);
    }
}

static void ask_each(struct asker *a, struct host *h, req_id r)
{
    assert_each(h, r, HOST_GREEN, true);
    assert_each(h, r, HOST_MPS, true);
    assert_each(h, r, HOST_WHOLE, true);
    assert_each(h, r + 1, HOST_GREEN, false);
    /* A host from before this answer. */
    struct host_ops older = *h->ops;
    const struct host_ops *now = h->ops;
    older.size = offsetof(struct host_ops, predict_each);
    h->ops = &older;
    assert_each(h, r, HOST_GREEN, true);
    h->ops = now;
    a->told_ns[0]++;
}

static void ask_each_again(struct asker *a, struct host *h, req_id r, bool done)
{
    if (!done)
        ask_each(a, h, r);
}

static void each_is_as_one(void **state)
{
    (void)state;
    for (int shared = 0; shared < 2; shared++)
        for (int clairvoyant = 0; clairvoyant < 2; clairvoyant++) {
            struct asker a = {.ready = ask_each, .complete = ask_each_again};
            struct world w;
            open_world(&w, &a);
            w.spec.clairvoyant = clairvoyant;
            world_job(&w, shared ? shaped_app(&w, 5) : world_app(&w, DCS_LATENCY, 5, 700), 0);
            run(&w);
            assert_true(a.told_ns[0] == 5); /* times it asked, of each kernel */
            world_release(&w);
        }
}

static void ask_each_then_one(struct asker *a, struct host *h, req_id r)
{
    static const uint32_t sms[] = {8, 16, 24};
    int64_t out[3];
    (void)a;
    host_predict_each(h, r, HOST_BANDWIDTH, HOST_GREEN, sms, 3, out);
    host_predict_each(h, r + 1, HOST_BANDWIDTH, HOST_GREEN, sms, 3, out); /* at no charge */
    host_predict(h, r, HOST_BANDWIDTH, WHOLE);
}

static void note_end(struct asker *a, struct host *h, req_id r, bool done)
{
    (void)r;
    (void)done;
    a->told_ns[0] = host_now(h);
}

/* Four predictions of 2 ms, then a kernel of 1 ms. */
static void each_is_charged(void **state)
{
    (void)state;
    struct asker a = {.ready = ask_each_then_one, .complete = note_end};
    struct world w;
    open_world(&w, &a);
    w.spec.predict_ns = MS(2);
    world_job(&w, shaped_app(&w, 1), 0);
    run(&w);
    assert_true(a.told_ns[0] == MS(9));
    world_release(&w);
}

/* ---- Instructions per cycle ---- */

static void ask_ipc(struct asker *a, struct host *h, req_id r)
{
    a->told_ns[0] = host_predict(h, r, HOST_MILLI_IPC, WHOLE);
    a->told_ns[1] = host_predict(h, r, HOST_MILLI_IPC, GREEN(50));
    a->told_ns[2] = host_predict_kernel(h, r, 1, HOST_MILLI_IPC, WHOLE);
}

static void instructions_per_cycle(void **state)
{
    (void)state;
    /* 2e6 instructions in 1 ms at 500 MHz: 4 in each of 500000 cycles. */
    static const int64_t clocks[] = {500, 0}, told[][3] = {{4000, 2000, 2000}, {0, 0, 0}};
    for (int i = 0; i < 2; i++) {
        struct asker a = {.ready = ask_ipc};
        struct world w;
        open_world(&w, &a);
        world_job(&w, shaped_app(&w, 2), 0);
        model.spatial.clock_mhz = clocks[i];
        run(&w);
        for (int k = 0; k < 3; k++)
            assert_true(a.told_ns[k] == told[i][k]);
        world_release(&w);
    }
}

/* ---- Noise ---- */

static void remember(struct asker *a, struct host *h, req_id r)
{
    for (uint32_t k = 0; k < 3; k++)
        a->told_ns[k] = host_predict_kernel(h, r, k, HOST_DURATION_NS, WHOLE);
    a->told_ns[3] = host_predict(h, r, HOST_REQUEST_DURATION_NS, WHOLE);
}

static void compare_with_truth(struct asker *a, struct host *h, req_id r, bool done)
{
    if (!done)
        return;
    int64_t sum = 0;
    for (uint32_t k = 0; k < 3; k++) {
        int64_t truth = host_measured(h, r, k), mean = (k + 1) * 1000000;
        sum += truth;
        assert_true(truth != mean);
        assert_true(truth >= mean * 9 / 10 && truth <= mean * 11 / 10);
        assert_true(a->told_ns[k] == (a->spec->clairvoyant ? truth : mean));
    }
    assert_true(a->told_ns[3] == (a->spec->clairvoyant ? sum : 6000000));
}

static void noise_is_the_truth(void **state)
{
    (void)state;
    double quantiles[DCS_NOISE_QUANTILES];
    for (size_t i = 0; i < DCS_NOISE_QUANTILES; i++)
        quantiles[i] = 0.9 + 0.2 * ((double)i + 0.5) / DCS_NOISE_QUANTILES;
    const double *const noise[] = {quantiles};
    int64_t ends[2];
    for (int clairvoyant = 0; clairvoyant < 2; clairvoyant++) {
        struct asker a = {.ready = remember, .complete = compare_with_truth};
        struct world w;
        open_world(&w, &a);
        w.spec.clairvoyant = clairvoyant;
        uint32_t app = shaped_app(&w, 3);
        w.apps[app].noise = noise;
        world_job(&w, app, 0);
        run(&w);
        ends[clairvoyant] = world_end(&w, 0, 0);
        world_release(&w);
    }
    assert_true(ends[0] == ends[1]); /* the same world */
}

/* ---- Trained predictors ---- */

static const char profile_rows[] =
    "INSERT INTO profile VALUES ('schema_version', '2'), ('name', 'x'), ('description', 'x'),"
    " ('source', 'x');\n"
    "INSERT INTO device VALUES ('d', 'gpu', 8, 1000, 'x');\n"
    "INSERT INTO application VALUES ('other', 'batch', NULL, 1, 'x'), ('svc', 'latency', 9, 1,"
    " 'x');\n"
    "INSERT INTO kernel VALUES ('other', 0, 'task', 5, NULL, 'x'), ('svc', 0, 'task', 5, NULL,"
    " 'x'), ('svc', 1, 'task', 5, NULL, 'x'), ('svc', 2, 'task', 5, NULL, 'x');\n"
    "INSERT INTO subject VALUES ('svc', 'x', 'x', 'items', 10, 10, 10);\n"
    "INSERT INTO request_kernel VALUES ('svc', 10, 0, 'one', 'one'), ('svc', 10, 1, 'two', 'two'),"
    " ('svc', 10, 2, 'one', 'one');\n"
    "INSERT INTO kernel_shape VALUES ('svc', 10, 'one', 'compute', 'cuda', 1, 9, 128, 32, 0, 1, "
    "9.0,"
    " 9.0, NULL, 1), ('svc', 10, 'two', 'compute', 'cuda', 1, 9, 128, 32, 0, 1, 9.0, 9.0, NULL,"
    " 1);\n"
    "INSERT INTO kernel_counters(application, size, kernel, l2, dram_read_bytes, dram_write_bytes,"
    " instructions) VALUES ('svc', 10, 'one', 'warm', 5e5, 0, 8e6);\n";

static char folder[256], sql_path[300], db_path[300], trained_path[300];

static void print_sample(FILE *f, const char *key, int64_t ns, int sms)
{
    fprintf(f, "(%s, '%s', %d, 9, 0, %lld, %lld.0, 1.0, 1, 2, 'rse', 1000, 'warm');\n", key,
            sms == 8 ? "whole" : "green", sms, (long long)ns, (long long)ns);
}

/* A request takes longer than its kernels together: launch gaps. */
static void make_profile(void)
{
    struct dcs_err err = {0};
    FILE *f = fopen(sql_path, "w");
    assert_non_null(f);
    fprintf(f, "%s%s%s", profile_schema_1_sql, profile_schema_2_sql, profile_rows);
    for (int sms = 2; sms <= 8; sms *= 2) {
        fprintf(f, "INSERT INTO request_solo VALUES ");
        print_sample(f, "'svc', 10", 400000 + 4 * 8000000 / sms, sms);
        fprintf(f, "INSERT INTO kernel_solo VALUES ");
        print_sample(f, "'svc', 10, 'one'", 8000000 / sms, sms);
        fprintf(f, "INSERT INTO kernel_solo VALUES ");
        print_sample(f, "'svc', 10, 'two'", 16000000 / sms, sms);
    }
    assert_int_equal(fclose(f), 0);
    if (dcs_profile_build(sql_path, db_path, &err) != 0)
        fail_msg("%s", err.text);
}

static void train(const struct dcs_profile *p, const struct dcs_method *method)
{
    struct dcs_err err = {0};
    struct dcs_predictor_row rows[16];
    size_t count = 0, n;
    struct dcs_measured *m = dcs_measured_load(db_path, p, true, &err);
    assert_non_null(m);
    uint32_t app = (uint32_t)(dcs_profile_app(p, "svc") - p->apps);
    const struct dcs_tasks *tasks = dcs_measured_tasks(m, app);
    for (int target = DCS_REQUEST_DURATION; target < DCS_TARGETS; target++)
        for (uint32_t t = 0; t < (target == DCS_REQUEST_DURATION ? 1 : tasks->count); t++) {
            bool request = target == DCS_REQUEST_DURATION;
            struct dcs_sample *samples = dcs_measured_samples(m, (enum dcs_target)target, app,
                                                              request ? DCS_NO_TASK : t, &n);
            if (n > 0) {
                struct dcs_rng rng;
                dcs_rng_stream(&rng, 1, 0, DCS_RNG_WEIGHTS, count);
                rows[count] = (struct dcs_predictor_row){.target = (enum dcs_target)target,
                                                         .app = "svc",
                                                         .task = request ? "" : tasks->names[t],
                                                         .train_n = n};
                dcs_model_train(&rows[count++].model, method, samples, n, &rng);
            }
            free(samples);
        }
    struct dcs_predictors_about about = {p, 1, "x", NULL};
    assert_int_equal(dcs_predictors_write(trained_path, &about, rows, count, &err), 0);
    for (size_t i = 0; i < count; i++)
        dcs_model_release(&rows[i].model);
    dcs_measured_free(m);
}

static bool about(int64_t told, double expected)
{
    return (double)told >= expected - 1 && (double)told <= expected + 1;
}

/* At 3 SMs nothing was measured. */
static void ask_the_trained(struct asker *a, struct host *h, req_id r)
{
    const struct dcs_predictors *p = a->spec->predictors[0];
    uint32_t app = a->spec->apps[0].listed[0];
    for (uint32_t sms = 2; sms <= 8; sms++) {
        struct host_allotment at = sms == 8 ? WHOLE : GREEN(sms);
        double request = dcs_predictors_request_ns(p, app, 10, sms), sum = 0, ns[3];
        for (uint32_t k = 0; k < 3; k++)
            sum += ns[k] = dcs_predictors_kernel(p, DCS_KERNEL_DURATION, app, k, 10, sms);
        assert_true(request > 1.01 * sum);
        int64_t told = host_predict(h, r, HOST_REQUEST_DURATION_NS, at);
        assert_true((double)told >= request - 3 && (double)told <= request + 3);
        assert_true(host_predict(h, r, HOST_TOTAL_DURATION_NS, at) == told);
        for (uint32_t k = 0; k < 3; k++)
            assert_true(
                about(host_predict_kernel(h, r, k, HOST_DURATION_NS, at), ns[k] * request / sum));
        double bandwidth = dcs_predictors_kernel(p, DCS_KERNEL_BANDWIDTH, app, 0, 10, sms);
        double ipc = dcs_predictors_kernel(p, DCS_KERNEL_IPC, app, 0, 10, sms);
        assert_true(bandwidth > 0 && ipc > 0);
        assert_true(about(host_predict(h, r, HOST_BANDWIDTH, at), bandwidth));
        assert_true(about(host_predict(h, r, HOST_MILLI_IPC, at), 1000 * ipc));
        /* Kernel "two" has no counters. */
        assert_true(host_predict_kernel(h, r, 1, HOST_BANDWIDTH, at) == 0);
        assert_true(host_predict_kernel(h, r, 1, HOST_MILLI_IPC, at) == 0);
        assert_sums(h, r, 3, at);
    }
}

static void trained_predictors(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    make_profile();
    for (size_t i = 0; dcs_methods[i] != NULL; i++) {
        struct dcs_profile *p = dcs_profile_load(db_path, &err);
        assert_non_null(p);
        train(p, dcs_methods[i]);
        dcs_profile_free(p);
        struct dcs_spatial *s;
        if ((p = dcs_spatial_load_profile(db_path, &s, &err)) == NULL)
            fail_msg("%s: %s", err.path, err.text);
        struct dcs_predictors *trained =
            dcs_predictors_load(trained_path, db_path, p, dcs_methods[i], &err);
        if (trained == NULL)
            fail_msg("%s", err.text);
        struct asker a = {.ready = ask_the_trained};
        struct world w;
        open_world(&w, &a);
        const struct dcs_spatial *const spatial[] = {s};
        const struct dcs_predictors *const predictors[] = {trained};
        w.spec.sharing.spatial = spatial;
        w.spec.predictors = predictors;
        assert_int_equal(
            dcs_app_from_profiles(&w.apps[0], "svc", 0, &p, spatial, 1, DCS_TRAP, 1, &err), 0);
        w.spec.apps_count = 1;
        world_job(&w, 0, 0);
        run(&w);
        world_release(&w);
        dcs_predictors_free(trained);
        dcs_spatial_free(s);
        dcs_profile_free(p);
    }
    unlink(sql_path);
    unlink(db_path);
    unlink(trained_path);
}

/* ---- Reasons ---- */

static void say_ready(struct asker *a, struct host *h, req_id r)
{
    (void)a;
    host_explain(h, r, "ready", -7);
    host_explain(h, r, NULL, 1);
    host_explain(h, r + 1000000, "nobody", 1);
}

static void say_complete(struct asker *a, struct host *h, req_id r, bool done)
{
    (void)a;
    host_explain(h, r, done ? "done" : "next", host_now(h));
}

static void reasons(void **state)
{
    (void)state;
    for (int wanted = 0; wanted < 2; wanted++) {
        struct asker a = {.ready = say_ready, .complete = say_complete};
        struct world w;
        open_world(&w, &a);
        w.spec.keep_decisions = wanted;
        uint32_t app = world_app(&w, DCS_LATENCY, 2, 500);
        world_app(&w, DCS_BATCH, 1, 300);
        world_job(&w, app, 0);
        world_job(&w, 1, 5000);
        run(&w);
        static const struct cluster_decision_row rows[] = {
            {.at_ns = 0, .job = 0, .app = 0, .kernel = 0, .what = "ready", .value = -7},
            {.at_ns = 500, .job = 0, .app = 0, .kernel = 1, .what = "next", .value = 500},
            {.at_ns = 1000, .job = 0, .app = 0, .kernel = 1, .what = "done", .value = 1000},
            {.at_ns = 5000, .job = 1, .app = 1, .kernel = 0, .what = "ready", .value = -7},
            {.at_ns = 5300, .job = 1, .app = 1, .kernel = 0, .what = "done", .value = 5300},
        };
        assert_int_equal(w.out.decisions_count, wanted ? 5 : 0);
        for (size_t i = 0; i < w.out.decisions_count; i++) {
            const struct cluster_decision_row *d = &w.out.decisions[i];
            assert_true(d->at_ns == rows[i].at_ns && d->value == rows[i].value);
            assert_true(d->job == rows[i].job && d->index == 0 && d->app == rows[i].app);
            assert_true(d->kernel == rows[i].kernel && d->domain == 0);
            assert_string_equal(d->what, rows[i].what);
        }
        world_release(&w);
    }
}

static void say_much(struct asker *a, struct host *h, req_id r)
{
    for (int64_t i = 0; i < a->told_ns[0]; i++)
        host_explain(h, r, "much", i);
}

/* As many reasons as may be, and one more. */
static void reasons_are_bounded(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        struct asker a = {.ready = say_much, .told_ns = {CLUSTER_DECISIONS_MAX + more}};
        struct world w;
        open_world(&w, &a);
        w.spec.keep_decisions = true;
        world_job(&w, world_app(&w, DCS_LATENCY, 1, 500), 0);
        assert_int_equal(world_run(&w), -more);
        if (more > 0)
            assert_non_null(strstr(w.err.text, "more than 10000000 reasons in one run"));
        else
            assert_int_equal(w.out.decisions_count, CLUSTER_DECISIONS_MAX);
        world_release(&w);
    }
}

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s/test_host_XXXXXX", DCS_BINARY_DIR);
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(sql_path, sizeof sql_path, "%s/p.sql", folder);
    snprintf(db_path, sizeof db_path, "%s/p.db", folder);
    snprintf(trained_path, sizeof trained_path, "%s/p.predictors.db", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(sql_path);
    unlink(db_path);
    unlink(trained_path);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums),
        cmocka_unit_test(sums_are_bounded),
        cmocka_unit_test(each_is_as_one),
        cmocka_unit_test(each_is_charged),
        cmocka_unit_test(instructions_per_cycle),
        cmocka_unit_test(noise_is_the_truth),
        cmocka_unit_test(trained_predictors),
        cmocka_unit_test(reasons),
        cmocka_unit_test(reasons_are_bounded),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
