/*
 * report_figures.h - which figures a report has, and the comparison with its baseline that they
 * share with the answer.
 */
#ifndef DCS_REPORT_FIGURES_H
#define DCS_REPORT_FIGURES_H

#include "report/page/report_data.h"
#include "report/page/report_page.h"

/* What is shown of every experiment. */
struct report_shown {
    enum report_value value;
    bool complement;    /* 1 - value */
    const char *title;  /* of a figure */
    const char *label;  /* of its axis, of a column */
    const char *metric; /* for compare_metric() */
    enum text_unit unit;
};
/* Which ones SHOWN_BATCH and SHOWN_BUSY are depends on what the results have. */
enum { SHOWN_LATE, SHOWN_P99, SHOWN_BATCH, SHOWN_BUSY, SHOWN_COUNT };
const struct report_shown *report_shown(const struct report_data *d, size_t which);

/* Whether all experiments have devices that kernels share. */
bool report_shares_devices(const struct report_data *d);
/* What such devices consist of: "SMs", "cores". */
const char *report_parts(const struct report_data *d);

/* A point's number as it is shown. */
struct dcs_estimate report_shown_value(const struct report_point *p, const struct report_shown *s);
/* Several values as one: their mean, with their range as its interval. A single one stays. */
struct dcs_estimate report_together(const struct dcs_estimate *values, size_t count);
/* The mean over all experiments of a label that met a world which the baseline met, too. */
struct dcs_estimate report_label_value(const struct report_data *d, size_t label,
                                       const struct report_shown *s);
/* The same over the worlds that another label met, too. */
struct dcs_estimate report_label_value_beside(const struct report_data *d, size_t label,
                                              size_t other, const struct report_shown *s);

/* A world in which a label is shown to differ from the baseline. */
struct report_differs {
    size_t world; /* in groups */
    bool better;
    double difference;
};
/* A label against the baseline, in all worlds that both met; in some it is shown to be better or
 * worse, or, of a number that has no better, higher or lower. */
struct report_rival {
    size_t worlds, better, worse;
    struct report_differs *differs; /* better + worse of them, in the order of the groups */
    size_t capacity;
    struct dcs_estimate difference; /* of one world: its interval; of several: mean and range */
    const char *word;               /* the verdict in one world */
};
struct report_contest {
    bool any;                                 /* some world was met by the baseline and another */
    struct report_rival *rivals[SHOWN_COUNT]; /* by label */
    size_t labels_count;
    int better[SHOWN_COUNT]; /* 1: higher is better, -1: lower, 0: neither */
};
int report_contest_read(struct report_contest *c, struct report_data *d, struct dcs_err *err);
void report_contest_release(struct report_contest *c);
/* "-3.5 ± 0.4 %: better", "-3.5 [-4, -3] %: better in 5 of 6", "...: better in 3, worse in 2 of 6"
 */
char *report_rival_text(const struct report_rival *r, enum text_unit unit, int better);

/* All figures, in their order. */
int report_figures(struct page *p, const struct report_data *d, const struct report_contest *c,
                   struct dcs_err *err);

#endif
