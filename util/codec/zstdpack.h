/*
 * Compresses bytes in memory as frames of zstd (RFC 8878). The same bytes become the same frame, by
 * the same version of the library.
 */
#ifndef READPERF_UTIL_CODEC_ZSTDPACK_H
#define READPERF_UTIL_CODEC_ZSTDPACK_H

#include <stddef.h>
#include <stdint.h>

struct codec_zstdpack;

/** A packer for codec_zstdpack_destroy(); NULL if memory is out. */
struct codec_zstdpack *codec_zstdpack_create(void);

/**
 * Sets *@packed to a frame of the @len bytes at @bytes, valid until the next call. Returns its
 * length in bytes; 0 if memory is out.
 */
size_t codec_zstdpack_run(struct codec_zstdpack *pack, const void *bytes, size_t len,
			  const uint8_t **packed);

/** Frees @pack, which may be NULL. */
void codec_zstdpack_destroy(struct codec_zstdpack *pack);

#endif
