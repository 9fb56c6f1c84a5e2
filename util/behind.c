#include "util/behind.h"

#include "util/thread.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

struct behind {
	int fd;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t given, done; /* to the thread; to the caller */
	const char *bytes;	    /* to be written; NULL: nothing */
	size_t len;
	int errnum; /* of the first write that failed since the last behind_settle() */
	bool stops;
};

/* Waits until @fd takes more bytes, as write() does where the descriptor lets it wait. */
static void await_room(int fd)
{
	struct pollfd pollfd = {.fd = fd, .events = POLLOUT};

	(void)poll(&pollfd, 1, -1);
}

int behind_write_now(int fd, const char *bytes, size_t len)
{
	while (len) {
		ssize_t n = write(fd, bytes, len);

		if (n < 0 && errno == EAGAIN)
			await_room(fd);
		else if (n < 0 && errno != EINTR)
			return errno;
		if (n <= 0)
			continue;
		bytes += n;
		len -= (size_t)n;
	}
	return 0;
}

static void *run(void *arg)
{
	struct behind *behind = arg;

	pthread_mutex_lock(&behind->lock);
	for (;;) {
		int errnum;

		while (!behind->bytes && !behind->stops)
			pthread_cond_wait(&behind->given, &behind->lock);
		if (!behind->bytes)
			break;
		pthread_mutex_unlock(&behind->lock);
		errnum = behind_write_now(behind->fd, behind->bytes, behind->len);
		pthread_mutex_lock(&behind->lock);
		behind->errnum = errnum;
		behind->bytes = NULL;
		pthread_mutex_unlock(&behind->lock);
		pthread_cond_signal(&behind->done);
		pthread_mutex_lock(&behind->lock);
	}
	pthread_mutex_unlock(&behind->lock);
	return NULL;
}

static void destroy(struct behind *behind)
{
	pthread_cond_destroy(&behind->given);
	pthread_cond_destroy(&behind->done);
	pthread_mutex_destroy(&behind->lock);
	free(behind);
}

struct behind *behind_start(int fd)
{
	struct behind *behind = calloc(1, sizeof(*behind));

	if (!behind)
		return NULL;
	behind->fd = fd;
	pthread_mutex_init(&behind->lock, NULL);
	pthread_cond_init(&behind->given, NULL);
	pthread_cond_init(&behind->done, NULL);
	if (thread_start(&behind->thread, run, behind))
		return behind;
	destroy(behind);
	return NULL;
}

void behind_write(struct behind *behind, const char *bytes, size_t len)
{
	pthread_mutex_lock(&behind->lock);
	behind->bytes = bytes;
	behind->len = len;
	pthread_mutex_unlock(&behind->lock);
	pthread_cond_signal(&behind->given);
}

int behind_settle(struct behind *behind)
{
	int errnum;

	pthread_mutex_lock(&behind->lock);
	while (behind->bytes)
		pthread_cond_wait(&behind->done, &behind->lock);
	errnum = behind->errnum;
	behind->errnum = 0;
	pthread_mutex_unlock(&behind->lock);
	return errnum;
}

void behind_stop(struct behind *behind)
{
	if (!behind)
		return;
	pthread_mutex_lock(&behind->lock);
	behind->stops = true;
	pthread_cond_signal(&behind->given);
	pthread_mutex_unlock(&behind->lock);
	pthread_join(behind->thread, NULL);
	destroy(behind);
}
