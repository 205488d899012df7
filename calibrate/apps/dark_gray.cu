/*
 * dark_gray.cu - colour images to darkened gray ones: each pixel becomes its luma, with the weights
 * of Recommendation ITU-R BT.601, times DARKER, rounded. TReM table III: Darkgray, user-facing.
 *
 * A size is a number of images of WIDTH x HEIGHT pixels, three bytes each. A request uploads them,
 * converts all in one kernel and downloads one byte for each pixel; as in the paper, nearly all of
 * its time are transfers. One kernel is one transfer of up to POOL images, or the conversion.
 *
 * Simplified: pinned memory holds POOL images, which a larger request uploads several times, to
 * places of their own.
 */
#include "calibrate/app/app.cuh"

#include <algorithm>
#include <math.h>
#include <stdio.h>
#include <vector>

namespace
{

constexpr int WIDTH = 1280, HEIGHT = 720;
constexpr int PIXELS = WIDTH * HEIGHT; /* of an image, a multiple of 4 */
constexpr int POOL = 64;
constexpr float RED = 0.299f, GREEN = 0.587f, BLUE = 0.114f, DARKER = 0.6f;
constexpr int THREADS = 256;

struct state {
    int images, pool;
    unsigned char *colour_host, *gray_host, *colour, *gray;
};

/* --- the kernel --- */

__device__ unsigned darken(unsigned r, unsigned g, unsigned b)
{
    float luma = RED * (float)r + GREEN * (float)g + BLUE * (float)b;
    return (unsigned)(luma * DARKER + 0.5f);
}

/* Four pixels a thread: three words in, one out. */
__global__ void convert(const unsigned *colour, unsigned *gray, int64_t words)
{
    int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= words)
        return;
    /* r0 g0 b0 r1, g1 b1 r2 g2, b2 r3 g3 b3, the first in the lowest byte. */
    unsigned a = colour[3 * i], b = colour[3 * i + 1], c = colour[3 * i + 2];
    gray[i] = darken(a & 0xff, a >> 8 & 0xff, a >> 16 & 0xff) |
              darken(a >> 24, b & 0xff, b >> 8 & 0xff) << 8 |
              darken(b >> 16 & 0xff, b >> 24, c & 0xff) << 16 |
              darken(c >> 8 & 0xff, c >> 16 & 0xff, c >> 24) << 24;
}

/* --- the application --- */

void destroy(void *state)
{
    struct state *s = (struct state *)state;
    if (s == NULL)
        return;
    cudaFreeHost(s->colour_host);
    cudaFreeHost(s->gray_host);
    cudaFree(s->colour);
    cudaFree(s->gray);
    delete s;
}

/* A slope from dark to light under noise of 64 levels. */
void paint(unsigned char *image, uint64_t seed, uint64_t number)
{
    size_t bytes = (size_t)PIXELS * 3;
    for (size_t i = 0; i < bytes; i += 8) {
        uint64_t bits = cal_random_u64(seed, number * bytes + i);
        unsigned slope = (unsigned)(i * 192 / bytes);
        for (size_t k = 0; k < 8; k++)
            image[i + k] = (unsigned char)(slope + (bits >> (8 * k) & 63));
    }
}

void *create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    struct state *s = new state();
    s->images = (int)size;
    s->pool = (int)std::min(size, (int64_t)POOL);
    size_t images = (size_t)s->images, pool = (size_t)s->pool;
    if (cal_host_alloc((void **)&s->colour_host, pool * PIXELS * 3, err) != 0 ||
        cal_host_alloc((void **)&s->gray_host, pool * PIXELS, err) != 0 ||
        cal_device_alloc((void **)&s->colour, images * PIXELS * 3, err) != 0 ||
        cal_device_alloc((void **)&s->gray, images * PIXELS, err) != 0) {
        destroy(s);
        return NULL;
    }
    for (int i = 0; i < s->pool; i++)
        paint(s->colour_host + (size_t)i * PIXELS * 3, seed, (uint64_t)i);
    return s;
}

void add_transfers(const struct state *s, struct cal_plan *p, enum cal_kind kind)
{
    for (int from = 0; from < s->images; from += POOL) {
        size_t first = (size_t)from, images = (size_t)std::min(POOL, s->images - from);
        char name[CAL_NAME_BYTES];
        snprintf(name, sizeof name, "%s_%zu_%zu", kind == CAL_TO_DEVICE ? "colour" : "gray",
                 first + 1, first + images);
        if (kind == CAL_TO_DEVICE)
            cal_add_transfer(p, kind, name, s->colour + first * PIXELS * 3, s->colour_host,
                             images * PIXELS * 3);
        else
            cal_add_transfer(p, kind, name, s->gray_host, s->gray + first * PIXELS,
                             images * PIXELS);
    }
}

int plan(void *state, int, struct cal_plan *p, struct dcs_err *)
{
    struct state *s = (struct state *)state;
    add_transfers(s, p, CAL_TO_DEVICE);
    struct cal_kernel *k =
        cal_begin_kernel(p, CAL_COMPUTE, "convert", "convert_%dx%d", s->images, PIXELS);
    k->repeatable = true;
    k->flop = (double)s->images * PIXELS * 7;
    k->bytes = (double)s->images * PIXELS * 4;
    int64_t words = (int64_t)s->images * PIXELS / 4;
    cal_add_launch(p, convert, cal_blocks(words, THREADS), THREADS, 0, (const unsigned *)s->colour,
                   (unsigned *)s->gray, words);
    add_transfers(s, p, CAL_FROM_DEVICE);
    return 0;
}

/* Within rounding: a value in the middle between two levels may become either. */
int check_image(const struct state *s, int number, const unsigned char *got, struct dcs_err *err)
{
    const unsigned char *colour = s->colour_host + (size_t)(number % POOL) * PIXELS * 3;
    for (int i = 0; i < PIXELS; i++) {
        const unsigned char *pixel = colour + 3 * (size_t)i;
        double want = 0.6 * (0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2]);
        if (!(fabs(got[i] - want) <= 0.5 + 1e-4))
            return cal_fail(err, "image %d, row %d, column %d: %d instead of %.4f, rounded", number,
                            i / WIDTH, i % WIDTH, got[i], want);
    }
    return 0;
}

int check_results(void *state, struct dcs_err *err)
{
    struct state *s = (struct state *)state;
    for (int i = 0; i < s->pool; i++)
        if (check_image(s, i, s->gray_host + (size_t)i * PIXELS, err) != 0)
            return -1;
    /* Later downloads overwrote earlier ones: what the device has of all images. */
    std::vector<unsigned char> gray(PIXELS);
    for (int i = 0; i < s->images; i++) {
        cudaMemcpy(gray.data(), s->gray + (size_t)i * PIXELS, PIXELS, cudaMemcpyDeviceToHost);
        if (check_image(s, i, gray.data(), err) != 0)
            return -1;
    }
    return 0;
}

} // namespace

extern "C" const struct cal_app cal_app_dark_gray;
const struct cal_app cal_app_dark_gray = {
    .name = "dark-gray",
    .role = CAL_SERVICE,
    .papers = "TReM table III: Darkgray (user-facing)",
    .algorithm = "luma of Recommendation ITU-R BT.601, 1982",
    .size_unit = "images",
    .size_min = 13,
    .size_max = 600,
    .size_default = 400,
    .size_check = POOL + 2,
    .size_step = 1,
    .sla_ns = INT64_C(200000000),
    .create = create,
    .plan = plan,
    .check = check_results,
    .destroy = destroy,
};
