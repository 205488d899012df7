/* cluster_failure.c - how a run ends before its time: by an error, or because it is broken off.
 * Only the first error counts. */
#include "engine/cluster_state.h"

#include <stdarg.h>

void cluster_fail(struct cluster *c, const struct domain *d, const char *format, ...)
{
    if (c->failed)
        return;
    c->failed = true;
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (c->trial) {
        dcs_err_set(c->err, "%s", text);
        return;
    }
    dcs_err_set(c->err,
                "policy \"%s\", domain %u, at %lld.%09lld s (seed %llu, replication %u): %s",
                c->spec->policy->name, d->index, (long long)(c->now_ns / DCS_NS_PER_S),
                (long long)(c->now_ns % DCS_NS_PER_S), (unsigned long long)c->spec->seed,
                c->spec->replication, text);
}

/* The workload is more than can be simulated: nobody's fault but the config's. */
void cluster_overloaded(struct cluster *c, const char *what, unsigned long long limit)
{
    if (c->failed)
        return;
    c->failed = true;
    dcs_err_set(c->err,
                "at %lld.%09lld s (seed %llu, replication %u) %llu %s, the most that can be "
                "simulated: the workload is far more than the devices can serve; lower its rate or "
                "clients, bound its queue (queue_limit) or shorten the horizon",
                (long long)(c->now_ns / DCS_NS_PER_S), (long long)(c->now_ns % DCS_NS_PER_S),
                (unsigned long long)c->spec->seed, c->spec->replication, limit, what);
}

void cluster_too_long(struct cluster *c)
{
    if (c->failed)
        return;
    c->failed = true;
    dcs_err_set(c->err,
                "(seed %llu, replication %u) a kernel would end after more than 146 years, which "
                "cannot be simulated: shorten durations, or give a horizon",
                (unsigned long long)c->spec->seed, c->spec->replication);
}

void cluster_no_time(struct cluster *c, uint32_t app, unsigned long long kernels)
{
    if (c->failed)
        return;
    c->failed = true;
    dcs_err_set(c->err,
                "at %lld.%09lld s (seed %llu, replication %u) time stands nearly still: %llu "
                "kernels took 1 ns each, the last of them of application \"%s\": give its requests "
                "a duration, or its clients a think time",
                (long long)(c->now_ns / DCS_NS_PER_S), (long long)(c->now_ns % DCS_NS_PER_S),
                (unsigned long long)c->spec->seed, c->spec->replication, kernels,
                c->spec->apps[app].name);
}

void cluster_not_separable(struct cluster *c)
{
    DCS_ASSERT(is_split(c));
    c->failed = true;
}
