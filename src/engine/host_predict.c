/*
 * host_predict.c - what a policy is told that something will take, alone at an allotment.
 *
 * Three kinds of answers: the mean (of the profile or of a distribution; on a device that is
 * shared, at the SMs of the allotment; always at the size of the request), what trained predictors
 * say (models/predictor/predictor_store.h), and the truth for a clairvoyant. The first two depend
 * on profile, application, size of the request, kernel and SMs alone: they are worked out
 * once in a run, with the sums over the kernels of a request, so that a question about a request of
 * many kernels costs no more than one about a kernel.
 *
 * A kernel of a recorded program is told with what the means say that it waits for its host
 * (models/gpu/spatial.h, HOST), by whoever was not trained.
 *
 * Trained kernels are scaled by one factor for each application and number of SMs so that a request
 * is predicted to take what its own predictor says: the launch gaps are in that, and a kernel of
 * the simulation carries its part of them (models/gpu/spatial.h).
 */
#include "engine/host_parts.h"

#include <stdlib.h>

enum { KERNEL_QUANTITIES = 3 };

/* Of one application on devices of one profile at one number of SMs. */
struct predictions {
    int64_t *left_ns; /* by kernel: of it and all later ones; [kernels] = 0 */
    int64_t *of;      /* kernel * KERNEL_QUANTITIES + slot_of(): who asks for one of a kernel, asks
                       * for others */
    bool asked[KERNEL_QUANTITIES];
};

static size_t slot_of(enum host_quantity q)
{
    return q == HOST_DURATION_NS ? 0 : q == HOST_BANDWIDTH ? 1 : 2;
}

/* Rounded; times that cannot be simulated are as long as the longest that can. */
static int64_t whole_ns(double ns)
{
    return ns < (double)DCS_TIME_MAX ? (int64_t)(ns + 0.5) : DCS_TIME_MAX;
}

static int64_t at_least_one(int64_t ns)
{
    return ns > 1 ? ns : 1;
}

/* Of two kernels one after the other. */
static int64_t add_ns(int64_t a, int64_t b)
{
    return a > DCS_NEVER - b ? DCS_NEVER : a + b;
}

static uint32_t sms_of(const struct dcs_spatial *s, struct host_allotment a)
{
    return a.mechanism == HOST_WHOLE || a.sms < 1 || a.sms > s->sms ? s->sms : a.sms;
}

/* ---- What holds for every request of an application ---- */

/* Where predictions are for. */
struct point {
    const struct cluster_spec *spec;
    const struct dcs_app *app;
    uint32_t profile, sms; /* sms 0: the device has no allotments of them */
};

static const struct dcs_spatial *model_of(const struct point *p)
{
    return p->spec->sharing.spatial[p->profile];
}

/* Whoever predicts for it; NULL: nobody was trained. */
static const struct dcs_predictors *trained(const struct point *p)
{
    if (p->spec->predictors == NULL || p->app->listed == NULL || p->sms == 0)
        return NULL;
    return p->spec->predictors[p->profile];
}

/* A real system reads it off the request. */
static int64_t size_at(const struct point *p)
{
    return p->app->size > 0 ? p->app->size
                            : dcs_predictors_default_size(trained(p), p->app->listed[p->profile]);
}

static double trained_kernel(const struct point *p, enum dcs_target target, uint32_t kernel)
{
    const struct dcs_predictors *by = trained(p);
    return dcs_predictors_kernel(by, target, p->app->listed[p->profile], kernel, size_at(p),
                                 p->sms);
}

/* On a shared device: a kernel alone that takes `work` on the whole of it where the mean is `mean`.
 */
static double shared_ns(const struct point *p, uint32_t kernel, double work, double mean)
{
    const struct dcs_spatial *s = model_of(p);
    if (p->app->shapes == NULL)
        return work * ((double)s->sms / (double)p->sms);
    double solo =
        dcs_shape_solo_ns(s, p->app->shapes[p->profile * p->app->kernels + kernel], p->sms);
    return solo * (work / mean);
}

