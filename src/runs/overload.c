/* overload.c - see overload.h. */
#include "runs/overload.h"

#include "experiment/experiment_gangs.h"
#include "runs/offered_load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool overload_open_loop(const struct summary *s, uint32_t app)
{
    return s->served[app] || s->experiment->apps[app].class == DCS_LATENCY;
}

/* The values of a metric of an application, one for each run; NULL: it has none. */
static const double *column(const struct summary *s, uint32_t app, const char *name)
{
    size_t i = summary_find(s, app, name);
    return i != SIZE_MAX ? &s->values[i] : NULL;
}

/* Share of those that arrived, and how many they are, in the mean over the runs. */
static void growth_of(const struct summary *s, uint32_t app, struct overload *out)
{
    const double *requests = column(s, app, "requests"), *left = column(s, app, "completions"),
                 *dropped = column(s, app, "dropped");
    size_t runs = requests != NULL && left != NULL && dropped != NULL ? s->runs : 0;
    double *shares = dcs_alloc(runs + 1, sizeof *shares), backlog = 0;
    for (size_t i = 0; i < runs; i++) {
        size_t at = i * s->metrics_count;
        double more = requests[at] - left[at] - dropped[at];
        shares[i] = requests[at] > 0 ? more / requests[at] : (double)NAN;
        backlog += more / (double)runs;
    }
    out->growth = dcs_estimate_mean(shares, runs);
    out->grows =
        out->growth.low > 0 && out->growth.value > OVERLOAD_GROWTH && backlog > OVERLOAD_REQUESTS;
    free(shares);
}

double overload_offered_load(const struct summary *s)
{
    size_t runs = 0;
    double jobs = 0;
    const double *offered = column(s, METRIC_ALL, "offered_by_jobs");
    for (size_t i = 0; offered != NULL && i < s->runs; i++) {
        double of_run = offered[i * s->metrics_count];
        runs += !isnan(of_run);
        jobs += isnan(of_run) ? 0 : of_run;
    }
    if (runs == 0 || !offered_load_is_known(s->experiment))
        return s->offered_load;
    jobs /= (double)runs;
    return isnan(s->offered_load) ? jobs : jobs + s->offered_load;
}

/* What its jobs would have issued had they not waited, and did not. */
static void behind_of(const struct summary *s, uint32_t app, double requests, struct overload *out)
{
    double behind = summary_sum(s, app, "behind");
    out->behind_share = behind > 0 ? behind / (requests + behind) : 0;
    out->behind_requests = behind / (double)(s->runs > 0 ? s->runs : 1);
    out->behind = behind >= OVERLOAD_REQUESTS && out->behind_share > OVERLOAD_SHARE;
}

void overload_of(const struct summary *s, uint32_t app, struct overload *out)
{
    const struct experiment *x = s->experiment;
    *out = (struct overload){.offered_load = (double)NAN};
    double requests = summary_sum(s, app, "requests");
    double inside = summary_sum(s, app, "inside"), dropped = summary_sum(s, app, "dropped");
    out->inside_share = requests > 0 ? inside / requests : 0;
    out->dropped_share = requests > 0 ? dropped / requests : 0;
    out->dropped = dropped >= OVERLOAD_REQUESTS && out->dropped_share > OVERLOAD_SHARE;
    behind_of(s, app, requests, out);
    growth_of(s, app, out);
    bool arrives = x->steady && overload_open_loop(s, app);
    out->grows = out->grows && arrives;
    out->inside = arrives && inside >= OVERLOAD_REQUESTS && out->inside_share > OVERLOAD_SHARE;
    if (s->served[app] || out->behind_requests > 0)
        out->offered_load = overload_offered_load(s);
    out->offered = (arrives || out->behind_requests > 0) && out->offered_load >= 1;
}

static void gangs_at(const struct summary *s, bool at_last, struct overload *out)
{
    double runs = (double)(s->runs > 0 ? s->runs : 1), jobs = summary_sum(s, METRIC_ALL, "jobs");
    double waiting = summary_sum(s, METRIC_ALL, at_last ? "waiting_at_last" : "jobs_waiting");
    bool some = waiting >= OVERLOAD_REQUESTS;
    bool redone = summary_sum(s, METRIC_ALL, "revocations") >= OVERLOAD_REQUESTS;
    *out = (struct overload){.at_last = at_last};
    out->offered_load =
        summary_sum(s, METRIC_ALL, at_last ? "offered_at_last" : "offered_by_jobs") / runs;
    out->offered = out->offered_load >= 1 && (some || !at_last);
    out->inside_share = jobs > 0 ? waiting / jobs : 0;
    out->inside = some && out->inside_share > OVERLOAD_SHARE;
    out->behind_requests = waiting / runs;
    out->behind_share =
        summary_sum(s, METRIC_ALL, at_last ? "unfinished_at_last" : "unfinished") / runs;
    out->behind = (some || (redone && !at_last)) && out->behind_share > OVERLOAD_SHARE;
}

void overload_of_gangs(const struct summary *s, struct overload *out)
{
    bool to_end = s->experiment->gangs->spec.horizon_ns == DCS_NEVER;
    gangs_at(s, to_end, out);
    /* After the last arrival a queue is worked off, whatever the load was. */
    if (!to_end && !overload_any(out))
        gangs_at(s, true, out);
}

bool overload_any(const struct overload *o)
{
    return o->offered || o->grows || o->inside || o->behind || o->dropped;
}

void overload_append_rules(struct text_buffer *out, const struct overload *o)
{
    const struct {
        bool says;
        const char *what;
    } rules[] = {
        {o->offered, "a load of 1 or more"},
        {o->grows, "the backlog grows"},
        {o->inside, o->at_last ? "many wait when the last job arrives" : "many wait at the end"},
        {o->behind, "work falls behind"},
        {o->dropped, "many are dropped"}};
    for (size_t i = 0, n = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (rules[i].says)
            text_append(out, "%s%s", n++ > 0 ? ", " : "", rules[i].what);
}

bool overload_anywhere(const struct summary *s)
{
    bool any = false;
    struct overload o;
    if (s->experiment->gangs != NULL) {
        overload_of_gangs(s, &o);
        return overload_any(&o);
    }
    for (uint32_t app = 0; app < s->experiment->apps_count; app++) {
        overload_of(s, app, &o);
        any = any || overload_any(&o);
    }
    return any;
}
