/*
 * test_spill.c - long lists in bounded memory.
 *
 * Pins: what was added comes back, in order, as often as it is asked for, with as many records as
 * fit in memory, one less, one more, and many times as many; a taker can stop; an empty list, and
 * one of zeros, is read and released; a short list makes no file, a long one leaves none, and holds
 * no more than SPILL_BYTES in memory; a folder that is missing and a full disk are errors that name
 * the folder, and a process may have more files than its usual limit. Does not pin: the memory of a
 * whole run (e2e/command_line).
 */
#include "des/spill.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <sys/resource.h>

struct record {
    uint64_t number;
    char more[13]; /* 24 bytes with what fills it up: no divisor of the room */
};
#define FIT (SPILL_BYTES / sizeof(struct record))

static struct spill filled(uint64_t count)
{
    struct dcs_err err = {0};
    struct spill s;
    spill_init(&s, sizeof(struct record));
    for (uint64_t i = 0; i < count; i++) {
        const struct record r = {.number = i, .more = "twelve bytes"};
        if (spill_add(&s, &r, &err) != 0)
            fail_msg("%s", err.text);
    }
    return s;
}

struct taker {
    uint64_t taken, stop;
};

static int take(void *context, const void *record)
{
    struct taker *t = context;
    const struct record *r = record;
    assert_true(r->number == t->taken);
    assert_string_equal(r->more, "twelve bytes");
    return ++t->taken == t->stop ? 7 : 0;
}

static void what_was_added_comes_back(void **state)
{
    (void)state;
    const uint64_t counts[] = {0, 1, FIT - 1, FIT, FIT + 1, 2 * FIT, 5 * FIT + 3};
    struct dcs_err err = {0};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct spill s = filled(counts[i]);
        assert_true(s.count == counts[i]);
        assert_true((s.in_file > 0) == (counts[i] > FIT));
        assert_true(s.held_count <= FIT);
        for (int again = 0; again < 2; again++) {
            struct taker t = {0};
            assert_int_equal(spill_each(&s, take, &t, &err), 0);
            assert_true(t.taken == counts[i]);
        }
        struct taker t = {.stop = counts[i] / 2 + 1};
        assert_int_equal(spill_each(&s, take, &t, &err), counts[i] > 0 ? 7 : 0);
        assert_true(t.taken == (counts[i] > 0 ? t.stop : 0));
        spill_release(&s);
        assert_int_equal(spill_each(&s, take, &t, &err), 0);
        spill_release(&s);
    }
}

static void more_files_than_the_limit(void **state)
{
    (void)state;
    struct rlimit old, small;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
    small = old;
    small.rlim_cur = 20;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &small), 0);
    struct spill lists[30];
    for (size_t i = 0; i < 30; i++)
        lists[i] = filled(FIT + 1);
    for (size_t i = 0; i < 30; i++)
        spill_release(&lists[i]);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
}

/* Adds until that fails. */
static void assert_fails(const char *folder, const char *why)
{
    struct dcs_err err = {0};
    struct spill s = filled(FIT);
    const struct record r = {.number = FIT, .more = "twelve bytes"};
    int status = 0;
    for (uint64_t i = 0; status == 0 && i < 3 * FIT; i++)
        status = spill_add(&s, &r, &err);
    assert_int_equal(status, -1);
    assert_string_equal(err.file, folder);
    if (strstr(err.text, why) == NULL)
        fail_msg("expected \"%s\" in \"%s\"", why, err.text);
    spill_release(&s);
}

static void no_folder(void **state)
{
    (void)state;
    setenv("TMPDIR", "/nowhere/at/all", 1);
    assert_fails("/nowhere/at/all", "cannot make a temporary file for rows");
    unsetenv("TMPDIR");
}

/* A limit on the size of files is what a full disk is here. */
static void no_space(void **state)
{
    (void)state;
    struct rlimit old, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, SIG_IGN);
    setenv("TMPDIR", "/tmp", 1);
    for (rlim_t space = SPILL_BYTES / 2; space < 2 * SPILL_BYTES; space += SPILL_BYTES) {
        small = old;
        small.rlim_cur = space;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        assert_fails("/tmp", "cannot write a temporary file for rows");
    }
    unsetenv("TMPDIR");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_added_comes_back),
        cmocka_unit_test(more_files_than_the_limit),
        cmocka_unit_test(no_folder),
        cmocka_unit_test(no_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
