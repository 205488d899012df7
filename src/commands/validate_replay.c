/*
 * validate_replay.c - see validate_replay.h.
 *
 * At one instant what ends comes before what begins, and parties begin in their order.
 */
#include "commands/validate_replay.h"

#include <string.h>

#define STEPS_MAX 20000000 /* what was measured needs less than a twentieth */

struct state {
    int64_t wakes_ns;    /* its next launch; DCS_NEVER: it runs, or is through */
    uint32_t kernel;     /* of its request */
    int64_t launched_ns; /* the kernel before it; of the first the request's begin */
    bool begun;          /* its request */
    size_t counted;      /* requests that began after the warm-up */
};

struct replayer {
    struct dcs_gpu *gpu;
    struct replay_party *parties;
    struct state states[DCS_TOGETHER_MAX];
    size_t count, warmups, least;
    int64_t now_ns, from_ns; /* from_ns: -1 in the warm-up */
};

static int64_t scaled(int64_t ns, double scale)
{
    return ns < 0 ? ns : (int64_t)((double)ns * scale + 0.5);
}

int64_t replay_launch_ns(const struct replay_party *p, uint32_t kernel, int64_t launched_ns,
                         int64_t ended_ns)
{
    if (p->host == NULL)
        return ended_ns;
    const struct dcs_host_gap gap = {scaled(p->host[kernel].gap_ns, p->host_scale),
                                     scaled(p->host[kernel].wait_ns, p->host_scale)};
    return dcs_host_launch_ns(&gap, dcs_add_times(launched_ns, kernel == 0 ? p->delay_ns : 0),
                              ended_ns);
}

static void start(struct replayer *r, size_t i)
{
    struct replay_party *p = &r->parties[i];
    struct state *state = &r->states[i];
    if (!state->begun) {
        p->runs = dcs_grow(p->runs, &p->capacity, p->count + 1, sizeof *p->runs);
        p->runs[p->count] = (struct replay_run){.begin_ns = r->now_ns};
        state->begun = true;
        state->wakes_ns = replay_launch_ns(p, 0, r->now_ns, r->now_ns);
        state->launched_ns = state->wakes_ns;
        if (state->wakes_ns > r->now_ns)
            return;
    }
    state->wakes_ns = DCS_NEVER;
    dcs_gpu_start(r->gpu, r->now_ns,
                  &(struct dcs_gpu_launch){.id = i + 1,
                                           .shape = p->shapes[state->kernel],
                                           .scale = p->scale,
                                           .allotment = p->allotment,
                                           .class = DCS_BATCH});
}

static void end(struct replayer *r, size_t i)
{
    struct replay_party *p = &r->parties[i];
    struct state *state = &r->states[i];
    state->wakes_ns = r->now_ns;
    if (++state->kernel < p->shapes_count) {
        state->launched_ns = replay_launch_ns(p, state->kernel, state->launched_ns, r->now_ns);
        if (state->launched_ns > r->now_ns)
            state->wakes_ns = state->launched_ns;
        return;
    }
    state->kernel = 0;
    state->begun = false;
    p->runs[p->count].end_ns = r->now_ns;
    state->counted += r->from_ns >= 0 && p->runs[p->count].begin_ns >= r->from_ns;
    p->count++;
    if (p->arrivals_ns == NULL)
        state->wakes_ns = dcs_add_times(r->now_ns, p->pause_ns);
    else if (p->count == p->arrivals_count)
        state->wakes_ns = DCS_NEVER;
    else if (p->arrivals_ns[p->count] > r->now_ns)
        state->wakes_ns = p->arrivals_ns[p->count];
}

/* Ends the warm-up where it is over. */
static bool is_over(struct replayer *r)
{
    bool open = false, served = true, warm = true, counted = true;
    for (size_t i = 0; i < r->count; i++) {
        const struct replay_party *p = &r->parties[i];
        open = open || p->arrivals_ns != NULL;
        served = served && (p->arrivals_ns == NULL || p->count == p->arrivals_count);
        warm = warm && p->count >= r->warmups;
        counted = counted && r->states[i].counted >= r->least;
    }
    if (open)
        return served;
    if (warm && r->from_ns < 0)
        r->from_ns = r->now_ns;
    return r->from_ns >= 0 && counted;
}

/* False: nothing happens any more that could be simulated. */
static bool step(struct replayer *r)
{
    size_t next = 0;
    for (size_t i = 1; i < r->count; i++)
        if (r->states[i].wakes_ns < r->states[next].wakes_ns)
            next = i;
    int64_t device_ns = dcs_gpu_next_ns(r->gpu), wakes_ns = r->states[next].wakes_ns;
    if (device_ns >= DCS_TIME_MAX && wakes_ns >= DCS_TIME_MAX)
        return false;
    if (wakes_ns < device_ns) {
        r->now_ns = wakes_ns;
        start(r, next);
        return true;
    }
    struct dcs_gpu_end ended[DCS_TOGETHER_MAX];
    r->now_ns = device_ns;
    uint32_t n = dcs_gpu_advance(r->gpu, device_ns, ended);
    for (uint32_t i = 0; i < n; i++)
        end(r, (size_t)ended[i].id - 1);
    return true;
}

bool replay(const struct dcs_spatial *s, struct dcs_contention *contention,
            struct replay_party *parties, size_t count, size_t warmups, size_t least,
            int64_t *from_ns)
{
    struct replayer r = {.gpu = dcs_gpu_create(s, contention, UINT64_MAX, 0),
                         .parties = parties,
                         .count = count,
                         .warmups = warmups,
                         .least = least,
                         .from_ns = -1};
    DCS_ASSERT(count >= 1 && count <= DCS_TOGETHER_MAX);
    for (size_t i = 0; i < count; i++)
        if (parties[i].arrivals_ns != NULL)
            r.states[i].wakes_ns = parties[i].arrivals_ns[0];
    bool over = false, goes_on = true;
    for (int64_t steps = 0; !over && goes_on && steps < STEPS_MAX; steps++) {
        goes_on = step(&r);
        over = is_over(&r);
    }
    dcs_gpu_destroy(r.gpu);
    *from_ns = r.from_ns >= 0 ? r.from_ns : 0;
    return over;
}
