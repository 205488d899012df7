/*
 * import.c - see import.h. Reads rows, lets the format say what each means, sorts events into
 * lives, and keeps account: each row has an outcome, which is asserted.
 *
 * Memory at its peak: 34 MB of events and 20 MB to sort them, 15 MB of one life, 16 MB of database
 * cache, 8 MB to read.
 */
#include "traces/import.h"

#include "traces/import_probe.h"
#include "traces/import_run.h"
#include "traces/jobs_form.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define SORT_BYTES      (32u << 20)
#define LIFE_EVENTS_MAX 262144
#define TICK_EVENTS     65536 /* between two looks at whether to stop */

/* ---- rows ---- */

static bool stopped(const struct trace_import *im)
{
    return im->options->stop != NULL && *im->options->stop;
}

static int count_row(struct trace_import *im)
{
    DCS_ASSERT(im->outcome != OUTCOME_NONE); /* nothing is dropped silently */
    struct import_counts *c = im->counts;
    if (im->outcome & OUTCOME_JOB)
        c->rows_jobs++;
    else if (im->outcome & OUTCOME_EVENT)
        c->rows_events++;
    else
        c->rows_left_out++;
    return 0;
}

static int take_row(struct trace_import *im, const struct trace_line *line)
{
    const char *fields[TRACE_FIELDS_MAX];
    size_t lengths[TRACE_FIELDS_MAX];
    bool damaged = trace_input_source(im->in, im->file)->damage[0] != '\0';
    im->counts->rows++;
    trace_input_count_row(im->in);
    im->outcome = OUTCOME_NONE;
    bool whole = !line->too_long && !line->has_nul && !(line->cut && damaged) &&
                 import_split(im, line->text, line->length, fields, lengths);
    if (!whole) {
        enum trace_issue issue = line->cut ? ISSUE_CUT_LAST_LINE : ISSUE_MALFORMED;
        return import_issue(im, issue, TRACE_LEFT_OUT) != 0 ? -1 : count_row(im);
    }
    if (line->cut && import_issue(im, ISSUE_CUT_LAST_LINE, TRACE_NOTED) != 0)
        return -1;
    const struct trace_row row = {.fields = fields, .lengths = lengths};
    return im->format->row(im, &row) != 0 ? -1 : count_row(im);
}

/* The first line of a file, where that names the columns. */
static int take_header(struct trace_import *im, struct trace_line *line)
{
    if (!line->too_long && !line->has_nul && import_header(im, line->text, line->length))
        return 0;
    return dcs_err_at(im->err, import_path(im, im->file), 1, NULL,
                      "the header lacks columns of %s, which are: %s, %s, ...", im->format->name,
                      im->format->columns[0], im->columns > 1 ? im->format->columns[1] : "");
}

/* The first line of a file, where columns go by their numbers. */
static int count_columns(struct trace_import *im, const struct trace_line *line)
{
    if (!line->too_long && !line->has_nul && import_numbers(im, line->text, line->length))
        return 0;
    size_t wanted = 0;
    for (size_t c = 0; c < im->columns; c++) {
        size_t number = strtoul(im->format->columns[c], NULL, 10);
        wanted = number > wanted ? number : wanted;
    }
    return dcs_err_at(im->err, import_path(im, im->file), 1, NULL,
                      "has no %zu columns; columns are counted from 1", wanted);
}

/* A file that does not unpack cannot give a complete database; lint goes on to the next. */
static int check_damage(struct trace_import *im)
{
    const struct trace_source *s = trace_input_source(im->in, im->file);
    if (s->damage[0] == '\0')
        return 0;
    if (im->options->output == NULL && !im->options->strict)
        return import_issue_at(im, ISSUE_DAMAGED_FILE, TRACE_LEFT_OUT, im->file, s->lines);
    return dcs_err_at(im->err, s->path, s->lines < INT_MAX ? (int)s->lines : 0, NULL,
                      "%s (to use the rows before that: zcat FILE | dcsim trace import FORMAT -)",
                      s->damage);
}

static int read_file(struct trace_import *im)
{
    im->file = (uint32_t)trace_input_current(im->in);
    im->counts->files++;
    if (im->file == 0 && import_probe(im->in, im->format, im->err) != 0)
        return -1;
    enum trace_syntax syntax = im->format->syntax;
    bool first = true;
    struct trace_line line;
    int status;
    while ((status = trace_input_line(im->in, &line, im->err)) > 0) {
        if (line.length == 0)
            continue; /* a blank line is no row */
        im->line = line.number;
        bool header = first && syntax == TRACE_CSV_HEADER;
        if (first && syntax == TRACE_CSV_NUMBERS && count_columns(im, &line) != 0)
            return -1;
        if ((header ? take_header(im, &line) : take_row(im, &line)) != 0)
            return -1;
        first = false;
    }
    im->in_row = false;
    if (status == 0)
        status = check_damage(im);
    im->in_row = true;
    const struct trace_source *s = trace_input_source(im->in, im->file);
    im->counts->bytes += s->bytes;
    im->counts->disk_bytes += s->disk_bytes;
    return status;
}

static int read_all(struct trace_import *im)
{
    int status;
    im->in_row = true;
    while ((status = trace_input_next_file(im->in, im->err)) > 0)
        if (read_file(im) != 0)
            return -1;
    im->in_row = false;
    return status;
}

/* ---- lives ---- */

static int interrupted(struct trace_import *im)
{
    return dcs_err_set(im->err, "interrupted");
}

static int report_lives(struct trace_import *im, uint64_t done)
{
    if (done % TICK_EVENTS != 0)
        return 0;
    if (stopped(im))
        return interrupted(im);
    if (im->options->progress != NULL)
        im->options->progress(im->options->context, IMPORT_LIVES, done, trace_sort_count(im->sort));
    return 0;
}