static int64_t mean_of(const struct point *p, uint32_t kernel)
{
    return p->app->mean_ns[p->profile * p->app->kernels + kernel];
}

static double shared_mean_ns(const struct point *p, uint32_t kernel)
{
    double mean = (double)mean_of(p, kernel);
    return shared_ns(p, kernel, mean, mean);
}

/* Whether its kernels wait for its host. */
static bool has_host(const struct point *p)
{
    return p->sms > 0 && p->app->host != NULL && p->app->host[p->profile] != NULL;
}

/* With what each kernel waits for its host, if nothing else holds the request up. */
static void add_host_waits(const struct point *p, int64_t *out)
{
    uint32_t kernels = p->app->kernels;
    double *solo_ns = dcs_alloc(kernels, sizeof *solo_ns);
    int64_t *waits_ns = dcs_alloc(kernels, sizeof *waits_ns);
    for (uint32_t k = 0; k < kernels; k++)
        solo_ns[k] = shared_mean_ns(p, k);
    dcs_app_host_waits(p->app, p->profile, solo_ns, waits_ns);
    for (uint32_t k = 0; k < kernels; k++)
        out[k * KERNEL_QUANTITIES] = add_ns(out[k * KERNEL_QUANTITIES], waits_ns[k]);
    free(solo_ns);
    free(waits_ns);
}

static void predict_means(const struct point *p, int64_t *out)
{
    for (uint32_t k = 0; k < p->app->kernels; k++)
        out[k * KERNEL_QUANTITIES] =
            at_least_one(p->sms == 0 ? mean_of(p, k) : whole_ns(shared_mean_ns(p, k)));
    if (has_host(p))
        add_host_waits(p, out);
}

static void predict_durations(const struct point *p, int64_t *out)
{
    const struct dcs_predictors *by = trained(p);
    if (by == NULL) {
        predict_means(p, out);
        return;
    }
    uint32_t app = p->app->listed[p->profile];
    double *ns = dcs_alloc(p->app->kernels, sizeof *ns), sum = 0;
    for (uint32_t k = 0; k < p->app->kernels; k++)
        sum += ns[k] = trained_kernel(p, DCS_KERNEL_DURATION, k);
    double request = dcs_predictors_request_ns(by, app, size_at(p), p->sms);
    for (uint32_t k = 0; k < p->app->kernels; k++)
        out[k * KERNEL_QUANTITIES] = at_least_one(whole_ns(ns[k] * (request / sum)));
    free(ns);
}

/* What a kernel of the profile does in so many ns; 0 where nothing is known. */
static int64_t rate_in(const struct point *p, uint32_t kernel, enum host_quantity q, double ns)
{
    if (p->sms == 0 || p->app->shapes == NULL)
        return 0;
    const struct dcs_spatial *s = model_of(p);
    const struct dcs_shape *shape =
        &s->shapes[p->app->shapes[p->profile * p->app->kernels + kernel]];
    if (q == HOST_BANDWIDTH)
        return whole_ns(shape->dram_bytes / ns * 1e9);
    if (s->clock_mhz == 0)
        return 0;
    return whole_ns(shape->instructions / (ns * 1e-3 * (double)s->clock_mhz) * 1000);
}

static void predict_rates(const struct point *p, enum host_quantity q, int64_t *out)
{
    bool bandwidth = q == HOST_BANDWIDTH;
    for (uint32_t k = 0; k < p->app->kernels; k++) {
        int64_t *to = &out[k * KERNEL_QUANTITIES];
        if (trained(p) == NULL) {
            *to = rate_in(p, k, q, p->sms == 0 ? 1 : shared_mean_ns(p, k));
            continue;
        }
        double rate = trained_kernel(p, bandwidth ? DCS_KERNEL_BANDWIDTH : DCS_KERNEL_IPC, k);
        *to = rate > 0 ? whole_ns(bandwidth ? rate : rate * 1000) : 0;
    }
}

