/* timeline_command.c - see timeline_command.h. */
#include "commands/timeline_command.h"

#include "build_id.h"
#include "text/number.h"
#include "config/plugin.h"
#include "runs/timeline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT_MB 20
/* More than any viewer opens; bytes then fit in 64 bits. */
#define LIMIT_MB_MAX 1000000

bool timeline_options_stray(const struct timeline_options *o)
{
    return o->path == NULL && (o->from != NULL || o->until != NULL || o->devices != NULL ||
                               o->replication != NULL || o->limit != NULL);
}

/* ---- What is asked for ---- */

static int bad(struct dcs_err *err, const char *option, const char *expected, const char *found)
{
    return dcs_err_at(err, "command line", 0, option, "expected %s, found \"%.40s\"", expected,
                      found);
}

static int read_time(const char *option, const char *text, int64_t *out, struct dcs_err *err)
{
    size_t digits = strspn(text, "0123456789."), length = strlen(text);
    bool number = length > 0 && digits == length && text[0] != '.' && text[length - 1] != '.' &&
                  strchr(text, '.') == strrchr(text, '.') && length < NUMBER_SIZE;
    if (number && number_read_time(text, length, DCS_NS_PER_S, out))
        return 0;
    return bad(err, option, "seconds of simulated time, as 12 or 0.25", text);
}

static bool read_whole(const char *text, const char **end, uint64_t max, uint64_t *out)
{
    uint64_t value = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9' && value <= max; at++)
        value = value * 10 + (uint64_t)(*at - '0');
    *end = at;
    *out = value;
    return at > text && value <= max;
}

/* "0-7,12": marks them. */
static int read_devices(const char *list, bool *devices, uint32_t count, struct dcs_err *err)
{
    const char *at = list;
    for (;;) {
        uint64_t first, last;
        bool good = read_whole(at, &at, UINT32_MAX, &first);
        last = first;
        if (good && *at == '-')
            good = read_whole(at + 1, &at, UINT32_MAX, &last);
        if (!good || (*at != ',' && *at != '\0') || last < first)
            return bad(err, "--timeline-devices", "numbers and ranges of devices, as 0-7,12", list);
        if (last >= count)
            return dcs_err_at(err, "command line", 0, "--timeline-devices",
                              "there is no device %" PRIu64 ": the cluster has 0 to %" PRIu32, last,
                              count - 1);
        for (uint64_t i = first; i <= last; i++)
            devices[i] = true;
        if (*at++ == '\0')
            return 0;
    }
}

/* What to record, and how much of it. */
struct wanted {
    struct timeline_window window;
    bool *devices;
    uint32_t devices_count;
    uint32_t replication;
    uint64_t limit_bytes;
};

static int read_numbers(const struct timeline_options *o, struct wanted *w, struct dcs_err *err)
{
    const char *end;
    uint64_t value;
    if (o->replication != NULL) {
        if (!read_whole(o->replication, &end, UINT32_MAX - 1, &value) || *end != '\0')
            return bad(err, "--timeline-replication", "a replication: 0, 1, ...", o->replication);
        w->replication = (uint32_t)value;
    }
    w->limit_bytes = LIMIT_MB * UINT64_C(1000000);
    if (o->limit != NULL) {
        if (!read_whole(o->limit, &end, LIMIT_MB_MAX, &value) || *end != '\0' || value == 0)
            return bad(err, "--timeline-limit", "MB, from 1 to 1000000", o->limit);
        w->limit_bytes = value * UINT64_C(1000000);
    }
    return 0;
}

static int read_window(const struct timeline_options *o, const struct experiment *x,
                       struct timeline_window *w, struct dcs_err *err)
{
    int64_t ends_ns = x->config->horizon.duration_ns;
    w->until_ns = DCS_NEVER;
    if ((o->from != NULL && read_time("--timeline-from", o->from, &w->from_ns, err) != 0) ||
        (o->until != NULL && read_time("--timeline-until", o->until, &w->until_ns, err) != 0))
        return -1;
    if (w->until_ns <= w->from_ns)
        return dcs_err_at(err, "command line", 0, "--timeline-until",
                          "must be above --timeline-from");
    if (ends_ns > 0 && (w->from_ns >= ends_ns || (o->until != NULL && w->until_ns > ends_ns))) {
        char end[NUMBER_SIZE];
        number_write_time(ends_ns, DCS_NS_PER_S, end);
        return dcs_err_at(err, "command line", 0,
                          w->from_ns >= ends_ns ? "--timeline-from" : "--timeline-until",
                          "is outside the run, which ends at %s s", end);
    }
    return 0;
}

