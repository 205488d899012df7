/* cpu_points.c - see cpu_points.h. */
#include "calibrate/cpu/cpu_points.h"

#include <math.h>
#include <stdlib.h>

double cal_cpu_number(const char *text)
{
    return text != NULL ? strtod(text, NULL) : NAN;
}

static bool take_point(void *context, const char *const *row)
{
    struct points *all = context;
    all->rows = dcs_grow(all->rows, &all->capacity, all->count + 1, sizeof *all->rows);
    struct point *p = &all->rows[all->count++];
    snprintf(p->app, sizeof p->app, "%s", row[0]);
    p->size = (int64_t)cal_cpu_number(row[1]);
    p->cores = (int64_t)cal_cpu_number(row[2]);
    p->ways = (int64_t)cal_cpu_number(row[3]);
    snprintf(p->pressure, sizeof p->pressure, "%s", row[4]);
    p->level = (int64_t)cal_cpu_number(row[5]);
    p->pressure_cores = (int64_t)cal_cpu_number(row[6]);
    p->median_ns = cal_cpu_number(row[7]);
    p->reference_ns = row[8] != NULL ? cal_cpu_number(row[8]) : 0;
    double l = cal_cpu_number(row[9]);
    p->l = l > 1 ? l : 1;
    p->gbs = cal_cpu_number(row[10]);
    p->instructions = cal_cpu_number(row[11]);
    p->cycles = cal_cpu_number(row[12]);
    p->misses = cal_cpu_number(row[13]);
    p->reference_misses = cal_cpu_number(row[14]);
    double squares = cal_cpu_number(row[15]);
    p->error = squares > 0 ? sqrt(squares) : 0;
    return true;
}

int cal_cpu_points_read(struct cal_store *s, struct points *all, struct dcs_err *err)
{
    return cal_store_each(
        s,
        "SELECT application, size, cores, ways, pressure, level, pressure_cores, median_ns,"
        " reference_median_ns, (SELECT latency_ns / latency_alone_ns FROM cpu_pressure m"
        "  WHERE m.pressure = p.pressure AND m.level = p.level AND m.cores = p.pressure_cores),"
        " pressure_gbs, instructions, cycles, llc_misses, reference_llc_misses,"
        " (SELECT total(square) FROM (SELECT (avg(1.0 * duration_ns * duration_ns)"
        "   / (avg(duration_ns) * avg(duration_ns)) - 1) / (count(*) - 1) AS square"
        "  FROM cpu_sample q WHERE q.application = p.application AND q.size = p.size"
        "  AND q.cores = p.cores AND q.ways = p.ways AND q.pressure = p.pressure"
        "  AND q.level = p.level AND q.pressure_cores = p.pressure_cores GROUP BY q.role))"
        " FROM cpu_point p"
        " ORDER BY application, size, cores, ways, pressure, level, pressure_cores",
        take_point, all, err);
}
