/* report_sentence.c - see report_sentence.h. */
#include "report/page/report_sentence.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sentence {
    const struct report_data *data;
    const struct report_contest *contest;
    struct text_buffer text;
    int left_out; /* 1: leads, 2: evidence, 3: ends of names */
};

struct text report_sla_text(double low_ns, double high_ns)
{
    struct text low = text_value(low_ns, TEXT_TIME);
    return low_ns == high_ns || isnan(low_ns)
               ? low
               : text_format("%.40s to %.40s", low.at, text_value(high_ns, TEXT_TIME).at);
}

static size_t count_words(const char *text)
{
    size_t words = 0;
    while (*(text += strspn(text, " ")) != '\0') {
        text += strcspn(text, " ");
        words++;
    }
    return words;
}

/* A label; where there is no room, its first four words. */
#define NAME_WORDS 4
static void append_name(struct sentence *s, size_t label)
{
    const char *name = s->data->labels[label], *end = name;
    for (int i = 0; i < NAME_WORDS && *end != '\0'; i++) {
        end += strspn(end, " ");
        end += strcspn(end, " ");
    }
    if (s->left_out < 3 || *end == '\0')
        text_append(&s->text, "%s", name);
    else
        text_append(&s->text, "%.*s…", (int)(end - name), name);
}

/* ---- Which policy is first ---- */

static void append_in(struct sentence *s, const char *before, const char *what, size_t count,
                      size_t worlds)
{
    text_append(&s->text, "%s%s", before, what);
    if (worlds > 1)
        text_append(&s->text, " in %zu", count);
}

/* " (HYPOTHETICAL in 1, infeasible in 2, overloaded in 3)" */
static void append_caveats(struct sentence *s, size_t label)
{
    struct report_caveats c = report_caveats_of(s->data, label);
    const char *before = " (";
    if (c.hypothetical > 0) {
        append_in(s, before, REPORT_HYPOTHETICAL, c.hypothetical, c.worlds);
        before = ", ";
    }
    if (c.infeasible > 0) {
        append_in(s, before, "infeasible", c.infeasible, c.worlds);
        before = ", ";
    }
    if (c.overloaded > 0) {
        append_in(s, before, "overloaded", c.overloaded, c.worlds);
        before = ", ";
    }
    if (c.infeasible + c.overloaded == 0 && c.violates > 0) {
        append_in(s, before, "misses its SLA", c.violates, c.worlds);
        before = ", ";
    } else if (c.infeasible + c.overloaded == 0 && c.undecided > 0) {
        append_in(s, before, "SLA undecided", c.undecided, c.worlds);
        before = ", ";
    }
    if (before[0] == ',')
        text_append(&s->text, ")");
}

/* How sure it is that it is first. */
static void append_evidence(struct sentence *s, const struct report_rank *r, size_t which)
{
    const struct report_shown *shown = report_shown(s->data, which);
    if (r->worlds > 1 && s->left_out < 2)
        text_append(&s->text, r->leads > 0 ? ", first in %zu" : ", first in none", r->leads);
    if (r->worlds > 1 || r->second == SIZE_MAX || r->equal > 0)
        return;
    if (s->left_out < 1) {
        double second = report_label_value(s->data, r->second, shown).value;
        text_append(&s->text, ", against %s under ", text_value(second, shown->unit).at);
        append_name(s, r->second);
        if (report_caveats_of(s->data, r->second).hypothetical > 0)
            text_append(&s->text, " (%s)", REPORT_HYPOTHETICAL);
    }
    if (s->left_out < 2 && !r->shown)
        text_append(&s->text, r->paired ? " (the difference may be chance)" : " (one run)");
}

static void append_first(struct sentence *s, size_t which, const char *most)
{
    const struct report_rank *r = &s->contest->ranks[which];
    const struct report_shown *shown = report_shown(s->data, which);
    if (r->first == SIZE_MAX)
        return;
    bool later = s->text.length > 0;
    if (!later && r->worlds > 1)
        text_append(&s->text, "Over %zu worlds, ", r->worlds);
    else
        text_append(&s->text, "%s", later ? " " : "");
    text_append(&s->text, "%c%s%s: ", most[0] - (later || r->worlds < 2 ? 'a' - 'A' : 0), most + 1,
                r->meeting ? " of those that meet their SLA" : "");
    append_name(s, r->first);
    if (r->equal > 0)
        text_append(&s->text, " and %zu other%s", r->equal, dcs_plural(r->equal));
    text_append(&s->text, ", %s",
                text_value(report_label_value(s->data, r->first, shown).value, shown->unit).at);
    append_caveats(s, r->first);
    append_evidence(s, r, which);
    text_append(&s->text, ".");
}

static void append_ranking(struct sentence *s)
{
    append_first(s, SHOWN_LATE, "fewest late requests");
    append_first(s, SHOWN_BATCH, "most batch work");
    if (s->text.length == 0)
        text_append(&s->text, "%s",
                    s->contest->any ? "No number was measured under two policies in one world."
                                    : "No two policies met the same world here: the table has each "
                                      "experiment's numbers.");
}

/* ---- One policy ---- */