static int read_wanted(const struct timeline_options *o, const struct experiment *x,
                       struct wanted *w, struct dcs_err *err)
{
    *w = (struct wanted){.devices = dcs_alloc(x->devices_count, sizeof *w->devices)};
    w->window.devices = w->devices;
    memset(w->devices, o->devices == NULL, x->devices_count);
    if (read_numbers(o, w, err) != 0 || read_window(o, x, &w->window, err) != 0 ||
        (o->devices != NULL && read_devices(o->devices, w->devices, x->devices_count, err) != 0))
        return -1;
    for (uint32_t i = 0; i < x->devices_count; i++)
        w->devices_count += w->devices[i];
    return 0;
}

/* ---- Recording ---- */

/* What the file says of itself. */
static char *note_of(const struct experiment *x, const struct wanted *w)
{
    struct text_buffer note = {0};
    text_append(&note, "\"build\":\"" DCS_BUILD_ID "\",\"name\":");
    text_append_json(&note, x->config->name);
    text_append(&note, ",\"policy\":");
    text_append_json(&note, x->config->policy->name);
    text_append(&note,
                ",\"experiment\":\"%s\",\"seed\":\"%" PRId64 "\",\"replication\":\"%" PRIu32 "\"",
                x->hash, x->config->seed, w->replication);
    return note.text;
}

static int outside(const struct timeline *t, struct dcs_err *err)
{
    char end[NUMBER_SIZE];
    number_write_time(timeline_ended_ns(t), DCS_NS_PER_S, end);
    return dcs_err_at(err, "command line", 0, "--timeline-from",
                      "is outside the run, which ends at %s s", end);
}

static void tell(const struct timeline_options *o, const struct experiment *x,
                 const struct wanted *w, const struct timeline *t, uint64_t bytes)
{
    char from[NUMBER_SIZE], to[NUMBER_SIZE];
    int64_t end_ns = timeline_ended_ns(t);
    number_write_time(w->window.from_ns, DCS_NS_PER_S, from);
    number_write_time(w->window.until_ns < end_ns ? w->window.until_ns : end_ns, DCS_NS_PER_S, to);
    printf("%s: replication %" PRIu32 " from %s to %s s, %" PRIu32 " of %" PRIu32
           " devices: %" PRIu64 " kernels, %.1f MB; %s opens it\n",
           o->path, w->replication, from, to, w->devices_count, x->devices_count,
           timeline_kernels(t), (double)bytes / 1e6,
           timeline_file_is_page(o->path) ? "any browser" : "https://ui.perfetto.dev");
}

static int record(const struct timeline_options *o, const struct experiment *x,
                  const struct wanted *w, bool quiet, struct run_watch *watch, struct dcs_err *err)
{
    char *note = note_of(x, w);
    struct timeline_file *file = timeline_file_open(o->path, w->limit_bytes, note, err);
    free(note);
    if (file == NULL)
        return -1;
    struct timeline *t = timeline_new(x, &w->window, file);
    const struct recorder recorder = timeline_recorder(t);
    int status =
        replication_record(x, w->replication, &recorder, w->window.until_ns, watch, NULL, err);
    if (status == 0 && !atomic_load(&watch->stop)) {
        status = w->window.from_ns >= timeline_ended_ns(t) ? outside(t, err)
                                                           : timeline_file_finish(file, err);
        if (status == 0 && !quiet)
            tell(o, x, w, t, timeline_file_bytes(file));
    }
    timeline_free(t);
    timeline_file_close(file);
    return status;
}

int timeline_command(const struct timeline_options *o, const struct sweep *sweep, bool quiet,
                     struct run_watch *watch)
{
    struct dcs_err err = {0};
    struct options_doc *doc;
    struct config config;
    if (sweep->axes.points != 1) {
        options_error(sweep->doc, "sweep", &err,
                      "a timeline shows one run, and this is %" PRIu64
                      " experiments: --print-config prints the first without its sweep, as a "
                      "config to go on with; choose another there with --set",
                      sweep->axes.points);
        dcs_err_print(&err, stderr);
        return DCS_EXIT_USER;
    }
    if (sweep_config(sweep, 0, &doc, &config, &err) != 0) {
        dcs_err_print(&err, stderr);
        return DCS_EXIT_USER;
    }
    plugins_tell(sweep->plugins, sweep->doc);
    struct experiment x;
    int status = experiment_open(&x, &config, doc, &err);
    if (status == 0) {
        struct wanted w;
        status = read_wanted(o, &x, &w, &err);
        if (status == 0)
            status = record(o, &x, &w, quiet, watch, &err);
        free(w.devices);
        experiment_close(&x);
    }
    config_release(&config);
    options_doc_free(doc);
    if (status != 0)
        dcs_err_print(&err, stderr);
    else if (atomic_load(&watch->stop))
        fputs("dcsim: interrupted: no timeline was written\n", stderr);
    if (status != 0)
        return DCS_EXIT_USER;
    return atomic_load(&watch->stop) ? DCS_EXIT_INTERRUPTED : DCS_EXIT_OK;
}
