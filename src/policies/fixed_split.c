/*
 * fixed_split.c - partitions that services keep: what C-Laius calls static optimal, section 3.6,
 * for one choice of the shares (a sweep over them finds the best).
 *
 * Each service that is named has SMs of its own, never changed: its share rounded to the nearest
 * multiple of the smallest part of the device, at least one. Where that is more than the device,
 * those that were rounded up furthest give back what is too much. One share for all is rounded
 * likewise, and the services that are present divide it equally, as the batch applications that are
 * present divide what all services leave: rounded down to such multiples, the first of them with
 * the remainder. With nothing left batch requests wait for ever. A service without SMs would, too:
 * its first request ends the run.
 */
#include "policies/lib/name.h"
#include "policies/lib/partition.h"
#include "policies/policy.h"

#include <stdarg.h>
#include <stdio.h>

#define NAME_SHOWN 64 /* bytes of a name in an error */
#define TEXT_SHOWN 64 /* of the whole option */

struct split_params {
    struct partition_params partition;
    char *service_shares;
};

struct split_share {
    struct name_part name;
    double share;
    uint32_t sms; /* its part of a device */
};

struct split {
    struct partition partition; /* first: the callbacks of partition.h take it for the state */
    double together;            /* what all services divide; used if none is named */
    struct split_share *named;
    size_t named_count;
    struct host *host;
};

static const struct param params[] = {
    {PARAM_STRING, "service_shares", .offset = offsetof(struct split_params, service_shares),
     .text = "0.5",
     .help = "Shares of the device, together at most 1: one that all services divide equally "
             "(\"0.5\"), or one for "
             "each (\"resnet50=0.5,dig=0.25\"). Batch applications divide the rest."},
    PARTITION_PARAMS(offsetof(struct split_params, partition)),
    {0},
};

/* The nearest multiple of the device's smallest part, at least one, at most the device. */
static uint32_t round_share(double share, uint32_t sms, uint32_t step)
{
    if (share <= 0)
        return 0;
    uint32_t parts = (uint32_t)(share * sms / step + 0.5);
    uint32_t rounded = parts > 0 ? parts * step : step;
    return rounded < sms ? rounded : sms;
}

/* What one of `count` gets of `sms`; the first gets what the division leaves. */
static uint32_t divide(uint32_t sms, uint32_t step, uint32_t count, bool first)
{
    uint32_t each = sms / count / step * step;
    if (each == 0)
        return sms < step ? sms : step; /* they take turns */
    return first ? sms - each * (count - 1) : each;
}

/* Whether no application of its class that takes part on d was known earlier. */
static bool is_first(const struct partition *p, dev_id d, uint32_t app)
{
    for (uint32_t i = 0; i < app; i++)
        if (p->apps[i].class == p->apps[app].class && partition_present(p, d, i))
            return false;
    return true;
}

static bool refuse(const struct split *self, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Ends the run, with what is wrong with policy.service_shares; false. */
static bool refuse(const struct split *self, const char *format, ...)
{
    char why[512];
    int used = snprintf(why, sizeof why, "policy.service_shares ");
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why + used, sizeof why - (size_t)used, format, arguments);
    va_end(arguments);
    host_fail(self->host, why);
    return false;
}

static const struct split_share *find_share(const struct split *self, const char *name)
{
    for (size_t i = 0; i < self->named_count; i++)
        if (name_is(self->named[i].name, name))
            return &self->named[i];
    return NULL;
}

static uint32_t named_part(const struct split *self, const struct partition_app *app)
{
    const struct split_share *s = find_share(self, host_app_name(self->host, app->app));
    return s != NULL ? s->sms : 0; /* never: check_application() */
}

