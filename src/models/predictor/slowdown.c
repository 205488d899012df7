/* slowdown.c - see slowdown.h: the network, and what both models share; the file of predictors is
 * read in slowdown_store.c. */
#include "models/predictor/slowdown.h"

#include "models/predictor/slowdown_method.h"
#include "models/predictor/slowdown_net.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Model: mean and 1 / standard deviation of each input, then the weights. */
#define HEAD (2 * DCS_SLOWDOWN_INPUTS)
#define UNIT (DCS_SLOWDOWN_INPUTS + 1) /* its weights, and its constant */

/* Through all samples. Chosen on those pairs of `dev`, too: after more rounds the network knows the
 * kernels that it is trained on better, and others worse. */
#define ROUNDS 15

const char *const dcs_slowdown_names[DCS_SLOWDOWN_METHODS + 1] = {
    [DCS_SLOWDOWN_BESIDE] = "themis",
    [DCS_SLOWDOWN_ALONE] = "themis-alone",
    [DCS_SLOWDOWN_GPM] = "gpm",
};

static double at_least_one(double slowdown)
{
    return slowdown > 1 ? slowdown : 1;
}

/* ---- The network ---- */

/* The paper says nothing of how inputs are scaled. Chosen on pairs of the half `dev`, kernels of
 * applications that were held out: roots, where logarithms and plain values were worse. */
static void inputs_of(uint32_t sms, const struct dcs_events *own, const double *pressure, double *x)
{
    x[0] = sqrt(sms);
    for (size_t i = 0; i < DCS_EVENTS; i++)
        x[1 + i] = i == DCS_EVENT_HELD ? own->v[i] : sqrt(own->v[i]);
    for (size_t i = 0; i < DCS_PRESSURES; i++)
        x[1 + DCS_EVENTS + i] = sqrt(pressure[i]);
}

static const char *check_net(const double *v, size_t n)
{
    (void)v;
    return n == HEAD + DCS_SLOWDOWN_WEIGHTS ? NULL : "expected scales and weights of 12-12-12-2";
}

static const struct dcs_method beside = {
    .name = "themis",
    .summary = "network of Themis, counters of kernels together",
    .check = check_net,
};
static const struct dcs_method alone = {
    .name = "themis-alone",
    .summary = "network of Themis, counters of each alone",
    .check = check_net,
};
const struct dcs_method *const dcs_slowdown_models[DCS_SLOWDOWN_METHODS] = {
    [DCS_SLOWDOWN_BESIDE] = &beside,
    [DCS_SLOWDOWN_ALONE] = &alone,
    [DCS_SLOWDOWN_GPM] = &dcs_method_gpm,
};

static struct dcs_slowdown ask_net(const double *v, const double *inputs)
{
    double x[DCS_SLOWDOWN_INPUTS];
    struct dcs_slowdown d;
    for (size_t i = 0; i < DCS_SLOWDOWN_INPUTS; i++)
        x[i] = (inputs[i] - v[2 * i]) * v[2 * i + 1];
    dcs_slowdown_net_ask(v + HEAD, x, &d.scal, &d.inter);
    d.scal = at_least_one(d.scal);
    d.inter = at_least_one(d.inter);
    return d;
}

struct dcs_slowdown dcs_slowdown_model_ask(enum dcs_slowdown_method by, const double *v,
                                           uint32_t sms, const struct dcs_events *own,
                                           const double pressure[DCS_PRESSURES])
{
    double x[DCS_SLOWDOWN_INPUTS];
    if (by == DCS_SLOWDOWN_GPM)
        return (struct dcs_slowdown){.scal = at_least_one(dcs_gpm_ask(v, sms, own)), .inter = 1};
    inputs_of(sms, own, pressure, x);
    return ask_net(v, x);
}

void dcs_slowdown_model_invent(enum dcs_slowdown_method by, uint32_t sms, struct dcs_model *m)
{
    struct dcs_numbers list = {0};
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 0, 0, DCS_RNG_WEIGHTS, 0);
    if (by == DCS_SLOWDOWN_GPM)
        dcs_gpm_invent(sms, &list);
    for (size_t i = 0; by != DCS_SLOWDOWN_GPM && i < HEAD; i++)
        dcs_numbers_add(&list, i % 2 == 0 ? 0 : 0.1);
    for (size_t i = 0; by != DCS_SLOWDOWN_GPM && i < DCS_SLOWDOWN_WEIGHTS; i++) {
        double w = 2 * dcs_rng_uniform(&rng) - 1;
        bool says = i >= 2 * DCS_SLOWDOWN_LAYER && i % UNIT == UNIT - 1;
        dcs_numbers_add(&list, says ? 5 : w); /* below 1 they would count as 1 */
    }
    dcs_model_keep(m, dcs_slowdown_models[by], &list);
}

/* ---- Training ---- */

static double time_counted(enum dcs_slowdown_method by, const struct dcs_producer_run *run)
{
    return by == DCS_SLOWDOWN_ALONE ? run->solo_ns : run->beside_ns;
}

