/*
 * raytrace.c - an image of a cloud of triangles, with shadows: Whitted, "An improved illumination
 * model for shaded display", CACM 23(6), 1980; triangles are met as by Möller and Trumbore, "Fast,
 * minimum storage ray/triangle intersection", Journal of Graphics Tools 2(1), 1997, and looked for
 * in a hierarchy of boxes, Kay and Kajiya, "Ray tracing complex scenes", SIGGRAPH 1986, that halves
 * them along the longest side.
 *
 * A size is the number of rows and of columns; there are as many triangles as pixels. Threads
 * divide rows in squares of TILE. The hierarchy is made with the inputs and is no part of a
 * request.
 */
#include "calibrate/cpu/cpu_app.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { LEAF = 4, DEPTH = 64, TILE = 8, GRAIN = 1 };

struct triangle {
    float corner[3][3];
};

/* Inner nodes: the first child follows, the second is at `other`. Leaves: count > 0. */
struct node {
    float low[3], high[3];
    int32_t other, count; /* of leaves: their first triangle */
};

struct pixel {
    int32_t triangle; /* that is seen, in the order of the inputs; -1: none */
    float distance;
    float light; /* the cosine of the light's angle, 0 in shadow */
};

struct ray {
    float from[3], along[3], inverse[3];
};

struct state {
    int64_t n, triangles;
    struct triangle *given, *ordered;
    int32_t *order; /* ordered[i] is given[order[i]] */
    struct node *nodes;
    int32_t nodes_count;
    _Atomic int64_t boxes, met; /* that were tested: boxes, triangles */
    struct pixel *result;
};

static const float lamp[3] = {0.3F, 2.5F, -1.0F}, eye[3] = {0.5F, 0.5F, -1.2F};
#define NEAREST 1e-3F

/* --- the scene and its hierarchy --- */

static float middle(const struct triangle *t, int k)
{
    return t->corner[0][k] + t->corner[1][k] + t->corner[2][k];
}

static void grow(float low[3], float high[3], const struct triangle *t)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            low[k] = fminf(low[k], t->corner[i][k]);
            high[k] = fmaxf(high[k], t->corner[i][k]);
        }
}

/* A triangle's middle along an axis, to be sorted by. */
struct key {
    float at;
    int32_t triangle;
};

static int compare_keys(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->triangle < y->triangle ? -1 : x->triangle > y->triangle;
}

/* The number of the node of keys[first .. first + count]. */
static int32_t build(struct state *s, struct key *keys, int32_t first, int32_t count)
{
    int32_t number = s->nodes_count++;
    struct node *node = &s->nodes[number];
    for (int k = 0; k < 3; k++) {
        node->low[k] = INFINITY;
        node->high[k] = -INFINITY;
    }
    for (int32_t i = first; i < first + count; i++)
        grow(node->low, node->high, &s->given[keys[i].triangle]);
    if (count <= LEAF) {
        node->other = first;
        node->count = count;
        return number;
    }
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (node->high[k] - node->low[k] > node->high[axis] - node->low[axis])
            axis = k;
    for (int32_t i = first; i < first + count; i++)
        keys[i].at = middle(&s->given[keys[i].triangle], axis);
    qsort(keys + first, (size_t)count, sizeof *keys, compare_keys);
    build(s, keys, first, count / 2);
    node->other = build(s, keys, first + count / 2, count - count / 2);
    return number;
}

static void *create(int64_t size, uint64_t seed, struct cal_arena *a, struct dcs_err *err)
{
    (void)err;
    struct state *s = cal_arena_take(a, 1, sizeof *s);
    size_t triangles = (size_t)(size * size);
    s->n = size;
    s->triangles = size * size;
    s->given = cal_arena_take(a, triangles, sizeof *s->given);
    s->ordered = cal_arena_take(a, triangles, sizeof *s->ordered);
    s->order = cal_arena_take(a, triangles, sizeof *s->order);
    s->nodes = cal_arena_take(a, 2 * triangles, sizeof *s->nodes);
    s->result = cal_arena_take(a, triangles, sizeof *s->result);
    struct key *keys = dcs_alloc(triangles, sizeof *keys);
    double edge = 0.8 / cbrt((double)triangles);
    for (size_t i = 0; i < triangles; i++) {
        keys[i].triangle = (int32_t)i;
        for (size_t j = 0; j < 9; j++) {
            double place = cal_cpu_uniform(seed, 3 * i + j % 3, 0, 1);
            double away = cal_cpu_uniform(seed + 1, 9 * i + j, -edge, edge);
            s->given[i].corner[j / 3][j % 3] = (float)(place + away);
        }
    }
    build(s, keys, 0, (int32_t)triangles);
    for (size_t i = 0; i < triangles; i++) {
        s->order[i] = keys[i].triangle;
        s->ordered[i] = s->given[keys[i].triangle];
    }
    free(keys);
    return s;
}

