/* assign.c - see assign.h. Places are brought in one by one; for each the cheapest way is found to
 * make room for it by moving others (Dijkstra over reduced costs), where a cost is a value with its
 * sign turned. Indices are one higher than the caller's: 0 stands for nobody. */
#include "models/workload/assign.h"

#include <stdlib.h>
#include <string.h>

struct search {
    const int64_t *value;
    uint32_t n;
    int64_t *of_place, *of_worker; /* potentials */
    uint32_t *place;               /* of a worker, 0: free */
    uint32_t *before;              /* the worker whose place it would take over */
    int64_t *slack;
    bool *reached;
};

static int64_t reduced(const struct search *s, uint32_t place, uint32_t worker)
{
    return -s->value[(size_t)(place - 1) * s->n + worker - 1] - s->of_place[place] -
           s->of_worker[worker];
}

/* Reaches the next worker from worker `at`; says which. */
static uint32_t reach(struct search *s, uint32_t at)
{
    uint32_t next = 0;
    int64_t least = INT64_MAX;
    s->reached[at] = true;
    for (uint32_t j = 1; j <= s->n; j++) {
        if (s->reached[j])
            continue;
        int64_t cost = reduced(s, s->place[at], j);
        if (cost < s->slack[j]) {
            s->slack[j] = cost;
            s->before[j] = at;
        }
        if (s->slack[j] < least) {
            least = s->slack[j];
            next = j;
        }
    }
    for (uint32_t j = 0; j <= s->n; j++) {
        if (s->reached[j]) {
            s->of_place[s->place[j]] += least;
            s->of_worker[j] -= least;
        } else {
            s->slack[j] -= least;
        }
    }
    return next;
}

static void bring_in(struct search *s, uint32_t place)
{
    uint32_t at = 0;
    s->place[0] = place;
    for (uint32_t j = 0; j <= s->n; j++) {
        s->slack[j] = INT64_MAX;
        s->reached[j] = false;
    }
    do
        at = reach(s, at);
    while (s->place[at] != 0);
    while (at != 0) {
        s->place[at] = s->place[s->before[at]];
        at = s->before[at];
    }
}

void dcs_assign(const int64_t *value, uint32_t n, uint32_t *worker)
{
    size_t room = (size_t)n + 1;
    struct search s = {.value = value,
                       .n = n,
                       .of_place = dcs_alloc(room, sizeof *s.of_place),
                       .of_worker = dcs_alloc(room, sizeof *s.of_worker),
                       .place = dcs_alloc(room, sizeof *s.place),
                       .before = dcs_alloc(room, sizeof *s.before),
                       .slack = dcs_alloc(room, sizeof *s.slack),
                       .reached = dcs_alloc(room, sizeof *s.reached)};
    for (size_t i = 0; i < (size_t)n * n; i++)
        DCS_ASSERT(value[i] <= DCS_ASSIGN_VALUE_MAX && value[i] >= -DCS_ASSIGN_VALUE_MAX);
    for (uint32_t place = 1; place <= n; place++)
        bring_in(&s, place);
    for (uint32_t j = 1; j <= n; j++)
        worker[s.place[j] - 1] = j - 1;
    free(s.of_place);
    free(s.of_worker);
    free(s.place);
    free(s.before);
    free(s.slack);
    free(s.reached);
}
