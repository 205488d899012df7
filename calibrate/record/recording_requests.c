/*
 * recording_requests.c - which of what a program did is one request; see recording.h.
 */
#include "calibrate/record/recording.h"

#include <stdlib.h>
#include <string.h>

/* Begins a request that has no ops yet, and a place for so many. */
static struct cal_request *add_request(struct cal_requests *out, const struct cal_process *p,
                                       int64_t begin_ns, int64_t end_ns, size_t ops)
{
    out->list = dcs_grow(out->list, &out->capacity, out->count + 1, sizeof *out->list);
    struct cal_request *q = &out->list[out->count++];
    *q = (struct cal_request){.process = p, .begin_ns = begin_ns, .end_ns = end_ns};
    q->ops = dcs_alloc(ops + 1, sizeof *q->ops);
    return q;
}

static void add_op(struct cal_request *q, const struct cal_op *op)
{
    q->ops[q->count++] = op;
    if (op->end_ns > q->end_ns)
        q->end_ns = op->end_ns;
}

/* --- ranges --- */

/* A launch belongs to the range that its own thread is in. One of a thread that is in none (a
 * library may have started it for its work), or that is not known since calls were not recorded,
 * belongs to the range that began last. */
static const struct cal_range *range_of(const struct cal_process *p, const struct cal_op *op,
                                        const char *name, size_t *first)
{
    const struct cal_range *found = NULL;
    while (*first < p->ranges_count &&
           (p->ranges[*first].end_ns == 0 || p->ranges[*first].end_ns < op->call_ns))
        ++*first; /* over, for every op from here on */
    for (size_t i = *first; i < p->ranges_count && p->ranges[i].begin_ns <= op->call_ns; i++) {
        const struct cal_range *r = &p->ranges[i];
        if (r->end_ns < op->call_ns || strcmp(r->name, name) != 0)
            continue;
        if (r->thread == op->thread)
            return r;
        found = r;
    }
    return found;
}

static void find_ranges(struct cal_requests *out, const struct cal_process *p, const char *name)
{
    size_t begin = out->count, first = 0;
    uint32_t *at = dcs_alloc(p->ops_count + 1, sizeof *at); /* 1 + range, by op */
    size_t *ops_of = dcs_alloc(p->ranges_count + 1, sizeof *ops_of);
    for (size_t i = 0; i < p->ops_count; i++) {
        const struct cal_range *r = range_of(p, &p->ops[i], name, &first);
        at[i] = r != NULL ? 1 + (uint32_t)(r - p->ranges) : 0;
        if (r != NULL)
            ops_of[r - p->ranges]++;
    }
    for (size_t k = 0; k < p->ranges_count; k++) {
        const struct cal_range *r = &p->ranges[k];
        add_request(out, p, r->begin_ns, r->end_ns, ops_of[k]);
    }
    for (size_t i = 0; i < p->ops_count; i++)
        if (at[i] > 0)
            add_op(&out->list[begin + at[i] - 1], &p->ops[i]);
    free(at);
    free(ops_of);
}

/* --- waits --- */

/* When everything that was launched before `until` has ended, if the host knew it by then; walks on
 * from *op. */
static bool is_idle_at(const struct cal_process *p, int64_t until_ns, size_t *op, int64_t *busy_ns)
{
    for (; *op < p->ops_count && p->ops[*op].call_ns < until_ns; ++*op)
        if (p->ops[*op].end_ns > *busy_ns)
            *busy_ns = p->ops[*op].end_ns;
    return *busy_ns <= until_ns;
}

/* A stretch ends with the last of the waits that follow each other without a launch. One without a
 * kernel (an upload that was awaited) belongs to the next. */
