/*
 * corun_read.c - see corun_read.h.
 *
 * Rows are collected, sorted by id, and then given to the co-run or live run that they belong to.
 * What does not fit together is an error.
 */
#include "models/gpu/corun_read.h"

#include "models/profile/profile_rows.h"
#include "models/profile/profile_split.h"

#include <stdlib.h>
#include <string.h>

#define SIZE_MAX_VALUE (INT64_C(1) << 62)
#define REQUEST_MAX    (INT64_C(1) << 40)

/* As in enum dcs_half; then the name of rows that are in no half. */
static const char *const halves[] = {"dev", "test", "test2", "test3", "", NULL};
static const char *const mechanisms[] = {"whole", "green", "mps", NULL};
static const char *const roles[] = {"service", "batch", NULL};
/* As in enum dcs_corun_kind; then the kinds that a model is fitted to. */
static const char *const kinds[] = {"pair",       "triple",   "quadruple",   "oversubscription",
                                    "sized-pair", "programs", "sensitivity", "meter",
                                    "request",    NULL};

/* A row that belongs to number `of` in the list of co-runs or of live runs. */
struct side_row {
    size_t of;
    int64_t side;
    struct dcs_corun_side side_of;
};
struct request_row {
    size_t of; /* of its kind */
    int role;
    int64_t request;
    struct dcs_live_request times;
};

struct reader {
    struct dcs_rows rows;
    const struct dcs_profile *p;
    enum dcs_half half;
    struct dcs_coruns *out;
    size_t coruns_capacity, lives_capacity;
    enum dcs_live_kind kind; /* that is being read */
    struct side_row *sides;
    size_t sides_count, sides_capacity;
    struct request_row *requests;
    size_t requests_count, requests_capacity;
};

/* ---- rows ---- */

static int take_subject(void *context)
{
    struct reader *r = context;
    int64_t size = 0;
    const char *name = dcs_rows_name(&r->rows, 0);
    if (name == NULL || dcs_rows_integer(&r->rows, 1, 0, SIZE_MAX_VALUE, &size) != 0)
        return -1;
    const struct dcs_profile_app *app = dcs_profile_app(r->p, name);
    if (app != NULL)
        r->out->default_size[app - r->p->apps] = size;
    return 0;
}

static int take_corun(void *context)
{
    struct reader *r = context;
    struct dcs_coruns *out = r->out;
    int kind = 0, mechanism = 0, half = 0;
    int64_t id = 0;
    if (dcs_rows_integer(&r->rows, 0, 0, INT64_MAX, &id) != 0 ||
        dcs_rows_choice(&r->rows, 1, kinds, &kind) != 0 ||
        dcs_rows_choice(&r->rows, 2, mechanisms, &mechanism) != 0 ||
        dcs_rows_choice(&r->rows, 3, halves, &half) != 0)
        return -1;
    if (kind >= DCS_CORUN_KINDS || half != (int)r->half)
        return 0;
    out->coruns =
        dcs_grow(out->coruns, &r->coruns_capacity, out->coruns_count + 1, sizeof *out->coruns);
    out->coruns[out->coruns_count++] =
        (struct dcs_corun){.id = id,
                           .kind = (enum dcs_corun_kind)kind,
                           .mechanism = (enum dcs_corun_mechanism)mechanism};
    return 0;
}

