/* validate_predict.c - see validate_predict.h. */
#include "commands/validate_predict.h"

#include "des/stats.h"
#include "commands/validate_replay.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct predictor {
    const struct validate_shapes *shapes;
    struct dcs_contention *contention;
    struct validate_predictions *out;
};

double validate_error(const struct validate_prediction *p, enum validate_model model)
{
    double error = p->predicted_ns[model] / p->measured_ns - 1;
    return error < 0 ? -error : error;
}

size_t validate_count_beyond(const struct validate_predictions *all, enum validate_section section,
                             double reach)
{
    size_t n = 0;
    for (size_t i = 0; i < all->count; i++)
        n += all->list[i].section == section && all->list[i].reach > reach;
    return n;
}

double validate_quantile(const double *sorted, size_t count, double q)
{
    return dcs_sorted_at(sorted, count, q * (double)(count - 1));
}

static struct validate_prediction *
add_prediction(struct predictor *v, enum validate_section section, int64_t id, size_t side)
{
    struct validate_predictions *out = v->out;
    out->list = dcs_grow(out->list, &out->capacity, out->count + 1, sizeof *out->list);
    struct validate_prediction *p = &out->list[out->count++];
    *p = (struct validate_prediction){.section = section, .id = id, .side = side};
    return p;
}

static void append(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void append(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

/* ---- kernels ---- */

/* "prompt", or "prompt@256" for requests of another size than the default. */
static void name_app(const struct predictor *v, struct validate_prediction *p, const char *app,
                     int64_t size)
{
    append(p->name, sizeof p->name, "%s", app);
    int64_t standard = validate_default_size(v->shapes, app);
    if (standard >= 0 && size != standard)
        append(p->name, sizeof p->name, "@%lld", (long long)size);
}

static void name_one(const struct predictor *v, struct validate_prediction *p,
                     const struct dcs_corun_side *s, const char *before)
{
    append(p->name, sizeof p->name, "%s", before);
    name_app(v, p, s->app, s->size);
    append(p->name, sizeof p->name, " %.60s@%u", s->kernel, s->sms);
}

/* "lbm step_16@32 beside sgemm copy@100" */
static void name_side(const struct predictor *v, struct validate_prediction *p,
                      const struct dcs_corun *c, size_t of)
{
    name_one(v, p, &c->sides[of], "");
    for (size_t i = 0, n = 0; i < c->sides_count; i++)
        if (i != of)
            name_one(v, p, &c->sides[i], n++ == 0 ? " beside " : ", ");
}

/* Of a side of a sized pair: its request's size over the default one. */
static const char *kind_of_size(const struct validate_shapes *v, const struct dcs_corun_side *side)
{
    int64_t standard = validate_default_size(v, side->app);
    if (side->size == standard)
        return "beside";
    return side->size > standard ? "above-1" : side->size > standard / 4 ? "1/4-to-1" : "up-to-1/4";
}

static void name_group(struct predictor *v, struct validate_prediction *p,
                       const struct dcs_corun *c)
{
    static const char *const kinds[] = {"pair", "triple"};
    const char *kind = kinds[c->kind == DCS_CORUN_TRIPLE];
    if (c->kind == DCS_CORUN_SIZED_PAIR)
        kind = kind_of_size(v->shapes, &c->sides[p->side]);
    bool mps = c->mechanism == DCS_CORUN_MPS;
    int64_t pause_ns = 0, pauses_ns = 0;
    for (size_t i = 0; mps && i < c->sides_count; i++) {
        if (validate_spins(&c->sides[i], &pause_ns))
            kind = "spin";
        pauses_ns += pause_ns;
    }
    append(p->group, sizeof p->group, "%s ", pauses_ns > 0 ? "arrival" : kind);
    for (size_t i = 0; i < c->sides_count; i++)
        if (mps)
            append(p->group, sizeof p->group, "%s%lld", i > 0 ? "/" : "",
                   (long long)c->sides[i].percent);
        else
            append(p->group, sizeof p->group, "%s%u", i > 0 ? "+" : "", c->sides[i].sms);
}

/* predicted[i * VALIDATE_MODELS + m]: of side i. */
static void keep(struct predictor *v, enum validate_section section, const struct dcs_corun *c,
                 const double *predicted)
{
    v->out->kept[section]++;
    for (size_t i = 0; i < c->sides_count; i++) {
        struct validate_prediction *p = add_prediction(v, section, c->id, i);
        p->what = "launch";
        p->measured_ns = c->sides[i].ns;
        memcpy(p->predicted_ns, predicted + i * VALIDATE_MODELS, sizeof p->predicted_ns);
        name_side(v, p, c, i);
        name_group(v, p, c);
    }
}

static void predict_partitions(struct predictor *v, enum validate_section section,
                               const struct dcs_corun *c, const uint32_t *shapes)
{
    struct dcs_presser set[DCS_CORUN_SIDES_MAX];
    double slowdown[DCS_CORUN_SIDES_MAX];
    double predicted[DCS_CORUN_SIDES_MAX * VALIDATE_MODELS];
    for (size_t i = 0; i < c->sides_count; i++)
        set[i] =
            (struct dcs_presser){.shape = dcs_shape_contends_as(&v->shapes->spatial, shapes[i]),
                                 .millisms = c->sides[i].sms * 1000};
    dcs_contention_slowdowns(v->contention, set, (uint32_t)c->sides_count, slowdown, NULL);
    for (size_t i = 0; i < c->sides_count; i++)
        for (int m = 0; m < VALIDATE_MODELS; m++)
            predicted[i * VALIDATE_MODELS + m] =
                c->sides[i].solo_ns * (m == VALIDATE_FULL ? slowdown[i] : 1);
    keep(v, section, c, predicted);
    for (size_t i = 0; i < c->sides_count; i++) {
        double measured =
            dcs_shape_measured_to(&v->shapes->spatial, set[i].shape, (double)c->sides[i].sms);
        v->out->list[v->out->count - c->sides_count + i].reach =
            measured > 0 ? slowdown[i] / measured : 0;
    }
}

/* Of the requests that began at from_ns or later. */
static double mean_ns(const struct replay_party *p, int64_t from_ns)
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < p->count; i++)
        if (p->runs[i].begin_ns >= from_ns) {
            sum += (double)(p->runs[i].end_ns - p->runs[i].begin_ns);
            n++;
        }
    return sum / (double)n;
}

