/*
 * measure_counters.c - hardware counters of every kernel shape, by NVIDIA's profiler `ncu`, which
 * runs this program's `replay-kernels`.
 *
 * Warm: the L2 cache as the passes of the profiler leave it, at the default size, then at two more;
 * cold: emptied before each pass, at the default size. Clocks are left alone. Of a kernel with many
 * launches CAL_PROFILED_LAUNCHES are profiled and their sums scaled to all. Transfers have no
 * counters.
 */
#include "calibrate/gpu/ceilings.h"
#include "calibrate/gpu/counters.h"
#include "calibrate/gpu/ncu_csv.h"
#include "calibrate/measure/work.h"

#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of the steps; SIZES: warm, at the sizes that are not the default one. */
enum part { WARM, SIZES, COLD, PARTS };

static const char *const part_names[] = {"warm", "sizes", "cold"};

/* How a column follows from a metric: SUM adds up over launches, MEAN is weighted by time. */
enum kind { SUM, MEAN };

/* Names differ between architectures: the first that the profiler knows is taken. */
static const struct {
    const char *column, *metrics[3];
    enum kind kind;
    double scale;
} columns[] = {
    {"duration_ns", {"gpu__time_duration.sum"}, SUM, 1},
    {"instructions", {"smsp__inst_executed.sum"}, SUM, 1},
    {"ipc", {"sm__inst_executed.avg.per_cycle_active"}, MEAN, 1},
    {"dram_read_bytes", {"dram__bytes_read.sum"}, SUM, 1},
    {"dram_write_bytes", {"dram__bytes_write.sum"}, SUM, 1},
    {"l2_bytes", {"lts__t_bytes.sum"}, SUM, 1},
    {"l2_hit_fraction", {"lts__t_sector_hit_rate.pct"}, MEAN, 0.01},
    {"l1_hit_fraction", {"l1tex__t_sector_hit_rate.pct"}, MEAN, 0.01},
    {"tensor_active_fraction",
     {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active",
      "sm__inst_executed_pipe_tensor.avg.pct_of_peak_sustained_active",
      "sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_active"},
     MEAN,
     0.01},
    {"fma_active_fraction",
     {"sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active",
      "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active"},
     MEAN,
     0.01},
    {"occupancy_fraction", {"sm__warps_active.avg.pct_of_peak_sustained_active"}, MEAN, 0.01},
};
#define COLUMNS (sizeof columns / sizeof columns[0])

/* Found by ready(), once for a process. */
static char ncu[512];
static const char *chosen[COLUMNS]; /* NULL: this device has none of them */

/* --- plan --- */

#define MANY_SHAPES 40

/* Networks of very many shapes are looked at in their default size only, and run again for each
 * pass; others keep their memory between the passes. */
static bool has_many_shapes(const struct cal_session *s, const struct cal_app *app)
{
    double shapes;
    return s->store != NULL &&
           cal_store_get(s->store, &shapes,
                         "SELECT count(DISTINCT kernel) FROM request_kernel"
                         " WHERE application = ? AND size = ?",
                         "ti", app->name, app->size_default) &&
           shapes > MANY_SHAPES;
}

#define START_S       1.5
#define SECONDS_BYTES 6e-10 /* saved and restored around passes; all fitted on an H200's host */
#define GUESSED_BYTES 4e9
#define MANY_S        30.0 /* of a network of many shapes */
#define QUICK_S       6.0

static double estimate(const struct cal_session *s, const struct cal_app *app, enum part part)
{
    double bytes;
    if (has_many_shapes(s, app))
        return part == SIZES ? 0.01 : MANY_S;
    if (s->store == NULL ||
        !cal_store_get(s->store, &bytes,
                       "SELECT sum(bytes / launches * min(launches, ?)) FROM kernel_shape"
                       " WHERE application = ? AND size = ? AND kind IN ('compute', 'library')",
                       "iti", (int64_t)CAL_PROFILED_LAUNCHES, app->name, app->size_default))
        bytes = GUESSED_BYTES;
    return START_S + SECONDS_BYTES * bytes * (part == SIZES ? 1.4 : 1);
}

