/*
 * crf.c - the labels of sentences by a linear-chain conditional random field: the chunks of
 * questions, say.
 *
 * Lafferty, McCallum, Pereira, "Conditional random fields", ICML 2001; the best labels by Viterbi's
 * algorithm, as in Forney, "The Viterbi algorithm", Proc. IEEE 61(3), 1973. The shape is that of
 * the chunking task of Tjong Kim Sang and Buchholz, CoNLL 2000: 22 labels, sentences of 24 words on
 * average; 19 attributes a word (itself and its neighbours, alone and together, and their parts of
 * speech). Weights are random; the r-th
 * attribute is drawn in proportion to 1/r.
 *
 * A size is a number of sentences, which are divided among threads. Of the 25 MB of weights a
 * request reads the rows of its attributes.
 */
#include "calibrate/cpu/cpu_app.h"

#include <math.h>

enum { LABELS = 22, ROW = 24, ATTRIBUTES = 19, LONGEST = 40, SHORTEST = 8, KNOWN = 1 << 18 };
enum { GRAIN = 4 }; /* sentences that a thread takes at a time */

struct state {
    int64_t sentences;
    int64_t *first;      /* word of each sentence, and one behind the last */
    int32_t *attributes; /* [word][ATTRIBUTES]: rows of weights */
    float *weights;      /* [KNOWN][ROW], labels beyond LABELS are unused */
    float (*moves)[ROW]; /* [from][to]: weight of a label behind another */
    int32_t *result;     /* the label of each word */
};

static float random_weight(uint64_t seed, uint64_t i)
{
    return (float)(int32_t)(cal_cpu_random(seed, i) >> 32) * 0x1p-31f;
}

static void *create(int64_t size, uint64_t seed, struct cal_arena *a, struct dcs_err *err)
{
    (void)err;
    struct state *c = cal_arena_take(a, 1, sizeof *c);
    c->sentences = size;
    c->first = cal_arena_take(a, (size_t)size + 1, sizeof *c->first);
    for (int64_t s = 0; s < size; s++) {
        uint64_t bits = cal_cpu_random(seed, (uint64_t)s) >> 32;
        c->first[s + 1] = c->first[s] + SHORTEST + (int64_t)(bits * (LONGEST - SHORTEST + 1) >> 32);
    }
    int64_t words = c->first[size];
    c->attributes = cal_arena_take(a, (size_t)words * ATTRIBUTES, sizeof *c->attributes);
    double log_known = log((double)KNOWN);
    for (int64_t i = 0; i < words * ATTRIBUTES; i++) {
        double u = (double)(cal_cpu_random(seed + 1, (uint64_t)i) >> 11) * 0x1p-53;
        c->attributes[i] = (int32_t)exp(u * log_known) - 1; /* rank r: in proportion to 1/r */
    }
    c->weights = cal_arena_take(a, (size_t)KNOWN * ROW, sizeof *c->weights);
    for (uint64_t i = 0; i < (uint64_t)KNOWN * ROW; i++)
        c->weights[i] = random_weight(seed + 2, i);
    c->moves = cal_arena_take(a, LABELS, sizeof *c->moves);
    for (uint64_t i = 0; i < LABELS * ROW; i++)
        c->moves[i / ROW][i % ROW] = 2 * random_weight(seed + 3, i);
    c->result = cal_arena_take(a, (size_t)words, sizeof *c->result);
    return c;
}

/* scores[y]: what the attributes of a word give to label y. */
static void score_word(const struct state *c, int64_t word, float scores[ROW])
{
    for (int y = 0; y < ROW; y++)
        scores[y] = 0;
    for (int a = 0; a < ATTRIBUTES; a++) {
        const float *row = c->weights + (size_t)c->attributes[word * ATTRIBUTES + a] * ROW;
        for (int y = 0; y < ROW; y++)
            scores[y] += row[y];
    }
}