static void append_one(struct sentence *s)
{
    const struct report_point *q = &s->data->points[0];
    const struct report_shown *batch = report_shown(s->data, SHOWN_BATCH),
                              *busy = report_shown(s->data, SHOWN_BUSY);
    struct dcs_estimate met = q->values[REPORT_SLA_MET], done = report_shown_value(q, batch),
                        used = report_shown_value(q, busy);
    text_append(&s->text, "Under ");
    append_name(s, 0);
    if (q->system->hypothetical[0] != '\0')
        text_append(&s->text, " (%s)", REPORT_HYPOTHETICAL);
    if (!isnan(met.value)) {
        text_append(&s->text, ", %s of latency requests meet ",
                    text_estimate(&met, TEXT_PERCENT, 2).at);
        text_append(&s->text, isnan(q->sla_low_ns) ? "their SLA" : "the SLA of %s",
                    report_sla_text(q->sla_low_ns, q->sla_high_ns).at);
    }
    if (q->verdict != REPORT_NO_VERDICT)
        text_append(&s->text, " (%s%s)", report_verdicts[q->verdict],
                    q->system->overloaded ? ", overloaded" : "");
    else if (q->system->overloaded)
        text_append(&s->text, " (overloaded)");
    text_append(&s->text, "; %s %s", busy->label, text_estimate(&used, TEXT_PERCENT, 1).at);
    if (!isnan(done.value))
        text_append(&s->text,
                    batch->unit == TEXT_PERCENT ? "; batch work %s of that alone"
                                                : "; %s batch requests per second",
                    text_estimate(&done, batch->unit, 2).at);
    text_append(&s->text, ".");
}

/* Experiments of one policy with a verdict, by whether they meet their SLA: how many, and from
 * where to where they lie on the axis. */
struct side {
    size_t count;
    double low, high;
};

static void append_side(struct sentence *s, const char *what, const struct side *side)
{
    if (side->count == 0)
        return;
    text_append(&s->text, "; %s in %zu", what, side->count);
    if (s->data->axis == NULL || s->left_out >= 1)
        return;
    text_append(&s->text, " (at %s", text_value(side->low, TEXT_NUMBER).at);
    if (side->high > side->low)
        text_append(&s->text, " to %s", text_value(side->high, TEXT_NUMBER).at);
    text_append(&s->text, ")");
}

/* "... over cluster.devices; SLA met in 5 (at 18 to 64); missed in 4 (at 4 to 17)." */
static void append_many(struct sentence *s)
{
    const struct report_data *d = s->data;
    struct side sides[REPORT_VERDICTS] = {{0}}, overloaded = {0}, hypothetical = {0};
    for (size_t i = 0; i < d->count; i++) {
        const struct report_point *q = &d->points[i];
        struct side *of[] = {&sides[q->verdict], q->system->overloaded ? &overloaded : NULL,
                             q->system->hypothetical[0] != '\0' ? &hypothetical : NULL};
        for (size_t k = 0; k < sizeof of / sizeof of[0]; k++) {
            if (of[k] == NULL)
                continue;
            of[k]->low = of[k]->count > 0 ? fmin(of[k]->low, q->x) : q->x;
            of[k]->high = of[k]->count > 0 ? fmax(of[k]->high, q->x) : q->x;
            of[k]->count++;
        }
    }
    char *axis = d->axis != NULL ? compare_plain_key(d->axis) : NULL;
    text_append(&s->text, "Under ");
    append_name(s, 0);
    text_append(&s->text, ", %zu experiments%s%s", d->count, axis != NULL ? " over " : "",
                axis != NULL ? axis : "");
    free(axis);
    append_side(s, "SLA met", &sides[REPORT_MEETS]);
    append_side(s, "undecided", &sides[REPORT_UNDECIDED]);
    append_side(s, "missed", &sides[REPORT_VIOLATES]);
    append_side(s, "infeasible", &sides[REPORT_INFEASIBLE]);
    append_side(s, "overloaded", &overloaded);
    append_side(s, REPORT_HYPOTHETICAL, &hypothetical);
    text_append(&s->text, ".");
}

/* ---- What to fix first ---- */

/* Under what is first in late requests, or else under the first that anybody looked at. */
static void say_fix(struct page *p, const struct sentence *s, const struct report_late *l)
{
    size_t best = s->contest->ranks[SHOWN_LATE].first;
    const struct report_late_line *first =
        report_late_first(l, best < s->data->labels_count ? best : s->data->baseline);
    for (size_t i = 0; i < s->data->labels_count && first == NULL; i++)
        first = report_late_first(l, i);
    if (first == NULL)
        return;
    page_raw(p, "<p>To fix first");
    if (s->data->labels_count > 1)
        page_format(p, " under %s", s->data->labels[first->label]);
    page_raw(p, ": <strong>");
    page_text(p, first->what);
    page_raw(p, "</strong>, ");
    page_text(p, text_value(first->share, TEXT_PERCENT).at);
    page_raw(p, " of the time of late requests; ");
    if (first->enough > 0)
        page_raw(p, "without it %" PRIu64 " of them would have been in time.", first->enough);
    else
        page_raw(p, "none of them would have been in time without it alone.");
    report_late_say_looked(p, l, first->label);
    page_raw(p, "</p>\n");
}

void report_sentence(struct page *p, const struct report_data *d, const struct report_contest *c,
                     const struct report_late *l)
{
    struct sentence s = {.data = d, .contest = c};
    for (s.left_out = 0; s.left_out <= 3; s.left_out++) {
        free(s.text.text);
        s.text = (struct text_buffer){0};
        if (d->count == 1)
            append_one(&s);
        else if (d->labels_count == 1)
            append_many(&s);
        else
            append_ranking(&s);
        if (count_words(s.text.text) <= REPORT_WORDS)
            break;
    }
    page_raw(p, "<p class=\"answer\">");
    page_text(p, s.text.text);
    page_raw(p, "</p>\n");
    say_fix(p, &s, l);
    free(s.text.text);
}
