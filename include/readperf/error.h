/*
 * Errors: values with a kind to decide by, a text to show, and the byte that is wrong.
 *
 *	#include <readperf/readperf.h>
 *	#include <stdio.h>
 *
 *	int main(void)
 *	{
 *		struct readperf_recording *recording;
 *		struct readperf_error err;
 *
 *		recording = readperf_recording_open("/nonexistent", &err);
 *		if (!recording && err.kind == READPERF_ERROR_IO)
 *			puts(err.text);
 *		readperf_recording_close(recording);
 *		return 0;
 *	}
 *
 * The library never prints, never ends the program, installs no signal handlers and sets no locale.
 * NULL for a handle or a text is READPERF_ERROR_USAGE where a function fills an error. Functions
 * that free a handle accept it, and a table that is NULL has neither rows nor columns; of other
 * functions no argument may be NULL unless they say so.
 *
 * A handle may be used by one thread at a time, different handles by different threads at once.
 */
#ifndef READPERF_ERROR_H
#define READPERF_ERROR_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define READPERF_API __attribute__((visibility("default")))
#else
#define READPERF_API
#endif

/** What kind of error it is; newer versions may add kinds. */
enum readperf_error_kind {
	READPERF_OK = 0,
	READPERF_ERROR_IO = 1,		/* a system call failed */
	READPERF_ERROR_FORMAT = 2,	/* the recording is malformed */
	READPERF_ERROR_UNSUPPORTED = 3, /* it is valid, but this version cannot read it */
	READPERF_ERROR_NOMEM = 4,	/* memory is out; the handle can still be closed */
	READPERF_ERROR_USAGE = 5,	/* an argument is invalid */
};

#define READPERF_NO_OFFSET UINT64_MAX

/**
 * An error, made by the caller and filled by the function that fails; it owns nothing. Its layout
 * never changes. Every function accepts NULL for it.
 */
struct readperf_error {
	int32_t kind;	 /* enum readperf_error_kind */
	int32_t zero;	 /* not used */
	uint64_t offset; /* byte of the recording that is wrong, or READPERF_NO_OFFSET */
	char text[1024]; /* "FILE: what is wrong", printable, without a newline */
};

/** Returns the version of the library, such as "0.1.0". Static. */
READPERF_API const char *readperf_version(void);

#ifdef __cplusplus
}
#endif

#endif
