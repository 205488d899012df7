/*
 * options_json.c - config documents: loading and paths. See options.h and options_json.h.
 *
 * A path is keys and list indices, "workload.services[0].rate_per_s". A key that itself holds '.',
 * '[' or ']' cannot be addressed.
 */
#include "options/options_json.h"
#include "text/number.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- paths ---- */

const char *options_next_step(const char *at, bool first, struct options_step *step,
                              const char **bad)
{
    *bad = NULL;
    if (*at == '\0' && !first)
        return NULL;
    if (*at == '[' && !first) {
        char *end;
        errno = 0;
        unsigned long long index = strtoull(at + 1, &end, 10);
        if (!isdigit((unsigned char)at[1]) || *end != ']' || errno != 0 || index > INT_MAX) {
            *bad = "expected an index like [0]";
            return NULL;
        }
        *step = (struct options_step){.index = (size_t)index, .end = end + 1};
        return step->end;
    }
    if (!first && *at++ != '.') {
        *bad = "expected \".\" or \"[\" after an index";
        return NULL;
    }
    size_t length = strcspn(at, ".[]");
    if (length == 0) {
        *bad = "expected a key";
        return NULL;
    }
    *step = (struct options_step){.key = at, .key_length = length, .end = at + length};
    return step->end;
}

struct json *options_member(const struct json *object, const char *name, size_t length)
{
    for (struct json *child = object ? object->child : NULL; child; child = child->next)
        if (strlen(child->key) == length && memcmp(child->key, name, length) == 0)
            return child;
    return NULL;
}

struct json *options_follow(const struct json *node, const struct options_step *step)
{
    if (step->key)
        return json_is(node, JSON_OBJECT) ? options_member(node, step->key, step->key_length)
                                          : NULL;
    if (!json_is(node, JSON_LIST))
        return NULL;
    struct json *child = node->child;
    for (size_t i = 0; child && i < step->index; i++)
        child = child->next;
    return child;
}

struct json *options_find(const struct options_doc *doc, const char *path, struct json **closest)
{
    struct json *node = doc->root, *last = node;
    const char *at = path, *bad = NULL;
    struct options_step step;
    while (node && *at != '\0') {
        last = node;
        at = options_next_step(at, at == path, &step, &bad);
        if (!at) {
            node = NULL;
            break;
        }
        node = options_follow(node, &step);
    }
    if (closest)
        *closest = node ? node : last;
    return node;
}

/* ---- what nodes know ---- */

const char *options_place_name(const struct options_doc *doc, const struct options_place *place)
{
    return doc->sources[place->source].name;
}

const char *options_number_text(const struct options_doc *doc, const struct json *node,
                                size_t *length)
{
    const struct options_place *place = &node->place;
    *length = place->end - place->start;
    return doc->sources[place->source].text + place->start;
}

const char *options_found(const struct options_doc *doc, const struct json *node,
                          char out[OPTIONS_FOUND_SIZE])
{
    size_t length;
    if (json_is(node, JSON_NUMBER)) {
        const char *text = options_number_text(doc, node, &length);
        snprintf(out, OPTIONS_FOUND_SIZE, "%.*s", (int)length, text);
    } else if (json_is(node, JSON_STRING)) {
        length = strlen(node->text);
        size_t shown = options_clip(node->text, length, 48);
        snprintf(out, OPTIONS_FOUND_SIZE, "\"%.*s%s\"", (int)shown, node->text,
                 shown < length ? "..." : "");
    } else {
        snprintf(out, OPTIONS_FOUND_SIZE, "%s",
                 json_is(node, JSON_OBJECT)  ? "an object"
                 : json_is(node, JSON_LIST)  ? "a list"
                 : !json_is(node, JSON_BOOL) ? "null"
                 : node->number != 0         ? "true"
                                             : "false");
    }
    return out;
}

const char *options_doc_name(const struct options_doc *doc)
{
    return doc->sources[0].name;
}

const char *options_string(const struct options_doc *doc, const char *path)
{
    const struct json *node = options_find(doc, path, NULL);
    return json_is(node, JSON_STRING) ? node->text : NULL;
}

