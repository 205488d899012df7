/*
 * recorded_sequence.c - see recorded_sequence.h.
 */
#include "calibrate/record/recorded_sequence.h"

#include "calibrate/plan/sort_numbers.h"

#include <stdlib.h>
#include <string.h>

#define SCALE_MOST 64 /* of gaps */
#define LONGEST_NS 4e18
#define HALVINGS   40 /* until such a scale is known to 10^-10 */

/* --- which requests --- */

static uint64_t sequence_id(const struct cal_request *q)
{
    uint64_t id = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (size_t i = 0; i < q->count; i++) {
        id = (id ^ (uint64_t)(q->ops[i]->kind + 1)) * UINT64_C(0x100000001b3);
        for (const char *c = q->ops[i]->function; *c != '\0'; c++)
            id = (id ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    }
    return id;
}

struct candidate {
    uint64_t id;
    size_t request;
};

static int compare_candidates(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->request > y->request) - (x->request < y->request);
}

/* The requests of the most common sequence, in their order; of several as common the one that comes
 * last. *chosen is allocated. */
static size_t choose_requests(struct cal_sequence *s, const struct cal_requests *all,
                              const struct cal_request ***chosen)
{
    size_t left = all->count - s->skipped, best = 0, best_count = 0;
    struct candidate *c = dcs_alloc(left, sizeof *c);
    for (size_t i = 0; i < left; i++)
        c[i] = (struct candidate){sequence_id(&all->list[s->skipped + i]), s->skipped + i};
    qsort(c, left, sizeof *c, compare_candidates);
    for (size_t i = 0, end; i < left; i = end) {
        for (end = i; end < left && c[end].id == c[i].id; end++)
            ;
        s->sequences++;
        if (end - i > best_count ||
            (end - i == best_count && c[end - 1].request > c[best + best_count - 1].request)) {
            best = i;
            best_count = end - i;
        }
    }
    *chosen = dcs_alloc(best_count, sizeof **chosen);
    for (size_t i = 0; i < best_count; i++)
        (*chosen)[i] = &all->list[c[best + i].request];
    free(c);
    s->others = left - best_count;
    return best_count;
}

/* --- numbers --- */

/* Of n numbers, which it sorts. */
static int64_t quantile_of(int64_t *values, size_t n, double u)
{
    cal_sort_integers(values, n);
    return cal_quantile_of_sorted(values, n, u);
}

static int64_t median_over(const struct cal_request *const *q, size_t n, size_t place,
                           int64_t (*value)(const struct cal_op *), int64_t *room)
{
    for (size_t i = 0; i < n; i++)
        room[i] = value(q[i]->ops[place]);
    return quantile_of(room, n, 0.5);
}

static int64_t blocks_of(const struct cal_op *o)
{
    return o->blocks;
}
static int64_t threads_of(const struct cal_op *o)
{
    return o->threads;
}
static int64_t registers_of(const struct cal_op *o)
{
    return o->registers;
}
static int64_t shared_of(const struct cal_op *o)
{
    return o->shared_bytes;
}
static int64_t cluster_of(const struct cal_op *o)
{
    return o->cluster;
}
static int64_t bytes_of(const struct cal_op *o)
{
    return o->bytes;
}

