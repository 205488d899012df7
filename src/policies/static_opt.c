/*
 * static_opt.c - free competition with so many batch instances as are known to be safe: EMU's
 * Static-Opt, Wang, thesis, section 5.5.2.
 *
 * Which number of instances keeps the targets of a service is found beforehand, by running each
 * pair under `os` with 0, 1, 2, ... of them; it is given as an option. Latency requests start when
 * they come. Of the batch requests at most the number of the pair run on a device at a time, the
 * oldest first; the others wait, for ever where the number is 0.
 *
 * What the source leaves open: beside several services a batch application may have as many
 * instances as beside the most sensitive of them, and where batch applications with different
 * numbers meet, each counts all instances that run. Until a service has had its first request in
 * a domain, it is not beside anything.
 */
#include "policies/lib/cpu.h"
#include "policies/lib/grow.h"
#include "policies/lib/name.h"
#include "policies/lib/queue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INSTANCES_MAX 10000

struct static_params {
    char *instances;
};

struct static_pair {
    struct name_part service, batch;
    uint32_t most;
};

struct static_opt {
    struct queue latency, batch;
    struct static_pair *pairs; /* NULL: one number for all */
    size_t pairs_count, pairs_capacity;
    uint32_t most;
    app_id *services; /* that have had requests here */
    size_t services_count, services_capacity;
    uint32_t *running; /* batch, by device */
};

static const struct param params[] = {
    {PARAM_STRING, "instances", .offset = offsetof(struct static_params, instances), .text = "1",
     .help = "Batch instances that run on a device at a time: one number (\"2\"), or one for each "
             "pair (\"asr+bs=2,asr+bt=1\")."},
    {0},
};

/* A number of instances; returns what follows it, NULL: there is none. */
static const char *parse_number(const char *text, uint32_t *number)
{
    *number = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9' && *number <= INSTANCES_MAX; at++)
        *number = 10 * *number + (uint32_t)(*at - '0');
    return at != text && *number <= INSTANCES_MAX ? at : NULL;
}

/* "SERVICE+BATCH=N,..." or "N"; false if it is neither. */
static bool parse(struct static_opt *self, const char *text)
{
    const char *end = parse_number(text, &self->most);
    if (end != NULL && *end == '\0')
        return true;
    for (;;) {
        const char *plus = strchr(text, '+'), *equals = strchr(text, '='),
                   *comma = strchr(text, ',');
        if (plus == NULL || equals == NULL || plus > equals || (comma != NULL && comma < equals))
            return false;
        self->pairs =
            grow(self->pairs, &self->pairs_capacity, self->pairs_count, sizeof *self->pairs, 16);
        struct static_pair *p = &self->pairs[self->pairs_count++];
        *p = (struct static_pair){.service = {text, (size_t)(plus - text)},
                                  .batch = {plus + 1, (size_t)(equals - plus - 1)}};
        end = parse_number(equals + 1, &p->most);
        if (end == NULL || (*end != '\0' && *end != ','))
            return false;
        if (*end == '\0')
            return true;
        text = end + 1;
    }
}

/* How many instances may run while this one does. */
static uint32_t most_of(const struct static_opt *self, struct host *h, app_id batch)
{
    if (self->pairs == NULL)
        return self->most;
    uint32_t most = self->services_count > 0 ? UINT32_MAX : 0;
    for (size_t s = 0; s < self->services_count; s++) {
        const char *service = host_app_name(h, self->services[s]), *own = host_app_name(h, batch);
        bool found = false;
        for (size_t i = 0; i < self->pairs_count && !found; i++) {
            const struct static_pair *p = &self->pairs[i];
            found = name_is(p->service, service) && name_is(p->batch, own);
            if (found && p->most < most)
                most = p->most;
        }
        if (!found) {
            char why[320];
            snprintf(why, sizeof why,
                     "policy.instances lacks the pair %.120s+%.120s, which runs together", service,
                     own);
            host_fail(h, why);
            return 0;
        }
    }
    return most;
}

/* The device with the fewest batch instances. */
static dev_id emptiest(const struct static_opt *self, const struct host *h)
{
    dev_id best = 0;
    for (dev_id d = 1; d < host_devices(h); d++)
        if (self->running[d] < self->running[best])
            best = d;
    return best;
}

static void dispatch(struct static_opt *self, struct host *h)
{
    struct host_request request;
    struct host_device device;
    while (self->latency.count > 0) {
        dev_id d = cpu_quietest(h);
        if (d == HOST_NO_DEVICE)
            return;
        req_id r = queue_pop(&self->latency, h, &request);
        if (r != 0)
            host_launch(h, r, d, cpu_free_for_all(h, d));
    }
    while (self->batch.count > 0) {
        req_id r = queue_pop(&self->batch, h, &request);
        if (r == 0)
            return;
        dev_id d = emptiest(self, h);
        host_device(h, d, &device);
        if (device.kernels == device.kernels_max ||
            self->running[d] >= most_of(self, h, request.app)) {
            queue_push(&self->batch, 0, r, true);
            return;
        }
        self->running[d]++;
        host_launch(h, r, d, cpu_free_for_all(h, d));
    }
}

static int static_init(void *state, const void *given, struct host *h)
{
    struct static_opt *self = state;
    const struct static_params *p = given;
    queue_init(&self->latency, QUEUE_FIFO);
    queue_init(&self->batch, QUEUE_FIFO);
    if (!parse(self, p->instances)) {
        host_fail(h, "policy.instances must be a number from 0 to 10000, or "
                     "SERVICE+BATCH=N,... of such numbers");
        return -1;
    }
    self->running = calloc(host_devices(h), sizeof *self->running);
    return self->running != NULL ? 0 : -1;
}

static void static_fini(void *state)
{
    struct static_opt *self = state;
    queue_release(&self->latency);
    queue_release(&self->batch);
    free(self->pairs);
    free(self->services);
    free(self->running);
}

static void meet(struct static_opt *self, app_id service)
{
    for (size_t i = 0; i < self->services_count; i++)
        if (self->services[i] == service)
            return;
    self->services = grow(self->services, &self->services_capacity, self->services_count,
                          sizeof *self->services, 4);
    self->services[self->services_count++] = service;
}

static void wait_again(struct static_opt *self, struct host *h, req_id r, bool front)
{
    struct host_request request;
    if (!host_request(h, r, &request))
        return;
    bool latency = request.class == HOST_LATENCY;
    if (latency)
        meet(self, request.app);
    queue_push(latency ? &self->latency : &self->batch, 0, r, front);
}

static void static_on_ready(void *state, struct host *h, req_id r)
{
    struct static_opt *self = state;
    wait_again(self, h, r, false);
    dispatch(self, h);
}

static void static_on_complete(void *state, struct host *h, req_id r, dev_id d, bool request_done)
{
    struct static_opt *self = state;
    struct host_request request;
    if (host_request(h, r, &request) && request.class == HOST_BATCH)
        self->running[d]--;
    if (!request_done)
        wait_again(self, h, r, true);
    dispatch(self, h);
}

const struct policy policy_static_opt;
const struct policy policy_static_opt = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "static-opt",
    .summary = "Free competition with as many batch instances as are known to be safe.",
    .source = "EMU (Wang, thesis, chapter 5), section 5.5.2",
    .needs = 1u << HOST_CPU,
    .params = params,
    .params_size = sizeof(struct static_params),
    .state_size = sizeof(struct static_opt),
    .init = static_init,
    .fini = static_fini,
    .on_ready = static_on_ready,
    .on_complete = static_on_complete,
};
