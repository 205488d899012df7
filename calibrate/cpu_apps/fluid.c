/*
 * fluid.c - a block of liquid that falls apart in a tank, by smoothed particles: Müller, Charypar,
 * Gross, "Particle-based fluid simulation for interactive applications", Symposium on Computer
 * Animation 2003, with its three kernels: density by equation 20, pressure by 10 and 21, viscosity
 * by 14 and 22. Walls push back like springs.
 *
 * A size is a number of particles. A request is STEPS steps from the start. In each, particles are
 * put in order by the cells of a grid, as wide as a kernel reaches; then every particle sums over
 * those in the 27 cells around it. Threads divide cells.
 *
 * Lengths are in distances between particles at the start; the mass of each is 1.
 */
#include "calibrate/cpu/cpu_app.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum { STEPS = 4, GRAIN = 16 };
#define PI        3.14159265358979323846
#define REACH     2.0F
#define STIFFNESS 50.0F
#define DENSITY   1.0F /* at rest */
#define VISCOSITY 2.0F
#define GRAVITY   10.0F
#define SPRING    500.0F
#define FRICTION  50.0F /* of a wall, in proportion to how far a particle is behind it */
#define STEP      0.005F

struct particle {
    float x[3], v[3];
    int32_t id;
    float density;
};

struct state {
    int64_t n, cells;
    float box[3];
    int32_t grid[3];
    struct particle *given, *now, *next; /* now: in order of the cells, then of ids */
    int32_t *cell;                       /* of each of next */
    _Atomic int32_t *count, *filled;     /* of each cell */
    int32_t *begin;                      /* of each cell in now, and the end of the last */
    int32_t *order;                      /* next[order[i]] goes to now[i] */
    _Atomic int64_t pairs;               /* that were looked at */
    float (*result)[6];                  /* by id: place and speed */
};

static void *create(int64_t size, uint64_t seed, struct cal_arena *a, struct dcs_err *err)
{
    (void)err;
    struct state *s = cal_arena_take(a, 1, sizeof *s);
    size_t n = (size_t)size;
    int64_t side = (int64_t)ceil(cbrt((double)size) - 1e-9);
    s->n = size;
    s->box[0] = 2 * (float)side;
    s->box[1] = 1.25F * (float)side;
    /* The block begins against three walls and this one. */
    s->box[2] = (float)((size + side * side - 1) / (side * side)) - 0.9F;
    s->cells = 1;
    for (int k = 0; k < 3; k++) {
        s->grid[k] = (int32_t)ceilf(s->box[k] / REACH);
        s->cells *= s->grid[k];
    }
    s->given = cal_arena_take(a, n, sizeof *s->given);
    s->now = cal_arena_take(a, n, sizeof *s->now);
    s->next = cal_arena_take(a, n, sizeof *s->next);
    s->cell = cal_arena_take(a, n, sizeof *s->cell);
    s->order = cal_arena_take(a, n, sizeof *s->order);
    s->count = cal_arena_take(a, (size_t)s->cells, sizeof *s->count);
    s->filled = cal_arena_take(a, (size_t)s->cells, sizeof *s->filled);
    s->begin = cal_arena_take(a, (size_t)s->cells + 1, sizeof *s->begin);
    s->result = cal_arena_take(a, n, sizeof *s->result);
    for (int64_t i = 0; i < size; i++) {
        int64_t at[3] = {i % side, i / side % side, i / side / side};
        s->given[i].id = (int32_t)i;
        for (int k = 0; k < 3; k++) {
            uint64_t number = (uint64_t)(3 * i + k);
            s->given[i].x[k] = (float)((double)at[k] + cal_cpu_uniform(seed, number, -0.05, 0.15));
            s->given[i].v[k] = (float)cal_cpu_uniform(seed + 1, number, -1, 1);
        }
    }
    return s;
}

/* --- particles in order of cells --- */

