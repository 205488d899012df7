/*
 * profile_show.c - see profile_show.h.
 */
#include "report/console/profile_show.h"

#include "text/table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define EXAMPLES 5 /* of keys, and of durations that differ, in each table */

struct show {
    FILE *out;
    struct dcs_facts *f;
    struct dcs_facts_arguments arguments;
    struct dcs_err *err;
};

static void line(const struct show *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void line(const struct show *s, const char *format, ...)
{
    char text[8192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    text_paragraph(s->out, text, 4);
}

static struct dcs_facts_rows *ask_facts(const struct show *s, enum dcs_facts_query query)
{
    return dcs_facts_ask(s->f, query, &s->arguments);
}

static struct text time_at(const struct dcs_facts_rows *rows, int column)
{
    return text_value(dcs_facts_number(rows, column), TEXT_TIME);
}

static struct text count_at(const struct dcs_facts_rows *rows, int column)
{
    return text_count(dcs_facts_number(rows, column), 12);
}

/* A table whose first row is titles; NULL ends them. */
static void head(struct table *t, const char *const *titles)
{
    struct text *row = table_row(t);
    for (size_t i = 0; titles[i] != NULL; i++)
        row[i] = text_format("%s", titles[i]);
}

/* Ends the question; prints the table unless it has only its titles. */
static int finish(const struct show *s, struct table *t, struct dcs_facts_rows *rows)
{
    int status = dcs_facts_end(rows, s->err);
    if (status == 0 && t->count > 1) {
        fputc('\n', s->out);
        table_print(s->out, t);
    }
    table_release(t);
    return status;
}

/* ---- the whole profile ---- */

/* "ways 16, cache_mb 30, ..." in one line after a title; nothing where the question has no answer.
 */
static int show_list(const struct show *s, enum dcs_facts_query query, const char *title)
{
    char list[512] = "";
    struct dcs_facts_rows *rows = ask_facts(s, query);
    while (dcs_facts_next(rows)) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s %.6g", used > 0 ? ", " : "",
                 text_name(dcs_facts_text(rows, 0), 40).at, dcs_facts_number(rows, 1));
    }
    if (dcs_facts_end(rows, s->err) != 0)
        return -1;
    if (list[0] != '\0')
        line(s, "%s: %s", title, list);
    return 0;
}

static int show_warnings(const struct show *s)
{
    const struct dcs_profile *p = dcs_facts_profile(s->f, 0);
    if (p->missing != NULL)
        line(s,
             "WARNING: partial: %s. Steps of other measurements may be missing, too: "
             "`dcsim-calibrate %s --dry-run --output FILE.db` counts them",
             p->missing, p->is_cpu ? "cpu" : "all");
    struct dcs_facts_rows *rows = ask_facts(s, DCS_FACTS_UNFITTED);
    while (dcs_facts_next(rows))
        line(
            s,
            "WARNING: no contention was fitted: in a simulation kernels do not slow each other; %s",
            dcs_facts_text(rows, 0));
    return dcs_facts_end(rows, s->err);
}

static int show_provenance(const struct show *s, const char *path)
{
    const struct dcs_profile *p = dcs_facts_profile(s->f, 0);
    line(s, "Profile %s", p->name);
    line(s, "file: %s", path);
    line(s, "sha256: %s", p->sha256);
    line(s, "schema version: %d", p->schema_version);
    line(s, "device: %s, %lld %s, %.1f GiB", p->device_name, (long long)p->sms,
         p->is_cpu ? "cores" : "SMs", (double)p->memory_bytes / 1073741824.0);
    struct dcs_facts_rows *rows = ask_facts(s, DCS_FACTS_NOTES);
    while (dcs_facts_next(rows))
        line(s, "%s: %s", dcs_facts_text(rows, 0), dcs_facts_text(rows, 1));
    if (dcs_facts_end(rows, s->err) != 0)
        return -1;
    if (show_list(s, DCS_FACTS_CPU, "cpu") != 0 ||
        show_list(s, DCS_FACTS_ORIGINS, "numbers of the cpu and its applications") != 0)
        return -1;
    return show_warnings(s);
}

