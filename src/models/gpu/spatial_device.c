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
    const char *value = dcs_rows_name(c->rows, 0);
    if (value == NULL)
        return -1;
    long mhz = strtol(value, &end, 10);
    if (end == value || *end != '\0' || mhz < 1 || mhz > CLOCK_MHZ_MAX)
        return dcs_rows_bad_value(c->rows, 0, "sm_clock_max_mhz as a number from 1 to 1000000");
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

/* ---- noise ---- */

struct samples {
    struct dcs_rows *rows;
    double *values; /* durations of the kernel at hand from `first` on, ratios before */
    size_t count, capacity, first;
    char app[65], kernel[257]; /* of the kernel at hand */
    int64_t size, sms;
};

/* The durations of the kernel at hand become ratios to their median. */
static void end_kernel(struct samples *all)
{
    size_t n = all->count - all->first;
    if (n == 0)
        return;
    double *own = all->values + all->first;
    dcs_sort_doubles(own, n);
    double median = dcs_sorted_median(own, n);
    for (size_t i = 0; i < n; i++)
        own[i] /= median;
    all->first = all->count;
}

static int take_sample(void *context)
{
    struct samples *all = context;
    int64_t size = 0, sms = 0, ns = 0;
    const char *app = dcs_rows_name(all->rows, 0);
    if (app == NULL || dcs_rows_integer(all->rows, 1, 0, SIZE_MAX_VALUE, &size) != 0)
        return -1;
    const char *kernel = dcs_rows_label(all->rows, 2);
    if (kernel == NULL || dcs_rows_integer(all->rows, 3, 1, UINT32_MAX, &sms) != 0 ||
        dcs_rows_integer(all->rows, 4, 1, DCS_DURATION_NS_MAX, &ns) != 0)
        return -1;
    if (strcmp(app, all->app) != 0 || strcmp(kernel, all->kernel) != 0 || size != all->size ||
        sms != all->sms) {
        end_kernel(all);
        snprintf(all->app, sizeof all->app, "%s", app);
        snprintf(all->kernel, sizeof all->kernel, "%s", kernel);
        all->size = size;
        all->sms = sms;
    }
    all->values = dcs_grow(all->values, &all->capacity, all->count + 1, sizeof *all->values);
    all->values[all->count++] = (double)ns;
    return 0;
}

static double *quantiles_of(struct samples *all)
{
    double *out = dcs_alloc(DCS_NOISE_QUANTILES, sizeof *out), sum = 0;
    dcs_sort_doubles(all->values, all->count);
    for (size_t i = 0; i < DCS_NOISE_QUANTILES; i++)
        sum += out[i] =
            spatial_quantile(all->values, all->count, ((double)i + 0.5) / DCS_NOISE_QUANTILES);
    /* What dcs_noise_at() gives has the mean of the quantiles. */
    for (size_t i = 0; i < DCS_NOISE_QUANTILES; i++)
        out[i] /= sum / DCS_NOISE_QUANTILES;
    return out;
}

/* ---- the whole ---- */

/* + keeps SQLite from taking the order from an index that somebody else made. */
#define NOISE_ROWS                                                                                 \
    "SELECT application, size, kernel, sms, duration_ns FROM noise"                                \
    " ORDER BY +application COLLATE BINARY, +size, +kernel COLLATE BINARY, +sms"

int dcs_spatial_read_device(struct dcs_spatial *s, struct dcs_rows *rows)
{
    struct clock clock = {.rows = rows, .s = s};
    if (dcs_rows_each(rows, "profile", "SELECT value FROM profile WHERE key = 'sm_clock_max_mhz'",
                      take_clock, &clock) != 0 ||
        read_switches(s, rows) != 0)
        return -1;
    struct samples all = {.rows = rows};
    int status = dcs_rows_each_if_there(rows, "noise", NOISE_ROWS, take_sample, &all);
    end_kernel(&all);
    if (status == 0 && all.count > 0)
        s->noise = quantiles_of(&all);
    free(all.values);
    return status;
}
