/*
 * test_trace_input.c - from bytes to lines and fields: what is broken, and what only looks so.
 *
 * Pins: lines, their numbers and marks for plain and gzip input (several members, padded,
 * truncated, damaged, followed by garbage), CRLF, NUL, the cut last line, lines of 10 MB and of
 * exactly the longest length, folders in name order, standard input, CSV quoting; JSON members,
 * escapes and refusals; the number parsers at their limits. Does not pin: speed.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "traces/format.h"
#include "traces/input.h"
#include "traces/json_line.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static char folder[] = "/tmp/dcsim-test-XXXXXX";

static const char *write_file(const char *name, const void *bytes, size_t length)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    fclose(file);
    return path;
}

/* One gzip member. */
static size_t pack(const char *text, size_t length, unsigned char *out, size_t room)
{
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (unsigned char *)(uintptr_t)text;
    z.avail_in = (uInt)length;
    z.next_out = out;
    z.avail_out = (uInt)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    return z.total_out;
}

/* All lines of a path as "number:text" with marks (C cut, L too long, N NUL), '|' between; then the
 * damage, if any, after '!'. Long texts show as their length. */
static const char *lines_of(const char *path)
{
    static char out[8192];
    size_t used = 0;
    struct dcs_err err = {0};
    struct trace_input *in = trace_input_open(&path, 1, &err);
    out[0] = '\0';
    if (in == NULL)
        return "cannot open";
    while (trace_input_next_file(in, &err) == 1) {
        struct trace_line l;
        int status;
        while ((status = trace_input_line(in, &l, &err)) == 1) {
            assert_int_equal(l.text[l.length], '\0');
            used += (size_t)snprintf(out + used, sizeof out - used, "%llu:%s%s%s",
                                     (unsigned long long)l.number, l.cut ? "C" : "",
                                     l.too_long ? "L" : "", l.has_nul ? "N" : "");
            if (l.length > 100)
                used += (size_t)snprintf(out + used, sizeof out - used, "(%zu)|", l.length);
            else
                used += (size_t)snprintf(out + used, sizeof out - used, "%s|", l.text);
        }
        assert_int_equal(status, 0);
        assert_int_equal(trace_input_line(in, &l, &err), 0);
        const struct trace_source *s = trace_input_source(in, trace_input_current(in));
        assert_int_equal(strlen(s->sha256), 64);
        if (s->damage[0] != '\0')
            used += (size_t)snprintf(out + used, sizeof out - used, "!%s", s->damage);
    }
    trace_input_close(in);
    return out;
}

static void plain_lines(void **state)
{
    (void)state;
    assert_string_equal(lines_of(write_file("a", "x,1\r\n\ny\n", 8)), "1:x,1|2:|3:y|");
    assert_string_equal(lines_of(write_file("a", "x\ny", 3)), "1:x|2:Cy|");
    assert_string_equal(lines_of(write_file("a", "x\0y\nz\n", 6)), "1:Nx|2:z|");
    assert_string_equal(lines_of(write_file("a", "", 0)), "");
    assert_string_equal(lines_of(write_file("a", "\n", 1)), "1:|");
    assert_string_equal(lines_of(write_file("a", "z", 1)), "1:Cz|");
    assert_string_equal(lines_of("/nowhere"), "cannot open");
}

static void long_lines(void **state)
{
    (void)state;
    size_t bytes = 10 << 20;
    char *text = malloc(bytes + 16);
    assert_non_null(text);
    memset(text, 'a', bytes + 16);
    memcpy(text, "first\n", 6);
    memcpy(text + bytes, "\nlast\n", 6);
    assert_string_equal(lines_of(write_file("a", text, bytes + 6)), "1:first|2:L(1048576)|3:last|");
    assert_string_equal(lines_of(write_file("a", text, bytes)), "1:first|2:L(1048576)|");
    text[6 + TRACE_LINE_MAX] = '\n';
    assert_string_equal(lines_of(write_file("a", text, 6 + TRACE_LINE_MAX + 1)),
                        "1:first|2:(1048576)|");
    memset(text, 'a', bytes);
    text[TRACE_LINE_MAX + 1] = '\n';
    assert_string_equal(lines_of(write_file("a", text, TRACE_LINE_MAX + 2)), "1:L(1048577)|");
    free(text);
}

