/* spatial_gaps.h - what a profile does not say of the kernels that share its device: counted while
 * it is loaded, and told to a person. For spatial_build.c only. */
#ifndef DCS_MODELS_SPATIAL_GAPS_H
#define DCS_MODELS_SPATIAL_GAPS_H

#include "models/gpu/spatial.h"

struct spatial_gaps {
    uint32_t kernels;     /* shapes of the default sizes; of these: */
    uint32_t unmeasured;  /* without times alone */
    uint32_t undescribed; /* without a grid */
    uint32_t computing;   /* that are no transfers; of these: */
    uint32_t silent;      /* without contention rows */
    uint32_t guessed;     /* with the contention rows of others */
    uint32_t unmatched;   /* shapes of other sizes that are like none of the default size */
    uint32_t unscaled;    /* sequences without times of whole requests */
    uint32_t untold;      /* sequences of which the kernels are not known */
    char untold_names[200];
};

/* The kernels of a request of this application are not known. */
void spatial_gaps_note_untold(struct spatial_gaps *gaps, const char *app);

/* All gaps as one text, which the caller frees; NULL: there are none. */
char *spatial_gaps_tell(const struct spatial_gaps *gaps, const struct dcs_spatial *s);

#endif
