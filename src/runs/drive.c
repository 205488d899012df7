/* drive.c - see drive.h. */
#include "runs/drive.h"

#include "engine/device_driven.h"
#include "engine/driven.h"
#include "runs/drive_ask.h"
#include "runs/drive_link.h"
#include "runs/wallclock.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of each kind in a run; pages are touched as they are needed. */
#define ROWS_MAX   ((size_t)1 << 22)
#define OPEN_S     300.0 /* the device has to be ready in that time */
#define QUIT_S     10.0
#define LIVES_NS   50000000 /* between two looks at whether the program lives */
#define YIELD_MASK 63u
/* What is under way at the end of a run has to end in that: longer than the device's side waits for
 * one kernel, so that it says which hung. */
#define DRAIN_S 30.0

struct drive {
    char *program;
    pid_t child; /* 0: there is none */
    int status;  /* how it has ended, as waitpid() says it */
    struct drive_link *link;
    int fd;
    struct driven driven;
    int64_t origin_ns; /* of the run's clock */
    uint32_t waits;
    int64_t lives_ns;            /* the program was seen to live */
    char (*checked)[DRIVE_NAME]; /* applications that have passed their check here */
    size_t checked_count, checked_capacity;
    char failure[1024];
    struct drive_rows rows;
    uint32_t *row_of; /* of the launch that is under way, by slot of the request */
    uint64_t under_way;
};

/* A request's id ends with the number of its slot (engine/requests.h). */
#define SLOTS ((size_t)1 << 24)

void drive_rows_release(struct drive_rows *r)
{
    if (r->launches != NULL)
        munmap(r->launches, ROWS_MAX * sizeof *r->launches);
    if (r->callbacks != NULL)
        munmap(r->callbacks, ROWS_MAX * sizeof *r->callbacks);
    *r = (struct drive_rows){0};
}

struct drive *drive_new(const char *program)
{
    struct drive *d = dcs_alloc(1, sizeof *d);
    d->program = dcs_strdup(program);
    d->fd = -1;
    return d;
}

/* ---- The program ---- */

static bool has_ended(struct drive *d)
{
    if (d->child != 0 && waitpid(d->child, &d->status, WNOHANG) == d->child)
        d->child = 0;
    return d->child == 0;
}

/* The device's side ends without a word where its parent is not this process. */
static void say_end(const struct drive *d, char *out, size_t size)
{
    bool killed = WIFSIGNALED(d->status);
    snprintf(out, size,
             "%s has ended by %s %d (a script has to become the program: exec dcsim-calibrate "
             "\"$@\")",
             d->program, killed ? "signal" : "exit status",
             killed ? WTERMSIG(d->status) : WEXITSTATUS(d->status));
}

static void nap(void)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    nanosleep(&pause, NULL);
}

static void stop_program(struct drive *d)
{
    if (d->link != NULL)
        atomic_store(&d->link->quit, true);
    for (double began = wallclock_s(); !has_ended(d) && wallclock_s() - began < QUIT_S;)
        nap();
    if (d->child != 0) {
        kill(-d->child, SIGKILL); /* with what a wrapper has started */
        kill(d->child, SIGKILL);  /* it may not have a group yet */
        waitpid(d->child, NULL, 0);
        d->child = 0;
    }
    if (d->link != NULL)
        munmap(d->link, sizeof *d->link);
    if (d->fd >= 0)
        close(d->fd);
    d->link = NULL;
    d->fd = -1;
}

void drive_free(struct drive *d)
{
    if (d == NULL)
        return;
    stop_program(d);
    drive_rows_release(&d->rows);
    if (d->row_of != NULL)
        munmap(d->row_of, SLOTS * sizeof *d->row_of);
    free(d->checked);
    free(d->program);
    free(d);
}

static int share_memory(struct drive *d, struct dcs_err *err)
{
    d->fd = memfd_create("dcsim-drive", 0);
    void *at = MAP_FAILED;
    if (d->fd >= 0 && ftruncate(d->fd, sizeof *d->link) == 0)
        at = mmap(NULL, sizeof *d->link, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, d->fd,
                  0);
    if (at == MAP_FAILED) {
        dcs_err_set(err, "no memory to share with %s: %s", d->program, strerror(errno));
        return -1;
    }
    d->link = at;
    return 0;
}