static void fill_places(struct cal_sequence *s, const struct cal_request *const *q)
{
    int64_t *room = dcs_alloc(s->requests, sizeof *room);
    for (size_t k = 0; k < s->count; k++) {
        struct cal_place *p = &s->places[k];
        const struct cal_op *last = q[s->requests - 1]->ops[k];
        *p = (struct cal_place){.kind = last->kind,
                                .function = last->function,
                                .stream = last->stream,
                                .blocks = median_over(q, s->requests, k, blocks_of, room),
                                .threads = median_over(q, s->requests, k, threads_of, room),
                                .registers = median_over(q, s->requests, k, registers_of, room),
                                .shared_bytes = median_over(q, s->requests, k, shared_of, room),
                                .cluster = median_over(q, s->requests, k, cluster_of, room),
                                .bytes = median_over(q, s->requests, k, bytes_of, room)};
        for (size_t i = 0; i < s->requests; i++) {
            const struct cal_op *op = q[i]->ops[k];
            int64_t ns = op->end_ns - op->begin_ns;
            p->varies = p->varies || op->blocks != p->blocks || op->bytes != p->bytes;
            room[i] = s->ns[i * s->count + k] = ns > 1 ? ns : 1;
        }
        p->median_ns = quantile_of(room, s->requests, 0.5);
        p->p5_ns = quantile_of(room, s->requests, 0.05);
        p->p95_ns = quantile_of(room, s->requests, 0.95);
    }
    free(room);
}

/* Medians over requests of the time in kernels, in copies, in which nothing runs, in which several
 * run, and after the last of them. */
static void fill_sums(struct cal_sequence *s, const struct cal_request *const *q)
{
    size_t n = s->requests;
    int64_t *kernels = dcs_alloc(n, sizeof *kernels), *copies = dcs_alloc(n, sizeof *copies),
            *idle = dcs_alloc(n, sizeof *idle), *overlap = dcs_alloc(n, sizeof *overlap),
            *after = dcs_alloc(n, sizeof *after);
    for (size_t i = 0; i < n; i++) {
        int64_t busy = 0, until = q[i]->begin_ns;
        /* In the order of launches; what begins before it on another stream counts once. */
        for (size_t k = 0; k < s->count; k++) {
            const struct cal_op *op = q[i]->ops[k];
            *(op->kind == CAL_OP_KERNEL ? &kernels[i] : &copies[i]) += op->end_ns - op->begin_ns;
            int64_t begin = op->begin_ns > until ? op->begin_ns : until;
            busy += op->end_ns > begin ? op->end_ns - begin : 0;
            until = op->end_ns > until ? op->end_ns : until;
        }
        overlap[i] = kernels[i] + copies[i] - busy;
        idle[i] = s->totals[i] - busy;
        after[i] = q[i]->end_ns > until ? q[i]->end_ns - until : 0;
    }
    s->kernels_ns = quantile_of(kernels, n, 0.5);
    s->copies_ns = quantile_of(copies, n, 0.5);
    s->idle_ns = quantile_of(idle, n, 0.5);
    s->overlap_ns = quantile_of(overlap, n, 0.5);
    s->end_gap_ns = quantile_of(after, n, 0.5);
    free(kernels), free(copies), free(idle), free(overlap), free(after);
}

/* --- the host's part --- */

/* A launch that finds the device idle shows how long launching takes; of an earlier wait it knows
 * nothing. */
static bool found_idle(const struct cal_request *q, size_t place, int64_t busy_ns)
{
    return q->ops[place]->call_ns >= busy_ns;
}

static int64_t launch_time(const struct cal_sequence *s, const struct cal_request *const *q)
{
    size_t n = 0, capacity = 0;
    int64_t *room = NULL;
    for (size_t i = 0; i < s->requests; i++) {
        int64_t busy = 0;
        for (size_t k = 0; k < s->count; k++) {
            const struct cal_op *op = q[i]->ops[k];
            if (op->kind == CAL_OP_KERNEL && found_idle(q[i], k, busy)) {
                room = dcs_grow(room, &capacity, n + 1, sizeof *room);
                room[n++] = op->begin_ns - op->call_ns;
            }
            busy = op->end_ns > busy ? op->end_ns : busy;
        }
    }
    int64_t ns = n > 0 ? quantile_of(room, n, 0.5) : 0;
    free(room);
    return ns > 0 ? ns : 0;
}

/* Between two kernels of which the second was launched long before the first ended: the median.
 * Where calls are not known, a hundredth of all gaps is no longer: the host may be late at each. */
