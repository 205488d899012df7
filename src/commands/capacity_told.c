/* capacity_told.c - see capacity_told.h. */
#include "commands/capacity_told.h"

#include "experiment/experiment_gangs.h"
#include "runs/overload.h"
#include "text/buffer.h"
#include "text/number.h"
#include "text/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Takes over the text. */
static struct capacity_warning *add_warning(struct capacity_told *told, char *text, double value)
{
    size_t i = 0;
    while (i < told->count && strcmp(told->warnings[i].text, text) != 0)
        i++;
    if (i == told->count) {
        told->warnings =
            dcs_grow(told->warnings, &told->capacity, told->count + 1, sizeof told->warnings[0]);
        told->warnings[told->count++] = (struct capacity_warning){.text = text};
    } else {
        free(text);
    }
    struct capacity_warning *w = &told->warnings[i];
    w->values = dcs_grow(w->values, &w->capacity, w->count + 1, sizeof w->values[0]);
    size_t at = w->count++;
    for (; at > 0 && w->values[at - 1] > value; at--)
        w->values[at] = w->values[at - 1];
    w->values[at] = value;
    return w;
}

/* A warning for each line, of what the answer is for. Takes over the text, which may be NULL. */
static void add_scope(struct capacity_told *told, char *lines, const char *end, double value)
{
    char *rest = lines;
    while (rest != NULL) {
        struct text_buffer text = {0};
        text_append(&text, "%s%s", strsep(&rest, "\n"), end);
        add_warning(told, text.text, value)->scope = true;
    }
    free(lines);
}

static char *warn(const char *format, const char *a, const char *b)
{
    struct text_buffer text = {0};
    text_append(&text, format, a, b);
    return text.text;
}

static void see_profiles(struct capacity_told *told, const struct experiment *x, double value)
{
    for (uint32_t i = 0; i < x->kinds; i++) {
        const struct dcs_profile *profile = x->kind[i].profile;
        if (profile->missing != NULL)
            add_warning(told, warn("profile %s is partial: %s", profile->name, profile->missing),
                        value);
        char *assumptions = experiment_assumptions(x, i);
        if (assumptions != NULL)
            add_warning(told, warn("of profile %s: %s", profile->name, assumptions), value);
        free(assumptions);
    }
    if (x->config->predictor == PREDICTOR_CLAIRVOYANT)
        add_warning(told,
                    dcs_strdup("the predictor is clairvoyant: a bound, not something that can be "
                               "built"),
                    value);
}

static const char for_others[] = ": the answer is for the others";

/* Whole jobs that are not in the numbers, since no node can run them. */
static void see_misfits(struct capacity_told *told, const struct experiment_gangs *g, double value)
{
    struct text_buffer text = {0};
    uint64_t out = g != NULL ? g->without_gpu + g->too_large + g->no_model : 0;
    if (out == 0)
        return;
    text_append(&text, "cluster.queue.misfits leaves %" PRIu64 " of %" PRIu64 " jobs out", out,
                out + (uint64_t)g->spec.jobs_count);
    add_scope(told, text.text, for_others, value);
}

/* Which rules say so (overload.h). */
static void see_overload(struct capacity_told *told, const struct overload *o, const char *name,
                         double value)
{
    struct text_buffer text = {0};
    /* Many inside at the end of a short window keep no value from being the answer. */
    bool inside_alone = !o->offered && !o->grows && !o->behind && !o->dropped;
    text_append(&text,
                "%s: %s: ", inside_alone ? "a short window, or a queue that grows" : "overloaded",
                name);
    overload_append_rules(&text, o);
    add_warning(told, text.text, value);
}