static int start_program(struct drive *d, struct dcs_err *err)
{
    char fd[16];
    snprintf(fd, sizeof fd, "%d", d->fd);
    d->link->parent = getpid();
    fflush(NULL);
    d->child = fork();
    if (d->child < 0) {
        d->child = 0;
        return dcs_err_set(err, "cannot start %s: %s", d->program, strerror(errno));
    }
    if (d->child == 0) {
        /* Interrupts of the terminal are for this process alone, which ends the other one. */
        setpgid(0, 0);
        setenv(DRIVE_LINK_ENV, fd, 1);
        execlp(d->program, d->program, "drive", (char *)NULL);
        snprintf(d->link->error, sizeof d->link->error, "cannot start %s: %s", d->program,
                 strerror(errno));
        atomic_store(&d->link->state, DRIVE_FAILED);
        _exit(DCS_EXIT_USER);
    }
    return 0;
}

static int await_ready(struct drive *d, const atomic_bool *stop, struct dcs_err *err)
{
    for (double began = wallclock_s(); wallclock_s() - began < OPEN_S; nap()) {
        if (stop != NULL && atomic_load(stop))
            return dcs_err_set(err, "interrupted before the device was ready");
        bool ended = has_ended(d);
        uint32_t state = atomic_load(&d->link->state);
        if (state == DRIVE_READY)
            return 0;
        if (state == DRIVE_FAILED)
            return dcs_err_set(err, "%s", d->link->error);
        if (ended) {
            say_end(d, d->failure, sizeof d->failure);
            return dcs_err_set(err, "%s, before the device was ready", d->failure);
        }
    }
    return dcs_err_set(err, "the device was not ready after %.0f s", OPEN_S);
}

/* ---- Whom the device serves ---- */

/* Whether what was asked for serves this, too. */
static bool serves(struct drive *d, const struct drive_link *asked)
{
    if (d->link == NULL || has_ended(d) || d->failure[0] != '\0' ||
        atomic_load(&d->link->state) != DRIVE_READY)
        return false;
    struct drive_link *l = d->link;
    if (l->forms_count != asked->forms_count || l->sms != asked->sms || l->seed != asked->seed ||
        l->step_sms != asked->step_sms || (asked->partitions && !l->partitions) ||
        asked->clients != l->clients || asked->kills != l->kills || asked->traps != l->traps ||
        asked->exits != l->exits || (asked->fuses && !l->fuses) ||
        strcmp(l->device, asked->device) != 0)
        return false;
    for (uint32_t i = 0; i < l->forms_count; i++)
        if (strcmp(l->forms[i].name, asked->forms[i].name) != 0 ||
            l->forms[i].size != asked->forms[i].size ||
            l->forms[i].kernels != asked->forms[i].kernels ||
            l->forms[i].caps_count != asked->forms[i].caps_count ||
            memcmp(l->forms[i].caps, asked->forms[i].caps, sizeof l->forms[i].caps) != 0 ||
            l->forms[i].together < asked->forms[i].together)
            return false;
    return true;
}

/* Each application is checked once, at whatever sizes it runs. */
static void ask_for_checks(const struct drive *d, struct drive_link *l)
{
    for (uint32_t i = 0; i < l->forms_count; i++) {
        bool known = false;
        for (size_t k = 0; k < d->checked_count && !known; k++)
            known = strcmp(d->checked[k], l->forms[i].name) == 0;
        for (uint32_t k = 0; k < i && !known; k++)
            known = strcmp(l->forms[k].name, l->forms[i].name) == 0;
        l->forms[i].check = !known;
    }
}

static void keep_checks(struct drive *d)
{
    for (uint32_t i = 0; i < d->link->forms_count; i++) {
        if (!d->link->forms[i].check)
            continue;
        d->checked =
            dcs_grow(d->checked, &d->checked_capacity, d->checked_count + 1, sizeof *d->checked);
        memcpy(d->checked[d->checked_count++], d->link->forms[i].name, DRIVE_NAME);
    }
}

static int open_device(struct drive *d, const struct experiment *x, const struct cluster_spec *spec,
                       struct dcs_err *err)
{
    struct drive_link *asked = dcs_alloc(1, sizeof *asked);
    int failed = drive_ask(asked, x, spec, err);
    if (!failed && !serves(d, asked)) {
        ask_for_checks(d, asked);
        stop_program(d);
        d->failure[0] = '\0';
        failed = share_memory(d, err);
        if (!failed)
            memcpy(d->link, asked, offsetof(struct drive_link, found));
        failed = failed || start_program(d, err) != 0 || await_ready(d, spec->stop, err) != 0;
        if (!failed)
            keep_checks(d);
    }
    free(asked);
    return failed ? -1 : 0;
}

/* ---- What the engine asks ---- */

static int64_t now_ns(void *context)
{
    const struct drive *d = context;
    return wallclock_ns() - d->origin_ns;
}

static void fail(struct drive *d, const char *why)
{
    if (d->failure[0] == '\0')
        snprintf(d->failure, sizeof d->failure, "%s", why);
}

