/* sm_read.c - from tables resident_... of a profile to a model of kernels that share SMs; see sm.h.
 */
#include "models/sm/sm.h"

#include "models/profile/profile_open.h"
#include "models/profile/profile_rows.h"

#include <stdlib.h>
#include <string.h>

#define RATE_MAX   2.0
#define NUMBER_MAX 1e9

struct reader {
    struct dcs_rows rows;
    struct dcs_sm *out;
};

static struct dcs_sm_kernel *find_kernel(struct reader *r, int column)
{
    const char *name = dcs_rows_label(&r->rows, column);
    if (name == NULL)
        return NULL;
    uint32_t i = dcs_sm_find(r->out, name);
    if (i != UINT32_MAX)
        return &r->out->kernels[i];
    dcs_rows_bad_value(&r->rows, column, "a kernel of table resident_kernel");
    return NULL;
}

static int take_resource(void *context)
{
    struct reader *r = context;
    struct dcs_rows *rows = &r->rows;
    int64_t at, wide;
    double sharpness;
    if (dcs_rows_integer(rows, 0, 0, DCS_SM_RESOURCES - 1, &at) != 0 ||
        dcs_rows_real(rows, 1, 1e-6, 1e6, &sharpness) != 0 ||
        dcs_rows_integer(rows, 2, 0, 1, &wide) != 0 || dcs_rows_check_text(rows, 3) != 0)
        return -1;
    if (at != r->out->resources)
        return dcs_rows_bad_value(rows, 0, "0, 1, ... in this order");
    r->out->sharpness[at] = sharpness;
    r->out->wide[at] = wide != 0;
    r->out->resources++;
    return 0;
}

/* Registers of a block as an SM hands them out: by 8 of a thread, to four warps at a time. */
static int64_t registers_of(int64_t threads, int64_t registers)
{
    int64_t warps = (threads + 31) / 32;
    return (warps + 3) / 4 * 4 * 32 * ((registers + 7) / 8 * 8);
}

static int take_kernel(void *context)
{
    struct reader *r = context;
    struct dcs_rows *rows = &r->rows;
    struct dcs_sm *m = r->out;
    struct dcs_sm_kernel k = {0};
    int64_t registers, fits;
    const char *name = dcs_rows_label(rows, 0);
    if (name == NULL || dcs_rows_integer(rows, 1, 1, 1024, &k.threads) != 0 ||
        dcs_rows_integer(rows, 2, 1, 255, &registers) != 0 ||
        dcs_rows_integer(rows, 3, 0, DCS_SM_SHARED_BYTES - DCS_SM_SHARED_RESERVED,
                         &k.shared_bytes) != 0 ||
        dcs_rows_integer(rows, 4, 1, DCS_SM_BLOCKS_MAX, &fits) != 0 ||
        dcs_rows_real(rows, 5, 1, 1e12, &k.block_ns) != 0 ||
        dcs_rows_real(rows, 6, 1e-9, NUMBER_MAX, &k.latency) != 0 ||
        dcs_rows_check_text(rows, 7) != 0)
        return -1;
    if (dcs_sm_find(m, name) != UINT32_MAX)
        return dcs_rows_bad_value(rows, 0, "each kernel once");
    k.registers = registers_of(k.threads, registers);
    k.shared_bytes += DCS_SM_SHARED_RESERVED;
    k.fits = (uint32_t)fits;
    m->kernels = dcs_grow(m->kernels, &m->capacity, m->count + 1, sizeof *m->kernels);
    m->kernels[m->count] = k;
    m->kernels[m->count++].name = dcs_strdup(name);
    const uint32_t last = (uint32_t)m->count - 1;
    const uint32_t more = k.fits + 1;
    if (!dcs_sm_has_room(m, &last, &k.fits, 1) ||
        (more <= DCS_SM_BLOCKS_MAX && dcs_sm_has_room(m, &last, &more, 1)))
        return dcs_rows_bad_value(rows, 4, "as many blocks as an SM has room for");
    return 0;
}

static int take_use(void *context)
{
    struct reader *r = context;
    struct dcs_rows *rows = &r->rows;
    int64_t at;
    double demand, visits;
    struct dcs_sm_kernel *k = find_kernel(r, 0);
    if (k == NULL || dcs_rows_integer(rows, 1, 0, (int64_t)r->out->resources - 1, &at) != 0 ||
        dcs_rows_real(rows, 2, 1e-12, NUMBER_MAX, &demand) != 0 ||
        dcs_rows_real(rows, 3, 1e-12, NUMBER_MAX, &visits) != 0)
        return -1;
    if (k->demand[at] > 0)
        return dcs_rows_bad_value(rows, 1, "each resource of a kernel once");
    k->demand[at] = demand;
    k->visits[at] = visits;
    return 0;
}

