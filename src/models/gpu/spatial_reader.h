/* spatial_reader.h - the state of reading a profile's tables; for spatial_read.c and
 * spatial_sequences.c only. */
#ifndef DCS_MODELS_SPATIAL_READER_H
#define DCS_MODELS_SPATIAL_READER_H

#include "models/gpu/spatial_read.h"

#define SPATIAL_SIZE_MAX (INT64_C(1) << 62)

struct spatial_launch;

struct spatial_reader {
    struct dcs_rows rows;
    const struct dcs_profile *p;
    struct dcs_spatial *s;
    struct spatial_rows *out;
    const char *const *sized; /* applications of which all sizes are wanted; NULL-ended */
    struct spatial_launch *launches;
    size_t launches_count, launches_capacity;
    struct spatial_launch
        *by_name; /* one for each shape that has a name of its own, by sequence and name */
    size_t names;
    uint32_t *errors_sms;    /* by shape: where its error was measured */
    unsigned char *counters; /* by shape: bit i: a row of cache_states[i] was read */
};

/* All return -1 and fill r->rows.err on failure. In this order: */
/* A sequence for each application at its default size, then for each other size. measured: the
 * profile has tables of measurements. */
int spatial_find_sizes(struct spatial_reader *r, bool measured);
/* The kernels that each consists of, by name ... */
int spatial_read_sequences(struct spatial_reader *r);
/* ... and one shape for each different one, or for each kernel where none is named. */
int spatial_add_sequences(struct spatial_reader *r);
void spatial_release_sequences(struct spatial_reader *r);

/* Columns 0 and 1 of a row. 1: *of is a sequence, 0: of a size or application that has none. */
int spatial_row_sequence(struct spatial_reader *r, uint32_t *of);
/* Columns 0 to 2, of a struct spatial_reader. 1: *shape is one that a request has, 0: another. */
int spatial_row_shape(void *context, uint32_t *shape);

#endif
