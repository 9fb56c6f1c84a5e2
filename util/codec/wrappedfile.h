/*
 * Decompresses a file that bzip2, gzip, xz or zstd has compressed as a whole, into a temporary
 * file.
 *
 * A truncated or damaged file gives the bytes before the damage. Several such files in a row count
 * as one, as they do for those programs.
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
	uint8_t *out;	/* room for what the codec gives */
	uint64_t limit; /* bytes that may come out */
	const char
		*recording; /* its name, if it is one: bounds what may come out of so few bytes */
	uint64_t nr_in;	    /* bytes so far */
	bool ended;	    /* the wrapper's end was met */
	bool damaged;
	bool too_large; /* more than `limit` would come out */
};

/**
 * Starts with the codec of a file that begins with the @len bytes at @head, which codec_by_magic()
 * knows; no more than @limit bytes are to come out. Returns 0, or -1 with @err filled: no memory.
 */
int wrappedfile_start(struct wrappedfile *wrapped, const uint8_t *head, size_t len, uint64_t limit,
		      struct error *err);

/**
 * Puts what the next @len packed bytes at @bytes hold into @copy. Returns 1, 0 if nothing can come
 * after it (damaged or too large), or -1 with @err filled: the disk is full, or it is
 * a recording that holds more than a recorder packs into so few bytes.
 */
int wrappedfile_put(struct wrappedfile *wrapped, struct spool *copy, const uint8_t *bytes,
		    size_t len, struct error *err);

/** True if all that was put in ended where a wrapper ends. */
bool wrappedfile_is_whole(const struct wrappedfile *wrapped);

void wrappedfile_free(struct wrappedfile *wrapped);

#endif
