/* experiment_choice.c - see experiment_choice.h. */
#include "commands/experiment_choice.h"

#include "results/compare_groups.h"
#include "text/buffer.h"
#include "text/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LISTED       5 /* in an error: it is one line */
#define NAME_COLUMNS 72
#define CUT          "…"

/* An experiment that has such a run. */
struct candidate {
    const struct compare_system *system;
    char *called; /* its label, and what tells its world */
};

struct candidates {
    struct compare_groups groups;
    struct candidate *all;
    size_t count;
};

static bool has_run(const struct compare_system *s, sqlite3_stmt *row)
{
    sqlite3_reset(row);
    sqlite3_bind_int64(row, 2, s->id);
    return sqlite3_step(row) == SQLITE_ROW;
}

static int read_candidates(struct candidates *c, const struct results *r, uint64_t replication,
                           struct dcs_err *err)
{
    static const char *const keys[] = {"policy", "predictor"};
    *c = (struct candidates){0};
    if (compare_groups_read(&c->groups, r, keys, 2, NULL, err) != 0)
        return -1;
    sqlite3_stmt *row =
        results_prepare(r, "SELECT 1 FROM run WHERE replication = ?1 AND experiment = ?2", err);
    if (row == NULL)
        return -1;
    sqlite3_bind_int64(row, 1, (sqlite3_int64)replication);
    c->all = dcs_alloc(c->groups.systems_count + 1, sizeof *c->all);
    for (size_t g = 0; g < c->groups.count; g++)
        for (size_t s = 0; s < c->groups.groups[g].count; s++) {
            const struct compare_group *group = &c->groups.groups[g];
            struct text_buffer called = {0};
            if (!has_run(group->systems[s], row))
                continue;
            text_append(&called, "%s%s%s", group->systems[s]->label, group->heading[0] ? ", " : "",
                        group->heading);
            c->all[c->count++] = (struct candidate){group->systems[s], called.text};
        }
    sqlite3_finalize(row);
    return 0;
}

static void release_candidates(struct candidates *c)
{
    for (size_t i = 0; i < c->count; i++)
        free(c->all[i].called);
    free(c->all);
    compare_groups_release(&c->groups);
}

/* ---- By name ---- */

static bool is_named(const struct compare_system *s, const char *name)
{
    size_t digits = strlen(name);
    bool hash = digits >= 4 && strspn(name, "0123456789abcdef") == digits &&
                strncmp(s->hash, name, digits) == 0;
    return hash || strcmp(s->policy, name) == 0 || strcmp(s->name, name) == 0;
}

/* Whether a name is a text from which dcsim has cut something. */
static bool is_cut_from(const char *name, const char *text)
{
    const char *cut = strstr(name, CUT);
    if (cut == NULL)
        return strcmp(name, text) == 0;
    size_t head = (size_t)(cut - name), tail = strlen(cut + strlen(CUT)), length = strlen(text);
    return length >= head + tail && strncmp(text, name, head) == 0 &&
           strcmp(text + length - tail, cut + strlen(CUT)) == 0;
}

/* ---- By values of the config ---- */

/* Whether a config has a value at a key that ends so. */
static bool has_value(const struct results *r, int64_t id, const char *key, size_t key_length,
                      const char *value, struct dcs_err *err)
{
    sqlite3_stmt *row = results_prepare(
        r,
        "SELECT 1 FROM experiment e, json_tree(e.config) t WHERE e.id = ?1 AND t.type NOT IN "
        "('object', 'array') AND substr('.' || replace(substr(t.fullkey, 3), '\"', ''), "
        "-length(?2) - 1) = '.' || ?2 AND (CASE t.type WHEN 'true' THEN 'true' WHEN 'false' THEN "
        "'false' ELSE t.atom END = ?3 OR (t.type IN ('integer', 'real') AND ?3 GLOB '*[0-9]*' AND "
        "t.atom = CAST(?3 AS NUMERIC)))",
        err);
    if (row == NULL)
        return false;
    sqlite3_bind_int64(row, 1, id);
    sqlite3_bind_text(row, 2, key, (int)key_length, SQLITE_STATIC);
    sqlite3_bind_text(row, 3, value, -1, SQLITE_STATIC);
    bool found = sqlite3_step(row) == SQLITE_ROW;
    sqlite3_finalize(row);
    return found;
}

