/* cpu_bench.c - see cpu_bench.h. */
#include "calibrate/cpu/cpu_bench.h"

#include "calibrate/plan/sort_numbers.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHASE_STEPS  100000
#define CHASE_ROUNDS 9
#define MOVES        400
#define REFILLS      60

struct bench {
    const struct cal_cpu_host *host;
    struct cal_cpu_bench_options options;
    struct cal_chase chase; /* made when it is first needed: much memory to fill */
};

void cal_cpu_taken_add(struct cal_cpu_taken *t, int role, int64_t ns, struct cal_cpu_counts counts)
{
    cal_samples_add(&t->sets[role], ns, 0, false);
    size_t count = t->sets[role].count;
    t->counts[role] = dcs_grow(t->counts[role], &t->capacity[role], count, sizeof *t->counts[role]);
    t->counts[role][count - 1] = counts;
}

void cal_cpu_taken_release(struct cal_cpu_taken *t)
{
    for (int role = 0; role < CAL_CPU_ROLES; role++) {
        cal_samples_release(&t->sets[role]);
        free(t->counts[role]);
    }
    memset(t, 0, sizeof *t);
}

bool cal_cpu_point_is_whole(const struct cal_cpu_host *host, const struct cal_cpu_point *p)
{
    return p->pressure == CAL_PRESSURE_NONE && p->cores == host->cores_count &&
           p->ways == host->ways;
}

static struct cal_rule rule_of(const struct bench *b)
{
    return (struct cal_rule){.warmups = 1,
                             .min_count = 5,
                             .max_count = 200,
                             .max_seconds = b->options.max_seconds,
                             .rse = 0.01,
                             .max_throttled = 1};
}

static double clock_s(void *context)
{
    (void)context;
    return cal_cpu_now_s();
}

static int64_t to_ns(double seconds)
{
    return (int64_t)(seconds * 1e9 + 0.5);
}

/* --- a point --- */

struct taking {
    const struct bench *bench;
    const struct cal_cpu_point *point;
    void *state;
    struct cal_team *team, *reference; /* reference: the same one beside pressure; NULL: none */
    struct cal_cpu_counters *counters, *reference_counters;
    struct cal_press *producer;
    struct cal_cpu_taken *out;
};

static void time_request(struct taking *t, int role, struct cal_team *team,
                         const struct cal_cpu_counters *counters)
{
    const struct cal_cpu_app *app = t->point->app;
    app->run(t->state, team);
    struct cal_cpu_counts from = cal_cpu_counters_read(counters);
    double began = cal_cpu_now_s();
    app->run(t->state, team);
    double ended = cal_cpu_now_s();
    cal_cpu_taken_add(t->out, role, to_ns(ended - began),
                      cal_cpu_counts_between(from, cal_cpu_counters_read(counters)));
}

static int take_once(void *context, struct dcs_err *err)
{
    (void)err;
    struct taking *t = context;
    if (t->producer != NULL)
        cal_press_go(t->producer);
    time_request(t, CAL_CPU_SAMPLE, t->team, t->counters);
    if (t->producer != NULL)
        cal_press_halt(t->producer);
    if (t->reference != NULL)
        time_request(t, CAL_CPU_REFERENCE, t->reference, t->reference_counters);
    return 0;
}

static int open_teams(struct taking *t, struct dcs_err *err)
{
    const struct cal_cpu_host *h = t->bench->host;
    const struct cal_cpu_point *p = t->point;
    t->team = cal_team_create(h->cores_count, h->cores, p->cores, err);
    if (t->team == NULL)
        return -1;
    t->counters = cal_cpu_counters_open(t->team);
    if (p->ways < h->ways && cal_cpu_ways_set(h, "", t->team, p->ways, err) != 0)
        return -1;
    if (p->pressure != CAL_PRESSURE_NONE) {
        t->producer =
            cal_press_start(p->pressure, p->level, h->cores + h->cores_count - p->pressure_cores,
                            p->pressure_cores, h, err);
        t->reference = t->team;
        t->reference_counters = t->counters;
        return t->producer == NULL ? -1 : 0;
    }
    if (cal_cpu_point_is_whole(h, p))
        return 0;
    t->reference = cal_team_create(h->cores_count, h->cores, h->cores_count, err);
    if (t->reference == NULL)
        return -1;
    t->reference_counters = cal_cpu_counters_open(t->reference);
    return 0;
}

