/*
 * test_sm_random.c - a GPU whose SMs kernels share (models/sm/sm_device.h) under random launches,
 * resizes and quotas.
 *
 * Pins, over 300 random models and lives, with blocks that are saved, at a cost or none, and that
 * drain: what works in an SM fits into it; without costs that is what was asked for; work is
 * conserved (what is done and what is left are the whole), a quota of all SMs stops a kernel when
 * it has done so much and no more, in some SMs nothing is left of it; looking at random times
 * changes no end; a kernel that has the device to itself takes its time alone; no more SMs are in
 * use than there are. Does not pin: that the law is true (docs/validation/residency.md).
 */
#include "des/rng.h"
#include "models/sm/sm_device.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { KERNELS = 4, JOBS = 30, SMS = 24, POINTS = 12, LIVES = 300 };

static double between(struct dcs_rng *rng, double low, double high)
{
    return low + (high - low) * dcs_rng_uniform(rng);
}

static uint32_t below(struct dcs_rng *rng, uint32_t n)
{
    return (uint32_t)dcs_rng_below(rng, n);
}

struct model {
    struct dcs_sm m;
    struct dcs_sm_kernel kernels[KERNELS];
    struct dcs_sm_rate rates[KERNELS][POINTS];
};

static void draw_model(struct model *x, struct dcs_rng *rng)
{
    static char *const names[KERNELS] = {"a", "b", "c", "d"};
    memset(x, 0, sizeof *x);
    x->m = (struct dcs_sm){.sms = 1 + below(rng, SMS),
                           .kernels = x->kernels,
                           .count = KERNELS,
                           .resources = 1 + below(rng, 3)};
    for (uint32_t j = 0; j < x->m.resources; j++) {
        x->m.sharpness[j] = between(rng, 0.5, 4);
        x->m.wide[j] = j > 0 && below(rng, 2) == 0;
    }
    for (uint32_t i = 0; i < KERNELS; i++) {
        struct dcs_sm_kernel *k = &x->kernels[i];
        *k = (struct dcs_sm_kernel){.name = names[i],
                                    .threads = 32 * (1 + below(rng, 32)),
                                    .registers = 256 * (1 + below(rng, 64)),
                                    .shared_bytes = 1024 * (1 + below(rng, 60)),
                                    .block_ns = between(rng, 100, 1e5),
                                    .latency = between(rng, 0.5, 10),
                                    .rates = x->rates[i]};
        uint32_t blocks = 1;
        for (; dcs_sm_has_room(&x->m, &i, &blocks, 1); blocks++)
            k->fits = blocks;
        for (uint32_t n = 1; n <= k->fits; n++)
            k->alone[n] = pow((double)n / k->fits, between(rng, 0.2, 1));
        k->alone[k->fits] = 1;
        for (uint32_t j = 0; j < x->m.resources; j++) {
            k->demand[j] = between(rng, 0.01, 1);
            k->visits[j] = between(rng, 0.01, 1);
        }
    }
    for (int n = 0; n < POINTS; n++) {
        uint32_t pair[2] = {below(rng, KERNELS), below(rng, KERNELS)};
        struct dcs_sm_kernel *k = &x->kernels[pair[0]];
        uint32_t blocks[2] = {1 + below(rng, k->fits), 1 + below(rng, x->kernels[pair[1]].fits)};
        if (pair[0] != pair[1] && dcs_sm_has_room(&x->m, pair, blocks, 2))
            k->rates[k->count++] =
                (struct dcs_sm_rate){.beside = pair[1],
                                     .blocks = blocks[0],
                                     .beside_blocks = blocks[1],
                                     .rate = k->alone[blocks[0]] * between(rng, 0.2, 1)};
    }
    dcs_sm_prepare(&x->m);
}

struct life {
    uint32_t kernel;
    int64_t work_ns, end_ns;
    uint8_t want[SMS];
    double begun_ns;  /* work when the quota was given; below 0: it is not of all SMs */
    int64_t quota_ns; /* of all SMs; DCS_NEVER: none */
};

struct world {
    struct model model;
    struct dcs_sm_device *d;
    struct dcs_rng rng;
    bool costs; /* blocks take time to come and go */
    int64_t now;
    struct life *lives;
};

