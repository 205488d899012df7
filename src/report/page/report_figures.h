/*
 * report_figures.h - which figures a report has, and the comparison with its baseline that they
 * share with the answer.
 */
#ifndef DCS_REPORT_FIGURES_H
#define DCS_REPORT_FIGURES_H

#include "des/compare.h"
#include "report/page/report_page.h"
#include "report/page/report_rank.h"
#include "report/page/report_shown.h"

/* A label against the baseline, in all worlds that both met; in some it is shown to be better or
 * worse, or, of a number that has no better, higher or lower. */
struct report_rival {
    size_t worlds, better, worse;
    struct dcs_estimate difference; /* of one world: its interval; of several: mean and range */
    struct dcs_difference first;    /* in the first world */
};
struct report_contest {
    bool any;                                 /* some world was met by the baseline and another */
    struct report_rival *rivals[SHOWN_COUNT]; /* by label */
    int better[SHOWN_COUNT];                  /* 1: higher is better, -1: lower, 0: neither */
    struct report_rank ranks[SHOWN_COUNT];
};
int report_contest_read(struct report_contest *c, struct report_data *d, struct dcs_err *err);
void report_contest_release(struct report_contest *c);
/* Times in the unit that suits `like`. "-3.5 ± 0.4 %: better", "-3.5 [-4, -3] %: better in 5 of 6",
 * "...: better in 3, worse in 2 of 6"
 */
char *report_rival_text(const struct report_rival *r, enum text_unit unit, double like, int better);

/* All figures, in their order. */
int report_figures(struct page *p, const struct report_data *d, const struct report_contest *c,
                   struct dcs_err *err);

#endif