static int32_t cell_of(const struct state *s, const float x[3])
{
    int32_t at[3];
    for (int k = 0; k < 3; k++) {
        at[k] = (int32_t)floorf(x[k] / REACH); /* one beyond a wall counts as before it */
        at[k] = at[k] < 0 ? 0 : at[k] >= s->grid[k] ? s->grid[k] - 1 : at[k];
    }
    return (at[2] * s->grid[1] + at[1]) * s->grid[0] + at[0];
}

static void clear_cells(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    const struct state *s = context;
    for (int64_t c = begin; c < end; c++) {
        atomic_store_explicit(&s->count[c], 0, memory_order_relaxed);
        atomic_store_explicit(&s->filled[c], 0, memory_order_relaxed);
    }
}

static void count_cells(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    const struct state *s = context;
    for (int64_t i = begin; i < end; i++) {
        s->cell[i] = cell_of(s, s->next[i].x);
        atomic_fetch_add_explicit(&s->count[s->cell[i]], 1, memory_order_relaxed);
    }
}

static void fill_cells(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    const struct state *s = context;
    for (int64_t i = begin; i < end; i++) {
        int32_t c = s->cell[i];
        s->order[s->begin[c] + atomic_fetch_add_explicit(&s->filled[c], 1, memory_order_relaxed)] =
            (int32_t)i;
    }
}

/* Threads have filled a cell in any order: now it gets that of the ids, which is always the same.
 */
static void order_cells(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    const struct state *s = context;
    for (int64_t c = begin; c < end; c++)
        for (int32_t i = s->begin[c]; i < s->begin[c + 1]; i++) {
            struct particle p = s->next[s->order[i]];
            int32_t at = i;
            for (; at > s->begin[c] && s->now[at - 1].id > p.id; at--)
                s->now[at] = s->now[at - 1];
            s->now[at] = p;
        }
}

static void put_in_order(struct state *s, struct cal_team *t)
{
    cal_team_for(t, s->cells, 1024, clear_cells, s);
    cal_team_for(t, s->n, 256, count_cells, s);
    for (int64_t c = 0; c < s->cells; c++)
        s->begin[c + 1] = s->begin[c] + atomic_load_explicit(&s->count[c], memory_order_relaxed);
    cal_team_for(t, s->n, 256, fill_cells, s);
    cal_team_for(t, s->cells, GRAIN, order_cells, s);
}

/* --- a step --- */

/* The particles of up to three cells along x, which follow each other, around cell c. */
struct row {
    int32_t begin, end;
};

static int rows_around(const struct state *s, int64_t c, struct row rows[9])
{
    int64_t x = c % s->grid[0], y = c / s->grid[0] % s->grid[1], z = c / s->grid[0] / s->grid[1];
    int n = 0;
    for (int64_t w = z - 1; w <= z + 1; w++)
        for (int64_t v = y - 1; v <= y + 1; v++) {
            if (w < 0 || w >= s->grid[2] || v < 0 || v >= s->grid[1])
                continue;
            int64_t row = (w * s->grid[1] + v) * s->grid[0];
            int64_t first = x > 0 ? x - 1 : x, last = x + 1 < s->grid[0] ? x + 1 : x;
            rows[n++] = (struct row){s->begin[row + first], s->begin[row + last + 1]};
        }
    return n;
}

static float square_between(const struct particle *a, const struct particle *b, float away[3])
{
    float sum = 0;
    for (int k = 0; k < 3; k++) {
        away[k] = a->x[k] - b->x[k];
        sum += away[k] * away[k];
    }
    return sum;
}

static void sum_density(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    struct state *s = context;
    const float reach = REACH, factor = (float)(315 / (64 * PI * pow((double)reach, 9)));
    int64_t pairs = 0;
    for (int64_t c = begin; c < end; c++) {
        struct row rows[9];
        int n = rows_around(s, c, rows);
        for (int32_t i = s->begin[c]; i < s->begin[c + 1]; i++) {
            float sum = 0, away[3];
            for (int r = 0; r < n; r++) {
                for (int32_t j = rows[r].begin; j < rows[r].end; j++) {
                    float left = REACH * REACH - square_between(&s->now[i], &s->now[j], away);
                    sum += left > 0 ? left * left * left : 0;
                }
                pairs += rows[r].end - rows[r].begin;
            }
            s->now[i].density = factor * sum;
        }
    }
    s->pairs += pairs;
}

