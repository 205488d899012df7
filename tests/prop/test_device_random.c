/*
 * test_device_random.c - a device against a model that lives through every single nanosecond.
 *
 * Pins: for 3 000 random sequences of launches, revocations, idle times and changes of what is left
 * (with and without checkpoints, mechanisms with and without deferred costs, memory that is scarce
 * or not, a window that begins anywhere), that ends, saved work, what is left, memory and the four
 * accounts are those of the model. A failure prints its seed. Does not pin: large numbers
 * (unit/test_device). Why: the device computes all of that in closed form, with a division
 * by the checkpoint period.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "des/rng.h"
#include "models/gpu/exclusive_gpu.h"

enum { SEQUENCES = 3000, LAUNCHES = 12, LONGEST = 2000, MEMORY = 100 };

struct model {
    /* What never changes in a sequence. */
    int64_t window_ns, interval_ns, cost_ns;

    int64_t now_ns;
    struct dcs_usage usage;

    /* Debts. */
    int64_t slow_start_ns, clear_ns, spawn_ns;
    uint64_t dead_bytes, used_bytes;

    /* The running kernel. */
    bool checkpointed;
    int64_t start_up_ns; /* still to come */
    int64_t checkpoint_ns;
    int64_t work_ns, done_ns, saved_ns;
    int64_t worked_at_ns[LONGEST]; /* when each ns of it was done */
};

static int64_t inside(const struct model *m, int64_t at_ns)
{
    return at_ns >= m->window_ns;
}

static void spend(struct model *m, int64_t ns)
{
    for (; ns > 0; ns--, m->now_ns++) {
        m->usage.busy_ns += inside(m, m->now_ns);
        m->usage.overhead_ns += inside(m, m->now_ns);
    }
}

static void model_start(struct model *m, const struct dcs_launch *l)
{
    bool batch = l->class == DCS_BATCH;
    m->start_up_ns = m->slow_start_ns;
    m->slow_start_ns = 0;
    if (batch || m->dead_bytes + l->memory_bytes > MEMORY) {
        m->start_up_ns += m->clear_ns;
        m->clear_ns = 0;
        m->dead_bytes = 0;
    }
    if (batch) {
        m->start_up_ns += m->spawn_ns;
        m->spawn_ns = 0;
    }
    m->used_bytes = l->memory_bytes;
    m->checkpointed = batch && m->interval_ns > 0;
    m->checkpoint_ns = 0;
    m->work_ns = l->work_ns;
    m->done_ns = m->saved_ns = 0;
}

/* One ns of the running kernel. True when that was its last. */
static bool model_tick(struct model *m)
{
    if (m->start_up_ns > 0) {
        m->start_up_ns--;
        spend(m, 1);
        return false;
    }
    if (m->checkpoint_ns > 0) {
        spend(m, 1);
        if (--m->checkpoint_ns == 0)
            m->saved_ns = m->done_ns;
        return false;
    }
    m->worked_at_ns[m->done_ns++] = m->now_ns++;
    if (m->done_ns == m->work_ns)
        return true;
    if (m->checkpointed && m->done_ns % m->interval_ns == 0) {
        m->checkpoint_ns = m->cost_ns;
        if (m->cost_ns == 0)
            m->saved_ns = m->done_ns;
    }
    return false;
}

static void model_ends(struct model *m, int64_t kept_ns)
{
    for (int64_t i = 0; i < m->done_ns; i++) {
        int64_t counts = inside(m, m->worked_at_ns[i]);
        m->usage.busy_ns += counts;
        m->usage.useful_ns += i < kept_ns ? counts : 0;
        m->usage.lost_ns += i < kept_ns ? 0 : counts;
    }
}

static void model_stop(struct model *m, const struct dcs_profile_revocation *cost)
{
    model_ends(m, m->saved_ns);
    if (m->slow_start_ns < cost->start_ns)
        m->slow_start_ns = cost->start_ns;
    m->clear_ns += cost->clear_ns;
    m->spawn_ns += cost->spawn_ns;
    m->dead_bytes += cost->clear_ns > 0 ? m->used_bytes : 0;
    m->used_bytes = 0;
    spend(m, cost->kill_ns);
}

static void assert_same(const struct dcs_device *d, const struct model *m)
{
    assert_true(d->usage.busy_ns == m->usage.busy_ns);
    assert_true(d->usage.useful_ns == m->usage.useful_ns);
    assert_true(d->usage.lost_ns == m->usage.lost_ns);
    assert_true(d->usage.overhead_ns == m->usage.overhead_ns);
    assert_true(d->dead_bytes == m->dead_bytes && d->used_bytes == m->used_bytes);
}

