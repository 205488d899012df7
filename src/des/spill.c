/* spill.c - see spill.h. */
#include "des/spill.h"
#include "des/tempfile.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char purpose[] = "for rows that are to be stored";

void spill_init(struct spill *s, size_t record_bytes)
{
    DCS_ASSERT(record_bytes > 0 && record_bytes <= SPILL_BYTES);
    *s = (struct spill){.record_bytes = record_bytes};
}

void spill_release(struct spill *s)
{
    free(s->held);
    if (s->in_file > 0)
        close(s->fd);
    *s = (struct spill){0};
}

static int write_held(struct spill *s, struct dcs_err *err)
{
    if (s->in_file == 0) {
        int fd = tempfile_open(purpose, err);
        if (fd < 0)
            return -1;
        s->fd = fd;
    }
    int status = tempfile_append(s->fd, s->held, s->held_count * s->record_bytes, purpose, err);
    if (status != 0 && s->in_file == 0)
        close(s->fd);
    if (status != 0)
        return -1;
    s->in_file += s->held_count;
    s->held_count = 0;
    return 0;
}

int spill_add(struct spill *s, const void *record, struct dcs_err *err)
{
    if (s->held_count == SPILL_BYTES / s->record_bytes && write_held(s, err) != 0)
        return -1;
    s->held = dcs_grow(s->held, &s->held_capacity, s->held_count + 1, s->record_bytes);
    memcpy(s->held + s->held_count++ * s->record_bytes, record, s->record_bytes);
    s->count++;
    return 0;
}

static int take_all(const struct spill *s, const char *records, size_t count,
                    int (*take)(void *context, const void *record), void *context)
{
    int status = 0;
    for (size_t i = 0; status == 0 && i < count; i++)
        status = take(context, records + i * s->record_bytes);
    return status;
}

int spill_each(const struct spill *s, int (*take)(void *context, const void *record), void *context,
               struct dcs_err *err)
{
    uint64_t room = s->record_bytes > 0 ? SPILL_BYTES / s->record_bytes : 0;
    char *block = s->in_file > 0 ? dcs_alloc(room, s->record_bytes) : NULL;
    int status = 0;
    for (uint64_t at = 0; status == 0 && at < s->in_file; at += room) {
        size_t n = (size_t)(s->in_file - at < room ? s->in_file - at : room);
        status =
            tempfile_read(s->fd, at * s->record_bytes, block, n * s->record_bytes, purpose, err);
        if (status == 0)
            status = take_all(s, block, n, take, context);
    }
    free(block);
    return status != 0 ? status : take_all(s, s->held, s->held_count, take, context);
}
