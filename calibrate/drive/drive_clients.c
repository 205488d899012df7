/*
 * drive_clients.c - a device on which applications have processes of their own, and this process
 * hands orders and ends on. To such a process it is what dcsim is to this one: they talk through a
 * link (runs/drive_link.h) of their own.
 *
 * MPS: they are clients of a server that is started here. The cap of a client is set when it
 * starts, which takes seconds: each application has a client for each cap that it may be given, and
 * a kernel goes to the one whose cap it has. Under another cap than the kernel before it works on
 * memory of that client's own.
 *
 * Processes to be killed: without a server the device is of one of them at a time. A batch
 * application has some more, which wait. When one that was killed has gone, a new one is started
 * in its place, while the others run; a launch for which none is ready waits. Where kernels are
 * stopped by a trap the process itself says when its context has ended. Then the launch has gone,
 * and the process is killed.
 */
#include "calibrate/drive/drive_serve.h"

#include "calibrate/worker/mps.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* dcsim waits for the device for 300 s. */
#define OPEN_NS  (240 * DCS_NS_PER_S)
#define RESET_NS (20 * DCS_NS_PER_S)
#define QUIT_NS  (5 * DCS_NS_PER_S)
#define LOOK_NS  (50 * DCS_NS_PER_MS) /* between two looks whether a client lives */

struct client {
    struct drive_link *link;
    uint32_t form, cap;
    pid_t pid; /* 0: it has gone */
    int64_t looked_ns;
    int64_t started_ns, killed_ns; /* 0: the time of that is over */
    uint32_t traps;                /* that it was told of, and has not answered */
    bool dead;                     /* a trap has ended its context; the process is being killed */
};

struct lane {
    struct client *client; /* NULL: it waits for one */
    struct drive_order order;
    uint64_t id;
    int64_t handed_ns; /* to the client; 0: it waits for one */
    int64_t lost_ns;   /* the client was killed for another lane, and had gone; 0: it was not */
    bool ended, revoked;
    bool answered; /* revoked by a trap: the client has said what became of it */
    struct drive_end end;
};

/* Of what was killed, or made in its place. */
struct times {
    uint64_t count;
    int64_t sum_ns, max_ns;
};

struct clients {
    struct drive_link *link;
    struct cal_mps *mps; /* NULL: there is none */
    struct client of[DRIVE_CLIENTS];
    uint32_t count;
    struct lane lanes[CAL_DRIVE_LANES];
    struct times gone, made;
    uint64_t withdrawn; /* launches that were revoked before a process had them */
    uint32_t dead;      /* clients that go */
};

static void add_time(struct times *t, int64_t ns)
{
    t->count++;
    t->sum_ns += ns;
    t->max_ns = ns > t->max_ns ? ns : t->max_ns;
}

static double mean_ms(const struct times *t)
{
    return t->count > 0 ? (double)t->sum_ns / 1e6 / (double)t->count : 0;
}

/* ---- Processes ---- */

/* Whether no client of its application has been made before it. */
static bool is_first(const struct clients *c, const struct client *k)
{
    for (const struct client *before = c->of; before < k; before++)
        if (before->form == k->form)
            return false;
    return true;
}

