/* conformance_worlds.c - the worlds in which policies are tried; see conformance.h. */
#include "runs/conformance.h"

#define NOISY_APPS                                                                                 \
    "\"applications\": ["                                                                          \
    "{\"name\": \"quick\", \"class\": \"latency\", \"sla_ms\": 200, \"memory_mb\": 100,"           \
    " \"service\": {\"distribution\": \"lognormal\", \"mean_ms\": 40, \"shape\": 0.8}},"           \
    "{\"name\": \"steps\", \"class\": \"latency\", \"sla_ms\": 300, \"kernels\": 3,"               \
    " \"service\": {\"distribution\": \"exponential\", \"mean_ms\": 15}},"                         \
    "{\"name\": \"long\", \"class\": \"batch\", \"memory_mb\": 2500,"                              \
    " \"service\": {\"distribution\": \"bounded_pareto\", \"mean_ms\": 2000, \"shape\": 1.5,"      \
    " \"upper_ms\": 60000}}],"

#define MIXED_WORKLOAD                                                                             \
    "\"workload\": {\"services\": ["                                                               \
    "{\"application\": \"quick\", \"arrivals\": {\"process\": \"mmpp2\","                          \
    " \"rate_high_per_s\": 30, \"rate_low_per_s\": 2, \"stay_high_s\": 2, \"stay_low_s\": 3}},"    \
    "{\"application\": \"steps\", \"drop_late\": true, \"queue_limit\": 40,"                       \
    " \"arrivals\": {\"process\": \"poisson\", \"rate_per_s\": 6}}],"                              \
    "\"batch\": [{\"application\": \"long\", \"clients\": 6, \"think_ms\": 300}]},"                \
    "\"horizon\": {\"duration_s\": 60}}"

/* CPUs: services whose sizes vary, batch applications that press the memory. */
#define CPU_WORLD                                                                                  \
    "\"profile\": \"xeon-e5-2650v4\","                                                             \
    "\"workload\": {\"services\": ["                                                               \
    "{\"application\": \"gmm\", \"arrivals\": {\"process\": \"poisson\", \"rate_per_s\": 20}},"    \
    "{\"application\": \"steps\", \"drop_late\": true, \"queue_limit\": 40,"                       \
    " \"arrivals\": {\"process\": \"poisson\", \"rate_per_s\": 6}}],"                              \
    "\"batch\": [{\"application\": \"fs\", \"clients\": 3},"                                       \
    "{\"application\": \"asr\", \"clients\": 1, \"think_ms\": 20},"                                \
    "{\"application\": \"can\", \"clients\": 2, \"think_ms\": 30}]},"                              \
    "\"horizon\": {\"duration_s\": 3}}"

/* Devices that are shared, with contention, kernels of many launches and transfers. */
#define SHARED_WORKLOAD                                                                            \
    "\"profile\": \"made-up\","                                                                    \
    "\"workload\": {\"services\": ["                                                               \
    "{\"application\": \"answer\", \"arrivals\": {\"process\": \"mmpp2\","                         \
    " \"rate_high_per_s\": 150, \"rate_low_per_s\": 10, \"stay_high_s\": 0.3,"                     \
    " \"stay_low_s\": 0.3}},"                                                                      \
    "{\"application\": \"search\", \"drop_late\": true, \"queue_limit\": 40,"                      \
    " \"arrivals\": {\"process\": \"poisson\", \"rate_per_s\": 40}},"                              \
    "{\"application\": \"quick\", \"arrivals\": {\"process\": \"poisson\", \"rate_per_s\": 4}}],"  \
    "\"batch\": [{\"application\": \"solve\", \"clients\": 2},"                                    \
    "{\"application\": \"stream\", \"clients\": 2, \"think_ms\": 3}]},"                            \
    "\"horizon\": {\"duration_s\": 2}}"

/* The same with requests of several sizes, measured and between. */
#define SIZED_WORKLOAD                                                                             \
    "\"profile\": \"made-up\","                                                                    \
    "\"workload\": {\"services\": ["                                                               \
    "{\"application\": \"answer\", \"input\": \"1,2,3,4\", \"sla_factor\": 6,"                     \
    " \"arrivals\": {\"process\": \"poisson\", \"rate_per_s\": 30}},"                              \
    "{\"application\": \"search\", \"drop_late\": true, \"queue_limit\": 40,"                      \
    " \"arrivals\": {\"process\": \"poisson\", \"rate_per_s\": 40}}],"                             \
    "\"batch\": [{\"application\": \"solve\", \"input\": \"uniform\", \"clients\": 2},"            \
    "{\"application\": \"stream\", \"clients\": 1, \"think_ms\": 3}]},"                            \
    "\"horizon\": {\"duration_s\": 2}}"

