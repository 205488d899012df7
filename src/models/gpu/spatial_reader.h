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
    struct spatial_launch *by_name; /* one for each name of a sequence, sorted by both */
    size_t names;
    uint32_t *errors_sms;    /* by shape: where its error was measured */
    unsigned char *counters; /* by shape: bit i: a row of cache_states[i] was read */
};

/* To be called in this order. All return -1 and fill r->rows.err on failure. */
/* Adds a sequence for each application at its default size, then for each other size. measured: the
 * profile has tables of measurements. */
int spatial_find_sizes(struct spatial_reader *r, bool measured);
/* Reads the names of the kernels of each sequence. */
int spatial_read_sequences(struct spatial_reader *r);
/* Adds one shape for each name of a sequence; without names, one for each kernel. */
int spatial_add_sequences(struct spatial_reader *r);
void spatial_release_sequences(struct spatial_reader *r);

/* The sequence that columns 0 and 1 of a row name. context: a struct spatial_reader. 1: *of is its
 * index, 0: there is none. */
int spatial_row_sequence(void *context, uint32_t *of);
/* The shape that columns 0 to 2 of a row name. context: a struct spatial_reader. 1: *shape is its
 * index, 0: no request has it. */
int spatial_row_shape(void *context, uint32_t *shape);

#endif
