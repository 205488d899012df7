/*
 * steps.c - see steps.h. Knows no CUDA.
 */
#include "calibrate/plan/steps.h"
#include "calibrate/measure/measurement.h"

#include <fnmatch.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct cal_step *cal_steps_add(struct cal_steps *p, const struct cal_measure *measure,
                               const char *key_format, ...)
{
    p->steps = dcs_grow(p->steps, &p->capacity, p->count + 1, sizeof *p->steps);
    struct cal_step *step = &p->steps[p->count++];
    memset(step, 0, sizeof *step);
    step->measure = measure;
    va_list values;
    va_start(values, key_format);
    int used = vsnprintf(step->key, sizeof step->key, key_format, values);
    va_end(values);
    DCS_ASSERT(used > 0 && (size_t)used < sizeof step->key);
    return step;
}

void cal_steps_release(struct cal_steps *p)
{
    free(p->steps);
    memset(p, 0, sizeof *p);
}

/* The first pattern of the list; the result is the rest of it, NULL behind the last. */
static const char *take_pattern(const char *list, char pattern[CAL_KEY_BYTES])
{
    size_t length = strcspn(list, ",");
    snprintf(pattern, CAL_KEY_BYTES, "%.*s", (int)length, list);
    return list[length] == ',' ? list + length + 1 : NULL;
}

bool cal_list_names(const char *list, const char *name)
{
    char pattern[CAL_KEY_BYTES];
    bool named = list == NULL;
    while (list != NULL && !named) {
        list = take_pattern(list, pattern);
        named = fnmatch(pattern, name, 0) == 0;
    }
    return named;
}

bool cal_list_misses(const char *list, const char *(*name_of)(size_t index),
                     char missing[CAL_KEY_BYTES])
{
    while (list != NULL) {
        list = take_pattern(list, missing);
        size_t i = 0;
        while (name_of(i) != NULL && fnmatch(missing, name_of(i), 0) != 0)
            i++;
        if (name_of(i) == NULL)
            return true;
    }
    return false;
}

static bool is_for_apps(const struct cal_step *step, const char *list)
{
    if (list == NULL || step->measure->every_app)
        return true;
    return step->app_name != NULL && cal_list_names(list, step->app_name);
}

void cal_steps_only_apps(struct cal_steps *p, const char *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->count; i++)
        if (is_for_apps(&p->steps[i], list))
            p->steps[kept++] = p->steps[i];
    p->count = kept;
}

bool cal_steps_lack_apps(const struct cal_steps *p, size_t first, const char *list)
{
    for (size_t i = first; i < p->count; i++)
        if (is_for_apps(&p->steps[i], list))
            return false;
    return first < p->count;
}

void cal_steps_only_default_size(struct cal_steps *p)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->count; i++)
        if (!p->steps[i].other_size)
            p->steps[kept++] = p->steps[i];
    p->count = kept;
}

void cal_steps_only_keys(struct cal_steps *p, const char *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->count; i++)
        if (cal_list_names(list, p->steps[i].key))
            p->steps[kept++] = p->steps[i];
    p->count = kept;
}

/* --- printing --- */

static enum cal_step_state state_of(const struct cal_session *s, const struct cal_step *step)
{
    return s->store != NULL ? cal_store_step(s->store, step->key) : CAL_STEP_MISSING;
}

struct sum {
    const struct cal_measure *measure;
    size_t steps, done, failed;
    double seconds; /* of what is left */
};

static void add_up(struct sum *sum, const struct cal_step *step, enum cal_step_state state)
{
    sum->steps++;
    sum->done += state == CAL_STEP_DONE;
    sum->failed += state == CAL_STEP_FAILED;
    if (state == CAL_STEP_MISSING)
        sum->seconds += step->seconds;
}

static void print_sum(const struct sum *sum, const char *name, FILE *out)
{
    fprintf(out, "%-20s %8zu %8zu %8zu %18.1f\n", name, sum->steps, sum->done, sum->failed,
            sum->seconds / 60);
}

void cal_steps_print(const struct cal_steps *p, const struct cal_session *s, bool each, FILE *out)
{
    static const char *const states[] = {"", "done", "failed"};
    struct sum all = {0}, *sums = dcs_alloc(p->count + 1, sizeof *sums);
    size_t kinds = 0;
    for (size_t i = 0; i < p->count; i++) {
        const struct cal_step *step = &p->steps[i];
        enum cal_step_state state = state_of(s, step);
        size_t k = 0;
        while (k < kinds && sums[k].measure != step->measure)
            k++;
        if (k == kinds)
            sums[kinds++].measure = step->measure;
        add_up(&sums[k], step, state);
        add_up(&all, step, state);
        if (each)
            fprintf(out, "%-60s %8.2f s %s\n", step->key, step->seconds, states[state]);
    }
    fprintf(out, "%-20s %8s %8s %8s %18s\n", "measurement", "steps", "done", "failed",
            s->cpu != NULL ? "CPU minutes left" : "GPU minutes left");
    for (size_t k = 0; k < kinds; k++)
        print_sum(&sums[k], sums[k].measure->name, out);
    print_sum(&all, "all", out);
    free(sums);
}

/* --- running --- */

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

struct progress {
    const struct cal_run_options *options;
    double began, shown;
    size_t total, at;
};

