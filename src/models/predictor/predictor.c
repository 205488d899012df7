/* predictor.c - see predictor.h: what all methods share. */
#include "models/predictor/predictor.h"

#include "des/fmath.h"
#include "models/predictor/predictor_method.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LOG_MAX 44.0 /* e^44 is some 10^19 */

const char *const dcs_target_names[DCS_TARGETS + 1] = {"request_duration", "kernel_duration",
                                                       "kernel_bandwidth", "kernel_ipc", NULL};

const char *dcs_method_name(const struct dcs_method *m)
{
    return m->name;
}

const char *dcs_method_summary(const struct dcs_method *m)
{
    return m->summary;
}

/* ---- what methods use ---- */

void dcs_numbers_add(struct dcs_numbers *list, double value)
{
    list->v = dcs_grow(list->v, &list->capacity, list->n + 1, sizeof *list->v);
    list->v[list->n++] = value;
}

double dcs_feature_log(double x)
{
    return x > 1 ? dcs_log(x) : 0;
}

double dcs_from_log(double y)
{
    return dcs_exp(y > LOG_MAX ? LOG_MAX : y > -LOG_MAX ? y : -LOG_MAX);
}

void dcs_scale_fit(const struct dcs_sample *samples, size_t n, size_t features,
                   struct dcs_scale *scale)
{
    for (size_t f = 0; f < features; f++) {
        double sum = 0, squares = 0;
        for (size_t i = 0; i < n; i++)
            sum += dcs_feature_log(samples[i].x[f]);
        double mean = sum / (double)n;
        for (size_t i = 0; i < n; i++) {
            double d = dcs_feature_log(samples[i].x[f]) - mean;
            squares += d * d;
        }
        double unit = sqrt(squares / (double)n);
        scale[f] = (struct dcs_scale){.mean = mean, .per_unit = unit > 1e-9 ? 1 / unit : 0};
    }
}

void dcs_scale_undo(const struct dcs_scale *scale, const double *weights, double constant,
                    struct dcs_numbers *out)
{
    size_t at = out->n;
    dcs_numbers_add(out, constant);
    for (size_t f = 0; f < DCS_FEATURES; f++) {
        double factor = weights[f] * scale[f].per_unit;
        dcs_numbers_add(out, factor);
        out->v[at] -= factor * scale[f].mean;
    }
}

bool dcs_cholesky_solve(double *a, double *b, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        double diagonal = a[j * n + j];
        for (size_t k = 0; k < j; k++)
            diagonal -= a[j * n + k] * a[j * n + k];
        if (!(diagonal > 0))
            return false;
        diagonal = sqrt(diagonal);
        a[j * n + j] = diagonal;
        for (size_t i = j + 1; i < n; i++) {
            double sum = a[i * n + j];
            for (size_t k = 0; k < j; k++)
                sum -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = sum / diagonal;
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++)
            b[i] -= a[i * n + k] * b[k];
        b[i] /= a[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++)
            b[i] -= a[k * n + i] * b[k];
        b[i] /= a[i * n + i];
    }
    return true;
}

/* ---- models ---- */

/* As the text form will have it. */
static double rounded(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.9g", value);
    return strtod(text, NULL);
}

void dcs_model_keep(struct dcs_model *m, const struct dcs_method *method, struct dcs_numbers *list)
{
    for (size_t i = 0; i < list->n; i++)
        list->v[i] = rounded(list->v[i]);
    *m = (struct dcs_model){.method = method, .v = list->v, .n = list->n};
    DCS_ASSERT(method->check(m->v, m->n) == NULL);
}

void dcs_model_train(struct dcs_model *m, const struct dcs_method *method,
                     const struct dcs_sample *samples, size_t n, struct dcs_rng *rng)
{
    DCS_ASSERT(n >= 1);
    struct dcs_numbers list = {0};
    method->train(samples, n, rng, &list);
    dcs_model_keep(m, method, &list);
}

void dcs_model_release(struct dcs_model *m)
{
    free(m->v);
    *m = (struct dcs_model){0};
}

double dcs_model_ask(const struct dcs_model *m, const double *x)
{
    return m->method->ask(m->v, m->n, x);
}

