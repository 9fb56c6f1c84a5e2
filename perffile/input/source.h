/*
 * Where the bytes of a recording come from: a file that can be read at any place, or a stream that
 * can only be read on.
 *
 * What must be read at several places but comes from a stream, or wrapped in bzip2, gzip, xz or
 * zstd, is first put into a temporary file that has no name.
 */
#ifndef READPERF_PERFFILE_INPUT_SOURCE_H
#define READPERF_PERFFILE_INPUT_SOURCE_H

#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { SOURCE_HEAD_BYTES = 128 }; /* enough for any file header */

/**
 * Waits until the stream @fd has something to read or has ended, and returns true; or returns
 * false, and the stream ends here. May return true early: it is asked again.
 */
typedef bool (*source_wait)(void *arg, int fd);

/** Called now and then while much is read; returns 0, or -1 with @err filled to give up. */
typedef int (*source_tick)(void *arg, struct error *err);

struct source {
	char *name;	  /* as the user wrote it, for messages */
	int fd;		  /* -1 if it rests */
	bool stream;	  /* can only be read on */
	bool ended;	  /* a stream of which nothing more is wanted or comes */
	bool stopped;	  /* nothing more is wanted in sequence: see source_read_on() */
	source_wait wait; /* NULL: waits for ever */
	void *wait_arg;
	source_tick tick; /* NULL: none */
	void *tick_arg;
	uint64_t nr_unticked;		 /* bytes read on since the last tick */
	uint64_t size;			 /* bytes; UINT64_MAX until the end of a stream was met */
	uint8_t head[SOURCE_HEAD_BYTES]; /* the first bytes, after source_start() */
	size_t head_len;
	dev_t dev; /* which file it is, if it rests */
	ino_t ino;
	int64_t written; /* ns since 1970, when the file was written last; INT64_MAX of a stream */
};

/**
 * Opens the recording at @path ("-": standard input) into @source, without waiting: a FIFO may have
 * no writer yet. Returns 0, or -1 with @err filled: no such file, no permission, a directory, a
 * device.
 */
int source_open(struct source *source, const char *path, struct error *err);

/** Reads the head, waiting for it if need be. Returns 0, or -1 with @err filled: empty. */
int source_start(struct source *source, struct error *err);

/**
 * Reads up to @len bytes from offset @offset into @to; fewer only at the end of a file. A stream
 * must be read in sequence and gives what it has, waiting only if it has nothing; 0 is its end.
 * Returns the number of bytes, or -1 with @err filled.
 */
ssize_t source_read(struct source *source, uint64_t offset, void *to, size_t len,
		    struct error *err);

/**
 * As source_read() of what comes next in the reading of all of it: with a tick each 16 MiB, and
 * with nothing more once @source is stopped.
 */
ssize_t source_read_on(struct source *source, uint64_t offset, void *to, size_t len,
		       struct error *err);

/**
 * Closes the regular file of @source, which is opened anew whenever something is read: of many
 * sources few need a descriptor. Returns 0, or -1 with @err filled.
 */
int source_rest(struct source *source, struct error *err);

/** Makes a stream readable at any place, by way of a temporary file. 0, or -1 with @err filled. */
int source_spool(struct source *source, struct error *err);

/**
 * Unwraps a source that starts like a bzip2, gzip, xz or zstd file, by way of a temporary file. A
 * wrapper that is cut off or damaged gives what could be unwrapped, and *@cut is set. Returns 0
 * (also if there is nothing to unwrap), or -1 with @err filled.
 */
int source_unwrap(struct source *source, bool *cut, struct error *err);

void source_close(struct source *source);

#endif