static int start_client(struct clients *c, struct client *k, struct dcs_err *err)
{
    int fd = memfd_create("dcsim-drive-client", 0);
    void *at = MAP_FAILED;
    if (fd >= 0 && ftruncate(fd, sizeof *k->link) == 0)
        at = mmap(NULL, sizeof *k->link, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
    if (at == MAP_FAILED) {
        dcs_err_set(err, "no memory to share: %s", strerror(errno));
        close(fd);
        return -1;
    }
    k->link = at;
    memcpy(k->link, c->link, offsetof(struct drive_link, found));
    k->link->parent = getpid();
    k->link->clients = k->link->kills = false;
    k->link->client = true;
    k->link->beside = c->mps != NULL || c->count > 1;
    k->link->late = atomic_load(&c->link->state) == DRIVE_READY;
    k->link->forms_count = 1;
    k->link->forms[0] = c->link->forms[k->form];
    k->link->forms[0].check = c->link->forms[k->form].check && is_first(c, k) && !k->link->late;
    char number[16];
    snprintf(number, sizeof number, "%d", fd);
    struct cal_worker_setting settings[CAL_MPS_SETTINGS + 1] = {{DRIVE_LINK_ENV, number}};
    if (c->mps != NULL)
        cal_mps_settings(c->mps, (int)(k->cap * 100 / c->link->sms), settings + 1);
    else /* copies go beside kernels; of six kernels at a time none waited with 8 queues */
        settings[1] = (struct cal_worker_setting){"CUDA_DEVICE_MAX_CONNECTIONS", "8"};
    k->started_ns = cal_now_ns();
    k->looked_ns = k->killed_ns = 0;
    char **environment = cal_environment(settings);
    char *arguments[] = {"dcsim-calibrate", "drive", NULL};
    int status = posix_spawn(&k->pid, "/proc/self/exe", NULL, NULL, arguments, environment);
    cal_environment_free(environment);
    close(fd);
    if (status == 0)
        return 0;
    k->pid = 0;
    return dcs_err_set(err, "cannot start a client: %s", strerror(status));
}

/* Whether a client has started; of one that was made in a run, how long that took is kept. */
static bool has_started(struct clients *c, struct client *k)
{
    if (k->started_ns != 0 && atomic_load(&k->link->state) == DRIVE_READY) {
        if (k->link->late)
            add_time(&c->made, k->link->ready_ns - k->started_ns);
        k->started_ns = 0;
    }
    return k->started_ns == 0;
}

/* Whether a client cannot go on, and why. */
static int check_client(struct clients *c, struct client *k, struct dcs_err *err)
{
    const char *name = c->link->forms[k->form].name;
    if (atomic_load(&k->link->state) == DRIVE_FAILED)
        return dcs_err_set(err, "%s: %s", name, k->link->error);
    int64_t now_ns = cal_now_ns();
    if (now_ns - k->looked_ns < LOOK_NS || k->killed_ns != 0)
        return 0;
    k->looked_ns = now_ns;
    int status;
    if (k->pid != 0 && waitpid(k->pid, &status, WNOHANG) != k->pid)
        return 0;
    k->pid = 0;
    return dcs_err_set(err, "the process of %s has ended", name);
}

static int await_client(struct clients *c, struct client *k, struct dcs_err *err)
{
    for (int64_t began_ns = cal_now_ns(); cal_now_ns() - began_ns < OPEN_NS;) {
        if (has_started(c, k))
            return 0;
        if (check_client(c, k, err) != 0)
            return -1;
        if (atomic_load(&c->link->quit))
            return dcs_err_set(err, "interrupted before the device was ready");
        cal_sleep_until(cal_now_ns() + DCS_NS_PER_MS);
    }
    return dcs_err_set(err, "%s was not ready after %lld s", c->link->forms[k->form].name,
                       (long long)(OPEN_NS / DCS_NS_PER_S));
}

static int open_client(struct clients *c, uint32_t form, uint32_t cap, bool await,
                       struct dcs_err *err)
{
    struct client *k = &c->of[c->count++];
    *k = (struct client){.form = form, .cap = cap};
    return start_client(c, k, err) != 0 || (await && await_client(c, k, err) != 0) ? -1 : 0;
}

/* Those of MPS one after the other; of others the first alone, which sees that nobody else has the
 * device. */
static int open_clients(struct clients *c, struct dcs_err *err)
{
    const struct drive_link *l = c->link;
    for (uint32_t i = 0; i < l->forms_count; i++) {
        const struct drive_form *f = &l->forms[i];
        if (l->kills && c->count + 1 + f->spares > DRIVE_CLIENTS)
            return dcs_err_set(err, "the applications need more than %u processes", DRIVE_CLIENTS);
        uint32_t n = l->kills ? 1 + f->spares : f->caps_count;
        for (uint32_t k = 0; k < n; k++)
            if (open_client(c, i, l->kills ? l->sms : f->caps[k], !l->kills || c->count == 0,
                            err) != 0)
                return -1;
    }
    for (uint32_t i = 0; i < c->count; i++)
        if (c->of[i].started_ns != 0 && await_client(c, &c->of[i], err) != 0)
            return -1;
    return 0;
}

static void close_client(struct client *k)
{
    if (k->link == NULL)
        return;
    if (k->pid != 0 && k->started_ns != 0)
        kill(k->pid, SIGKILL); /* it would not listen */
    for (int64_t began_ns = cal_now_ns(); k->pid != 0 && cal_now_ns() - began_ns < QUIT_NS;) {
        if (waitpid(k->pid, NULL, WNOHANG) != 0)
            k->pid = 0; /* the system may give its number to another process */
        else
            cal_sleep_until(cal_now_ns() + DCS_NS_PER_MS);
    }
    if (k->pid != 0 && kill(k->pid, SIGKILL) == 0)
        waitpid(k->pid, NULL, 0);
    munmap(k->link, sizeof *k->link);
}

/* ---- What serves ---- */

/* Of those of an application that are ready the one with the largest cap of at most so many SMs,
 * the first of several. */
static struct client *find_client(struct clients *c, uint32_t form, uint32_t sms)
{
    struct client *found = NULL;
    for (uint32_t i = 0; i < c->count; i++)
        if (c->of[i].form == form && c->of[i].cap <= sms && c->of[i].killed_ns == 0 &&
            has_started(c, &c->of[i]) && (found == NULL || c->of[i].cap > found->cap))
            found = &c->of[i];
    return found;
}

/* Other clients of the application may have had a kernel of the request: not those that still
 * start, and those that are killed forget by themselves. Neither would take the order. */
static bool forget_elsewhere(struct clients *c, const struct client *k, uint64_t id)
{
    const struct drive_order order = {.id = id, .kind = DRIVE_FORGET};
    bool put = true;
    for (uint32_t i = 0; i < c->count; i++)
        if (c->of[i].form == k->form && &c->of[i] != k && c->of[i].started_ns == 0 &&
            c->of[i].killed_ns == 0)
            put = drive_put_order(c->of[i].link, &order) && put;
    return put;
}

static int hand_over(struct clients *c, struct client *k, struct lane *l, struct dcs_err *err)
{
    const struct drive_order *o = &l->order;
    const char *name = c->link->forms[o->form].name;
    struct drive_order order = *o;
    order.form = 0;
    l->client = k;
    l->handed_ns = cal_now_ns();
    bool put = drive_put_order(k->link, &order);
    return put && (!o->last || forget_elsewhere(c, k, o->id))
               ? 0
               : dcs_err_set(err, "%s takes no orders", name);
}

static int launch(void *context, const struct drive_order *o, unsigned lane, uint32_t *sms,
                  struct dcs_err *err)
{
    struct clients *c = context;
    bool kills = c->link->kills;
    if (o->form >= c->link->forms_count || o->kind != (kills ? DRIVE_WHOLE : DRIVE_MPS))
        return dcs_err_set(err, "an order that no process of an application can carry out");
    struct client *k = find_client(c, o->form, kills ? c->link->sms : o->sms);
    struct lane *l = &c->lanes[lane];
    *l = (struct lane){.id = o->id, .order = *o};
    if (k == NULL)
        return kills ? 0
                     : dcs_err_set(err, "%s has no process of %u SMs or fewer",
                                   c->link->forms[o->form].name, o->sms);
    if (!kills)
        *sms = k->link->found_sms > 0 ? k->link->found_sms : k->cap;
    return hand_over(c, k, l, err);
}

/* A launch waits: whether what is to have it has failed. */
static int check_late(struct clients *c, uint32_t form, struct dcs_err *err)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (c->of[i].form == form && c->of[i].started_ns != 0 &&
            check_client(c, &c->of[i], err) != 0)
            return -1;
    return 0;
}

