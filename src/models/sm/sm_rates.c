/* sm_rates.c - how fast kernels are that share SMs; see sm.h. */
#include "models/sm/sm.h"

#include "des/fmath.h"

#include <math.h>
#include <string.h>

#define START     (-1.0) /* of the logarithms of waits */
#define LEAST     (-20.0)
#define MOST      14.0
#define STEP_MAX  2.0
#define STEP_STOP 1e-9
#define ROUNDS    100

uint32_t dcs_sm_find(const struct dcs_sm *m, const char *kernel)
{
    for (size_t i = 0; i < m->count; i++)
        if (strcmp(m->kernels[i].name, kernel) == 0)
            return (uint32_t)i;
    return UINT32_MAX;
}

bool dcs_sm_has_room(const struct dcs_sm *m, const uint32_t *kernels, const uint32_t *blocks,
                     size_t count)
{
    int64_t registers = 0, shared = 0, threads = 0, all = 0;
    for (size_t i = 0; i < count; i++) {
        const struct dcs_sm_kernel *k = &m->kernels[kernels[i]];
        registers += blocks[i] * k->registers;
        shared += blocks[i] * k->shared_bytes;
        threads += blocks[i] * k->threads;
        all += blocks[i];
    }
    return registers <= DCS_SM_REGISTERS && shared <= DCS_SM_SHARED_BYTES &&
           threads <= DCS_SM_THREADS && all <= DCS_SM_BLOCKS_MAX;
}

/* ---- The law ---- */

#define N DCS_SM_RESOURCES

/* Unknown are the logarithms of the waits: in each part of each resource of an SM, and those of the
 * device's resources. A part knows only of its own and of the device's, so that a step of Newton's
 * method is a small system for each part and one for the device. */
struct equations {
    const struct dcs_sm *m;
    const uint32_t *kernels;
    size_t count;
    const struct dcs_sm_part *parts;
    size_t parts_count;
    double local[DCS_SM_PARTS_MAX][N]; /* logarithms; of the device's resources unused */
    double wide[N];                    /* of an SM's resources unused */
};

static void begin_waits(struct equations *e)
{
    for (uint32_t j = 0; j < e->m->resources; j++) {
        e->wide[j] = START;
        for (size_t p = 0; p < e->parts_count; p++)
            e->local[p][j] = START;
    }
}

static void waits_of(const struct equations *e, size_t part, double *w)
{
    for (uint32_t j = 0; j < e->m->resources; j++)
        w[j] = dcs_exp(e->m->wide[j] ? e->wide[j] : e->local[part][j]);
}

/* Time of a block of a kernel where turns wait so long. */
static double block_time(const struct dcs_sm *m, const struct dcs_sm_kernel *k, const double *w)
{
    double time = k->latency;
    for (uint32_t j = 0; j < m->resources; j++)
        time += k->visits[j] * w[j];
    return time;
}

static void swap(double *a, double *b)
{
    double t = *a;
    *a = *b;
    *b = t;
}

/* Gauss with the largest pivot, of n equations with so many right sides, which are the solutions
 * afterwards. */
static void solve_linear(double a[N][N], double b[N][N + 1], uint32_t n, uint32_t sides)
{
    for (uint32_t c = 0; c < n; c++) {
        uint32_t best = c;
        for (uint32_t r = c + 1; r < n; r++)
            if (fabs(a[r][c]) > fabs(a[best][c]))
                best = r;
        for (uint32_t i = 0; i < n && best != c; i++)
            swap(&a[c][i], &a[best][i]);
        for (uint32_t i = 0; i < sides && best != c; i++)
            swap(&b[c][i], &b[best][i]);
        for (uint32_t r = c + 1; r < n; r++) {
            double f = a[r][c] / a[c][c];
            for (uint32_t i = c; i < n; i++)
                a[r][i] -= f * a[c][i];
            for (uint32_t i = 0; i < sides; i++)
                b[r][i] -= f * b[c][i];
        }
    }
    for (uint32_t s = 0; s < sides; s++)
        for (uint32_t c = n; c-- > 0;) {
            for (uint32_t i = c + 1; i < n; i++)
                b[c][s] -= a[c][i] * b[i][s];
            b[c][s] /= a[c][c];
        }
}

/* What the blocks of a part use of each resource in an SM, and how that changes with the logarithm
 * of each wait. */
static void find_use(const struct equations *e, size_t part, const double *w, double use[N],
                     double slope[N][N])
{
    const struct dcs_sm *m = e->m;
    for (uint32_t j = 0; j < m->resources; j++) {
        use[j] = 0;
        for (uint32_t i = 0; i < m->resources; i++)
            slope[j][i] = 0;
    }
    for (size_t k = 0; k < e->count; k++) {
        const struct dcs_sm_kernel *kernel = &m->kernels[e->kernels[k]];
        if (e->parts[part].blocks[k] == 0)
            continue;
        double time = block_time(m, kernel, w), x = e->parts[part].blocks[k] / time;
        for (uint32_t j = 0; j < m->resources; j++) {
            use[j] += x * kernel->demand[j];
            for (uint32_t i = 0; i < m->resources; i++)
                slope[j][i] -= x / time * kernel->demand[j] * kernel->visits[i] * w[i];
        }
    }
}

