/* timeline.c - see timeline.h. */
#include "runs/timeline.h"

#include "text/number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Tracks of a device: its own, and as many lanes as kernels run together. */
#define TOGETHER_MAX DCS_CPU_TOGETHER_MAX
_Static_assert(DCS_TOGETHER_MAX <= TOGETHER_MAX, "lanes for GPUs, too");
#define DEVICE_TRACKS (1 + TOGETHER_MAX)

/* A slice, to draw an arrow from. */
struct place {
    req_id id; /* of the request; 0: none */
    struct timeline_track track;
    int64_t at_ns;
};

/* A kernel that is on a device. */
struct kernel {
    struct cluster_record launch;
    uint32_t lane;
    int64_t from_ns; /* of its slice */
    bool stopping;
};

struct device {
    bool shown;
    uint32_t domain, first_track;
    uint32_t lanes; /* that have a name */
    uint32_t kernels_count;
    struct kernel *kernels; /* TOGETHER_MAX; NULL: it is not shown */
    int64_t busy_ns;        /* since when */
    struct counter {
        int64_t value, shown, at_ns; /* holds from at_ns on; shown -1: none yet */
    } sms;
};

struct domain {
    bool shown;
    struct counter waiting, busy;
};

struct timeline {
    const struct experiment *x;
    struct timeline_window window;
    struct timeline_file *file;
    struct device *devices;
    struct domain *domains;
    struct place *last; /* slice of each request that is inside, by slot */
    size_t last_capacity;
    int64_t ended_ns;
    uint64_t kernels;
    struct text_buffer name, args;
};

static void name_tracks(struct timeline *t);

struct timeline *timeline_new(const struct experiment *x, const struct timeline_window *window,
                              struct timeline_file *file)
{
    struct timeline *t = dcs_alloc(1, sizeof *t);
    *t = (struct timeline){.x = x, .window = *window, .file = file};
    t->devices = dcs_alloc(x->devices_count, sizeof *t->devices);
    t->domains = dcs_alloc(x->domains_count, sizeof *t->domains);
    uint32_t device = 0;
    for (uint32_t i = 0; i < x->domains_count; i++) {
        const struct counter none = {.shown = -1};
        t->domains[i] = (struct domain){.waiting = none, .busy = none};
        for (uint32_t k = 0; k < x->domains[i].devices; k++, device++) {
            t->devices[device] = (struct device){.shown = window->devices[device],
                                                 .domain = i,
                                                 .first_track = 1 + k * DEVICE_TRACKS,
                                                 .sms = none};
            t->domains[i].shown |= window->devices[device];
            if (window->devices[device])
                t->devices[device].kernels = dcs_alloc(TOGETHER_MAX, sizeof(struct kernel));
        }
    }
    name_tracks(t);
    return t;
}

void timeline_free(struct timeline *t)
{
    if (t == NULL)
        return;
    for (uint32_t i = 0; i < t->x->devices_count; i++)
        free(t->devices[i].kernels);
    free(t->devices);
    free(t->domains);
    free(t->last);
    free(t->name.text);
    free(t->args.text);
    free(t);
}

int64_t timeline_ended_ns(const struct timeline *t)
{
    return t->ended_ns;
}

uint64_t timeline_kernels(const struct timeline *t)
{
    return t->kernels;
}

static bool is_shared(const struct timeline *t)
{
    return t->x->device_kind->shares;
}

/* Whether it is a GPU whose SMs are allotted. */
static bool has_allotments(const struct timeline *t)
{
    return t->x->device_kind->allots_sms;
}

/* ---- Tracks and counters ---- */

static struct timeline_track policy_track(uint32_t domain)
{
    return (struct timeline_track){.pid = domain + 1, .tid = 0};
}

static struct timeline_track device_track(const struct device *d)
{
    return (struct timeline_track){.pid = d->domain + 1, .tid = d->first_track};
}

static struct timeline_track lane_track(const struct timeline *t, const struct device *d,
                                        uint32_t lane)
{
    struct timeline_track track = device_track(d);
    track.tid += is_shared(t) ? 1 + lane : 0;
    return track;
}

