/* policies.c - see policies.h. */
#include "policies/policies.h"

#include <string.h>

extern const struct policy policy_fcfs;
extern const struct policy policy_priority;
extern const struct policy policy_elastic;

const struct policy *const policies_all[] = {
    &policy_fcfs,
    &policy_priority,
    &policy_elastic,
    NULL,
};

const struct policy *policies_find(const char *name)
{
    for (size_t i = 0; policies_all[i] != NULL; i++)
        if (strcmp(policies_all[i]->name, name) == 0)
            return policies_all[i];
    return NULL;
}