static void see_requests(struct capacity_told *told, const struct summary *s, double value)
{
    for (uint32_t app = 0; app < s->experiment->apps_count; app++) {
        const char *name = s->experiment->apps[app].name;
        struct overload o;
        overload_of(s, app, &o);
        if (overload_any(&o))
            see_overload(told, &o, name, value);
        else if (summary_sum(s, app, "requests") > 0 && !(summary_sum(s, app, "completions") > 0))
            add_warning(told, warn("not served: no request of %s was completed%s", name, ""),
                        value);
    }
    see_misfits(told, s->experiment->gangs, value);
    if (s->experiment->gangs != NULL && overload_anywhere(s)) {
        struct overload o;
        overload_of_gangs(s, &o);
        see_overload(told, &o, "whole jobs", value);
    }
    if (summary_sum(s, METRIC_ALL, "stranded") > 0)
        add_warning(told,
                    dcs_strdup("stranded: requests waited at the end although a device idled and "
                               "the policy had nothing under way"),
                    value);
}

/* Jobs of which the trace does not have the end. */
static void see_cut(struct capacity_told *told, const struct experiment *x, double value)
{
    for (size_t i = 0; i < x->traces_count; i++) {
        struct text_buffer text = {0};
        uint64_t cut = x->traces[i].cut;
        if (cut == 0)
            continue;
        text_append(&text,
                    "%" PRIu64 " of %zu jobs still ran when the trace ended: what was seen of %s "
                    "is replayed, and all of %s needs more",
                    cut, x->traces[i].jobs_count, cut == 1 ? "it" : "them",
                    cut == 1 ? "it" : "them");
        add_scope(told, text.text, "", value);
    }
}

/* Jobs of several GPUs whose parts do not wait for each other. */
static void see_split(struct capacity_told *told, const struct experiment *x, double value)
{
    for (size_t i = 0; x->gangs == NULL && i < x->traces_count; i++) {
        struct text_buffer text = {0};
        uint64_t split = x->traces[i].several;
        if (split == 0)
            continue;
        text_append(&text,
                    "%" PRIu64
                    " of %zu jobs ask%s for several GPUs and start%s on them one by one: "
                    "who starts them at once (\"as\": \"gangs\") needs more",
                    split, x->traces[i].jobs_count, split == 1 ? "s" : "", split == 1 ? "s" : "");
        add_scope(told, text.text, "", value);
    }
}

void capacity_told_see(struct capacity_told *told, const struct summary *s, double value)
{
    told->looks++;
    see_profiles(told, s->experiment, value);
    see_requests(told, s, value);
    add_scope(told, experiment_left_out(s->experiment), for_others, value);
    see_split(told, s->experiment, value);
    see_cut(told, s->experiment, value);
    if (told->vary == NULL || strstr(told->vary, ".keep") == NULL) /* else each row says it */
        add_scope(told, experiment_thinned(s->experiment), "", value);
    if (told->unfinished && s->experiment->gangs != NULL &&
        s->experiment->config->horizon.duration_ns == 0)
        add_scope(told,
                  dcs_strdup("unfinished is always 0 here, and no bound: without "
                             "horizon.duration_s a run of whole jobs goes on until all have ended"),
                  "", value);
}

static char *warning_text(const struct capacity_told *told, const struct capacity_warning *w)
{
    struct text_buffer text = {0};
    text_append(&text, "WARNING: ");
    for (size_t k = 0; k < w->count && w->count < told->looks; k++) {
        char value[NUMBER_SIZE];
        number_write_real(w->values[k], value);
        text_append(&text, "%s%s%s", k > 0 ? ", " : "at ", value, k + 1 == w->count ? ": " : "");
    }
    text_append(&text, "%s.", w->text);
    return text.text;
}

void capacity_told_print(const struct capacity_told *told)
{
    for (size_t i = 0; i < told->count; i++) {
        char *text = warning_text(told, &told->warnings[i]);
        text_paragraph(stdout, text, 2);
        free(text);
    }
}

void capacity_told_append_scope(const struct capacity_told *told, struct text_buffer *out)
{
    for (size_t i = 0; i < told->count; i++) {
        char *text = warning_text(told, &told->warnings[i]);
        if (told->warnings[i].scope)
            text_append(out, "\n%s", text);
        free(text);
    }
}

void capacity_told_release(struct capacity_told *told)
{
    for (size_t i = 0; i < told->count; i++) {
        free(told->warnings[i].text);
        free(told->warnings[i].values);
    }
    free(told->warnings);
    *told = (struct capacity_told){0};
}
