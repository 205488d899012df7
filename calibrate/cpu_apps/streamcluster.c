/*
 * streamcluster.c - clusters points of a stream around some of them: one chunk of the algorithm of
 * O'Callaghan, Mishra, Meyerson, Guha, Motwani, "Streaming-data algorithms for high-quality
 * clustering", ICDE 2002. A first solution by Meyerson, "Online facility location", FOCS 2001; then
 * local search: a point becomes a centre where that gains, with the points that are nearer to it,
 * and centres that are not worth their price any more give it theirs (Charikar and Guha, FOCS
 * 1999).
 *
 * A size is a number of points of 64 coordinates. A request tries CANDIDATES points as centres:
 * each time all points are read, divided among threads.
 *
 * Coordinates are whole numbers below 256, so that all sums are exact. Simplified: a centre has a
 * fixed price, rather than one that is sought so that a given number of centres remain.
 */
#include "calibrate/cpu/cpu_app.h"

enum { DIMENSIONS = 64, CLUSTERS = 20, CENTRES_MAX = 48, CANDIDATES = 64, GRAIN = 256, LANES = 8 };

struct assigned {
    int32_t centre; /* a point */
    float cost;     /* square of the distance to it */
};

/* What one piece of the points says of a candidate. */
struct part {
    double nearer;            /* by how much cheaper the points are that it would take */
    double lost[CENTRES_MAX]; /* dearer, of each centre: points that would come from it */
};

struct state {
    int64_t n, price; /* price: of a centre */
    uint64_t seed;
    float *points;                /* [point][DIMENSIONS] */
    int32_t *slot;                /* which centre a point has: index of centres */
    float *asked;                 /* squares of distances to the candidate */
    int32_t centres[CENTRES_MAX]; /* points; -1: unused */
    bool closing[CENTRES_MAX];
    struct part *parts;
    int32_t candidate, candidate_slot;
    int64_t read; /* points that were compared with a centre or candidate */
    struct assigned *result;
};

static void *create(int64_t size, uint64_t seed, struct cal_arena *a, struct dcs_err *err)
{
    (void)err;
    struct state *s = cal_arena_take(a, 1, sizeof *s);
    size_t n = (size_t)size;
    s->n = size;
    s->price = 1000 * size;
    s->seed = seed;
    s->points = cal_arena_take(a, n * DIMENSIONS, sizeof *s->points);
    s->slot = cal_arena_take(a, n, sizeof *s->slot);
    s->asked = cal_arena_take(a, n, sizeof *s->asked);
    s->parts = cal_arena_take(a, (n + GRAIN - 1) / GRAIN, sizeof *s->parts);
    s->result = cal_arena_take(a, n, sizeof *s->result);
    for (size_t i = 0; i < n; i++) {
        uint64_t cluster = cal_cpu_random(seed, i) % CLUSTERS;
        for (size_t d = 0; d < DIMENSIONS; d++) {
            uint64_t middle = 64 + cal_cpu_random(seed + 1, cluster * DIMENSIONS + d) % 128;
            uint64_t away = cal_cpu_random(seed + 2, i * DIMENSIONS + d) % 81;
            s->points[i * DIMENSIONS + d] = (float)(middle + away - 40);
        }
    }
    return s;
}

/* Of two points; below 2^24, so that a float is exact. */
static float square_of_distance(const struct state *s, int64_t i, int64_t j)
{
    const float *a = s->points + i * DIMENSIONS, *b = s->points + j * DIMENSIONS;
    float sums[LANES] = {0}, sum = 0;
    for (int d = 0; d < DIMENSIONS; d += LANES)
        for (int k = 0; k < LANES; k++) {
            float away = a[d + k] - b[d + k];
            sums[k] += away * away;
        }
    for (int k = 0; k < LANES; k++)
        sum += sums[k];
    return sum;
}

/* --- the first solution: each point in turn becomes a centre by chance, likelier if it is far
 * from all --- */

static void join(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    const struct state *s = context;
    int64_t first = s->candidate; /* points before it are settled */
    for (int64_t i = first + begin; i < first + end; i++) {
        float cost = square_of_distance(s, i, s->candidate);
        if (s->candidate_slot == 0 || cost < s->result[i].cost) {
            s->result[i].cost = cost;
            s->slot[i] = s->candidate_slot;
        }
    }
}

/* Whether a chance of cost / price comes true. */
static bool falls(const struct state *s, int64_t point, float cost)
{
    uint64_t bits = cal_cpu_random(s->seed + 3, (uint64_t)point) >> 32;
    return bits * (uint64_t)s->price < (uint64_t)cost << 32;
}

