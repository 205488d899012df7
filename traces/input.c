/*
 * input.c - see input.h.
 *
 * Text lies in one buffer [begin, end). `scanned` remembers how far it holds no line end, so that
 * no byte is looked at twice. The buffer has four times the longest line, so that the rest which is
 * moved to the front on a refill is small beside what is read.
 */
#include "traces/input.h"

#include "des/digest.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define TEXT_BYTES (4u * TRACE_LINE_MAX)
#define RAW_BYTES  (256u * 1024)

struct trace_input {
    struct trace_source *sources;
    size_t count, capacity;
    size_t opened; /* files opened so far; the open one is opened - 1 */
    uint64_t total_bytes, done_bytes;
    bool total_known;
    int (*tick)(void *context, uint64_t bytes, uint64_t total);
    void *context;

    int fd; /* -1: none */
    struct sha256_ctx hash;
    bool at_end; /* no more text will come */
    enum { UNDECIDED, PLAIN, GZIP } kind;
    z_stream inflater;
    bool inflating;
    bool member_ended; /* between two members of a gzip */

    char *text; /* TEXT_BYTES + 1, so that a NUL fits behind the last line */
    size_t begin, end, scanned;
    unsigned char *raw;
    size_t raw_begin, raw_end;
};

/* ---- the list of files ---- */

static void add_source(struct trace_input *in, const char *path, const struct stat *st)
{
    in->sources = dcs_grow(in->sources, &in->capacity, in->count + 1, sizeof *in->sources);
    in->sources[in->count++] = (struct trace_source){.path = dcs_strdup(path)};
    if (st != NULL && S_ISREG(st->st_mode))
        in->total_bytes += (uint64_t)st->st_size;
    else
        in->total_known = false;
}

static int visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int add_folder(struct trace_input *in, const char *folder, struct dcs_err *err)
{
    struct dirent **entries;
    int n = scandir(folder, &entries, visible, by_bytes);
    if (n < 0)
        return dcs_err_at(err, folder, 0, NULL, "cannot read the folder: %s", strerror(errno));
    size_t before = in->count;
    for (int i = 0; i < n; i++) {
        size_t bytes = strlen(folder) + strlen(entries[i]->d_name) + 2;
        char *path = dcs_alloc(bytes, 1);
        const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
        snprintf(path, bytes, "%s%s%s", folder, slash, entries[i]->d_name);
        struct stat st;
        if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
            add_source(in, path, &st);
        free(path);
        free(entries[i]);
    }
    free(entries);
    return in->count > before ? 0 : dcs_err_at(err, folder, 0, NULL, "the folder holds no file");
}

static int add_path(struct trace_input *in, const char *path, struct dcs_err *err)
{
    if (strcmp(path, "-") == 0) {
        for (size_t i = 0; i < in->count; i++)
            if (strcmp(in->sources[i].path, "-") == 0)
                return dcs_err_at(err, "command line", 0, NULL, "\"-\" is named twice");
        add_source(in, path, NULL);
        return 0;
    }
    struct stat st;
    if (stat(path, &st) != 0)
        return dcs_err_at(err, path, 0, NULL, "cannot open: %s", strerror(errno));
    if (S_ISDIR(st.st_mode))
        return add_folder(in, path, err);
    if (!S_ISREG(st.st_mode) && !S_ISFIFO(st.st_mode))
        return dcs_err_at(err, path, 0, NULL, "is neither a file nor a folder nor a pipe");
    add_source(in, path, &st);
    return 0;
}

struct trace_input *trace_input_open(const char *const *paths, size_t count, struct dcs_err *err)
{
    struct trace_input *in = dcs_alloc(1, sizeof *in);
    in->fd = -1;
    in->total_known = true;
    in->text = dcs_alloc(TEXT_BYTES + 1, 1);
    in->raw = dcs_alloc(RAW_BYTES, 1);
    for (size_t i = 0; i < count; i++)
        if (add_path(in, paths[i], err) != 0) {
            trace_input_close(in);
            return NULL;
        }
    return in;
}

static void close_file(struct trace_input *in)
{
    if (in->inflating)
        inflateEnd(&in->inflater);
    in->inflating = false;
    if (in->fd > STDIN_FILENO)
        close(in->fd);
    in->fd = -1;
}

void trace_input_close(struct trace_input *in)
{
    if (in == NULL)
        return;
    close_file(in);
    for (size_t i = 0; i < in->count; i++)
        free(in->sources[i].path);
    free(in->sources);
    free(in->text);
    free(in->raw);
    free(in);
}

void trace_input_watch(struct trace_input *in,
                       int (*tick)(void *context, uint64_t bytes, uint64_t total), void *context)
{
    in->tick = tick;
    in->context = context;
}

size_t trace_input_files(const struct trace_input *in)
{
    return in->count;
}

