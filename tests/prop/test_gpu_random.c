/*
 * test_gpu_random.c - a shared device through random sequences of starts, stops and changes.
 *
 * Pins: (1) against a model that shares nothing with it but the rules (every kernel's progress is
 * added up from event to event, in unrounded time, SMs handed out from scratch): for random mixes
 * of partitions, caps, waves of blocks and transfers, of one process and of several, each kernel
 * ends within a few ns of the model. (2) For anything at all - kernels of many launches, alike or
 * not, clusters, contention, traps, exit flags, delays, changes of what is left, a window that
 * begins anywhere - SMs in use never exceed the device in any interval; what is left never grows by
 * itself and is all done at the end; each start ends or is stopped exactly once; memory and
 * allotments come back to 0; useful + lost + overhead = busy, and busy is the time in which
 * something was there. (3) Looking changes nothing: the same sequence with dcs_gpu_left() asked at
 * random times gives the same bits. A failure prints its seed. (4) A device that passes the parts
 * of launches that make no difference ends every kernel at the ns at which it does if it goes
 * through each of them. Does not pin: that the rules are those of a real device
 * (docs/validation/h200.md).
 */
#include "des/rng.h"
#include "models/gpu/gpu_state.h"
#include "tests/gpu_case.h"

#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#define GREEN(n)  ((struct dcs_gpu_allotment){.share = DCS_GPU_GREEN, .sms = (n)})
#define SHARED(n) ((struct dcs_gpu_allotment){.share = DCS_GPU_MPS, .sms = (n)})

enum { SEQUENCES = 1500, STEPS = 40, IDS = STEPS + 1, MEMORY = 1 << 20 };

static uint64_t seed; /* of the sequence that is being tried */

static uint32_t below(struct dcs_rng *rng, uint32_t n)
{
    return (uint32_t)dcs_rng_below(rng, n);
}

/* Launches of two kinds or more. */
static void make_uneven(struct gpu_case *c, struct dcs_shape *s, struct dcs_rng *rng)
{
    struct dcs_launch_group *groups = c->groups[s - c->shapes];
    uint32_t most = s->launches < CASE_GROUPS ? s->launches : CASE_GROUPS, launches = s->launches;
    double left = 1;
    s->least_fill = 1e9;
    s->most_fill = 0;
    s->groups = groups;
    s->groups_count = 2 + below(rng, most - 1);
    for (uint32_t i = 0; i < s->groups_count; i++) {
        struct dcs_launch_group *g = &groups[i];
        uint32_t later = s->groups_count - 1 - i;
        double part = later > 0 ? left * (0.01 + 0.9 * dcs_rng_uniform(rng)) : left;
        *g = (struct dcs_launch_group){.launches =
                                           later > 0 ? 1 + below(rng, launches - later) : launches,
                                       .blocks = 1 + below(rng, 6 * CASE_SMS),
                                       .blocks_per_sm = below(rng, 5),
                                       .grid = (uint8_t)i,
                                       .drifts = below(rng, 2) == 0,
                                       .overhang = dcs_rng_uniform(rng)};
        launches -= g->launches;
        left = later > 0 ? left - part : 0;
        g->after = left;
        g->share = part / (double)g->launches;
        double fill = g->blocks_per_sm > 0 ? (double)g->blocks / (double)g->blocks_per_sm : 1e9;
        s->least_fill = fill < s->least_fill ? fill : s->least_fill;
        s->most_fill = fill > s->most_fill ? fill : s->most_fill;
    }
}

static void random_shapes(struct gpu_case *c, struct dcs_rng *rng, bool many_launches)
{
    gpu_case_init(c);
    for (uint32_t i = 0; i < CASE_SHAPES; i++) {
        double whole = 1000 + 100000 * dcs_rng_uniform(rng);
        struct dcs_shape *s = gpu_case_shape(c, whole, whole * (1 + dcs_rng_uniform(rng)));
        s->kind = (enum dcs_shape_kind)(below(rng, 3) == 0 ? below(rng, 3) : 0);
        s->blocks = below(rng, 3) > 0 ? 1 + below(rng, 6 * CASE_SMS) : 0;
        s->blocks_per_sm = below(rng, 5);
        s->drifts = below(rng, 2) == 0;
        s->overhang = s->drifts ? dcs_rng_uniform(rng) : 0;
        s->launches = many_launches ? 1 + below(rng, 30) : 1;
        if (s->launches > 1 && below(rng, 2) == 0)
            make_uneven(c, s, rng);
        gpu_case_press(c, i, dcs_rng_uniform(rng), 2 * dcs_rng_uniform(rng));
        if (many_launches && below(rng, 2) == 0)
            gpu_case_cluster_at(c, i, below(rng, 1000), below(rng, 1000), below(rng, 1000));
    }
    gpu_case_resource(c);
}

