/*
 * test_driven.c - the engine on a GPU that really runs, with one that is played by a clock of its
 * own: kernels take there what they would take alone in the simulation.
 *
 * Pins: where kernels do not slow each other and nothing is charged, a driven run is the simulated
 * one, request by request to the ns, for policies that give the whole device and for ones that cut
 * it, fuse kernels or revoke them by killing their process; what is revoked is lost, and what its
 * revocation takes is overhead; a kernel that has ended before the order to kill it is lost, too; a
 * device that kills nothing refuses to revoke; an end that the engine hears of late has been when
 * it was seen, and what follows comes later; a device that fails ends the run with what it says; a
 * policy that breaks a rule is told what it is told in a simulation. Does not pin: the other
 * process (tests/e2e/drive.sh), a real GPU.
 */
#include "engine/device_driven.h"
#include "experiment/experiment.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <setjmp.h>
#include <cmocka.h>

enum { LANES = 64 };

/* A device whose clock goes from one end or event to the next. */
struct played {
    int64_t now_ns, late_ns; /* late: after an end the engine hears of it */
    struct driven_launch runs[LANES];
    int64_t ends_ns[LANES];
    bool dies[LANES];
    uint32_t count;
    int64_t kill_ns; /* from a revocation until its process has gone */
    uint64_t kills;
    uint64_t launches, fused, callbacks;
    uint64_t fails_after; /* launches; 0: never */
};

static int64_t now(void *context)
{
    return ((struct played *)context)->now_ns;
}

static void launch(void *context, const struct driven_launch *l)
{
    struct played *p = context;
    if (l->with != NULL) {
        assert_true(l->with->with == NULL && l->with->alone_ns == l->alone_ns);
        assert_true(l->tensor_blocks > 0 && l->cuda_blocks > 0);
        p->fused++;
        launch(context, l->with);
    }
    assert_true(p->count < LANES);
    assert_true(l->event_ns <= p->now_ns && l->event_ns + p->late_ns >= p->now_ns);
    p->runs[p->count] = *l;
    p->dies[p->count] = false;
    p->ends_ns[p->count++] = p->now_ns + (l->alone_ns > 1 ? l->alone_ns : 1);
    p->launches++;
}

static uint32_t first(const struct played *p)
{
    uint32_t at = 0;
    for (uint32_t i = 1; i < p->count; i++)
        if (p->ends_ns[i] < p->ends_ns[at] ||
            (p->ends_ns[i] == p->ends_ns[at] && p->runs[i].id < p->runs[at].id))
            at = i;
    return at;
}

static bool ended(void *context, struct driven_end *out)
{
    struct played *p = context;
    uint32_t at = first(p);
    if (p->count == 0 || p->ends_ns[at] + p->late_ns > p->now_ns)
        return false;
    *out =
        (struct driven_end){.id = p->runs[at].id, .end_ns = p->ends_ns[at], .stopped = p->dies[at]};
    p->count--;
    p->runs[at] = p->runs[p->count];
    p->dies[at] = p->dies[p->count];
    p->ends_ns[at] = p->ends_ns[p->count];
    return true;
}

/* What has ended already, and was not heard of, is gone at once. */
static void kill_process(void *context, req_id id)
{
    struct played *p = context;
    uint32_t at = 0;
    while (at < p->count && p->runs[at].id != id)
        at++;
    assert_true(at < p->count && !p->dies[at]);
    p->ends_ns[at] = p->now_ns + (p->ends_ns[at] > p->now_ns ? p->kill_ns : 0);
    p->dies[at] = true;
    p->kills++;
}

static void wait_until(void *context, int64_t until_ns)
{
    struct played *p = context;
    int64_t end_ns = p->count > 0 ? p->ends_ns[first(p)] + p->late_ns : until_ns;
    p->now_ns = end_ns < until_ns ? end_ns : until_ns;
}

