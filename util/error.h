/*
 * Bad news that stops the work, carried up to the program.
 *
 * A function that can fail takes a `struct error *` last and returns -1 (or NULL) with it filled.
 * The text is fixed-size, so reporting never allocates. Only main/ prints it and chooses the exit
 * status. What is merely unknown (no symbol, no event) is a value in a table and what is damaged is
 * a counter: neither is an error.
 */
#ifndef READPERF_UTIL_ERROR_H
#define READPERF_UTIL_ERROR_H

enum error_kind {
	ERROR_NONE,
	ERROR_IO,	   /* the system refused: open, read, write, rename */
	ERROR_FORMAT,	   /* the input's bytes cannot be what they claim to be */
	ERROR_UNSUPPORTED, /* a valid input that this version does not read */
	ERROR_NOMEM,
	ERROR_USAGE,	   /* the command line asks for something that cannot be */
	ERROR_INTERRUPTED, /* the user pressed Ctrl-C */
};

struct error {
	enum error_kind kind;
	/* "FILE: what is wrong, at byte N, what was expected"; no newline at its end */
	char text[1024];
};

/**
 * Fills @err (which may be NULL) with @kind and the formatted text.
 *
 * The text must name the file it is about first. Control characters and bytes that are not UTF-8
 * are replaced by `\xNN`, because file names come from strangers and the text goes to a terminal.
 *
 * @return -1 always, so that callers can write `return error_set(...)`.
 */
int error_set(struct error *err, enum error_kind kind, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/** As error_set() for a failed system call on @path: "PATH: WHAT: reason of @errnum". Returns -1.
 */
int error_io(struct error *err, const char *path, const char *what, int errnum);

/** As error_set() for a failed allocation while doing @what. Returns -1. */
int error_nomem(struct error *err, const char *what);

#endif
