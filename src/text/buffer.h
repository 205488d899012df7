/* buffer.h - text that grows. Nothing here depends on the locale. */
#ifndef DCS_TEXT_BUFFER_H
#define DCS_TEXT_BUFFER_H

#include "des/base.h"

struct text_buffer {
    char *text; /* NUL-terminated; freed by the caller */
    size_t length, capacity;
};
/* Formatted append. */
void text_append(struct text_buffer *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Appends text as a JSON string with quotes and escapes. */
void text_append_json(struct text_buffer *out, const char *text);
/* Appends text as a field of CSV (RFC 4180), in quotes if it needs them. */
void text_append_csv(struct text_buffer *out, const char *text);

#endif
