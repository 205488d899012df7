/*
 * Pins, in random worlds with exact predictions and no charges:
 *   - no decision of baymax or tacker makes a headroom negative: the least headroom of the latency
 *     requests (equation 9), counted here anew from what was launched, is after each launch not
 *     below what it was before, or not below 0;
 *   - where no two kernels can be fused tacker is baymax, launch for launch;
 *   - every fused launch gains (equation 8), and everything that arrives is served.
 * Does not pin: hand-made cases (tests/unit/policies/test_tacker.c), predictions that are wrong.
 */
#include "des/rng.h"
#include "tests/fake_host.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { WORLDS = 300, ARRIVALS = 120 };

struct arrival {
    int64_t gap_ns;
    app_id app;
};

struct world {
    struct fake_app apps[FAKE_APPS];
    double hides[FAKE_APPS][FAKE_APPS];
    struct arrival arrivals[ARRIVALS];
    int order, reorder, reorder_for, fuse;
    double target;
};

static int64_t draw(struct dcs_rng *rng, int64_t low, int64_t high)
{
    return low + (int64_t)dcs_rng_below(rng, (uint64_t)(high - low + 1));
}

/* Half of the applications are services; a world is more or less loaded. */
static void draw_world(struct world *w, uint64_t seed)
{
    struct dcs_rng rng;
    dcs_rng_stream(&rng, seed, 0, DCS_RNG_SCRAMBLE, 0);
    *w = (struct world){.order = (int)draw(&rng, 0, 1), .fuse = (int)draw(&rng, 0, 1)};
    w->reorder = (int)draw(&rng, 0, 2);
    w->reorder_for = (int)draw(&rng, 0, 1);
    w->target = draw(&rng, 0, 1) ? 1 : 0.6;
    for (app_id a = 0; a < FAKE_APPS; a++) {
        struct fake_app *app = &w->apps[a];
        app->name = "app";
        app->class = a % 2 == 0 ? HOST_LATENCY : HOST_BATCH;
        app->kernels = (uint32_t)draw(&rng, 1, FAKE_KERNELS);
        int64_t total_ns = 0;
        for (uint32_t k = 0; k < app->kernels; k++) {
            app->work_ns[k] = draw(&rng, 1, 100) * draw(&rng, 1, 200000);
            total_ns += app->work_ns[k];
        }
        app->sla_ns = total_ns * draw(&rng, 10, 100) / 10;
        for (app_id b = 1; a % 2 == 0 && b < FAKE_APPS; b += 2)
            w->hides[a][b] = (double)draw(&rng, -10, 20) / 20;
    }
    int64_t gap_ns = draw(&rng, 1, 100) * 1000000;
    for (int i = 0; i < ARRIVALS; i++)
        w->arrivals[i] = (struct arrival){draw(&rng, 0, gap_ns), (app_id)draw(&rng, 0, 5)};
}

/* What had been launched when each request arrived. */
static void run_world(struct fake_host *f, const struct world *w, const char *policy, bool fusible,
                      uint32_t launched[ARRIVALS])
{
    fake_init(f, policy);
    memcpy(f->apps, w->apps, sizeof f->apps);
    f->apps_count = FAKE_APPS;
    if (fusible)
        memcpy(f->hides, w->hides, sizeof f->hides);
    *(int *)fake_param(f, "order") = w->order;
    *(int *)fake_param(f, "reorder") = w->reorder;
    *(int *)fake_param(f, "reorder_for") = w->reorder_for;
    *(double *)fake_param(f, "target") = w->target;
    if (strcmp(policy, "tacker") == 0)
        *(int *)fake_param(f, "fuse") = w->fuse;
    assert_int_equal(fake_begin(f), 0);
    for (int i = 0; i < ARRIVALS; i++) {
        fake_run(f, f->now_ns + w->arrivals[i].gap_ns);
        launched[i] = f->launches_count;
        fake_arrive(f, w->arrivals[i].app);
    }
    fake_run(f, INT64_MAX / 4);
    fake_end(f);
}

/* The least headroom at now_ns of the latency requests that had arrived before launch number n and
 * have kernels left; done: kernels of each that have ended. */
