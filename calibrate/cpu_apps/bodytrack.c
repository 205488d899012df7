/*
 * bodytrack.c - finds the pose of a body in an image by an annealed particle filter: Deutscher and
 * Reid, "Articulated body motion capture by stochastic search", International Journal of Computer
 * Vision 61(2), 2005. Edges are found and blurred; then, in LAYERS that look ever closer, each of
 * PARTICLES poses is laid over the image and weighed by the edges along its limbs and the light
 * inside them, and the next layer's are drawn by weight and varied.
 *
 * A size is the number of rows and of columns. Threads divide rows of the image, then poses; poses
 * are drawn by one. Simplified: one image in place of several cameras and frames, a flat body.
 */
#include "calibrate/cpu/cpu_app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LAYERS = 5, PARTICLES = 512, LIMBS = 9, ANGLES = 9, POSE = 2 + ANGLES, ALONG = 8 };
enum { TAPS = 9, POINTS = 3 * ALONG * LIMBS, EDGE = 60 };
#define TURN 6.283185307179586

/* A limb begins where its parent ends (or begins: -1 as parent is the hip), and turns with it. */
struct limb {
    int parent;
    double length, width, angle; /* of the image's size; in the neutral pose, to its parent's */
};

static const struct limb body[LIMBS] = {
    {-1, 0.22, 0.10, 0.75 * TURN}, /* trunk, upwards */
    {0, 0.10, 0.07, 0},            /* head */
    {0, 0.14, 0.04, 0.35 * TURN},
    {2, 0.13, 0.035, 0.05 * TURN}, /* arms */
    {0, 0.14, 0.04, -0.35 * TURN},
    {4, 0.13, 0.035, -0.05 * TURN},
    {-1, 0.18, 0.06, 0.2 * TURN},
    {-1, 0.18, 0.06, 0.3 * TURN},  /* thighs */
    {6, 0.17, 0.045, 0.03 * TURN}, /* one shin: the other is hidden */
};

struct pose {
    double place[2]; /* of the hip, of the image's size */
    double angle[ANGLES];
};

struct state {
    int64_t n;
    uint64_t seed;
    uint8_t *pixels, *edges, *blurred;
    uint16_t *across; /* blurred along rows only */
    struct pose *poses, *drawn;
    double *weights; /* cumulative */
    int layer;
    int32_t *errors; /* [layer][particle], then the result's pose: POSE floats */
};

struct line {
    double x, y, angle; /* where a limb begins, in pixels */
};

/* --- inputs --- */

static struct pose neutral(void)
{
    struct pose p = {{0.5, 0.55}, {0}};
    for (int i = 0; i < LIMBS; i++)
        p.angle[i] = body[i].angle;
    return p;
}

static double bell(uint64_t seed, uint64_t i)
{
    double sum = 0; /* of four uniform numbers: a variance of 1/3 */
    for (uint64_t k = 0; k < 4; k++)
        sum += cal_cpu_uniform(seed, 4 * i + k, -0.5, 0.5);
    return sum;
}

/* A pose near another. */
static struct pose vary(struct pose p, double by, uint64_t seed, uint64_t number)
{
    for (uint64_t k = 0; k < 2; k++)
        p.place[k] += 0.03 * by * bell(seed, number * POSE + k);
    for (uint64_t k = 0; k < ANGLES; k++)
        p.angle[k] += 0.5 * by * bell(seed, number * POSE + 2 + k);
    return p;
}

static void place_limbs(const struct pose *p, double size, struct line lines[LIMBS])
{
    for (int i = 0; i < LIMBS; i++) {
        int parent = body[i].parent;
        lines[i] = (struct line){p->place[0] * size, p->place[1] * size, p->angle[i]};
        if (parent < 0)
            continue;
        const struct line *from = &lines[parent];
        lines[i].x = from->x + body[parent].length * size * cos(from->angle);
        lines[i].y = from->y + body[parent].length * size * sin(from->angle);
        lines[i].angle += from->angle;
    }
}

static void draw(struct state *s)
{
    struct pose p = vary(neutral(), 1, s->seed, 0);
    struct line lines[LIMBS];
    double size = (double)s->n;
    place_limbs(&p, size, lines);
    for (int64_t i = 0; i < s->n * s->n; i++) {
        double x = (double)(i % s->n), y = (double)(i / s->n);
        uint8_t light = 60;
        for (int k = 0; k < LIMBS; k++) {
            double u =
                (x - lines[k].x) * cos(lines[k].angle) + (y - lines[k].y) * sin(lines[k].angle);
            double v =
                (y - lines[k].y) * cos(lines[k].angle) - (x - lines[k].x) * sin(lines[k].angle);
            if (u >= 0 && u <= body[k].length * size && fabs(v) <= body[k].width * size / 2)
                light = (uint8_t)(150 + 8 * k);
        }
        s->pixels[i] = (uint8_t)(light + cal_cpu_random(s->seed + 1, (uint64_t)i) % 24);
    }
}