static void close_teams(struct taking *t)
{
    cal_press_end(t->producer);
    if (t->reference != t->team) {
        cal_cpu_counters_close(t->reference_counters);
        cal_team_destroy(t->reference);
    }
    cal_cpu_counters_close(t->counters);
    cal_team_destroy(t->team);
    if (t->point->ways < t->bench->host->ways)
        cal_cpu_ways_clear("");
}

static int sample(struct taking *t, struct dcs_err *err)
{
    const struct cal_cpu_host *h = t->bench->host;
    struct cal_cpu_taken *out = t->out;
    struct cal_rule rule = rule_of(t->bench);
    const struct cal_sampling how = {.take = take_once,
                                     .clock_s = clock_s,
                                     .context = t,
                                     .sets = out->sets,
                                     .stops = out->stops,
                                     .sets_count = t->reference != NULL ? 2 : 1};
    struct cal_cpu_look before = cal_cpu_look(h, "");
    if (cal_sample(&how, &rule, err) != 0)
        return -1;
    struct cal_cpu_look after = cal_cpu_look(h, "");
    out->others = cal_cpu_others(&before, &after);
    if (t->producer != NULL && cal_press_seconds(t->producer) > 0)
        out->pressure_gbs = cal_press_bytes(t->producer) / cal_press_seconds(t->producer) / 1e9;
    return 0;
}

static int take_point(void *context, const struct cal_cpu_point *p, struct cal_cpu_taken *out,
                      struct dcs_err *err)
{
    struct bench *b = context;
    struct cal_arena arena = {0};
    struct taking t = {.bench = b, .point = p, .out = out};
    t.state = p->app->create(p->size, b->options.seed, &arena, err);
    int failed = t.state == NULL ? -1 : open_teams(&t, err);
    out->memory_bytes = arena.bytes;
    if (!failed)
        failed = sample(&t, err);
    if (t.state != NULL)
        close_teams(&t);
    cal_arena_release(&arena);
    return failed;
}

/* --- the host --- */

struct copying {
    struct cal_copy copy;
    struct cal_team *team;
    struct cal_cpu_taken *out;
};

static int copy_once(void *context, struct dcs_err *err)
{
    (void)err;
    struct copying *c = context;
    const struct cal_cpu_counts none = {NAN, NAN, NAN};
    double began = cal_cpu_now_s();
    cal_copy_run(&c->copy, c->team);
    cal_cpu_taken_add(c->out, CAL_CPU_SAMPLE, to_ns(cal_cpu_now_s() - began), none);
    return 0;
}

static int measure_copy(struct bench *b, uint32_t cores, struct cal_cpu_taken *out, double *amount,
                        struct dcs_err *err)
{
    struct copying c = {.out = out, .team = cal_team_create(cores, b->host->cores, cores, err)};
    struct cal_rule rule = rule_of(b);
    if (c.team == NULL)
        return -1;
    cal_copy_create(&c.copy, b->host);
    const struct cal_sampling how = {.take = copy_once,
                                     .clock_s = clock_s,
                                     .context = &c,
                                     .sets = out->sets,
                                     .stops = out->stops,
                                     .sets_count = 1};
    int failed = cal_sample(&how, &rule, err);
    *amount = 2 * (double)c.copy.bytes;
    cal_copy_destroy(&c.copy);
    cal_team_destroy(c.team);
    return failed;
}

struct moving {
    const struct cal_cpu_host *host;
    bool refill;
    uint64_t *memory;
    int64_t bytes;
    struct cal_cpu_taken *out;
    int error;
};

static double walk(const struct moving *m)
{
    double began = cal_cpu_now_s();
    volatile uint64_t *at = m->memory;
    for (int64_t i = 0; i < m->bytes; i += m->host->line_bytes)
        at[i / (int64_t)sizeof *at]++;
    return cal_cpu_now_s() - began;
}

/* On one thread, which sends itself from core to core. */
static void move(void *context, struct cal_team *t, uint32_t thread)
{
    (void)t, (void)thread;
    struct moving *m = context;
    const struct cal_cpu_counts none = {NAN, NAN, NAN};
    for (int i = 0; i < (m->refill ? REFILLS : MOVES); i++) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(m->host->cores[(i + 1) % 2], &set);
        if (m->refill)
            walk(m);
        double began = cal_cpu_now_s();
        if (sched_setaffinity(0, sizeof set, &set) != 0) {
            m->error = errno;
            return;
        }
        double took = cal_cpu_now_s() - began;
        if (m->refill) {
            double first = walk(m);
            walk(m);
            took = first - walk(m);
        }
        if (i >= 10)
            cal_cpu_taken_add(m->out, CAL_CPU_SAMPLE, to_ns(took > 0 ? took : 0), none);
    }
}

