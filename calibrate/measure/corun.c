/*
 * corun.c - see corun.h.
 */
#include "calibrate/measure/corun.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LAUNCHES_MAX 10000 /* of a side, in a window: times may differ by 500 */
#define AHEAD        3     /* launches of each side that are enqueued at first */
#define KEPT_MIN     3     /* launches of each side that must count */
#define WORKS_MAX    128   /* applications, and one */
#define TRIES        5 /* the window doubles each time: enough for a side that is slowed 16 times */

struct lane {
    cudaEvent_t *events; /* launches + 1 */
    int launches, done;  /* wanted, enqueued */
};

/* --- events, shared by all co-runs --- */

static cudaEvent_t *pool;
static size_t pool_count, pool_capacity;

static int take_events(struct cal_gpu *g, size_t *used, size_t wanted, cudaEvent_t **out,
                       struct dcs_err *err)
{
    /* Whole at once: the array may move. */
    if (*used + wanted > pool_count) {
        pool = dcs_grow(pool, &pool_capacity, *used + wanted, sizeof *pool);
        for (; pool_count < *used + wanted; pool_count++)
            if (cal_gpu_check(g, cudaEventCreate(&pool[pool_count]), "making an event", err) != 0)
                return -1;
    }
    *out = pool + *used;
    *used += wanted;
    return 0;
}

/* --- one attempt --- */

static int enqueue_next(struct cal_gpu *g, struct cal_corun_side *s, struct lane *l,
                        struct dcs_err *err)
{
    if (l->done == 0 &&
        cal_gpu_check(g, cudaEventRecord(l->events[0], s->stream), "recording an event", err) != 0)
        return -1;
    if (s->enqueue(s->context, s->stream, err) != 0)
        return -1;
    l->done++;
    return cal_gpu_check(g, cudaEventRecord(l->events[l->done], s->stream), "recording an event",
                         err);
}

/* The side whose enqueued work ends first goes on, so that no stream runs dry. A stream takes some
 * hundreds of launches, and the host waits when a short kernel's is full: so each side is some
 * launches ahead, and a long kernel's next one is there before the host waits. */
static int enqueue_all(struct cal_gpu *g, struct cal_corun_side *sides, struct lane *lanes,
                       int count, struct dcs_err *err)
{
    for (int i = 0; i < count; i++)
        if (cal_gpu_close_gate(g, sides[i].stream, err) != 0)
            return -1;
    int failed = 0, entries = 0;
    for (;;) {
        int next = -1;
        double least = 0;
        for (int i = 0; i < count; i++) {
            double ahead = (lanes[i].done - AHEAD) * sides[i].alone_ns;
            if (lanes[i].done < lanes[i].launches && (next < 0 || ahead < least)) {
                next = i;
                least = ahead;
            }
        }
        if (next < 0 || failed)
            break;
        entries += 1 + (sides[next].entries > 0 ? (int)sides[next].entries : 1);
        if (entries > CAL_GATE_ENTRIES)
            cal_gpu_open_gate(g);
        failed = enqueue_next(g, &sides[next], &lanes[next], err);
    }
    cal_gpu_open_gate(g);
    for (int i = 0; i < count && !failed; i++)
        failed = cal_gpu_wait_stream(g, sides[i].stream, "kernels that run together", err);
    return failed;
}

/* Keeps the launches inside the common time. */
static int collect(struct cal_gpu *g, struct cal_corun_side *sides, const struct lane *lanes,
                   int count, struct cal_clock_mark mark, int64_t *overlap_ns, struct dcs_err *err)
{
    int64_t from = 0, to = INT64_MAX;
    for (int i = 0; i < count; i++) {
        int64_t first, last;
        if (cal_gpu_elapsed(g, lanes[0].events[0], lanes[i].events[0], &first, err) != 0 ||
            cal_gpu_elapsed(g, lanes[0].events[0], lanes[i].events[lanes[i].launches], &last,
                            err) != 0)
            return -1;
        from = first > from ? first : from;
        to = last < to ? last : to;
    }
    *overlap_ns = to > from ? to - from : 0;
    int clock_mhz;
    bool throttled;
    cal_gpu_clock_end(g, mark, &clock_mhz, &throttled);
    for (int i = 0; i < count; i++) {
        cal_samples_clear(&sides[i].samples);
        int64_t begin, end;
        if (cal_gpu_elapsed(g, lanes[0].events[0], lanes[i].events[1], &begin, err) != 0)
            return -1;
        for (int k = 1; k < lanes[i].launches; k++, begin = end) {
            if (cal_gpu_elapsed(g, lanes[0].events[0], lanes[i].events[k + 1], &end, err) != 0)
                return -1;
            if (begin >= from && end <= to)
                cal_samples_add(&sides[i].samples, end - begin, clock_mhz, throttled);
        }
    }
    return 0;
}

