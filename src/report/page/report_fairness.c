/* report_fairness.c - see report_fairness.h. */
#include "report/page/report_fairness.h"

#include "report/page/report_rank.h"

#include <math.h>
#include <stdlib.h>

#define ROWS_MAX   5000 /* experiments that the means are of */
#define ROWS_SHOWN 300

/* Columns of the statement, in its order. */
enum { EXPERIMENT, UNFAIRNESS, PERFORMANCE, VIOLATION, SLOWDOWNS, COLUMNS };

static const char statement[] =
    "SELECT s.experiment, max(CASE WHEN s.name = 'unfairness' THEN s.value END), max(CASE WHEN "
    "s.name = 'aggregated_performance' AND s.class IS NULL THEN s.value END), max(CASE WHEN s.name "
    "= 'qos_violation' AND s.class = 'latency' THEN s.value END), (SELECT group_concat(part, ', ') "
    "FROM (SELECT a.name || ' ' || ifnull(printf('%.2f', v.value), '-') AS part FROM summary v "
    "JOIN application a USING (experiment, app) WHERE v.experiment = s.experiment AND v.name = "
    "'slowdown' ORDER BY v.app)) FROM summary s WHERE s.app IS NULL AND s.name IN ('unfairness', "
    "'aggregated_performance', 'qos_violation') GROUP BY s.experiment ORDER BY s.experiment";

static double read_number(const char *text)
{
    return text[0] != '\0' ? strtod(text, NULL) : (double)NAN;
}

static double number_at(const struct report_texts *t, size_t row, size_t column)
{
    return read_number(t->rows[row * t->columns + column]);
}

static const struct report_point *point_at(const struct report_data *d,
                                           const struct report_texts *t, size_t row)
{
    return report_point_of(d, strtoll(t->rows[row * t->columns + EXPERIMENT], NULL, 10));
}

/* ---- By policy ---- */

/* Means and counts over the experiments of a label in worlds that all labels met. */
struct label_sums {
    double unfairness, performance;
    size_t fair, performing; /* experiments behind these two */
    size_t short_by[3];      /* services' worst: not short, by less than SLIGHT, by more */
};

/* Themis, section VII-D: a slight violation. */
#define SLIGHT 0.05

static void add_experiment(struct label_sums *sums, const struct report_texts *t, size_t row)
{
    double unfairness = number_at(t, row, UNFAIRNESS);
    double performance = number_at(t, row, PERFORMANCE);
    double violation = number_at(t, row, VIOLATION);
    if (!isnan(unfairness)) {
        sums->unfairness += unfairness;
        sums->fair++;
    }
    if (!isnan(performance)) {
        sums->performance += performance;
        sums->performing++;
    }
    if (!isnan(violation))
        sums->short_by[violation > 0 ? violation < SLIGHT ? 1 : 2 : 0]++;
}

static void write_label(struct page *p, const struct report_data *d, size_t label,
                        const struct label_sums *s)
{
    bool hypothetical = report_caveats_of(d, label).hypothetical > 0;
    struct text_buffer name = {0};
    text_append(&name, "%s%s", d->labels[label], hypothetical ? ", " REPORT_HYPOTHETICAL : "");
    page_row_open(p, name.text);
    free(name.text);
    page_cell(p, text_format("%zu", s->fair).at);
    page_cell(p, text_value(s->unfairness / (double)s->fair, TEXT_NUMBER).at);
    page_cell(p, text_value(s->performance / (double)s->performing, TEXT_NUMBER).at);
    bool services = s->short_by[0] + s->short_by[1] + s->short_by[2] > 0;
    for (size_t i = 0; i < 3; i++)
        page_cell(p, services ? text_format("%zu", s->short_by[i]).at : "-");
    page_row_close(p);
}

static void write_labels(struct page *p, const struct report_data *d, const struct report_texts *t)
{
    static const char *const heads[] = {
        "<policy",    "experiments",    "unfairness", "aggregated performance",
        "QoS is met", "short by < 5 %", "by more"};
    page_table_open(p, "Means by policy, and in how many experiments a service falls short", heads,
                    sizeof heads / sizeof heads[0]);
    for (size_t label = 0; label < d->labels_count; label++) {
        struct label_sums sums = {0};
        for (size_t i = 0; i < t->count; i++) {
            const struct report_point *point = point_at(d, t, i);
            if (point != NULL && point->label == label && d->ranked[point->world])
                add_experiment(&sums, t, i);
        }
        if (sums.fair > 0)
            write_label(p, d, label, &sums);
    }
    page_table_close(p);
}

/* ---- By experiment ---- */

static void write_row(struct page *p, const struct report_data *d, const struct report_point *point,
                      char **row)
{
    page_row_open(p, d->groups.groups[point->world].heading);
    struct text_buffer name = {0};
    text_append(&name, "%s%s", point->system->label,
                point->system->hypothetical[0] != '\0' ? ", " REPORT_HYPOTHETICAL : "");
    page_cell(p, name.text);
    free(name.text);
    page_cell(p, text_value(read_number(row[UNFAIRNESS]), TEXT_NUMBER).at);
    page_cell(p, text_value(read_number(row[PERFORMANCE]), TEXT_NUMBER).at);
    page_cell(p, text_value(read_number(row[VIOLATION]), TEXT_PERCENT).at);
    page_cell(p, row[SLOWDOWNS]);
    page_row_close(p);
}

static void write_rows(struct page *p, const struct report_data *d, const struct report_texts *t)
{
    static const char *const heads[] = {
        "<world", "<policy", "unfairness", "aggregated performance", "QoS short by", "<slow-downs"};
    page_fold_open(p, "numbers", "Each experiment");
    page_table_open(p, "By experiment", heads, sizeof heads / sizeof heads[0]);
    size_t shown = 0;
    for (size_t world = 0; world < d->groups.count; world++)
        for (size_t i = 0; i < t->count; i++) {
            const struct report_point *point = point_at(d, t, i);
            if (point != NULL && point->world == world && shown++ < ROWS_SHOWN)
                write_row(p, d, point, &t->rows[i * t->columns]);
        }
    page_table_close(p);
    if (shown > ROWS_SHOWN)
        page_raw(p, "<p class=\"note\">And %zu more.</p>\n", shown - ROWS_SHOWN);
    page_fold_close(p);
}

int report_fairness(struct page *p, const struct report_data *d, struct dcs_err *err)
{
    struct report_texts t;
    if (report_texts(&t, d, statement, ROWS_MAX, err) != 0)
        return -1;
    if (t.count > 0) {
        page_raw(p, "<section aria-labelledby=\"fairness\"><h2 id=\"fairness\">How applications "
                    "slow each other</h2>\n");
        write_labels(p, d, &t);
        write_rows(p, d, &t);
        page_raw(p,
                 "<p class=\"note\">Slow-down of an application, all its requests together: time "
                 "together over time alone on a whole device. "
                 "Aggregated performance: the sum of 1 over each. Unfairness: 0 where slow-downs "
                 "of applications are as the weights ask, or there is one alone. QoS short by: of "
                 "the worst service, the share of its "
                 "target that its progress lacks.");
        if (t.more)
            page_format(p, " The first %d experiments that kept it.", ROWS_MAX);
        page_raw(p, "</p>\n</section>\n");
    }
    report_texts_release(&t);
    return 0;
}
