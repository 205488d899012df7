/*
 * fe.c - descriptions of the surroundings of interest points by SURF: Bay, Ess, Tuytelaars, Van
 * Gool, "Speeded-up robust features (SURF)", Computer Vision and Image Understanding 110(3), 2008,
 * section 4: the direction in which Haar wavelets around a point respond most, then 64 sums of
 * wavelets on a square that is turned into it.
 *
 * A size is the number of rows and of columns; a point for each 256 pixels, at random places and
 * scales. Threads divide rows of the integral image, then points, whose boxes lie scattered in it.
 */
#include "calibrate/cpu_apps/integral.h"

#include <math.h>
#include <string.h>

enum { RADIUS = 6, WINDOWS = 42, SUMS = 64, GRAIN = 4, PIXELS_PER_POINT = 256 };
/* Around a point these are the farthest reads, in scales, and pixels for rounding. */
enum { REACH = 17, ROUNDING = 3 };
static const double window_step = 0.15, window_width = 1.0471975511965976; /* 60 degrees */

struct point {
    double x, y, scale;
};

struct described {
    float orientation;
    float sums[SUMS]; /* [4 x 4 regions][dx, dy, |dx|, |dy|], a unit vector */
};

struct state {
    struct image image;
    int64_t points;
    struct point *given;
    float near[RADIUS][RADIUS]; /* weights by distance, where the direction is sought */
    float far[10][10];          /* on a quarter of the square */
    struct described *result;
};

static double bell(double square, double deviation)
{
    return exp(-square / (2 * deviation * deviation));
}

static void *create(int64_t size, uint64_t seed, struct cal_arena *a, struct dcs_err *err)
{
    (void)err;
    struct state *s = cal_arena_take(a, 1, sizeof *s);
    image_create(&s->image, size, seed, a);
    s->points = size * size / PIXELS_PER_POINT;
    s->given = cal_arena_take(a, (size_t)s->points, sizeof *s->given);
    s->result = cal_arena_take(a, (size_t)s->points, sizeof *s->result);
    double widest = ((double)size / 2 - ROUNDING) / REACH;
    for (int64_t i = 0; i < s->points; i++) {
        struct point *p = &s->given[i];
        p->scale = cal_cpu_uniform(seed + 2, (uint64_t)(3 * i), 1.2, fmin(widest, 4.8));
        double edge = REACH * p->scale + ROUNDING;
        p->x = cal_cpu_uniform(seed + 2, (uint64_t)(3 * i + 1), edge, (double)size - edge);
        p->y = cal_cpu_uniform(seed + 2, (uint64_t)(3 * i + 2), edge, (double)size - edge);
    }
    for (int i = 0; i < RADIUS; i++)
        for (int j = 0; j < RADIUS; j++)
            s->near[i][j] = (float)bell(i * i + j * j, 2);
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++)
            s->far[i][j] = (float)bell((i + 0.5) * (i + 0.5) + (j + 0.5) * (j + 0.5), 3.3);
    return s;
}

/* Haar wavelets of 2 half x 2 half pixels around a place: right minus left, below minus above. */
static void haar(const struct image *m, double at_x, double at_y, int64_t half, float *dx,
                 float *dy)
{
    int64_t x = lround(at_x), y = lround(at_y), all = 2 * half;
    *dx =
        (float)(image_box(m, x, y - half, half, all) - image_box(m, x - half, y - half, half, all));
    *dy =
        (float)(image_box(m, x - half, y, all, half) - image_box(m, x - half, y - half, all, half));
}

