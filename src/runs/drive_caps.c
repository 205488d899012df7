/*
 * drive_caps.c - see drive_caps.h.
 *
 * A client's cap is set when its process starts, and that takes seconds: all caps that the policies
 * of MPS set are made ahead. With n applications present mps-even gives each 200 % / n, and
 * mps-priority a service everything and each batch application an equal part.
 */
#include "runs/drive_caps.h"

#include <string.h>

/* Keeps them descending, each once. */
static void add_cap(struct drive_form *f, uint32_t sms)
{
    uint32_t i = 0;
    while (i < f->caps_count && f->caps[i] > sms)
        i++;
    if (sms == 0 || f->caps_count == DRIVE_CAPS || (i < f->caps_count && f->caps[i] == sms))
        return;
    memmove(&f->caps[i + 1], &f->caps[i], (f->caps_count - i) * sizeof f->caps[0]);
    f->caps[i] = sms;
    f->caps_count++;
}

/* Applications of a class (any: of all); sizes of one are not others. */
static uint32_t count_apps(const struct drive_link *l, const struct experiment *x, bool any,
                           enum dcs_class class)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->forms_count; i++) {
        bool seen = !any && x->apps[i].class != class;
        for (uint32_t k = 0; k < i && !seen; k++)
            seen = strcmp(l->forms[k].name, l->forms[i].name) == 0;
        n += !seen;
    }
    return n;
}

int drive_ask_for_caps(struct drive_link *l, const struct experiment *x, struct dcs_err *err)
{
    uint32_t all = count_apps(l, x, true, DCS_BATCH), batch = count_apps(l, x, false, DCS_BATCH);
    uint32_t clients = 0;
    for (uint32_t i = 0; i < l->forms_count; i++) {
        struct drive_form *f = &l->forms[i];
        f->caps_count = 0;
        for (uint32_t n = 2; n <= (all < 2 ? 2 : all); n++)
            add_cap(f, (uint32_t)((uint64_t)l->sms * 2 / n));
        for (uint32_t n = 2; n <= batch && x->apps[i].class == DCS_BATCH; n++)
            add_cap(f, l->sms / n);
        clients += f->caps_count;
    }
    if (clients > DRIVE_CLIENTS)
        return dcs_err_set(err,
                           "%u applications need %u processes under MPS, one for each cap, and a "
                           "GPU takes %u: take fewer applications or input sizes",
                           all, clients, DRIVE_CLIENTS);
    return 0;
}