/* One quantity of all kernels, when the first of them is asked for. */
static __attribute__((noinline)) void predict_all(const struct point *p, struct predictions *known,
                                                  enum host_quantity q)
{
    if (known->of == NULL)
        known->of = dcs_alloc((size_t)p->app->kernels * KERNEL_QUANTITIES, sizeof *known->of);
    if (q == HOST_DURATION_NS)
        predict_durations(p, &known->of[slot_of(q)]);
    else
        predict_rates(p, q, &known->of[slot_of(q)]);
    known->asked[slot_of(q)] = true;
}

static inline int64_t kernel_at(const struct point *p, struct predictions *known,
                                enum host_quantity q, uint32_t kernel)
{
    if (!known->asked[slot_of(q)])
        predict_all(p, known, q);
    return known->of[kernel * KERNEL_QUANTITIES + slot_of(q)];
}

static uint32_t sms_of_profile(const struct cluster *c, uint32_t profile)
{
    return c->device_kind->allots_sms ? c->spec->sharing.spatial[profile]->sms : 0;
}

/* Applications, and their requests of other sizes. */
static uint32_t forms_of(const struct cluster_spec *spec)
{
    return spec->apps_count + spec->sized_count;
}

/* form: p->app's index. */
static __attribute__((noinline)) struct predictions *
make_known(struct cluster *c, const struct point *p, uint32_t form)
{
    const struct cluster_spec *spec = p->spec;
    if (c->predictions == NULL)
        c->predictions =
            dcs_alloc((size_t)spec->profiles * forms_of(spec), sizeof(c->predictions[0]));
    struct predictions **by_sms = &c->predictions[p->profile * forms_of(spec) + form];
    if (*by_sms == NULL)
        *by_sms = dcs_alloc(sms_of_profile(c, p->profile) + 1u, sizeof(**by_sms));
    return &(*by_sms)[p->sms];
}

static inline struct predictions *known_at(struct cluster *c, const struct point *p, uint32_t form)
{
    struct predictions *by_sms =
        c->predictions != NULL ? c->predictions[p->profile * forms_of(p->spec) + form] : NULL;
    return by_sms != NULL ? &by_sms[p->sms] : make_known(c, p, form);
}

static __attribute__((noinline)) void add_up(const struct point *p, struct predictions *known)
{
    known->left_ns = dcs_alloc(p->app->kernels + 1u, sizeof *known->left_ns);
    for (uint32_t k = p->app->kernels; k-- > 0;)
        known->left_ns[k] = add_ns(known->left_ns[k + 1], kernel_at(p, known, HOST_DURATION_NS, k));
}

static inline int64_t sum_from(const struct point *p, struct predictions *known, uint32_t kernel)
{
    if (known->left_ns == NULL)
        add_up(p, known);
    return known->left_ns[kernel];
}

static void release_predictions(struct predictions *known)
{
    free(known->of);
    free(known->left_ns);
}

void host_predictions_free(struct cluster *c)
{
    const struct cluster_spec *spec = c->spec;
    for (uint32_t i = 0; c->predictions != NULL && i < spec->profiles * forms_of(spec); i++) {
        struct predictions *by_sms = c->predictions[i];
        for (uint32_t n = 0; by_sms != NULL && n <= sms_of_profile(c, i / forms_of(spec)); n++)
            release_predictions(&by_sms[n]);
        free(by_sms);
    }
    free(c->predictions);
}

/* ---- What holds for one request ---- */

/* The true work of a kernel, on the whole device. */
static int64_t true_work_ns(struct domain *d, struct request *r, uint32_t kernel)
{
    if (kernel == r->kernel && r->state == REQUEST_RUNNING)
        return r->work_ns;
    return request_true_work_ns(d->cluster, r, kernel, d->profile);
}

