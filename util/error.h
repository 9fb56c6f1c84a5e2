/*
 * Errors that stop the work, passed up to the program.
 *
 * A function that can fail takes a `struct error *` last and returns -1 (or NULL) with it set. The
 * text has a fixed size, so reporting never allocates. Only main/ prints it and chooses the exit
 * status. Unknown data (no symbol, no event) is a value in a table, and damaged data is counted:
 * neither is an error.
 */
#ifndef READPERF_UTIL_ERROR_H
#define READPERF_UTIL_ERROR_H

#include <stdint.h>

enum error_kind {
	ERROR_NONE,
	ERROR_IO,	   /* a system call failed: open, read, write, rename */
	ERROR_FORMAT,	   /* the input is malformed */
	ERROR_UNSUPPORTED, /* the input is valid, but not supported by this version */
	ERROR_NOMEM,
	ERROR_USAGE,	   /* the command line is invalid */
	ERROR_INTERRUPTED, /* the user pressed Ctrl-C */
};

#define ERROR_NO_OFFSET UINT64_MAX

struct error {
	enum error_kind kind;
	uint64_t offset; /* bytes of the input before what is wrong, or ERROR_NO_OFFSET */
	/* "FILE: what is wrong, at byte N, what was expected", without a newline at the end */
	char text[1024];
};

/**
 * Sets @err (which may be NULL) to @kind and the formatted text, cut to its size.
 *
 * The text must start with the file it is about. Control characters and bytes that are not UTF-8
 * are replaced by `\xNN`, because file names are untrusted and the text goes to a terminal.
 *
 * @return -1 always, so that callers can write `return error_set(...)`.
 */
int error_set(struct error *err, enum error_kind kind, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/** As error_set() for what is wrong at byte @offset of the input. Returns -1. */
int error_at(struct error *err, enum error_kind kind, uint64_t offset, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/** As error_set() for a failed system call on @path: "PATH: WHAT: reason of @errnum". Returns -1.
 */
int error_io(struct error *err, const char *path, const char *what, int errnum);

/** As error_set() for a failed allocation while doing @what. Returns -1. */
int error_nomem(struct error *err, const char *what);

#endif