/* Fills predicted[i * VALIDATE_MODELS] of each side. */
static bool replay_corun(struct predictor *v, const struct dcs_corun *c, const uint32_t *shapes,
                         struct dcs_contention *contention, double *predicted)
{
    const struct dcs_spatial *s = &v->shapes->spatial;
    struct replay_party parties[DCS_CORUN_SIDES_MAX] = {0};
    int64_t from_ns = 0;
    for (size_t i = 0; i < c->sides_count; i++) {
        const struct dcs_corun_side *side = &c->sides[i];
        parties[i] = (struct replay_party){
            .shapes = &shapes[i], .shapes_count = 1, .allotment = {DCS_GPU_MPS, side->sms}};
        parties[i].scale = side->solo_ns / dcs_shape_solo_ns(s, shapes[i], side->sms);
        validate_spins(side, &parties[i].pause_ns);
    }
    bool done =
        replay(s, contention, parties, c->sides_count, REPLAY_WARMUPS, REPLAY_LEAST, &from_ns);
    for (size_t i = 0; i < c->sides_count; i++) {
        if (done)
            predicted[i * VALIDATE_MODELS] = mean_ns(&parties[i], from_ns);
        free(parties[i].runs);
    }
    return done;
}

static void predict_shared(struct predictor *v, const struct dcs_corun *c, const uint32_t *shapes)
{
    double predicted[DCS_CORUN_SIDES_MAX * VALIDATE_MODELS];
    if (!replay_corun(v, c, shapes, v->contention, predicted + VALIDATE_FULL) ||
        !replay_corun(v, c, shapes, NULL, predicted + VALIDATE_NO_CONTENTION)) {
        v->out->left_out[VALIDATE_SHARED][VALIDATE_TOO_LONG]++;
        return;
    }
    for (size_t i = 0; i < c->sides_count; i++)
        predicted[i * VALIDATE_MODELS + VALIDATE_ALONE] = c->sides[i].solo_ns;
    keep(v, VALIDATE_SHARED, c, predicted);
}

/* ---- requests of programs ---- */

