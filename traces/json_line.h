/*
 * json_line.h - picks named members out of one JSON object that stands on one line.
 *
 * It allocates nothing and works where the line lies, since tables of many gigabytes come in this
 * form. Wanted members are named as "time" or, inside a nested object, "resource_request.cpus";
 * everything else is passed over, nesting included. A value is handed over as text: strings without
 * their quotes and escapes, numbers as written, true and false; null and an absent member are "".
 */
#ifndef DCS_TRACES_JSON_LINE_H
#define DCS_TRACES_JSON_LINE_H

#include <stdbool.h>
#include <stddef.h>

/* text[length] is NUL; the text is changed. names is NULL-ended; fields and lengths have an element
 * for each. false: not one whole object, a wanted member twice, wanted but itself an array or
 * object, NUL (written as an escape), or nested deeper than 64. */
bool trace_json_line(char *text, size_t length, const char *const *names, const char **fields,
                     size_t *lengths);

#endif