static void check(const struct world *w)
{
    for (uint32_t sm = 0; sm < w->model.m.sms; sm++) {
        uint32_t kernels[DCS_SM_TOGETHER_MAX], blocks[DCS_SM_TOGETHER_MAX];
        uint32_t n = dcs_sm_running(w->d);
        for (uint32_t i = 0; i < n; i++) {
            uint64_t id = dcs_sm_nth(w->d, i);
            kernels[i] = w->lives[id - 1].kernel;
            blocks[i] = dcs_sm_blocks(w->d, id, sm);
            if (!w->costs)
                assert_int_equal(blocks[i], w->lives[id - 1].want[sm]);
        }
        assert_true(dcs_sm_has_room(&w->model.m, kernels, blocks, n));
    }
    for (uint32_t i = 0; i < dcs_sm_running(w->d); i++) {
        uint64_t id = dcs_sm_nth(w->d, i);
        const struct life *l = &w->lives[id - 1];
        double done = dcs_sm_done_ns(w->d, w->now, id), left = dcs_sm_left(w->d, w->now, id);
        assert_true(left >= 0 && done >= 0);
        if (!(fabs(done + left * (double)l->work_ns - (double)l->work_ns) <= 1e-6 + 1e-9 * done))
            fail_msg("%.9g done, %.9g of %lld left", done, left, (long long)l->work_ns);
        if (l->quota_ns != DCS_NEVER && l->begun_ns >= 0)
            assert_true(done - l->begun_ns <= (double)l->quota_ns + 2);
    }
}

static struct dcs_sm_range draw_range(struct world *w)
{
    uint32_t sms = w->model.m.sms, first = below(&w->rng, sms);
    return (struct dcs_sm_range){first, 1 + below(&w->rng, sms - first), below(&w->rng, 8)};
}

static void give_blocks(struct world *w, uint64_t id, struct dcs_sm_range range, bool starts)
{
    struct life *l = &w->lives[id - 1];
    if (dcs_sm_refuses(w->d, id, l->kernel, range) != NULL)
        return;
    dcs_sm_claim(w->d, id, l->kernel, range);
    memset(&l->want[range.first_sm], (int)range.blocks, range.sms);
    if (starts)
        dcs_sm_start(w->d, w->now,
                     &(struct dcs_sm_launch){
                         .id = id, .kernel = l->kernel, .work_ns = l->work_ns, .range = range});
    else
        dcs_sm_resize(w->d, w->now, id, range);
}

static void give_quota(struct world *w, uint64_t id, struct dcs_sm_quota q)
{
    struct life *l = &w->lives[id - 1];
    if (dcs_sm_refuses_quota(w->d, id, q) != NULL)
        return;
    bool whole = q.sms == w->model.m.sms;
    l->begun_ns = whole ? dcs_sm_done_ns(w->d, w->now, id) : -1;
    l->quota_ns = q.work_ns;
    dcs_sm_set_quota(w->d, w->now, id, q);
    if (q.work_ns != DCS_NEVER)
        assert_true(dcs_sm_quota_left_ns(w->d, w->now, id, q.first_sm) == (double)q.work_ns);
}

/* Something happens by itself. */
static void advance(struct world *w)
{
    struct dcs_sm_end ends[DCS_SM_ENDS_MAX];
    uint32_t n = dcs_sm_advance(w->d, w->now, ends);
    for (uint32_t i = 0; i < n; i++) {
        struct life *l = &w->lives[ends[i].id - 1];
        if (!ends[i].quota) {
            l->end_ns = w->now;
            continue;
        }
        assert_true(dcs_sm_quota_left_ns(w->d, w->now, ends[i].id, ends[i].first_sm) == 0);
        double done = dcs_sm_done_ns(w->d, w->now, ends[i].id) - l->begun_ns;
        if (l->begun_ns >= 0)
            assert_true(done >= (double)l->quota_ns - 1e-6 && done <= (double)l->quota_ns + 2);
    }
}

/* A kernel that runs gets all that it can have, so that it ends. */
static void let_end(struct world *w)
{
    uint32_t n = dcs_sm_running(w->d);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t id = dcs_sm_nth(w->d, i);
        uint32_t sms = w->model.m.sms;
        give_quota(w, id, (struct dcs_sm_quota){0, sms, DCS_NEVER});
        give_blocks(w, id, (struct dcs_sm_range){0, sms, 1}, false);
    }
}