static uint32_t split_part(const struct partition *p, dev_id d, const struct host_device *device,
                           uint32_t app)
{
    const struct split *self = (const struct split *)(const void *)p;
    uint32_t sms = share_sms(device, HOST_GREEN), step = share_step(device, HOST_GREEN);
    if (!share_offers(device, HOST_GREEN))
        return sms;
    enum host_class class = p->apps[app].class;
    if (class == HOST_LATENCY && self->named_count > 0)
        return named_part(self, &p->apps[app]);
    uint32_t services = self->named_count == 0 ? round_share(self->together, sms, step) : 0;
    for (size_t i = 0; i < self->named_count; i++)
        services += self->named[i].sms;
    return divide(class == HOST_LATENCY ? services : sms - services, step,
                  1 + partition_others(p, d, class, app), is_first(p, d, app));
}

/* How much more than its share a part is. */
static double rounded_up(const struct split_share *s, uint32_t sms)
{
    return s->sms - s->share * sms;
}

/* The parts of the named services; false if the device is too small for all of them. */
static bool fit(struct split *self, uint32_t sms, uint32_t step)
{
    uint64_t sum = 0;
    if (self->named == NULL)
        return true; /* one share for all */
    for (size_t i = 0; i < self->named_count; i++) {
        self->named[i].sms = round_share(self->named[i].share, sms, step);
        sum += self->named[i].sms;
    }
    while (sum > sms) {
        struct split_share *most = NULL;
        for (size_t i = 0; i < self->named_count; i++) {
            struct split_share *s = &self->named[i];
            if (s->sms > step && (most == NULL || rounded_up(s, sms) > rounded_up(most, sms)))
                most = s;
        }
        if (most == NULL)
            return false;
        uint32_t less = sum - sms < step ? (uint32_t)(sum - sms) : step;
        if (less > most->sms - step)
            less = most->sms - step;
        most->sms -= less;
        sum -= less;
    }
    return true;
}

static bool is_share(double share)
{
    return share >= 0 && share <= 1;
}

/* One "NAME=SHARE" of `text`; false after refusing it. */
static bool parse_item(struct split *self, const char *text, const char *item, size_t length)
{
    int shown = (int)(length < NAME_SHOWN ? length : NAME_SHOWN);
    const char *equals = memchr(item, '=', length);
    char *end = NULL;
    double share = equals != NULL ? strtod(equals + 1, &end) : 0;
    if (equals == NULL || equals == item || end == equals + 1 || end != item + length)
        return refuse(self,
                      "is \"%.*s\": \"%.*s\" is no NAME=SHARE; expected one share of all services "
                      "from 0 to 1, or NAME=SHARE,NAME=SHARE,...",
                      TEXT_SHOWN, text, shown, item);
    if (!is_share(share))
        return refuse(self, "has \"%.*s\": expected a share from 0 to 1", shown, item);
    struct name_part name = {item, (size_t)(equals - item)};
    for (size_t i = 0; i < self->named_count; i++)
        if (self->named[i].name.length == name.length &&
            memcmp(self->named[i].name.at, name.at, name.length) == 0)
            return refuse(self, "is \"%.*s\": it names \"%.*s\" twice", TEXT_SHOWN, text,
                          (int)(name.length < NAME_SHOWN ? name.length : NAME_SHOWN), name.at);
    self->named[self->named_count++] = (struct split_share){.name = name, .share = share};
    return true;
}

/* "NAME=SHARE,..." or "SHARE"; false after refusing what is neither. */
static bool parse(struct split *self, const char *text)
{
    char *end;
    self->together = strtod(text, &end);
    if (end != text && *end == '\0')
        return is_share(self->together) ||
               refuse(self, "is %.*s: expected a share from 0 to 1", TEXT_SHOWN, text);
    size_t room = 1;
    for (const char *c = text; *c != '\0'; c++)
        room += *c == ',';
    self->named = calloc(room, sizeof *self->named);
    if (self->named == NULL)
        return refuse(self, "has no memory");
    double sum = 0;
    for (const char *item = text;;) {
        size_t length = strcspn(item, ",");
        if (!parse_item(self, text, item, length))
            return false;
        sum += self->named[self->named_count - 1].share;
        if (item[length] == '\0')
            break;
        item += length + 1;
    }
    return sum <= 1 + 1e-9 ||
           refuse(self, "is \"%.*s\": these shares add up to %.6g, but the device is 1", TEXT_SHOWN,
                  text, sum);
}

