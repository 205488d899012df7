/* compare_notes.c - see compare_notes.h. */
#include "commands/compare_notes.h"

#include "report/console/guessed_contention.h"
#include "results/compare_baseline.h"
#include "results/compare_verdict.h"
#include "runs/metric_name.h"
#include "runs/overload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void compare_print_overload(const struct compare_groups *g)
{
    bool requests = false, jobs = false;
    for (size_t i = 0; i < g->systems_count; i++) {
        const struct compare_system *s = &g->systems[i];
        requests = requests || (s->overloaded && !s->gangs);
        jobs = jobs || (s->overloaded && s->gangs);
    }
    if (requests)
        text_note(stdout, 2, "* WARNING: overloaded: " OVERLOAD_OF_REQUESTS);
    if (jobs)
        text_note(stdout, 2, "* WARNING: overloaded: " OVERLOAD_OF_JOBS);
}

/* The same config gives other results under another version of the model. */
static void print_models(const struct compare_groups *g)
{
    const struct compare_system *s = g->systems;
    bool several = false;
    for (size_t i = 1; i < g->systems_count; i++)
        several = several || s[i].model != s[0].model;
    if (several)
        puts("WARNING: several versions of the model are here, which are not compared with each "
             "other.");
    else if (s[0].model > 0)
        printf("All is of version %d of the model.\n", s[0].model);
}

/* Less than this is what a run that ends has under way. */
#define UNFINISHED_TOLD 0.01
#define UNFINISHED_MOST 12 /* experiments that are named */

/* Whose means are of what ended, and lack too many to be compared. */
static void print_partial(const struct compare_metric *m, const struct compare_groups *g)
{
    bool waits = strcmp(m->name, "queue_wait_mean") == 0;
    struct text_buffer line = {0};
    size_t count = 0;
    bool jobs = false;
    for (size_t i = 0; i < g->systems_count; i++) {
        const struct compare_system *s = &g->systems[i];
        jobs = jobs || s->gangs;
        if (!s->partial || count++ >= UNFINISHED_MOST)
            continue;
        text_append(&line, "%s%s %.0f of %.0f", line.length > 0 ? ", " : "",
                    text_name(s->label, 60).at, s->counted, s->of);
    }
    if (count > UNFINISHED_MOST)
        text_append(&line, " and %zu more", count - UNFINISHED_MOST);
    if (count > 0)
        text_note(stdout, 2,
                  "Means are of the %s alone: %s. The others took longest, so nothing is compared "
                  "with these means: a longer horizon, or a quantile, can be.",
                  !jobs   ? "requests that ended"
                  : waits ? "jobs that started"
                          : "jobs that started (with revocation: ended)",
                  line.text);
    free(line.text);
}

static void print_unfinished(const struct compare_groups *g)
{
    struct text_buffer line = {0};
    size_t count = 0;
    for (size_t i = 0; i < g->systems_count; i++) {
        const struct compare_system *s = &g->systems[i];
        if (!(s->unfinished >= UNFINISHED_TOLD) || count++ >= UNFINISHED_MOST)
            continue;
        text_append(&line, "%s%s %s", line.length > 0 ? ", " : "", text_name(s->label, 60).at,
                    text_value(s->unfinished, TEXT_PERCENT).at);
    }
    if (count > UNFINISHED_MOST)
        text_append(&line, " and %zu more", count - UNFINISHED_MOST);
    if (count > 0)
        text_note(stdout, 2, "Not done of the work that was due by the end: %s.", line.text);
    free(line.text);
}

static void print_unreached(const struct compare_groups *g)
{
    bool any = false;
    for (size_t i = 0; i < g->systems_count; i++)
        any = any || g->systems[i].unreached;
    if (any)
        text_note(stdout, 2,
                  "> x: so much had not ended when a run did that the value is not known; it is at "
                  "least x. Runs that know it would not stand for the others, so nothing is "
                  "compared with it: a longer horizon, or a quantile that all reach, can be.");
}

