/* timeline_file.c - see timeline_file.h. */
#include "runs/timeline_file.h"

#include "des/newfile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The page, with PLACE where the object goes. */
extern const char timeline_page_html[];
#define PLACE "THE TIMELINE"

/* How our files begin: what begins so may be replaced. */
#define HEAD      "{\"otherData\":{\"program\":\"dcsim"
#define PAGE_HEAD "<!DOCTYPE html>\n<html lang=\"en\"><!-- A timeline of dcsim. -->"

struct timeline_file {
    const char *path;
    char *partial;
    FILE *out;
    uint64_t bytes, limit_bytes;
    uint64_t arrows;
    enum timeline_state state;
    int cause; /* errno of what could not be written */
    struct text_buffer event;
    bool first;
    bool page; /* in HTML */
};

bool timeline_file_is_page(const char *path)
{
    size_t length = strlen(path);
    return length > 5 && strcmp(path + length - 5, ".html") == 0;
}

static void put_bytes(struct timeline_file *f, const char *text, size_t length)
{
    f->bytes += length;
    if (f->state == TIMELINE_GOOD && f->bytes > f->limit_bytes)
        f->state = TIMELINE_TOO_LONG;
    if (f->state == TIMELINE_GOOD && fwrite(text, 1, length, f->out) != length) {
        f->state = TIMELINE_UNWRITTEN;
        f->cause = errno;
    }
}

/* The event. In a page no '<' of a name may end its script; all of them stand in strings. */
static void put(struct timeline_file *f)
{
    struct text_buffer *e = &f->event;
    size_t plain;
    for (size_t at = 0; at < e->length; at += plain) {
        const char *tag = f->page ? memchr(e->text + at, '<', e->length - at) : NULL;
        plain = tag != NULL ? (size_t)(tag - e->text) - at : e->length - at;
        put_bytes(f, e->text + at, plain);
        if (tag == NULL)
            break;
        put_bytes(f, "\\u003c", 6);
        plain++;
    }
    e->length = 0;
}

struct timeline_file *timeline_file_open(const char *path, uint64_t limit_bytes, const char *note,
                                         struct dcs_err *err)
{
    const char *begins = timeline_file_is_page(path) ? PAGE_HEAD : HEAD;
    if (newfile_may_replace(path, begins, "timeline", err) != 0)
        return NULL;
    struct timeline_file *f = dcs_alloc(1, sizeof *f);
    size_t room = strlen(path) + 40;
    *f = (struct timeline_file){.path = path,
                                .limit_bytes = limit_bytes,
                                .first = true,
                                .page = timeline_file_is_page(path)};
    f->partial = dcs_alloc(room, 1);
    snprintf(f->partial, room, "%s.partial-%ld", path, (long)getpid());
    f->out = fopen(f->partial, "wxe");
    if (f->out == NULL) {
        dcs_err_at(err, path, 0, NULL, "cannot write the timeline: %s", strerror(errno));
        timeline_file_close(f);
        return NULL;
    }
    if (f->page)
        put_bytes(f, timeline_page_html,
                  (size_t)(strstr(timeline_page_html, PLACE) - timeline_page_html));
    text_append(&f->event, HEAD "\"%s%s},\n\"traceEvents\":[", note[0] != '\0' ? "," : "", note);
    put(f);
    return f;
}

int timeline_file_finish(struct timeline_file *f, struct dcs_err *err)
{
    if (f->state == TIMELINE_GOOD) {
        text_append(&f->event, "\n]}\n");
        put(f);
        const char *rest = f->page ? strstr(timeline_page_html, PLACE) + strlen(PLACE) : "";
        put_bytes(f, rest, strlen(rest));
    }
    if (f->state == TIMELINE_TOO_LONG)
        return dcs_err_at(err, f->path, 0, NULL, "the timeline is longer than %" PRIu64 " bytes",
                          f->limit_bytes);
    if (f->state == TIMELINE_GOOD && (fflush(f->out) != 0 || fsync(fileno(f->out)) != 0)) {
        f->state = TIMELINE_UNWRITTEN;
        f->cause = errno;
    }
    int failed = fclose(f->out);
    f->out = NULL;
    if (f->state == TIMELINE_GOOD && (failed || rename(f->partial, f->path) != 0)) {
        f->state = TIMELINE_UNWRITTEN;
        f->cause = errno;
    }
    if (f->state == TIMELINE_UNWRITTEN) {
        unlink(f->partial);
        dcs_err_at(err, f->path, 0, NULL, "cannot write the timeline: %s", strerror(f->cause));
        return -1;
    }
    free(f->partial);
    f->partial = NULL;
    return 0;
}