/* The first share whose name is that of no application; NULL if there is none. */
static const struct split_share *unknown_name(const struct split *self, const struct host *h)
{
    for (size_t i = 0; i < self->named_count; i++) {
        const char *name;
        bool found = false;
        for (app_id a = 0; !found && (name = host_app_name(h, a)) != NULL; a++)
            found = name_is(self->named[i].name, name);
        if (!found)
            return &self->named[i];
    }
    return NULL;
}

static int split_init(void *state, const void *given, struct host *h)
{
    struct split *self = state;
    const struct split_params *p = given;
    self->host = h;
    self->named = NULL;
    self->named_count = 0;
    self->partition.mechanism = HOST_GREEN;
    self->partition.part = split_part;
    if (!parse(self, p->service_shares))
        return -1;
    const struct split_share *unknown = unknown_name(self, h);
    if (unknown != NULL) {
        refuse(self, "names \"%.*s\", an application that the experiment lacks",
               (int)(unknown->name.length < NAME_SHOWN ? unknown->name.length : NAME_SHOWN),
               unknown->name.at);
        return -1;
    }
    struct host_device device; /* any of the domain: they are alike */
    host_device(h, 0, &device);
    if (share_offers(&device, HOST_GREEN) &&
        !fit(self, device.sms, share_step(&device, HOST_GREEN))) {
        refuse(
            self,
            "is \"%.*s\": each of these services needs a part of %u SMs at least, of a device of "
            "%u SMs: run fewer of them on a device",
            TEXT_SHOWN, p->service_shares, share_step(&device, HOST_GREEN), device.sms);
        return -1;
    }
    return partition_init(&self->partition, h, &p->partition);
}

/* Whether requests of an application can be served; false after refusing. Only a request shows
 * which class it is of. */
static bool check_application(const struct split *self, const struct host_request *request)
{
    const char *name = host_app_name(self->host, request->app);
    const struct split_share *s = find_share(self, name);
    if (request->class == HOST_BATCH && s != NULL)
        return refuse(self,
                      "names \"%.*s\", which is no service: batch applications divide what the "
                      "services leave",
                      NAME_SHOWN, name);
    if (request->class == HOST_BATCH)
        return true;
    if (self->named_count > 0 && s == NULL)
        return refuse(self, "names some services, but not \"%.*s\", which has requests", NAME_SHOWN,
                      name);
    if ((s != NULL ? s->share : self->together) > 0)
        return true;
    return refuse(self,
                  "gives service \"%.*s\" a share of 0: its requests would wait for ever; give it "
                  "more than 0, or run the workload without it",
                  NAME_SHOWN, name);
}

static void split_on_ready(void *state, struct host *h, req_id r)
{
    const struct split *self = state;
    struct host_request request;
    bool known = false;
    if (!host_request(h, r, &request))
        return;
    for (size_t i = 0; i < self->partition.apps_count && !known; i++)
        known = self->partition.apps[i].app == request.app;
    if (known || check_application(self, &request))
        partition_on_ready(state, h, r);
}

static void split_fini(void *state)
{
    struct split *self = state;
    free(self->named);
    partition_release(&self->partition);
}

const struct policy policy_fixed_split;
const struct policy policy_fixed_split = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "fixed-split",
    .summary = "Fixed SMs for services; the batch applications present divide the rest.",
    .source = "C-Laius, section 3.6",
    .needs = 1u << HOST_GREEN,
    .params = params,
    .params_size = sizeof(struct split_params),
    .state_size = sizeof(struct split),
    .init = split_init,
    .fini = split_fini,
    .on_job = partition_on_job,
    .on_ready = split_on_ready,
    .on_complete = partition_on_complete,
    .on_gone = partition_on_gone,
};
