/*
 * Decompressors, all behind one door: bytes in, bytes out, as much as there is room for.
 *
 * Each is in a file of its own, the only one that includes its library.
 */
#ifndef READPERF_UTIL_CODEC_CODEC_H
#define READPERF_UTIL_CODEC_CODEC_H

#include "util/error.h"

#include <stddef.h>
#include <stdint.h>

enum codec_result {
	CODEC_MORE,    /* wants more input, or more room if none is left */
	CODEC_END,     /* a stream ended; more input starts another one */
	CODEC_DAMAGED, /* the input is no such stream */
	CODEC_NOMEM,   /* memory is out */
};

struct codec {
	const char *name;
	const char *magic; /* how a file of it starts */
	size_t magic_len;
	/* A state to be given to destroy(), or NULL if memory is out. */
	void *(*create)(void);
	/* Moves *@in and *@out on by what was used, and their lengths down. */
	enum codec_result (*unpack)(void *state, const uint8_t **in, size_t *in_len, uint8_t **out,
				    size_t *out_len);
	void (*destroy)(void *state);
};

extern const struct codec codec_bzip2, codec_gzip, codec_xz, codec_zstd;

/** The codec whose files start with the @len bytes at @head, or NULL. */
const struct codec *codec_by_magic(const uint8_t *head, size_t len);

/**
 * Bounds what a small file can cost. Returns 0, or -1 with @err filled if @nr_in packed bytes of
 * the file @name have become @nr_out: more than the records of any recorder would.
 */
int codec_check_ratio(const char *name, uint64_t nr_in, uint64_t nr_out, struct error *err);

#endif
