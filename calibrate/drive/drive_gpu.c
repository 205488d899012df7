/*
 * drive_gpu.c - kernels of calibrate/apps on a real GPU, one launch after the other as orders say.
 *
 * Kernels that have the device go to a stream of it, those of a partition to the stream of a green
 * context. Making a context, and giving one up, stalls what runs for milliseconds: contexts are
 * made ahead, as many as the driver has room for, and a launch whose partition is not among those
 * that are free gets the largest smaller one. Transfers that run beside kernels have streams of
 * their own. Behind each launch the stream writes a word into the host's memory, which the host
 * looks at: that costs it no call of the driver (with DCSIM_DRIVE_ENDS=events it asks for an event
 * instead).
 *
 * Each request that is under way works on a state of its application (app.h) of its own, as long as
 * there is one; states are made ahead.
 */
#include "calibrate/drive/drive_gpu.h"

#include "calibrate/drive/drive_groups.h"
#include "calibrate/drive/drive_serve.h"
#include "calibrate/gpu/exit_kernels.h"
#include "calibrate/gpu/fused_kernels.h"
#include "calibrate/measure/check.h"
#include "calibrate/measure/work.h"
#include "calibrate/worker/worker.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PARTITIONS   384 /* that are kept */
#define COPY_STREAMS 3
#define STATES       8
/* A launch that takes longer is taken for hung. The longest kernel of an H200's profile takes 0.11
 * s on 16 of its SMs (face), and nothing that runs beside it makes it 180 times as long. */
#define PATIENCE_NS (20 * DCS_NS_PER_S)
#define CHECK_NS    (50 * DCS_NS_PER_MS)
#define STEP        CAL_PARTITION_STEP
#define CHECK_SEED  1 /* of `dcsim-calibrate check`, with which references were tried */

struct state {
    struct cal_work work;
    uint64_t request; /* that works on it; 0: none */
};

struct form {
    struct state *states;
    uint32_t count, next; /* next: to be shared, if there is none left */
};

struct kept {
    uint32_t mask;
    struct cal_partition partition;
    uint64_t used; /* when, in launches */
    bool busy;
};

struct lane {
    struct cal_ends_mark mark;
    uint32_t mask; /* the groups that it has */
    cudaStream_t stream;
    bool copies;     /* in a stream of its own */
    bool stops;      /* it is to end early */
    uint32_t number; /* by which its exit flag is set; 0: it has none */
    int64_t began_ns, checked_ns;
};

struct drive_gpu {
    struct cal_gpu *gpu;
    struct cal_ends ends;
    struct drive_link *link;
    struct form forms[DRIVE_FORMS];
    struct cal_groups groups;
    struct kept kept[PARTITIONS];
    size_t kept_count, made_late;
    struct cal_partition copiers[STATES]; /* copies need no SMs of theirs */
    cudaStream_t copies[STATES];          /* of a client of MPS: for all that it launches */
    bool copy_busy[STATES];
    int copies_count;
    struct lane lanes[CAL_DRIVE_LANES];
    uint64_t launches, shared, smaller;
    struct cal_fuser *fuser; /* NULL: nothing is fused */
    struct cal_stops stops;
};

/* ---- Partitions ---- */

/* Gives up the one that was used least lately; false: each of them is busy. */
static bool forget_partition(struct drive_gpu *d)
{
    struct kept *oldest = NULL;
    for (size_t i = 0; i < d->kept_count; i++)
        if (!d->kept[i].busy && (oldest == NULL || d->kept[i].used < oldest->used))
            oldest = &d->kept[i];
    if (oldest == NULL)
        return false;
    cal_partition_release(d->gpu, &oldest->partition);
    *oldest = d->kept[--d->kept_count];
    return true;
}

static struct kept *make_partition(struct drive_gpu *d, uint32_t mask, struct dcs_err *err)
{
    struct cal_partition made;
    while (d->kept_count == PARTITIONS && forget_partition(d))
        continue;
    /* The driver may have no room for as many. */
    while (cal_gpu_groups(d->gpu, mask, &made, err) != 0)
        if (!forget_partition(d))
            return NULL;
    DCS_ASSERT(d->kept_count < PARTITIONS); /* fewer are busy than there are groups */
    struct kept *k = &d->kept[d->kept_count++];
    *k = (struct kept){.mask = mask, .partition = made, .used = d->launches};
    d->made_late++;
    return k;
}

