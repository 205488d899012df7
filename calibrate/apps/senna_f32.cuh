/*
 * senna_f32.cuh - tagging of words by a network that sees a window of words: what pos, chk and ner
 * have in common.
 *
 * Collobert, Weston, Bottou, Karlen, Kavukcuoglu and Kuksa, "Natural language processing (almost)
 * from scratch", JMLR 12, 2011: the window approach with sentence-level scores, as in their SENNA.
 * Features of 5 words around each word are looked up in tables (50 values for the word, 5 for its
 * capitals, 5 for each further feature of the task); 300 hidden units with HardTanh; a score for
 * each tag; the best sequence of tags by Viterbi's algorithm with scores of transitions.
 *
 * A request is a batch of sentences of 28 words, the Tonic suite's length. Their features, as
 * numbers, come from the host, and tags go there: what turns text into numbers is not ours.
 */
#ifndef DCS_CALIBRATE_APPS_SENNA_F32_CUH
#define DCS_CALIBRATE_APPS_SENNA_F32_CUH

#include "calibrate/app/app.cuh"

#include <algorithm>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

namespace
{

constexpr int window = 5, reach = window / 2, sentence = 28, hidden_units = 300;
constexpr int word_values = 50, small_values = 5, extras_max = 5, tags_max = 45;
constexpr int dictionary = 130000, sentences_per_block = 4, threads = 256;

/* Features beside the word: rows of one table, one feature's after the other's. Row t of that table
 * is feature t beyond the ends of a sentence, row 0 of the dictionary the word there. */
struct task {
    int extras;
    int rows[extras_max];
    int tags;
};

struct tagger {
    const struct task *task;
    int64_t sentences, words;
    int inputs; /* of the network: window * values of a word's features */
    int small_rows;
    int32_t *features; /* device: word and extras of each word */
    float *dictionary, *small;
    float *input, *raw, *hidden, *scores;
    float *weights1, *bias1, *weights2, *bias2;
    float *transitions; /* tags * tags, from before to after; then the first tag's */
    int32_t *tags;
    int32_t *sent, *result; /* host */
};

__global__ void __launch_bounds__(threads)
    look_up(const int32_t *features, const float *dictionary, const float *small, float *input,
            int64_t words, int extras)
{
    int64_t word = blockIdx.x * (int64_t)blockDim.y + threadIdx.y;
    if (word >= words)
        return;
    int values = word_values + extras * small_values, place = (int)(word % sentence);
    for (int k = (int)threadIdx.x; k < window * values; k += (int)blockDim.x) {
        int there = k / values, e = k % values, at = place + there - reach;
        bool inside = at >= 0 && at < sentence;
        const int32_t *of = features + (word + there - reach) * (1 + extras);
        float value;
        if (e < word_values) {
            int32_t row = inside ? of[0] : 0;
            value = dictionary[(int64_t)row * word_values + e];
        } else {
            int t = (e - word_values) / small_values;
            int32_t row = inside ? of[1 + t] : t;
            value = small[row * small_values + (e - word_values) % small_values];
        }
        input[word * window * values + k] = value;
    }
}

__global__ void __launch_bounds__(threads)
    hard_tanh(const float *raw, const float *bias, float *hidden, int64_t values)
{
    int64_t stride = (int64_t)gridDim.x * threads;
    for (int64_t i = blockIdx.x * (int64_t)threads + threadIdx.x; i < values; i += stride)
        hidden[i] = fminf(fmaxf(raw[i] + bias[(unsigned)i % hidden_units], -1.0f), 1.0f);
}

/* A thread for each tag; four sentences to a block, which share the transitions. */
__global__ void viterbi(const float *scores, const float *bias, const float *transitions,
                        int32_t *result, int64_t sentences, int tags)
{
    __shared__ float from_to[tags_max * tags_max];
    __shared__ float best[sentences_per_block][2][tags_max];
    __shared__ unsigned char before[sentences_per_block][sentence][tags_max];
    int tag = (int)threadIdx.x, y = (int)threadIdx.y;
    int64_t mine = blockIdx.x * (int64_t)sentences_per_block + y;
    bool works = tag < tags && mine < sentences;
    const float *score = scores + mine * sentence * tags + tag;
    for (int i = y * (int)blockDim.x + tag; i < tags * tags;
         i += (int)blockDim.x * sentences_per_block)
        from_to[i] = transitions[i];
    float own = works ? bias[tag] : 0;
    if (works)
        best[y][0][tag] = score[0] + own + transitions[tags * tags + tag];
    __syncthreads();
    for (int word = 1; word < sentence; word++) {
        if (works) {
            const float *old = best[y][~word & 1];
            float top = old[0] + from_to[tag];
            int from = 0;
            for (int i = 1; i < tags; i++) {
                float other = old[i] + from_to[i * tags + tag];
                if (other > top) {
                    top = other;
                    from = i;
                }
            }
            best[y][word & 1][tag] = top + score[word * tags] + own;
            before[y][word][tag] = (unsigned char)from;
        }
        __syncthreads();
    }
    if (tag != 0 || mine >= sentences)
        return;
    const float *last = best[y][(sentence - 1) & 1];
    int at = 0;
    for (int i = 1; i < tags; i++)
        at = last[i] > last[at] ? i : at;
    for (int word = sentence - 1; word > 0; word--) {
        result[mine * sentence + word] = at;
        at = before[y][word][at];
    }
    result[mine * sentence] = at;
}

int multiply_hidden(void *context, cudaStream_t stream)
{
    const struct tagger *t = (const struct tagger *)context;
    return cal_blas_sgemm(stream, false, false, (int)t->words, hidden_units, t->inputs, 1.0f,
                          t->input, t->weights1, 0.0f, t->raw);
}

int multiply_tags(void *context, cudaStream_t stream)
{
    const struct tagger *t = (const struct tagger *)context;
    return cal_blas_sgemm(stream, false, false, (int)t->words, t->task->tags, hidden_units, 1.0f,
                          t->hidden, t->weights2, 0.0f, t->scores);
}

void tagger_destroy(void *state)
{
    struct tagger *t = (struct tagger *)state;
    if (t == NULL)
        return;
    cudaFree(t->features);
    cudaFree(t->dictionary);
    cudaFree(t->small);
    cudaFree(t->input);
    cudaFree(t->raw);
    cudaFree(t->hidden);
    cudaFree(t->scores);
    cudaFree(t->weights1);
    cudaFree(t->bias1);
    cudaFree(t->weights2);
    cudaFree(t->bias2);
    cudaFree(t->transitions);
    cudaFree(t->tags);
    cudaFreeHost(t->sent);
    cudaFreeHost(t->result);
    free(t);
}

int filled(float **to, int64_t values, uint64_t seed, float wide, struct dcs_err *err)
{
    if (cal_device_alloc((void **)to, (size_t)values * 4, err) != 0)
        return -1;
    return cal_fill_uniform_f32(*to, (size_t)values, seed, -wide, wide, err);
}

int allocate(struct tagger *t, uint64_t seed, struct dcs_err *err)
{
    const int64_t tags = t->task->tags;
    size_t words = (size_t)t->words, per_word = (size_t)(1 + t->task->extras) * 4;
    if (cal_blas_open(err) != 0 ||
        filled(&t->dictionary, (int64_t)dictionary * word_values, seed, 1, err) != 0 ||
        filled(&t->small, (int64_t)t->small_rows * small_values, seed + 1, 1, err) != 0 ||
        filled(&t->weights1, (int64_t)t->inputs * hidden_units, seed + 2,
               1.7f / sqrtf((float)t->inputs), err) != 0 ||
        filled(&t->bias1, hidden_units, seed + 3, 0.1f, err) != 0 ||
        filled(&t->weights2, hidden_units * tags, seed + 4, 3 / sqrtf((float)hidden_units), err) !=
            0 ||
        filled(&t->bias2, tags, seed + 5, 0.1f, err) != 0 ||
        filled(&t->transitions, tags * tags + tags, seed + 6, 1, err) != 0)
        return -1;
    if (cal_device_alloc((void **)&t->features, words * per_word, err) != 0 ||
        cal_device_alloc((void **)&t->input, words * (size_t)t->inputs * 4, err) != 0 ||
        cal_device_alloc((void **)&t->raw, words * hidden_units * 4, err) != 0 ||
        cal_device_alloc((void **)&t->hidden, words * hidden_units * 4, err) != 0 ||
        cal_device_alloc((void **)&t->scores, words * (size_t)tags * 4, err) != 0 ||
        cal_device_alloc((void **)&t->tags, words * 4, err) != 0 ||
        cal_host_alloc((void **)&t->sent, words * per_word, err) != 0)
        return -1;
    return cal_host_alloc((void **)&t->result, words * 4, err);
}

void *tagger_create(const struct task *task, int64_t sentences, uint64_t seed, struct dcs_err *err)
{
    struct tagger *t = (struct tagger *)calloc(1, sizeof *t);
    if (t == NULL) {
        cal_fail(err, "out of memory");
        return NULL;
    }
    t->task = task;
    t->sentences = sentences;
    t->words = sentences * sentence;
    t->inputs = window * (word_values + task->extras * small_values);
    t->small_rows = task->extras;
    for (int i = 0; i < task->extras; i++)
        t->small_rows += task->rows[i];
    if (allocate(t, seed, err) != 0) {
        tagger_destroy(t);
        return NULL;
    }
    /* Frequent words are frequent: the square of a uniform number. */
    for (int64_t word = 0; word < t->words; word++) {
        uint64_t random = cal_random_u64(seed + 7, (uint64_t)word);
        int32_t *to = t->sent + word * (1 + task->extras);
        double u = (double)(random >> 40) * 0x1p-24;
        to[0] = 1 + (int32_t)(u * u * (dictionary - 1));
        int32_t begin = task->extras;
        for (int i = 0; i < task->extras; i++) {
            to[1 + i] = begin + (int32_t)((random >> 8 * i & 0xffff) % (uint64_t)task->rows[i]);
            begin += task->rows[i];
        }
    }
    return t;
}

int tagger_plan(void *state, int, struct cal_plan *p, struct dcs_err *)
{
    struct tagger *t = (struct tagger *)state;
    const int tags = t->task->tags, extras = t->task->extras;
    const long long words = (long long)t->words;
    const double n = (double)t->words;
    cal_add_transfer(p, CAL_TO_DEVICE, "features", t->features, t->sent,
                     (size_t)words * (size_t)(1 + extras) * 4);

    struct cal_kernel *k =
        cal_begin_kernel(p, CAL_COMPUTE, "look_up", "look_up_%lldx%d", words, t->inputs);
    k->repeatable = true;
    k->flop = n * t->inputs; /* values that are moved */
    /* The tables are read once, as neighbours and frequent words are in the cache. */
    k->bytes = 4 * (n * (t->inputs + 1 + extras) + (double)dictionary * word_values);
    cal_add_launch(p, look_up, cal_blocks(words, threads / 64), dim3(64, threads / 64), 0,
                   t->features, t->dictionary, t->small, t->input, t->words, extras);

    k = cal_begin_kernel(p, CAL_LIBRARY, "hidden", "full_%lldx%dx%d", words, hidden_units,
                         t->inputs);
    k->repeatable = true;
    k->flop = 2 * n * hidden_units * t->inputs;
    k->bytes = 4 * (n * (t->inputs + hidden_units) + (double)hidden_units * t->inputs);
    k->call = multiply_hidden;
    k->context = t;

    k = cal_begin_kernel(p, CAL_COMPUTE, "hard_tanh", "hard_tanh_%lldx%d", words, hidden_units);
    k->repeatable = true;
    k->flop = 3 * n * hidden_units;
    k->bytes = 8 * n * hidden_units;
    cal_add_launch(p, hard_tanh, cal_blocks(words * hidden_units, 4 * threads), threads, 0, t->raw,
                   t->bias1, t->hidden, t->words * hidden_units);

    k = cal_begin_kernel(p, CAL_LIBRARY, "scores", "full_%lldx%dx%d", words, tags, hidden_units);
    k->repeatable = true;
    k->flop = 2 * n * tags * hidden_units;
    k->bytes = 4 * (n * (tags + hidden_units) + (double)hidden_units * tags);
    k->call = multiply_tags;
    k->context = t;

    k = cal_begin_kernel(p, CAL_COMPUTE, "viterbi", "viterbi_%lldx%dx%d", (long long)t->sentences,
                         sentence, tags);
    k->repeatable = true;
    k->flop = 2 * n * tags * tags; /* an addition and a comparison for each pair of tags */
    k->bytes = 4 * n * (tags + 1);
    cal_add_launch(p, viterbi, cal_blocks(t->sentences, sentences_per_block),
                   dim3(tags <= 32 ? 32 : 64, sentences_per_block), 0, t->scores, t->bias2,
                   t->transitions, t->tags, t->sentences, tags);
    cal_add_transfer(p, CAL_FROM_DEVICE, "tags", t->result, t->tags, (size_t)words * 4);
    return 0;
}

/* --- the reference, in double precision, from the words on --- */

int fetch(std::vector<float> *to, const float *from, size_t values, struct dcs_err *err)
{
    to->resize(values);
    return cal_fail_cuda(err, cudaMemcpy(to->data(), from, values * 4, cudaMemcpyDeviceToHost),
                         "fetching");
}

/* Scores of each word's tags, without transitions. */
int expected_scores(const struct tagger *t, std::vector<double> *scores, struct dcs_err *err)
{
    const size_t tags = (size_t)t->task->tags, extras = (size_t)t->task->extras;
    const size_t units = hidden_units, inputs = (size_t)t->inputs;
    std::vector<float> words, small, w1, b1, w2, b2;
    if (fetch(&words, t->dictionary, (size_t)dictionary * word_values, err) != 0 ||
        fetch(&small, t->small, (size_t)t->small_rows * small_values, err) != 0 ||
        fetch(&w1, t->weights1, inputs * units, err) != 0 ||
        fetch(&b1, t->bias1, units, err) != 0 || fetch(&w2, t->weights2, units * tags, err) != 0 ||
        fetch(&b2, t->bias2, tags, err) != 0)
        return -1;
    scores->assign((size_t)t->words * tags, 0);
    for (int64_t word = 0; word < t->words; word++) {
        std::vector<double> x, h(b1.begin(), b1.end());
        for (int64_t near = word - reach; near <= word + reach; near++) {
            bool inside = near >= 0 && near / sentence == word / sentence;
            const int32_t *of = t->sent + (inside ? near : 0) * (int64_t)(1 + extras);
            size_t row = inside ? (size_t)of[0] : 0;
            for (size_t i = 0; i < word_values; i++)
                x.push_back((double)words[row * word_values + i]);
            for (size_t e = 0; e < extras; e++) {
                row = inside ? (size_t)of[1 + e] : e;
                for (size_t i = 0; i < small_values; i++)
                    x.push_back((double)small[row * small_values + i]);
            }
        }
        for (size_t i = 0; i < inputs; i++)
            for (size_t j = 0; j < units; j++)
                h[j] += x[i] * (double)w1[i * units + j];
        double *out = scores->data() + (size_t)word * tags;
        for (size_t i = 0; i < tags; i++)
            out[i] = (double)b2[i];
        for (size_t j = 0; j < units; j++)
            for (size_t i = 0; i < tags; i++)
                out[i] += std::min(1.0, std::max(-1.0, h[j])) * (double)w2[j * tags + i];
    }
    return 0;
}

/* Sequences of nearly equal scores may be taken one for the other: what is compared is the score
 * of the sequence that came back with the best one. */
int tagger_check(void *state, struct dcs_err *err)
{
    const struct tagger *t = (const struct tagger *)state;
    const size_t tags = (size_t)t->task->tags;
    std::vector<double> scores;
    std::vector<float> moves, bias, got, want;
    if (expected_scores(t, &scores, err) != 0 ||
        fetch(&moves, t->transitions, tags * tags + tags, err) != 0 ||
        fetch(&bias, t->bias2, tags, err) != 0 || fetch(&got, t->scores, scores.size(), err) != 0)
        return -1;
    for (size_t i = 0; i < got.size(); i++)
        got[i] += bias[i % tags]; /* the device adds it later */
    want.assign(scores.begin(), scores.end());
    if (cal_compare_f32(got.data(), want.data(), got.size(), 1e-4, 1e-4, "scores", err) != 0)
        return -1;
    for (int64_t s = 0; s < t->sentences; s++) {
        const int32_t *path = t->result + s * sentence;
        const double *score = scores.data() + (size_t)s * sentence * tags;
        std::vector<double> best(tags), next(tags);
        double taken = 0;
        for (size_t word = 0; word < sentence; word++, score += tags) {
            if (path[word] < 0 || path[word] >= (int32_t)tags)
                return cal_fail(err, "sentence %lld, word %zu: there is no tag %d", (long long)s,
                                word, path[word]);
            size_t tag = (size_t)path[word];
            size_t before = word == 0 ? tags : (size_t)path[word - 1];
            taken += score[tag] + (double)moves[before * tags + tag];
            for (size_t i = 0; i < tags; i++) {
                double top = word == 0 ? (double)moves[tags * tags + i] : -INFINITY;
                for (size_t j = 0; word > 0 && j < tags; j++)
                    top = std::max(top, best[j] + (double)moves[j * tags + i]);
                next[i] = top + score[i];
            }
            best.swap(next);
        }
        double top = *std::max_element(best.begin(), best.end());
        if (!(fabs(top - taken) <= 2e-3))
            return cal_fail(err, "sentence %lld: its tags have the score %.9g, the best is %.9g",
                            (long long)s, taken, top);
    }
    return 0;
}

} // namespace

#endif
