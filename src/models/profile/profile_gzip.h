/*
 * profile_gzip.h - gzip files in memory. What is unpacked is untrusted: it takes no more memory
 * than its limit, whatever its header claims and however well it is packed.
 */
#ifndef DCS_MODELS_PROFILE_GZIP_H
#define DCS_MODELS_PROFILE_GZIP_H

#include "des/base.h"

/* Whether the bytes begin as a gzip file does. */
bool gzip_is(const unsigned char *bytes, size_t size);

/* Unpacks all members of the file. Allocated, with a NUL behind it that *unpacked does not count.
 * NULL and err, with `path` in it, if it is damaged, cut off, or unpacks to more than limit bytes.
 */
unsigned char *gzip_unpack(const unsigned char *bytes, size_t size, size_t limit, const char *path,
                           size_t *unpacked, struct dcs_err *err);

/* Packs as small as zlib can. The same bytes give the same file: it holds neither a name nor a
 * time. Allocated. */
unsigned char *gzip_pack(const unsigned char *bytes, size_t size, size_t *packed);

#endif
