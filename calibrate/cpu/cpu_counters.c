/* cpu_counters.c - see cpu_counters.h. */
#include "calibrate/cpu/cpu_counters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { INSTRUCTIONS, CYCLES, LLC_MISSES, COUNTERS };

static const uint64_t events[COUNTERS] = {PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_CPU_CYCLES,
                                          PERF_COUNT_HW_CACHE_MISSES};

struct cal_cpu_counters {
    uint32_t threads;
    int (*files)[COUNTERS]; /* by thread; -1: none */
};

/* Of the calling thread. Counters that do not fit at once take turns: the times are read with them.
 */
static int open_one(uint64_t event)
{
    struct perf_event_attr a = {
        .type = PERF_TYPE_HARDWARE,
        .size = sizeof a,
        .config = event,
        .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
        .exclude_kernel = 1,
        .exclude_hv = 1,
    };
    return (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

int cal_cpu_counters_why(int error, struct dcs_err *err)
{
    switch (error) {
    case EACCES:
    case EPERM:
        return dcs_err_set(
            err, "this user may not count: as root, `sysctl kernel.perf_event_paranoid=2` "
                 "(or lower) allows it, in a container also its seccomp profile");
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
        return dcs_err_set(err, "this processor offers none (virtual machines often have none)");
    case ENOSYS:
        return dcs_err_set(err, "this kernel was built without them");
    default:
        return dcs_err_set(err, "%s", strerror(error));
    }
}

int cal_cpu_counters_there(struct dcs_err *err)
{
    int file = open_one(events[INSTRUCTIONS]);
    if (file < 0)
        return cal_cpu_counters_why(errno, err);
    close(file);
    return 0;
}

static void open_on(void *context, struct cal_team *t, uint32_t thread)
{
    (void)t;
    struct cal_cpu_counters *c = context;
    for (int i = 0; i < COUNTERS; i++)
        c->files[thread][i] = open_one(events[i]);
}

struct cal_cpu_counters *cal_cpu_counters_open(struct cal_team *t)
{
    struct cal_cpu_counters *c = dcs_alloc(1, sizeof *c);
    c->threads = cal_team_threads(t);
    c->files = dcs_alloc(c->threads, sizeof *c->files);
    cal_team_run(t, open_on, c);
    return c;
}

void cal_cpu_counters_close(struct cal_cpu_counters *c)
{
    if (c == NULL)
        return;
    for (uint32_t thread = 0; thread < c->threads; thread++)
        for (int i = 0; i < COUNTERS; i++)
            if (c->files[thread][i] >= 0)
                close(c->files[thread][i]);
    free(c->files);
    free(c);
}

static double read_sum(const struct cal_cpu_counters *c, int which)
{
    double sum = 0;
    for (uint32_t thread = 0; thread < c->threads; thread++) {
        uint64_t v[3]; /* value, time enabled, time running */
        int file = c->files[thread][which];
        if (file < 0 || read(file, v, sizeof v) != (ssize_t)sizeof v)
            return NAN;
        sum += v[2] > 0 ? (double)v[0] * ((double)v[1] / (double)v[2]) : 0;
    }
    return sum;
}

struct cal_cpu_counts cal_cpu_counters_read(const struct cal_cpu_counters *c)
{
    return (struct cal_cpu_counts){.instructions = read_sum(c, INSTRUCTIONS),
                                   .cycles = read_sum(c, CYCLES),
                                   .llc_misses = read_sum(c, LLC_MISSES)};
}

struct cal_cpu_counts cal_cpu_counts_between(struct cal_cpu_counts from, struct cal_cpu_counts to)
{
    return (struct cal_cpu_counts){.instructions = to.instructions - from.instructions,
                                   .cycles = to.cycles - from.cycles,
                                   .llc_misses = to.llc_misses - from.llc_misses};
}
