/*
 * explain_measured.c - see explain_measured.h.
 *
 * The database is untrusted: a recorder is told of nothing that no run can have done
 * (check_run()).
 */
#include "commands/explain_measured.h"

#include <stdlib.h>
#include <string.h>

struct measured_launch {
    size_t request; /* its place */
    uint32_t kernel, sms;
    int64_t event_ns;    /* what the policy was told of */
    int64_t launched_ns; /* when the driver had it; DCS_NEVER: never, as the next ones */
    int64_t end_ns, heard_ns;
    int64_t revoked_ns, gone_ns;
};

struct measured_callback {
    int64_t begin_ns, end_ns;
};

/* ---- Reading ---- */

static int finish(const struct results *r, sqlite3_stmt *row, int code, struct dcs_err *err)
{
    sqlite3_finalize(row);
    return code == SQLITE_DONE ? 0 : results_failed(r, err);
}

static int64_t time_at(sqlite3_stmt *row, int column, int64_t since_ns)
{
    if (sqlite3_column_type(row, column) == SQLITE_NULL)
        return DCS_NEVER;
    int64_t ns = sqlite3_column_int64(row, column);
    return ns >= 0 && ns < DCS_TIME_MAX && since_ns < DCS_TIME_MAX ? since_ns + ns : -1;
}

