/* split_print.c - what was measured, for a reader; see split_measure.h. */
#include "calibrate/split/split_measure.h"

#include <string.h>

struct printed {
    FILE *out;
    char last[160];
};

static bool print_point(void *context, const char *const *c)
{
    struct printed *p = context;
    char heading[160];
    snprintf(heading, sizeof heading, "%s, %s iterations, over %s", c[0], c[1], c[2]);
    if (strcmp(heading, p->last) != 0)
        fprintf(p->out, "%s%s thread%s of the CPU:", p->last[0] != '\0' ? "\n" : "", heading,
                strcmp(c[2], "1") == 0 ? "" : "s");
    snprintf(p->last, sizeof p->last, "%s", heading);
    fprintf(p->out, " %s", c[3]);
    return true;
}

static bool print_run(void *context, const char *const *c)
{
    struct printed *p = context;
    fprintf(p->out, "%-8s %10s %7s  %-20s %10s %6s %9s\n", c[0], c[1], c[2], c[3], c[4], c[5],
            c[6]);
    return true;
}

int cal_split_print(struct cal_store *store, FILE *out, struct dcs_err *err)
{
    struct printed p = {.out = out};
    double runs = 0;
    fprintf(out, "Speed of the GPU over that of the CPU, by the share of a pass that it is given: "
                 "1/1024, 1/512 to 1\n");
    if (cal_store_each(
            store,
            "SELECT g.program, g.iterations, c.threads, printf('%.3g', 1.0 * g.chunk *"
            " c.median_ns / (1.0 * g.median_ns * c.chunk)) FROM split_time g"
            " JOIN split_time c ON c.program = g.program AND c.iterations = g.iterations"
            "  AND c.side = 'cpu' AND c.beside = 0 AND c.chunk = c.iterations"
            " WHERE g.side = 'gpu' AND g.beside = 0"
            "  AND g.iterations / g.chunk * g.chunk = g.iterations"
            "  AND g.iterations / g.chunk IN (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)"
            " ORDER BY g.program, g.iterations, c.threads, g.chunk",
            print_point, &p, err) != 0)
        return -1;
    fputs("\n", out);
    cal_store_get(store, &runs, "SELECT count(*) FROM split_run", "");
    if (runs == 0)
        return 0;
    fprintf(out, "\n%-8s %10s %7s  %-20s %10s %6s %9s\n", "program", "iterations", "threads",
            "policy", "ms", "steps", "GPU share");
    return cal_store_each(
        store,
        "SELECT r.program, r.iterations, threads, policy, printf('%.3f', avg(time_ns) / 1e6),"
        " printf('%.1f', avg(steps)),"
        " printf('%.4f', 1.0 * avg(gpu_iterations) / (r.iterations * passes)) FROM split_run r"
        " JOIN split_program USING (program, iterations)"
        " GROUP BY r.program, r.iterations, threads, policy"
        " ORDER BY r.program, r.iterations, threads, avg(time_ns)",
        print_run, &p, err);
}
