/*
 * fit_after.h - the fit of contention, which ends `dcsim-calibrate all`: calibrate/fit's script is
 * run by python3, or a line says why it is not and which command does it.
 */
#ifndef DCS_CALIBRATE_FIT_AFTER_H
#define DCS_CALIBRATE_FIT_AFTER_H

#include "calibrate/plan/steps.h"

enum cal_fit_how {
    CAL_FIT_NOT,     /* nothing is run, nothing is said */
    CAL_FIT_BY_HAND, /* the command is told */
    CAL_FIT_RUN      /* it is run where all steps are done that can be done here, else told */
};

struct cal_fit_after {
    enum cal_fit_how how;
    const char *script;          /* of cal_fit_script() */
    const char *apps;            /* whose kernels are fitted, others stay as they are; NULL: all */
    char profile[4096];          /* that was measured, closed by now */
    struct cal_run_result steps; /* how that went */
};

/* fit_contention.py of the source tree, else the installed one; NULL: neither is there. */
const char *cal_fit_script(void);

/* code is the exit code of the steps; the result is that of the program: code, or 1 if a fit was
 * wanted that failed or could not begin, or 130 if it was interrupted. Its output is the fit's. */
int cal_fit_after(const struct cal_fit_after *f, int code);

#endif
