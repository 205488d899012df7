/* slowdown_events.c - see slowdown_events.h. */
#include "models/predictor/slowdown_events.h"

#include "models/profile/profile_rows.h"
#include "models/profile/profile_split.h"

#include <stdlib.h>
#include <string.h>

/* What one run of a kernel counts; of DCS_EVENT_HELD the statistic itself. */
struct counts {
    bool known;
    double v[DCS_EVENTS];
};

struct dcs_event_counts {
    struct counts *by_shape;
};

struct reader {
    struct dcs_rows rows;
    const struct dcs_profile *p;
    const struct dcs_spatial *s;
    const struct dcs_event_counts *known;
    bool lax;
    struct dcs_event_counts *counts; /* being read */
    struct dcs_producer_run *runs;   /* likewise */
    size_t n, capacity;
};

static uint32_t shape_at(const struct dcs_spatial *s, const struct dcs_sequence *q,
                         const char *kernel)
{
    for (uint32_t k = 0; k < q->kernels; k++)
        if (strcmp(s->shapes[q->shapes[k]].name, kernel) == 0)
            return q->shapes[k];
    return UINT32_MAX;
}

uint32_t dcs_event_shape(const struct dcs_spatial *s, const char *app, const char *kernel)
{
    for (uint32_t i = 0; i < s->apps_count; i++)
        if (strcmp(s->sequences[i].app, app) == 0)
            return shape_at(s, &s->sequences[i], kernel);
    return UINT32_MAX;
}

bool dcs_events_of(const struct dcs_event_counts *c, uint32_t shape, double ns,
                   struct dcs_events *out)
{
    const struct counts *counts = &c->by_shape[shape];
    DCS_ASSERT(ns > 0);
    for (size_t i = 0; i < DCS_EVENTS; i++)
        out->v[i] = i == DCS_EVENT_HELD ? counts->v[i] : counts->v[i] / ns;
    return counts->known;
}

/* ---- Counters ---- */

enum {
    APP,
    SIZE,
    KERNEL,
    L2,
    DURATION,
    INSTRUCTIONS,
    L2_BYTES,
    L2_HIT,
    L1_HIT,
    DRAM_READ,
    DRAM_WRITE,
    TENSOR,
    FMA,
    OCCUPANCY
};

/* Hits are counted to a per cent; beyond this share of them none would be left. */
#define HITS_MOST 0.99

static double less_hits(double bytes, double hits)
{
    return bytes * (1 - (hits < 1 ? hits : 1));
}

static int take_counters(void *context)
{
    static const char *const states[] = {"warm", "cold", "unknown", NULL};
    struct reader *r = context;
    int state;
    int64_t size = 0;
    const char *app = dcs_rows_name(&r->rows, APP), *kernel = dcs_rows_label(&r->rows, KERNEL);
    if (app == NULL || kernel == NULL || dcs_rows_choice(&r->rows, L2, states, &state) != 0 ||
        dcs_rows_integer(&r->rows, SIZE, 0, INT64_C(1) << 62, &size) != 0)
        return -1;
    uint32_t shape = state == 0 ? dcs_event_shape(r->s, app, kernel) : UINT32_MAX;
    for (int column = DURATION; column <= OCCUPANCY && shape != UINT32_MAX; column++)
        if (!r->lax && dcs_rows_is_null(&r->rows, column) && column != DRAM_WRITE)
            shape = UINT32_MAX;
    const struct dcs_profile_app *listed = dcs_profile_app(r->p, app);
    if (shape == UINT32_MAX || listed == NULL || r->s->sequences[listed - r->p->apps].size != size)
        return 0;
    double v[OCCUPANCY + 1];
    for (int column = DURATION; column <= OCCUPANCY; column++)
        if (dcs_rows_real_or_null(&r->rows, column, 0, 1e30, &v[column]) != 0)
            return -1;
    struct counts *c = &r->counts->by_shape[shape];
    double hits = v[L1_HIT] < HITS_MOST ? v[L1_HIT] : HITS_MOST;
    c->known = true;
    c->v[DCS_EVENT_IPC] = v[INSTRUCTIONS];
    c->v[DCS_EVENT_L1_ACCESS] = v[L2_BYTES] / (1 - hits);
    c->v[DCS_EVENT_L1_MISS] = c->v[DCS_EVENT_L2_ACCESS] = v[L2_BYTES];
    c->v[DCS_EVENT_BUSY] =
        (v[TENSOR] > v[FMA] ? v[TENSOR] : v[FMA]) * v[DURATION] * (double)r->s->sms;
    c->v[DCS_EVENT_HELD] = v[OCCUPANCY];
    c->v[DCS_EVENT_L2_MISS] = less_hits(v[L2_BYTES], v[L2_HIT]);
    c->v[DCS_EVENT_BANDWIDTH] = v[DRAM_READ] + v[DRAM_WRITE];
    return 0;
}