/* Of those that are kept and free the largest of at most so many SMs, that which leaves most groups
 * side by side. */
static struct kept *find_kept(struct drive_gpu *d, unsigned sms)
{
    struct kept *found = NULL;
    for (size_t i = 0; i < d->kept_count; i++) {
        struct kept *k = &d->kept[i];
        if ((unsigned)k->partition.sms > sms || (k->mask & d->groups.taken) != 0)
            continue;
        if (found == NULL || k->partition.sms > found->partition.sms ||
            (k->partition.sms == found->partition.sms &&
             cal_groups_room(&d->groups, k->mask) > cal_groups_room(&d->groups, found->mask)))
            found = k;
    }
    return found;
}

/* One of so many SMs, or less, now taken; made if there is none. */
static struct kept *take_partition(struct drive_gpu *d, unsigned sms, struct dcs_err *err)
{
    struct kept *found = find_kept(d, sms);
    uint32_t mask = 0;
    if (found != NULL) {
        d->groups.taken |= found->mask;
    } else {
        mask = cal_groups_take(&d->groups, sms);
        if (mask == 0)
            dcs_err_set(err, "no partition of %u SMs is left", sms);
        else
            found = make_partition(d, mask, err);
    }
    if (found != NULL) {
        found->busy = true;
        found->used = d->launches;
        d->smaller += (unsigned)found->partition.sms < sms;
    }
    return found;
}

static int make_partitions(struct drive_gpu *d, struct dcs_err *err)
{
    const int64_t began_ns = cal_now_ns();
    uint32_t mask;
    struct dcs_err full = {0};
    for (unsigned n = 0; (mask = cal_groups_ahead(&d->groups, n)) != 0; n++) {
        struct kept *k = &d->kept[d->kept_count];
        if (d->kept_count == PARTITIONS || cal_gpu_groups(d->gpu, mask, &k->partition, &full) != 0)
            break;
        k->mask = mask;
        d->kept_count++;
    }
    fprintf(stderr, "dcsim-calibrate: %zu partitions were made ahead, in %lld ms\n", d->kept_count,
            (long long)((cal_now_ns() - began_ns) / DCS_NS_PER_MS));
    if (d->kept_count == 0)
        return dcs_err_set(err, "%s", full.text);
    /* One less than there is room for: who else needs some finds it. */
    if (mask != 0)
        cal_partition_release(d->gpu, &d->kept[--d->kept_count].partition);
    return 0;
}

/* ---- Applications ---- */

static int open_state(struct drive_gpu *d, const struct drive_form *f, struct state *s,
                      struct dcs_err *err)
{
    const struct cal_app *app = cal_find_app(f->name);
    if (app == NULL)
        return dcs_err_set(err, "this dcsim-calibrate has no application \"%s\"", f->name);
    int64_t size = f->size > 0 ? f->size : app->size_default;
    if (cal_work_open(d->gpu, app, size, d->link->seed, &s->work, err) != 0)
        return -1;
    if (s->work.plan.kernels_count != f->kernels)
        return dcs_err_set(err,
                           "a request of %s has %zu kernels here, and %u in the profile, which is "
                           "of another dcsim-calibrate",
                           f->name, s->work.plan.kernels_count, f->kernels);
    return 0;
}

/* A kernel's code is loaded at its first launch, and a library may make itself ready for a stream:
 * each runs once before it matters, the first state in the large partitions, where it is fast. */
static int warm_up(struct drive_gpu *d, struct state *s, bool first, struct dcs_err *err)
{
    int64_t ns;
    if (cal_work_time_request(d->gpu, &s->work, d->gpu->cached[0].stream, &ns, err) != 0)
        return -1;
    for (size_t i = 0; first && i < d->kept_count; i++)
        if (4 * d->kept[i].partition.sms > 3 * d->gpu->sms &&
            cal_work_time_request(d->gpu, &s->work, d->kept[i].partition.stream, &ns, err) != 0)
            return -1;
    return 0;
}

