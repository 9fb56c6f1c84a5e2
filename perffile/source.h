/*
 * Where the bytes of a recording come from: one open file, read at a place or in sequence.
 */
#ifndef READPERF_PERFFILE_SOURCE_H
#define READPERF_PERFFILE_SOURCE_H

#include "util/error.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct source {
	char *name; /* as the user wrote it, for messages */
	int fd;
	uint64_t size; /* bytes */
};

/**
 * Opens the regular file at @path into @source. Returns 0, or -1 with @err filled: no such file,
 * no permission, a directory, an empty file, something that is not a file.
 */
int source_open(struct source *source, const char *path, struct error *err);

/**
 * Reads up to @len bytes from file offset @offset into @to; fewer only at the end of the file.
 * Returns the number of bytes, or -1 with @err filled.
 */
ssize_t source_read(const struct source *source, uint64_t offset, void *to, size_t len,
		    struct error *err);

void source_close(struct source *source);

#endif
