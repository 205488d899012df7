/*
 * test_profile_split.c - pins that a profile that is split in two and put together again has the
 * same rows; that what a simulation reads needs neither the evidence nor SQLite, and is the same as
 * of the whole; that the same profile gives the same files; that evidence which is missing, damaged
 * or of another version is refused by who needs it; and that the shipped profiles are in that form.
 */
#include "des/newfile.h"
#include "models/gpu/spatial_load.h"
#include "models/profile/profile_gzip.h"
#include "models/profile/profile_plain.h"
#include "models/profile/profile_split.h"
#include "models/profile/profile_text.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define MEASURED DCS_SOURCE_DIR "/tests/data/profile-measured.sql"
#define SHIPPED  DCS_SOURCE_DIR "/calibrate/profiles"

static char folder[300], path[4][700];

static const char *in_folder(int i, const char *name)
{
    snprintf(path[i], sizeof path[i], "%s/%s", folder, name);
    return path[i];
}

static int setup(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s/test_profile_split_XXXXXX", DCS_BINARY_DIR);
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static void remove_all(const char *dir)
{
    DIR *stream = opendir(dir);
    for (struct dirent *e; stream != NULL && (e = readdir(stream)) != NULL;) {
        char *inside = NULL;
        if (e->d_name[0] == '.' || asprintf(&inside, "%s/%s", dir, e->d_name) < 0)
            continue;
        if (unlink(inside) != 0)
            remove_all(inside);
        free(inside);
    }
    closedir(stream);
    rmdir(dir);
}

static int teardown(void **state)
{
    (void)state;
    remove_all(folder);
    return 0;
}

/* Of what kind the noise is does not matter here. */
static void split(const char *from, const char *name)
{
    double quantiles[DCS_NOISE_QUANTILES];
    struct dcs_err err = {0};
    struct dcs_spatial *s;
    struct dcs_profile *p = dcs_spatial_load_profile(from, &s, &err);
    assert_non_null(p);
    assert_non_null(s->noise);
    memcpy(quantiles, s->noise, sizeof quantiles);
    dcs_spatial_free(s);
    dcs_profile_free(p);
    int status = dcs_profile_split(from, name, quantiles, DCS_NOISE_QUANTILES, &err);
    if (status != 0)
        dcs_err_print(&err, stderr);
    assert_int_equal(status, 0);
}

/* All rows as text. */
static char *dump(const char *from)
{
    struct dcs_err err = {0};
    struct dcs_profile_source s;
    if (dcs_profile_open_whole(&s, from, &err) != 0) {
        dcs_err_print(&err, stderr);
        fail();
    }
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    struct dcs_profile_table t = {0};
    while (dcs_profile_next_table(&t))
        assert_int_equal(profile_text_write(out, s.db, &t, NULL), SQLITE_OK);
    fclose(out);
    dcs_profile_close(&s);
    return text;
}

static void test_round_trip(void **state)
{
    (void)state;
    split(MEASURED, in_folder(0, "m"));
    char *before = dump(MEASURED), *after = dump(in_folder(1, "m.sql.gz"));
    assert_non_null(strstr(before, "INSERT INTO live_request"));
    assert_string_equal(before, after);
    /* A database of the whole is what it was made of, and split again gives the same files. */
    struct dcs_err err = {0};
    assert_int_equal(dcs_profile_build(path[1], in_folder(2, "m.db"), &err), 0);
    free(after);
    after = dump(path[2]);
    assert_string_equal(before, after);
    split(path[2], in_folder(3, "n"));
    size_t one, two;
    unsigned char *a = dcs_profile_read_bytes(path[1], "profile", &one, &err);
    unsigned char *b = dcs_profile_read_bytes(in_folder(3, "n.sql.gz"), "profile", &two, &err);
    assert_int_equal(one, two);
    assert_memory_equal(a, b, one);
    free(a);
    free(b);
    free(before);
    free(after);
}

/* The first is of the whole. */
static void compare_spatials(const char *whole, const char *main)
{
    struct dcs_err err = {0};
    struct dcs_spatial *a, *b;
    struct dcs_profile *p = dcs_spatial_load_profile(whole, &a, &err);
    struct dcs_profile *q = dcs_spatial_load_profile(main, &b, &err);
    if (q == NULL)
        dcs_err_print(&err, stderr);
    assert_true(p != NULL && q != NULL);
    assert_memory_equal(a->noise, b->noise, DCS_NOISE_QUANTILES * sizeof *a->noise);
    assert_memory_equal(a->switch_ns, b->switch_ns, sizeof a->switch_ns);
    assert_int_equal(a->shapes_count, b->shapes_count);
    for (uint32_t i = 0; i < a->shapes_count; i++) {
        const struct dcs_shape *x = &a->shapes[i], *y = &b->shapes[i];
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->points_count, y->points_count);
        assert_memory_equal(x->points, y->points, x->points_count * sizeof *x->points);
        assert_memory_equal(&x->error, &y->error, sizeof x->error);
        assert_int_equal(x->groups_count, y->groups_count);
    }
    assert_true((p->missing == NULL) == (q->missing == NULL));
    if (p->missing != NULL)
        assert_string_equal(p->missing, q->missing);
    dcs_spatial_free(a);
    dcs_spatial_free(b);
    dcs_profile_free(p);
    dcs_profile_free(q);
}