/* ---- What is killed ---- */

/* Takes what a client says has ended. */
static int hear(struct clients *c, struct client *k, struct dcs_err *err)
{
    struct drive_end end;
    while (drive_take_end(k->link, &end)) {
        struct lane *found = NULL;
        for (unsigned i = 0; i < CAL_DRIVE_LANES && found == NULL; i++)
            if (c->lanes[i].client == k && c->lanes[i].id == end.id && !c->lanes[i].ended)
                found = &c->lanes[i];
        k->traps -= end.stopped;
        if (found == NULL)
            return dcs_err_set(err, "%s has ended what it was not asked for",
                               c->link->forms[k->form].name);
        /* Of one that is revoked its process is being killed, or tells later of its trap. */
        found->ended = !found->revoked;
        found->answered = end.stopped;
        found->end = end;
    }
    return 0;
}

/* Every launch has a trap of its own: one may have ended before, and then nothing is stopped. */
static int trap_lane(struct clients *c, struct client *k, const struct lane *l, struct dcs_err *err)
{
    const struct drive_order order = {.id = l->id, .kind = DRIVE_KILL};
    k->traps++;
    return drive_put_order(k->link, &order)
               ? 0
               : dcs_err_set(err, "%s takes no orders", c->link->forms[k->form].name);
}

