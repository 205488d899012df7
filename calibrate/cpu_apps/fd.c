/*
 * fd.c - interest points of an image by the Fast-Hessian detector of SURF: Bay, Ess, Tuytelaars,
 * Van Gool, "Speeded-up robust features (SURF)", Computer Vision and Image Understanding 110(3),
 * 2008, section 3: second derivatives by boxes on an integral image, determinants at the sizes of
 * two octaves, and what is largest among its 26 neighbours in place and scale.
 *
 * A size is the number of rows and of columns. Rows are divided among threads, phase after phase;
 * the points that they find are put in order at the end.
 *
 * Simplified: no interpolation between places and scales.
 */
#include "calibrate/cpu_apps/integral.h"

enum { OCTAVES = 2, LAYERS = 4, GRAIN = 8 };
static const int lengths[OCTAVES][LAYERS] = {{9, 15, 21, 27}, {15, 27, 39, 51}};
static const float threshold = 40;

struct point {
    int32_t x, y, length; /* of the filter, in pixels */
    float response;
};

struct octave {
    int64_t width, margin; /* of its grid of every step-th pixel; too close to an edge */
    float *responses[LAYERS];
    int32_t *found; /* [row][room]: layer * width + x of its points */
    int64_t room;   /* for the points of a row: no two are neighbours */
    int32_t *count; /* of each row */
};

struct state {
    struct image image;
    struct octave octaves[OCTAVES];
    int octave;       /* that is being computed */
    uint32_t *result; /* the number of points, then the points */
};

static int64_t step_of(int octave)
{
    return INT64_C(1) << octave;
}

static void *create(int64_t size, uint64_t seed, struct cal_arena *a, struct dcs_err *err)
{
    (void)err;
    struct state *s = cal_arena_take(a, 1, sizeof *s);
    image_create(&s->image, size, seed, a);
    int64_t points = 0;
    for (int i = 0; i < OCTAVES; i++) {
        struct octave *o = &s->octaves[i];
        o->width = size / step_of(i);
        o->margin = (lengths[i][LAYERS - 1] / 2 + step_of(i) - 1) / step_of(i);
        size_t cells = (size_t)(o->width * o->width);
        for (int l = 0; l < LAYERS; l++)
            o->responses[l] = cal_arena_take(a, cells, sizeof(float));
        o->room = o->width / 2 + 1;
        o->found = cal_arena_take(a, (size_t)(o->width * o->room), sizeof *o->found);
        o->count = cal_arena_take(a, (size_t)o->width, sizeof *o->count);
        points += o->room * o->room;
    }
    s->result = cal_arena_take(a, 1 + (size_t)points * sizeof(struct point) / 4, 4);
    return s;
}

/* 100 times the determinant of the second derivatives, over the square of the filter's area. */
static float scaled(int64_t determinant, int length)
{
    double area = (double)length * length;
    return (float)((double)determinant / (100 * area * area));
}

/* Derivatives along x and y by three lobes of a third of the length, +1 -2 +1; the mixed one by
 * four squares, which weighs 0.9. */
static float response_at(const struct image *m, int64_t x, int64_t y, int length)
{
    int64_t lobe = length / 3, half = length / 2, across = 2 * lobe - 1;
    int64_t xx = image_box(m, x - half, y - lobe + 1, length, across) -
                 3 * (int64_t)image_box(m, x - lobe / 2, y - lobe + 1, lobe, across);
    int64_t yy = image_box(m, x - lobe + 1, y - half, across, length) -
                 3 * (int64_t)image_box(m, x - lobe + 1, y - lobe / 2, across, lobe);
    int64_t xy =
        image_box(m, x + 1, y - lobe, lobe, lobe) + image_box(m, x - lobe, y + 1, lobe, lobe);
    xy -= image_box(m, x - lobe, y - lobe, lobe, lobe) + image_box(m, x + 1, y + 1, lobe, lobe);
    return scaled(100 * xx * yy - 81 * xy * xy, length);
}

static void respond(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    const struct state *s = context;
    const struct octave *o = &s->octaves[s->octave];
    int64_t step = step_of(s->octave);
    for (int64_t row = o->margin + begin; row < o->margin + end; row++)
        for (int l = 0; l < LAYERS; l++)
            for (int64_t x = o->margin; x < o->width - o->margin; x++)
                o->responses[l][row * o->width + x] =
                    response_at(&s->image, x * step, row * step, lengths[s->octave][l]);
}

static bool is_largest(const struct octave *o, int layer, int64_t at)
{
    float here = o->responses[layer][at];
    if (here <= threshold)
        return false;
    for (int l = layer - 1; l <= layer + 1; l++)
        for (int64_t v = -1; v <= 1; v++)
            for (int64_t u = -1; u <= 1; u++)
                if (o->responses[l][at + v * o->width + u] >= here &&
                    (l != layer || v != 0 || u != 0))
                    return false;
    return true;
}

static void find_corners(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    const struct state *s = context;
    const struct octave *o = &s->octaves[s->octave];
    for (int64_t row = o->margin + 1 + begin; row < o->margin + 1 + end; row++) {
        int32_t n = 0;
        for (int l = 1; l < LAYERS - 1; l++)
            for (int64_t x = o->margin + 1; x < o->width - o->margin - 1; x++)
                if (is_largest(o, l, row * o->width + x))
                    o->found[row * o->room + n++] = (int32_t)(l * o->width + x);
        o->count[row] = n;
    }
}