/* UINT32_MAX: none that a run can have. */
static uint32_t number_at(sqlite3_stmt *row, int column)
{
    int64_t number = sqlite3_column_int64(row, column);
    return number >= 0 && number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

static void take_request(struct measured_run *m, size_t *capacity, sqlite3_stmt *row)
{
    const char *outcome = (const char *)sqlite3_column_text(row, 3);
    bool none = sqlite3_column_type(row, 7) == SQLITE_NULL;
    m->requests = dcs_grow(m->requests, capacity, m->requests_count + 1, sizeof *m->requests);
    m->requests[m->requests_count++] = (struct cluster_request_row){
        .job = number_at(row, 0),
        .index = (uint64_t)sqlite3_column_int64(row, 1),
        .app = number_at(row, 2),
        .outcome = outcome == NULL || strcmp(outcome, "inside") == 0 ? CLUSTER_INSIDE
                   : strcmp(outcome, "done") == 0                    ? CLUSTER_DONE
                                                                     : CLUSTER_DROPPED,
        .arrival_ns = time_at(row, 4, 0),
        .end_ns = time_at(row, 5, 0),
        .deadline_ns = time_at(row, 6, 0),
        .domain = none ? RECORD_NONE : 0,
        .size = sqlite3_column_int64(row, 8),
    };
}

static int read_requests(struct measured_run *m, const struct results *r, int64_t experiment,
                         uint64_t replication, struct dcs_err *err)
{
    sqlite3_stmt *row = results_prepare_run(
        r,
        "SELECT job, number, app, outcome, arrival_ns, end_ns, deadline_ns, domain, size, "
        "window_to_ns FROM request JOIN run USING (experiment, replication) WHERE "
        "experiment = ?1 AND replication = ?2 ORDER BY job, number",
        experiment, replication, err);
    size_t capacity = 0;
    int code = SQLITE_ERROR;
    if (row == NULL)
        return -1;
    while ((code = sqlite3_step(row)) == SQLITE_ROW) {
        take_request(m, &capacity, row);
        m->to_ns = time_at(row, 9, 0);
    }
    if (finish(r, row, code, err) != 0)
        return -1;
    if (m->requests_count > 0)
        return 0;
    return dcs_err_at(err, r->path, 0, "request",
                      "replication %lu of experiment %011llx has no rows of requests: measure it "
                      "with outputs.requests true",
                      (unsigned long)replication, (unsigned long long)experiment);
}

static int by_number(const void *a, const void *b)
{
    const struct cluster_request_row *x = a, *y = b;
    if (x->job != y->job)
        return x->job < y->job ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static void take_launch(struct measured_run *m, size_t *capacity, sqlite3_stmt *row)
{
    const struct cluster_request_row key = {.job = number_at(row, 0),
                                            .index = (uint64_t)sqlite3_column_int64(row, 1)};
    const struct cluster_request_row *of =
        bsearch(&key, m->requests, m->requests_count, sizeof key, by_number);
    int64_t event_ns = time_at(row, 4, 0), revoked_ns = time_at(row, 8, 0);
    m->launches = dcs_grow(m->launches, capacity, m->launches_count + 1, sizeof *m->launches);
    m->launches[m->launches_count++] = (struct measured_launch){
        .request = of != NULL ? (size_t)(of - m->requests) : SIZE_MAX,
        .kernel = number_at(row, 2),
        .sms = number_at(row, 3),
        .event_ns = event_ns,
        .launched_ns = time_at(row, 5, event_ns),
        .end_ns = time_at(row, 6, event_ns),
        .heard_ns = time_at(row, 7, event_ns),
        .revoked_ns = revoked_ns,
        .gone_ns = revoked_ns == DCS_NEVER ? DCS_NEVER : time_at(row, 9, revoked_ns),
    };
}

static int read_launches(struct measured_run *m, const struct results *r, int64_t experiment,
                         uint64_t replication, struct dcs_err *err)
{
    bool revokes;
    size_t capacity = 0;
    int code = SQLITE_ERROR;
    /* A database from before revocation has no table of it. */
    if (results_has(r, "driven_revocation", &revokes, err) != 0)
        return -1;
    sqlite3_stmt *row = results_prepare_run(
        r,
        revokes ? "SELECT job, number, kernel, coalesce(got_sms, sms), event_ns, "
                  "coalesce(d.launched_ns, l.launched_ns), end_ns, heard_ns, revoked_ns, gone_ns "
                  "FROM driven_launch l LEFT JOIN driven_revocation d USING (experiment, "
                  "replication, position) WHERE experiment = ?1 AND replication = ?2 ORDER BY "
                  "job, number, position"
                : "SELECT job, number, kernel, coalesce(got_sms, sms), event_ns, launched_ns, "
                  "end_ns, heard_ns, NULL, NULL FROM driven_launch WHERE experiment = ?1 AND "
                  "replication = ?2 ORDER BY job, number, position",
        experiment, replication, err);
    if (row == NULL)
        return -1;
    while ((code = sqlite3_step(row)) == SQLITE_ROW)
        take_launch(m, &capacity, row);
    return finish(r, row, code, err);
}

static int read_callbacks(struct measured_run *m, const struct results *r, int64_t experiment,
                          uint64_t replication, struct dcs_err *err)
{
    sqlite3_stmt *row =
        results_prepare_run(r,
                            "SELECT event_ns, begin_ns, end_ns FROM driven_callback WHERE "
                            "experiment = ?1 AND replication = ?2 ORDER BY position",
                            experiment, replication, err);
    size_t capacity = 0;
    int code = SQLITE_ERROR;
    if (row == NULL)
        return -1;
    while ((code = sqlite3_step(row)) == SQLITE_ROW) {
        int64_t event_ns = time_at(row, 0, 0);
        m->callbacks =
            dcs_grow(m->callbacks, &capacity, m->callbacks_count + 1, sizeof *m->callbacks);
        m->callbacks[m->callbacks_count++] = (struct measured_callback){
            .begin_ns = time_at(row, 1, event_ns), .end_ns = time_at(row, 2, event_ns)};
    }
    return finish(r, row, code, err);
}

/* ---- Whether a run can have been like this ---- */

static bool in_order(int64_t a_ns, int64_t b_ns, int64_t c_ns)
{
    return 0 <= a_ns && a_ns <= b_ns && b_ns <= c_ns;
}

static bool good_request(const struct cluster_request_row *q, const struct experiment *x,
                         int64_t to_ns)
{
    bool ended = q->outcome != CLUSTER_INSIDE;
    return q->job != UINT32_MAX && q->index <= INT64_MAX && q->app < x->apps_count &&
           q->deadline_ns >= 0 && (ended == (q->end_ns != DCS_NEVER)) &&
           in_order(0, q->arrival_ns, ended ? q->end_ns : to_ns) &&
           (q->end_ns == DCS_NEVER || q->end_ns <= to_ns) &&
           (q->domain != RECORD_NONE || q->outcome == CLUSTER_DROPPED);
}

/* When the device has a launch no more; DCS_NEVER: it has it in the end. */
static int64_t over_ns(const struct measured_launch *l)
{
    if (l->revoked_ns == DCS_NEVER)
        return l->end_ns;
    return l->gone_ns != DCS_NEVER ? l->gone_ns : l->revoked_ns;
}

/* What a request of its size is made of. */
static uint32_t form_of(const struct experiment *x, const struct cluster_request_row *q)
{
    for (uint32_t i = x->apps_count; q->size > 0 && i < x->apps_count + x->sized_count; i++)
        if (strcmp(x->apps[i].name, x->apps[q->app].name) == 0 && x->apps[i].size == q->size)
            return i;
    return q->app;
}

/* free_ns: since when its request waits. */
static bool good_launch(const struct measured_run *m, const struct measured_launch *l,
                        const struct experiment *x, int64_t free_ns)
{
    if (l->request >= m->requests_count)
        return false;
    const struct cluster_request_row *q = &m->requests[l->request];
    bool dies = l->revoked_ns != DCS_NEVER;
    if (q->domain == RECORD_NONE || l->kernel >= x->apps[form_of(x, q)].kernels ||
        l->sms > x->kind[0].profile->sms || !in_order(free_ns, l->event_ns, m->to_ns) ||
        (l->launched_ns != DCS_NEVER && l->launched_ns < l->event_ns))
        return false;
    if (dies)
        return l->end_ns == DCS_NEVER && l->event_ns < l->revoked_ns && l->revoked_ns <= over_ns(l);
    return l->end_ns == DCS_NEVER ||
           (l->launched_ns != DCS_NEVER && l->heard_ns != DCS_NEVER && l->event_ns < l->end_ns &&
            in_order(l->launched_ns, l->end_ns, l->heard_ns));
}

static int check_run(const struct measured_run *m, const struct experiment *x, const char *path,
                     struct dcs_err *err)
{
    bool good = m->to_ns >= 0 && m->to_ns != DCS_NEVER;
    for (size_t i = 0; good && i < m->requests_count; i++) {
        const struct cluster_request_row *q = &m->requests[i];
        good = good_request(q, x, m->to_ns) && (i == 0 || by_number(q - 1, q) < 0);
    }
    for (size_t i = 0; good && i < m->launches_count; i++) {
        const struct measured_launch *l = &m->launches[i], *before = i > 0 ? l - 1 : l;
        bool first = i == 0 || before->request != l->request;
        bool last = i + 1 == m->launches_count || l[1].request != l->request;
        if (l->request >= m->requests_count)
            return dcs_err_at(err, path, 0, "driven_launch",
                              "has launches of requests that table request does not have");
        const struct cluster_request_row *q = &m->requests[l->request];
        good = before->request <= l->request &&
               good_launch(m, l, x, first ? q->arrival_ns : over_ns(before)) &&
               (!last || q->outcome != CLUSTER_DONE || l->end_ns <= q->end_ns) &&
               (!last || q->outcome != CLUSTER_DROPPED || over_ns(l) <= q->end_ns);
    }
    for (size_t i = 0; good && i < m->callbacks_count; i++)
        good = in_order(0, m->callbacks[i].begin_ns, m->callbacks[i].end_ns);
    return good ? 0
                : dcs_err_at(err, path, 0, "driven_launch",
                             "has times or numbers that no run can have had: it is damaged");
}

int measured_run_read(struct measured_run *m, const struct results *r, const struct experiment *x,
                      int64_t experiment, uint64_t replication, struct dcs_err *err)
{
    *m = (struct measured_run){0};
    if (read_requests(m, r, experiment, replication, err) == 0 &&
        read_launches(m, r, experiment, replication, err) == 0 &&
        read_callbacks(m, r, experiment, replication, err) == 0 &&
        check_run(m, x, r->path, err) == 0)
        return 0;
    measured_run_release(m);
    return -1;
}

void measured_run_release(struct measured_run *m)
{
    free(m->requests);
    free(m->launches);
    free(m->callbacks);
    *m = (struct measured_run){0};
}

/* ---- Telling ---- */

/* At one time in this order. */
enum happening { ENDS, DECIDES, ARRIVES, STOPS, STOPPED, LAUNCHES, LEAVES };

struct event {
    int64_t at_ns;
    enum happening what;
    size_t of; /* a request, launch or callback; ENDS: a launch, */
    int64_t to_ns;
};

struct events {
    struct event *all;
    size_t count, capacity;
};

static void add_event(struct events *e, int64_t at_ns, enum happening what, size_t of,
                      int64_t to_ns)
{
    e->all = dcs_grow(e->all, &e->capacity, e->count + 1, sizeof *e->all);
    e->all[e->count++] = (struct event){at_ns, what, of, to_ns};
}

static int by_time(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    if (x->at_ns != y->at_ns)
        return x->at_ns < y->at_ns ? -1 : 1;
    if (x->what != y->what)
        return x->what < y->what ? -1 : 1;
    return x->of < y->of ? -1 : x->of > y->of;
}

static bool is_last(const struct measured_run *m, size_t i)
{
    const struct measured_launch *l = &m->launches[i];
    return (i + 1 == m->launches_count || l[1].request != l->request) &&
           m->requests[l->request].outcome == CLUSTER_DONE;
}

static void add_launch(struct events *e, const struct measured_run *m, size_t i)
{
    const struct measured_launch *l = &m->launches[i];
    add_event(e, l->event_ns, LAUNCHES, i, 0);
    if (l->revoked_ns != DCS_NEVER) {
        add_event(e, l->revoked_ns, STOPS, i, 0);
        add_event(e, over_ns(l), STOPPED, i, 0);
    } else if (l->end_ns != DCS_NEVER) {
        add_event(e, is_last(m, i) ? m->requests[l->request].end_ns : l->end_ns, ENDS, i, 0);
        add_event(e, l->end_ns, DECIDES, 0, l->heard_ns);
    }
}

static void gather(struct events *e, const struct measured_run *m)
{
    for (size_t i = 0; i < m->requests_count; i++) {
        const struct cluster_request_row *q = &m->requests[i];
        if (q->domain != RECORD_NONE)
            add_event(e, q->arrival_ns, ARRIVES, i, 0);
        if (q->outcome == CLUSTER_DROPPED)
            add_event(e, q->end_ns, LEAVES, i, 0);
    }
    for (size_t i = 0; i < m->launches_count; i++)
        add_launch(e, m, i);
    for (size_t i = 0; i < m->callbacks_count; i++)
        add_event(e, m->callbacks[i].begin_ns, DECIDES, 0, m->callbacks[i].end_ns);
    if (e->count > 0)
        qsort(e->all, e->count, sizeof *e->all, by_time);
}

static struct cluster_record record_of(const struct measured_run *m, const struct experiment *x,
                                       size_t request)
{
    const struct cluster_request_row *q = &m->requests[request];
    return (struct cluster_record){
        .domain = 0,
        .device = 0,
        .id = request + 1,
        .slot = (uint32_t)request,
        .job = q->job,
        .app = q->app,
        .form = form_of(x, q),
        .index = q->index,
        .deadline_ns = q->deadline_ns,
    };
}

static struct cluster_record launch_record(const struct measured_run *m, const struct experiment *x,
                                           const struct measured_launch *l)
{
    struct cluster_record r = record_of(m, x, l->request);
    r.kernel = l->kernel;
    r.flag = true;
    r.allotment.mechanism = l->sms > 0 ? HOST_GREEN : HOST_WHOLE;
    r.allotment.sms = l->sms;
    r.began_ns = l->launched_ns;
    r.to_ns = l->end_ns;
    r.work_ns = x->apps[r.form].mean_ns[l->kernel];
    return r;
}

/* Tells of one, and of what changes by it on the device. */
static int tell_event(const struct measured_run *m, const struct experiment *x,
                      const struct event *e, const struct recorder *recorder, struct dcs_err *err)
{
    static const enum record_kind kinds[] = {
        [ENDS] = RECORD_KERNEL_END, [DECIDES] = RECORD_CALLBACK, [ARRIVES] = RECORD_ROUTED,
        [STOPS] = RECORD_STOP,      [STOPPED] = RECORD_STOPPED,  [LAUNCHES] = RECORD_LAUNCH,
        [LEAVES] = RECORD_LEAVES};
    const bool on_device =
        e->what == ENDS || e->what == STOPS || e->what == STOPPED || e->what == LAUNCHES;
    struct cluster_record r = {.domain = 0, .device = RECORD_NONE};
    if (e->what == LAUNCHES)
        r = launch_record(m, x, &m->launches[e->of]);
    else if (on_device)
        r = record_of(m, x, m->launches[e->of].request);
    else if (e->what != DECIDES)
        r = record_of(m, x, e->of);
    r.kind = kinds[e->what];
    r.at_ns = e->at_ns;
    if (e->what == ENDS)
        r.flag = is_last(m, e->of);
    else if (e->what == ARRIVES)
        r.flag = true;
    else if (e->what == DECIDES)
        r.to_ns = e->to_ns;
    else if (e->what == LEAVES && m->requests[e->of].domain == RECORD_NONE)
        r.domain = RECORD_NONE;
    if (recorder->record(recorder->context, &r, err) != 0)
        return -1;
    const struct cluster_record rates = {.kind = RECORD_RATES, .at_ns = e->at_ns};
    return on_device ? recorder->record(recorder->context, &rates, err) : 0;
}

int measured_run_tell(const struct measured_run *m, const struct experiment *x,
                      const struct recorder *recorder, struct dcs_err *err)
{
    struct events events = {0};
    gather(&events, m);
    int status = 0;
    int64_t busy_ns = 0;
    for (size_t i = 0; i < events.count && status == 0; i++) {
        struct event *e = &events.all[i];
        if (e->at_ns > m->to_ns)
            break; /* what was under way in the end was waited for */
        if (e->what == DECIDES) {
            busy_ns = e->to_ns > busy_ns ? e->to_ns : busy_ns;
            e->to_ns = busy_ns;
        }
        status = tell_event(m, x, e, recorder, err);
    }
    free(events.all);
    const struct cluster_record end = {
        .kind = RECORD_END, .at_ns = m->to_ns, .domain = RECORD_NONE, .device = RECORD_NONE};
    return status == 0 ? recorder->record(recorder->context, &end, err) : -1;
}
