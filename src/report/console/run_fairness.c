/* run_fairness.c - see run_fairness.h. */
#include "report/console/run_fairness.h"

#include "report/console/run_names.h"
#include "text/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A workload may have hundreds of applications. */
#define APPLICATIONS_SHOWN 30
#define REPEATED_SHOWN     4

enum { COLUMN_NAME, COLUMN_WEIGHT, COLUMN_SLOWDOWN, COLUMN_SHORT, COLUMNS };
_Static_assert(COLUMNS <= TABLE_COLUMNS, "the table has room for all columns");

static struct text format_metric(const struct summary_row *rows, size_t count, uint32_t app,
                                 const char *name, enum text_unit unit)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].app == app && strcmp(rows[i].name, name) == 0)
            return text_estimate(&rows[i].estimate, unit, 2);
    return text_format("-");
}

static void add_application(struct table *t, const struct experiment *x, uint32_t app,
                            const struct summary_row *rows, size_t count)
{
    struct text *row = table_row(t);
    row[COLUMN_NAME] = text_format("  %s", report_app_name(x, app).at);
    row[COLUMN_WEIGHT] = text_value(x->app_weight[app], TEXT_NUMBER);
    row[COLUMN_SLOWDOWN] = format_metric(rows, count, app, "slowdown", TEXT_NUMBER);
    row[COLUMN_SHORT] = x->apps[app].class == DCS_LATENCY
                            ? format_metric(rows, count, app, "qos_violation", TEXT_PERCENT)
                            : text_format("-");
}

/* Entries of the workload that begin clients or requests of an application. */
static uint64_t count_entries(const struct config_workload *w, const char *application)
{
    const struct config_service *services = w->services.items;
    const struct config_batch *batch = w->batch.items;
    uint64_t entries = 0;
    for (size_t i = 0; i < w->services.count; i++)
        entries += strcmp(services[i].application, application) == 0;
    for (size_t i = 0; i < w->batch.count; i++)
        entries += strcmp(batch[i].application, application) == 0;
    return entries;
}

/* Two entries of one application are one to the metrics: alone, they would seem to share fairly. */
static void print_repeated(FILE *out, const struct experiment *x)
{
    struct text_buffer those = {0};
    size_t named = 0;
    for (uint32_t i = 0; i < x->apps_count && named <= REPEATED_SHOWN; i++) {
        uint64_t entries = count_entries(&x->config->workload, x->apps[i].name);
        if (entries < 2)
            continue;
        if (named++ < REPEATED_SHOWN)
            text_append(&those, "%s%" PRIu64 " entries of %s", named > 1 ? ", " : "", entries,
                        report_app_name(x, i).at);
        else
            text_append(&those, " and more");
    }
    if (named > 0)
        text_note(out, 2,
                  "Slow-downs and unfairness are of applications: how evenly %s share devices is "
                  "not in them.",
                  those.text);
    free(those.text);
}

void report_fairness_of_run(FILE *out, const struct experiment *x, const struct summary_row *rows,
                            size_t count)
{
    static const char *const titles[COLUMNS] = {"together", "weight", "slow-down", "QoS short by"};
    if (!x->config->fairness.metrics)
        return;
    struct table t = {0};
    struct text *header = table_row(&t);
    for (size_t i = 0; i < COLUMNS; i++)
        header[i] = text_format("%s", titles[i]);
    uint32_t shown = x->apps_count < APPLICATIONS_SHOWN ? x->apps_count : APPLICATIONS_SHOWN;
    for (uint32_t i = 0; i < shown; i++)
        add_application(&t, x, i, rows, count);
    fputc('\n', out);
    table_print(out, &t);
    table_release(&t);
    if (shown < x->apps_count)
        fprintf(out, "  and %u more\n", x->apps_count - shown);
    fprintf(out, "aggregated performance %s, unfairness %s\n",
            format_metric(rows, count, METRIC_ALL, "aggregated_performance", TEXT_NUMBER).at,
            format_metric(rows, count, METRIC_ALL, "unfairness", TEXT_NUMBER).at);
    print_repeated(out, x);
}