static int kill_lane(void *context, unsigned lane, struct dcs_err *err)
{
    struct clients *c = context;
    struct lane *l = &c->lanes[lane];
    struct client *k = l->client;
    bool traps = c->link->traps;
    l->revoked = true;
    if (k == NULL || l->ended || (k->killed_ns != 0 && !traps))
        return 0;
    k->killed_ns = k->killed_ns != 0 ? k->killed_ns : cal_now_ns();
    if (traps)
        return trap_lane(c, k, l, err);
    if (k->pid == 0 || kill(k->pid, SIGKILL) != 0)
        return dcs_err_set(err, "the process of %s has ended", c->link->forms[k->form].name);
    return 0;
}

/* Whether its kernel had ended before it was stopped: before the kill came, or before the trap. */
static bool was_over(const struct lane *l)
{
    return l->ended || (l->answered && !l->end.killed);
}

/* What else a client had that has gone waits to be revoked, too. */
static void lose_lanes(struct clients *c, const struct client *k, int64_t now_ns)
{
    add_time(&c->gone, now_ns - k->killed_ns);
    for (unsigned i = 0; i < CAL_DRIVE_LANES; i++)
        if (c->lanes[i].client == k && !c->lanes[i].ended) {
            c->lanes[i].client = NULL;
            c->lanes[i].lost_ns = was_over(&c->lanes[i]) ? 0 : now_ns;
        }
}

/* Makes a new process in the place of one that has gone. */
static int replace_client(struct clients *c, struct client *k, struct dcs_err *err)
{
    k->pid = 0;
    k->dead = false;
    k->traps = 0;
    munmap(k->link, sizeof *k->link);
    k->link = NULL;
    return start_client(c, k, err);
}

/* Takes the processes that have gone of those whose contexts have ended. */
static int reap_dead(struct clients *c, struct dcs_err *err)
{
    for (uint32_t i = 0; c->dead > 0 && i < c->count; i++) {
        struct client *k = &c->of[i];
        if (!k->dead || waitpid(k->pid, NULL, WNOHANG) != k->pid)
            continue;
        c->dead--;
        if (replace_client(c, k, err) != 0)
            return -1;
    }
    return 0;
}

/* Whether the client has answered, or has gone with another launch. 1: yes. */
static int see_trapped(struct clients *c, struct lane *l, struct dcs_err *err)
{
    struct client *k = l->client;
    if (hear(c, k, err) != 0 || check_client(c, k, err) != 0)
        return -1;
    if (!l->answered) {
        if (k->pid == 0 || waitpid(k->pid, NULL, WNOHANG) != k->pid)
            return 0;
        k->pid = 0;
        return dcs_err_set(err, "the process of %s has ended before its trap",
                           c->link->forms[k->form].name);
    }
    if (l->end.killed) {
        lose_lanes(c, k, l->end.end_ns);
        if (k->pid != 0)
            kill(k->pid, SIGKILL);
        k->dead = true;
        c->dead++;
    } else if (k->traps == 0) {
        k->killed_ns = 0; /* all had ended before */
    }
    return 1;
}

static int see_killed(struct clients *c, const struct lane *l, struct dcs_err *err)
{
    struct client *k = l->client;
    if (waitpid(k->pid, NULL, WNOHANG) != k->pid)
        return 0;
    lose_lanes(c, k, cal_now_ns());
    return replace_client(c, k, err) == 0 ? 1 : -1;
}

/* Whether a launch that was revoked has gone. */
static int see_gone(struct clients *c, struct lane *l, struct drive_end *end, struct dcs_err *err)
{
    const struct client *k = l->client;
    int gone = 1;
    if (k != NULL && !l->ended && c->link->traps)
        gone = see_trapped(c, l, err);
    else if (k != NULL && !l->ended && k->pid != 0 && k->killed_ns != 0)
        gone = see_killed(c, l, err);
    if (gone != 1)
        return gone;
    c->withdrawn += l->handed_ns == 0;
    end->killed = l->lost_ns != 0;
    end->launched_ns = was_over(l) ? 0 : l->handed_ns;
    end->end_ns = end->killed ? l->lost_ns : cal_now_ns();
    end->stopped = true;
    *l = (struct lane){0};
    return 1;
}