static void find_waits(struct cal_requests *out, const struct cal_process *p, const char *unused)
{
    size_t first = 0, next = 0;
    int64_t busy_ns = 0;
    (void)unused;
    for (size_t w = 0; w < p->waits_count; w++) {
        if (!is_idle_at(p, p->waits[w].end_ns, &next, &busy_ns) || next == first)
            continue;
        if (w + 1 < p->waits_count && next < p->ops_count &&
            p->waits[w + 1].end_ns <= p->ops[next].call_ns)
            continue;
        bool kernels = false;
        for (size_t i = first; i < next; i++)
            kernels = kernels || p->ops[i].kind == CAL_OP_KERNEL;
        if (!kernels)
            continue;
        struct cal_request *q =
            add_request(out, p, p->ops[first].call_ns, p->waits[w].end_ns, next - first);
        for (size_t i = first; i < next; i++)
            add_op(q, &p->ops[i]);
        first = next;
    }
}

/* --- the whole --- */

static void find_process(struct cal_requests *out, const struct cal_process *p, const char *unused)
{
    (void)unused;
    struct cal_request *q = add_request(out, p, p->begin_ns, p->end_ns, p->ops_count);
    for (size_t i = 0; i < p->ops_count; i++)
        add_op(q, &p->ops[i]);
}

/* Whether it has ended and launched a kernel. */
static bool is_request(const struct cal_request *q)
{
    if (q->end_ns <= q->begin_ns)
        return false;
    for (size_t i = 0; i < q->count; i++)
        if (q->ops[i]->kind == CAL_OP_KERNEL)
            return true;
    return false;
}

static int compare_requests(const void *a, const void *b)
{
    const struct cal_request *x = a, *y = b;
    if (x->begin_ns != y->begin_ns)
        return x->begin_ns < y->begin_ns ? -1 : 1;
    return (x->end_ns > y->end_ns) - (x->end_ns < y->end_ns);
}

static void
find_by(struct cal_requests *out, const struct cal_recording *r, const char *how, const char *name,
        void (*find_of)(struct cal_requests *, const struct cal_process *, const char *))
{
    size_t kept = 0;
    cal_requests_release(out);
    out->how = how;
    for (size_t i = 0; i < r->processes_count; i++)
        if (r->processes[i].ops_count > 0)
            find_of(out, &r->processes[i], name);
    for (size_t i = 0; i < out->count; i++)
        if (is_request(&out->list[i]))
            out->list[kept++] = out->list[i];
        else
            free(out->list[i].ops);
    out->count = kept;
    if (kept > 1)
        qsort(out->list, kept, sizeof *out->list, compare_requests);
}

int cal_requests_find(struct cal_requests *out, const struct cal_recording *r, const char *how,
                      struct dcs_err *err)
{
    *out = (struct cal_requests){0};
    bool waits = how == NULL || strcmp(how, "waits") == 0;
    if (waits)
        find_by(out, r, "waits", NULL, find_waits);
    if (how == NULL ? out->count < 2 : strcmp(how, "process") == 0)
        find_by(out, r, "process", NULL, find_process);
    else if (!waits)
        find_by(out, r, "range", how, find_ranges);
    if (out->count > 0)
        return 0;
    if (strcmp(out->how, "range") == 0)
        return dcs_err_set(err,
                           "no NVTX range \"%.60s\" with a kernel in it: the program's ranges are "
                           "%.400s; name one of them, or use --request waits",
                           how, r->names[0] != '\0' ? r->names : "none");
    return dcs_err_set(err,
                       "the host never waits for all that it has launched: name an NVTX range by "
                       "--request, or use --request process");
}

bool cal_ranges_cross(const struct cal_recording *r, const char *name)
{
    for (size_t i = 0; i < r->processes_count; i++) {
        const struct cal_process *p = &r->processes[i];
        int64_t until_ns = 0;
        for (size_t k = 0; name != NULL && !p->calls && k < p->ranges_count; k++) {
            if (strcmp(p->ranges[k].name, name) != 0)
                continue;
            if (p->ranges[k].begin_ns < until_ns)
                return true;
            until_ns = p->ranges[k].end_ns > until_ns ? p->ranges[k].end_ns : until_ns;
        }
    }
    return false;
}

void cal_requests_release(struct cal_requests *r)
{
    for (size_t i = 0; i < r->count; i++)
        free(r->list[i].ops);
    free(r->list);
    *r = (struct cal_requests){0};
}
