/*
 * recorder_nvtx.c - the ranges that a program names by NVTX; see recorder_lines.h. Each library of
 * a program that has NVTX inside asks for the callbacks by itself. The declarations are ours, from
 * NVTX's published interface (version 3): its header is not part of every CUDA installation.
 */
#include "calibrate/record/recorder_lines.h"
#include "calibrate/record/recorder_pace.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define DEPTH      64 /* of the ranges of a thread; deeper ones are not seen */
#define NAME_BYTES RECORDER_NAME_BYTES
#define NAMES      100 /* of ranges that are told to the reader */

struct nvtx_attributes {
    uint16_t version, size;
    uint32_t category;
    int32_t color_type;
    uint32_t color;
    int32_t payload_type, reserved;
    uint64_t payload;
    int32_t message_type;
    const void *message;
};
enum { MESSAGE_ASCII = 1, MESSAGE_UNICODE = 2, MESSAGE_REGISTERED = 3 };

typedef void (*any_function)(void);
typedef any_function **function_table;
struct export_table {
    size_t size;
    int (*functions_of)(int module, function_table *table, unsigned *size);
};
enum { CALLBACKS = 1, MODULE_CORE = 1, MODULE_DOMAINS = 5 };

static atomic_uint_fast64_t last_range;
static _Thread_local struct {
    const void *domain;
    uint64_t range; /* 0: of another name */
} stack[DEPTH];
static _Thread_local int depth;

/* --- names --- */

/* A character in UTF-8; its bytes. 0: it is none. */
static size_t encode_utf8(uint32_t c, char *bytes)
{
    if (c < 0x80) {
        bytes[0] = (char)c;
        return 1;
    }
    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        return 0;
    size_t more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
    bytes[0] = (char)(first[more] | c >> 6 * more);
    for (size_t i = 1; i <= more; i++)
        bytes[i] = (char)(0x80 | (c >> 6 * (more - i) & 0x3f));
    return more + 1;
}

/* In UTF-8, as a shell hands the name that is asked for. */
static void name_of_wide(const wchar_t *text, char *name)
{
    size_t n = 0;
    char bytes[4];
    for (; text != NULL && *text != L'\0'; text++) {
        size_t more = encode_utf8((uint32_t)*text, bytes);
        if (more == 0) {
            bytes[0] = '?';
            more = 1;
        }
        if (n + more >= NAME_BYTES)
            break;
        memcpy(name + n, bytes, more);
        n += more;
    }
    name[n] = '\0';
}

static void name_of_text(const char *text, char *name)
{
    name[0] = '\0';
    if (text != NULL)
        strncat(name, text, NAME_BYTES - 1);
}

static void name_of_attributes(const struct nvtx_attributes *a, char *name)
{
    name[0] = '\0';
    if (a == NULL || a->size < sizeof *a)
        return;
    if (a->message_type == MESSAGE_UNICODE)
        name_of_wide(a->message, name);
    else if (a->message_type == MESSAGE_ASCII || a->message_type == MESSAGE_REGISTERED)
        name_of_text(a->message, name); /* a registered text is the copy that we gave for it */
}

/* Each name once, so that a range that is not there can be told from one that is spelt otherwise.
 */
static void tell_name(const char *name)
{
    static atomic_uchar seen[1 << 12];
    static atomic_int told;
    uint32_t hash = 2166136261u;
    for (const char *c = name; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    if (atomic_exchange(&seen[hash & 4095], 1) == 0 && atomic_fetch_add(&told, 1) < NAMES) {
        recorder_write("N %s", name);
        recorder_flush();
    }
}

/* --- ranges --- */

static char wanted[RECORDER_ESCAPED_BYTES]; /* empty: no range is asked for */

static void find_wanted(void)
{
    const char *asked = getenv("DCSIM_RECORD_RANGE");
    recorder_escape(asked != NULL ? asked : "", wanted, sizeof wanted);
}

/* 0: it is not the one that is asked for. */
static uint64_t begin_range(const char *given)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    char name[RECORDER_ESCAPED_BYTES];
    pthread_once(&once, find_wanted);
    recorder_escape(given, name, sizeof name);
    tell_name(name);
    if (wanted[0] == '\0' || strcmp(wanted, name) != 0)
        return 0;
    recorder_await_arrival();
    uint64_t range = ++last_range;
    uint32_t text = recorder_text(name);
    recorder_write("B %llu %lld %llu %u", (unsigned long long)range, (long long)recorder_now_ns(),
                   (unsigned long long)recorder_thread(), text);
    return range;
}