/* One state more, and as much again for what is allocated at first launches. */
static bool has_room(const struct cal_work *w)
{
    size_t bytes = 0, total;
    return cudaMemGetInfo(&bytes, &total) == cudaSuccess && bytes / 2 >= (size_t)w->memory_bytes;
}

static int open_forms(struct drive_gpu *d, struct dcs_err *err)
{
    for (uint32_t i = 0; i < d->link->forms_count; i++) {
        const struct drive_form *f = &d->link->forms[i];
        struct form *form = &d->forms[i];
        uint32_t wanted = f->together < 1 ? 1 : f->together < STATES ? f->together : STATES;
        form->states = dcs_alloc(wanted, sizeof *form->states);
        for (; form->count < wanted; form->count++) {
            struct state *s = &form->states[form->count];
            struct dcs_err why = {0};
            if (form->count > 0 && !has_room(&form->states[0].work)) {
                fprintf(stderr,
                        "dcsim-calibrate: the device has memory for %u of %u requests of %s at "
                        "once: others share what these work on\n",
                        form->count, wanted, f->name);
                break;
            }
            if (open_state(d, f, s, &why) != 0 || warm_up(d, s, form->count == 0, &why) != 0)
                return dcs_err_set(err, "%s: %.700s", f->name, why.text);
        }
    }
    return 0;
}

static int open_fuser(struct drive_gpu *d, struct dcs_err *err)
{
    const char *names[DRIVE_FORMS];
    for (uint32_t i = 0; i < d->link->forms_count; i++)
        names[i] = d->link->forms[i].name;
    d->fuser = cal_fuser_create(names, d->link->forms_count, d->gpu->sms, err);
    return d->fuser != NULL ? 0 : -1;
}

/* Where a request works; the first time it gets a place. */
static struct state *state_of(struct drive_gpu *d, uint32_t form, uint64_t id)
{
    struct form *f = &d->forms[form];
    struct state *first_free = NULL;
    for (uint32_t i = 0; i < f->count; i++) {
        if (f->states[i].request == id)
            return &f->states[i];
        if (f->states[i].request == 0 && first_free == NULL)
            first_free = &f->states[i];
    }
    if (first_free == NULL) {
        d->shared++;
        return &f->states[f->next++ % f->count];
    }
    first_free->request = id;
    return first_free;
}

/* ---- Launches ---- */

/* One that nothing runs in, or behind another launch. */
static void choose_copy_stream(struct drive_gpu *d, struct lane *l)
{
    for (int i = 0; i < d->copies_count; i++)
        if (!d->copy_busy[i]) {
            d->copy_busy[i] = true;
            l->stream = d->copies[i];
            l->copies = true;
            return;
        }
    l->stream = d->copies[d->launches % (unsigned)d->copies_count];
}

static int choose_stream(struct drive_gpu *d, const struct drive_order *o, struct lane *l,
                         uint32_t *sms, struct dcs_err *err)
{
    if ((o->kind == DRIVE_WHOLE && o->transfer) || o->kind == DRIVE_MPS) {
        choose_copy_stream(d, l);
        return 0;
    }
    uint32_t all = cal_groups_all(&d->groups);
    if (o->kind == DRIVE_WHOLE || o->kind == DRIVE_FUSED || o->sms == d->groups.sms) {
        if (d->groups.taken != 0)
            return dcs_err_set(err, "the device is not idle");
        l->stream = d->gpu->cached[0].stream;
        l->mask = d->groups.taken = all;
        return 0;
    }
    const struct kept *k = take_partition(d, o->sms, err);
    if (k == NULL)
        return -1;
    l->stream = k->partition.stream;
    l->mask = k->mask;
    *sms = (uint32_t)k->partition.sms;
    return 0;
}