/* --- rays --- */

static float dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const float a[3], const float b[3], float to[3])
{
    to[0] = a[1] * b[2] - a[2] * b[1];
    to[1] = a[2] * b[0] - a[0] * b[2];
    to[2] = a[0] * b[1] - a[1] * b[0];
}

static void subtract(const float a[3], const float b[3], float to[3])
{
    for (int k = 0; k < 3; k++)
        to[k] = a[k] - b[k];
}

/* The distance to the plane of a triangle that the ray meets; infinite if it does not. */
static float meet(const struct ray *r, const struct triangle *t)
{
    float one[3], two[3], p[3], q[3], to[3];
    subtract(t->corner[1], t->corner[0], one);
    subtract(t->corner[2], t->corner[0], two);
    cross(r->along, two, p);
    float determinant = dot(one, p);
    if (determinant == 0)
        return INFINITY;
    float inverse = 1 / determinant;
    subtract(r->from, t->corner[0], to);
    float u = dot(to, p) * inverse;
    if (!(u >= 0 && u <= 1))
        return INFINITY;
    cross(to, one, q);
    float v = dot(r->along, q) * inverse;
    if (!(v >= 0 && u + v <= 1))
        return INFINITY;
    float distance = dot(two, q) * inverse;
    return distance >= NEAREST ? distance : INFINITY;
}

/* The distance at which a ray enters a box, if it does so before `limit`; else infinite. */
static float enter(const struct ray *r, const struct node *node, float limit)
{
    float in = 0, out = limit;
    for (int k = 0; k < 3; k++) {
        float a = (node->low[k] - r->from[k]) * r->inverse[k];
        float b = (node->high[k] - r->from[k]) * r->inverse[k];
        in = fmaxf(in, fminf(a, b));
        out = fminf(out, fmaxf(a, b));
    }
    /* A box may be flat: rounding must not lose it. */
    return in <= out * 1.000001F ? in : INFINITY;
}

struct entry {
    int32_t node;
    float at; /* the distance at which the ray enters it */
};

static int push(struct entry *stack, int top, int32_t node, float at)
{
    if (at == INFINITY)
        return top;
    DCS_ASSERT(top < DEPTH);
    stack[top] = (struct entry){node, at};
    return top + 1;
}

/* The first triangle along a ray before *distance, which becomes its distance; -1: none. Any will
 * do for a shadow. tested: boxes and triangles, added up. */
static int32_t trace(const struct state *s, const struct ray *r, bool any, float *distance,
                     int64_t tested[2])
{
    struct entry stack[DEPTH];
    int32_t found = -1;
    int top = push(stack, 0, 0, enter(r, s->nodes, *distance));
    tested[0]++;
    while (top > 0 && !(any && found >= 0)) {
        struct entry e = stack[--top];
        const struct node *node = &s->nodes[e.node];
        if (e.at > *distance)
            continue;
        for (int32_t i = node->other; i < node->other + node->count; i++) {
            float at = meet(r, &s->ordered[i]);
            if (at < *distance) {
                *distance = at;
                found = s->order[i];
            }
        }
        tested[1] += node->count;
        if (node->count > 0)
            continue;
        int32_t one = e.node + 1, two = node->other;
        float at_one = enter(r, &s->nodes[one], *distance);
        float at_two = enter(r, &s->nodes[two], *distance);
        tested[0] += 2;
        bool swapped = at_two < at_one; /* the nearer is looked into first */
        top = push(stack, top, swapped ? one : two, swapped ? at_one : at_two);
        top = push(stack, top, swapped ? two : one, swapped ? at_two : at_one);
    }
    return found;
}

static struct ray aim(const float from[3], const float to[3])
{
    struct ray r;
    subtract(to, from, r.along);
    float scale = 1 / sqrtf(dot(r.along, r.along));
    for (int k = 0; k < 3; k++) {
        r.from[k] = from[k];
        r.along[k] *= scale;
        r.inverse[k] = 1 / r.along[k];
    }
    return r;
}

/* Through the middle of a pixel of a window that the unit square is. */
static void place_pixel(const struct state *s, int64_t x, int64_t y, float to[3])
{
    to[0] = ((float)x + 0.5F) / (float)s->n;
    to[1] = ((float)y + 0.5F) / (float)s->n;
    to[2] = 0;
}

