/*
 * Stores bytes in a temporary file to read them again, of a stream that must be read at several
 * places, or of records to be processed later.
 */
#ifndef READPERF_UTIL_SPOOL_H
#define READPERF_UTIL_SPOOL_H

#include "util/error.h"

#include <stddef.h>
#include <stdint.h>

/** All zero is an empty spool without a file. */
struct spool {
	int fd;		 /* valid if @buffer is not NULL */
	uint8_t *buffer; /* the last bytes, not yet written to the file */
	size_t nr_buffered;
	uint64_t size; /* bytes put, including those in @buffer */
};

/** Appends @len bytes. Returns 0, or -1 with @err set: no file, disk full. */
int spool_put(struct spool *spool, const void *bytes, size_t len, struct error *err);

/** Reads @len bytes at @offset, which must have been put. Returns 0, or -1 with @err set. */
int spool_get(struct spool *spool, uint64_t offset, void *to, size_t len, struct error *err);

/** Writes the buffered bytes and returns the file, which the caller closes; -1 with @err set. */
int spool_take_file(struct spool *spool, struct error *err);

/** Frees the buffer and closes the file, unless spool_take_file() took it. */
void spool_free(struct spool *spool);

#endif
