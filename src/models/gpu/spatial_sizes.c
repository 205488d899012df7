/*
 * spatial_sizes.c - requests of other sizes than the default, see spatial_load.h: which kernels of
 * different sizes are the same one, and what stands in for times that were not measured.
 */
#include "models/gpu/fusion_load.h"
#include "models/gpu/spatial_places.h"
#include "models/gpu/spatial_read.h"

#include "models/profile/predictor_tasks.h"

#include <stdlib.h>
#include <string.h>

#define NO_SHAPE  UINT32_MAX
#define GAPS_MOST 64 /* times as long as at the nearer size */
#define HALVINGS  40 /* of such a factor */

/* The sizes of one application. */
struct family {
    struct dcs_spatial *s;
    const bool *timed; /* by shape: it was measured alone */
    uint32_t *order;   /* sequences, by size */
    size_t sizes;
    struct dcs_tasks tasks;
    uint32_t *shape_of; /* [task * sizes + size]; NO_SHAPE: no such kernel there */
    size_t at_default;  /* in order; sizes: the default was not measured */
    uint32_t *labels;   /* by task: equal where names differ in numbers alone */
};

/* ---- which kernels are the same ---- */

static uint32_t *make_no_shapes(size_t count)
{
    uint32_t *shapes = dcs_alloc(count, sizeof *shapes);
    for (size_t i = 0; i < count; i++)
        shapes[i] = NO_SHAPE;
    return shapes;
}

static int find_tasks(struct family *f, const char *path, struct dcs_err *err)
{
    size_t launches_count = 0, n = 0;
    for (size_t i = 0; i < f->sizes; i++)
        launches_count += f->s->sequences[f->order[i]].kernels;
    struct dcs_task_launch *launches = dcs_alloc(launches_count, sizeof *launches);
    for (size_t i = 0; i < f->sizes; i++) {
        const struct dcs_sequence *sequence = &f->s->sequences[f->order[i]];
        for (uint32_t k = 0; k < sequence->kernels; k++)
            launches[n++] =
                (struct dcs_task_launch){.size = sequence->size,
                                         .position = k,
                                         .shape = f->s->shapes[sequence->shapes[k]].name};
    }
    struct dcs_err why = {0};
    int status = dcs_tasks_find(&f->tasks, launches, n, &why);
    free(launches);
    return status == 0 ? 0
                       : dcs_err_at(err, path, 0, "request_kernel", "%s, %s",
                                    f->s->sequences[f->order[0]].app, why.text);
}

/* Tells each sequence its tasks, and finds the first shape of each task at each size. */
static void place_tasks(struct family *f)
{
    size_t cells = f->tasks.count * f->sizes;
    f->shape_of = make_no_shapes(cells);
    for (size_t i = 0; i < f->sizes; i++) {
        struct dcs_sequence *sequence = &f->s->sequences[f->order[i]];
        sequence->tasks = dcs_alloc(sequence->kernels, sizeof *sequence->tasks);
        for (uint32_t k = sequence->kernels; k-- > 0;) {
            uint32_t task = f->tasks.kernels[i][k];
            sequence->tasks[k] = task;
            f->shape_of[task * f->sizes + i] = sequence->shapes[k];
        }
    }
}

/* The task at the default size whose pressure and sensitivity a task has: the task itself, or the
 * last one there whose name differs in numbers only. */
static uint32_t find_counterpart(const struct family *f, uint32_t task)
{
    if (f->at_default == f->sizes || f->shape_of[task * f->sizes + f->at_default] != NO_SHAPE)
        return task;
    const uint32_t *tasks = f->tasks.kernels[f->at_default];
    for (size_t k = f->tasks.kernels_count[f->at_default]; k-- > 0;)
        if (f->labels[tasks[k]] == f->labels[task])
            return tasks[k];
    return task;
}

static void label_tasks(struct family *f)
{
    f->labels = dcs_alloc(f->tasks.count, sizeof *f->labels);
    for (uint32_t i = 0; i < f->tasks.count; i++) {
        const char *name = f->tasks.names[i];
        size_t stem = (size_t)(strrchr(name, '/') - name) + 1; /* predictor_tasks.h */
        uint32_t like = 0;
        while (like < i && strncmp(f->tasks.names[like], name, stem) != 0)
            like++;
        f->labels[i] = like;
    }
}

