/* report_moment.c - see report_moment.h. */
#include "report/page/report_moment.h"

#include "report/page/report_chart.h"
#include "results/results_db.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHANGES                                                                                    \
    1500            /* what a figure 420 wide shows; a moment with more of them is made shorter    \
                     */
#define HALVINGS 60 /* of an int64_t: then it has no length */

extern const char moment_sql[]; /* moment.sql */

/* Which one, and what changed in it. */
struct moment {
    int64_t experiment, replication, domain;
    int64_t from_ns, to_ns, arrival_ns, deadline_ns;
    struct report_texts request; /* the one it is about */
    char *names[CHART_SERIES];   /* applications */
    bool service[CHART_SERIES];
    size_t names_count, count; /* points of each line */
    bool more;                 /* applications than are drawn, or changes than can be */
    struct chart_point *sms[CHART_SERIES], *waiting[CHART_SERIES], *late; /* CHANGES + 1 of each */
};

enum column { EXPERIMENT, REPLICATION, DOMAIN, ARRIVAL, END, DEADLINE, LATE, NAME, JOB, NUMBER };

static int64_t number_in(const struct moment *m, enum column column)
{
    return strtoll(m->request.rows[column], NULL, 10);
}

/* The request that passed its deadline by most, or came nearest to it, and its time three times. */
static int choose_moment(struct moment *m, const struct report_data *d, struct dcs_err *err)
{
    static const char sql[] =
        "SELECT q.experiment, q.replication, q.domain, q.arrival_ns, q.end_ns, "
        "ifnull(q.deadline_ns, q.end_ns), q.end_ns > q.deadline_ns, a.name, q.job, q.number FROM "
        "(SELECT experiment, replication FROM decision WHERE what = 'begins' LIMIT 1) JOIN request "
        "q USING (experiment, replication) JOIN run r USING (experiment, replication) JOIN "
        "application a ON a.experiment = q.experiment AND a.app = q.app WHERE a.class = 'latency' "
        "AND q.outcome = 'done' AND q.domain IS NOT NULL AND q.arrival_ns >= r.window_from_ns "
        "ORDER BY q.end_ns - ifnull(q.deadline_ns, q.end_ns) DESC, q.job, q.number";
    if (report_texts(&m->request, d, sql, 1, err) != 0)
        return -1;
    if (m->request.count == 0)
        return 0;
    m->experiment = number_in(m, EXPERIMENT);
    m->replication = number_in(m, REPLICATION);
    m->domain = number_in(m, DOMAIN);
    m->deadline_ns = number_in(m, DEADLINE);
    m->arrival_ns = number_in(m, ARRIVAL);
    int64_t end_ns = number_in(m, END);
    if (m->arrival_ns < 0 || end_ns <= m->arrival_ns || end_ns > INT64_MAX / 4)
        return 0; /* not ours */
    int64_t took_ns = end_ns - m->arrival_ns;
    m->from_ns = m->arrival_ns > took_ns ? m->arrival_ns - took_ns : 0;
    m->to_ns = end_ns + took_ns;
    return 1;
}

static size_t find_name(struct moment *m, const char *name)
{
    size_t n = 0;
    while (n < m->names_count && strcmp(m->names[n], name) != 0)
        n++;
    if (n < m->names_count || n == CHART_SERIES - 1) /* the last one is what is late */
        return n;
    m->names[m->names_count++] = dcs_strdup(name);
    return n;
}

/* A point of all lines at this time: what they were before. */
static void add_point(struct moment *m, double at_ns)
{
    size_t now = m->count++;
    for (size_t n = 0; n < CHART_SERIES; n++) {
        double sms = now > 0 ? m->sms[n][now - 1].y : 0;
        double waiting = now > 0 ? m->waiting[n][now - 1].y : 0;
        m->sms[n][now] = (struct chart_point){at_ns, sms, (double)NAN, (double)NAN};
        m->waiting[n][now] = (struct chart_point){at_ns, waiting, (double)NAN, (double)NAN};
    }
    double late = now > 0 ? m->late[now - 1].y : 0;
    m->late[now] = (struct chart_point){at_ns, late, (double)NAN, (double)NAN};
}

