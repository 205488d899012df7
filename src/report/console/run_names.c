/* run_names.c - see run_names.h. */
#include "report/console/run_names.h"

#include "des/utf8.h"

#include <inttypes.h>
#include <string.h>

#define NAME_COLUMNS 24
#define NAMES_ALIKE  64 /* that a name is told from; of more, time would grow with their square */

struct text report_app_name(const struct experiment *x, uint32_t app)
{
    const char *alike[NAMES_ALIKE] = {x->apps[app].name};
    struct text plain = text_name(alike[0], NAME_COLUMNS), names[NAMES_ALIKE];
    size_t count = 1;
    if (dcs_utf8_length(alike[0]) <= NAME_COLUMNS)
        return plain;
    for (uint32_t i = 0; i < x->apps_count && count < NAMES_ALIKE; i++)
        if (i != app && strncmp(x->apps[i].name, alike[0], NAME_COLUMNS / 2) == 0)
            alike[count++] = x->apps[i].name;
    text_names(alike, count, NAME_COLUMNS, names);
    return names[0];
}

/* "4 devices", or of divisible work "1 CPU with 4 threads and 1 GPU". */
static void append_devices(struct text_buffer *out, const struct experiment *x,
                           const struct cluster_domain *d)
{
    uint32_t gpus = d->devices - (d->cpu_threads > 0);
    if (!x->device_kind->divides) {
        text_append(out, "%" PRIu32 " device%s", d->devices, dcs_plural(d->devices));
        return;
    }
    if (d->cpu_threads > 0)
        text_append(out, "1 CPU with %" PRIu32 " thread%s%s", d->cpu_threads,
                    dcs_plural(d->cpu_threads), gpus > 0 ? " and " : "");
    if (gpus > 0)
        text_append(out, "%" PRIu32 " GPU%s", gpus, dcs_plural(gpus));
}

void report_append_cluster(struct text_buffer *out, const struct experiment *x)
{
    for (uint32_t i = 0, n; i < x->domains_count; i += n) {
        const struct cluster_domain *d = &x->domains[i];
        for (n = 1; i + n < x->domains_count && x->domains[i + n].profile == d->profile &&
                    x->domains[i + n].devices == d->devices &&
                    x->domains[i + n].cpu_threads == d->cpu_threads;)
            n++;
        text_append(out, "%s%" PRIu32 " domain%s x ", i > 0 ? ", " : "", n, dcs_plural(n));
        append_devices(out, x, d);
        text_append(out, " (%s)", x->kind[d->profile].profile->name);
    }
}
