/*
 * openb.c - see openb.h.
 *
 * The file is untrusted and read as a stream: one block of input, one line and the jobs that are
 * kept are all that is in memory. The bounds below end a file that is built to exhaust the reader,
 * such as a small gzip that unpacks to terabytes; the published lists are a thousand times smaller.
 *
 * A field may be quoted as in RFC 4180 ("a ""b"" c"), but it ends with its line: pod lists have no
 * field of several lines, and a stray quote must not swallow the rows behind it.
 */
#include "traces/alibaba/openb.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sha256.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define BLOCK_BYTES        (64 * 1024)
#define LINE_BYTES_MAX     (64 * 1024) /* without its end */
#define UNPACKED_BYTES_MAX (4LL << 30)
#define PODS_MAX           10000000 /* kept */
#define SECONDS_MAX        1000000000LL
#define GPUS_MAX           65536

/* ---- lines ---- */

struct lines {
    const char *path;
    gzFile file;
    struct dcs_err *err;
    char block[BLOCK_BYTES];
    size_t block_used, block_at;
    char line[LINE_BYTES_MAX + 1]; /* the current one, NUL-ended */
    size_t length;
    uint32_t number;
    int64_t bytes; /* unpacked so far */
};

/* 1: there is more in the block, 0: end of the file, -1: err. */
static int fill_block(struct lines *in)
{
    int got = gzread(in->file, in->block, sizeof in->block);
    int code = Z_OK;
    const char *why = gzerror(in->file, &code);
    if (got < 0 || code == Z_BUF_ERROR) {
        if (code == Z_BUF_ERROR)
            why = "the gzip file is truncated";
        else if (code == Z_ERRNO)
            why = strerror(errno);
        return dcs_err_at(in->err, in->path, (int)in->number, NULL, "cannot read on: %s", why);
    }
    in->bytes += got;
    if (in->bytes > UNPACKED_BYTES_MAX)
        return dcs_err_at(in->err, in->path, (int)in->number, NULL,
                          "has more than 4 GiB unpacked; this is no pod list");
    in->block_used = (size_t)got;
    in->block_at = 0;
    return got > 0;
}

/* Takes bytes from the block up to the end of the line. 1: the line is complete, 0: it goes on. */
static int take_from_block(struct lines *in)
{
    const char *from = in->block + in->block_at;
    size_t left = in->block_used - in->block_at;
    const char *end = memchr(from, '\n', left);
    size_t count = end != NULL ? (size_t)(end - from) : left;
    if (in->length + count > LINE_BYTES_MAX)
        return dcs_err_at(in->err, in->path, (int)in->number, NULL,
                          "the line is longer than %d bytes; this is no pod list", LINE_BYTES_MAX);
    memcpy(in->line + in->length, from, count);
    in->length += count;
    in->block_at += count + (end != NULL);
    return end != NULL;
}

/* The next line without its end (LF or CRLF; the last line needs none). 1, 0 at the end, or -1. */
static int next_line(struct lines *in)
{
    if (in->number == INT_MAX)
        return dcs_err_at(in->err, in->path, INT_MAX, NULL, "has too many lines");
    in->number++;
    in->length = 0;
    bool begun = false;
    for (;;) {
        if (in->block_at == in->block_used) {
            int more = fill_block(in);
            if (more < 0)
                return -1;
            if (more == 0 && !begun)
                return 0;
            if (more == 0)
                break;
        }
        begun = true;
        int status = take_from_block(in);
        if (status < 0)
            return -1;
        if (status > 0)
            break;
    }
    if (in->length > 0 && in->line[in->length - 1] == '\r')
        in->length--;
    in->line[in->length] = '\0';
    return 1;
}

/* ---- fields ---- */

enum column {
    NAME,
    NUM_GPU,
    GPU_MILLI,
    QOS,
    POD_PHASE,
    CREATION_TIME,
    DELETION_TIME,
    SCHEDULED_TIME,
    COLUMNS,
};

static const char *const column_names[COLUMNS] = {
    "name",      "num_gpu",       "gpu_milli",     "qos",
    "pod_phase", "creation_time", "deletion_time", "scheduled_time",
};

/* Ends the quoted field that begins behind `from` and takes its quotes out in place. Returns what
 * stands behind it, NULL if it is not closed. */
