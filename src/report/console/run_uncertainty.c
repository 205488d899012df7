/* run_uncertainty.c - see run_uncertainty.h. */
#include "report/console/run_uncertainty.h"

#include "runs/metric_name.h"
#include "text/table.h"
#include "runs/uncertainty.h"

#include <math.h>
#include <string.h>

static struct text half(const struct dcs_estimate *e, enum text_unit unit)
{
    if (isnan(e->low))
        return text_format("-");
    double value = (e->high - e->low) / 2;
    if (value < 1e-9 * fabs(e->value))
        value = 0; /* rounding */
    return text_format("± %.60s", text_value(value, unit).at);
}

static struct text name_of(const struct experiment *x, const struct summary_row *row)
{
    const char *of = row->app == METRIC_ALL                   ? ""
                     : row->app == METRIC_CLASS + DCS_LATENCY ? "latency "
                     : row->app >= METRIC_CLASS               ? "batch "
                                                              : x->apps[row->app].name;
    return text_format("  %.40s%s%.40s", text_name(of, 24).at, row->app < METRIC_CLASS ? " " : "",
                       row->name);
}

void report_uncertainty(FILE *out, const struct experiment *x, const struct summary_row *rows,
                        size_t count)
{
    struct table t = {0};
    for (size_t i = 0; i < count; i++) {
        const struct summary_row *of = uncertainty_of(&rows[i], rows, count);
        if (of == NULL || isnan(of->estimate.value))
            continue;
        struct text *row = table_row(&t);
        if (t.count == 1) {
            row[0] = text_format("sources of doubt");
            row[1] = text_format("value");
            row[2] = text_format("replications");
            row[3] = text_format("profile");
            row = table_row(&t);
        }
        enum text_unit unit = strcmp(of->unit, "ns") == 0      ? TEXT_TIME
                              : metric_name_is_share(of->name) ? TEXT_PERCENT
                                                               : TEXT_NUMBER;
        row[0] = name_of(x, of);
        row[1] = text_value(of->estimate.value, unit);
        row[2] = half(&of->estimate, unit);
        row[3] = half(&rows[i].estimate, unit);
    }
    if (t.count > 0) {
        fputc('\n', out);
        table_print(out, &t);
        fputs("replications: half the 95 % interval, which more of them narrow; profile: half the "
              "range in\n  which 95 % of the profiles put it that could have been measured, which "
              "they do not\n",
              out);
    }
    table_release(&t);
}