static void *create(int64_t size, uint64_t seed, struct cal_arena *a, struct dcs_err *err)
{
    (void)err;
    struct state *s = cal_arena_take(a, 1, sizeof *s);
    size_t pixels = (size_t)(size * size);
    s->n = size;
    s->seed = seed;
    s->pixels = cal_arena_take(a, pixels, 1);
    s->edges = cal_arena_take(a, pixels, 1);
    s->blurred = cal_arena_take(a, pixels, 1);
    s->across = cal_arena_take(a, pixels, sizeof *s->across);
    s->poses = cal_arena_take(a, PARTICLES, sizeof *s->poses);
    s->drawn = cal_arena_take(a, PARTICLES, sizeof *s->drawn);
    s->weights = cal_arena_take(a, PARTICLES, sizeof *s->weights);
    s->errors = cal_arena_take(a, LAYERS * PARTICLES + POSE, sizeof *s->errors);
    draw(s);
    return s;
}

/* --- edges: 255 where the gradient (Sobel's) is steep, blurred by binomial weights --- */

static const uint32_t taps[TAPS] = {1, 8, 28, 56, 70, 56, 28, 8, 1};

static int64_t inside(int64_t at, int64_t n)
{
    return at < 0 ? 0 : at >= n ? n - 1 : at;
}

static void find_edges(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    const struct state *s = context;
    for (int64_t y = begin; y < end; y++) {
        const uint8_t *up = s->pixels + inside(y - 1, s->n) * s->n, *here = s->pixels + y * s->n;
        const uint8_t *down = s->pixels + inside(y + 1, s->n) * s->n;
        for (int64_t x = 0; x < s->n; x++) {
            int64_t l = inside(x - 1, s->n), r = inside(x + 1, s->n);
            int dx = up[r] + 2 * here[r] + down[r] - up[l] - 2 * here[l] - down[l];
            int dy = down[l] + 2 * down[x] + down[r] - up[l] - 2 * up[x] - up[r];
            s->edges[y * s->n + x] = dx * dx + dy * dy > 16 * EDGE * EDGE ? 255 : 0;
        }
    }
}

static void blur_across(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    const struct state *s = context;
    for (int64_t y = begin; y < end; y++)
        for (int64_t x = 0; x < s->n; x++) {
            uint32_t sum = 0;
            for (int64_t k = 0; k < TAPS; k++)
                sum += taps[k] * s->edges[y * s->n + inside(x + k - TAPS / 2, s->n)];
            s->across[y * s->n + x] = (uint16_t)sum;
        }
}

static void blur_down(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    const struct state *s = context;
    for (int64_t y = begin; y < end; y++)
        for (int64_t x = 0; x < s->n; x++) {
            uint32_t sum = 0;
            for (int64_t k = 0; k < TAPS; k++)
                sum += taps[k] * s->across[inside(y + k - TAPS / 2, s->n) * s->n + x];
            s->blurred[y * s->n + x] = (uint8_t)(sum >> 16);
        }
}

/* --- particles --- */

/* How much is missing at a place: the square of what a map of up to 255 has less than that. */
static int32_t miss(const struct state *s, const uint8_t *map, double at_x, double at_y)
{
    int64_t x = lround(at_x), y = lround(at_y);
    int32_t less = 255;
    if (x >= 0 && x < s->n && y >= 0 && y < s->n)
        less -= map[y * s->n + x];
    return less * less;
}

static int32_t error_of(const struct state *s, const struct pose *p)
{
    struct line lines[LIMBS];
    double size = (double)s->n;
    place_limbs(p, size, lines);
    int32_t sum = 0;
    for (int i = 0; i < LIMBS; i++) {
        double c = cos(lines[i].angle), si = sin(lines[i].angle), half = body[i].width * size / 2;
        for (int k = 0; k < ALONG; k++) {
            double u = (k + 0.5) / ALONG * body[i].length * size;
            double x = lines[i].x + u * c, y = lines[i].y + u * si;
            sum += miss(s, s->pixels, x, y);
            sum += miss(s, s->blurred, x - half * si, y + half * c);
            sum += miss(s, s->blurred, x + half * si, y - half * c);
        }
    }
    return sum;
}

static void weigh(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    const struct state *s = context;
    for (int64_t i = begin; i < end; i++) {
        uint64_t number = (uint64_t)(s->layer * PARTICLES + i) + 1;
        s->poses[i] = vary(s->drawn[i], 1 / (double)(1 << s->layer), s->seed, number);
        s->errors[s->layer * PARTICLES + i] = error_of(s, &s->poses[i]);
    }
}

