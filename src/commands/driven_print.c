/* driven_print.c - prints what driven_point.h has. */
#include "commands/driven_point.h"
#include "text/buffer.h"
#include "text/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WRONG_SHOWN 12 /* pairs of policies in another order that are named */

static const struct {
    const char *name, *title; /* in CSV, in tables */
    const char *unit;         /* in CSV */
    double scale;             /* from that to the unit of the title */
    bool share;
} measures[DRIVEN_MEASURES] = {
    [DRIVEN_SLA] = {"sla_met", "within SLA, %", "1", 100, true},
    [DRIVEN_P50] = {"response_p50", "p50, ms", "ns", 1e-6, false},
    [DRIVEN_P95] = {"response_p95", "p95, ms", "ns", 1e-6, false},
    [DRIVEN_P99] = {"response_p99", "p99, ms", "ns", 1e-6, false},
    [DRIVEN_MEAN] = {"response_mean", "mean, ms", "ns", 1e-6, false},
    [DRIVEN_BATCH] = {"batch_throughput", "batch, 1/s", "1/s", 1, false},
    [DRIVEN_SMS] = {"sm_utilisation", "SMs in use, %", "1", 100, true},
    [DRIVEN_UNFAIR] = {"unfairness", "unfairness, %", "1", 100, true},
    [DRIVEN_PROGRESS] = {"aggregated_performance", "performance", "1", 1, false},
};

/* What policies are put into order by. */
static const enum driven_measure orders[] = {DRIVEN_MEAN, DRIVEN_SLA, DRIVEN_BATCH};
#define ORDERS (sizeof orders / sizeof orders[0])

double driven_error(const struct driven_point *p, enum driven_measure m)
{
    double real = driven_side_value(&p->real, m);
    double simulated = driven_side_value(&p->simulated, m);
    return 100 * (measures[m].share ? simulated - real : simulated / real - 1);
}

/* ---- A table for each world ---- */

static struct text number_cell(double value)
{
    if (isnan(value))
        return text_format("-");
    return text_format("%.*f", fabs(value) < 10 ? 2 : fabs(value) < 1000 ? 1 : 0, value);
}

static struct text measure_cell(const struct driven_point *p, enum driven_measure m)
{
    double error = driven_error(p, m);
    struct text real = number_cell(measures[m].scale * driven_side_value(&p->real, m));
    struct text simulated = number_cell(measures[m].scale * driven_side_value(&p->simulated, m));
    struct text by = isfinite(error) ? text_format("%+.1f", error) : text_format("-");
    return text_format("%.12s %5.12s %5.12s", real.at, simulated.at, by.at);
}

/* DRIVEN_MEASURES: launches, and how many had another quota. */
static void print_columns(FILE *out, const struct driven_point *points, size_t count,
                          const enum driven_measure *columns, size_t n)
{
    struct table t = {0};
    struct text *header = table_row(&t);
    for (size_t c = 0; c < n; c++)
        header[c + 1] =
            text_format("%s", columns[c] == DRIVEN_MEASURES ? "launches, other quota"
                                                            : measures[columns[c]].title);
    for (size_t i = 0; i < count; i++) {
        const struct driven_point *p = &points[i];
        struct text *row = table_row(&t);
        row[0] = text_name(p->policy, 30);
        for (size_t c = 0; c < n; c++)
            row[c + 1] = columns[c] == DRIVEN_MEASURES
                             ? text_format("%" PRIu64 " %6" PRIu64, p->launches, p->other_quotas)
                             : measure_cell(p, columns[c]);
    }
    table_print(out, &t);
    table_release(&t);
}

static bool has_measure(const struct driven_point *points, size_t count, enum driven_measure m)
{
    for (size_t i = 0; i < count; i++)
        if (!isnan(driven_side_value(&points[i].real, m)))
            return true;
    return false;
}

static void print_world(FILE *out, const struct driven_point *points, size_t count)
{
    static const enum driven_measure responses[] = {DRIVEN_SLA, DRIVEN_P50, DRIVEN_P95, DRIVEN_P99};
    static const enum driven_measure rest[] = {DRIVEN_MEAN, DRIVEN_BATCH, DRIVEN_SMS,
                                               DRIVEN_MEASURES};
    static const enum driven_measure fairness[] = {DRIVEN_UNFAIR, DRIVEN_PROGRESS};
    fputc('\n', out);
    text_put(out, points->name);
    if (points->rate_per_s > 0)
        fprintf(out, ", %g requests/s", points->rate_per_s);
    fputc('\n', out);
    if (has_measure(points, count, DRIVEN_MEAN))
        print_columns(out, points, count, responses, 4);
    print_columns(out, points, count, rest, 4);
    if (has_measure(points, count, DRIVEN_UNFAIR))
        print_columns(out, points, count, fairness, 2);
}

