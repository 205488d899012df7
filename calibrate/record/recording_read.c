/*
 * recording_read.c - the files of the recorder; see recording.h and recorder_lines.h.
 */
#include "calibrate/record/recorder_lines.h"
#include "calibrate/record/recording.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BYTES  16384
#define TEXTS_MAX   (1 << 20)
#define LINES_MAX   (1 << 24) /* of a kind and a process */
#define DEVICES     64
#define NUMBERS_MAX 12 /* in a line */

/* What is taken keeps all arithmetic behind it within an int64_t: differences of two times, and the
 * sum of what all ops take. Counts and bytes fit a double. */
#define TIME_MAX     (INT64_C(1) << 62) /* in the year 2116 */
#define SPAN_MAX     (INT64_C(1) << 53) /* of a process: 104 days */
#define BUSY_MAX     (INT64_C(1) << 60) /* of all ops of a recording: 36 years */
#define COUNT_MAX    (INT64_C(1) << 53)
#define CLUSTER_MOST 16 /* blocks: no device takes more */

/* A number of a line, from min to max. A list ends with name NULL. */
struct field {
    const char *name;
    int64_t min, max;
    bool is_time; /* at most SPAN_MAX from the process's beginning; 0: it could not be timed */
};

/* The call of an op, found by its correlation once all lines are read. */
struct call {
    uint32_t correlation, thread;
    int64_t begin_ns, end_ns;
    uint32_t text;
};

struct reader {
    struct cal_recording *r;
    struct cal_process *p;
    struct call *calls;
    size_t calls_count, calls_capacity;
    uint64_t devices; /* bits */
    int64_t *busy_ns; /* of all ops of the recording */
    const char *file;
    int line;
    const char *rest; /* of the line, behind its numbers */
    struct dcs_err *err;
};

static int refuse(const struct reader *f, const char *why)
{
    return dcs_err_at(f->err, f->file, f->line, NULL,
                      "%s: this is no recording, or a damaged one; record again", why);
}

/* Takes a whole number off *at. */
static int take_number(const struct reader *f, const char **at, const struct field *field,
                       int64_t *number)
{
    char *end, why[160];
    errno = 0;
    *number = strtoll(*at, &end, 10);
    int digits = end - *at < 40 ? (int)(end - *at) : 40;
    if (digits == 0 || (*end != ' ' && *end != '\0')) {
        snprintf(why, sizeof why, "the number \"%s\" is missing", field->name);
        return refuse(f, why);
    }
    if (errno != 0 || *number < field->min || *number > field->max) {
        snprintf(why, sizeof why, "%s %.*s is out of range, %lld to %lld", field->name, digits, *at,
                 (long long)field->min, (long long)field->max);
        return refuse(f, why);
    }
    if (field->is_time && *number != 0 && llabs((long long)(*number - f->p->begin_ns)) > SPAN_MAX) {
        snprintf(why, sizeof why, "%s %lld is more than 104 days from the process's beginning",
                 field->name, (long long)*number);
        return refuse(f, why);
    }
    *at = *end == ' ' ? end + 1 : end;
    return 0;
}

/* Room for one more of what the process has `count` of. */
static int check_count(const struct reader *f, size_t count)
{
    return count < LINES_MAX ? 0 : refuse(f, "more than 16 million lines of a kind");
}

static const char *text_of(const struct reader *f, int64_t number)
{
    bool known = number < (int64_t)f->p->texts_count && f->p->texts[number] != NULL;
    return known ? f->p->texts[number] : NULL;
}

static int take_process(struct reader *f, const int64_t *n)
{
    if (f->p->command != NULL)
        return refuse(f, "a second process in one file");
    f->p->pid = (int)n[0];
    f->p->parent = (int)n[1];
    f->p->begin_ns = n[2];
    f->p->command = dcs_strdup(f->rest);
    return 0;
}

static int take_device(struct reader *f, const int64_t *n)
{
    struct cal_recorded_device *d = &f->r->device;
    if (d->sms != 0)
        return 0;
    *d = (struct cal_recorded_device){.sms = (int)n[1],
                                      .memory_bytes = n[2],
                                      .l2_bytes = n[3],
                                      .clock_mhz = (int)(n[4] / 1000),
                                      .cuda_version = (int)n[5],
                                      .sm_blocks = n[6],
                                      .sm_threads = n[7],
                                      .sm_registers = n[8],
                                      .sm_shared_bytes = n[9],
                                      .block_reserved_bytes = n[10]};
    int used = (int)strcspn(f->rest, " ");
    snprintf(d->uuid, sizeof d->uuid, "%.*s", used, f->rest);
    snprintf(d->name, sizeof d->name, "%s", f->rest[used] != '\0' ? f->rest + used + 1 : "");
    return 0;
}

