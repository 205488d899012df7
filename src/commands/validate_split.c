/*
 * validate_split.c - see validate_split.h.
 *
 * A point is a program at one size, a number of threads and a policy. Its real time is the median
 * over turns, of an even number the mean of the two in the middle. Its simulated one is
 * response_p50 of REQUESTS requests one after the other, with the noise that was measured of
 * chunks: of 20 the tenth from the shortest.
 *
 * Intervals: of a mean error, Student's t over worlds (points that differ in the policy alone),
 * which share their chunks; and over programs, for a program that is none of them. Of a share,
 * Wilson's (Journal of the American Statistical Association 22, 1927).
 *
 * Reality is judged by itself: the median of the turns of even number beside that of the others.
 * With two rounds of dcsim-calibrate split --run those are the rounds.
 */
#include "commands/validate_split.h"

#include "des/newfile.h"
#include "des/stats.h"
#include "experiment/profile_cache.h"
#include "models/profile/profile_rows.h"
#include "models/profile/profile_split.h"
#include "policies/policies.h"
#include "runs/runner.h"
#include "text/buffer.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REQUESTS 20

struct point {
    char *program, *policy;
    int64_t iterations, threads;
    double *turns[2]; /* ns, of even and of odd number */
    size_t count[2], capacity[2];
    double real_ns, half_ns[2]; /* medians of all turns, and of those two; 0: there is none */
    double least_ns, most_ns;
    double simulated_ns;
};

struct validation {
    const char *path; /* as configs may name it from anywhere */
    struct point *points;
    size_t count, capacity;
    struct profile_cache *files;
};

/* In the middle of reading what was measured. */
struct reading {
    struct validation *v;
    struct dcs_rows rows;
};

/* ---- What was measured ---- */

static struct point *find_place(struct validation *v, const char *program, const char *policy,
                                const struct point *wanted)
{
    for (size_t i = v->count; i-- > 0;) {
        struct point *p = &v->points[i];
        if (p->iterations == wanted->iterations && p->threads == wanted->threads &&
            strcmp(p->program, program) == 0 && strcmp(p->policy, policy) == 0)
            return p;
    }
    v->points = dcs_grow(v->points, &v->capacity, v->count + 1, sizeof *v->points);
    struct point *p = &v->points[v->count++];
    *p = *wanted;
    p->program = dcs_strdup(program);
    p->policy = dcs_strdup(policy);
    return p;
}

static int take_request(void *context)
{
    struct reading *r = context;
    struct dcs_rows *rows = &r->rows;
    struct point found = {0};
    int64_t time_ns, turn;
    const char *program = dcs_rows_name(rows, 0), *policy;
    if (program == NULL || dcs_rows_integer(rows, 1, 1, INT64_MAX, &found.iterations) != 0 ||
        dcs_rows_integer(rows, 2, 1, 4096, &found.threads) != 0 ||
        dcs_rows_integer(rows, 4, 1, DCS_DURATION_NS_MAX, &time_ns) != 0 ||
        dcs_rows_integer(rows, 5, 0, INT64_C(1) << 40, &turn) != 0 ||
        (policy = dcs_rows_name(rows, 3)) == NULL)
        return -1;
    if (strchr(policy, ' ') != NULL) /* with options of its own, see calibrate/split */
        return 0;
    if (policies_find(policy) == NULL)
        return dcs_rows_bad_value(rows, 3, "the name of a policy (dcsim --list policies)");
    struct point *p = find_place(r->v, program, policy, &found);
    int half = turn % 2 != 0;
    p->turns[half] =
        dcs_grow(p->turns[half], &p->capacity[half], p->count[half] + 1, sizeof(double));
    p->turns[half][p->count[half]++] = (double)time_ns;
    return 0;
}

static void take_medians(struct point *p)
{
    size_t n = p->count[0] + p->count[1];
    double *all = dcs_alloc(n, sizeof *all);
    for (int half = 0; half < 2; half++) {
        size_t count = p->count[half];
        if (count == 0)
            continue;
        memcpy(&all[half == 0 ? 0 : p->count[0]], p->turns[half], count * sizeof *all);
        dcs_sort_doubles(p->turns[half], count);
        p->half_ns[half] = dcs_sorted_median(p->turns[half], count);
    }
    dcs_sort_doubles(all, n);
    p->real_ns = dcs_sorted_median(all, n);
    p->least_ns = all[0];
    p->most_ns = all[n - 1];
    free(all);
}

