/*
 * A file that appears whole or not at all.
 *
 *	fd = outfile_open_dir("out", &err);
 *	file = outfile_create(fd, "out", "results.csv", &err);
 *	outfile_append(file, bytes, len);
 *	outfile_finish(file, &err);
 *	outfile_publish(file, &err);
 *	outfile_close(file);
 *
 * The bytes go to a nameless file (O_TMPFILE) in the target directory, so that even a kill leaves
 * nothing behind; where the file system has no such files, to a hidden name beside the final one.
 * outfile_publish() renames it over the final name, so a link planted there is replaced and never
 * followed. Several files are finished first and then published: a full disk is seen while all the
 * old ones are still in place.
 *
 * A file may also be put in place while it grows, for whoever wants to watch it: outfile_grow().
 * What is on the disk then always ends where outfile_mark() said that something was whole, even if
 * the disk is full; only a kill in the middle of a write can leave less.
 *
 * A failed write is remembered and later bytes are dropped: whoever writes asks outfile_check() now
 * and then, not after every cell.
 */
#ifndef READPERF_UTIL_OUTFILE_H
#define READPERF_UTIL_OUTFILE_H

#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** Bytes gathered before they are written. */
#define OUTFILE_BUFFER ((size_t)256 * 1024)

/** @pos is where the next byte goes, @end the end of the buffer; the rest is outfile.c's own. */
struct outfile {
	char *pos, *end, *buffer;
	char *whole;	     /* up to here what is in the buffer is whole */
	bool growing;	     /* it is in place already: only what is whole is written */
	bool stream;	     /* it has no place: what is written cannot be taken back */
	uint64_t size;	     /* bytes written */
	int fd;		     /* -1 once finished */
	int dirfd;	     /* borrowed */
	int errnum;	     /* of the first failed write, or 0 */
	struct error failed; /* why what should be written cannot be made, if so */
	char *path;	     /* DIR/NAME, for messages */
	char *name;	     /* final name in the directory */
	char *temp;	     /* hidden name in the directory; "" while there is none */
};

/**
 * Opens the directory at @path to create files in it, making it and its parents where missing.
 *
 * @return a descriptor that the caller closes, or -1 with @err filled.
 */
int outfile_open_dir(const char *path, struct error *err);

/**
 * Starts the file @name in the directory @dirfd, which stays the caller's and must stay open. @dir
 * is the directory's path, for messages only. Mode 0666 less the umask.
 *
 * @return the file for outfile_close(), or NULL with @err filled.
 */
struct outfile *outfile_create(int dirfd, const char *dir, const char *name, struct error *err);

/**
 * As outfile_create(), but what is appended goes to the open file @fd, which stays the caller's:
 * standard output. It cannot be taken back, and outfile_publish() has nothing to do. @called names
 * it in messages.
 */
struct outfile *outfile_stream(int fd, const char *called, struct error *err);

/** Writes out what the buffer holds so that there is room for @len bytes; for outfile_reserve(). */
void outfile_make_room(struct outfile *file, size_t len);

/**
 * Room for @len bytes (at most OUTFILE_BUFFER) at the returned place, which is @file->pos; the
 * caller writes there and moves @file->pos on.
 */
static inline char *outfile_reserve(struct outfile *file, size_t len)
{
	if ((size_t)(file->end - file->pos) < len)
		outfile_make_room(file, len);
	return file->pos;
}

/** Appends @len bytes, any number. */
void outfile_append(struct outfile *file, const char *bytes, size_t len);

/** Appends a C string. */
static inline void outfile_string(struct outfile *file, const char *text)
{
	outfile_append(file, text, strlen(text));
}

/** What was appended up to here is whole: whoever watches the file may see it. */
static inline void outfile_mark(struct outfile *file)
{
	file->whole = file->pos;
}

/**
 * Puts the file in its final place with what is whole so far, and goes on; called again, it adds
 * what has become whole since. Returns 0, or -1 with @err filled.
 */
int outfile_grow(struct outfile *file, struct error *err);

/** Whether the file would vanish by itself if the program died now. */
bool outfile_vanishes(const struct outfile *file);

/** What should be written cannot be made, for the reason @why: outfile_check() will say so. */
void outfile_fail(struct outfile *file, const struct error *why);

/** 0, or -1 with @err filled if a write has failed so far, or outfile_fail() was called. */
int outfile_check(const struct outfile *file, struct error *err);

/**
 * Writes the rest, closes the file with every error checked and gives it its hidden name. Nothing
 * may be appended afterwards.
 *
 * @return 0, or -1 with @err filled.
 */
int outfile_finish(struct outfile *file, struct error *err);

/**
 * Renames the finished @file over its final name, unless it grew there. Returns 0, or -1 with @err
 * filled.
 */
int outfile_publish(struct outfile *file, struct error *err);

/** Frees; what was not published vanishes, of what grew in place the rest. NULL is fine. */
void outfile_close(struct outfile *file);

#endif