/* ---- Against a model of its own ---- */

struct model_kernel {
    uint32_t shape;
    double began;
    struct dcs_gpu_allotment a;
    double left; /* 0: not there */
    /* In the queue: */
    bool ends;         /* its last blocks run */
    double waits;      /* share of all, for the last of blocks that fit at once: 0: they run */
    double waits_ns;   /* for all of that, as things are; 0: it does not */
    double held;       /* SMs by which that was found out */
    double last;       /* share of its time that these blocks take */
    double fills, use; /* SMs that they want, and that they keep busy */
    double full;       /* what all of it takes as things are; 0 while it waits */
    double busy;       /* SMs */
};

struct model {
    const struct gpu_case *c;
    double now;
    struct model_kernel kernels[IDS];
    double ended[IDS];
};

/* On as many SMs as it holds. */
static void find_last(const struct model *m, struct model_kernel *k)
{
    const struct dcs_shape *s = &m->c->shapes[k->shape];
    k->last = 0;
    if (s->blocks == 0 || s->blocks_per_sm == 0)
        return;
    double at_once = (double)s->blocks_per_sm * k->held;
    double exact = (double)s->blocks / at_once, waves = ceil(exact - 1e-9);
    if (s->drifts && waves > 1) {
        k->fills = k->held / 2;
        k->use = k->held * 0.5 / (0.5 + s->overhang);
        k->last = (0.5 + s->overhang) / (exact + s->overhang);
        return;
    }
    double blocks = fmax(1, (double)s->blocks - (waves - 1) * at_once);
    k->fills = fmin(k->held, blocks / s->blocks_per_sm);
    k->use = k->fills;
    k->last = 1 / waves;
}

static bool is_queued(const struct model *m, const struct model_kernel *k)
{
    return k->left > 0 && k->a.share == DCS_GPU_MPS &&
           m->c->shapes[k->shape].kind == DCS_SHAPE_COMPUTE;
}

/* One that is asked after those that launched before it, who have left so many SMs; returns what it
 * takes. */
static double take(const struct model *m, struct model_kernel *k, double there, bool scarce)
{
    double cap = k->a.sms, held = scarce ? fmin(cap, there) : cap;
    if (!k->ends && held >= 1e-3) {
        k->held = held;
        find_last(m, k);
        k->ends = k->left <= k->last + 1e-12;
    }
    double wants = k->ends ? k->fills : cap, gets = fmin(wants, there), pace = gets;
    if (gets < 1e-3)
        return 0;
    k->busy = gets;
    double part = gets < wants ? gets / wants : 1;
    bool at_once = scarce && k->last == 1,
         lacks = at_once && k->waits > 0 &&
                 wants - gets > 0.5 / m->c->shapes[k->shape].blocks_per_sm + 1e-9;
    if (!lacks)
        k->waits = 0;
    if (k->ends) {
        pace = fmax(1, at_once && !(k->waits > 0) ? k->held : k->held * part);
        k->busy = k->use * part;
    }
    k->full = dcs_shape_solo_ns(&m->c->spatial, k->shape, pace);
    if (lacks) {
        double all = dcs_shape_solo_ns(&m->c->spatial, k->shape, k->held);
        k->waits_ns = fmax(all, k->full - all);
        k->full *= 1000;
    }
    return gets;
}