bool options_has(const struct options_doc *doc, const char *path)
{
    return options_find(doc, path, NULL) != NULL;
}

bool options_is_original(const struct options_doc *doc, const char *path)
{
    const struct json *node = options_find(doc, path, NULL);
    return node != NULL && node->place.source == 0;
}

int options_error(const struct options_doc *doc, const char *path, struct dcs_err *err,
                  const char *format, ...)
{
    char text[sizeof err->text];
    struct json *node;
    va_list args;
    options_find(doc, path, &node);
    number_locale before = number_locale_enter();
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    number_locale_leave(before);
    return dcs_err_at(err, options_place_name(doc, &node->place), node->place.line, path, "%s",
                      text);
}

/* ---- from text to tree ---- */

/* The path of a node below `node`. Values of one text begin one after the other, so the way down is
 * the last child that does not begin after the target. */
static void append_path(const struct json *node, const struct json *target,
                        struct text_buffer *path)
{
    while (node != target) {
        const struct json *way = node->child;
        size_t index = 0;
        for (; way->next && way->next->place.start <= target->place.start; index++)
            way = way->next;
        if (node->kind == JSON_LIST)
            text_append(path, "[%zu]", index);
        else
            text_append(path, "%s%s", path->length > 0 ? "." : "", way->key);
        node = way;
    }
}

/* A key that is given twice. */
struct repeated {
    const struct json *member; /* NULL if there is none */
    const struct json *earlier;
};

static int compare_keys(const void *left, const void *right)
{
    const struct json *a = *(struct json *const *)left, *b = *(struct json *const *)right;
    int order = strcmp(a->key, b->key);
    return order != 0 ? order
                      : (a->place.start > b->place.start) - (a->place.start < b->place.start);
}

/* Keeps the member of an object, if it comes before what is there, whose key came before. Comments
 * may repeat: several "_" keys are how a comment of several lines is written. */
static void find_repeated_key(const struct json *object, struct repeated *first)
{
    size_t count = json_count(object), next = 0;
    if (count < 2)
        return;
    const struct json **members = dcs_alloc(count, sizeof members[0]);
    for (const struct json *child = object->child; child; child = child->next)
        members[next++] = child;
    qsort(members, count, sizeof members[0], compare_keys);
    for (size_t i = 1; i < count; i++) {
        const struct json *member = members[i];
        if (member->key[0] != '_' && strcmp(members[i - 1]->key, member->key) == 0 &&
            (!first->member || member->place.start < first->member->place.start))
            *first = (struct repeated){member, members[i - 1]};
    }
    free(members);
}

/* In the whole tree: the one that comes first in the text. */
static void find_repeated(const struct json *node, struct repeated *first)
{
    if (node->kind == JSON_OBJECT)
        find_repeated_key(node, first);
    for (const struct json *child = node->child; child; child = child->next)
        find_repeated(child, first);
}

int options_check_keys(const struct json *root, const struct options_source *source,
                       const char *prefix, struct dcs_err *err)
{
    struct repeated repeated = {0};
    find_repeated(root, &repeated);
    if (!repeated.member)
        return 0;
    struct text_buffer path = {0};
    text_append(&path, "%s", prefix);
    append_path(root, repeated.member, &path);
    int line = repeated.member->place.key_line;
    if (line > 0)
        dcs_err_at(err, source->name, line, path.text, "the key is given twice, first in line %d",
                   repeated.earlier->place.key_line);
    else
        dcs_err_at(err, source->name, 0, path.text, "the key is given twice");
    free(path.text);
    return -1;
}

void options_add_source(struct options_doc *doc, char *name, char *text)
{
    doc->sources = dcs_grow(doc->sources, &doc->sources_capacity, doc->sources_count + 1,
                            sizeof doc->sources[0]);
    doc->sources[doc->sources_count++] = (struct options_source){.name = name, .text = text};
}

void options_doc_free(struct options_doc *doc)
{
    if (!doc)
        return;
    json_free(doc->root);
    for (size_t i = doc->sources_borrowed; i < doc->sources_count; i++) {
        free(doc->sources[i].name);
        free(doc->sources[i].text);
    }
    free(doc->sources);
    free(doc);
}

