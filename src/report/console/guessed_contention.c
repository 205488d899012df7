/* guessed_contention.c - see guessed_contention.h. */
#include "report/console/guessed_contention.h"

#include "text/table.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN_MAX = 12 }; /* as in the summary of one experiment */

/* Whether less of a's contention was measured than of b's, or as much and less is guessed, or that,
 * too, and more is not known. */
static bool is_known_less(const int a[3], const int b[3])
{
    if (a[DCS_CONTENTION_FITTED] != b[DCS_CONTENTION_FITTED])
        return a[DCS_CONTENTION_FITTED] < b[DCS_CONTENTION_FITTED];
    if (a[DCS_CONTENTION_GUESSED] != b[DCS_CONTENTION_GUESSED])
        return a[DCS_CONTENTION_GUESSED] < b[DCS_CONTENTION_GUESSED];
    return a[DCS_CONTENTION_NONE] > b[DCS_CONTENTION_NONE];
}

static void add_share(struct guessed_contention *g, const char *profile, const char *application,
                      const int percent[3])
{
    struct guessed_share *s = NULL;
    for (size_t i = 0; i < g->count && s == NULL; i++)
        if (strcmp(g->shares[i].application, application) == 0 &&
            strcmp(g->shares[i].profile, profile) == 0)
            s = &g->shares[i];
    if (s != NULL && !is_known_less(percent, s->percent))
        return;
    if (s == NULL) {
        g->shares = dcs_grow(g->shares, &g->capacity, g->count + 1, sizeof *g->shares);
        s = &g->shares[g->count++];
        *s = (struct guessed_share){dcs_strdup(application), dcs_strdup(profile), {0}};
    }
    memcpy(s->percent, percent, sizeof s->percent);
}

void guessed_contention_add(struct guessed_contention *g, const struct experiment *x)
{
    for (uint32_t kind = 0; kind < x->kinds; kind++)
        for (uint32_t app = 0; app < x->apps_count; app++) {
            int percent[3];
            if (experiment_contention(x, kind, app, percent))
                add_share(g, x->kind[kind].profile->name, x->apps[app].name, percent);
        }
}

/* "13/87/0"; false: it is none. */
static bool read_percent(const char *text, int percent[3])
{
    static const int order[] = {DCS_CONTENTION_FITTED, DCS_CONTENTION_GUESSED, DCS_CONTENTION_NONE};
    for (int i = 0; i < 3; i++) {
        char *end;
        long value = strtol(text, &end, 10);
        if (end == text || value < 0 || value > 100 || *end != (i < 2 ? '/' : '\0'))
            return false;
        percent[order[i]] = (int)value;
        text = end + 1;
    }
    return true;
}

/* Each application is told of as "NAME 13/87/0", after "time alone: " and with "; " between. */
void guessed_contention_add_text(struct guessed_contention *g, const char *profile,
                                 const char *assumptions)
{
    static const char begins[] = "time alone: ";
    const char *at = strstr(assumptions, begins);
    unsigned unnamed = 0;
    for (at = at != NULL ? at + strlen(begins) : NULL; at != NULL;) {
        const char *next = strstr(at, "; ");
        char *part = dcs_strdup(at);
        if (next != NULL)
            part[next - at] = '\0';
        char *space = strrchr(part, ' ');
        int percent[3];
        if (space != NULL && read_percent(space + 1, percent)) {
            *space = '\0';
            add_share(g, profile, part, percent);
        } else if (strncmp(part, "and ", 4) == 0) {
            unnamed = (unsigned)strtoul(part + 4, NULL, 10);
        }
        free(part);
        at = next != NULL ? next + strlen("; ") : NULL;
    }
    g->unnamed = unnamed > g->unnamed ? unnamed : g->unnamed;
}

static int by_measured(const void *a, const void *b)
{
    const struct guessed_share *x = a, *y = b;
    if (is_known_less(x->percent, y->percent) != is_known_less(y->percent, x->percent))
        return is_known_less(x->percent, y->percent) ? -1 : 1;
    int order = strcmp(x->application, y->application);
    return order != 0 ? order : strcmp(x->profile, y->profile);
}

void guessed_contention_print(FILE *out, struct guessed_contention *g)
{
    if (g->count == 0)
        return;
    qsort(g->shares, g->count, sizeof *g->shares, by_measured);
    text_paragraph(out,
                   "WARNING: how much applications slow each other rests on guesses. In % of the "
                   "time alone of their kernels it was",
                   2);
    struct table t = {0};
    struct text *row = table_row(&t);
    row[1] = text_format("measured");
    row[2] = text_format("guessed");
    row[3] = text_format("not known");
    row[4] = text_format("profile");
    size_t shown = g->count < SHOWN_MAX ? g->count : SHOWN_MAX;
    for (size_t i = 0; i < shown; i++) {
        const struct guessed_share *s = &g->shares[i];
        row = table_row(&t);
        row[0] = text_format("  %s", text_name(s->application, 40).at);
        row[1] = text_format("%d", s->percent[DCS_CONTENTION_FITTED]);
        row[2] = text_format("%d", s->percent[DCS_CONTENTION_GUESSED]);
        row[3] = text_format("%d", s->percent[DCS_CONTENTION_NONE]);
        row[4] = text_name(s->profile, 30);
    }
    table_print(out, &t);
    table_release(&t);
    size_t more = g->count - shown + g->unnamed;
    if (more > 0)
        fprintf(out, "  and %zu more\n", more);
}

void guessed_contention_release(struct guessed_contention *g)
{
    for (size_t i = 0; i < g->count; i++) {
        free(g->shares[i].application);
        free(g->shares[i].profile);
    }
    free(g->shares);
    *g = (struct guessed_contention){0};
}
