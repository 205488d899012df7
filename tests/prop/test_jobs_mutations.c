/*
 * test_jobs_mutations.c - pins that no damage to a database of jobs makes its reader crash, hang or
 * hand out what is out of range: thousands of mutations of its bytes, each either refused with a
 * message, at opening or in a pass, or read as jobs in which every documented bound holds. Each is
 * read whole and in a window. The mutations are the same in every run; a failure names its number.
 *
 * It does not pin which mutations are refused: a changed digit is a different valid job.
 */
#include "traces/import.h"
#include "traces/jobs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define TASKS DCS_SOURCE_DIR "/tests/data/traces/google-2011/task_events.csv"

enum { MUTATIONS = 3000, BYTES_MAX = 1 << 18 };

static char file[300];
static unsigned char original[BYTES_MAX], changed[BYTES_MAX];
static size_t original_size;

/* splitmix64 (Steele, Lea, Flood 2014). */
static uint64_t stream;
static uint64_t draw(uint64_t below)
{
    uint64_t z = stream += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (z ^ z >> 31) % below;
}

static int setup(void **state)
{
    (void)state;
    static const char *const paths[] = {TASKS};
    struct import_options o = {.paths = paths, .paths_count = 1, .output = file};
    for (size_t i = 0; trace_formats[i] != NULL; i++)
        if (strcmp(trace_formats[i]->name, "google-2011-task-events") == 0)
            o.format = trace_formats[i];
    struct import_counts *counts = dcs_alloc(1, sizeof *counts);
    struct dcs_err err = {0};
    assert_int_equal(trace_import_run(&o, counts, &err), 0);
    free(counts);
    FILE *f = fopen(file, "rb");
    assert_non_null(f);
    original_size = fread(original, 1, sizeof original, f);
    fclose(f);
    assert_in_range(original_size, 1000, sizeof original - 1);
    return 0;
}

static void write_changed(size_t size)
{
    FILE *f = fopen(file, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(changed, 1, size, f), size);
    fclose(f);
}

/* ---- what must hold of what is handed out ---- */

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return #condition;                                                                     \
    } while (0)

static bool is_time(int64_t ns, int64_t least)
{
    return ns >= least && ns <= DCS_TIME_MAX;
}

static const char *broken_info(const struct trace_jobs_info *info)
{
    MUST(strlen(info->format) < sizeof info->format);
    MUST(strlen(info->description) < sizeof info->description);
    MUST(strlen(info->sha256) == 64);
    MUST(is_time(info->jobs, 0) && is_time(info->rows, 0));
    MUST(is_time(info->first_arrival_ns, 0) && is_time(info->end_ns, 0));
    MUST(info->sources_count <= TRACE_JOBS_SOURCES_MAX);
    for (size_t i = 0; i < info->sources_count; i++) {
        const struct trace_jobs_source *s = &info->sources[i];
        MUST(strlen(s->name) <= TRACE_JOBS_NAME_MAX && strlen(s->sha256) == 64);
        MUST(is_time(s->compressed_bytes, 0) && is_time(s->bytes, 0) && is_time(s->rows, 0));
    }
    return NULL;
}

static const char *broken_row(const struct trace_jobs_row *row, const struct trace_jobs_info *info)
{
    MUST(is_time(row->id, 1) && is_time(row->arrival_ns, 0));
    MUST(is_time(row->start_ns, row->arrival_ns) && is_time(row->duration_ns, 1));
    MUST(row->class == DCS_LATENCY || row->class == DCS_BATCH);
    MUST(row->gpus >= 0 && row->gpus <= TRACE_JOBS_GPUS_MAX);
    MUST(row->cpus >= 0 && row->cpus <= TRACE_JOBS_CPUS_MAX);
    MUST(row->status == TRACE_STATUS_UNKNOWN || row->status == TRACE_STATUS_SUCCESS ||
         row->status == TRACE_STATUS_FAILED);
    MUST(strlen(row->key) < sizeof row->key);
    MUST(row->file >= 1 && row->file <= info->sources_count);
    return NULL;
}

