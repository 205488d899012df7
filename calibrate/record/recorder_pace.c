/*
 * recorder_pace.c - see recorder_pace.h.
 */
#include "calibrate/record/recorder_pace.h"
#include "calibrate/record/recorder_lines.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LOOK_NS 100000 /* how often a program that waits looks: a tenth of a short request */

static struct recorder_pace *pace; /* NULL: there is none */

static void find_pace(void)
{
    char path[4096];
    struct stat file;
    const char *folder = getenv("DCSIM_RECORD_FOLDER");
    if (folder == NULL ||
        snprintf(path, sizeof path, "%s/" RECORDER_PACE_FILE, folder) >= (int)sizeof path)
        return;
    int in = open(path, O_RDWR | O_CLOEXEC);
    if (in < 0)
        return;
    if (fstat(in, &file) == 0 && file.st_size == (off_t)sizeof *pace) {
        void *at = mmap(NULL, sizeof *pace, PROT_READ | PROT_WRITE, MAP_SHARED, in, 0);
        pace = at == MAP_FAILED ? NULL : at;
    }
    close(in);
}

/* An arrival is taken when it is there, by one thread: one that is stopped meanwhile holds none. */
void recorder_await_arrival(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_pace);
    while (pace != NULL && atomic_load(&pace->paced)) {
        uint32_t next = atomic_load(&pace->next);
        int64_t left_ns = LOOK_NS;
        if (next < atomic_load(&pace->count) && next < RECORDER_PACE_MAX) {
            left_ns = pace->arrivals_ns[next] - recorder_now_ns();
            if (left_ns <= 0 && atomic_compare_exchange_strong(&pace->next, &next, next + 1))
                return;
        }
        if (left_ns > 0)
            nanosleep(&(struct timespec){.tv_nsec = left_ns < LOOK_NS ? left_ns : LOOK_NS}, NULL);
    }
}