static const char *text_of(struct text_buffer *text)
{
    return text->length > 0 ? text->text : "";
}

static void name_domain(struct timeline *t, uint32_t domain)
{
    const struct experiment *x = t->x;
    char name[160];
    snprintf(name, sizeof name, "domain %" PRIu32 ": %.60s", domain,
             x->kind[x->domains[domain].profile].name);
    timeline_name(t->file, (struct timeline_track){domain + 1, TIMELINE_PROCESS}, name);
    snprintf(name, sizeof name, "policy %.60s", x->config->policy->name);
    timeline_name(t->file, policy_track(domain), name);
}

static void name_tracks(struct timeline *t)
{
    char name[64];
    for (uint32_t i = 0; i < t->x->domains_count; i++)
        if (t->domains[i].shown)
            name_domain(t, i);
    for (uint32_t i = 0; i < t->x->devices_count; i++) {
        if (!t->devices[i].shown)
            continue;
        snprintf(name, sizeof name, "device %" PRIu32 "%s", i, is_shared(t) ? ": busy" : "");
        timeline_name(t->file, device_track(&t->devices[i]), name);
    }
}

static void name_lane(struct timeline *t, uint32_t device, uint32_t lane)
{
    struct device *d = &t->devices[device];
    char name[64];
    if (!is_shared(t) || lane < d->lanes)
        return;
    d->lanes = lane + 1;
    snprintf(name, sizeof name, "device %" PRIu32 ", lane %" PRIu32, device, lane);
    timeline_name(t->file, lane_track(t, d, lane), name);
}

/* The counter's value held until next_ns; a value that held for no time, or not in the window, is
 * not written. */
static void show_counter(struct timeline *t, struct counter *c, uint32_t domain, const char *name,
                         int64_t next_ns)
{
    int64_t from_ns = c->at_ns > t->window.from_ns ? c->at_ns : t->window.from_ns;
    if (next_ns <= from_ns || from_ns >= t->window.until_ns || c->value == c->shown)
        return;
    c->shown = c->value;
    timeline_number(t->file, domain + 1, from_ns, name, c->value);
}

static void set_counter(struct timeline *t, struct counter *c, uint32_t domain, const char *name,
                        int64_t now_ns, int64_t value)
{
    show_counter(t, c, domain, name, now_ns);
    c->value = value;
    c->at_ns = now_ns;
}

/* Its last value once more where the window ends: viewers draw a counter up to its last number. */
static void end_counter(struct timeline *t, struct counter *c, uint32_t domain, const char *name)
{
    show_counter(t, c, domain, name, DCS_NEVER);
    if (c->shown >= 0)
        timeline_number(t->file, domain + 1, t->window.until_ns, name, c->shown);
}

static void set_waiting(struct timeline *t, const struct cluster_record *r, int64_t change)
{
    struct counter *c = &t->domains[r->domain].waiting;
    set_counter(t, c, r->domain, "requests waiting", r->at_ns, c->value + change);
}

/* ---- Slices ---- */

/* What of [*from, *to) lies in the window; false if nothing does. */
static bool cut(const struct timeline *t, int64_t *from_ns, int64_t *to_ns)
{
    if (*from_ns < t->window.from_ns)
        *from_ns = t->window.from_ns;
    if (*to_ns > t->window.until_ns)
        *to_ns = t->window.until_ns;
    return *from_ns < *to_ns;
}

static bool is_inside(const struct timeline *t, int64_t at_ns)
{
    return at_ns >= t->window.from_ns && at_ns < t->window.until_ns;
}

static void append_allotment(struct text_buffer *out, const char *key, struct host_allotment a)
{
    static const char *const names[] = {
        [HOST_WHOLE] = "whole", [HOST_GREEN] = "green", [HOST_MPS] = "mps"};
    if (a.mechanism == HOST_WHOLE)
        text_append(out, ",\"%s\":\"whole\"", key);
    else if (a.mechanism == HOST_GREEN || a.mechanism == HOST_MPS)
        text_append(out, ",\"%s\":\"%s %" PRIu32 " SMs\"", key, names[a.mechanism], a.sms);
    else if (a.mechanism == HOST_CPU)
        text_append(out, ",\"%s\":\"%" PRIu32 " cores, %" PRIu32 " ways, group %" PRIu32 "\"", key,
                    a.cores, a.ways, a.group);
}