/* Lines that end anywhere in the buffer: each must come whole, whatever the refills. */
static void many_lines(void **state)
{
    (void)state;
    char path[256], expected[32];
    snprintf(path, sizeof path, "%s/many", folder);
    FILE *file = fopen(path, "wb");
    for (int i = 0; i < 1500000; i++)
        fprintf(file, "%d,%.*s\n", i, i % 17, "aaaaaaaaaaaaaaaaaaaa");
    fclose(file);
    const char *paths[] = {path};
    struct dcs_err err = {0};
    struct trace_input *in = trace_input_open(paths, 1, &err);
    assert_int_equal(trace_input_next_file(in, &err), 1);
    struct trace_line l;
    int i = 0;
    for (; trace_input_line(in, &l, &err) == 1; i++) {
        snprintf(expected, sizeof expected, "%d,%.*s", i, i % 17, "aaaaaaaaaaaaaaaaaaaa");
        if (strcmp(l.text, expected) != 0)
            fail_msg("line %d is \"%s\"", i, l.text);
    }
    assert_int_equal(i, 1500000);
    trace_input_close(in);
    unlink(path);
}

static void gzip_lines(void **state)
{
    (void)state;
    unsigned char z[8192];
    size_t a = pack("x,1\ny,", 6, z, sizeof z);
    size_t b = a + pack("2\nz\n", 4, z + a, sizeof z - a);
    assert_string_equal(lines_of(write_file("a", z, b)), "1:x,1|2:y,2|3:z|");
    memset(z + b, 0, 512); /* padding */
    assert_string_equal(lines_of(write_file("a", z, b + 512)), "1:x,1|2:y,2|3:z|");
    memcpy(z + b, "junk", 4);
    assert_string_equal(lines_of(write_file("a", z, b + 4)),
                        "1:x,1|2:y,2|3:z|!bytes follow the end of the gzip that are none");
    assert_string_equal(lines_of(write_file("a", z, b - 1)),
                        "1:x,1|2:y,2|3:z|!the gzip ends early: it was cut off");
    assert_string_equal(lines_of(write_file("a", z, a + 3)),
                        "1:x,1|2:Cy,|!the gzip ends early: it was cut off");
    z[b - 5] ^= 1; /* in the length; -6 to -9 are the checksum */
    z[b - 8] ^= 1;
    assert_string_equal(lines_of(write_file("a", z, b)),
                        "1:x,1|2:y,2|3:z|!the gzip is damaged: its bytes do not unpack");
    assert_string_equal(lines_of(write_file("a", z, 2)), "!the gzip ends early: it was cut off");
    assert_string_equal(lines_of(write_file("a", z, 1)), "1:C\x1f|");
}

static void folders_and_standard_input(void **state)
{
    (void)state;
    char parts[64], path[128];
    snprintf(parts, sizeof parts, "%s/parts", folder);
    assert_int_equal(mkdir(parts, 0700), 0);
    assert_string_equal(lines_of(parts), "cannot open"); /* empty */
    write_file("parts/p-2", "two\n", 4);
    write_file("parts/p-10", "ten\n", 4);
    write_file("parts/.hidden", "no\n", 3);
    snprintf(path, sizeof path, "%s/inner", parts);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_string_equal(lines_of(parts), "1:ten|1:two|");

    int saved = dup(STDIN_FILENO);
    int fd = open(write_file("in", "from,stdin\n", 11), O_RDONLY);
    dup2(fd, STDIN_FILENO);
    close(fd);
    assert_string_equal(lines_of("-"), "1:from,stdin|");
    dup2(saved, STDIN_FILENO);
    close(saved);
    const char *twice[] = {"-", "-"};
    struct dcs_err err = {0};
    assert_null(trace_input_open(twice, 2, &err));
    assert_string_equal(lines_of("/dev/null"), "cannot open");
}

