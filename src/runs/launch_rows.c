/* launch_rows.c - see launch_rows.h. */
#include "runs/launch_rows.h"

static bool is_copy(const struct experiment *x, const struct cluster_record *r)
{
    const struct dcs_app *app = &x->apps[r->form];
    uint32_t kind = x->domains[r->domain].profile;
    if (app->shapes == NULL)
        return false;
    uint32_t shape = app->shapes[kind * app->kernels + r->kernel];
    return x->kind[kind].spatial->shapes[shape].kind != DCS_SHAPE_COMPUTE;
}

static int64_t allotted_sms(const struct experiment *x, const struct cluster_record *r)
{
    if (r->with != 0 && r->with < r->id)
        return 0;
    return r->allotment.mechanism == HOST_WHOLE
               ? x->kind[x->domains[r->domain].profile].profile->sms
               : r->allotment.sms;
}

int64_t launch_rows_sms(const struct experiment *x, const struct cluster_record *r)
{
    return is_copy(x, r) ? 0 : allotted_sms(x, r);
}

static int keep_row(struct launch_rows *l, const struct cluster_record *r, const char *what,
                    struct dcs_err *err)
{
    if (l->rows->count >= CLUSTER_DECISIONS_MAX)
        return dcs_err_set(err,
                           "outputs.launches: more than %d begins and ends of kernels in one run, "
                           "the most that can be kept: shorten the horizon, or set it to false",
                           CLUSTER_DECISIONS_MAX);
    const struct cluster_decision_row row = {.at_ns = r->at_ns,
                                             .index = r->index,
                                             .job = r->job,
                                             .app = r->app,
                                             .domain = r->domain,
                                             .kernel = r->kernel,
                                             .what = what,
                                             .value = l->sms[r->slot]};
    return spill_add(l->rows, &row, err);
}

static int record(void *context, const struct cluster_record *r, struct dcs_err *err)
{
    struct launch_rows *l = context;
    bool copy;
    switch (r->kind) {
    case RECORD_LAUNCH:
        copy = is_copy(l->x, r);
        l->sms = dcs_grow(l->sms, &l->sms_capacity, (size_t)r->slot + 1, sizeof *l->sms);
        l->sms[r->slot] = copy ? 0 : allotted_sms(l->x, r);
        return keep_row(l, r, copy ? "copies" : "begins", err);
    case RECORD_KERNEL_END:
    case RECORD_STOPPED:
        return keep_row(l, r, "ends", err);
    default:
        return 0;
    }
}

struct recorder launch_rows_recorder(struct launch_rows *l)
{
    return (struct recorder){.context = l, .record = record};
}
