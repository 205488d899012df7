/*
 * options_scan.c - from JSON text to a tree of values that know where they stood. See
 * options_json.h. Grammar: RFC 8259, and nothing beside it.
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
    uint32_t source, values;
    struct dcs_err *err;
};

static int scan_value(struct scan *s, struct json **out, char *key, int key_line);

struct json *json_new(enum json_kind kind, struct options_place place, char *key)
{
    struct json *node = dcs_alloc(1, sizeof *node);
    node->kind = kind;
    node->place = place;
    node->key = key;
    return node;
}

void json_free(struct json *node)
{
    if (!node)
        return;
    for (struct json *child = node->child, *next; child; child = next) {
        next = child->next;
        json_free(child);
    }
    free(node->key);
    free(node->text);
    free(node);
}

size_t json_count(const struct json *node)
{
    size_t count = 0;
    for (const struct json *child = node->child; child; child = child->next)
        count++;
    return count;
}

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

/* Writes what the escape at hand stands for, never longer than itself, and moves *to behind it. */
static int scan_unicode_escape(struct scan *s, char **to)
{
    int code = hex4(s, s->at), low;
    if (code < 0)
        return fail(s, "expected four hexadecimal digits after \\u");
    if (code == 0)
        return fail(s, "a string cannot hold \\u0000");
    if (code >= 0xdc00 && code <= 0xdfff)
        return fail(s, "the second half of a surrogate pair without its first");
    s->at += 6;
    if (code >= 0xd800 && code <= 0xdbff) {
        low = hex4(s, s->at);
        if (low < 0xdc00 || low > 0xdfff)
            return fail(s, "expected the second half of a surrogate pair");
        s->at += 6;
        code = 0x10000 + (code - 0xd800) * 0x400 + (low - 0xdc00);
    }
    *to = dcs_utf8_put(*to, (uint32_t)code);
    return 0;
}

