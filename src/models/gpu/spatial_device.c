/*
 * spatial_device.c - what a profile says about the device as a whole: its clock, what a change of
 * quota costs, and how much the same kernel varies from run to run. See spatial_load.h.
 */
#include "models/gpu/spatial_read.h"

#include "des/stats.h"

#include <stdlib.h>
#include <string.h>

#define CLOCK_MHZ_MAX  1000000
#define SIZE_MAX_VALUE (INT64_C(1) << 62)
#define SWITCHES_MAX   1000
#define COSTS_MAX      1000

/* ---- the clock ---- */

struct clock {
    struct dcs_rows *rows;
    struct dcs_spatial *s;
};

/* The highest that the device runs at. */
static int take_clock(void *context)
{
    const struct clock *c = context;
    char *end;
    const char *key = dcs_rows_name(c->rows, 0), *value = NULL;
    if (key != NULL && strcmp(key, "sm_clock_max_mhz") != 0)
        return 0;
    if (key != NULL)
        value = dcs_rows_name(c->rows, 1);
    if (value == NULL)
        return -1;
    long mhz = strtol(value, &end, 10);
    if (end == value || *end != '\0' || mhz < 1 || mhz > CLOCK_MHZ_MAX)
        return dcs_rows_bad_value(c->rows, 1, "sm_clock_max_mhz as a number from 1 to 1000000");
    c->s->clock_mhz = mhz;
    return 0;
}

/* ---- quota switches ---- */

/* As in enum switch_row; NULL at the end. */
static const char *const switch_names[] = {"stream",    "green_host",  "mps_stream",
                                           "mps_futex", "stream_host", "green_event",
                                           "mps_host",  "mps_spin",    NULL};
enum switch_row { STREAM, GREEN_HOST, MPS_STREAM, MPS_FUTEX, SWITCH_ROWS };

struct switches {
    struct dcs_rows *rows;
    int64_t sum_ns[SWITCH_ROWS], count[SWITCH_ROWS];
};

static int take_switch(void *context)
{
    struct switches *all = context;
    int64_t ns = 0;
    int row = 0;
    if (dcs_rows_choice(all->rows, 0, switch_names, &row) != 0 ||
        dcs_rows_integer(all->rows, 1, 1, DCS_NS_PER_S, &ns) != 0)
        return -1;
    if (row >= SWITCH_ROWS)
        return 0;
    if (all->count[row] == SWITCHES_MAX)
        return dcs_rows_bad_value(all->rows, 0, "at most 1000 rows of a mechanism");
    all->sum_ns[row] += ns;
    all->count[row]++;
    return 0;
}

/* The mean over the numbers of SMs, less that of the baseline; -1: one of the two lacks. */
static int64_t switch_of(const struct switches *all, enum switch_row row, enum switch_row baseline)
{
    int64_t n = all->count[row], m = all->count[baseline];
    if (n == 0 || m == 0)
        return -1;
    int64_t ns = (all->sum_ns[row] + n / 2) / n - (all->sum_ns[baseline] + m / 2) / m;
    return ns > 0 ? ns : 0;
}

static int read_switches(struct dcs_spatial *s, struct dcs_rows *rows)
{
    struct switches all = {.rows = rows};
    if (dcs_rows_each_if_there(rows, "quota_switch",
                               "SELECT mechanism, median_ns FROM quota_switch", take_switch,
                               &all) != 0)
        return -1;
    s->switch_ns[DCS_SWITCH_GREEN] = switch_of(&all, GREEN_HOST, STREAM);
    s->switch_ns[DCS_SWITCH_MPS] = switch_of(&all, MPS_FUTEX, MPS_STREAM);
    return 0;
}

/* ---- scheduling ---- */

struct costs {
    struct dcs_rows *rows;
    struct dcs_spatial *s;
    size_t capacity;
};

static int take_cost(void *context)
{
    struct costs *c = context;
    struct dcs_spatial *s = c->s;
    int64_t ns = 0;
    const char *policy = dcs_rows_name(c->rows, 0);
    if (policy == NULL)
        return -1;
    for (size_t i = 0; i < s->costs_count; i++)
        if (strcmp(s->costs[i].policy, policy) == 0)
            return dcs_rows_bad_value(c->rows, 0, "each policy once");
    if (s->costs_count == COSTS_MAX)
        return dcs_rows_bad_value(c->rows, 0, "at most 1000 policies");
    if (dcs_rows_integer(c->rows, 1, 0, DCS_NS_PER_S, &ns) != 0)
        return -1;
    s->costs = dcs_grow(s->costs, &c->capacity, s->costs_count + 1, sizeof *s->costs);
    s->costs[s->costs_count++] = (struct dcs_scheduler_cost){dcs_strdup(policy), ns};
    return 0;
}

static int read_costs(struct dcs_spatial *s, struct dcs_rows *rows)
{
    struct costs c = {.rows = rows, .s = s};
    return dcs_rows_each_if_there(rows, "scheduler_cost",
                                  "SELECT policy, duration_ns FROM scheduler_cost", take_cost, &c);
}

int64_t dcs_spatial_cost_ns(const struct dcs_spatial *s, const char *policy)
{
    int64_t ns = -1;
    for (size_t i = 0; i < s->costs_count; i++) {
        if (strcmp(s->costs[i].policy, policy) == 0)
            return s->costs[i].ns;
        if (strcmp(s->costs[i].policy, "*") == 0)
            ns = s->costs[i].ns;
    }
    return ns;
}

/* ---- noise ---- */

struct sample {
    char *app, *kernel;
    int64_t size, sms;
    double ns;
};

struct samples {
    struct dcs_rows *rows;
    struct sample *list;
    size_t count, capacity;
};