static void begin_with_some(struct state *s, struct cal_team *t)
{
    int32_t opened = 0;
    for (int32_t k = 0; k < CENTRES_MAX; k++)
        s->centres[k] = -1;
    for (int64_t i = 0; i < s->n && opened < CENTRES_MAX; i++) {
        if (i > 0 && !falls(s, i, s->result[i].cost))
            continue;
        s->candidate = (int32_t)i;
        s->candidate_slot = opened;
        s->centres[opened++] = (int32_t)i;
        cal_team_for(t, s->n - i, GRAIN, join, s);
        s->read += s->n - i;
    }
}

/* --- local search --- */

static void weigh(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    const struct state *s = context;
    struct part *p = &s->parts[begin / GRAIN];
    *p = (struct part){0};
    for (int64_t i = begin; i < end; i++) {
        s->asked[i] = square_of_distance(s, i, s->candidate);
        double dearer = (double)(s->asked[i] - s->result[i].cost);
        if (dearer < 0)
            p->nearer -= dearer;
        else
            p->lost[s->slot[i]] += dearer;
    }
}

static void move(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    const struct state *s = context;
    for (int64_t i = begin; i < end; i++)
        if (s->asked[i] < s->result[i].cost || s->closing[s->slot[i]]) {
            s->result[i].cost = s->asked[i];
            s->slot[i] = s->candidate_slot;
        }
}

/* Opens the candidate if that is cheaper, with all that follows from it. */
static void try_candidate(struct state *s, struct cal_team *t)
{
    struct part all = {0};
    cal_team_for(t, s->n, GRAIN, weigh, s);
    s->read += s->n;
    for (int64_t i = 0; i < (s->n + GRAIN - 1) / GRAIN; i++) {
        all.nearer += s->parts[i].nearer;
        for (int k = 0; k < CENTRES_MAX; k++)
            all.lost[k] += s->parts[i].lost[k];
    }
    double gain = all.nearer - (double)s->price;
    s->candidate_slot = -1;
    for (int32_t k = 0; k < CENTRES_MAX; k++) {
        s->closing[k] = s->centres[k] >= 0 && all.lost[k] < (double)s->price;
        gain += s->closing[k] ? (double)s->price - all.lost[k] : 0;
        if (s->candidate_slot < 0 && (s->closing[k] || s->centres[k] < 0))
            s->candidate_slot = k;
    }
    if (gain <= 0 || s->candidate_slot < 0)
        return;
    cal_team_for(t, s->n, GRAIN, move, s);
    for (int k = 0; k < CENTRES_MAX; k++)
        s->centres[k] = s->closing[k] ? -1 : s->centres[k];
    s->centres[s->candidate_slot] = s->candidate;
}

static bool is_centre(const struct state *s, int32_t point)
{
    for (int k = 0; k < CENTRES_MAX; k++)
        if (s->centres[k] == point)
            return true;
    return false;
}

static int32_t candidate_of(const struct state *s, int i)
{
    return (int32_t)(cal_cpu_random(s->seed + 4, (uint64_t)i) % (uint64_t)s->n);
}

static void name_centres(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    const struct state *s = context;
    for (int64_t i = begin; i < end; i++)
        s->result[i].centre = s->centres[s->slot[i]];
}

static void run_request(void *state, struct cal_team *t)
{
    struct state *s = state;
    s->read = 0;
    begin_with_some(s, t);
    for (int i = 0; i < CANDIDATES; i++) {
        s->candidate = candidate_of(s, i);
        if (!is_centre(s, s->candidate))
            try_candidate(s, t);
    }
    cal_team_for(t, s->n, GRAIN, name_centres, s);
}

/* --- the reference: whole solutions and what they cost, in integers --- */

/* Points, and the square of the distance between any two. */
struct pairs {
    const struct state *s;
    int64_t n, price;
    int32_t *costs; /* [point][point] */
};

static void fill(struct pairs *p, const struct state *s, struct cal_arena *a)
{
    p->s = s;
    p->n = s->n;
    p->price = s->price;
    p->costs = cal_arena_take(a, (size_t)(p->n * p->n), sizeof *p->costs);
    for (int64_t i = 0; i < p->n; i++)
        for (int64_t j = 0; j < p->n; j++)
            for (int64_t d = 0; d < DIMENSIONS; d++) {
                int32_t x = (int32_t)s->points[i * DIMENSIONS + d];
                int32_t y = (int32_t)s->points[j * DIMENSIONS + d];
                p->costs[i * p->n + j] += x * x - 2 * x * y + y * y;
            }
}