static int take_text(struct reader *f, const int64_t *n)
{
    struct cal_process *p = f->p;
    size_t at = (size_t)n[0];
    if (text_of(f, n[0]) != NULL)
        return refuse(f, "a text has a number that another has");
    p->texts = dcs_grow(p->texts, &p->texts_capacity, at + 1, sizeof *p->texts);
    if (at >= p->texts_count)
        p->texts_count = at + 1;
    p->texts[at] = dcs_strdup(f->rest);
    return 0;
}

static int take_call(struct reader *f, const int64_t *n)
{
    if (check_count(f, f->calls_count) != 0)
        return -1;
    if (text_of(f, n[4]) == NULL)
        return refuse(f, "a text that is not there");
    if (n[1] == 0 || n[2] < n[1])
        return 0; /* it could not be timed */
    f->calls = dcs_grow(f->calls, &f->calls_capacity, f->calls_count + 1, sizeof *f->calls);
    f->calls[f->calls_count++] = (struct call){.correlation = (uint32_t)n[0],
                                               .begin_ns = n[1],
                                               .end_ns = n[2],
                                               .thread = (uint32_t)n[3],
                                               .text = (uint32_t)n[4]};
    return 0;
}

/* Times of 0 are those of what could not be timed. */
static int add_op(struct reader *f, struct cal_op op, const int64_t *n)
{
    op.correlation = (uint32_t)n[0];
    op.begin_ns = n[1];
    op.end_ns = n[2];
    op.stream = (uint32_t)n[4];
    if (op.begin_ns == 0 || op.end_ns < op.begin_ns) {
        f->r->lost++;
        return 0;
    }
    *f->busy_ns = dcs_add_times(*f->busy_ns, op.end_ns - op.begin_ns);
    if (*f->busy_ns > BUSY_MAX)
        return refuse(f, "kernels and copies that take more than 36 years");
    if (check_count(f, f->p->ops_count) != 0)
        return -1;
    if (op.kind == CAL_OP_KERNEL) {
        f->devices |= UINT64_C(1) << n[3];
        f->r->kernels++;
    }
    f->p->ops = dcs_grow(f->p->ops, &f->p->ops_capacity, f->p->ops_count + 1, sizeof *f->p->ops);
    f->p->ops[f->p->ops_count++] = op;
    return 0;
}

static int take_kernel(struct reader *f, const int64_t *n)
{
    struct cal_op op = {.kind = CAL_OP_KERNEL,
                        .function = text_of(f, n[10]),
                        .blocks = n[5] > 0 ? n[5] : 1,
                        .threads = n[6] > 0 ? n[6] : 1,
                        .registers = n[7],
                        .shared_bytes = n[8],
                        .cluster = n[9]};
    if (n[9] < 1 || op.blocks % n[9] != 0)
        return refuse(f, "a grid that is no whole number of clusters");
    return op.function == NULL ? refuse(f, "a kernel without a name") : add_op(f, op, n);
}

static int take_copy(struct reader *f, const int64_t *n)
{
    enum cal_op_kind kind = n[5] == 1   ? CAL_OP_TO_DEVICE
                            : n[5] == 2 ? CAL_OP_FROM_DEVICE
                                        : CAL_OP_ON_DEVICE;
    return add_op(
        f, (struct cal_op){.kind = kind, .function = "copy", .bytes = n[6], .pageable = n[7] != 0},
        n);
}

static int take_fill(struct reader *f, const int64_t *n)
{
    return add_op(f, (struct cal_op){.kind = CAL_OP_ON_DEVICE, .function = "fill", .bytes = n[5]},
                  n);
}

static void add_wait(struct cal_process *p, int64_t begin_ns, int64_t end_ns)
{
    p->waits = dcs_grow(p->waits, &p->waits_capacity, p->waits_count + 1, sizeof *p->waits);
    p->waits[p->waits_count++] = (struct cal_wait){begin_ns, end_ns};
}

/* A stream that waits for an event (type 2) holds nobody up on the host. */
static int take_wait(struct reader *f, const int64_t *n)
{
    if (check_count(f, f->p->waits_count) != 0)
        return -1;
    if (n[4] != 2 && n[1] > 0 && n[2] >= n[1])
        add_wait(f->p, n[1], n[2]);
    return 0;
}

