/*
 * test_sizes_by_hand.c - one client whose requests of "answer" (profile `made-up`) have sizes 2 and
 * 4, one after the other alone on a device, without noise.
 *
 * Pins: that a request takes what was measured of its size, with the kernels of that size; what a
 * policy sees of it and is told to expect: at the whole device, at a part, of one kernel, and the
 * bandwidth, which is that of the default size; that trained predictors are asked at the size; that
 * the sizes are those that the generator draws for the job, and the application in the results is
 * one. Does not pin: what sizes between two take (tests/unit/models/gpu/test_sizes.c).
 */
#include "models/gpu/spatial_load.h"
#include "models/predictor/methods.h"
#include "models/predictor/predictor_read.h"
#include "policies/policies.h"
#include "tests/world.h"

/* After policy.h, where a member is called fail: cmocka has a macro of that name. */
#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>
#include <unistd.h>

#define MADE_UP DCS_SOURCE_DIR "/calibrate/profiles/made-up.sql"
#define WHOLE   ((struct host_allotment){.mechanism = HOST_WHOLE})
#define HALF    ((struct host_allotment){.mechanism = HOST_GREEN, .sms = 16})

enum { SIZES = 2, REQUESTS = 12 };

/* By size: 2, 4. */
static const struct {
    uint64_t size;
    uint32_t kernels;
    double whole_ns, half_ns; /* rows of request_solo */
    double head_ns;           /* its last kernel but one, on the whole device */
} expected[SIZES] = {
    /* The head of 2: 0.8 + 2.4 / 3 ms of 12.3 / (0.8 + 1.5 + 0.2 / 3 + 2 * 4.6 + 1.6 + 0.4) */
    {2, 6, 12.3e6, 20.4e6, 1.6e6 * 12.3 / (12 + 1.5 + 0.2 / 3)},
    {4, 9, 44.5e6, 78e6, 3.2e6 * 44.5 / (1.6 + 1.7 + 1.2 + 4 * 9.2 + 3.2 + 0.8)},
};
/* 19.2 + 12.8 MB in 0.8 ms at size 1, where the kernels add up to the request. */
#define HEAD_BANDWIDTH 40e9

struct seen {
    size_t of[REQUESTS]; /* index of its size, by request */
    uint32_t count;
    const struct dcs_predictors *trained;
    uint32_t app;
};

static struct seen *current;

static bool about(int64_t found, double ns, double off)
{
    return (double)found >= ns - off && (double)found <= ns + off;
}

static void ask_means(struct host *h, req_id r, size_t i)
{
    uint32_t head = expected[i].kernels - 2;
    double per_kernel = expected[i].kernels; /* rounded to ns each */
    assert_true(about(host_predict(h, r, HOST_REQUEST_DURATION_NS, WHOLE), expected[i].whole_ns,
                      per_kernel));
    assert_true(
        about(host_predict(h, r, HOST_TOTAL_DURATION_NS, HALF), expected[i].half_ns, per_kernel));
    assert_true(
        about(host_predict_kernel(h, r, head, HOST_DURATION_NS, WHOLE), expected[i].head_ns, 1));
    assert_true(about(host_predict_kernel(h, r, head, HOST_BANDWIDTH, WHOLE), HEAD_BANDWIDTH,
                      1e-6 * HEAD_BANDWIDTH));
    assert_int_equal(host_predict_kernel(h, r, expected[i].kernels, HOST_DURATION_NS, WHOLE), -1);
}

static void ask_trained(const struct seen *s, struct host *h, req_id r, size_t i)
{
    double ns = dcs_predictors_request_ns(s->trained, s->app, (int64_t)expected[i].size, 16);
    assert_true(ns > 0);
    assert_true(about(host_predict(h, r, HOST_REQUEST_DURATION_NS, HALF), ns, expected[i].kernels));
}

static void on_ready(void *state, struct host *h, req_id r)
{
    (void)state;
    struct seen *s = current;
    struct host_request view;
    assert_true(host_request(h, r, &view) && s->count < REQUESTS);
    size_t i = view.input_size == 4;
    assert_int_equal(view.input_size, expected[i].size);
    assert_int_equal(view.kernels, expected[i].kernels);
    assert_int_equal(view.app, 0);
    if (s->trained != NULL)
        ask_trained(s, h, r, i);
    else
        ask_means(h, r, i);
    s->of[s->count++] = i;
    host_launch(h, r, 0, WHOLE);
}

static void on_complete(void *state, struct host *h, req_id r, dev_id d, bool request_done)
{
    (void)state;
    if (!request_done)
        host_launch(h, r, d, WHOLE);
}

static const struct policy policy = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "looks",
    .summary = "test",
    .source = "test",
    .on_ready = on_ready,
    .on_complete = on_complete,
};

static struct dcs_profile *profile;
static struct dcs_spatial *spatial;

static int load(void **state)
{
    (void)state;
    static const char *const sized[] = {"answer", NULL};
    struct dcs_err err = {0};
    profile = dcs_spatial_load_sized(MADE_UP, sized, &spatial, &err);
    return profile != NULL ? 0 : -1;
}

static int release(void **state)
{
    (void)state;
    dcs_spatial_free(spatial);
    dcs_profile_free(profile);
    return 0;
}