static struct drive_order order_of(const struct driven_launch *l)
{
    static const uint8_t kinds[] = {
        [HOST_WHOLE] = DRIVE_WHOLE, [HOST_GREEN] = DRIVE_GREEN, [HOST_MPS] = DRIVE_MPS};
    struct drive_order order = {
        .id = l->id,
        .form = l->form,
        .kernel = l->kernel,
        .sms = l->allotment.sms,
        .kind = kinds[l->allotment.mechanism],
        .last = l->last,
        .transfer = l->transfer,
        .alone_ns = l->alone_ns,
    };
    if (l->with != NULL) {
        order.kind = DRIVE_FUSED;
        order.with = l->with->id;
        order.with_form = l->with->form;
        order.with_kernel = l->with->kernel;
        order.with_last = l->with->last;
        order.with_is_tensor = l->with_is_tensor;
        order.tensor_blocks = (uint8_t)l->tensor_blocks;
        order.cuda_blocks = (uint8_t)l->cuda_blocks;
    }
    return order;
}

static void add_row(struct drive *d, const struct driven_launch *l, int64_t sent_ns)
{
    struct drive_rows *rows = &d->rows;
    d->under_way++;
    d->row_of[l->id % SLOTS] = (uint32_t)rows->launches_count;
    rows->launches[rows->launches_count++] = (struct drive_launch_row){
        .id = l->id,
        .job = l->job,
        .index = l->index,
        .kernel = l->kernel,
        .sms = l->allotment.sms,
        .event_ns = l->event_ns,
        .sent_ns = sent_ns,
        .end_ns = DCS_NEVER,
        .revoked_ns = DCS_NEVER,
        .gone_ns = DCS_NEVER,
        .heard_ns = DCS_NEVER,
    };
}

static void launch(void *context, const struct driven_launch *l)
{
    struct drive *d = context;
    const struct drive_order order = order_of(l);
    if (d->rows.launches_count + 1 >= ROWS_MAX) {
        fail(d, "more launches in one run than can be kept: shorten the horizon");
        return;
    }
    int64_t sent_ns = now_ns(d);
    if (!drive_put_order(d->link, &order)) {
        fail(d, "the program at the device takes no orders");
        return;
    }
    add_row(d, l, sent_ns);
    if (l->with != NULL)
        add_row(d, l->with, sent_ns);
}

static void revoke_launch(void *context, req_id id)
{
    struct drive *d = context;
    const struct drive_order order = {.id = id, .kind = DRIVE_KILL};
    d->rows.launches[d->row_of[id % SLOTS]].revoked_ns = now_ns(d);
    if (!drive_put_order(d->link, &order))
        fail(d, "the program at the device takes no orders");
}

static bool ended(void *context, struct driven_end *out)
{
    struct drive *d = context;
    struct drive_end end;
    struct drive_launch_row *row;
    bool revoked;
    do { /* what has ended while it was to be killed is lost, and gone a little later */
        if (!drive_take_end(d->link, &end))
            return false;
        row = &d->rows.launches[d->row_of[end.id % SLOTS]];
        revoked = row->revoked_ns != DCS_NEVER;
        if (d->under_way == 0 || row->id != end.id || row->heard_ns != DCS_NEVER ||
            (end.stopped && !revoked)) {
            fail(d, "the program at the device says that a launch ended which was not under way");
            return false;
        }
    } while (revoked && !end.stopped);
    d->under_way--;
    row->taken_ns = end.taken_ns - d->origin_ns;
    row->launched_ns = end.launched_ns != 0 ? end.launched_ns - d->origin_ns : DCS_NEVER;
    if (!revoked || end.killed)
        *(revoked ? &row->gone_ns : &row->end_ns) = end.end_ns - d->origin_ns;
    row->got_sms = end.sms;
    row->heard_ns = now_ns(d);
    *out =
        (struct driven_end){.id = end.id, .end_ns = end.end_ns - d->origin_ns, .stopped = revoked};
    return true;
}

static const char *failure(void *context)
{
    struct drive *d = context;
    if (d->failure[0] == '\0' && atomic_load(&d->link->state) == DRIVE_FAILED)
        fail(d, d->link->error);
    if (d->failure[0] == '\0' && wallclock_ns() - d->lives_ns > LIVES_NS) {
        if (has_ended(d))
            say_end(d, d->failure, sizeof d->failure);
        d->lives_ns = wallclock_ns();
    }
    return d->failure[0] != '\0' ? d->failure : NULL;
}

/* Sleeping would cost more than what is waited for. Where there are too few processors for both
 * sides they take turns. */
static void wait_a_little(void *context, int64_t until_ns)
{
    struct drive *d = context;
    (void)until_ns;
    if ((++d->waits & YIELD_MASK) == 0)
        sched_yield();
    else
        __builtin_ia32_pause();
}

