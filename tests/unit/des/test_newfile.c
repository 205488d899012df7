/*
 * test_newfile.c - files appear whole or not at all: one that is there is refused or replaced as
 * asked, of several that get their names together none is left where one cannot, and nothing else
 * stays in the folder. Not pinned: a full disk (tests/e2e/trace_fit.sh has one).
 */
#include "des/newfile.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[300], one[320], two[320];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s/test_newfile_XXXXXX", DCS_BINARY_DIR);
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(one, sizeof one, "%s/one", folder);
    snprintf(two, sizeof two, "%s/two", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(one);
    unlink(two);
    return rmdir(folder); /* which fails if anything is left */
}

/* "" for a file that is not there. */
static void expect(const char *path, const char *text)
{
    char found[16] = "";
    FILE *f = fopen(path, "rb");
    assert_int_equal(f == NULL, text[0] == '\0');
    if (f == NULL)
        return;
    size_t n = fread(found, 1, sizeof found - 1, f);
    fclose(f);
    assert_int_equal(n, strlen(text));
    assert_string_equal(found, text);
}

static void test_create(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    assert_int_equal(newfile_create(one, "first", 5, &err), 0);
    expect(one, "first");
    assert_int_equal(newfile_create(one, "other", 5, &err), -1);
    assert_string_equal(err.text, "exists already; remove it or name another file");
    assert_string_equal(err.file, one);
    expect(one, "first");
}

static void test_may_replace(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    assert_int_equal(newfile_may_replace(one, "fir", "page", &err), 0); /* there is none */
    assert_int_equal(newfile_create(one, "first", 5, &err), 0);
    assert_int_equal(newfile_may_replace(one, "fir", "page", &err), 0);
    assert_int_equal(newfile_may_replace(one, "first", "page", &err), 0);
    assert_int_equal(newfile_may_replace(one, "first2", "page", &err), -1);
    assert_int_equal(newfile_may_replace(one, "sec", "page", &err), -1);
    assert_string_equal(err.text,
                        "exists and is no page of dcsim: choose another name for the page");
    assert_int_equal(newfile_may_replace(folder, "fir", "page", &err), -1);
}

static void test_replace(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    assert_int_equal(newfile_replace(one, "first", 5, &err), 0);
    expect(one, "first");
    assert_int_equal(newfile_replace(one, "2nd", 3, &err), 0);
    expect(one, "2nd");
    char inside[340];
    snprintf(inside, sizeof inside, "%s/none/one", folder);
    assert_int_equal(newfile_replace(inside, "3rd", 3, &err), -1);
    assert_string_equal(err.text, "cannot write: No such file or directory");
    /* A folder keeps its name. */
    assert_int_equal(newfile_replace(folder, "3rd", 3, &err), -1);
    assert_string_equal(err.text, "cannot write: Is a directory");
    char partial[340];
    snprintf(partial, sizeof partial, "%s.partial-%ld", folder, (long)getpid());
    assert_int_equal(access(partial, F_OK), -1);
}

/* Somebody takes the second name between writing and naming. */
static void test_all_or_none(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    struct newfile files[2] = {0};
    assert_int_equal(newfile_write(&files[0], one, "one", 3, &err), 0);
    assert_int_equal(newfile_write(&files[1], two, "two", 3, &err), 0);
    expect(one, "");
    FILE *f = fopen(two, "wb");
    assert_non_null(f);
    fputs("theirs", f);
    fclose(f);
    assert_int_equal(newfile_name(files, 2, &err), -1);
    assert_string_equal(err.file, two);
    newfile_discard(files, 2);
    expect(one, "");
    expect(two, "theirs");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_create, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_may_replace, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_replace, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_all_or_none, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