static int show_counts(const struct show *s)
{
    static const char *const titles[] = {"measured", "rows", NULL};
    struct table t = {0};
    char missing[512] = "";
    if (dcs_facts_profile(s->f, 0)->is_cpu)
        return 0; /* tables cpu and cpu_application are complete, or it is no profile of a CPU */
    head(&t, titles);
    struct dcs_facts_rows *rows = ask_facts(s, DCS_FACTS_COUNTS);
    while (dcs_facts_next(rows)) {
        const char *what = dcs_facts_text(rows, 0);
        size_t used = strlen(missing);
        if (dcs_facts_number(rows, 1) > 0) {
            struct text *row = table_row(&t);
            row[0] = text_format("  %s", what);
            row[1] = count_at(rows, 1);
        } else if (strncmp(what, "steps", 5) != 0) {
            snprintf(missing + used, sizeof missing - used, "%s%s", used > 0 ? ", " : "", what);
        }
    }
    if (finish(s, &t, rows) != 0)
        return -1;
    fputc('\n', s->out);
    line(s, "missing: %s", missing[0] != '\0' ? missing : "nothing");
    return 0;
}

static int show_ceilings(const struct show *s)
{
    static const char *const titles[] = {"overheads and ceilings", "best", "unit/ns",
                                         "on the whole device, of one", NULL};
    struct table t = {0};
    head(&t, titles);
    struct dcs_facts_rows *rows = ask_facts(s, DCS_FACTS_CEILINGS);
    while (dcs_facts_next(rows)) {
        struct text *row = table_row(&t);
        double rate = dcs_facts_number(rows, 1);
        row[0] = text_format("  %s", text_name(dcs_facts_text(rows, 0), 40).at);
        if (rate >= 1) { /* an amount that takes time; else a thing that takes its own time */
            row[1] = text_value(rate, TEXT_NUMBER);
            row[2] = text_format("%s/ns", text_name(dcs_facts_text(rows, 3), 20).at);
        } else {
            row[3] = time_at(rows, 2);
        }
    }
    return finish(s, &t, rows);
}

static int show_switches(const struct show *s)
{
    static const char *const titles[] = {"from a kernel to the next", "median", "highest p95",
                                         "changes", NULL};
    struct table t = {0};
    head(&t, titles);
    struct dcs_facts_rows *rows = ask_facts(s, DCS_FACTS_SWITCHES);
    while (dcs_facts_next(rows)) {
        struct text *row = table_row(&t);
        row[0] = text_format("  %s", text_name(dcs_facts_text(rows, 0), 40).at);
        row[1] = time_at(rows, 1);
        row[2] = time_at(rows, 2);
        row[3] = count_at(rows, 3);
    }
    return finish(s, &t, rows);
}

/* The counts of SMs next to an eighth and to half of the device; 0 where none was measured. */
static int choose_sms(struct show *s)
{
    int64_t all = dcs_facts_profile(s->f, 0)->sms, few = 0, half = 0;
    struct dcs_facts_rows *rows = ask_facts(s, DCS_FACTS_SM_COUNTS);
    while (dcs_facts_next(rows)) {
        int64_t sms = (int64_t)dcs_facts_number(rows, 0);
        if (few == 0 || llabs(8 * sms - all) < llabs(8 * few - all))
            few = sms;
        if (half == 0 || llabs(2 * sms - all) < llabs(2 * half - all))
            half = sms;
    }
    s->arguments.few_sms = few;
    s->arguments.half_sms = half;
    return dcs_facts_end(rows, s->err);
}

static bool wanted(const struct show *s, const struct dcs_facts_rows *rows)
{
    return s->arguments.app[0] == '\0' || strcmp(s->arguments.app, dcs_facts_text(rows, 0)) == 0;
}

static struct text name_at(const struct dcs_facts_rows *rows)
{
    return text_format("  %s", text_name(dcs_facts_text(rows, 0), 32).at);
}

static int show_apps(const struct show *s)
{
    static const char *const titles[] = {"applications", "class",   "SLA",   "request", "kernels",
                                         "distinct",     "co-runs", "fused", NULL};
    struct table t = {0};
    head(&t, titles);
    struct dcs_facts_rows *rows = ask_facts(s, DCS_FACTS_APPS);
    while (dcs_facts_next(rows)) {
        if (!wanted(s, rows))
            continue;
        struct text *row = table_row(&t);
        row[0] = name_at(rows);
        row[1] = text_name(dcs_facts_text(rows, 1), 8);
        row[2] = time_at(rows, 2);
        row[3] = time_at(rows, 3);
        row[4] = count_at(rows, 4);
        row[5] = count_at(rows, 5);
        row[6] = count_at(rows, 12);
        row[7] = count_at(rows, 13);
    }
    return finish(s, &t, rows);
}