static int take_range(struct reader *f, const int64_t *n)
{
    struct cal_process *p = f->p;
    if (check_count(f, p->ranges_count) != 0)
        return -1;
    const char *name = text_of(f, n[3]);
    if (name == NULL)
        return refuse(f, "a range without a name");
    p->ranges = dcs_grow(p->ranges, &p->ranges_capacity, p->ranges_count + 1, sizeof *p->ranges);
    p->ranges[p->ranges_count++] = (struct cal_range){
        .id = (uint64_t)n[0], .name = name, .begin_ns = n[1], .thread = (uint32_t)n[2]};
    return 0;
}

static int take_range_end(struct reader *f, const int64_t *n)
{
    for (size_t i = f->p->ranges_count; i-- > 0;)
        if (f->p->ranges[i].id == (uint64_t)n[0]) {
            f->p->ranges[i].end_ns = n[1];
            return 0;
        }
    return refuse(f, "a range that ends and has not begun");
}

/* Whether a list of names with ", " between them has this one. */
static bool has_name(const char *names, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = names; (at = strstr(at, name)) != NULL && length > 0; at++) {
        bool begins = at == names || (at - names >= 2 && memcmp(at - 2, ", ", 2) == 0);
        if (begins && (at[length] == '\0' || strncmp(at + length, ", ", 2) == 0))
            return true;
    }
    return length == 0;
}

static int take_range_name(struct reader *f, const int64_t *n)
{
    char *names = f->r->names;
    size_t used = strlen(names);
    (void)n;
    if (!has_name(names, f->rest))
        snprintf(names + used, sizeof f->r->names - used, "%s%s", used > 0 ? ", " : "", f->rest);
    return 0;
}

static int take_refusal(struct reader *f, const int64_t *n)
{
    (void)n;
    snprintf(f->r->refused, sizeof f->r->refused, "%s", f->rest);
    return 0;
}

static int take_lost(struct reader *f, const int64_t *n)
{
    f->r->lost = dcs_add_times(f->r->lost, n[0]);
    return 0;
}

static int take_process_end(struct reader *f, const int64_t *n)
{
    f->p->end_ns = n[0];
    f->p->used_bytes = n[1];
    return 0;
}

/* --- lines --- */

#define NUMBER(text, highest)                                                                      \
    {                                                                                              \
        .name = (text), .max = (highest)                                                           \
    }
#define MOMENT(text, lowest)                                                                       \
    {                                                                                              \
        .name = (text), .min = (lowest), .max = TIME_MAX, .is_time = true                          \
    }
#define CORRELATION NUMBER("correlation", UINT32_MAX)
#define SPAN        MOMENT("begin", 0), MOMENT("end", 0)
#define DEVICE      NUMBER("device", DEVICES - 1)
#define STREAM      NUMBER("stream", UINT32_MAX)
#define THREAD      NUMBER("thread", UINT32_MAX)
#define RANGE       NUMBER("range", INT64_MAX)
#define BYTES       NUMBER("bytes", COUNT_MAX)
#define TEXT        NUMBER("text", TEXTS_MAX - 1)
#define OF_SM(text) NUMBER(text, INT32_MAX)

/* As recorder_lines.h has them. */
static const struct line_kind {
    char letter;
    int (*take)(struct reader *, const int64_t *);
    struct field fields[NUMBERS_MAX];
} kinds[] = {
    {'P',
     take_process,
     {NUMBER("pid", INT32_MAX), NUMBER("parent", INT32_MAX), NUMBER("begin", TIME_MAX)}},
    {'D',
     take_device,
     {DEVICE,
      {.name = "SMs", .min = 1, .max = 100000},
      NUMBER("memory", COUNT_MAX),
      NUMBER("L2", COUNT_MAX),
      NUMBER("clock", INT32_MAX),
      NUMBER("CUDA's version", INT32_MAX),
      OF_SM("blocks"),
      OF_SM("threads"),
      OF_SM("registers"),
      OF_SM("shared memory"),
      OF_SM("reserved memory")}},
    {'F', take_text, {TEXT}},
    {'A', take_call, {CORRELATION, SPAN, THREAD, TEXT}},
    {'K',
     take_kernel,
     {CORRELATION, SPAN, DEVICE, STREAM, NUMBER("blocks", COUNT_MAX), OF_SM("threads"),
      OF_SM("registers"), OF_SM("shared memory"), NUMBER("cluster", CLUSTER_MOST), TEXT}},
    {'C',
     take_copy,
     {CORRELATION, SPAN, DEVICE, STREAM, NUMBER("kind", UINT8_MAX), BYTES, NUMBER("pageable", 1)}},
    {'M', take_fill, {CORRELATION, SPAN, DEVICE, STREAM, BYTES}},
    {'W', take_wait, {CORRELATION, SPAN, THREAD, NUMBER("type", UINT32_MAX)}},
    {'B', take_range, {RANGE, MOMENT("begin", 1), THREAD, TEXT}},
    {'R', take_range_end, {RANGE, MOMENT("end", 1)}},
    {'N', take_range_name, {{0}}},
    {'X', take_refusal, {{0}}},
    {'L', take_lost, {NUMBER("lost records", COUNT_MAX)}},
    {'E', take_process_end, {MOMENT("end", 1), BYTES}},
};

