/*
 * test_spatial_places.c - pins which kernel of one request stands where one of another does: those
 * of the same label in order, what lies between two of them one by one, more of them at the last;
 * and that requests that are too long have none. Does not pin which of several longest orders is
 * taken.
 */
#include "models/gpu/spatial_places.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LONGEST 40

/* Labels are letters; places are digits from 0, '-' where there is none. */
static void stands(const char *a, const char *b, const char *expected)
{
    uint32_t labels[2][LONGEST] = {{0}}, places[LONGEST];
    size_t n = strlen(a), m = strlen(b);
    char found[LONGEST + 1] = "";
    for (size_t i = 0; i < n; i++)
        labels[0][i] = (uint32_t)a[i];
    for (size_t i = 0; i < m; i++)
        labels[1][i] = (uint32_t)b[i];
    spatial_find_places(labels[0], n, labels[1], m, places);
    for (size_t i = 0; i < n; i++)
        found[i] = places[i] == SPATIAL_NO_PLACE ? '-' : (char)('0' + places[i]);
    assert_string_equal(found, expected);
}

static void short_ones(void **state)
{
    (void)state;
    stands("", "abc", "");
    stands("abc", "", "---");
    stands("abc", "abc", "012");
    stands("axc", "abc", "012");
    stands("axyc", "abc", "0112"); /* one kernel became two */
    stands("axc", "abbc", "013");  /* and two became one */
    stands("axb", "ab", "0-1");    /* nothing is there */
    stands("xab", "zab", "012");
    stands("abx", "abz", "012");
    stands("xyz", "abc", "012"); /* nothing in common */
}

/* Two layers, whose products have another name at one place of each. */
static void layers(void **state)
{
    (void)state;
    stands("ngcngsGa"
           "ngcngsGa",
           "ngcngsga"
           "ngcngsga",
           "01234567"
           "89:;<=>?");
}

static void long_ones(void **state)
{
    (void)state;
    size_t n = SPATIAL_CELLS_MAX / 1000 + 1;
    uint32_t *a = dcs_alloc(n, sizeof *a), *places = dcs_alloc(n, sizeof *places);
    spatial_find_places(a, n, a, 1000, places);
    assert_int_equal(places[0], SPATIAL_NO_PLACE);
    assert_int_equal(places[n - 1], SPATIAL_NO_PLACE);
    spatial_find_places(a, 1000, a, 1000, places);
    assert_int_equal(places[999], 999);
    free(a);
    free(places);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(short_ones), cmocka_unit_test(layers),
                                       cmocka_unit_test(long_ones)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