static void share_sms(struct model *m)
{
    double free = CASE_SMS, most = 0, busy = 0;
    for (uint32_t i = 1; i < IDS; i++) {
        struct model_kernel *k = &m->kernels[i];
        k->full = k->busy = k->waits_ns = 0;
        if (k->left > 0 && k->a.share == DCS_GPU_GREEN)
            free -= k->a.sms;
        if (!is_queued(m, k))
            continue;
        struct model_kernel alone = *k;
        alone.held = k->a.sms;
        find_last(m, &alone);
        most += alone.last == 1 ? alone.fills : k->a.sms;
    }
    double there = free;
    for (uint32_t i = 1; i < IDS; i++)
        if (is_queued(m, &m->kernels[i])) {
            there -= take(m, &m->kernels[i], there, most > free);
            busy += m->kernels[i].busy;
        }
    for (uint32_t i = 1; i < IDS; i++)
        if (m->kernels[i].busy > 0 && busy > free) {
            m->kernels[i].full *= busy / free;
            m->kernels[i].waits_ns *= busy / free;
        }
}

/* Transfers of one process wait for those that began before, which share the bus with other
 * processes. */
static double model_transfer(const struct model *m, const struct model_kernel *k)
{
    double moves = 0, waits = 0;
    for (uint32_t i = 1; i < IDS; i++) {
        const struct model_kernel *o = &m->kernels[i];
        if (!(o->left > 0) || m->c->shapes[o->shape].kind != m->c->shapes[k->shape].kind)
            continue;
        bool before = o->began < k->began || (!(o->began > k->began) && o < k);
        waits += before && o->a.share == DCS_GPU_GREEN && k->a.share == DCS_GPU_GREEN;
        moves += o->a.share == DCS_GPU_MPS;
    }
    for (uint32_t i = 1, some = 0; i < IDS && some == 0; i++) {
        const struct model_kernel *o = &m->kernels[i];
        some = o->left > 0 && o->a.share == DCS_GPU_GREEN &&
               m->c->shapes[o->shape].kind == m->c->shapes[k->shape].kind;
        moves += some;
    }
    return waits > 0 ? 0 : moves * dcs_shape_solo_ns(&m->c->spatial, k->shape, k->a.sms);
}

/* Those that take no SMs from the queue. */
static double model_full(const struct model *m, const struct model_kernel *k)
{
    if (m->c->shapes[k->shape].kind != DCS_SHAPE_COMPUTE)
        return model_transfer(m, k);
    return dcs_shape_solo_ns(&m->c->spatial, k->shape, k->a.sms);
}

static void model_live(struct model *m, double until)
{
    while (m->now < until) {
        double step = until - m->now;
        share_sms(m);
        for (uint32_t i = 1; i < IDS; i++) {
            struct model_kernel *k = &m->kernels[i];
            if (!(k->left > 0))
                continue;
            if (!is_queued(m, k))
                k->full = model_full(m, k);
            bool begins_end = is_queued(m, k) && !k->ends;
            if (k->full > 0)
                step = fmin(step, (begins_end ? k->left - k->last : k->left) * k->full);
            if (k->waits_ns > 0)
                step = fmin(step, k->waits * k->waits_ns);
        }
        m->now = m->now + step < until ? m->now + step : until;
        for (uint32_t i = 1; i < IDS; i++) {
            struct model_kernel *k = &m->kernels[i];
            if (!(k->left > 0) || !(k->full > 0))
                continue;
            k->left -= step / k->full;
            k->waits -= k->waits_ns > 0 ? step / k->waits_ns : 0;
            k->waits = k->waits > 1e-12 ? k->waits : 0;
            if (k->left < 1e-12) {
                k->left = 0;
                m->ended[i] = m->now;
            }
        }
        if (!(step > 0))
            return;
    }
}

static void drain(struct dcs_gpu *gpu, int64_t until, int64_t *ended)
{
    struct dcs_gpu_end ends[DCS_TOGETHER_MAX];
    while (dcs_gpu_next_ns(gpu) <= until) {
        int64_t now = dcs_gpu_next_ns(gpu);
        uint32_t n = dcs_gpu_advance(gpu, now, ends);
        for (uint32_t i = 0; i < n; i++)
            ended[ends[i].id] = now;
    }
}

