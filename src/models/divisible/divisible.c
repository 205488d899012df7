/* divisible.c - see divisible.h. */
#include "models/divisible/divisible.h"

#include "des/fmath.h"
#include "models/profile/profile_open.h"
#include "models/profile/profile_rows.h"

#include <stdlib.h>
#include <string.h>

#define Z_95 1.6448536269514722 /* of the standard normal distribution */

/* ---- Answers ---- */

const struct dcs_work *dcs_divisible_find(const struct dcs_divisible *d, const char *program,
                                          int64_t iterations)
{
    const struct dcs_work *found = NULL;
    for (size_t i = 0; i < d->count; i++) {
        const struct dcs_work *w = &d->works[i];
        if (strcmp(w->program, program) == 0 && (iterations == 0 || w->iterations == iterations))
            found = w; /* sizes ascend */
    }
    return found;
}

static struct dcs_chunk_curve *find_curve(const struct dcs_work *work, enum dcs_side side,
                                          int64_t threads, bool beside)
{
    for (size_t i = 0; i < work->count; i++) {
        struct dcs_chunk_curve *c = &work->curves[i];
        if (c->side == side && c->threads == threads && c->beside == beside)
            return c;
    }
    return NULL;
}

const struct dcs_chunk_curve *dcs_work_curve(const struct dcs_work *work, enum dcs_side side,
                                             int64_t threads, bool beside)
{
    return find_curve(work, side, side == DCS_SIDE_GPU && !beside ? 0 : threads, beside);
}

static double between(double a, double b, double share)
{
    return a + (b - a) * share;
}

double dcs_chunk_ns(const struct dcs_chunk_curve *curve, int64_t chunk, double *sigma)
{
    const struct dcs_chunk_point *p = curve->points;
    size_t n = curve->count, i = 0;
    while (i < n && p[i].chunk < chunk)
        i++;
    if (i < n && p[i].chunk == chunk) {
        *sigma = p[i].sigma;
        return p[i].ns;
    }
    size_t near = i == 0 ? 0 : i == n ? n - 1 : i;
    *sigma = p[near].sigma;
    double part = p[near].ns * ((double)chunk / (double)p[near].chunk);
    if (n == 1)
        return part;
    size_t right = i == 0 ? 1 : i == n ? n - 1 : i;
    const struct dcs_chunk_point *a = &p[right - 1], *b = &p[right];
    double share = (double)(chunk - a->chunk) / (double)(b->chunk - a->chunk);
    double ns = between(a->ns, b->ns, share);
    if (i == 0 || i == n)
        return ns > part ? ns : part;
    *sigma = between(a->sigma, b->sigma, share);
    return ns;
}

/* ---- Reading ---- */

struct reader {
    struct dcs_rows rows;
    struct dcs_divisible *out;
};

static struct dcs_work *find_work(const struct dcs_divisible *d, const char *program,
                                  int64_t iterations)
{
    for (size_t i = 0; i < d->count; i++)
        if (strcmp(d->works[i].program, program) == 0 && d->works[i].iterations == iterations)
            return &d->works[i];
    return NULL;
}

static int take_program(void *context)
{
    struct reader *r = context;
    struct dcs_divisible *d = r->out;
    struct dcs_work w = {0};
    const char *name = dcs_rows_name(&r->rows, 0);
    if (name == NULL || dcs_rows_integer(&r->rows, 1, 1, DCS_ITERATIONS_MAX, &w.iterations) != 0 ||
        dcs_rows_integer(&r->rows, 2, 1, 10000, &w.passes) != 0 ||
        dcs_rows_integer(&r->rows, 3, 1, w.iterations, &w.chunk_min) != 0 ||
        dcs_rows_integer(&r->rows, 4, 0, DCS_DURATION_NS_MAX, &w.pass_ns) != 0 ||
        dcs_rows_check_text(&r->rows, 5) != 0)
        return -1;
    if (find_work(d, name, w.iterations) != NULL)
        return dcs_rows_bad_value(&r->rows, 1, "each size of a program once");
    w.program = dcs_strdup(name);
    d->works = dcs_grow(d->works, &d->capacity, d->count + 1, sizeof *d->works);
    d->works[d->count++] = w;
    return 0;
}