/* exp(-error above the least, over a share of it that shrinks from layer to layer), added up. */
static void add_weights(struct state *s)
{
    const int32_t *errors = s->errors + s->layer * PARTICLES;
    int32_t least = errors[0];
    for (int i = 1; i < PARTICLES; i++)
        least = errors[i] < least ? errors[i] : least;
    double sum = 0, scale = 0.1 * (double)least / (1 << s->layer);
    for (int i = 0; i < PARTICLES; i++) {
        sum += exp(-(double)(errors[i] - least) / scale);
        s->weights[i] = sum;
    }
}

/* Evenly spaced places in the sum of all weights. */
static void draw_particles(struct state *s)
{
    double all = s->weights[PARTICLES - 1];
    double offset = cal_cpu_uniform(s->seed + 2, (uint64_t)s->layer, 0, 1);
    int from = 0;
    for (int i = 0; i < PARTICLES; i++) {
        while (from < PARTICLES - 1 && s->weights[from] < (i + offset) / PARTICLES * all)
            from++;
        s->drawn[i] = s->poses[from];
    }
}

/* The mean of the last layer's poses by weight. */
static void conclude(struct state *s)
{
    double sums[POSE] = {0};
    for (int i = 0; i < PARTICLES; i++) {
        double weight = s->weights[i] - (i > 0 ? s->weights[i - 1] : 0);
        for (int k = 0; k < POSE; k++)
            sums[k] += weight * (k < 2 ? s->poses[i].place[k] : s->poses[i].angle[k - 2]);
    }
    for (int k = 0; k < POSE; k++) {
        float mean = (float)(sums[k] / s->weights[PARTICLES - 1]);
        memcpy(&s->errors[LAYERS * PARTICLES + k], &mean, sizeof mean);
    }
}

static void run_request(void *state, struct cal_team *t)
{
    struct state *s = state;
    cal_team_for(t, s->n, 16, find_edges, s);
    cal_team_for(t, s->n, 16, blur_across, s);
    cal_team_for(t, s->n, 16, blur_down, s);
    for (int i = 0; i < PARTICLES; i++)
        s->drawn[i] = neutral();
    for (s->layer = 0; s->layer < LAYERS; s->layer++) {
        cal_team_for(t, PARTICLES, 8, weigh, s);
        add_weights(s);
        if (s->layer < LAYERS - 1)
            draw_particles(s);
    }
    conclude(s);
}

/* --- the reference: the blur in one, limbs by sums of angles, a search for each drawn particle ---
 */

static void blur_naively(const struct state *s, uint8_t *blurred)
{
    uint8_t *edges = dcs_alloc((size_t)(s->n * s->n), 1);
    for (int64_t i = 0; i < s->n * s->n; i++) {
        int sums[2] = {0};
        for (int64_t k = 0; k < 9; k++) {
            int64_t u = k % 3 - 1, v = k / 3 - 1;
            int pixel = s->pixels[inside(i / s->n + v, s->n) * s->n + inside(i % s->n + u, s->n)];
            sums[0] += (int)(u * (2 - v * v)) * pixel;
            sums[1] += (int)(v * (2 - u * u)) * pixel;
        }
        edges[i] = hypot(sums[0], sums[1]) > 4 * EDGE ? 255 : 0;
    }
    for (int64_t i = 0; i < s->n * s->n; i++) {
        double sum = 0;
        for (int64_t k = 0; k < TAPS * TAPS; k++) {
            int64_t v = k / TAPS - TAPS / 2, u = k % TAPS - TAPS / 2;
            double edge = edges[inside(i / s->n + v, s->n) * s->n + inside(i % s->n + u, s->n)];
            sum += edge * taps[k / TAPS] * taps[k % TAPS];
        }
        blurred[i] = (uint8_t)(sum / 65536);
    }
    free(edges);
}

/* Where a point of a limb is, of the image's pixels: x, and *y. */
static double at_limb(const struct state *s, const struct pose *p, int limb, double along,
                      double beside, double *y)
{
    double angle = 0, x = 0, size = (double)s->n;
    int chain[LIMBS], n = 0;
    for (int i = limb; i >= 0; i = body[i].parent)
        chain[n++] = i;
    *y = 0;
    while (n > 0) {
        int i = chain[--n];
        angle += p->angle[i];
        double length = i == limb ? along : body[i].length;
        x += length * cos(angle);
        *y += length * sin(angle);
    }
    *y = (p->place[1] + *y + beside * sin(angle + TURN / 4)) * size;
    return (p->place[0] + x + beside * cos(angle + TURN / 4)) * size;
}