static char *unquote(char *from)
{
    char *to = from;
    for (char *at = from + 1; *at != '\0'; at++) {
        if (*at == '"' && at[1] == '"') {
            at++;
        } else if (*at == '"') {
            char *after = at + 1;
            *to = '\0';
            return after;
        }
        *to++ = *at;
    }
    return NULL;
}

/* Cuts the next field off *rest, which becomes NULL behind the last one. NULL if it is malformed.
 */
static char *next_field(char **rest)
{
    char *field = *rest;
    char *after;
    if (*field == '"') {
        after = unquote(field);
        if (after == NULL || (*after != ',' && *after != '\0'))
            return NULL;
    } else {
        after = field + strcspn(field, ",");
    }
    bool last = *after == '\0';
    *after = '\0';
    *rest = last ? NULL : after + 1;
    return field;
}

/* Where each column stands in a row. */
struct header {
    int index[COLUMNS];
    int count; /* of fields that a row must have: up to the last column that is needed */
};

static int note_column(struct lines *in, struct header *header, const char *field, int index)
{
    for (int c = 0; c < COLUMNS; c++) {
        if (strcmp(field, column_names[c]) != 0)
            continue;
        if (header->index[c] >= 0)
            return dcs_err_at(in->err, in->path, (int)in->number, field,
                              "the column stands twice in the header");
        header->index[c] = index;
        header->count = index + 1;
    }
    return 0;
}

static int read_header(struct lines *in, struct header *header)
{
    for (int c = 0; c < COLUMNS; c++)
        header->index[c] = -1;
    int status = next_line(in);
    if (status < 0)
        return -1;
    if (status == 0)
        return dcs_err_at(in->err, in->path, 0, NULL, "is empty, expected a pod list");
    bool has_mark = strncmp(in->line, "\xef\xbb\xbf", 3) == 0; /* of UTF-8, by spreadsheets */
    char *rest = in->line + (has_mark ? 3 : 0);
    for (int index = 0; rest != NULL; index++) {
        char *field = next_field(&rest);
        if (field == NULL)
            return dcs_err_at(in->err, in->path, (int)in->number, NULL,
                              "expected a header, found a quote that is not closed");
        if (note_column(in, header, field, index) != 0)
            return -1;
    }
    for (int c = 0; c < COLUMNS; c++)
        if (header->index[c] < 0)
            return dcs_err_at(in->err, in->path, (int)in->number, column_names[c],
                              "the header lacks the column; expected name, num_gpu, gpu_milli, "
                              "qos, pod_phase, creation_time, deletion_time, scheduled_time");
    return 0;
}

/* False if the row has too few fields or is malformed up to the last one that is needed. */
static bool split_row(struct lines *in, const struct header *header, char *fields[COLUMNS])
{
    if (memchr(in->line, '\0', in->length) != NULL)
        return false;
    char *rest = in->line;
    for (int index = 0; index < header->count; index++) {
        char *field = rest != NULL ? next_field(&rest) : NULL;
        if (field == NULL)
            return false;
        for (int c = 0; c < COLUMNS; c++)
            if (header->index[c] == index)
                fields[c] = field;
    }
    for (int c = 0; c < COLUMNS; c++)
        DCS_ASSERT(fields[c] != NULL); /* the header has them all */
    return true;
}

/* ---- values ---- */

static bool parse_count(const char *text, int64_t max, int64_t *out)
{
    *out = 0;
    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9')
            return false;
        *out = *out * 10 + (*text - '0');
        if (*out > max)
            return false;
    }
    return true;
}

/* Seconds with up to nine decimals, exactly. Never below zero: a trace begins at its zero. */
static bool parse_seconds(const char *text, int64_t *out_ns)
{
    char whole[16];
    size_t digits = strcspn(text, ".");
    if (digits >= sizeof whole)
        return false;
    memcpy(whole, text, digits);
    whole[digits] = '\0';
    int64_t seconds, fraction_ns = 0;
    if (!parse_count(whole, SECONDS_MAX, &seconds))
        return false;
    if (text[digits] == '.') {
        const char *fraction = text + digits + 1;
        size_t length = strlen(fraction);
        if (length > 9 || !parse_count(fraction, DCS_NS_PER_S, &fraction_ns))
            return false;
        for (; length < 9; length++)
            fraction_ns *= 10;
    }
    *out_ns = seconds * DCS_NS_PER_S + fraction_ns;
    return true;
}

/* ---- rows ---- */

