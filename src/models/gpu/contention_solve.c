/*
 * contention_solve.c - see contention.h, SOLUTION.
 */
#include "models/gpu/contention_solve.h"

#include <float.h>

#define LOAD_MAX   (400.0 / 401) /* a queue is no longer than 400 */
#define LOAD_EXACT 1e-13         /* a load this near to the utilisation is equal to it */
#define STEPS_MAX  20            /* of Newton; sets of an H200 on the SMs that it has need 2 to 8 */
#define LOADS_MAX  200           /* for the first resource at one length of the second's queue */
#define HALVINGS   40            /* of the second's utilisation */

/* One number of each resource: both are worked out in one instruction. */
typedef double by_resource __attribute__((vector_size(DCS_RESOURCES_MAX * sizeof(double))));
/* What a comparison of two of them says of each resource: -1 where it is true, else 0. */
typedef int64_t mask __attribute__((vector_size(DCS_RESOURCES_MAX * sizeof(int64_t))));

_Static_assert(DCS_RESOURCES_MAX == 2, "sums and the determinant below are of two resources");

struct member {
    by_resource pressure, weight[DCS_HINGES_MAX];
    by_resource own[DCS_HINGES_MAX]; /* how far its own queue is beyond each hinge */
    /* How steeply its slow-down grows with a queue, by how many hinges the queue has passed. */
    by_resource steep[DCS_HINGES_MAX + 1];
    double apart; /* slow-down by all but the first resource */
    double slowdown;
    double measured_to; /* dcs_shape_measured_to() */
};

/* A set in its canonical order. */
struct system {
    const struct dcs_spatial *s;
    struct member members[DCS_TOGETHER_MAX];
    uint32_t n, hinges;                /* of the resource with the most */
    by_resource level[DCS_HINGES_MAX]; /* of hinges; beyond those that a resource has: none */
    double most[DCS_RESOURCES_MAX];    /* the utilisation if none were slowed, which is the most */
    double highest[DCS_RESOURCES_MAX]; /* the highest pressure of a member */
    uint32_t loads;                    /* that were computed so far */
};

static double queue_beyond(double level, double hinge)
{
    return level > hinge ? level - hinge : 0;
}

static by_resource queues_beyond(by_resource level, by_resource hinge)
{
    by_resource beyond = level - hinge;
    return (by_resource)((beyond > 0) & (mask)beyond); /* C has no ?: of these */
}

static void fill_member(struct system *system, uint32_t i, uint64_t key)
{
    struct member *m = &system->members[i];
    double pressure[DCS_RESOURCES_MAX] = {0}, weight[DCS_RESOURCES_MAX][DCS_HINGES_MAX] = {0};
    m->measured_to = dcs_shape_contention(system->s, contention_shape(key), contention_sms(key),
                                          pressure, weight);
    m->slowdown = 1;
    m->apart = 1;
    m->pressure = (by_resource){pressure[0], pressure[1]};
    by_resource level = m->pressure / (1 - m->pressure);
    m->steep[0] = (by_resource){0};
    for (uint32_t k = 0; k < system->hinges; k++) {
        m->weight[k] = (by_resource){weight[0][k], weight[1][k]};
        m->own[k] = queues_beyond(level, system->level[k]);
        m->steep[k + 1] = m->steep[k] + m->weight[k];
    }
}

static void set_hinges(struct system *system)
{
    const struct dcs_spatial *s = system->s;
    system->hinges = 0;
    for (uint32_t r = 0; r < s->resources_count; r++)
        if (s->resources[r].hinges > system->hinges)
            system->hinges = s->resources[r].hinges;
    for (uint32_t k = 0; k < system->hinges; k++)
        for (uint32_t r = 0; r < DCS_RESOURCES_MAX; r++)
            system->level[k][r] = r < s->resources_count && k < s->resources[r].hinges
                                      ? s->resources[r].level[k]
                                      : DBL_MAX;
}

static void fill_members(struct system *system, const struct dcs_spatial *s, const uint64_t *keys,
                         uint32_t n)
{
    system->s = s;
    system->n = n;
    system->loads = 0;
    set_hinges(system);
    for (uint32_t i = 0; i < n; i++)
        fill_member(system, i, keys[i]);
    for (uint32_t r = 0; r < DCS_RESOURCES_MAX; r++) {
        double sum = 0, highest = 0;
        for (uint32_t i = 0; i < n; i++) {
            double pressure = system->members[i].pressure[r];
            sum += pressure;
            highest = pressure > highest ? pressure : highest;
        }
        system->most[r] = sum < LOAD_MAX ? sum : LOAD_MAX;
        system->highest[r] = highest < LOAD_MAX ? highest : LOAD_MAX;
    }
}

