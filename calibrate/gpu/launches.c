/*
 * launches.c - see launches.h.
 */
#include "calibrate/gpu/launches.h"

#include "calibrate/plan/sort_numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a (Fowler, Noll, Vo). */
uint64_t cal_function_id(const char *name, const char *border)
{
    uint64_t id = UINT64_C(0xcbf29ce484222325);
    if (strstr(name, border) != NULL)
        return CAL_FUNCTION_BORDER;
    for (; *name != '\0'; name++)
        id = (id ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    return id == CAL_FUNCTION_BORDER ? 1 : id;
}

int cal_launches_between(const struct cal_launch_record *records, size_t count, size_t pairs,
                         size_t index, const struct cal_launch_record **first, size_t *n,
                         struct dcs_err *err)
{
    size_t borders = 0, begin = 0, end = 0;
    DCS_ASSERT(index < pairs);
    for (size_t i = 0; i < count; i++) {
        if (records[i].function != CAL_FUNCTION_BORDER)
            continue;
        if (borders == 2 * index)
            begin = i + 1;
        if (borders == 2 * index + 1)
            end = i;
        borders++;
    }
    if (borders != 2 * pairs)
        return dcs_err_set(err, "of %zu launches that mark kernels %zu were recorded", 2 * pairs,
                           borders);
    *first = records + begin;
    *n = end - begin;
    return 0;
}

/* --- repetitions --- */

static bool is_alike(const struct cal_launch_record *a, const struct cal_launch_record *b)
{
    return a->function == b->function && a->blocks == b->blocks &&
           a->threads_per_block == b->threads_per_block && a->shared_bytes == b->shared_bytes;
}

static int check_equal(const struct cal_launches *l, const struct cal_launch_record *records,
                       size_t count, struct dcs_err *err)
{
    if (count != l->count)
        return dcs_err_set(err, "consists of %zu launches once, and of %zu another time", l->count,
                           count);
    for (size_t i = 0; i < count; i++)
        if (!is_alike(&l->launches[i], &records[i]))
            return dcs_err_set(err, "launch %zu of %zu is not the same every time", i + 1, count);
    return 0;
}

int cal_launches_add(struct cal_launches *l, const struct cal_launch_record *records, size_t count,
                     int clock_mhz, bool throttled, struct dcs_err *err)
{
    if (count == 0 || count > CAL_LAUNCHES_TRACED)
        return dcs_err_set(err, "consists of %zu launches, and 1 to %d can be told apart", count,
                           CAL_LAUNCHES_TRACED);
    if (l->launches == NULL) {
        l->launches = dcs_alloc(count, sizeof *l->launches);
        memcpy(l->launches, records, count * sizeof *records);
        l->count = count;
    }
    if (check_equal(l, records, count, err) != 0)
        return -1;
    if (throttled) {
        l->throttled++;
        return 0;
    }
    size_t capacity = l->capacity, need = (l->repetitions + 1) * count;
    l->ns = dcs_grow(l->ns, &l->capacity, need, sizeof *l->ns);
    l->gap_ns = dcs_grow(l->gap_ns, &capacity, need, sizeof *l->gap_ns);
    for (size_t i = 0; i < count; i++) {
        /* A launch may begin while the one before drains. */
        int64_t gap = i == 0 ? 0 : records[i].begin_ns - records[i - 1].end_ns;
        l->ns[l->repetitions * count + i] = records[i].end_ns - records[i].begin_ns;
        l->gap_ns[l->repetitions * count + i] = gap > 0 ? gap : 0;
    }
    l->repetitions++;
    l->clock_mhz += clock_mhz;
    return 0;
}

void cal_launches_release(struct cal_launches *l)
{
    free(l->launches);
    free(l->ns);
    free(l->gap_ns);
    memset(l, 0, sizeof *l);
}

/* --- rows --- */

struct group {
    size_t first, count;
    size_t like;    /* the launch that its facts are of */
    double ns;      /* all launches together */
    double like_ns; /* those that `like` stands for */
    double blocks;  /* of all */
};

static double sum_of(const struct cal_launches *l, const int64_t *values, size_t repetition,
                     size_t first, size_t count)
{
    double sum = 0;
    for (size_t i = first; i < first + count; i++)
        sum += (double)values[repetition * l->count + i];
    return sum;
}

static size_t runs(const struct cal_launches *l, struct group *groups)
{
    size_t n = 0;
    for (size_t i = 0; i < l->count; i++) {
        if (i == 0 || !is_alike(&l->launches[i - 1], &l->launches[i]))
            groups[n++] = (struct group){.first = i, .like = i};
        struct group *g = &groups[n - 1];
        g->count++;
        g->blocks += (double)l->launches[i].blocks;
        for (size_t r = 0; r < l->repetitions; r++)
            g->ns += (double)(l->ns[r * l->count + i] + 1);
        g->like_ns = g->ns;
    }
    return n;
}

/* What joining loses: Ward's distance of the logarithms of time and blocks, weighted by time. */
static double loss(const struct group *a, const struct group *b)
{
    double na = (double)a->count, nb = (double)b->count;
    double time = log((a->ns / na) / (b->ns / nb));
    double blocks = log((a->blocks / na) / (b->blocks / nb));
    return a->ns * b->ns / (a->ns + b->ns) * (time * time + blocks * blocks);
}

static void join(struct group *a, const struct group *b)
{
    if (b->like_ns > a->like_ns) {
        a->like = b->like;
        a->like_ns = b->like_ns;
    }
    a->count += b->count;
    a->ns += b->ns;
    a->blocks += b->blocks;
}

static size_t reduce(struct group *groups, size_t n)
{
    while (n > CAL_LAUNCH_ROWS) {
        size_t best = 0;
        double least = loss(&groups[0], &groups[1]);
        for (size_t i = 1; i + 1 < n; i++) {
            double lost = loss(&groups[i], &groups[i + 1]);
            if (lost < least) {
                least = lost;
                best = i;
            }
        }
        join(&groups[best], &groups[best + 1]);
        n--;
        memmove(&groups[best + 1], &groups[best + 2], (n - best - 1) * sizeof *groups);
    }
    return n;
}

/* Over repetitions of the sum over launches, divided; the lower one of two. */
static int64_t median_sum(const struct cal_launches *l, const int64_t *values, size_t first,
                          size_t count, size_t divisor)
{
    int64_t *sums = dcs_alloc(l->repetitions, sizeof *sums);
    for (size_t r = 0; r < l->repetitions; r++)
        sums[r] = (int64_t)(sum_of(l, values, r, first, count) / (double)divisor + 0.5);
    cal_sort_integers(sums, l->repetitions);
    int64_t median = sums[(l->repetitions - 1) / 2];
    free(sums);
    return median;
}

static int64_t gap_of(const struct cal_launches *l, const struct group *g)
{
    size_t gaps = g->first == 0 ? g->count - 1 : g->count;
    return gaps == 0 ? 0 : median_sum(l, l->gap_ns, g->first, g->count, gaps);
}

static int fill_row(const struct cal_launches *l, const struct group *g, struct cal_launch_row *row,
                    struct dcs_err *err)
{
    const struct cal_launch_record *like = &l->launches[g->like];
    struct cal_samples set = {.throttled = l->throttled};
    int clock_mhz = l->repetitions > 0 ? (int)(l->clock_mhz / (double)l->repetitions + 0.5) : 0;
    for (size_t r = 0; r < l->repetitions; r++)
        cal_samples_add(&set,
                        (int64_t)(sum_of(l, l->ns, r, g->first, g->count) / (double)g->count + 0.5),
                        clock_mhz, false);
    *row = (struct cal_launch_row){.launches = (int64_t)g->count,
                                   .blocks = (int64_t)(g->blocks / (double)g->count + 0.5),
                                   .threads_per_block = like->threads_per_block,
                                   .registers = like->registers,
                                   .shared_bytes = like->shared_bytes};
    int failed = cal_samples_statistics(&set, CAL_STOP_COUNT, "warm", &row->time, err);
    cal_samples_release(&set);
    if (!failed)
        row->gap_ns = gap_of(l, g);
    return failed;
}

int cal_launches_rows(const struct cal_launches *l, struct cal_launch_row *rows, size_t *count,
                      struct dcs_err *err)
{
    struct group *groups = dcs_alloc(l->count, sizeof *groups);
    *count = reduce(groups, runs(l, groups));
    int failed = 0;
    for (size_t i = 0; i < *count && !failed; i++)
        failed = fill_row(l, &groups[i], &rows[i], err);
    free(groups);
    return failed;
}

struct cal_launch_sums cal_launches_sums(const struct cal_launches *l)
{
    DCS_ASSERT(l->repetitions > 0);
    int64_t inside = median_sum(l, l->ns, 0, l->count, 1);
    return (struct cal_launch_sums){inside, inside + median_sum(l, l->gap_ns, 0, l->count, 1)};
}