/* In the order of the counts in the result. */
enum outcome {
    KEPT,
    CUT_OFF,
    FAILED,
    OUT_OF_ORDER,
    NO_GPU,
    NEVER_SCHEDULED,
    TOO_EARLY,
    NO_DURATION,
    MALFORMED,
    OUTCOMES,
};

static const char *const outcome_names[OUTCOMES] = {
    "kept",
    "kept: cut off by the end of the trace, so their true duration is longer",
    "kept: failed pods, which held their GPUs",
    "kept: out of time order, sorted",
    "left out: no GPU requested",
    "left out: never scheduled",
    "left out: created before the first second that was asked for",
    "left out: no positive duration",
    "left out: malformed row (too few fields, not a number, out of range)",
};
_Static_assert(OUTCOMES <= DCS_TRACE_COUNTS_MAX, "struct dcs_trace has room for each count");

struct reader {
    struct lines lines;
    struct dcs_trace *trace;
    size_t capacity;
    int64_t from_ns;
    int64_t latest_ns; /* creation of a kept pod so far */
};

static void count(struct reader *r, enum outcome outcome)
{
    struct dcs_trace_count *c = &r->trace->counts[outcome];
    if (c->count++ == 0)
        c->first_line = r->lines.number;
}

struct pod {
    int64_t gpus, gpu_milli;
    int64_t creation_ns, scheduled_ns, deletion_ns;
    bool scheduled;
};

static bool parse_pod(char *const fields[COLUMNS], struct pod *pod)
{
    *pod = (struct pod){.scheduled = fields[SCHEDULED_TIME][0] != '\0'};
    if (!parse_count(fields[NUM_GPU], GPUS_MAX, &pod->gpus) ||
        !parse_count(fields[GPU_MILLI], 1000, &pod->gpu_milli) ||
        !parse_seconds(fields[CREATION_TIME], &pod->creation_ns) ||
        !parse_seconds(fields[DELETION_TIME], &pod->deletion_ns))
        return false;
    if (pod->scheduled && !parse_seconds(fields[SCHEDULED_TIME], &pod->scheduled_ns))
        return false;
    /* A pod without a GPU has no demand per GPU. */
    return pod->gpus == 0 || pod->gpu_milli >= 1;
}

static int keep(struct reader *r, const struct pod *pod, char *const fields[COLUMNS])
{
    struct dcs_trace *t = r->trace;
    if (t->jobs_count == PODS_MAX)
        return dcs_err_at(r->lines.err, r->lines.path, (int)r->lines.number, NULL,
                          "has more than %d pods that use a GPU", PODS_MAX);
    count(r, KEPT);
    if (pod->deletion_ns >= DCS_OPENB_END_S * DCS_NS_PER_S)
        count(r, CUT_OFF);
    if (strcmp(fields[POD_PHASE], "Failed") == 0)
        count(r, FAILED);
    if (pod->creation_ns < r->latest_ns)
        count(r, OUT_OF_ORDER);
    else
        r->latest_ns = pod->creation_ns;
    t->jobs = dcs_grow(t->jobs, &r->capacity, t->jobs_count + 1, sizeof *t->jobs);
    t->jobs[t->jobs_count++] = (struct dcs_trace_job){
        .arrival_ns = pod->creation_ns,
        .duration_ns = pod->deletion_ns - pod->scheduled_ns,
        .class = strcmp(fields[QOS], "LS") == 0 ? DCS_LATENCY : DCS_BATCH,
        .gpus = (uint32_t)pod->gpus,
        .gpu_milli = (uint32_t)pod->gpu_milli,
        .line = r->lines.number,
    };
    return 0;
}

/* The row is counted once among what is left out, or kept. */
static int read_row(struct reader *r, const struct header *header)
{
    char *fields[COLUMNS] = {NULL};
    struct pod pod;
    enum outcome why = KEPT;
    if (!split_row(&r->lines, header, fields) || !parse_pod(fields, &pod))
        why = MALFORMED;
    else if (pod.gpus == 0)
        why = NO_GPU;
    else if (!pod.scheduled)
        why = NEVER_SCHEDULED;
    else if (pod.creation_ns < r->from_ns)
        why = TOO_EARLY;
    else if (pod.deletion_ns <= pod.scheduled_ns)
        why = NO_DURATION;
    if (why == KEPT)
        return keep(r, &pod, fields);
    count(r, why);
    return 0;
}