static float orientation_of(const struct state *s, const struct point *p)
{
    float dx[4 * RADIUS * RADIUS], dy[4 * RADIUS * RADIUS];
    double angle[4 * RADIUS * RADIUS];
    int n = 0;
    for (int v = -RADIUS + 1; v < RADIUS; v++)
        for (int u = -RADIUS + 1; u < RADIUS; u++) {
            if (u * u + v * v >= RADIUS * RADIUS)
                continue;
            float weight = s->near[v < 0 ? -v : v][u < 0 ? -u : u];
            haar(&s->image, p->x + u * p->scale, p->y + v * p->scale, lround(2 * p->scale), &dx[n],
                 &dy[n]);
            angle[n] = atan2((double)dy[n], (double)dx[n]);
            dx[n] *= weight;
            dy[n++] *= weight;
        }
    float best = -1, best_x = 0, best_y = 0;
    for (int w = 0; w < WINDOWS; w++) {
        double begin = w * window_step - 3.1;
        float x = 0, y = 0;
        for (int i = 0; i < n; i++) {
            double behind = angle[i] - begin;
            behind += behind < 0 ? 6.283185307179586 : 0;
            x += behind < window_width ? dx[i] : 0;
            y += behind < window_width ? dy[i] : 0;
        }
        if (x * x + y * y > best) {
            best = x * x + y * y;
            best_x = x;
            best_y = y;
        }
    }
    return atan2f(best_y, best_x);
}

static void describe(const struct state *s, const struct point *p, struct described *d)
{
    double c = cos((double)d->orientation), si = sin((double)d->orientation);
    float along = (float)c, across = (float)si, length = 0;
    int64_t half = lround(p->scale);
    memset(d->sums, 0, sizeof d->sums);
    for (int v = 0; v < 20; v++)
        for (int u = 0; u < 20; u++) {
            double x = (u - 9.5) * p->scale, y = (v - 9.5) * p->scale;
            float dx, dy, weight = s->far[v < 10 ? 9 - v : v - 10][u < 10 ? 9 - u : u - 10];
            haar(&s->image, p->x + x * c - y * si, p->y + x * si + y * c, half, &dx, &dy);
            float turned_x = weight * (dx * along + dy * across);
            float turned_y = weight * (dy * along - dx * across);
            float *to = d->sums + 4 * (v / 5 * 4 + u / 5);
            to[0] += turned_x;
            to[1] += turned_y;
            to[2] += fabsf(turned_x);
            to[3] += fabsf(turned_y);
        }
    for (int i = 0; i < SUMS; i++)
        length += d->sums[i] * d->sums[i];
    float scale = length > 0 ? 1 / sqrtf(length) : 0;
    for (int i = 0; i < SUMS; i++)
        d->sums[i] *= scale;
}

static void extract(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    const struct state *s = context;
    for (int64_t i = begin; i < end; i++) {
        s->result[i].orientation = orientation_of(s, &s->given[i]);
        describe(s, &s->given[i], &s->result[i]);
    }
}

static void run_request(void *state, struct cal_team *t)
{
    struct state *s = state;
    image_integrate(&s->image, t);
    cal_team_for(t, s->points, GRAIN, extract, s);
}

/* --- the reference: wavelets pixel by pixel, angles instead of rotations --- */

static void haar_by_pixels(const struct image *m, double at_x, double at_y, int64_t half,
                           double *dx, double *dy)
{
    int64_t x = lround(at_x), y = lround(at_y);
    *dx = *dy = 0;
    for (int64_t v = -half; v < half; v++)
        for (int64_t u = -half; u < half; u++) {
            double pixel = m->pixels[(y + v) * m->n + x + u];
            *dx += u < 0 ? -pixel : pixel;
            *dy += v < 0 ? -pixel : pixel;
        }
}

/* Whether a window has an orientation's angle, and is no shorter than the longest: several may be
 * as long but for rounding. Windows are between two rays. */