/* Which request, as members of an object. */
static void describe(struct timeline *t, const struct cluster_record *r)
{
    t->args.length = 0;
    if (r->id == 0)
        return;
    text_append(&t->args, "\"job\":%" PRIu32 ",\"request\":%" PRIu64 ",\"kernel\":%" PRIu32, r->job,
                r->index, r->kernel);
    const struct dcs_app *app = &t->x->apps[r->form];
    if (app->size > 0)
        text_append(&t->args, ",\"size\":%" PRId64, app->size);
}

static const struct dcs_shape *shape_of(const struct timeline *t, const struct cluster_record *r)
{
    const struct dcs_app *app = &t->x->apps[r->form];
    uint32_t kind = t->x->domains[r->domain].profile;
    if (app->shapes == NULL || !has_allotments(t))
        return NULL;
    return &t->x->kind[kind].spatial->shapes[app->shapes[kind * app->kernels + r->kernel]];
}

static const char *name_kernel(struct timeline *t, const struct cluster_record *r)
{
    const struct dcs_app *app = &t->x->apps[r->form];
    const struct dcs_shape *shape = shape_of(t, r);
    t->name.length = 0;
    text_append(&t->name, "%s", t->x->apps[r->app].name);
    if (shape != NULL)
        text_append(&t->name, " %s", shape->name);
    else if (app->kernels > 1)
        text_append(&t->name, " %" PRIu32, r->kernel);
    return t->name.text;
}

static bool is_transfer(const struct timeline *t, const struct cluster_record *launch)
{
    const struct dcs_shape *shape = shape_of(t, launch);
    return shape != NULL && shape->kind != DCS_SHAPE_COMPUTE;
}

static const char *category(const struct timeline *t, const struct cluster_record *launch)
{
    if (launch->with != 0)
        return "fused";
    return is_transfer(t, launch) ? "transfer" : "kernel";
}

static struct place *last_of(struct timeline *t, const struct cluster_record *r)
{
    t->last = dcs_grow(t->last, &t->last_capacity, (size_t)r->slot + 1, sizeof *t->last);
    return &t->last[r->slot];
}

/* The slice of a kernel that leaves the device, or of its revocation. end: "" or what more to say.
 */
static void write_kernel(struct timeline *t, struct device *d, struct kernel *k, int64_t to_ns,
                         const char *end)
{
    const struct cluster_record *r = &k->launch;
    int64_t from_ns = k->from_ns;
    if (!cut(t, &from_ns, &to_ns))
        return;
    struct timeline_track track = lane_track(t, d, k->lane);
    describe(t, r);
    if (!k->stopping) {
        append_allotment(&t->args, "allotment", r->allotment);
        if (r->began_ns > r->at_ns)
            text_append(&t->args, ",\"start_ns\":%" PRId64, r->began_ns - r->at_ns);
    }
    text_append(&t->args, "%s", end);
    const char *name = name_kernel(t, r);
    timeline_slice(t->file, track, from_ns, to_ns, name,
                   k->stopping ? "revocation" : category(t, r), text_of(&t->args));
    t->kernels += !k->stopping;
    struct place *last = last_of(t, r);
    if (last->id == r->id)
        timeline_arrow(t->file, t->x->apps[r->app].name, last->track, last->at_ns, track, from_ns);
    *last = (struct place){.id = r->id, .track = track, .at_ns = from_ns};
}

/* ---- What happens ---- */

static const char *sms_name(char name[64], uint32_t device)
{
    snprintf(name, 64, "device %" PRIu32 ": SMs allotted", device);
    return name;
}

