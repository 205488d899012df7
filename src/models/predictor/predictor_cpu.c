/* predictor_cpu.c - see predictor_cpu.h. */
#include "models/predictor/methods.h"
#include "models/predictor/predictor_cpu.h"

#include "models/predictor/predictor_method.h"
#include "models/predictor/predictor_store.h"
#include "models/profile/profile_open.h"
#include "models/profile/profile_rows.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Runs ---- */

struct dcs_sample *dcs_cpu_runs(const struct dcs_cpu *cpu, const struct dcs_cpu_app *app,
                                double mean_ns, enum dcs_target target, uint64_t seed,
                                const char *name)
{
    struct dcs_sample *runs = dcs_alloc(DCS_CPU_RUNS, sizeof *runs);
    struct dcs_rng rng;
    dcs_rng_stream(&rng, seed, 0, DCS_RNG_RUNS, dcs_text_hash(name));
    for (size_t i = 0; i < DCS_CPU_RUNS; i++) {
        int64_t size = dcs_cpu_size(app, dcs_rng_uniform(&rng));
        uint32_t cores = 1 + (uint32_t)dcs_rng_below(&rng, cpu->cores);
        uint32_t ways = 1 + (uint32_t)dcs_rng_below(&rng, cpu->ways);
        double noise = 1 + app->noise * (2 * dcs_rng_uniform(&rng) - 1);
        double rate = dcs_cpu_rate(cpu, app, dcs_cpu_usable(app, cores), ways, 1);
        runs[i].x[DCS_BY_SIZE] = (double)size;
        runs[i].x[DCS_BY_SMS] = cores;
        runs[i].x[DCS_BY_WAYS] = ways;
        runs[i].y = target == DCS_KERNEL_IPC ? app->ipc * rate
                                             : mean_ns * dcs_cpu_work(app, size) * noise / rate;
    }
    return runs;
}

/* ---- Loading ---- */

enum { DURATION, IPC, TARGETS };

struct dcs_cpu_predictors {
    uint32_t apps;
    char sha256[65];
    struct dcs_model (*models)[TARGETS]; /* by application */
    double (*r2)[TARGETS];
};

struct reader {
    struct dcs_rows rows;
    struct dcs_cpu_predictors *p;
    const struct dcs_profile *profile;
    const struct dcs_method *method;
    size_t loaded;
};

static const struct dcs_method *method_of(const char *name)
{
    for (size_t i = 0; dcs_methods_cpu[i] != NULL; i++)
        if (strcmp(dcs_methods_cpu[i]->name, name) == 0)
            return dcs_methods_cpu[i];
    return NULL;
}

/* Of each application and target the model that is asked for, or the one with the highest R^2. */
static int take_model(void *context)
{
    struct reader *r = context;
    int target;
    double r2;
    if (dcs_rows_choice(&r->rows, 0, dcs_target_names, &target) != 0)
        return -1;
    const char *name = dcs_rows_name(&r->rows, 1);
    if (name == NULL)
        return -1;
    const struct dcs_profile_app *app = dcs_profile_app(r->profile, name);
    if (app == NULL)
        return dcs_rows_bad_value(&r->rows, 1, "an application of this profile");
    if (target != DCS_REQUEST_DURATION && target != DCS_KERNEL_IPC)
        return dcs_rows_bad_value(&r->rows, 0, "request_duration or kernel_ipc");
    const char *method_name = dcs_rows_name(&r->rows, 2);
    const struct dcs_method *method = method_name != NULL ? method_of(method_name) : NULL;
    if (method == NULL)
        return method_name != NULL ? dcs_rows_bad_value(&r->rows, 2, "a method for CPUs") : -1;
    if (dcs_rows_real(&r->rows, 3, -1e300, 1, &r2) != 0)
        return -1;
    size_t index = (size_t)(app - r->profile->apps),
           which = target == DCS_KERNEL_IPC ? IPC : DURATION;
    struct dcs_model *model = &r->p->models[index][which];
    if (r->method != NULL && r->method != method)
        return 0;
    if (model->v != NULL && r->method != NULL)
        return dcs_rows_bad_value(&r->rows, 2, "each model once");
    if (model->v != NULL && r2 <= r->p->r2[index][which])
        return 0;
    dcs_model_release(model);
    struct dcs_err why = {0};
    const char *text = dcs_rows_text(&r->rows, 4);
    if (dcs_model_parse(model, method, text != NULL ? text : "", &why) != 0)
        return dcs_err_at(r->rows.err, r->rows.file, 0, "predictor.model",
                          "row %lld, of \"%.64s\", %s", (long long)r->rows.row, app->name,
                          why.text);
    r->p->r2[index][which] = r2;
    r->loaded++;
    return 0;
}

