/*
 * Bytes put into a temporary file, to be read again: of a stream that must be read at several
 * places, or of records that wait for their turn.
 */
#ifndef READPERF_UTIL_SPOOL_H
#define READPERF_UTIL_SPOOL_H

#include "util/error.h"

#include <stddef.h>
#include <stdint.h>

/** All zero is an empty spool, which has no file yet. */
struct spool {
	int fd;		 /* valid once @buffer is there */
	uint8_t *buffer; /* the last bytes, on their way into the file */
	size_t nr_buffered;
	uint64_t size; /* bytes put, those in @buffer included */
};

/** Puts @len bytes behind the others. Returns 0, or -1 with @err filled: no file, disk full. */
int spool_put(struct spool *spool, const void *bytes, size_t len, struct error *err);

/** Reads the @len bytes at @offset, all of which must have been put. 0, or -1 with @err filled. */
int spool_get(struct spool *spool, uint64_t offset, void *to, size_t len, struct error *err);

/** Writes what is still buffered and hands over the file, which the caller closes. -1 with @err. */
int spool_take_file(struct spool *spool, struct error *err);

void spool_free(struct spool *spool);

#endif
