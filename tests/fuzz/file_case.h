/*
 * file_case.h - one case for the readers of what comes from outside: the bytes of a config, of a
 * profile as SQL text, of a published trace. Shared by the libFuzzer targets (tests/fuzz/fuzz_*.c)
 * and by the test that runs their seeds without a fuzzer (tests/prop/test_fuzz_seeds.c).
 *
 * What must hold: the bytes are refused with a reason on one line, or read; a config that was read
 * prints as a text that reads back and prints the same again.
 */
#ifndef DCS_TESTS_FILE_CASE_H
#define DCS_TESTS_FILE_CASE_H

#include "config/config.h"
#include "models/gpu/spatial_load.h"
#include "traces/import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is wrong, NULL if everything holds. */
typedef const char *file_case(const uint8_t *bytes, size_t size);

/* As it is printed: what the input holds is escaped there. */
static inline const char *file_case_refusal(const struct dcs_err *err)
{
    if (err->text[0] == '\0')
        return "a refusal without a text";
    char *line = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&line, &length);
    dcs_err_print(err, out);
    fclose(out);
    bool one = strchr(line, '\n') == line + length - 1;
    free(line);
    return one ? NULL : "a refusal of several lines";
}

static inline const char *file_case_config(const uint8_t *bytes, size_t size)
{
    struct dcs_err err = {0};
    struct config c = {0}, again = {0};
    struct options_doc *doc = options_load_text("case", (const char *)bytes, size, &err);
    if (doc == NULL)
        return file_case_refusal(&err);
    const char *wrong = NULL;
    if (config_parse(&c, doc, NULL, &err) != 0) {
        options_doc_free(doc);
        return file_case_refusal(&err);
    }
    char *first = config_print(&c), *second = NULL;
    struct options_doc *canonical = options_load_text("canonical", first, strlen(first), &err);
    if (canonical == NULL || config_parse(&again, canonical, NULL, &err) != 0) {
        wrong = "the canonical form is refused";
    } else {
        second = config_print(&again);
        if (strcmp(first, second) != 0)
            wrong = "the canonical form prints otherwise";
        config_release(&again);
    }
    if (canonical != NULL)
        options_doc_free(canonical);
    free(first);
    free(second);
    config_release(&c);
    options_doc_free(doc);
    return wrong;
}

/* The bytes as a file, whose name stays the same in a process. */
static inline const char *file_case_write(const uint8_t *bytes, size_t size)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/dcsim-fuzz-%ld", (long)getpid());
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        abort();
    return path;
}

static inline const char *file_case_profile(const uint8_t *bytes, size_t size)
{
    static const char *const sized[] = {"answer", "solve", "service", NULL};
    const char *path = file_case_write(bytes, size);
    struct dcs_err err = {0};
    struct dcs_spatial *s = NULL;
    const char *wrong = NULL;
    struct dcs_profile *p = dcs_spatial_load_sized(path, sized, &s, &err);
    if (p == NULL)
        wrong = file_case_refusal(&err);
    dcs_spatial_free(s);
    dcs_profile_free(p);
    unlink(path);
    return wrong;
}

/* The first byte says in which format: 'A' the first, and so on. */
static inline const char *file_case_trace(const uint8_t *bytes, size_t size)
{
    size_t formats = 0;
    while (trace_formats[formats] != NULL)
        formats++;
    if (size == 0)
        return NULL;
    const char *path = file_case_write(bytes + 1, size - 1);
    size_t format = (uint8_t)(bytes[0] - 'A') % formats;
    struct import_options options = {
        .format = trace_formats[format], .paths = &path, .paths_count = 1};
    struct import_counts counts = {0};
    struct dcs_err err = {0};
    const char *wrong = NULL;
    if (trace_import_run(&options, &counts, &err) != 0)
        wrong = file_case_refusal(&err);
    else if (counts.rows != counts.rows_jobs + counts.rows_events + counts.rows_left_out)
        wrong = "rows that were neither kept nor left out";
    unlink(path);
    return wrong;
}

#endif