static float pressure_of(const struct particle *p)
{
    return STIFFNESS * (p->density - DENSITY);
}

static void add_walls(const struct state *s, const struct particle *p, float force[3])
{
    for (int k = 0; k < 3; k++) {
        float below = -p->x[k], above = p->x[k] - s->box[k];
        if (below > 0)
            force[k] += below * (SPRING - FRICTION * p->v[k]);
        if (above > 0)
            force[k] -= above * (SPRING + FRICTION * p->v[k]);
    }
}

static void accelerate(const struct state *s, int32_t i, const struct row *rows, int n)
{
    const float slope = (float)(45 / (PI * pow((double)REACH, 6)));
    const struct particle *p = &s->now[i];
    struct particle *to = &s->next[i];
    float force[3] = {0}, own = pressure_of(p);
    for (int r = 0; r < n; r++)
        for (int32_t j = rows[r].begin; j < rows[r].end; j++) {
            const struct particle *q = &s->now[j];
            float away[3], square = square_between(p, q, away);
            if (square >= REACH * REACH || j == i)
                continue;
            float length = sqrtf(square), left = REACH - length, scale = slope * left / q->density;
            float push = (own + pressure_of(q)) / 2 * scale * left / (length + 1e-6F);
            for (int k = 0; k < 3; k++)
                force[k] += push * away[k] + VISCOSITY * scale * (q->v[k] - p->v[k]);
        }
    for (int k = 0; k < 3; k++)
        force[k] /= p->density;
    force[1] -= GRAVITY;
    add_walls(s, p, force);
    *to = *p;
    for (int k = 0; k < 3; k++) {
        to->v[k] = p->v[k] + STEP * force[k];
        to->x[k] = p->x[k] + STEP * to->v[k];
    }
}

static void advance(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    struct state *s = context;
    int64_t pairs = 0;
    for (int64_t c = begin; c < end; c++) {
        struct row rows[9];
        int n = rows_around(s, c, rows);
        for (int32_t i = s->begin[c]; i < s->begin[c + 1]; i++)
            accelerate(s, i, rows, n);
        for (int r = 0; r < n; r++)
            pairs += (int64_t)(s->begin[c + 1] - s->begin[c]) * (rows[r].end - rows[r].begin);
    }
    s->pairs += pairs;
}

static void begin_again(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    const struct state *s = context;
    memcpy(s->next + begin, s->given + begin, (size_t)(end - begin) * sizeof *s->next);
}

static void finish(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    const struct state *s = context;
    for (int64_t i = begin; i < end; i++) {
        float *to = s->result[s->next[i].id];
        memcpy(to, s->next[i].x, 3 * sizeof *to);
        memcpy(to + 3, s->next[i].v, 3 * sizeof *to);
    }
}

static void run_request(void *state, struct cal_team *t)
{
    struct state *s = state;
    s->pairs = 0;
    cal_team_for(t, s->n, 1024, begin_again, s);
    for (int step = 0; step < STEPS; step++) {
        put_in_order(s, t);
        cal_team_for(t, s->cells, GRAIN, sum_density, s);
        cal_team_for(t, s->cells, GRAIN, advance, s);
    }
    cal_team_for(t, s->n, 1024, finish, s);
}

/* --- the reference: each particle with each, without a grid, the kernels as they are published ---
 */

static double poly6(double r, double h)
{
    return r > h ? 0 : 315 / (64 * PI * pow(h, 9)) * pow(h * h - r * r, 3);
}

/* The length of the gradient of the spiky kernel, and the Laplacian of that for viscosity. */
static double spiky_slope(double r, double h)
{
    return r > h ? 0 : 45 / (PI * pow(h, 6)) * pow(h - r, 2);
}

static double viscous(double r, double h)
{
    return r > h ? 0 : 45 / (PI * pow(h, 6)) * (h - r);
}

