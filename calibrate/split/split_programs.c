/* split_programs.c - the table of split_program.h. */
#include "calibrate/split/split_program.h"

#include <string.h>

extern const struct cal_split_program cal_split_cg, cal_split_jacobi, cal_split_mc, cal_split_mm,
    cal_split_nbody, cal_split_nns;

const struct cal_split_program *const cal_split_programs[CAL_SPLIT_PROGRAMS] = {
    [CAL_SPLIT_CG] = &cal_split_cg,       [CAL_SPLIT_JACOBI] = &cal_split_jacobi,
    [CAL_SPLIT_MC] = &cal_split_mc,       [CAL_SPLIT_MM] = &cal_split_mm,
    [CAL_SPLIT_NBODY] = &cal_split_nbody, [CAL_SPLIT_NNS] = &cal_split_nns,
};

const struct cal_split_program *cal_split_find(const char *name)
{
    for (int i = 0; i < CAL_SPLIT_PROGRAMS; i++)
        if (strcmp(cal_split_programs[i]->name, name) == 0)
            return cal_split_programs[i];
    return NULL;
}