static int64_t least(const struct fake_host *f, const struct world *w, int64_t now_ns, uint32_t n,
                     const uint32_t *launched, const uint32_t *done)
{
    int64_t least_ns = HOST_NEVER, queue_ns = 0;
    for (uint32_t i = 0; i < ARRIVALS && launched[i] <= n; i++) {
        const struct fake_app *app = &f->apps[f->requests[i].app];
        if (app->class != HOST_LATENCY || done[i] == app->kernels)
            continue;
        for (uint32_t k = done[i]; k < app->kernels; k++)
            queue_ns += app->work_ns[k];
        int64_t aim_ns = f->requests[i].arrival_ns + (int64_t)(w->target * (double)app->sla_ns);
        if (aim_ns - now_ns - queue_ns < least_ns)
            least_ns = aim_ns - now_ns - queue_ns;
    }
    return least_ns;
}

/* How many launches were fused. */
static uint32_t check_headroom(const struct fake_host *f, const struct world *w,
                               const uint32_t *launched)
{
    uint32_t done[ARRIVALS] = {0}, fused = 0;
    for (uint32_t n = 0; n < f->launches_count; n++) {
        const struct fake_launch *l = &f->launches[n];
        const struct fake_request *r = &f->requests[l->r - 1];
        int64_t before_ns = least(f, w, l->at_ns, n, launched, done);
        int64_t alone_ns = f->apps[r->app].work_ns[done[l->r - 1]++];
        int64_t duration_ns = alone_ns;
        if (l->fused != 0) {
            const struct fake_request *b = &f->requests[l->fused - 1];
            int64_t other_ns = f->apps[b->app].work_ns[done[l->fused - 1]++];
            int64_t shorter_ns = alone_ns < other_ns ? alone_ns : other_ns;
            duration_ns += other_ns - (int64_t)(f->hides[r->app][b->app] * (double)shorter_ns);
            assert_true(duration_ns < alone_ns + other_ns);
            fused++;
        }
        int64_t after_ns = least(f, w, l->at_ns + duration_ns, n, launched, done);
        assert_true(after_ns >= 0 || after_ns >= before_ns);
    }
    return fused;
}

static void headroom_is_kept(void **state)
{
    (void)state;
    static struct fake_host f;
    static struct world w;
    uint32_t launched[ARRIVALS], fused = 0, late = 0;
    for (uint64_t seed = 0; seed < WORLDS; seed++) {
        draw_world(&w, seed);
        for (int policy = 0; policy < 2; policy++) {
            run_world(&f, &w, policy == 0 ? "tacker" : "baymax", true, launched);
            fused += check_headroom(&f, &w, launched);
            for (int i = 0; i < ARRIVALS; i++) {
                assert_int_equal(f.requests[i].state, HOST_ENDED);
                late += f.apps[f.requests[i].app].class == HOST_LATENCY &&
                        f.requests[i].done_ns >
                            f.requests[i].arrival_ns + f.apps[f.requests[i].app].sla_ns;
            }
        }
    }
    /* The worlds have all of it. */
    print_message("%u fused launches, %u late requests in %d runs\n", fused, late, 2 * WORLDS);
    assert_true(fused > 10 * WORLDS && late > WORLDS);
}

static void without_fusion_it_is_baymax(void **state)
{
    (void)state;
    static struct fake_host f, g;
    static struct world w;
    uint32_t launched[ARRIVALS];
    for (uint64_t seed = 0; seed < WORLDS; seed++) {
        draw_world(&w, WORLDS + seed);
        run_world(&f, &w, "tacker", false, launched);
        run_world(&g, &w, "baymax", false, launched);
        assert_int_equal(f.launches_count, g.launches_count);
        for (uint32_t n = 0; n < f.launches_count; n++) {
            const struct fake_launch *a = &f.launches[n], *b = &g.launches[n];
            assert_true(a->at_ns == b->at_ns && a->r == b->r && a->device == b->device);
            assert_true(a->fused == 0 && a->allotment.mechanism == b->allotment.mechanism);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headroom_is_kept),
        cmocka_unit_test(without_fusion_it_is_baymax),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