static double alone_ns(const struct predictor *v, const struct replay_party *p)
{
    int64_t launched_ns = 0, ended_ns = 0;
    for (uint32_t k = 0; k < p->shapes_count; k++) {
        double ns = dcs_shape_solo_ns(&v->shapes->spatial, p->shapes[k], p->allotment.sms);
        launched_ns = replay_launch_ns(p, k, k == 0 ? 0 : launched_ns, ended_ns);
        ended_ns = launched_ns > ended_ns ? launched_ns : ended_ns;
        ended_ns = dcs_add_times(ended_ns, (int64_t)(ns * p->scale + 0.5));
    }
    return (double)ended_ns;
}

#define HALVINGS 60 /* of a scale */

/* A request alone takes what was measured. */
static struct replay_party program_party(const struct predictor *v, uint32_t sms, double solo_ns,
                                         const struct dcs_sequence *sequence)
{
    struct replay_party p = {.shapes = sequence->shapes,
                             .shapes_count = sequence->kernels,
                             .scale = 1,
                             .host = sequence->host,
                             .allotment = {DCS_GPU_MPS, sms}};
    double kernels_ns = alone_ns(v, &p), below = 0, above = 1;
    if (p.host == NULL || kernels_ns >= solo_ns) {
        p.scale = solo_ns / kernels_ns;
        return p;
    }
    p.host_scale = 1;
    double recorded_ns = alone_ns(v, &p);
    if (recorded_ns <= solo_ns) {
        p.delay_ns = (int64_t)(solo_ns - recorded_ns + 0.5);
        return p;
    }
    for (int i = 0; i < HALVINGS; i++) {
        p.host_scale = (below + above) / 2;
        *(alone_ns(v, &p) > solo_ns ? &above : &below) = p.host_scale;
    }
    return p;
}

static double p95_ns(const struct replay_party *p, int64_t from_ns)
{
    double *ns = dcs_alloc(p->count, sizeof *ns);
    size_t n = 0;
    for (size_t i = 0; i < p->count; i++)
        if (p->runs[i].begin_ns >= from_ns)
            ns[n++] = (double)(p->runs[i].end_ns - p->runs[i].begin_ns);
    dcs_sort_doubles(ns, n);
    double value = validate_quantile(ns, n, 0.95);
    free(ns);
    return value;
}

/* Fills mean and 95th percentile of each side. */
static bool replay_programs(const struct predictor *v, const struct dcs_corun *c,
                            const struct dcs_sequence *const *sequences,
                            struct dcs_contention *contention, double (*predicted)[2])
{
    struct replay_party parties[DCS_CORUN_SIDES_MAX];
    int64_t from_ns = 0;
    for (size_t i = 0; i < c->sides_count; i++)
        parties[i] = program_party(v, c->sides[i].sms, c->sides[i].solo_ns, sequences[i]);
    bool done = replay(&v->shapes->spatial, contention, parties, c->sides_count, REPLAY_WARMUPS,
                       REPLAY_LEAST, &from_ns);
    for (size_t i = 0; i < c->sides_count; i++) {
        const struct dcs_corun_side *side = &c->sides[i];
        if (done) {
            predicted[i][0] = mean_ns(&parties[i], from_ns);
            predicted[i][1] = p95_ns(&parties[i], from_ns) * side->solo_p95_ns / side->solo_ns;
        }
        free(parties[i].runs);
    }
    return done;
}

static void judge(struct predictor *v, const char *name)
{
    const struct dcs_profile *profile = v->shapes->profile;
    v->out->judged[dcs_profile_app(profile, name) - profile->apps] = true;
}

static void keep_program(struct predictor *v, const struct dcs_corun *c, size_t i, int quantity,
                         const double *predicted)
{
    static const char *const whats[] = {"mean", "p95"};
    const struct dcs_corun_side *side = &c->sides[i];
    struct validate_prediction *p = add_prediction(v, VALIDATE_PROGRAMS, c->id, i);
    p->what = whats[quantity];
    p->measured_ns = quantity == 0 ? side->ns : side->p95_ns;
    memcpy(p->predicted_ns, predicted, sizeof p->predicted_ns);
    append(p->group, sizeof p->group, "%zu programs, %s", c->sides_count, p->what);
    name_side(v, p, c, i);
    judge(v, side->app);
}