static int take_sample(void *context)
{
    struct samples *all = context;
    struct sample sample = {0};
    int64_t ns = 0;
    const char *app = dcs_rows_name(all->rows, 0);
    if (app == NULL || dcs_rows_integer(all->rows, 1, 0, SIZE_MAX_VALUE, &sample.size) != 0)
        return -1;
    const char *kernel = dcs_rows_label(all->rows, 2);
    if (kernel == NULL || dcs_rows_integer(all->rows, 3, 1, UINT32_MAX, &sample.sms) != 0 ||
        dcs_rows_integer(all->rows, 4, 1, DCS_DURATION_NS_MAX, &ns) != 0)
        return -1;
    sample.app = dcs_strdup(app);
    sample.kernel = dcs_strdup(kernel);
    sample.ns = (double)ns;
    all->list = dcs_grow(all->list, &all->capacity, all->count + 1, sizeof *all->list);
    all->list[all->count++] = sample;
    return 0;
}

static int compare_kernels(const struct sample *x, const struct sample *y)
{
    int order = strcmp(x->app, y->app);
    if (order == 0)
        order = strcmp(x->kernel, y->kernel);
    if (order == 0)
        order = (x->size > y->size) - (x->size < y->size);
    return order != 0 ? order : (x->sms > y->sms) - (x->sms < y->sms);
}

static int compare_samples(const void *a, const void *b)
{
    const struct sample *x = a, *y = b;
    int order = compare_kernels(x, y);
    return order != 0 ? order : (x->ns > y->ns) - (x->ns < y->ns);
}

/* Each duration as a ratio to the median of its kernel. Allocated. */
static double *ratios_of(struct samples *all)
{
    double *values = dcs_alloc(all->count, sizeof *values);
    qsort(all->list, all->count, sizeof *all->list, compare_samples);
    for (size_t at = 0, next; at < all->count; at = next) {
        for (next = at; next < all->count && compare_kernels(all->list + at, all->list + next) == 0;
             next++)
            values[next] = all->list[next].ns;
        double median = dcs_sorted_median(values + at, next - at);
        for (size_t i = at; i < next; i++)
            values[i] /= median;
    }
    return values;
}

static double *quantiles_of(double *values, size_t count)
{
    double *out = dcs_alloc(DCS_NOISE_QUANTILES, sizeof *out), sum = 0;
    dcs_sort_doubles(values, count);
    for (size_t i = 0; i < DCS_NOISE_QUANTILES; i++)
        sum += out[i] = spatial_quantile(values, count, ((double)i + 0.5) / DCS_NOISE_QUANTILES);
    /* What dcs_noise_at() gives has the mean of the quantiles. */
    for (size_t i = 0; i < DCS_NOISE_QUANTILES; i++)
        out[i] /= sum / DCS_NOISE_QUANTILES;
    return out;
}

static int read_samples(struct dcs_spatial *s, struct dcs_rows *rows)
{
    struct samples all = {.rows = rows};
    int status = dcs_rows_each_if_there(
        rows, "noise", "SELECT application, size, kernel, sms, duration_ns FROM noise", take_sample,
        &all);
    if (status == 0 && all.count > 0) {
        double *values = ratios_of(&all);
        s->noise = quantiles_of(values, all.count);
        free(values);
    }
    for (size_t i = 0; i < all.count; i++) {
        free(all.list[i].app);
        free(all.list[i].kernel);
    }
    free(all.list);
    return status;
}

/* What was found of the samples before, if they are kept apart from the profile. */
struct quantiles {
    struct dcs_rows *rows;
    double *list;
};

static int take_quantile(void *context)
{
    struct quantiles *q = context;
    int64_t position = 0;
    double ratio = 0;
    if (dcs_rows_integer(q->rows, 0, 0, DCS_NOISE_QUANTILES - 1, &position) != 0 ||
        dcs_rows_real(q->rows, 1, 1e-9, 1e9, &ratio) != 0)
        return -1;
    if (q->list == NULL)
        q->list = dcs_alloc(DCS_NOISE_QUANTILES, sizeof *q->list);
    if (q->list[position] > 0)
        return dcs_rows_bad_value(q->rows, 0, "each position once");
    q->list[position] = ratio;
    return 0;
}

/* All of them, ascending. */
static int check_quantiles(const struct quantiles *q)
{
    for (size_t i = 0; i < DCS_NOISE_QUANTILES; i++)
        if (q->list[i] < (i > 0 ? q->list[i - 1] : 1e-9))
            return dcs_err_at(q->rows->err, q->rows->file, 0, "noise_quantile.ratio",
                              "expected at each position from 0 to %d a number that is not below "
                              "the one before, found none or less at %zu",
                              DCS_NOISE_QUANTILES - 1, i);
    return 0;
}

static int read_noise(struct dcs_spatial *s, struct dcs_rows *rows)
{
    struct quantiles q = {.rows = rows};
    if (read_samples(s, rows) != 0)
        return -1;
    if (s->noise != NULL)
        return 0;
    int status = dcs_rows_each_if_there(
        rows, "noise_quantile", "SELECT position, ratio FROM noise_quantile", take_quantile, &q);
    s->noise = q.list;
    return status == 0 && q.list != NULL ? check_quantiles(&q) : status;
}

/* ---- the whole ---- */

int dcs_spatial_read_device(struct dcs_spatial *s, struct dcs_rows *rows)
{
    struct clock clock = {.rows = rows, .s = s};
    if (dcs_rows_each(rows, "profile", "SELECT key, value FROM profile", take_clock, &clock) != 0 ||
        read_switches(s, rows) != 0 || read_costs(s, rows) != 0)
        return -1;
    return read_noise(s, rows);
}
