#include "decode/symbol/find/servers.h"

#include "util/clock.h"
#include "util/dynlib.h"

#include <dlfcn.h>
#include <elfutils/debuginfod.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIBRARY "libdebuginfod.so.1"

enum {
	MAX_FAILURES = 3, /* after these, the servers are considered unreachable */
	MAX_WAIT_S = 120, /* for an answer */
	MAX_STALL_S = 30, /* for the next byte of an answer */
};

void servers_init(struct servers *servers)
{
	*servers = (struct servers){.lock = PTHREAD_MUTEX_INITIALIZER};
}

void servers_deinit(struct servers *servers)
{
	__typeof__(&debuginfod_end) end;

	if (servers->client && dynlib_find(servers->library, "debuginfod_end", &end))
		end(servers->client);
	/* The library stays loaded: the libraries that it uses cannot be unloaded. */
	pthread_mutex_destroy(&servers->lock);
}

/* True if the fetch is within its time limits. */
static bool gets_on(struct servers *servers, long done, long total)
{
	uint64_t now = clock_now();

	if (total <= 0) /* no answer yet, or one of unknown length */
		return now - servers->started < MAX_WAIT_S * NS_PER_SECOND;
	if (done != servers->done) {
		servers->done = done;
		servers->moved = now;
	}
	return now - servers->moved < MAX_STALL_S * NS_PER_SECOND;
}

/*
 * Callback of the library, with bytes done and in total; while it waits for an answer, @done is its
 * own count and @total is 0 or less. A result other than 0 ends the fetch.
 */
static int watch(struct debuginfod_client *client, long done, long total)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_NOLOAD);
	struct servers *servers = NULL;
	__typeof__(&debuginfod_get_user_data) get_data;

	if (dynlib_find(library, "debuginfod_get_user_data", &get_data))
		servers = get_data(client);
	if (library)
		dlclose(library);
	if (!servers || !gets_on(servers, done, total))
		return 1;
	if (servers->progress)
		servers->progress(servers->progress_arg, total > 0 ? (uint64_t)done : 0,
				  total > 0 ? (uint64_t)total : 0);
	return 0;
}

static void open_client(struct servers *servers)
{
	__typeof__(&debuginfod_set_progressfn) set_progress;
	__typeof__(&debuginfod_set_user_data) set_data;
	__typeof__(&debuginfod_begin) begin;

	if (servers->is_open)
		return;
	servers->is_open = true;
	servers->library = dynlib_open(LIBRARY);
	if (!dynlib_find(servers->library, "debuginfod_begin", &begin) ||
	    !dynlib_find(servers->library, "debuginfod_set_progressfn", &set_progress) ||
	    !dynlib_find(servers->library, "debuginfod_set_user_data", &set_data))
		return;
	servers->client = begin();
	if (!servers->client)
		return;
	set_data(servers->client, servers);
	set_progress(servers->client, watch);
}

/* As servers_fetch(), under the lock. */
static char *fetch_file(struct servers *servers, enum servers_kind kind, const uint8_t *id,
			size_t len, enum servers_answer *answer)
{
	const char *const names[] = {
		[SERVERS_EXECUTABLE] = "debuginfod_find_executable",
		[SERVERS_DEBUGINFO] = "debuginfod_find_debuginfo",
	};
	char *path = NULL;
	__typeof__(&debuginfod_find_debuginfo) find;
	int fd;

	open_client(servers);
	*answer = SERVERS_NO_LIBRARY;
	if (!servers->client || !dynlib_find(servers->library, names[kind], &find))
		return NULL;
	*answer = SERVERS_SILENT;
	if (servers->nr_failures >= MAX_FAILURES)
		return NULL;
	servers->started = servers->moved = clock_now();
	servers->done = 0;
	fd = find(servers->client, id, (int)len, &path);
	if (fd >= 0)
		close(fd);
	if (fd >= 0)
		*answer = SERVERS_HAS;
	else if (fd == -ENOENT)
		*answer = SERVERS_HAS_NOT;
	servers->nr_failures = *answer == SERVERS_SILENT ? servers->nr_failures + 1 : 0;
	return fd >= 0 ? path : NULL;
}

char *servers_fetch(struct servers *servers, enum servers_kind kind, const uint8_t *id, size_t len,
		    enum servers_answer *answer)
{
	char *path;

	pthread_mutex_lock(&servers->lock);
	path = fetch_file(servers, kind, id, len, answer);
	pthread_mutex_unlock(&servers->lock);
	return path;
}
