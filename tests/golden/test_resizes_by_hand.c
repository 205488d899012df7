/*
 * test_resizes_by_hand.c - a policy moves SMs between kernels that run on a shared device, and is
 * charged for deciding it.
 *
 * Pins, worked out by hand: that a charged resize takes effect when its charge has passed, and what
 * draining or saving blocks takes from then on; that until then the device counts what each kernel
 * is to have, also of several resizes of one kernel; that a resize which is taken back in time, or
 * whose kernel has ended meanwhile, does nothing, and that others that were decided with it stand;
 * that a later resize changes where a move goes that is under way; what is refused. Does not pin:
 * the device itself (unit/test_gpu_moves), which policies move SMs (unit/test_themis).
 *
 * Times are in us, of a device of 100 SMs. Kernels of job 0 take 4000 on it and 8000 on half of it,
 * in waves of 1000; those of the other jobs take 1000 on half of it or more.
 */
#include "policies/policies.h"
#include "tests/gpu_case.h"
#include "tests/world.h"

/* After policy.h, where a member is called fail: cmocka has a macro of that name. */
#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

#define US(x)    ((int64_t)((x)*1000.0 + 0.5))
#define GREEN(n) ((struct host_allotment){.mechanism = HOST_GREEN, .sms = (n)})

enum { JOBS = 3, ACTS = 6 };

/* What the policy does at a time; acts of one time are of one callback, in their order. */
struct act {
    int64_t at_ns;
    uint32_t thinks; /* for so many predictions, which take 100 us each */
    uint32_t job;
    uint32_t sms; /* that its kernel is to have; 0: it is revoked */
    uint32_t sum; /* of the allotments, as the device says afterwards */
};

struct script {
    uint32_t first[JOBS]; /* SMs that the kernels of each job are launched with */
    struct act acts[ACTS];
    req_id of_job[JOBS];
};

struct script_state {
    struct script *script;
};

static int script_init(void *state, const void *params, struct host *h)
{
    struct script_state *s = state;
    memcpy(&s->script, params, sizeof s->script); /* the world's bytes hold the pointer */
    const struct act *acts = s->script->acts;
    for (uint64_t i = 0; i < ACTS && acts[i].at_ns > 0; i++)
        if (i == 0 || acts[i].at_ns != acts[i - 1].at_ns)
            host_timer(h, acts[i].at_ns, i);
    return 0;
}

static void script_ready(void *state, struct host *h, req_id r)
{
    struct script *s = ((struct script_state *)state)->script;
    struct host_request view;
    assert_true(host_request(h, r, &view));
    s->of_job[view.job] = r;
    host_launch(h, r, 0, GREEN(s->first[view.job]));
}

static void script_timer(void *state, struct host *h, uint64_t first)
{
    const struct script *s = ((struct script_state *)state)->script;
    const struct act *a = &s->acts[first];
    for (int64_t at_ns = a->at_ns; a < s->acts + ACTS && a->at_ns == at_ns; a++) {
        struct host_device device;
        for (uint32_t n = 0; n < a->thinks; n++)
            host_predict(h, s->of_job[a->job], HOST_DURATION_NS, GREEN(50));
        if (a->sms > 0)
            host_resize(h, s->of_job[a->job], GREEN(a->sms));
        else
            host_revoke(h, s->of_job[a->job]);
        assert_true(host_device(h, 0, &device) && device.can_resize);
        assert_true(a->sum == 0 || device.sms_allotted == a->sum);
    }
}

static void script_complete(void *state, struct host *h, req_id r, dev_id d, bool done)
{
    (void)state, (void)h, (void)r, (void)d, (void)done;
}

static const struct policy policy_script = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "script",
    .state_size = sizeof(struct script_state),
    .init = script_init,
    .on_ready = script_ready,
    .on_complete = script_complete,
    .on_timer = script_timer,
};

/* ---- Worlds ---- */

static struct gpu_case model;
static const struct dcs_spatial *const models[] = {&model.spatial};
static struct world world;

/* Job 0 begins at 0; blocks on an SM hold 32 KB, which it saves within 1000 us. */
static void open_world(struct script *s, enum dcs_gpu_moves by)
{
    gpu_case_init(&model);
    struct dcs_shape *waves = gpu_case_shape(&model, US(4000), US(8000));
    waves->blocks = 4 * CASE_SMS;
    waves->blocks_per_sm = 1;
    waves->threads = 256;
    waves->registers = 24;
    waves->shared_bytes = 8192;
    gpu_case_shape(&model, US(1000), US(1000));
    model.spatial.dram_gbs = 3.2768;
    world_init(&world, &policy_script, 1);
    memcpy(world.params, &s, sizeof s);
    world.spec.predict_ns = US(100);
    world.spec.sharing = (struct cluster_sharing){.spatial = models, .step_sms = 5, .moves = by};
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t app = world_app(&world, DCS_BATCH, 1, i == 0 ? US(4000) : US(1000));
        world.apps[app].shapes = dcs_alloc(1, sizeof *world.apps[app].shapes);
        world.apps[app].shapes[0] = i;
        world.apps[app].revocation[0].mechanism = DCS_ASM_EXIT;
    }
    world_job(&world, 0, 0);
}

/* A job whose kernel takes 1000 us on half of the device. */
static void add_short(int64_t begin_ns)
{
    world_job(&world, 1, begin_ns);
}

static void run(void)
{
    if (world_run(&world) != 0)
        fail_msg("%s", world.err.text);
}

static void check_end(uint32_t job, int64_t end_ns)
{
    if (world_end(&world, job, 0) != end_ns)
        fail_msg("job %u ends at %lld, expected %lld", job, (long long)world_end(&world, job, 0),
                 (long long)end_ns);
}