void timeline_file_close(struct timeline_file *f)
{
    if (f == NULL)
        return;
    if (f->out != NULL) {
        fclose(f->out);
        unlink(f->partial);
    }
    free(f->partial);
    free(f->event.text);
    free(f);
}

enum timeline_state timeline_file_state(const struct timeline_file *f)
{
    return f->state;
}

uint64_t timeline_file_bytes(const struct timeline_file *f)
{
    return f->bytes;
}

/* ---- Events ---- */

static void append_us(struct text_buffer *e, const char *key, int64_t ns)
{
    text_append(e, ",\"%s\":%" PRId64 ".%03d", key, ns / 1000, (int)(ns % 1000));
}

static struct text_buffer *begin(struct timeline_file *f, const char *phase, uint32_t pid)
{
    struct text_buffer *e = &f->event;
    text_append(e, "%s{\"ph\":\"%s\",\"pid\":%" PRIu32, f->first ? "\n" : ",\n", phase, pid);
    f->first = false;
    return e;
}

static void append_name(struct text_buffer *e, const char *name, const char *category)
{
    text_append(e, ",\"name\":");
    text_append_json(e, name);
    if (category != NULL)
        text_append(e, ",\"cat\":\"%s\"", category);
}

static void end(struct timeline_file *f, const char *args)
{
    if (args[0] != '\0')
        text_append(&f->event, ",\"args\":{%s}", args);
    text_append(&f->event, "}");
    put(f);
}

void timeline_slice(struct timeline_file *f, struct timeline_track at, int64_t from_ns,
                    int64_t to_ns, const char *name, const char *category, const char *args)
{
    struct text_buffer *e = begin(f, "X", at.pid);
    text_append(e, ",\"tid\":%" PRIu32, at.tid);
    append_us(e, "ts", from_ns);
    append_us(e, "dur", to_ns - from_ns);
    append_name(e, name, category);
    end(f, args);
}

void timeline_instant(struct timeline_file *f, struct timeline_track at, int64_t at_ns,
                      const char *name, const char *category, const char *args)
{
    struct text_buffer *e = begin(f, "i", at.pid);
    text_append(e, ",\"tid\":%" PRIu32 ",\"s\":\"t\"", at.tid);
    append_us(e, "ts", at_ns);
    append_name(e, name, category);
    end(f, args);
}

void timeline_number(struct timeline_file *f, uint32_t pid, int64_t at_ns, const char *name,
                     int64_t value)
{
    char args[40];
    struct text_buffer *e = begin(f, "C", pid);
    append_us(e, "ts", at_ns);
    append_name(e, name, NULL);
    snprintf(args, sizeof args, "\"value\":%" PRId64, value);
    end(f, args);
}

static void arrow_end(struct timeline_file *f, const char *phase, const char *name,
                      struct timeline_track at, int64_t at_ns)
{
    struct text_buffer *e = begin(f, phase, at.pid);
    text_append(e, ",\"tid\":%" PRIu32 ",\"id\":%" PRIu64 "%s", at.tid, f->arrows,
                phase[0] == 'f' ? ",\"bp\":\"e\"" : "");
    append_us(e, "ts", at_ns);
    append_name(e, name, "request");
    end(f, "");
}

void timeline_arrow(struct timeline_file *f, const char *name, struct timeline_track from,
                    int64_t from_ns, struct timeline_track to, int64_t to_ns)
{
    f->arrows++;
    arrow_end(f, "s", name, from, from_ns);
    arrow_end(f, "f", name, to, to_ns);
}

void timeline_name(struct timeline_file *f, struct timeline_track of, const char *name)
{
    bool process = of.tid == TIMELINE_PROCESS;
    for (int sort = 0; sort < 2; sort++) {
        struct text_buffer *e = begin(f, "M", of.pid);
        if (!process)
            text_append(e, ",\"tid\":%" PRIu32, of.tid);
        text_append(e, ",\"name\":\"%s_%s\",\"args\":{", process ? "process" : "thread",
                    sort ? "sort_index" : "name");
        if (sort)
            text_append(e, "\"sort_index\":%" PRIu32, process ? of.pid : of.tid);
        else
            text_append(e, "\"name\":");
        if (!sort)
            text_append_json(e, name);
        text_append(e, "}");
        end(f, "");
    }
}