/* "seed=7", "policy=fcfs", "fcfs" */
static bool fits_word(const struct results *r, const struct compare_system *s, const char *word,
                      struct dcs_err *err)
{
    const char *equals = strchr(word, '=');
    if (strcmp(word, "measured") == 0)
        return s->gpu[0] != '\0';
    if (equals == NULL)
        return is_named(s, word) || strcmp(s->label, word) == 0;
    size_t length = (size_t)(equals - word);
    if (length == strlen("policy") && strncmp(word, "policy", length) == 0)
        return strcmp(s->policy, equals + 1) == 0;
    return has_value(r, s->id, word, length, equals + 1, err);
}

/* Whether all that a text lists is so: "policy=elastic (window=8), seed=7". */
static bool fits_words(const struct results *r, const struct compare_system *s, const char *given,
                       struct dcs_err *err)
{
    char *text = dcs_strdup(given), *rest = text, *open = strstr(text, " (");
    char *close = open != NULL ? strchr(open, ')') : NULL;
    if (close != NULL) { /* options of a policy are values like all others */
        open[0] = ',';
        open[1] = ' ';
        memmove(close, close + 1, strlen(close));
    }
    bool fits = true;
    for (char *end; fits && rest != NULL; rest = end) {
        end = strstr(rest, ", ");
        if (end != NULL) {
            *end = '\0';
            end += 2;
        }
        fits = fits_word(r, s, rest + strspn(rest, " "), err);
    }
    free(text);
    return fits;
}

/* ---- The choice ---- */

/* How a candidate may be called, the surest way first: the first way that any fits is taken. */
enum way { BY_CALL, BY_LABEL, BY_NAME, BY_WORDS, WAYS };

static bool is_meant(const struct results *r, const struct candidate *c, const char *given,
                     enum way way, struct dcs_err *err)
{
    switch (way) {
    case BY_CALL:
        return is_cut_from(given, c->called);
    case BY_LABEL:
        return strcmp(given, c->system->label) == 0;
    case BY_NAME:
        return is_named(c->system, given);
    default:
        return fits_words(r, c->system, given, err);
    }
}

static int refuse_several(const struct results *r, const char *given, uint64_t replication,
                          const struct candidate *const *found, size_t count, struct dcs_err *err)
{
    const char **names = dcs_alloc(count + 1, sizeof *names);
    struct text *shown = dcs_alloc(count + 1, sizeof *shown);
    for (size_t i = 0; i < count; i++)
        names[i] = found[i]->called;
    text_names(names, count, NAME_COLUMNS, shown);
    struct text_buffer list = {0};
    for (size_t i = 0; i < count && i < LISTED; i++)
        text_append(&list, "%s%.11s (%s)", i > 0 ? ", " : "", found[i]->system->hash, shown[i].at);
    if (count > LISTED)
        text_append(&list, " and %zu more", count - LISTED);
    dcs_err_at(err, r->path, 0, NULL,
               "%zu experiments%s%.64s%s have a run %" PRIu64 ": choose one with --experiment and "
               "its hash or what stands in brackets: %s",
               count, given != NULL ? " that \"" : "", given != NULL ? given : "",
               given != NULL ? "\" means" : "", replication, list.text);
    free(list.text);
    free(shown);
    free(names);
    return -1;
}

int experiment_choose(const struct results *r, const char *given, uint64_t replication, int64_t *id,
                      struct dcs_err *err)
{
    struct candidates c;
    int status = read_candidates(&c, r, replication, err);
    const struct candidate **found = dcs_alloc(c.count + 1, sizeof *found);
    size_t count = 0;
    for (enum way way = BY_CALL; way < WAYS && count == 0 && status == 0; way++)
        for (size_t i = 0; i < c.count; i++)
            if (given == NULL || is_meant(r, &c.all[i], given, way, err))
                found[count++] = &c.all[i];
    if (status == 0 && count == 0)
        status = dcs_err_at(err, r->path, 0, NULL,
                            given != NULL ? "no experiment that \"%.64s\" means has a run %" PRIu64
                                          : "no experiment has%.0s a run %" PRIu64,
                            given != NULL ? given : "", replication);
    else if (status == 0 && count > 1)
        status = refuse_several(r, given, replication, found, count, err);
    else if (status == 0)
        *id = found[0]->system->id;
    free(found);
    release_candidates(&c);
    return status;
}
