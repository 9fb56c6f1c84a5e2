/*
 * Files by build id from the servers in DEBUGINFOD_URLS: debuginfod(8), asked through elfutils'
 * client library, which keeps them in ~/.cache/debuginfod_client. The library is opened when it is
 * first needed: nothing depends on it otherwise.
 */
#ifndef READPERF_DECODE_SYMBOL_DEBUGINFOD_H
#define READPERF_DECODE_SYMBOL_DEBUGINFOD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum debuginfod_kind { DEBUGINFOD_EXECUTABLE, DEBUGINFOD_DEBUGINFO };

enum debuginfod_answer {
	DEBUGINFOD_HAS,
	DEBUGINFOD_HAS_NOT,
	DEBUGINFOD_SILENT,     /* a server cannot be reached, or what it sends is no answer */
	DEBUGINFOD_NO_LIBRARY, /* none that can be used */
};

struct debuginfod_client; /* the library's */

struct debuginfod {
	pthread_mutex_t lock; /* guards what follows: one file at a time */
	bool is_open;	      /* or could not be opened */
	void *library;	      /* NULL: there is none */
	struct debuginfod_client *client;
	unsigned nr_failures;	 /* in a row */
	uint64_t started, moved; /* when the fetch began, and when it last got on: ns */
	long done;		 /* bytes of it */
	/* called now and then with bytes and their number, 0 if that is not known; or NULL */
	void (*progress)(void *arg, uint64_t done, uint64_t total);
	void *progress_arg;
};

/** Prepares @debuginfod; debuginfod_deinit() ends it. No server is asked yet. */
void debuginfod_init(struct debuginfod *debuginfod);
void debuginfod_deinit(struct debuginfod *debuginfod);

/**
 * Fetches the file of @kind with the build id @id of @len bytes. A server that does not answer is
 * not waited for longer than two minutes; after some of that kind no more are asked.
 *
 * @return the path of the file in the library's cache, for the caller to free; NULL, *@answer
 * telling why, if there is none.
 */
char *debuginfod_fetch(struct debuginfod *debuginfod, enum debuginfod_kind kind, const uint8_t *id,
		       size_t len, enum debuginfod_answer *answer);

#endif
