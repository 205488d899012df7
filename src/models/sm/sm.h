/*
 * sm.h - what a profile says of kernels that share the SMs of a GPU: how fast each is with so many
 * blocks in each SM beside blocks of others.
 *
 * PARTS. The SMs of a device are in parts; those of a part hold the same blocks. The rate of a
 * kernel is that of all its blocks, over what it reaches alone with as many blocks in each SM as
 * fit: so a kernel that has the device to itself, as every GPU gives it, has the rate 1.
 *
 * THE LAW (calibrate/fit/fit_residency.py has its equations and how it was fitted). A block takes
 * its latency, and uses resources in turns; a turn waits as long whoever's it is, the longer the
 * more the resource is used. Some resources are those of an SM. Others are the device's: their use
 * is the mean over all SMs, so that kernels in unlike parts slow each other, too. The waits are the
 * solution of as many equations, by Newton's method from fixed values with a fixed stopping rule.
 *
 * MEASURED where it was. With all SMs alike one kernel, or two, have exactly the measured rates
 * (tables resident_rate: the mean of both orders of launching). For that the law's rate in each
 * part is multiplied with measured over law, of a device on which all SMs are as in that part.
 * Between measured points of a pair the factor is the mean of those measured, weighted with one
 * over the square of the distance in the logarithms of the blocks. Pairs that were not measured,
 * three kernels and more have the law's share of what each reaches alone with as many blocks.
 *
 * NOT MODELLED: the last blocks of a kernel, which leave SMs empty; which of two kernels came
 * first; shared memory taken from the L1 cache; the clock.
 */
#ifndef DCS_MODELS_SM_H
#define DCS_MODELS_SM_H

#include "models/profile/profile.h"

#define DCS_SM_RESOURCES    4 /* at most */
#define DCS_SM_BLOCKS_MAX   32
#define DCS_SM_TOGETHER_MAX 8   /* kernels that share a device */
#define DCS_SM_PARTS_MAX    512 /* of a device */
#define DCS_SM_SMS_MAX      512 /* that it may have */

/* What one SM has, of compute capability 9.0 (CUDA C++ programming guide, technical specifications
 * per compute capability); each block takes DCS_SM_SHARED_RESERVED more than it asks for. */
#define DCS_SM_REGISTERS       65536
#define DCS_SM_SHARED_BYTES    233472
#define DCS_SM_SHARED_RESERVED 1024
#define DCS_SM_THREADS         2048

struct dcs_sm_rate { /* of `blocks` beside so many of another kernel */
    uint32_t beside;
    uint32_t blocks, beside_blocks;
    double rate;
    double factor; /* over what the law says of it: dcs_sm_prepare() */
};

struct dcs_sm_kernel {
    char *name;
    int64_t threads;                     /* of a block */
    int64_t registers;                   /* of a block, as an SM hands them out */
    int64_t shared_bytes;                /* of a block, with what is reserved */
    uint32_t fits;                       /* blocks in an SM alone */
    double block_ns;                     /* an SM ends one in so long, at its best */
    double alone[DCS_SM_BLOCKS_MAX + 1]; /* by blocks, 1 .. fits: its rate over its best */
    double law[DCS_SM_BLOCKS_MAX + 1];   /* the same by the law: dcs_sm_prepare() */
    double latency;
    double demand[DCS_SM_RESOURCES], visits[DCS_SM_RESOURCES];
    struct dcs_sm_rate *rates; /* beside one other kernel */
    size_t count, capacity;
};

struct dcs_sm {
    uint32_t sms;
    struct dcs_sm_kernel *kernels;
    size_t count, capacity;
    uint32_t resources;
    double sharpness[DCS_SM_RESOURCES];
    bool wide[DCS_SM_RESOURCES]; /* it is the device's, not an SM's */
};

/* Loads the profile as dcs_profile_load() does, and *out. NULL and err on failure, also where it
 * has no kernels inside an SM, or no law of them; *out is then NULL too. */
struct dcs_profile *dcs_sm_load_profile(const char *path, struct dcs_sm **out, struct dcs_err *err);
void dcs_sm_free(struct dcs_sm *m); /* NULL is allowed */
/* Fills in what the law says of what was measured; for loading, and models made by hand. */
void dcs_sm_prepare(struct dcs_sm *m);

/* UINT32_MAX: not measured. */
uint32_t dcs_sm_find(const struct dcs_sm *m, const char *kernel);

/* Whether an SM has room for so many blocks of each kernel (indices of the model). */
bool dcs_sm_has_room(const struct dcs_sm *m, const uint32_t *kernels, const uint32_t *blocks,
                     size_t count);

/* SMs that hold the same blocks: of each kernel of a set. */
struct dcs_sm_part {
    uint32_t sms;
    uint8_t blocks[DCS_SM_TOGETHER_MAX];
};

/* The rates of a set of kernels, at most DCS_SM_TOGETHER_MAX, on a device in at most
 * DCS_SM_PARTS_MAX parts (SMs in none are empty). by_part[part * count + kernel], unless it is
 * NULL: the kernel's rate if every SM gave as much as one of this part gives now. A pure function:
 * the same bits each time. */
void dcs_sm_rates(const struct dcs_sm *m, const uint32_t *kernels, size_t count,
                  const struct dcs_sm_part *parts, size_t parts_count, double *rates,
                  double *by_part);

#endif