static int take_time(void *context)
{
    static const char *const sides[] = {"cpu", "gpu", NULL};
    struct reader *r = context;
    struct dcs_rows *rows = &r->rows;
    const char *name = dcs_rows_name(rows, 0);
    int64_t iterations, threads, beside, chunk, median_ns, p95_ns, n;
    int side;
    if (name == NULL || dcs_rows_integer(rows, 1, 1, DCS_ITERATIONS_MAX, &iterations) != 0)
        return -1;
    struct dcs_work *w = find_work(r->out, name, iterations);
    if (w == NULL)
        return dcs_rows_bad_value(rows, 1, "a program and size of table split_program");
    if (dcs_rows_choice(rows, 2, sides, &side) != 0 ||
        dcs_rows_integer(rows, 3, 0, 4096, &threads) != 0 ||
        dcs_rows_integer(rows, 4, 0, 1, &beside) != 0 ||
        dcs_rows_integer(rows, 5, 1, iterations, &chunk) != 0 ||
        dcs_rows_integer(rows, 6, 1, DCS_DURATION_NS_MAX, &median_ns) != 0 ||
        dcs_rows_integer(rows, 7, median_ns, DCS_DURATION_NS_MAX, &p95_ns) != 0 ||
        dcs_rows_integer(rows, 8, 1, INT64_C(1) << 40, &n) != 0)
        return -1;
    struct dcs_chunk_curve *c = find_curve(w, (enum dcs_side)side, threads, beside != 0);
    if (c == NULL) {
        w->curves = dcs_grow(w->curves, &w->capacity, w->count + 1, sizeof *w->curves);
        c = &w->curves[w->count++];
        *c = (struct dcs_chunk_curve){
            .side = (enum dcs_side)side, .threads = threads, .beside = beside != 0};
    }
    size_t at = c->count;
    while (at > 0 && c->points[at - 1].chunk >= chunk)
        at--;
    if (at < c->count && c->points[at].chunk == chunk)
        return dcs_rows_bad_value(rows, 5, "each chunk once");
    c->points = dcs_grow(c->points, &c->capacity, c->count + 1, sizeof *c->points);
    memmove(&c->points[at + 1], &c->points[at], (c->count - at) * sizeof *c->points);
    c->count++;
    double sigma = n >= DCS_CHUNK_NOISE_N ? dcs_log((double)p95_ns / (double)median_ns) / Z_95 : 0;
    c->points[at] =
        (struct dcs_chunk_point){.chunk = chunk, .ns = (double)median_ns, .sigma = sigma};
    return 0;
}

/* Stable: sizes of one program ascend, as dcs_divisible_find() expects; programs lie mixed. */
static void sort_sizes(struct dcs_divisible *d)
{
    for (size_t i = 1; i < d->count; i++)
        for (size_t k = i; k > 0 && d->works[k - 1].iterations > d->works[k].iterations; k--) {
            struct dcs_work w = d->works[k];
            d->works[k] = d->works[k - 1];
            d->works[k - 1] = w;
        }
}

static int read_tables(struct reader *r)
{
    if (dcs_rows_each_if_there(&r->rows, "split_program",
                               "SELECT program, iterations, passes, chunk_min, pass_ns, source "
                               "FROM split_program",
                               take_program, r) != 0 ||
        dcs_rows_each_if_there(&r->rows, "split_time",
                               "SELECT program, iterations, side, threads, beside, chunk, "
                               "median_ns, p95_ns, n FROM split_time",
                               take_time, r) != 0)
        return -1;
    size_t curves = 0;
    for (size_t i = 0; i < r->out->count; i++)
        curves += r->out->works[i].count;
    if (curves == 0)
        return dcs_err_at(
            r->rows.err, r->rows.file, 0, "split_time",
            "has no times of chunks on CPU and GPU: measure them with dcsim-calibrate "
            "split --output PROFILE.db");
    sort_sizes(r->out);
    return 0;
}

struct dcs_profile *dcs_divisible_load_profile(const char *path, struct dcs_divisible **out,
                                               struct dcs_err *err)
{
    struct dcs_profile_source source;
    *out = NULL;
    if (dcs_profile_open(&source, path, err) != 0)
        return NULL;
    struct dcs_profile *p = dcs_profile_read(&source, path, err);
    struct reader r = {.rows = {.source = &source, .file = path, .err = err},
                       .out = dcs_alloc(1, sizeof *r.out)};
    bool read = p != NULL && read_tables(&r) == 0;
    dcs_profile_close(&source);
    if (read) {
        *out = r.out;
        return p;
    }
    dcs_divisible_free(r.out);
    dcs_profile_free(p);
    return NULL;
}

void dcs_divisible_free(struct dcs_divisible *d)
{
    if (d == NULL)
        return;
    for (size_t i = 0; i < d->count; i++) {
        for (size_t k = 0; k < d->works[i].count; k++)
            free(d->works[i].curves[k].points);
        free(d->works[i].curves);
        free(d->works[i].program);
    }
    free(d->works);
    free(d);
}