static struct dcs_slowdown_sample *sample_runs(const struct dcs_slowdown_training *t,
                                               enum dcs_slowdown_method by, const bool *train,
                                               size_t *n)
{
    struct dcs_slowdown_sample *list = dcs_alloc(t->n, sizeof *list);
    *n = 0;
    for (size_t i = 0; i < t->n; i++) {
        const struct dcs_producer_run *run = &t->runs[i];
        struct dcs_events own;
        if (!train[i] || !dcs_events_of(t->counts, run->shape, time_counted(by, run), &own))
            continue;
        struct dcs_slowdown_sample *s = &list[(*n)++];
        s->scal = run->solo_ns / run->whole_ns;
        s->inter = run->beside_ns / run->solo_ns;
        inputs_of(run->sms, &own, run->pressure, s->x);
    }
    return list;
}

/* Scales the inputs of the samples, and says by what. */
static void scale_inputs(struct dcs_slowdown_sample *list, size_t n, struct dcs_numbers *out)
{
    for (size_t k = 0; k < DCS_SLOWDOWN_INPUTS; k++) {
        double mean = 0, squares = 0;
        for (size_t i = 0; i < n; i++)
            mean += list[i].x[k] / (double)n;
        for (size_t i = 0; i < n; i++)
            squares += (list[i].x[k] - mean) * (list[i].x[k] - mean);
        double unit = sqrt(squares / (double)n), per_unit = unit > 1e-9 ? 1 / unit : 0;
        for (size_t i = 0; i < n; i++)
            list[i].x[k] = (list[i].x[k] - mean) * per_unit;
        dcs_numbers_add(out, mean);
        dcs_numbers_add(out, per_unit);
    }
}

static void train_net(const struct dcs_slowdown_training *t, enum dcs_slowdown_method by,
                      const bool *train, struct dcs_rng *rng, struct dcs_numbers *out)
{
    size_t n;
    double w[DCS_SLOWDOWN_WEIGHTS];
    struct dcs_slowdown_sample *list = sample_runs(t, by, train, &n);
    scale_inputs(list, n, out);
    dcs_slowdown_net_fit(list, n, ROUNDS, rng, w);
    for (size_t i = 0; i < DCS_SLOWDOWN_WEIGHTS; i++)
        dcs_numbers_add(out, w[i]);
    free(list);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of the whole slow-down (of GPM: of that by scalability), on runs that were not trained on. */
static void test_model(const struct dcs_slowdown_training *t, enum dcs_slowdown_method by,
                       const bool *train, struct dcs_predictor_row *row)
{
    double *errors = dcs_alloc(t->n, sizeof *errors), sum = 0;
    for (size_t i = 0; i < t->n; i++) {
        const struct dcs_producer_run *run = &t->runs[i];
        struct dcs_events own;
        if (train[i] || !dcs_events_of(t->counts, run->shape, time_counted(by, run), &own))
            continue;
        struct dcs_slowdown d =
            dcs_slowdown_model_ask(by, row->model.v, run->sms, &own, run->pressure);
        double took_ns = by == DCS_SLOWDOWN_GPM ? run->solo_ns : run->beside_ns;
        double error = fabs(d.scal * d.inter * run->whole_ns / took_ns - 1);
        errors[row->test_n++] = error;
        sum += error;
    }
    if (row->test_n > 0) {
        qsort(errors, row->test_n, sizeof *errors, compare_doubles);
        row->error.mean = sum / (double)row->test_n;
        row->error.p95 = errors[(95 * row->test_n + 99) / 100 - 1];
    }
    free(errors);
}

void dcs_slowdowns_train(const struct dcs_slowdown_training *t,
                         struct dcs_predictor_row rows[DCS_SLOWDOWN_METHODS])
{
    bool *train = dcs_alloc(t->n + 1, sizeof *train);
    size_t train_n = 0;
    for (size_t i = 0; i < t->n; i++) {
        const char *app = t->spatial->shapes[t->runs[i].shape].app;
        uint32_t a = 0;
        while (strcmp(t->spatial->sequences[a].app, app) != 0)
            a++;
        train[i] = !t->held_out[a];
        train_n += train[i];
    }
    DCS_ASSERT(train_n > 0);
    for (int by = 0; by < DCS_SLOWDOWN_METHODS; by++) {
        struct dcs_rng rng;
        struct dcs_numbers list = {0};
        dcs_rng_stream(&rng, t->seed, 0, DCS_RNG_WEIGHTS, dcs_text_hash(dcs_slowdown_names[by]));
        if (by == DCS_SLOWDOWN_GPM)
            dcs_gpm_train(t, train, &rng, &list);
        else
            train_net(t, (enum dcs_slowdown_method)by, train, &rng, &list);
        rows[by] = (struct dcs_predictor_row){
            .target = DCS_SLOWDOWN, .app = "", .task = "", .train_n = train_n};
        dcs_model_keep(&rows[by].model, dcs_slowdown_models[by], &list);
        test_model(t, (enum dcs_slowdown_method)by, train, &rows[by]);
    }
    free(train);
}