static int64_t device_gap(const struct cal_sequence *s, const struct cal_request *const *q,
                          int64_t launch_ns)
{
    size_t n = 0, capacity = 0;
    int64_t *room = NULL;
    bool calls = q[0]->process->calls;
    for (size_t i = 0; i < s->requests; i++)
        for (size_t k = 1; k < s->count; k++) {
            const struct cal_op *a = q[i]->ops[k - 1], *b = q[i]->ops[k];
            if (a->stream != b->stream || b->begin_ns < a->end_ns ||
                (calls && b->call_ns + launch_ns > a->end_ns))
                continue;
            room = dcs_grow(room, &capacity, n + 1, sizeof *room);
            room[n++] = b->begin_ns - a->end_ns;
        }
    int64_t ns = n > 0 ? quantile_of(room, n, calls ? 0.5 : 0.01) : 0;
    free(room);
    return ns;
}

/* A wait of the host that has awaited what ended at end_ns, and was over before the next launch at
 * until_ns; NULL: there is none. Waits of a thread do not overlap: they end in their order. */
static const struct cal_wait *wait_between(const struct cal_process *p, int64_t end_ns,
                                           int64_t until_ns)
{
    size_t low = 0, high = p->waits_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (p->waits[middle].end_ns < end_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low < p->waits_count && p->waits[low].end_ns <= until_ns ? &p->waits[low] : NULL;
}

struct host_sums {
    int64_t host, wait;
    size_t waits;
};

/* Adds one request. */
static void add_host(struct cal_sequence *s, const struct cal_request *q, int64_t launch_ns,
                     struct host_sums *sums)
{
    int64_t moment = q->begin_ns, busy = 0;
    for (size_t k = 0; k < s->count; k++) {
        const struct cal_op *op = q->ops[k];
        if (k > 0 && q->ops[k - 1]->correlation == op->correlation) { /* of one call */
            sums[k].wait =
                dcs_add_times(sums[k].wait, op->begin_ns > busy ? op->begin_ns - busy : 0);
            sums[k].waits++;
            moment = op->begin_ns; /* the next call's gap counts from it, as a simulation has it */
            busy = op->end_ns > busy ? op->end_ns : busy;
            continue;
        }
        int64_t now = found_idle(q, k, busy) ? op->begin_ns : op->call_ns + launch_ns;
        const struct cal_wait *w = k > 0 ? wait_between(q->process, busy, op->call_ns) : NULL;
        int64_t blocked = 0;
        if (w != NULL) {
            int64_t since = w->begin_ns > moment ? w->begin_ns : moment;
            int64_t from = busy > since ? busy : since;
            blocked = from - since;
            sums[k].wait = dcs_add_times(sums[k].wait, now > from ? now - from : 0);
            sums[k].waits++;
        }
        int64_t gap = now - moment - blocked;
        sums[k].host = dcs_add_times(sums[k].host, gap > 0 ? gap : 0);
        moment = now;
        busy = op->end_ns > busy ? op->end_ns : busy;
    }
}

static void fill_host(struct cal_sequence *s, const struct cal_request *const *q)
{
    int64_t launch_ns = launch_time(s, q), *sorted = dcs_alloc(s->requests, sizeof *sorted);
    struct host_sums *sums = dcs_alloc(s->count, sizeof *sums);
    memcpy(sorted, s->totals, s->requests * sizeof *sorted);
    int64_t low = quantile_of(sorted, s->requests, 0.4),
            high = quantile_of(sorted, s->requests, 0.6), n = 0;
    for (size_t i = 0; i < s->requests; i++)
        if (s->totals[i] >= low && s->totals[i] <= high) {
            add_host(s, q[i], launch_ns, sums);
            n++;
        }
    s->device_gap_ns = device_gap(s, q, launch_ns);
    for (size_t k = 0; k < s->count && n > 0; k++) {
        bool waits = sums[k].waits * 2 > (size_t)n;
        s->places[k].host_gap_ns = (sums[k].host + n / 2) / n;
        s->places[k].wait_gap_ns = waits ? sums[k].wait / (int64_t)sums[k].waits : CAL_NO_WAIT;
    }
    free(sorted);
    free(sums);
}

static int64_t scaled(int64_t ns, double scale)
{
    double of = (double)ns * scale;
    return of < LONGEST_NS ? (int64_t)(of + 0.5) : (int64_t)LONGEST_NS;
}

/* With gaps that are `scale` times as long. */
static int64_t alone_time(const struct cal_sequence *s, double scale)
{
    int64_t moment = 0, end = 0;
    for (size_t k = 0; k < s->count; k++) {
        const struct cal_place *p = &s->places[k];
        int64_t awaited =
            p->wait_gap_ns != CAL_NO_WAIT ? dcs_add_times(end, scaled(p->wait_gap_ns, scale)) : 0;
        int64_t ready = k > 0 ? dcs_add_times(end, scaled(s->device_gap_ns, scale)) : 0;
        moment = dcs_add_times(moment, scaled(p->host_gap_ns, scale));
        moment = awaited > moment ? awaited : moment;
        end = dcs_add_times(moment > ready ? moment : ready, p->median_ns);
    }
    return dcs_add_times(end, scaled(s->end_gap_ns, scale));
}

double cal_sequence_fit(struct cal_sequence *s, int64_t ns)
{
    double low = 0, high = 1;
    while (alone_time(s, high) < ns && high < SCALE_MOST)
        high *= 2;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2;
        *(alone_time(s, middle) > ns ? &high : &low) = middle;
    }
    for (size_t k = 0; k < s->count; k++) {
        struct cal_place *p = &s->places[k];
        p->host_gap_ns = scaled(p->host_gap_ns, high);
        if (p->wait_gap_ns != CAL_NO_WAIT)
            p->wait_gap_ns = scaled(p->wait_gap_ns, high);
    }
    s->device_gap_ns = scaled(s->device_gap_ns, high);
    s->end_gap_ns = scaled(s->end_gap_ns, high);
    s->alone_ns = alone_time(s, 1);
    return high;
}