static float light_at(const struct state *s, const struct ray *r, const struct pixel *p,
                      int64_t tested[2])
{
    const struct triangle *t = &s->given[p->triangle];
    float one[3], two[3], normal[3], at[3];
    subtract(t->corner[1], t->corner[0], one);
    subtract(t->corner[2], t->corner[0], two);
    cross(one, two, normal);
    for (int k = 0; k < 3; k++)
        at[k] = r->from[k] + p->distance * r->along[k];
    struct ray to_lamp = aim(at, lamp);
    float cosine = dot(normal, to_lamp.along) / sqrtf(dot(normal, normal));
    /* Light falls on the side that is seen. */
    cosine = dot(normal, r->along) > 0 ? -cosine : cosine;
    float away[3], distance;
    subtract(lamp, at, away);
    distance = sqrtf(dot(away, away));
    return cosine > 0 && trace(s, &to_lamp, true, &distance, tested) < 0 ? cosine : 0;
}

static void render(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    struct state *s = context;
    int64_t across = (s->n + TILE - 1) / TILE, tested[2] = {0};
    for (int64_t i = begin * TILE * TILE; i < end * TILE * TILE; i++) {
        int64_t tile = i / (TILE * TILE);
        int64_t x = tile % across * TILE + i % TILE, y = tile / across * TILE + i / TILE % TILE;
        if (x >= s->n || y >= s->n)
            continue;
        struct pixel *p = &s->result[y * s->n + x];
        float to[3];
        place_pixel(s, x, y, to);
        struct ray r = aim(eye, to);
        p->distance = INFINITY;
        p->triangle = trace(s, &r, false, &p->distance, tested);
        p->light = p->triangle >= 0 ? light_at(s, &r, p, tested) : 0;
    }
    s->boxes += tested[0];
    s->met += tested[1];
}

static void run_request(void *state, struct cal_team *t)
{
    struct state *s = state;
    int64_t across = (s->n + TILE - 1) / TILE;
    s->boxes = s->met = 0;
    cal_team_for(t, across * across, GRAIN, render, s);
}

/* --- the reference: every triangle, by its plane and the sides of its edges --- */

/* How a ray, of length 1, meets the plane of a triangle. */
struct meeting {
    double distance;
    double inside; /* > 0: within the triangle, of its height from the nearest edge */
    double slack;  /* what rounding may do to both: more where the ray grazes the plane */
};

static struct meeting meet_plane(const struct triangle *t, const double from[3],
                                 const double along[3])
{
    double normal[3], edge[3][3], at[3], area = 0, slope = 0, height = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            edge[i][k] = (double)t->corner[(i + 1) % 3][k] - (double)t->corner[i][k];
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        normal[k] = edge[0][l] * edge[1][m] - edge[0][m] * edge[1][l];
        area += normal[k] * normal[k];
        slope += normal[k] * along[k];
        height += normal[k] * ((double)t->corner[0][k] - from[k]);
    }
    struct meeting x = {height / slope, INFINITY, 1e-5 * sqrt(area) / fabs(slope)};
    for (int i = 0; i < 3; i++) {
        double side = 0;
        for (int k = 0; k < 3; k++)
            at[k] = from[k] + x.distance * along[k] - (double)t->corner[i][k];
        for (int k = 0; k < 3; k++) {
            int l = (k + 1) % 3, m = (k + 2) % 3;
            side += normal[k] * (edge[i][l] * at[m] - edge[i][m] * at[l]);
        }
        x.inside = fmin(x.inside, side / area);
    }
    return x;
}

static double unit(const double from[3], const double to[3], double along[3])
{
    double length = hypot(hypot(to[0] - from[0], to[1] - from[1]), to[2] - from[2]);
    for (int k = 0; k < 3; k++)
        along[k] = (to[k] - from[k]) / length;
    return length;
}

/* 1: something is surely before `limit` on a ray, 0: surely nothing, -1: rounding decides. */
static int is_hidden(const struct state *s, const double from[3], const double along[3],
                     double limit, int64_t except)
{
    int hidden = 0;
    for (int64_t i = 0; i < s->triangles; i++) {
        struct meeting x = meet_plane(&s->given[i], from, along);
        double nearest = (double)NEAREST;
        if (i == except || !(x.inside > -x.slack && x.distance < limit + x.slack &&
                             x.distance > nearest - x.slack))
            continue;
        if (x.inside > x.slack && x.distance < limit - x.slack && x.distance > nearest + x.slack)
            return 1;
        hidden = -1;
    }
    return hidden;
}