static void predict_programs(struct predictor *v, const struct dcs_corun *c)
{
    const struct dcs_sequence *sequences[DCS_CORUN_SIDES_MAX];
    double full[DCS_CORUN_SIDES_MAX][2], apart[DCS_CORUN_SIDES_MAX][2];
    size_t *left_out = v->out->left_out[VALIDATE_PROGRAMS];
    for (size_t i = 0; i < c->sides_count; i++) {
        sequences[i] = validate_sequence(v->shapes, c->sides[i].app, c->sides[i].size);
        if (sequences[i] == NULL || c->mechanism != DCS_CORUN_MPS) {
            left_out[sequences[i] == NULL ? VALIDATE_UNKNOWN_KERNEL : VALIDATE_MECHANISM]++;
            return;
        }
    }
    if (!replay_programs(v, c, sequences, v->contention, full) ||
        !replay_programs(v, c, sequences, NULL, apart)) {
        left_out[VALIDATE_TOO_LONG]++;
        return;
    }
    v->out->kept[VALIDATE_PROGRAMS]++;
    for (size_t i = 0; i < c->sides_count; i++) {
        const struct dcs_corun_side *side = &c->sides[i];
        const double alone[] = {side->solo_ns, side->solo_p95_ns};
        for (int q = 0; q < (side->p95_ns > 0 ? 2 : 1); q++)
            keep_program(v, c, i, q, (double[]){full[i][q], apart[i][q], alone[q]});
    }
}

/* ---- co-runs ---- */

static void predict_corun(struct predictor *v, const struct dcs_corun *c)
{
    static const enum validate_section sections[] = {
        [DCS_CORUN_PAIR] = VALIDATE_PARTITIONS,
        [DCS_CORUN_TRIPLE] = VALIDATE_PARTITIONS,
        [DCS_CORUN_OVERSUBSCRIPTION] = VALIDATE_SHARED,
        [DCS_CORUN_SIZED_PAIR] = VALIDATE_SIZES,
    };
    if (c->kind == DCS_CORUN_PROGRAMS) {
        predict_programs(v, c);
        return;
    }
    enum validate_section section = sections[c->kind];
    bool sized = section == VALIDATE_SIZES;
    uint32_t shapes[DCS_CORUN_SIDES_MAX];
    size_t unknown = 0;
    for (size_t i = 0; i < c->sides_count; i++) {
        shapes[i] = sized ? validate_sized_shape(v->shapes, &c->sides[i])
                          : validate_shape(v->shapes, &c->sides[i]);
        unknown += shapes[i] == NO_SHAPE;
    }
    enum dcs_corun_mechanism wanted = section == VALIDATE_SHARED ? DCS_CORUN_MPS : DCS_CORUN_GREEN;
    if (unknown > 0)
        v->out->left_out[section][VALIDATE_UNKNOWN_KERNEL]++;
    else if (c->mechanism != wanted)
        v->out->left_out[section][VALIDATE_MECHANISM]++;
    else if (section == VALIDATE_SHARED)
        predict_shared(v, c, shapes);
    else
        predict_partitions(v, section, c, shapes);
}

/* ---- live requests ---- */

/* What is compared of a run: of whom, response or run time, mean or 95th percentile. */
static const struct quantity {
    const char *what;
    enum dcs_live_role role;
    bool response, p95;
} quantities[] = {
    {"service, response, mean", DCS_LIVE_SERVICE, true, false},
    {"service, response, p95", DCS_LIVE_SERVICE, true, true},
    {"service, run, mean", DCS_LIVE_SERVICE, false, false},
    {"service, run, p95", DCS_LIVE_SERVICE, false, true},
    {"batch, run, mean", DCS_LIVE_BATCH, false, false},
    {"batch, run, p95", DCS_LIVE_BATCH, false, true},
};
#define QUANTITIES (sizeof quantities / sizeof quantities[0])

static double summarise(const struct dcs_live_request *requests, size_t count,
                        const struct quantity *q)
{
    double *ns = dcs_alloc(count, sizeof *ns), sum = 0;
    for (size_t i = 0; i < count; i++) {
        const struct dcs_live_request *r = &requests[i];
        ns[i] = (double)(r->end_ns - (q->response ? r->arrival_ns : r->begin_ns));
        sum += ns[i];
    }
    dcs_sort_doubles(ns, count);
    double value = q->p95 ? validate_quantile(ns, count, 0.95) : sum / (double)count;
    free(ns);
    return value;
}

/* SMs of a percentage of MPS: 33, 50 and 67 % of 132 were measured as 42, 66 and 88. */
static uint32_t sms_of(const struct dcs_spatial *s, int64_t percent)
{
    uint32_t sms = (uint32_t)((int64_t)s->sms * percent / 200 * 2);
    return percent == 100 ? s->sms : sms < 2 ? 1 : sms;
}