/* Of a clairvoyant, or of a request whose kernel has been saved in part: that is known. */
static int64_t own_work_ns(const struct point *p, struct domain *d, struct request *r,
                           uint32_t kernel)
{
    int64_t work = p->spec->clairvoyant ? true_work_ns(d, r, kernel) : mean_of(p, kernel);
    return kernel == r->kernel ? work - r->saved_ns : work;
}

/* Of a clairvoyant's kernel: what the means say that it waits for its host. */
static int64_t host_wait_of(const struct point *p, struct domain *d, struct request *r,
                            uint32_t kernel)
{
    if (!has_host(p) || trained(p) != NULL)
        return 0;
    int64_t ns = kernel_at(p, known_at(d->cluster, p, r->form), HOST_DURATION_NS, kernel) -
                 at_least_one(whole_ns(shared_mean_ns(p, kernel)));
    return ns > 0 ? ns : 0;
}

static int64_t own_prediction(const struct point *p, struct domain *d, struct request *r,
                              uint32_t kernel, enum host_quantity q)
{
    int64_t work = own_work_ns(p, d, r, kernel);
    if (p->sms == 0)
        return q == HOST_DURATION_NS ? at_least_one(work) : 0;
    double ns = shared_ns(p, kernel, (double)work, (double)mean_of(p, kernel));
    return q == HOST_DURATION_NS ? add_ns(at_least_one(whole_ns(ns)), host_wait_of(p, d, r, kernel))
                                 : rate_in(p, kernel, q, ns);
}

static int64_t own_sum(const struct point *p, struct domain *d, struct request *r, uint32_t kernel)
{
    int64_t sum = 0;
    for (uint32_t k = kernel; k < p->app->kernels; k++)
        sum = add_ns(sum, own_prediction(p, d, r, k, HOST_DURATION_NS));
    return sum;
}

static __attribute__((noinline)) int64_t own_answer(const struct point *p, struct domain *d,
                                                    struct request *r, uint32_t kernel,
                                                    enum host_quantity q)
{
    if (q == HOST_REQUEST_DURATION_NS)
        return own_sum(p, d, r, 0);
    return q == HOST_TOTAL_DURATION_NS ? own_sum(p, d, r, kernel)
                                       : own_prediction(p, d, r, kernel, q);
}

/* Alone with other blocks than fit, of which the means are; others have no such allotments. */
static int64_t with_blocks(const struct domain *d, const struct request *r, struct host_allotment a,
                           int64_t ns)
{
    const struct cluster *c = d->cluster;
    if (a.mechanism != HOST_BLOCKS || c->device_kind->rate == NULL || ns <= 0)
        return ns;
    double rate = c->device_kind->rate(&c->devices[d->first_device], request_form(c, r), a);
    double time = rate > 0 ? (double)ns / rate : (double)DCS_TIME_MAX;
    return time < (double)DCS_TIME_MAX ? (int64_t)(time + 0.5) : HOST_NEVER;
}

static __attribute__((noinline)) int64_t work_out(struct domain *d, struct request *r,
                                                  uint32_t kernel, enum host_quantity q,
                                                  struct host_allotment a)
{
    const struct cluster_spec *spec = d->cluster->spec;
    const struct device_kind *devices = d->cluster->device_kind;
    if (devices->allots_cores)
        return host_prediction_cpu(d, r, q, a);
    struct point p = {.spec = spec, .app = request_form(d->cluster, r), .profile = d->profile};
    if (devices->allots_sms)
        p.sms = sms_of(model_of(&p), a);
    if (spec->clairvoyant || r->saved_ns > 0)
        return own_answer(&p, d, r, kernel, q);
    struct predictions *known = known_at(d->cluster, &p, r->form);
    if (q == HOST_TOTAL_DURATION_NS || q == HOST_REQUEST_DURATION_NS)
        return with_blocks(d, r, a,
                           sum_from(&p, known, q == HOST_REQUEST_DURATION_NS ? 0 : kernel));
    int64_t answer = kernel_at(&p, known, q, kernel);
    return q == HOST_DURATION_NS ? with_blocks(d, r, a, answer) : answer;
}