/* Of so few programs that parts of 8 of the 32 SMs can move. */
#define MOVING_WORKLOAD                                                                            \
    "\"profile\": \"made-up\","                                                                    \
    "\"workload\": {\"services\": ["                                                               \
    "{\"application\": \"search\", \"sla_factor\": 2,"                                             \
    " \"arrivals\": {\"process\": \"poisson\", \"rate_per_s\": 15}}],"                             \
    "\"batch\": [{\"application\": \"solve\", \"clients\": 2},"                                    \
    "{\"application\": \"stream\", \"clients\": 2}]},"                                             \
    "\"horizon\": {\"duration_s\": 2}}"

/* A CPU and GPUs that share requests; one of the two programs has several passes. */
#define DIVISIBLE_WORKLOAD                                                                         \
    "\"profile\": \"made-up\", \"sharing\": {\"model\": \"divisible\"},"                           \
    "\"workload\": {\"batch\": ["                                                                  \
    "{\"application\": \"grid\", \"clients\": 2, \"think_ms\": 3},"                                \
    "{\"application\": \"paths\", \"clients\": 2, \"think_ms\": 2}]},"                             \
    "\"horizon\": {\"duration_s\": 0.3}}"

/* Kernels inside SMs: two with goals, three without, of unlike lengths. */
#define SM_WORKLOAD                                                                                \
    "\"profile\": \"nvidia-h200-residency\"," /* the only one that has them */                     \
    "\"resident\": [{\"name\": \"quick\", \"kernel\": \"mriq\", \"alone_ms\": 0.1, \"goal\": "     \
    "0.6},"                                                                                        \
    "{\"name\": \"steady\", \"kernel\": \"lbm\", \"alone_ms\": 0.2, \"goal\": 0.3},"               \
    "{\"name\": \"long\", \"kernel\": \"cp\", \"alone_ms\": 0.3},"                                 \
    "{\"name\": \"stencil\", \"alone_ms\": 0.25}, {\"name\": \"sgemm\", \"alone_ms\": 0.15}],"     \
    "\"workload\": {\"batch\": ["                                                                  \
    "{\"application\": \"quick\", \"clients\": 1, \"think_ms\": 0.1},"                             \
    "{\"application\": \"steady\", \"clients\": 1},"                                               \
    "{\"application\": \"long\", \"clients\": 2, \"think_ms\": 0.1},"                              \
    "{\"application\": \"stencil\", \"clients\": 2},"                                              \
    "{\"application\": \"sgemm\", \"clients\": 3, \"think_ms\": 0.2}]},"                           \
    "\"horizon\": {\"duration_s\": 0.0006}}"

