/*
 * planned_kernels.c - see planned_kernels.h.
 */
#include "calibrate/measure/planned_kernels.h"

#include "calibrate/measure/work.h"
#include "calibrate/plan/plan_rows.h"
#include "des/base.h"

#include <stdlib.h>
#include <string.h>

struct cal_planned_list cal_planned_kernels(const char *name)
{
    struct cal_planned_list list = {.count = 0};
    struct cal_plan_row row;
    for (const char *at = paired_kernels_csv; cal_plan_next(&at, &row);) {
        const struct cal_app *app = cal_find_app(row.texts[1]);
        if (strcmp(row.texts[0], name) != 0 || app == NULL)
            continue;
        DCS_ASSERT(list.count < CAL_PLANNED_MAX);
        list.of[list.count++] =
            (struct cal_planned_kernel){app, (int)strtol(row.texts[2], NULL, 10)};
    }
    return list;
}