static void show(struct progress *p, const struct cal_step *step)
{
    double now = now_s(), pause = p->options->progress ? 0.2 : 15;
    if (now - p->began < 1 || now - p->shown < pause)
        return;
    p->shown = now;
    fprintf(stderr, p->options->progress ? "\r%zu/%zu %.0f s %-60.60s" : "%zu/%zu %.0f s %s\n",
            p->at, p->total, now - p->began, step->key);
}

/* One step in its transaction. 1: failed, the next can be run; 2: interrupted, which is no failure
 * of its own, for Ctrl-C goes to the programs that a step has started, too; -1: nothing can. */
static int run_step(struct cal_session *s, const struct cal_step *step,
                    const struct cal_run_options *options, struct dcs_err *err)
{
    if (cal_store_begin_step(s->store, err) != 0)
        return -1;
    double began = now_s();
    struct dcs_err why = {0};
    if (step->measure->run(s, step, &why) == 0)
        return cal_store_end_step(s->store, step->key, step->measure->name, now_s() - began, err);
    bool dead = s->dead != NULL && *s->dead;
    if (*options->stop && !dead && !cal_store_broken(s->store))
        return cal_store_undo_step(s->store, err) != 0 ? -1 : 2;
    fprintf(stderr, "%sdcsim-calibrate: %s failed: %s\n", options->progress ? "\n" : "", step->key,
            why.text);
    if (cal_store_broken(s->store)) {
        *err = why;
        return -1;
    }
    if (cal_store_fail_step(s->store, step->key, step->measure->name, why.text, now_s() - began,
                            err) != 0)
        return -1;
    if (dead)
        return dcs_err_set(err,
                           "after %.100s the device's context is lost: run again, and the "
                           "measurement goes on behind this step",
                           step->key);
    return 1;
}

int cal_steps_run(const struct cal_steps *p, struct cal_session *s,
                  const struct cal_run_options *options, struct cal_run_result *result,
                  struct dcs_err *err)
{
    memset(result, 0, sizeof *result);
    const struct cal_measure *measure = NULL;
    bool ready = false;
    int outcome = 0;
    struct progress progress = {.options = options, .began = now_s(), .total = p->count};
    for (size_t i = 0; i < p->count; i++) {
        const struct cal_step *step = &p->steps[i];
        enum cal_step_state state = state_of(s, step);
        result->before += state == CAL_STEP_DONE;
        result->left += state != CAL_STEP_DONE;
        result->failed_before += state == CAL_STEP_FAILED;
        double spent = now_s() - progress.began;
        if (options->minutes > 0 && state == CAL_STEP_MISSING &&
            spent + step->seconds > options->minutes * 60)
            result->out_of_time = true;
        if (*options->stop)
            result->interrupted = true;
        if (state != CAL_STEP_MISSING || result->out_of_time || result->interrupted || outcome != 0)
            continue;
        if (step->measure != measure) {
            struct dcs_err why = {0};
            measure = step->measure;
            ready = measure->ready == NULL || measure->ready(s, &why) == 0;
            if (!ready)
                fprintf(stderr, "dcsim-calibrate: %s is left out: %s\n", measure->name, why.text);
        }
        result->not_here += !ready;
        if (!ready)
            continue;
        progress.at = i + 1;
        show(&progress, step);
        int status = run_step(s, step, options, err);
        result->done += status == 0;
        result->left -= status == 0;
        result->failed += status == 1;
        result->interrupted = result->interrupted || status == 2;
        if (status == -1)
            outcome = -1;
    }
    if (options->progress && progress.shown > 0)
        fputc('\n', stderr);
    return outcome;
}

/* --- sizes --- */

static int64_t round_to_step(double size, const struct cal_size_range *r)
{
    int64_t rounded = (int64_t)(size / (double)r->step + 0.5) * r->step;
    if (rounded > r->max)
        rounded = r->max / r->step * r->step;
    if (rounded < r->min)
        rounded = (r->min + r->step - 1) / r->step * r->step;
    return rounded;
}

static void add_size(int64_t *sizes, size_t *count, size_t wanted, int64_t size)
{
    for (size_t i = 0; i < *count; i++)
        if (sizes[i] == size)
            return;
    if (*count < wanted)
        sizes[(*count)++] = size;
}

/* The binary digits of k mirrored at the point: 1/2, 1/4, 3/4, 1/8, 5/8 ... (van der Corput). */
static double mirrored(unsigned k)
{
    double value = 0, digit = 0.5;
    for (; k > 0; k >>= 1) {
        value += (k & 1) * digit;
        digit /= 2;
    }
    return value;
}

size_t cal_sizes(const struct cal_size_range *r, int64_t **sizes)
{
    DCS_ASSERT(r->min >= 1 && r->min <= r->max && r->step >= 1 && r->wanted >= 1);
    int64_t *list = dcs_alloc(r->wanted, sizeof *list);
    size_t count = 0;
    add_size(list, &count, r->wanted, r->standard);
    add_size(list, &count, r->wanted, round_to_step((double)r->min, r));
    add_size(list, &count, r->wanted, round_to_step((double)r->max, r));
    double low = log((double)r->min), high = log((double)r->max);
    /* Rounding makes sizes equal: more are tried than wanted, but not for ever. */
    for (unsigned k = 1; k < 4096 && count < r->wanted; k++)
        add_size(list, &count, r->wanted, round_to_step(exp(low + (high - low) * mirrored(k)), r));
    *sizes = list;
    return count;
}
