/* predictor_read.c - see predictor_read.h. */
#include "models/predictor/predictor_read.h"

#include "des/fmath.h"
#include "models/profile/profile_rows.h"
#include "models/profile/profile_split.h"

#include <stdlib.h>
#include <string.h>

#define AMOUNT_MAX 1e18
#define NUMBERS    5

/* A row of any of the tables; which numbers it has, `tables` below says. */
struct row {
    uint32_t app;
    int64_t size;
    char *kernel;
    int64_t position; /* in a request, or SMs */
    double v[NUMBERS];
    size_t order; /* in which they lay */
};

struct rows {
    struct row *rows;
    size_t count, capacity;
};

enum table { LAUNCHES, SHAPES, REQUESTS, KERNELS, COUNTERS, TABLES };
enum { BLOCKS, THREADS, SHARED, FLOP, BYTES }; /* of SHAPES */
enum { MEAN_NS, CLOCK_MHZ };                   /* of REQUESTS, KERNELS */
enum { DRAM_READ, DRAM_WRITE, INSTRUCTIONS };  /* of COUNTERS */

static const struct table_spec {
    const char *name, *sql;
    bool of_request; /* no kernel */
    int numbers;
} tables[TABLES] = {
    [LAUNCHES] = {"request_kernel",
                  "SELECT application, size, kernel, position FROM request_kernel", false, 0},
    [SHAPES] = {"kernel_shape",
                "SELECT application, size, kernel, 0, blocks, threads_per_block, shared_bytes,"
                " flop, bytes FROM kernel_shape",
                false, 5},
    [REQUESTS] = {"request_solo",
                  "SELECT application, size, '', sms, mean_ns FROM request_solo"
                  " WHERE mechanism IN ('whole', 'green')",
                  true, 1},
    [KERNELS] = {"kernel_solo",
                 "SELECT application, size, kernel, sms, mean_ns, clock_mhz FROM kernel_solo"
                 " WHERE mechanism IN ('whole', 'green')",
                 false, 2},
    [COUNTERS] = {"kernel_counters",
                  "SELECT application, size, kernel, 0, dram_read_bytes, dram_write_bytes,"
                  " instructions FROM kernel_counters WHERE l2 = 'warm'",
                  false, 3},
};

struct facts {
    bool known;
    double blocks, threads, shared, complexity, bytes;
};

struct app {
    struct dcs_tasks tasks;
    struct facts *facts; /* [task * sizes_count + size] */
    double *complexity;  /* of the request, by size */
    int64_t size_default;
};

struct dcs_measured {
    const struct dcs_profile *p;
    struct app *apps;
    struct rows tables[TABLES];
};

/* ---- rows ---- */

struct reader {
    struct dcs_rows rows;
    struct dcs_measured *m;
    enum table table;
};

/* DCS_NO_TASK: the profile has no such application, so no simulation asks for it. */
static uint32_t app_of(const struct dcs_measured *m, const char *name)
{
    const struct dcs_profile_app *app = dcs_profile_app(m->p, name);
    return app != NULL ? (uint32_t)(app - m->p->apps) : DCS_NO_TASK;
}

static int take_row(void *context)
{
    struct reader *r = context;
    const struct table_spec *spec = &tables[r->table];
    struct row row = {0};
    const char *name = dcs_rows_name(&r->rows, 0);
    if (name == NULL)
        return -1;
    row.app = app_of(r->m, name);
    const char *kernel = spec->of_request ? "" : dcs_rows_label(&r->rows, 2);
    if (kernel == NULL || dcs_rows_integer(&r->rows, 1, 1, INT64_C(1) << 50, &row.size) != 0 ||
        dcs_rows_integer(&r->rows, 3, 0, 1000000, &row.position) != 0)
        return -1;
    for (int i = 0; i < spec->numbers; i++)
        if (dcs_rows_real_or_null(&r->rows, 4 + i, 0, AMOUNT_MAX, &row.v[i]) != 0)
            return -1;
    bool timed = r->table == REQUESTS || r->table == KERNELS;
    if (timed && (row.v[MEAN_NS] < 1 || row.position < 1))
        return dcs_rows_bad_value(&r->rows, row.position < 1 ? 3 : 4, "a number of at least 1");
    if (row.app == DCS_NO_TASK)
        return 0;
    row.kernel = dcs_strdup(kernel);
    struct rows *list = &r->m->tables[r->table];
    row.order = list->count;
    list->rows = dcs_grow(list->rows, &list->capacity, list->count + 1, sizeof *list->rows);
    list->rows[list->count++] = row;
    return 0;
}