const struct conformance_case conformance_cases[] = {
    {"one device",
     "{\"policy\": {\"name\": \"fcfs\"}, \"cluster\": {\"devices\": 1}," NOISY_APPS MIXED_WORKLOAD,
     SHARING_WHOLE},
    {"four devices",
     "{\"policy\": {\"name\": \"fcfs\"}, \"cluster\": {\"devices\": 4}," NOISY_APPS MIXED_WORKLOAD,
     SHARING_WHOLE},
    {"three domains behind a random router",
     "{\"policy\": {\"name\": \"fcfs\"}, \"cluster\": {\"domains\": 3, \"devices\": 2,"
     " \"router\": \"random\"}," NOISY_APPS MIXED_WORKLOAD,
     SHARING_WHOLE},
    {"two domains, least outstanding, checkpoints",
     "{\"policy\": {\"name\": \"fcfs\"}, \"cluster\": {\"domains\": 2, \"devices\": 3,"
     " \"router\": \"least_outstanding\"}, \"checkpoint\": {\"interval_s\": 0.5, \"cost_ms\": "
     "20}," NOISY_APPS MIXED_WORKLOAD,
     SHARING_WHOLE},
    {"a scheduler that is charged",
     "{\"policy\": {\"name\": \"fcfs\"}, \"cluster\": {\"devices\": 4}, \"scheduler\":"
     " {\"callback_us\": 300, \"predict_us\": 470}," NOISY_APPS MIXED_WORKLOAD,
     SHARING_WHOLE},
    {"jobs of TReM's generator",
     "{\"policy\": {\"name\": \"fcfs\"}, \"cluster\": {\"devices\": 4},"
     " \"workload\": {\"trem\": [{\"jobs\": 12, \"batch_duration_s\": 100}]}}",
     SHARING_WHOLE},
    {"a shared device",
     "{\"policy\": {\"name\": \"fcfs\"}, \"slowdowns\": \"untrained\", \"sharing\": {\"model\": "
     "\"spatial\"}," NOISY_APPS SHARED_WORKLOAD,
     SHARING_SPATIAL},
    {"four shared devices, quota switches",
     "{\"policy\": {\"name\": \"fcfs\"}, \"cluster\": {\"devices\": 4}, \"slowdowns\": "
     "\"untrained\", \"sharing\": {\"model\":"
     " \"spatial\", \"quota_switch_us\": 50}," NOISY_APPS SHARED_WORKLOAD,
     SHARING_SPATIAL},
    {"three domains of shared devices where SMs move, a scheduler that is charged, exit flags",
     "{\"policy\": {\"name\": \"fcfs\"}, \"cluster\": {\"domains\": 3, \"devices\": 2,"
     " \"router\": \"least_outstanding\"}, \"slowdowns\": \"untrained\", \"sharing\": {\"model\": "
     "\"spatial\", \"resize_at\": \"drain\"}, \"scheduler\":"
     " {\"callback_us\": 30, \"predict_us\": 5}, \"revocation\": {\"mechanism\":"
     " \"asm_exit\"}," NOISY_APPS SHARED_WORKLOAD,
     SHARING_SPATIAL},
    {"two shared devices, requests of several sizes",
     "{\"policy\": {\"name\": \"fcfs\"}, \"cluster\": {\"devices\": 2}, \"slowdowns\": "
     "\"untrained\", \"sharing\": {\"model\":"
     " \"spatial\"}," SIZED_WORKLOAD,
     SHARING_SPATIAL},
    {"a shared device, three programs",
     "{\"policy\": {\"name\": \"fcfs\"}, \"slowdowns\": \"untrained\", \"sharing\": {\"model\": "
     "\"spatial\"}," MOVING_WORKLOAD,
     SHARING_SPATIAL},
    {"a CPU",
     "{\"policy\": {\"name\": \"fcfs\"}, \"sharing\": {\"model\": \"cpu\"}," NOISY_APPS CPU_WORLD,
     SHARING_CPU},
    {"two domains of CPUs, a scheduler that is charged",
     "{\"policy\": {\"name\": \"fcfs\"}, \"cluster\": {\"domains\": 2, \"devices\": 2}, "
     "\"sharing\":"
     " {\"model\": \"cpu\"}, \"scheduler\": {\"callback_us\": 100, \"predict_us\": 40}," NOISY_APPS
         CPU_WORLD,
     SHARING_CPU},
    {"a CPU and a GPU that share requests",
     "{\"policy\": {\"name\": \"fcfs\"}, \"cluster\": {\"devices\": 2, \"cpu_threads\": "
     "4}," DIVISIBLE_WORKLOAD,
     SHARING_DIVISIBLE},
    {"two domains of a CPU and two GPUs that share requests, a scheduler that is charged",
     "{\"policy\": {\"name\": \"fcfs\"}, \"cluster\": {\"domains\": 2, \"devices\": 3,"
     " \"cpu_threads\": 4}, \"scheduler\": {\"callback_us\": 10, \"predict_us\": "
     "5}," DIVISIBLE_WORKLOAD,
     SHARING_DIVISIBLE},
    {"a device whose SMs kernels share",
     "{\"policy\": {\"name\": \"fcfs\"}, \"sharing\": {\"model\": \"sm\"}," SM_WORKLOAD,
     SHARING_SM},
    {"two domains of two such devices that drain blocks, a scheduler that is charged",
     "{\"policy\": {\"name\": \"fcfs\"}, \"cluster\": {\"domains\": 2, \"devices\": 2}, "
     "\"sharing\":"
     " {\"model\": \"sm\", \"blocks_leave\": \"drain\"}, \"scheduler\": {\"callback_us\": 1, "
     "\"predict_us\": 1}," SM_WORKLOAD,
     SHARING_SM},
    {0},
};

bool conformance_fits(const struct conformance_case *c, const struct policy *policy)
{
    uint32_t shared = 1u << HOST_GREEN | 1u << HOST_MPS | HOST_NEEDS_FUSION | HOST_NEEDS_SLOWDOWNS;
    if (c->devices == SHARING_SM)
        return (policy->needs & HOST_NEEDS_BLOCKS) != 0 &&
               (policy->needs & ~HOST_NEEDS_BLOCKS) == 0;
    uint32_t offered = 1u << HOST_WHOLE | (c->devices == SHARING_SPATIAL ? shared : 0) |
                       (c->devices == SHARING_CPU ? 1u << HOST_CPU : 0) |
                       (c->devices == SHARING_DIVISIBLE ? HOST_NEEDS_CHUNKS : 0);
    /* On CPUs a policy of GPUs has nothing to decide, nor with divisible work one that does not
     * divide. */
    if ((c->devices == SHARING_CPU && (policy->needs & 1u << HOST_CPU) == 0) ||
        (c->devices == SHARING_DIVISIBLE && (policy->needs & HOST_NEEDS_CHUNKS) == 0))
        return false;
    return (policy->needs & ~offered) == 0;
}