static int show_sizes(const struct show *s)
{
    static const char *const titles[] = {"size of a request", "unit",  "default",   "smallest",
                                         "largest",           "sizes", "SM counts", NULL};
    struct table t = {0};
    head(&t, titles);
    struct dcs_facts_rows *rows = ask_facts(s, DCS_FACTS_APPS);
    while (dcs_facts_next(rows)) {
        double size = dcs_facts_number(rows, 6);
        if (!wanted(s, rows) || !(size >= 0))
            continue;
        struct text *row = table_row(&t);
        row[0] = name_at(rows);
        row[1] = text_name(dcs_facts_text(rows, 7), 26);
        row[2] = count_at(rows, 6);
        row[3] = count_at(rows, 8);
        row[4] = count_at(rows, 9);
        row[5] = count_at(rows, 10);
        row[6] = count_at(rows, 11);
    }
    return finish(s, &t, rows);
}

static int show_scaling(const struct show *s)
{
    const struct dcs_facts_arguments *a = &s->arguments;
    struct table t = {0};
    struct text *row = table_row(&t);
    row[0] = text_format("scaling: a request on");
    row[1] = text_format("%lld SMs", (long long)a->few_sms);
    row[2] = text_format("%lld SMs", (long long)a->half_sms);
    row[3] = text_format("all SMs");
    row[4] = text_format("%lld / all", (long long)a->few_sms);
    row[5] = text_format("%lld / all", (long long)a->half_sms);
    struct dcs_facts_rows *rows = ask_facts(s, DCS_FACTS_SCALING);
    while (dcs_facts_next(rows)) {
        double few = dcs_facts_number(rows, 1), half = dcs_facts_number(rows, 2);
        double all = dcs_facts_number(rows, 3);
        if (!wanted(s, rows) || !(few > 0 || half > 0))
            continue;
        row = table_row(&t);
        row[0] = name_at(rows);
        for (int i = 1; i <= 3; i++)
            row[i] = time_at(rows, i);
        row[4] = text_value(few / all, TEXT_NUMBER);
        row[5] = text_value(half / all, TEXT_NUMBER);
    }
    return finish(s, &t, rows);
}

static int show_contention(const struct show *s)
{
    static const char *const titles[] = {"contention, of kernels' time", "measured", "guessed",
                                         "not known", NULL};
    struct table t = {0};
    head(&t, titles);
    struct dcs_facts_rows *rows = ask_facts(s, DCS_FACTS_CONTENTION);
    while (dcs_facts_next(rows)) {
        if (!wanted(s, rows))
            continue;
        struct text *row = table_row(&t);
        row[0] = name_at(rows);
        for (int i = 1; i <= 3; i++)
            row[i] = text_value(dcs_facts_number(rows, i), TEXT_PERCENT);
    }
    return finish(s, &t, rows);
}

static int show_revocations(const struct show *s)
{
    static const char *const titles[] = {"revocations", "threads", "beside", "n",    "kill",
                                         "start",       "clear",   "spawn",  "died", NULL};
    struct table t = {0};
    head(&t, titles);
    struct dcs_facts_rows *rows = ask_facts(s, DCS_FACTS_REVOCATIONS);
    while (dcs_facts_next(rows)) {
        struct text *row = table_row(&t);
        row[0] = name_at(rows);
        row[1] = count_at(rows, 1);
        row[2] = text_name(dcs_facts_text(rows, 2), 16);
        row[3] = count_at(rows, 3);
        for (int i = 4; i < 8; i++)
            row[i] = time_at(rows, i);
        row[8] = count_at(rows, 8);
    }
    return finish(s, &t, rows);
}

static int show_failed(const struct show *s)
{
    struct dcs_facts_rows *rows = ask_facts(s, DCS_FACTS_FAILED_STEPS);
    while (dcs_facts_next(rows))
        line(s, "failed: %s: %s", dcs_facts_text(rows, 0), dcs_facts_text(rows, 1));
    return dcs_facts_end(rows, s->err);
}

/* ---- one application ---- */

