/*
 * test_base.c - errors and memory.
 *
 * Pins: the exact line that an error prints, escapes included; that a message may quote the error
 * it replaces; that grown and aligned memory is zeroed and keeps what it held; the line and the
 * exit code of a failing assertion, inside a simulation and outside; that one thing alone has no
 * plural. Does not pin: behaviour when memory runs out (only the overflow of a size).
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "des/base.h"
#include "des/digest.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void printed(const struct dcs_err *e, char *out, size_t size)
{
    FILE *file = fmemopen(out, size, "w");
    assert_non_null(file);
    dcs_err_print(e, file);
    fclose(file);
}

static void error_lines(void **state)
{
    (void)state;
    struct dcs_err e = {0};
    char line[1024];

    assert_int_equal(dcs_err_set(&e, "expected %d, found %s", 3, "x"), -1);
    printed(&e, line, sizeof line);
    assert_string_equal(line, "dcsim: expected 3, found x\n");

    assert_int_equal(dcs_err_at(&e, "a.json", 12, "jobs[0].rate", "bad"), -1);
    printed(&e, line, sizeof line);
    assert_string_equal(line, "dcsim: a.json:12: jobs[0].rate: bad\n");

    assert_int_equal(dcs_err_at(&e, "--set", 0, NULL, "bad"), -1);
    printed(&e, line, sizeof line);
    assert_string_equal(line, "dcsim: --set: bad\n");

    assert_int_equal(dcs_err_at(&e, NULL, 0, NULL,
                                "a\033[1mb\nc\x7f\td\xc2\x9b"
                                "e \xc3\xa9"),
                     -1);
    printed(&e, line, sizeof line);
    assert_string_equal(line, "dcsim: a\\x1b[1mb\\nc\\x7f\\td\\x9be \xc3\xa9\n");

    /* Turned, without a width, a tag, and bytes that are no UTF-8. */
    dcs_err_at(&e, "a\xe2\x80\xae", 1, "\xe2\x80\x8b\xd7\x90", "\xf3\xa0\x81\x81\xff\xe2\x80");
    printed(&e, line, sizeof line);
    assert_string_equal(line, "dcsim: a\\u202e:1: \\u200b\xd7\x90: \\U000e0041\\xff\\xe2\\x80\n");
}

static void errors_may_quote_themselves(void **state)
{
    (void)state;
    struct dcs_err e = {0};
    dcs_err_at(&e, "f", 1, "p", "inner");
    dcs_err_set(&e, "outer: %s", e.text);
    assert_string_equal(e.text, "outer: inner");
    assert_string_equal(e.file, "f");
    dcs_err_at(&e, e.path, 2, e.file, "again: %s", e.text);
    assert_string_equal(e.file, "p");
    assert_string_equal(e.path, "f");
    assert_string_equal(e.text, "again: outer: inner");
}

static void long_errors_are_cut(void **state)
{
    (void)state;
    struct dcs_err e = {0};
    char big[2000], line[8000];
    memset(big, '\001', sizeof big - 1);
    big[sizeof big - 1] = '\0';
    dcs_err_at(&e, big, 1, big, "%s", big);
    assert_int_equal(strlen(e.file), sizeof e.file - 1);
    assert_int_equal(strlen(e.path), sizeof e.path - 1);
    assert_int_equal(strlen(e.text), sizeof e.text - 1);
    printed(&e, line, sizeof line);
    assert_int_equal(line[strlen(line) - 1], '\n');
    assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
}

static void memory(void **state)
{
    (void)state;
    size_t capacity = 0;
    int *numbers = NULL;
    for (size_t need = 1; need <= 1000; need++) {
        size_t before = capacity;
        numbers = dcs_grow(numbers, &capacity, need, sizeof *numbers);
        assert_true(capacity >= need && capacity <= 2 * need + 8);
        for (size_t i = before; i < capacity; i++)
            assert_int_equal(numbers[i], 0);
        numbers[need - 1] = (int)need;
    }
    for (size_t i = 0; i < 1000; i++)
        assert_int_equal(numbers[i], i + 1);
    free(numbers);

    for (size_t count = 0; count < 20; count++) {
        char *bytes = dcs_alloc_aligned(64, count, 7);
        assert_int_equal((uintptr_t)bytes % 64, 0);
        for (size_t i = 0; i < 7 * count; i++)
            assert_int_equal(bytes[i], 0);
        free(bytes);
    }
    void *nothing = dcs_alloc(0, 8);
    assert_non_null(nothing);
    free(nothing);
    char *copy = dcs_strdup("text");
    assert_string_equal(copy, "text");
    free(copy);
}

enum death { DEATH_INSIDE, DEATH_OUTSIDE, DEATH_HUGE };

/* What a child that dies so prints, and its exit code. */
static int die(enum death death, char *text, size_t size)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        dcs_where = (struct dcs_where){.now_ns = 1000000002,
                                       .seed = UINT64_MAX,
                                       .replication = 7,
                                       .inside = death == DEATH_INSIDE};
        size_t capacity = 0;
        if (death == DEATH_HUGE)
            dcs_grow(NULL, &capacity, SIZE_MAX / 4, 8);
        DCS_ASSERT(2 + 2 == 5);
        _exit(1);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t got; (got = read(ends[0], text + length, size - 1 - length)) > 0;)
        length += (size_t)got;
    text[length] = '\0';
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void failing_assertions(void **state)
{
    (void)state;
    char text[2000];
    assert_int_equal(die(DEATH_INSIDE, text, sizeof text), DCS_EXIT_INTERNAL);
    assert_non_null(strstr(text, "dcsim: internal error: 2 + 2 == 5 at "));
    assert_non_null(strstr(text, "test_base.c:"));
    assert_non_null(strstr(text, " in die; simulated time 1.000000002 s, seed "
                                 "18446744073709551615, replication 7; please report this\n"));
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);

    assert_int_equal(die(DEATH_OUTSIDE, text, sizeof text), DCS_EXIT_INTERNAL);
    assert_non_null(strstr(text, " in die; please report this\n"));

    assert_int_equal(die(DEATH_HUGE, text, sizeof text), DCS_EXIT_INTERNAL);
    assert_non_null(strstr(text, "dcsim: out of memory"));
}

/* The examples of FIPS 180-4 (SHA-256, one block; 10^6 times "a", in uneven parts). */
static void digests(void **state)
{
    (void)state;
    char hex[65];
    dcs_sha256("abc", 3, hex);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    static uint8_t a[1000003];
    memset(a, 'a', sizeof a);
    struct sha256_ctx sha;
    sha256_init(&sha);
    sha256_update(&sha, 333333, a);
    sha256_update(&sha, 666667, a);
    dcs_sha256_end(&sha, hex);
    assert_string_equal(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void plurals(void **state)
{
    (void)state;
    assert_string_equal(dcs_plural(0), "s");
    assert_string_equal(dcs_plural(1), "");
    assert_string_equal(dcs_plural(2), "s");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digests),
        cmocka_unit_test(error_lines),
        cmocka_unit_test(errors_may_quote_themselves),
        cmocka_unit_test(long_errors_are_cut),
        cmocka_unit_test(memory),
        cmocka_unit_test(plurals),
        cmocka_unit_test(failing_assertions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