/* Two launches are in any window besides: the first, which does not count, and the last. Beside
 * others, the more: of a side that is slowed, enough must lie inside the time in which all run. */
static double window_of(double longest, double window, bool alone)
{
    double least = (alone ? KEPT_MIN - 1 : KEPT_MIN + 1.5) * longest;
    return window > least ? window : least;
}

double cal_corun_seconds(double seconds, double window_s, bool alone)
{
    return window_of(seconds, window_s, alone) + 2 * seconds;
}

int cal_corun(struct cal_gpu *g, struct cal_corun_side *sides, int count, double window_s,
              int64_t *overlap_ns, struct dcs_err *err)
{
    DCS_ASSERT(count >= 1 && count <= CAL_CORUN_SIDES);
    double longest = 0;
    for (int i = 0; i < count; i++)
        longest = sides[i].alone_ns > longest ? sides[i].alone_ns : longest;
    double window_ns = window_of(longest, window_s * 1e9, count == 1);
    for (int try = 0; try < TRIES; try++, window_ns *= 2) {
        struct lane lanes[CAL_CORUN_SIDES];
        size_t used = 0, total = 0;
        for (int i = 0; i < count; i++) {
            double launches = window_ns / sides[i].alone_ns + 2;
            if (launches > LAUNCHES_MAX)
                launches = LAUNCHES_MAX;
            lanes[i] = (struct lane){.launches = (int)launches};
            total += (size_t)lanes[i].launches + 1;
        }
        cudaEvent_t *all;
        if (take_events(g, &used, total, &all, err) != 0)
            return -1;
        for (int i = 0; i < count; i++) {
            lanes[i].events = all;
            all += lanes[i].launches + 1;
        }
        struct cal_clock_mark mark = cal_gpu_clock_begin(g);
        if (enqueue_all(g, sides, lanes, count, err) != 0 ||
            collect(g, sides, lanes, count, mark, overlap_ns, err) != 0)
            return -1;
        bool enough = true;
        for (int i = 0; i < count; i++)
            enough =
                enough && sides[i].samples.count + (size_t)sides[i].samples.throttled >= KEPT_MIN;
        if (enough)
            return 0;
    }
    return dcs_err_set(err,
                       "the kernels are too unlike: fewer than %d launches of one of them lie "
                       "in the time in which all ran",
                       KEPT_MIN);
}

bool cal_corun_throttled(const struct cal_corun_side *sides, int count)
{
    bool found = false;
    for (int i = 0; i < count; i++)
        found = found || (sides[i].samples.count == 0 && sides[i].samples.throttled > 0);
    return found;
}

int cal_corun_rested(struct cal_gpu *g, struct cal_corun_side *sides, int count, double window_s,
                     int64_t *overlap_ns, struct dcs_err *err)
{
    if (cal_gpu_settle(g, err) != 0 || cal_corun(g, sides, count, window_s, overlap_ns, err) != 0)
        return -1;
    for (int turn = 0, more = 1; more == 1 && cal_corun_throttled(sides, count); turn++) {
        more = cal_gpu_rest(g, turn, err);
        if (more < 0 || (more == 1 && cal_corun(g, sides, count, window_s, overlap_ns, err) != 0))
            return -1;
    }
    return 0;
}

/* --- subjects --- */

int cal_subject_enqueue(void *subject, cudaStream_t stream, struct dcs_err *err)
{
    const struct cal_subject *s = subject;
    const struct cal_kernel *k = &s->work->plan.kernels[s->work->shapes[s->shape].first];
    return cal_gpu_check(s->gpu, cal_enqueue(&s->work->plan, k, stream), k->name, err);
}

const char *cal_subject_kernel(const struct cal_subject *s)
{
    return s->work->plan.kernels[s->work->shapes[s->shape].first].shape;
}

uint32_t cal_subject_entries(const struct cal_subject *s)
{
    return cal_kernel_launches(&s->work->plan.kernels[s->work->shapes[s->shape].first]);
}

int cal_subject_alone(const struct cal_subject *s, cudaStream_t stream, int64_t *ns,
                      struct dcs_err *err)
{
    /* Once for what is loaded late, then a few. */
    return cal_work_time_alone(s->gpu, s->work, s->shape, 1, stream, ns, err) != 0 ||
                   cal_work_time_alone(s->gpu, s->work, s->shape, 2, stream, ns, err) != 0
               ? -1
               : 0;
}

static const struct cal_subject_limits limits = {
    .count = CAL_SUBJECTS, .launches_max = 64, .min_ns = 40000, .max_ns = 15000000};