/* GPUs are few, and mostly one. */
static void print_gpus(const struct compare_groups *g)
{
    for (size_t i = 0; i < g->systems_count; i++) {
        bool told = g->systems[i].gpu[0] == '\0';
        for (size_t k = 0; k < i && !told; k++)
            told = strcmp(g->systems[k].gpu, g->systems[i].gpu) == 0;
        if (!told)
            text_note(stdout, 2, "measured: on %s; the others were simulated.", g->systems[i].gpu);
    }
}

static bool is_even(const struct compare_groups *g)
{
    bool even = g->systems_count > 0;
    for (size_t i = 0; i < g->systems_count; i++)
        even = even && g->systems[i].even;
    return even;
}

static void print_intervals(const struct compare_metric *m, bool medians)
{
    struct text_buffer note = {0};
    text_append(&note,
                "Differences: to the baseline in the same replication%s. needs: "
                "replications that would decide, if %s and spread stay as they are; "
                "beyond %d times the pairs, the verdict is \"equal within\" the interval. "
                "unpaired: the interval that the same runs give if they are not "
                "paired, and what that would need.",
                compare_unit(m) == TEXT_PERCENT ? ", in percentage points, pp (over the baseline's "
                                                  "mean: the relative gain)"
                                                : "",
                medians ? "median" : "mean", DCS_NEEDS_TIMES);
    if (medians)
        text_append(&note, " Medians with bootstrap intervals, since tails are heavy.");
    if (metric_name_is_quantile(m->name))
        text_append(&note,
                    " Values are means of the runs' quantiles; the summary of an experiment has "
                    "the quantile of all its requests, which may be another.");
    putchar('\n');
    text_paragraph(stdout, note.text, 2);
    free(note.text);
}

void compare_print_notes(const struct compare_metric *m, const struct compare_groups *g,
                         bool medians, size_t alone)
{
    if (is_even(g))
        text_note(stdout, 2,
                  "Nothing is drawn in these replays: differences are what they are, no chance "
                  "is in them. They say nothing of other days. workload.trace[].keep below 1 draws "
                  "the jobs.");
    else
        print_intervals(m, medians);
    print_gpus(g);
    print_unreached(g);
    print_partial(m, g);
    print_unfinished(g);
    print_models(g);
    if (alone > 0)
        printf("%zu experiment%s met worlds that nothing else here has met.\n", alone,
               dcs_plural(alone));
}

/* Whether its label has its hash, since another of its group is called alike. */
static bool is_twin(const struct compare_system *s)
{
    struct text mark = text_format(" [%.11s]", s->hash);
    size_t label = strlen(s->label), n = strlen(mark.at);
    return label > n && strcmp(s->label + label - n, mark.at) == 0;
}

/* Which build of a plug-in a line is of, where several were run: no database knows which one came
 * first, but a file says which one it is now. */
int compare_print_plugins(const struct compare_groups *g, const struct results *r,
                          struct dcs_err *err)
{
    sqlite3_stmt *row = results_prepare(
        r, "SELECT sha256 FROM input WHERE experiment = ?1 AND kind = 'plugin'", err);
    if (row == NULL)
        return -1;
    bool told = false;
    for (size_t i = 0; i < g->systems_count; i++) {
        if (!is_twin(&g->systems[i]))
            continue;
        sqlite3_reset(row);
        sqlite3_bind_int64(row, 1, g->systems[i].id);
        if (sqlite3_step(row) != SQLITE_ROW)
            continue;
        if (!told)
            puts("Several builds of a plug-in are here; sha256sum FILE.so says which one a file "
                 "is now:");
        told = true;
        fputs("  ", stdout);
        text_put(stdout, g->systems[i].label);
        fputs(": ", stdout);
        text_put(stdout, (const char *)sqlite3_column_text(row, 0));
        putchar('\n');
    }
    sqlite3_finalize(row);
    return 0;
}

/* A class's normalised throughput is a sum over its applications, each over what it does alone, and
 * may be more than 1. */