/* ---- Tests ---- */

/* Decided at 1950, in the second wave, and there at 2050, in the third, which ends at 3000; then a
 * quarter of the work is left. */
static void drained(void **state)
{
    (void)state;
    struct script s = {.first = {100, 50}, .acts = {{US(1950), 1, 0, 50, 50}}};
    open_world(&s, DCS_MOVES_BY_DRAIN);
    add_short(US(2500));
    run();
    check_end(1, US(3000 + 1000));
    check_end(0, US(3000 + 2000));
    world_release(&world);
}

/* From 2050 to 3050 half of the SMs save. The other half does what is left, 0.4875, and reads back
 * as many SMs as it has. */
static void saved(void **state)
{
    (void)state;
    struct script s = {.first = {100, 50}, .acts = {{US(1950), 1, 0, 50, 50}}};
    open_world(&s, DCS_MOVES_BY_SAVE);
    add_short(US(2500));
    run();
    check_end(1, US(3050 + 1000));
    check_end(0, US(2050 + 3900 + 1000));
    world_release(&world);
}

/* There at 1500, and taken back by 1600: nothing has left by draining; by saving half of the SMs
 * did nothing for 100 us. */
static void taken_back(void **state)
{
    (void)state;
    for (int save = 0; save < 2; save++) {
        struct script s = {.first = {100},
                           .acts = {{US(1400), 1, 0, 50, 50}, {US(1400), 1, 0, 100, 100}}};
        open_world(&s, save ? DCS_MOVES_BY_SAVE : DCS_MOVES_BY_DRAIN);
        run();
        check_end(0, save ? US(4050) : US(4000));
        world_release(&world);
    }
}

/* Job 1 has ended at 1000, before it would have had 20 SMs at 1050. So has nobody else at 1150, and
 * job 0 has 80 from then on, with 0.85625 left. */
static void ended_meanwhile(void **state)
{
    (void)state;
    struct script s = {.first = {50, 50},
                       .acts = {{US(950), 1, 1, 20, 70}, {US(950), 1, 0, 80, 100}}};
    open_world(&s, DCS_MOVES_BY_DRAIN);
    add_short(0);
    run();
    check_end(1, US(1000));
    check_end(0, US(1150 + 0.85625 * 5000));
    world_release(&world);
}

/* The only kernel ends at 4000, before it would have had 50 SMs at 4050: job 1, which comes
 * meanwhile, is told of then, and has all of the device. */
static void all_ended_meanwhile(void **state)
{
    (void)state;
    struct script s = {.first = {100, 100}, .acts = {{US(3950), 1, 0, 50, 50}}};
    open_world(&s, DCS_MOVES_BY_DRAIN);
    add_short(US(3960));
    run();
    check_end(0, US(4000));
    check_end(1, US(4050 + 1000));
    world_release(&world);
}

/* At 1500 half of the SMs are to leave with the wave, at 2000; from 1600 on no more than a quarter.
 * At 2000 half of the work is left, for 75 SMs. Job 1 has the others then, on which it takes 2000.
 */
static void a_later_one_overtakes(void **state)
{
    (void)state;
    struct script s = {.first = {100, 25},
                       .acts = {{US(1400), 1, 0, 50, 50}, {US(1600), 1, 0, 75, 75}}};
    open_world(&s, DCS_MOVES_BY_DRAIN);
    add_short(US(1800));
    run();
    check_end(1, US(2000 + 2000));
    check_end(0, US(2000) + (int64_t)(0.5 * US(400000) / 75 + 0.5));
    world_release(&world);
}

/* Job 0 is to have 75 SMs, and then its 50 again, so that job 1 may have 25 more: all of it at
 * 1000, when half of job 1 is left. */
static void the_last_of_one_kernel_counts(void **state)
{
    (void)state;
    struct script s = {
        .first = {50, 25},
        .acts = {{US(700), 3, 0, 75, 100}, {US(700), 0, 0, 50, 75}, {US(700), 0, 1, 50, 100}}};
    open_world(&s, DCS_MOVES_BY_DRAIN);
    add_short(0);
    run();
    check_end(1, US(1000 + 500));
    check_end(0, US(8000));
    world_release(&world);
}

static void check_refused(const struct script *acts, const char *why)
{
    struct script s = *acts;
    open_world(&s, DCS_MOVES_BY_DRAIN);
    add_short(0);
    assert_int_equal(world_run(&world), -1);
    if (strstr(world.err.text, why) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", world.err.text, why);
    world_release(&world);
}

static void refused(void **state)
{
    (void)state;
    const struct script too_much = {.first = {50, 50},
                                    .acts = {{US(400), 1, 0, 25, 75}, {US(400), 1, 0, 55, 0}}},
                        too_early = {.first = {50, 50},
                                     .acts = {{US(400), 1, 0, 75, 0}, {US(400), 1, 1, 25, 0}}},
                        no_steps = {.first = {50, 50}, .acts = {{US(400), 1, 0, 42, 0}}},
                        revoked = {.first = {50, 50},
                                   .acts = {{US(400), 1, 0, 0, 100}, {US(400), 1, 0, 25, 0}}};
    check_refused(&too_much, "(job 0, number 0): the allotments that run leave");
    check_refused(&too_early, "(job 0, number 0): the allotments that run leave");
    check_refused(&no_steps, "partitions, which are multiples of host_device.sms_step");
    check_refused(&revoked, "must run, but it is being revoked");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drained),
        cmocka_unit_test(saved),
        cmocka_unit_test(taken_back),
        cmocka_unit_test(ended_meanwhile),
        cmocka_unit_test(all_ended_meanwhile),
        cmocka_unit_test(a_later_one_overtakes),
        cmocka_unit_test(the_last_of_one_kernel_counts),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