static int enqueue(struct drive_gpu *d, const struct drive_order *o, struct lane *l,
                   struct dcs_err *err)
{
    struct state *s = state_of(d, o->form, o->id);
    const struct cal_plan *plan = &s->work.plan;
    if (o->kernel >= plan->kernels_count)
        return dcs_err_set(err, "%s has no kernel %u", s->work.app->name, o->kernel);
    int exits = cal_stops_enqueue(&d->stops, s->work.app->name, plan, o->kernel, l->stream,
                                  &l->number, err);
    if (exits < 0)
        return -1;
    cudaError_t status =
        exits ? cudaSuccess : cal_enqueue(plan, &plan->kernels[o->kernel], l->stream);
    if (status != cudaSuccess)
        return cal_gpu_check(d->gpu, status, plan->kernels[o->kernel].name, err);
    if (o->last && s->request == o->id)
        s->request = 0;
    return 0;
}

static int enqueue_fused(struct drive_gpu *d, const struct drive_order *o, struct lane *l,
                         struct dcs_err *err)
{
    struct state *a = state_of(d, o->form, o->id), *b = state_of(d, o->with_form, o->with);
    const struct cal_fuser_side first = {&a->work.plan, o->kernel};
    const struct cal_fuser_side second = {&b->work.plan, o->with_kernel};
    const struct cal_app *cuda = o->with_is_tensor ? a->work.app : b->work.app;
    struct dcs_err why = {0};
    if (d->fuser == NULL || o->kernel >= first.plan->kernels_count ||
        o->with_kernel >= second.plan->kernels_count)
        return dcs_err_set(err, "a fused launch of kernels that there are not");
    if (cal_fuser_launch(d->fuser, o->with_is_tensor ? &second : &first,
                         o->with_is_tensor ? &first : &second, cuda->name, o->tensor_blocks,
                         o->cuda_blocks, l->stream, &why) != 0)
        return dcs_err_set(err, "%s and %s: %.700s", a->work.app->name, b->work.app->name,
                           why.text);
    if (o->last && a->request == o->id)
        a->request = 0;
    if (o->with_last && b->request == o->with)
        b->request = 0;
    return 0;
}

static int launch(void *context, const struct drive_order *o, unsigned lane, uint32_t *sms,
                  struct dcs_err *err)
{
    struct drive_gpu *d = context;
    struct lane *l = &d->lanes[lane];
    bool fused = o->kind == DRIVE_FUSED;
    *l = (struct lane){0};
    d->launches++;
    if (o->form >= d->link->forms_count || (fused && o->with_form >= d->link->forms_count))
        return dcs_err_set(err, "a form that there is not");
    if (choose_stream(d, o, l, sms, err) != 0 ||
        (fused ? enqueue_fused : enqueue)(d, o, l, err) != 0 ||
        cal_ends_mark(&d->ends, lane, l->stream, &l->mark, err) != 0)
        return -1;
    l->began_ns = l->checked_ns = cal_now_ns();
    return 0;
}

/* Whether a lane that takes long has failed. */
static int check_lane(struct drive_gpu *d, struct lane *l, struct dcs_err *err)
{
    int64_t now_ns = cal_now_ns();
    if (now_ns - l->checked_ns < CHECK_NS)
        return 0;
    l->checked_ns = now_ns;
    cudaError_t status = cudaStreamQuery(l->stream);
    if (status != cudaSuccess && status != cudaErrorNotReady)
        return cal_gpu_check(d->gpu, status, "a kernel", err);
    if (now_ns - l->began_ns < PATIENCE_NS)
        return 0;
    d->gpu->dead = true;
    return dcs_err_set(err, "a kernel has not ended after %lld s, taken for hung",
                       (long long)(PATIENCE_NS / DCS_NS_PER_S));
}

static int stop_lane(void *context, unsigned lane, struct dcs_err *err)
{
    struct drive_gpu *d = context;
    struct lane *l = &d->lanes[lane];
    l->stops = true;
    l->began_ns = cal_now_ns();
    return cal_stops_stop(&d->stops, l->number, err);
}