/* ---- the file ---- */

static int compare_jobs(const void *a, const void *b)
{
    const struct dcs_trace_job *x = a, *y = b;
    if (x->arrival_ns != y->arrival_ns)
        return x->arrival_ns < y->arrival_ns ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

static int finish(struct reader *r)
{
    struct dcs_trace *t = r->trace;
    const struct dcs_trace_count *c = t->counts;
    if (t->jobs_count == 0)
        return dcs_err_at(
            r->lines.err, r->lines.path, 0, NULL,
            "has no usable pod: %llu without a GPU, %llu never scheduled, %llu too "
            "early, %llu without duration, %llu malformed rows",
            (unsigned long long)c[NO_GPU].count, (unsigned long long)c[NEVER_SCHEDULED].count,
            (unsigned long long)c[TOO_EARLY].count, (unsigned long long)c[NO_DURATION].count,
            (unsigned long long)c[MALFORMED].count);
    qsort(t->jobs, t->jobs_count, sizeof *t->jobs, compare_jobs);
    int64_t first_ns = t->jobs[0].arrival_ns;
    for (size_t i = 0; i < t->jobs_count; i++)
        t->jobs[i].arrival_ns -= first_ns;
    return 0;
}

static int read_all(struct reader *r)
{
    struct header header = {.count = 0};
    if (read_header(&r->lines, &header) != 0)
        return -1;
    int status;
    while ((status = next_line(&r->lines)) > 0) {
        if (r->lines.length == 0)
            continue; /* a blank line, as editors leave at the end */
        if (read_row(r, &header) != 0)
            return -1;
    }
    return status == 0 ? finish(r) : -1;
}

/* Hashes the file from its beginning and leaves the descriptor there. */
static int hash(int fd, const char *path, char hex[65], struct dcs_err *err)
{
    unsigned char block[16 * 1024];
    SHA256_CTX context;
    SHA256Init(&context);
    ssize_t got;
    while ((got = read(fd, block, sizeof block)) != 0) {
        if (got > 0)
            SHA256Update(&context, block, (size_t)got);
        else if (errno != EINTR)
            return dcs_err_at(err, path, 0, NULL, "cannot read: %s", strerror(errno));
    }
    SHA256End(&context, hex);
    if (lseek(fd, 0, SEEK_SET) != 0)
        return dcs_err_at(err, path, 0, NULL, "cannot read again: %s", strerror(errno));
    return 0;
}

static int open_file(const char *path, struct dcs_err *err)
{
    /* Non-blocking, or a named pipe would hang here before it can be refused. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return dcs_err_at(err, path, 0, NULL, "cannot open the pod list: %s", strerror(errno));
    struct stat st;
    const char *why = NULL;
    if (fstat(fd, &st) != 0)
        why = strerror(errno);
    else if (S_ISDIR(st.st_mode))
        why = "is a directory, expected a pod list";
    else if (!S_ISREG(st.st_mode))
        why = "is not a regular file, expected a pod list";
    if (why == NULL)
        return fd;
    close(fd);
    return dcs_err_at(err, path, 0, NULL, "%s", why);
}

int dcs_openb_read(const char *path, int64_t from_s, struct dcs_trace *out, struct dcs_err *err)
{
    DCS_ASSERT(from_s >= 0 && from_s <= INT64_MAX / DCS_NS_PER_S);
    *out = (struct dcs_trace){.counts_count = OUTCOMES};
    for (int i = 0; i < OUTCOMES; i++)
        out->counts[i].what = outcome_names[i];
    struct reader *r = dcs_alloc(1, sizeof *r); /* 128 KiB: too much for the stack of a thread */
    r->trace = out;
    r->from_ns = from_s * DCS_NS_PER_S;
    r->lines.path = path;
    r->lines.err = err;

    int status = -1;
    int fd = open_file(path, err);
    if (fd >= 0 && hash(fd, path, out->sha256, err) == 0) {
        r->lines.file = gzdopen(fd, "rb");
        if (r->lines.file == NULL) {
            dcs_err_at(err, path, 0, NULL, "cannot read: no memory for zlib");
        } else {
            fd = -1; /* gzclose closes it */
            status = read_all(r);
            gzclose_r(r->lines.file);
        }
    }
    if (fd >= 0)
        close(fd);
    free(r);
    if (status != 0)
        dcs_trace_release(out);
    return status;
}