static const char *failure(void *context)
{
    const struct played *p = context;
    bool fails = p->fails_after > 0 && p->launches >= p->fails_after;
    return fails ? "the device caught fire" : NULL;
}

static void called(void *context, const struct driven_callback *c)
{
    struct played *p = context;
    assert_true(c->begin_ns <= c->end_ns && c->event_ns <= c->begin_ns);
    p->callbacks++;
}

struct world {
    struct options_doc *doc;
    struct config config;
    struct experiment experiment;
    struct dcs_workload workload;
    struct cluster_spec spec;
};

static void open_world(struct world *w, const char *policy)
{
    char text[1024];
    struct dcs_err err = {0};
    int length = snprintf(
        text, sizeof text,
        "{\"policy\": %s, \"predictor\": \"mean\", \"profile\": \"made-up\","
        "\"sharing\": {\"model\": \"spatial\", \"contention\": false},"
        "\"cluster\": {\"domains\": 1, \"devices\": 1}, \"seed\": 7, \"workload\": {"
        "\"services\": [{\"application\": \"answer\", \"sla_ms\": 20, \"arrivals\": {\"process\": "
        "\"poisson\", \"rate_per_s\": 60}}], \"batch\": [{\"application\": \"stream\"}]},"
        "\"scheduler\": {\"scale\": 0},"
        "\"revocation\": {\"mechanism\": \"process_kill\", \"kill_ms\": 7, \"start_ms\": 0, "
        "\"clear_ms\": 0, \"spawn_ms\": 0},"
        "\"horizon\": {\"duration_s\": 4, \"warmup_s\": 0.5}, \"outputs\": {\"requests\": true}}",
        policy);
    w->doc = options_load_text("config", text, (size_t)length, &err);
    if (w->doc == NULL || config_parse(&w->config, w->doc, NULL, &err) != 0 ||
        experiment_open(&w->experiment, &w->config, w->doc, &err) != 0 ||
        experiment_workload(&w->experiment, 0, &w->workload, NULL, &err) != 0)
        fail_msg("%s: %s", err.path, err.text);
    experiment_spec(&w->experiment, 0, &w->workload, &w->spec);
}

static void close_world(struct world *w)
{
    dcs_workload_release(&w->workload);
    experiment_close(&w->experiment);
    config_release(&w->config);
    options_doc_free(w->doc);
}

static struct driven driven_by(struct played *p)
{
    return (struct driven){.context = p,
                           .now_ns = now,
                           .launch = launch,
                           .revoke = kill_process,
                           .ended = ended,
                           .wait = wait_until,
                           .failure = failure,
                           .called = called};
}

static int run(const struct world *w, struct played *p, struct cluster_result *out,
               struct dcs_err *err)
{
    struct cluster_spec spec = w->spec;
    const struct driven driven = driven_by(p);
    spec.driven = &driven;
    spec.device_kind = p->kill_ns > 0 ? &device_driven_kills : &device_driven;
    return cluster_run(&spec, out, err);
}

static void assert_same(const struct cluster_result *a, const struct cluster_result *b)
{
    assert_int_equal(a->requests_rows_count, b->requests_rows_count);
    for (size_t i = 0; i < a->requests_rows_count; i++) {
        const struct cluster_request_row *x = &a->requests_rows[i], *y = &b->requests_rows[i];
        assert_int_equal(x->id, y->id);
        assert_int_equal(x->outcome, y->outcome);
        assert_int_equal(x->arrival_ns, y->arrival_ns);
        assert_int_equal(x->start_ns, y->start_ns);
        assert_int_equal(x->end_ns, y->end_ns);
    }
    assert_int_equal(a->launches, b->launches);
    assert_int_equal(a->devices[0].busy_ns, b->devices[0].busy_ns);
}

