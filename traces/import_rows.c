/*
 * import_rows.c - cuts lines into the fields of a format; see import_run.h.
 */
#include "traces/import_run.h"

#include "traces/json_line.h"

#include <stdlib.h>
#include <string.h>

void import_columns(struct trace_import *im, const struct trace_format *format)
{
    im->format = format;
    im->columns = 0;
    while (format->columns[im->columns] != NULL)
        im->columns++;
    DCS_ASSERT(im->columns > 0 && im->columns <= TRACE_FIELDS_MAX);
    im->file_columns = im->columns;
}

static char delimiter_of(const struct trace_format *format)
{
    return format->delimiter != 0 ? format->delimiter : ',';
}

/* The file's columns have these names. */
static bool take_names(struct trace_import *im, const char **names, size_t count)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        im->column_of[i] = SIZE_MAX;
    for (size_t c = 0; c < im->columns; c++)
        for (size_t i = 0; i < count; i++)
            if (im->column_of[i] == SIZE_MAX && strcmp(names[i], im->format->columns[c]) == 0) {
                im->column_of[i] = c;
                found++;
                break;
            }
    im->file_columns = count;
    return found == im->columns;
}

bool import_header(struct trace_import *im, char *text, size_t length)
{
    const char *names[TRACE_FIELDS_MAX];
    size_t lengths[TRACE_FIELDS_MAX];
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) { /* a byte order mark */
        text += 3;
        length -= 3;
    }
    size_t count =
        trace_csv_split(text, length, delimiter_of(im->format), names, lengths, TRACE_FIELDS_MAX);
    if (count == 0 || count > TRACE_FIELDS_MAX)
        return false;
    return take_names(im, names, count);
}

bool import_numbers(struct trace_import *im, const char *text, size_t length)
{
    char numbers[TRACE_FIELDS_MAX][8];
    const char *names[TRACE_FIELDS_MAX];
    size_t lengths[TRACE_FIELDS_MAX];
    char *copy = dcs_alloc(length + 1, 1);
    memcpy(copy, text, length);
    size_t count =
        trace_csv_split(copy, length, delimiter_of(im->format), names, lengths, TRACE_FIELDS_MAX);
    free(copy);
    if (count == 0 || count > TRACE_FIELDS_MAX)
        return false;
    for (size_t i = 0; i < count; i++) {
        snprintf(numbers[i], sizeof numbers[i], "%zu", i + 1);
        names[i] = numbers[i];
    }
    return take_names(im, names, count);
}

bool import_split(struct trace_import *im, char *text, size_t length, const char **fields,
                  size_t *lengths)
{
    if (im->format->syntax == TRACE_JSON_LINES)
        return trace_json_line(text, length, im->format->columns, fields, lengths);
    if (im->format->syntax == TRACE_CSV)
        return trace_csv_split(text, length, delimiter_of(im->format), fields, lengths,
                               TRACE_FIELDS_MAX) == im->columns;
    const char *there[TRACE_FIELDS_MAX];
    size_t there_lengths[TRACE_FIELDS_MAX];
    if (trace_csv_split(text, length, delimiter_of(im->format), there, there_lengths,
                        TRACE_FIELDS_MAX) != im->file_columns)
        return false;
    for (size_t i = 0; i < im->file_columns; i++)
        if (im->column_of[i] != SIZE_MAX) {
            fields[im->column_of[i]] = there[i];
            lengths[im->column_of[i]] = there_lengths[i];
        }
    return true;
}