static int show_about(const struct show *s)
{
    static const char *const labels[] = {"papers", "algorithm", "source"};
    bool found = false;
    struct dcs_facts_rows *rows = ask_facts(s, DCS_FACTS_APP_ABOUT);
    while (dcs_facts_next(rows)) {
        found = true;
        line(s, "Application %s of profile %s", s->arguments.app, dcs_facts_profile(s->f, 0)->name);
        for (int i = 0; i < 3; i++)
            if (dcs_facts_text(rows, i)[0] != '\0')
                line(s, "%s: %s", labels[i], dcs_facts_text(rows, i));
    }
    if (dcs_facts_end(rows, s->err) != 0)
        return -1;
    if (!found)
        return dcs_err_set(s->err,
                           "profile \"%s\" has no application \"%.64s\"; without --app all are "
                           "listed",
                           dcs_facts_profile(s->f, 0)->name, s->arguments.app);
    return 0;
}

static int show_requests(const struct show *s)
{
    static const char *const titles[] = {
        "a request of size", "mechanism", "SMs",       "median", "mean",
        "std. dev.",         "n",         "throttled", NULL};
    struct table t = {0};
    head(&t, titles);
    struct dcs_facts_rows *rows = ask_facts(s, DCS_FACTS_APP_REQUESTS);
    while (dcs_facts_next(rows)) {
        struct text *row = table_row(&t);
        row[0] = text_format("  %.0f", dcs_facts_number(rows, 0));
        row[1] = text_name(dcs_facts_text(rows, 1), 10);
        row[2] = count_at(rows, 2);
        for (int i = 3; i < 6; i++)
            row[i] = time_at(rows, i);
        row[6] = count_at(rows, 6);
        row[7] = count_at(rows, 7);
    }
    return finish(s, &t, rows);
}

static int show_kernels(const struct show *s)
{
    const char *const titles[] = {
        "kernels, in order", "launches", "all SMs", "", "of request", "blocks",
        "threads",           "n",        NULL};
    struct table t = {0};
    head(&t, titles);
    t.rows[0][3] = text_format("%lld SMs", (long long)s->arguments.half_sms);
    struct dcs_facts_rows *rows = ask_facts(s, DCS_FACTS_APP_KERNELS);
    while (dcs_facts_next(rows)) {
        struct text *row = table_row(&t);
        row[0] = text_format("  %s", text_name(dcs_facts_text(rows, 0), 44).at);
        row[1] = count_at(rows, 1);
        row[2] = time_at(rows, 2);
        row[3] = time_at(rows, 3);
        row[4] = text_value(dcs_facts_number(rows, 4), TEXT_PERCENT);
        row[5] = count_at(rows, 5);
        row[6] = count_at(rows, 6);
        row[7] = count_at(rows, 7);
    }
    return finish(s, &t, rows);
}

int profile_show(FILE *out, struct dcs_facts *f, const char *path, const char *app,
                 struct dcs_err *err)
{
    struct show s = {.out = out, .f = f, .err = err};
    s.arguments.app = app != NULL ? app : "";
    if (app != NULL)
        return show_about(&s) != 0 || choose_sms(&s) != 0 || show_apps(&s) != 0 ||
                       show_sizes(&s) != 0 || show_scaling(&s) != 0 || show_contention(&s) != 0 ||
                       show_requests(&s) != 0 || show_kernels(&s) != 0
                   ? -1
                   : 0;
    return show_provenance(&s, path) != 0 || choose_sms(&s) != 0 || show_apps(&s) != 0 ||
                   show_sizes(&s) != 0 || show_scaling(&s) != 0 || show_contention(&s) != 0 ||
                   show_ceilings(&s) != 0 || show_switches(&s) != 0 || show_revocations(&s) != 0 ||
                   show_counts(&s) != 0 || show_failed(&s) != 0
               ? -1
               : 0;
}

/* ---- two profiles ---- */

static int diff_provenance(const struct show *s, bool *differ)
{
    struct dcs_facts_rows *rows = dcs_facts_provenance(s->f);
    while (dcs_facts_next(rows)) {
        const char *was = dcs_facts_text(rows, 1), *is = dcs_facts_text(rows, 2);
        line(s, "%s: %s -> %s", dcs_facts_text(rows, 0), was[0] != '\0' ? was : "(none)",
             is[0] != '\0' ? is : "(none)");
        *differ = true;
    }
    return dcs_facts_end(rows, s->err);
}

