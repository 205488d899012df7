/*
 * recorded_pace.c - see recorded_pace.h.
 */
#include "calibrate/record/recorded_pace.h"
#include "calibrate/record/recorder_pace.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct recorder_pace *cal_pace_create(const char *folder, struct dcs_err *err)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/" RECORDER_PACE_FILE, folder);
    void *at = MAP_FAILED;
    int out = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (out >= 0 && ftruncate(out, (off_t)sizeof(struct recorder_pace)) == 0)
        at = mmap(NULL, sizeof(struct recorder_pace), PROT_READ | PROT_WRITE, MAP_SHARED, out, 0);
    int why = errno;
    if (out >= 0)
        close(out);
    if (at != MAP_FAILED)
        return at;
    dcs_err_at(err, path, 0, NULL, "cannot be made: %s", strerror(why));
    return NULL;
}

void cal_pace_begin(struct recorder_pace *p, int64_t from_ns, const int64_t *moments, size_t count)
{
    DCS_ASSERT(count <= RECORDER_PACE_MAX);
    for (size_t i = 0; i < count; i++)
        p->arrivals_ns[i] = from_ns + moments[i];
    atomic_store(&p->next, 0);
    atomic_store(&p->count, (uint32_t)count);
    atomic_store(&p->paced, 1);
}

size_t cal_pace_end(struct recorder_pace *p)
{
    atomic_store(&p->paced, 0);
    return atomic_load(&p->next);
}

void cal_pace_release(struct recorder_pace *p)
{
    if (p != NULL)
        munmap(p, sizeof *p);
}