/* ---- Means over experiments ---- */

/* policy NULL: of all. */
static void add_means(struct table *t, const struct driven_point *points, size_t count,
                      const char *policy, const enum driven_measure *columns, size_t columns_count)
{
    struct text *row = table_row(t);
    row[0] = text_name(policy != NULL ? policy : "all", 30);
    size_t runs = 0;
    for (size_t i = 0; i < count; i++)
        runs += policy == NULL || strcmp(points[i].policy, policy) == 0;
    row[1] = text_format("%zu", runs);
    for (size_t c = 0; c < columns_count; c++) {
        double sum = 0;
        size_t n = 0;
        for (size_t i = 0; i < count; i++) {
            double error = driven_error(&points[i], columns[c]);
            if ((policy != NULL && strcmp(points[i].policy, policy) != 0) || !isfinite(error))
                continue;
            sum += fabs(error);
            n++;
        }
        row[c + 2] = n > 0 ? text_format("%.2f", sum / (double)n) : text_format("-");
    }
}

static void print_means(FILE *out, const struct driven_point *points, size_t count)
{
    struct table t = {0};
    struct text *header = table_row(&t);
    enum driven_measure columns[DRIVEN_MEASURES];
    size_t n = 0;
    header[1] = text_format("runs");
    for (enum driven_measure m = 0; m < DRIVEN_MEASURES; m++) {
        const char *title = measures[m].title;
        if (!has_measure(points, count, m))
            continue;
        header[n + 2] = text_format("%.*s", (int)strcspn(title, ","), title);
        columns[n++] = m;
    }
    fputs("\nMeans of the errors' sizes, in per cent; of shares and unfairness in points\n", out);
    add_means(&t, points, count, NULL, columns, n);
    for (size_t i = 0; i < count; i++) {
        bool known = false;
        for (size_t k = 0; k < i && !known; k++)
            known = strcmp(points[k].policy, points[i].policy) == 0;
        if (!known)
            add_means(&t, points, count, points[i].policy, columns, n);
    }
    table_print(out, &t);
    table_release(&t);
}

/* ---- Order ---- */

/* Two policies that met the same requests. */
struct contest {
    const struct driven_point *a, *b;
    enum driven_measure measure;
    struct dcs_estimate real, simulated; /* a less b */
};

static bool differs(const struct contest *c)
{
    return c->real.low > 0 || c->real.high < 0;
}

static bool is_same(const struct contest *c)
{
    return c->real.value * c->simulated.value > 0;
}

/* Calls take for each contest, by measure. */
static void each_contest(const struct driven_point *points, size_t count,
                         void (*take)(void *context, const struct contest *c), void *context)
{
    for (size_t m = 0; m < ORDERS; m++)
        for (size_t i = 0; i < count; i++)
            for (size_t k = i + 1; k < count && strcmp(points[i].world, points[k].world) == 0;
                 k++) {
                const struct driven_point *a = &points[i], *b = &points[k];
                struct contest c = {.a = a, .b = b, .measure = orders[m]};
                c.real = driven_difference(&a->real, &b->real, orders[m]);
                c.simulated = driven_difference(&a->simulated, &b->simulated, orders[m]);
                take(context, &c);
            }
}

struct order {
    size_t pairs[DRIVEN_MEASURES], differ[DRIVEN_MEASURES], same[DRIVEN_MEASURES];
    struct text_buffer wrong;
    size_t wrong_count;
};

static void count_contest(void *context, const struct contest *c)
{
    struct order *o = context;
    o->pairs[c->measure]++;
    if (!differs(c))
        return;
    o->differ[c->measure]++;
    o->same[c->measure] += is_same(c);
    if (is_same(c) || o->wrong_count++ >= WRONG_SHOWN)
        return;
    const char *title = measures[c->measure].title;
    text_append(&o->wrong, "%s%.40s, %g/s: %s and %s by %.*s", o->wrong.length > 0 ? "; " : "",
                c->a->name, c->a->rate_per_s, text_name(c->a->policy, 30).at,
                text_name(c->b->policy, 30).at, (int)strcspn(title, ","), title);
}

