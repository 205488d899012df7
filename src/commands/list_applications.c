/* list_applications.c - see list_applications.h. */
#include "commands/list_applications.h"

#include "config/config.h"
#include "models/divisible/divisible.h"
#include "models/sm/sm.h"
#include "config/sweep_axes.h"
#include "config/paths.h"
#include "text/table.h"

#include <stdlib.h>
#include <string.h>

static void print_title(const char *whose)
{
    printf("Applications of %s\n\n%-20s %-8s %9s %12s %8s %12s\n", whose, "application", "class",
           "kernels", "duration ms", "SLA ms", "memory MB");
}

static void print_application(const char *name, enum dcs_class class, uint64_t kernels,
                              double duration_ms, int64_t sla_ns, double memory_mb)
{
    char sla[32] = "-";
    if (sla_ns > 0)
        snprintf(sla, sizeof sla, "%.0f", (double)sla_ns / 1e6);
    printf("%-20s %-8s %9llu %12.3f %8s %12.1f\n", text_name(name, 64).at,
           class == DCS_LATENCY ? "latency" : "batch", (unsigned long long)kernels, duration_ms,
           sla, memory_mb);
}

/* Programs whose requests a CPU and GPUs share, and with how many CPU threads they were measured.
 */
static void print_works(const struct dcs_divisible *d, const char *profile)
{
    printf("Divisible programs of profile %s\n\n%-20s %12s %7s %12s  %s\n",
           text_name(profile, 64).at, "program", "iterations", "passes", "least chunk",
           "CPU threads");
    for (size_t i = 0; i < d->count; i++) {
        const struct dcs_work *w = &d->works[i];
        printf("%-20s %12lld %7lld %12lld ", text_name(w->program, 64).at, (long long)w->iterations,
               (long long)w->passes, (long long)w->chunk_min);
        for (size_t k = 0; k < w->count; k++)
            if (w->curves[k].side == DCS_SIDE_CPU && !w->curves[k].beside)
                printf(" %lld", (long long)w->curves[k].threads);
        putchar('\n');
    }
}

/* Kernels that share SMs, and what a block of each takes of one. */
static void print_resident(const struct dcs_sm *m, const char *profile)
{
    printf("Kernels inside SMs of profile %s\n\n%-20s %8s %9s %13s %7s  %s\n",
           text_name(profile, 64).at, "kernel", "threads", "registers", "shared bytes", "blocks",
           "measured beside");
    for (size_t i = 0; i < m->count; i++) {
        const struct dcs_sm_kernel *k = &m->kernels[i];
        printf("%-20s %8lld %9lld %13lld %7u ", text_name(k->name, 64).at, (long long)k->threads,
               (long long)k->registers, (long long)k->shared_bytes, k->fits);
        for (uint32_t other = 0; other < m->count; other++)
            for (size_t r = 0; r < k->count; r++)
                if (k->rates[r].beside == other) {
                    printf(" %s", text_name(m->kernels[other].name, 64).at);
                    break;
                }
        putchar('\n');
    }
}

static int list_profile(const struct config *c, const char *name, const struct options_doc *doc,
                        const char *path, struct dcs_err *err)
{
    char *file = paths_profile(name, c->folder, err);
    if (file == NULL) {
        struct dcs_err cause = *err;
        return options_error(doc, path, err, "%s", cause.text);
    }
    struct dcs_divisible *works = NULL;
    struct dcs_sm *resident = NULL;
    bool divisible = c->sharing.model == SHARING_DIVISIBLE, sm = c->sharing.model == SHARING_SM;
    struct dcs_profile *p = divisible ? dcs_divisible_load_profile(file, &works, err)
                            : sm      ? dcs_sm_load_profile(file, &resident, err)
                                      : dcs_profile_load(file, err);
    free(file);
    if (p == NULL)
        return -1;
    if (divisible) {
        print_works(works, p->name);
        dcs_divisible_free(works);
        dcs_profile_free(p);
        return 0;
    }
    if (sm) {
        print_resident(resident, p->name);
        dcs_sm_free(resident);
        dcs_profile_free(p);
        return 0;
    }
    struct text whose = text_format("profile %.64s (%.48s)", p->name, p->device_name);
    print_title(whose.at);
    for (size_t i = 0; i < p->apps_count; i++) {
        const struct dcs_profile_app *a = &p->apps[i];
        print_application(a->name, a->class, a->kernels_count, (double)a->total_ns / 1e6, a->sla_ns,
                          (double)a->memory_bytes / 1e6);
    }
    dcs_profile_free(p);
    return 0;
}

static void list_own(const struct config *c)
{
    const struct config_application *own = c->applications.items;
    if (c->applications.count == 0)
        return;
    putchar('\n');
    print_title("the config, on any device");
    for (size_t i = 0; i < c->applications.count; i++)
        print_application(own[i].name, (enum dcs_class)own[i].class, (uint64_t)own[i].kernels,
                          (double)own[i].kernels * (double)own[i].service.mean_ns / 1e6,
                          own[i].sla_ns, own[i].memory_mb);
}

/* Each profile once. */
static int list_config(const struct config *c, const struct options_doc *doc, struct dcs_err *err)
{
    const struct config_group *groups = c->cluster.groups.items;
    size_t count = c->cluster.groups.count, listed = 0;
    const char **names = dcs_alloc(count + 1, sizeof *names);
    int result = 0;
    for (size_t i = 0; (i < count || i == 0) && result == 0; i++) {
        bool own = count > 0 && groups[i].profile[0] != '\0';
        const char *name = own ? groups[i].profile : c->profile;
        size_t k = 0;
        while (k < listed && strcmp(names[k], name) != 0)
            k++;
        if (k < listed)
            continue;
        if (listed > 0)
            putchar('\n');
        names[listed++] = name;
        char path[64];
        snprintf(path, sizeof path, own ? "cluster.groups[%zu].profile" : "profile", i);
        result = list_profile(c, name, doc, path, err);
    }
    if (result == 0)
        list_own(c);
    free(names);
    return result;
}

int list_applications(const struct options_doc *doc, struct dcs_err *err)
{
    struct sweep_axes axes;
    struct config config;
    if (sweep_axes_read(doc, &axes, err) != 0)
        return -1;
    struct options_doc *first = sweep_axes_point(doc, &axes, 0, err);
    int result = first != NULL ? config_read(&config, first, err) : -1;
    if (result == 0) {
        result = list_config(&config, first, err);
        config_release(&config);
    }
    options_doc_free(first);
    sweep_axes_release(&axes);
    return result;
}