static int take_subject(void *context)
{
    struct reader *r = context;
    const char *name = dcs_rows_name(&r->rows, 0);
    int64_t size;
    if (name == NULL || dcs_rows_integer(&r->rows, 1, 1, INT64_C(1) << 50, &size) != 0)
        return -1;
    uint32_t app = app_of(r->m, name);
    if (app != DCS_NO_TASK)
        r->m->apps[app].size_default = size;
    return 0;
}

static int compare_kernels(const struct row *x, const struct row *y)
{
    if (x->app != y->app)
        return x->app > y->app ? 1 : -1;
    if (x->size != y->size)
        return x->size > y->size ? 1 : -1;
    return strcmp(x->kernel, y->kernel);
}

static int compare_rows(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    int order = compare_kernels(x, y);
    if (order != 0)
        return order;
    if (x->position != y->position)
        return x->position > y->position ? 1 : -1;
    return (x->order > y->order) - (x->order < y->order);
}

/* The first row of a kernel (of a request: ""), and how many there are. */
static const struct row *find_rows(const struct dcs_measured *m, enum table table, uint32_t app,
                                   int64_t size, const char *kernel, size_t *count)
{
    const struct rows *list = &m->tables[table];
    const struct row wanted = {.app = app, .size = size, .kernel = (char *)kernel};
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_kernels(&list->rows[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *count = 0;
    while (low + *count < list->count && compare_kernels(&list->rows[low + *count], &wanted) == 0)
        ++*count;
    return list->rows + low;
}

static int read_tables(struct reader *r, bool samples)
{
    if (dcs_rows_each_if_any(&r->rows, "subject", "SELECT application, size_default FROM subject",
                             take_subject, r) != 0)
        return -1;
    for (r->table = LAUNCHES; r->table < (samples ? TABLES : REQUESTS); r->table++) {
        const struct table_spec *spec = &tables[r->table];
        if (dcs_rows_each_if_any(&r->rows, spec->name, spec->sql, take_row, r) != 0)
            return -1;
        struct rows *list = &r->m->tables[r->table];
        qsort(list->rows, list->count, sizeof *list->rows, compare_rows);
    }
    return 0;
}

/* ---- tasks and features ---- */

static double operations(const struct row *shape)
{
    return shape->v[FLOP] > 0 ? shape->v[FLOP] : shape->v[BYTES];
}

static void find_facts(const struct dcs_measured *m, uint32_t index)
{
    struct app *app = &m->apps[index];
    const struct dcs_tasks *t = &app->tasks;
    app->facts = dcs_alloc(t->count * t->sizes_count + 1, sizeof *app->facts);
    app->complexity = dcs_alloc(t->sizes_count + 1, sizeof *app->complexity);
    for (size_t i = 0; i < t->count * t->sizes_count; i++) {
        size_t count = 0, size = i % t->sizes_count;
        const struct row *shape = NULL;
        if (t->shapes[i] != NULL)
            shape = find_rows(m, SHAPES, index, t->sizes[size], t->shapes[i], &count);
        if (count > 0)
            app->facts[i] = (struct facts){.known = true,
                                           .blocks = shape->v[BLOCKS],
                                           .threads = shape->v[THREADS],
                                           .shared = shape->v[SHARED],
                                           .complexity = operations(shape),
                                           .bytes = shape->v[BYTES]};
    }
    for (size_t s = 0; s < t->sizes_count; s++)
        for (size_t k = 0; k < t->kernels_count[s]; k++)
            app->complexity[s] += app->facts[t->kernels[s][k] * t->sizes_count + s].complexity;
}

static int find_tasks(struct dcs_measured *m, const char *path, struct dcs_err *err)
{
    const struct rows *list = &m->tables[LAUNCHES];
    struct dcs_task_launch *launches = dcs_alloc(list->count + 1, sizeof *launches);
    int status = 0;
    size_t next = 0;
    for (uint32_t a = 0; a < m->p->apps_count && status == 0; a++) {
        size_t n = 0;
        for (; next < list->count && list->rows[next].app == a; next++)
            launches[n++] = (struct dcs_task_launch){.size = list->rows[next].size,
                                                     .position = list->rows[next].position,
                                                     .shape = list->rows[next].kernel};
        struct dcs_err why = {0};
        status = dcs_tasks_find(&m->apps[a].tasks, launches, n, &why);
        if (status == 0)
            find_facts(m, a);
        else
            dcs_err_at(err, path, 0, "request_kernel", "%s, %s", m->p->apps[a].name, why.text);
    }
    free(launches);
    return status;
}

const struct dcs_tasks *dcs_measured_tasks(const struct dcs_measured *m, uint32_t app)
{
    return &m->apps[app].tasks;
}

int64_t dcs_measured_default_size(const struct dcs_measured *m, uint32_t app)
{
    return m->apps[app].size_default;
}

/* The largest measured size that is not above; the first if all are. */
static size_t size_below(const struct dcs_tasks *t, int64_t size)
{
    size_t low = 0, high = t->sizes_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (t->sizes[middle] <= size)
            low = middle;
        else
            high = middle;
    }
    return low;
}

uint32_t dcs_measured_task(const struct dcs_measured *m, uint32_t app, int64_t size,
                           uint32_t position)
{
    const struct dcs_tasks *t = &m->apps[app].tasks;
    if (t->sizes_count == 0)
        return DCS_NO_TASK;
    size_t s = size_below(t, size);
    if (s + 1 < t->sizes_count && size > t->sizes[s] && t->sizes[s + 1] - size < size - t->sizes[s])
        s++;
    return position < t->kernels_count[s] ? t->kernels[s][position] : DCS_NO_TASK;
}

static double between(double a, double b, double share)
{
    return a + (b - a) * share;
}

/* Of a task at any size; unknown if the profile says nothing of it. */
static struct facts facts_at(const struct app *app, uint32_t task, int64_t size)
{
    const struct dcs_tasks *t = &app->tasks;
    const struct facts *of = app->facts + task * t->sizes_count;
    size_t below = size_below(t, size), above = below + (t->sizes[below] != size);
    if (size < t->sizes[0])
        above = 0;
    while (below > 0 && !of[below].known)
        below--;
    while (above < t->sizes_count && !of[above].known)
        above++;
    if (above == t->sizes_count || t->sizes[above] < size)
        return of[below];
    if (!of[below].known || t->sizes[below] >= size)
        return of[above];
    double share = (double)(size - t->sizes[below]) / (double)(t->sizes[above] - t->sizes[below]);
    const struct facts *a = &of[below], *b = &of[above];
    return (struct facts){.known = true,
                          .blocks = between(a->blocks, b->blocks, share),
                          .threads = between(a->threads, b->threads, share),
                          .shared = between(a->shared, b->shared, share),
                          .complexity = between(a->complexity, b->complexity, share),
                          .bytes = between(a->bytes, b->bytes, share)};
}

static double request_complexity(const struct app *app, int64_t size)
{
    const struct dcs_tasks *t = &app->tasks;
    if (t->sizes_count == 0)
        return 0;
    size_t below = size_below(t, size);
    if (below + 1 == t->sizes_count || size <= t->sizes[below])
        return app->complexity[below];
    double share =
        (double)(size - t->sizes[below]) / (double)(t->sizes[below + 1] - t->sizes[below]);
    return between(app->complexity[below], app->complexity[below + 1], share);
}

void dcs_measured_features(const struct dcs_measured *m, uint32_t app, uint32_t task, int64_t size,
                           uint32_t sms, double *x)
{
    const struct app *a = &m->apps[app];
    struct facts f = {0};
    if (task != DCS_NO_TASK)
        f = facts_at(a, task, size);
    else
        f.complexity = request_complexity(a, size);
    x[DCS_BY_SIZE] = (double)size;
    x[DCS_BY_SMS] = sms;
    x[DCS_BY_BLOCKS] = f.blocks;
    x[DCS_BY_THREADS] = f.threads;
    x[DCS_BY_SHARED] = f.shared;
    x[DCS_BY_COMPLEXITY] = f.complexity;
}

/* ---- samples ---- */

/* What the counters say of a task at one size, by what its algorithm says. */
struct ratio {
    int64_t size;
    double bytes, instructions;
};

static size_t find_ratios(const struct dcs_measured *m, uint32_t app, uint32_t task,
                          struct ratio *ratios)
{
    const struct dcs_tasks *t = &m->apps[app].tasks;
    size_t n = 0, count;
    for (size_t s = 0; s < t->sizes_count; s++) {
        size_t i = task * t->sizes_count + s;
        const struct facts *f = &m->apps[app].facts[i];
        if (!f->known || f->bytes <= 0)
            continue;
        const struct row *r = find_rows(m, COUNTERS, app, t->sizes[s], t->shapes[i], &count);
        if (count > 0)
            ratios[n++] = (struct ratio){.size = t->sizes[s],
                                         .bytes = (r->v[DRAM_READ] + r->v[DRAM_WRITE]) / f->bytes,
                                         .instructions = r->v[INSTRUCTIONS] / f->complexity};
    }
    return n;
}

static struct ratio ratio_at(const struct ratio *ratios, size_t n, int64_t size)
{
    size_t i = 0;
    while (i < n && ratios[i].size < size)
        i++;
    if (i == n)
        return ratios[n - 1];
    if (i == 0 || ratios[i].size == size)
        return ratios[i];
    const struct ratio *a = &ratios[i - 1], *b = &ratios[i];
    double low = dcs_log((double)a->size);
    double share = (dcs_log((double)size) - low) / (dcs_log((double)b->size) - low);
    return (struct ratio){.size = size,
                          .bytes = between(a->bytes, b->bytes, share),
                          .instructions = between(a->instructions, b->instructions, share)};
}

struct collector {
    const struct dcs_measured *m;
    enum dcs_target target;
    uint32_t app, task;
    struct ratio *ratios;
    size_t ratios_count;
    struct dcs_sample *samples;
    size_t n, capacity;
};

/* 0: not known. */
static double value_of(const struct collector *c, const struct row *row)
{
    double ns = row->v[MEAN_NS];
    if (c->target == DCS_REQUEST_DURATION || c->target == DCS_KERNEL_DURATION)
        return ns;
    if (c->ratios_count == 0)
        return 0;
    struct ratio ratio = ratio_at(c->ratios, c->ratios_count, row->size);
    struct facts f = facts_at(&c->m->apps[c->app], c->task, row->size);
    if (c->target == DCS_KERNEL_BANDWIDTH)
        return ratio.bytes * f.bytes / ns * 1e9;
    if (row->v[CLOCK_MHZ] <= 0)
        return 0;
    return ratio.instructions * f.complexity / (ns * 1e-3 * row->v[CLOCK_MHZ]); /* (1) */
}

static void collect(struct collector *c, const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double y = value_of(c, &rows[i]);
        if (!(y > 0 && y <= AMOUNT_MAX))
            continue;
        c->samples = dcs_grow(c->samples, &c->capacity, c->n + 1, sizeof *c->samples);
        struct dcs_sample *sample = &c->samples[c->n++];
        sample->y = y;
        dcs_measured_features(c->m, c->app, c->task, rows[i].size, (uint32_t)rows[i].position,
                              sample->x);
    }
}

