/*
 * recorded_store.c - see recorded_store.h.
 */
#include "calibrate/record/recorded_store.h"

#include "calibrate/record/recorded_shapes.h"

#include <stdlib.h>
#include <string.h>

#define FUNCTION_BYTES 4000 /* a text of a profile has at most 4096 */

struct writer {
    struct cal_store *s;
    const struct cal_recorded_app *app;
    int64_t size;
    const char *command;
    const struct cal_recorded_device *device;
    const struct cal_sequence *whole;
    const struct cal_shapes_of_places *shapes; /* of whole */
    struct dcs_err *err;
};

int cal_recorded_sms(const struct cal_recorded_run *whole, const struct cal_recorded_run *run)
{
    int all = whole->recording.device.sms, sms = run->recording.device.sms;
    return run->percent < 100 && sms == all ? (all * run->percent + 99) / 100 : sms;
}

int64_t cal_recorded_memory(const struct cal_recording *r)
{
    int64_t most = 0;
    for (size_t i = 0; i < r->processes_count; i++) {
        int64_t sum = 0, now_ns = r->processes[i].begin_ns;
        if (r->processes[i].ops_count > 0 && r->processes[i].used_bytes == 0)
            return 0;
        for (size_t k = 0; k < r->processes_count; k++) {
            const struct cal_process *p = &r->processes[k];
            if (p->ops_count > 0 && p->begin_ns <= now_ns && now_ns < p->end_ns)
                sum = dcs_add_times(sum, p->used_bytes);
        }
        most = sum > most ? sum : most;
    }
    return most < r->device.memory_bytes ? most : r->device.memory_bytes;
}

/* --- forgetting --- */

int cal_recorded_forget(struct cal_store *s, const char *name, struct dcs_err *err)
{
    static const char *const tables[] = {
        "subject",           "request_kernel",    "kernel_shape",    "request_solo",
        "kernel_solo",       "kernel_launch",     "kernel_cluster",  "recorded",
        "recorded_clock",    "recorded_launch",   "kernel_counters", "noise",
        "contention_kernel", "contention_weight", "contention_range"};
    char sql[128];
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        snprintf(sql, sizeof sql, "DELETE FROM %s WHERE application = ?", tables[i]);
        if (cal_store_execute(s, err, sql, "t", name) != 0)
            return -1;
    }
    return cal_store_execute(s, err, "DELETE FROM application WHERE name = ?", "t", name);
}

bool cal_recorded_is_there(struct cal_store *s, const char *name)
{
    double there = 0;
    return cal_store_get(s, &there, "SELECT 1 FROM application WHERE name = ?", "t", name);
}

/* --- rows --- */

/* One sample of each request: its total, or the mean over the places of a shape. */
static int statistics_of(const int64_t *samples, size_t n, struct cal_statistics *out,
                         struct dcs_err *err)
{
    struct cal_samples all = {0};
    for (size_t i = 0; i < n; i++)
        cal_samples_add(&all, samples[i], 0, false);
    int failed = cal_samples_statistics(&all, CAL_STOP_COUNT, "warm", out, err);
    cal_samples_release(&all);
    return failed;
}

static int put_description(struct cal_store *s, const struct cal_recorded_app *a,
                           const struct cal_recorded_size *sizes, size_t count, struct dcs_err *err)
{
    char source[1500];
    snprintf(source, sizeof source, "recorded by dcsim-calibrate: %.1200s", a->command);
    int64_t least = sizes[0].size, most = least;
    for (size_t i = 1; i < count; i++) {
        least = sizes[i].size < least ? sizes[i].size : least;
        most = sizes[i].size > most ? sizes[i].size : most;
    }
    if (cal_store_put(s, err, "subject", "ttttiii", a->name, "", a->command, a->unit, least, most,
                      sizes[0].size) != 0)
        return -1;
    const char *class = a->service ? "latency" : "batch";
    if (a->sla_ns > 0)
        return cal_store_put(s, err, "application", "ttiit", a->name, class, a->sla_ns,
                             a->memory_bytes, source);
    return cal_store_put(s, err, "application", "ttnit", a->name, class, a->memory_bytes, source);
}

static int put_shape(const struct writer *w, const struct cal_shape_of_places *shape)
{
    const struct cal_place *p = &w->whole->places[shape->first];
    static const char *const kinds[] = {[CAL_OP_KERNEL] = "compute",
                                        [CAL_OP_TO_DEVICE] = "to_device",
                                        [CAL_OP_FROM_DEVICE] = "from_device",
                                        [CAL_OP_ON_DEVICE] = "compute"};
    const char *cores = cal_recorded_uses_tensor(p->function) ? "tensor" : "cuda";
    if (p->kind != CAL_OP_KERNEL)
        return cal_store_put(w->s, w->err, "kernel_shape",
                             "tittt"
                             "innnnnnnii",
                             w->app->name, w->size, shape->name, kinds[p->kind], "cuda", (int64_t)1,
                             p->bytes, (int64_t)0);
    int64_t fit = cal_recorded_blocks_per_sm(w->device, p);
    if (fit == 0)
        return cal_store_put(w->s, w->err, "kernel_shape",
                             "tittt"
                             "iiiiinnnni",
                             w->app->name, w->size, shape->name, kinds[p->kind], cores, (int64_t)1,
                             p->blocks, p->threads, p->registers, p->shared_bytes, (int64_t)0);
    return cal_store_put(w->s, w->err, "kernel_shape",
                         "tittt"
                         "iiiiiinnni",
                         w->app->name, w->size, shape->name, kinds[p->kind], cores, (int64_t)1,
                         p->blocks, p->threads, p->registers, p->shared_bytes, fit, (int64_t)0);
}

