/*
 * Pins: every row of the policy table, with and without revocation, and by counters where it has a
 * choice, keeps the contract in every
 * world of conformance.c (one device, several devices, several domains behind a router, noise,
 * charges): the truth scramble changes no decision, looking changes nothing, nobody is left
 * waiting. So does one that decides by all bits of the counters of kernels that have ended, and one
 * that launches transfers beside kernels that have the whole device. Three
 * policies that cheat on purpose are caught: without them a scramble that does nothing would pass.
 * Does not pin: that decisions are good ones.
 */
#include "engine/cluster_state.h"
#include "models/cpu/cpu_device.h"
#include "runs/conformance.h"
#include "policies/lib/themis_see.h"
#include "policies/policies.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define INSTANTS 40

/* The world's text with another policy section. */
static char *with_policy(const char *json, const char *section)
{
    static const char old[] = "{\"policy\": {\"name\": \"fcfs\"},";
    assert_memory_equal(json, old, sizeof old - 1);
    size_t size = strlen(json) + strlen(section) + 32;
    char *text = malloc(size);
    assert_non_null(text);
    snprintf(text, size, "{\"policy\": %s,%s", section, json + sizeof old - 1);
    return text;
}

static void check_world(const struct conformance_case *c, const struct policy *policy,
                        const char *section, struct conformance_report *sum)
{
    char *text = with_policy(c->json, section);
    struct conformance_report r;
    struct dcs_err err = {0};
    if (conformance_check(text, policy, INSTANTS, 7, &r, &err) != 0)
        fail_msg("%s, %s: %s %s", section, c->name, err.path, err.text);
    sum->decisions += r.decisions;
    sum->completions += r.completions;
    sum->stranded += r.stranded;
    sum->instants += r.instants;
    sum->compared += r.compared;
    sum->scramble_fails += r.scramble_fails;
    sum->nosy_fails += r.nosy_fails;
    if (r.detail[0] != '\0')
        snprintf(sum->detail, sizeof sum->detail, "%s: %.180s", c->name, r.detail);
    free(text);
}

static struct conformance_report check_all(const struct policy *policy, const char *section)
{
    struct conformance_report sum = {0};
    for (size_t i = 0; conformance_cases[i].name != NULL; i++)
        if (conformance_fits(&conformance_cases[i], policy))
            check_world(&conformance_cases[i], policy, section, &sum);
    print_message("%-46s %6lu decisions, %5lu compared after %lu scrambles, %lu differ\n", section,
                  (unsigned long)sum.decisions, (unsigned long)sum.compared,
                  (unsigned long)sum.instants, (unsigned long)sum.scramble_fails);
    return sum;
}

static bool has_option(const struct policy *p, const char *name)
{
    for (const struct param *row = p->params; row != NULL && row->type != PARAM_END; row++)
        if (strcmp(row->name, name) == 0)
            return true;
    return false;
}

/* How much it decided. */
static uint64_t check_policy(const struct policy *p, const char *option)
{
    char section[128];
    snprintf(section, sizeof section, "{\"name\": \"%s\"%s}", p->name, option);
    struct conformance_report r = check_all(p, section);
    if (r.detail[0] != '\0')
        print_message("  %s\n", r.detail);
    assert_int_equal(r.scramble_fails, 0);
    assert_int_equal(r.nosy_fails, 0);
    assert_int_equal(r.stranded, 0);
    assert_true(r.compared > 100);
    return r.decisions;
}

static void every_policy_keeps_the_contract(void **unused)
{
    (void)unused;
    static const char *const schemes[] = {", \"scheme\": \"naive\"", ", \"scheme\": \"elastic\"",
                                          ", \"scheme\": \"rollover_time\""};
    size_t rows = 0, networks = 0;
    uint64_t hp = 0, by_network;
    for (; policies_all[rows] != NULL; rows++) {
        const struct policy *p = policies_all[rows];
        uint64_t decided = check_policy(p, "");
        hp = strcmp(p->name, "hp") == 0 ? decided : hp;
        if (has_option(p, "revocation"))
            check_policy(p, ", \"revocation\": true");
        if (has_option(p, "partition"))
            check_policy(p, ", \"partition\": false, \"kernels_per_sm\": 3");
        if (has_option(p, "scheme"))
            for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
                check_policy(p, schemes[i]);
        if (has_option(p, "slowdowns")) {
            by_network = check_policy(p, ", \"slowdowns\": \"network\", \"period_ms\": 1");
            assert_true(by_network != hp); /* where no SM moves it is hp */
            networks++;
        }
    }
    assert_true(rows >= 5 && networks == 2);
}

