/*
 * test_sizes_mutations.c - pins that no damage to what a profile says of several sizes makes its
 * reader crash or accept what cannot be: hundreds of copies of the profile `made-up`, in each of
 * which some rows are left out, repeated, or have another number or name, are either refused with a
 * message or read so that every kernel of every request, measured or between two sizes, has times
 * above 0 and a counterpart that exists. The mutations are the same in every run. Does not pin
 * which are refused.
 */
#include "des/rng.h"
#include "models/gpu/spatial_load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define MADE_UP DCS_SOURCE_DIR "/calibrate/profiles/made-up.sql"

enum { MUTATIONS = 400, LINES_MAX = 1000 };

static char *lines[LINES_MAX];
static size_t lines_count;
static char file[300];

static struct dcs_rng rng;
static size_t draw(size_t below)
{
    return (size_t)dcs_rng_below(&rng, below);
}

static int read_lines(void **state)
{
    (void)state;
    char line[4096];
    FILE *in = fopen(MADE_UP, "rb");
    if (in == NULL)
        return -1;
    while (fgets(line, sizeof line, in) != NULL && lines_count < LINES_MAX)
        lines[lines_count++] = dcs_strdup(line);
    fclose(in);
    snprintf(file, sizeof file, "%s/test_sizes_mutations_XXXXXX", DCS_BINARY_DIR);
    int fd = mkstemp(file);
    return fd < 0 ? -1 : close(fd);
}

static int forget_lines(void **state)
{
    (void)state;
    for (size_t i = 0; i < lines_count; i++)
        free(lines[i]);
    return unlink(file);
}

/* A row that is neither the last of its statement nor the head of one. */
static bool is_row(size_t i)
{
    return lines[i][0] == '(' && strstr(lines[i], "),\n") != NULL;
}

/* Puts another number in place of one of the row's. */
static void change_number(FILE *out, const char *line)
{
    static const char *const numbers[] = {
        "0", "1", "2", "3", "4", "5", "32", "33", "-1", "1e9", "999999999999999999", "NULL", "'x'"};
    size_t commas = 0, at = 0;
    for (const char *c = line; *c != '\0'; c++)
        commas += *c == ',';
    at = draw(commas);
    for (const char *c = line; *c != '\0'; c++) {
        fputc(*c, out);
        if (*c == ',' && at-- == 0) {
            fprintf(out, " %s", numbers[draw(sizeof numbers / sizeof *numbers)]);
            c += strcspn(c + 1, ",)\n");
        }
    }
}

static void write_mutation(void)
{
    FILE *out = fopen(file, "wb");
    assert_non_null(out);
    size_t chance = 20 + draw(lines_count);
    for (size_t i = 0; i < lines_count; i++) {
        size_t what = is_row(i) && draw(chance) == 0 ? draw(3) : 3;
        if (what == 1)
            change_number(out, lines[i]);
        else if (what > 1)
            fputs(lines[i], out);
        if (what == 2)
            fputs(lines[draw(2) == 0 ? i : i - (i > 0 && is_row(i - 1))], out);
    }
    assert_int_equal(fclose(out), 0);
}

static void check_sequence(const struct dcs_spatial *s, const struct dcs_sequence *q)
{
    assert_true(q->kernels >= 1);
    for (uint32_t k = 0; k < q->kernels; k++) {
        assert_true(q->shapes[k] < s->shapes_count);
        assert_true(dcs_shape_contends_as(s, q->shapes[k]) < s->shapes_count);
        assert_true(s->shapes[q->shapes[k]].points_count >= 1);
        for (uint32_t sms = 1; sms <= s->sms; sms += 3) {
            double ns = dcs_shape_solo_ns(s, q->shapes[k], sms);
            assert_true(ns >= 1 && ns <= 1e18);
        }
    }
}

static void mutations(void **state)
{
    (void)state;
    static const char *const sized[] = {"answer", "search", "solve", "stream", NULL};
    size_t accepted = 0;
    dcs_rng_stream(&rng, 1, 0, DCS_RNG_WEIGHTS, 0);
    for (size_t i = 0; i < MUTATIONS; i++) {
        struct dcs_err err = {0};
        struct dcs_spatial *s;
        write_mutation();
        struct dcs_profile *p = dcs_spatial_load_sized(file, sized, &s, &err);
        if (p == NULL) {
            assert_true(err.text[0] != '\0' && strcmp(err.file, file) == 0);
            continue;
        }
        accepted++;
        for (uint32_t app = 0; app < p->apps_count; app++)
            for (int64_t size = 0; size <= 5; size++)
                if (dcs_spatial_size(s, app, size, &err) == NULL)
                    assert_true(err.text[0] != '\0');
        for (uint32_t q = 0; q < s->sequences_count; q++)
            check_sequence(s, &s->sequences[q]);
        dcs_spatial_free(s);
        dcs_profile_free(p);
    }
    print_message("%zu of %d accepted\n", accepted, (int)MUTATIONS);
    assert_true(accepted > MUTATIONS / 10 && accepted < MUTATIONS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mutations)};
    return cmocka_run_group_tests(tests, read_lines, forget_lines);
}