static int by_place(const void *left, const void *right)
{
    const struct point *a = left, *b = right;
    int order = strcmp(a->program, b->program);
    if (order == 0)
        order = (a->iterations > b->iterations) - (a->iterations < b->iterations);
    if (order == 0)
        order = (a->threads > b->threads) - (a->threads < b->threads);
    return order != 0 ? order : strcmp(a->policy, b->policy);
}

static int read_requests(struct validation *v, struct dcs_err *err)
{
    struct dcs_profile_source source;
    if (dcs_profile_open_whole(&source, v->path, err) != 0)
        return -1;
    struct reading r = {v, {.source = &source, .file = v->path, .err = err}};
    int status = dcs_rows_each_if_any(
        &r.rows, "split_run",
        "SELECT program, iterations, threads, policy, time_ns, turn FROM split_run", take_request,
        &r);
    dcs_profile_close(&source);
    if (status == 0 && v->count == 0)
        status = dcs_err_at(err, v->path, 0, "split_run",
                            "holds no request that was divided for real: dcsim-calibrate split "
                            "--run makes them");
    if (status != 0)
        return -1;
    for (size_t i = 0; i < v->count; i++)
        take_medians(&v->points[i]);
    qsort(v->points, v->count, sizeof *v->points, by_place);
    return 0;
}

/* ---- Simulations ---- */

static struct options_doc *make_config(const struct validation *v, const struct point *p,
                                       struct dcs_err *err)
{
    struct text_buffer text = {0};
    char assignment[PATH_MAX + 16];
    text_append(&text,
                "{ \"sharing\": { \"model\": \"divisible\" }, \"policy\": { \"name\": \"%s\" }, "
                "\"cluster\": { \"devices\": 2, \"cpu_threads\": %lld }, \"divisible\": [ { "
                "\"name\": \"work\", \"iterations\": %lld, \"program\": ",
                p->policy, (long long)p->threads, (long long)p->iterations);
    text_append_json(&text, p->program);
    text_append(
        &text,
        " } ], \"workload\": { \"batch\": [ { \"application\": \"work\", \"requests\": %d } ] "
        "}, \"horizon\": { \"duration_s\": 0 }, \"replications\": 1 }",
        REQUESTS);
    struct options_doc *doc =
        options_load_text("a divided request", text.text, strlen(text.text), err);
    free(text.text);
    snprintf(assignment, sizeof assignment, "profile=%s", v->path);
    if (doc != NULL && options_set(doc, assignment, err) == 0)
        return doc;
    options_doc_free(doc);
    return NULL;
}

static int open_point(void *context, struct runner_point *r, struct dcs_err *err)
{
    struct validation *v = context;
    struct options_doc *doc = make_config(v, &v->points[r->index], err);
    if (doc == NULL)
        return -1;
    if (config_parse(&r->config, doc, NULL, err) != 0) {
        options_doc_free(doc);
        return -1;
    }
    if (experiment_open_with(&r->experiment, &r->config, doc, v->files, err) != 0) {
        config_release(&r->config);
        options_doc_free(doc);
        return -1;
    }
    r->doc = doc;
    return 0;
}

static int want(void *context, struct runner_point *r, struct runner_list *list,
                struct dcs_err *err)
{
    (void)err;
    if (r->context == NULL)
        runner_list_add(list, 0);
    r->context = context;
    return 0;
}

static int take_run(void *context, struct runner_point *r, struct run *run, struct dcs_err *err)
{
    struct validation *v = context;
    (void)err;
    for (size_t i = 0; i < run->metrics_count; i++)
        if (run->metrics[i].app == METRIC_CLASS + DCS_BATCH &&
            strcmp(run->metrics[i].name, "response_p50") == 0)
            v->points[r->index].simulated_ns = run->metrics[i].value;
    run_release(run);
    return 0;
}

static int end_point(void *context, struct runner_point *r, enum runner_end how,
                     const struct dcs_err *failure, struct dcs_err *err)
{
    (void)context, (void)r;
    if (how != RUNNER_FAILED)
        return 0;
    *err = *failure;
    return -1;
}

static void tick(void *context)
{
    (void)context;
}

static int simulate(struct validation *v, struct dcs_err *err)
{
    const struct runner_calls calls = {.context = v,
                                       .open = open_point,
                                       .want = want,
                                       .take = take_run,
                                       .end = end_point,
                                       .tick = tick};
    struct run_watch watch = {0};
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    v->files = profile_cache_new();
    int status =
        runner_run(v->count, processors > 0 ? (uint32_t)processors : 1, &watch, &calls, err);
    profile_cache_free(v->files);
    return status;
}

/* ---- What is printed ---- */

static double error_of(const struct point *p)
{
    return p->simulated_ns / p->real_ns - 1;
}

