/*
 * digest.h - SHA-256 (FIPS 180-4) of bytes, as text: what names files and experiments. By nettle,
 * which uses the processor's own instructions where it has them. What arrives in parts goes through
 * nettle's sha256_init() and sha256_update().
 */
#ifndef DCS_DES_DIGEST_H
#define DCS_DES_DIGEST_H

#include <nettle/sha2.h>

/* 64 hexadecimal digits and the end of the text. */
void dcs_sha256_end(struct sha256_ctx *sha, char hex[65]);
void dcs_sha256(const void *bytes, size_t size, char hex[65]);

#endif
