/* explain_wanted.c - see explain_wanted.h. */
#include "commands/explain_wanted.h"

#include <inttypes.h>
#include <stdlib.h>

/* Which requests are meant, of the rows of a run. */
struct choosing {
    const struct experiment *x;
    const struct explain_wanted *wanted;
    int64_t from_ns, end_ns; /* the window */
    enum dcs_class class;    /* of the slowest */
    struct cluster_request_row *rows;
    size_t count, capacity;
};

static void keep_row(struct choosing *c, const struct cluster_request_row *row)
{
    c->rows = dcs_grow(c->rows, &c->capacity, c->count + 1, sizeof *c->rows);
    c->rows[c->count++] = *row;
}

static int choose_one(void *context, const void *record)
{
    struct choosing *c = context;
    const struct cluster_request_row *row = record;
    if (row->job != c->wanted->request.job || row->index != c->wanted->request.index)
        return 0;
    keep_row(c, row);
    return 1;
}

/* As measure.c counts: what arrived in the window, and is late or was dropped. */
static bool violates(const struct cluster_request_row *r, int64_t from_ns, int64_t end_ns)
{
    if (r->deadline_ns == DCS_NEVER || r->arrival_ns < from_ns)
        return false;
    if (r->outcome == CLUSTER_DONE)
        return r->end_ns > r->deadline_ns;
    return r->outcome == CLUSTER_DROPPED || r->deadline_ns < end_ns;
}

static int by_response(const void *a, const void *b)
{
    const struct cluster_request_row *x = a, *y = b;
    int64_t s = x->end_ns - x->arrival_ns, t = y->end_ns - y->arrival_ns;
    if (s != t)
        return s > t ? -1 : 1;
    if (x->job != y->job)
        return x->job < y->job ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static void keep_slowest(struct choosing *c)
{
    if (c->count > 1)
        qsort(c->rows, c->count, sizeof *c->rows, by_response);
    if (c->count > c->wanted->slowest)
        c->count = (size_t)c->wanted->slowest;
}

/* Of those that completed and arrived in the window. Sorted now and then, so that no more than
 * twice as many as are wanted are held. */
static int choose_slowest(void *context, const void *record)
{
    struct choosing *c = context;
    const struct cluster_request_row *row = record;
    if (row->outcome != CLUSTER_DONE || row->arrival_ns < c->from_ns ||
        c->x->apps[row->app].class != c->class)
        return 0;
    keep_row(c, row);
    if (c->count == 2 * c->wanted->slowest)
        keep_slowest(c);
    return 0;
}

static int choose_violation(void *context, const void *record)
{
    struct choosing *c = context;
    if (violates(record, c->from_ns, c->end_ns))
        keep_row(c, record);
    return 0;
}

/* As spill_each(). */
static int each_row(const struct explain_rows *rows, int (*take)(void *, const void *),
                    struct choosing *c, struct dcs_err *err)
{
    if (rows->simulated != NULL)
        return spill_each(&rows->simulated->requests, take, c, err);
    for (size_t i = 0; i < rows->measured->requests_count; i++)
        if (take(c, &rows->measured->requests[i]) != 0)
            break;
    return 0;
}

static int choose_rows(struct choosing *c, const struct explain_rows *rows, struct dcs_err *err)
{
    if (c->wanted->one)
        return each_row(rows, choose_one, c, err);
    if (c->wanted->slowest == 0)
        return each_row(rows, choose_violation, c, err);
    int status = 0; /* latency requests, if any did */
    for (c->class = DCS_LATENCY; status == 0 && c->count == 0 && c->class <= DCS_BATCH; c->class ++)
        status = each_row(rows, choose_slowest, c, err);
    keep_slowest(c);
    return status;
}

/* There is no request that is asked for. */
static int none_chosen(const struct explain_wanted *wanted, const struct explain_rows *rows,
                       struct dcs_err *err)
{
    const struct explain_choice *q = &wanted->request;
    uint64_t jobs = 0, requests = 0;
    if (rows->simulated != NULL) {
        const struct cluster_result *out = &rows->simulated->result;
        jobs = out->jobs_count;
        requests = q->job < jobs ? out->jobs[q->job].issued : 0;
    }
    for (size_t i = 0; rows->measured != NULL && i < rows->measured->requests_count; i++) {
        const struct cluster_request_row *row = &rows->measured->requests[i];
        jobs = row->job >= jobs ? row->job + UINT64_C(1) : jobs;
        requests += row->job == q->job;
    }
    return dcs_err_at(err, "command line", 0, "--request",
                      "replication %" PRIu64 " has no request %" PRIu64 " of job %" PRIu32
                      ": it has %" PRIu64 " jobs, and %" PRIu64 " requests of this one",
                      wanted->replication, q->index, q->job, jobs, requests);
}

int explain_choose(const struct experiment *x, const struct explain_wanted *wanted, int64_t from_ns,
                   const struct explain_rows *rows, struct explain_choice **chosen, size_t *count,
                   struct dcs_err *err)
{
    int64_t end_ns =
        rows->simulated != NULL ? rows->simulated->result.to_ns : rows->measured->to_ns;
    struct choosing c = {.x = x, .wanted = wanted, .from_ns = from_ns, .end_ns = end_ns};
    int status = choose_rows(&c, rows, err) < 0 ? -1 : 0;
    if (status == 0 && wanted->one && c.count == 0)
        status = none_chosen(wanted, rows, err);
    *chosen = dcs_alloc(c.count + 1, sizeof **chosen);
    for (size_t i = 0; i < c.count; i++)
        (*chosen)[i] = (struct explain_choice){c.rows[i].job, c.rows[i].index};
    *count = c.count;
    free(c.rows);
    return status;
}