static uint32_t *labels_at(const struct family *f, size_t at)
{
    size_t n = f->tasks.kernels_count[at];
    uint32_t *labels = dcs_alloc(n + 1, sizeof *labels);
    for (size_t k = 0; k < n; k++)
        labels[k] = f->labels[f->tasks.kernels[at][k]];
    return labels;
}

/* A library may take other functions for requests of other sizes: such a kernel of order[at]
 * contends as the one that stands in its place at the default size. */
static void fill_places(struct family *f, size_t at)
{
    const struct dcs_sequence *sequence = &f->s->sequences[f->order[at]];
    const struct dcs_sequence *standard = &f->s->sequences[f->order[f->at_default]];
    uint32_t *a = labels_at(f, at), *b = labels_at(f, f->at_default);
    uint32_t *places = make_no_shapes(sequence->kernels);
    spatial_find_places(a, sequence->kernels, b, standard->kernels, places);
    for (uint32_t k = 0; k < sequence->kernels; k++) {
        struct dcs_shape *shape = &f->s->shapes[sequence->shapes[k]];
        if (shape->contends_as != 0 || places[k] == SPATIAL_NO_PLACE)
            continue;
        uint32_t like = standard->shapes[places[k]];
        if (f->s->shapes[like].kind != DCS_SHAPE_COMPUTE || shape->kind != DCS_SHAPE_COMPUTE)
            continue;
        shape->contends_as = like + 1;
        shape->in_place = true;
    }
    free(a);
    free(b);
    free(places);
}

/* ---- times that were not measured ---- */

/* Time of a shape at sms, `share` of the way from one to the other. */
static double find_time_between(const struct dcs_spatial *s, uint32_t low, uint32_t high,
                                double share, uint32_t sms)
{
    double a = dcs_shape_solo_ns(s, low, sms), b = dcs_shape_solo_ns(s, high, sms);
    return a + (b - a) * share;
}

/* Fills the points of a shape from those of two others (which may be one), at every number of SMs
 * that either has. */
static void set_between(struct dcs_spatial *s, uint32_t index, uint32_t low, uint32_t high,
                        double share)
{
    const struct dcs_shape *a = &s->shapes[low], *b = &s->shapes[high];
    struct dcs_shape_point *points = dcs_alloc(a->points_count + b->points_count, sizeof *points);
    size_t i = 0, j = 0, n = 0;
    while (i < a->points_count || j < b->points_count) {
        uint32_t x = i < a->points_count ? a->points[i].sms : UINT32_MAX;
        uint32_t y = j < b->points_count ? b->points[j].sms : UINT32_MAX;
        uint32_t sms = x < y ? x : y;
        i += x == sms;
        j += y == sms;
        double ns = find_time_between(s, low, high, share, sms);
        double least = (double)s->shapes[index].launches; /* a launch takes a nanosecond at least */
        points[n++] = (struct dcs_shape_point){.sms = sms, .solo_ns = ns > least ? ns : least};
    }
    s->shapes[index].points = points;
    s->shapes[index].points_count = n;
}

/* The shape of a task at the nearest size that was measured, on either side of order[at]; NO_SHAPE:
 * there is none. */
static uint32_t timed_shape(const struct family *f, uint32_t task, size_t at, bool below,
                            size_t *found)
{
    for (size_t i = at; below ? i-- > 0 : ++i < f->sizes;) {
        uint32_t shape = f->shape_of[task * f->sizes + i];
        if (shape != NO_SHAPE && f->timed[shape]) {
            *found = i;
            return shape;
        }
    }
    return NO_SHAPE;
}

static int64_t size_at(const struct family *f, size_t i)
{
    return f->s->sequences[f->order[i]].size;
}

/* Sets the times of a shape that was not timed from those of its task at other sizes. False if
 * there are none. */
