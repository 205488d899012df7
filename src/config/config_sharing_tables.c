/* config_sharing_tables.c - the keys of how kernels share a device, are fused and are revoked; see
 * config_tables.h. */
#include "config/config_tables.h"

#define FIELD(type, member) .offset = offsetof(struct type, member)

static const char *const sharing_models[] = {"whole", "spatial", "cpu", "divisible", "sm", NULL};
static const char *const blocks_leave[] = {"save", "drain", NULL};
static const char *const resizes[] = {"kernel", "drain", "save", NULL};
static const char *const fusion_matches[] = {"exact", "nearest", NULL};
static const char *const fusion_choices[] = {"offline", "launch", NULL};
static const char *const mechanisms[] = {"trap", "asm_exit", "process_kill", NULL};
static const char *const switches[] = {"profile", NULL}; /* CONFIG_..._MEASURED */

const struct param config_sharing_params[] = {
    {PARAM_CHOICE, "model", FIELD(config_sharing, model), .choices = sharing_models,
     .help = "whole: a device runs one kernel at a time. spatial: kernels share its SMs; "
             "applications of the profile then have the kernels that were measured on shares of "
             "the device. cpu: programs share cores and cache of CPUs; the profile is of one. "
             "divisible: a CPU and GPUs share the iterations of a request. sm: a hypothetical GPU "
             "whose SMs kernels share block by block, at rates that were measured."},
    {PARAM_BOOL, "contention", FIELD(config_sharing, contention), .number = 1,
     .help = "Kernels that run together slow each other (spatial)."},
    {PARAM_BOOL, "noise", FIELD(config_sharing, noise), .number = 1,
     .help = "Kernels of the profile vary from run to run as it has measured; not at all where it "
             "has not (spatial, cpu, divisible). Nor do kills, where it is false."},
    {PARAM_BOOL, "profile_uncertainty", FIELD(config_sharing, profile_uncertainty),
     .help = "Each replication is simulated once more with durations that a second profile of the "
             "device could have measured, for how much of the results hangs on this one "
             "(spatial)."},
    {PARAM_TIME, "quota_switch_us", FIELD(config_sharing, quota_switch_ns), "us", 0, 1e9, 0,
     .choices = switches,
     .help = "Added to a launch with another allotment than the request's kernel before it had. "
             "profile: as the profile has measured for the mechanism of the allotment (spatial)."},
    {PARAM_INT, "step_sms", FIELD(config_sharing, step_sms), "SMs", 0, 100000, 0,
     .help =
         "What policies are told that partitions are multiples of, at most the SMs of a device; "
         "0: what the mechanism can (spatial)."},
    {PARAM_CHOICE, "resize_at", FIELD(config_sharing, resize_at), .choices = resizes,
     .help = "When a kernel's part of the device can change: kernel: with the next kernel, as on "
             "every GPU. drain, save: while it runs, on a hypothetical device, which the results "
             "of policies that may use it are marked with. SMs leave when their blocks have ended, "
             "or when what these hold is saved (spatial)."},
    {PARAM_CHOICE, "blocks_leave", FIELD(config_sharing, blocks_leave), .choices = blocks_leave,
     .help = "How blocks leave an SM: at once, what they hold is saved; or at their end (sm)."},
    {PARAM_REAL, "context_gbs", FIELD(config_sharing, context_gbs), "GB/s", 0, 1e6, 4600,
     .help = "Bandwidth at which what blocks hold is saved and read; 0: at no cost (sm)."},
    {0},
};

const struct param config_fusion_params[] = {
    {PARAM_CHOICE, "match", FIELD(config_fusion, match), .choices = fusion_matches,
     .help = "Which tensor kernels of an application are taken for those that were measured in "
             "fused launches. exact: convolutions whose product has the same dimensions. nearest: "
             "the measured one that is nearest in dimensions, an assumption."},
    {PARAM_CHOICE, "decide", FIELD(config_fusion, decide), .choices = fusion_choices,
     .help = "Who chooses the blocks of each kernel in a fused block. offline: once for each pair "
             "of measured kernels, the way that saves most where both take as long alone; a pair "
             "that saves nothing there is not fused. launch: for each launch, the way with the "
             "shortest prediction, of those that ever saved time."},
    {0},
};

const struct param config_revocation_params[] = {
    {PARAM_CHOICE, "mechanism", FIELD(config_revocation, mechanism), .choices = mechanisms,
     .help = "How a kernel is stopped (TReM, table II)."},
    {PARAM_REAL, "kill_ms", FIELD(config_revocation, kill_ms), "ms", -1, 1e9, -1,
     .help = "From the decision until the kernel has stopped; -1: as the profile measured."},
    {PARAM_REAL, "start_ms", FIELD(config_revocation, start_ms), "ms", -1, 1e9, -1,
     .help = "Added to the next start on the device; -1: as the profile measured."},
    {PARAM_REAL, "clear_ms", FIELD(config_revocation, clear_ms), "ms", -1, 1e9, -1,
     .help = "Clearing the dead context, paid by the next batch start; -1: as measured."},
    {PARAM_REAL, "spawn_ms", FIELD(config_revocation, spawn_ms), "ms", -1, 1e9, -1,
     .help = "Replacing the process, paid by the next batch start; -1: as measured."},
    {PARAM_INT, "threads", FIELD(config_revocation, threads), "threads", 1, 1e9, 16384,
     .help = "Threads of a kernel where the profile does not say (asm_exit depends on it)."},
    {0},
};
