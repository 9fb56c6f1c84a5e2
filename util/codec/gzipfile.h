/*
 * Writes a gzip file (RFC 1952) through an output file. The same bytes become the same file: it has
 * no name and no time.
 *
 *	gzip = gzipfile_create(out);
 *	gzipfile_put(gzip, bytes, len);            any number of times
 *	if (gzipfile_end(gzip)) ...
 */
#ifndef READPERF_UTIL_CODEC_GZIPFILE_H
#define READPERF_UTIL_CODEC_GZIPFILE_H

#include "util/outfile.h"

#include <stdbool.h>
#include <stddef.h>

struct gzipfile;

/** A file that goes to @out, which is borrowed; NULL if memory is out. */
struct gzipfile *gzipfile_create(struct outfile *out);

/** Compresses the next @len bytes. */
void gzipfile_put(struct gzipfile *gzip, const void *bytes, size_t len);

/** Completes the file and frees @gzip, which may be NULL. False if memory was out. */
bool gzipfile_end(struct gzipfile *gzip);

#endif