static void compare_with_model(struct dcs_rng *rng)
{
    struct gpu_case c;
    random_shapes(&c, rng, false);
    struct dcs_gpu *gpu = dcs_gpu_create(&c.spatial, NULL, MEMORY, 0);
    struct model m = {.c = &c};
    int64_t ended[IDS] = {0}, now = 0;
    for (uint32_t id = 1; id < IDS; id++) {
        const char *why;
        bool green = below(rng, 2) == 0;
        uint32_t sms = 1 + below(rng, green ? 40 : CASE_SMS);
        struct dcs_gpu_launch l = {.id = id,
                                   .shape = below(rng, CASE_SHAPES),
                                   .scale = 1,
                                   .allotment = green ? GREEN(sms) : SHARED(sms)};
        if (dcs_gpu_admits(gpu, &l, NULL, &why)) {
            dcs_gpu_start(gpu, now, &l);
            struct model_kernel *k = &m.kernels[id];
            *k = (struct model_kernel){
                .shape = l.shape, .began = (double)now, .a = l.allotment, .left = 1};
            k->held = sms;
            find_last(&m, k);
            k->ends = k->last == 1; /* all of its blocks fit at once */
            k->waits = k->ends;
        }
        now += below(rng, 4) > 0 ? below(rng, 20000) : 0;
        drain(gpu, now, ended);
        model_live(&m, (double)now);
    }
    drain(gpu, DCS_TIME_MAX, ended);
    model_live(&m, 1e12);
    for (uint32_t id = 1; id < IDS; id++)
        if (fabs((double)ended[id] - m.ended[id]) > 60)
            fail_msg("seed %llu: kernel %u ended at %lld, in the model at %.1f",
                     (unsigned long long)seed, id, (long long)ended[id], m.ended[id]);
    dcs_gpu_destroy(gpu);
}

/* ---- With and without changes that make no difference ---- */

static void live_twice(struct dcs_rng *rng, bool slowed)
{
    struct gpu_case c;
    random_shapes(&c, rng, true);
    struct dcs_contention *contention = slowed ? dcs_contention_create(&c.spatial) : NULL;
    struct dcs_gpu *gpu[2];
    int64_t ended[2][IDS] = {{0}}, now = 0;
    for (int i = 0; i < 2; i++)
        gpu[i] = dcs_gpu_create(&c.spatial, contention, MEMORY, 0);
    gpu[1]->each_part = true;
    for (uint32_t id = 1; id < IDS; id++) {
        const char *why;
        struct dcs_gpu_launch l = {.id = id,
                                   .shape = below(rng, CASE_SHAPES),
                                   .scale = 1,
                                   .allotment = SHARED(1 + below(rng, CASE_SMS))};
        if (dcs_gpu_running(gpu[0]) < 3 && dcs_gpu_admits(gpu[0], &l, NULL, &why))
            for (int i = 0; i < 2; i++)
                dcs_gpu_start(gpu[i], now, &l);
        now += below(rng, 40000);
        for (int i = 0; i < 2; i++)
            drain(gpu[i], now, ended[i]);
        if (dcs_gpu_running(gpu[0]) != dcs_gpu_running(gpu[1]))
            break; /* an end near now: what follows is two worlds, and shows below if it is far */
    }
    for (int i = 0; i < 2; i++) {
        drain(gpu[i], DCS_TIME_MAX, ended[i]);
        dcs_gpu_destroy(gpu[i]);
    }
    for (uint32_t id = 1; id < IDS; id++)
        if (llabs((long long)(ended[0][id] - ended[1][id])) > 0)
            fail_msg("seed %llu: kernel %u ended at %lld, part by part at %lld",
                     (unsigned long long)seed, id, (long long)ended[0][id],
                     (long long)ended[1][id]);
    dcs_contention_destroy(contention);
}

/* ---- Whatever happens ---- */

struct life {
    const struct gpu_case *c;
    struct dcs_gpu *gpu;
    int64_t now, window;
    int64_t occupied; /* ns inside the window in which something was there */
    bool present[IDS];
    double left[IDS]; /* when it was last looked at; changes are made known here */
    uint64_t log;     /* of all ends */
    uint32_t started, ended;
    struct dcs_gpu_usage before;
};

static void look(struct life *l, int64_t at)
{
    uint32_t n = dcs_gpu_running(l->gpu);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t id = dcs_gpu_nth(l->gpu, i);
        double left = dcs_gpu_left(l->gpu, at, id);
        assert_true(l->present[id] && left >= 0 && left <= l->left[id]);
        l->left[id] = left;
    }
}

/* Time passes; the usage of the interval is looked at when something ends: then the device has
 * booked it, and nothing beyond it. */
