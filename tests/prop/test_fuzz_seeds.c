/*
 * test_fuzz_seeds.c - the seeds of the fuzzer's targets for configs, profiles and traces, as
 * tests/fuzz/make_seeds.sh makes them, without a fuzzer: hostile files, each refused with a reason
 * or read, as file_case.h says. Does not pin which are refused. The seeds of fuzz_options are those
 * of test_options_mutations.c.
 */
#include "tests/fuzz/file_case.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { BYTES_MAX = 1 << 20 };

#define SEEDS DCS_BINARY_DIR "/fuzz-seeds"

static int make_seeds(void **state)
{
    (void)state;
    return system("'" DCS_SOURCE_DIR "/tests/fuzz/make_seeds.sh' '" SEEDS "'");
}

static void run_seeds(const char *name, file_case *check)
{
    static uint8_t bytes[BYTES_MAX];
    char path[1024];
    int count = 0;
    snprintf(path, sizeof path, SEEDS "/%s", name);
    DIR *dir = opendir(path);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, SEEDS "/%s/%s", name, entry->d_name);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        size_t size = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        uint8_t *exact = malloc(size + 1); /* so that a sanitizer sees a read past the end */
        memcpy(exact, bytes, size);
        const char *wrong = check(exact, size);
        free(exact);
        if (wrong != NULL)
            fail_msg("%s: %s", path, wrong);
        count++;
    }
    closedir(dir);
    assert_true(count > 5);
}

static void configs(void **state)
{
    (void)state;
    run_seeds("config", file_case_config);
}

static void profiles(void **state)
{
    (void)state;
    run_seeds("profile", file_case_profile);
}

static void traces(void **state)
{
    (void)state;
    run_seeds("trace", file_case_trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(configs),
        cmocka_unit_test(profiles),
        cmocka_unit_test(traces),
    };
    return cmocka_run_group_tests(tests, make_seeds, NULL);
}
