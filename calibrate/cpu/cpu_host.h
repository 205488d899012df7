/*
 * cpu_host.h - the machine that `dcsim-calibrate cpu` runs on: its cores, caches and memory as the
 * kernel tells them, and who else uses it.
 *
 * CORES are those that this program may use, one hardware thread of each physical core, and of them
 * those that share the last-level cache of the first: the law of a profile has one such cache.
 */
#ifndef DCS_CALIBRATE_CPU_HOST_H
#define DCS_CALIBRATE_CPU_HOST_H

#include "calibrate/cpu/cpu_app.h"

#include <sched.h>

struct cal_cpu_host {
    char name[65];     /* of the processor */
    char identity[64]; /* of this machine, without telling which it is */
    char system[96];   /* "Linux 6.1.0" */
    int cores[CAL_TEAM_MAX];
    uint32_t cores_count;
    uint32_t left_out; /* that this program may use, and that are none of the above */
    int64_t llc_bytes, l2_bytes, line_bytes, memory_bytes;
    uint32_t ways;     /* of the last-level cache; of CAT where there is CAT */
    bool ways_assumed; /* 16, as the kernel tells none that a profile can have */
    int clock_mhz;     /* the highest, or the present one where no highest is told; 0: not known */

    /* Cache allocation through resctrl. */
    bool cat;
    uint32_t cat_min_ways;
    char cat_missing[128]; /* why not */
};

/* root: "" for this machine; a test's folder has proc/ and sys/ of its own. -1 and err: it cannot
 * be measured, since nothing is told of its caches, or it has no core for us. */
int cal_cpu_host_read(struct cal_cpu_host *h, const char *root, const cpu_set_t *allowed,
                      struct dcs_err *err);
/* Uses the first `cores` only. -1 and err: there are not so many. */
int cal_cpu_host_limit(struct cal_cpu_host *h, uint32_t cores, struct dcs_err *err);

/* How many cores' time has gone on the host's cores to anybody but this process, and to the
 * hypervisor's other guests, between two looks. The kernel counts in steps of 10 ms. */
struct cal_cpu_look {
    double at_s, busy_s, own_s;
};
struct cal_cpu_look cal_cpu_look(const struct cal_cpu_host *h, const char *root);
double cal_cpu_others(const struct cal_cpu_look *from, const struct cal_cpu_look *to);

/* --- cache ways for a team (cpu_resctrl.c) --- */

/* Puts the team's threads into a group of their own that fills the first `ways` ways alone;
 * others keep all. -1 and err: the kernel refuses. */
int cal_cpu_ways_set(const struct cal_cpu_host *h, const char *root, struct cal_team *t,
                     uint32_t ways, struct dcs_err *err);
/* Ends the group. */
void cal_cpu_ways_clear(const char *root);
/* Fills what the host says of CAT. */
void cal_cpu_ways_find(struct cal_cpu_host *h, const char *root);

#endif