static int diff_only(const struct show *s, const char *table, size_t index, bool *differ)
{
    char examples[EXAMPLES][200];
    int64_t count = 0;
    struct dcs_facts_rows *rows = dcs_facts_only(s->f, table, index);
    for (; dcs_facts_next(rows); count++)
        if (count < EXAMPLES)
            snprintf(examples[count], sizeof examples[0], "%s", dcs_facts_text(rows, 0));
    if (dcs_facts_end(rows, s->err) != 0)
        return -1;
    if (count == 0)
        return 0;
    *differ = true;
    fprintf(s->out, "\n%s: %lld row%s only in %s\n", table, (long long)count,
            dcs_plural((uint64_t)count), index == 0 ? "A" : "B");
    for (int64_t i = 0; i < count && i < EXAMPLES; i++)
        fprintf(s->out, "    %s\n", examples[i]);
    if (count > EXAMPLES)
        fprintf(s->out, "    ... and %lld more\n", (long long)(count - EXAMPLES));
    return 0;
}

struct ratio {
    double ratio, was, is;
    char key[200];
};

/* The quantile of sorted ratios: the smallest that at least this share of them does not pass. */
static double quantile(const struct ratio *ratios, size_t count, size_t percent)
{
    size_t rank = (count * percent + 99) / 100;
    return ratios[rank > 0 ? rank - 1 : 0].ratio;
}

/* How far from 1, either way: 2 and 1/2 are alike. */
static double distance(const struct ratio *r)
{
    return r->ratio >= 1 ? r->ratio : 1 / r->ratio;
}

static int compare_distance(const void *a, const void *b)
{
    const struct ratio *x = a, *y = b;
    double dx = distance(x), dy = distance(y);
    return dx != dy ? (dx < dy) - (dx > dy) : strcmp(x->key, y->key);
}

static void print_ratios(const struct show *s, const char *table, struct ratio *ratios,
                         size_t count, double tolerance, bool *differ)
{
    fprintf(s->out, "\n%s: %zu row%s in both, B / A: min %.3f, p5 %.3f, median %.3f, p95 %.3f, ",
            table, count, dcs_plural(count), ratios[0].ratio, quantile(ratios, count, 5),
            quantile(ratios, count, 50), quantile(ratios, count, 95));
    fprintf(s->out, "max %.3f\n", ratios[count - 1].ratio);
    qsort(ratios, count, sizeof *ratios, compare_distance);
    size_t beyond = 0;
    while (beyond < count && distance(&ratios[beyond]) > 1 + tolerance)
        beyond++;
    fprintf(s->out, "    %zu differ by more than %.4g %%\n", beyond, tolerance * 100);
    for (size_t i = 0; i < beyond && i < EXAMPLES; i++)
        fprintf(s->out, "    %.3f  %s: %s -> %s\n", ratios[i].ratio, ratios[i].key,
                text_value(ratios[i].was, TEXT_TIME).at, text_value(ratios[i].is, TEXT_TIME).at);
    *differ = *differ || beyond > 0;
}

static int diff_ratios(const struct show *s, const char *table, double tolerance, bool *differ)
{
    struct ratio *ratios = NULL;
    size_t count = 0, capacity = 0;
    struct dcs_facts_rows *rows = dcs_facts_ratios(s->f, table);
    while (dcs_facts_next(rows)) {
        ratios = dcs_grow(ratios, &capacity, count + 1, sizeof *ratios);
        struct ratio *r = &ratios[count++];
        snprintf(r->key, sizeof r->key, "%s", dcs_facts_text(rows, 0));
        r->was = dcs_facts_number(rows, 1);
        r->is = dcs_facts_number(rows, 2);
        r->ratio = dcs_facts_number(rows, 3);
    }
    int status = dcs_facts_end(rows, s->err);
    if (status == 0 && count > 0)
        print_ratios(s, table, ratios, count, tolerance, differ);
    free(ratios);
    return status;
}

int profile_show_diff(FILE *out, struct dcs_facts *f, double tolerance, bool *differ,
                      struct dcs_err *err)
{
    struct show s = {.out = out, .f = f, .err = err};
    *differ = false;
    line(&s, "A: %s, sha256 %.16s", dcs_facts_profile(f, 0)->name, dcs_facts_profile(f, 0)->sha256);
    line(&s, "B: %s, sha256 %.16s", dcs_facts_profile(f, 1)->name, dcs_facts_profile(f, 1)->sha256);
    if (diff_provenance(&s, differ) != 0)
        return -1;
    for (const char *const *table = dcs_facts_compared; *table != NULL; table++)
        if (diff_only(&s, *table, 0, differ) != 0 || diff_only(&s, *table, 1, differ) != 0 ||
            diff_ratios(&s, *table, tolerance, differ) != 0)
            return -1;
    fputs(*differ ? "\nthey differ\n" : "\nno difference\n", out);
    return 0;
}