/* NULL: any. */
static bool is_of(const struct point *p, const char *program, const char *policy)
{
    return (program == NULL || strcmp(program, p->program) == 0) &&
           (policy == NULL || strcmp(policy, p->policy) == 0);
}

/* Worlds: points that differ in the policy alone; they lie together. */
static size_t end_world(const struct validation *v, size_t begin)
{
    size_t end = begin + 1;
    while (end < v->count && strcmp(v->points[end].program, v->points[begin].program) == 0 &&
           v->points[end].iterations == v->points[begin].iterations &&
           v->points[end].threads == v->points[begin].threads)
        end++;
    return end;
}

static size_t end_program(const struct validation *v, size_t begin)
{
    size_t end = begin + 1;
    while (end < v->count && strcmp(v->points[end].program, v->points[begin].program) == 0)
        end++;
    return end;
}

/* Half of the 95 % interval of the mean error, over groups of points; NaN: there is one group. */
static double interval_over(const struct validation *v, const char *program, const char *policy,
                            size_t (*end_group)(const struct validation *, size_t))
{
    double *means = dcs_alloc(v->count, sizeof *means);
    size_t groups = 0;
    for (size_t i = 0, end; i < v->count; i = end) {
        double sum = 0;
        size_t n = 0;
        end = end_group(v, i);
        for (size_t k = i; k < end; k++)
            if (is_of(&v->points[k], program, policy)) {
                sum += fabs(error_of(&v->points[k]));
                n++;
            }
        if (n > 0)
            means[groups++] = sum / (double)n;
    }
    struct dcs_estimate e = dcs_estimate_mean(means, groups);
    free(means);
    return (e.high - e.low) / 2;
}

/* Errors of the points of a program and a policy (NULL: of all). */
static void print_errors(const struct validation *v, const char *program, const char *policy)
{
    double *errors = dcs_alloc(v->count, sizeof *errors), sum = 0, bias = 0, spread = 0;
    double around = interval_over(v, program, policy, end_world);
    char interval[24] = "-";
    size_t n = 0;
    for (size_t i = 0; i < v->count; i++) {
        const struct point *p = &v->points[i];
        if (!is_of(p, program, policy))
            continue;
        double e = error_of(p);
        errors[n++] = fabs(e);
        sum += fabs(e);
        bias += e;
        spread += (p->most_ns - p->least_ns) / p->real_ns;
    }
    if (isfinite(around))
        snprintf(interval, sizeof interval, "%.1f", 100 * around);
    dcs_sort_doubles(errors, n);
    double median = dcs_sorted_median(errors, n), count = (double)n;
    printf("%-14s %-16s %5zu %9.1f %% %7s %9.1f %% %+9.1f %% %9.1f %%\n",
           program != NULL ? program : "all", policy != NULL ? policy : "all", n, 100 * sum / count,
           interval, 100 * median, 100 * bias / count, 100 * spread / count);
    free(errors);
}

/* Of `of` cases: so many. Wilson's interval, in %. */
static void print_share(size_t count, size_t of)
{
    double n = (double)of, share = (double)count / n, z = 1.959964, zz = z * z;
    double middle = (share + zz / (2 * n)) / (1 + zz / n);
    double half = z * sqrt(share * (1 - share) / n + zz / (4 * n * n)) / (1 + zz / n);
    printf("%zu of %zu [%.0f, %.0f %%]", count, of, 100 * fmax(0, middle - half),
           100 * fmin(1, middle + half));
}

enum clock { SIMULATED, REAL, EVEN, ODD };

static double time_of(const struct point *p, enum clock c)
{
    return c == SIMULATED ? p->simulated_ns : c == REAL ? p->real_ns : p->half_ns[c - EVEN];
}

static size_t find_fastest(const struct validation *v, size_t begin, size_t end, enum clock c)
{
    size_t fastest = begin;
    for (size_t k = begin; k < end; k++)
        if (time_of(&v->points[k], c) < time_of(&v->points[fastest], c))
            fastest = k;
    return fastest;
}

/* Worlds with one policy have no winner. */
static void print_winners(const struct validation *v)
{
    size_t worlds = 0, same = 0;
    double lost = 0;
    for (size_t i = 0, end; i < v->count; i = end) {
        end = end_world(v, i);
        if (end - i < 2)
            continue;
        size_t real = find_fastest(v, i, end, REAL);
        size_t simulated = find_fastest(v, i, end, SIMULATED);
        worlds++;
        same += real == simulated;
        lost += v->points[simulated].real_ns / v->points[real].real_ns - 1;
    }
    if (worlds == 0) {
        printf("\nNothing was divided by two policies: there is no fastest to compare.\n");
        return;
    }
    printf("\nThe fastest policy is the same in ");
    print_share(same, worlds);
    printf(" (program, size, threads); the one that the simulation names\n"
           "takes %.1f %% longer than the fastest for real, on average.\n",
           100 * lost / (double)worlds);
}