static int load(struct reader *r, const char *profile)
{
    if (dcs_predictors_check_profile(r->rows.source, r->rows.file, profile, r->profile,
                                     r->rows.err) != 0)
        return -1;
    if (dcs_rows_each(&r->rows, "predictor",
                      "SELECT target, application, method, test_r2, model FROM predictor",
                      take_model, r) != 0)
        return -1;
    if (r->loaded > 0)
        return 0;
    if (r->method != NULL)
        return dcs_predictors_lack_method(r->rows.err, r->rows.file, profile, r->method);
    return dcs_predictors_train_again(r->rows.err, r->rows.file, profile, "has no predictors");
}

struct dcs_cpu_predictors *dcs_cpu_predictors_load(const char *path, const char *profile,
                                                   const struct dcs_profile *p,
                                                   const struct dcs_method *method,
                                                   struct dcs_err *err)
{
    struct dcs_profile_source source;
    if (access(path, F_OK) != 0) {
        dcs_predictors_train_again(err, path, profile, "there are no predictors of that name");
        return NULL;
    }
    if (dcs_predictors_open(&source, path, err) != 0)
        return NULL;
    struct dcs_cpu_predictors *loaded = dcs_alloc(1, sizeof *loaded);
    loaded->apps = (uint32_t)p->apps_count;
    loaded->models = dcs_alloc(p->apps_count + 1, sizeof *loaded->models);
    loaded->r2 = dcs_alloc(p->apps_count + 1, sizeof *loaded->r2);
    memcpy(loaded->sha256, source.sha256, sizeof loaded->sha256);
    struct reader r = {.rows = {.source = &source, .file = path, .err = err},
                       .p = loaded,
                       .profile = p,
                       .method = method};
    int status = load(&r, profile);
    dcs_profile_close(&source);
    if (status == 0)
        return loaded;
    dcs_cpu_predictors_free(loaded);
    return NULL;
}

void dcs_cpu_predictors_free(struct dcs_cpu_predictors *p)
{
    for (uint32_t a = 0; p != NULL && a < p->apps; a++)
        for (size_t t = 0; t < TARGETS; t++)
            dcs_model_release(&p->models[a][t]);
    if (p != NULL) {
        free(p->models);
        free(p->r2);
    }
    free(p);
}

const char *dcs_cpu_predictors_sha256(const struct dcs_cpu_predictors *p)
{
    return p->sha256;
}

double dcs_cpu_predictors_ask(const struct dcs_cpu_predictors *p, enum dcs_target target,
                              uint32_t app, int64_t size, uint32_t cores, uint32_t ways)
{
    DCS_ASSERT(app < p->apps);
    const struct dcs_model *m = &p->models[app][target == DCS_KERNEL_IPC ? IPC : DURATION];
    double x[DCS_FEATURES_MAX] = {0};
    x[DCS_BY_SIZE] = (double)size;
    x[DCS_BY_SMS] = cores;
    x[DCS_BY_WAYS] = ways;
    return m->v != NULL ? dcs_model_ask(m, x) : -1;
}
