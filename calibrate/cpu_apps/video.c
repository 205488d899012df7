/*
 * video.c - the part of a video encoder that looks for where blocks have moved: Zhu and Ma, "A new
 * diamond search algorithm for fast block-matching motion estimation", IEEE Trans. Image
 * Processing 9(2), 2000, on blocks of 16 x 16; what is left of a block is transformed and quantised
 * as by Malvar, Hallapuro, Karczewicz, Kerofsky, "Low-complexity transform and quantization in
 * H.264/AVC", IEEE Trans. Circuits and Systems for Video Technology 13(7), 2003.
 *
 * A size is the number of rows and of columns of a frame. A request is a clip of FRAMES after the
 * first; threads divide the blocks of each. All is integers.
 */
#include "calibrate/cpu/cpu_app.h"

#include <stdlib.h>
#include <string.h>

enum { FRAMES = 4, BLOCK = 16, PIXELS = BLOCK * BLOCK, REGION = 64, FARTHEST = 32, GRAIN = 4 };
enum { QUANTISER = 28, QUANTISER_BITS = 15 + QUANTISER / 6 };

struct coded {
    int32_t x, y, difference; /* where the block came from, and the sum of absolute differences */
    int32_t tried;            /* places */
    int16_t levels[PIXELS];   /* [4 x 4 squares of 4 x 4] */
};

struct state {
    int64_t n, blocks; /* of a frame */
    uint8_t *frames[FRAMES + 1];
    int frame; /* that is being coded */
    struct coded *result;
};

/* --- inputs: a texture of which each region moves its own way, and noise --- */

/* Between 0 and 255, smooth over 8 pixels. */
static int texture(uint64_t seed, int64_t x, int64_t y)
{
    int64_t corner[4], i = x & 7, j = y & 7;
    for (int k = 0; k < 4; k++) {
        uint64_t at = (uint64_t)((y >> 3) + k / 2) << 32 | (uint32_t)((x >> 3) + k % 2);
        corner[k] = (int64_t)(cal_cpu_random(seed, at) >> 56);
    }
    int64_t top = corner[0] * (8 - i) + corner[1] * i, bottom = corner[2] * (8 - i) + corner[3] * i;
    return (int)((top * (8 - j) + bottom * j) / 64);
}

static void draw(struct state *s, int frame, uint64_t seed)
{
    for (int64_t y = 0; y < s->n; y++)
        for (int64_t x = 0; x < s->n; x++) {
            uint64_t region = (uint64_t)(y / REGION) << 32 | (uint64_t)(x / REGION);
            uint64_t speed = cal_cpu_random(seed + 1, region);
            uint64_t noise = cal_cpu_random(seed + 2, (uint64_t)((frame * s->n + y) * s->n + x));
            int64_t away_x = (int64_t)(speed % 9) - 4, away_y = (int64_t)((speed >> 32) % 9) - 4;
            int light =
                texture(seed, x + frame * away_x + (1 << 20), y + frame * away_y + (1 << 20));
            light += (int)(noise % 7) - 3;
            s->frames[frame][y * s->n + x] = (uint8_t)(light < 0 ? 0 : light > 255 ? 255 : light);
        }
}

static void *create(int64_t size, uint64_t seed, struct cal_arena *a, struct dcs_err *err)
{
    if (size % BLOCK != 0) {
        dcs_err_set(err, "%lld is not a multiple of %d", (long long)size, BLOCK);
        return NULL;
    }
    struct state *s = cal_arena_take(a, 1, sizeof *s);
    s->n = size;
    s->blocks = size / BLOCK * (size / BLOCK);
    for (int f = 0; f <= FRAMES; f++) {
        s->frames[f] = cal_arena_take(a, (size_t)(size * size), 1);
        draw(s, f, seed);
    }
    s->result = cal_arena_take(a, (size_t)(FRAMES * s->blocks), sizeof *s->result);
    return s;
}

/* --- a request --- */

static int32_t difference_of(const uint8_t *now, const uint8_t *before, int64_t stride)
{
    int32_t sum = 0;
    for (int64_t v = 0; v < BLOCK; v++)
        for (int64_t u = 0; u < BLOCK; u++) {
            int away = now[v * stride + u] - before[v * stride + u];
            sum += away < 0 ? -away : away;
        }
    return sum;
}

static bool is_inside(const struct state *s, int64_t block_x, int64_t block_y, int32_t x, int32_t y)
{
    return abs(x) <= FARTHEST && abs(y) <= FARTHEST && block_x + x >= 0 && block_y + y >= 0 &&
           block_x + x + BLOCK <= s->n && block_y + y + BLOCK <= s->n;
}

/* The best of the places of a pattern around where *c is, of equal ones the first, and where it is
 * before all of them. True if it moved. */