static void pass(struct life *l, int64_t to)
{
    int64_t from = l->now > l->window ? l->now : l->window;
    if (dcs_gpu_running(l->gpu) + dcs_gpu_stopping(l->gpu) > 0 && to > from)
        l->occupied += to - from;
    l->now = to;
}

static void check_interval(struct life *l)
{
    const struct dcs_gpu_usage *u = dcs_gpu_usage(l->gpu);
    double ns = (double)(u->time.busy_ns - l->before.time.busy_ns);
    assert_true(u->sm_ns - l->before.sm_ns <= ns * CASE_SMS + 1e-3);
    assert_true(u->sm_ns >= l->before.sm_ns && u->slowed_ns >= l->before.slowed_ns);
    assert_true(u->slowed_ns <= u->kernel_ns);
    /* None was ever slowed: all that contention adds is more than was measured. */
    assert_true(fabs(u->beyond_ns - u->slowed_ns) <= 1e-9 * u->kernel_ns);
    l->before = *u;
}

static void live(struct life *l, int64_t until, bool looks, struct dcs_rng *eyes)
{
    struct dcs_gpu_end ends[DCS_TOGETHER_MAX];
    while (dcs_gpu_next_ns(l->gpu) <= until) {
        int64_t next = dcs_gpu_next_ns(l->gpu);
        assert_true(next >= l->now);
        if (looks)
            look(l, l->now + (int64_t)dcs_rng_below(eyes, (uint64_t)(next - l->now) + 1));
        look(l, next);
        pass(l, next);
        uint32_t n = dcs_gpu_advance(l->gpu, next, ends);
        if (n > 0)
            check_interval(l);
        for (uint32_t i = 0; i < n; i++) {
            uint64_t id = ends[i].id;
            /* All but the last ns of rounding is done. */
            if (!ends[i].stopped && l->left[id] > 1.0 / 500)
                fail_msg("seed %llu: kernel %llu ended with %g left", (unsigned long long)seed,
                         (unsigned long long)id, l->left[id]);
            assert_true(l->present[id]);
            l->present[id] = false;
            l->ended++;
            l->log = (l->log ^ (id + (uint64_t)next)) * UINT64_C(0x100000001b3);
        }
    }
    if (until < DCS_TIME_MAX)
        pass(l, until);
}

static void try_start(struct life *l, uint64_t id, struct dcs_rng *rng)
{
    static const struct dcs_gpu_allotment whole = {.share = DCS_GPU_WHOLE};
    const char *why;
    uint32_t sms = 1 + below(rng, CASE_SMS);
    struct dcs_gpu_launch k = {.id = id,
                               .shape =
                                   below(rng, 10) == 0 ? DCS_NO_SHAPE : below(rng, CASE_SHAPES),
                               .scale = 0.5 + dcs_rng_uniform(rng),
                               .work_ns = 5000,
                               .memory_bytes = below(rng, MEMORY / 4),
                               .class = below(rng, 2) == 0 ? DCS_BATCH : DCS_LATENCY,
                               .delay_ns = below(rng, 4) == 0 ? below(rng, 3000) : 0};
    k.allotment = below(rng, 8) == 0 ? whole : below(rng, 2) == 0 ? GREEN(sms) : SHARED(sms);
    if (!dcs_gpu_admits(l->gpu, &k, NULL, &why))
        return;
    dcs_gpu_start(l->gpu, l->now, &k);
    l->present[id] = true;
    l->left[id] = 1;
    l->started++;
}

static void disturb(struct life *l, struct dcs_rng *rng)
{
    uint32_t n = dcs_gpu_running(l->gpu);
    if (n == 0)
        return;
    uint64_t id = dcs_gpu_nth(l->gpu, below(rng, n)), victims[DCS_TOGETHER_MAX];
    if (below(rng, 2) == 0) {
        double factor = 0.25 + 2 * dcs_rng_uniform(rng);
        look(l, l->now);
        dcs_gpu_scale_left(l->gpu, l->now, id, factor);
        l->left[id] *= factor * (1 + 1e-12);
        return;
    }
    const struct dcs_profile_revocation cost = {
        .mechanism = below(rng, 2) == 0 ? DCS_TRAP : DCS_ASM_EXIT,
        .kill_ns = below(rng, 3) == 0 ? 0 : below(rng, 3000),
        .start_ns = below(rng, 3000),
        .clear_ns = below(rng, 2) == 0 ? 0 : below(rng, 3000),
        .spawn_ns = below(rng, 3000)};
    uint32_t killed = dcs_gpu_stop(l->gpu, l->now, id, &cost, victims);
    assert_int_equal(killed, cost.mechanism == DCS_TRAP ? n : 1);
}