const struct trace_source *trace_input_source(const struct trace_input *in, size_t file)
{
    DCS_ASSERT(file < in->count);
    return &in->sources[file];
}

size_t trace_input_current(const struct trace_input *in)
{
    DCS_ASSERT(in->opened > 0);
    return in->opened - 1;
}

int trace_input_next_file(struct trace_input *in, struct dcs_err *err)
{
    close_file(in);
    if (in->opened == in->count)
        return 0;
    const char *path = in->sources[in->opened++].path;
    in->fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (in->fd < 0)
        return dcs_err_at(err, path, 0, NULL, "cannot open: %s", strerror(errno));
    sha256_init(&in->hash);
    in->begin = in->end = in->scanned = in->raw_begin = in->raw_end = 0;
    in->at_end = in->member_ended = false;
    in->kind = UNDECIDED;
    return 1;
}

/* ---- bytes to text ---- */

static struct trace_source *current(struct trace_input *in)
{
    return &in->sources[in->opened - 1];
}

void trace_input_count_row(struct trace_input *in)
{
    current(in)->rows++;
}

/* Reads up to `room` bytes; *got 0 at the end of the file. */
static int read_bytes(struct trace_input *in, void *to, size_t room, size_t *got,
                      struct dcs_err *err)
{
    struct trace_source *s = current(in);
    for (;;) {
        ssize_t n = read(in->fd, to, room);
        if (n < 0 && errno != EINTR)
            return dcs_err_at(err, s->path, 0, NULL, "cannot read: %s", strerror(errno));
        if (n > 0) {
            sha256_update(&in->hash, (size_t)n, to);
            s->disk_bytes += (uint64_t)n;
            in->done_bytes += (uint64_t)n;
        }
        if (in->tick != NULL &&
            in->tick(in->context, in->done_bytes, in->total_known ? in->total_bytes : 0) != 0)
            return dcs_err_set(err, "interrupted");
        if (n >= 0) {
            *got = (size_t)n;
            return 0;
        }
    }
}

static int fill_raw(struct trace_input *in, struct dcs_err *err)
{
    size_t got = 0;
    in->raw_begin = in->raw_end = 0;
    if (read_bytes(in, in->raw, RAW_BYTES, &got, err) != 0)
        return -1;
    in->raw_end = got;
    return 0;
}

static void damaged(struct trace_input *in, const char *what)
{
    snprintf(current(in)->damage, sizeof current(in)->damage, "%s", what);
    in->at_end = true;
}

/* What follows a member: another one, the zeros that tapes are padded with, or nothing. */
static void next_member(struct trace_input *in)
{
    if (in->raw[in->raw_begin] == 0)
        in->raw_begin++;
    else if (in->raw[in->raw_begin] != 0x1f)
        damaged(in, "bytes follow the end of the gzip that are none");
    else if (inflateReset(&in->inflater) == Z_OK)
        in->member_ended = false;
    else
        damaged(in, "the gzip cannot be unpacked");
}

static int inflate_some(struct trace_input *in, struct dcs_err *err)
{
    size_t before = in->end;
    while (in->end == before && !in->at_end) {
        if (in->raw_begin == in->raw_end && fill_raw(in, err) != 0)
            return -1;
        if (in->raw_begin == in->raw_end) {
            in->at_end = true;
            if (!in->member_ended)
                damaged(in, "the gzip ends early: it was cut off");
            break;
        }
        if (in->member_ended) {
            next_member(in);
            continue;
        }
        z_stream *z = &in->inflater;
        z->next_in = in->raw + in->raw_begin;
        z->avail_in = (uInt)(in->raw_end - in->raw_begin);
        z->next_out = (unsigned char *)in->text + in->end;
        z->avail_out = (uInt)(TEXT_BYTES - in->end);
        int code = inflate(z, Z_NO_FLUSH);
        in->raw_begin = in->raw_end - z->avail_in;
        in->end = TEXT_BYTES - z->avail_out;
        if (code == Z_STREAM_END)
            in->member_ended = true;
        else if (code != Z_OK && code != Z_BUF_ERROR)
            damaged(in, "the gzip is damaged: its bytes do not unpack");
    }
    return 0;
}

/* The first bytes tell a gzip; a pipe may give them one at a time. */
static int decide(struct trace_input *in, struct dcs_err *err)
{
    if (fill_raw(in, err) != 0)
        return -1;
    while (in->raw_end > 0 && in->raw_end < 2) {
        size_t got;
        if (read_bytes(in, in->raw + in->raw_end, RAW_BYTES - in->raw_end, &got, err) != 0)
            return -1;
        if (got == 0)
            break;
        in->raw_end += got;
    }
    in->kind = in->raw_end >= 2 && in->raw[0] == 0x1f && in->raw[1] == 0x8b ? GZIP : PLAIN;
    if (in->kind == PLAIN) {
        memcpy(in->text, in->raw, in->raw_end);
        in->end = in->raw_end;
        in->at_end = in->raw_end == 0;
        return 0;
    }
    memset(&in->inflater, 0, sizeof in->inflater);
    if (inflateInit2(&in->inflater, 15 + 16) != Z_OK)
        return dcs_err_at(err, current(in)->path, 0, NULL, "cannot read: no memory for zlib");
    in->inflating = true;
    return inflate_some(in, err);
}

