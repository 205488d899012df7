/* explain_alone.c - see explain_alone.h. */
#include "runs/explain_alone.h"

#include "engine/device_kind.h"

struct explain_alone explain_alone(const struct cluster_spec *s, const struct cluster_record *r)
{
    uint32_t kind = s->domains[r->domain].profile;
    const struct dcs_app *app = &s->apps[r->form];
    double work_ns = (double)(r->work_ns - r->saved_ns);
    struct explain_alone out = {.whole_ns = work_ns > 1 ? work_ns : 1};
    out.allotted_ns = out.whole_ns;
    if (!device_kind_of(s)->allots_sms)
        return out;
    const struct dcs_spatial *model = s->sharing.spatial[kind];
    double sms = r->allotment.mechanism == HOST_WHOLE ? (double)model->sms : r->allotment.sms;
    if (app->shapes == NULL) {
        out.allotted_ns = work_ns * ((double)model->sms / sms);
        return out;
    }
    size_t at = (size_t)kind * app->kernels + r->kernel;
    double scale = work_ns / (double)app->mean_ns[at];
    out.whole_ns = dcs_shape_solo_ns(model, app->shapes[at], model->sms) * scale;
    out.allotted_ns = dcs_shape_solo_ns(model, app->shapes[at], sms) * scale;
    out.transfer = model->shapes[app->shapes[at]].kind != DCS_SHAPE_COMPUTE;
    return out;
}