/* ---- Cheats. Each is FCFS that in addition uses something that it must not know. ---- */

struct cheat {
    req_id waiting[4096];
    size_t count;
    uint32_t larger; /* 1: its kernels get twice as many SMs of a shared device */
};

/* A quarter of a shared device, all of a CPU with everybody, else all of it. */
static struct host_allotment cheat_part(const struct cheat *self, const struct host_device *d)
{
    if ((d->mechanisms & 1u << HOST_GREEN) != 0)
        return (struct host_allotment){.mechanism = HOST_GREEN,
                                       .sms = d->sms / 4 * (1 + self->larger)};
    if ((d->mechanisms & 1u << HOST_CPU) != 0)
        return (struct host_allotment){
            .mechanism = HOST_CPU, .cores = d->cores, .ways = d->ways, .group = 1};
    return (struct host_allotment){.mechanism = HOST_WHOLE};
}

static bool cheat_can_launch(const struct cheat *self, const struct host_device *d)
{
    if (d->state == HOST_IDLE)
        return true;
    return d->state == HOST_BUSY && d->kernels < d->kernels_max &&
           d->sms_allotted + cheat_part(self, d).sms <= d->sms;
}

static void cheat_dispatch(struct cheat *self, struct host *h)
{
    struct host_device device;
    struct host_request view;
    for (dev_id d = 0; self->count > 0 && host_device(h, d, &device); d++) {
        if (!cheat_can_launch(self, &device))
            continue;
        req_id r = self->waiting[0];
        memmove(self->waiting, self->waiting + 1, --self->count * sizeof *self->waiting);
        bool waits = host_request(h, r, &view) && view.state == HOST_WAITING;
        if (waits)
            host_launch(h, r, d, cheat_part(self, &device));
        if (!waits || device.kernels_max > 1)
            d--; /* once more */
    }
}

static void cheat_add(struct cheat *self, struct host *h, req_id r)
{
    if (self->count == sizeof self->waiting / sizeof self->waiting[0])
        host_drop(h, r);
    else
        self->waiting[self->count++] = r;
}

static void cheat_complete(void *state, struct host *h, req_id r, dev_id d, bool request_done)
{
    (void)d;
    if (!request_done)
        cheat_add(state, h, r);
    cheat_dispatch(state, h);
}

static void cheat_timer(void *state, struct host *h, uint64_t cookie)
{
    (void)cookie;
    cheat_dispatch(state, h);
}

static void plain_ready(void *state, struct host *h, req_id r)
{
    cheat_add(state, h, r);
    cheat_dispatch(state, h);
}

/* Reads the simulator's memory: sets a timer for the very instant at which a kernel will end. */
static void clock_ready(void *state, struct host *h, req_id r)
{
    const struct domain *d = (const struct domain *)(const void *)h;
    cheat_add(state, h, r);
    cheat_dispatch(state, h);
    for (uint32_t i = 0; i < d->devices; i++) {
        const struct device *dev = &d->cluster->devices[d->first_device + i];
        if (dev->kind->running(dev) > 0)
            host_timer(h, dev->kind->next_ns(dev), 0);
    }
}

/* Reads the simulator's memory: revokes the batch request that has most left, at each latency
 * arrival. */
static void longest_ready(void *state, struct host *h, req_id r)
{
    const struct domain *d = (const struct domain *)(const void *)h;
    struct host_request view;
    bool latency = host_request(h, r, &view) && view.class == HOST_LATENCY;
    cheat_add(state, h, r);
    cheat_dispatch(state, h);
    req_id victim = 0;
    int64_t most = 0;
    for (uint32_t i = 0; latency && i < d->devices; i++) {
        const struct device *dev = &d->cluster->devices[d->first_device + i];
        if (dev->kind->running(dev) == 0 || !host_request(h, dev->kind->nth(dev, 0), &view) ||
            view.state != HOST_RUNNING || view.class != HOST_BATCH || view.revocations > 2)
            continue;
        int64_t left = dcs_device_left_ns(device_exclusive_truth(dev), host_now(h));
        if (left > most) {
            most = left;
            victim = dev->kind->nth(dev, 0);
        }
    }
    /* Only a victim with much left is worth it: a threshold on the truth. */
    if (victim != 0 && most > 400 * DCS_NS_PER_MS)
        host_revoke(h, victim);
}