static bool set_stand_in(struct family *f, uint32_t index, uint32_t task, size_t at)
{
    size_t i = 0, j = 0;
    uint32_t low = timed_shape(f, task, at, true, &i);
    uint32_t high = timed_shape(f, task, at, false, &j);
    if (low == NO_SHAPE && high == NO_SHAPE) { /* those at the default size need not be measured */
        low = f->at_default < f->sizes ? f->shape_of[task * f->sizes + f->at_default] : NO_SHAPE;
        if (low == NO_SHAPE)
            return false;
    }
    double share = 0;
    if (low == NO_SHAPE)
        low = high;
    else if (high == NO_SHAPE)
        high = low;
    else
        share = (double)(size_at(f, at) - size_at(f, i)) / (double)(size_at(f, j) - size_at(f, i));
    set_between(f->s, index, low, high, share);
    uint32_t near = share <= 0.5 ? low : high;
    const struct dcs_shape *nearer = &f->s->shapes[near];
    f->s->shapes[index].drifts = nearer->drifts;
    f->s->shapes[index].overhang = nearer->overhang;
    f->s->shapes[index].error = nearer->error;
    if (f->s->shapes[index].launches == nearer->launches) {
        f->s->shapes[index].groups = nearer->groups;
        f->s->shapes[index].groups_count = nearer->groups_count;
        f->s->shapes[index].least_fill = nearer->least_fill;
        f->s->shapes[index].most_fill = nearer->most_fill;
    }
    f->s->shapes[index].timed_as = dcs_shape_timed_as(f->s, near) + 1;
    return true;
}

/* Says of the shapes of order[at] whose pressure they have, and fills those that were not measured
 * alone. */
static void fill_sequence(struct family *f, size_t at)
{
    struct dcs_spatial *s = f->s;
    const struct dcs_sequence *sequence = &s->sequences[f->order[at]];
    for (uint32_t k = 0; k < sequence->kernels && at != f->at_default; k++) {
        uint32_t index = sequence->shapes[k], task = sequence->tasks[k];
        uint32_t like = find_counterpart(f, task);
        uint32_t other = NO_SHAPE;
        if (f->at_default < f->sizes)
            other = f->shape_of[like * f->sizes + f->at_default];
        struct dcs_shape *shape = &s->shapes[index];
        if (shape->contends_as == 0 && other != NO_SHAPE)
            shape->contends_as = other + 1;
        if (shape->points_count > 0 || set_stand_in(f, index, task, at) ||
            set_stand_in(f, index, like, at))
            continue;
        /* The kernel was timed at no size. Beside kernels that were, it counts as the least time
         * that its launches can take. If none of the request was timed, scaling to the request
         * gives each launch an equal part of it. */
        shape->points = dcs_alloc(1, sizeof *shape->points);
        shape->points[0] = (struct dcs_shape_point){.sms = s->sms, .solo_ns = shape->launches};
        shape->points_count = 1;
    }
}

/* ---- all sizes ---- */

static int fill_family(struct family *f, const char *path, struct dcs_err *err)
{
    if (find_tasks(f, path, err) != 0)
        return -1;
    place_tasks(f);
    label_tasks(f);
    for (size_t i = 0; i < f->sizes; i++) {
        fill_sequence(f, i);
        if (i != f->at_default && f->at_default < f->sizes)
            fill_places(f, i);
    }
    free(f->labels);
    dcs_tasks_release(&f->tasks);
    free(f->shape_of);
    return 0;
}

/* Sequences of an application begin at `first`; *next: where those of another begin. */
static int fill_app(struct dcs_spatial *s, const bool *timed, uint32_t first, uint32_t *next,
                    const char *path, struct dcs_err *err)
{
    uint32_t app = s->sequences[first].listed, n = first;
    while (n < s->sequences_count && s->sequences[n].listed == app)
        n++;
    *next = n;
    struct family f = {.s = s, .timed = timed, .order = dcs_alloc(n - first + 1u, sizeof *f.order)};
    bool known = s->sequences[app].size >= 0, placed = !known;
    for (uint32_t i = first; i < n; i++) {
        if (!placed && s->sequences[i].size > s->sequences[app].size) {
            f.at_default = f.sizes;
            f.order[f.sizes++] = app;
            placed = true;
        }
        f.order[f.sizes++] = i;
    }
    if (!placed) {
        f.at_default = f.sizes;
        f.order[f.sizes++] = app;
    }
    if (!known)
        f.at_default = f.sizes;
    int status = fill_family(&f, path, err);
    free(f.order);
    return status;
}

