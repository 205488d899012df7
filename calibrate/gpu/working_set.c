/*
 * working_set.c - see working_set.h.
 */
#include "calibrate/gpu/working_set.h"
#include "des/base.h"

static struct cal_working_set *sets; /* that somebody is in */

struct cal_working_set *cal_working_set_enter(int family, size_t bytes)
{
    struct cal_working_set *set = sets;
    while (set != NULL && (set->family != family || set->bytes != bytes))
        set = set->next;
    if (set == NULL) {
        set = dcs_alloc(1, sizeof *set);
        *set = (struct cal_working_set){.family = family, .bytes = bytes, .next = sets};
        sets = set;
    }
    set->users++;
    return set;
}

bool cal_working_set_leave(struct cal_working_set *set)
{
    if (--set->users > 0)
        return false;
    struct cal_working_set **at = &sets;
    while (*at != set)
        at = &(*at)->next;
    *at = set->next;
    return true;
}