static struct replay_party live_party(const struct predictor *v, const struct dcs_live_part *part,
                                      const struct dcs_sequence *sequence)
{
    const struct dcs_spatial *s = &v->shapes->spatial;
    struct replay_party p = {.shapes = sequence->shapes,
                             .shapes_count = sequence->kernels,
                             .allotment = {DCS_GPU_GREEN, part->sms}};
    if (part->sms == 0 && sequence->host != NULL) /* a recorded program */
        return program_party(v, sms_of(s, part->percent), (double)part->solo_ns, sequence);
    if (part->sms == 0)
        p.allotment = (struct dcs_gpu_allotment){DCS_GPU_MPS, sms_of(s, part->percent)};
    double alone_ns = 0;
    for (uint32_t k = 0; k < sequence->kernels; k++)
        alone_ns += dcs_shape_solo_ns(s, sequence->shapes[k], p.allotment.sms);
    p.scale = (double)part->solo_ns / alone_ns;
    return p;
}

/* Requests as the model has them; of the batch application those that end before the service is
 * through. out[role] is freed by the caller. */
static bool replay_live(const struct predictor *v, const struct dcs_live *live,
                        const struct dcs_sequence *const *sequences,
                        struct dcs_contention *contention, struct dcs_live_request **out,
                        size_t *counts)
{
    const struct dcs_spatial *s = &v->shapes->spatial;
    const struct dcs_live_part *service = &live->parts[DCS_LIVE_SERVICE];
    struct replay_party parties[DCS_LIVE_ROLES];
    int64_t from_ns;
    int64_t *arrivals_ns = dcs_alloc(service->count, sizeof *arrivals_ns);
    for (size_t i = 0; i < service->count; i++)
        arrivals_ns[i] = service->requests[i].arrival_ns;
    for (int role = 0; role < DCS_LIVE_ROLES; role++)
        parties[role] = live_party(v, &live->parts[role], sequences[role]);
    parties[DCS_LIVE_SERVICE].arrivals_ns = arrivals_ns;
    parties[DCS_LIVE_SERVICE].arrivals_count = service->count;
    bool done = replay(s, contention, parties, DCS_LIVE_ROLES, 0, 0, &from_ns);
    for (int role = 0; role < DCS_LIVE_ROLES; role++) {
        const struct replay_party *p = &parties[role];
        counts[role] = p->count;
        out[role] = dcs_alloc(p->count + 1, sizeof *out[role]);
        for (size_t i = 0; i < p->count; i++)
            out[role][i] = (struct dcs_live_request){
                .arrival_ns = role == DCS_LIVE_SERVICE ? arrivals_ns[i] : p->runs[i].begin_ns,
                .begin_ns = p->runs[i].begin_ns,
                .end_ns = p->runs[i].end_ns};
        done = done && p->count > 0;
        free(p->runs);
    }
    free(arrivals_ns);
    return done;
}

/* Each request takes what it takes alone. */
static void serve_alone(const struct dcs_live *live, struct dcs_live_request **out, size_t *counts)
{
    const struct dcs_live_part *service = &live->parts[DCS_LIVE_SERVICE];
    int64_t free_ns = 0;
    counts[DCS_LIVE_SERVICE] = service->count;
    counts[DCS_LIVE_BATCH] = 1;
    for (int role = 0; role < DCS_LIVE_ROLES; role++)
        out[role] = dcs_alloc(counts[role], sizeof *out[role]);
    for (size_t i = 0; i < service->count; i++) {
        struct dcs_live_request r = {.arrival_ns = service->requests[i].arrival_ns};
        r.begin_ns = r.arrival_ns > free_ns ? r.arrival_ns : free_ns;
        r.end_ns = free_ns = dcs_add_times(r.begin_ns, service->solo_ns);
        out[DCS_LIVE_SERVICE][i] = r;
    }
    out[DCS_LIVE_BATCH][0].end_ns = live->parts[DCS_LIVE_BATCH].solo_ns;
}

/* "dig (32 SMs)" */
static void name_part(const struct predictor *v, struct validate_prediction *p,
                      const struct dcs_live_part *part)
{
    name_app(v, p, part->app, part->size);
    if (part->sms > 0)
        append(p->name, sizeof p->name, " (%u SMs)", part->sms);
    else
        append(p->name, sizeof p->name, " (%lld %%)", (long long)part->percent);
}