static void act(struct world *w, uint64_t *born)
{
    uint32_t what = below(&w->rng, 4), n = dcs_sm_running(w->d), which = below(&w->rng, 8);
    struct dcs_sm_range range = draw_range(w);
    uint32_t kernel = below(&w->rng, KERNELS);
    int64_t work = 1 + (int64_t)dcs_rng_below(&w->rng, 3000000);
    if (what == 0 && *born < JOBS && dcs_sm_claims(w->d) < DCS_SM_TOGETHER_MAX) {
        w->lives[*born] =
            (struct life){.kernel = kernel, .work_ns = work, .begun_ns = -1, .quota_ns = DCS_NEVER};
        range.blocks = dcs_sm_refuses(w->d, *born + 1, kernel, range) == NULL ? range.blocks : 0;
        give_blocks(w, ++*born, range, true);
        return;
    }
    if (n == 0)
        return;
    uint64_t id = dcs_sm_nth(w->d, which % n);
    if (what == 3 && kernel == 0)
        give_quota(w, id, (struct dcs_sm_quota){0, w->model.m.sms, work / 8});
    else if (what == 3)
        give_quota(
            w, id,
            (struct dcs_sm_quota){range.first_sm, range.sms, work % 5 == 0 ? DCS_NEVER : work / 8});
    else
        give_blocks(w, id, range, false);
}

static void live(uint64_t seed, bool looks, struct life *lives)
{
    static struct world w;
    struct dcs_rng looking;
    uint64_t born = 0;
    memset(&w, 0, sizeof w);
    w.lives = lives;
    dcs_rng_stream(&w.rng, seed, 0, DCS_RNG_POLICY, 0);
    dcs_rng_stream(&looking, seed, 0, DCS_RNG_POLICY, 1);
    draw_model(&w.model, &w.rng);
    struct dcs_sm_leaving leaving = {.how = seed % 3 == 0 ? DCS_SM_DRAIN : DCS_SM_SAVE,
                                     .bytes_per_ns = seed % 3 == 1 ? between(&w.rng, 1, 5000) : 0};
    w.costs = seed % 3 != 2;
    w.d = dcs_sm_device_create(&w.model.m, leaving, 0);
    while (born < JOBS || dcs_sm_running(w.d) > 0) {
        int64_t next = dcs_sm_next_ns(w.d), then = w.now + 1 + below(&w.rng, 300000);
        bool waits = next == DCS_NEVER || then < next;
        w.now = waits ? then : next;
        if (looks && dcs_sm_running(w.d) > 0) {
            uint64_t id = dcs_sm_nth(w.d, below(&looking, dcs_sm_running(w.d)));
            (void)dcs_sm_idle_blocks(w.d, id);
            check(&w);
        }
        if (!waits)
            advance(&w);
        else if (born == JOBS)
            let_end(&w);
        else
            act(&w, &born);
        if (looks)
            check(&w);
    }
    dcs_sm_device_close(w.d, w.now);
    const struct dcs_gpu_usage *u = dcs_sm_usage(w.d);
    assert_true(u->sm_ns <= (double)w.now * w.model.m.sms && u->time.busy_ns <= w.now);
    dcs_sm_device_destroy(w.d);
}

static void lives(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= LIVES; seed++) {
        static struct life a[JOBS], b[JOBS];
        live(seed, false, a);
        live(seed, true, b);
        for (int i = 0; i < JOBS; i++)
            assert_int_equal(a[i].end_ns, b[i].end_ns);
    }
}

static void alone(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= LIVES; seed++) {
        static struct model x;
        struct dcs_rng rng;
        dcs_rng_stream(&rng, seed, 0, DCS_RNG_POLICY, 2);
        draw_model(&x, &rng);
        uint32_t kernel = below(&rng, KERNELS);
        int64_t work = 1 + (int64_t)dcs_rng_below(&rng, 3000000);
        struct dcs_sm_range range = {0, x.m.sms, x.kernels[kernel].fits};
        struct dcs_sm_device *d = dcs_sm_device_create(&x.m, (struct dcs_sm_leaving){0}, 0);
        dcs_sm_claim(d, 1, kernel, range);
        dcs_sm_start(
            d, 0,
            &(struct dcs_sm_launch){.id = 1, .kernel = kernel, .work_ns = work, .range = range});
        assert_true(dcs_sm_next_ns(d) >= work && dcs_sm_next_ns(d) <= work + 1);
        dcs_sm_device_destroy(d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lives), cmocka_unit_test(alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
