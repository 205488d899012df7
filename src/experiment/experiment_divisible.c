/* experiment_divisible.c - applications whose requests the devices of a domain share: programs of
 * the profiles' divisible work, each at one size. */
#include "experiment/experiment_parts.h"

#include <stdlib.h>
#include <string.h>

/* What the config says of a name; a program at its largest size where it says nothing. */
static struct config_divisible find_own(const struct config *c, const char *name)
{
    const struct config_divisible *own = c->divisible.items;
    for (size_t i = 0; i < c->divisible.count; i++)
        if (strcmp(own[i].name, name) == 0)
            return own[i];
    return (struct config_divisible){.name = (char *)name, .program = (char *)name};
}

/* "cg, mm": the programs; of one of them "16384, 32768": its sizes. Freed by the caller. */
static char *list_works(const struct dcs_divisible *d, const char *program)
{
    struct text_buffer text = {0};
    for (size_t i = 0; i < d->count; i++) {
        const struct dcs_work *w = &d->works[i];
        const char *comma = text.length > 0 ? ", " : "";
        bool last = dcs_divisible_find(d, w->program, 0) == w;
        if (program == NULL && last)
            text_append(&text, "%s%s", comma, w->program);
        else if (program != NULL && strcmp(w->program, program) == 0)
            text_append(&text, "%s%lld", comma, (long long)w->iterations);
    }
    return text.text;
}

static int refuse_work(const struct experiment *x, const struct dcs_divisible *d,
                       const char *profile, const char *program, int64_t iterations,
                       const char *path, struct dcs_err *err)
{
    bool known = dcs_divisible_find(d, program, 0) != NULL;
    char *list = list_works(d, known ? program : NULL);
    if (known)
        options_error(
            x->doc, path, err,
            "profile \"%s\" has not measured program \"%s\" at %lld iterations: it has %s", profile,
            program, (long long)iterations, list);
    else
        options_error(x->doc, path, err,
                      "profile \"%s\" has no divisible program \"%s\": it has %s", profile, program,
                      list != NULL ? list : "none");
    free(list);
    return -1;
}

/* "1, 4, 16": numbers of threads that a size was measured with. Freed by the caller. */
static char *list_threads(const struct dcs_work *w)
{
    struct text_buffer text = {0};
    for (size_t i = 0; i < w->count; i++)
        if (w->curves[i].side == DCS_SIDE_CPU && !w->curves[i].beside)
            text_append(&text, "%s%lld", text.length > 0 ? ", " : "",
                        (long long)w->curves[i].threads);
    return text.text;
}

/* Whether the devices of each domain were measured. */
static int check_domains(const struct experiment *x, const struct dcs_work *const *work,
                         struct dcs_err *err)
{
    for (uint32_t i = 0; i < x->domains_count; i++) {
        const struct cluster_domain *d = &x->domains[i];
        const struct dcs_work *w = work[d->profile];
        const char *profile = x->kind[d->profile].profile->name;
        bool gpus = d->devices > (d->cpu_threads > 0 ? 1u : 0u);
        if (gpus && dcs_work_curve(w, DCS_SIDE_GPU, 0, false) == NULL)
            return options_error(x->doc, "cluster.devices", err,
                                 "profile \"%s\" has not measured program \"%s\" on a GPU: leave "
                                 "the CPU alone (devices 1)",
                                 profile, w->program);
        if (d->cpu_threads == 0 || dcs_work_curve(w, DCS_SIDE_CPU, d->cpu_threads, false) != NULL)
            continue;
        char *threads = list_threads(w);
        options_error(x->doc, "cluster.cpu_threads", err,
                      "profile \"%s\" has not measured program \"%s\" with %u CPU threads: it has "
                      "%s",
                      profile, w->program, d->cpu_threads, threads != NULL ? threads : "none");
        free(threads);
        return -1;
    }
    return 0;
}

int experiment_divisible_app(const struct experiment *x, const char *name, const char *path,
                             struct dcs_app *out, struct dcs_err *err)
{
    const struct config_divisible own = find_own(x->config, name);
    const char *program = own.program[0] != '\0' ? own.program : own.name;
    const struct dcs_work **work = dcs_alloc(x->kinds, sizeof(work[0]));
    int result = 0;
    for (uint32_t i = 0; i < x->kinds && result == 0; i++) {
        const struct dcs_divisible *d = x->devices->divisible[i];
        work[i] = dcs_divisible_find(d, program, own.iterations);
        if (work[i] == NULL)
            result =
                refuse_work(x, d, x->kind[i].profile->name, program, own.iterations, path, err);
        else if (work[i]->iterations != work[0]->iterations || work[i]->passes != work[0]->passes)
            result = options_error(x->doc, path, err,
                                   "profiles \"%s\" and \"%s\" differ in iterations or passes of "
                                   "program \"%s\": give a size that both have (divisible)",
                                   x->kind[0].profile->name, x->kind[i].profile->name, program);
    }
    if (result == 0)
        result = check_domains(x, work, err);
    if (result == 0)
        dcs_app_divisible(out, name, DCS_BATCH, work, x->kinds, x->config->sharing.noise);
    free(work);
    return result;
}
