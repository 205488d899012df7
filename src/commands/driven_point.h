/*
 * driven_point.h - an experiment that was measured on a real GPU, beside the simulation of it; and
 * what is printed of many (driven_print.c).
 */
#ifndef DCS_DRIVEN_POINT_H
#define DCS_DRIVEN_POINT_H

#include "commands/driven_side.h"

#include <stdio.h>

struct driven_point {
    const struct results *from;
    int64_t id;
    char *hash, *config;
    char *name;   /* of the experiment */
    char *policy; /* with the options that tell it from others */
    char *world;  /* policies with the same text here met the same requests */
    char *gpu;
    char *profile_sha256;          /* that it was measured with */
    char *plugin, *plugin_sha256;  /* "": the policy is built in */
    uint32_t *replications, count; /* that were measured */
    double rate_per_s;             /* of its services; 0: they have none */
    bool other_profile;            /* the simulation has other bytes */
    struct driven_side real, simulated;
    uint64_t launches, other_quotas;
};

/* In per cent of the real value; of shares in points. */
double driven_error(const struct driven_point *p, enum driven_measure m);

/* points: by world, then policy. */
void driven_print(FILE *out, const struct driven_point *points, size_t count);
/* Everything as rows, with a header. */
void driven_print_csv(FILE *out, const struct driven_point *points, size_t count);

#endif
