/* recorded_clock.c - see recorded_clock.h. */
#include "calibrate/record/recorded_clock.h"

#include "calibrate/plan/sort_numbers.h"

#include <stdlib.h>
#include <string.h>

static void add_process(struct cal_clock *c, const struct cal_process *p, size_t requests)
{
    size_t first = (p->ranges_count + 3) / 4;
    if (requests > 0)
        first = requests < p->ranges_count ? p->ranges_count - requests : 0;
    for (size_t i = first; i < p->ranges_count; i++)
        if (p->ranges[i].end_ns > p->ranges[i].begin_ns)
            c->ns[c->count++] = p->ranges[i].end_ns - p->ranges[i].begin_ns;
}

void cal_clock_make(struct cal_clock *c, const struct cal_recording *r, size_t requests)
{
    size_t most = 0;
    *c = (struct cal_clock){0};
    for (size_t i = 0; i < r->processes_count; i++)
        most += r->processes[i].ranges_count;
    c->ns = dcs_alloc(most + 1, sizeof *c->ns);
    for (size_t i = 0; i < r->processes_count; i++)
        add_process(c, &r->processes[i], requests);
    if (c->count == 0)
        return;
    int64_t *sorted = dcs_alloc(c->count, sizeof *sorted);
    memcpy(sorted, c->ns, c->count * sizeof *sorted);
    cal_sort_integers(sorted, c->count);
    c->p5_ns = cal_quantile_of_sorted(sorted, c->count, 0.05);
    c->median_ns = cal_quantile_of_sorted(sorted, c->count, 0.5);
    c->p95_ns = cal_quantile_of_sorted(sorted, c->count, 0.95);
    free(sorted);
}

int cal_clock_read(struct cal_clock *c, const char *folder, size_t requests, struct dcs_err *err)
{
    struct cal_recording r;
    *c = (struct cal_clock){0};
    int failed = cal_recording_read(&r, folder, err);
    if (!failed)
        cal_clock_make(c, &r, requests);
    cal_recording_release(&r);
    return failed;
}

void cal_clock_release(struct cal_clock *c)
{
    free(c->ns);
    *c = (struct cal_clock){0};
}
