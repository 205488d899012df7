/*
 * launches.h - the CUDA launches that a kernel consists of: their grids, and how long each takes.
 *
 * A kernel is run several times, and each time a tracer records every launch. Launches that follow
 * each other with the same function, blocks, threads and shared memory are one row; where that
 * leaves more than CAL_LAUNCH_ROWS (a grid that grows and shrinks), the two neighbours that are
 * most alike are joined until it does not. Times are in ns of one clock. Knows no GPU.
 */
#ifndef DCS_CALIBRATE_LAUNCHES_H
#define DCS_CALIBRATE_LAUNCHES_H

#include "calibrate/plan/sample.h"

#define CAL_LAUNCH_ROWS     64
#define CAL_LAUNCHES_TRACED 4096 /* of one kernel; of one with more nothing is told */
#define CAL_FUNCTION_BORDER 0    /* launched in front of a kernel that is traced and behind it */

struct cal_launch_record {
    uint64_t function; /* equal for equal functions */
    int64_t blocks, threads_per_block, registers;
    int64_t shared_bytes; /* static and dynamic */
    int64_t begin_ns, end_ns;
};

/* Of a function's name; CAL_FUNCTION_BORDER for names that contain `border`. */
uint64_t cal_function_id(const char *name, const char *border);

/* Records in order of begin, with 2 * pairs borders among them: those between the index-th two.
 * -1 and err: there are more or fewer borders. */
int cal_launches_between(const struct cal_launch_record *records, size_t count, size_t pairs,
                         size_t index, const struct cal_launch_record **first, size_t *n,
                         struct dcs_err *err);

/* Repetitions of one kernel; a zeroed one is empty. */
struct cal_launches {
    struct cal_launch_record *launches; /* of the first repetition */
    size_t count;                       /* of one repetition */
    int64_t *ns, *gap_ns;               /* per repetition and launch; the gap before it */
    size_t repetitions, capacity;
    int throttled;    /* repetitions that were thrown away */
    double clock_mhz; /* sum over those that were kept */
};

/* Adds a repetition. -1 and err: it has no launches, too many, or others than the first. */
int cal_launches_add(struct cal_launches *l, const struct cal_launch_record *records, size_t count,
                     int clock_mhz, bool throttled, struct dcs_err *err);
void cal_launches_release(struct cal_launches *l);

/* Of launches that follow each other. What a launch has is of all of them the mean of `blocks`,
 * and otherwise of those that take most of the time. */
struct cal_launch_row {
    int64_t launches, blocks, threads_per_block, registers, shared_bytes;
    int64_t gap_ns;             /* before one of them, without the kernel's first; never negative */
    struct cal_statistics time; /* of one launch: samples are means of a repetition */
};
/* rows has CAL_LAUNCH_ROWS elements. -1 and err: every repetition was throttled. */
int cal_launches_rows(const struct cal_launches *l, struct cal_launch_row *rows, size_t *count,
                      struct dcs_err *err);

/* Medians over repetitions: of the time in launches, and with the gaps between them. There must be
 * a repetition that was kept. */
struct cal_launch_sums {
    int64_t inside_ns, with_gaps_ns;
};
struct cal_launch_sums cal_launches_sums(const struct cal_launches *l);

#endif