static struct life live_through(struct dcs_rng rng, bool looks)
{
    struct gpu_case c;
    struct dcs_rng eyes;
    dcs_rng_stream(&eyes, seed, 1, DCS_RNG_SERVICE, 0);
    random_shapes(&c, &rng, true);
    c.spatial.ranged = true;
    for (uint32_t i = 0; i < c.spatial.shapes_count; i++)
        c.points[i][0].measured_to = c.points[i][1].measured_to = 1;
    struct dcs_contention *contention =
        below(&rng, 2) == 0 ? dcs_contention_create(&c.spatial) : NULL;
    struct life l = {.c = &c, .window = below(&rng, 200000)};
    l.gpu = dcs_gpu_create(&c.spatial, contention, MEMORY, l.window);
    for (uint64_t id = 1; id <= STEPS; id++) {
        try_start(&l, id, &rng);
        live(&l, l.now + below(&rng, 15000), looks, &eyes);
        if (below(&rng, 6) == 0)
            disturb(&l, &rng);
    }
    bool to_the_end = below(&rng, 4) > 0;
    if (to_the_end) {
        live(&l, DCS_TIME_MAX, looks, &eyes);
        assert_true(dcs_gpu_next_ns(l.gpu) == DCS_NEVER);
        assert_int_equal(l.started, l.ended);
        assert_int_equal(dcs_gpu_running(l.gpu), 0);
        assert_int_equal(dcs_gpu_sms_allotted(l.gpu), 0);
    }
    dcs_gpu_close(l.gpu, l.now);
    const struct dcs_usage *u = &dcs_gpu_usage(l.gpu)->time;
    assert_true(u->useful_ns >= 0 && u->lost_ns >= 0 && u->overhead_ns >= 0);
    assert_true(u->useful_ns + u->lost_ns + u->overhead_ns == u->busy_ns);
    assert_true(u->busy_ns == l.occupied);
    l.before = *dcs_gpu_usage(l.gpu);
    dcs_gpu_destroy(l.gpu);
    dcs_contention_destroy(contention);
    return l;
}

static const uint64_t crowded[] = {7005155, 7068642, 7089112, 7107942};

static void as_the_model(void **state)
{
    (void)state;
    for (seed = 1; seed <= SEQUENCES; seed++) {
        struct dcs_rng rng;
        dcs_rng_stream(&rng, seed, 0, DCS_RNG_SERVICE, 0);
        compare_with_model(&rng);
    }
}

static void part_by_part(void **state)
{
    (void)state;
    for (seed = 1; seed <= SEQUENCES; seed++) {
        struct dcs_rng rng;
        dcs_rng_stream(&rng, seed, 0, DCS_RNG_SERVICE, 2);
        live_twice(&rng, seed % 2 == 0);
    }
}

/* Returns how many ended. */
static uint32_t live_blind_and_seeing(uint32_t stream)
{
    struct dcs_rng rng;
    dcs_rng_stream(&rng, seed, 0, DCS_RNG_SERVICE, stream);
    struct life blind = live_through(rng, false), seeing = live_through(rng, true);
    assert_true(blind.log == seeing.log);
    assert_memory_equal(&blind.before, &seeing.before, sizeof blind.before);
    return blind.ended;
}

static void invariants(void **state)
{
    (void)state;
    uint32_t ended = 0;
    for (seed = 1; seed <= SEQUENCES; seed++)
        ended += live_blind_and_seeing(1);
    assert_true(ended > 10 * SEQUENCES);
    /* Several changes on the ns at which a device had looked ahead as far as it does. */
    for (size_t i = 0; i < sizeof crowded / sizeof *crowded; i++) {
        seed = crowded[i];
        live_blind_and_seeing(7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_the_model),
        cmocka_unit_test(part_by_part),
        cmocka_unit_test(invariants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
