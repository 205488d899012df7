/* policies.c - see policies.h. */
#include "policies/policies.h"

#include <stdio.h>
#include <string.h>

extern const struct policy policy_fcfs;
extern const struct policy policy_priority;
extern const struct policy policy_elastic;
extern const struct policy policy_mps_even;
extern const struct policy policy_mps_priority;
extern const struct policy policy_fixed_split;
extern const struct policy policy_hp;
extern const struct policy policy_themis_fair;
extern const struct policy policy_themis_qos;
extern const struct policy policy_asm_psp;
extern const struct policy policy_asm_gpm_psp;
extern const struct policy policy_bubble_psp;
extern const struct policy policy_baymax;
extern const struct policy policy_c_laius;
extern const struct policy policy_tacker;
extern const struct policy policy_os;
extern const struct policy policy_static_opt;
extern const struct policy policy_emu;
extern const struct policy policy_split_static;
extern const struct policy policy_split_quick;
extern const struct policy policy_split_even;
extern const struct policy policy_cap;
extern const struct policy policy_split_predicted;

const struct policy *const policies_all[] = {
    &policy_fcfs,         &policy_priority,        &policy_elastic,
    &policy_mps_even,     &policy_mps_priority,    &policy_fixed_split,
    &policy_hp,           &policy_themis_fair,     &policy_themis_qos,
    &policy_asm_psp,      &policy_asm_gpm_psp,     &policy_bubble_psp,
    &policy_baymax,       &policy_c_laius,         &policy_tacker,
    &policy_os,           &policy_static_opt,      &policy_emu,
    &policy_split_static, &policy_split_quick,     &policy_split_even,
    &policy_cap,          &policy_split_predicted, NULL,
};

const struct policy *policies_find(const char *name)
{
    for (size_t i = 0; policies_all[i] != NULL; i++)
        if (strcmp(policies_all[i]->name, name) == 0)
            return policies_all[i];
    return NULL;
}

bool policies_callable(const struct policy *p, char why[POLICIES_WHY_BYTES])
{
    if (p->abi != POLICY_ABI || p->size != sizeof *p)
        snprintf(why, POLICIES_WHY_BYTES,
                 "was built for version %u of the contract (size %u); this program has version %u "
                 "(size %zu): build it again with this version's policy.h",
                 p->abi, p->size, POLICY_ABI, sizeof *p);
    else if (p->on_ready == NULL || p->on_complete == NULL)
        snprintf(why, POLICIES_WHY_BYTES, "lacks on_ready or on_complete");
    else
        return true;
    return false;
}

static bool is_among(const struct policy *p, const struct policy *const *all)
{
    for (size_t i = 0; all[i] != NULL; i++)
        if (all[i] == p)
            return true;
    return false;
}

bool policies_may_move_sms(const struct policy *p)
{
    static const struct policy *const movers[] = {&policy_themis_fair, &policy_themis_qos,
                                                  &policy_asm_psp,     &policy_asm_gpm_psp,
                                                  &policy_bubble_psp,  NULL};
    return is_among(p, movers) || !is_among(p, policies_all);
}