static bool exhausted(const struct trace_input *in)
{
    return in->raw_end == 0;
}

/* More text behind `end`; there is room for some. */
static int fill(struct trace_input *in, struct dcs_err *err)
{
    size_t before = in->end;
    int status = 0;
    if (in->kind == UNDECIDED) {
        status = decide(in, err);
    } else if (in->kind == GZIP) {
        status = inflate_some(in, err);
    } else {
        size_t room = TEXT_BYTES - in->end, got = 0;
        status = read_bytes(in, in->text + in->end, room < RAW_BYTES ? room : RAW_BYTES, &got, err);
        if (status == 0) {
            in->end += got;
            in->at_end = got == 0;
        }
    }
    current(in)->bytes += in->end - before;
    /* Damage ends the text, but the hash is of all bytes. */
    while (status == 0 && current(in)->damage[0] != '\0' && !exhausted(in))
        status = fill_raw(in, err);
    if (status == 0 && in->at_end)
        dcs_sha256_end(&in->hash, current(in)->sha256);
    return status;
}

/* ---- text to lines ---- */

static void make_room(struct trace_input *in)
{
    if (TEXT_BYTES - in->end >= RAW_BYTES)
        return;
    memmove(in->text, in->text + in->begin, in->end - in->begin);
    in->end -= in->begin;
    in->scanned -= in->begin;
    in->begin = 0;
}

/* The rest of a line whose beginning stays in the buffer. Ends behind its '\n', or at the end. */
static int skip_rest(struct trace_input *in, size_t keep, struct dcs_err *err)
{
    for (;;) {
        char *newline = memchr(in->text + in->scanned, '\n', in->end - in->scanned);
        if (newline != NULL) {
            in->scanned = (size_t)(newline - in->text) + 1;
            return 0;
        }
        in->end = in->scanned = keep;
        if (in->at_end)
            return 0;
        if (fill(in, err) != 0)
            return -1;
    }
}

static int long_line(struct trace_input *in, struct trace_line *line, struct dcs_err *err)
{
    memmove(in->text, in->text + in->begin, in->end - in->begin);
    in->end -= in->begin;
    in->scanned = in->end;
    in->begin = 0;
    if (skip_rest(in, TRACE_LINE_MAX, err) != 0)
        return -1;
    *line = (struct trace_line){.text = in->text, .length = TRACE_LINE_MAX, .too_long = true};
    /* What came behind the line must not be overwritten by the NUL behind its beginning. */
    DCS_ASSERT(in->scanned > TRACE_LINE_MAX || in->at_end);
    in->begin = in->scanned;
    return 1;
}

int trace_input_line(struct trace_input *in, struct trace_line *line, struct dcs_err *err)
{
    DCS_ASSERT(in->fd >= 0);
    int status = 1;
    char *newline;
    while ((newline = memchr(in->text + in->scanned, '\n', in->end - in->scanned)) == NULL) {
        in->scanned = in->end;
        if (in->end - in->begin > TRACE_LINE_MAX || in->at_end)
            break;
        make_room(in);
        if (fill(in, err) != 0)
            return -1;
    }
    if (newline == NULL && in->end - in->begin > TRACE_LINE_MAX) {
        status = long_line(in, line, err);
    } else if (newline == NULL && in->begin == in->end) {
        return 0;
    } else {
        size_t after = newline != NULL ? (size_t)(newline - in->text) : in->end;
        *line = (struct trace_line){
            .text = in->text + in->begin, .length = after - in->begin, .cut = newline == NULL};
        line->too_long = line->length > TRACE_LINE_MAX;
        in->begin = in->scanned = newline != NULL ? after + 1 : after;
    }
    if (status != 1)
        return status;
    if (line->length > 0 && line->text[line->length - 1] == '\r')
        line->length--;
    line->text[line->length] = '\0';
    line->has_nul = memchr(line->text, '\0', line->length) != NULL;
    line->number = ++current(in)->lines;
    return 1;
}

int trace_input_peek(struct trace_input *in, const char **text, size_t *length, struct dcs_err *err)
{
    DCS_ASSERT(in->fd >= 0 && current(in)->lines == 0);
    while (!in->at_end && in->end < *length)
        if (fill(in, err) != 0)
            return -1;
    *text = in->text;
    *length = in->end < *length ? in->end : *length;
    return 0;
}