static int compare_coruns(const void *a, const void *b)
{
    const struct dcs_corun *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

static int take_side(void *context)
{
    struct reader *r = context;
    struct dcs_coruns *out = r->out;
    struct dcs_corun key = {0};
    if (dcs_rows_integer(&r->rows, 0, 0, INT64_MAX, &key.id) != 0)
        return -1;
    const struct dcs_corun *of = NULL;
    if (out->coruns_count > 0)
        of = bsearch(&key, out->coruns, out->coruns_count, sizeof key, compare_coruns);
    if (of == NULL)
        return 0;
    struct side_row row = {.of = (size_t)(of - out->coruns)};
    struct dcs_corun_side *side = &row.side_of;
    int64_t sms = 0;
    const double longest = (double)DCS_DURATION_NS_MAX;
    const char *app = dcs_rows_name(&r->rows, 2), *kernel = dcs_rows_label(&r->rows, 4);
    if (app == NULL || kernel == NULL ||
        dcs_rows_integer(&r->rows, 1, 0, DCS_CORUN_SIDES_MAX - 1, &row.side) != 0 ||
        dcs_rows_integer(&r->rows, 3, 0, SIZE_MAX_VALUE, &side->size) != 0 ||
        dcs_rows_integer(&r->rows, 5, 1, r->p->sms, &sms) != 0 ||
        dcs_rows_integer_or_null(&r->rows, 6, 1, 100, &side->percent) != 0 ||
        dcs_rows_real(&r->rows, 7, 1, longest, &side->solo_ns) != 0 ||
        dcs_rows_real(&r->rows, 8, 1, longest, &side->ns) != 0)
        return -1;
    side->sms = (uint32_t)sms;
    side->app = dcs_strdup(app);
    side->kernel = dcs_strdup(kernel);
    r->sides = dcs_grow(r->sides, &r->sides_capacity, r->sides_count + 1, sizeof *r->sides);
    r->sides[r->sides_count++] = row;
    return 0;
}

/* Of a side of programs. */
static int take_tail(void *context)
{
    struct reader *r = context;
    struct dcs_corun key = {0};
    int64_t side = 0;
    double p95_ns = 0, solo_p95_ns = 0;
    const double longest = (double)DCS_DURATION_NS_MAX;
    if (dcs_rows_integer(&r->rows, 0, 0, INT64_MAX, &key.id) != 0 ||
        dcs_rows_integer(&r->rows, 1, 0, DCS_CORUN_SIDES_MAX - 1, &side) != 0 ||
        dcs_rows_real(&r->rows, 2, 1, longest, &p95_ns) != 0 ||
        dcs_rows_real(&r->rows, 3, 1, longest, &solo_p95_ns) != 0)
        return -1;
    struct dcs_corun *of = NULL;
    if (r->out->coruns_count > 0)
        of = bsearch(&key, r->out->coruns, r->out->coruns_count, sizeof key, compare_coruns);
    if (of == NULL)
        return 0;
    if ((size_t)side >= of->sides_count)
        return dcs_rows_bad_value(&r->rows, 1, "a side that corun_side has");
    of->sides[side].p95_ns = p95_ns;
    of->sides[side].solo_p95_ns = solo_p95_ns;
    return 0;
}

/* columns: of name, size, percent or SMs, time alone. */
static int read_part(struct reader *r, const int columns[4], struct dcs_live_part *part)
{
    const char *name = dcs_rows_name(&r->rows, columns[0]);
    int64_t share = 0;
    int64_t most = r->kind == DCS_LIVE_MPS ? 100 : r->p->sms;
    if (name == NULL ||
        dcs_rows_integer(&r->rows, columns[1], 0, SIZE_MAX_VALUE, &part->size) != 0 ||
        dcs_rows_integer(&r->rows, columns[2], 1, most, &share) != 0 ||
        dcs_rows_integer(&r->rows, columns[3], 1, DCS_DURATION_NS_MAX, &part->solo_ns) != 0)
        return -1;
    part->app = dcs_strdup(name);
    if (r->kind == DCS_LIVE_MPS)
        part->percent = share;
    else
        part->sms = (uint32_t)share;
    return 0;
}

static int refuse_run(struct reader *r, const char *table, int64_t id, const char *expected)
{
    return dcs_err_at(r->rows.err, r->rows.file, 0, table, "of %lld: expected %s", (long long)id,
                      expected);
}

static int take_live(void *context)
{
    static const int columns[DCS_LIVE_ROLES][4] = {{1, 2, 5, 9}, {3, 4, 6, 10}};
    struct reader *r = context;
    struct dcs_lives *out = &r->out->lives[r->kind];
    int64_t id = 0;
    int half = 0;
    if (dcs_rows_integer(&r->rows, 0, 0, INT64_MAX, &id) != 0 ||
        dcs_rows_choice(&r->rows, 8, halves, &half) != 0)
        return -1;
    if (half != (int)r->half)
        return 0;
    out->list = dcs_grow(out->list, &r->lives_capacity, out->count + 1, sizeof *out->list);
    struct dcs_live *live = &out->list[out->count++];
    *live = (struct dcs_live){.id = id};
    if (dcs_rows_real(&r->rows, 7, 0, 1e6, &live->load) != 0)
        return -1;
    int64_t sms = 0;
    for (int role = 0; role < DCS_LIVE_ROLES; role++) {
        if (read_part(r, columns[role], &live->parts[role]) != 0)
            return -1;
        sms += live->parts[role].sms;
    }
    if (sms > r->p->sms)
        return refuse_run(r, r->rows.table, id, "partitions of no more SMs than the device has");
    return 0;
}

static int compare_lives(const void *a, const void *b)
{
    const struct dcs_live *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

static int take_request(void *context)
{
    struct reader *r = context;
    const struct dcs_lives *out = &r->out->lives[r->kind];
    struct dcs_live key = {0};
    if (dcs_rows_integer(&r->rows, 0, 0, INT64_MAX, &key.id) != 0)
        return -1;
    const struct dcs_live *of = NULL;
    if (out->count > 0)
        of = bsearch(&key, out->list, out->count, sizeof key, compare_lives);
    if (of == NULL)
        return 0;
    struct request_row row = {.of = (size_t)(of - out->list)};
    struct dcs_live_request *t = &row.times;
    if (dcs_rows_choice(&r->rows, 1, roles, &row.role) != 0 ||
        dcs_rows_integer(&r->rows, 2, 0, REQUEST_MAX, &row.request) != 0 ||
        dcs_rows_integer(&r->rows, 3, 0, DCS_DURATION_NS_MAX, &t->arrival_ns) != 0 ||
        dcs_rows_integer(&r->rows, 4, t->arrival_ns, DCS_DURATION_NS_MAX, &t->begin_ns) != 0 ||
        dcs_rows_integer(&r->rows, 5, t->begin_ns + 1, DCS_DURATION_NS_MAX + 1, &t->end_ns) != 0)
        return -1;
    r->requests =
        dcs_grow(r->requests, &r->requests_capacity, r->requests_count + 1, sizeof *r->requests);
    r->requests[r->requests_count++] = row;
    return 0;
}

/* ---- putting them together ---- */

static int compare_sides(const void *a, const void *b)
{
    const struct side_row *x = a, *y = b;
    if (x->of != y->of)
        return x->of < y->of ? -1 : 1;
    return (x->side > y->side) - (x->side < y->side);
}

static int compare_requests(const void *a, const void *b)
{
    const struct request_row *x = a, *y = b;
    if (x->of != y->of)
        return x->of < y->of ? -1 : 1;
    if (x->role != y->role)
        return x->role < y->role ? -1 : 1;
    return (x->request > y->request) - (x->request < y->request);
}

static int check_corun(struct reader *r, const struct dcs_corun *c)
{
    static const size_t sides[DCS_CORUN_KINDS] = {[DCS_CORUN_PAIR] = 2,
                                                  [DCS_CORUN_TRIPLE] = 3,
                                                  [DCS_CORUN_QUADRUPLE] = 4,
                                                  [DCS_CORUN_SIZED_PAIR] = 2};
    size_t wanted = sides[c->kind];
    int64_t sms = 0;
    if (wanted > 0 ? c->sides_count != wanted : c->sides_count < 2)
        return refuse_run(
            r, "corun_side", c->id,
            "two sides of a pair, three of a triple, four of a quadruple, some of others");
    for (size_t i = 0; i < c->sides_count; i++)
        sms += c->sides[i].sms;
    if (c->mechanism == DCS_CORUN_GREEN && sms > r->p->sms)
        return refuse_run(r, "corun_side", c->id, "partitions of no more SMs than the device has");
    return 0;
}

static int give_sides(struct reader *r)
{
    if (r->sides_count > 0)
        qsort(r->sides, r->sides_count, sizeof *r->sides, compare_sides);
    for (size_t i = 0, at = 0; i < r->out->coruns_count; i++) {
        struct dcs_corun *c = &r->out->coruns[i];
        if (i > 0 && c->id == c[-1].id)
            return refuse_run(r, "corun", c->id, "each id once");
        c->sides = dcs_alloc(DCS_CORUN_SIDES_MAX, sizeof *c->sides);
        for (; at < r->sides_count && r->sides[at].of == i; at++) {
            if (r->sides[at].side != (int64_t)c->sides_count)
                return refuse_run(r, "corun_side", c->id, "its sides at 0, 1, ..., each once");
            c->sides[c->sides_count++] = r->sides[at].side_of;
            r->sides[at].side_of = (struct dcs_corun_side){0};
        }
        if (check_corun(r, c) != 0)
            return -1;
    }
    return 0;
}

/* The tables of each kind; columns as take_live() and take_request() count them. */
static const struct {
    const char *runs, *runs_sql, *requests, *requests_sql;
} live_tables[DCS_LIVE_KINDS] = {
    [DCS_LIVE_MPS] = {"live",
                      "SELECT id, service, service_size, batch, batch_size, service_percent,"
                      " batch_percent, load, half, service_solo_ns, batch_solo_ns FROM live",
                      "live_request",
                      "SELECT live, role, request, arrival_ns, begin_ns, end_ns FROM live_request"},
    [DCS_LIVE_PARTITIONS] =
        {"live_partition",
         "SELECT id, service, service_size, batch, batch_size, service_sms, batch_sms, load, half,"
         " service_solo_ns, batch_solo_ns FROM live_partition",
         "live_partition_request",
         "SELECT live, role, request, arrival_ns, begin_ns, end_ns FROM live_partition_request"},
};

static int give_requests(struct reader *r)
{
    size_t at = 0;
    const struct dcs_lives *lives = &r->out->lives[r->kind];
    const char *table = live_tables[r->kind].requests;
    if (r->requests_count > 0)
        qsort(r->requests, r->requests_count, sizeof *r->requests, compare_requests);
    for (size_t i = 0; i < lives->count; i++) {
        struct dcs_live *live = &lives->list[i];
        if (i > 0 && live->id == live[-1].id)
            return refuse_run(r, live_tables[r->kind].runs, live->id, "each id once");
        for (int role = 0; role < DCS_LIVE_ROLES; role++) {
            struct dcs_live_part *part = &live->parts[role];
            const struct request_row *first = r->requests + at;
            for (;
                 at < r->requests_count && r->requests[at].of == i && r->requests[at].role == role;
                 at++)
                part->count++;
            if (part->count == 0)
                return refuse_run(r, table, live->id, "requests of both, found none of one");
            part->requests = dcs_alloc(part->count, sizeof *part->requests);
            for (size_t k = 0; k < part->count; k++) {
                part->requests[k] = first[k].times;
                if (k > 0 && (first[k].request == first[k - 1].request ||
                              first[k].times.arrival_ns < first[k - 1].times.arrival_ns))
                    return refuse_run(r, table, live->id,
                                      "each request once, in the order of the arrivals");
            }
        }
    }
    return 0;
}

static int read_lives(struct reader *r, enum dcs_live_kind kind)
{
    const struct dcs_lives *lives = &r->out->lives[kind];
    r->kind = kind;
    r->lives_capacity = r->requests_count = 0;
    if (dcs_rows_each_if_any(&r->rows, live_tables[kind].runs, live_tables[kind].runs_sql,
                             take_live, r) != 0)
        return -1;
    if (lives->count > 0)
        qsort(lives->list, lives->count, sizeof *lives->list, compare_lives);
    return dcs_rows_each_if_any(&r->rows, live_tables[kind].requests,
                                live_tables[kind].requests_sql, take_request, r) != 0
               ? -1
               : give_requests(r);
}

static int read_tables(struct reader *r)
{
    struct dcs_coruns *out = r->out;
    if (dcs_rows_each_if_any(&r->rows, "subject", "SELECT application, size_default FROM subject",
                             take_subject, r) != 0 ||
        dcs_rows_each_if_any(&r->rows, "corun",
                             "SELECT id, kind, mechanism,"
                             " CASE WHEN half IS NULL THEN '' ELSE half END AS half FROM corun",
                             take_corun, r) != 0)
        return -1;
    if (out->coruns_count > 0)
        qsort(out->coruns, out->coruns_count, sizeof *out->coruns, compare_coruns);
    if (dcs_rows_each_if_any(&r->rows, "corun_side",
                             "SELECT corun, side, application, size, kernel, sms, percent,"
                             " solo_mean_ns, mean_ns FROM corun_side",
                             take_side, r) != 0 ||
        give_sides(r) != 0 ||
        dcs_rows_each_if_any(&r->rows, "corun_tail",
                             "SELECT corun, side, p95_ns, solo_p95_ns FROM corun_tail", take_tail,
                             r) != 0)
        return -1;
    for (int kind = 0; kind < DCS_LIVE_KINDS; kind++)
        if (read_lives(r, (enum dcs_live_kind)kind) != 0)
            return -1;
    return 0;
}

/* ---- the whole ---- */

struct dcs_coruns *dcs_coruns_load(const char *path, const struct dcs_profile *p,
                                   enum dcs_half half, struct dcs_err *err)
{
    struct dcs_profile_source source;
    if (dcs_profile_open_whole(&source, path, err) != 0)
        return NULL;
    struct reader r = {.rows = {.source = &source, .file = path, .err = err},
                       .p = p,
                       .half = half,
                       .out = dcs_alloc(1, sizeof *r.out)};
    r.out->default_size = dcs_alloc(p->apps_count, sizeof *r.out->default_size);
    for (size_t i = 0; i < p->apps_count; i++)
        r.out->default_size[i] = -1;
    int status = 0;
    if (strcmp(source.sha256, p->sha256) != 0)
        status = dcs_err_at(err, path, 0, NULL,
                            "the profile has changed since it was loaded; start again");
    else if (p->schema_version >= 2) /* an older one may have tables of its own of these names */
        status = read_tables(&r);
    dcs_profile_close(&source);
    for (size_t i = 0; i < r.sides_count; i++) {
        free(r.sides[i].side_of.app);
        free(r.sides[i].side_of.kernel);
    }
    free(r.sides);
    free(r.requests);
    if (status == 0)
        return r.out;
    dcs_coruns_free(r.out);
    return NULL;
}

void dcs_coruns_free(struct dcs_coruns *c)
{
    if (c == NULL)
        return;
    for (size_t i = 0; i < c->coruns_count; i++) {
        for (size_t k = 0; k < c->coruns[i].sides_count; k++) {
            free(c->coruns[i].sides[k].app);
            free(c->coruns[i].sides[k].kernel);
        }
        free(c->coruns[i].sides);
    }
    for (int kind = 0; kind < DCS_LIVE_KINDS; kind++) {
        for (size_t i = 0; i < c->lives[kind].count; i++)
            for (int role = 0; role < DCS_LIVE_ROLES; role++) {
                free(c->lives[kind].list[i].parts[role].app);
                free(c->lives[kind].list[i].parts[role].requests);
            }
        free(c->lives[kind].list);
    }
    free(c->coruns);
    free(c->default_size);
    free(c);
}
