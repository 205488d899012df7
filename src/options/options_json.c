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

cJSON *options_member(const cJSON *object, const char *name, size_t length)
{
    cJSON *child;
    cJSON_ArrayForEach(child, object)
    {
        if (strlen(child->string) == length && memcmp(child->string, name, length) == 0)
            return child;
    }
    return NULL;
}

cJSON *options_follow(const cJSON *node, const struct options_step *step)
{
    if (step->key)
        return cJSON_IsObject(node) ? options_member(node, step->key, step->key_length) : NULL;
    return cJSON_IsArray(node) ? cJSON_GetArrayItem(node, (int)step->index) : NULL;
}

cJSON *options_find(const struct options_doc *doc, const char *path, cJSON **closest)
{
    cJSON *node = doc->root, *last = node;
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

const struct options_place *options_place(const struct options_doc *doc, const cJSON *node)
{
    DCS_ASSERT(node->valueint >= 0 && (size_t)node->valueint < doc->places.count);
    return &doc->places.items[node->valueint];
}

const char *options_place_name(const struct options_doc *doc, const struct options_place *place)
{
    return doc->sources[place->source].name;
}

const char *options_number_text(const struct options_doc *doc, const cJSON *node, size_t *length)
{
    const struct options_place *place = options_place(doc, node);
    *length = place->end - place->start;
    return doc->sources[place->source].text + place->start;
}

const char *options_found(const struct options_doc *doc, const cJSON *node,
                          char out[OPTIONS_FOUND_SIZE])
{
    size_t length;
    if (cJSON_IsNumber(node)) {
        const char *text = options_number_text(doc, node, &length);
        snprintf(out, OPTIONS_FOUND_SIZE, "%.*s", (int)length, text);
    } else if (cJSON_IsString(node)) {
        length = strlen(node->valuestring);
        size_t shown = options_clip(node->valuestring, length, 48);
        snprintf(out, OPTIONS_FOUND_SIZE, "\"%.*s%s\"", (int)shown, node->valuestring,
                 shown < length ? "..." : "");
    } else {
        snprintf(out, OPTIONS_FOUND_SIZE, "%s",
                 cJSON_IsObject(node)  ? "an object"
                 : cJSON_IsArray(node) ? "a list"
                 : cJSON_IsTrue(node)  ? "true"
                 : cJSON_IsFalse(node) ? "false"
                                       : "null");
    }
    return out;
}

const char *options_doc_name(const struct options_doc *doc)
{
    return doc->sources[0].name;
}

const char *options_string(const struct options_doc *doc, const char *path)
{
    const cJSON *node = options_find(doc, path, NULL);
    return cJSON_IsString(node) ? node->valuestring : NULL;
}

char *options_string_text(const char *json)
{
    cJSON *node = cJSON_Parse(json);
    DCS_ASSERT(cJSON_IsString(node));
    char *text = dcs_strdup(node->valuestring);
    cJSON_Delete(node);
    return text;
}

bool options_has(const struct options_doc *doc, const char *path)
{
    return options_find(doc, path, NULL) != NULL;
}

bool options_is_original(const struct options_doc *doc, const char *path)
{
    const cJSON *node = options_find(doc, path, NULL);
    return node != NULL && options_place(doc, node)->source == 0;
}

int options_error(const struct options_doc *doc, const char *path, struct dcs_err *err,
                  const char *format, ...)
{
    char text[sizeof err->text];
    cJSON *node;
    va_list args;
    options_find(doc, path, &node);
    const struct options_place *place = options_place(doc, node);
    number_locale before = number_locale_enter();
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    number_locale_leave(before);
    return dcs_err_at(err, options_place_name(doc, place), place->line, path, "%s", text);
}

/* ---- from text to tree ---- */

/* The path of the node at place `target` below `node`. Places grow in the order of the text, so the
 * way down is the last child that does not begin after the target. */
static void path_of(const cJSON *node, int target, struct text_buffer *path)
{
    while (node->valueint != target) {
        const cJSON *child, *way = node->child;
        size_t index = 0, way_index = 0;
        cJSON_ArrayForEach(child, node)
        {
            if (child->valueint <= target) {
                way = child;
                way_index = index;
            }
            index++;
        }
        DCS_ASSERT(way);
        if (cJSON_IsArray(node))
            text_append(path, "[%zu]", way_index);
        else
            text_append(path, "%s%s", path->length > 0 ? "." : "", way->string);
        node = way;
    }
}

static int compare_keys(const void *left, const void *right)
{
    const cJSON *a = *(cJSON *const *)left, *b = *(cJSON *const *)right;
    int order = strcmp(a->string, b->string);
    return order != 0 ? order : (a->valueint > b->valueint) - (a->valueint < b->valueint);
}

/* The first member of an object, by text, whose key came before; NULL if there is none. Comments
 * may repeat: several "_" keys are how a comment of several lines is written. *earlier: the one
 * before. */
static const cJSON *repeated_key(const cJSON *object, const cJSON **earlier)
{
    size_t count = 0, next = 0;
    const cJSON *child, *repeated = NULL;
    cJSON_ArrayForEach(child, object) count++;
    if (count < 2)
        return NULL;
    const cJSON **members = dcs_alloc(count, sizeof members[0]);
    cJSON_ArrayForEach(child, object) members[next++] = child;
    qsort(members, count, sizeof members[0], compare_keys);
    for (size_t i = 1; i < count; i++) {
        const cJSON *member = members[i];
        if (member->string[0] != '_' && strcmp(members[i - 1]->string, member->string) == 0 &&
            (!repeated || member->valueint < repeated->valueint)) {
            repeated = member;
            *earlier = members[i - 1];
        }
    }
    free(members);
    return repeated;
}

/* A key that is given twice. */
struct repeated {
    const cJSON *member; /* NULL if there is none */
    const cJSON *earlier;
};

/* Gives the nodes from `node` down their places, in the order of the text, and finds the repeated
 * key that comes first. To the end even if there is one: path_of needs all places. */
static void assign_places(cJSON *node, int *next, struct repeated *first)
{
    cJSON *child;
    node->valueint = (*next)++;
    cJSON_ArrayForEach(child, node)
    {
        assign_places(child, next, first);
    }
    if (cJSON_IsObject(node)) {
        const cJSON *earlier = NULL, *member = repeated_key(node, &earlier);
        if (member && (!first->member || member->valueint < first->member->valueint))
            *first = (struct repeated){member, earlier};
    }
}

static void repeated_error(const struct options_doc *doc, const struct options_source *source,
                           const cJSON *root, const struct repeated *repeated, const char *prefix,
                           struct dcs_err *err)
{
    const struct options_place *place = options_place(doc, repeated->member);
    struct text_buffer path = {0};
    text_append(&path, "%s", prefix);
    path_of(root, repeated->member->valueint, &path);
    if (place->key_line > 0)
        dcs_err_at(err, source->name, place->key_line, path.text,
                   "the key is given twice, first in line %d",
                   options_place(doc, repeated->earlier)->key_line);
    else
        dcs_err_at(err, source->name, 0, path.text, "the key is given twice");
    free(path.text);
}

cJSON *options_build(const struct options_doc *doc, const struct options_source *source,
                     size_t first_place, const char *prefix, struct dcs_err *err)
{
    int next = (int)first_place;
    struct repeated repeated = {0};
    number_locale before = number_locale_enter();
    cJSON *root = cJSON_ParseWithLengthOpts(source->text, strlen(source->text) + 1, NULL, 1);
    number_locale_leave(before);
    if (!root) {
        dcs_err_at(err, source->name, 0, NULL, "cannot be read: out of memory?");
        return NULL;
    }
    assign_places(root, &next, &repeated);
    DCS_ASSERT((size_t)next == doc->places.count);
    if (repeated.member) {
        repeated_error(doc, source, root, &repeated, prefix, err);
        cJSON_Delete(root);
        return NULL;
    }
    return root;
}

struct options_source *options_add_source(struct options_doc *doc, char *name, char *text)
{
    doc->sources = dcs_grow(doc->sources, &doc->sources_capacity, doc->sources_count + 1,
                            sizeof doc->sources[0]);
    struct options_source *source = &doc->sources[doc->sources_count++];
    *source = (struct options_source){.name = name, .text = text};
    return source;
}

void options_doc_free(struct options_doc *doc)
{
    if (!doc)
        return;
    cJSON_Delete(doc->root);
    for (size_t i = doc->sources_borrowed; i < doc->sources_count; i++) {
        free(doc->sources[i].name);
        free(doc->sources[i].text);
    }
    free(doc->sources);
    free(doc->places.items);
    free(doc);
}

/* Copies the places of the nodes from `node` down, which still have the numbers they have in
 * `from`. */
static void copy_places(struct options_places *to, const struct options_places *from, cJSON *node)
{
    cJSON *child;
    to->items = dcs_grow(to->items, &to->capacity, to->count + 1, sizeof to->items[0]);
    to->items[to->count] = from->items[node->valueint];
    node->valueint = (int)to->count++;
    cJSON_ArrayForEach(child, node)
    {
        copy_places(to, from, child);
    }
}

struct options_doc *options_doc_copy(const struct options_doc *doc, const char *without)
{
    struct options_doc *copy = dcs_alloc(1, sizeof *copy);
    const cJSON *child;
    for (size_t i = 0; i < doc->sources_count; i++)
        options_add_source(copy, doc->sources[i].name, doc->sources[i].text);
    copy->sources_borrowed = copy->sources_count;
    copy->root = cJSON_Duplicate(doc->root, 0);
    DCS_ASSERT(copy->root); /* cJSON has no memory left, for what it has held once */
    cJSON_ArrayForEach(child, doc->root)
    {
        if (without && strcmp(child->string, without) == 0)
            continue;
        cJSON *twin = cJSON_Duplicate(child, 1); /* its key as well */
        DCS_ASSERT(twin);
        cJSON_AddItemToArray(copy->root, twin);
    }
    copy_places(&copy->places, &doc->places, copy->root);
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
    struct options_source *source = options_add_source(doc, dcs_strdup(name), text);
    if (options_scan(name, text, size, 0, &doc->places, err) != 0)
        goto failed;
    doc->root = options_build(doc, source, 0, "", err);
    if (!doc->root)
        goto failed;
    if (!cJSON_IsObject(doc->root)) {
        char found[OPTIONS_FOUND_SIZE];
        dcs_err_at(err, name, options_place(doc, doc->root)->line, NULL,
                   "expected an object {...}, found %s", options_found(doc, doc->root, found));
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