static double distance(const double *a, const double *b)
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

static void step_naively(const struct state *s, double (*x)[3], double (*v)[3], double *density,
                         double (*force)[3])
{
    const double h = (double)REACH, rest = (double)DENSITY;
    for (int64_t i = 0; i < s->n; i++) {
        density[i] = 0;
        for (int64_t j = 0; j < s->n; j++)
            density[i] += poly6(distance(x[i], x[j]), h);
    }
    for (int64_t i = 0; i < s->n; i++)
        for (int k = 0; k < 3; k++) {
            double sum = 0, out = fmin(x[i][k], 0) + fmax(x[i][k] - (double)s->box[k], 0);
            for (int64_t j = 0; j < s->n; j++) {
                double r = distance(x[i], x[j]);
                if (r == 0)
                    continue;
                double pressure = (double)STIFFNESS * (density[i] + density[j] - 2 * rest) / 2;
                sum += pressure / density[j] * spiky_slope(r, h) * (x[i][k] - x[j][k]) / r;
                sum += (double)VISCOSITY * (v[j][k] - v[i][k]) / density[j] * viscous(r, h);
            }
            force[i][k] = sum / density[i] - (k == 1 ? (double)GRAVITY : 0) - (double)SPRING * out -
                          fabs(out) * (double)FRICTION * v[i][k];
        }
    for (int64_t i = 0; i < s->n; i++)
        for (int k = 0; k < 3; k++) {
            v[i][k] += (double)STEP * force[i][k];
            x[i][k] += (double)STEP * v[i][k];
        }
}

static int check_results(const void *state, struct dcs_err *err)
{
    const struct state *s = state;
    struct cal_arena a = {0};
    size_t n = (size_t)s->n;
    double(*x)[3] = cal_arena_take(&a, n, sizeof *x), (*v)[3] = cal_arena_take(&a, n, sizeof *v);
    double *density = cal_arena_take(&a, n, sizeof *density);
    double(*force)[3] = cal_arena_take(&a, n, sizeof *force);
    float(*want)[6] = cal_arena_take(&a, n, sizeof *want);
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            x[i][k] = (double)s->given[i].x[k];
            v[i][k] = (double)s->given[i].v[k];
        }
    for (int step = 0; step < STEPS; step++)
        step_naively(s, x, v, density, force);
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            want[i][k] = (float)x[i][k];
            want[i][k + 3] = (float)v[i][k];
        }
    int wrong =
        cal_cpu_compare_f32(s->result[0], want[0], 6 * n, 1e-5, 1e-4, "places and speeds", err);
    cal_arena_release(&a);
    return wrong;
}

static void *results(void *state, size_t *words)
{
    struct state *s = state;
    *words = (size_t)s->n * 6;
    return s->result;
}

/* Half of the pairs that are looked at are for density, with 8 operations for the distance and 4
 * more; of the others the 4/3 pi REACH^3 = 33.5 particles in reach have 27 more, a root and two
 * divisions among them. Bytes: each array once in each pass of a step. */
static void count(const void *state, double *operations, double *bytes)
{
    const struct state *s = state;
    double steps = STEPS * (double)s->n;
    *operations = (double)s->pairs * 10 + steps * 33.5 * 27 + steps * 20;
    *bytes = steps * (6 * sizeof(struct particle) + 4 * sizeof(int32_t)) +
             STEPS * (double)s->cells * 4 * sizeof(int32_t);
}

const struct cal_cpu_app cal_cpu_app_fluid = {
    .name = "fa",
    .role = CAL_CPU_BATCH,
    .papers = "EMU table 5-2: fluidanimate of PARSEC",
    .algorithm = "Müller, Charypar, Gross 2003",
    .size_unit = "particles",
    .size_min = 2048,
    .size_max = 131072,
    .size_default = 16384,
    .size_check = 150,
    .size_step = 1,
    .create = create,
    .run = run_request,
    .check = check_results,
    .results = results,
    .count = count,
};