static void collect(struct state *s)
{
    struct point *to = (struct point *)(s->result + 1);
    for (int i = 0; i < OCTAVES; i++) {
        const struct octave *o = &s->octaves[i];
        for (int64_t row = 0; row < o->width; row++)
            for (int32_t k = 0; k < o->count[row]; k++) {
                int64_t layer = o->found[row * o->room + k] / o->width;
                int64_t x = o->found[row * o->room + k] % o->width;
                *to++ = (struct point){(int32_t)(x * step_of(i)), (int32_t)(row * step_of(i)),
                                       lengths[i][layer], o->responses[layer][row * o->width + x]};
            }
    }
    *s->result = (uint32_t)(to - (struct point *)(s->result + 1));
}

static void run_request(void *state, struct cal_team *t)
{
    struct state *s = state;
    image_integrate(&s->image, t);
    for (s->octave = 0; s->octave < OCTAVES; s->octave++) {
        const struct octave *o = &s->octaves[s->octave];
        cal_team_for(t, o->width - 2 * o->margin, GRAIN, respond, s);
        cal_team_for(t, o->width - 2 * o->margin - 2, GRAIN, find_corners, s);
    }
    collect(s);
}

/* --- the reference: the filters weight by weight on the pixels --- */

/* Of the derivative across three lobes that lie along u. */
static int64_t lobe_weight(int u, int v, int length)
{
    int lobe = length / 3;
    if (v <= -lobe || v >= lobe)
        return 0;
    return (u + length / 2) / lobe == 1 ? -2 : 1;
}

static int64_t square_weight(int u, int v, int length)
{
    int lobe = length / 3;
    if (u == 0 || v == 0 || u > lobe || u < -lobe || v > lobe || v < -lobe)
        return 0;
    return (u < 0) == (v < 0) ? 1 : -1;
}

static float response_by_pixels(const struct image *m, int64_t x, int64_t y, int length)
{
    int64_t xx = 0, yy = 0, xy = 0;
    for (int v = -length / 2; v <= length / 2; v++)
        for (int u = -length / 2; u <= length / 2; u++) {
            int64_t pixel = m->pixels[(y + v) * m->n + x + u];
            xx += pixel * lobe_weight(u, v, length);
            yy += pixel * lobe_weight(v, u, length);
            xy += pixel * square_weight(u, v, length);
        }
    return scaled(100 * xx * yy - 81 * xy * xy, length);
}

/* The points of an octave, from *at on in the result; -1 and err on a difference. */
static int check_octave(const struct state *s, int octave, uint32_t *at, struct dcs_err *err)
{
    const struct octave *o = &s->octaves[octave];
    int64_t first = o->margin, last = o->width - 1 - o->margin, step = step_of(octave);
    struct cal_arena a = {0};
    float *all = cal_arena_take(&a, (size_t)(LAYERS * o->width * o->width), sizeof *all);
    for (int l = 0; l < LAYERS; l++)
        for (int64_t y = first; y <= last; y++)
            for (int64_t x = first; x <= last; x++)
                all[(l * o->width + y) * o->width + x] =
                    response_by_pixels(&s->image, x * step, y * step, lengths[octave][l]);
    int wrong = 0;
    const struct point *points = (const struct point *)(s->result + 1);
    for (int64_t y = first + 1; y < last; y++)
        for (int64_t i = 0; i < 2 * o->width && !wrong; i++) {
            int64_t l = 1 + i / o->width, x = i % o->width;
            if (x <= first || x >= last)
                continue;
            float here = all[(l * o->width + y) * o->width + x];
            int as_large = 0; /* of the 27, itself among them */
            for (int64_t k = 0; k < 27; k++)
                as_large += all[((l - 1 + k / 9) * o->width + y - 1 + k / 3 % 3) * o->width + x -
                                1 + k % 3] >= here;
            if (here <= threshold || as_large > 1)
                continue;
            const struct point *p = *at < *s->result ? &points[*at] : NULL;
            ++*at;
            if (p == NULL || p->x != x * step || p->y != y * step ||
                p->length != lengths[octave][l] || p->response != here)
                wrong =
                    dcs_err_set(err, "point %u is not that at %lld, %lld of length %d", *at,
                                (long long)(x * step), (long long)(y * step), lengths[octave][l]);
        }
    cal_arena_release(&a);
    return wrong;
}

static int check_results(const void *state, struct dcs_err *err)
{
    const struct state *s = state;
    uint32_t points = 0;
    for (int i = 0; i < OCTAVES; i++)
        if (check_octave(s, i, &points, err) != 0)
            return -1;
    if (points != *s->result || points == 0)
        return dcs_err_set(err, "%u points, not %u", *s->result, points);
    return 0;
}

static void *results(void *state, size_t *words)
{
    struct state *s = state;
    *words = 1 + *s->result * sizeof(struct point) / 4;
    return s->result;
}

/* A box has three additions, a response eight boxes and 13 more; one comparison of each. */
static void count(const void *state, double *operations, double *bytes)
{
    const struct state *s = state;
    double pixels = (double)(s->image.n * s->image.n);
    *operations = 2 * pixels;
    *bytes = 5 * pixels + 4 * (double)*s->result * sizeof(struct point) / 4;
    for (int i = 0; i < OCTAVES; i++) {
        double side = (double)(s->octaves[i].width - 2 * s->octaves[i].margin);
        *operations += LAYERS * side * side * (8 * 3 + 13 + 1);
        *bytes += LAYERS * side * side * 4;
    }
}

const struct cal_cpu_app cal_cpu_app_fd = {
    .name = "fd",
    .role = CAL_CPU_SERVICE,
    .papers = "EMU table 5-2: fd of Sirius",
    .algorithm = "Bay, Ess, Tuytelaars, Van Gool 2008, section 3",
    .size_unit = "rows and columns",
    .size_min = 256,
    .size_max = 2560,
    .size_default = 640,
    .size_check = 80,
    .size_step = 1,
    .sla_ns = 150000000,
    .create = create,
    .run = run_request,
    .check = check_results,
    .results = results,
    .count = count,
};
