#include "decode/symbol/kernel/kallsymsahead.h"

#include "util/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* The text has some 10 MB; more than the limit of a kallsyms (kernel.c) is not read. */
enum { FIRST_BYTES = 16 << 20, MAX_BYTES = 1 << 30 };

/* A text that is being read. */
struct growing_text {
	char *bytes;
	size_t size, room;
};

/* Doubles the room for the text. Returns false if memory is out or the text is too long. */
static bool grow(struct growing_text *text)
{
	char *bytes = text->room < MAX_BYTES ? realloc(text->bytes, 2 * text->room + 1) : NULL;

	if (!bytes)
		return false;
	text->bytes = bytes;
	text->room *= 2;
	return true;
}

/* Reads up to the end of @fd. Returns false if it can't, or nobody wants it any more. */
static bool read_all(const struct kallsyms_ahead *ahead, struct growing_text *text, int fd)
{
	ssize_t got = 1;

	text->room = FIRST_BYTES;
	text->bytes = malloc(text->room + 1);
	while (text->bytes && !atomic_load(&ahead->unwanted)) {
		got = read(fd, text->bytes + text->size, text->room - text->size);
		if (got == 0)
			return true;
		if (got < 0 && errno != EINTR)
			return false;
		text->size += got > 0 ? (size_t)got : 0;
		if (text->size == text->room && !grow(text))
			return false;
	}
	return false;
}

static void *run(void *arg)
{
	struct kallsyms_ahead *ahead = arg;
	const int fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);
	struct growing_text text = {0};

	if (fd >= 0 && read_all(ahead, &text, fd)) {
		text.bytes[text.size] = '\0';
		ahead->rc = kallsyms_parse(&ahead->kallsyms, text.bytes, text.size) < 0 ? -1 : 1;
	} else {
		free(text.bytes);
	}
	if (fd >= 0)
		close(fd);
	atomic_store(&ahead->ended, true);
	return NULL;
}

void kallsyms_ahead_start(struct kallsyms_ahead *ahead)
{
	if (!ahead->started)
		ahead->started = thread_start(&ahead->thread, run, ahead);
}

bool kallsyms_ahead_is_busy(struct kallsyms_ahead *ahead)
{
	return ahead->started && !atomic_load(&ahead->ended);
}

/* Waits for the thread's end, if there is one. */
static void join(struct kallsyms_ahead *ahead)
{
	if (ahead->started)
		pthread_join(ahead->thread, NULL);
	ahead->started = false;
}

int kallsyms_ahead_take(struct kallsyms_ahead *ahead, struct kallsyms *kallsyms)
{
	int rc;

	join(ahead);
	rc = ahead->rc;
	ahead->rc = 0;
	if (rc > 0) {
		*kallsyms = ahead->kallsyms;
		ahead->kallsyms = (struct kallsyms){0};
	}
	return rc;
}

void kallsyms_ahead_drop(struct kallsyms_ahead *ahead)
{
	atomic_store(&ahead->unwanted, true);
	join(ahead);
	kallsyms_free(&ahead->kallsyms);
	ahead->rc = 0;
}
