/*
 * recorder_file.c - the file of a process; see recorder_lines.h. A buffer of our own: after a fork
 * the child must not write what the parent has not yet written.
 */
#include "calibrate/record/recorder_lines.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define BUFFER_BYTES (1 << 16)
#define LINE_BYTES   8192
#define TEXTS        (1 << 14) /* a power of two; place_of() needs an empty place to end */
#define TOO_MANY     "(one of too many names)" /* all texts once two places are empty: it takes one */

static struct {
    pthread_mutex_t lock;
    pthread_once_t once;
    atomic_bool open;
    int file;
    size_t used;
    char buffer[BUFFER_BYTES];
    char *texts[TEXTS]; /* by hash; the place is the number */
    uint32_t texts_count;
} out = {.lock = PTHREAD_MUTEX_INITIALIZER, .once = PTHREAD_ONCE_INIT, .file = -1};

int64_t recorder_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

uint64_t recorder_thread(void)
{
    static _Thread_local uint64_t id;
    if (id == 0)
        id = (uint64_t)syscall(SYS_gettid);
    return id;
}

/* --- writing, with the lock --- */

static void empty_buffer(void)
{
    for (size_t at = 0; at < out.used;) {
        ssize_t n = write(out.file, out.buffer + at, out.used - at);
        if (n <= 0)
            break; /* a full disk: what is missing is told by the reader */
        at += (size_t)n;
    }
    out.used = 0;
}

static void add_line(const char *format, va_list values)
{
    if (out.used + LINE_BYTES > sizeof out.buffer)
        empty_buffer();
    int n = vsnprintf(out.buffer + out.used, LINE_BYTES - 1, format, values);
    size_t length = n < 0 ? 0 : (size_t)n < LINE_BYTES - 1 ? (size_t)n : LINE_BYTES - 2;
    out.used += length;
    out.buffer[out.used++] = '\n';
}

__attribute__((format(printf, 1, 2))) static void add_text_line(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    add_line(format, values);
    va_end(values);
}

/* A child that has not started another program has no device of its parent's, and no file. */
static void leave_child(void)
{
    out.open = false;
    out.used = 0;
    pthread_mutex_init(&out.lock, NULL);
}

static void write_process(void)
{
    char command[LINE_BYTES / 2] = "", escaped[LINE_BYTES / 2];
    int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t n = file >= 0 ? read(file, command, sizeof command - 1) : 0;
    if (file >= 0)
        close(file);
    for (ssize_t i = 0; i + 1 < n; i++)
        if (command[i] == '\0')
            command[i] = ' ';
    recorder_escape(command, escaped, sizeof escaped);
    add_text_line(RECORDING_HEADER);
    add_text_line("P %d %d %lld %s", (int)getpid(), (int)getppid(), (long long)recorder_now_ns(),
                  escaped);
    empty_buffer();
}

static void open_file(void)
{
    char path[4096];
    const char *folder = getenv("DCSIM_RECORD_FOLDER");
    if (folder == NULL)
        return;
    snprintf(path, sizeof path, "%s/%d-%lld.record", folder, (int)getpid(),
             (long long)recorder_now_ns());
    out.file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_APPEND, 0600);
    if (out.file < 0)
        return;
    pthread_atfork(NULL, NULL, leave_child);
    write_process();
    out.open = true;
}

/* --- the interface --- */

bool recorder_open(void)
{
    pthread_once(&out.once, open_file);
    return out.open;
}

void recorder_write(const char *format, ...)
{
    if (!out.open)
        return;
    va_list values;
    va_start(values, format);
    pthread_mutex_lock(&out.lock);
    add_line(format, values);
    pthread_mutex_unlock(&out.lock);
    va_end(values);
}

/* The place of a text in the table, or the empty one where it belongs. */
static uint32_t place_of(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (const char *c = text; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    uint32_t at = (uint32_t)(hash ^ hash >> 32) & (TEXTS - 1);
    while (out.texts[at] != NULL && strcmp(out.texts[at], text) != 0)
        at = (at + 1) & (TEXTS - 1);
    return at;
}

uint32_t recorder_text(const char *text)
{
    char clean[LINE_BYTES / 2];
    recorder_escape(text != NULL ? text : "", clean, sizeof clean);
    pthread_mutex_lock(&out.lock);
    uint32_t at = place_of(clean);
    if (out.texts[at] == NULL && out.texts_count + 2 >= TEXTS) {
        snprintf(clean, sizeof clean, "%s", TOO_MANY);
        at = place_of(clean);
    }
    if (out.texts[at] == NULL && (out.texts[at] = strdup(clean)) != NULL) {
        out.texts_count++;
        add_text_line("F %u %s", at, clean);
    }
    pthread_mutex_unlock(&out.lock);
    return at;
}

void recorder_flush(void)
{
    if (!out.open)
        return;
    pthread_mutex_lock(&out.lock);
    empty_buffer();
    pthread_mutex_unlock(&out.lock);
}
