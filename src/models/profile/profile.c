/*
 * profile.c - looking things up in a profile that was loaded. See profile.h; profile_load.c finds,
 * loads and builds profiles.
 */
#include "models/profile/profile.h"

#include "des/fmath.h"
#include "models/profile/profile_open.h"

#include <stdlib.h>
#include <string.h>

void dcs_profile_free(struct dcs_profile *p)
{
    if (p == NULL)
        return;
    for (size_t i = 0; i < p->apps_count; i++) {
        free(p->apps[i].name);
        free(p->apps[i].kernels);
    }
    free(p->apps);
    free(p->revocations);
    free(p->device_name);
    free(p->missing);
    free(p->name);
    free(p);
}

const struct dcs_profile_app *dcs_profile_app(const struct dcs_profile *p, const char *name)
{
    size_t low = 0, high = p->apps_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(name, p->apps[middle].name);
        if (order == 0)
            return &p->apps[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

/* What the latencies grow with is the number of waves of thread blocks that must see the flag; the
 * measured rows are powers of four apart, so the scale between them is logarithmic. */
static int64_t between(int64_t low, int64_t high, double fraction)
{
    double value = (double)low + ((double)high - (double)low) * fraction;
    return (int64_t)(value + 0.5);
}

int dcs_profile_revocation_cost(const struct dcs_profile *p, enum dcs_revocation_mechanism m,
                                int64_t threads, struct dcs_profile_revocation *out,
                                struct dcs_err *err)
{
    DCS_ASSERT(m >= 0 && m < DCS_MECHANISMS && threads >= 0);
    const struct dcs_profile_revocation *low = NULL, *high = NULL, *last = NULL;
    for (size_t i = 0; i < p->revocations_count; i++) {
        const struct dcs_profile_revocation *row = &p->revocations[i];
        if (row->mechanism != m)
            continue;
        if (row->threads <= threads)
            low = row;
        else if (high == NULL)
            high = row;
        last = row;
    }
    if (last == NULL)
        return dcs_err_set(err,
                           "profile \"%s\" has no row of mechanism \"%s\" in its revocation table",
                           p->name, dcs_mechanism_names[m]);
    bool exact = low != NULL && (low->threads == threads || low->threads == 0);
    if (threads == 0) {
        *out = *last;
    } else if (exact || low == NULL || high == NULL) {
        *out = low != NULL ? *low : *high;
    } else {
        double span = dcs_log((double)high->threads) - dcs_log((double)low->threads);
        double fraction = (dcs_log((double)threads) - dcs_log((double)low->threads)) / span;
        *out = (struct dcs_profile_revocation){
            .mechanism = m,
            .kill_ns = between(low->kill_ns, high->kill_ns, fraction),
            .start_ns = between(low->start_ns, high->start_ns, fraction),
            .clear_ns = between(low->clear_ns, high->clear_ns, fraction),
            .spawn_ns = between(low->spawn_ns, high->spawn_ns, fraction),
        };
    }
    if (threads > 0)
        out->threads = threads;
    if (p->kills[m].count[0] > 0) {
        out->kills = &p->kills[m];
        out->kills_vary = true;
    }
    return 0;
}

const char *dcs_mechanism_name(enum dcs_revocation_mechanism m)
{
    DCS_ASSERT(m >= 0 && m < DCS_MECHANISMS);
    return dcs_mechanism_names[m];
}
