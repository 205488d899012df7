/*
 * import_probe.c - see import_probe.h. Each format in the table reads the first rows with its own
 * row(), into an import that keeps nothing: so that a new format needs no detector of its own, and
 * tables of the same width are told apart by what their fields hold.
 */
#include "traces/import_probe.h"

#include "traces/import_run.h"

#include <stdlib.h>
#include <string.h>

#define PROBE_BYTES (64u * 1024)
#define PROBE_ROWS  64

struct looks {
    unsigned rows, good;
};

static void probe_row(struct trace_import *im, char *text, size_t length, struct looks *looks)
{
    const char *fields[TRACE_FIELDS_MAX];
    size_t lengths[TRACE_FIELDS_MAX];
    looks->rows++;
    if (memchr(text, '\0', length) != NULL || !import_split(im, text, length, fields, lengths))
        return;
    im->broken = false;
    im->outcome = OUTCOME_NONE;
    const struct trace_row row = {.fields = fields, .lengths = lengths};
    if (im->format->row(im, &row) == 0 && !im->broken)
        looks->good++;
}

static struct looks probe(const struct trace_format *format, const char *text, size_t length)
{
    struct trace_import im = {.probing = true, .in_row = true};
    struct looks looks = {0};
    import_columns(&im, format);
    char *copy = dcs_alloc(length + 1, 1);
    memcpy(copy, text, length);
    bool header = format->syntax == TRACE_CSV_HEADER;
    for (char *at = copy; at < copy + length && looks.rows < PROBE_ROWS;) {
        char *newline = memchr(at, '\n', (size_t)(copy + length - at));
        /* A line that the block cuts does not count, unless it is all there is. */
        if (newline == NULL && at != copy && length == PROBE_BYTES)
            break;
        size_t bytes = newline != NULL ? (size_t)(newline - at) : (size_t)(copy + length - at);
        char *next = at + bytes + 1;
        if (bytes > 0 && at[bytes - 1] == '\r')
            bytes--;
        at[bytes] = '\0';
        if (header) {
            header = false;
            if (!import_header(&im, at, bytes)) {
                looks = (struct looks){.rows = 1};
                break;
            }
            looks = (struct looks){.rows = 1, .good = 1};
        } else if (bytes > 0) {
            probe_row(&im, at, bytes, &looks);
        }
        at = next;
    }
    free(copy);
    return looks;
}

/* Writes to `out` which columns of the format a first line lacks; true if there are such. */
static bool print_missing(FILE *out, const struct trace_format *format, const char *header)
{
    struct trace_import im = {.probing = true};
    const char *before = "";
    char *line = dcs_strdup(header);
    import_columns(&im, format);
    im.file_columns = 0;
    bool whole = import_header(&im, line, strlen(line));
    for (size_t c = 0; c < im.columns && !whole; c++) {
        bool there = false;
        for (size_t i = 0; i < im.file_columns; i++)
            there |= im.column_of[i] == c;
        if (!there) {
            fprintf(out, "%s\"%s\"", before, format->columns[c]);
            before = ", ";
        }
    }
    free(line);
    return !whole;
}

/* The first line of a text, without its end. The caller frees it. */
static char *first_line(const char *text, size_t length)
{
    const char *newline = memchr(text, '\n', length);
    size_t bytes = newline != NULL ? (size_t)(newline - text) : length;
    DCS_ASSERT(bytes < SIZE_MAX);
    char *line = dcs_alloc(bytes + 1, 1);
    memcpy(line, text, bytes);
    if (bytes > 0 && line[bytes - 1] == '\r')
        line[bytes - 1] = '\0';
    return line;
}

/* Of a table whose first line names its columns: -1 and err if some of the format's are missing. */
static int check_header(const struct trace_format *format, const char *path, const char *text,
                        size_t length, struct dcs_err *err)
{
    char *missing = NULL, *header = first_line(text, length);
    size_t size = 0;
    FILE *out = open_memstream(&missing, &size);
    bool lacks = out == NULL || print_missing(out, format, header);
    int status = 0;
    if (out == NULL || fclose(out) != 0)
        status = dcs_err_set(err, "out of memory");
    else if (lacks)
        status = dcs_err_at(err, path, 1, NULL,
                            "no column has the name %.300s, which %s needs; the first line is "
                            "\"%.300s\"",
                            missing, format->name, header);
    free(missing);
    free(header);
    return status;
}

int import_probe(struct trace_input *in, const struct trace_format *format, struct dcs_err *err)
{
    const char *text;
    size_t length = PROBE_BYTES;
    if (trace_input_peek(in, &text, &length, err) != 0)
        return -1;
    const char *path = trace_input_source(in, trace_input_current(in))->path;
    if (length > 262 && memcmp(text + 257, "ustar", 5) == 0)
        return dcs_err_at(err, path, 0, NULL,
                          "is a tar archive; unpack it, e.g. tar -xOf FILE | dcsim trace import "
                          "FORMAT - -o OUTPUT");
    if (format->mapped)
        return format->syntax == TRACE_CSV_HEADER ? check_header(format, path, text, length, err)
                                                  : 0;
    struct looks named = probe(format, text, length);
    if (named.good * 2 >= named.rows)
        return 0;
    const struct trace_format *other = NULL;
    double best = 0.5;
    for (size_t i = 0; trace_formats[i] != NULL; i++) {
        struct looks l = probe(trace_formats[i], text, length);
        if (l.rows > 0 && (double)l.good / l.rows > best) {
            best = (double)l.good / l.rows;
            other = trace_formats[i];
        }
    }
    if (other != NULL)
        return dcs_err_at(err, path, 1, NULL, "does not look like %s; did you mean %s?",
                          format->name, other->name);
    if (named.good > 0)
        return 0;
    if (format->syntax == TRACE_CSV_HEADER)
        return check_header(format, path, text, length, err);
    return dcs_err_at(err, path, 1, NULL,
                      "does not look like %s, nor like any other format (dcsim trace formats)",
                      format->name);
}