int dcs_spatial_fill_sizes(struct dcs_spatial *s, const struct spatial_rows *rows, const char *path,
                           struct dcs_err *err)
{
    int status = 0;
    bool *timed = dcs_alloc(s->shapes_count, sizeof *timed);
    for (size_t i = 0; i < rows->kernels_count; i++)
        timed[rows->kernels[i].of] = true;
    for (uint32_t at = s->apps_count, next; at < s->sequences_count && status == 0; at = next)
        status = fill_app(s, timed, at, &next, path, err);
    free(timed);
    return status;
}

/* ---- a size between two ---- */

/* The nearest measured size on one side, as an index; UINT32_MAX: there is none. */
static uint32_t find_neighbour(const struct dcs_spatial *s, uint32_t app, int64_t size, bool below)
{
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; i < s->sequences_count; i++) {
        const struct dcs_sequence *x = &s->sequences[i];
        if (x->listed != app || x->between || x->size < 0 ||
            (below ? x->size > size : x->size < size))
            continue;
        bool nearer = found == UINT32_MAX || (below ? x->size > s->sequences[found].size
                                                    : x->size < s->sequences[found].size);
        if (nearer)
            found = i;
    }
    return found;
}

/* By task: the shape of the first kernel of a sequence that is that task; NO_SHAPE: none is. There
 * is an entry for each task of this sequence and of another. */
static uint32_t *find_shapes(const struct dcs_sequence *of, const struct dcs_sequence *other)
{
    uint32_t most = 0; /* a profile has thousands of tasks at most: predictor_tasks.c */
    for (uint32_t k = 0; k < of->kernels; k++)
        most = of->tasks[k] > most ? of->tasks[k] : most;
    for (uint32_t k = 0; k < other->kernels; k++)
        most = other->tasks[k] > most ? other->tasks[k] : most;
    uint32_t *shapes = make_no_shapes(most + 1u);
    for (uint32_t k = of->kernels; k-- > 0;)
        shapes[of->tasks[k]] = of->shapes[k];
    return shapes;
}

static double request_ns(const struct dcs_spatial *s, const struct dcs_sequence *sequence,
                         uint32_t sms)
{
    double sum = 0;
    for (uint32_t k = 0; k < sequence->kernels; k++)
        sum += dcs_shape_solo_ns(s, sequence->shapes[k], sms);
    return sum;
}

static int64_t scaled_ns(int64_t ns, double scale)
{
    return ns < 0 ? ns : (int64_t)((double)ns * scale + 0.5);
}

/* A request alone, of a program that was recorded, with gaps of its host `scale` times as long. */
static double hosted_ns(const struct dcs_spatial *s, const struct dcs_sequence *sequence,
                        uint32_t sms, double scale)
{
    int64_t launched_ns = 0, ended_ns = 0;
    for (uint32_t k = 0; k < sequence->kernels; k++) {
        const struct dcs_host_gap *g = &sequence->host[k];
        const struct dcs_host_gap gap = {scaled_ns(g->gap_ns, scale), scaled_ns(g->wait_ns, scale)};
        launched_ns = dcs_host_launch_ns(&gap, launched_ns, ended_ns);
        ended_ns = launched_ns > ended_ns ? launched_ns : ended_ns;
        double ns = dcs_shape_solo_ns(s, sequence->shapes[k], sms);
        ended_ns = dcs_add_times(ended_ns, (int64_t)(ns + 0.5));
    }
    return (double)ended_ns;
}

/* With its host's part, where it has one. */
static double whole_ns(const struct dcs_spatial *s, const struct dcs_sequence *sequence,
                       uint32_t sms)
{
    return sequence->host != NULL ? hosted_ns(s, sequence, sms, 1) : request_ns(s, sequence, sms);
}

