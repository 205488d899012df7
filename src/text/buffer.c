/* buffer.c - see buffer.h. */
#include "text/buffer.h"

#include "text/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void text_append(struct text_buffer *out, const char *format, ...)
{
    va_list args, again;
    number_locale before = number_locale_enter();
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    DCS_ASSERT(length >= 0);
    size_t need = out->length + (size_t)length + 1;
    out->text = dcs_grow(out->text, &out->capacity, need, 1);
    vsnprintf(out->text + out->length, (size_t)length + 1, format, again);
    va_end(again);
    number_locale_leave(before);
    out->length += (size_t)length;
}

void text_append_json(struct text_buffer *out, const char *text)
{
    static const char plain[] = "\"\\\b\f\n\r\t", escaped[] = "\"\\bfnrt";
    text_append(out, "\"");
    while (*text != '\0') {
        size_t run = 0;
        while ((unsigned char)text[run] >= 0x20 && text[run] != '"' && text[run] != '\\')
            run++;
        text_append(out, "%.*s", (int)run, text);
        text += run;
        if (*text == '\0')
            break;
        const char *special = strchr(plain, *text);
        if (special)
            text_append(out, "\\%c", escaped[special - plain]);
        else
            text_append(out, "\\u%04x", (unsigned)*text);
        text++;
    }
    text_append(out, "\"");
}

void text_append_csv(struct text_buffer *out, const char *text)
{
    if (text[0] != '\0' && text[0] != ' ' && strpbrk(text, ",\"\r\n") == NULL) {
        text_append(out, "%s", text);
        return;
    }
    text_append(out, "\"");
    for (; *text != '\0'; text++)
        text_append(out, *text == '"' ? "\"\"" : "%c", *text);
    text_append(out, "\"");
}
