/*
 * trace_fit.c - dcsim trace fit: the command line, which jobs count for what, and the fits. What a
 * config can draw of them is in trace_fit_block.c, what is printed in trace_fit_print.c, what is
 * written in trace_fit_write.c, and how files appear in newfile.c.
 *
 * Which jobs: all that the window and the class let through count for the arrivals and sizes, but
 * for the early ones, whose arrival is not known. Of the durations, those that were not seen from
 * the begin to the end are left out.
 */
#include "commands/trace_fit.h"
#include "commands/command.h"
#include "des/newfile.h"

#include "des/stats.h"

#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: dcsim trace fit JOBS.db [OPTION...]\n"
    "\n"
    "Fits distributions to the durations of imported jobs and processes to their arrivals, and "
    "says\n"
    "how far from them the jobs are.\n"
    "\n"
    "  -o, --output FILE.json  write a workload block for dcsim --config; must not exist\n"
    "      --curves FILE.csv   write what plots/trace_fit.py draws; must not exist\n"
    "      --from S, --until S only jobs that arrive in [S, S), in seconds of the trace\n"
    "      --class CLASS       only latency or batch jobs\n"
    "      --status STATUS     durations of success, failed or all jobs (default: all)\n"
    "      --keep-censored     durations also of jobs that ran when the trace ended\n"
    "      --jitter SEED       seed of what whole seconds hide (default: 1)\n"
    "      --no-jitter         take whole seconds as they are, of durations and arrivals\n";

/* ---- reading ---- */

static void push_duration(struct trace_fit_durations *d, int64_t duration_ns)
{
    d->raw = dcs_grow(d->raw, &d->capacity, d->n + 1, sizeof *d->raw);
    d->raw[d->n++] = (double)duration_ns * 1e-9;
}

/* Beyond FIT_SIZES distinct sizes, the nearest counts. */
static void count_size(struct trace_fit_sizes *s, double gpus)
{
    size_t nearest = 0;
    double distance = 1e300;
    for (size_t i = 0; i < s->n; i++) {
        double d = s->gpus[i] > gpus ? s->gpus[i] - gpus : gpus - s->gpus[i];
        if (d < distance) {
            distance = d;
            nearest = i;
        }
    }
    if (distance > 0 && s->n < FIT_SIZES) {
        nearest = s->n++;
        s->gpus[nearest] = gpus;
    }
    s->count[nearest]++;
}

/* The largest of 1 s, 1 ms, 1 us, 1 ns of which all times so far are whole numbers. */
static void coarsest(int64_t time_ns, int64_t *tick_ns)
{
    while (time_ns % *tick_ns != 0)
        *tick_ns /= 1000;
}

static bool has_duration(struct trace_fit *f, const struct trace_jobs_row *row)
{
    const struct trace_fit_options *o = f->options;
    if (row->early && row->start_ns == row->arrival_ns) { /* it ran, else it waited */
        f->early++;
    } else if (row->censored && !o->keep_censored) {
        f->censored++;
    } else if (!row->censored &&
               ((o->status == FIT_SUCCESS && row->status != TRACE_STATUS_SUCCESS) ||
                (o->status == FIT_FAILED && row->status != TRACE_STATUS_FAILED))) {
        f->other_status++;
    } else {
        return true;
    }
    return false;
}

