/*
 * plan_rows.c - see plan_rows.h.
 */
#include "calibrate/plan/plan_rows.h"

#include "des/base.h"

#include <string.h>

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end != NULL ? end + 1 : line + strlen(line);
}

bool cal_plan_next(const char **at, struct cal_plan_row *row)
{
    bool heading = **at == '#';
    while (**at == '#')
        *at = next_line(*at);
    if (heading)
        *at = next_line(*at);
    if (**at == '\0')
        return false;
    int texts =
        sscanf(*at, "%47[^,\n],%47[^,\n],%47[^,\n]", row->texts[0], row->texts[1], row->texts[2]);
    DCS_ASSERT(texts == 3); /* the lists are part of the program */
    *at = next_line(*at);
    return true;
}