static void called(void *context, const struct driven_callback *c)
{
    struct drive *d = context;
    if (d->rows.callbacks_count == ROWS_MAX)
        fail(d, "more callbacks in one run than can be kept: shorten the horizon");
    else
        d->rows.callbacks[d->rows.callbacks_count++] = *c;
}

/* ---- A run ---- */

static void *map_pages(size_t count, size_t size)
{
    void *at = mmap(NULL, count * size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at != MAP_FAILED ? at : NULL;
}

static struct experiment_gpu gpu_of(const struct drive_link *l)
{
    struct experiment_gpu gpu;
    snprintf(gpu.device, sizeof gpu.device, "%s", l->found);
    snprintf(gpu.uuid, sizeof gpu.uuid, "%s", l->uuid);
    return gpu;
}

/* Runs of one database are comparable only if one GPU has measured them. */
static int check_gpu(const struct drive *d, const struct experiment *x, struct dcs_err *err)
{
    const struct experiment_gpu here = gpu_of(d->link), *there = &x->gpu;
    if (there->device[0] == '\0' ||
        (strcmp(there->device, here.device) == 0 && strcmp(there->uuid, here.uuid) == 0))
        return 0;
    return dcs_err_set(err,
                       "the results database has runs of another GPU, %s%s%s, and here is %s%s%s: "
                       "name another --output, or go on with that one",
                       there->device, there->uuid[0] ? " " : "", there->uuid, here.device,
                       here.uuid[0] ? " " : "", here.uuid);
}

int drive_begin(struct drive *d, const struct experiment *x, struct cluster_spec *spec,
                struct dcs_err *err)
{
    if (drive_check_experiment(x, err) != 0)
        return -1;
    spec->device_kind = drive_device(x);
    if (open_device(d, x, spec, err) != 0 || check_gpu(d, x, err) != 0)
        return -1;
    drive_rows_release(&d->rows);
    d->rows.launches = map_pages(ROWS_MAX, sizeof *d->rows.launches);
    d->rows.callbacks = map_pages(ROWS_MAX, sizeof *d->rows.callbacks);
    if (d->row_of == NULL)
        d->row_of = map_pages(SLOTS, sizeof *d->row_of);
    if (d->rows.launches == NULL || d->rows.callbacks == NULL || d->row_of == NULL)
        return dcs_err_set(err, "no memory for what a run on a real GPU gives");
    d->under_way = 0;
    d->driven = (struct driven){.context = d,
                                .now_ns = now_ns,
                                .launch = launch,
                                .revoke = revoke_launch,
                                .ended = ended,
                                .wait = wait_a_little,
                                .failure = failure,
                                .called = called};
    spec->driven = &d->driven;
    spec->callback_ns = spec->predict_ns = 0;
    spec->fusion_round_ns = spec->fusion_candidate_ns = 0;
    d->origin_ns = wallclock_ns();
    return 0;
}

/* The device's side forgets the requests that the horizon has cut off. */
static int reset(struct drive *d, struct dcs_err *err)
{
    const struct drive_order order = {.kind = DRIVE_RESET};
    struct drive_end end = {.id = 1};
    bool sent = false;
    for (double began = wallclock_s(); wallclock_s() - began < DRAIN_S;) {
        sent = sent || drive_put_order(d->link, &order);
        if (sent && drive_take_end(d->link, &end) && end.id == 0)
            return 0;
        if (failure(d) != NULL)
            return dcs_err_set(err, "%s", d->failure);
    }
    return dcs_err_set(err, "the device did not come to rest in %.0f s", DRAIN_S);
}

int drive_end(struct drive *d, struct drive_rows *rows, struct dcs_err *err)
{
    struct driven_end ignored;
    for (double began = wallclock_s();
         d->under_way > 0 && failure(d) == NULL && wallclock_s() - began < DRAIN_S;)
        if (!ended(d, &ignored))
            nap();
    if (failure(d) == NULL && d->under_way > 0)
        fail(d, "what was under way at the end of the run did not end");
    if (failure(d) == NULL && reset(d, err) != 0)
        fail(d, err->text);
    const struct drive_link *l = d->link;
    *rows = d->rows;
    d->rows = (struct drive_rows){0};
    rows->gpu = gpu_of(l);
    snprintf(rows->driver, sizeof rows->driver, "%s", l->driver);
    snprintf(rows->tool, sizeof rows->tool, "%s", l->tool);
    snprintf(rows->ends_by, sizeof rows->ends_by, "%s", l->ends_by);
    return d->failure[0] != '\0' ? dcs_err_set(err, "%s", d->failure) : 0;
}
