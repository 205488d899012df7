/*
 * test_moves_random.c - SMs move at random between kernels that run at random.
 *
 * Pins, for drained and saved blocks: SMs are conserved: partitions never hold more than the device
 * has, and no SM is idle that a kernel is to have; each kernel ends once, and in the end nothing is
 * allotted. Without contention, never faster than free: a kernel whose part changes once ends no
 * earlier than if it had the larger of the two parts all the time, one that grows no earlier than
 * if the SMs came at once, and one that shrinks by draining no later than if they left at once.
 * Looking changes nothing. A failure prints its seed.
 */
#include "des/rng.h"
#include "models/gpu/gpu_state.h"
#include "tests/gpu_case.h"

#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

enum { SEQUENCES = 3000, STEPS = 40, MEMORY = 1000 };

static struct dcs_rng rng_of(uint64_t seed)
{
    struct dcs_rng rng;
    dcs_rng_stream(&rng, seed, 0, DCS_RNG_SERVICE, 0);
    return rng;
}

static uint32_t below(struct dcs_rng *rng, uint32_t n)
{
    return (uint32_t)dcs_rng_below(rng, n);
}

static void random_shapes(struct gpu_case *c, struct dcs_rng *rng)
{
    gpu_case_init(c);
    c->spatial.dram_gbs = 4000;
    for (uint32_t i = 0; i < CASE_SHAPES; i++) {
        double whole = 1000 + 100000 * dcs_rng_uniform(rng);
        struct dcs_shape *s = gpu_case_shape(c, whole, whole * (1 + dcs_rng_uniform(rng)));
        s->blocks = below(rng, 3) > 0 ? 1 + below(rng, 12 * CASE_SMS) : 0;
        s->blocks_per_sm = below(rng, 5);
        s->drifts = below(rng, 2) == 0;
        s->overhang = s->drifts ? dcs_rng_uniform(rng) : 0;
        s->launches = 1 + below(rng, 4);
        s->threads = 32 * below(rng, 9);
        s->registers = 8 * below(rng, 9);
        s->shared_bytes = 1024 * below(rng, 9);
        gpu_case_press(c, i, dcs_rng_uniform(rng), 2 * dcs_rng_uniform(rng));
    }
    gpu_case_resource(c);
}

static struct dcs_gpu_launch launch_of(struct dcs_rng *rng, uint64_t id, uint32_t sms)
{
    return (struct dcs_gpu_launch){.id = id,
                                   .shape = below(rng, CASE_SHAPES),
                                   .scale = 1,
                                   .allotment = {.share = DCS_GPU_GREEN, .sms = sms},
                                   .delay_ns = below(rng, 3) == 0 ? below(rng, 5000) : 0};
}

/* What a device without a view ahead holds: the caller has just settled it at this instant. */
static void check_sms(const struct dcs_gpu *g)
{
    uint32_t held = 0, allotted = 0, wanting = 0;
    for (size_t i = 0; i < g->kernels_count; i++) {
        const struct gpu_kernel *k = &g->kernels[i];
        held += k->held;
        allotted += k->allotted;
        wanting += k->held < k->allotted;
        assert_true(k->held <= k->allotted || k->leaves_ns != DCS_NEVER);
    }
    assert_true(held <= CASE_SMS && allotted <= CASE_SMS);
    assert_true(wanting == 0 || held == CASE_SMS);
}

struct life {
    struct dcs_gpu *gpu;
    int64_t now, ended[STEPS + 1];
    uint32_t count;
};

static void live_until(struct life *l, int64_t until, struct dcs_rng *looks)
{
    struct dcs_gpu_end ended[DCS_TOGETHER_MAX];
    int64_t next;
    while ((next = dcs_gpu_next_ns(l->gpu)) <= until && next != DCS_NEVER) {
        check_sms(l->gpu->ahead ? l->gpu->before : l->gpu);
        check_sms(l->gpu);
        if (looks != NULL && below(looks, 2) == 0 && dcs_gpu_running(l->gpu) > 0)
            dcs_gpu_left(l->gpu, l->now, dcs_gpu_nth(l->gpu, 0));
        l->now = next;
        uint32_t n = dcs_gpu_advance(l->gpu, next, ended);
        for (uint32_t i = 0; i < n; i++) {
            assert_true(l->ended[ended[i].id] == 0);
            l->ended[ended[i].id] = next;
            l->count++;
        }
    }
    l->now = until;
}

static void act(struct life *l, struct dcs_rng *rng, uint64_t id)
{
    uint32_t runs = dcs_gpu_running(l->gpu), free = CASE_SMS - dcs_gpu_sms_allotted(l->gpu);
    struct dcs_gpu_launch launch = launch_of(rng, id, 1 + below(rng, CASE_SMS));
    uint32_t choice = below(rng, 3), which = below(rng, 8), sms = 1 + below(rng, CASE_SMS);
    const char *why;
    if (choice == 0 && free > 0) {
        launch.allotment.sms = launch.allotment.sms < free ? launch.allotment.sms : free;
        dcs_gpu_start(l->gpu, l->now, &launch);
        return;
    }
    l->ended[id] = -1;
    if (runs == 0)
        return;
    uint64_t whom = dcs_gpu_nth(l->gpu, which % runs);
    if (dcs_gpu_admits_resize(l->gpu, whom, sms, NULL, &why))
        dcs_gpu_resize(l->gpu, l->now, whom, sms);
}

