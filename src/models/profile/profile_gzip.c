/* profile_gzip.c - see profile_gzip.h. */
#include "models/profile/profile_gzip.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define GZIP_FORMAT 16 /* added to the bits of the window: a gzip header, not zlib's own */
#define LEVEL       9
#define MEMORY      9

/* A gzip file ends with the size of what it holds (RFC 1952, section 2.3.1). It is only a guess of
 * how much memory to ask for first: a file may lie, or have several members. */
static size_t guess_size(const unsigned char *bytes, size_t size, size_t limit)
{
    size_t guess = 0;
    for (size_t i = 0; i < 4; i++)
        guess = guess << 8 | bytes[size - 1 - i];
    return guess < limit ? guess : limit;
}

bool gzip_is(const unsigned char *bytes, size_t size)
{
    return size >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

struct unpacker {
    z_stream z;
    unsigned char *out;
    size_t size, capacity; /* of out; a byte more than the limit is the most that is unpacked */
};

/* Unpacks until the input ends, or until out holds more than limit bytes. Returns zlib's code. */
static int unpack_members(struct unpacker *u, size_t limit)
{
    int code = Z_OK;
    while (code == Z_OK && u->size <= limit) {
        if (u->size == u->capacity)
            u->out = dcs_grow(u->out, &u->capacity, u->size + 1, 1);
        size_t most = u->capacity < limit + 1 ? u->capacity : limit + 1;
        u->z.next_out = u->out + u->size;
        u->z.avail_out = (uInt)(most - u->size);
        code = inflate(&u->z, Z_NO_FLUSH);
        u->size = most - u->z.avail_out;
        if (code == Z_STREAM_END && u->z.avail_in > 0)
            code = inflateReset(&u->z);
    }
    return code;
}

unsigned char *gzip_unpack(const unsigned char *bytes, size_t size, size_t limit, const char *path,
                           size_t *unpacked, struct dcs_err *err)
{
    DCS_ASSERT(gzip_is(bytes, size) && size <= UINT32_MAX && limit < UINT32_MAX);
    struct unpacker u = {.z = {.next_in = (unsigned char *)bytes, .avail_in = (uInt)size}};
    u.capacity = size >= 4 ? guess_size(bytes, size, limit) + 2 : 2;
    u.out = dcs_alloc(u.capacity, 1);
    int code = inflateInit2(&u.z, MAX_WBITS + GZIP_FORMAT);
    DCS_ASSERT(code == Z_OK);
    code = unpack_members(&u, limit);
    if (u.size > limit)
        dcs_err_at(err, path, 0, NULL, "unpacks to more than %zu bytes, which is the most allowed",
                   limit);
    else if (code == Z_BUF_ERROR)
        dcs_err_at(err, path, 0, NULL, "is an incomplete gzip file (%zu bytes)", size);
    else if (code != Z_STREAM_END)
        dcs_err_at(err, path, 0, NULL, "is a damaged gzip file (%s)",
                   u.z.msg != NULL ? u.z.msg : "it cannot be unpacked");
    bool good = u.size <= limit && code == Z_STREAM_END;
    inflateEnd(&u.z);
    if (!good) {
        free(u.out);
        return NULL;
    }
    u.out = dcs_grow(u.out, &u.capacity, u.size + 1, 1);
    u.out[u.size] = '\0';
    *unpacked = u.size;
    return u.out;
}

unsigned char *gzip_pack(const unsigned char *bytes, size_t size, size_t *packed)
{
    z_stream z = {.next_in = (unsigned char *)bytes, .avail_in = (uInt)size};
    DCS_ASSERT(size <= UINT32_MAX);
    int code =
        deflateInit2(&z, LEVEL, Z_DEFLATED, MAX_WBITS + GZIP_FORMAT, MEMORY, Z_DEFAULT_STRATEGY);
    DCS_ASSERT(code == Z_OK);
    size_t bound = deflateBound(&z, size);
    unsigned char *out = dcs_alloc(bound, 1);
    z.next_out = out;
    z.avail_out = (uInt)bound;
    code = deflate(&z, Z_FINISH);
    DCS_ASSERT(code == Z_STREAM_END);
    *packed = z.total_out;
    deflateEnd(&z);
    return out;
}