static bool move_to_best(const struct state *s, int64_t x, int64_t y, const int8_t (*pattern)[2],
                         int places, struct coded *c)
{
    const uint8_t *now = s->frames[s->frame + 1] + y * s->n + x;
    int32_t from_x = c->x, from_y = c->y;
    for (int i = 0; i < places; i++) {
        int32_t to_x = from_x + pattern[i][0], to_y = from_y + pattern[i][1];
        if (!is_inside(s, x, y, to_x, to_y))
            continue;
        int32_t difference =
            difference_of(now, s->frames[s->frame] + (y + to_y) * s->n + x + to_x, s->n);
        c->tried++;
        if (difference < c->difference) {
            c->difference = difference;
            c->x = to_x;
            c->y = to_y;
        }
    }
    return c->x != from_x || c->y != from_y;
}

static void search(const struct state *s, int64_t x, int64_t y, struct coded *c)
{
    static const int8_t large[8][2] = {{0, -2}, {-1, -1}, {1, -1}, {-2, 0},
                                       {2, 0},  {-1, 1},  {1, 1},  {0, 2}};
    static const int8_t small[4][2] = {{0, -1}, {-1, 0}, {1, 0}, {0, 1}};
    int64_t at = y * s->n + x;
    c->x = c->y = 0;
    c->tried = 1;
    c->difference = difference_of(s->frames[s->frame + 1] + at, s->frames[s->frame] + at, s->n);
    while (move_to_best(s, x, y, large, 8, c))
        ;
    move_to_best(s, x, y, small, 4, c);
}

/* One dimension of the transform, of four values that lie step apart. */
static void transform_line(int32_t *v, int step)
{
    int32_t a = v[0] + v[3 * step], b = v[step] + v[2 * step];
    int32_t c = v[step] - v[2 * step], d = v[0] - v[3 * step];
    v[0] = a + b;
    v[step] = 2 * d + c;
    v[2 * step] = a - b;
    v[3 * step] = d - 2 * c;
}

/* Where rows and columns are both even, both odd, or neither. */
static const int32_t multipliers[3] = {8192, 3355, 5243};

static int16_t quantise(int32_t value, int place)
{
    int row = place / 4, column = place % 4;
    int32_t factor = multipliers[row % 2 != column % 2 ? 2 : row % 2];
    int32_t level = (abs(value) * factor + (1 << QUANTISER_BITS) / 6) >> QUANTISER_BITS;
    return (int16_t)(value < 0 ? -level : level);
}

static void code_rest(const struct state *s, int64_t x, int64_t y, struct coded *c)
{
    const uint8_t *now = s->frames[s->frame + 1] + y * s->n + x;
    const uint8_t *before = s->frames[s->frame] + (y + c->y) * s->n + x + c->x;
    for (int square = 0; square < PIXELS / 16; square++) {
        int32_t v[16];
        for (int i = 0; i < 16; i++) {
            int64_t at = (square / 4 * 4 + i / 4) * s->n + square % 4 * 4 + i % 4;
            v[i] = now[at] - before[at];
        }
        for (int i = 0; i < 4; i++)
            transform_line(v + 4 * i, 1);
        for (int i = 0; i < 4; i++)
            transform_line(v + i, 4);
        for (int i = 0; i < 16; i++)
            c->levels[square * 16 + i] = quantise(v[i], i);
    }
}

static void code(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    const struct state *s = context;
    int64_t across = s->n / BLOCK;
    for (int64_t i = begin; i < end; i++) {
        struct coded *c = &s->result[s->frame * s->blocks + i];
        search(s, i % across * BLOCK, i / across * BLOCK, c);
        code_rest(s, i % across * BLOCK, i / across * BLOCK, c);
    }
}

static void run_request(void *state, struct cal_team *t)
{
    struct state *s = state;
    for (s->frame = 0; s->frame < FRAMES; s->frame++)
        cal_team_for(t, s->blocks, GRAIN, code, s);
}

/* --- the reference: the walk over a table of all places, and the transform as a matrix --- */

enum { ACROSS = 2 * FARTHEST + 1, NOWHERE = INT32_MAX };

/* Sums of absolute differences by place, filled as they are asked for; -1: not yet. */
struct table {
    const struct state *s;
    int frame;
    int64_t block_x, block_y;
    int32_t sums[ACROSS][ACROSS];
    int32_t asked;
};

static int32_t look_up(struct table *t, int32_t x, int32_t y)
{
    int64_t n = t->s->n, from_x = t->block_x + x, from_y = t->block_y + y;
    if (x < -FARTHEST || x > FARTHEST || y < -FARTHEST || y > FARTHEST || from_x < 0 ||
        from_y < 0 || from_x > n - BLOCK || from_y > n - BLOCK)
        return NOWHERE;
    t->asked++;
    int32_t *sum = &t->sums[y + FARTHEST][x + FARTHEST];
    if (*sum >= 0)
        return *sum;
    *sum = 0;
    for (int i = 0; i < PIXELS; i++) {
        int a = t->s->frames[t->frame + 1][(t->block_y + i / BLOCK) * n + t->block_x + i % BLOCK];
        int b = t->s->frames[t->frame][(from_y + i / BLOCK) * n + from_x + i % BLOCK];
        *sum += a > b ? a - b : b - a;
    }
    return *sum;
}