static void run_sequence(uint64_t seed, bool looks, struct life *l)
{
    struct dcs_rng rng = rng_of(seed), looking = rng_of(seed + 1);
    struct gpu_case c;
    random_shapes(&c, &rng);
    struct dcs_contention *contention =
        below(&rng, 2) == 0 ? dcs_contention_create(&c.spatial) : NULL;
    *l = (struct life){.gpu = dcs_gpu_create(&c.spatial, contention, MEMORY, 0)};
    dcs_gpu_let_move(l->gpu, below(&rng, 2) == 0 ? DCS_MOVES_BY_DRAIN : DCS_MOVES_BY_SAVE);
    for (uint64_t id = 1; id <= STEPS; id++) {
        act(l, &rng, id);
        live_until(l, l->now + below(&rng, 20000), looks ? &looking : NULL);
    }
    live_until(l, DCS_TIME_MAX, looks ? &looking : NULL);
    assert_true(dcs_gpu_sms_allotted(l->gpu) == 0 && dcs_gpu_sms_held(l->gpu) == 0);
    for (uint64_t id = 1; id <= STEPS; id++)
        assert_true(l->ended[id] != 0);
    dcs_gpu_destroy(l->gpu);
    dcs_contention_destroy(contention);
}

static void conserved(void **state)
{
    (void)state;
    uint32_t kernels = 0;
    for (uint64_t seed = 1; seed <= SEQUENCES / 4; seed++) {
        struct life plain, looked;
        run_sequence(seed, false, &plain);
        run_sequence(seed, true, &looked);
        for (int id = 1; id <= STEPS; id++)
            if (plain.ended[id] != looked.ended[id])
                fail_msg("seed %llu: kernel %d", (unsigned long long)seed, id);
        kernels += plain.count;
    }
    assert_true(kernels > SEQUENCES);
}

/* ---- Never faster than free ---- */

static double solo(const struct gpu_case *c, const struct dcs_gpu_launch *l, uint32_t sms)
{
    return dcs_shape_solo_ns(&c->spatial, l->shape, sms);
}

static void check_move(uint64_t seed, uint32_t *moved)
{
    struct dcs_rng rng = rng_of(seed);
    struct gpu_case c;
    random_shapes(&c, &rng);
    bool drain = below(&rng, 2) == 0;
    struct life l = {.gpu = dcs_gpu_create(&c.spatial, NULL, MEMORY, 0)};
    dcs_gpu_let_move(l.gpu, drain ? DCS_MOVES_BY_DRAIN : DCS_MOVES_BY_SAVE);
    uint32_t had = 2 + below(&rng, CASE_SMS - 2), has = 1 + below(&rng, had - 1);
    struct dcs_gpu_launch gives = launch_of(&rng, 1, had), takes = launch_of(&rng, 2, 0);
    gives.delay_ns = takes.delay_ns = 0;
    takes.allotment.sms = CASE_SMS - had;
    dcs_gpu_start(l.gpu, 0, &gives);
    dcs_gpu_start(l.gpu, 0, &takes);
    live_until(&l, below(&rng, 50000), NULL);
    if (dcs_gpu_running(l.gpu) == 2) {
        double at = (double)l.now, left = dcs_gpu_left(l.gpu, l.now, 1),
               other = dcs_gpu_left(l.gpu, l.now, 2);
        dcs_gpu_resize(l.gpu, l.now, 1, has);
        dcs_gpu_resize(l.gpu, l.now, 2, CASE_SMS - has);
        live_until(&l, DCS_TIME_MAX, NULL);
        double ends = (double)l.ended[1], grown = (double)l.ended[2];
        if (ends < at + left * solo(&c, &gives, had) - 2 ||
            (drain && ends > at + left * solo(&c, &gives, has) + 3) ||
            grown < at + other * solo(&c, &takes, CASE_SMS - has) - 2 ||
            grown > at + other * solo(&c, &takes, CASE_SMS - had) + 3)
            fail_msg("seed %llu", (unsigned long long)seed);
        *moved += grown > at + other * solo(&c, &takes, CASE_SMS - has) + 3;
    }
    live_until(&l, DCS_TIME_MAX, NULL);
    dcs_gpu_destroy(l.gpu);
}

static void never_faster_than_free(void **state)
{
    (void)state;
    uint32_t moved = 0;
    for (uint64_t seed = 1; seed <= SEQUENCES; seed++)
        check_move(seed, &moved);
    assert_true(moved > SEQUENCES / 4); /* moves that cost time */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conserved),
        cmocka_unit_test(never_faster_than_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
