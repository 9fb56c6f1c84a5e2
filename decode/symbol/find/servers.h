/*
 * Fetches files by build id from the servers in DEBUGINFOD_URLS (debuginfod(8)). elfutils' client
 * library does the work and caches the files in ~/.cache/debuginfod_client. It is opened on first
 * use, so it is no dependency.
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
	SERVERS_SILENT,	    /* a server is unreachable or sent an error */
	SERVERS_NO_LIBRARY, /* the client library is missing or unusable */
};

struct debuginfod_client; /* a type of the library */

struct servers {
	pthread_mutex_t lock; /* guards the members below; one fetch at a time */
	bool is_open;	      /* opening was tried */
	void *library;	      /* handle of dlopen(); NULL if it failed */
	struct debuginfod_client *client;
	unsigned nr_failures;	 /* consecutive failures */
	uint64_t started, moved; /* ns: start of the fetch, time of its last progress */
	long done;		 /* bytes fetched so far */
	/* called repeatedly with the bytes fetched and the total (0: unknown); or NULL */
	void (*progress)(void *arg, uint64_t done, uint64_t total);
	void *progress_arg;
};

/** Initializes @servers, for servers_deinit(). No server is asked yet. */
void servers_init(struct servers *servers);
void servers_deinit(struct servers *servers);

/**
 * Fetches the file of @kind with the build id @id of @len bytes. Waits two minutes at most for an
 * answer; after three fetches in a row without one, it asks no more.
 *
 * @return the path of the file in the library's cache, owned by the caller; NULL if there is none,
 * with the reason in *@answer.
 */
char *servers_fetch(struct servers *servers, enum servers_kind kind, const uint8_t *id, size_t len,
		    enum servers_answer *answer);

#endif
