/*
 * test_devices.c - policies/lib/devices.h against a look at all devices, in random worlds.
 *
 * Pins: before and after each action of a policy that launches and revokes at random, on devices
 * that run one kernel at a time, that several share, and on CPUs, with and without charges, from a
 * host that names what has changed and from one that does not: the first idle device, the quietest
 * one, the devices that serve latency requests or are on their way to being idle, and the batch
 * requests from the one that began last downwards, are those that host_device and host_request say
 * of all devices. So a host that names too few devices as changed is found. With 1000 devices a
 * request makes the policies look at a few devices only. Does not pin: what policies do with the
 * answers.
 */
#include "policies/lib/cpu.h"
#include "policies/lib/devices.h"
#include "policies/lib/queue.h"
#include "policies/policies.h"
#include "tests/random_world.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum {
    WORLDS = 300,
    ROUNDS_MAX = 20,
    EVERYTHING = DEVICES_IDLE | DEVICES_CLASSES | DEVICES_QUIETEST
};

static uint64_t checks, searched, revoked;

/* ---- A look at all devices ---- */

static bool is_later(int64_t a_ns, req_id a, int64_t b_ns, req_id b)
{
    return a_ns != b_ns ? a_ns > b_ns : a > b;
}

/* The running batch request that began last, of those before (*below_ns, *below). */
static req_id scan_newest(const struct host *h, int64_t *below_ns, req_id *below)
{
    struct host_device d;
    struct host_request r;
    int64_t found_ns = 0;
    req_id found = 0;
    for (dev_id i = 0; host_device(h, i, &d); i++) {
        if (d.state != HOST_BUSY || d.first == 0 || !host_request(h, d.first, &r) ||
            r.class != HOST_BATCH || r.state != HOST_RUNNING)
            continue;
        if (!is_later(*below_ns, *below, r.start_ns, d.first))
            continue;
        if (found == 0 || is_later(r.start_ns, d.first, found_ns, found)) {
            found = d.first;
            found_ns = r.start_ns;
        }
    }
    *below_ns = found_ns;
    *below = found;
    return found;
}

static void check_newest(struct devices *all, struct host *h)
{
    int64_t below_ns = HOST_NEVER, asked_ns = HOST_NEVER;
    req_id below = UINT64_MAX, asked = UINT64_MAX, found;
    do {
        struct host_device device;
        struct host_request request = {0};
        req_id expected = scan_newest(h, &below_ns, &below);
        found = devices_newest(all, h, asked_ns, asked, &device, &request);
        assert_true(found == expected);
        assert_true(found == 0 || (request.start_ns == below_ns && device.first == found));
        asked_ns = request.start_ns;
        asked = found;
        searched += found != 0;
    } while (found != 0);
    devices_end_search(all);
}

static void check(struct devices *all, struct host *h)
{
    struct host_device d;
    struct host_request r;
    dev_id idle = HOST_NO_DEVICE, quietest = HOST_NO_DEVICE;
    uint32_t latency = 0, revoking = 0, fewest = UINT32_MAX;
    for (dev_id i = 0; host_device(h, i, &d); i++) {
        if (d.state == HOST_IDLE && idle == HOST_NO_DEVICE)
            idle = i;
        revoking += d.state == HOST_REVOKING;
        latency += d.state == HOST_BUSY && d.first != 0 && host_request(h, d.first, &r) &&
                   r.class == HOST_LATENCY;
        if (d.kernels < d.kernels_max && d.kernels < fewest) {
            fewest = d.kernels;
            quietest = i;
        }
    }
    assert_int_equal(devices_first_idle(all, h), idle);
    assert_int_equal(devices_quietest(all, h), quietest);
    assert_int_equal(all->serving_latency, latency);
    assert_int_equal(all->revoking, revoking);
    check_newest(all, h);
    checks++;
}

/* ---- A policy that acts at random ---- */

struct any {
    struct devices devices;
    struct queue queue;
};

static struct host_allotment allotment_on(const struct host *h, dev_id d)
{
    struct host_device device;
    host_device(h, d, &device);
    if ((device.mechanisms & 1u << HOST_CPU) != 0)
        return cpu_free_for_all(h, d);
    if ((device.mechanisms & 1u << HOST_MPS) != 0)
        return (struct host_allotment){.mechanism = HOST_MPS, .sms = device.sms_step};
    return (struct host_allotment){.mechanism = HOST_WHOLE};
}

static void launch_somewhere(struct any *self, struct host *h)
{
    struct host_request request;
    struct host_device device;
    req_id r = queue_pop(&self->queue, h, &request);
    dev_id d = (dev_id)(host_random(h) % host_devices(h));
    host_device(h, d, &device);
    if (r == 0)
        return;
    uint64_t memory = device.kernels_max > 1 ? device.memory_used_bytes : 0;
    if (device.state == HOST_REVOKING || device.kernels >= device.kernels_max ||
        (device.kernels_max == 1 && device.state != HOST_IDLE) ||
        memory + request.memory_bytes > device.memory_bytes)
        queue_push(&self->queue, 0, r, false);
    else
        host_launch(h, r, d, allotment_on(h, d));
}