/* Those that take long, which are networks, come last of each part. */
static void plan(const struct cal_session *s, struct cal_steps *steps)
{
    for (int part = 0; part < PARTS; part++)
        for (int slow = 0; slow < 2; slow++)
            for (size_t i = 0; cal_apps[i] != NULL; i++) {
                double seconds = estimate(s, cal_apps[i], (enum part)part);
                if ((seconds > QUICK_S) != slow)
                    continue;
                struct cal_step *step =
                    cal_steps_add(steps, &cal_measure_counters, "counters/%s/%s", cal_apps[i]->name,
                                  part_names[part]);
                step->app = cal_apps[i];
                step->app_name = cal_apps[i]->name;
                step->other_size = part == SIZES;
                step->item[0] = part;
                step->seconds = seconds;
            }
}

/* The default size; or of those that are measured the middles below and above it. */
static int sizes_of(const struct cal_app *app, enum part part, int64_t *sizes)
{
    sizes[0] = app->size_default;
    if (part != SIZES)
        return 1;
    int64_t *all;
    size_t n = cal_app_sizes(app, &all);
    double low = sqrt((double)app->size_min * (double)app->size_default);
    double high = sqrt((double)app->size_max * (double)app->size_default);
    int count = 1;
    for (int side = 0; side < 2; side++) {
        double wanted = side == 0 ? low : high, best = INFINITY;
        int64_t nearest = 0;
        for (size_t i = 0; i < n; i++) {
            double distance = fabs(log((double)all[i] / wanted));
            if (distance < best) {
                best = distance;
                nearest = all[i];
            }
        }
        bool known = false;
        for (int i = 0; i < count; i++)
            known = known || sizes[i] == nearest;
        if (!known)
            sizes[count++] = nearest;
    }
    free(all);
    memmove(sizes, sizes + 1, (size_t)(count - 1) * sizeof *sizes);
    return count - 1;
}

/* --- the profiler --- */

static bool find_ncu(void)
{
    const char *const patterns[] = {"/usr/local/cuda/bin/ncu", "/opt/nvidia/nsight-compute/*/ncu"};
    if (system("command -v ncu >/dev/null 2>&1") == 0) {
        strcpy(ncu, "ncu");
        return true;
    }
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        glob_t found;
        if (glob(patterns[i], 0, NULL, &found) == 0) {
            snprintf(ncu, sizeof ncu, "%s", found.gl_pathv[found.gl_pathc - 1]);
            globfree(&found);
            return access(ncu, X_OK) == 0;
        }
    }
    return false;
}

/* Whether the list of metrics has the metric's name, which ends at the first point. */
static bool has_metric(const char *list, const char *metric)
{
    size_t length = strcspn(metric, ".");
    for (const char *at = strstr(list, "__"); at != NULL; at = strstr(at + 2, "__")) {
        const char *begin = at;
        while (begin > list && begin[-1] > ' ')
            begin--;
        if (strncmp(begin, metric, length) == 0 && begin[length] <= ' ')
            return true;
    }
    return false;
}

/* All that a command prints; freed by the caller. NULL if it cannot be run. */
static char *output_of(const char *command, int *status)
{
    FILE *pipe = popen(command, "r");
    if (pipe == NULL)
        return NULL;
    char *text = NULL;
    size_t used = 0, capacity = 0, got;
    do {
        text = dcs_grow(text, &capacity, used + 4096, 1);
        got = fread(text + used, 1, capacity - used - 1, pipe);
        used += got;
    } while (got > 0);
    text[used] = '\0';
    *status = pclose(pipe);
    return text;
}

static int failed_ncu(const char *output, int status, struct dcs_err *err)
{
    if (strstr(output, "ERR_NVGPUCTRPERM") != NULL)
        return dcs_err_set(err,
                           "the driver lets only administrators read counters: run as root, or "
                           "load the driver with NVreg_RestrictProfilingToAdminUsers=0");
    size_t length = strlen(output);
    return dcs_err_set(err, "ncu ended with status %d: ...%.400s", WEXITSTATUS(status),
                       length > 400 ? output + length - 400 : output);
}