static int measure_moves(struct bench *b, bool refill, struct cal_cpu_taken *out, double *amount,
                         struct dcs_err *err)
{
    struct cal_arena arena = {0};
    struct moving m = {.host = b->host, .refill = refill, .out = out};
    if (b->host->cores_count < 2)
        return dcs_err_set(err, "there is one core: nothing moves");
    m.bytes = b->host->l2_bytes > 0 ? b->host->l2_bytes : 1 << 20;
    m.memory = cal_arena_take(&arena, (size_t)m.bytes, 1);
    *amount = refill ? (double)m.bytes : 1;
    struct cal_team *t = cal_team_create(1, b->host->cores, 1, err);
    if (t != NULL)
        cal_team_run(t, move, &m);
    cal_team_destroy(t);
    cal_arena_release(&arena);
    out->stops[CAL_CPU_SAMPLE] = CAL_STOP_COUNT;
    if (t == NULL)
        return -1;
    return m.error == 0 ? 0 : dcs_err_set(err, "a thread cannot move: %s", strerror(m.error));
}

static int host(void *context, enum cal_cpu_what what, uint32_t cores, struct cal_cpu_taken *out,
                double *amount, struct dcs_err *err)
{
    struct bench *b = context;
    struct cal_cpu_look before = cal_cpu_look(b->host, "");
    int failed = what == CAL_HOST_COPY
                     ? measure_copy(b, cores, out, amount, err)
                     : measure_moves(b, what == CAL_HOST_REFILL, out, amount, err);
    struct cal_cpu_look after = cal_cpu_look(b->host, "");
    out->others = cal_cpu_others(&before, &after);
    return failed;
}

/* --- pressure --- */

struct chasing {
    struct cal_chase *chase;
    struct cal_press *producer;
    double alone[CHASE_ROUNDS], beside[CHASE_ROUNDS];
};

static void chase(void *context, struct cal_team *t, uint32_t thread)
{
    (void)t, (void)thread;
    struct chasing *c = context;
    for (int i = 0; i < CHASE_ROUNDS; i++) {
        c->alone[i] = cal_chase_walk(c->chase, CHASE_STEPS);
        cal_press_go(c->producer);
        c->beside[i] = cal_chase_walk(c->chase, CHASE_STEPS);
        cal_press_halt(c->producer);
    }
}

static double median(double *values)
{
    cal_sort_reals(values, CHASE_ROUNDS);
    return values[CHASE_ROUNDS / 2];
}

static int meter(void *context, enum cal_cpu_pressure pressure, int64_t level, uint32_t cores,
                 struct cal_cpu_meter *out, struct dcs_err *err)
{
    struct bench *b = context;
    const struct cal_cpu_host *h = b->host;
    struct chasing c = {.chase = &b->chase};
    DCS_ASSERT(cores < h->cores_count);
    if (b->chase.lines == NULL && cal_chase_create(&b->chase, h, err) != 0)
        return -1;
    struct cal_cpu_look before = cal_cpu_look(h, "");
    c.producer = cal_press_start(pressure, level, h->cores + h->cores_count - cores, cores, h, err);
    struct cal_team *t = c.producer == NULL ? NULL : cal_team_create(1, h->cores, 1, err);
    if (t != NULL) {
        cal_team_run(t, chase, &c);
        out->latency_alone_ns = median(c.alone);
        out->latency_ns = median(c.beside);
        out->gbs = cal_press_bytes(c.producer) / cal_press_seconds(c.producer) / 1e9;
    }
    struct cal_cpu_look after = cal_cpu_look(h, "");
    out->others = cal_cpu_others(&before, &after);
    cal_team_destroy(t);
    cal_press_end(c.producer);
    return t == NULL ? -1 : 0;
}

struct cal_cpu_bench cal_cpu_bench_open(const struct cal_cpu_host *h,
                                        const struct cal_cpu_bench_options *options)
{
    struct bench *b = dcs_alloc(1, sizeof *b);
    *b = (struct bench){.host = h, .options = *options};
    return (struct cal_cpu_bench){.take = take_point, .host = host, .meter = meter, .context = b};
}

void cal_cpu_bench_close(struct cal_cpu_bench *b)
{
    cal_chase_destroy(&((struct bench *)b->context)->chase);
    free(b->context);
    b->context = NULL;
}