static int put_sequence(const struct writer *w)
{
    char function[FUNCTION_BYTES];
    for (size_t i = 0; i < w->shapes->count; i++)
        if (put_shape(w, &w->shapes->list[i]) != 0)
            return -1;
    for (size_t k = 0; k < w->whole->count; k++) {
        cal_recorded_function(w->whole->places[k].function, function, sizeof function);
        if (cal_store_put(w->s, w->err, "request_kernel", "tiitt", w->app->name, w->size,
                          (int64_t)k, function, w->shapes->list[w->shapes->of[k]].name) != 0)
            return -1;
    }
    return 0;
}

/* --- one allotment --- */

struct allotment {
    const struct cal_recorded_run *run;
    const char *mechanism;
    int64_t sms;
};

static int put_launch(const struct writer *w, const struct allotment *a, const char *kernel,
                      size_t position)
{
    const struct cal_sequence *q = &a->run->sequence;
    const struct cal_place *p = &q->places[position];
    char function[FUNCTION_BYTES], format[32];
    bool is_kernel = p->kind == CAL_OP_KERNEL, serial = cal_sequence_is_serial(q);
    cal_recorded_function(p->function, function, sizeof function);
    const char *waits = !serial ? "nn" : p->wait_gap_ns == CAL_NO_WAIT ? "in" : "ii";
    snprintf(format, sizeof format,
             "titiitti"
             "iiii"
             "niii%s",
             waits);
    if (is_kernel)
        return cal_store_put(w->s, w->err, "recorded_launch", format, w->app->name, w->size,
                             a->mechanism, a->sms, (int64_t)position, kernel, function,
                             (int64_t)p->stream, p->blocks, p->threads, p->registers,
                             p->shared_bytes, p->median_ns, p->p5_ns, p->p95_ns, p->host_gap_ns,
                             p->wait_gap_ns);
    snprintf(format, sizeof format,
             "titiitti"
             "nnnn"
             "iiii%s",
             waits);
    return cal_store_put(w->s, w->err, "recorded_launch", format, w->app->name, w->size,
                         a->mechanism, a->sms, (int64_t)position, kernel, function,
                         (int64_t)p->stream, p->bytes, p->median_ns, p->p5_ns, p->p95_ns,
                         p->host_gap_ns, p->wait_gap_ns);
}

static int put_launches(const struct writer *w, const struct allotment *a)
{
    struct cal_shapes_of_places own = {0};
    int failed = 0;
    cal_recorded_shapes_make(&own, &a->run->sequence);
    for (size_t k = 0; k < a->run->sequence.count && !failed; k++)
        failed = put_launch(w, a, own.list[own.of[k]].name, k);
    cal_recorded_shapes_release(&own);
    return failed;
}

static int put_facts(const struct writer *w, const struct allotment *a)
{
    const struct cal_recorded_run *r = a->run;
    const struct cal_sequence *q = &r->sequence;
    return cal_store_put(w->s, w->err, "recorded",
                         "titiitt"
                         "iiiiiiiiiiiiiiiii",
                         w->app->name, w->size, a->mechanism, a->sms, (int64_t)r->percent,
                         w->command, w->app->request, (int64_t)q->found, (int64_t)q->skipped,
                         (int64_t)q->others, (int64_t)q->requests, (int64_t)r->matched, q->p5_ns,
                         q->p95_ns, q->kernels_ns, q->copies_ns, q->idle_ns, q->overlap_ns,
                         q->end_gap_ns, q->device_gap_ns, q->alone_ns, r->recording.lost,
                         r->plain_wall_ns, r->wall_ns);
}

/* How long requests take: without being recorded, where that is known. */
static int put_requests(const struct writer *w, const struct allotment *a)
{
    const struct cal_clock *clock = &a->run->clock;
    const struct cal_sequence *q = &a->run->sequence;
    struct cal_statistics statistics;
    bool known = clock->count > 0;
    if (statistics_of(known ? clock->ns : q->totals, known ? clock->count : q->requests,
                      &statistics, w->err) != 0 ||
        cal_store_put(w->s, w->err, "request_solo", "titis", w->app->name, w->size, a->mechanism,
                      a->sms, &statistics) != 0)
        return -1;
    if (!known)
        return 0;
    return cal_store_put(w->s, w->err, "recorded_clock", "titiiiiiir", w->app->name, w->size,
                         a->mechanism, a->sms, (int64_t)clock->count, clock->p5_ns,
                         clock->median_ns, clock->p95_ns, q->median_ns, a->run->gaps_scale);
}

