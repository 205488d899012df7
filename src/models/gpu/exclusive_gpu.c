/* exclusive_gpu.c - see exclusive_gpu.h. */
#include "models/gpu/exclusive_gpu.h"

static int64_t max64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t min64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

void dcs_device_init(struct dcs_device *d, uint64_t memory_bytes, struct dcs_checkpoint checkpoint,
                     int64_t window_ns)
{
    *d = (struct dcs_device){
        .memory_bytes = memory_bytes, .checkpoint = checkpoint, .window_ns = window_ns};
}

bool dcs_device_fits(const struct dcs_device *d, uint64_t memory_bytes)
{
    return memory_bytes <= d->memory_bytes;
}

/* Time that `work` takes with a checkpoint after every full interval, but none after the last bit.
 */
static int64_t time_of(const struct dcs_device *d, int64_t work_ns)
{
    if (!d->checkpointed)
        return work_ns;
    int64_t checkpoints = (work_ns - 1) / d->checkpoint.interval_ns;
    return dcs_add_times(work_ns, dcs_times(checkpoints, d->checkpoint.cost_ns));
}

/* Work that is done `elapsed` after the start: the inverse of time_of(), flat during checkpoints.
 */
static int64_t work_after(const struct dcs_device *d, int64_t elapsed_ns)
{
    elapsed_ns = max64(elapsed_ns, 0);
    if (!d->checkpointed)
        return min64(elapsed_ns, d->work_ns);
    int64_t period = d->checkpoint.interval_ns + d->checkpoint.cost_ns;
    int64_t work = elapsed_ns / period * d->checkpoint.interval_ns +
                   min64(elapsed_ns % period, d->checkpoint.interval_ns);
    return min64(work, d->work_ns);
}

/* Work that the last finished checkpoint has saved. */
static int64_t saved_after(const struct dcs_device *d, int64_t elapsed_ns)
{
    if (!d->checkpointed || elapsed_ns <= 0)
        return 0;
    int64_t period = d->checkpoint.interval_ns + d->checkpoint.cost_ns;
    return min64(elapsed_ns / period * d->checkpoint.interval_ns, d->work_ns);
}

int64_t dcs_device_start(struct dcs_device *d, int64_t now_ns, const struct dcs_launch *l)
{
    DCS_ASSERT(d->phase == DCS_DEVICE_IDLE);
    DCS_ASSERT(l->work_ns >= 1);
    DCS_ASSERT(dcs_device_fits(d, l->memory_bytes));

    int64_t overhead = d->next_start_ns;
    d->next_start_ns = 0;
    /* Not "used + dead > capacity": that sum may wrap for hostile sizes. */
    bool crowded =
        l->memory_bytes > d->memory_bytes - min64((int64_t)d->dead_bytes, (int64_t)d->memory_bytes);
    if (l->class == DCS_BATCH || crowded) {
        overhead += d->clear_ns;
        d->clear_ns = 0;
        d->dead_bytes = 0;
    }
    if (l->class == DCS_BATCH) {
        overhead += d->spawn_ns;
        d->spawn_ns = 0;
    }
    d->phase = DCS_DEVICE_RUNNING;
    d->launch_ns = now_ns;
    d->start_ns = dcs_add_times(now_ns, overhead);
    d->work_ns = l->work_ns;
    d->used_bytes = l->memory_bytes;
    d->checkpointed = l->class == DCS_BATCH && d->checkpoint.interval_ns > 0;
    DCS_ASSERT(d->used_bytes + d->dead_bytes <= d->memory_bytes);
    return dcs_add_times(d->start_ns, time_of(d, d->work_ns));
}

/* Books the running kernel from its launch to now_ns, clipped to the window. kept: how much of its
 * work stays done. */
static void book(struct dcs_device *d, int64_t now_ns, int64_t kept_ns)
{
    int64_t from = max64(d->launch_ns, d->window_ns);
    if (now_ns <= from)
        return;
    int64_t before = work_after(d, from - d->start_ns);
    int64_t done = work_after(d, now_ns - d->start_ns) - before;
    int64_t useful = max64(min64(kept_ns - before, done), 0);
    int64_t busy = now_ns - from;
    DCS_ASSERT(done >= 0 && done <= busy);
    d->usage.busy_ns += busy;
    d->usage.useful_ns += useful;
    d->usage.lost_ns += done - useful;
    d->usage.overhead_ns += busy - done;
}

void dcs_device_finish(struct dcs_device *d, int64_t now_ns)
{
    DCS_ASSERT(d->phase == DCS_DEVICE_RUNNING);
    DCS_ASSERT(now_ns == dcs_add_times(d->start_ns, time_of(d, d->work_ns)));
    book(d, now_ns, d->work_ns);
    d->phase = DCS_DEVICE_IDLE;
    d->used_bytes = 0;
}

int64_t dcs_device_stop(struct dcs_device *d, int64_t now_ns,
                        const struct dcs_profile_revocation *cost, int64_t *kept_ns)
{
    DCS_ASSERT(d->phase == DCS_DEVICE_RUNNING);
    *kept_ns = saved_after(d, now_ns - d->start_ns);
    DCS_ASSERT(*kept_ns < d->work_ns);
    book(d, now_ns, *kept_ns);
    d->phase = DCS_DEVICE_STOPPING;
    d->stopping_ns = now_ns;
    d->next_start_ns = max64(d->next_start_ns, cost->start_ns);
    d->clear_ns += cost->clear_ns;
    d->spawn_ns += cost->spawn_ns;
    if (cost->clear_ns > 0)
        d->dead_bytes += d->used_bytes; /* until the context is cleared */
    d->used_bytes = 0;
    return now_ns + cost->kill_ns;
}

static void book_kill(struct dcs_device *d, int64_t now_ns)
{
    int64_t from = max64(d->stopping_ns, d->window_ns);
    if (now_ns > from) {
        d->usage.busy_ns += now_ns - from;
        d->usage.overhead_ns += now_ns - from;
    }
}

void dcs_device_stopped(struct dcs_device *d, int64_t now_ns)
{
    DCS_ASSERT(d->phase == DCS_DEVICE_STOPPING);
    book_kill(d, now_ns);
    d->phase = DCS_DEVICE_IDLE;
}

void dcs_device_close(struct dcs_device *d, int64_t now_ns)
{
    if (d->phase == DCS_DEVICE_RUNNING)
        book(d, now_ns, d->work_ns);
    else if (d->phase == DCS_DEVICE_STOPPING)
        book_kill(d, now_ns);
    DCS_ASSERT(d->usage.useful_ns + d->usage.lost_ns + d->usage.overhead_ns == d->usage.busy_ns);
}

int64_t dcs_device_left_ns(const struct dcs_device *d, int64_t now_ns)
{
    DCS_ASSERT(d->phase == DCS_DEVICE_RUNNING);
    return d->work_ns - work_after(d, now_ns - d->start_ns);
}

int64_t dcs_device_set_left(struct dcs_device *d, int64_t now_ns, int64_t left_ns)
{
    DCS_ASSERT(d->phase == DCS_DEVICE_RUNNING && left_ns >= 1);
    d->work_ns = work_after(d, now_ns - d->start_ns) + left_ns;
    return dcs_add_times(d->start_ns, time_of(d, d->work_ns));
}