/* The logarithm of the use less that of what the wait says of it. */
static double miss_of(double use, double w, double sharpness)
{
    return dcs_log(use) - dcs_log(w / (1 + w)) / sharpness;
}

/* How the second of these changes with the logarithm of the wait. */
static double slope_of(double w, double sharpness)
{
    return 1 / (1 + w) / sharpness;
}

/* Moves a logarithm; by how much it was to. */
static double move(double *log_w, double by)
{
    double bounded = by > STEP_MAX ? STEP_MAX : by < -STEP_MAX ? -STEP_MAX : by;
    double to = *log_w + bounded;
    *log_w = to > MOST ? MOST : to < LEAST ? LEAST : to;
    return fabs(bounded);
}

/* The resources of an SM, and those of the device. */
struct kinds {
    uint32_t local[N], wide[N], locals, wides;
};

/* The equations of the device's resources, what parts add to them, and its steps. */
struct device_system {
    double use[N], slope[N][N], right[N][N + 1];
};

/* A part's steps are answer[][0] - sum over the device's steps of answer[][1 + i]. */
static void solve_part(const struct equations *e, const struct kinds *k, size_t part,
                       double answer[N][N + 1], struct device_system *d)
{
    const struct dcs_sm *m = e->m;
    double w[N] = {0}, use[N], slope[N][N], a[N][N];
    double share = (double)e->parts[part].sms / m->sms;
    waits_of(e, part, w);
    find_use(e, part, w, use, slope);
    for (uint32_t r = 0; r < k->locals; r++) {
        uint32_t j = k->local[r];
        for (uint32_t c = 0; c < k->locals; c++)
            a[r][c] = slope[j][k->local[c]] / use[j];
        a[r][r] -= slope_of(w[j], m->sharpness[j]);
        answer[r][0] = -miss_of(use[j], w[j], m->sharpness[j]);
        for (uint32_t c = 0; c < k->wides; c++)
            answer[r][1 + c] = slope[j][k->wide[c]] / use[j];
    }
    solve_linear(a, answer, k->locals, 1 + k->wides);
    for (uint32_t r = 0; r < k->wides; r++) {
        const double *row = slope[k->wide[r]];
        d->use[r] += share * use[k->wide[r]];
        for (uint32_t c = 0; c < k->wides; c++)
            d->slope[r][c] += share * row[k->wide[c]];
        for (uint32_t i = 0; i < k->locals; i++) {
            d->right[r][0] -= share * row[k->local[i]] * answer[i][0];
            for (uint32_t c = 0; c < k->wides; c++)
                d->slope[r][c] -= share * row[k->local[i]] * answer[i][1 + c];
        }
    }
}

static void solve_device(const struct equations *e, const struct kinds *k, struct device_system *d)
{
    for (uint32_t r = 0; r < k->wides; r++) {
        uint32_t j = k->wide[r];
        double w = dcs_exp(e->wide[j]);
        for (uint32_t c = 0; c < k->wides; c++)
            d->slope[r][c] /= d->use[r];
        d->right[r][0] = d->right[r][0] / d->use[r] - miss_of(d->use[r], w, e->m->sharpness[j]);
        d->slope[r][r] -= slope_of(w, e->m->sharpness[j]);
    }
    solve_linear(d->slope, d->right, k->wides, 1);
}

/* One step for all; how large it was. */
static double step(struct equations *e)
{
    static _Thread_local double answers[DCS_SM_PARTS_MAX][N][N + 1];
    struct device_system d = {.use = {0}};
    struct kinds k = {0};
    double most = 0;
    for (uint32_t j = 0; j < e->m->resources; j++)
        if (e->m->wide[j])
            k.wide[k.wides++] = j;
        else
            k.local[k.locals++] = j;
    for (size_t p = 0; p < e->parts_count; p++)
        solve_part(e, &k, p, answers[p], &d);
    solve_device(e, &k, &d);
    for (size_t p = 0; p < e->parts_count; p++)
        for (uint32_t r = 0; r < k.locals; r++) {
            double by = answers[p][r][0];
            for (uint32_t c = 0; c < k.wides; c++)
                by -= answers[p][r][1 + c] * d.right[c][0];
            most = fmax(most, move(&e->local[p][k.local[r]], by));
        }
    for (uint32_t r = 0; r < k.wides; r++)
        most = fmax(most, move(&e->wide[k.wide[r]], d.right[r][0]));
    return most;
}

/* By the law: the normalised rate of an SM of each part, [part * count + kernel]. Each part holds
 * blocks. */