static int32_t error_naively(const struct state *s, const uint8_t *blurred, const struct pose *p)
{
    int32_t sum = 0;
    for (int i = 0; i < POINTS; i++) {
        const struct limb *l = &body[i / 3 / ALONG];
        double beside = l->width / 2 * (i % 3 - 1), along = (2 * (i / 3 % ALONG) + 1) * l->length;
        double y, x = at_limb(s, p, i / 3 / ALONG, along / (2 * ALONG), beside, &y);
        int64_t column = (int64_t)floor(x + 0.5), row = (int64_t)floor(y + 0.5);
        int32_t seen = 0;
        if (column >= 0 && column < s->n && row >= 0 && row < s->n)
            seen = (i % 3 == 1 ? s->pixels : blurred)[row * s->n + column];
        sum += 65025 - 510 * seen + seen * seen;
    }
    return sum;
}

struct filter {
    struct pose poses[PARTICLES], drawn[PARTICLES];
    double weights[PARTICLES];
    int32_t errors[PARTICLES];
};

/* One layer on the poses drawn for it; those for the next are drawn. */
static double filter_naively(const struct state *s, const uint8_t *blurred, int layer,
                             struct filter *f)
{
    double least = INFINITY, all = 0, part = pow(0.5, layer);
    for (int i = 0; i < PARTICLES; i++) {
        f->poses[i] = vary(f->drawn[i], part, s->seed, (uint64_t)(layer * PARTICLES + i) + 1);
        f->errors[i] = error_naively(s, blurred, &f->poses[i]);
        least = fmin(least, f->errors[i]);
    }
    for (int i = 0; i < PARTICLES; i++) {
        f->weights[i] = exp((least - f->errors[i]) / (0.1 * least * part));
        all += f->weights[i];
    }
    double offset = cal_cpu_uniform(s->seed + 2, (uint64_t)layer, 0, 1);
    for (int i = 0; i < PARTICLES; i++) {
        double sum = 0;
        int from = -1;
        while (from < 0 || (from < PARTICLES - 1 && sum < (i + offset) / PARTICLES * all))
            sum += f->weights[++from];
        f->drawn[i] = f->poses[from];
    }
    return all;
}

static int check_results(const void *state, struct dcs_err *err)
{
    const struct state *s = state;
    struct cal_arena a = {0};
    struct filter *f = cal_arena_take(&a, 1, sizeof *f);
    uint8_t *blurred = cal_arena_take(&a, (size_t)(s->n * s->n), 1);
    blur_naively(s, blurred);
    double all = 0;
    int wrong = 0;
    for (int i = 0; i < PARTICLES; i++)
        f->drawn[i] = neutral();
    for (int layer = 0; layer < LAYERS && !wrong; layer++) {
        all = filter_naively(s, blurred, layer, f);
        wrong = cal_cpu_compare_i32(s->errors + layer * PARTICLES, f->errors, PARTICLES,
                                    "errors of poses", err);
    }
    float want[POSE], got[POSE];
    for (int k = 0; k < POSE; k++) {
        double mean = 0;
        for (int i = 0; i < PARTICLES; i++)
            mean += f->weights[i] / all * (k < 2 ? f->poses[i].place[k] : f->poses[i].angle[k - 2]);
        want[k] = (float)mean;
    }
    memcpy(got, s->errors + LAYERS * PARTICLES, sizeof got);
    if (!wrong)
        wrong = cal_cpu_compare_f32(got, want, POSE, 1e-6, 1e-5, "the pose", err);
    cal_arena_release(&a);
    return wrong;
}

static void *results(void *state, size_t *words)
{
    struct state *s = state;
    *words = LAYERS * PARTICLES + POSE;
    return s->errors;
}

/* Of a pixel 18 operations for its edge and two for each tap; of a point of a limb ten, and 27 to
 * vary an angle of a pose. */
static void count(const void *state, double *operations, double *bytes)
{
    const struct state *s = state;
    double pixels = (double)(s->n * s->n), poses = LAYERS * PARTICLES;
    *operations = pixels * (18 + 4 * TAPS) + poses * (POINTS * 10.0 + POSE * 27);
    *bytes = pixels * (1 + 1 + 1 + 2 + 2 + 1) + poses * (POINTS + 2 * sizeof(struct pose) + 4);
}

const struct cal_cpu_app cal_cpu_app_bodytrack = {
    .name = "bt",
    .role = CAL_CPU_BATCH,
    .papers = "EMU table 5-2: bodytrack of PARSEC",
    .algorithm = "Deutscher and Reid 2005",
    .size_unit = "rows and columns",
    .size_min = 256,
    .size_max = 3072,
    .size_default = 1024,
    .size_check = 64,
    .size_step = 1,
    .create = create,
    .run = run_request,
    .check = check_results,
    .results = results,
    .count = count,
};