/* The times of the whole device's shapes at this allotment. */
static int put_kernels(const struct writer *w, const struct allotment *a, const int64_t *ns)
{
    size_t requests = a->run->sequence.requests, count = w->whole->count;
    int64_t *samples = dcs_alloc(requests, sizeof *samples);
    struct cal_statistics statistics;
    int failed = 0;
    for (size_t i = 0; i < w->shapes->count && !failed; i++) {
        const struct cal_shape_of_places *shape = &w->shapes->list[i];
        for (size_t q = 0; q < requests; q++) {
            samples[q] = 0;
            for (size_t k = 0; k < count; k++)
                samples[q] += w->shapes->of[k] == i ? ns[q * count + k] : 0;
            samples[q] /= (int64_t)shape->places;
        }
        failed = statistics_of(samples, requests, &statistics, w->err) != 0 ||
                 cal_store_put(w->s, w->err, "kernel_solo",
                               "titti"
                               "s",
                               w->app->name, w->size, shape->name, a->mechanism, a->sms,
                               &statistics) != 0;
    }
    free(samples);
    return failed ? -1 : 0;
}

/* Whether two places are grids alike: of those whose blocks come one by one all are. */
static bool are_alike(const struct cal_place *p, const struct cal_place *q)
{
    return p->cluster == q->cluster && (p->cluster <= 1 || p->blocks == q->blocks);
}

/* Of the places that stand for a shape, the grid that takes the most time. NULL: its blocks come
 * one by one, or where grids vary it is no whole number of clusters. */
static const struct cal_place *clustered(const struct writer *w, const struct allotment *a,
                                         const size_t *stand, size_t shape)
{
    const struct cal_place *places = a->run->sequence.places, *best = NULL;
    int64_t most = 0;
    for (size_t i = 0; i < w->whole->count; i++) {
        if (w->shapes->of[i] != shape || stand[i] == 0)
            continue;
        const struct cal_place *p = &places[stand[i] - 1];
        int64_t ns = 0;
        for (size_t k = i; k < w->whole->count; k++)
            if (w->shapes->of[k] == shape && stand[k] > 0 && are_alike(p, &places[stand[k] - 1]))
                ns += places[stand[k] - 1].median_ns;
        if (ns > most) {
            most = ns;
            best = p;
        }
    }
    return best != NULL && best->cluster > 1 && best->blocks % best->cluster == 0 ? best : NULL;
}

static int put_clusters(const struct writer *w, const struct allotment *a, const size_t *stand)
{
    for (size_t i = 0; i < w->shapes->count; i++) {
        const struct cal_place *p = clustered(w, a, stand, i);
        if (p != NULL && cal_store_put(w->s, w->err, "kernel_cluster", "tittiii", w->app->name,
                                       w->size, w->shapes->list[i].name, a->mechanism, a->sms,
                                       p->cluster, p->blocks) != 0)
            return -1;
    }
    return 0;
}

static int put_allotment(const struct writer *w, const struct cal_recorded_run *all,
                         struct cal_recorded_run *r)
{
    struct allotment a = {
        .run = r, .mechanism = r->percent < 100 ? "mps" : "whole", .sms = cal_recorded_sms(all, r)};
    int64_t *ns = dcs_alloc(r->sequence.requests * w->whole->count, sizeof *ns);
    size_t *stand = dcs_alloc(w->whole->count, sizeof *stand);
    r->matched = cal_sequence_align(w->whole, &r->sequence, ns, stand);
    int failed = put_requests(w, &a) != 0 || put_kernels(w, &a, ns) != 0 || put_facts(w, &a) != 0 ||
                 put_launches(w, &a) != 0 || put_clusters(w, &a, stand) != 0;
    free(stand);
    free(ns);
    return failed ? -1 : 0;
}

static int put_size(struct cal_store *s, const struct cal_recorded_app *app,
                    const struct cal_recorded_size *of, struct dcs_err *err)
{
    struct cal_shapes_of_places shapes = {0};
    struct cal_recorded_run *runs = of->runs;
    struct writer w = {.s = s,
                       .app = app,
                       .size = of->size,
                       .command = of->command,
                       .device = &runs[0].recording.device,
                       .whole = &runs[0].sequence,
                       .shapes = &shapes,
                       .err = err};
    cal_recorded_shapes_make(&shapes, w.whole);
    int failed = put_sequence(&w);
    for (size_t i = 0; i < of->count && !failed; i++)
        failed = put_allotment(&w, &runs[0], &runs[i]);
    cal_recorded_shapes_release(&shapes);
    return failed ? -1 : 0;
}

int cal_recorded_put(struct cal_store *s, const struct cal_recorded_app *app,
                     const struct cal_recorded_size *sizes, size_t count, struct dcs_err *err)
{
    int failed = cal_recorded_forget(s, app->name, err) != 0 ||
                 put_description(s, app, sizes, count, err) != 0;
    for (size_t i = 0; i < count && !failed; i++)
        failed = put_size(s, app, &sizes[i], err);
    return failed ? -1 : 0;
}