/* *whole: the pass came to its end. */
static const char *broken_pass(struct trace_jobs *jobs, const struct trace_jobs_filter *filter,
                               bool *whole)
{
    struct trace_jobs_row row;
    struct dcs_err err = {0};
    int64_t last_ns = -1, count = 0;
    int status = trace_jobs_select(jobs, filter, &err);
    while (status == 0 && (status = trace_jobs_next(jobs, &row, &err)) == 1) {
        const char *broken = broken_row(&row, trace_jobs_info(jobs));
        if (broken != NULL)
            return broken;
        MUST(row.arrival_ns >= last_ns && row.arrival_ns >= filter->from_ns);
        MUST(++count <= (int64_t)original_size); /* a job takes bytes: no page comes twice */
        last_ns = row.arrival_ns;
        status = 0;
    }
    MUST(status == 0 || (err.text[0] != '\0' && strcmp(err.file, file) == 0));
    if (status == 0 && filter->from_ns == 0)
        MUST(count == trace_jobs_info(jobs)->jobs);
    *whole = *whole && status == 0;
    return NULL;
}

/* Reads `file`. 2: all of it, 1: not to the end, 0: not opened. */
static int check_file(int number)
{
    struct trace_jobs *jobs;
    struct dcs_err err = {0};
    const char *broken = NULL;
    bool whole = true;
    int opened = trace_jobs_open(file, &jobs, &err) == 0;
    if (!opened && (strcmp(err.file, file) != 0 || err.text[0] == '\0'))
        broken = "a refusal names the file and has a text";
    if (opened)
        broken = broken_info(trace_jobs_info(jobs));
    if (opened && broken == NULL)
        broken = broken_pass(jobs, &(struct trace_jobs_filter){0}, &whole);
    if (opened && broken == NULL)
        broken = broken_pass(jobs, &(struct trace_jobs_filter){.from_ns = 1}, &whole);
    if (broken != NULL)
        fail_msg("mutation %d (kept in %s): %s", number, file, broken);
    trace_jobs_close(jobs);
    return opened + (opened && whole);
}

/* ---- mutations ---- */

static size_t mutate(void)
{
    size_t size = original_size;
    memcpy(changed, original, size);
    for (uint64_t hits = 1 + draw(4); hits > 0; hits--) {
        /* Pages are nearly empty: most hits go where something stands. */
        size_t at = draw(size);
        for (int i = 0; i < 64 && original[at] == 0; i++)
            at = draw(size);
        switch (draw(4)) {
        case 0:
            changed[at] = (unsigned char)draw(256);
            break;
        case 1:
            changed[at] ^= (unsigned char)(1u << draw(8));
            break;
        case 2: /* the wild values of page numbers, sizes and offsets */
            changed[at] = draw(2) ? 0xff : 0;
            break;
        default: { /* a piece from elsewhere, of up to a page */
            size_t length = 1 + draw(draw(2) ? 16 : 4096), from = draw(size);
            length = at + length > size ? size - at : length;
            length = from + length > size ? size - from : length;
            memmove(changed + at, original + from, length);
        }
        }
    }
    return draw(20) == 0 ? draw(size) : size;
}

static void test_mutations(void **state)
{
    (void)state;
    stream = 5;
    memcpy(changed, original, original_size);
    write_changed(original_size);
    assert_int_equal(check_file(-1), 2); /* without a mutation it is accepted */
    int found[3] = {0};
    for (int i = 0; i < MUTATIONS; i++) {
        write_changed(mutate());
        found[check_file(i)]++;
    }
    print_message("of %d mutations %d are not opened, %d not read to the end, %d are still jobs\n",
                  MUTATIONS, found[0], found[1], found[2]);
    /* Else the mutations would not test what comes behind the first check. */
    assert_in_range(found[0], MUTATIONS / 10, MUTATIONS * 9 / 10);
    assert_in_range(found[1], MUTATIONS / 100, MUTATIONS);
    assert_in_range(found[2], MUTATIONS / 100, MUTATIONS);
    unlink(file);
}

int main(void)
{
    snprintf(file, sizeof file, "%s/test_jobs_mutations_XXXXXX", DCS_BINARY_DIR);
    int fd = mkstemp(file);
    if (fd < 0)
        return 1;
    close(fd);
    unlink(file);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutations)};
    return cmocka_run_group_tests(tests, setup, NULL);
}