/* Scales the kernels of a request, so that the time of the whole request lies `share` of the way
 * from the time of request a to that of b. Without that it would not, if these two have different
 * kernels. hosted: what its host does is not in the time of its kernels. */
static void scale_between(struct dcs_spatial *s, const struct dcs_sequence *made,
                          const struct dcs_sequence *a, const struct dcs_sequence *b, double share,
                          bool hosted)
{
    double (*time_ns)(const struct dcs_spatial *, const struct dcs_sequence *, uint32_t) =
        hosted ? request_ns : whole_ns;
    double *factors = dcs_alloc(s->sms + 1u, sizeof *factors); /* 0: not asked yet */
    for (uint32_t i = made->first_shape; i < s->shapes_count; i++)
        for (size_t p = 0; p < s->shapes[i].points_count; p++) {
            uint32_t sms = s->shapes[i].points[p].sms;
            if (factors[sms] > 0)
                continue;
            double low = time_ns(s, a, sms), high = time_ns(s, b, sms);
            factors[sms] = (low + (high - low) * share) / request_ns(s, made, sms);
        }
    for (uint32_t i = made->first_shape; i < s->shapes_count; i++)
        for (size_t p = 0; p < s->shapes[i].points_count; p++) {
            struct dcs_shape_point *point = &s->shapes[i].points[p];
            double ns = point->solo_ns * factors[point->sms], least = s->shapes[i].launches;
            point->solo_ns = ns > least ? ns : least;
        }
    free(factors);
}

/* Makes the shapes and tasks of a sequence between two others. It has the kernels of `from`, the
 * nearer of the two; the time of each lies `share` of the way from the smaller size to the larger.
 */
static void make_shapes(struct dcs_spatial *s, struct dcs_sequence *made,
                        const struct dcs_sequence *from, const struct dcs_sequence *other,
                        double share)
{
    bool smaller = from->size < other->size;
    uint32_t *matches = find_shapes(other, from);
    uint32_t *made_as =
        make_no_shapes(from->kernels); /* by shape, from the first of its sequence */
    for (uint32_t k = 0; k < from->kernels; k++) {
        uint32_t own = from->shapes[k], *as = &made_as[own - from->first_shape];
        made->tasks[k] = from->tasks[k];
        if (*as == NO_SHAPE) {
            uint32_t match = matches[from->tasks[k]], index = s->shapes_count++;
            if (match == NO_SHAPE)
                match = own;
            *as = index;
            s->shapes[index] = s->shapes[own];
            s->shapes[index].name = dcs_strdup(s->shapes[own].name);
            s->shapes[index].contends_as = dcs_shape_contends_as(s, own) + 1;
            s->shapes[index].timed_as = dcs_shape_timed_as(s, own) + 1;
            set_between(s, index, smaller ? own : match, smaller ? match : own, share);
            if (s->fusion != NULL)
                dcs_fusion_add_shape(s->fusion, index, own);
        }
        made->shapes[k] = *as;
    }
    free(matches);
    free(made_as);
}

/* The host's part of a sequence is that of `from`, whose kernels it has: its gaps are made longer
 * or shorter by one factor, so that a request alone on all SMs takes `ns`, as far as its kernels
 * leave room; where it has hardly any gap the rest is put before its first kernel. */
static void make_host(const struct dcs_spatial *s, struct dcs_sequence *made,
                      const struct dcs_sequence *from, double ns)
{
    double low = 0, high = 1;
    made->host = dcs_alloc(from->kernels, sizeof *made->host);
    memcpy(made->host, from->host, from->kernels * sizeof *made->host);
    while (high < GAPS_MOST && hosted_ns(s, made, s->sms, high) < ns)
        high *= 2;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2;
        *(hosted_ns(s, made, s->sms, middle) > ns ? &high : &low) = middle;
    }
    for (uint32_t k = 0; k < made->kernels; k++)
        made->host[k] = (struct dcs_host_gap){scaled_ns(made->host[k].gap_ns, high),
                                              scaled_ns(made->host[k].wait_ns, high)};
    double lacks_ns = ns - hosted_ns(s, made, s->sms, 1);
    if (lacks_ns > 0)
        made->host[0].gap_ns = dcs_add_times(made->host[0].gap_ns, (int64_t)(lacks_ns + 0.5));
}