int compare_print_sum(const struct compare_metric *m, const struct compare_groups *g,
                      const struct results *r, struct dcs_err *err)
{
    sqlite3_int64 most = 0;
    if (m->class == NULL || m->application != NULL || strcmp(m->name, "normalised_throughput") != 0)
        return 0;
    sqlite3_stmt *row = results_prepare(
        r, "SELECT count(*) FROM application WHERE experiment = ?1 AND class = ?2", err);
    if (row == NULL)
        return -1;
    for (size_t i = 0; i < g->systems_count; i++) {
        sqlite3_reset(row);
        sqlite3_bind_int64(row, 1, g->systems[i].id);
        sqlite3_bind_text(row, 2, m->class, -1, SQLITE_STATIC);
        if (sqlite3_step(row) == SQLITE_ROW && sqlite3_column_int64(row, 0) > most)
            most = sqlite3_column_int64(row, 0);
    }
    sqlite3_finalize(row);
    if (most > 1)
        printf("The metric is a sum of %lld applications, each over its work alone: it may be more "
               "than 100 %%.\n",
               (long long)most);
    return 0;
}

static void print_hypothetical(const struct text_buffer *those, const char *key)
{
    struct text_buffer note = {0};
    text_append(&note, "WARNING: " EXPERIMENT_HYPOTHETICAL ", where %s (%s): %s.",
                experiment_hypothetical_does(key), key, those->text);
    text_paragraph(stdout, note.text, 2);
    free(note.text);
}

/* One note for experiments in a row that have the same key. */
void compare_print_hypothetical(const struct compare_groups *g)
{
    struct text_buffer those = {0};
    const char *last = NULL; /* the key of those */
    for (size_t i = 0; i < g->systems_count; i++) {
        const char *key = g->systems[i].hypothetical;
        if (key[0] == '\0')
            continue;
        if (last != NULL && strcmp(last, key) != 0) {
            print_hypothetical(&those, last);
            free(those.text);
            those = (struct text_buffer){0};
        }
        text_append(&those, "%s%.80s", those.text != NULL ? ", " : "", g->systems[i].label);
        last = key;
    }
    if (last != NULL)
        print_hypothetical(&those, last);
    free(those.text);
}

/* What the databases say of the profiles of what is compared. */
int compare_print_guesses(const struct compare_groups *g, const struct results *r,
                          struct dcs_err *err)
{
    sqlite3_stmt *row = results_prepare(r,
                                        "SELECT name, falls_back FROM input WHERE experiment = ?1 "
                                        "AND kind = 'profile' AND falls_back IS NOT NULL",
                                        err);
    if (row == NULL)
        return -1;
    struct guessed_contention guessed = {0};
    int code = SQLITE_DONE;
    for (size_t i = 0; i < g->systems_count && code == SQLITE_DONE; i++) {
        sqlite3_reset(row);
        sqlite3_bind_int64(row, 1, g->systems[i].id);
        while ((code = sqlite3_step(row)) == SQLITE_ROW) {
            const char *profile = (const char *)sqlite3_column_text(row, 0);
            const char *assumptions = (const char *)sqlite3_column_text(row, 1);
            if (profile == NULL || assumptions == NULL)
                break;
            guessed_contention_add_text(&guessed, profile, assumptions);
        }
    }
    sqlite3_finalize(row);
    int status = code == SQLITE_DONE ? 0 : results_failed(r, err);
    if (status == 0)
        guessed_contention_print(stdout, &guessed);
    guessed_contention_release(&guessed);
    return status;
}

/* Two builds of the program may simulate the same config otherwise; a database with both is refused
 * where their runs would be of one experiment, but not where they are of two. */
void compare_warn_of_builds(const struct compare_groups *g, const char *baseline)
{
    for (size_t i = 0; i < g->count; i++) {
        const struct compare_system *base;
        struct dcs_err ignored = {0};
        if (compare_baseline_of(&g->groups[i], baseline, &base, &ignored) != 0 || base == NULL)
            continue;
        for (size_t k = 0; k < g->groups[i].count; k++) {
            const struct compare_system *s = g->groups[i].systems[k];
            if (strcmp(s->builds, base->builds) == 0 && strstr(s->builds, ", ") == NULL)
                continue;
            struct text_buffer note = {0};
            text_append(&note,
                        "WARNING: runs of several builds are compared (%.80s of %s, %.80s of "
                        "%s): a difference may be the program's.",
                        base->builds, base->label, s->builds, s->label);
            text_paragraph(stdout, note.text, 2);
            free(note.text);
            return;
        }
    }
}
