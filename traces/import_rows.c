/*
 * import_rows.c - cuts lines into the fields of a format; see import_run.h.
 */
#include "traces/import_run.h"

#include "traces/json_line.h"

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

bool import_header(struct trace_import *im, char *text, size_t length)
{
    const char *names[TRACE_FIELDS_MAX];
    size_t lengths[TRACE_FIELDS_MAX];
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) { /* a byte order mark */
        text += 3;
        length -= 3;
    }
    size_t count = trace_csv_split(text, length, names, lengths, TRACE_FIELDS_MAX);
    if (count == 0 || count > TRACE_FIELDS_MAX)
        return false;
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

bool import_split(struct trace_import *im, char *text, size_t length, const char **fields,
                  size_t *lengths)
{
    if (im->format->syntax == TRACE_JSON_LINES)
        return trace_json_line(text, length, im->format->columns, fields, lengths);
    if (im->format->syntax == TRACE_CSV)
        return trace_csv_split(text, length, fields, lengths, TRACE_FIELDS_MAX) == im->columns;
    const char *there[TRACE_FIELDS_MAX];
    size_t there_lengths[TRACE_FIELDS_MAX];
    if (trace_csv_split(text, length, there, there_lengths, TRACE_FIELDS_MAX) != im->file_columns)
        return false;
    for (size_t i = 0; i < im->file_columns; i++)
        if (im->column_of[i] != SIZE_MAX) {
            fields[im->column_of[i]] = there[i];
            lengths[im->column_of[i]] = there_lengths[i];
        }
    return true;
}
