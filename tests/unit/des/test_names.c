/*
 * test_names.c - numbers of names.
 *
 * Pins: what is found, that the first number of a name stays, an empty table. Does not pin: how
 * long it takes (e2e/command_line does, of a config with 20000 applications).
 */
#include "des/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void finds_what_was_added(void **state)
{
    (void)state;
    static char names[1000][8];
    struct dcs_names table = {0};
    assert_true(dcs_names_find(&table, "n0") == SIZE_MAX);
    for (size_t i = 0; i < 1000; i++) {
        snprintf(names[i], sizeof names[i], "n%zu", i);
        dcs_names_add(&table, names[i], i);
    }
    dcs_names_add(&table, "n7", 5); /* it has a number */
    for (size_t i = 0; i < 1000; i++)
        assert_int_equal(dcs_names_find(&table, names[i]), i);
    assert_true(dcs_names_find(&table, "n1000") == SIZE_MAX);
    assert_true(dcs_names_find(&table, "") == SIZE_MAX);
    dcs_names_release(&table);
    assert_true(dcs_names_find(&table, "n0") == SIZE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(finds_what_was_added)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
