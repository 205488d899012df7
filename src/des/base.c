/*
 * base.c - failing assertions, errors of the input, memory. See base.h for the contract.
 *
 * What goes out goes out in one call of fputs, so that lines of threads that fail together do not
 * mix.
 */
#include "des/base.h"

#include "des/utf8.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

_Thread_local struct dcs_where dcs_where;

/* NULL: free. */
static struct dcs_where *_Atomic simulations[DCS_WHERE_THREADS];

void dcs_where_begin(uint64_t seed, uint32_t replication, const char *policy)
{
    dcs_where = (struct dcs_where){
        .seed = seed, .replication = replication, .inside = true, .policy = policy};
    for (size_t i = 0; i < DCS_WHERE_THREADS; i++) {
        struct dcs_where *none = NULL;
        if (atomic_compare_exchange_strong(&simulations[i], &none, &dcs_where))
            return;
    }
}

void dcs_where_end(void)
{
    dcs_where.inside = false;
    for (size_t i = 0; i < DCS_WHERE_THREADS; i++) {
        struct dcs_where *own = &dcs_where;
        if (atomic_compare_exchange_strong(&simulations[i], &own, NULL))
            return;
    }
}

void dcs_where_each(void (*tell)(const struct dcs_where *where))
{
    for (size_t i = 0; i < DCS_WHERE_THREADS; i++) {
        const struct dcs_where *where = atomic_load(&simulations[i]);
        if (where != NULL)
            tell(where);
    }
}

void dcs_assert_failed(const char *condition, const char *file, int line, const char *function)
{
    char place[128] = "";
    if (dcs_where.inside)
        snprintf(place, sizeof place, " simulated time %lld.%09lld s, seed %llu, replication %lu;",
                 (long long)(dcs_where.now_ns / DCS_NS_PER_S),
                 (long long)(dcs_where.now_ns % DCS_NS_PER_S), (unsigned long long)dcs_where.seed,
                 (unsigned long)dcs_where.replication);
    char text[1024];
    snprintf(text, sizeof text - 1,
             "dcsim: internal error: %s at %s:%d in %s;%s please report this", condition, file,
             line, function, place);
    size_t length = strlen(text); /* the last byte was left free for the newline */
    text[length] = '\n';
    text[length + 1] = '\0';
    fputs(text, stderr);
    /* Not exit(): handlers would run over a state that is known to be wrong. */
    _Exit(DCS_EXIT_INTERNAL);
}

int dcs_err_set(struct dcs_err *e, const char *format, ...)
{
    char text[sizeof e->text] = ""; /* a copy, since e->text may be one of the arguments */
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(text, sizeof text, format, arguments) < 0)
        text[0] = '\0';
    va_end(arguments);
    memcpy(e->text, text, sizeof text);
    return -1;
}

int dcs_err_at(struct dcs_err *e, const char *file, int line, const char *path, const char *format,
               ...)
{
    /* A copy, since file, path and the arguments may be e's own. */
    struct dcs_err filled = {.line = line};
    snprintf(filled.file, sizeof filled.file, "%s", file ? file : "");
    snprintf(filled.path, sizeof filled.path, "%s", path ? path : "");
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(filled.text, sizeof filled.text, format, arguments) < 0)
        filled.text[0] = '\0';
    va_end(arguments);
    *e = filled;
    return -1;
}

/* Appends text to out with what a terminal would obey or hide escaped (utf8.h): what an input file
 * contains must not reach a terminal as a command, or read as something else. Returns the end. */
static char *append_escaped(char *out, const char *text)
{
    bool hidden;
    for (size_t bytes; *text != '\0'; text += bytes) {
        bytes = dcs_utf8_next(text, &hidden);
        uint32_t code = (unsigned char)*text; /* of a byte that is no UTF-8 */
        if (!hidden) {
            memcpy(out, text, bytes);
            out += bytes;
            continue;
        }
        dcs_utf8_point(text, bytes, &code);
        size_t room = sizeof "\\U00000000";
        if (code == '\n' || code == '\t')
            out += snprintf(out, room, code == '\n' ? "\\n" : "\\t");
        else if (code < 0x100)
            out += snprintf(out, room, "\\x%02x", (unsigned)code);
        else
            out += snprintf(out, room, code < 0x10000 ? "\\u%04x" : "\\U%08x", (unsigned)code);
    }
    return out;
}

void dcs_err_print(const struct dcs_err *e, FILE *out)
{
    dcs_err_print_of("dcsim", e, out);
}

void dcs_err_print_of(const char *program, const struct dcs_err *e, FILE *out)
{
    /* A byte grows to four at most, "\xff"; 64 for what stands between. */
    char line[4 * (sizeof e->file + sizeof e->path + sizeof e->text) + 64];
    char *end = line + snprintf(line, 32, "%.29s: ", program);
    if (e->file[0] != '\0') {
        end = append_escaped(end, e->file);
        if (e->line > 0)
            end += snprintf(end, 32, ":%d", e->line);
        end += snprintf(end, 8, ": ");
    }
    if (e->path[0] != '\0') {
        end = append_escaped(end, e->path);
        end += snprintf(end, 8, ": ");
    }
    end = append_escaped(end, e->text);
    snprintf(end, 8, "\n");
    fputs(line, out);
}

static _Noreturn void out_of_memory(size_t count, size_t size)
{
    char at[96] = "";
    if (dcs_where.inside)
        snprintf(at, sizeof at, " at %lld.%09lld s (seed %llu, replication %u)",
                 (long long)(dcs_where.now_ns / DCS_NS_PER_S),
                 (long long)(dcs_where.now_ns % DCS_NS_PER_S), (unsigned long long)dcs_where.seed,
                 dcs_where.replication);
    fprintf(stderr,
            "dcsim: out of memory%s (%zu elements of %zu bytes): this process may have no more; "
            "let fewer runs go on at a time (--threads), or make them smaller\n",
            at, count, size);
    _Exit(DCS_EXIT_INTERNAL);
}

void *dcs_alloc(size_t count, size_t size)
{
    /* One byte where nothing is asked for: calloc may answer NULL then. */
    void *memory = count > 0 && size > 0 ? calloc(count, size) : calloc(1, 1);
    if (memory == NULL)
        out_of_memory(count, size);
    return memory;
}

void *dcs_alloc_aligned(size_t alignment, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX - alignment)
        out_of_memory(count, size);
    /* C11 wants a multiple of the alignment; at least one, so that NULL means failure. */
    bytes = bytes == 0 ? alignment : (bytes + alignment - 1) & ~(alignment - 1);
    void *memory = aligned_alloc(alignment, bytes);
    if (memory == NULL)
        out_of_memory(count, size);
    return memset(memory, 0, bytes);
}

void *dcs_grow_larger(void *array, size_t *capacity, size_t need, size_t size)
{
    size_t grown = *capacity > 0 ? *capacity : 8;
    while (grown < need) {
        if (grown > SIZE_MAX / 2)
            out_of_memory(need, size);
        grown *= 2;
    }
    size_t bytes;
    if (__builtin_mul_overflow(grown, size, &bytes))
        out_of_memory(need, size);
    char *moved = realloc(array, bytes);
    if (moved == NULL)
        out_of_memory(grown, size);
    memset(moved + *capacity * size, 0, (grown - *capacity) * size);
    *capacity = grown;
    return moved;
}

char *dcs_strdup(const char *text)
{
    size_t bytes = strlen(text) + 1;
    return memcpy(dcs_alloc(bytes, 1), text, bytes);
}
