/*
 * pair_live.c - see pair_live.h.
 *
 * The library inside the service begins a request when it has arrived (recorder_pace.h), so the
 * n-th request that began in the stretch is the n-th that arrived. The stretch goes on for a while
 * after the last arrival. Those that were not answered by then are the last ones, and are left out:
 * what the others took does not depend on them.
 */
#include "calibrate/commands/pair_live.h"

#include "calibrate/plan/arrival_list.h"
#include "calibrate/plan/sort_numbers.h"
#include "calibrate/record/recorder_pace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FIRST                                                                                      \
    0.1           /* s; until then what a stop cut off has ended, as DRAIN_NS of paired programs   \
                   */
#define AFTER 0.5 /* of the time in which requests arrive */

static const char *const roles[] = {"service", "batch"};

int pair_live_take_rate(const char *text, double *rate, struct dcs_err *err)
{
    const char *equals = strchr(text, '=');
    char *end = NULL;
    *rate = equals != NULL ? strtod(equals + 1, &end) : 0;
    if (equals != NULL && end != equals + 1 && *end == '\0' && *rate >= 0.01 && *rate <= 1e5)
        return 0;
    return dcs_err_set(err,
                       "--rate %.60s: NAME=REQUESTS, from 0.01 to 100000 of them a second, is "
                       "expected",
                       text);
}

int pair_live_take_seed(const char *text, uint64_t *seed, struct dcs_err *err)
{
    char *end;
    errno = 0;
    *seed = strtoull(text, &end, 10);
    if (end != text && *end == '\0' && errno == 0 && strchr(text, '-') == NULL)
        return 0;
    return dcs_err_set(err, "--seed %.60s: a whole number from 0 is expected", text);
}

void pair_live_draw(struct pair_live *l, uint64_t seed)
{
    l->moments = dcs_alloc(RECORDER_PACE_MAX, sizeof *l->moments);
    l->arrived = cal_arrivals(seed, 1e9 / l->rate, (int64_t)(l->seconds * 1e9), l->moments,
                              RECORDER_PACE_MAX);
}

int pair_live_run(struct pair_live *l, struct cal_paired_client *const clients[2],
                  const volatile sig_atomic_t *interrupted, struct dcs_err *err)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    l->from_ns = (int64_t)now.tv_sec * DCS_NS_PER_S + now.tv_nsec + (int64_t)(FIRST * 1e9);
    cal_pace_begin(clients[0]->pace, l->from_ns, l->moments, l->arrived);
    int failed =
        cal_paired_run(clients, 2, FIRST + (1 + AFTER) * l->seconds, interrupted, &l->window, err);
    l->begun = cal_pace_end(clients[0]->pace);
    return failed;
}

/* Those of a part that began and ended in the stretch; *count of them. */
static const struct cal_request *find_answered(const struct pair_live *l,
                                               const struct pair_live_part *part, size_t *count)
{
    const struct cal_requests *all = part->requests;
    size_t first = 0;
    while (first < all->count && all->list[first].begin_ns < l->from_ns)
        first++;
    for (*count = 0; first + *count < all->count; ++*count)
        if (all->list[first + *count].end_ns > l->window.end_ns)
            break;
    return all->list + first;
}

static int put_request(struct cal_store *s, const struct pair_live *l, int64_t id, int role,
                       size_t number, const struct cal_request *q, struct dcs_err *err)
{
    int64_t begin_ns = q->begin_ns - l->from_ns;
    int64_t arrival_ns = role == 0 ? l->moments[number] : begin_ns;
    return cal_store_put(s, err, "live_request", "itiiii", id, roles[role], (int64_t)number,
                         arrival_ns, begin_ns, q->end_ns - l->from_ns);
}

static int check_service(const struct pair_live *l, const struct pair_live_part *service,
                         size_t answered, struct dcs_err *err)
{
    if (answered < 2)
        return dcs_err_set(err,
                           "%s at %d %% has answered %zu of %zu requests in %.1f s: give "
                           "--seconds more",
                           service->given, service->percent, answered, l->arrived, l->seconds);
    if (answered + 1 < l->begun)
        return dcs_err_set(err,
                           "%s at %d %% has begun %zu requests and answered %zu: one "
                           "thread shall serve them, and each launch a kernel",
                           service->given, service->percent, l->begun, answered);
    return 0;
}

static void print_row(const struct pair_live *l, const struct pair_live_part parts[2],
                      double *responses_ns, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += responses_ns[i];
    cal_sort_reals(responses_ns, count);
    printf("%s at %d %%, %g requests a second: %.3f ms alone; response %.3f ms in the mean, %.3f "
           "at p95; %zu of %zu answered, beside %s at %d %%\n",
           parts[0].given, parts[0].percent, l->rate, parts[0].solo_ns * 1e-6,
           sum / (double)count * 1e-6,
           responses_ns[(size_t)(0.95 * (double)(count - 1) + 0.5)] * 1e-6, count, l->arrived,
           parts[1].given, parts[1].percent);
}

static int put_run(const struct pair_live *l, struct cal_store *s, int64_t id,
                   const struct pair_live_part parts[2], struct dcs_err *err)
{
    return cal_store_put(s, err, "live", "itititiiritii", id, parts[0].name, parts[0].size,
                         parts[1].name, parts[1].size, "even", (int64_t)parts[0].percent,
                         (int64_t)parts[1].percent, l->rate * parts[0].solo_ns * 1e-9,
                         (int64_t)(l->seconds * 1e9), l->half, (int64_t)(parts[0].solo_ns + 0.5),
                         (int64_t)(parts[1].solo_ns + 0.5));
}

int pair_live_put(const struct pair_live *l, struct cal_store *s,
                  const struct pair_live_part parts[2], bool *few, struct dcs_err *err)
{
    double last = 0;
    size_t counts[2];
    const struct cal_request *const lists[] = {find_answered(l, &parts[0], &counts[0]),
                                               find_answered(l, &parts[1], &counts[1])};
    *few = check_service(l, &parts[0], counts[0], err) != 0;
    if (!*few && counts[1] == 0)
        *few = dcs_err_set(err, "%s at %d %% has ended no request in %.1f s: give --seconds more",
                           parts[1].given, parts[1].percent, l->seconds) != 0;
    if (*few)
        return 0;
    cal_store_get(s, &last, "SELECT max(id) FROM live", "");
    int64_t id = (int64_t)last + 1;
    if (put_run(l, s, id, parts, err) != 0)
        return -1;
    double *responses_ns = dcs_alloc(counts[0], sizeof *responses_ns);
    int failed = 0;
    for (int role = 0; role < 2; role++)
        for (size_t i = 0; i < counts[role] && !failed; i++) {
            if (role == 0)
                responses_ns[i] = (double)(lists[0][i].end_ns - l->from_ns - l->moments[i]);
            failed = put_request(s, l, id, role, i, &lists[role][i], err);
        }
    if (!failed)
        print_row(l, parts, responses_ns, counts[0]);
    free(responses_ns);
    return failed;
}

void pair_live_release(struct pair_live *l)
{
    free(l->moments);
    l->moments = NULL;
}
