/*
 * split_predicted.c - one step whose shares are those for which CPU and GPU are predicted to end at
 * once: what Static is with perfect records (Wang, thesis, section 4.3.1.1, on Qilin). It is
 * told the medians that times are drawn from, or by predictor "clairvoyant" the times: a bound of
 * divisions in one step either way, and marked as such.
 *
 * Predicted time grows with the iterations of a chunk, so that a bisection finds where the two
 * sides cross. All on one side is taken where that is predicted to be shorter.
 */
#include "policies/lib/divider.h"

/* What GPUs take that have `gpu` of `work` together, each the same; and what the CPU takes of the
 * rest. 0 iterations take no time. -1: not known. */
static int64_t ask_sides(const struct divider *self, const struct host_division *work, uint64_t gpu,
                         int64_t *cpu_ns)
{
    uint64_t each = self->gpus > 0 ? gpu / self->gpus : 0, rest = work->left - gpu;
    uint32_t cpu = self->gpus; /* any device of that side will do */
    for (uint32_t i = 0; i < self->count; i++)
        cpu = self->devices[i].gpu ? cpu : i;
    uint32_t first_gpu = cpu == 0 ? 1 : 0;
    *cpu_ns = rest > 0 ? host_predict_chunk(self->host, self->now, cpu, rest) : 0;
    return each > 0 ? host_predict_chunk(self->host, self->now, first_gpu, each) : 0;
}

static int64_t time_of(const struct divider *self, const struct host_division *work, uint64_t gpu)
{
    int64_t cpu_ns, gpu_ns = ask_sides(self, work, gpu, &cpu_ns);
    return cpu_ns > gpu_ns ? cpu_ns : gpu_ns;
}

/* Whether divider_give() gives out this division as it is: the smaller side is rounded to blocks.
 */
static bool is_kept(const struct host_division *work, uint64_t gpu)
{
    uint64_t cpu = work->left - gpu;
    return gpu <= work->left && (gpu < cpu ? gpu : cpu) % work->chunk_min == 0;
}

/* Iterations for GPUs. */
static uint64_t find_share(const struct divider *self, const struct host_division *work)
{
    uint64_t least = work->chunk_min, low = 0, high = work->left / least; /* times `least` */
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        int64_t cpu_ns, gpu_ns = ask_sides(self, work, middle * least, &cpu_ns);
        *(gpu_ns < cpu_ns ? &low : &high) = middle;
    }
    uint64_t more = work->left % least; /* whole blocks for the CPU */
    const uint64_t candidates[] = {0,          low * least,        high * least,
                                   work->left, low * least + more, high * least + more};
    uint64_t best = candidates[0];
    int64_t best_ns = time_of(self, work, best);
    for (int i = 1; i < 6; i++) {
        if (!is_kept(work, candidates[i]))
            continue;
        int64_t ns = time_of(self, work, candidates[i]);
        if (ns < best_ns) {
            best = candidates[i];
            best_ns = ns;
        }
    }
    return best;
}

static uint64_t give_predicted(struct divider *self, const struct host_division *work, bool first)
{
    (void)first;
    if (self->gpus == self->count) /* GPUs of a domain are alike, and have equal shares */
        return work->left;
    if (host_predict_chunk(self->host, self->now, 0, work->left) < 0) {
        host_fail(self->host, "policy split-predicted needs predictions of chunks, and here are "
                              "none: choose cap");
        return work->left;
    }
    double share = (double)find_share(self, work) / (double)work->left;
    for (uint32_t i = 0; i < self->count; i++)
        self->devices[i].share = self->devices[i].gpu ? share / self->gpus : 1 - share;
    return work->left;
}

static int predicted_init(void *state, const void *given, struct host *h)
{
    const struct divider_params even = {.gpu_share = 0.5}; /* shares are set before each step */
    (void)given;
    return divider_init(state, &even, h, give_predicted);
}

const struct policy policy_split_predicted;
const struct policy policy_split_predicted = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "split-predicted",
    .summary = "One division by the medians that times are drawn from, or by the times "
               "(clairvoyant): a bound.",
    .source = "Wang, thesis, section 4.3.1.1; Luk et al., Qilin",
    .state_size = sizeof(struct divider),
    .init = predicted_init,
    DIVIDER_CALLBACKS,
};