static int read_jobs(struct trace_fit *f, struct trace_jobs *jobs, struct dcs_err *err)
{
    if (trace_jobs_select(jobs, &f->options->filter, err) != 0)
        return -1;
    int64_t arrival_tick = DCS_NS_PER_S, duration_tick = DCS_NS_PER_S;
    struct trace_jobs_row row;
    int status;
    while ((status = trace_jobs_next(jobs, &row, err)) == 1) {
        if (!row.early) {
            f->arrivals_ns =
                dcs_grow(f->arrivals_ns, &f->capacity, f->arrivals + 1, sizeof *f->arrivals_ns);
            f->arrivals_ns[f->arrivals++] = row.arrival_ns;
            f->arrivals_of_class[row.class]++;
            count_size(&f->sizes[row.class], row.gpus);
            coarsest(row.arrival_ns, &arrival_tick);
            double work_s = (double)row.duration_ns * 1e-9 * (row.gpus > 0 ? row.gpus : 1);
            f->work_s += work_s;
            if (row.censored && !f->options->keep_censored)
                f->cut_work_s += work_s;
        }
        if (!has_duration(f, &row))
            continue;
        push_duration(&f->all, row.duration_ns);
        push_duration(&f->of_class[row.class], row.duration_ns);
        /* Half a second stands for "within one second" (the importers' zero-duration). */
        if (row.duration_ns != DCS_NS_PER_S / 2)
            coarsest(row.duration_ns, &duration_tick);
    }
    f->counts = trace_jobs_counts(jobs);
    f->arrival_tick_s = (double)arrival_tick * 1e-9;
    f->duration_tick_s = (double)duration_tick * 1e-9;
    for (size_t i = 0; i < f->arrivals; i++)
        f->arrivals_ns[i] /= arrival_tick;
    return status;
}

/* ---- fitting ---- */

/* A whole number d of ticks means [d, d + 1) if the clock cuts off. What is below one tick is left
 * out: the clock says nothing about it. */
static void fit_durations(const struct trace_fit *f, struct trace_fit_durations *d, uint64_t entity)
{
    double tick = f->duration_tick_s, sum = 0;
    bool jitter = f->options->jitter && tick >= 0.5;
    struct dcs_rng rng;
    dcs_rng_stream(&rng, f->options->seed, 0, DCS_RNG_BOOTSTRAP, entity);
    d->x = dcs_alloc(d->n + 1, sizeof *d->x);
    dcs_sort_doubles(d->raw, d->n);
    for (size_t i = 0; i < d->n; i++) {
        sum += d->raw[i];
        if (tick >= 0.5 && d->raw[i] < tick) {
            d->below_tick++;
            continue;
        }
        if (d->x_count == 0)
            d->x_min = d->raw[i];
        d->x[d->x_count++] = d->raw[i] + (jitter ? dcs_rng_uniform(&rng) * tick : 0);
    }
    dcs_sort_doubles(d->x, d->x_count);
    d->mean = d->n > 0 ? sum / (double)d->n : 0;
    dcs_fit_all(d->x, d->x_count, d->x_min, d->fits);
    trace_fit_drop_durations(d);
    d->best = dcs_fit_best(d->fits);
}

/* Of the gaps, over the square of their mean. */
static double gap_scv(const double *at, size_t n)
{
    if (n < 3)
        return 0;
    double mean = (at[n - 1] - at[0]) / (double)(n - 1), sum = 0;
    for (size_t i = 0; i + 1 < n; i++) {
        double d = at[i + 1] - at[i] - mean;
        sum += d * d;
    }
    return mean > 0 ? sum / (double)(n - 1) / (mean * mean) : 0;
}