struct dcs_sample *dcs_measured_samples(const struct dcs_measured *m, enum dcs_target target,
                                        uint32_t app, uint32_t task, size_t *n)
{
    struct collector c = {.m = m, .target = target, .app = app, .task = task};
    const struct dcs_tasks *t = &m->apps[app].tasks;
    size_t count;
    if (target == DCS_REQUEST_DURATION) {
        const struct rows *all = &m->tables[REQUESTS];
        size_t first = 0;
        while (first < all->count && all->rows[first].app < app)
            first++;
        for (count = 0; first + count < all->count && all->rows[first + count].app == app;)
            count++;
        c.task = DCS_NO_TASK;
        collect(&c, all->rows + first, count);
    } else {
        DCS_ASSERT(task < t->count);
        c.ratios = dcs_alloc(t->sizes_count + 1, sizeof *c.ratios);
        if (target != DCS_KERNEL_DURATION)
            c.ratios_count = find_ratios(m, app, task, c.ratios);
        for (size_t s = 0; s < t->sizes_count; s++) {
            const char *shape = t->shapes[task * t->sizes_count + s];
            if (shape == NULL)
                continue;
            const struct row *rows = find_rows(m, KERNELS, app, t->sizes[s], shape, &count);
            collect(&c, rows, count);
        }
        free(c.ratios);
    }
    *n = c.n;
    return c.samples;
}