static int ended(void *context, unsigned lane, struct drive_end *end, struct dcs_err *err)
{
    struct clients *c = context;
    struct lane *l = &c->lanes[lane];
    if (c->dead > 0 && reap_dead(c, err) != 0)
        return -1;
    if (l->revoked)
        return see_gone(c, l, end, err);
    if (l->lost_ns != 0)
        return 0; /* its own kill is on the way, and would hit what it ran in next */
    if (l->client == NULL) {
        struct client *k = find_client(c, l->order.form, c->link->sms);
        return k == NULL ? check_late(c, l->order.form, err) : hand_over(c, k, l, err);
    }
    if (!l->ended && (hear(c, l->client, err) != 0 || check_client(c, l->client, err) != 0))
        return -1;
    if (!l->ended)
        return 0;
    end->launched_ns = l->end.launched_ns;
    end->end_ns = l->end.end_ns;
    *l = (struct lane){0};
    return 1;
}

/* A client that does not answer has failed, and says so at its next order. */
static void reset(void *context)
{
    struct clients *c = context;
    const struct drive_order order = {.kind = DRIVE_RESET};
    struct dcs_err err = {0};
    for (int64_t began_ns = cal_now_ns(); c->dead > 0 && cal_now_ns() - began_ns < RESET_NS;)
        if (reap_dead(c, &err) == 0)
            cal_sleep_until(cal_now_ns() + DCS_NS_PER_MS);
    for (uint32_t i = 0; i < c->count; i++) {
        struct drive_end end = {.id = 1};
        if (c->of[i].link == NULL)
            continue;
        if (c->of[i].started_ns != 0 && await_client(c, &c->of[i], &err) != 0)
            continue;
        bool sent = drive_put_order(c->of[i].link, &order);
        for (int64_t began_ns = cal_now_ns(); sent && end.id != 0 &&
                                              cal_now_ns() - began_ns < RESET_NS &&
                                              check_client(c, &c->of[i], &err) == 0;)
            if (!drive_take_end(c->of[i].link, &end))
                sched_yield();
    }
    memset(c->lanes, 0, sizeof c->lanes);
    if (c->gone.count > 0 || c->withdrawn > 0)
        fprintf(stderr,
                "dcsim-calibrate: %llu processes were %s, gone after %.1f ms in the mean (at "
                "most %.1f); %llu were made meanwhile, ready after %.0f ms (at most %.0f); %llu "
                "launches were revoked while they waited for one\n",
                (unsigned long long)c->gone.count, c->link->traps ? "trapped" : "killed",
                mean_ms(&c->gone), (double)c->gone.max_ns / 1e6, (unsigned long long)c->made.count,
                mean_ms(&c->made), (double)c->made.max_ns / 1e6, (unsigned long long)c->withdrawn);
    c->gone = c->made = (struct times){0};
    c->withdrawn = 0;
}

int cal_drive_clients(struct drive_link *l, bool server, struct dcs_err *err)
{
    static struct clients c; /* large, and there is one */
    const struct cal_drive_device device = {.context = &c,
                                            .launch = launch,
                                            .ended = ended,
                                            .kill = l->kills ? kill_lane : NULL,
                                            .reset = reset};
    int failed = 0;
    memset(&c, 0, sizeof c);
    c.link = l;
    if (server) {
        c.mps = cal_mps_start(err);
        failed = c.mps == NULL ? -1 : 0;
    }
    failed = failed || open_clients(&c, err) != 0;
    if (!failed && c.mps != NULL && !cal_mps_alive(c.mps))
        failed = dcs_err_set(err, "the MPS server has ended: its clients would take turns");
    if (!failed) {
        const struct drive_link *first = c.of[0].link;
        snprintf(l->found, sizeof l->found, "%s", first->found);
        snprintf(l->uuid, sizeof l->uuid, "%s", first->uuid);
        snprintf(l->driver, sizeof l->driver, "%s", first->driver);
        snprintf(l->ends_by, sizeof l->ends_by, "%s", first->ends_by);
        failed = cal_drive_serve(l, &device, err);
    }
    if (failed)
        cal_drive_fail(l, err); /* before what takes long */
    for (uint32_t i = 0; i < c.count; i++)
        if (c.of[i].link != NULL)
            atomic_store(&c.of[i].link->quit, true);
    for (uint32_t i = 0; i < c.count; i++)
        close_client(&c.of[i]);
    cal_mps_stop(c.mps);
    return failed;
}
