/*
 * options_fixture.h - what the tests of the config reader share: a table with every type, and
 * helpers that load, parse and compare errors.
 */
#ifndef DCS_TESTS_OPTIONS_FIXTURE_H
#define DCS_TESTS_OPTIONS_FIXTURE_H

#include "options/options.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#define AT(type, member) .offset = offsetof(struct type, member)

static const char *const processes[] = {"poisson", "mmpp2", "deterministic", NULL};

struct service {
    char *profile;
    double rate_per_s;
    int process;
    int64_t sla_ns;
};

struct workload {
    struct param_list services; /* struct service */
    double load;
};

struct experiment {
    int64_t seed, devices;
    bool quick;
    double share, any, positive;
    int64_t horizon_ns, step_ns, hold_ns;
    int process;
    char *title;
    struct workload workload;
};

static const struct param service_rows[] = {
    {PARAM_STRING, "profile", AT(service, profile), .required = true,
     .help = "which profile the kernels come from"},
    {PARAM_REAL, "rate_per_s", AT(service, rate_per_s), "1/s", 0, 1e6, 10,
     .help = "requests per second", .was = "rate"},
    {PARAM_CHOICE, "process", AT(service, process), .choices = processes, .number = 1,
     .help = "arrival process"},
    {PARAM_TIME, "sla_ms", AT(service, sla_ns), "ms", 0, 1000, 50, .help = "service level"},
    {.type = PARAM_END},
};

static const struct param workload_rows[] = {
    {PARAM_LIST, "services", AT(workload, services), .sub = service_rows,
     .sub_size = sizeof(struct service), .low = 0, .high = 3, .help = "services"},
    {PARAM_REAL, "load", AT(workload, load), NULL, 0, 1, 0.7, .help = "offered | carried"},
    {.type = PARAM_END},
};

static const struct param rows[] = {
    {PARAM_INT, "seed", AT(experiment, seed), .number = 1, .help = "seed"},
    {PARAM_INT, "devices", AT(experiment, devices), "GPUs", 1, 8, 4, .help = "devices"},
    {PARAM_BOOL, "quick", AT(experiment, quick), .number = 1, .help = "quick"},
    {PARAM_REAL, "share", AT(experiment, share), NULL, 0, 1, 0.5, .help = "share"},
    {PARAM_REAL, "any", AT(experiment, any), .number = -2.5, .help = "any number"},
    {PARAM_REAL, "positive", AT(experiment, positive), NULL, 0, INFINITY, 3, .help = "half open"},
    {PARAM_TIME, "horizon_s", AT(experiment, horizon_ns), "s", .number = 60, .help = "horizon"},
    {PARAM_TIME, "step_us", AT(experiment, step_ns), "us", 0.5, 2, 1.5, .help = "step"},
    {PARAM_TIME, "hold_h", AT(experiment, hold_ns), "h", .number = 0.1, .help = "hold"},
    {PARAM_CHOICE, "process", AT(experiment, process), .choices = processes, .help = "process"},
    {PARAM_STRING, "title", AT(experiment, title), .text = "none", .help = "title"},
    {PARAM_OBJECT, "workload", AT(experiment, workload), .sub = workload_rows,
     .sub_size = sizeof(struct workload), .help = "workload"},
    {.type = PARAM_END},
};

static inline struct options_doc *load(const char *text)
{
    struct dcs_err err = {0};
    struct options_doc *doc = options_load_text("t.json", text, strlen(text), &err);
    if (!doc)
        fail_msg("%d: %s: %s\n%s", err.line, err.path, err.text, text);
    return doc;
}

static inline void set(struct options_doc *doc, const char *assignment)
{
    struct dcs_err err = {0};
    if (options_set(doc, assignment, &err) != 0)
        fail_msg("%s: %s: %s", err.file, err.path, err.text);
}

/* Parses the root; released by the caller. */
static inline struct experiment parse(const struct options_doc *doc)
{
    struct experiment e = {0};
    struct dcs_err err = {0};
    if (options_parse(doc, "", rows, NULL, &e, &err) != 0)
        fail_msg("%s:%d: %s: %s", err.file, err.line, err.path, err.text);
    return e;
}

static inline struct experiment parse_text(const char *text)
{
    struct options_doc *doc = load(text);
    struct experiment e = parse(doc);
    options_doc_free(doc);
    return e;
}

static inline void release(struct experiment *e)
{
    options_release(rows, sizeof *e, e);
}

static inline void check_error(const struct dcs_err *err, const char *file, int line,
                               const char *path, const char *text)
{
    assert_string_equal(err->text, text);
    assert_string_equal(err->path, path);
    assert_int_equal(err->line, line);
    assert_string_equal(err->file, file);
}

/* The text loads, but the table refuses it, and nothing is left in the struct. */
static inline void refused(const char *json, int line, const char *path, const char *text)
{
    static const struct experiment zero;
    struct experiment e = {0};
    struct dcs_err err = {0};
    struct options_doc *doc = load(json);
    assert_int_equal(options_parse(doc, "", rows, NULL, &e, &err), -1);
    check_error(&err, "t.json", line, path, text);
    assert_memory_equal(&e, &zero, sizeof e);
    options_doc_free(doc);
}

static inline void not_loaded(const char *json, size_t size, int line, const char *path,
                              const char *text)
{
    struct dcs_err err = {0};
    assert_null(options_load_text("t.json", json, size, &err));
    check_error(&err, "t.json", line, path, text);
}

#define NOT_LOADED(json, line, path, text) not_loaded(json, sizeof(json) - 1, line, path, text)

#endif