static void end_range(uint64_t range)
{
    if (range != 0)
        recorder_write("R %llu %lld", (unsigned long long)range, (long long)recorder_now_ns());
}

static int push_range(const void *domain, const char *name)
{
    if (depth < DEPTH) {
        stack[depth].domain = domain;
        stack[depth].range = begin_range(name);
    }
    return depth++;
}

static int pop_range(const void *domain)
{
    if (depth == 0)
        return -1;
    if (--depth < DEPTH) {
        int at = depth; /* ranges of two domains may cross */
        while (at > 0 && stack[at].domain != domain)
            at--;
        uint64_t range = stack[at].range;
        memmove(&stack[at], &stack[at + 1], (size_t)(depth - at) * sizeof stack[0]);
        end_range(range);
    }
    return depth;
}

/* --- what NVTX calls --- */

static int push_text(const char *text)
{
    char name[NAME_BYTES];
    name_of_text(text, name);
    return push_range(NULL, name);
}

static int push_wide(const wchar_t *text)
{
    char name[NAME_BYTES];
    name_of_wide(text, name);
    return push_range(NULL, name);
}

static int push_attributes_in(const void *domain, const struct nvtx_attributes *a)
{
    char name[NAME_BYTES];
    name_of_attributes(a, name);
    return push_range(domain, name);
}

static int push_attributes(const struct nvtx_attributes *a)
{
    return push_attributes_in(NULL, a);
}

static int pop(void)
{
    return pop_range(NULL);
}

/* A range that is started is ended by its number: bit 63 tells those of another name apart. */
static uint64_t start_range(const char *name)
{
    uint64_t range = begin_range(name);
    return range != 0 ? range : UINT64_C(1) << 63;
}

static uint64_t start_text(const char *text)
{
    char name[NAME_BYTES];
    name_of_text(text, name);
    return start_range(name);
}

static uint64_t start_wide(const wchar_t *text)
{
    char name[NAME_BYTES];
    name_of_wide(text, name);
    return start_range(name);
}

static uint64_t start_attributes(const struct nvtx_attributes *a)
{
    char name[NAME_BYTES];
    name_of_attributes(a, name);
    return start_range(name);
}

static uint64_t start_attributes_in(const void *domain, const struct nvtx_attributes *a)
{
    (void)domain;
    return start_attributes(a);
}

static void end_started(uint64_t range)
{
    if (range >> 63 == 0)
        end_range(range);
}

static void end_started_in(const void *domain, uint64_t range)
{
    (void)domain;
    end_started(range);
}

static const void *register_text(const void *domain, const char *text)
{
    (void)domain;
    return strdup(text != NULL ? text : "");
}

static const void *register_wide(const void *domain, const wchar_t *text)
{
    char name[NAME_BYTES];
    (void)domain;
    name_of_wide(text, name);
    return strdup(name);
}

/* --- taking the callbacks --- */

struct callback {
    unsigned id;
    any_function call;
};

/* Numbers as in enum NvtxCallbackIdCore and NvtxCallbackIdCore2. */
static const struct callback core[] = {
    {4, (any_function)start_attributes}, {5, (any_function)start_text},
    {6, (any_function)start_wide},       {7, (any_function)end_started},
    {8, (any_function)push_attributes},  {9, (any_function)push_text},
    {10, (any_function)push_wide},       {11, (any_function)pop},
};
static const struct callback domains[] = {
    {2, (any_function)start_attributes_in}, {3, (any_function)end_started_in},
    {4, (any_function)push_attributes_in},  {5, (any_function)pop_range},
    {10, (any_function)register_text},      {11, (any_function)register_wide},
};

static void set_callbacks(const struct export_table *e, int module, const struct callback *calls,
                          size_t count)
{
    function_table table = NULL;
    unsigned size = 0;
    if (!e->functions_of(module, &table, &size) || table == NULL)
        return;
    for (size_t i = 0; i < count; i++)
        if (calls[i].id < size && table[calls[i].id] != NULL)
            *table[calls[i].id] = calls[i].call;
}

/* Called by NVTX; 1: the callbacks are set. */
__attribute__((visibility("default"))) int
InitializeInjectionNvtx2(const void *(*export_table_of)(uint32_t));

int InitializeInjectionNvtx2(const void *(*export_table_of)(uint32_t))
{
    const struct export_table *e = export_table_of(CALLBACKS);
    if (e == NULL || e->size < sizeof *e || !recorder_open())
        return 0;
    atexit(recorder_flush);
    set_callbacks(e, MODULE_CORE, core, sizeof core / sizeof core[0]);
    set_callbacks(e, MODULE_DOMAINS, domains, sizeof domains / sizeof domains[0]);
    return 1;
}