struct life {
    struct trace_event *events;
    size_t count, capacity;
};

static int add_to_life(struct trace_import *im, struct life *life, const struct trace_event *e)
{
    if (life->count == LIFE_EVENTS_MAX)
        return import_issue_at(im, ISSUE_TOO_MANY_EVENTS, TRACE_LEFT_OUT, e->file, e->line);
    life->events = dcs_grow(life->events, &life->capacity, life->count + 1, sizeof *life->events);
    life->events[life->count++] = *e;
    return 0;
}

static int end_life(struct trace_import *im, struct life *life)
{
    if (life->count == 0)
        return 0;
    im->counts->entities++;
    DCS_ASSERT(im->format->life != NULL); /* a format that keeps events has one */
    int status = im->format->life(im, life->events, life->count);
    life->count = 0;
    return status;
}

static int make_lives(struct trace_import *im, struct life *life)
{
    struct trace_event e;
    int status = trace_sort_finish(im->sort, im->err);
    uint64_t done = 0;
    while (status == 0 && (status = trace_sort_next(im->sort, &e, im->err)) > 0) {
        status = report_lives(im, done++);
        if (status == 0 && life->count > 0 &&
            (life->events[0].key[0] != e.key[0] || life->events[0].key[1] != e.key[1]))
            status = end_life(im, life);
        if (status == 0)
            status = add_to_life(im, life, &e);
    }
    return status == 0 ? end_life(im, life) : -1;
}

/* ---- the whole ---- */

/* As many as the reader takes. */
static int check_sources(struct trace_import *im)
{
    size_t files = trace_input_files(im->in), bytes = 0;
    for (size_t i = 0; i < files; i++)
        bytes += strlen(import_path(im, (uint32_t)i));
    if (files <= TRACE_JOBS_SOURCES_MAX && bytes <= TRACE_JOBS_SOURCE_BYTES_MAX)
        return 0;
    return dcs_err_set(
        im->err,
        "%zu files, with names of %zu bytes; an import takes %d, with %d bytes: join "
        "some of them",
        files, bytes, TRACE_JOBS_SOURCES_MAX, TRACE_JOBS_SOURCE_BYTES_MAX);
}

static int on_bytes(void *context, uint64_t bytes, uint64_t total)
{
    struct trace_import *im = context;
    if (im->options->progress != NULL)
        im->options->progress(im->options->context, IMPORT_READING, bytes, total);
    return stopped(im);
}

static int on_index(void *context)
{
    struct trace_import *im = context;
    if (im->options->progress != NULL)
        im->options->progress(im->options->context, IMPORT_INDEX, 0, 0);
    return stopped(im);
}

/* With what most rows were left out for. */
static int refuse_empty(struct trace_import *im)
{
    const struct import_counts *c = im->counts;
    int most = 0;
    for (int i = 1; i < ISSUES; i++)
        if (c->issues[i].count[TRACE_LEFT_OUT] > c->issues[most].count[TRACE_LEFT_OUT])
            most = i;
    const struct import_issue_counts *n = &c->issues[most];
    char why[400] = "";
    if (n->count[TRACE_LEFT_OUT] > 0)
        snprintf(why, sizeof why, "; %llu are left out as %s, the first at line %llu%s%s",
                 (unsigned long long)n->count[TRACE_LEFT_OUT],
                 trace_issue_name((enum trace_issue)most), (unsigned long long)n->first_line,
                 n->first_about[0] != '\0' ? ": " : "", n->first_about);
    return dcs_err_at(im->err, import_path(im, 0), 0, NULL,
                      "none of %llu rows makes a job, so there is nothing to import%s (dcsim trace "
                      "lint %s tells more)",
                      (unsigned long long)c->rows, why, im->format->name);
}

static int finish(struct trace_import *im)
{
    struct import_counts *c = im->counts;
    DCS_ASSERT(c->rows == c->rows_jobs + c->rows_events + c->rows_left_out);
    c->end_ns = import_end_ns(im);
    c->median_ns = dcs_hist_quantile(&im->durations, 0.5);
    c->longest_ns = c->jobs > 0 ? im->durations.max : 0;
    if (im->db == NULL)
        return 0;
    if (c->jobs == 0)
        return refuse_empty(im);
    return import_db_finish(im->db, im->format, im->in, c, on_index, im, im->err);
}

int trace_import_run(const struct import_options *options, struct import_counts *out,
                     struct dcs_err *err)
{
    memset(out, 0, sizeof *out);
    struct trace_import *im = dcs_alloc(1, sizeof *im);
    struct life life = {0};
    im->options = options;
    im->counts = out;
    im->err = err;
    dcs_hist_init(&im->durations);
    import_columns(im, options->format);
    int status = -1;
    im->in = trace_input_open(options->paths, options->paths_count, err);
    if (im->in != NULL && options->output != NULL && check_sources(im) == 0)
        im->db = import_db_open(options->output, err);
    if (im->in != NULL && (im->db != NULL || options->output == NULL)) {
        trace_input_watch(im->in, on_bytes, im);
        if (im->format->life != NULL)
            im->sort = trace_sort_create(SORT_BYTES);
        if (im->format->own)
            im->repeats = repeats_create();
        status = read_all(im);
        if (status == 0 && im->sort != NULL)
            status = make_lives(im, &life);
        if (status == 0)
            status = finish(im);
    }
    if (status != 0 && stopped(im))
        interrupted(im);
    free(life.events);
    trace_sort_free(im->sort);
    repeats_free(im->repeats);
    import_db_close(im->db);
    trace_input_close(im->in);
    free(im);
    return status;
}
