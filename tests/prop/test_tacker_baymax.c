/*
 * test_tacker_baymax.c - tacker beside baymax, in whole clusters of GPUs that fuse.
 *
 * Pins: (1) where one after the other is the best of all ways to fuse each pair of kernels, and
 * nothing is charged, tacker decides as baymax does: the same actions at the same times, whatever
 * the load, the rules, the aim, the predictor and the number of devices and domains; (2) that they
 * differ where fusing gains, or (1) would pin nothing; (3) that a pair whose blocks have no room in
 * an SM is as one that was never measured: the same actions again, and it is counted. Does not pin:
 * decisions by hand (tests/unit/policies/test_tacker.c), headroom (test_headroom.c).
 */
#include "des/rng.h"
#include "experiment/experiment.h"
#include "policies/policies.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <setjmp.h>
#include <cmocka.h>

enum { WORLDS = 60 };

struct actions {
    uint64_t count, hash;
};

static void mix(struct actions *a, uint64_t value)
{
    a->hash = (a->hash ^ value) * UINT64_C(0x100000001b3);
    a->hash ^= a->hash >> 29;
}

static void log_action(void *context, int64_t now_ns, uint32_t domain, enum cluster_action action,
                       req_id r, uint64_t detail)
{
    struct actions *a = context;
    a->count++;
    mix(a, (uint64_t)now_ns);
    mix(a, (uint64_t)domain << 32 | (uint64_t)action);
    mix(a, r);
    mix(a, detail);
}

static const char *pick(struct dcs_rng *rng, const char *a, const char *b, const char *c)
{
    const char *of[] = {a, b, c};
    return of[dcs_rng_below(rng, 3)];
}

/* A random world under a policy. */
static void write_world(char *text, size_t size, uint64_t seed, const char *policy)
{
    struct dcs_rng rng;
    dcs_rng_stream(&rng, seed, 0, DCS_RNG_SCRAMBLE, 0);
    const char *reorder = pick(&rng, "all", "one", "none");
    const char *whom = pick(&rng, "last", "any", "any");
    const char *order = pick(&rng, "longest", "fifo", "longest");
    const char *aim = pick(&rng, "1", "0.8", "0.5");
    const char *predictor = pick(&rng, "mean", "clairvoyant", "mean");
    const char *batch = pick(&rng, "stream", "solve", "stream");
    int written = snprintf(
        text, size,
        "{\"policy\": {\"name\": \"%s\", \"reorder\": \"%s\", "
        "\"reorder_for\": \"%s\", \"order\": \"%s\", \"target\": %s},"
        "\"predictor\": \"%s\", \"profile\": \"made-up\", \"sharing\": {\"model\": \"spatial\"},"
        "\"cluster\": {\"domains\": %d, \"devices\": %d}, \"seed\": %llu, \"workload\": {"
        "\"services\": [{\"application\": \"answer\", \"sla_ms\": %d, \"arrivals\": {\"process\":"
        " \"poisson\", \"rate_per_s\": %d}}], \"batch\": [{\"application\": \"stream\", "
        "\"clients\":"
        " %d}, {\"application\": \"%s\", \"clients\": 2}]}, \"horizon\": {\"duration_s\": 1}}",
        policy, reorder, whom, order, aim, predictor, 1 + (int)dcs_rng_below(&rng, 2),
        1 + (int)dcs_rng_below(&rng, 2), (unsigned long long)seed,
        20 + (int)dcs_rng_below(&rng, 60), 5 + (int)dcs_rng_below(&rng, 60),
        1 + (int)dcs_rng_below(&rng, 4), batch);
    assert_true(written > 0 && (size_t)written < size);
}

/* What the profile says of fusing. */
enum truth { AS_MEASURED, NEVER_GAINS, NO_ROOM };

static void change(struct dcs_fusion *f, enum truth truth)
{
    for (size_t i = 0; i < f->ways_count && truth != AS_MEASURED; i++) {
        if (truth == NEVER_GAINS)
            f->ways[i].saved = -0.01;
        f->ways[i].fits = f->ways[i].fits && truth != NO_ROOM;
    }
}

static struct actions run(uint64_t seed, const char *policy, enum truth truth,
                          struct cluster_fusion *fusion)
{
    char text[1000];
    struct dcs_err err = {0};
    struct config config;
    struct experiment x;
    struct dcs_workload workload;
    struct cluster_spec spec;
    struct cluster_result result;
    struct actions actions = {0};
    const struct cluster_probe probe = {.context = &actions, .action = log_action};
    write_world(text, sizeof text, seed, policy);
    struct options_doc *doc = options_load_text("world", text, strlen(text), &err);
    if (doc == NULL || config_parse(&config, doc, NULL, &err) != 0 ||
        experiment_open(&x, &config, doc, &err) != 0 ||
        experiment_workload(&x, 0, &workload, NULL, &err) != 0)
        fail_msg("seed %lu: %s", (unsigned long)seed, err.text);
    change(x.kind[0].spatial->fusion, truth);
    experiment_spec(&x, 0, &workload, &spec);
    spec.probe = &probe;
    if (cluster_run(&spec, &result, &err) != 0)
        fail_msg("seed %lu: %s", (unsigned long)seed, err.text);
    *fusion = result.fusion;
    cluster_result_release(&result);
    dcs_workload_release(&workload);
    experiment_close(&x);
    config_release(&config);
    options_doc_free(doc);
    return actions;
}

static void without_gain_tacker_is_baymax(void **unused)
{
    (void)unused;
    uint64_t differ = 0, asked = 0, actions = 0;
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        struct cluster_fusion fusion;
        struct actions baymax = run(seed, "baymax", AS_MEASURED, &fusion);
        assert_int_equal(fusion.asked, 0);
        struct actions fuses = run(seed, "tacker", AS_MEASURED, &fusion);
        bool fused = fusion.launches > 0;
        assert_int_equal(fused, fuses.hash != baymax.hash);
        differ += fused;
        for (enum truth truth = NEVER_GAINS; truth <= NO_ROOM; truth++) {
            struct actions same = run(seed, "tacker", truth, &fusion);
            if (same.count != baymax.count || same.hash != baymax.hash)
                fail_msg("seed %lu: tacker is not baymax", (unsigned long)seed);
            assert_int_equal(fusion.launches, 0);
            /* What is said to have no room is, and nothing else. */
            assert_true(truth == NO_ROOM ? !fused || fusion.oversized > 0 : fusion.oversized == 0);
            asked += fusion.asked;
        }
        actions += baymax.count;
    }
    print_message("%lu actions; other ones in %lu of %d worlds; asked %lu times\n",
                  (unsigned long)actions, (unsigned long)differ, WORLDS, (unsigned long)asked);
    assert_true(differ > WORLDS / 2 && asked > WORLDS && actions > 100 * WORLDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_gain_tacker_is_baymax),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