static int check_light(const struct state *s, const struct pixel *p, const double along[3],
                       struct dcs_err *err)
{
    const struct triangle *t = &s->given[p->triangle];
    double at[3], lamp_at[3], to_lamp[3], normal[3], area = 0, cosine = 0, seen = 0;
    for (int k = 0; k < 3; k++) {
        at[k] = (double)eye[k] + (double)p->distance * along[k];
        lamp_at[k] = (double)lamp[k];
    }
    double away = unit(at, lamp_at, to_lamp);
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        double a[2] = {(double)t->corner[1][l] - (double)t->corner[0][l],
                       (double)t->corner[1][m] - (double)t->corner[0][m]};
        double b[2] = {(double)t->corner[2][l] - (double)t->corner[0][l],
                       (double)t->corner[2][m] - (double)t->corner[0][m]};
        normal[k] = a[0] * b[1] - a[1] * b[0];
        area += normal[k] * normal[k];
        cosine += normal[k] * to_lamp[k];
        seen += normal[k] * along[k];
    }
    cosine *= (seen > 0 ? -1 : 1) / sqrt(area);
    int hidden = is_hidden(s, at, to_lamp, away, p->triangle);
    bool dark_is_right = hidden != 0 || cosine < 1e-4;
    bool light_is_right = hidden != 1 && fabs((double)p->light - cosine) < 1e-4;
    if (p->light == 0 ? dark_is_right : light_is_right)
        return 0;
    return dcs_err_set(err, "light %g, the cosine is %g and the lamp %s", (double)p->light, cosine,
                       hidden == 1 ? "hidden" : "seen");
}

static int check_pixel(const struct state *s, const struct pixel *p, const double along[3],
                       struct dcs_err *err)
{
    double from[3] = {(double)eye[0], (double)eye[1], (double)eye[2]};
    if (p->triangle < -1 || p->triangle >= s->triangles)
        return dcs_err_set(err, "no triangle %d", p->triangle);
    if (p->triangle >= 0) {
        struct meeting x = meet_plane(&s->given[p->triangle], from, along);
        if (!(x.inside > -x.slack && fabs(x.distance - (double)p->distance) < x.slack))
            return dcs_err_set(err, "triangle %d at %g, which is %g outside, at %g", p->triangle,
                               (double)p->distance, -x.inside, x.distance);
    } else if (p->distance != INFINITY || p->light != 0) {
        return dcs_err_set(err, "nothing at %g, light %g", (double)p->distance, (double)p->light);
    }
    if (is_hidden(s, from, along, (double)p->distance, p->triangle) == 1)
        return dcs_err_set(err, "triangle %d at %g, but another is before it", p->triangle,
                           (double)p->distance);
    return p->triangle >= 0 ? check_light(s, p, along, err) : 0;
}

static int check_results(const void *state, struct dcs_err *err)
{
    const struct state *s = state;
    for (int64_t i = 0; i < s->n * s->n; i++) {
        double from[3] = {(double)eye[0], (double)eye[1], (double)eye[2]}, along[3];
        double to[3] = {((double)(i % s->n) + 0.5) / (double)s->n,
                        ((double)(i / s->n) + 0.5) / (double)s->n, 0};
        struct dcs_err why = {0};
        unit(from, to, along);
        if (check_pixel(s, &s->result[i], along, &why) != 0)
            return dcs_err_set(err, "pixel %lld: %s", (long long)i, why.text);
    }
    return 0;
}

static void *results(void *state, size_t *words)
{
    struct state *s = state;
    *words = (size_t)(s->n * s->n) * (sizeof *s->result / 4);
    return s->result;
}

/* Of a box 25 operations, of a triangle 50, of a pixel's two rays 60. Boxes and triangles count as
 * read each time. */
static void count(const void *state, double *operations, double *bytes)
{
    const struct state *s = state;
    double boxes = (double)s->boxes, met = (double)s->met, pixels = (double)(s->n * s->n);
    *operations = boxes * 25 + met * 50 + pixels * 60;
    *bytes =
        boxes * sizeof(struct node) + met * sizeof(struct triangle) + pixels * sizeof(struct pixel);
}

const struct cal_cpu_app cal_cpu_app_raytrace = {
    .name = "rt",
    .role = CAL_CPU_BATCH,
    .papers = "EMU table 5-2: raytrace of PARSEC",
    .algorithm = "Whitted 1980; Kay and Kajiya 1986; Möller and Trumbore 1997",
    .size_unit = "rows and columns",
    .size_min = 64,
    .size_max = 448,
    .size_default = 144,
    .size_check = 18,
    .size_step = 1,
    .create = create,
    .run = run_request,
    .check = check_results,
    .results = results,
    .count = count,
};