struct dcs_event_counts *dcs_event_counts_load(const char *path, const struct dcs_profile *p,
                                               const struct dcs_spatial *s, bool lax,
                                               struct dcs_err *err)
{
    struct dcs_profile_source source;
    if (dcs_profile_open(&source, path, err) != 0)
        return NULL;
    struct dcs_event_counts *c = dcs_alloc(1, sizeof *c);
    c->by_shape = dcs_alloc(s->shapes_count + 1, sizeof *c->by_shape);
    struct reader r = {.rows = {.source = &source, .file = path, .err = err},
                       .p = p,
                       .s = s,
                       .lax = lax,
                       .counts = c};
    int status = dcs_rows_each_if_there(
        &r.rows, "kernel_counters",
        "SELECT application, size, kernel, l2, duration_ns, instructions, l2_bytes,"
        " l2_hit_fraction, l1_hit_fraction, dram_read_bytes, dram_write_bytes,"
        " tensor_active_fraction, fma_active_fraction, occupancy_fraction FROM kernel_counters",
        take_counters, &r);
    dcs_profile_close(&source);
    if (status == 0)
        return c;
    dcs_event_counts_free(c);
    return NULL;
}

void dcs_event_counts_free(struct dcs_event_counts *c)
{
    if (c != NULL)
        free(c->by_shape);
    free(c);
}

/* ---- Co-runs with producers ---- */

static int take_run(void *context)
{
    struct reader *r = context;
    int64_t sms = 0, size = 0;
    double solo_ns, beside_ns, dram_gbs, l2_gbs;
    const char *app = dcs_rows_name(&r->rows, 0), *kernel = dcs_rows_label(&r->rows, 1);
    const double longest = (double)DCS_DURATION_NS_MAX;
    if (app == NULL || kernel == NULL || dcs_rows_integer(&r->rows, 2, 1, r->s->sms, &sms) != 0 ||
        dcs_rows_real(&r->rows, 3, 1, longest, &solo_ns) != 0 ||
        dcs_rows_real(&r->rows, 4, 1, longest, &beside_ns) != 0 ||
        dcs_rows_real(&r->rows, 5, 0, 1e9, &dram_gbs) != 0 ||
        dcs_rows_real(&r->rows, 6, 0, 1e9, &l2_gbs) != 0 ||
        dcs_rows_integer(&r->rows, 7, 0, INT64_C(1) << 62, &size) != 0)
        return -1;
    uint32_t shape = dcs_event_shape(r->s, app, kernel);
    if (shape == UINT32_MAX || !r->known->by_shape[shape].known ||
        dcs_profile_app(r->p, app) == NULL ||
        r->s->sequences[dcs_profile_app(r->p, app) - r->p->apps].size != size)
        return 0;
    r->runs = dcs_grow(r->runs, &r->capacity, r->n + 1, sizeof *r->runs);
    r->runs[r->n++] = (struct dcs_producer_run){
        .shape = shape,
        .sms = (uint32_t)sms,
        .whole_ns = dcs_shape_solo_ns(r->s, shape, r->s->sms),
        .solo_ns = solo_ns,
        .beside_ns = beside_ns,
        .pressure = {l2_gbs, dram_gbs, dram_gbs},
    };
    return 0;
}

struct dcs_producer_run *dcs_producer_runs_load(const char *path, const struct dcs_profile *p,
                                                const struct dcs_spatial *s,
                                                const struct dcs_event_counts *c, size_t *n,
                                                struct dcs_err *err)
{
    struct dcs_profile_source source;
    *n = 0;
    if (dcs_profile_open_whole(&source, path, err) != 0)
        return NULL;
    struct reader r = {
        .rows = {.source = &source, .file = path, .err = err}, .p = p, .s = s, .known = c};
    int status = dcs_rows_each_if_any(
        &r.rows, "corun_side",
        "SELECT s.application, s.kernel, s.sms, s.solo_mean_ns, s.mean_ns, c.dram_gbs, c.l2_gbs,"
        " s.size"
        " FROM corun AS c JOIN corun_side AS s ON s.corun = c.id AND s.side = 0"
        " WHERE c.kind = 'sensitivity' AND c.mechanism = 'green' AND c.dram_gbs IS NOT NULL"
        " AND c.l2_gbs IS NOT NULL ORDER BY c.id",
        take_run, &r);
    dcs_profile_close(&source);
    if (status == 0) {
        *n = r.n;
        return r.runs != NULL ? r.runs : dcs_alloc(1, sizeof *r.runs);
    }
    free(r.runs);
    return NULL;
}
