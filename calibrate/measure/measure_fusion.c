/*
 * measure_fusion.c - fused launches of a tensor-core and a CUDA-core kernel, over the load ratio
 * (Tacker, sections V-C and VI-A).
 *
 * A step is one tensor kernel at one size with one CUDA kernel. Both persistent kernels are timed
 * alone; the CUDA kernel at two loads, from whose line the load for each wanted ratio
 * cuda / tensor is taken, and the time at that load is measured again. Then each candidate (blocks
 * of each in one fused block; 0 and 0: one after the other) runs at each ratio. Medians of a few
 * launches; the whole device.
 */
#include "calibrate/gpu/fused_kernels.h"
#include "calibrate/measure/work.h"

#include <stdlib.h>
#include <string.h>

#define SIZES        3 /* of the tensor kernel: the default one, a half, the double */
#define RATIO_STEP   10
#define RATIO_MAX    190  /* percent */
#define LAUNCHES     6    /* of each point; the first is not kept */
#define SECONDS_EACH 3e-4 /* of a step, by candidate and size */

/* --- plan --- */

static int64_t size_of(const struct cal_fusion_limits *l, int i)
{
    int64_t size = i == 0   ? l->tensor_default
                   : i == 1 ? l->tensor_default / 2
                            : l->tensor_default * 2;
    size = size / l->tensor_step * l->tensor_step;
    return size < l->tensor_min ? l->tensor_min : size > l->tensor_max ? l->tensor_max : size;
}

static bool same_kernels(const struct cal_fusion_pair *a, const struct cal_fusion_pair *b)
{
    return strcmp(a->tensor, b->tensor) == 0 && strcmp(a->cuda, b->cuda) == 0;
}

static void plan(const struct cal_session *s, struct cal_steps *steps)
{
    (void)s;
    size_t count;
    const struct cal_fusion_pair *pairs = cal_fusion_pairs(&count);
    for (int i = 0; i < SIZES; i++)
        for (size_t first = 0, next; first < count; first = next) {
            for (next = first + 1; next < count && same_kernels(&pairs[first], &pairs[next]);)
                next++;
            struct cal_fusion_limits limits = cal_fusion_get_limits(&pairs[first]);
            int64_t size = size_of(&limits, i);
            if (i > 0 && size == size_of(&limits, 0))
                continue;
            struct cal_step *step =
                cal_steps_add(steps, &cal_measure_fusion, "fusion/%s/%lld/%s", pairs[first].tensor,
                              (long long)size, pairs[first].cuda);
            step->size = size;
            step->other_size = i > 0;
            step->item[0] = (int64_t)first;
            step->item[1] = (int64_t)(next - first);
            step->seconds = SECONDS_EACH * (double)size * (double)(next - first);
        }
}

/* --- one point --- */

typedef cudaError_t (*launch_fn)(struct cal_fusion *f, cudaStream_t stream);

static int sample(struct cal_session *s, struct cal_fusion *f, launch_fn launch,
                  struct cal_statistics *out, struct dcs_err *err)
{
    struct cal_gpu *g = s->gpu;
    cudaStream_t stream = g->cached[0].stream;
    struct cal_samples set = {0};
    int failed = 0;
    for (int i = 0; i < LAUNCHES && !failed; i++) {
        struct cal_clock_mark mark = cal_gpu_clock_begin(g);
        int64_t ns;
        int clock_mhz;
        bool throttled;
        failed =
            cal_gpu_close_gate(g, stream, err) != 0 ||
            cal_gpu_check(g, cudaEventRecord(g->begin, stream), "recording an event", err) != 0 ||
            cal_gpu_check(g, launch(f, stream), "launching", err) != 0 ||
            cal_gpu_check(g, cudaEventRecord(g->end, stream), "recording an event", err) != 0;
        cal_gpu_open_gate(g);
        if (!failed)
            failed = cal_gpu_wait(g, g->end, "a fused launch", err) != 0 ||
                     cal_gpu_elapsed(g, g->begin, g->end, &ns, err) != 0;
        if (failed)
            break;
        cal_gpu_clock_end(g, mark, &clock_mhz, &throttled);
        if (i > 0)
            cal_samples_add(&set, ns, clock_mhz, throttled);
    }
    if (!failed)
        failed = cal_samples_statistics(&set, CAL_STOP_COUNT, "warm", out, err);
    cal_samples_release(&set);
    return failed ? -1 : 0;
}

/* Median of the CUDA part alone at a load, which is set. */
static int cuda_at(struct cal_session *s, struct cal_fusion *f, int64_t load, int64_t *ns,
                   struct dcs_err *err)
{
    struct cal_statistics v;
    cal_fusion_set_load(f, load);
    if (sample(s, f, cal_fusion_launch_cuda, &v, err) != 0)
        return -1;
    *ns = v.median_ns;
    return 0;
}

/* ns = base + slope * load, from two loads. */
struct line {
    double base, slope;
};

static int64_t load_for(const struct line *l, double ns, int64_t load_max)
{
    double load = (ns - l->base) / l->slope + 0.5;
    return load < 1 ? 1 : load > (double)load_max ? load_max : (int64_t)load;
}

/* --- a step --- */

struct group {
    const struct cal_fusion_pair *pairs;
    size_t count;
    int64_t size, load_max;
    int64_t tensor_ns;
    int64_t loads[RATIO_MAX / RATIO_STEP], cuda_ns[RATIO_MAX / RATIO_STEP];
    int ratios[RATIO_MAX / RATIO_STEP]; /* percent, that were reached */
    size_t points;
};

