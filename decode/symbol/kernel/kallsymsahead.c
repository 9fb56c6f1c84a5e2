#include "decode/symbol/kernel/kallsymsahead.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* The text has some 10 MB; more than the limit of a kallsyms (kernel.c) is not read. */
enum { FIRST_BYTES = 16 << 20, MAX_BYTES = 1 << 30 };

/* Doubles the room for the text. Returns false if memory is out or the text is too long. */
static bool grow(struct kallsyms_ahead *ahead, size_t *room)
{
	char *text = *room < MAX_BYTES ? realloc(ahead->text, 2 * *room + 1) : NULL;

	if (!text)
		return false;
	ahead->text = text;
	*room *= 2;
	return true;
}

/* Reads up to the end of @fd. Returns false if it can't, or nobody wants it any more. */
static bool read_all(struct kallsyms_ahead *ahead, int fd)
{
	size_t room = FIRST_BYTES;
	ssize_t got = 1;

	ahead->text = malloc(room + 1);
	while (ahead->text && !atomic_load(&ahead->unwanted)) {
		got = read(fd, ahead->text + ahead->size, room - ahead->size);
		if (got == 0)
			return true;
		if (got < 0 && errno != EINTR)
			return false;
		ahead->size += got > 0 ? (size_t)got : 0;
		if (ahead->size == room && !grow(ahead, &room))
			return false;
	}
	return false;
}

static void *run(void *arg)
{
	struct kallsyms_ahead *ahead = arg;
	const int fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);

	if (fd >= 0 && read_all(ahead, fd)) {
		ahead->text[ahead->size] = '\0';
	} else {
		free(ahead->text);
		ahead->text = NULL;
	}
	if (fd >= 0)
		close(fd);
	return NULL;
}

void kallsyms_ahead_start(struct kallsyms_ahead *ahead)
{
	if (!ahead->started)
		ahead->started = pthread_create(&ahead->thread, NULL, run, ahead) == 0;
}

/* Waits for the thread's end, if there is one. */
static void join(struct kallsyms_ahead *ahead)
{
	if (ahead->started)
		pthread_join(ahead->thread, NULL);
	ahead->started = false;
}

char *kallsyms_ahead_take(struct kallsyms_ahead *ahead, size_t *size)
{
	char *text;

	join(ahead);
	text = ahead->text;
	*size = ahead->size;
	ahead->text = NULL;
	return text;
}

void kallsyms_ahead_drop(struct kallsyms_ahead *ahead)
{
	atomic_store(&ahead->unwanted, true);
	join(ahead);
	free(ahead->text);
	ahead->text = NULL;
}