/* Goes to the least of the places at `distance`, counted along rows and columns; false: it is
 * here. */
static bool walk(struct table *t, int32_t distance, int32_t *x, int32_t *y, int32_t *least)
{
    int32_t at_x = *x, at_y = *y;
    for (int32_t v = -distance; v <= distance; v++)
        for (int32_t u = -distance; u <= distance; u++) {
            if (abs(u) + abs(v) != distance)
                continue;
            int32_t sum = look_up(t, at_x + u, at_y + v);
            if (sum < *least) {
                *least = sum;
                *x = at_x + u;
                *y = at_y + v;
            }
        }
    return *x != at_x || *y != at_y;
}

static int32_t level_of(const struct table *t, int32_t x, int32_t y, int square, int row,
                        int column)
{
    static const int32_t matrix[4][4] = {
        {1, 1, 1, 1}, {2, 1, -1, -2}, {1, -1, -1, 1}, {1, -2, 2, -1}};
    int32_t sum = 0;
    for (int i = 0; i < 16; i++) {
        int64_t v = t->block_y + square / 4 * 4 + i / 4, u = t->block_x + square % 4 * 4 + i % 4;
        int32_t rest = t->s->frames[t->frame + 1][v * t->s->n + u] -
                       t->s->frames[t->frame][(v + y) * t->s->n + u + x];
        sum += matrix[row][i / 4] * rest * matrix[column][i % 4];
    }
    double factor = row % 2 == 0 && column % 2 == 0   ? 8192
                    : row % 2 == 1 && column % 2 == 1 ? 3355
                                                      : 5243;
    double level = (abs(sum) * factor + 87381) / 524288; /* a sixth of 2^19 */
    return sum < 0 ? -(int32_t)level : (int32_t)level;
}

static int check_block(struct table *t, const struct coded *c, struct dcs_err *err)
{
    int32_t x = 0, y = 0, least = look_up(t, 0, 0);
    while (walk(t, 2, &x, &y, &least))
        ;
    walk(t, 1, &x, &y, &least);
    if (c->x != x || c->y != y || c->difference != least || c->tried != t->asked)
        return dcs_err_set(err,
                           "frame %d, block at %lld, %lld: moved by %d, %d (%d, tried %d), not by "
                           "%d, %d (%d, tried %d)",
                           t->frame + 1, (long long)t->block_x, (long long)t->block_y, c->x, c->y,
                           c->difference, c->tried, x, y, least, t->asked);
    for (int i = 0; i < PIXELS; i++) {
        int32_t want = level_of(t, x, y, i / 16, i / 4 % 4, i % 4);
        if (c->levels[i] != want)
            return dcs_err_set(err, "frame %d, block at %lld, %lld: level %d is %d, not %d",
                               t->frame + 1, (long long)t->block_x, (long long)t->block_y, i,
                               c->levels[i], want);
    }
    return 0;
}

static int check_results(const void *state, struct dcs_err *err)
{
    const struct state *s = state;
    struct table *t = dcs_alloc(1, sizeof *t);
    int wrong = 0;
    for (int64_t i = 0; i < FRAMES * s->blocks && !wrong; i++) {
        int64_t block = i % s->blocks, across = s->n / BLOCK;
        *t = (struct table){.s = s,
                            .frame = (int)(i / s->blocks),
                            .block_x = block % across * BLOCK,
                            .block_y = block / across * BLOCK};
        memset(t->sums, -1, sizeof t->sums);
        wrong = check_block(t, &s->result[i], err);
    }
    free(t);
    return wrong;
}

static void *results(void *state, size_t *words)
{
    struct state *s = state;
    *words = (size_t)(FRAMES * s->blocks) * (sizeof *s->result / 4);
    return s->result;
}

/* A pixel of a place that is tried has three operations; of the rest a difference, ten additions
 * and doublings to a line of four in each of two dimensions, and four to quantise. */
static void count(const void *state, double *operations, double *bytes)
{
    const struct state *s = state;
    *operations = 0;
    for (int64_t i = 0; i < FRAMES * s->blocks; i++)
        *operations += PIXELS * (3.0 * s->result[i].tried + 1 + 2 * 10 / 4.0 + 4);
    *bytes =
        (FRAMES + 1) * (double)(s->n * s->n) + (double)(FRAMES * s->blocks) * sizeof *s->result;
}

const struct cal_cpu_app cal_cpu_app_video = {
    .name = "x264",
    .role = CAL_CPU_BATCH,
    .papers = "EMU table 5-2: x264 of PARSEC",
    .algorithm = "Zhu and Ma 2000; Malvar et al. 2003",
    .size_unit = "rows and columns",
    .size_min = 256,
    .size_max = 2048,
    .size_default = 1280,
    .size_check = 80,
    .size_step = BLOCK,
    .create = create,
    .run = run_request,
    .check = check_results,
    .results = results,
    .count = count,
};