static void fit_arrivals(struct trace_fit *f)
{
    struct dcs_rng rng;
    double tick = f->arrival_tick_s;
    size_t n = f->arrivals;
    f->at = dcs_alloc(n + 1, sizeof *f->at);
    f->epochs = dcs_alloc(n + 1, sizeof *f->epochs);
    dcs_rng_stream(&rng, f->options->seed, 0, DCS_RNG_BOOTSTRAP, 8);
    for (size_t i = 0; i < n; i++)
        f->at[i] =
            ((double)f->arrivals_ns[i] + (f->options->jitter ? dcs_rng_uniform(&rng) : 0)) * tick;
    dcs_sort_doubles(f->at, n);
    f->gap_scv = gap_scv(f->at, n);
    f->dispersion_minute = dcs_dispersion(f->at, n, 60);
    f->dispersion_hour = dcs_dispersion(f->at, n, 3600);
    f->hourly_ks = dcs_hourly_ks(f->at, n, FIT_HOUR_LEAST, &f->hours);
    dcs_fit_poisson(f->at, n, &f->alone);
    dcs_fit_batches(f->arrivals_ns, n, tick, &f->batch);
    dcs_rng_stream(&rng, f->options->seed, 0, DCS_RNG_BOOTSTRAP, 9);
    f->epochs_count =
        dcs_fit_epochs(f->arrivals_ns, n, tick, f->batch.mean, f->options->jitter, &rng, f->epochs);
    /* As many jobs as there are, of as many batches as were drawn for the fits. */
    if (f->batch.mean > 1 && f->epochs_count > 1)
        f->batch.mean = (double)(n - 1) / (double)(f->epochs_count - 1);
    dcs_fit_arrivals_all(f->epochs, f->epochs_count, f->process);
    trace_fit_drop_arrivals(f);
    f->best = -1;
    static const int drawn[] = {DCS_FIT_POISSON, DCS_FIT_HYPER_BALANCED, DCS_FIT_MMPP2,
                                DCS_FIT_DAILY};
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++)
        if (f->process[drawn[i]].missing == NULL &&
            (f->best < 0 || f->process[drawn[i]].aic < f->process[f->best].aic))
            f->best = drawn[i];
}

static int fit(struct trace_fit *f, struct trace_jobs *jobs, struct dcs_err *err)
{
    if (read_jobs(f, jobs, err) != 0)
        return -1;
    if (f->arrivals == 0 && f->all.n == 0)
        return dcs_err_at(err, f->options->input, 0, NULL,
                          "no job is left of %lld; widen the window, or fit another class",
                          (long long)f->info->jobs);
    fit_durations(f, &f->all, 0);
    f->both = f->of_class[DCS_LATENCY].n > 0 && f->of_class[DCS_BATCH].n > 0;
    for (uint32_t class = 0; class < 2; class ++) {
        f->of_class[class].best = -1;
        if (f->both)
            fit_durations(f, &f->of_class[class], 1 + class);
    }
    fit_arrivals(f);
    trace_fit_thin(f);
    return 0;
}

static void release(struct trace_fit *f)
{
    struct trace_fit_durations *const durations[] = {&f->all, &f->of_class[0], &f->of_class[1]};
    for (size_t i = 0; i < 3; i++) {
        free(durations[i]->raw);
        free(durations[i]->x);
    }
    free(f->arrivals_ns);
    free(f->at);
    free(f->epochs);
}

/* ---- the command ---- */

static int bad_usage(const char *what, const char *found)
{
    return command_bad_usage("dcsim trace fit", what, found);
}

static int save(const struct trace_fit *f, const char *path,
                void (*write)(FILE *out, const struct trace_fit *f), struct newfile *file,
                struct dcs_err *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    DCS_ASSERT(out != NULL);
    write(out, f);
    bool whole = !ferror(out);
    whole = fclose(out) == 0 && whole;
    DCS_ASSERT(whole); /* only memory can end, as in dcs_alloc() */
    int status = newfile_write(file, path, text, size, err);
    free(text);
    return status;
}

static int save_all(const struct trace_fit *f, struct newfile files[2], struct dcs_err *err)
{
    const struct trace_fit_options *o = f->options;
    if (o->output != NULL && (trace_fit_check_block(f, err) != 0 ||
                              save(f, o->output, trace_fit_write_block, &files[0], err)))
        return -1;
    if (o->curves != NULL && save(f, o->curves, trace_fit_write_curves, &files[1], err))
        return -1;
    return 0;
}

/* The files get their names last: when nothing else can go wrong. */
static int print_and_name(const struct trace_fit *f, struct newfile files[2], struct dcs_err *err)
{
    trace_fit_print(stdout, f);
    if (command_flush(err) != 0)
        return -1;
    return newfile_name(files, 2, err);
}