static void take_change(struct moment *m, sqlite3_stmt *row)
{
    double at_ns = (double)(sqlite3_column_int64(row, 0) - m->arrival_ns);
    if (m->count == 0 || m->late[m->count - 1].x < at_ns)
        add_point(m, at_ns);
    const char *name = (const char *)sqlite3_column_text(row, 1);
    size_t n = find_name(m, name != NULL ? name : ""), now = m->count - 1;
    m->late[now].y += sqlite3_column_double(row, 4);
    if (n == m->names_count) {
        m->more = true;
        return;
    }
    m->service[n] = sqlite3_column_int(row, 5) != 0;
    m->sms[n][now].y += sqlite3_column_double(row, 2);
    m->waiting[n][now].y += sqlite3_column_double(row, 3);
}

/* 1: all changes are in it, 0: they are too many, -1 and err. */
static int read_changes(struct moment *m, const struct report_data *d, struct dcs_err *err)
{
    sqlite3_stmt *row = results_prepare(d->results, moment_sql, err);
    if (row == NULL)
        return -1;
    const int64_t values[] = {m->experiment, m->replication, m->domain, m->from_ns, m->to_ns};
    for (int i = 0; i < 5; i++)
        sqlite3_bind_int64(row, i + 1, values[i]);
    m->count = 0;
    int code;
    while ((code = sqlite3_step(row)) == SQLITE_ROW && m->count < CHANGES)
        take_change(m, row);
    sqlite3_finalize(row);
    if (code != SQLITE_DONE && code != SQLITE_ROW)
        return results_failed(d->results, err);
    if (m->count > 0 && m->late[m->count - 1].x < (double)(m->to_ns - m->arrival_ns))
        add_point(m, (double)(m->to_ns - m->arrival_ns));
    return code == SQLITE_DONE;
}

static int read_moment(struct moment *m, const struct report_data *d, struct dcs_err *err)
{
    for (size_t n = 0; n < CHART_SERIES; n++) {
        m->sms[n] = dcs_alloc(CHANGES + 1, sizeof *m->sms[n]);
        m->waiting[n] = dcs_alloc(CHANGES + 1, sizeof *m->waiting[n]);
    }
    m->late = dcs_alloc(CHANGES + 1, sizeof *m->late);
    int status = read_changes(m, d, err);
    for (int i = 0; status == 0 && i < HALVINGS; i++) {
        m->from_ns = m->deadline_ns - (m->deadline_ns - m->from_ns) / 2;
        m->to_ns = m->deadline_ns + (m->to_ns - m->deadline_ns) / 2;
        status = read_changes(m, d, err);
    }
    return status;
}

static void release_moment(struct moment *m)
{
    for (size_t n = 0; n < CHART_SERIES; n++) {
        free(m->names[n]);
        free(m->sms[n]);
        free(m->waiting[n]);
    }
    free(m->late);
    report_texts_release(&m->request);
}

static void append_place(struct text_buffer *note, const struct moment *m,
                         const struct report_data *d)
{
    char *const *request = m->request.rows;
    text_append(note, " Domain %s", request[DOMAIN]);
    for (size_t i = 0; i < d->count; i++)
        if (d->points[i].system->id == m->experiment)
            text_append(note, " under %s", d->points[i].system->label);
    text_append(
        note, ", replication %s, around request %s:%s of %s, which arrived at %.3f s and %s.",
        request[REPLICATION], request[JOB], request[NUMBER], request[NAME],
        (double)m->arrival_ns / 1e9,
        request[LATE][0] == '1' ? "passed its deadline by most" : "came nearest to its deadline");
    if (m->more)
        text_append(note, " Applications beyond the first %d are not drawn.", CHART_SERIES - 1);
}

