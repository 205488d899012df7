/*
 * json_line.c - see json_line.h. The grammar is RFC 8259's, except that text between quotes is not
 * checked for being UTF-8 and a number may have any digits, signs, points and exponents: who wants
 * the number checks it.
 */
#include "traces/json_line.h"

#include "des/utf8.h"

#include <stdint.h>
#include <string.h>

#define DEPTH_MAX 64

struct reader {
    char *at, *end;
    const char *const *names;
    const char **fields;
    size_t *lengths;
    size_t names_count;
    size_t guess; /* members mostly come in the same order in each line */
};

static void skip_space(struct reader *r)
{
    while (*r->at == ' ' || *r->at == '\t' || *r->at == '\r')
        r->at++;
}

static bool take_char(struct reader *r, char c)
{
    skip_space(r);
    if (*r->at != c)
        return false;
    r->at++;
    return true;
}

static bool read_hex(const char *at, unsigned *out)
{
    *out = 0;
    for (int i = 0; i < 4; i++) {
        char c = at[i];
        unsigned digit;
        if (c >= '0' && c <= '9')
            digit = (unsigned)(c - '0');
        else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
            digit = (unsigned)((c | 0x20) - 'a') + 10;
        else
            return false; /* the NUL at the end included */
        *out = *out << 4 | digit;
    }
    return true;
}

/* Behind "\u". Surrogates come in pairs. */
static bool read_unicode(struct reader *r, char **to)
{
    unsigned c, low;
    if (!read_hex(r->at, &c) || c == 0)
        return false;
    r->at += 4;
    if (c >= 0xdc00 && c <= 0xdfff)
        return false;
    if (c >= 0xd800 && c <= 0xdbff) {
        if (r->at[0] != '\\' || r->at[1] != 'u' || !read_hex(r->at + 2, &low) || low < 0xdc00 ||
            low > 0xdfff)
            return false;
        r->at += 6;
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
    }
    *to = dcs_utf8_put(*to, c);
    return true;
}

