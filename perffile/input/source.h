/*
 * The source of a recording's bytes: a file that can be read at any offset, or a stream that can
 * only be read in sequence.
 *
 * A recording that must be read at any offset but comes from a stream, or is compressed with bzip2,
 * gzip, xz or zstd, is first copied to a temporary file without a name.
 */
#ifndef READPERF_PERFFILE_INPUT_SOURCE_H
#define READPERF_PERFFILE_INPUT_SOURCE_H

#include "util/error.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { SOURCE_HEAD_BYTES = 128 }; /* enough for any file header */

/**
 * Waits until the stream @fd has something to read or has ended, and returns true, or returns false
 * to end the stream here. If it returns true too early it is called again.
 */
typedef bool (*source_wait)(void *arg, int fd);

/** Called about every 16 MiB while reading; returns 0, or -1 with @err filled to give up. */
typedef int (*source_tick)(void *arg, struct error *err);

struct source {
	char *name;	     /* as the user wrote it, for messages */
	int fd;		     /* -1 while closed by source_rest() */
	bool stream;	     /* can only be read in sequence */
	bool ended;	     /* the stream has ended, or no more of it is wanted */
	atomic_bool stopped; /* source_read_on() returns nothing more; set from any thread */
	source_wait wait;    /* NULL: block */
	void *wait_arg;
	source_tick tick; /* NULL: none */
	void *tick_arg;
	uint64_t nr_unticked; /* bytes source_read_on() has read since the last tick */
	uint64_t size;	      /* bytes; UINT64_MAX for a stream before its end */
	int broken;	      /* errno of the read that ended the stream, which broke off; or 0 */
	uint64_t broken_at;   /* its bytes before that */
	uint8_t head[SOURCE_HEAD_BYTES]; /* the first bytes, after source_start() */
	size_t head_len;
	dev_t dev; /* identity of the file, for source_rest() */
	ino_t ino;
	int64_t written; /* ns since 1970, last modification; INT64_MAX for a stream */
};

/**
 * Opens the recording at @path ("-": standard input) into @source, without blocking: a FIFO may
 * have no writer yet. Returns 0, or -1 with @err filled: no such file, no permission, a directory,
 * a device.
 */
int source_open(struct source *source, const char *path, struct error *err);

/** As source_open() for the open file @fd, which stays the caller's; @name is for messages. */
int source_open_fd(struct source *source, int fd, const char *name, struct error *err);

/**
 * Reads the head, which may block. Returns 0, or -1 with @err filled if it is empty or cannot be
 * read.
 */
int source_start(struct source *source, struct error *err);

/**
 * Reads up to @len bytes from offset @offset into @to; fewer only at the end of a file. A stream
 * must be read in sequence and returns the bytes available; it blocks only if there are none. 0 is
 * its end, also where it broke off after its head: what came before cannot be read again. Returns
 * the number of bytes, or -1 with @err filled.
 */
ssize_t source_read(struct source *source, uint64_t offset, void *to, size_t len,
		    struct error *err);

/**
 * Like source_read(), to read all of @source in sequence: calls the tick every 16 MiB, and returns
 * 0 once @source is stopped.
 */
ssize_t source_read_on(struct source *source, uint64_t offset, void *to, size_t len,
		       struct error *err);

/**
 * Closes the descriptor of @source, a regular file; each later read opens the file again. With many
 * sources, few need a descriptor. Returns 0, or -1 with @err filled.
 */
int source_rest(struct source *source, struct error *err);

/**
 * Copies a stream to a temporary file, so that it can be read at any offset; does nothing for a
 * file. Returns 0, or -1 with @err filled.
 */
int source_spool(struct source *source, struct error *err);

/**
 * Unpacks a source that starts like a bzip2, gzip, xz or zstd file into a temporary file. If it is
 * cut off or damaged, the source has the bytes that could be unpacked, and *@cut is set. Returns 0
 * (also if there is nothing to unpack), or -1 with @err filled, also if no byte could be.
 */
int source_unwrap(struct source *source, bool *cut, struct error *err);

void source_close(struct source *source);

#endif
