/* policies.c - see policies.h. */
#include "policies/policies.h"

#include <stdio.h>
#include <string.h>

/* A row for each policy: what its file calls it behind "policy_", and whether it may move SMs
 * between kernels that run, by host_resize() on a GPU that lets it. Results on such a GPU are
 * marked by this. */
#define POLICIES(ROW)                                                                              \
    ROW(fcfs, false)                                                                               \
    ROW(priority, false)                                                                           \
    ROW(elastic, false)                                                                            \
    ROW(mps_even, false)                                                                           \
    ROW(mps_priority, false)                                                                       \
    ROW(fixed_split, false)                                                                        \
    ROW(hp, false)                                                                                 \
    ROW(themis_fair, true)                                                                         \
    ROW(themis_qos, true)                                                                          \
    ROW(asm_psp, true)                                                                             \
    ROW(asm_gpm_psp, true)                                                                         \
    ROW(bubble_psp, true)                                                                          \
    ROW(baymax, false)                                                                             \
    ROW(c_laius, false)                                                                            \
    ROW(tacker, false)                                                                             \
    ROW(os, false)                                                                                 \
    ROW(static_opt, false)                                                                         \
    ROW(emu, false)                                                                                \
    ROW(split_static, false)                                                                       \
    ROW(split_quick, false)                                                                        \
    ROW(split_even, false)                                                                         \
    ROW(cap, false)                                                                                \
    ROW(split_predicted, false)                                                                    \
    ROW(smk, false)                                                                                \
    ROW(spart, false)                                                                              \
    ROW(qos_quota, false)                                                                          \
    ROW(spart_qos, false)

#define DECLARE(name, moves) extern const struct policy policy_##name;
#define ADDRESS(name, moves) &policy_##name,
#define MOVES(name, moves)   moves,

POLICIES(DECLARE)

const struct policy *const policies_all[] = {POLICIES(ADDRESS) NULL};

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

bool policies_may_move_sms(const struct policy *p)
{
    static const bool moves[] = {POLICIES(MOVES)};
    for (size_t i = 0; policies_all[i] != NULL; i++)
        if (policies_all[i] == p)
            return moves[i];
    return true;
}