/* Adds the sequence of a size between those of two others. */
static void add_between(struct dcs_spatial *s, uint32_t low, uint32_t high, int64_t size)
{
    s->sequences = dcs_grow(s->sequences, &s->loaded->sequences_capacity, s->sequences_count + 1u,
                            sizeof *s->sequences);
    const struct dcs_sequence *a = &s->sequences[low], *b = &s->sequences[high];
    double share = (double)(size - a->size) / (double)(b->size - a->size);
    const struct dcs_sequence *from = b->size - size < size - a->size ? b : a;
    struct dcs_sequence *made = &s->sequences[s->sequences_count];
    *made = (struct dcs_sequence){.app = from->app,
                                  .listed = from->listed,
                                  .size = size,
                                  .shapes = dcs_alloc(from->kernels, sizeof *made->shapes),
                                  .tasks = dcs_alloc(from->kernels, sizeof *made->tasks),
                                  .kernels = from->kernels,
                                  .first_shape = s->shapes_count,
                                  .between = true};
    s->shapes = dcs_grow(s->shapes, &s->loaded->shapes_capacity, s->shapes_count + from->kernels,
                         sizeof *s->shapes);
    make_shapes(s, made, from, from == a ? b : a, share);
    scale_between(s, made, a, b, share, from->host != NULL);
    if (from->host != NULL) {
        double first = whole_ns(s, a, s->sms), last = whole_ns(s, b, s->sms);
        make_host(s, made, from, first + (last - first) * share);
    }
    for (uint32_t k = 0; k < from->kernels; k++) {
        struct dcs_shape *shape = &s->shapes[made->shapes[k]];
        const struct dcs_shape *like = &s->shapes[from->shapes[k]];
        double part = dcs_shape_solo_ns(s, made->shapes[k], s->sms) /
                      dcs_shape_solo_ns(s, from->shapes[k], s->sms);
        shape->dram_bytes = like->dram_bytes * part;
        shape->instructions = like->instructions * part;
    }
    s->sequences_count++;
}

/* The sequences of the measured sizes on either side of a size that was not measured. -1 and err
 * (its text) if one is missing, or if it is not known which of their kernels are the same. */
static int find_between(const struct dcs_spatial *s, uint32_t app, int64_t size, uint32_t *low,
                        uint32_t *high, struct dcs_err *err)
{
    const char *name = s->sequences[app].app;
    *low = find_neighbour(s, app, size, true);
    *high = find_neighbour(s, app, size, false);
    if (*low == UINT32_MAX && *high == UINT32_MAX)
        return dcs_err_set(err, "requests of \"%s\" were not measured at any size", name);
    if (*low == UINT32_MAX || *high == UINT32_MAX) {
        uint32_t end = *low == UINT32_MAX ? *high : *low;
        return dcs_err_set(err, "requests of \"%s\" were measured at sizes %s %lld; found %lld",
                           name, *low == UINT32_MAX ? "from" : "up to",
                           (long long)s->sequences[end].size, (long long)size);
    }
    if (s->sequences[*low].tasks == NULL || s->sequences[*high].tasks == NULL)
        return dcs_err_set(err, "requests of \"%s\" were measured at size %lld only", name,
                           (long long)s->sequences[app].size);
    return 0;
}

int dcs_spatial_check_size(const struct dcs_spatial *s, uint32_t app, int64_t size,
                           struct dcs_err *err)
{
    uint32_t low, high;
    return dcs_spatial_sequence(s, app, size) != NULL
               ? 0
               : find_between(s, app, size, &low, &high, err);
}

const struct dcs_sequence *dcs_spatial_size(struct dcs_spatial *s, uint32_t app, int64_t size,
                                            struct dcs_err *err)
{
    const struct dcs_sequence *known = dcs_spatial_sequence(s, app, size);
    uint32_t low, high;
    if (known != NULL)
        return known;
    if (find_between(s, app, size, &low, &high, err) != 0)
        return NULL;
    add_between(s, low, high, size);
    return &s->sequences[s->sequences_count - 1];
}