static bool changes_at(const struct chart_line *lines, size_t count, size_t i)
{
    for (size_t l = 0; l < count; l++)
        if (i == 0 || i + 1 == lines[l].count || lines[l].points[i].y != lines[l].points[i - 1].y)
            return true;
    return false;
}

/* Leaves out the times at which none of the lines changes; they begin and end where they did. */
static void keep_changes(struct chart_line *lines, size_t count)
{
    size_t kept = 0, all = lines[0].count;
    bool *keep = dcs_alloc(all + 1, sizeof *keep);
    for (size_t i = 0; i < all; i++)
        keep[i] = changes_at(lines, count, i);
    for (size_t i = 0; i < all; i++) {
        for (size_t l = 0; l < count && keep[i]; l++)
            lines[l].points[kept] = lines[l].points[i];
        kept += keep[i];
    }
    for (size_t l = 0; l < count; l++)
        lines[l].count = kept;
    free(keep);
}

static void draw_sms(struct page *p, const struct moment *m, struct chart c, const char *place)
{
    struct chart_line lines[CHART_SERIES] = {0};
    struct text_buffer note = {0};
    text_append(&note,
                "SMs that the policy allotted to what runs, without transfers; caps under MPS may "
                "add up to more than there are.%s",
                place);
    for (size_t n = 0; n < m->names_count; n++)
        lines[n] = (struct chart_line){m->names[n], m->sms[n], m->count, 0};
    keep_changes(lines, m->names_count);
    c.title = "How SMs were divided";
    c.note = note.text;
    c.y = (struct chart_axis){.label = "SMs"};
    c.shape = CHART_STACK;
    c.lines = lines;
    c.lines_count = m->names_count;
    chart_lines(p, &c);
    free(note.text);
}

static void draw_queue(struct page *p, const struct moment *m, struct chart c, const char *place)
{
    struct chart_line lines[CHART_SERIES] = {0};
    char *names[CHART_SERIES];
    struct text_buffer note = {0};
    size_t n_lines = 0;
    text_append(&note,
                "Requests of services that are there while no kernel of them runs, and those whose "
                "deadline has passed while they wait or run.%s",
                place);
    for (size_t n = 0; n < m->names_count; n++) {
        struct text name = text_format("%.80s, waiting", m->names[n]);
        names[n] = dcs_strdup(name.at);
        if (m->service[n])
            lines[n_lines++] = (struct chart_line){names[n], m->waiting[n], m->count, 0};
    }
    lines[n_lines++] = (struct chart_line){"late", m->late, m->count, 0};
    keep_changes(lines, n_lines);
    c.title = "Requests that wait, and late ones";
    c.note = note.text;
    c.y = (struct chart_axis){.label = "requests", .count = true};
    c.shape = CHART_STEPS;
    c.mark = (double)NAN; /* where a request becomes late is in the line of those that are */
    c.lines = lines;
    c.lines_count = n_lines;
    chart_lines(p, &c);
    for (size_t n = 0; n < m->names_count; n++)
        free(names[n]);
    free(note.text);
}

int report_moment(struct page *p, const struct report_data *d, struct dcs_err *err)
{
    struct moment m = {0};
    int status = choose_moment(&m, d, err);
    if (status == 1)
        status = read_moment(&m, d, err);
    if (status == 1 && m.names_count > 0) {
        struct text_buffer place = {0};
        append_place(&place, &m, d);
        const struct chart c = {.x = {.label = "time since the request arrived", .unit = TEXT_TIME},
                                .mark = (double)(m.deadline_ns - m.arrival_ns),
                                .mark_as = "deadline"};
        draw_sms(p, &m, c, place.text);
        draw_queue(p, &m, c, place.text);
        free(place.text);
    }
    release_moment(&m);
    return status < 0 ? -1 : 0;
}