/* Reads the simulator's memory: gives a kernel more of a shared device if what runs there has much
 * left. */
static void sizes_ready(void *state, struct host *h, req_id r)
{
    struct cheat *self = state;
    const struct domain *d = (const struct domain *)(const void *)h;
    double left = 0;
    for (uint32_t i = 0; i < d->devices; i++) {
        struct dcs_gpu *gpu = device_shared_truth(&d->cluster->devices[d->first_device + i]);
        for (uint32_t k = 0; k < dcs_gpu_running(gpu); k++)
            left += dcs_gpu_left(gpu, host_now(h), dcs_gpu_nth(gpu, k));
    }
    self->larger = (uint32_t)(8 * left) % 2;
    cheat_add(self, h, r);
    cheat_dispatch(self, h);
}

/* Reads the simulator's memory: everybody on a CPU has the more ways the more the first has left.
 */
static void shares_ready(void *state, struct host *h, req_id r)
{
    struct cheat *self = state;
    const struct domain *d = (const struct domain *)(const void *)h;
    cheat_add(self, h, r);
    cheat_dispatch(self, h);
    for (uint32_t i = 0; i < d->devices; i++) {
        const struct dcs_cpu_device *cpu =
            device_cpu_truth(&d->cluster->devices[d->first_device + i]);
        struct host_request view;
        if (dcs_cpu_running(cpu) < 2)
            continue;
        req_id first = dcs_cpu_nth(cpu, 0);
        double left = dcs_cpu_left(cpu, host_now(h), first);
        if (host_request(h, first, &view) && view.state == HOST_RUNNING)
            host_resize(h, first,
                        (struct host_allotment){.mechanism = HOST_CPU,
                                                .cores = 12,
                                                .ways = 8 + (uint32_t)(8 * left) % 8,
                                                .group = 1});
    }
}

/* Uses the contract, but a predictor that is the truth. */
static void oracle_ready(void *state, struct host *h, req_id r)
{
    struct host_device device;
    cheat_add(state, h, r);
    cheat_dispatch(state, h);
    for (dev_id i = 0; host_device(h, i, &device); i++) {
        if (device.kernels == 0)
            continue;
        int64_t end = device.since_ns +
                      host_predict(h, device.first, HOST_DURATION_NS, (struct host_allotment){0});
        host_timer(h, end, 1);
    }
}

/* Remembers in a global variable. */
static void moody_ready(void *state, struct host *h, req_id r)
{
    static int64_t mood;
    cheat_add(state, h, r);
    cheat_dispatch(state, h);
    host_timer(h, host_now(h) + ++mood, 0);
}

static struct policy cheat_with(void (*ready)(void *, struct host *, req_id))
{
    return (struct policy){.abi = POLICY_ABI,
                           .size = sizeof(struct policy),
                           .name = "cheat",
                           .summary = "cheats",
                           .source = "a test",
                           .state_size = sizeof(struct cheat),
                           .on_ready = ready,
                           .on_complete = cheat_complete,
                           .on_timer = cheat_timer};
}

/* ---- Transfers beside whole kernels ---- */

static bool copier_can_launch(struct host *h, req_id r, const struct host_device *d)
{
    struct host_request view;
    if (!host_request(h, r, &view) || view.state != HOST_WAITING ||
        d->memory_used_bytes + view.memory_bytes > d->memory_bytes)
        return false;
    return d->state == HOST_IDLE || (d->state == HOST_BUSY && d->kernels < d->kernels_max &&
                                     (d->sms_allotted == 0 || host_is_transfer(h, r)));
}

static uint64_t
    beside; /* transfers launched while kernels had the device, and the other way round */

