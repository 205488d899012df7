/* digest.c - see digest.h. */
#include "des/digest.h"

#include <nettle/base16.h>

void dcs_sha256_end(struct sha256_ctx *sha, char hex[65])
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(sha, sizeof digest, digest);
    base16_encode_update(hex, sizeof digest, digest);
    hex[BASE16_ENCODE_LENGTH(sizeof digest)] = '\0';
}

void dcs_sha256(const void *bytes, size_t size, char hex[65])
{
    struct sha256_ctx sha;
    sha256_init(&sha);
    sha256_update(&sha, size, bytes);
    dcs_sha256_end(&sha, hex);
}