/* One run of a client whose requests have size 2 or 4, each as likely. */
static void run(struct seen *s)
{
    struct dcs_err err = {0};
    struct world w;
    struct dcs_input_size sizes[SIZES] = {{.size = 2, .form = 1, .share = 0.5, .until = 0.5},
                                          {.size = 4, .form = 2, .share = 0.5, .until = 1}};
    const struct dcs_input input = {.sizes = sizes, .count = SIZES};
    const struct dcs_spatial *const spatials[] = {spatial};
    const struct dcs_predictors *const predictors[] = {s->trained};
    current = s;
    world_init(&w, &policy, 1);
    w.memory_bytes = UINT64_C(1) << 40;
    for (uint32_t form = 0; form <= SIZES; form++)
        assert_int_equal(dcs_app_from_profiles(&w.apps[form], "answer",
                                               form > 0 ? sizes[form - 1].size : 0, &profile,
                                               spatials, 1, DCS_TRAP, 1, &err),
                         0);
    w.spec.apps_count = 1;
    w.spec.sized_count = SIZES;
    w.spec.sharing.spatial = spatials;
    w.spec.predictors = s->trained != NULL ? predictors : NULL;
    w.spec.seed = 5;
    struct dcs_job *job = world_job(&w, 0, 0);
    job->requests = REQUESTS;
    job->input = &input;
    if (world_run(&w) != 0)
        fail_msg("%s", w.err.text);
    assert_int_equal(s->count, REQUESTS);
    int64_t at_ns = 0;
    uint64_t of_size[SIZES] = {0};
    for (uint64_t r = 0; r < REQUESTS; r++) {
        const struct cluster_request_row *row = &w.out.requests_rows[r];
        const struct dcs_draw draw = {.seed = 5, .job = 0, .request = r};
        size_t i = s->of[r];
        of_size[i]++;
        assert_ptr_equal(dcs_input_draw(&input, &draw), &sizes[i]);
        assert_int_equal(row->index, r);
        assert_int_equal(row->app, 0);
        assert_int_equal(row->size, expected[i].size);
        assert_int_equal(row->arrival_ns, at_ns);
        assert_true(
            about(row->end_ns - row->arrival_ns, expected[i].whole_ns, expected[i].kernels));
        at_ns = row->end_ns;
    }
    assert_true(of_size[0] > 0 && of_size[1] > 0);
    assert_int_equal(w.out.apps[0].completions, REQUESTS);
    assert_int_equal(w.out.sized[0].completions, of_size[0]);
    assert_int_equal(w.out.sized[1].completions, of_size[1]);
    w.spec.apps_count = 1 + SIZES; /* all are released */
    world_release(&w);
}

static void means(void **state)
{
    (void)state;
    struct seen s = {0};
    run(&s);
}

/* Trains the predictor of whole requests and of every kernel by nearest neighbours. */
static void train(const char *path, uint32_t app)
{
    struct dcs_err err = {0};
    struct dcs_predictor_row rows[64];
    size_t count = 0, n;
    struct dcs_measured *m = dcs_measured_load(MADE_UP, profile, true, &err);
    assert_non_null(m);
    const struct dcs_tasks *tasks = dcs_measured_tasks(m, app);
    for (uint32_t t = 0; t <= tasks->count; t++) {
        bool request = t == tasks->count;
        struct dcs_sample *samples =
            dcs_measured_samples(m, request ? DCS_REQUEST_DURATION : DCS_KERNEL_DURATION, app,
                                 request ? DCS_NO_TASK : t, &n);
        struct dcs_rng rng;
        dcs_rng_stream(&rng, 1, 0, DCS_RNG_WEIGHTS, count);
        assert_true(n > 0 && count < 64);
        rows[count] = (struct dcs_predictor_row){.target = request ? DCS_REQUEST_DURATION
                                                                   : DCS_KERNEL_DURATION,
                                                 .app = "answer",
                                                 .task = request ? "" : tasks->names[t],
                                                 .train_n = n};
        dcs_model_train(&rows[count++].model, dcs_method_named("knn"), samples, n, &rng);
        free(samples);
    }
    struct dcs_predictors_about about_it = {profile, 1, "x", NULL};
    assert_int_equal(dcs_predictors_write(path, &about_it, rows, count, &err), 0);
    for (size_t i = 0; i < count; i++)
        dcs_model_release(&rows[i].model);
    dcs_measured_free(m);
}

static void trained(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    struct seen s = {.app = (uint32_t)(dcs_profile_app(profile, "answer") - profile->apps)};
    char path[300];
    snprintf(path, sizeof path, "%s/test_sizes_by_hand_%d.db", DCS_BINARY_DIR, (int)getpid());
    train(path, s.app);
    struct dcs_predictors *p =
        dcs_predictors_load(path, MADE_UP, profile, dcs_method_named("knn"), &err);
    if (p == NULL)
        fail_msg("%s", err.text);
    s.trained = p;
    /* The two sizes are told apart. */
    assert_true(dcs_predictors_request_ns(p, s.app, 4, 16) >
                1.5 * dcs_predictors_request_ns(p, s.app, 2, 16));
    run(&s);
    dcs_predictors_free(p);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(means), cmocka_unit_test(trained)};
    return cmocka_run_group_tests(tests, load, release);
}