/* How far a queue of length `level` is beyond each hinge of its resource. Returns how many hinges
 * it has passed. */
static uint32_t pass_hinges(const struct dcs_resource *resource, double level,
                            double passed[DCS_HINGES_MAX])
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < resource->hinges; k++) {
        passed[k] = queue_beyond(level, resource->level[k]);
        n += level >= resource->level[k];
    }
    return n;
}

/* By how much more than alone a member is slowed by resource r, whose queue is `passed` beyond each
 * hinge. */
static double slowed_by(const struct system *system, const struct member *m, uint32_t r,
                        const double passed[DCS_HINGES_MAX])
{
    double sum = 0;
    for (uint32_t k = 0; k < system->s->resources[r].hinges; k++)
        sum += m->weight[k][r] * (passed[k] - m->own[k][r]);
    return sum;
}

/* The load that the members put on the first resource if its utilisation were u. *falls: how
 * steeply the load falls as u rises. Leaves the members' slow-downs at u. */
static double load_first(struct system *system, double u, double *falls)
{
    double level = u / (1 - u), grows = 1 / ((1 - u) * (1 - u)), sum = 0;
    double passed[DCS_HINGES_MAX];
    uint32_t hinges = pass_hinges(&system->s->resources[0], level, passed);
    *falls = 0;
    for (uint32_t i = 0; i < system->n; i++) {
        struct member *m = &system->members[i];
        double slowdown = m->apart + slowed_by(system, m, 0, passed);
        m->slowdown = slowdown > 1 ? slowdown : 1;
        double part = m->pressure[0] / m->slowdown;
        sum += part;
        if (slowdown > 1)
            *falls += part / slowdown * (m->steep[hinges][0] * grows);
    }
    system->loads++;
    return sum;
}

/* Finds the utilisation of the first resource, from a first guess u: by Newton's steps, and by
 * halving the bracket where a step leaves it. Every fourth step halves it anyway, for curves at
 * which Newton's steps creep. The upper end is tried once, since a resource that is overloaded, or
 * that slows nobody, ends there. Leaves the slow-downs at the utilisation, and returns it. */
static double settle_first(struct system *system, double u)
{
    double low = 0, high = system->most[0];
    bool high_seen = false;
    u = u < high ? u : high;
    for (int i = 0; i < LOADS_MAX; i++) {
        double falls, miss = load_first(system, u, &falls) - u;
        if ((miss <= LOAD_EXACT && miss >= -LOAD_EXACT) || high - low <= LOAD_EXACT)
            break;
        high_seen = high_seen || miss < 0;
        if (miss > 0)
            low = u;
        else
            high = u;
        double next = u + miss / (1 + falls);
        if (next >= high && !high_seen)
            u = high;
        else
            u = next > low && next < high && i % 4 != 3 ? next : low + (high - low) / 2;
    }
    return u;
}

static void set_apart(struct system *system, uint32_t r, double level)
{
    double passed[DCS_HINGES_MAX];
    pass_hinges(&system->s->resources[r], level, passed);
    for (uint32_t i = 0; i < system->n; i++)
        system->members[i].apart = 1 + slowed_by(system, &system->members[i], r, passed);
}

/* Halves the bracket of the second resource's utilisation; at each, that of the first is found.
 * Slow, but it always ends. */
static void halve_second(struct system *system)
{
    double first = system->most[0];
    double low = 0, high = LOAD_MAX;
    for (int i = 0; i < HALVINGS; i++) {
        double u = 0.5 * (low + high), sum = 0;
        set_apart(system, 1, u / (1 - u));
        first = settle_first(system, first);
        for (uint32_t k = 0; k < system->n; k++)
            sum += system->members[k].pressure[1] / system->members[k].slowdown;
        if (sum > u)
            low = u;
        else
            high = u;
    }
}

/* How far the utilisations of two resources are from the loads that the members put on them. */
struct misses {
    by_resource miss; /* by resource: its load less its utilisation */
    /* falls[r][q]: how steeply the miss of r falls as the utilisation of q rises. */
    by_resource falls[DCS_RESOURCES_MAX];
};