static int take_line(struct reader *f, const char *line)
{
    const struct line_kind *kind = NULL;
    int64_t n[NUMBERS_MAX];
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].letter == line[0])
            kind = &kinds[i];
    if (kind == NULL || (line[1] != ' ' && line[1] != '\0'))
        return refuse(f, "a line of an unknown kind");
    if (f->p->command == NULL && line[0] != 'P')
        return refuse(f, "the process is not told");
    f->rest = line[1] == ' ' ? line + 2 : line + 1;
    for (int i = 0; kind->fields[i].name != NULL; i++)
        if (take_number(f, &f->rest, &kind->fields[i], &n[i]) != 0)
            return -1;
    return kind->take(f, n);
}

/* --- calls and ops --- */

static int compare_calls(const void *a, const void *b)
{
    const struct call *x = a, *y = b;
    if (x->correlation != y->correlation)
        return x->correlation < y->correlation ? -1 : 1;
    return (x->begin_ns > y->begin_ns) - (x->begin_ns < y->begin_ns);
}

/* The runtime's call and the driver's inside it have one correlation: from first to last. */
static void join_calls(struct reader *f)
{
    size_t kept = 0;
    if (f->calls_count > 0)
        qsort(f->calls, f->calls_count, sizeof *f->calls, compare_calls);
    for (size_t i = 0; i < f->calls_count; i++) {
        struct call *last = kept > 0 ? &f->calls[kept - 1] : NULL;
        if (last != NULL && last->correlation == f->calls[i].correlation) {
            if (f->calls[i].end_ns > last->end_ns)
                last->end_ns = f->calls[i].end_ns;
        } else {
            f->calls[kept++] = f->calls[i];
        }
    }
    f->calls_count = kept;
}

/* A copy that the host has awaited: one from the device into memory that the driver cannot copy to
 * by itself; and, where the call is known, one that is not asynchronous. */
static bool was_awaited(const struct cal_op *op, const char *call)
{
    if (op->kind == CAL_OP_FROM_DEVICE && op->pageable)
        return true;
    return op->kind != CAL_OP_KERNEL && call != NULL && op->returned_ns >= op->end_ns &&
           strstr(call, "Async") == NULL;
}

static int compare_ops(const void *a, const void *b)
{
    const struct cal_op *x = a, *y = b;
    if (x->call_ns != y->call_ns)
        return x->call_ns < y->call_ns ? -1 : 1;
    return (x->begin_ns > y->begin_ns) - (x->begin_ns < y->begin_ns);
}

/* CUPTI counts the calls. */
static int compare_correlations(const void *a, const void *b)
{
    const struct cal_op *x = a, *y = b;
    if (x->correlation != y->correlation)
        return x->correlation < y->correlation ? -1 : 1;
    return (x->begin_ns > y->begin_ns) - (x->begin_ns < y->begin_ns);
}

static int compare_waits(const void *a, const void *b)
{
    const struct cal_wait *x = a, *y = b;
    return (x->begin_ns > y->begin_ns) - (x->begin_ns < y->begin_ns);
}

static int compare_ranges(const void *a, const void *b)
{
    const struct cal_range *x = a, *y = b;
    return (x->begin_ns > y->begin_ns) - (x->begin_ns < y->begin_ns);
}

static const struct call *find_call(const struct reader *f, uint32_t correlation)
{
    size_t low = 0, high = f->calls_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (f->calls[middle].correlation < correlation)
            low = middle + 1;
        else
            high = middle;
    }
    return low < f->calls_count && f->calls[low].correlation == correlation ? &f->calls[low] : NULL;
}