static void copier_dispatch(struct cheat *self, struct host *h)
{
    struct host_device device;
    for (size_t i = 0; i < self->count;) {
        req_id r = self->waiting[i];
        dev_id d = 0;
        while (host_device(h, d, &device) && !copier_can_launch(h, r, &device))
            d++;
        if (d == host_devices(h)) {
            i++;
            continue;
        }
        beside += device.kernels > 0;
        memmove(self->waiting + i, self->waiting + i + 1,
                (--self->count - i) * sizeof *self->waiting);
        host_launch(h, r, d, (struct host_allotment){.mechanism = HOST_WHOLE});
    }
}

static void copier_ready(void *state, struct host *h, req_id r)
{
    cheat_add(state, h, r);
    copier_dispatch(state, h);
}

static void copier_complete(void *state, struct host *h, req_id r, dev_id d, bool request_done)
{
    (void)d;
    if (!request_done)
        cheat_add(state, h, r);
    copier_dispatch(state, h);
}

static void transfers_beside_whole_kernels_keep_the_contract(void **unused)
{
    (void)unused;
    struct policy copier = cheat_with(copier_ready);
    copier.on_complete = copier_complete;
    copier.on_timer = NULL;
    struct conformance_report r = check_all(&copier, "{\"name\": \"copies beside kernels\"}");
    if (r.detail[0] != '\0')
        print_message("  %s\n", r.detail);
    assert_int_equal(r.scramble_fails, 0);
    assert_int_equal(r.nosy_fails, 0);
    assert_int_equal(r.stranded, 0);
    assert_true(r.compared > 100 && beside > 100);
}

/* ---- Counters ---- */

static uint64_t counted;

/* What counters say of a kernel, and how much it was slowed, to the last bit, decides about a
 * timer: what would let a little of the truth through would be seen, however little policies make
 * of it. */
static void counter_complete(void *state, struct host *h, req_id r, dev_id d, bool request_done)
{
    static const double none[HOST_PRESSURES] = {0};
    struct host_request view;
    struct host_events events;
    struct host_slowdown says;
    if (host_request(h, r, &view) && view.kernel > 0 &&
        host_events(h, r, view.kernel - 1, &events) &&
        host_slowdown(h, HOST_BY_NETWORK, 8, &events, none, &says)) {
        uint64_t bits[2], sum = 0;
        memcpy(bits, &says, sizeof bits);
        sum = bits[0] ^ bits[1];
        for (size_t i = 0; i < HOST_EVENTS; i++) {
            memcpy(bits, &events.rate[i], sizeof bits[0]);
            sum = (sum ^ bits[0]) * UINT64_C(0x100000001b3);
        }
        host_timer(h, host_now(h) + 1 + (int64_t)(sum >> 44), 0);
        counted++;
    }
    cheat_complete(state, h, r, d, request_done);
}

static void counters_keep_the_contract(void **unused)
{
    (void)unused;
    struct policy counter = cheat_with(plain_ready);
    counter.on_complete = counter_complete;
    counter.needs = HOST_NEEDS_SLOWDOWNS;
    struct conformance_report r = check_all(&counter, "{\"name\": \"reads counters\"}");
    assert_int_equal(r.scramble_fails, 0);
    assert_int_equal(r.nosy_fails, 0);
    assert_true(r.compared > 100 && counted > 1000);
}

/* In the worlds with such devices. */
static uint64_t times_caught(const struct policy *policy, const char *section,
                             enum config_sharing_model devices)
{
    struct conformance_report sum = {0};
    for (size_t i = 0; conformance_cases[i].name != NULL; i++)
        if (conformance_cases[i].devices == devices)
            check_world(&conformance_cases[i], policy, section, &sum);
    print_message("%-46s %s: %lu of %lu scrambles seen\n", section,
                  devices == SHARING_WHOLE ? "one kernel at a time"
                  : devices == SHARING_CPU ? "CPUs"
                                           : "shared devices",
                  (unsigned long)sum.scramble_fails, (unsigned long)sum.instants);
    return sum.scramble_fails;
}

static void cheats_are_caught(void **unused)
{
    (void)unused;
    struct policy clock = cheat_with(clock_ready), longest = cheat_with(longest_ready);
    struct policy sizes = cheat_with(sizes_ready), shares = cheat_with(shares_ready);
    static const char clock_name[] = "{\"name\": \"reads the clock of the truth\"}";
    assert_true(times_caught(&clock, clock_name, SHARING_WHOLE) >= 20);
    assert_true(times_caught(&clock, clock_name, SHARING_SPATIAL) >= 20);
    assert_true(times_caught(&clock, clock_name, SHARING_CPU) >= 20);
    assert_true(
        times_caught(&longest, "{\"name\": \"revokes what has most left\"}", SHARING_WHOLE) >= 1);
    assert_true(times_caught(&sizes, "{\"name\": \"allots by what is left\"}", SHARING_SPATIAL) >=
                20);
    assert_true(times_caught(&shares, "{\"name\": \"shares by what is left\"}", SHARING_CPU) >= 4);
}