static int64_t cost_between(const struct pairs *p, int64_t i, int64_t j)
{
    return p->costs[i * p->n + j];
}

static int64_t count_centres(const struct pairs *p, const int32_t *centre)
{
    int64_t k = 0;
    for (int64_t i = 0; i < p->n; i++)
        k += centre[i] == i; /* a centre is its own: nothing is nearer */
    return k;
}

/* Points and centres of a solution: centre[i] for each point. */
static int64_t cost_of(const struct pairs *p, const int32_t *centre)
{
    int64_t sum = p->price * count_centres(p, centre);
    for (int64_t i = 0; i < p->n; i++)
        sum += cost_between(p, i, centre[i]);
    return sum;
}

static void begin_naively(const struct pairs *p, int32_t *centre)
{
    int64_t opened = 1;
    for (int64_t i = 0; i < p->n; i++)
        centre[i] = 0;
    for (int64_t i = 1; i < p->n && opened < CENTRES_MAX; i++) {
        int64_t cost = cost_between(p, i, centre[i]);
        double chance = (double)(cal_cpu_random(p->s->seed + 3, (uint64_t)i) >> 32) / 4294967296.0;
        if (chance * (double)p->price >= (double)cost)
            continue;
        opened++;
        for (int64_t j = i; j < p->n; j++)
            if (cost_between(p, j, i) < cost_between(p, j, centre[j]))
                centre[j] = (int32_t)i;
    }
}

/* The solution with x as a centre too, and without those that cost less that way. */
static void open_naively(const struct pairs *p, int32_t x, const int32_t *centre, int32_t *with)
{
    for (int64_t i = 0; i < p->n; i++)
        with[i] = cost_between(p, i, x) < cost_between(p, i, centre[i]) ? x : centre[i];
    for (int64_t c = 0; c < p->n; c++) {
        int64_t without = 0, now = p->price;
        for (int64_t i = 0; i < p->n && centre[c] == c; i++)
            if (with[i] == c) {
                now += cost_between(p, i, c);
                without += cost_between(p, i, x);
            }
        for (int64_t i = 0; i < p->n && without < now && centre[c] == c; i++)
            with[i] = with[i] == c ? x : with[i];
    }
}

static int check_results(const void *state, struct dcs_err *err)
{
    const struct state *s = state;
    struct cal_arena a = {0};
    int32_t *centre = cal_arena_take(&a, (size_t)s->n, sizeof *centre);
    int32_t *with = cal_arena_take(&a, (size_t)s->n, sizeof *with);
    struct pairs p = {0};
    fill(&p, s, &a);
    begin_naively(&p, centre);
    for (int k = 0; k < CANDIDATES; k++) {
        int32_t x = candidate_of(s, k);
        if (centre[x] == x)
            continue;
        open_naively(&p, x, centre, with);
        if (cost_of(&p, with) >= cost_of(&p, centre) || count_centres(&p, with) > CENTRES_MAX)
            continue;
        int32_t *swap = centre;
        centre = with;
        with = swap;
    }
    int wrong = 0;
    for (int64_t i = 0; i < s->n && !wrong; i++) {
        int64_t cost = cost_between(&p, i, centre[i]);
        if (s->result[i].centre != centre[i] || s->result[i].cost != (float)cost)
            wrong = dcs_err_set(err, "point %lld: centre %d at a cost of %g, not %d at %lld",
                                (long long)i, s->result[i].centre, (double)s->result[i].cost,
                                centre[i], (long long)cost);
    }
    cal_arena_release(&a);
    return wrong;
}

static void *results(void *state, size_t *words)
{
    struct state *s = state;
    *words = (size_t)s->n * (sizeof *s->result / 4);
    return s->result;
}

/* A point that is compared has three operations a coordinate, and is read again each time. */
static void count(const void *state, double *operations, double *bytes)
{
    const struct state *s = state;
    *operations = (double)s->read * (3 * DIMENSIONS + 2);
    *bytes = (double)s->read * (4 * DIMENSIONS + 16);
}

const struct cal_cpu_app cal_cpu_app_streamcluster = {
    .name = "sc",
    .role = CAL_CPU_BATCH,
    .papers = "EMU table 5-2: streamcluster of PARSEC",
    .algorithm = "O'Callaghan et al. 2002; Meyerson 2001",
    .size_unit = "points",
    .size_min = 2048,
    .size_max = 131072,
    .size_default = 16384,
    .size_check = 200,
    .size_step = 1,
    .create = create,
    .run = run_request,
    .check = check_results,
    .results = results,
    .count = count,
};
