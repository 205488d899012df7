/* run_services.c - see run_services.h. */
#include "report/console/run_services.h"

#include "report/console/run_names.h"
#include "text/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A workload may name the same service for each of hundreds of domains. */
#define SERVICES_SHOWN 30

enum {
    COLUMN_NAME,
    COLUMN_DEVICES,
    COLUMN_ALONE,
    COLUMN_PEAK,
    COLUMN_RATE,
    COLUMN_SLA,
    COLUMN_P99,
    COLUMN_VERDICT,
    COLUMNS,
};
_Static_assert(COLUMNS <= TABLE_COLUMNS, "the table has room for all columns");

struct report_service *report_service_list(const struct experiment *x,
                                           const struct summary_row *rows, size_t count)
{
    struct report_service *list = dcs_alloc(x->apps_count, sizeof *list);
    for (size_t i = 0; i < x->services_count; i++)
        list[x->services[i].app].services++;
    for (size_t i = 0; i < count; i++) {
        struct report_service *of = rows[i].app < x->apps_count ? &list[rows[i].app] : NULL;
        if (of != NULL && of->p99 == NULL && strcmp(rows[i].name, "response_p99") == 0)
            of->p99 = &rows[i].estimate;
        if (of != NULL && of->sla_met == NULL && strcmp(rows[i].name, "sla_met") == 0)
            of->sla_met = &rows[i].estimate;
    }
    return list;
}

const char *report_service_verdict(const struct experiment *x, const struct experiment_service *s,
                                   const struct report_service *list)
{
    const struct report_service *of = &list[s->app];
    int64_t sla_ns = x->app_sla_ns[s->app];
    /* Others of its requests may have another SLA or none, as batch work; each counts by its own.
     */
    if (sla_ns == 0 && of->services == 1)
        sla_ns = s->sla_ns;
    if (sla_ns == 0 || of->p99 == NULL || of->sla_met == NULL)
        return NULL;
    return summary_verdict(of->sla_met, sla_ns, s->alone_ns);
}

/* Of all services of an application together: its requests are counted as one. */
static void add_verdict(struct text *row, const struct experiment *x,
                        const struct experiment_service *s, const struct report_service *list)
{
    const char *verdict = report_service_verdict(x, s, list);
    if (verdict == NULL)
        return;
    row[COLUMN_P99] = text_estimate(list[s->app].p99, TEXT_TIME, 2);
    row[COLUMN_VERDICT] = text_format("%s", verdict);
}

static void add_service(struct table *t, const struct experiment *x,
                        const struct experiment_service *s, const struct report_service *list)
{
    struct text *row = table_row(t);
    row[COLUMN_NAME] = text_format("  %s", report_app_name(x, s->app).at);
    row[COLUMN_DEVICES] = text_format("%" PRIu64, s->devices);
    row[COLUMN_ALONE] = text_value((double)s->alone_ns, TEXT_TIME);
    if (s->peak_per_s > 0)
        row[COLUMN_PEAK] = text_value(s->peak_per_s * (double)s->devices, TEXT_NUMBER);
    if (s->rate_per_s > 0) /* else as fast as they are done: closed loops */
        row[COLUMN_RATE] = text_value(s->rate_per_s, TEXT_NUMBER);
    if (s->sla_ns > 0)
        row[COLUMN_SLA] = text_value((double)s->sla_ns, TEXT_TIME);
    if (list[s->app].services == 1) {
        add_verdict(row, x, s, list);
        return;
    }
    row[COLUMN_P99] = text_format("-");
    row[COLUMN_VERDICT] = text_format("-");
}

/* A row for each application with several services, where the first of them is shown. */
static void add_pooled(struct table *t, const struct experiment *x, size_t shown,
                       const struct report_service *list)
{
    for (size_t i = 0; i < shown; i++) {
        uint32_t app = x->services[i].app;
        bool first = true;
        for (size_t k = 0; k < i; k++)
            first = first && x->services[k].app != app;
        if (list[app].services == 1 || !first)
            continue;
        struct text *row = table_row(t);
        row[COLUMN_NAME] =
            text_format("  all %" PRIu64 " of %s", list[app].services, report_app_name(x, app).at);
        if (x->app_sla_ns[app] > 0)
            row[COLUMN_SLA] = text_value((double)x->app_sla_ns[app], TEXT_TIME);
        add_verdict(row, x, &x->services[i], list);
    }
}

void report_services(FILE *out, const struct experiment *x, const struct summary_row *rows,
                     size_t count)
{
    static const char *const titles[COLUMNS] = {"services", "devices", "alone", "peak/s",
                                                "rate/s",   "SLA",     "p99",   "verdict"};
    if (x->services_count == 0)
        return;
    struct report_service *list = report_service_list(x, rows, count);
    struct table t = {0};
    struct text *header = table_row(&t);
    for (size_t i = 0; i < COLUMNS; i++)
        header[i] = text_format("%s", titles[i]);
    size_t shown = x->services_count < SERVICES_SHOWN ? x->services_count : SERVICES_SHOWN;
    for (size_t i = 0; i < shown; i++)
        add_service(&t, x, &x->services[i], list);
    add_pooled(&t, x, shown, list);
    free(list);
    fputc('\n', out);
    table_print(out, &t);
    table_release(&t);
    if (shown < x->services_count)
        fprintf(out, "  and %zu more\n", x->services_count - shown);
    fprintf(out, "alone: on one device; peak/s, rate/s: on all devices of the service together\n");
}