static void name_live(const struct predictor *v, struct validate_prediction *p,
                      const struct dcs_live *live)
{
    name_part(v, p, &live->parts[DCS_LIVE_SERVICE]);
    append(p->name, sizeof p->name, " beside ");
    name_part(v, p, &live->parts[DCS_LIVE_BATCH]);
    append(p->name, sizeof p->name, ", load %.2g", live->load);
}

static void predict_live(struct predictor *v, enum validate_section section,
                         const struct dcs_live *live)
{
    const struct dcs_sequence *sequences[DCS_LIVE_ROLES];
    size_t counts[VALIDATE_MODELS][DCS_LIVE_ROLES] = {{0}};
    struct dcs_live_request *runs[VALIDATE_MODELS][DCS_LIVE_ROLES] = {{NULL}};
    for (int role = 0; role < DCS_LIVE_ROLES; role++) {
        const struct dcs_live_part *part = &live->parts[role];
        sequences[role] = validate_sequence(v->shapes, part->app, part->size);
        if (sequences[role] == NULL) {
            v->out->left_out[section][VALIDATE_UNKNOWN_KERNEL]++;
            return;
        }
    }
    bool done = replay_live(v, live, sequences, v->contention, runs[VALIDATE_FULL],
                            counts[VALIDATE_FULL]) &&
                replay_live(v, live, sequences, NULL, runs[VALIDATE_NO_CONTENTION],
                            counts[VALIDATE_NO_CONTENTION]);
    serve_alone(live, runs[VALIDATE_ALONE], counts[VALIDATE_ALONE]);
    for (int role = 0; done && role < DCS_LIVE_ROLES; role++)
        judge(v, live->parts[role].app);
    v->out->kept[section] += done;
    v->out->left_out[section][VALIDATE_TOO_LONG] += !done;
    for (size_t i = 0; done && i < QUANTITIES; i++) {
        const struct quantity *q = &quantities[i];
        struct validate_prediction *p = add_prediction(v, section, live->id, (size_t)q->role);
        const struct dcs_live_part *part = &live->parts[q->role];
        p->what = q->what;
        append(p->group, sizeof p->group, "%s", q->what);
        name_live(v, p, live);
        p->measured_ns = summarise(part->requests, part->count, q);
        for (int m = 0; m < VALIDATE_MODELS; m++)
            p->predicted_ns[m] = summarise(runs[m][q->role], counts[m][q->role], q);
    }
    for (int m = 0; m < VALIDATE_MODELS; m++)
        for (int role = 0; role < DCS_LIVE_ROLES; role++)
            free(runs[m][role]);
}

/* ---- the whole ---- */

void validate_predict(const struct validate_shapes *shapes, struct validate_predictions *out)
{
    struct predictor v = {
        .shapes = shapes, .contention = dcs_contention_create(&shapes->spatial), .out = out};
    const struct dcs_coruns *c = shapes->coruns;
    out->judged = dcs_alloc(shapes->profile->apps_count + 1u, sizeof *out->judged);
    /* Pairs and triples are one part; quadruples are for validate --slowdown alone. */
    static const enum dcs_corun_kind parts[][2] = {
        {DCS_CORUN_PAIR, DCS_CORUN_TRIPLE},
        {DCS_CORUN_SIZED_PAIR, DCS_CORUN_SIZED_PAIR},
        {DCS_CORUN_OVERSUBSCRIPTION, DCS_CORUN_OVERSUBSCRIPTION},
        {DCS_CORUN_PROGRAMS, DCS_CORUN_PROGRAMS},
    };
    for (size_t part = 0; part < sizeof parts / sizeof *parts; part++)
        for (size_t i = 0; i < c->coruns_count; i++)
            if (c->coruns[i].kind == parts[part][0] || c->coruns[i].kind == parts[part][1])
                predict_corun(&v, &c->coruns[i]);
    static const enum validate_section lives[] = {
        [DCS_LIVE_MPS] = VALIDATE_LIVE, [DCS_LIVE_PARTITIONS] = VALIDATE_LIVE_PARTITIONS};
    for (int kind = 0; kind < DCS_LIVE_KINDS; kind++)
        for (size_t i = 0; i < c->lives[kind].count; i++)
            predict_live(&v, lives[kind], &c->lives[kind].list[i]);
    dcs_contention_destroy(v.contention);
}

void validate_predictions_release(struct validate_predictions *p)
{
    free(p->list);
    free(p->judged);
}
