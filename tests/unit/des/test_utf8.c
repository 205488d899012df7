/*
 * test_utf8.c - characters of UTF-8.
 *
 * Pins: every code point, written by another encoder, is read back, and surrogates are none; bytes
 * that are no UTF-8; which characters are hidden; lengths.
 */
#include "des/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

static size_t encode(uint32_t point, char out[5])
{
    size_t bytes = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    static const unsigned char first[] = {0, 0, 0xc0, 0xe0, 0xf0};
    memset(out, 0, 5);
    for (size_t i = bytes; i-- > 1; point >>= 6)
        out[i] = (char)(0x80 | (point & 0x3f));
    out[0] = (char)(first[bytes] | point);
    return bytes;
}

static void every_point(void **state)
{
    (void)state;
    for (uint32_t point = 0; point <= 0x110000; point++) {
        char text[5];
        uint32_t found = UINT32_MAX;
        size_t bytes = encode(point, text), got = dcs_utf8_point(text, bytes, &found);
        bool is_one = (point < 0xd800 || point > 0xdfff) && point <= 0x10ffff;
        if (got != (is_one ? bytes : 0) || (is_one && found != point))
            fail_msg("U+%04X: %zu bytes, U+%04X", (unsigned)point, got, (unsigned)found);
        if (dcs_utf8_point(text, bytes - 1, NULL) != 0)
            fail_msg("U+%04X without its last byte is read", (unsigned)point);
    }
}

static void no_utf8(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "\x80",         "\xbf",         "\xc0\x80",        "\xc1\xbf",         "\xc3(",
        "\xe0\x9f\xbf", "\xed\xa0\x80", "\xe2\x80(",       "\xf0\x8f\xbf\xbf", "\xf5\x80\x80",
        "\xf8\x88\x80", "\xff",         "\xf4\x90\x80\x80"};
    bool hidden = false;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(dcs_utf8_point(bad[i], strlen(bad[i]), NULL), 0);
        assert_int_equal(dcs_utf8_next(bad[i], &hidden), 1);
        assert_true(hidden);
    }
}

static void hidden_characters(void **state)
{
    (void)state;
    static const uint32_t shown[] = {' ',    '~',    0xa0,   0xac,   0xae,   0xe9,   0x301,
                                     0x5d0,  0x627,  0x200a, 0x2010, 0x2027, 0x202f, 0x20ac,
                                     0x4e2d, 0xfefe, 0xfffc, 0xfffd, 0x1f600},
                          hidden[] = {'\n',   0x1b,   0x7f,    0x80,   0x9b,   0x9f,
                                      0xad,   0x200b, 0x200d,  0x200e, 0x200f, 0x2028,
                                      0x202a, 0x202e, 0x2060,  0x2066, 0x2069, 0xfeff,
                                      0xfffe, 0xfff9, 0x1ffff, 0xe0041};
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++)
        if (dcs_utf8_hidden(shown[i]))
            fail_msg("U+%04X is hidden", (unsigned)shown[i]);
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
        if (!dcs_utf8_hidden(hidden[i]))
            fail_msg("U+%04X is shown", (unsigned)hidden[i]);
}

static void lengths(void **state)
{
    (void)state;
    assert_int_equal(dcs_utf8_length(""), 0);
    assert_int_equal(dcs_utf8_length("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"), 4);
    assert_int_equal(dcs_utf8_length("\xe2\x82"), 2); /* two bytes that are none */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_point),
        cmocka_unit_test(no_utf8),
        cmocka_unit_test(hidden_characters),
        cmocka_unit_test(lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