static void count_sms(struct timeline *t, uint32_t device, int64_t now_ns)
{
    struct device *d = &t->devices[device];
    int64_t sms = 0, all = t->x->kind[t->x->domains[d->domain].profile].profile->sms;
    bool whole = false;
    for (uint32_t i = 0; i < d->kernels_count; i++) {
        const struct cluster_record *launch = &d->kernels[i].launch;
        whole |= launch->allotment.mechanism == HOST_WHOLE && !is_transfer(t, launch);
        sms += launch->allotment.sms;
    }
    char name[64];
    set_counter(t, &d->sms, d->domain, sms_name(name, device), now_ns, whole ? all : sms);
}

/* The number of kernels has become or ceased to be 0. */
static void change_busy(struct timeline *t, uint32_t device, int64_t now_ns)
{
    struct device *d = &t->devices[device];
    struct counter *busy = &t->domains[d->domain].busy;
    bool idle = d->kernels_count == 0;
    set_counter(t, busy, d->domain, "devices busy", now_ns, busy->value + (idle ? -1 : 1));
    if (!idle) {
        d->busy_ns = now_ns;
        return;
    }
    int64_t from_ns = d->busy_ns, to_ns = now_ns;
    if (is_shared(t) && cut(t, &from_ns, &to_ns))
        timeline_slice(t->file, device_track(d), from_ns, to_ns, "busy", "device", "");
}

static struct kernel *find_kernel(struct device *d, req_id id)
{
    for (uint32_t i = 0; i < d->kernels_count; i++)
        if (d->kernels[i].launch.id == id)
            return &d->kernels[i];
    DCS_ASSERT(false);
    return NULL;
}

static void launch(struct timeline *t, const struct cluster_record *r)
{
    struct device *d = &t->devices[r->device];
    bool taken[TOGETHER_MAX] = {false};
    for (uint32_t i = 0; i < d->kernels_count; i++)
        taken[d->kernels[i].lane] = true;
    uint32_t lane = 0;
    while (taken[lane])
        lane++;
    name_lane(t, r->device, lane);
    DCS_ASSERT(d->kernels_count < TOGETHER_MAX);
    d->kernels[d->kernels_count++] =
        (struct kernel){.launch = *r, .lane = lane, .from_ns = r->at_ns};
    if (d->kernels_count == 1)
        change_busy(t, r->device, r->at_ns);
    if (has_allotments(t))
        count_sms(t, r->device, r->at_ns);
}

static void take_off(struct timeline *t, uint32_t device, req_id id, int64_t now_ns)
{
    struct device *d = &t->devices[device];
    struct kernel *k = find_kernel(d, id);
    write_kernel(t, d, k, now_ns, "");
    *k = d->kernels[--d->kernels_count];
    if (d->kernels_count == 0)
        change_busy(t, device, now_ns);
    if (has_allotments(t))
        count_sms(t, device, now_ns);
}

static void stop(struct timeline *t, const struct cluster_record *r)
{
    struct device *d = &t->devices[r->device];
    struct kernel *k = find_kernel(d, r->id);
    write_kernel(t, d, k, r->at_ns, ",\"revoked\":true");
    k->stopping = true;
    k->from_ns = r->at_ns;
}

/* What a policy did or said, and what became of a quota. */
static void say(struct timeline *t, const struct cluster_record *r, const char *name,
                const char *what)
{
    if (!is_inside(t, r->at_ns))
        return;
    describe(t, r);
    struct text_buffer *args = &t->args;
    if (r->kind == RECORD_REASON)
        text_append(args, "%s\"value\":%" PRId64, args->length > 0 ? "," : "", r->value);
    if (r->id != 0 && r->device != RECORD_NONE && r->kind == RECORD_ACTION)
        text_append(args, ",\"device\":%" PRIu32, r->device);
    if (r->kind == RECORD_QUOTA)
        append_allotment(args, "before", r->before);
    bool allots =
        r->kind == RECORD_ACTION &&
        (strcmp(name, "launch") == 0 || strcmp(name, "allot") == 0 || strcmp(name, "resize") == 0);
    if (r->id != 0 && (r->kind == RECORD_QUOTA || allots))
        append_allotment(args, "allotment", r->allotment);
    timeline_instant(t->file, policy_track(r->domain), r->at_ns, name, what, text_of(args));
}

