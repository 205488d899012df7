/*
 * validate_fusion.h - dcsim validate --fusion: the errors of the two linear models of Tacker (HPCA
 * 2022, section VI and figures 17 and 18), on a profile's fused launches.
 */
#ifndef DCS_VALIDATE_FUSION_H
#define DCS_VALIDATE_FUSION_H

#include "models/gpu/spatial.h"

/* Prints them. -1 and err: there are none. */
int validate_fusion(const struct dcs_profile *profile, const struct dcs_spatial *spatial,
                    const char *path, struct dcs_err *err);

#endif