/* ---- the whole ---- */

static struct dcs_measured *read_measured(struct dcs_profile_source *source, const char *path,
                                          const struct dcs_profile *p, bool samples,
                                          struct dcs_err *err)
{
    if (strcmp(source->sha256, p->sha256) != 0) {
        dcs_err_at(err, path, 0, NULL, "the profile has changed while it was read");
        return NULL;
    }
    struct dcs_measured *m = dcs_alloc(1, sizeof *m);
    m->p = p;
    m->apps = dcs_alloc(p->apps_count + 1, sizeof *m->apps);
    for (int t = 0; t < TABLES; t++) /* never NULL, so that empty ones need no care */
        m->tables[t].rows = dcs_grow(NULL, &m->tables[t].capacity, 1, sizeof *m->tables[t].rows);
    struct reader r = {.rows = {.source = source, .file = path, .err = err}, .m = m};
    if (read_tables(&r, samples) == 0 && find_tasks(m, path, err) == 0)
        return m;
    dcs_measured_free(m);
    return NULL;
}

void dcs_measured_free(struct dcs_measured *m)
{
    if (m == NULL)
        return;
    for (size_t a = 0; a < m->p->apps_count; a++) {
        dcs_tasks_release(&m->apps[a].tasks);
        free(m->apps[a].facts);
        free(m->apps[a].complexity);
    }
    for (int t = 0; t < TABLES; t++) {
        for (size_t i = 0; i < m->tables[t].count; i++)
            free(m->tables[t].rows[i].kernel);
        free(m->tables[t].rows);
    }
    free(m->apps);
    free(m);
}

struct dcs_measured *dcs_measured_load(const char *path, const struct dcs_profile *p, bool samples,
                                       struct dcs_err *err)
{
    struct dcs_profile_source source;
    struct dcs_measured *m = NULL;
    int status =
        samples ? dcs_profile_open_whole(&source, path, err) : dcs_profile_open(&source, path, err);
    if (status != 0)
        return NULL;
    m = read_measured(&source, path, p, samples, err);
    dcs_profile_close(&source);
    return m;
}