static void charge(struct timeline *t, const struct cluster_record *r)
{
    int64_t from_ns = r->at_ns, to_ns = r->to_ns;
    if (cut(t, &from_ns, &to_ns))
        timeline_slice(t->file, policy_track(r->domain), from_ns, to_ns, r->what, "scheduler", "");
}

static void finish(struct timeline *t, int64_t end_ns)
{
    t->ended_ns = end_ns;
    if (t->window.until_ns > end_ns)
        t->window.until_ns = end_ns;
    for (uint32_t i = 0; i < t->x->devices_count; i++) {
        struct device *d = &t->devices[i];
        int64_t from_ns = d->busy_ns, to_ns = end_ns;
        char name[64];
        for (uint32_t k = 0; k < d->kernels_count; k++)
            write_kernel(t, d, &d->kernels[k], end_ns, ",\"unfinished\":true");
        if (d->kernels_count > 0 && is_shared(t) && cut(t, &from_ns, &to_ns))
            timeline_slice(t->file, device_track(d), from_ns, to_ns, "busy", "device", "");
        if (d->shown && has_allotments(t))
            end_counter(t, &d->sms, d->domain, sms_name(name, i));
    }
    for (uint32_t i = 0; i < t->x->domains_count; i++) {
        struct domain *d = &t->domains[i];
        if (!d->shown)
            continue;
        end_counter(t, &d->waiting, i, "requests waiting");
        end_counter(t, &d->busy, i, "devices busy");
    }
}

static void tell(struct timeline *t, const struct cluster_record *r)
{
    bool on_device = r->device != RECORD_NONE && t->devices[r->device].shown;
    switch (r->kind) {
    case RECORD_ROUTED:
        set_waiting(t, r, 1);
        return;
    case RECORD_LEAVES:
        set_waiting(t, r, -1);
        return;
    case RECORD_LAUNCH:
        set_waiting(t, r, -1);
        if (on_device)
            launch(t, r);
        return;
    case RECORD_KERNEL_END:
    case RECORD_STOPPED:
        if (!r->flag)
            set_waiting(t, r, 1);
        if (on_device)
            take_off(t, r->device, r->id, r->at_ns);
        return;
    case RECORD_STOP:
        if (on_device)
            stop(t, r);
        return;
    case RECORD_QUOTA:
        say(t, r, "quota", "quota");
        return;
    case RECORD_ACTION:
        say(t, r, r->what, "decision");
        return;
    case RECORD_REASON:
        say(t, r, r->what, "reason");
        return;
    case RECORD_CALLBACK:
        charge(t, r);
        return;
    case RECORD_RATES:
    case RECORD_END:
        return;
    }
}

/* Says how to get a shorter one. */
static int too_long(const struct timeline *t, int64_t now_ns, struct dcs_err *err)
{
    char now[NUMBER_SIZE], from[NUMBER_SIZE];
    number_write_time(now_ns, DCS_NS_PER_S, now);
    number_write_time(t->window.from_ns, DCS_NS_PER_S, from);
    return dcs_err_at(
        err, "command line", 0, "--timeline-limit",
        "the timeline from %s s on passes it at %s s of simulated time: narrow it with "
        "--timeline-from, --timeline-until or --timeline-devices, or raise the limit",
        from, now);
}

static int record(void *context, const struct cluster_record *r, struct dcs_err *err)
{
    struct timeline *t = context;
    if (r->kind == RECORD_END)
        finish(t, r->at_ns);
    else if (r->domain != RECORD_NONE && t->domains[r->domain].shown)
        tell(t, r);
    if (timeline_file_state(t->file) == TIMELINE_TOO_LONG)
        return too_long(t, r->at_ns, err);
    if (timeline_file_state(t->file) == TIMELINE_UNWRITTEN)
        return timeline_file_finish(t->file, err);
    return 0;
}

struct recorder timeline_recorder(struct timeline *t)
{
    return (struct recorder){.context = t, .record = record};
}
