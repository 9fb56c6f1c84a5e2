/*
 * An output file that appears whole or not at all.
 *
 *	fd = outfile_open_dir("out", &err);
 *	file = outfile_create(fd, "out", "results.csv", &err);
 *	outfile_append(file, bytes, len);
 *	outfile_finish(file, &err);
 *	outfile_publish(file, &err);
 *	outfile_close(file);
 *
 * The bytes go to a nameless file (O_TMPFILE) in the target directory, so that even a kill leaves
 * nothing behind; if the file system has no such files, to a hidden name in that directory.
 * outfile_publish() renames it to the final name, so a symbolic link there is replaced and never
 * followed. Finish all files before publishing any: a full disk is then noticed while all the old
 * files are still in place.
 *
 * outfile_grow() publishes a file while it is still being written, so that others can watch it. Its
 * contents then always end at a point where outfile_mark() was called, even if the disk is full;
 * only a kill during a write can leave less. If somebody else moves, deletes or replaces it, it is
 * put in place again, whole.
 *
 * A failed write is recorded and later bytes are dropped, so that writers need to call
 * outfile_check() only from time to time.
 */
#ifndef READPERF_UTIL_OUTFILE_H
#define READPERF_UTIL_OUTFILE_H

#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** Size of the buffer in bytes. */
#define OUTFILE_BUFFER ((size_t)1024 * 1024)

struct behind;

/** The next byte goes to @pos; @end is the end of the buffer; the rest is private. */
struct outfile {
	char *pos, *end, *buffer;
	bool may_start;	       /* a thread may be started that writes */
	struct behind *behind; /* it; NULL: none */
	char *other;	       /* with @behind: the buffer being written */
	size_t other_len;      /* bytes of it that are being written */
	char *whole;	       /* the buffer is whole up to here, see outfile_mark() */
	bool growing;	       /* it has its final name already: only whole data is written */
	bool stream;	       /* it is an open file such as stdout: writes cannot be undone */
	uint64_t size;	       /* bytes written */
	int fd;		       /* -1 once finished */
	int dirfd;	       /* borrowed */
	int errnum;	       /* of the first failed write, or 0 */
	struct error failed;   /* the error given to outfile_fail(), if any */
	char *path;	       /* DIR/NAME, for messages */
	char *name;	       /* final name in the directory */
	char *temp;	       /* hidden name in the directory; "" if it has none */
};

/**
 * Opens the directory at @path to create files in it; creates it and its parents if missing.
 *
 * @return a descriptor that the caller closes, or -1 with @err set.
 */
int outfile_open_dir(const char *path, struct error *err);

/**
 * Creates the file @name in the directory @dirfd, which the caller owns and must keep open. @dir is
 * the directory's path, for messages only. The mode is that of the file that is replaced, else 0666
 * less the umask.
 *
 * @return the file, for outfile_close(), or NULL with @err set.
 */
struct outfile *outfile_create(int dirfd, const char *dir, const char *name, struct error *err);

/**
 * As outfile_create(), but writes to the open file @fd, such as stdout, which the caller owns.
 * Writes cannot be undone, and outfile_publish() does nothing. @called is its name in messages.
 */
struct outfile *outfile_stream(int fd, const char *called, struct error *err);

/** Lets a thread write the file, unless it grows, once a buffer is full. Answers stay the same. */
void outfile_write_behind(struct outfile *file);

/** Writes the buffer out to make room for @len bytes; for outfile_reserve(). */
void outfile_make_room(struct outfile *file, size_t len);

/**
 * Returns @file->pos with room for @len bytes (at most OUTFILE_BUFFER); the caller writes there and
 * advances @file->pos.
 */
static inline char *outfile_reserve(struct outfile *file, size_t len)
{
	if ((size_t)(file->end - file->pos) < len)
		outfile_make_room(file, len);
	return file->pos;
}

/** Appends any number of bytes, @len. */
void outfile_append(struct outfile *file, const char *bytes, size_t len);

/** Appends a C string. */
static inline void outfile_string(struct outfile *file, const char *text)
{
	outfile_append(file, text, strlen(text));
}

/** Declares everything appended so far as whole: outfile_grow() may show it to readers. */
static inline void outfile_mark(struct outfile *file)
{
	file->whole = file->pos;
}

/**
 * Gives the file its final name with what is whole so far; further calls add what has become whole
 * since. Returns 0, or -1 with @err set.
 */
int outfile_grow(struct outfile *file, struct error *err);

/** True if the file would vanish by itself if the program died now. */
bool outfile_vanishes(const struct outfile *file);

/** Reports that the contents cannot be made; outfile_check() will return the error @why. */
void outfile_fail(struct outfile *file, const struct error *why);

/** Returns 0, or -1 with @err set if a write has failed or outfile_fail() was called. */
int outfile_check(const struct outfile *file, struct error *err);

/**
 * Writes the rest, closes the file, checking every error, and gives it its hidden name. Nothing may
 * be appended afterwards. It does nothing to a finished file.
 *
 * @return 0, or -1 with @err set.
 */
int outfile_finish(struct outfile *file, struct error *err);

/**
 * Renames the finished @file to its final name, unless it has that already. Returns 0, or -1 with
 * @err set.
 */
int outfile_publish(struct outfile *file, struct error *err);

/** Frees @file, which may be NULL. Unpublished bytes vanish. */
void outfile_close(struct outfile *file);

#endif
