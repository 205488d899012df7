/*
 * options_scan.c - the strict reading of JSON text: is it JSON, and where does each value stand?
 * See options_json.h. Grammar: RFC 8259.
 *
 * An error says line and column (in characters), what was expected and the text at that point.
 */
#include "options/options_json.h"
#include "des/utf8.h"
#include "text/number.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct scan {
    const char *name;
    const char *text;
    size_t size, at;
    size_t line_start;
    int line;
    int depth;
    uint32_t source;
    struct options_places *places;
    struct dcs_err *err;
};

static int scan_value(struct scan *s, int key_line);

size_t options_clip(const char *text, size_t size, size_t most)
{
    size_t length = 0;
    while (length < size) {
        size_t next = dcs_utf8_point(text + length, size - length, NULL);
        if (next == 0)
            next = 1;
        if (length + next > most)
            break;
        length += next;
    }
    return length;
}

/* Fails at s->at. */
static int __attribute__((format(printf, 2, 3))) fail(struct scan *s, const char *format, ...)
{
    char expected[256], found[64];
    const char *here = s->text + s->at;
    size_t left = s->size - s->at, line = 0;
    int column = 1;
    va_list args;

    va_start(args, format);
    vsnprintf(expected, sizeof expected, format, args);
    va_end(args);
    for (size_t i = s->line_start; i < s->at; column++) {
        size_t next = dcs_utf8_point(s->text + i, s->at - i, NULL);
        i += next > 0 ? next : 1;
    }
    while (line < left && here[line] != '\n' && here[line] != '\r')
        line++;
    size_t shown = options_clip(here, line, 32);
    if (left == 0)
        snprintf(found, sizeof found, "the end of the text");
    else if (line == 0)
        snprintf(found, sizeof found, "the end of the line");
    else
        snprintf(found, sizeof found, "%.*s%s", (int)shown, here, shown < line ? "..." : "");
    return dcs_err_at(s->err, s->name, s->line, NULL, "not valid JSON at column %d: %s; found %s",
                      column, expected, found);
}

static void skip_space(struct scan *s)
{
    for (; s->at < s->size; s->at++) {
        char c = s->text[s->at];
        if (c == '\n') {
            s->line++;
            s->line_start = s->at + 1;
        } else if (c != ' ' && c != '\t' && c != '\r') {
            break;
        }
    }
}

/* The byte at hand; NUL at the end, which no text contains otherwise. */
static char peek(const struct scan *s)
{
    return s->at < s->size ? s->text[s->at] : '\0';
}

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* The four digits after \u at s->text[at]; -1 if they are not. */
static int hex4(const struct scan *s, size_t at)
{
    int code = 0;
    if (s->size - at < 6 || s->text[at] != '\\' || s->text[at + 1] != 'u')
        return -1;
    for (size_t i = at + 2; i < at + 6; i++) {
        int digit = hex_value(s->text[i]);
        if (digit < 0)
            return -1;
        code = code * 16 + digit;
    }
    return code;
}

static int scan_unicode_escape(struct scan *s)
{
    int code = hex4(s, s->at);
    if (code < 0)
        return fail(s, "expected four hexadecimal digits after \\u");
    if (code == 0)
        return fail(s, "a string cannot hold \\u0000");
    if (code >= 0xdc00 && code <= 0xdfff)
        return fail(s, "the second half of a surrogate pair without its first");
    s->at += 6;
    if (code < 0xd800 || code > 0xdbff)
        return 0;
    code = hex4(s, s->at);
    if (code < 0xdc00 || code > 0xdfff)
        return fail(s, "expected the second half of a surrogate pair");
    s->at += 6;
    return 0;
}

static int scan_escape(struct scan *s)
{
    char c = s->at + 1 < s->size ? s->text[s->at + 1] : '\0';
    if (c == 'u')
        return scan_unicode_escape(s);
    if (c == '\0' || !strchr("\"\\/bfnrt", c))
        return fail(s, "expected an escape \\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u");
    s->at += 2;
    return 0;
}

static int scan_string(struct scan *s)
{
    s->at++;
    while (peek(s) != '"') {
        unsigned char c = (unsigned char)peek(s);
        size_t length = dcs_utf8_point(s->text + s->at, s->size - s->at, NULL);
        if (c == '\\') {
            if (scan_escape(s) != 0)
                return -1;
        } else if (s->at == s->size || c == '\n' || c == '\r') {
            return fail(s, "a string is not closed: expected '\"'");
        } else if (c < 0x20) {
            return fail(s, "the control character 0x%02x must be escaped in a string", c);
        } else if (length == 0) {
            return fail(s, "the byte 0x%02x is not UTF-8", c);
        } else {
            s->at += length;
        }
    }
    s->at++;
    return 0;
}

static size_t skip_digits(const struct scan *s, size_t at)
{
    while (at < s->size && s->text[at] >= '0' && s->text[at] <= '9')
        at++;
    return at;
}