/* Fields with '|' between them; "bad" if the line is none. */
static const char *split(const char *line)
{
    static char text[256], out[256];
    const char *fields[4];
    size_t lengths[4], used = 0;
    snprintf(text, sizeof text, "%s", line);
    size_t count = trace_csv_split(text, strlen(text), ',', fields, lengths, 4);
    if (count == 0)
        return "bad";
    out[0] = '\0';
    for (size_t i = 0; i < count && i < 4; i++) {
        assert_int_equal(strlen(fields[i]), lengths[i]);
        used += (size_t)snprintf(out + used, sizeof out - used, "%s|", fields[i]);
    }
    snprintf(out + used, sizeof out - used, "%zu", count);
    return out;
}

static void csv_fields(void **state)
{
    (void)state;
    assert_string_equal(split("a,b,,"), "a|b|||4");
    assert_string_equal(split(""), "|1");
    assert_string_equal(split("1,2,3,4,5,6"), "1|2|3|4|6");
    assert_string_equal(split("\"a,b\",c"), "a,b|c|2");
    assert_string_equal(split("\"a \"\"b\"\" c\",\"\""), "a \"b\" c||2");
    assert_string_equal(split("x\"y,z"), "x\"y|z|2");
    assert_string_equal(split("\"open,z"), "bad");
    assert_string_equal(split("\"a\"b,z"), "bad");
    assert_string_equal(split("a,\"b\""), "a|b|2");
}

static const char *members(const char *line)
{
    static const char *const names[] = {"time", "type", "r.cpus", NULL};
    static char text[512], out[512];
    const char *fields[3];
    size_t lengths[3];
    snprintf(text, sizeof text, "%s", line);
    if (!trace_json_line(text, strlen(text), names, fields, lengths))
        return "bad";
    for (int i = 0; i < 3; i++)
        assert_int_equal(strlen(fields[i]), lengths[i]);
    snprintf(out, sizeof out, "%s|%s|%s", fields[0], fields[1], fields[2]);
    return out;
}

/* RFC 4180 one character at a time, as csv_fields states it; the fields joined by '|'. */
static void split_by_definition(const char *line, char *out)
{
    char *to = out;
    for (;; line++) {
        if (*line == '"') {
            for (line++; *line != '"' || line[1] == '"'; line++) {
                if (*line == '\0') {
                    strcpy(out, "bad");
                    return;
                }
                line += *line == '"';
                *to++ = *line;
            }
            line++;
            if (*line != ',' && *line != '\0') {
                strcpy(out, "bad");
                return;
            }
        } else {
            while (*line != ',' && *line != '\0')
                *to++ = *line++;
        }
        *to++ = '|';
        *to = '\0';
        if (*line == '\0')
            return;
    }
}

/* Lines of every length around the blocks that are compared at once, quotes at every place. */
static void csv_any_line(void **state)
{
    (void)state;
    static const char alphabet[] = "ab,,c,x\"";
    uint32_t noise = 1;
    for (int round = 0; round < 40000; round++) {
        char line[100], text[100], expected[300], found[300] = "bad";
        const char *fields[100];
        size_t lengths[100], length = (size_t)round % 80, used = 0;
        unsigned letters = round % 3 == 0 ? 8 : 7; /* two thirds have no quote */
        for (size_t i = 0; i < length; i++) {
            noise = noise * 1664525u + 1013904223u;
            line[i] = alphabet[(noise >> 16) % letters];
        }
        line[length] = '\0';
        strcpy(text, line);
        split_by_definition(line, expected);
        size_t count = trace_csv_split(text, length, ',', fields, lengths, 100);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(strlen(fields[i]), lengths[i]);
            used += (size_t)snprintf(found + used, sizeof found - used, "%s|", fields[i]);
        }
        if (strcmp(found, expected) != 0)
            print_error("%s\n", line);
        assert_string_equal(found, expected);
    }
}