/* --- the whole --- */

int cal_sequence_make(struct cal_sequence *s, const struct cal_requests *all, size_t requests,
                      struct dcs_err *err)
{
    const struct cal_request **q = NULL;
    *s = (struct cal_sequence){.found = all->count};
    if (all->count == 0)
        return dcs_err_set(err, "no request was recorded");
    s->skipped = all->count > 1 ? (all->count + 3) / 4 : 0;
    if (requests > 0 && requests < all->count)
        s->skipped = all->count - requests;
    s->requests = choose_requests(s, all, &q);
    s->count = q[0]->count;
    s->places = dcs_alloc(s->count, sizeof *s->places);
    s->ns = dcs_alloc(s->requests * s->count, sizeof *s->ns);
    s->totals = dcs_alloc(s->requests, sizeof *s->totals);
    int64_t *room = dcs_alloc(s->requests, sizeof *room);
    for (size_t i = 0; i < s->requests; i++)
        room[i] = s->totals[i] = q[i]->end_ns - q[i]->begin_ns;
    s->median_ns = quantile_of(room, s->requests, 0.5);
    s->p5_ns = quantile_of(room, s->requests, 0.05);
    s->p95_ns = quantile_of(room, s->requests, 0.95);
    free(room);
    fill_places(s, q);
    fill_sums(s, q);
    fill_host(s, q);
    s->alone_ns = alone_time(s, 1);
    free(q);
    return 0;
}

bool cal_sequence_is_serial(const struct cal_sequence *s)
{
    return s->overlap_ns <= s->median_ns / 50;
}

void cal_sequence_release(struct cal_sequence *s)
{
    free(s->places);
    free(s->ns);
    free(s->totals);
    *s = (struct cal_sequence){0};
}
