/* store_driven.c - see store_driven.h. */
#include "results/store_driven.h"

#include "engine/driven.h"

static int put_device(struct store *s, const struct run *run)
{
    const struct drive_rows *d = &run->driven;
    return EXECUTE(s, PUT_DRIVEN, integer(s->id), integer(run->replication), text(d->device),
                   text(d->uuid), text(d->driver), text(d->tool), text(d->ends_by));
}

static struct cell since(int64_t ns, const struct drive_launch_row *row)
{
    return row->end_ns != DCS_NEVER ? integer(ns - row->event_ns)
                                    : (struct cell){.type = CELL_NULL};
}

static int put_launch(struct store *s, const struct run *run, size_t i)
{
    const struct drive_launch_row *row = &run->driven.launches[i];
    return EXECUTE(
        s, PUT_DRIVEN_LAUNCH, integer(s->id), integer(run->replication), count_of(i),
        integer(row->job), count_of(row->index), integer(row->kernel), integer(row->sms),
        row->end_ns != DCS_NEVER ? integer(row->got_sms) : (struct cell){.type = CELL_NULL},
        integer(row->event_ns), integer(row->sent_ns - row->event_ns), since(row->taken_ns, row),
        since(row->launched_ns, row), since(row->end_ns, row), since(row->heard_ns, row));
}

static int put_callback(struct store *s, const struct run *run, size_t i)
{
    const struct driven_callback *c = &run->driven.callbacks[i];
    return EXECUTE(s, PUT_DRIVEN_CALLBACK, integer(s->id), integer(run->replication), count_of(i),
                   text(c->what), integer(c->event_ns), integer(c->begin_ns - c->event_ns),
                   integer(c->end_ns - c->event_ns));
}

int store_put_driven(struct store *s, const struct run *run)
{
    const struct drive_rows *d = &run->driven;
    if (d->launches == NULL)
        return 0;
    int status = sqlite3_exec(s->db, store_driven_sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : -1;
    if (status == 0)
        status = put_device(s, run);
    for (size_t i = 0; status == 0 && i < d->launches_count; i++)
        status = put_launch(s, run, i);
    for (size_t i = 0; status == 0 && i < d->callbacks_count; i++)
        status = put_callback(s, run, i);
    return status;
}