static int run_fit(const struct trace_fit_options *o)
{
    struct dcs_err err = {0};
    struct trace_jobs *jobs;
    struct newfile files[2] = {0};
    if (trace_jobs_open(o->input, &jobs, &err) != 0)
        return command_fail(&err);
    struct trace_fit *f = dcs_alloc(1, sizeof *f);
    f->options = o;
    f->info = trace_jobs_info(jobs);
    int status = fit(f, jobs, &err);
    if (status == 0)
        status = save_all(f, files, &err);
    if (status == 0)
        status = print_and_name(f, files, &err);
    newfile_discard(files, 2);
    release(f);
    free(f);
    trace_jobs_close(jobs);
    return status == 0 ? DCS_EXIT_OK : command_fail(&err);
}

/* Its place among the names, or -1. */
static int choice(const char *text, const char *const *names)
{
    for (int i = 0; names[i] != NULL; i++)
        if (strcmp(text, names[i]) == 0)
            return i;
    return -1;
}

static bool seconds(const char *text, int64_t *out)
{
    return trace_seconds_ns(text, out) && *out >= 0 && *out <= DCS_TIME_MAX;
}

/* NULL: taken; else what is wrong with optarg. */
static const char *read_option(struct trace_fit_options *o, int option)
{
    static const char *const classes[] = {[DCS_LATENCY] = "latency", [DCS_BATCH] = "batch", NULL};
    static const char *const statuses[] = {
        [FIT_ALL] = "all", [FIT_SUCCESS] = "success", [FIT_FAILED] = "failed", NULL};
    int which;
    int64_t seed;
    switch (option) {
    case 'f':
        return seconds(optarg, &o->filter.from_ns) ? NULL : "--from expects seconds >= 0, found";
    case 'u':
        return seconds(optarg, &o->filter.until_ns) && o->filter.until_ns > 0
                   ? NULL
                   : "--until expects seconds > 0, found";
    case 'c':
        which = choice(optarg, classes);
        o->filter.one_class = true;
        o->filter.class = (enum dcs_class)which;
        return which >= 0 ? NULL : "--class expects latency or batch, found";
    case 's':
        which = choice(optarg, statuses);
        o->status = (enum trace_fit_status)which;
        return which >= 0 ? NULL : "--status expects success, failed or all, found";
    case 'j':
        o->jitter = true;
        o->seed = trace_int64(optarg, &seed) && seed >= 0 ? (uint64_t)seed : UINT64_MAX;
        return o->seed != UINT64_MAX ? NULL : "--jitter expects a whole number >= 0, found";
    default: /* 'n' */
        o->jitter = false;
        return NULL;
    }
}

static int take_option(void *context, int option)
{
    const char *wrong = read_option(context, option);
    return wrong != NULL ? bad_usage(wrong, optarg) : -1;
}

int trace_fit_command(int argc, char **argv)
{
    struct trace_fit_options all = {.jitter = true, .seed = 1}, *o = &all;
    const struct command_option options[] = {
        {"output", .path = &o->output},
        {"curves", .path = &o->curves},
        {"from", .take = 'f'},
        {"until", .take = 'u'},
        {"class", .take = 'c'},
        {"status", .take = 's'},
        {"keep-censored", .flag = &o->keep_censored},
        {"jitter", .take = 'j'},
        {"no-jitter", .act = 'n'},
        {0},
    };
    const struct command_line line = {"dcsim trace fit", usage, options, take_option, o};
    int code = command_options(&line, argc, argv, 1);
    if (code >= 0)
        return code;
    if (argc - optind != 1)
        return argc == optind ? bad_usage("JOBS.db is missing", NULL)
                              : bad_usage("unexpected argument", argv[optind + 1]);
    if (o->filter.until_ns > 0 && o->filter.until_ns <= o->filter.from_ns)
        return bad_usage("--until must be after --from", NULL);
    if (o->output != NULL && o->curves != NULL && strcmp(o->output, o->curves) == 0)
        return bad_usage("--output and --curves name the same file", o->output);
    o->input = argv[optind];
    return run_fit(o);
}