/* One kernel that does nothing, profiled: whether the driver lets us. */
static int try_ncu(const struct cal_session *s, struct dcs_err *err)
{
    char command[8192];
    int status = 0;
    if (snprintf(command, sizeof command,
                 "'%s' --csv --clock-control none --profile-from-start off --metrics "
                 "gpu__time_duration.sum '%s' replay-kernels --allow-others --device %d 2>&1",
                 ncu, s->program, s->ordinal) >= (int)sizeof command)
        return dcs_err_set(err, "the path of this program is too long");
    char *output = output_of(command, &status);
    if (output == NULL)
        return dcs_err_set(err, "ncu cannot be run");
    int failed = status != 0 || strstr(output, CAL_BORDER_KERNEL) == NULL
                     ? failed_ncu(output, status, err)
                     : 0;
    free(output);
    return failed;
}

static int ready(struct cal_session *s, struct dcs_err *err)
{
    if (!find_ncu())
        return dcs_err_set(err, "NVIDIA's profiler ncu is not here (neither in PATH nor in "
                                "/usr/local/cuda/bin or /opt/nvidia/nsight-compute)");
    if (try_ncu(s, err) != 0)
        return -1;
    char command[640];
    int status = 0;
    snprintf(command, sizeof command, "'%s' --query-metrics 2>/dev/null", ncu);
    char *list = output_of(command, &status);
    /* Without a list the first names are tried. */
    bool listed = list != NULL && has_metric(list, "gpu__time_duration");
    for (size_t c = 0; c < COLUMNS; c++) {
        chosen[c] = listed ? NULL : columns[c].metrics[0];
        for (int i = 0; i < 3 && chosen[c] == NULL && columns[c].metrics[i] != NULL; i++)
            if (has_metric(list, columns[c].metrics[i]))
                chosen[c] = columns[c].metrics[i];
        if (chosen[c] == NULL)
            fprintf(stderr, "dcsim-calibrate: ncu has no metric for %s on this device\n",
                    columns[c].column);
    }
    free(list);
    return 0;
}

/* --- one run of it --- */

struct group { /* the launches of one kernel shape */
    int64_t size;
    unsigned launches, profiled;
    char shape[CAL_NAME_BYTES];
    double sums[COLUMNS], weighted[COLUMNS], seconds;
    bool has[COLUMNS];
};

struct reading {
    struct group *groups;
    size_t count, capacity;
    size_t at;   /* group of the launch being read; from 1, 0: before the first border */
    long id;     /* of that launch */
    bool border; /* it is one */
    double launch[COLUMNS];
    bool seen[COLUMNS];
};

/* A launch is complete: adds it to its group. */
static void end_launch(struct reading *r)
{
    if (r->id >= 0 && !r->border && r->at >= 1 && r->at <= r->count) {
        struct group *g = &r->groups[r->at - 1];
        double ns = r->seen[0] ? r->launch[0] : 0;
        g->seconds += ns;
        for (size_t c = 0; c < COLUMNS; c++) {
            g->has[c] = g->has[c] || r->seen[c];
            g->sums[c] += r->seen[c] ? r->launch[c] : 0;
            g->weighted[c] += r->seen[c] ? r->launch[c] * ns : 0;
        }
    }
    memset(r->seen, 0, sizeof r->seen);
    r->border = false;
}

static void take_row(void *context, const struct cal_ncu_row *row)
{
    struct reading *r = context;
    if (row->id != r->id) {
        end_launch(r);
        r->id = row->id;
        r->border = strstr(row->kernel, CAL_BORDER_KERNEL) != NULL;
        r->at += r->border;
    }
    for (size_t c = 0; c < COLUMNS; c++)
        if (chosen[c] != NULL && strcmp(chosen[c], row->metric) == 0) {
            r->launch[c] = row->value;
            r->seen[c] = true;
        }
}

/* In application mode it runs once for each group of counters that fits in one pass, and says the
 * same each time; the first time is read. */
static void read_replay_lines(struct reading *r, const char *text)
{
    while (text != NULL) {
        struct group g = {0};
        long long size;
        if (sscanf(text, CAL_REPLAY_LINE " %lld %u %u %47s", &size, &g.launches, &g.profiled,
                   g.shape) == 4) {
            g.size = size;
            if (r->count > 0 && r->groups[0].size == g.size &&
                strcmp(r->groups[0].shape, g.shape) == 0)
                return;
            r->groups = dcs_grow(r->groups, &r->capacity, r->count + 1, sizeof *r->groups);
            r->groups[r->count++] = g;
        }
        text = strchr(text, '\n');
        text = text != NULL ? text + 1 : NULL;
    }
}

