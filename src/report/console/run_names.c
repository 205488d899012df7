/* run_names.c - see run_names.h. */
#include "report/console/run_names.h"

#include "des/utf8.h"

#include <string.h>

#define NAME_COLUMNS 24
#define NAMES_ALIKE  64 /* that a name is told from; of more, time would grow with their square */

struct text report_app_name(const struct experiment *x, uint32_t app)
{
    const char *alike[NAMES_ALIKE] = {x->apps[app].name};
    struct text plain = text_name(alike[0], NAME_COLUMNS), names[NAMES_ALIKE];
    size_t count = 1;
    if (dcs_utf8_length(alike[0]) <= NAME_COLUMNS)
        return plain;
    for (uint32_t i = 0; i < x->apps_count && count < NAMES_ALIKE; i++)
        if (i != app && strncmp(x->apps[i].name, alike[0], NAME_COLUMNS / 2) == 0)
            alike[count++] = x->apps[i].name;
    text_names(alike, count, NAME_COLUMNS, names);
    return names[0];
}
