/* report_search.c - see report_search.h. */
#include "report/page/report_search.h"

#include "report/page/report_chart.h"
#include "runs/metric_name.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEARCHES_MAX 8       /* on a page; `dcsim export` has all */
#define LOOKS_MAX    1024    /* of a search, over all its bounds */
#define LISTED_MAX   1000000 /* searches that are counted */

extern const char search_worlds_sql[]; /* search_worlds.sql */

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
    TOLD,
    REASON
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

/* One line for each word of column KEPT that there is; a word looks the same in all figures. */
static size_t fill_lines(const struct report_texts *t, size_t from, size_t to,
                         struct chart_line lines[4])
{
    static const char *const words[] = {"yes", "no", "undecided", "overloaded"};
    static const char *const names[] = {"all bounds kept", "not kept", "undecided", "overloaded"};
    size_t n = 0;
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        struct chart_line line = {.name = names[w],
                                  .look = w + 1,
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

/* Of a bound; overloaded points beyond it are off the scale, where the axis is not logarithmic. */
#define OFF_SCALE 10

/* Freed by the caller. */
static char *note_bound(const struct report_texts *t, size_t from, size_t to, size_t above)
{
    struct text_buffer note = {0};
    double *missing = dcs_alloc(to - from + 1, sizeof *missing);
    size_t count = 0;
    for (size_t i = from; i < to; i++)
        if (isnan(number_at(t, i, RESULT)))
            missing[count++] = number_at(t, i, VALUE);
    if (above > 0)
        text_append(&note, "%zu overloaded point%s above the axis (↑): the table below has %s.",
                    above, above == 1 ? " is" : "s are", above == 1 ? "it" : "them");
    chart_note_missing(&note, missing, count);
    free(missing);
    return note.text;
}

static size_t count_off_scale(const struct report_texts *t, size_t from, size_t to, double most)
{
    size_t n = 0;
    for (size_t i = from; i < to; i++)
        n += number_at(t, i, RESULT) > most;
    return n;
}

/* The end of the scale; 0: all is on it. Only overloaded points may lie above it. */
static double find_most(const struct report_texts *t, size_t from, size_t to)
{
    double most = OFF_SCALE * number_at(t, from, BOUND);
    for (size_t i = from; i < to; i++)
        if (strcmp(text_at(t, i, KEPT), "overloaded") != 0)
            most = fmax(most, number_at(t, i, RESULT));
    return most > 0 && count_off_scale(t, from, to, most) > 0 ? most : 0;
}

/* Rows of one bound. */
static void draw_bound(struct page *p, const struct report_texts *t, size_t from, size_t to)
{
    struct chart_line lines[4] = {0};
    const char *metric = text_at(t, from, METRIC);
    enum text_unit unit = unit_of(metric, text_at(t, from, UNIT));
    double answer = number_at(t, from, ANSWER);
    bool least = strcmp(text_at(t, from, AT_LEAST), "1") == 0;
    bool log = unit == TEXT_TIME && spans_decades(t, from, to);
    struct text name = text_name(metric, log ? 45 : 60), x = text_name(text_at(t, from, VARY), 50);
    struct text title = text_format("%s, to be at %s %s", name.at, least ? "least" : "most",
                                    text_value(number_at(t, from, BOUND), unit).at);
    struct text mark = text_format("answer: %.6g", answer);
    double most = log ? 0 : find_most(t, from, to);
    size_t above = most > 0 ? count_off_scale(t, from, to, most) : 0;
    char *note = note_bound(t, from, to, above);
    const struct chart c = {
        .title = title.at,
        .note = note,
        .x = {.label = x.at},
        .y = {.label = name.at, .unit = unit, .like = number_at(t, from, BOUND), .log = log},
        .lines = lines,
        .lines_count = fill_lines(t, from, to, lines),
        .mark = answer,
        .mark_as = mark.at,
        .most = most,
        .level = number_at(t, from, BOUND),
        .level_as = least ? "min" : "max"};
    chart_lines(p, &c);
    free(note);
    for (size_t i = 0; i < c.lines_count; i++)
        free(lines[i].points);
}

/* Searches of other worlds ask the same: what tells them apart stands in the place of the hash of
 * an experiment, unless it leaves two alike. Freed by the caller. */
static char *name_search(const struct report_texts *worlds, size_t search)
{
    const char *question = text_at(worlds, search, 0), *differs = text_at(worlds, search, 1);
    const char *hash = strstr(question, "; experiment ");
    size_t length = hash != NULL ? (size_t)(hash - question) : strlen(question);
    bool alike = false;
    for (size_t i = 0; i < worlds->count && !alike; i++)
        alike = i != search && strncmp(text_at(worlds, i, 0), question, length) == 0 &&
                strcmp(text_at(worlds, i, 1), differs) == 0;
    struct text_buffer name = {0};
    text_append(&name, "%.*s%s%s", alike ? (int)strlen(question) : (int)length, question,
                differs[0] != '\0' ? "; " : "", differs);
    return name.text;
}

/* Why values are overloaded, the same reason once. Rows of one bound. */
static void write_reasons(struct page *p, const struct report_texts *t, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        const char *reason = text_at(t, i, REASON);
        bool told = reason[0] == '\0';
        for (size_t k = from; k < i && !told; k++)
            told = strcmp(text_at(t, k, REASON), reason) == 0;
        if (told)
            continue;
        page_raw(p, "<p class=\"note\">Overloaded at ");
        for (size_t k = i; k < to; k++)
            if (strcmp(text_at(t, k, REASON), reason) == 0)
                page_format(p, "%s%.6g", k > i ? ", " : "", number_at(t, k, VALUE));
        page_raw(p, ": ");
        page_text(p, reason);
        page_raw(p, ".</p>\n");
    }
}

/* A paragraph for each line. */
static void write_told(struct page *p, const char *told)
{
    char *lines = dcs_strdup(told), *rest = lines;
    for (const char *line; (line = strsep(&rest, "\n")) != NULL;) {
        page_raw(p, "<p><strong>");
        page_text(p, line);
        page_raw(p, "</strong></p>\n");
    }
    free(lines);
}

static void write_search(struct page *p, const char *name, const struct report_texts *t,
                         size_t from, size_t to)
{
    size_t bound = from;
    page_raw(p, "<p>");
    page_text(p, name);
    page_raw(p, ":</p>\n");
    write_told(p, text_at(t, from, TOLD));
    page_raw(p, "<div class=\"figures\">\n");
    for (size_t first = from, i = from; i < to; i++)
        if (i + 1 == to || strcmp(text_at(t, i + 1, POSITION), text_at(t, first, POSITION)) != 0) {
            draw_bound(p, t, first, i + 1);
            first = i + 1;
        }
    page_raw(p,
             "</div>\n<p class=\"note\">Each point is a value that was tried, with its interval as "
             "it was asked for. A quantile that was not reached has no point.</p>\n");
    while (bound < to && strcmp(text_at(t, bound, POSITION), text_at(t, from, POSITION)) == 0)
        bound++;
    write_reasons(p, t, from, bound);
}

/* All rows of the searches that the page shows. */
static int read_looks(struct report_texts *t, const struct report_data *d, struct dcs_err *err)
{
    struct text_buffer sql = {0};
    struct report_texts column;
    if (report_texts(&column, d,
                     "SELECT 1 FROM pragma_table_info('capacity_look') WHERE name = 'reason'", 1,
                     err) != 0)
        return -1;
    text_append(&sql,
                "SELECT question, position, vary, value, metric, unit, at_least, bound, result, "
                "low, high, kept, answer, told, %s FROM capacity_look WHERE question IN (SELECT "
                "DISTINCT question FROM capacity_look ORDER BY question LIMIT %d) ORDER BY "
                "question, position, value",
                column.count > 0 ? "reason" : "''", SEARCHES_MAX);
    report_texts_release(&column);
    int status = report_texts(t, d, sql.text, (size_t)SEARCHES_MAX * LOOKS_MAX, err);
    free(sql.text);
    return status;
}

static void write_searches(struct page *p, const struct report_texts *t,
                           const struct report_texts *worlds)
{
    page_raw(p, "<section aria-labelledby=\"search\"><h2 id=\"search\">What the search "
                "found</h2>\n");
    for (size_t search = 0, first = 0, i = 0; i < t->count && search < worlds->count; i++) {
        if (i + 1 < t->count &&
            strcmp(text_at(t, i + 1, QUESTION), text_at(t, first, QUESTION)) == 0)
            continue;
        char *name = name_search(worlds, search++);
        write_search(p, name, t, first, i + 1);
        free(name);
        first = i + 1;
    }
    if (worlds->count > SEARCHES_MAX)
        page_raw(p,
                 "<p class=\"note\">The first %d of %zu searches; <code>dcsim export results.db "
                 "capacity_look --csv</code> prints all.</p>\n",
                 SEARCHES_MAX, worlds->count);
    page_raw(p, "</section>\n");
}

int report_search(struct page *p, const struct report_data *d, struct dcs_err *err)
{
    bool has;
    struct report_texts t, worlds;
    if (report_has(d, "capacity_look", &has, err) != 0)
        return -1;
    if (!has)
        return 0;
    if (report_texts(&worlds, d, search_worlds_sql, LISTED_MAX, err) != 0)
        return -1;
    int status = read_looks(&t, d, err);
    if (status == 0 && t.count > 0)
        write_searches(p, &t, &worlds);
    if (status == 0)
        report_texts_release(&t);
    report_texts_release(&worlds);
    return status;
}
