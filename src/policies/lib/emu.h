/*
 * emu.h - how EMU decides what a query gets of a CPU: the search before it runs and the adjustment
 * while it runs, without a host, so that they can be tested by themselves.
 *
 * Source: Wang, thesis, chapter 5: algorithms 5-3 and 5-4, equations 5-1 to 5-3, figure 5-8.
 */
#ifndef DCSIM_POLICIES_LIB_EMU_H
#define DCSIM_POLICIES_LIB_EMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct emu_share {
    uint32_t cores, ways;
};

/* What the query would take there, ns. */
typedef int64_t emu_predict(void *context, struct emu_share at);

/* The smallest value in 1 .. most for which `fits` holds, if it holds for all above; most if it
 * holds for none below (most itself is not asked: lines 2-10 and 11-19). At most ceil(log2(most))
 * questions. */
struct emu_question {
    emu_predict *predict;
    void *context;
    int64_t bound_ns;
    struct emu_share at;
    uint32_t asked;
};

static inline bool emu_fits(struct emu_question *q)
{
    q->asked++;
    return q->predict(q->context, q->at) < q->bound_ns;
}

static inline void emu_bisect(struct emu_question *q, uint32_t *what, uint32_t most)
{
    uint32_t high = most, low = 0;
    while (high > low + 1) {
        *what = (high + low) / 2;
        if (emu_fits(q))
            high = *what;
        else
            low = *what;
    }
    *what = high;
}

/* Algorithm 5-3: the fewest cores with all ways, then the fewest ways with these, so that the query
 * takes less than bound_ns; all of both if that is never so. *asked: how many predictions that
 * took. */
static inline struct emu_share emu_search(emu_predict *predict, void *context, int64_t bound_ns,
                                          struct emu_share most, uint32_t *asked)
{
    struct emu_question q = {
        .predict = predict, .context = context, .bound_ns = bound_ns, .at = most};
    emu_bisect(&q, &q.at.cores, most.cores);
    emu_bisect(&q, &q.at.ways, most.ways);
    *asked = q.asked;
    return q.at;
}

/* A query that runs. */
struct emu_query {
    double ipc_predicted, work_predicted; /* IPC at the initial share; that times predicted ns */
    double work_done;                     /* IPC times ns */
    int64_t bound_ns, run_ns;             /* T_ub, T_run */
    struct emu_share initial, now;
};

struct emu_options {
    struct emu_share most;
    bool scale_ways;       /* false: EMU-NoCache, section 5.5.4 */
    bool clamp_as_printed; /* line 13 clamps the ways by the initial cores; the text means ways */
};

/* Line 9-13 for one resource; rounded to the nearest, as the example of figure 5-8 is. */
static inline uint32_t emu_scale(uint32_t now, double factor, uint32_t least, uint32_t most)
{
    double wanted = (double)now * factor + (factor > 1 ? 1 : 0);
    uint32_t rounded = wanted < (double)most ? (uint32_t)(wanted + 0.5) : most;
    if (rounded > most)
        rounded = most;
    return rounded > least ? rounded : least;
}

/* Equation 5-3. A query that got nothing done asks for everything. */
static inline double emu_factor(const struct emu_query *q, double ipc_now)
{
    if (!(ipc_now > 0))
        return 1e9;
    double required = (q->work_predicted - q->work_done) / (double)(q->bound_ns - q->run_ns);
    double ipc = required > q->ipc_predicted ? required : q->ipc_predicted;
    return ipc / ipc_now;
}

/* Algorithm 5-4, at the end of an interval in which the query ran at ipc_now. */
static inline struct emu_share emu_adjust(struct emu_query *q, double ipc_now, int64_t interval_ns,
                                          const struct emu_options *o)
{
    q->work_done += ipc_now * (double)interval_ns;
    q->run_ns += interval_ns;
    if (q->run_ns >= q->bound_ns) {
        q->now.cores = o->most.cores; /* line 5 */
        if (o->scale_ways)
            q->now.ways = o->most.ways;
        return q->now;
    }
    double factor = emu_factor(q, ipc_now);
    uint32_t least = o->clamp_as_printed ? q->initial.cores : q->initial.ways;
    q->now.cores = emu_scale(q->now.cores, factor, q->initial.cores, o->most.cores);
    if (o->scale_ways)
        q->now.ways = emu_scale(q->now.ways, factor, least < o->most.ways ? least : o->most.ways,
                                o->most.ways);
    return q->now;
}

#endif
