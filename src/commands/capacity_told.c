/* capacity_told.c - see capacity_told.h. */
#include "commands/capacity_told.h"

#include "runs/overload.h"
#include "text/buffer.h"
#include "text/number.h"
#include "text/table.h"

#include <stdlib.h>
#include <string.h>

/* Takes over the text. */
static void add_warning(struct capacity_told *told, char *text, double value)
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

static void see_requests(struct capacity_told *told, const struct summary *s, double value)
{
    for (uint32_t app = 0; app < s->experiment->apps_count; app++) {
        const char *name = s->experiment->apps[app].name;
        struct overload o;
        overload_of(s, app, &o);
        if (overload_any(&o))
            add_warning(told, warn("overloaded: %s: more work comes than is done%s", name, ""),
                        value);
        else if (summary_sum(s, app, "requests") > 0 && !(summary_sum(s, app, "completions") > 0))
            add_warning(told, warn("not served: no request of %s was completed%s", name, ""),
                        value);
    }
    if (summary_sum(s, METRIC_ALL, "stranded") > 0)
        add_warning(told,
                    dcs_strdup("stranded: requests waited at the end although a device idled and "
                               "the policy had nothing under way"),
                    value);
}

void capacity_told_see(struct capacity_told *told, const struct summary *s, double value)
{
    told->looks++;
    see_profiles(told, s->experiment, value);
    see_requests(told, s, value);
}

void capacity_told_print(const struct capacity_told *told)
{
    for (size_t i = 0; i < told->count; i++) {
        const struct capacity_warning *w = &told->warnings[i];
        struct text_buffer text = {0};
        text_append(&text, "WARNING: ");
        for (size_t k = 0; k < w->count && w->count < told->looks; k++) {
            char value[NUMBER_SIZE];
            number_write_real(w->values[k], value);
            text_append(&text, "%s%s%s", k > 0 ? ", " : "at ", value,
                        k + 1 == w->count ? ": " : "");
        }
        text_append(&text, "%s.", w->text);
        text_paragraph(stdout, text.text, 2);
        free(text.text);
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
