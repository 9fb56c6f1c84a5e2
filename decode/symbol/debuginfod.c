#include "decode/symbol/debuginfod.h"

#include "util/clock.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIBRARY "libdebuginfod.so.1"

enum {
	MAX_FAILURES = 3, /* then the servers are taken for out of reach */
	MAX_WAIT_S = 120, /* for an answer */
	MAX_STALL_S = 30, /* for the next byte of one */
};

/* What is used of elfutils/debuginfod.h. */
typedef struct debuginfod_client *begin_fn(void);
typedef void end_fn(struct debuginfod_client *client);
typedef int find_fn(struct debuginfod_client *client, const unsigned char *id, int len,
		    char **path);
typedef int progress_fn(struct debuginfod_client *client, long a, long b);
typedef void set_progress_fn(struct debuginfod_client *client, progress_fn *fn);
typedef void set_data_fn(struct debuginfod_client *client, void *data);
typedef void *get_data_fn(struct debuginfod_client *client);

void debuginfod_init(struct debuginfod *debuginfod)
{
	*debuginfod = (struct debuginfod){.lock = PTHREAD_MUTEX_INITIALIZER};
}

/* Puts the library's function @name at @function, a pointer to a function. */
static bool find_function(const struct debuginfod *debuginfod, const char *name, void *function)
{
	void *address = debuginfod->library ? dlsym(debuginfod->library, name) : NULL;

	memcpy(function, &address, sizeof(address));
	return address;
}

void debuginfod_deinit(struct debuginfod *debuginfod)
{
	end_fn *end;

	if (debuginfod->client && find_function(debuginfod, "debuginfod_end", &end))
		end(debuginfod->client);
	/* The library stays in the process: its own libraries do not stand being unloaded. */
	pthread_mutex_destroy(&debuginfod->lock);
}

/* Whether the fetch that is under way still gets on. */
static bool gets_on(struct debuginfod *debuginfod, long done, long total)
{
	uint64_t now = clock_now();

	if (total <= 0) /* no answer yet, or one of unknown length */
		return now - debuginfod->started < MAX_WAIT_S * NS_PER_SECOND;
	if (done != debuginfod->done) {
		debuginfod->done = done;
		debuginfod->moved = now;
	}
	return now - debuginfod->moved < MAX_STALL_S * NS_PER_SECOND;
}

/*
 * Called by the library now and then: while it waits for an answer with a count of its own and no
 * total, then with bytes. What is returned other than 0 ends the fetch.
 */
static int watch(struct debuginfod_client *client, long done, long total)
{
	struct debuginfod library = {.library = dlopen(LIBRARY, RTLD_NOW | RTLD_NOLOAD)};
	struct debuginfod *debuginfod = NULL;
	get_data_fn *get_data;

	if (find_function(&library, "debuginfod_get_user_data", &get_data))
		debuginfod = get_data(client);
	if (library.library)
		dlclose(library.library);
	if (!debuginfod || !gets_on(debuginfod, done, total))
		return 1;
	if (debuginfod->progress)
		debuginfod->progress(debuginfod->progress_arg, total > 0 ? (uint64_t)done : 0,
				     total > 0 ? (uint64_t)total : 0);
	return 0;
}

static void open_client(struct debuginfod *debuginfod)
{
	set_progress_fn *set_progress;
	set_data_fn *set_data;
	begin_fn *begin;

	if (debuginfod->is_open)
		return;
	debuginfod->is_open = true;
	debuginfod->library = dlopen(LIBRARY, RTLD_NOW);
	if (!find_function(debuginfod, "debuginfod_begin", &begin) ||
	    !find_function(debuginfod, "debuginfod_set_progressfn", &set_progress) ||
	    !find_function(debuginfod, "debuginfod_set_user_data", &set_data))
		return;
	debuginfod->client = begin();
	if (!debuginfod->client)
		return;
	set_data(debuginfod->client, debuginfod);
	set_progress(debuginfod->client, watch);
}

/* As debuginfod_fetch(), under the lock. */
static char *fetch(struct debuginfod *debuginfod, enum debuginfod_kind kind, const uint8_t *id,
		   size_t len, enum debuginfod_answer *answer)
{
	const char *const names[] = {
		[DEBUGINFOD_EXECUTABLE] = "debuginfod_find_executable",
		[DEBUGINFOD_DEBUGINFO] = "debuginfod_find_debuginfo",
	};
	char *path = NULL;
	find_fn *find;
	int fd;

	open_client(debuginfod);
	*answer = DEBUGINFOD_NO_LIBRARY;
	if (!debuginfod->client || !find_function(debuginfod, names[kind], &find))
		return NULL;
	*answer = DEBUGINFOD_SILENT;
	if (debuginfod->nr_failures >= MAX_FAILURES)
		return NULL;
	debuginfod->started = debuginfod->moved = clock_now();
	debuginfod->done = 0;
	fd = find(debuginfod->client, id, (int)len, &path);
	if (fd >= 0)
		close(fd);
	if (fd >= 0)
		*answer = DEBUGINFOD_HAS;
	else if (fd == -ENOENT)
		*answer = DEBUGINFOD_HAS_NOT;
	debuginfod->nr_failures = *answer == DEBUGINFOD_SILENT ? debuginfod->nr_failures + 1 : 0;
	return fd >= 0 ? path : NULL;
}

char *debuginfod_fetch(struct debuginfod *debuginfod, enum debuginfod_kind kind, const uint8_t *id,
		       size_t len, enum debuginfod_answer *answer)
{
	char *path;

	pthread_mutex_lock(&debuginfod->lock);
	path = fetch(debuginfod, kind, id, len, answer);
	pthread_mutex_unlock(&debuginfod->lock);
	return path;
}