static struct json *copy_node(const struct json *node, const char *without)
{
    struct json *copy = json_new(node->kind, node->place, node->key ? dcs_strdup(node->key) : NULL);
    struct json **end = &copy->child;
    copy->text = node->text ? dcs_strdup(node->text) : NULL;
    copy->number = node->number;
    for (const struct json *child = node->child; child; child = child->next) {
        if (without && strcmp(child->key, without) == 0)
            continue;
        *end = copy_node(child, NULL);
        end = &(*end)->next;
    }
    return copy;
}

struct options_doc *options_doc_copy(const struct options_doc *doc, const char *without)
{
    struct options_doc *copy = dcs_alloc(1, sizeof *copy);
    for (size_t i = 0; i < doc->sources_count; i++)
        options_add_source(copy, doc->sources[i].name, doc->sources[i].text);
    copy->sources_borrowed = copy->sources_count;
    copy->root = copy_node(doc->root, without);
    return copy;
}

/* Takes text over. */
static struct options_doc *load_owned(const char *name, char *text, size_t size,
                                      struct dcs_err *err)
{
    struct options_doc *doc = dcs_alloc(1, sizeof *doc);
    /* Editors put a byte order mark before UTF-8 text; RFC 8259 lets a reader skip it. */
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        size -= 3;
        memmove(text, text + 3, size + 1);
    }
    options_add_source(doc, dcs_strdup(name), text);
    doc->root = options_scan(name, text, size, 0, err);
    if (!doc->root || options_check_keys(doc->root, &doc->sources[0], "", err) != 0)
        goto failed;
    if (doc->root->kind != JSON_OBJECT) {
        char found[OPTIONS_FOUND_SIZE];
        dcs_err_at(err, name, doc->root->place.line, NULL, "expected an object {...}, found %s",
                   options_found(doc, doc->root, found));
        goto failed;
    }
    return doc;

failed:
    options_doc_free(doc);
    return NULL;
}

struct options_doc *options_load_text(const char *name, const char *text, size_t size,
                                      struct dcs_err *err)
{
    if (size > OPTIONS_MAX_BYTES) {
        dcs_err_at(err, name, 0, NULL, "is larger than 64 MiB, the most that is read");
        return NULL;
    }
    char *copy = dcs_alloc(size + 1, 1);
    if (size > 0)
        memcpy(copy, text, size);
    return load_owned(name, copy, size, err);
}

/* ---- files ---- */

/* Everything up to one byte past the limit; NULL if reading failed (errno says why). */
static char *read_all(int fd, size_t *size)
{
    char *text = NULL;
    size_t capacity = 0, length = 0;
    ssize_t got = 1;
    while (got > 0 && length <= OPTIONS_MAX_BYTES) {
        text = dcs_grow(text, &capacity, length + 4096, 1);
        got = read(fd, text + length, capacity - length - 1);
        if (got < 0 && errno == EINTR)
            got = 1;
        else if (got > 0)
            length += (size_t)got;
    }
    if (got < 0) {
        free(text);
        return NULL;
    }
    text[length] = '\0';
    *size = length;
    return text;
}

struct options_doc *options_load(const char *path, struct dcs_err *err)
{
    bool standard = strcmp(path, "-") == 0;
    const char *name = standard ? "standard input" : path;
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    struct stat info;
    char *text = NULL;
    size_t size = 0;

    if (fd < 0) {
        dcs_err_at(err, name, 0, NULL, "cannot be opened: %s", strerror(errno));
        return NULL;
    }
    if (fstat(fd, &info) == 0 && S_ISDIR(info.st_mode))
        dcs_err_at(err, name, 0, NULL, "is a directory; expected a JSON file");
    else if (!(text = read_all(fd, &size)))
        dcs_err_at(err, name, 0, NULL, "cannot be read: %s", strerror(errno));
    if (!standard)
        close(fd);
    if (text && size > OPTIONS_MAX_BYTES) {
        dcs_err_at(err, name, 0, NULL, "is larger than 64 MiB, the most that is read");
        free(text);
        text = NULL;
    }
    return text ? load_owned(name, text, size, err) : NULL;
}