/* How far reality is off itself: what no simulation can be nearer to. */
static void print_repeats(const struct validation *v)
{
    double *errors = dcs_alloc(v->count, sizeof *errors), sum = 0;
    size_t n = 0, worlds = 0, same = 0;
    for (size_t i = 0; i < v->count; i++)
        if (v->points[i].half_ns[0] > 0 && v->points[i].half_ns[1] > 0) {
            errors[n] = fabs(v->points[i].half_ns[1] / v->points[i].half_ns[0] - 1);
            sum += errors[n++];
        }
    for (size_t i = 0, end; i < v->count; i = end) {
        bool whole = true;
        end = end_world(v, i);
        for (size_t k = i; k < end; k++)
            whole = whole && v->points[k].half_ns[0] > 0 && v->points[k].half_ns[1] > 0;
        if (!whole || end - i < 2)
            continue;
        worlds++;
        same += find_fastest(v, i, end, EVEN) == find_fastest(v, i, end, ODD);
    }
    if (n > 0) {
        dcs_sort_doubles(errors, n);
        printf(
            "\nReality beside itself, turns of odd number over those of even: %.1f %% off in the "
            "mean of %zu,\n%.1f %% in the median",
            100 * sum / (double)n, n, 100 * dcs_sorted_median(errors, n));
        if (worlds > 0) {
            printf("; the same fastest policy in ");
            print_share(same, worlds);
        }
        puts(".");
    }
    free(errors);
}

static bool has_policy(const struct validation *v, const char *name)
{
    for (size_t i = 0; i < v->count; i++)
        if (strcmp(v->points[i].policy, name) == 0)
            return true;
    return false;
}

static void print_all(const struct validation *v)
{
    double around = interval_over(v, NULL, NULL, end_program);
    printf("Requests that policies divided over a real CPU and GPU, beside simulations\n\n"
           "%-14s %-16s %5s %11s %7s %11s %11s %11s\n",
           "program", "policy", "n", "mean error", "+-", "median", "bias", "spread");
    for (size_t i = 0; i < v->count; i = end_program(v, i))
        print_errors(v, v->points[i].program, NULL);
    for (size_t i = 0; policies_all[i] != NULL; i++)
        if (has_policy(v, policies_all[i]->name))
            print_errors(v, NULL, policies_all[i]->name);
    print_errors(v, NULL, NULL);
    if (isfinite(around))
        printf("Interval over programs: +- %.1f.\n", 100 * around);
    print_winners(v);
    print_repeats(v);
    printf(
        "\nTimes are medians: of real turns, and of %d simulated requests. Intervals are of 95 %%; "
        "+-: over (program,\nsize, threads), in points of %%. spread: of the real turns, longest "
        "less shortest over the median.\n",
        REQUESTS);
}

static int write_csv(const struct validation *v, const char *path, struct dcs_err *err)
{
    struct text_buffer text = {0};
    text_append(&text, "program,iterations,threads,policy,turns,real_ns,least_ns,most_ns,"
                       "simulated_ns,error\n");
    for (size_t i = 0; i < v->count; i++) {
        const struct point *p = &v->points[i];
        text_append_csv(&text, p->program);
        text_append(&text, ",%lld,%lld,", (long long)p->iterations, (long long)p->threads);
        text_append_csv(&text, p->policy);
        text_append(&text, ",%lld,%.0f,%.0f,%.0f,%.0f,%.4f\n",
                    (long long)p->count[0] + (long long)p->count[1], p->real_ns, p->least_ns,
                    p->most_ns, p->simulated_ns, error_of(p));
    }
    int status = newfile_create(path, text.text, strlen(text.text), err);
    free(text.text);
    return status;
}

int validate_split(const char *path, const char *csv, struct dcs_err *err)
{
    char whole[PATH_MAX];
    struct validation v = {.path = realpath(path, whole) != NULL ? whole : path};
    int status = csv != NULL ? newfile_may_write(csv, err) : 0;
    if (status == 0)
        status = read_requests(&v, err);
    if (status == 0)
        status = simulate(&v, err);
    if (status == 0 && csv != NULL)
        status = write_csv(&v, csv, err);
    if (status == 0)
        print_all(&v);
    for (size_t i = 0; i < v.count; i++) {
        free(v.points[i].turns[0]);
        free(v.points[i].turns[1]);
        free(v.points[i].program);
        free(v.points[i].policy);
    }
    free(v.points);
    return status;
}