static void finish_process(struct reader *f)
{
    struct cal_process *p = f->p;
    join_calls(f);
    p->calls = f->calls_count > 0;
    for (size_t i = 0; i < p->ops_count; i++) {
        struct cal_op *op = &p->ops[i];
        const struct call *call = find_call(f, op->correlation);
        op->call_ns = call != NULL ? call->begin_ns : op->begin_ns;
        op->returned_ns = call != NULL ? call->end_ns : op->begin_ns;
        op->thread = call != NULL ? call->thread : 0;
        if (was_awaited(op, call != NULL ? p->texts[call->text] : NULL))
            add_wait(p, op->call_ns, call != NULL ? op->returned_ns : op->end_ns);
    }
    if (p->ops_count > 0)
        qsort(p->ops, p->ops_count, sizeof *p->ops, p->calls ? compare_ops : compare_correlations);
    /* Without calls: no later than what was launched after it. */
    for (size_t i = p->ops_count; !p->calls && i-- > 1;)
        if (p->ops[i - 1].call_ns > p->ops[i].call_ns)
            p->ops[i - 1].call_ns = p->ops[i].call_ns;
    if (p->waits_count > 0)
        qsort(p->waits, p->waits_count, sizeof *p->waits, compare_waits);
    if (p->ranges_count > 0)
        qsort(p->ranges, p->ranges_count, sizeof *p->ranges, compare_ranges);
    f->r->unfinished += p->ops_count > 0 && p->end_ns == 0;
}

/* --- files --- */

static bool is_plain(const char *line)
{
    while (*line != '\0' && recorder_is_plain((unsigned char)*line))
        line++;
    return *line == '\0';
}

static int check_header(struct reader *f, const char *line)
{
    static const char of_all[] = "dcsim-recording ";
    if (strcmp(line, RECORDING_HEADER) == 0)
        return 0;
    return refuse(f, strncmp(line, of_all, sizeof of_all - 1) == 0
                         ? "a recording of another version of dcsim-calibrate: record again"
                         : "another first line");
}

static int read_lines(struct reader *f, FILE *in)
{
    char *line = dcs_alloc(LINE_BYTES, 1);
    int failed = 0;
    while (!failed && fgets(line, LINE_BYTES, in) != NULL) {
        size_t length = strlen(line);
        f->line++;
        if (length == 0 || line[length - 1] != '\n') {
            if (!feof(in))
                failed = refuse(f, "a line that is too long");
            break; /* cut off: the process was killed */
        }
        line[length - 1] = '\0';
        if (!is_plain(line))
            failed = refuse(f, "a byte that is not printable ASCII");
        else if (f->line == 1)
            failed = check_header(f, line);
        else
            failed = take_line(f, line);
    }
    free(line);
    return failed;
}

static int read_file(struct cal_recording *r, const char *path, uint64_t *devices, int64_t *busy_ns,
                     struct dcs_err *err)
{
    FILE *in = fopen(path, "r");
    if (in == NULL)
        return dcs_err_at(err, path, 0, NULL, "cannot be read: %s", strerror(errno));
    r->processes = dcs_grow(r->processes, &r->processes_capacity, r->processes_count + 1,
                            sizeof *r->processes);
    struct reader f = {.r = r,
                       .p = &r->processes[r->processes_count++],
                       .busy_ns = busy_ns,
                       .file = path,
                       .err = err};
    *f.p = (struct cal_process){0};
    int failed = read_lines(&f, in);
    fclose(in);
    if (!failed)
        finish_process(&f);
    free(f.calls);
    *devices |= f.devices;
    return failed;
}

static int compare_processes(const void *a, const void *b)
{
    const struct cal_process *x = a, *y = b;
    if (x->begin_ns != y->begin_ns)
        return x->begin_ns < y->begin_ns ? -1 : 1;
    return (x->pid > y->pid) - (x->pid < y->pid);
}

static int is_record(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 7 && strcmp(entry->d_name + length - 7, ".record") == 0;
}

int cal_recording_read(struct cal_recording *r, const char *folder, struct dcs_err *err)
{
    struct dirent **entries;
    char path[4096];
    uint64_t devices = 0;
    int64_t busy_ns = 0;
    *r = (struct cal_recording){0};
    int count = scandir(folder, &entries, is_record, alphasort), failed = 0;
    if (count < 0)
        return dcs_err_at(err, folder, 0, NULL, "cannot be read: %s", strerror(errno));
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (!failed)
            failed = read_file(r, path, &devices, &busy_ns, err);
        free(entries[i]);
    }
    free(entries);
    for (; devices != 0; devices &= devices - 1)
        r->devices++;
    if (!failed && r->processes_count > 1)
        qsort(r->processes, r->processes_count, sizeof *r->processes, compare_processes);
    return failed;
}

void cal_recording_release(struct cal_recording *r)
{
    for (size_t i = 0; i < r->processes_count; i++) {
        struct cal_process *p = &r->processes[i];
        for (size_t k = 0; k < p->texts_count; k++)
            free(p->texts[k]);
        free(p->texts);
        free(p->command);
        free(p->ops);
        free(p->waits);
        free(p->ranges);
    }
    free(r->processes);
    *r = (struct cal_recording){0};
}
