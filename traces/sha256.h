/*
 * sha256.h - SHA-256 of a stream, by the processor's own instructions where it has them, else by
 * libmd.
 *
 * Why not libmd alone: at about 150 MB/s it would take longer than all the rest of an import, whose
 * promise is 100 MB/s on one core. The instructions do above 1 GB/s.
 */
#ifndef DCS_TRACES_SHA256_H
#define DCS_TRACES_SHA256_H

#include <stddef.h>
#include <stdint.h>

#include <sys/types.h>
#include <sha2.h>

struct trace_sha256 {
    uint32_t state[8];
    uint64_t bytes;
    unsigned char rest[64]; /* bytes % 64 of them */
    void (*blocks)(uint32_t state[8], const unsigned char *data, size_t count); /* NULL: libmd */
    SHA2_CTX libmd;
};

void trace_sha256_init(struct trace_sha256 *s);
void trace_sha256_init_portable(struct trace_sha256 *s); /* libmd; for the test that compares */
void trace_sha256_add(struct trace_sha256 *s, const void *data, size_t length);
void trace_sha256_end(struct trace_sha256 *s, char hex[65]);

#endif