/* What the store says once holds for the process. */
static struct known {
    const struct cal_app *app;
    size_t count;
    char kernels[CAL_SUBJECTS][CAL_NAME_BYTES];
} known_subjects[WORKS_MAX];

/* NULL: nothing is known of the application yet. */
static const struct known *known_of(const struct cal_session *s, const struct cal_app *app)
{
    double ignored;
    size_t i = 0;
    for (; known_subjects[i].app != NULL; i++)
        if (known_subjects[i].app == app)
            return &known_subjects[i];
    DCS_ASSERT(i + 1 < WORKS_MAX);
    if (s->store == NULL ||
        !cal_store_get(s->store, &ignored,
                       "SELECT 1 FROM kernel_solo WHERE application = ? AND size = ?"
                       " AND mechanism = 'whole'",
                       "ti", app->name, app->size_default))
        return NULL;
    struct known *k = &known_subjects[i];
    k->app = app;
    while (k->count < CAL_SUBJECTS &&
           cal_store_subject(s->store, app->name, app->size_default, &limits, k->count,
                             k->kernels[k->count], CAL_NAME_BYTES))
        k->count++;
    return k;
}

static int find_named(struct cal_gpu *g, struct cal_work *w, const char *kernel,
                      struct cal_subject *out, struct dcs_err *err)
{
    int64_t request_ns; /* of a request that leaves what the kernel reads */
    if (cal_work_time_request(g, w, g->cached[0].stream, &request_ns, err) != 0)
        return -1;
    for (size_t k = 0; k < w->shapes_count; k++)
        if (strcmp(w->plan.kernels[w->shapes[k].first].shape, kernel) == 0) {
            *out = (struct cal_subject){.gpu = g, .work = w, .shape = k};
            return 1;
        }
    return dcs_err_set(err, "the profile names the kernel %s of %s, which has none of that name",
                       kernel, w->app->name);
}

static int find_longest(struct cal_gpu *g, struct cal_work *w, size_t rank, struct cal_subject *out,
                        struct dcs_err *err)
{
    int64_t *ns = dcs_alloc(w->shapes_count, sizeof *ns);
    bool *taken = dcs_alloc(w->shapes_count, sizeof *taken);
    int64_t request_ns;
    cudaStream_t stream = g->cached[0].stream;
    int found = 0;
    if (cal_work_time_request(g, w, stream, &request_ns, err) != 0 ||
        cal_work_time_kernels(g, w, stream, 0, ns, err) != 0)
        found = -1;
    for (size_t turn = 0; turn <= rank && found >= 0; turn++) {
        found = 0;
        double best = 0;
        for (size_t k = 0; k < w->shapes_count; k++) {
            const struct cal_kernel *kernel = &w->plan.kernels[w->shapes[k].first];
            bool fits = kernel->repeatable && kernel->launches <= limits.launches_max &&
                        (kernel->kind == CAL_COMPUTE || kernel->kind == CAL_LIBRARY) &&
                        ns[k] >= limits.min_ns && ns[k] <= limits.max_ns;
            double share = (double)ns[k] * (double)w->shapes[k].count;
            if (fits && !taken[k] && share > best) {
                best = share;
                *out = (struct cal_subject){.gpu = g, .work = w, .shape = k};
                found = 1;
            }
        }
        if (found == 0)
            break;
        taken[out->shape] = true;
    }
    free(ns);
    free(taken);
    return found;
}

int cal_subject_find(const struct cal_session *s, struct cal_work *w, size_t rank,
                     struct cal_subject *out, struct dcs_err *err)
{
    DCS_ASSERT(rank < CAL_SUBJECTS);
    const struct known *known = known_of(s, w->app);
    if (known == NULL)
        return find_longest(s->gpu, w, rank, out, err);
    return rank < known->count ? find_named(s->gpu, w, known->kernels[rank], out, err) : 0;
}

bool cal_subject_known(const struct cal_session *s, const struct cal_app *app, size_t rank,
                       char name[CAL_NAME_BYTES])
{
    const struct known *known = known_of(s, app);
    if (known == NULL || rank >= known->count)
        return false;
    memcpy(name, known->kernels[rank], CAL_NAME_BYTES);
    return true;
}

#define TOLD 3 /* kernels that are named */