static void rates_by_law(const struct dcs_sm *m, const uint32_t *kernels, size_t count,
                         const struct dcs_sm_part *parts, size_t parts_count, double *rates)
{
    static _Thread_local struct equations e;
    e.m = m;
    e.kernels = kernels;
    e.count = count;
    e.parts = parts;
    e.parts_count = parts_count;
    begin_waits(&e);
    for (int i = 0; i < ROUNDS && step(&e) >= STEP_STOP; i++)
        ;
    for (size_t p = 0; p < parts_count; p++) {
        double w[N] = {0};
        waits_of(&e, p, w);
        for (size_t k = 0; k < count; k++)
            rates[p * count + k] = parts[p].blocks[k] / block_time(m, &m->kernels[kernels[k]], w);
    }
    e.m = NULL; /* they are the caller's */
    e.kernels = NULL;
    e.parts = NULL;
}

/* With all SMs alike. */
static void alike_by_law(const struct dcs_sm *m, const uint32_t *kernels, size_t count,
                         const struct dcs_sm_part *part, double *rates)
{
    struct dcs_sm_part all = *part;
    all.sms = m->sms;
    rates_by_law(m, kernels, count, &all, 1, rates);
}

/* ---- What was measured ---- */

/* The law's share of what the kernel reaches alone with as many blocks. */
static double shared(const struct dcs_sm_kernel *k, uint32_t blocks, double by_law)
{
    return k->alone[blocks] * by_law / k->law[blocks];
}

static void prepare_kernel(struct dcs_sm *m, uint32_t kernel)
{
    struct dcs_sm_kernel *k = &m->kernels[kernel];
    for (uint32_t n = 1; n <= k->fits; n++) {
        struct dcs_sm_part part = {.blocks = {(uint8_t)n}};
        alike_by_law(m, &kernel, 1, &part, &k->law[n]);
    }
    for (size_t i = 0; i < k->count; i++) {
        struct dcs_sm_rate *r = &k->rates[i];
        const uint32_t kernels[2] = {kernel, r->beside};
        struct dcs_sm_part part = {.blocks = {(uint8_t)r->blocks, (uint8_t)r->beside_blocks}};
        double by_law[2];
        alike_by_law(m, kernels, 2, &part, by_law);
        r->factor = r->rate / shared(k, r->blocks, by_law[0]);
    }
}

void dcs_sm_prepare(struct dcs_sm *m)
{
    for (uint32_t i = 0; i < m->count; i++)
        prepare_kernel(m, i);
}

/* Measured over shared(), of `a` blocks beside `b` of another kernel; 1 where the pair was not
 * measured. */
static double pair_factor(const struct dcs_sm_kernel *k, uint32_t a, uint32_t other, uint32_t b)
{
    double sum = 0, weights = 0;
    for (size_t i = 0; i < k->count; i++) {
        const struct dcs_sm_rate *r = &k->rates[i];
        if (r->beside != other)
            continue;
        if (r->blocks == a && r->beside_blocks == b)
            return r->factor;
        double x = dcs_log((double)r->blocks / a), y = dcs_log((double)r->beside_blocks / b);
        double weight = 1 / (x * x + y * y);
        sum += weight * r->factor;
        weights += weight;
    }
    return weights > 0 ? sum / weights : 1;
}

/* The rate of a kernel in an SM where all SMs are as this part. */
static double alike_rate(const struct dcs_sm *m, const uint32_t *kernels, size_t count,
                         const struct dcs_sm_part *part, size_t k, double by_law)
{
    const struct dcs_sm_kernel *kernel = &m->kernels[kernels[k]];
    size_t others = 0, other = 0;
    for (size_t i = 0; i < count; i++)
        if (i != k && part->blocks[i] > 0) {
            others++;
            other = i;
        }
    if (others == 0)
        return kernel->alone[part->blocks[k]];
    double rate = shared(kernel, part->blocks[k], by_law);
    if (others > 1)
        return rate;
    return rate * pair_factor(kernel, part->blocks[k], kernels[other], part->blocks[other]);
}

void dcs_sm_rates(const struct dcs_sm *m, const uint32_t *kernels, size_t count,
                  const struct dcs_sm_part *parts, size_t parts_count, double *rates,
                  double *by_part)
{
    static _Thread_local double together[DCS_SM_PARTS_MAX * DCS_SM_TOGETHER_MAX];
    DCS_ASSERT(count >= 1 && count <= DCS_SM_TOGETHER_MAX && parts_count <= DCS_SM_PARTS_MAX);
    for (size_t k = 0; k < count; k++)
        rates[k] = 0;
    if (parts_count == 0)
        return;
    rates_by_law(m, kernels, count, parts, parts_count, together);
    for (size_t p = 0; p < parts_count; p++) {
        double alike[DCS_SM_TOGETHER_MAX];
        alike_by_law(m, kernels, count, &parts[p], alike);
        for (size_t k = 0; k < count; k++) {
            const struct dcs_sm_kernel *kernel = &m->kernels[kernels[k]];
            double rate = 0; /* of an SM */
            if (parts[p].blocks[k] > 0)
                rate = together[p * count + k] / kernel->alone[kernel->fits] / alike[k] *
                       alike_rate(m, kernels, count, &parts[p], k, alike[k]);
            rates[k] += rate * parts[p].sms / m->sms;
            if (by_part != NULL)
                by_part[p * count + k] = rate;
        }
    }
}