static void worlds_that_do_not_fit(void **unused)
{
    (void)unused;
    struct policy p = *policies_find("fcfs");
    size_t fits = 0, all = 0;
    for (; conformance_cases[all].name != NULL; all++) {
        bool cpu = conformance_cases[all].devices == SHARING_CPU;
        bool divisible = conformance_cases[all].devices == SHARING_DIVISIBLE;
        bool sm = conformance_cases[all].devices == SHARING_SM;
        assert_int_equal(conformance_fits(&conformance_cases[all], &p), !cpu && !divisible && !sm);
        p.needs = HOST_NEEDS_BLOCKS;
        assert_int_equal(conformance_fits(&conformance_cases[all], &p), sm);
        p.needs = HOST_NEEDS_CHUNKS;
        assert_int_equal(conformance_fits(&conformance_cases[all], &p), divisible);
        p.needs = 1u << HOST_MPS;
        bool spatial = conformance_cases[all].devices == SHARING_SPATIAL;
        assert_int_equal(conformance_fits(&conformance_cases[all], &p), spatial);
        p.needs = 1u << HOST_CPU;
        assert_int_equal(conformance_fits(&conformance_cases[all], &p), cpu);
        p.needs = 0;
        fits += spatial;
    }
    assert_true(fits >= 3 && fits < all);
    /* One that does not fit is refused as an experiment, too. */
    struct conformance_report r;
    struct dcs_err err = {0};
    p.needs = 1u << HOST_GREEN;
    assert_int_equal(conformance_check(conformance_cases[0].json, &p, 1, 1, &r, &err), -1);
    assert_string_equal(err.path, "policy.name");
    assert_non_null(strstr(err.text, "needs devices that are shared: set sharing.model to"));
    p.needs = HOST_NEEDS_FUSION;
    assert_int_equal(conformance_check(conformance_cases[0].json, &p, 1, 1, &r, &err), -1);
    assert_non_null(strstr(err.text, "needs devices that are shared: set sharing.model to"));
    const char *shared = "{\"policy\": {\"name\": \"fcfs\"}, \"profile\": \"quadro-p1000\","
                         "\"sharing\": {\"model\": \"spatial\"},"
                         "\"workload\": {\"trem\": [{}]}}";
    assert_int_equal(conformance_check(shared, &p, 1, 1, &r, &err), -1);
    assert_string_equal(err.path, "policy.name");
    assert_non_null(strstr(err.text, "dcsim-calibrate fusion --output PROFILE.db"));
}

static void moods_are_told_from_cheats(void **unused)
{
    (void)unused;
    struct policy moody = cheat_with(moody_ready);
    struct conformance_report r = {0};
    check_world(&conformance_cases[1], &moody, "{\"name\": \"moody\"}", &r);
    assert_non_null(strstr(r.detail, "not deterministic"));
    assert_int_equal(r.scramble_fails, 0);
}

static void a_clairvoyant_predictor_is_seen(void **unused)
{
    (void)unused;
    struct policy oracle = cheat_with(oracle_ready);
    struct conformance_report honest = check_all(&oracle, "{\"name\": \"asks the mean\"}");
    assert_int_equal(honest.scramble_fails, 0);
    struct conformance_report r =
        check_all(&oracle, "{\"name\": \"asks the truth\"}, \"predictor\": \"clairvoyant\"");
    assert_true(r.scramble_fails >= 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_policy_keeps_the_contract),
        cmocka_unit_test(transfers_beside_whole_kernels_keep_the_contract),
        cmocka_unit_test(counters_keep_the_contract),
        cmocka_unit_test(cheats_are_caught),
        cmocka_unit_test(worlds_that_do_not_fit),
        cmocka_unit_test(moods_are_told_from_cheats),
        cmocka_unit_test(a_clairvoyant_predictor_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