static void test_is_the_simulation(void **state)
{
    static const char *const policies[] = {
        "{\"name\": \"fcfs\"}",    "{\"name\": \"baymax\"}", "{\"name\": \"fixed-split\"}",
        "{\"name\": \"c-laius\"}", "{\"name\": \"tacker\"}",
    };
    (void)state;
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        struct world w;
        struct played p = {0};
        struct cluster_result simulated, real;
        struct dcs_err err = {0};
        open_world(&w, policies[i]);
        if (cluster_run(&w.spec, &simulated, &err) != 0 || run(&w, &p, &real, &err) != 0)
            fail_msg("%s: %s", policies[i], err.text);
        print_message("%s: %llu launches, %llu of them fused, %zu requests\n", policies[i],
                      (unsigned long long)p.launches, (unsigned long long)p.fused,
                      real.requests_rows_count);
        assert_true(p.launches > 1000 && p.callbacks > 1000);
        assert_true((p.fused > 10) == (strstr(policies[i], "tacker") != NULL));
        assert_int_equal(p.fused, simulated.fusion.launches);
        assert_same(&simulated, &real);
        cluster_result_release(&simulated);
        cluster_result_release(&real);
        close_world(&w);
    }
}

static const char revoking[] = "{\"name\": \"priority\", \"revocation\": true}";

static void test_revocation(void **state)
{
    struct world w;
    struct played p = {.kill_ns = 7 * DCS_NS_PER_MS},
                  late = {.kill_ns = 7 * DCS_NS_PER_MS, .late_ns = 50000};
    struct cluster_result simulated, real;
    struct dcs_err err = {0};
    (void)state;
    open_world(&w, revoking);
    if (cluster_run(&w.spec, &simulated, &err) != 0 || run(&w, &p, &real, &err) != 0)
        fail_msg("%s", err.text);
    print_message("%llu kills\n", (unsigned long long)p.kills);
    assert_true(p.kills > 20 && real.revocations == simulated.revocations);
    assert_same(&simulated, &real);
    assert_true(real.devices[0].lost_ns > 0);
    assert_true(llabs((long long)(real.devices[0].lost_ns - simulated.devices[0].lost_ns)) <
                (long long)p.kills + 2);
    assert_true(llabs((long long)(real.devices[0].overhead_ns - simulated.devices[0].overhead_ns)) <
                (long long)p.kills + 2);
    cluster_result_release(&simulated);
    cluster_result_release(&real);
    assert_int_equal(run(&w, &late, &real, &err), 0);
    assert_true(late.kills > 20);
    cluster_result_release(&real);
    p = (struct played){0};
    assert_int_equal(run(&w, &p, &real, &err), -1);
    assert_non_null(strstr(err.text, "runs on a real GPU, where nothing is revoked"));
    close_world(&w);
}

static void test_late_news(void **state)
{
    struct world w;
    struct played at_once = {0}, late = {.late_ns = 50000};
    struct cluster_result x, y;
    struct dcs_err err = {0};
    (void)state;
    open_world(&w, "{\"name\": \"fcfs\"}");
    assert_int_equal(run(&w, &at_once, &x, &err), 0);
    assert_int_equal(run(&w, &late, &y, &err), 0);
    assert_true(late.launches < at_once.launches && late.launches > 100);
    cluster_result_release(&x);
    cluster_result_release(&y);
    close_world(&w);
}

static void test_failures(void **state)
{
    struct world w;
    struct played p = {.fails_after = 100};
    struct cluster_result result;
    struct dcs_err err = {0};
    (void)state;
    open_world(&w, "{\"name\": \"fcfs\"}");
    assert_int_equal(run(&w, &p, &result, &err), -1);
    assert_non_null(strstr(err.text, "policy \"fcfs\", domain 0, at 0."));
    assert_non_null(strstr(err.text, "the device caught fire"));
    close_world(&w);
    p = (struct played){0};
    open_world(&w, "{\"name\": \"mps-even\"}");
    assert_int_equal(run(&w, &p, &result, &err), 0); /* it asks what the device offers */
    cluster_result_release(&result);
    close_world(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_is_the_simulation),
        cmocka_unit_test(test_revocation),
        cmocka_unit_test(test_late_news),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