/* What the utilisations u miss. Leaves the members' slow-downs at u. */
static void find_misses(struct system *system, by_resource u, struct misses *out)
{
    by_resource level = u / (1 - u), grows = 1 / ((1 - u) * (1 - u)), passed[DCS_HINGES_MAX];
    mask hinges = {0};
    for (uint32_t k = 0; k < system->hinges; k++) {
        passed[k] = queues_beyond(level, system->level[k]);
        hinges -= level >= system->level[k];
    }
    *out = (struct misses){.miss = -u, .falls = {{1, 0}, {0, 1}}};
    for (uint32_t i = 0; i < system->n; i++) {
        struct member *m = &system->members[i];
        by_resource sum = {0};
        for (uint32_t k = 0; k < system->hinges; k++)
            sum += m->weight[k] * (passed[k] - m->own[k]);
        double slowdown = 1 + sum[0] + sum[1];
        m->slowdown = slowdown > 1 ? slowdown : 1;
        by_resource part = m->pressure / m->slowdown;
        out->miss += part;
        if (!(slowdown > 1))
            continue;
        by_resource steep = {m->steep[hinges[0]][0], m->steep[hinges[1]][1]};
        by_resource fall = part / slowdown, rise = steep * grows;
        out->falls[0] += fall[0] * rise;
        out->falls[1] += fall[1] * rise;
    }
    system->loads += 2;
}

static bool is_exact(double miss)
{
    return miss <= LOAD_EXACT && miss >= -LOAD_EXACT;
}

/* A step of one utilisation. If it would leave the range from 0 to LOAD_MAX, half the way there. */
static double step_utilisation(double u, double by)
{
    double next = u + by;
    if (next < 0)
        return 0.5 * u;
    return next > LOAD_MAX ? u + 0.5 * (LOAD_MAX - u) : next;
}

/* Newton's steps in both utilisations. They begin half-way between the highest pressure of one
 * member and the sum of all pressures. False if they find nothing, of which there are three cases:
 * at a hinge the steps may go to and fro; the members may put more on a resource than it can be
 * used; and the determinant `whole` may be 0, so that no step is a number. */
static bool step_to_solution(struct system *system)
{
    by_resource u = {0.5 * (system->highest[0] + system->most[0]),
                     0.5 * (system->highest[1] + system->most[1])};
    for (int i = 0; i < STEPS_MAX; i++) {
        struct misses at;
        find_misses(system, u, &at);
        if (is_exact(at.miss[0]) && is_exact(at.miss[1]))
            return true;
        double whole = at.falls[0][0] * at.falls[1][1] - at.falls[0][1] * at.falls[1][0];
        double by[2] = {(at.miss[0] * at.falls[1][1] - at.miss[1] * at.falls[0][1]) / whole,
                        (at.miss[1] * at.falls[0][0] - at.miss[0] * at.falls[1][0]) / whole};
        for (uint32_t r = 0; r < 2; r++)
            u[r] = step_utilisation(u[r], by[r]);
    }
    return false;
}

static void solve_system(struct system *system)
{
    if (!(system->most[1] > 0)) /* there is one resource, or nobody presses on the second */
        settle_first(system, system->most[0]);
    else if (!step_to_solution(system))
        halve_second(system);
}

/* A kernel to which no pressure and no weight was fitted, or only 0. */
static bool is_silent(const struct dcs_spatial *s, const struct member *m)
{
    for (uint32_t r = 0; r < s->resources_count; r++) {
        if (m->pressure[r] > 0)
            return false;
        for (uint32_t k = 0; k < s->resources[r].hinges; k++)
            if (m->weight[k][r] > 0)
                return false;
    }
    return true;
}

uint32_t contention_solve_set(const struct dcs_spatial *s, const uint64_t *keys, uint32_t n,
                              double *slowdown, double *measured_to)
{
    struct system system;
    uint32_t heard = 0;
    fill_members(&system, s, keys, n);
    for (uint32_t i = 0; i < n; i++)
        heard += !is_silent(s, &system.members[i]);
    if (heard > 1)
        solve_system(&system);
    for (uint32_t i = 0; i < n; i++) {
        slowdown[i] = system.members[i].slowdown;
        measured_to[i] = system.members[i].measured_to;
    }
    return system.loads;
}