static int check_orientation(const struct state *s, const struct point *p, double got,
                             struct dcs_err *err)
{
    double x[WINDOWS] = {0}, y[WINDOWS] = {0}, longest = 0;
    for (int v = -RADIUS; v <= RADIUS; v++)
        for (int u = -RADIUS; u <= RADIUS; u++) {
            double dx, dy, far = hypot(u, v);
            if (far >= RADIUS)
                continue;
            haar_by_pixels(&s->image, p->x + u * p->scale, p->y + v * p->scale,
                           lround(2 * p->scale), &dx, &dy);
            for (int w = 0; w < WINDOWS; w++) {
                double one = w * window_step - 3.1, other = one + acos(-1) / 3;
                if (cos(one) * dy - sin(one) * dx < 0 || cos(other) * dy - sin(other) * dx >= 0)
                    continue;
                x[w] += dx * exp(-far * far / 8);
                y[w] += dy * exp(-far * far / 8);
            }
        }
    for (int w = 0; w < WINDOWS; w++)
        longest = fmax(longest, hypot(x[w], y[w]));
    for (int w = 0; w < WINDOWS; w++) {
        double along = x[w] * cos(got) + y[w] * sin(got),
               across = y[w] * cos(got) - x[w] * sin(got);
        if (along >= (1 - 1e-4) * longest && fabs(across) <= 1e-4 * longest)
            return 0;
    }
    return dcs_err_set(err, "no window at %g, %g of those that respond most has the orientation %g",
                       p->x, p->y, got);
}

static void describe_by_angles(const struct state *s, const struct point *p, double turn,
                               float want[SUMS])
{
    double sums[SUMS] = {0}, square = 0;
    for (int i = 0; i < 400; i++) {
        int region = i / 25, u = region % 4 * 5 + i % 5, v = region / 4 * 5 + i / 5 % 5;
        double x = u - 9.5, y = v - 9.5, dx, dy, far = hypot(x, y), angle = atan2(y, x) + turn;
        haar_by_pixels(&s->image, p->x + far * p->scale * cos(angle),
                       p->y + far * p->scale * sin(angle), lround(p->scale), &dx, &dy);
        double response = hypot(dx, dy) * exp(-far * far / (2 * 3.3 * 3.3));
        angle = atan2(dy, dx) - turn;
        sums[4 * region] += response * cos(angle);
        sums[4 * region + 1] += response * sin(angle);
        sums[4 * region + 2] += fabs(response * cos(angle));
        sums[4 * region + 3] += fabs(response * sin(angle));
    }
    for (int i = 0; i < SUMS; i++)
        square += sums[i] * sums[i];
    for (int i = 0; i < SUMS; i++)
        want[i] = (float)(sums[i] / sqrt(square));
}

static int check_results(const void *state, struct dcs_err *err)
{
    const struct state *s = state;
    for (int64_t i = 0; i < s->points; i++) {
        const struct described *d = &s->result[i];
        float want[SUMS];
        if (check_orientation(s, &s->given[i], (double)d->orientation, err) != 0)
            return -1;
        describe_by_angles(s, &s->given[i], (double)d->orientation, want);
        if (cal_cpu_compare_f32(d->sums, want, SUMS, 1e-5, 1e-4, "sums of a point", err) != 0)
            return -1;
    }
    return 0;
}

static void *results(void *state, size_t *words)
{
    struct state *s = state;
    *words = (size_t)s->points * (sizeof *s->result / 4);
    return s->result;
}

/* A wavelet pair has four boxes of three additions, and two differences. Boxes count as 16 reads of
 * a wavelet: of the integral image as many bytes as that, or all of it where that is less. */
static void count(const void *state, double *operations, double *bytes)
{
    const struct state *s = state;
    double pixels = (double)(s->image.n * s->image.n), points = (double)s->points;
    *operations =
        2 * pixels + points * (109 * (14 + 3) + WINDOWS * 109 * 4 + 400 * (14 + 16) + 3 * SUMS);
    *bytes =
        5 * pixels + points * sizeof *s->result + fmin(4 * pixels, points * (109 + 400) * 16 * 4);
}

const struct cal_cpu_app cal_cpu_app_fe = {
    .name = "fe",
    .role = CAL_CPU_SERVICE,
    .papers = "EMU table 5-2: fe of Sirius",
    .algorithm = "Bay, Ess, Tuytelaars, Van Gool 2008, section 4",
    .size_unit = "rows and columns",
    .size_min = 256,
    .size_max = 2560,
    .size_default = 640,
    .size_check = 64,
    .size_step = 1,
    .sla_ns = 150000000,
    .create = create,
    .run = run_request,
    .check = check_results,
    .results = results,
    .count = count,
};