static void label_sentence(const struct state *c, int64_t begin, int64_t end)
{
    float best[ROW], next[ROW], scores[ROW];
    int32_t from[LONGEST][ROW];
    score_word(c, begin, best);
    for (int64_t word = begin + 1; word < end; word++) {
        int32_t *back = from[word - begin];
        score_word(c, word, scores);
        for (int y = 0; y < ROW; y++) {
            next[y] = best[0] + c->moves[0][y];
            back[y] = 0;
        }
        for (int x = 1; x < LABELS; x++)
            for (int y = 0; y < ROW; y++) {
                float by = best[x] + c->moves[x][y];
                back[y] = by > next[y] ? x : back[y];
                next[y] = by > next[y] ? by : next[y];
            }
        for (int y = 0; y < ROW; y++)
            best[y] = next[y] + scores[y];
    }
    int label = 0;
    for (int y = 1; y < LABELS; y++)
        label = best[y] > best[label] ? y : label;
    for (int64_t word = end - 1; word > begin; word--) {
        c->result[word] = label;
        label = from[word - begin][label];
    }
    c->result[begin] = label;
}

static void label_sentences(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    struct state *c = context;
    for (int64_t s = begin; s < end; s++)
        label_sentence(c, c->first[s], c->first[s + 1]);
}

static void run_request(void *state, struct cal_team *t)
{
    struct state *c = state;
    cal_team_for(t, c->sentences, GRAIN, label_sentences, c);
}

static double given(const struct state *c, int64_t word, int label)
{
    double sum = 0;
    for (int a = 0; a < ATTRIBUTES; a++)
        sum += (double)c->weights[(int64_t)c->attributes[word * ATTRIBUTES + a] * ROW + label];
    return sum;
}

/* The highest score of any labels, from the last word to the first: rest[y] is the best that the
 * words behind one with label y can get. */
static double best_score(const struct state *c, int64_t begin, int64_t end)
{
    double rest[LABELS] = {0}, best = -HUGE_VAL;
    for (int64_t word = end - 1; word > begin; word--) {
        double before[LABELS];
        for (int x = 0; x < LABELS; x++) {
            before[x] = -HUGE_VAL;
            for (int y = 0; y < LABELS; y++)
                before[x] = fmax(before[x], (double)c->moves[x][y] + rest[y] + given(c, word, y));
        }
        for (int x = 0; x < LABELS; x++)
            rest[x] = before[x];
    }
    for (int y = 0; y < LABELS; y++)
        best = fmax(best, given(c, begin, y) + rest[y]);
    return best;
}

/* The labels' own score, added up along the sentence, must be the highest that there is. */
static int check_results(const void *state, struct dcs_err *err)
{
    const struct state *c = state;
    for (int64_t s = 0; s < c->sentences; s++) {
        double score = 0, best = best_score(c, c->first[s], c->first[s + 1]);
        for (int64_t word = c->first[s]; word < c->first[s + 1]; word++) {
            int label = c->result[word];
            if (label < 0 || label >= LABELS)
                return dcs_err_set(err, "sentence %lld: no label %d", (long long)s, label);
            score += given(c, word, label);
            score += word > c->first[s] ? (double)c->moves[c->result[word - 1]][label] : 0;
        }
        if (!(fabs(score - best) <= 1e-4 * best))
            return dcs_err_set(err, "sentence %lld: labels that score %g, the best score %g",
                               (long long)s, score, best);
    }
    return 0;
}

static void *results(void *state, size_t *words)
{
    struct state *c = state;
    *words = (size_t)c->first[c->sentences];
    return c->result;
}

/* A step of Viterbi's algorithm adds and compares for each pair of labels. Rows of weights that
 * several words share count once each time. */
static void count(const void *state, double *operations, double *bytes)
{
    const struct state *c = state;
    double words = (double)c->first[c->sentences];
    *operations = words * (ATTRIBUTES * LABELS + LABELS) +
                  (words - (double)c->sentences) * 2 * LABELS * LABELS;
    *bytes = words * (4 * ATTRIBUTES * (1 + LABELS) + 4) + 4 * LABELS * LABELS;
}

const struct cal_cpu_app cal_cpu_app_crf = {
    .name = "crf",
    .role = CAL_CPU_SERVICE,
    .papers = "EMU table 5-2: crf of Sirius",
    .algorithm = "Lafferty, McCallum, Pereira 2001; Forney 1973",
    .size_unit = "sentences",
    .size_min = 128,
    .size_max = 8192,
    .size_default = 1024,
    .size_check = 12,
    .size_step = 1,
    .sla_ns = 150000000,
    .create = create,
    .run = run_request,
    .check = check_results,
    .results = results,
    .count = count,
};
