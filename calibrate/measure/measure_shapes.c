/*
 * measure_shapes.c - kernel_shape written anew where a profile was begun before the launches of
 * libraries were counted. `solo` writes such rows by itself: a new profile has no step here.
 *
 * A step is one size of one application; nothing is timed. Its cost is the making of the inputs.
 */
#include "calibrate/gpu/shape.h"

#include <stdlib.h>

#define STEP_S 0.2

/* Rows whose grid is not known: of libraries, as transfers have none. */
static bool is_wanting(const struct cal_session *s, const struct cal_app *app, int64_t size)
{
    double found;
    return cal_store_get(s->store, &found,
                         "SELECT 1 FROM kernel_shape WHERE application = ? AND size = ?"
                         " AND kind = 'library' AND blocks IS NULL",
                         "ti", app->name, size);
}

/* A size of every application, then the next: from coarse to fine, as they are measured. */
static void plan(const struct cal_session *s, struct cal_steps *steps)
{
    bool more = s->store != NULL;
    for (size_t i = 0; more; i++) {
        more = false;
        for (size_t a = 0; cal_apps[a] != NULL; a++) {
            int64_t *sizes;
            size_t count = cal_app_sizes(cal_apps[a], &sizes);
            more = more || i < count;
            if (i < count && is_wanting(s, cal_apps[a], sizes[i])) {
                struct cal_step *step = cal_steps_add(steps, &cal_measure_shapes, "shapes/%s/%lld",
                                                      cal_apps[a]->name, (long long)sizes[i]);
                step->app = cal_apps[a];
                step->app_name = cal_apps[a]->name;
                step->size = sizes[i];
                step->other_size = step->size != step->app->size_default;
                step->seconds = STEP_S;
            }
            free(sizes);
        }
    }
}

static int run_step(struct cal_session *s, const struct cal_step *step, struct dcs_err *err)
{
    struct cal_work w;
    int64_t ns;
    if (cal_work_open(s->gpu, step->app, step->size, s->seed, &w, err) != 0)
        return -1;
    /* What is loaded late is loaded outside of a capture. */
    int failed = cal_work_time_request(s->gpu, &w, s->gpu->cached[0].stream, &ns, err);
    for (size_t k = 0; k < w.shapes_count && !failed; k++)
        failed = cal_shape_store(s, &w, k, err);
    cal_work_close(s->gpu, &w);
    return failed ? -1 : 0;
}

const struct cal_measure cal_measure_shapes = {
    .name = "shapes",
    .help = "launches and grids of libraries, counted anew in a profile that lacks them; no timing",
    .plan = plan,
    .run = run_step,
};