char *dcs_model_print(const struct dcs_model *m)
{
    size_t size = m->n * 18 + 1, used = 0; /* of one number: sign, 9 digits, point, e-308, space */
    char *text = dcs_alloc(size, 1);
    for (size_t i = 0; i < m->n; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%.9g", i > 0 ? " " : "", m->v[i]);
    return text;
}

int dcs_model_parse(struct dcs_model *m, const struct dcs_method *method, const char *text,
                    struct dcs_err *err)
{
    struct dcs_numbers list = {0};
    const char *wrong = NULL;
    for (const char *at = text; wrong == NULL && *at != '\0';) {
        /* Only what dcs_model_print writes: strtod would take "inf", "nan" and hexadecimals. */
        size_t length = strspn(at, "0123456789+-.e");
        char *end;
        double value = strtod(at, &end);
        if (length == 0 || end != at + length || (*end != ' ' && *end != '\0') ||
            (*end == ' ' && end[1] == '\0'))
            wrong = "expected decimal numbers separated by single spaces";
        else if (!(fabs(value) <= DCS_MODEL_VALUE_MAX))
            wrong = "a number is out of range";
        else
            dcs_numbers_add(&list, value);
        at = *end == ' ' ? end + 1 : end;
    }
    if (wrong == NULL)
        wrong = method->check(list.v, list.n);
    if (wrong == NULL) {
        *m = (struct dcs_model){.method = method, .v = list.v, .n = list.n};
        return 0;
    }
    free(list.v);
    return dcs_err_set(err, "is no model of method \"%s\": %s; train it again", method->name,
                       wrong);
}

/* ---- test ---- */

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double r_squared(const struct dcs_model *m, const struct dcs_sample *samples, size_t n)
{
    double mean = 0, left = 0, all = 0;
    for (size_t i = 0; i < n; i++)
        mean += samples[i].y / (double)n;
    for (size_t i = 0; i < n; i++) {
        double off = dcs_model_ask(m, samples[i].x) - samples[i].y, from = samples[i].y - mean;
        left += off * off;
        all += from * from;
    }
    return all > 0 ? 1 - left / all : 0;
}

struct dcs_model_error dcs_model_test(const struct dcs_model *m, const struct dcs_sample *samples,
                                      size_t n)
{
    DCS_ASSERT(n >= 1);
    double *errors = dcs_alloc(n, sizeof *errors), sum = 0;
    for (size_t i = 0; i < n; i++) {
        errors[i] = fabs(dcs_model_ask(m, samples[i].x) - samples[i].y) / samples[i].y; /* (2) */
        sum += errors[i];
    }
    qsort(errors, n, sizeof *errors, compare_doubles);
    size_t rank = (95 * n + 99) / 100; /* rounded up */
    struct dcs_model_error result = {
        .mean = sum / (double)n, .p95 = errors[rank - 1], .r2 = r_squared(m, samples, n)};
    free(errors);
    return result;
}

/* ---- split ---- */

uint64_t dcs_text_hash(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash;
}

struct drawn_size {
    double size;
    uint64_t draw;
};

static int compare_sizes(const void *a, const void *b)
{
    const struct drawn_size *x = a, *y = b;
    return (x->size > y->size) - (x->size < y->size);
}

static int compare_draws(const void *a, const void *b)
{
    const struct drawn_size *x = a, *y = b;
    return x->draw != y->draw ? (x->draw > y->draw ? 1 : -1) : compare_sizes(a, b);
}

/* The sizes of samples, each once; those for the test first. */
static struct drawn_size *draw_sizes(const struct dcs_sample *samples, size_t n, uint64_t seed,
                                     const char *app, size_t *count)
{
    struct drawn_size *all = dcs_alloc(n + 1, sizeof *all);
    for (size_t i = 0; i < n; i++)
        all[i].size = samples[i].x[DCS_BY_SIZE];
    qsort(all, n, sizeof *all, compare_sizes);
    *count = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || all[i].size != all[i - 1].size)
            all[(*count)++] = all[i];
    for (size_t i = 0; i < *count; i++) {
        struct dcs_rng rng;
        dcs_rng_point(&rng, seed, 0, DCS_RNG_SPLIT, dcs_text_hash(app), (uint64_t)all[i].size, 0,
                      0);
        all[i].draw = dcs_rng_u64(&rng);
    }
    qsort(all, *count, sizeof *all, compare_draws);
    return all;
}

size_t dcs_split(struct dcs_sample *samples, size_t n, uint64_t seed, const char *app)
{
    size_t sizes;
    struct drawn_size *drawn = draw_sizes(samples, n, seed, app, &sizes);
    size_t tests = sizes < DCS_SPLIT_SIZES_MIN ? 0 : (2 * sizes + 5) / 10;
    struct dcs_sample *held_out = dcs_alloc(n + 1, sizeof *held_out);
    size_t train = 0, test = 0;
    for (size_t i = 0; i < n; i++) {
        bool is_test = false;
        for (size_t s = 0; s < tests; s++)
            is_test = is_test || drawn[s].size == samples[i].x[DCS_BY_SIZE];
        if (is_test)
            held_out[test++] = samples[i];
        else
            samples[train++] = samples[i];
    }
    memcpy(samples + train, held_out, test * sizeof *held_out);
    free(held_out);
    free(drawn);
    return train;
}
