/* inputs.c - see inputs.h. */
#include "models/workload/inputs.h"

#include "des/fmath.h"

#include <stdlib.h>
#include <string.h>

#define SIZE_DIGITS_MAX 15 /* below 2^50, which predictors read */

/* ---- what a config says ---- */

/* Reads a size of at least 1; false if there is none. */
static bool take_size(const char **at, int64_t *size)
{
    size_t digits = strspn(*at, "0123456789");
    if (digits == 0 || digits > SIZE_DIGITS_MAX)
        return false;
    *size = strtoll(*at, NULL, 10);
    *at += digits;
    return *size >= 1;
}

static bool take_word(const char **at, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(*at, word, length) != 0 || ((*at)[length] != '\0' && (*at)[length] != ' '))
        return false;
    *at += length;
    *at += strspn(*at, " ");
    return true;
}

static bool take_range(const char *at, struct dcs_input_spec *out)
{
    if (*at == '\0')
        return true;
    if (!take_size(&at, &out->from) || *at++ != '-' || !take_size(&at, &out->to))
        return false;
    return *at == '\0' && out->from <= out->to;
}

static int compare_sizes(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static bool take_list(const char *at, struct dcs_input_spec *out)
{
    size_t capacity = 0;
    bool good = true, more = true;
    out->kind = DCS_INPUT_LIST;
    while (good && more) {
        int64_t size = 0;
        at += strspn(at, " ");
        good = take_size(&at, &size) && out->count < DCS_INPUT_SIZES_MAX;
        if (!good)
            break;
        out->sizes = dcs_grow(out->sizes, &capacity, out->count + 1, sizeof *out->sizes);
        out->sizes[out->count++] = size;
        more = *at == ',';
        at += more;
    }
    if (!good || *at != '\0')
        return false;
    qsort(out->sizes, out->count, sizeof *out->sizes, compare_sizes);
    for (size_t i = 1; i < out->count; i++)
        if (out->sizes[i] == out->sizes[i - 1])
            return false;
    return true;
}

int dcs_input_parse(struct dcs_input_spec *out, const char *text, struct dcs_err *err)
{
    const char *at = text;
    bool good;
    *out = (struct dcs_input_spec){0};
    if (strcmp(text, "default") == 0)
        return 0;
    if (take_word(&at, "uniform")) {
        out->kind = DCS_INPUT_UNIFORM;
        good = take_range(at, out);
    } else if (take_word(&at, "log_uniform")) {
        out->kind = DCS_INPUT_LOG_UNIFORM;
        good = take_range(at, out);
    } else {
        good = take_list(at, out);
    }
    if (good)
        return 0;
    dcs_input_spec_release(out);
    return dcs_err_set(err,
                       "expected \"default\", \"uniform\" or \"log_uniform\", perhaps with a range "
                       "as in \"uniform 16-256\", or up to %d sizes with commas between them, each "
                       "once; found \"%.100s\"",
                       DCS_INPUT_SIZES_MAX, text);
}

void dcs_input_spec_release(struct dcs_input_spec *spec)
{
    free(spec->sizes);
    *spec = (struct dcs_input_spec){0};
}

/* ---- what is drawn ---- */

/* Where a size lies among those that are drawn evenly. */
static double place_of(enum dcs_input_kind kind, int64_t size)
{
    return kind == DCS_INPUT_LOG_UNIFORM ? dcs_log((double)size) : (double)size;
}

/* Each size gets what is nearest to it of the way from the first to the last. */
static void share_range(struct dcs_input *in, enum dcs_input_kind kind)
{
    double first = place_of(kind, in->sizes[0].size);
    double last = place_of(kind, in->sizes[in->count - 1].size);
    for (size_t i = 0; i + 1 < in->count; i++) {
        double middle =
            (place_of(kind, in->sizes[i].size) + place_of(kind, in->sizes[i + 1].size)) / 2;
        in->sizes[i].until = (middle - first) / (last - first);
    }
}

int dcs_input_init(struct dcs_input *in, const struct dcs_input_spec *spec, const int64_t *measured,
                   size_t count, struct dcs_err *err)
{
    DCS_ASSERT(spec->kind != DCS_INPUT_DEFAULT && count >= 1);
    bool list = spec->kind == DCS_INPUT_LIST;
    *in = (struct dcs_input){.sizes = dcs_alloc(list ? spec->count : count, sizeof *in->sizes)};
    for (size_t i = 0; i < (list ? spec->count : count); i++) {
        int64_t size = list ? spec->sizes[i] : measured[i];
        if (list || (size >= spec->from && (spec->to == 0 || size <= spec->to)))
            in->sizes[in->count++].size = size;
    }
    if (in->count == 0) {
        dcs_input_release(in);
        return dcs_err_set(err,
                           "no size that was measured lies in %lld-%lld; they go from %lld to "
                           "%lld",
                           (long long)spec->from, (long long)spec->to, (long long)measured[0],
                           (long long)measured[count - 1]);
    }
    if (!list)
        share_range(in, spec->kind);
    else
        for (size_t i = 0; i < in->count; i++)
            in->sizes[i].until = (double)(i + 1) / (double)in->count;
    in->sizes[in->count - 1].until = 1;
    for (size_t i = 0; i < in->count; i++)
        in->sizes[i].share = in->sizes[i].until - (i > 0 ? in->sizes[i - 1].until : 0);
    return 0;
}

void dcs_input_release(struct dcs_input *in)
{
    free(in->sizes);
    *in = (struct dcs_input){0};
}

const struct dcs_input_size *dcs_input_draw(const struct dcs_input *in, const struct dcs_draw *draw)
{
    struct dcs_rng rng;
    dcs_rng_point(&rng, draw->seed, draw->replication, DCS_RNG_INPUT, draw->job, draw->request, 0,
                  0);
    double u = dcs_rng_uniform(&rng);
    size_t i = 0;
    while (u >= in->sizes[i].until)
        i++;
    return &in->sizes[i];
}