static int scan_escape(struct scan *s, char **to)
{
    static const char plain[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    char c = s->at + 1 < s->size ? s->text[s->at + 1] : '\0';
    if (c == 'u')
        return scan_unicode_escape(s, to);
    const char *which = c != '\0' ? strchr(plain, c) : NULL;
    if (which == NULL)
        return fail(s, "expected an escape \\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u");
    *(*to)++ = meant[which - plain];
    s->at += 2;
    return 0;
}

/* Writes what the string at hand stands for. */
static int scan_string_to(struct scan *s, char *to)
{
    s->at++;
    while (peek(s) != '"') {
        unsigned char c = (unsigned char)peek(s);
        size_t length = dcs_utf8_point(s->text + s->at, s->size - s->at, NULL);
        if (c == '\\') {
            if (scan_escape(s, &to) != 0)
                return -1;
        } else if (s->at == s->size || c == '\n' || c == '\r') {
            return fail(s, "a string is not closed: expected '\"'");
        } else if (c < 0x20) {
            return fail(s, "the control character 0x%02x must be escaped in a string", c);
        } else if (length == 0) {
            return fail(s, "the byte 0x%02x is not UTF-8", c);
        } else {
            to = mempcpy(to, s->text + s->at, length);
            s->at += length;
        }
    }
    s->at++;
    return 0;
}

/* The text of the string at hand; freed by the caller. NULL and err on failure. */
static char *scan_string(struct scan *s)
{
    size_t end = s->at + 1;
    while (end < s->size && s->text[end] != '"')
        end += s->text[end] == '\\' ? 2 : 1;
    char *text = dcs_alloc(end - s->at + 1, 1);
    if (scan_string_to(s, text) == 0)
        return text;
    free(text);
    return NULL;
}

char *options_string_text(const char *json)
{
    struct dcs_err err = {0};
    struct scan s = {.text = json, .size = strlen(json), .err = &err};
    char *text = scan_string(&s);
    DCS_ASSERT(text != NULL);
    return text;
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

static int scan_number(struct scan *s, double *number)
{
    char copy[NUMBER_SIZE];
    size_t end = number_end(s), length = end - s->at;
    if (length == 0 || (end < s->size && !strchr(" \t\r\n,]}/:", s->text[end])))
        return fail(s, "expected a number like -12, 0.5 or 1e6");
    if (length >= sizeof copy)
        return fail(s, "expected a number of fewer than %d characters", NUMBER_SIZE);
    memcpy(copy, s->text + s->at, length);
    copy[length] = '\0';
    *number = strtod(copy, NULL);
    if (isinf(*number))
        return fail(s, "a number is too large: expected at most 1.79e308");
    s->at = end;
    return 0;
}

static int scan_word(struct scan *s, struct json *node)
{
    static const char *const words[] = {"false", "true", "null"};
    char c = peek(s);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t length = strlen(words[i]);
        if (s->size - s->at >= length && memcmp(s->text + s->at, words[i], length) == 0) {
            s->at += length;
            node->kind = i < 2 ? JSON_BOOL : JSON_NULL;
            node->number = i == 1;
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

static int scan_member(struct scan *s, struct json **out)
{
    int key_line = s->line;
    if (peek(s) == '}')
        return fail(s, "expected a key; there is no comma after the last member");
    if (peek(s) != '"')
        return fail(s, "expected a key in double quotes");
    char *key = scan_string(s);
    if (key == NULL)
        return -1;
    skip_space(s);
    if (peek(s) != ':') {
        free(key);
        return fail(s, "expected \":\" after the key");
    }
    s->at++;
    return scan_value(s, out, key, key_line);
}

/* An object or a list, from its opening bracket. */
static int scan_container(struct scan *s, struct json *node, char close)
{
    struct json **end = &node->child;
    node->kind = close == '}' ? JSON_OBJECT : JSON_LIST;
    if (s->depth >= OPTIONS_MAX_DEPTH)
        return fail(s, "nested deeper than %d levels", OPTIONS_MAX_DEPTH);
    s->depth++;
    s->at++;
    skip_space(s);
    bool more = peek(s) != close;
    while (more) {
        if ((close == '}' ? scan_member(s, end) : scan_value(s, end, NULL, 0)) != 0)
            return -1;
        end = &(*end)->next;
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

/* *out: the value, even where it fails inside of it. Takes the key over. */
static int scan_value(struct scan *s, struct json **out, char *key, int key_line)
{
    skip_space(s);
    struct options_place place = {.start = (uint32_t)s->at,
                                  .source = s->source,
                                  .line = s->line,
                                  .key_line = key_line ? key_line : s->line};
    struct json *node = *out = json_new(JSON_NULL, place, key);
    char c = peek(s);
    int result;
    if (++s->values > OPTIONS_MAX_VALUES)
        return fail(s, "more than %u values, the most that is read", OPTIONS_MAX_VALUES);
    if (c == '{') {
        result = scan_container(s, node, '}');
    } else if (c == '[') {
        result = scan_container(s, node, ']');
    } else if (c == '"') {
        node->kind = JSON_STRING;
        node->text = scan_string(s);
        result = node->text != NULL ? 0 : -1;
    } else if (c == '-' || (c >= '0' && c <= '9')) {
        node->kind = JSON_NUMBER;
        result = scan_number(s, &node->number);
    } else {
        result = scan_word(s, node);
    }
    node->place.end = (uint32_t)s->at;
    return result;
}

static int scan_text(struct scan *s, struct json **root)
{
    if (s->size > OPTIONS_MAX_BYTES)
        return dcs_err_at(s->err, s->name, 0, NULL, "is larger than 64 MiB, the most that is read");
    const char *nul = memchr(s->text, '\0', s->size);
    if (nul) {
        for (const char *p = s->text; p < nul; p++)
            s->line += *p == '\n';
        return dcs_err_at(s->err, s->name, s->line, NULL,
                          "contains a NUL byte; expected JSON in UTF-8 text");
    }
    if (scan_value(s, root, NULL, 0) != 0)
        return -1;
    skip_space(s);
    return s->at == s->size ? 0 : fail(s, "expected the end of the text after the value");
}

struct json *options_scan(const char *name, const char *text, size_t size, uint32_t source,
                          struct dcs_err *err)
{
    struct scan s = {
        .name = name, .text = text, .size = size, .line = 1, .source = source, .err = err};
    struct json *root = NULL;
    number_locale before = number_locale_enter();
    int result = scan_text(&s, &root);
    number_locale_leave(before);
    if (result == 0)
        return root;
    json_free(root);
    return NULL;
}
