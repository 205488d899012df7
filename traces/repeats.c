/*
 * repeats.c - see repeats.h. Open addressing with linear probing, at most three quarters full.
 */
#include "traces/repeats.h"

#include <stdlib.h>
#include <string.h>

struct repeats {
    uint64_t *slots; /* 0: empty */
    size_t size, count;
};

struct repeats *repeats_create(void)
{
    struct repeats *r = dcs_alloc(1, sizeof *r);
    r->size = 1024;
    r->slots = dcs_alloc(r->size, sizeof *r->slots);
    return r;
}

void repeats_free(struct repeats *r)
{
    if (r != NULL)
        free(r->slots);
    free(r);
}

/* FNV-1a (Fowler, Noll, Vo), and the finaliser of MurmurHash3, since slots are taken by the low
 * bits. */
static uint64_t digest_bytes(uint64_t h, const void *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        h = (h ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
    return h;
}

static uint64_t digest_job(const struct trace_job *job)
{
    uint64_t h = digest_bytes(UINT64_C(0xcbf29ce484222325), job->key, strlen(job->key));
    h = digest_bytes(h, &job->arrival_ns, sizeof job->arrival_ns);
    h = digest_bytes(h, &job->start_ns, sizeof job->start_ns);
    h = digest_bytes(h, &job->duration_ns, sizeof job->duration_ns);
    h = digest_bytes(h, &job->gpus, sizeof job->gpus);
    h = (h ^ (h >> 33)) * UINT64_C(0xff51afd7ed558ccd);
    h = (h ^ (h >> 33)) * UINT64_C(0xc4ceb9fe1a85ec53);
    h ^= h >> 33;
    return h + (h == 0);
}

/* Its slot, or the empty one that it may take. */
static size_t find_slot(const struct repeats *r, uint64_t digest)
{
    size_t at = (size_t)digest & (r->size - 1);
    while (r->slots[at] != 0 && r->slots[at] != digest)
        at = (at + 1) & (r->size - 1);
    return at;
}

static void grow_slots(struct repeats *r)
{
    struct repeats larger = {.size = 2 * r->size, .count = r->count};
    larger.slots = dcs_alloc(larger.size, sizeof *larger.slots);
    for (size_t i = 0; i < r->size; i++)
        if (r->slots[i] != 0)
            larger.slots[find_slot(&larger, r->slots[i])] = r->slots[i];
    free(r->slots);
    *r = larger;
}

bool repeats_see(struct repeats *r, const struct trace_job *job)
{
    if (job->key[0] == '\0')
        return false;
    uint64_t digest = digest_job(job);
    size_t at = find_slot(r, digest);
    if (r->slots[at] == digest)
        return true;
    if (r->count == REPEATS_MAX)
        return false;
    r->slots[at] = digest;
    if (4 * ++r->count > 3 * r->size)
        grow_slots(r);
    return false;
}
