/* drive_serve.c - see drive_serve.h. */
#include "calibrate/drive/drive_serve.h"

#include "calibrate/worker/worker.h"

#include "build_id.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define YIELD 64 /* looks between two offers of the processor */

struct lane {
    bool busy;
    uint64_t with; /* of a fused launch: the other request; 0: none */
    struct drive_end end;
};

struct drive_link *cal_drive_link(struct dcs_err *err)
{
    const char *text = getenv(DRIVE_LINK_ENV);
    char *end = NULL;
    long fd = text != NULL ? strtol(text, &end, 10) : -1;
    struct stat file;
    if (text == NULL || end == text || *end != '\0' || fstat((int)fd, &file) != 0) {
        dcs_err_set(err, "drive is started by dcsim --drive, and not by hand");
        return NULL;
    }
    void *at = MAP_FAILED;
    if (file.st_size == (off_t)sizeof(struct drive_link))
        at = mmap(NULL, sizeof(struct drive_link), PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_POPULATE, (int)fd, 0);
    struct drive_link *l = at != MAP_FAILED ? at : NULL;
    if (l == NULL || l->version != DRIVE_LINK_VERSION || l->size != sizeof *l) {
        dcs_err_set(err, "dcsim and dcsim-calibrate are of different versions: take both from one "
                         "build");
        return NULL;
    }
    return l;
}

void cal_drive_fail(struct drive_link *l, const struct dcs_err *err)
{
    snprintf(l->error, sizeof l->error, "%s", err->text);
    atomic_store(&l->state, DRIVE_FAILED);
}

/* One whose end is on the way to the other side has nothing left to be killed. */
static int take_kill(struct drive_link *l, const struct cal_drive_device *d,
                     const struct lane *lanes, struct drive_end *end, struct dcs_err *err)
{
    if (d->kill == NULL)
        return dcs_err_set(err, "no launch can be stopped here");
    for (unsigned i = 0; i < CAL_DRIVE_LANES; i++)
        if (lanes[i].busy && lanes[i].end.id == end->id)
            return d->kill(d->context, i, err) == 0 ? 1 : -1;
    end->stopped = true;
    end->end_ns = end->taken_ns;
    return drive_put_end(l, end) ? 1 : dcs_err_set(err, "the ring of ends is full");
}

/* Takes one order. 1: there was one. */
static int take_order(struct drive_link *l, const struct cal_drive_device *d, struct lane *lanes,
                      struct dcs_err *err)
{
    struct drive_order o;
    if (!drive_take_order(l, &o))
        return 0;
    struct drive_end end = {.id = o.id, .taken_ns = cal_now_ns(), .sms = o.sms};
    if (o.kind == DRIVE_RESET) {
        d->reset(d->context);
        return drive_put_end(l, &end) ? 1 : dcs_err_set(err, "the ring of ends is full");
    }
    if (o.kind == DRIVE_FORGET) {
        if (d->forget != NULL)
            d->forget(d->context, o.id);
        return 1;
    }
    if (o.kind == DRIVE_KILL)
        return take_kill(l, d, lanes, &end, err);
    unsigned i = 0;
    while (i < CAL_DRIVE_LANES && lanes[i].busy)
        i++;
    if (i == CAL_DRIVE_LANES)
        return dcs_err_set(err, "more than %d launches at once", CAL_DRIVE_LANES);
    if (d->launch(d->context, &o, i, &end.sms, err) != 0)
        return -1;
    end.launched_ns = cal_now_ns();
    lanes[i] = (struct lane){.busy = true, .end = end, .with = o.kind == DRIVE_FUSED ? o.with : 0};
    return 1;
}

/* Looks at all lanes once. */
static int look(struct drive_link *l, const struct cal_drive_device *d, struct lane *lanes,
                struct dcs_err *err)
{
    for (unsigned i = 0; i < CAL_DRIVE_LANES; i++) {
        if (!lanes[i].busy)
            continue;
        int ended = d->ended(d->context, i, &lanes[i].end, err);
        if (ended < 0)
            return -1;
        if (ended == 0)
            continue;
        if (lanes[i].end.end_ns == 0)
            lanes[i].end.end_ns = cal_now_ns();
        lanes[i].busy = false;
        struct drive_end other = lanes[i].end;
        other.id = lanes[i].with;
        if (!drive_put_end(l, &lanes[i].end) || (other.id != 0 && !drive_put_end(l, &other)))
            return dcs_err_set(err, "the ring of ends is full");
    }
    return 0;
}

int cal_drive_check(const struct drive_link *l, const struct cal_drive_device *d,
                    struct dcs_err *err)
{
    for (uint32_t i = 0; d->exits != NULL && i < l->forms_count; i++)
        if (l->forms[i].exits && !d->exits(l->forms[i].name))
            return dcs_err_set(err,
                               "no kernel of %s looks at an exit flag, those of %s do: take one of "
                               "these, or revocation.mechanism \"process_kill\" or \"trap\"",
                               l->forms[i].name, d->exit_apps);
    for (uint32_t i = 0; d->check != NULL && i < l->forms_count; i++) {
        const char *name = l->forms[i].name;
        struct dcs_err why = {0};
        if (!l->forms[i].check || d->check(d->context, name, &why) == 0)
            continue;
        /* Who has started a client says of which application it is. */
        return dcs_err_set(err, "%s%sfails its check on this GPU: %.600s", l->client ? "" : name,
                           l->client ? "" : ": ", why.text);
    }
    return 0;
}

int cal_drive_serve(struct drive_link *l, const struct cal_drive_device *d, struct dcs_err *err)
{
    static struct lane lanes[CAL_DRIVE_LANES];
    memset(lanes, 0, sizeof lanes);
    snprintf(l->tool, sizeof l->tool, "%s", DCS_BUILD_ID);
    unsigned idle = 0;
    l->ready_ns = cal_now_ns();
    atomic_store(&l->state, DRIVE_READY);
    while (!atomic_load_explicit(&l->quit, memory_order_relaxed)) {
        int taken = take_order(l, d, lanes, err);
        if (taken < 0 || look(l, d, lanes, err) != 0)
            return -1;
        if (taken == 0 && ++idle % YIELD == 0)
            sched_yield(); /* where there are too few processors for both sides */
    }
    return 0;
}