static int take_rate(void *context)
{
    struct reader *r = context;
    struct dcs_rows *rows = &r->rows;
    int64_t blocks, beside_blocks;
    double rate;
    struct dcs_sm_kernel *k = find_kernel(r, 0);
    const char *beside = k != NULL ? dcs_rows_label(rows, 2) : NULL;
    if (beside == NULL || dcs_rows_integer(rows, 1, 1, k->fits, &blocks) != 0)
        return -1;
    if (strcmp(beside, "none") == 0) {
        if (dcs_rows_integer(rows, 3, 0, 0, &beside_blocks) != 0 ||
            dcs_rows_real(rows, 4, 1e-6, RATE_MAX, &rate) != 0)
            return -1;
        if (k->alone[blocks] > 0)
            return dcs_rows_bad_value(rows, 1, "each number of blocks alone once");
        k->alone[blocks] = rate;
        return 0;
    }
    const struct dcs_sm_kernel *other = find_kernel(r, 2);
    if (other == NULL || dcs_rows_integer(rows, 3, 1, other->fits, &beside_blocks) != 0 ||
        dcs_rows_real(rows, 4, 0, RATE_MAX, &rate) != 0)
        return -1;
    const struct dcs_sm_rate row = {.beside = (uint32_t)(other - r->out->kernels),
                                    .blocks = (uint32_t)blocks,
                                    .beside_blocks = (uint32_t)beside_blocks,
                                    .rate = rate};
    for (size_t i = 0; i < k->count; i++)
        if (k->rates[i].beside == row.beside && k->rates[i].blocks == row.blocks &&
            k->rates[i].beside_blocks == row.beside_blocks)
            return dcs_rows_bad_value(rows, 3, "each point of a pair once");
    k->rates = dcs_grow(k->rates, &k->capacity, k->count + 1, sizeof *k->rates);
    k->rates[k->count++] = row;
    return 0;
}

/* What is missing of a model whose rows are all right. */
static int check_whole(struct reader *r)
{
    const struct dcs_sm *m = r->out;
    for (size_t i = 0; i < m->count; i++) {
        const struct dcs_sm_kernel *k = &m->kernels[i];
        for (uint32_t n = 1; n <= k->fits; n++)
            if (!(k->alone[n] > 0))
                return dcs_err_at(r->rows.err, r->rows.file, 0, "resident_rate",
                                  "kernel \"%s\" has no rate of %u block%s alone", k->name, n,
                                  n == 1 ? "" : "s");
        for (uint32_t j = 0; j < m->resources; j++)
            if (!(k->demand[j] > 0))
                return dcs_err_at(r->rows.err, r->rows.file, 0, "resident_use",
                                  "kernel \"%s\" has no use of resource %u", k->name, j);
    }
    return 0;
}

static int read_tables(struct reader *r)
{
    struct dcs_rows *rows = &r->rows;
    if (dcs_rows_each_if_there(rows, "resident_resource",
                               "SELECT resource, sharpness, device_wide, source "
                               "FROM resident_resource",
                               take_resource, r) != 0 ||
        dcs_rows_each_if_there(rows, "resident_kernel",
                               "SELECT kernel, threads, registers, shared_bytes, blocks, block_ns, "
                               "latency, source FROM resident_kernel",
                               take_kernel, r) != 0)
        return -1;
    if (r->out->resources == 0 || r->out->count == 0)
        return dcs_err_at(rows->err, rows->file, 0, "resident_kernel",
                          "has no kernels inside an SM, as nvidia-h200-residency has: measure them "
                          "with dcsim-calibrate "
                          "residency and solo, and keep their law with "
                          "calibrate/fit/fit_residency.py --keep PROFILE.db");
    if (dcs_rows_each(rows, "resident_use",
                      "SELECT kernel, resource, demand, visits FROM resident_use", take_use,
                      r) != 0 ||
        dcs_rows_each(rows, "resident_rate",
                      "SELECT kernel, blocks, beside, beside_blocks, rate FROM resident_rate",
                      take_rate, r) != 0)
        return -1;
    return check_whole(r);
}

struct dcs_profile *dcs_sm_load_profile(const char *path, struct dcs_sm **out, struct dcs_err *err)
{
    struct dcs_profile_source source;
    *out = NULL;
    if (dcs_profile_open(&source, path, err) != 0)
        return NULL;
    struct dcs_profile *p = dcs_profile_read(&source, path, err);
    struct reader r = {.rows = {.source = &source, .file = path, .err = err},
                       .out = dcs_alloc(1, sizeof *r.out)};
    bool read = p != NULL && read_tables(&r) == 0;
    if (read && (p->sms < 1 || p->sms > DCS_SM_SMS_MAX))
        read = dcs_err_at(err, path, 0, "device.sms", "1 to %d SMs are expected; found %lld",
                          DCS_SM_SMS_MAX, (long long)p->sms) == 0;
    dcs_profile_close(&source);
    if (read) {
        r.out->sms = (uint32_t)p->sms;
        dcs_sm_prepare(r.out);
        *out = r.out;
        return p;
    }
    dcs_sm_free(r.out);
    dcs_profile_free(p);
    return NULL;
}

void dcs_sm_free(struct dcs_sm *m)
{
    if (m == NULL)
        return;
    for (size_t i = 0; i < m->count; i++) {
        free(m->kernels[i].rates);
        free(m->kernels[i].name);
    }
    free(m->kernels);
    free(m);
}