static void make_command(const struct cal_session *s, const struct cal_step *step, const char *log,
                         const int64_t *sizes, int n, char *command, size_t size)
{
    size_t used = (size_t)snprintf(
        command, size,
        "'%s' --csv --page details --print-units base --log-file '%s' --clock-control none "
        "--cache-control %s --profile-from-start off --replay-mode %s --metrics ",
        ncu, log, step->item[0] == COLD ? "all" : "none",
        has_many_shapes(s, step->app) ? "application" : "kernel");
    const char *comma = "";
    for (size_t c = 0; c < COLUMNS; c++)
        if (chosen[c] != NULL) {
            used += (size_t)snprintf(command + used, size - used, "%s%s", comma, chosen[c]);
            comma = ",";
        }
    used += (size_t)snprintf(command + used, size - used,
                             " '%s' replay-kernels --allow-others --device %d --seed %llu --app %s "
                             "--patience 600",
                             s->program, s->ordinal, (unsigned long long)s->seed, step->app->name);
    for (int i = 0; i < n; i++)
        used += (size_t)snprintf(command + used, size - used, " %lld", (long long)sizes[i]);
    used += (size_t)snprintf(command + used, size - used, " 2>&1");
    DCS_ASSERT(used < size);
}

static int profile(const struct cal_session *s, const struct cal_step *step, const int64_t *sizes,
                   int n, struct reading *r, struct dcs_err *err)
{
    char log[300], command[8192];
    if (snprintf(log, sizeof log, "%s.ncu.csv", s->output) >= (int)sizeof log)
        return dcs_err_set(err, "the path of the profile is too long");
    make_command(s, step, log, sizes, n, command, sizeof command);
    int status = 0;
    unlink(log);
    char *output = output_of(command, &status);
    if (output == NULL)
        return dcs_err_set(err, "ncu cannot be run");
    read_replay_lines(r, output);
    FILE *csv = fopen(log, "r");
    int failed = status != 0 || csv == NULL ? failed_ncu(output, status, err) : 0;
    if (!failed && cal_ncu_csv_read(csv, take_row, r, err) != 0)
        failed = failed_ncu(output, status, err);
    end_launch(r);
    if (!failed && r->at != r->count)
        failed = dcs_err_set(err, "ncu listed %zu kernels, and %zu were replayed", r->at, r->count);
    if (csv != NULL)
        fclose(csv);
    unlink(log);
    free(output);
    return failed;
}

static int store_group(struct cal_session *s, const char *app, const char *l2,
                       const struct group *g, struct dcs_err *err)
{
    if (cal_store_put(s->store, err, "kernel_counters", "tittnnnnnnnnnnn", app, g->size, g->shape,
                      l2) != 0)
        return -1;
    for (size_t c = 0; c < COLUMNS; c++) {
        if (!g->has[c] || (columns[c].kind == MEAN && g->seconds <= 0))
            continue;
        double value = columns[c].kind == SUM ? g->sums[c] * g->launches / g->profiled
                                              : g->weighted[c] / g->seconds;
        value *= columns[c].scale;
        if (c == 0)
            value = round(value);
        char sql[256];
        snprintf(sql, sizeof sql,
                 "UPDATE kernel_counters SET %s = ? WHERE application = ? AND size = ?"
                 " AND kernel = ? AND l2 = ?",
                 columns[c].column);
        if (cal_store_execute(s->store, err, sql, "rtitt", value, app, g->size, g->shape, l2) != 0)
            return -1;
    }
    return 0;
}

static int run_step(struct cal_session *s, const struct cal_step *step, struct dcs_err *err)
{
    struct reading r = {.id = -1};
    enum part part = (enum part)step->item[0];
    int64_t sizes[3];
    int n = sizes_of(step->app, part, sizes);
    if (n == 0 || (part == SIZES && has_many_shapes(s, step->app)))
        return 0;
    int failed = profile(s, step, sizes, n, &r, err);
    for (size_t i = 0; i < r.count && !failed; i++)
        failed = store_group(s, step->app->name, part == COLD ? "cold" : "warm", &r.groups[i], err);
    free(r.groups);
    return failed ? -1 : 0;
}

const struct cal_measure cal_measure_counters = {
    .name = "counters",
    .help = "instructions, DRAM and L2 traffic of every kernel (needs ncu)",
    .plan = plan,
    .ready = ready,
    .run = run_step,
};