static int64_t below(struct dcs_rng *rng, uint64_t n)
{
    return (int64_t)dcs_rng_below(rng, n);
}

static struct dcs_profile_revocation random_cost(struct dcs_rng *rng)
{
    return (struct dcs_profile_revocation){
        .mechanism = (enum dcs_revocation_mechanism)below(rng, DCS_MECHANISMS),
        .kill_ns = below(rng, 6),
        .start_ns = below(rng, 18),
        .clear_ns = below(rng, 61),
        .spawn_ns = below(rng, 16),
    };
}

/* Lives through one launch; stops it where the dice say so. end_ns: what the device answered. */
static void live(struct dcs_device *d, struct model *m, struct dcs_rng *rng, int64_t end_ns)
{
    int64_t life = below(rng, 3) == 0 ? LONGEST : 1 + below(rng, 150);
    for (;;) {
        if (below(rng, 40) == 0)
            assert_true(dcs_device_left_ns(d, m->now_ns) == m->work_ns - m->done_ns);
        if (below(rng, 200) == 0 && m->done_ns < 300) {
            int64_t left = 1 + below(rng, 200);
            end_ns = dcs_device_set_left(d, m->now_ns, left);
            m->work_ns = m->done_ns + left;
        }
        if (life-- == 0 && m->now_ns < end_ns) {
            const struct dcs_profile_revocation cost = random_cost(rng);
            int64_t kept, at_ns = m->now_ns, saved_ns = m->saved_ns;
            int64_t idle_ns = dcs_device_stop(d, at_ns, &cost, &kept);
            model_stop(m, &cost);
            assert_true(kept == saved_ns && idle_ns == at_ns + cost.kill_ns);
            assert_true(m->now_ns == idle_ns);
            dcs_device_stopped(d, idle_ns);
            return;
        }
        assert_true(m->now_ns < end_ns);
        if (model_tick(m)) {
            assert_true(m->now_ns == end_ns);
            model_ends(m, m->work_ns);
            m->used_bytes = 0;
            dcs_device_finish(d, end_ns);
            return;
        }
    }
}

static void one_sequence(uint64_t seed)
{
    static struct model m;
    struct dcs_rng rng;
    dcs_rng_stream(&rng, seed, 0, DCS_RNG_NOISE, 0);
    m = (struct model){.window_ns = below(&rng, 3) * below(&rng, 1000)};
    if (below(&rng, 3) > 0) {
        m.interval_ns = 1 + below(&rng, 30);
        m.cost_ns = below(&rng, 8);
    }
    struct dcs_device d;
    dcs_device_init(&d, MEMORY,
                    (struct dcs_checkpoint){.interval_ns = m.interval_ns, .cost_ns = m.cost_ns},
                    m.window_ns);
    uint64_t footprints = below(&rng, 2) ? 10 : MEMORY + 1;
    for (int i = 0; i < LAUNCHES; i++) {
        const struct dcs_launch l = {
            .work_ns = 1 + below(&rng, 300),
            .memory_bytes = dcs_rng_below(&rng, footprints),
            .class = below(&rng, 2) ? DCS_BATCH : DCS_LATENCY,
        };
        m.now_ns += below(&rng, 4) == 0 ? below(&rng, 50) : 0;
        model_start(&m, &l);
        live(&d, &m, &rng, dcs_device_start(&d, m.now_ns, &l));
        assert_same(&d, &m);
    }
    /* The last one is cut by the end of the run: what it did counts as useful. */
    const struct dcs_launch last = {.work_ns = 100, .class = DCS_BATCH};
    model_start(&m, &last);
    dcs_device_start(&d, m.now_ns, &last);
    for (int64_t i = below(&rng, 90); i > 0; i--)
        model_tick(&m);
    model_ends(&m, m.work_ns);
    dcs_device_close(&d, m.now_ns);
    assert_same(&d, &m);
}

static uint64_t running;

static void sequences(void **state)
{
    (void)state;
    for (running = 1; running <= SEQUENCES; running++)
        one_sequence(running);
    running = 0;
}

/* cmocka leaves a failing test by a jump, so the seed is told afterwards. */
static int tell_seed(void **state)
{
    (void)state;
    if (running != 0)
        print_error("failed at seed %llu\n", (unsigned long long)running);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(sequences, tell_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
