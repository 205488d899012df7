/* record_print.c - see record_print.h. */
#include "calibrate/commands/record_print.h"

#include <stdio.h>

#define SIZED_MOST 2000 /* predictor_tasks.c */

void cal_record_title(const struct record_options *a, int64_t size, char *text, size_t bytes)
{
    if (a->unit[0] == '\0')
        snprintf(text, bytes, "%s", a->name);
    else
        snprintf(text, bytes, "%s, %s %lld", a->name, a->unit, (long long)size);
}

static double to_ms(int64_t ns)
{
    return (double)ns / 1e6;
}

static void print_requests(const struct record_options *a, const struct record_size *of)
{
    const struct cal_recorded_run *w = &of->runs[0];
    char title[128];
    const struct cal_sequence *q = &w->sequence;
    size_t kernels = 0, varying = 0;
    for (size_t k = 0; k < q->count; k++) {
        kernels += q->places[k].kind == CAL_OP_KERNEL;
        varying += q->places[k].varies;
    }
    cal_record_title(a, of->size, title, sizeof title);
    printf("%s: %zu kernels and %zu copies a request, from %zu of %zu requests (%zu at the "
           "beginning left out)\n",
           title, kernels, q->count - kernels, q->requests, q->found, q->skipped);
    if (cal_recorded_memory(&w->recording) == 0)
        printf(
            "its device memory is not known, and is 0 in the profile: NVML does not tell that of "
            "each process, or one did not end in order\n");
    if (q->others > 0)
        printf("requests differ: %zu of %zu consist of other kernels, of %zu kinds in all, and are "
               "left out\n",
               q->others, q->others + q->requests, q->sequences);
    if (varying > 0)
        printf("requests differ: at %zu of %zu places the grid, or the bytes copied, are not the "
               "same in all; the median stands for them\n",
               varying, q->count);
    if (w->clock.count > 0 && q->alone_ns > w->clock.median_ns + w->clock.median_ns / 100)
        printf("its kernels and copies alone take longer, recorded, than a request does without\n");
    if (a->unit[0] != '\0' && q->count > SIZED_MOST)
        printf("of requests of more than %d kernels and copies a simulation takes the default size "
               "alone\n",
               SIZED_MOST);
    if (!cal_sequence_is_serial(q))
        printf(
            "kernels run at one time, on several streams, for %.3f ms of a request: a simulation "
            "runs them one after the other, scaled to the request, without the host's part\n",
            to_ms(q->overlap_ns));
}

/* A library may take other kernels where it sees fewer SMs; a program may serve until a moment. */
static void print_differences(const struct record_size *r)
{
    const struct cal_sequence *all = &r->runs[0].sequence;
    for (size_t i = 1; i < r->runs_count; i++) {
        const struct cal_sequence *q = &r->runs[i].sequence;
        if (q->count != all->count)
            printf("requests differ: one consists of %zu kernels and copies at %d %%, and of %zu "
                   "on the whole device\n",
                   q->count, r->runs[i].percent, all->count);
        if (q->found != all->found)
            printf("requests differ: there are %zu at %d %%, and %zu on the whole device\n",
                   q->found, r->runs[i].percent, all->found);
    }
}

static void print_runs(const struct record_size *r)
{
    printf("\n%5s %5s %9s %17s %9s %9s %9s %10s %8s %8s %9s\n", "SMs", "MPS", "request",
           "5 %..95 %", "kernels", "copies", "idle", "adds up to", "kernels", "costs", "without");
    for (size_t i = 0; i < r->runs_count; i++) {
        const struct cal_recorded_run *run = &r->runs[i];
        const struct cal_sequence *q = &run->sequence;
        char percent[16] = "-", costs[16] = "-", without[32] = "-";
        if (run->percent < 100)
            snprintf(percent, sizeof percent, "%d %%", run->percent);
        if (run->clock.count > 0)
            snprintf(without, sizeof without, "%.3f ms", to_ms(run->clock.median_ns));
        if (run->plain_wall_ns > 0)
            snprintf(costs, sizeof costs, "%+.1f %%",
                     100 * ((double)run->wall_ns / (double)run->plain_wall_ns - 1));
        printf("%5d %5s %6.3f ms %6.3f..%6.3f ms %6.3f ms %6.3f ms %6.3f ms %7.3f ms %3zu/%-4zu "
               "%8s %9s\n",
               cal_recorded_sms(r->runs, run), percent, to_ms(q->median_ns), to_ms(q->p5_ns),
               to_ms(q->p95_ns), to_ms(q->kernels_ns), to_ms(q->copies_ns), to_ms(q->idle_ns),
               to_ms(q->alone_ns), run->matched, r->runs[0].sequence.count, costs, without);
    }
}

void cal_record_print(const struct record_options *a, const struct record_size *sizes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            putchar('\n');
        print_requests(a, &sizes[i]);
        print_differences(&sizes[i]);
        print_runs(&sizes[i]);
    }
    printf(
        "\nadds up to: kernels, copies, and the gaps that the host makes between them, as a "
        "simulation has them.\nkernels: at how many places the same function runs as on all SMs. "
        "costs: wall time of the program\nwith the recorder over that without it. without: a "
        "request by the program's own clock without\n"
        "the recorder; where it is known the gaps are made to fit it.\n"
        "How it and other programs slow each other was never measured.\n");
}
