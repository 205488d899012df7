/* store_gangs.c - writes the rows of whole jobs; see store_rows.h. */
#include "results/store_rows.h"

static int put_job(struct store *s, uint32_t replication, const struct gang_row *j)
{
    const struct cell none = {.type = CELL_NULL};
    bool started = j->started_ns != DCS_NEVER;
    return EXECUTE(s, PUT_WHOLE_JOB, integer(s->id), integer(replication), integer(j->id),
                   integer(j->submitted_ns), unless(j->started_ns, DCS_NEVER),
                   unless(j->ended_ns, DCS_NEVER), integer(j->duration_ns), real(j->gpus),
                   integer(j->revocations), started ? integer(j->node) : none,
                   started ? integer(j->nodes) : none, j->model[0] != '\0' ? text(j->model) : none,
                   j->name[0] != '\0' ? text(j->name) : none);
}

int store_put_gangs(struct store *s, const struct run *run)
{
    const struct gang_rows *g = &run->gangs;
    for (size_t i = 0; i < g->jobs_count; i++)
        if (put_job(s, run->replication, &g->jobs[i]) != 0)
            return -1;
    for (size_t i = 0; i < g->revoked_count; i++)
        if (EXECUTE(s, PUT_WHOLE_JOB_REVOKED, integer(s->id), integer(run->replication),
                    integer(g->revoked[i].id), integer(g->revoked[i].from_ns),
                    integer(g->revoked[i].to_ns)) != 0)
            return -1;
    return 0;
}
