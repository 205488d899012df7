/*
 * csv.c - cuts a line into fields; see trace_csv_split in input.h.
 *
 * Most lines have no quote, and fields of a few characters: so 16 characters are compared at once
 * with the comma and the quote where the processor can (SSE2 is part of x86-64), and one at a time
 * elsewhere. A line with a quote takes the slow way from the field on in whose block it was met.
 */
#include "traces/input.h"

#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* A field that begins with a quote, moved to where the quote was. NULL: not closed, or text behind.
 */
static char *unquote(char *at, char delimiter, const char **field, size_t *length)
{
    char *to = at;
    *field = to;
    for (at++;; at++) {
        if (*at == '\0')
            return NULL;
        if (*at == '"') {
            if (at[1] != '"')
                break;
            at++;
        }
        *to++ = *at;
    }
    at++;
    if (*at != delimiter && *at != '\0')
        return NULL;
    *length = (size_t)(to - *field);
    if (to != at)
        *to = '\0';
    return at;
}

/* From the beginning of a field on, behind `count` others. */
static size_t split_quoted(char *at, char *end, char delimiter, const char **fields,
                           size_t *lengths, size_t most, size_t count)
{
    for (;; at++) {
        const char *field = at;
        size_t length;
        if (*at == '"') {
            at = unquote(at, delimiter, &field, &length);
            if (at == NULL)
                return 0;
        } else {
            char *comma = memchr(at, delimiter, (size_t)(end - at));
            at = comma != NULL ? comma : end;
            length = (size_t)(at - field);
        }
        if (count < most) {
            fields[count] = field;
            lengths[count] = length;
        }
        count++;
        if (at == end)
            return count;
        *at = '\0';
    }
}

struct splitter {
    char *field; /* where the current one begins */
    const char **fields;
    size_t *lengths;
    size_t count, most;
    char delimiter;
};

static void end_field(struct splitter *s, char *comma)
{
    if (s->count < s->most) {
        s->fields[s->count] = s->field;
        s->lengths[s->count] = (size_t)(comma - s->field);
    }
    s->count++;
    *comma = '\0';
    s->field = comma + 1;
}

/* Goes on from *at while there are whole blocks; false at one with a quote. */
static bool split_blocks(struct splitter *s, char **at, const char *end)
{
#if defined(__SSE2__)
    const __m128i commas = _mm_set1_epi8(s->delimiter), quotes = _mm_set1_epi8('"');
    for (; end - *at >= 16; *at += 16) {
        __m128i block = _mm_loadu_si128((const __m128i *)(const void *)*at);
        if (_mm_movemask_epi8(_mm_cmpeq_epi8(block, quotes)) != 0)
            return false;
        unsigned found = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(block, commas));
        for (; found != 0; found &= found - 1)
            end_field(s, *at + __builtin_ctz(found));
    }
#else
    (void)s, (void)at, (void)end;
#endif
    return true;
}

size_t trace_csv_split(char *text, size_t length, char delimiter, const char **fields,
                       size_t *lengths, size_t most)
{
    struct splitter s = {
        .field = text, .fields = fields, .lengths = lengths, .most = most, .delimiter = delimiter};
    char *end = text + length;
    char *at = text;
    bool plain = split_blocks(&s, &at, end);
    for (; plain && at < end; at++) {
        plain = *at != '"';
        if (*at == delimiter)
            end_field(&s, at);
    }
    if (!plain)
        return split_quoted(s.field, end, delimiter, fields, lengths, most, s.count);
    end_field(&s, end);
    return s.count;
}