/* Finds the largest load that is needed, by the line through two small ones. */
static int find_line(struct cal_session *s, struct group *u, struct line *line, struct dcs_err *err)
{
    struct dcs_err why = {0};
    int64_t trial = u->load_max < 4096 ? u->load_max : 4096, low_ns, high_ns;
    struct cal_fusion *f =
        cal_fusion_create(&u->pairs[0], u->size, trial, s->gpu->sms, s->seed, &why);
    if (f == NULL)
        return dcs_err_set(err, "%s", why.text);
    struct cal_statistics tensor;
    int64_t low = trial / 2 > 0 ? trial / 2 : 1;
    int failed = sample(s, f, cal_fusion_launch_tensor, &tensor, err) != 0 ||
                 cuda_at(s, f, low, &low_ns, err) != 0 || cuda_at(s, f, trial, &high_ns, err) != 0;
    if (!s->gpu->dead)
        cal_fusion_destroy(f);
    if (failed)
        return -1;
    u->tensor_ns = tensor.median_ns;
    if (trial == low || high_ns <= low_ns)
        return dcs_err_set(err, "the CUDA part does not get longer with its load");
    line->slope = (double)(high_ns - low_ns) / (double)(trial - low);
    line->base = (double)low_ns - line->slope * (double)low;
    return 0;
}

static int measure_parts(struct cal_session *s, struct group *u, const struct line *line,
                         struct cal_fusion *f, struct dcs_err *err)
{
    for (int percent = RATIO_STEP; percent <= RATIO_MAX; percent += RATIO_STEP) {
        int64_t load = load_for(line, (double)u->tensor_ns * percent / 100, u->load_max);
        if (u->points > 0 && load == u->loads[u->points - 1])
            continue;
        int64_t ns;
        if (cuda_at(s, f, load, &ns, err) != 0)
            return -1;
        u->loads[u->points] = load;
        u->cuda_ns[u->points] = ns;
        u->ratios[u->points++] = (int)((double)ns / (double)u->tensor_ns * 100 + 0.5);
    }
    return 0;
}

/* ends: NULL without fusion. */
static int store_point(struct cal_session *s, const struct group *u,
                       const struct cal_fusion_pair *pair, size_t i,
                       const struct cal_fusion_times *ends, const struct cal_fusion_resources *r,
                       const struct cal_statistics *v, struct dcs_err *err)
{
    int64_t tensor_blocks = pair->tensor_blocks, cuda_blocks = pair->cuda_blocks;
    int64_t registers = r->registers, threads = r->threads, ratio = u->ratios[i];
    if (ends == NULL)
        return cal_store_put(s->store, err, "fused", "titiiiiiinniiis", pair->tensor, u->size,
                             pair->cuda, u->loads[i], tensor_blocks, cuda_blocks, ratio,
                             u->tensor_ns, u->cuda_ns[i], registers, r->shared_bytes, threads, v);
    return cal_store_put(s->store, err, "fused", "titiiiiiiiiiiis", pair->tensor, u->size,
                         pair->cuda, u->loads[i], tensor_blocks, cuda_blocks, ratio, u->tensor_ns,
                         u->cuda_ns[i], ends->tensor_end_ns, ends->cuda_end_ns, registers,
                         r->shared_bytes, threads, v);
}

static int measure_candidate(struct cal_session *s, const struct group *u,
                             const struct cal_fusion_pair *pair, struct cal_fusion *f,
                             struct dcs_err *err)
{
    struct cal_fusion_resources r = cal_fusion_get_resources(f);
    bool fused = pair->tensor_blocks > 0;
    for (size_t i = 0; i < u->points; i++) {
        struct cal_statistics v;
        struct cal_fusion_times ends = {0};
        struct dcs_err why = {0};
        cal_fusion_set_load(f, u->loads[i]);
        if (sample(s, f, cal_fusion_launch_fused, &v, err) != 0)
            return -1;
        if (fused && cal_fusion_read_times(f, &ends, &why) != 0)
            return dcs_err_set(err, "%s", why.text);
        if (store_point(s, u, pair, i, fused ? &ends : NULL, &r, &v, err) != 0)
            return -1;
    }
    return 0;
}

static int run_step(struct cal_session *s, const struct cal_step *step, struct dcs_err *err)
{
    size_t all;
    const struct cal_fusion_pair *pairs = cal_fusion_pairs(&all);
    struct group u = {.pairs = &pairs[step->item[0]],
                      .count = (size_t)step->item[1],
                      .size = step->size,
                      .load_max = cal_fusion_get_limits(&pairs[step->item[0]]).load_max};
    struct line line = {0};
    if (cal_gpu_wake(s->gpu, err) != 0 || find_line(s, &u, &line, err) != 0)
        return -1;
    int64_t largest =
        load_for(&line, (double)u.tensor_ns * (RATIO_MAX + RATIO_STEP) / 100, u.load_max);
    int failed = 0;
    for (size_t i = 0; i < u.count && !failed; i++) {
        struct dcs_err why = {0};
        struct cal_fusion *f =
            cal_fusion_create(&u.pairs[i], u.size, largest, s->gpu->sms, s->seed, &why);
        if (f == NULL) {
            /* A candidate for which this device has no room is no failure of the others. */
            if (i > 0 && !s->gpu->dead)
                continue;
            return dcs_err_set(err, "%s", why.text);
        }
        failed = (i == 0 && measure_parts(s, &u, &line, f, err) != 0) ||
                 measure_candidate(s, &u, &u.pairs[i], f, err) != 0;
        if (!s->gpu->dead)
            cal_fusion_destroy(f);
    }
    return failed ? -1 : 0;
}

const struct cal_measure cal_measure_fusion = {
    .name = "fusion",
    .help = "tensor-core and CUDA-core kernels in one launch, over the load ratio",
    .plan = plan,
    .run = run_step,
};