static int ended(void *context, unsigned lane, struct drive_end *end, struct dcs_err *err)
{
    struct drive_gpu *d = context;
    struct lane *l = &d->lanes[lane];
    bool traps = l->stops && d->stops.trapper != NULL;
    int reached =
        traps ? cal_stops_trapped(&d->stops, err) : cal_ends_reached(&d->ends, &l->mark, err);
    if (reached == 0)
        return traps ? 0 : check_lane(d, l, err);
    if (reached < 0)
        return -1;
    end->stopped = end->killed = l->stops;
    cal_groups_give(&d->groups, l->mask);
    for (size_t i = 0; i < d->kept_count; i++)
        if (d->kept[i].mask == l->mask)
            d->kept[i].busy = false;
    for (int i = 0; l->copies && i < d->copies_count; i++)
        if (d->copies[i] == l->stream)
            d->copy_busy[i] = false;
    return 1;
}

static void forget(void *context, uint64_t id)
{
    struct drive_gpu *d = context;
    for (uint32_t i = 0; i < d->link->forms_count; i++)
        for (uint32_t k = 0; k < d->forms[i].count; k++)
            if (d->forms[i].states[k].request == id)
                d->forms[i].states[k].request = 0;
}

static void reset(void *context)
{
    struct drive_gpu *d = context;
    for (uint32_t i = 0; i < d->link->forms_count; i++)
        for (uint32_t k = 0; k < d->forms[i].count; k++)
            d->forms[i].states[k].request = 0;
    if (d->shared > 0 || d->made_late > 0 || d->smaller > 0)
        fprintf(stderr,
                "dcsim-calibrate: of %llu launches %llu shared what another request worked on, "
                "%llu had a smaller partition, %zu partitions were made on the way\n",
                (unsigned long long)d->launches, (unsigned long long)d->shared,
                (unsigned long long)d->smaller, d->made_late);
    d->shared = d->made_late = d->launches = d->smaller = 0;
    for (size_t i = 0; i < d->kept_count; i++)
        d->kept[i].used = 0;
}

/* ---- The device ---- */

static int check_device(const struct drive_gpu *d, struct dcs_err *err)
{
    const struct drive_link *l = d->link;
    const struct cal_gpu *g = d->gpu;
    /* A client of MPS sees the SMs that it may use. */
    bool as_many = (int)l->sms == g->sms || (l->client && (int)l->sms > g->sms);
    if ((l->device[0] != '\0' && strcmp(l->device, g->name) != 0) || !as_many)
        return dcs_err_set(err, "the profile is of \"%s\" with %u SMs, and this GPU is %s with %d",
                           l->device, l->sms, g->name, g->sms);
    if (l->partitions && !g->green)
        return dcs_err_set(err, "no SM partitions on this device: %s", g->no_green);
    if (l->partitions && l->step_sms % STEP != 0)
        return dcs_err_set(err, "partitions are made of %d SMs, and sharing.step_sms is %u", STEP,
                           l->step_sms);
    return 0;
}

/* A context has queues of the hardware of its own: behind one kernel no copy waits. */
static int open_copy_streams(struct drive_gpu *d, struct dcs_err *err)
{
    bool cuts = d->gpu->green;
    d->copies_count = d->link->client ? STATES : COPY_STREAMS;
    for (int i = 0; i < d->copies_count; i++) {
        struct cal_partition *p = &d->copiers[i];
        int failed = cuts ? cal_gpu_groups(d->gpu, UINT32_C(1) << i, p, err)
                          : cal_partition_stream(d->gpu, &d->gpu->cached[0], 0, &d->copies[i], err);
        if (failed)
            return -1;
        if (cuts)
            d->copies[i] = p->stream;
    }
    return 0;
}

static int check_app(void *context, const char *name, struct dcs_err *err)
{
    struct drive_gpu *d = context;
    const struct cal_app *app = cal_find_app(name);
    if (app == NULL)
        return 0; /* open_state() says so */
    return cal_check_app(d->gpu, app, CHECK_SEED, err);
}