/* Where the number at s->at ends; s->at if there is none by the grammar. */
static size_t number_end(const struct scan *s)
{
    size_t start = s->at + (peek(s) == '-');
    size_t at = skip_digits(s, start);
    if (at == start || (s->text[start] == '0' && at > start + 1))
        return s->at;
    if (s->text[at] == '.') {
        start = at + 1;
        at = skip_digits(s, start);
        if (at == start)
            return s->at;
    }
    if (s->text[at] == 'e' || s->text[at] == 'E') {
        start = at + 1;
        start += s->text[start] == '+' || s->text[start] == '-';
        at = skip_digits(s, start);
        if (at == start)
            return s->at;
    }
    return at;
}

static int scan_number(struct scan *s)
{
    char copy[NUMBER_SIZE];
    size_t end = number_end(s), length = end - s->at;
    if (length == 0 || (end < s->size && !strchr(" \t\r\n,]}/:", s->text[end])))
        return fail(s, "expected a number like -12, 0.5 or 1e6");
    if (length >= sizeof copy)
        return fail(s, "expected a number of fewer than %d characters", NUMBER_SIZE);
    memcpy(copy, s->text + s->at, length);
    copy[length] = '\0';
    if (isinf(strtod(copy, NULL)))
        return fail(s, "a number is too large: expected at most 1.79e308");
    s->at = end;
    return 0;
}

static int scan_word(struct scan *s)
{
    static const char *const words[] = {"true", "false", "null"};
    char c = peek(s);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t length = strlen(words[i]);
        if (s->size - s->at >= length && memcmp(s->text + s->at, words[i], length) == 0) {
            s->at += length;
            return 0;
        }
    }
    if (c == '/' || c == '#')
        return fail(s,
                    "expected a value; JSON has no comments (write a key that starts with \"_\")");
    if (c == '\'')
        return fail(s, "expected a value; strings stand in double quotes");
    if (c == ']' || c == '}')
        return fail(s, "expected a value; there is no comma after the last one");
    return fail(s, "expected a value");
}

static int scan_member(struct scan *s)
{
    int key_line = s->line;
    if (peek(s) == '}')
        return fail(s, "expected a key; there is no comma after the last member");
    if (peek(s) != '"')
        return fail(s, "expected a key in double quotes");
    if (scan_string(s) != 0)
        return -1;
    skip_space(s);
    if (peek(s) != ':')
        return fail(s, "expected \":\" after the key");
    s->at++;
    return scan_value(s, key_line);
}

/* An object or a list, from its opening bracket. */
static int scan_container(struct scan *s, char close)
{
    if (s->depth >= CJSON_NESTING_LIMIT)
        return fail(s, "nested deeper than %d levels", CJSON_NESTING_LIMIT);
    s->depth++;
    s->at++;
    skip_space(s);
    bool more = peek(s) != close;
    while (more) {
        if ((close == '}' ? scan_member(s) : scan_value(s, 0)) != 0)
            return -1;
        skip_space(s);
        more = peek(s) == ',';
        if (more) {
            s->at++;
            skip_space(s);
        } else if (peek(s) != close) {
            return fail(s, "expected \",\" or \"%c\"", close);
        }
    }
    s->at++;
    s->depth--;
    return 0;
}

static int scan_value(struct scan *s, int key_line)
{
    struct options_places *places = s->places;
    size_t index = places->count;
    int result;

    skip_space(s);
    places->items = dcs_grow(places->items, &places->capacity, index + 1, sizeof places->items[0]);
    places->count++;
    places->items[index] = (struct options_place){.start = (uint32_t)s->at,
                                                  .source = s->source,
                                                  .line = s->line,
                                                  .key_line = key_line ? key_line : s->line};
    char c = peek(s);
    if (c == '{')
        result = scan_container(s, '}');
    else if (c == '[')
        result = scan_container(s, ']');
    else if (c == '"')
        result = scan_string(s);
    else if (c == '-' || (c >= '0' && c <= '9'))
        result = scan_number(s);
    else
        result = scan_word(s);
    places->items[index].end = (uint32_t)s->at;
    return result;
}

int options_scan(const char *name, const char *text, size_t size, uint32_t source,
                 struct options_places *places, struct dcs_err *err)
{
    struct scan s = {.name = name,
                     .text = text,
                     .size = size,
                     .line = 1,
                     .source = source,
                     .places = places,
                     .err = err};
    if (size > OPTIONS_MAX_BYTES)
        return dcs_err_at(err, name, 0, NULL, "is larger than 64 MiB, the most that is read");
    const char *nul = memchr(text, '\0', size);
    if (nul) {
        for (const char *p = text; p < nul; p++)
            s.line += *p == '\n';
        return dcs_err_at(err, name, s.line, NULL,
                          "contains a NUL byte; expected JSON in UTF-8 text");
    }
    number_locale before = number_locale_enter();
    int result = scan_value(&s, 0);
    if (result == 0) {
        skip_space(&s);
        if (s.at < s.size)
            result = fail(&s, "expected the end of the text after the value");
    }
    number_locale_leave(before);
    return result;
}