/* What is known of a request's form, by SMs; NULL: nothing, or it does not say what is asked. */
static inline const struct predictions *known_by_sms(const struct domain *d,
                                                     const struct request *r, enum host_mechanism m)
{
    const struct cluster *c = d->cluster;
    bool own = c->spec->clairvoyant || r->saved_ns > 0 || m == HOST_BLOCKS;
    if (own || c->predictions == NULL || !c->device_kind->allots_sms)
        return NULL;
    return c->predictions[d->profile * forms_of(c->spec) + r->form];
}

static inline bool is_of_kernel(enum host_quantity q)
{
    return q == HOST_DURATION_NS || q == HOST_BANDWIDTH || q == HOST_MILLI_IPC;
}

/* Policies ask for each kernel at each number of SMs: mostly for what is known. */
int64_t host_prediction(struct domain *d, struct request *r, uint32_t kernel, enum host_quantity q,
                        struct host_allotment a)
{
    const struct predictions *known = known_by_sms(d, r, a.mechanism);
    if (known == NULL)
        return work_out(d, r, kernel, q, a);
    known += sms_of(d->cluster->spec->sharing.spatial[d->profile], a);
    if (q == HOST_TOTAL_DURATION_NS && known->left_ns != NULL)
        return known->left_ns[kernel];
    if (is_of_kernel(q) && known->asked[slot_of(q)])
        return known->of[kernel * KERNEL_QUANTITIES + slot_of(q)];
    return work_out(d, r, kernel, q, a);
}

/* A request of the domain that has such a kernel; NULL: there is none. HOST_CURRENT_KERNEL becomes
 * that kernel's number. */
static struct request *find_asked(const struct domain *d, req_id id, uint32_t *kernel)
{
    struct request *r = host_visible(d, id);
    if (r == NULL)
        return NULL;
    if (*kernel == HOST_CURRENT_KERNEL)
        *kernel = r->kernel;
    return *kernel < request_form(d->cluster, r)->kernels ? r : NULL;
}

int64_t host_ask_predict(struct host *h, req_id id, uint32_t kernel, enum host_quantity q,
                         struct host_allotment a)
{
    struct domain *d = host_domain(h);
    struct request *r = find_asked(d, id, &kernel);
    if (r == NULL)
        return -1;
    host_charge_predictions(d, 1);
    return host_prediction(d, r, kernel, q, a);
}

void host_ask_predict_each(struct host *h, req_id id, enum host_quantity q, enum host_mechanism m,
                           const uint32_t *sms, uint32_t n, int64_t *out)
{
    struct domain *d = host_domain(h);
    uint32_t kernel = HOST_CURRENT_KERNEL;
    struct request *r = find_asked(d, id, &kernel);
    if (r == NULL) {
        for (uint32_t i = 0; i < n; i++)
            out[i] = -1;
        return;
    }
    host_charge_predictions(d, n);
    const struct predictions *by_sms = known_by_sms(d, r, m);
    bool known = by_sms != NULL && is_of_kernel(q) && m != HOST_WHOLE;
    uint32_t all = known ? d->cluster->spec->sharing.spatial[d->profile]->sms : 0;
    size_t slot = slot_of(q), at = kernel * KERNEL_QUANTITIES + slot;
    for (uint32_t i = 0; i < n; i++) {
        struct host_allotment a = {.mechanism = m, .sms = sms[i]};
        bool here = sms[i] > 0 && sms[i] <= all && by_sms[sms[i]].asked[slot];
        out[i] = here ? by_sms[sms[i]].of[at] : host_prediction(d, r, kernel, q, a);
    }
}
