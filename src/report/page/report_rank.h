/*
 * report_rank.h - which policy is first in a number of the table of a report, and how sure that is.
 *
 * The number of a label is what the table shows: the mean over the ranked worlds of report_data.h.
 * Ranked are labels that have the number in each of these worlds. Where some of them meet their SLA
 * in each and none is overloaded there, only these are ranked in anything but late requests. The
 * first is the one whose number no other ranked label beats; of equal ones the baseline, or else
 * the first by name.
 */
#ifndef DCS_REPORT_RANK_H
#define DCS_REPORT_RANK_H

#include "report/page/report_data.h"

/* What is said beside a label that is named: in how many ranked worlds. */
struct report_caveats {
    size_t worlds, infeasible, overloaded, violates, undecided, hypothetical;
    size_t meets; /* and is not overloaded */
};
struct report_caveats report_caveats_of(const struct report_data *d, size_t label);

struct report_rank {
    size_t first, second;    /* labels; SIZE_MAX: there is none */
    size_t equal;            /* other ranked labels with the number of the first */
    size_t ranked, left_out; /* labels; that lack a ranked world */
    bool meeting;            /* only labels that meet their SLA are ranked, and others are not */
    size_t worlds;           /* that are ranked */
    size_t leads;            /* in how many of them no ranked label beats the first */
    bool paired;             /* of one world: the first and the second were compared, */
    bool shown;              /* and the 95 % interval of their difference leaves 0 out */
};

/* better: 1, higher is better, -1: lower. The systems of the data have the values of the number's
 * metric (compare_groups_values). */
void report_rank(struct report_rank *r, const struct report_data *d, size_t which, int better);

#endif
