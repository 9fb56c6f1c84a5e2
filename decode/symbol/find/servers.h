/*
 * Files by build id from the servers in DEBUGINFOD_URLS: debuginfod(8), asked through elfutils'
 * client library, which keeps them in ~/.cache/debuginfod_client. The library is opened when it is
 * first needed: nothing depends on it otherwise.
 */
#ifndef READPERF_DECODE_SYMBOL_FIND_SERVERS_H
#define READPERF_DECODE_SYMBOL_FIND_SERVERS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum servers_kind { SERVERS_EXECUTABLE, SERVERS_DEBUGINFO };

enum servers_answer {
	SERVERS_HAS,
	SERVERS_HAS_NOT,
	SERVERS_SILENT,	    /* a server cannot be reached, or what it sends is no answer */
	SERVERS_NO_LIBRARY, /* none that can be used */
};

struct debuginfod_client; /* the library's */

struct servers {
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

/** Prepares @servers; servers_deinit() ends it. No server is asked yet. */
void servers_init(struct servers *servers);
void servers_deinit(struct servers *servers);

/**
 * Fetches the file of @kind with the build id @id of @len bytes. Waits two minutes at most for an
 * answer; after a few fetches without one it asks no more.
 *
 * @return the path of the file in the library's cache, for the caller to free; NULL, *@answer
 * telling why, if there is none.
 */
char *servers_fetch(struct servers *servers, enum servers_kind kind, const uint8_t *id, size_t len,
		    enum servers_answer *answer);

#endif
