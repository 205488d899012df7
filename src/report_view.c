/* report_view.c - see report_view.h. */
#include "report_view.h"

#include <math.h>
#include <string.h>

const char *report_plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

const struct summary_row *report_find(const struct report_view *r, uint32_t app, const char *name)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->rows[i].app == app && strcmp(r->rows[i].name, name) == 0)
            return &r->rows[i];
    return NULL;
}

struct dcs_estimate report_estimate(const struct report_view *r, uint32_t app, const char *name)
{
    const struct summary_row *row = report_find(r, app, name);
    return row != NULL ? row->estimate
                       : (struct dcs_estimate){
                             .value = (double)NAN, .low = (double)NAN, .high = (double)NAN};
}

double report_total(const struct report_view *r, uint32_t app, const char *name)
{
    const struct summary_row *row = report_find(r, app, name);
    double sum = 0;
    for (size_t i = 0; row != NULL && i < r->summary->runs; i++) {
        double v = r->summary->values[i * r->summary->metrics_count + (size_t)(row - r->rows)];
        sum += isnan(v) ? 0 : v;
    }
    return sum;
}
