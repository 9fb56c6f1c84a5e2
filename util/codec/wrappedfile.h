/*
 * Decompresses a file that is compressed as a whole by bzip2, gzip, xz or zstd, into a temporary
 * file.
 *
 * Of a truncated or damaged file, the bytes before the damage are kept. Concatenated compressed
 * files are decompressed as one, as those programs do.
 */
#ifndef READPERF_UTIL_CODEC_WRAPPEDFILE_H
#define READPERF_UTIL_CODEC_WRAPPEDFILE_H

#include "util/codec/codec.h"
#include "util/error.h"
#include "util/spool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wrappedfile {
	const struct codec *codec;
	void *state;
	uint8_t *out;	  /* output buffer of the codec */
	const char *name; /* of the file, borrowed */
	uint64_t limit;	  /* maximum number of output bytes */
	uint64_t nr_in;	  /* input bytes so far */
	bool ended;	  /* the end of the stream was reached */
	bool damaged;
	bool too_large; /* the output would exceed `limit` */
};

/**
 * Starts decompressing the file @name, which begins with the @len bytes at @head, which
 * codec_by_magic() must recognize; @limit is the maximum number of output bytes. Returns 0, or -1
 * with @err set if memory is out.
 */
int wrappedfile_start(struct wrappedfile *wrapped, const char *name, const uint8_t *head,
		      size_t len, uint64_t limit, struct error *err);

/**
 * Decompresses the next @len bytes at @bytes into @copy. Returns 1, 0 if no more input is of use
 * (damaged or too large), or -1 with @err set: the disk is full, or there is more in the file than
 * recordings and binaries are compressed into so few bytes (codec_check_ratio()).
 */
int wrappedfile_put(struct wrappedfile *wrapped, struct spool *copy, const uint8_t *bytes,
		    size_t len, struct error *err);

/** True if the input so far ended at the end of a stream. */
bool wrappedfile_is_whole(const struct wrappedfile *wrapped);

void wrappedfile_free(struct wrappedfile *wrapped);

#endif