static int open_all(struct drive_gpu *d, const struct cal_gpu_options *options,
                    const struct cal_drive_device *device, struct dcs_err *err)
{
    struct drive_link *l = d->link;
    d->gpu = cal_gpu_find(options, err);
    if (d->gpu == NULL || cal_gpu_start(d->gpu, options, err) != 0 || check_device(d, err) != 0)
        return -1;
    if (!cal_groups_open(&d->groups, (unsigned)d->gpu->sms, STEP))
        return dcs_err_set(err, "%s has %d SMs: at most %d groups of %d can be driven",
                           d->gpu->name, d->gpu->sms, CAL_GROUPS_MAX, STEP);
    bool cuts = d->gpu->green;
    if (cal_drive_check(l, device, err) != 0 || open_copy_streams(d, err) != 0 ||
        (cuts && make_partitions(d, err) != 0) ||
        cal_ends_open(&d->ends, d->gpu, getenv("DCSIM_DRIVE_ENDS"), err) != 0 ||
        open_forms(d, err) != 0 || (l->fuses && open_fuser(d, err) != 0) ||
        cal_stops_open(&d->stops, d->gpu, l->client && l->traps, l->exits, err) != 0)
        return -1;
    l->partitions = cuts;
    l->found_sms = (uint32_t)d->gpu->sms;
    snprintf(l->found, sizeof l->found, "%s", d->gpu->name);
    snprintf(l->uuid, sizeof l->uuid, "%s", d->gpu->uuid);
    snprintf(l->driver, sizeof l->driver, "%s", d->gpu->driver);
    snprintf(l->ends_by, sizeof l->ends_by, "%s", cal_ends_name(&d->ends));
    if (!l->late && cal_gpu_wake(d->gpu, err) != 0)
        return -1;
    /* Whoever reads the clock holds the driver up, and with it launches. */
    cal_nvml_close(d->gpu->nvml);
    d->gpu->nvml = NULL;
    return 0;
}

static void close_all(struct drive_gpu *d)
{
    if (d->gpu == NULL || d->gpu->dead)
        return;
    cudaDeviceSynchronize();
    for (uint32_t i = 0; i < d->link->forms_count; i++) {
        for (uint32_t k = 0; k < d->forms[i].count; k++)
            cal_work_close(d->gpu, &d->forms[i].states[k].work);
        free(d->forms[i].states);
    }
    for (int i = 0; i < d->copies_count; i++)
        if (d->copiers[i].stream != NULL)
            cal_partition_release(d->gpu, &d->copiers[i]);
        else if (d->copies[i] != NULL)
            cudaStreamDestroy(d->copies[i]);
    for (size_t i = 0; i < d->kept_count; i++)
        cal_partition_release(d->gpu, &d->kept[i].partition);
    cal_fuser_destroy(d->fuser);
    cal_stops_close(&d->stops);
    cal_ends_close(&d->ends);
}

int cal_drive_gpu(struct drive_link *l, struct dcs_err *err)
{
    static struct drive_gpu d; /* large, and there is one */
    /* All contexts share so many queues, and kernels in one queue run one after the other. With 1
     * all did, with 2 and 4 of six kernels at a time 58 and 21 %, with 8 and 32, which is the most,
     * none, whether 31 or 152 contexts were there (an H200). A client of MPS runs one kernel at a
     * time, and of several with 32 queues each the second has no memory to start. */
    d.link = l;
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", l->client ? "2" : "32", 0); /* drive_clients.c: or 8 */
    const struct cal_gpu_options options = {.whole = l->client,
                                            .clock_floor = 0.75,
                                            .patience_s = 60,
                                            .allow_others = l->client && l->beside,
                                            .must_be_alone = true};
    const bool stops = l->exits || (l->client && l->traps);
    const struct cal_drive_device device = {.context = &d,
                                            .launch = launch,
                                            .ended = ended,
                                            .kill = stops ? stop_lane : NULL,
                                            .forget = forget,
                                            .check = check_app,
                                            .exits = cal_exiter_serves,
                                            .exit_apps = cal_exiter_apps,
                                            .reset = reset};
    int failed = open_all(&d, &options, &device, err) != 0 || cal_drive_serve(l, &device, err) != 0;
    if (failed) {
        /* What the other side waits for is said first: taking a context down may take long. */
        cal_drive_fail(l, err);
        fflush(NULL);
        _exit(DCS_EXIT_USER);
    }
    close_all(&d);
    cal_gpu_free(d.gpu);
    return 0;
}
