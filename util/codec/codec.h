/*
 * The common interface of the decompressors.
 *
 * Each is in its own file, the only one that includes its library.
 */
#ifndef READPERF_UTIL_CODEC_CODEC_H
#define READPERF_UTIL_CODEC_CODEC_H

#include "util/error.h"

#include <stddef.h>
#include <stdint.h>

enum codec_result {
	CODEC_MORE,    /* needs more input, or more room if none is left */
	CODEC_END,     /* a stream ended; more input starts another one */
	CODEC_DAMAGED, /* the input is not a valid stream */
	CODEC_NOMEM,   /* memory is out */
};

struct codec {
	const char *name;
	const char *magic; /* first bytes of its files, magic_len bytes */
	size_t magic_len;
	/* Returns a state, for destroy(), or NULL if memory is out. */
	void *(*create)(void);
	/* Advances *@in and *@out by the bytes read and written, and reduces *@in_len and
	 * *@out_len. */
	enum codec_result (*unpack)(void *state, const uint8_t **in, size_t *in_len, uint8_t **out,
				    size_t *out_len);
	void (*destroy)(void *state);
};

extern const struct codec codec_bzip2, codec_gzip, codec_xz, codec_zstd;

/** Returns the codec whose files start with the @len bytes at @head, or NULL. */
const struct codec *codec_by_magic(const uint8_t *head, size_t len);

/**
 * Unpacks the first @size bytes of a file into @to, of whose packed bytes the first @len are at
 * @packed. Returns how many it has unpacked: fewer if these do not suffice, are damaged or end, or
 * if memory is out.
 */
size_t codec_start(const struct codec *codec, const void *packed, size_t len, void *to,
		   size_t size);

/**
 * Limits the output of a small file. Returns 0, or -1 with @err set if @nr_in compressed bytes of
 * the file @name have become @nr_out bytes, more than records or binaries would.
 */
int codec_check_ratio(const char *name, uint64_t nr_in, uint64_t nr_out, struct error *err);

#endif