static void revoke_something(struct any *self, struct host *h)
{
    struct host_device device;
    struct host_request request;
    req_id r = devices_newest(&self->devices, h, HOST_NEVER, UINT64_MAX, &device, &request);
    devices_end_search(&self->devices);
    if (r == 0 || device.revoke_ns == HOST_NEVER || device.kernels > 1 || request.revocations > 5)
        return;
    host_revoke(h, r);
    revoked++;
}

static void act(struct any *self, struct host *h)
{
    check(&self->devices, h);
    for (int i = 0; i < ROUNDS_MAX && self->queue.count > 0; i++) {
        launch_somewhere(self, h);
        check(&self->devices, h);
    }
    if (host_random(h) % 4 == 0) {
        revoke_something(self, h);
        check(&self->devices, h);
    }
}

static bool older_host; /* it does not say which devices have changed */
static struct host_ops older;

static int any_init(void *state, const void *params, struct host *h)
{
    struct any *self = state;
    (void)params;
    if (older_host) {
        older = *h->ops;
        older.size = offsetof(struct host_ops, changed_device);
        h->ops = &older;
    }
    queue_init(&self->queue, QUEUE_FIFO);
    return devices_init(&self->devices, h, EVERYTHING);
}

static void any_fini(void *state)
{
    struct any *self = state;
    queue_release(&self->queue);
    devices_release(&self->devices);
}

static void any_on_ready(void *state, struct host *h, req_id r)
{
    struct any *self = state;
    queue_push(&self->queue, 0, r, false);
    act(self, h);
}

static void any_on_complete(void *state, struct host *h, req_id r, dev_id d, bool request_done)
{
    struct any *self = state;
    (void)d;
    if (!request_done)
        queue_push(&self->queue, 0, r, false);
    act(self, h);
}

static const struct policy any_policy = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "any",
    .state_size = sizeof(struct any),
    .init = any_init,
    .fini = any_fini,
    .on_ready = any_on_ready,
    .on_complete = any_on_complete,
};

static void run_worlds(const struct policy *policy, bool shared)
{
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        struct world w;
        random_world(&w, seed, policy, shared);
        if (world_run(&w) != 0)
            fail_msg("seed %llu: %s", (unsigned long long)seed, w.err.text);
        world_release(&w);
    }
}

static void answers_are_those_of_a_look_at_all(void **state)
{
    (void)state;
    struct policy on_cpus = any_policy;
    on_cpus.needs = 1u << HOST_CPU;
    run_worlds(&any_policy, false);
    run_worlds(&any_policy, true);
    run_worlds(&on_cpus, false);
    older_host = true;
    run_worlds(&any_policy, true);
    older_host = false;
    assert_true(checks > 100000 && searched > 10000 && revoked > 500);
}

/* ---- How many devices policies look at ---- */

static const struct host_ops *plain;
static struct host_ops counting;
static const struct policy *counted;
static uint64_t looks;

static bool count_look(const struct host *h, dev_id d, struct host_device *out)
{
    looks++;
    return plain->device(h, d, out);
}

static int init_and_count(void *state, const void *params, struct host *h)
{
    plain = h->ops;
    counting = *plain;
    counting.device = count_look;
    h->ops = &counting;
    int result = counted->init(state, params, h);
    looks = 0;
    return result;
}

/* Looks at a device per request, where half of the devices run requests with an SLA. */
static double looks_per_request(const char *name, bool revocation)
{
    enum { DEVICES = 1000, REQUESTS = 4000 };
    counted = policies_find(name);
    struct policy policy = *counted;
    policy.init = init_and_count;
    struct world w;
    world_init(&w, &policy, DEVICES);
    if (strcmp(name, "fcfs") != 0)
        world_param(&w, "revocation", revocation);
    for (int batch = 0; batch < 2; batch++) {
        uint32_t app = batch ? world_batch(&w, MS(70)) : world_latency(&w, MS(50));
        struct dcs_job *job = world_job(&w, app, 0);
        job->requests = REQUESTS / 2;
        job->clients = 600;
        job->sla_ns = batch ? 0 : MS(200);
    }
    assert_int_equal(world_run(&w), 0);
    assert_int_equal(w.out.requests, REQUESTS);
    world_release(&w);
    return (double)looks / REQUESTS;
}

static void a_request_costs_few_looks(void **state)
{
    (void)state;
    assert_true(looks_per_request("fcfs", false) < 4);
    for (int revocation = 0; revocation < 2; revocation++) {
        assert_true(looks_per_request("priority", revocation) < 8);
        assert_true(looks_per_request("elastic", revocation) < 8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_a_look_at_all),
        cmocka_unit_test(a_request_costs_few_looks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
