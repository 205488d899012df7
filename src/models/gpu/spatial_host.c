/*
 * spatial_host.c - when the host of a recorded program launches its kernels; see spatial_load.h,
 * HOST.
 */
#include "models/gpu/spatial_read.h"

#include <stdlib.h>

static const char *const mechanisms[] = {"whole", "green", "mps", NULL};

#define POSITION_MAX 999999

struct host_reader {
    struct dcs_spatial *s;
    struct spatial_rows *out;
    struct dcs_rows *rows;
    spatial_which_sequence *which;
    void *context;
    uint32_t *read;    /* by sequence: kernels that have their gap */
    bool *apart;       /* by sequence: there is no host's part */
    int64_t *after_ns; /* by sequence: what follows its last kernel; -1: not told */
};

/* Columns 0 to 3. 1: *of is a sequence, and the row is of the whole device; 0: it is not; -1: err.
 */
static int take_sequence(struct host_reader *r, uint32_t *of)
{
    int mechanism = 0, status = r->which(r->context, of);
    int64_t sms = 0;
    if (status < 0 || dcs_rows_choice(r->rows, 2, mechanisms, &mechanism) != 0 ||
        dcs_rows_integer(r->rows, 3, 1, r->s->sms, &sms) != 0)
        return -1;
    return status > 0 && mechanism == 0 && sms == r->s->sms;
}

/* A column of ns; NULL: -1. */
static int read_gap(struct dcs_rows *rows, int column, int64_t *ns)
{
    *ns = -1;
    return dcs_rows_is_null(rows, column)
               ? 0
               : dcs_rows_integer(rows, column, 0, DCS_DURATION_NS_MAX, ns);
}

static int take_gap(void *context)
{
    struct host_reader *r = context;
    uint32_t of = 0;
    int64_t position = 0, gap_ns = -1, wait_ns = -1;
    int status = take_sequence(r, &of);
    if (status < 0 || dcs_rows_integer(r->rows, 4, 0, POSITION_MAX, &position) != 0 ||
        read_gap(r->rows, 5, &gap_ns) != 0 || read_gap(r->rows, 6, &wait_ns) != 0)
        return -1;
    if (status == 0)
        return 0;
    struct dcs_sequence *sequence = &r->s->sequences[of];
    if (position >= sequence->kernels)
        return dcs_rows_bad_value(r->rows, 4, "a kernel that the application has");
    if (sequence->host == NULL) {
        sequence->host = dcs_alloc(sequence->kernels, sizeof *sequence->host);
        for (uint32_t k = 0; k < sequence->kernels; k++)
            sequence->host[k].gap_ns = -1;
    }
    if (sequence->host[position].gap_ns >= 0)
        return dcs_rows_bad_value(r->rows, 4, "each position once");
    r->apart[of] = r->apart[of] || gap_ns < 0;
    sequence->host[position] = (struct dcs_host_gap){gap_ns, wait_ns};
    r->read[of]++;
    return 0;
}

static int take_rest(void *context)
{
    struct host_reader *r = context;
    uint32_t of = 0;
    int64_t after_ns = 0, follow_ns = 0;
    int status = take_sequence(r, &of);
    if (status < 0 || dcs_rows_integer(r->rows, 4, 0, DCS_DURATION_NS_MAX, &after_ns) != 0 ||
        dcs_rows_integer(r->rows, 5, 0, DCS_DURATION_NS_MAX, &follow_ns) != 0)
        return -1;
    if (status > 0) {
        r->after_ns[of] = after_ns;
        r->out->follow_ns[of] = follow_ns;
    }
    return 0;
}

static int64_t less(int64_t ns, int64_t by_ns)
{
    return ns > by_ns ? ns - by_ns : 0;
}

/* Each kernel's time has in it what follows it: that is not waited for again. */
static int finish_sequence(struct host_reader *r, uint32_t of)
{
    struct dcs_sequence *sequence = &r->s->sequences[of];
    int64_t follow_ns = r->out->follow_ns[of];
    if (sequence->host == NULL || r->apart[of]) {
        free(sequence->host);
        sequence->host = NULL;
        r->out->follow_ns[of] = 0;
        return 0;
    }
    if (r->read[of] != sequence->kernels)
        return dcs_err_at(r->rows->err, r->rows->file, 0, "recorded_launch",
                          "expected the %u kernels of \"%s\" on the whole device, found %u",
                          sequence->kernels, sequence->app, r->read[of]);
    if (r->after_ns[of] < 0)
        return dcs_err_at(r->rows->err, r->rows->file, 0, "recorded",
                          "expected the row of \"%s\" on the whole device, of which "
                          "recorded_launch has the kernels; found none",
                          sequence->app);
    for (uint32_t k = 0; k < sequence->kernels; k++)
        if (sequence->host[k].wait_ns >= 0)
            sequence->host[k].wait_ns = less(sequence->host[k].wait_ns, follow_ns);
    sequence->host[0].gap_ns =
        dcs_add_times(sequence->host[0].gap_ns, less(r->after_ns[of], follow_ns));
    return 0;
}

int dcs_spatial_read_host(struct dcs_spatial *s, struct spatial_rows *out, struct dcs_rows *rows,
                          spatial_which_sequence *which, void *context)
{
    size_t n = s->sequences_count + 1u;
    struct host_reader r = {.s = s, .out = out, .rows = rows, .which = which, .context = context};
    r.read = dcs_alloc(n, sizeof *r.read);
    r.apart = dcs_alloc(n, sizeof *r.apart);
    r.after_ns = dcs_alloc(n, sizeof *r.after_ns);
    for (size_t of = 0; of < n; of++)
        r.after_ns[of] = -1;
    int status =
        dcs_rows_each_if_there(rows, "recorded_launch",
                               "SELECT application, size, mechanism, sms, position, host_gap_ns,"
                               " wait_gap_ns FROM recorded_launch",
                               take_gap, &r) != 0 ||
        dcs_rows_each_if_there(rows, "recorded",
                               "SELECT application, size, mechanism, sms, end_gap_ns,"
                               " device_gap_ns FROM recorded",
                               take_rest, &r) != 0;
    for (uint32_t of = 0; of < s->sequences_count && status == 0; of++)
        status = finish_sequence(&r, of) != 0;
    free(r.read);
    free(r.apart);
    free(r.after_ns);
    return status == 0 ? 0 : -1;
}