static void json_members(void **state)
{
    (void)state;
    assert_string_equal(members("{\"time\":\"12\",\"type\":3,\"r\":{\"cpus\":0.5,\"m\":1}}"),
                        "12|3|0.5");
    assert_string_equal(members(" { \"type\" : null , \"time\" : -1e3 } "), "-1e3||");
    assert_string_equal(members("{}"), "||");
    assert_string_equal(members("{\"a\":[{\"x\":\"]}\"},[1,2,true]],\"time\":1}"), "1||");
    assert_string_equal(members("{\"r\":null,\"type\":true}"), "|true|");
    assert_string_equal(members("{\"time\":\"a\\n\\u00e9\\ud83d\\ude00\\\"\"}"),
                        "a\n\xc3\xa9\xf0\x9f\x98\x80\"||");
    assert_string_equal(members("{\"cpus\":4,\"r\":{\"time\":3}}"), "||");
    static const char *const bad[] = {"",
                                      "[]",
                                      "{",
                                      "{\"time\":1",
                                      "{\"time\":1}x",
                                      "{\"time\"}",
                                      "{time:1}",
                                      "{\"time\":}",
                                      "{\"time\":1,}",
                                      "{\"time\":1,\"time\":2}",
                                      "{\"time\":[1]}",
                                      "{\"time\":{}}",
                                      "{\"time\":\"a}",
                                      "{\"time\":\"\\u0000\"}",
                                      "{\"time\":\"\\x\"}",
                                      "{\"time\":\"\\ud83d\"}",
                                      "{\"a\":[1}}",
                                      "{\"a\":nul}",
                                      "{\"time\":\"a\\",
                                      "{\"time\":\"\\u12"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (strcmp(members(bad[i]), "bad") != 0)
            fail_msg("taken: %s", bad[i]);
    char deep[300] = "{\"a\":";
    memset(deep + 5, '[', 200);
    assert_string_equal(members(deep), "bad");
}

static void numbers(void **state)
{
    (void)state;
    int64_t n;
    assert_true(trace_int64("9223372036854775807", &n) && n == INT64_MAX);
    assert_true(trace_int64("-9223372036854775808", &n) && n == INT64_MIN);
    assert_false(trace_int64("9223372036854775808", &n));
    assert_false(trace_int64("-9223372036854775809", &n));
    assert_false(trace_int64("92233720368547758070", &n));
    assert_true(trace_int64("000000000000000000000012", &n) && n == 12);
    static const char *const no_integers[] = {"", "-", "+1", "1.", " 1", "1 ", "0x1", "1e3"};
    for (size_t i = 0; i < sizeof no_integers / sizeof *no_integers; i++)
        assert_false(trace_int64(no_integers[i], &n));

    static const char *const texts[] = {"0.1",
                                        "0.0004244",
                                        "1e-3",
                                        "-12.5",
                                        "123456789.123456",
                                        "1e22",
                                        "1.5E+3",
                                        "5.",
                                        ".5",
                                        "1e-300",
                                        "179769313486231570000000000000000000000",
                                        "0.10000000000000000555111512312578270211815834045"};
    double d;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_true(trace_number(texts[i], &d));
        assert_true(d == strtod(texts[i], NULL));
    }
    static const char *const no_numbers[] = {"",   ".",   "-",     "nan",   "inf",
                                             "1e", "1e+", "1e999", "0x10",  "1,5",
                                             "1 ", " 1",  "--1",   "1.2.3", "1e 5"};
    for (size_t i = 0; i < sizeof no_numbers / sizeof *no_numbers; i++)
        if (trace_number(no_numbers[i], &d))
            fail_msg("taken as a number: \"%s\"", no_numbers[i]);

    assert_true(trace_seconds_ns("4550879.0", &n) && n == 4550879000000000);
    assert_true(trace_seconds_ns("0.0000000019", &n) && n == 1);
    assert_true(trace_seconds_ns("-1.5", &n) && n == -1500000000);
    assert_true(trace_seconds_ns("9223372036", &n) && n == 9223372036000000000);
    assert_false(trace_seconds_ns("9223372037", &n));
    assert_false(trace_seconds_ns("1e300", &n));
    assert_true(trace_microseconds_ns("9223372036854775807", &n) && n == DCS_NEVER);
    assert_true(trace_microseconds_ns("2506198229242", &n) && n == 2506198229242000);
    assert_false(trace_microseconds_ns("9223372036854775806", &n));
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_lines),
        cmocka_unit_test(long_lines),
        cmocka_unit_test(many_lines),
        cmocka_unit_test(gzip_lines),
        cmocka_unit_test(folders_and_standard_input),
        cmocka_unit_test(csv_fields),
        cmocka_unit_test(csv_any_line),
        cmocka_unit_test(json_members),
        cmocka_unit_test(numbers),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
