/*
 * gang_nodes.h - nodes, their GPUs, and which job holds what of them. For src/gangs alone.
 *
 * GPUs are numbered through all nodes. While `avoid` is set, GPUs that are reserved count as full.
 */
#ifndef DCS_GANG_NODES_H
#define DCS_GANG_NODES_H

#include "gangs/gang.h"

#define GANG_NONE UINT32_MAX

/* What a job asks for; jobs that ask for the same have one demand. */
struct gang_demand {
    uint32_t gpus, milli;
    uint64_t models;
    uint64_t jobs; /* that ask for it */
};

/* The most frequent demands, which fragmentation is measured by; a bound on what a change of a node
 * costs. The simulator of the paper's authors (hkust-adsl/kubernetes-scheduler-simulator,
 * pkg/utils/frag.go) takes the popular part of the pods, too. */
#define GANG_TYPICAL_MAX 64

struct gang_node {
    uint32_t first, gpus; /* of all GPUs */
    uint32_t whole;       /* GPUs that are free as a whole */
    uint32_t reserved;    /* GPUs */
    uint64_t free_milli, model;
    int64_t fragments; /* gang_fragments() now */
    uint64_t version;  /* changes with what is free */
};

struct gang_hold {
    uint32_t job, gpu, milli;
    uint32_t next_on_gpu, next_of_job;
};

struct gang_nodes {
    struct gang_node *node;
    uint32_t count, gpus;
    uint32_t *free_milli; /* of each GPU */
    bool *reserved;
    bool avoid;
    uint32_t *on_gpu;       /* first hold */
    uint32_t *of_job;       /* likewise */
    struct gang_hold *hold; /* a pool */
    size_t hold_count, hold_capacity;
    uint32_t hold_free;
    uint64_t free_total;    /* milli */
    int64_t fragment_total; /* of all nodes */
    struct gang_demand *demand;
    uint32_t *demand_of; /* job */
    uint32_t demands;
    uint32_t typical[GANG_TYPICAL_MAX]; /* demands */
    uint32_t typicals;
    uint64_t typical_jobs;
    /* Scores of a placement that remembers them: [demand * count + node], with the version. */
    int64_t *score;
    uint64_t *score_version;
    uint32_t *score_gpu;
    uint32_t scored; /* demands that have room there */
};

void gang_nodes_init(struct gang_nodes *n, const struct gang_spec *spec);
void gang_nodes_release(struct gang_nodes *n);

bool gang_model_fits(const struct gang_node *node, uint64_t models);
/* What of a GPU can be given away now. */
uint32_t gang_usable(const struct gang_nodes *n, uint32_t gpu);
/* Whether a node can hold the demand now. */
bool gang_node_fits(const struct gang_nodes *n, uint32_t node, const struct gang_demand *d);

/* GPUs of a node that a job of the workload could not use, as the sum over the typical demands of
 * jobs times milli, as pkg/utils/frag.go has it, without CPUs: now, with part of one GPU taken, and
 * with some whole GPUs taken. The latter two take what gang_look() has seen. */
struct gang_look {
    const struct gang_node *node;
    uint32_t enough[GANG_TYPICAL_MAX]; /* GPUs that have what a typical demand asks of each */
    int64_t small[GANG_TYPICAL_MAX];   /* what the others have */
};
int64_t gang_fragments(const struct gang_nodes *n, const struct gang_node *node);
void gang_look(const struct gang_nodes *n, const struct gang_node *node, struct gang_look *out);
int64_t gang_fragments_less(const struct gang_nodes *n, const struct gang_look *look, uint32_t gpu,
                            uint32_t milli);
int64_t gang_fragments_whole(const struct gang_nodes *n, const struct gang_look *look,
                             uint32_t gpus);

/* A job takes milli of a GPU; it gives all that it holds back. */
void gang_take(struct gang_nodes *n, uint32_t job, uint32_t gpu, uint32_t milli);
void gang_give_back(struct gang_nodes *n, uint32_t job);

/* gang_place.c: takes what the job asks for, and says where; false: it cannot be had now. */
bool gang_place(struct gang_nodes *n, const struct gang_spec *spec, uint32_t job,
                struct gang_times *where);

/* gang_reserve.c: reserves the GPUs on which the job can start first if nobody else starts, and
 * returns when that is; gang_unreserve() frees them. ends: of the jobs that run. */
int64_t gang_reserve(struct gang_nodes *n, const struct gang_spec *spec, uint32_t job,
                     int64_t now_ns, const struct gang_times *times);
void gang_unreserve(struct gang_nodes *n);

/* gang_revoke.c. What a running job loses if it is revoked now: milli GPU ns. */
__int128 gang_loss(const struct gang_spec *spec, const struct gang_times *times, uint32_t job,
                   int64_t now_ns);
/* The jobs of lower ranks without which this one can start, in *out, which grows; 0: there are
 * none. */
size_t gang_victims(const struct gang_nodes *n, const struct gang_spec *spec, uint32_t job,
                    const struct gang_times *times, int64_t now_ns, uint32_t **out,
                    size_t *capacity);

#endif
