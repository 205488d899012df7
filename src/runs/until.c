/* until.c - see until.h. */
#include "runs/until.h"

#include <math.h>

int until_open(struct until *u, const struct experiment *x, const struct options_doc *doc,
               struct dcs_err *err)
{
    *u = (struct until){.config = &x->config->until};
    u->on = u->config->metric[0] != '\0';
    if (!u->on || metric_name_find(x, u->config->metric, &u->metric, err) == 0)
        return 0;
    struct dcs_err cause = *err;
    return options_error(doc, "until.metric", err, "%s", cause.text);
}

bool until_reached(const struct until *u, const struct summary *s)
{
    struct dcs_estimate e = metric_name_estimate(&u->metric, s, 0.95);
    double half = (e.high - e.low) / 2;
    double wanted =
        u->config->half_width > 0 ? u->config->half_width : u->config->relative * fabs(e.value);
    return half <= wanted; /* NaN: it is not */
}

uint32_t until_next(const struct until *u, uint32_t replications)
{
    const struct config_until *c = u->config;
    int64_t next = replications + c->batch;
    if (next > c->max_replications)
        next = c->max_replications;
    return next > replications ? (uint32_t)next : replications;
}
