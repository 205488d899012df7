/* report_search.c - see report_search.h. */
#include "report/page/report_search.h"

#include "report/page/report_chart.h"
#include "runs/metric_name.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEARCHES_MAX 8   /* on a page; `dcsim export` has all */
#define LOOKS_MAX    256 /* of a search */

/* Columns of the statement, in its order. */
enum {
    QUESTION,
    POSITION,
    VARY,
    VALUE,
    METRIC,
    UNIT,
    AT_LEAST,
    BOUND,
    RESULT,
    LOW,
    HIGH,
    KEPT,
    ANSWER,
    TOLD
};

static double number_at(const struct report_texts *t, size_t row, size_t column)
{
    const char *text = t->rows[row * t->columns + column];
    return text[0] != '\0' ? strtod(text, NULL) : (double)NAN;
}

static const char *text_at(const struct report_texts *t, size_t row, size_t column)
{
    return t->rows[row * t->columns + column];
}

static enum text_unit unit_of(const char *metric, const char *unit)
{
    const char *point = strrchr(metric, '.');
    return strcmp(unit, "ns") == 0                                    ? TEXT_TIME
           : metric_name_is_share(point != NULL ? point + 1 : metric) ? TEXT_PERCENT
                                                                      : TEXT_NUMBER;
}

/* A quantile that was not reached has no place, only one that it exceeds. */
static struct chart_point read_point(const struct report_texts *t, size_t row)
{
    struct chart_point q = {number_at(t, row, VALUE), number_at(t, row, RESULT),
                            number_at(t, row, LOW), number_at(t, row, HIGH)};
    if (isnan(q.y))
        q.low = q.high = (double)NAN;
    return q;
}

/* One line for each word of column KEPT that there is. */
static size_t fill_lines(const struct report_texts *t, size_t from, size_t to,
                         struct chart_line lines[4])
{
    static const char *const words[] = {"yes", "no", "undecided", "overloaded"};
    static const char *const names[] = {"all bounds kept", "not kept", "undecided", "overloaded"};
    size_t n = 0;
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        struct chart_line line = {.name = names[w],
                                  .points = dcs_alloc(to - from + 1, sizeof *line.points)};
        for (size_t i = from; i < to; i++)
            if (strcmp(text_at(t, i, KEPT), words[w]) == 0)
                line.points[line.count++] = read_point(t, i);
        if (line.count > 0)
            lines[n++] = line;
        else
            free(line.points);
    }
    return n;
}

/* Times of an overload would flatten all others. */
static bool spans_decades(const struct report_texts *t, size_t from, size_t to)
{
    double low = number_at(t, from, BOUND), high = low;
    for (size_t i = from; i < to; i++) {
        low = fmin(low, number_at(t, i, RESULT));
        high = fmax(high, number_at(t, i, RESULT));
    }
    return low > 0 && high > 20 * low;
}

/* Rows of one bound. */
static void draw_bound(struct page *p, const struct report_texts *t, size_t from, size_t to)
{
    struct chart_line lines[4] = {0};
    const char *metric = text_at(t, from, METRIC);
    enum text_unit unit = unit_of(metric, text_at(t, from, UNIT));
    double answer = number_at(t, from, ANSWER);
    bool least = strcmp(text_at(t, from, AT_LEAST), "1") == 0;
    struct text name = text_name(metric, 60), x = text_name(text_at(t, from, VARY), 50);
    struct text title = text_format("%s, to be at %s %s", name.at, least ? "least" : "most",
                                    text_value(number_at(t, from, BOUND), unit).at);
    struct text mark = text_format("answer: %.6g", answer);
    const struct chart c = {.title = title.at,
                            .x = {.label = x.at},
                            .y = {.label = name.at,
                                  .unit = unit,
                                  .log = unit == TEXT_TIME && spans_decades(t, from, to)},
                            .lines = lines,
                            .lines_count = fill_lines(t, from, to, lines),
                            .mark = answer,
                            .mark_as = mark.at,
                            .level = number_at(t, from, BOUND),
                            .level_as = least ? "min" : "max"};
    chart_lines(p, &c);
    for (size_t i = 0; i < c.lines_count; i++)
        free(lines[i].points);
}

static void write_search(struct page *p, const struct report_texts *t, size_t from, size_t to)
{
    page_raw(p, "<p>");
    page_text(p, text_at(t, from, QUESTION));
    page_raw(p, ":</p>\n<p><strong>");
    page_text(p, text_at(t, from, TOLD));
    page_raw(p, "</strong></p>\n");
    page_raw(p, "<div class=\"figures\">\n");
    for (size_t first = from, i = from; i < to; i++)
        if (i + 1 == to || strcmp(text_at(t, i + 1, POSITION), text_at(t, first, POSITION)) != 0) {
            draw_bound(p, t, first, i + 1);
            first = i + 1;
        }
    page_raw(p,
             "</div>\n<p class=\"note\">Each point is a value that was tried, with its interval as "
             "it was asked for. A quantile that was not reached has no point.</p>\n");
}

int report_search(struct page *p, const struct report_data *d, struct dcs_err *err)
{
    bool has;
    struct report_texts t;
    if (report_has(d, "capacity_look", &has, err) != 0)
        return -1;
    if (!has)
        return 0;
    if (report_texts(&t, d,
                     "SELECT question, position, vary, value, metric, unit, at_least, bound, "
                     "result, low, high, kept, answer, told FROM capacity_look ORDER BY question, "
                     "position, value",
                     (size_t)SEARCHES_MAX * LOOKS_MAX, err) != 0)
        return -1;
    if (t.count > 0)
        page_raw(
            p,
            "<section aria-labelledby=\"search\"><h2 id=\"search\">What the search found</h2>\n");
    size_t searches = 0;
    for (size_t first = 0, i = 0; i < t.count; i++)
        if (i + 1 == t.count ||
            strcmp(text_at(&t, i + 1, QUESTION), text_at(&t, first, QUESTION)) != 0) {
            if (searches++ < SEARCHES_MAX)
                write_search(p, &t, first, i + 1);
            first = i + 1;
        }
    if (t.count > 0)
        page_raw(p, "</section>\n");
    report_texts_release(&t);
    return 0;
}