void cal_subjects_tell_left_out(const struct cal_session *s, const struct cal_app *app)
{
    char names[TOLD + 1][CAL_NAME_BYTES + 64];
    const struct known *known = known_of(s, app);
    size_t left_out = 0;
    if (known == NULL)
        return;
    while (left_out <= TOLD &&
           cal_store_left_out(s->store, app->name, app->size_default, &limits, left_out,
                              names[left_out], sizeof names[left_out]))
        left_out++;
    if (left_out == 0 && known->count > 0)
        return;
    fprintf(stderr, "%sdcsim-calibrate: %s: ", isatty(STDERR_FILENO) ? "\n" : "", app->name);
    if (known->count == 0)
        fprintf(stderr, "no kernel runs beside others but in its request%s",
                left_out > 0 ? "; " : "");
    if (left_out > 0)
        fprintf(stderr, "in their request only: ");
    for (size_t i = 0; i < left_out && i < TOLD; i++)
        fprintf(stderr, "%s%s", i > 0 ? ", " : "", names[i]);
    fprintf(stderr, "%s\n", left_out > TOLD ? ", and others" : "");
}

#define GUESS_S 0.002

/* Of the partitions that are not larger the largest. */
static double solo_seconds(const struct cal_session *s, const struct cal_app *app, int64_t size,
                           const char *kernel, int sms)
{
    double ns;
    return cal_store_get(s->store, &ns,
                         "SELECT median_ns FROM kernel_solo WHERE application = ? AND size = ?"
                         " AND kernel = ? AND sms <= ? ORDER BY sms DESC LIMIT 1",
                         "titi", app->name, size, kernel, (int64_t)sms)
               ? ns * 1e-9
               : GUESS_S;
}

double cal_subject_seconds(const struct cal_session *s, const struct cal_app *app, size_t rank,
                           int sms)
{
    const struct known *known = known_of(s, app);
    if (known == NULL)
        return GUESS_S;
    return rank >= known->count
               ? 0
               : solo_seconds(s, app, app->size_default, known->kernels[rank], sms);
}

/* --- those of other sizes --- */

static const struct cal_subject_limits sized_limits = {
    .count = CAL_SUBJECTS, .launches_max = 64, .min_ns = 20000, .max_ns = 15000000};

int cal_subject_find_sized(const struct cal_session *s, struct cal_work *w, size_t rank,
                           struct cal_subject *out, struct dcs_err *err)
{
    char name[CAL_NAME_BYTES];
    DCS_ASSERT(rank < CAL_SUBJECTS);
    if (!cal_store_subject(s->store, w->app->name, w->size, &sized_limits, rank, name, sizeof name))
        return 0;
    return find_named(s->gpu, w, name, out, err);
}

double cal_subject_sized_seconds(const struct cal_session *s, const struct cal_app *app,
                                 int64_t size, size_t rank, int sms)
{
    char name[CAL_NAME_BYTES];
    if (s->store == NULL ||
        !cal_store_subject(s->store, app->name, size, &sized_limits, rank, name, sizeof name))
        return GUESS_S;
    return solo_seconds(s, app, size, name, sms);
}

/* --- what is kept from step to step --- */

static struct cal_work works[WORKS_MAX];
static struct cal_partition splits[CAL_POOL_SPLITS][2];

struct cal_work *cal_pool_work(struct cal_gpu *g, const struct cal_app *app, uint64_t seed,
                               struct dcs_err *err)
{
    size_t i = 0;
    for (; works[i].app != NULL; i++)
        if (works[i].app == app)
            return &works[i];
    DCS_ASSERT(i + 1 < WORKS_MAX);
    if (cal_work_open(g, app, app->size_default, seed, &works[i], err) == 0)
        return &works[i];
    memset(&works[i], 0, sizeof works[i]);
    return NULL;
}

int cal_split_sms(int sms, int split)
{
    /* In eighths of the device, from the even one outwards; Themis has 10 to 50 of 60 SMs. */
    static const int eighths[CAL_POOL_SPLITS] = {4, 2, 6, 1, 7, 5};
    int groups = sms / CAL_PARTITION_STEP * eighths[split] / 8;
    return (groups > 0 ? groups : 1) * CAL_PARTITION_STEP;
}

int cal_pool_split(struct cal_gpu *g, int split, struct cal_partition **parts, struct dcs_err *err)
{
    const int sms[2] = {cal_split_sms(g->sms, split), 0};
    *parts = splits[split];
    if (splits[split][0].green != NULL)
        return 0;
    return cal_gpu_split(g, sms, 2, splits[split], err);
}

void cal_pool_release(struct cal_gpu *g)
{
    for (size_t i = 0; works[i].app != NULL; i++)
        cal_work_close(g, &works[i]);
    for (int i = 0; i < CAL_POOL_SPLITS && !g->dead; i++)
        for (int k = 0; k < 2 && splits[i][k].green != NULL; k++)
            cal_partition_release(g, &splits[i][k]);
    for (size_t i = 0; i < pool_count && !g->dead; i++)
        cudaEventDestroy(pool[i]);
    free(pool);
    pool = NULL;
    pool_count = pool_capacity = 0;
    memset(splits, 0, sizeof splits);
}
