/* store_driven.c - see store_driven.h. */
#include "results/store_driven.h"

#include "engine/driven.h"
#include "models/profile/database.h"
#include "results/store.h"

#include <inttypes.h>

static int put_device(struct store *s, const struct run *run)
{
    const struct drive_rows *d = &run->driven;
    return EXECUTE(s, PUT_DRIVEN, integer(s->id), integer(run->replication), text(d->gpu.device),
                   text(d->gpu.uuid), text(d->driver), text(d->tool), text(d->ends_by));
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

static int put_revocation(struct store *s, const struct run *run, size_t i)
{
    const struct drive_launch_row *row = &run->driven.launches[i];
    const struct cell none = {.type = CELL_NULL};
    bool gone = row->gone_ns != DCS_NEVER;
    bool launched = row->heard_ns != DCS_NEVER && row->launched_ns != DCS_NEVER;
    if (row->revoked_ns == DCS_NEVER)
        return 0;
    return EXECUTE(s, PUT_DRIVEN_REVOCATION, integer(s->id), integer(run->replication), count_of(i),
                   integer(row->revoked_ns), gone ? integer(row->gone_ns - row->revoked_ns) : none,
                   launched ? integer(row->launched_ns - row->event_ns) : none);
}

static int put_callback(struct store *s, const struct run *run, size_t i)
{
    const struct driven_callback *c = &run->driven.callbacks[i];
    return EXECUTE(s, PUT_DRIVEN_CALLBACK, integer(s->id), integer(run->replication), count_of(i),
                   text(c->what), integer(c->event_ns), integer(c->begin_ns - c->event_ns),
                   integer(c->end_ns - c->event_ns));
}

/* *found: whether there is one. */
static int read_gpu(struct store *s, sqlite3_stmt *row, struct experiment_gpu *out, bool *found,
                    struct dcs_err *err)
{
    int code = row != NULL ? sqlite3_step(row) : SQLITE_ERROR;
    *found = code == SQLITE_ROW;
    if (*found) {
        const char *device = (const char *)sqlite3_column_text(row, 0);
        const char *uuid = (const char *)sqlite3_column_text(row, 1);
        snprintf(out->device, sizeof out->device, "%s", device != NULL ? device : "");
        snprintf(out->uuid, sizeof out->uuid, "%s", uuid != NULL ? uuid : "");
    }
    bool good = code == SQLITE_ROW || code == SQLITE_DONE;
    int status = good ? 0 : store_failed(s, "read which GPU was measured on", err);
    sqlite3_reset(row);
    return status;
}

int store_get_driven(struct store *s, struct run *run, struct dcs_err *err)
{
    bool found;
    return read_gpu(s, FILL(s, GET_DRIVEN, integer(s->id), integer(run->replication)),
                    &run->driven.gpu, &found, err);
}

static int has_driven(struct store *s, bool *yes, struct dcs_err *err)
{
    int64_t tables = 0;
    *yes = false;
    if (s->db != NULL && database_number(s->db,
                                         "SELECT count(*) FROM sqlite_master WHERE type = 'table' "
                                         "AND name = 'driven'",
                                         &tables) != SQLITE_ROW)
        return store_failed(s, "read which GPU was measured on", err);
    *yes = tables > 0;
    return 0;
}

int store_driven_gpu(struct store *s, struct experiment_gpu *out, struct dcs_err *err)
{
    bool yes, found;
    *out = (struct experiment_gpu){0};
    if (has_driven(s, &yes, err) != 0)
        return -1;
    return yes ? read_gpu(s, FILL(s, FIND_GPU, integer(s->id)), out, &found, err) : 0;
}

int store_check_gpus(struct store *s, int64_t experiment, const char *in, struct dcs_err *err)
{
    bool yes;
    if (has_driven(s, &yes, err) != 0)
        return -1;
    sqlite3_stmt *row = yes ? FILL(s, COUNT_GPUS, integer(experiment)) : NULL;
    if (yes && (row == NULL || sqlite3_step(row) != SQLITE_ROW))
        return store_failed(s, "read which GPU was measured on", err);
    bool several = yes && sqlite3_column_int64(row, 0) > 1;
    sqlite3_reset(row);
    if (!several)
        return 0;
    return dcs_err_at(err, in, 0, "driven",
                      "experiment %011" PRIx64 " was measured on another GPU than in %s; nothing "
                      "was merged",
                      (uint64_t)experiment, s->path);
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
        status = put_launch(s, run, i) != 0 || put_revocation(s, run, i) != 0 ? -1 : 0;
    for (size_t i = 0; status == 0 && i < d->callbacks_count; i++)
        status = put_callback(s, run, i);
    return status;
}