/* Behind the opening quote; ends behind the closing one. What it unpacks is never longer. */
static bool read_string(struct reader *r, char **text, size_t *length)
{
    static const char plain[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    *text = r->at;
    while (*r->at != '"' && *r->at != '\\' && (unsigned char)*r->at >= 0x20)
        r->at++;
    char *to = r->at;
    while (*r->at != '"') {
        if ((unsigned char)*r->at < 0x20)
            return false; /* control characters, the NUL at the end */
        if (*r->at != '\\') {
            *to++ = *r->at++;
            continue;
        }
        char c = r->at[1];
        r->at += 2;
        if (c == 'u') {
            if (!read_unicode(r, &to))
                return false;
            continue;
        }
        const char *which = c != '\0' ? strchr(plain, c) : NULL;
        if (which == NULL)
            return false;
        *to++ = meant[which - plain];
    }
    *length = (size_t)(to - *text);
    r->at++;
    return true;
}

static bool read_word(struct reader *r, char **text, size_t *length)
{
    *text = r->at;
    while ((*r->at >= '0' && *r->at <= '9') || (*r->at >= 'a' && *r->at <= 'z') || *r->at == '-' ||
           *r->at == '+' || *r->at == '.' || *r->at == 'E')
        r->at++;
    *length = (size_t)(r->at - *text);
    if (**text == '-' || (**text >= '0' && **text <= '9'))
        return true;
    return (*length == 4 && (memcmp(*text, "true", 4) == 0 || memcmp(*text, "null", 4) == 0)) ||
           (*length == 5 && memcmp(*text, "false", 5) == 0);
}

/* At the opening bracket of an array or object nobody wants. Which brackets are open is a bit each.
 */
static bool skip_nested(struct reader *r)
{
    uint64_t objects = 0;
    int depth = 0;
    do {
        char c = *r->at, *text;
        size_t length;
        if (c == '{' || c == '[') {
            if (depth == DEPTH_MAX)
                return false;
            objects = objects << 1 | (c == '{');
            depth++;
            r->at++;
        } else if (c == '}' || c == ']') {
            if ((objects & 1) != (c == '}'))
                return false;
            objects >>= 1;
            depth--;
            r->at++;
        } else if (c == '"') {
            r->at++;
            if (!read_string(r, &text, &length))
                return false;
        } else if (c == ',' || c == ':' || c == ' ' || c == '\t') {
            r->at++;
        } else if (!read_word(r, &text, &length)) {
            return false;
        }
    } while (depth > 0);
    return true;
}

/* The wanted member of that name below the prefix; names_count if it is not wanted. *inner: some
 * wanted name goes on below it. */
static size_t find_member(struct reader *r, const char *prefix, size_t prefix_length,
                          const char *name, size_t length, bool *inner)
{
    *inner = false;
    char first = prefix_length > 0 ? prefix[0] : name[0]; /* tells most names apart */
    for (size_t i = 0; i < r->names_count; i++) {
        size_t n = r->guess + i < r->names_count ? r->guess + i : r->guess + i - r->names_count;
        const char *wanted = r->names[n];
        if (wanted[0] != first || strncmp(wanted, prefix, prefix_length) != 0)
            continue;
        wanted += prefix_length;
        if (strncmp(wanted, name, length) != 0)
            continue;
        if (wanted[length] == '\0') {
            r->guess = n + 1 < r->names_count ? n + 1 : 0;
            return n;
        }
        *inner |= wanted[length] == '.';
    }
    return r->names_count;
}

static bool read_object(struct reader *r, const char *prefix, size_t prefix_length, int depth);

static bool read_inner(struct reader *r, const char *prefix, size_t prefix_length, const char *name,
                       size_t length, int depth)
{
    char path[128];
    if (prefix_length + length + 1 >= sizeof path)
        return skip_nested(r);
    memcpy(path, prefix, prefix_length);
    memcpy(path + prefix_length, name, length);
    path[prefix_length + length] = '.';
    r->at++;
    return read_object(r, path, prefix_length + length + 1, depth + 1);
}

/* The value of a wanted member. The NUL behind a word is left to the caller: it may fall on a comma
 * that is still to be read. */
static bool read_wanted(struct reader *r, size_t n)
{
    char *text;
    size_t length;
    if (r->fields[n] != NULL)
        return false; /* twice */
    if (*r->at == '"') {
        r->at++;
        if (!read_string(r, &text, &length))
            return false;
        text[length] = '\0';
    } else if (!read_word(r, &text, &length)) {
        return false;
    } else if (text[0] == 'n') {
        text = r->end; /* null: the empty text at the end */
        length = 0;
    }
    r->fields[n] = text;
    r->lengths[n] = length;
    return true;
}

/* Behind the opening brace; ends behind the closing one. */
static bool read_object(struct reader *r, const char *prefix, size_t prefix_length, int depth)
{
    if (depth > 4)
        return false;
    if (take_char(r, '}'))
        return true;
    for (;;) {
        char *name;
        size_t length;
        bool inner;
        if (!take_char(r, '"') || !read_string(r, &name, &length) || !take_char(r, ':'))
            return false;
        skip_space(r);
        size_t n = find_member(r, prefix, prefix_length, name, length, &inner);
        char *word = NULL;
        size_t word_length;
        if (n < r->names_count) {
            if (!read_wanted(r, n))
                return false;
            if (r->at[-1] != '"')
                word = r->at;
        } else if (*r->at == '{' && inner) {
            if (!read_inner(r, prefix, prefix_length, name, length, depth))
                return false;
        } else if (*r->at == '{' || *r->at == '[') {
            if (!skip_nested(r))
                return false;
        } else if (*r->at == '"') {
            r->at++;
            if (!read_string(r, &name, &length))
                return false;
        } else if (!read_word(r, &name, &word_length)) {
            return false;
        }
        bool more = take_char(r, ',');
        if (!more && !take_char(r, '}'))
            return false;
        if (word != NULL)
            *word = '\0'; /* only now: it may have been the comma */
        if (!more)
            return true;
    }
}

bool trace_json_line(char *text, size_t length, const char *const *names, const char **fields,
                     size_t *lengths)
{
    struct reader r = {
        .at = text, .end = text + length, .names = names, .fields = fields, .lengths = lengths};
    for (; names[r.names_count] != NULL; r.names_count++) {
        fields[r.names_count] = NULL;
        lengths[r.names_count] = 0;
    }
    if (!take_char(&r, '{') || !read_object(&r, "", 0, 0))
        return false;
    skip_space(&r);
    for (size_t i = 0; i < r.names_count; i++)
        if (fields[i] == NULL)
            fields[i] = r.end;
    return r.at == r.end;
}
