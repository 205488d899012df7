/*
 * input.h - opens what a user names and cuts it into lines: files, folders of parts in name order,
 * standard input ("-"); plain or gzip, told apart by their first bytes, gzip of several members
 * too.
 *
 * Memory is bounded whatever the input holds: one buffer of text, one of bytes. A line above
 * TRACE_LINE_MAX is handed over cut to its beginning and marked; the rest of it is skipped.
 *
 * Rules: "\n" and "\r\n" end a line. A gzip that ends early or does not unpack gives the lines that
 * unpack, then end of file with trace_source.damage set; an unfinished line before the damage is
 * marked `cut`. The caller decides what that means. A file that cannot be read at all is an error.
 */
#ifndef DCS_TRACES_INPUT_H
#define DCS_TRACES_INPUT_H

#include "des/base.h"

#define TRACE_LINE_MAX   (1024u * 1024)
#define TRACE_FIELDS_MAX 256

struct trace_source {
    char *path;
    char sha256[65];     /* of the bytes as they lie on disk; "" until the file has been read */
    uint64_t disk_bytes; /* read so far */
    uint64_t bytes;      /* of text, so far */
    uint64_t lines;      /* so far */
    uint64_t rows;       /* of them; the reader of rows counts */
    char damage[128];    /* "" or what is wrong with the gzip */
};

/* One line, valid until the next call. text[length] is NUL and may be written to. */
struct trace_line {
    char *text;
    size_t length;   /* without its end */
    uint64_t number; /* from 1 in its file */
    bool too_long;   /* text is only its beginning */
    bool has_nul;
    bool cut; /* the file ends without ending the line */
};

struct trace_input;

/* Makes the list of files; opens none. Names that start with '.' and folders in folders are passed
 * over. NULL and err: a path that is not there, neither file nor folder nor pipe, a folder without
 * a file, "-" named twice. */
struct trace_input *trace_input_open(const char *const *paths, size_t count, struct dcs_err *err);
void trace_input_close(struct trace_input *in); /* NULL is allowed */

/* Called each time a block of bytes has been read; nonzero ends the reading with an error. bytes is
 * of all files, as on disk; total 0: unknown. */
void trace_input_watch(struct trace_input *in,
                       int (*tick)(void *context, uint64_t bytes, uint64_t total), void *context);

size_t trace_input_files(const struct trace_input *in);
const struct trace_source *trace_input_source(const struct trace_input *in, size_t file);
void trace_input_count_row(struct trace_input *in); /* of the open file */

/* Opens the next file: 1, or 0 if there is none, or -1. */
int trace_input_next_file(struct trace_input *in, struct dcs_err *err);
size_t trace_input_current(const struct trace_input *in); /* its number, from 0 */

/* The next line of the open file: 1, or 0 at its end, or -1. */
int trace_input_line(struct trace_input *in, struct trace_line *line, struct dcs_err *err);

/* The beginning of the open file, before its first line is taken: at most *length bytes. */
int trace_input_peek(struct trace_input *in, const char **text, size_t *length,
                     struct dcs_err *err);

/* Splits a line into fields where it lies; each is NUL-terminated and without quotes. Quotes count
 * as in RFC 4180, but a field ends with its line. Returns the number of fields, which may be above
 * `most` (only that many are stored); 0 if a quote is not closed or has text behind it. */
size_t trace_csv_split(char *text, size_t length, char delimiter, const char **fields,
                       size_t *lengths, size_t most);

#endif
