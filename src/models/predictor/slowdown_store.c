/* slowdown_store.c - reads the predictors of slow-downs of a file; see slowdown.h. */
#include "models/predictor/slowdown_method.h"
#include "models/profile/profile_rows.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct dcs_slowdowns {
    char sha256[65];
    struct dcs_event_counts *counts;
    struct dcs_model models[DCS_SLOWDOWN_METHODS];
    char *held_out; /* names, each with a newline before and after it */
};

struct reader {
    struct dcs_rows rows;
    struct dcs_slowdowns *d;
};

static int take_model(void *context)
{
    struct reader *r = context;
    const char *target = dcs_rows_text(&r->rows, 0);
    int method;
    if (target == NULL || strcmp(target, DCS_SLOWDOWN_TARGET) != 0)
        return 0;
    if (dcs_rows_choice(&r->rows, 1, dcs_slowdown_names, &method) != 0)
        return -1;
    struct dcs_model *model = &r->d->models[method];
    const char *text = dcs_rows_text(&r->rows, 2);
    struct dcs_err why = {0};
    if (model->v != NULL)
        return dcs_rows_bad_value(&r->rows, 1, "each model once");
    if (dcs_model_parse(model, dcs_slowdown_models[method], text != NULL ? text : "", &why) != 0)
        return dcs_err_at(r->rows.err, r->rows.file, 0, "predictor.model", "row %lld, %s",
                          (long long)r->rows.row, why.text);
    return 0;
}

static int take_held_out(void *context)
{
    struct reader *r = context;
    const char *key = dcs_rows_text(&r->rows, 0), *value = dcs_rows_text(&r->rows, 1);
    if (key == NULL || value == NULL || strcmp(key, DCS_SLOWDOWN_HELD_OUT) != 0)
        return 0;
    free(r->d->held_out);
    r->d->held_out = dcs_alloc(strlen(value) + 3, 1);
    snprintf(r->d->held_out, strlen(value) + 3, "\n%s\n", value);
    return 0;
}

static int read_models(struct reader *r, const char *profile, const struct dcs_profile *p)
{
    if (dcs_predictors_check_profile(r->rows.source, r->rows.file, profile, p, r->rows.err) != 0 ||
        dcs_rows_each(&r->rows, "predictors", "SELECT key, value FROM predictors", take_held_out,
                      r) != 0 ||
        dcs_rows_each(&r->rows, "predictor", "SELECT target, method, model FROM predictor",
                      take_model, r) != 0)
        return -1;
    for (int m = 0; m < DCS_SLOWDOWN_METHODS; m++)
        if (r->d->models[m].v == NULL)
            return dcs_predictors_lack_method(r->rows.err, r->rows.file, profile,
                                              dcs_slowdown_models[m]);
    return 0;
}

struct dcs_slowdowns *dcs_slowdowns_load(const char *path, const char *profile,
                                         const struct dcs_profile *p, const struct dcs_spatial *s,
                                         struct dcs_err *err)
{
    struct dcs_profile_source source;
    if (access(path, F_OK) != 0) {
        dcs_predictors_train_again(err, path, profile, "there are no predictors of that name");
        return NULL;
    }
    if (dcs_predictors_open(&source, path, err) != 0)
        return NULL;
    struct dcs_slowdowns *d = dcs_alloc(1, sizeof *d);
    memcpy(d->sha256, source.sha256, sizeof d->sha256);
    struct reader r = {.rows = {.source = &source, .file = path, .err = err}, .d = d};
    int status = read_models(&r, profile, p);
    dcs_profile_close(&source);
    if (status == 0)
        d->counts = dcs_event_counts_load(profile, p, s, false, err);
    if (d->counts != NULL)
        return d;
    dcs_slowdowns_free(d);
    return NULL;
}

struct dcs_slowdowns *dcs_slowdowns_untrained(const char *profile, const struct dcs_profile *p,
                                              const struct dcs_spatial *s, struct dcs_err *err)
{
    struct dcs_slowdowns *d = dcs_alloc(1, sizeof *d);
    for (int by = 0; by < DCS_SLOWDOWN_METHODS; by++)
        dcs_slowdown_model_invent((enum dcs_slowdown_method)by, s->sms, &d->models[by]);
    d->counts = dcs_event_counts_load(profile, p, s, true, err);
    if (d->counts != NULL)
        return d;
    dcs_slowdowns_free(d);
    return NULL;
}

void dcs_slowdowns_free(struct dcs_slowdowns *d)
{
    if (d == NULL)
        return;
    for (int m = 0; m < DCS_SLOWDOWN_METHODS; m++)
        dcs_model_release(&d->models[m]);
    dcs_event_counts_free(d->counts);
    free(d->held_out);
    free(d);
}

const char *dcs_slowdowns_sha256(const struct dcs_slowdowns *d)
{
    return d->sha256;
}

bool dcs_slowdowns_events(const struct dcs_slowdowns *d, uint32_t shape, double ns,
                          struct dcs_events *out)
{
    return dcs_events_of(d->counts, shape, ns, out);
}

bool dcs_slowdowns_held_out(const struct dcs_slowdowns *d, const char *app)
{
    char name[80];
    snprintf(name, sizeof name, "\n%s\n", app);
    return d->held_out != NULL && strstr(d->held_out, name) != NULL;
}

struct dcs_slowdown dcs_slowdowns_ask(const struct dcs_slowdowns *d, enum dcs_slowdown_method by,
                                      uint32_t sms, const struct dcs_events *own,
                                      const double pressure[DCS_PRESSURES])
{
    return dcs_slowdown_model_ask(by, d->models[by].v, sms, own, pressure);
}

/* Half of each step is taken, so that two kernels do not take turns in yielding. */
#define STEPS 12

void dcs_slowdowns_together(const struct dcs_slowdowns *d, const struct dcs_slowdown_party *set,
                            size_t n, struct dcs_slowdown *out)
{
    double inter[DCS_SLOWDOWN_PARTIES_MAX];
    DCS_ASSERT(n <= DCS_SLOWDOWN_PARTIES_MAX);
    for (size_t i = 0; i < n; i++)
        inter[i] = 1;
    for (int step = 0; step < STEPS; step++) {
        for (size_t i = 0; i < n; i++) {
            double pressure[DCS_PRESSURES] = {0};
            for (size_t k = 0; k < n; k++)
                for (size_t j = 0; k != i && j < DCS_PRESSURES; j++)
                    pressure[j] += set[k].alone.v[DCS_EVENTS - DCS_PRESSURES + j] / inter[k];
            out[i] = dcs_slowdowns_ask(d, DCS_SLOWDOWN_ALONE, set[i].sms, &set[i].alone, pressure);
        }
        for (size_t i = 0; i < n; i++)
            inter[i] = (inter[i] + out[i].inter) / 2;
    }
}