static void test_without_evidence(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    struct dcs_profile_source s;
    split(MEASURED, in_folder(0, "m"));
    remove_all(in_folder(2, "m.evidence"));
    compare_spatials(MEASURED, in_folder(1, "m.sql.gz"));
    assert_int_equal(dcs_profile_open(&s, path[1], &err), 0);
    assert_non_null(s.plain);
    assert_null(s.db);
    assert_int_equal(plain_tables_find(s.plain, "live_request")->rows, 0);
    assert_int_equal(plain_tables_find(s.plain, "noise")->rows, 0);
    dcs_profile_close(&s);
}

static void refused(const char *main, const char *text)
{
    struct dcs_err err = {0};
    struct dcs_profile_source s;
    assert_int_equal(dcs_profile_open_whole(&s, main, &err), -1);
    if (strstr(err.text, text) == NULL)
        print_error("expected %s, found %s\n", text, err.text);
    assert_non_null(strstr(err.text, text));
    assert_null(strchr(err.text, '\n'));
    struct dcs_profile *p = dcs_profile_load(main, &err);
    assert_non_null(p); /* a simulation does not look */
    dcs_profile_free(p);
}

static void test_wrong_evidence(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    split(MEASURED, in_folder(0, "m"));
    const char *main = in_folder(1, "m.sql.gz"), *part = in_folder(2, "m.evidence/live.sql.gz");
    size_t size, packed;
    unsigned char *text = dcs_profile_read_bytes(part, "part", &size, &err);
    assert_non_null(text);
    assert_int_equal(newfile_replace(part, "\x1f\x8b\x08", 3, &err), 0);
    refused(main, "is an incomplete gzip file");
    strstr((char *)text, "COMMIT")[-4]++; /* a digit */
    unsigned char *bytes = gzip_pack(text, size, &packed);
    assert_int_equal(newfile_replace(part, bytes, packed, &err), 0);
    refused(main, "is the evidence of another version of");
    assert_int_equal(unlink(part), 0);
    refused(main, "is missing: fetch the profile's evidence");
    free(bytes);
    free(text);
}

/* Each measured profile, and that a simulation reads it without SQLite. */
static void test_shipped(void **state)
{
    (void)state;
    DIR *stream = opendir(SHIPPED);
    size_t found = 0;
    assert_non_null(stream);
    for (struct dirent *e; (e = readdir(stream)) != NULL;) {
        struct dcs_err err = {0};
        struct dcs_profile_source s;
        size_t length = strlen(e->d_name);
        if (length < 7 || strcmp(e->d_name + length - 7, ".sql.gz") != 0)
            continue;
        snprintf(path[0], sizeof path[0], "%s/%s", SHIPPED, e->d_name);
        assert_int_equal(dcs_profile_open(&s, path[0], &err), 0);
        assert_non_null(s.plain);
        dcs_profile_close(&s);
        found++;
    }
    closedir(stream);
    assert_true(found > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_trip, setup, teardown),
        cmocka_unit_test_setup_teardown(test_without_evidence, setup, teardown),
        cmocka_unit_test_setup_teardown(test_wrong_evidence, setup, teardown),
        cmocka_unit_test(test_shipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