static void print_order(FILE *out, const struct driven_point *points, size_t count)
{
    struct order o = {0};
    struct table t = {0};
    struct text *header = table_row(&t);
    each_contest(points, count, count_contest, &o);
    header[1] = text_format("pairs of policies");
    header[2] = text_format("differ");
    header[3] = text_format("same order");
    fputs("\nOrder of the policies, where they differ on the GPU by more than their noise\n", out);
    for (size_t m = 0; m < ORDERS; m++) {
        const char *title = measures[orders[m]].title;
        struct text *row = table_row(&t);
        row[0] = text_format("%.*s", (int)strcspn(title, ","), title);
        row[1] = text_format("%zu", o.pairs[orders[m]]);
        row[2] = text_format("%zu", o.differ[orders[m]]);
        row[3] = text_format("%zu", o.same[orders[m]]);
    }
    table_print(out, &t);
    table_release(&t);
    if (o.wrong_count > WRONG_SHOWN)
        text_append(&o.wrong, " and %zu more", o.wrong_count - WRONG_SHOWN);
    if (o.wrong_count > 0) {
        text_note(out, 2, "In another order: %s.", o.wrong.text);
    }
    free(o.wrong.text);
}

/* ---- All of it ---- */

static void print_notes(FILE *out, const struct driven_point *points, size_t count)
{
    size_t others = 0;
    for (size_t i = 0; i < count; i++)
        others += points[i].other_profile;
    fputc('\n', out);
    text_paragraph(out,
                   "Each cell: real, simulated, error (per cent; of shares and unfairness, "
                   "points). Responses are "
                   "of latency requests that arrived inside the window and ended. Launches: "
                   "kernels launched in both, and how many of them on another number of SMs. "
                   "Noise: the difference of two policies request by request (batch: by tenths of "
                   "the window), in ten groups in the order of time; they differ if the 95 % "
                   "interval of the mean of the ten leaves out zero.",
                   2);
    if (others > 0)
        text_note(out, 2,
                  "%zu of %zu experiments were measured with other bytes of their profile, on "
                  "which their policies' predictions rested.",
                  others, count);
}

void driven_print(FILE *out, const struct driven_point *points, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool known = false;
        for (size_t k = 0; k < i && !known; k++)
            known = strcmp(points[k].gpu, points[i].gpu) == 0;
        if (!known)
            text_note(out, 2, "Real: %s", points[i].gpu);
    }
    for (size_t i = 0, n; i < count; i += n) {
        for (n = 1; i + n < count && strcmp(points[i].world, points[i + n].world) == 0;)
            n++;
        print_world(out, &points[i], n);
    }
    print_means(out, points, count);
    print_order(out, points, count);
    print_notes(out, points, count);
}

/* ---- Rows ---- */

static void put_quoted(FILE *out, const char *text)
{
    fputc('"', out);
    for (const char *c = text; *c != '\0'; c++)
        fprintf(out, *c == '"' ? "\"\"" : "%c", *c);
    fputc('"', out);
}

static void put_number(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, ",%.9g", value);
    else
        fputc(',', out);
}

static void put_key(FILE *out, const char *part, const struct driven_point *p, const char *against,
                    const char *measure, const char *unit)
{
    fprintf(out, "%s,", part);
    put_quoted(out, p->name);
    fprintf(out, ",%.9g,", p->rate_per_s);
    put_quoted(out, p->policy);
    fputc(',', out);
    put_quoted(out, against);
    fprintf(out, ",%s,%s", measure, unit);
}

static void put_contest(void *context, const struct contest *c)
{
    FILE *out = context;
    put_key(out, "order", c->a, c->b->policy, measures[c->measure].name, measures[c->measure].unit);
    fprintf(out, ",%" PRIu64, c->real.n);
    put_number(out, c->real.value);
    put_number(out, c->simulated.value);
    put_number(out, (c->real.high - c->real.low) / 2);
    fputc('\n', out);
}

void driven_print_csv(FILE *out, const struct driven_point *points, size_t count)
{
    fputs("part,experiment,requests_per_s,policy,against,measure,unit,n,real,simulated,half\n",
          out);
    for (size_t i = 0; i < count; i++) {
        const struct driven_point *p = &points[i];
        for (int m = 0; m < DRIVEN_MEASURES; m++) {
            put_key(out, "run", p, "", measures[m].name, measures[m].unit);
            fprintf(out, ",%zu", p->real.count);
            put_number(out, driven_side_value(&p->real, (enum driven_measure)m));
            put_number(out, driven_side_value(&p->simulated, (enum driven_measure)m));
            fputs(",\n", out);
        }
        put_key(out, "run", p, "", "other_quota", "1");
        fprintf(out, ",%" PRIu64 ",", p->launches);
        put_number(out, (double)p->other_quotas / (double)p->launches);
        fputs(",\n", out);
    }
    each_contest(points, count, put_contest, out);
}
