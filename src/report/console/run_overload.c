/* run_overload.c - see run_overload.h. */
#include "report/console/run_overload.h"

#include "report/console/run_names.h"
#include "runs/overload.h"
#include "text/table.h"

#include <math.h>

/* Once: it is of all applications together. */
static void print_offered(FILE *out, const struct overload *o, const char *name)
{
    if (o->behind_requests > 0)
        text_note(out, 2,
                  "WARNING: overloaded: services and jobs offer %s of what all devices can do; no "
                  "steady state.",
                  text_value(o->offered_load, TEXT_PERCENT).at);
    else
        text_note(out, 2,
                  "WARNING: overloaded: the services offer %s of what all devices can do, those of "
                  "%s among them; no steady state.",
                  text_value(o->offered_load, TEXT_PERCENT).at, name);
}

static void print_application(FILE *out, const struct overload *o, const char *name)
{
    if (o->grows)
        text_note(out, 2,
                  "WARNING: overloaded: the backlog of %s grew in the window by %s of the "
                  "requests; no steady state.",
                  name, text_estimate(&o->growth, TEXT_PERCENT, 2).at);
    if (o->inside)
        text_note(out, 2,
                  "WARNING: overloaded: %s of the requests of %s were still inside at the end. The "
                  "queue grew, or the window is too short; no steady state.",
                  text_value(o->inside_share, TEXT_PERCENT).at, name);
    if (o->behind)
        text_note(out, 2,
                  "WARNING: overloaded: the jobs of %s were %.0f requests behind at the end of a "
                  "run, %s of those due by then. The numbers below are of the others.",
                  name, o->behind_requests, text_value(o->behind_share, TEXT_PERCENT).at);
    if (o->dropped)
        text_note(out, 2,
                  "WARNING: overloaded: %s of the requests of %s were dropped; the response times "
                  "are those of the others.",
                  text_value(o->dropped_share, TEXT_PERCENT).at, name);
}

/* What the rules measured, so that silence need not be read. */
static void print_calm(FILE *out, const struct overload *o)
{
    if (isnan(o->offered_load)) /* all came at once */
        return;
    bool close = o->offered_load >= 1 || o->behind_share > OVERLOAD_SHARE;
    text_note(out, 2,
              "Not overloaded: by the last arrival %s of the GPU time that there is was due, of "
              "which %s was not done; %.4g job%s waited then%s.",
              text_value(o->offered_load, TEXT_PERCENT).at,
              text_value(o->behind_share, TEXT_PERCENT).at, o->behind_requests,
              o->behind_requests == 1 ? "" : "s", close ? ", too few to say more" : "");
}

static void print_gangs(FILE *out, const struct summary *s)
{
    struct overload o;
    overload_of_gangs(s, &o);
    if (!overload_any(&o))
        print_calm(out, &o);
    const char *by = o.at_last ? "by the last arrival" : "by the end";
    if (o.offered)
        text_note(out, 2,
                  "WARNING: overloaded: %s %s of the GPU time that there is was due; no steady "
                  "state.",
                  by, text_value(o.offered_load, TEXT_PERCENT).at);
    if (o.inside)
        text_note(out, 2,
                  "WARNING: overloaded: %s of the jobs waited %s. The queue grew, "
                  "or the %s is too short; no steady state.",
                  text_value(o.inside_share, TEXT_PERCENT).at,
                  o.at_last ? "when the last one arrived" : "at the end",
                  o.at_last ? "trace" : "window");
    if (o.behind)
        text_note(out, 2,
                  "WARNING: overloaded: %s of the GPU time that was due %s was not done. %s",
                  text_value(o.behind_share, TEXT_PERCENT).at, by,
                  o.at_last ? "Waits hang on where the trace ends: a longer one would have longer "
                              "ones."
                            : "Waits are too short: those that wait longest are cut off.");
}

void report_overload(FILE *out, const struct summary *s)
{
    bool told = false;
    if (s->experiment->gangs != NULL)
        print_gangs(out, s);
    for (uint32_t i = 0; i < s->experiment->apps_count; i++) {
        struct overload o;
        overload_of(s, i, &o);
        struct text name = report_app_name(s->experiment, i);
        if (o.offered && !(told && o.behind_requests > 0))
            print_offered(out, &o, name.at);
        told = told || (o.offered && o.behind_requests > 0);
        print_application(out, &o, name.at);
    }
}

/* Below this share of what began no printed digit of a quantile changes. */
#define CUT_OFF_TOLD 0.01

static void print_cut_off(FILE *out, const char *of, const char *what, double cut, double all)
{
    if (cut > 0 && cut >= CUT_OFF_TOLD * all)
        text_note(out, 2,
                  "Cut off: %.0f of %.0f %s %s had not ended with the run. Quantiles count them as "
                  "longer than until then (Kaplan-Meier); means are of those that ended.",
                  cut, all, of, what);
}

void report_cut_off(FILE *out, const struct summary *s)
{
    static const char *const names[] = {[DCS_LATENCY] = "latency", [DCS_BATCH] = "batch"};
    for (enum dcs_class class = DCS_LATENCY; class <= DCS_BATCH; class ++) {
        uint32_t app = METRIC_CLASS + class;
        print_cut_off(out, names[class], "requests", summary_sum(s, app, "inside"),
                      summary_sum(s, app, "requests"));
        print_cut_off(out, names[class], "jobs", summary_sum(s, app, "jobs_cut"),
                      summary_sum_counts(s, app, "jobs_cut"));
    }
}
