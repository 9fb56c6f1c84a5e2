#include "util/progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const uint64_t PATIENCE_NS = 500 * 1000 * 1000, REDRAW_NS = 100 * 1000 * 1000;

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* A dumb terminal would print the sequence that erases the line. */
static bool can_redraw(FILE *stream)
{
	const char *term = getenv("TERM");

	return stream && isatty(fileno(stream)) && term && strcmp(term, "dumb") != 0;
}

void progress_start(struct progress *progress, FILE *stream)
{
	*progress = (struct progress){0};
	if (!can_redraw(stream))
		return;
	progress->stream = stream;
	progress->next = now_ns() + PATIENCE_NS;
}

static bool is_due(struct progress *progress)
{
	uint64_t now;

	if (!progress->stream)
		return false;
	now = now_ns();
	if (now < progress->next)
		return false;
	progress->next = now + REDRAW_NS;
	progress->drawn = true;
	return true;
}

void progress_bytes(struct progress *progress, const char *what, uint64_t done, uint64_t total)
{
	if (!is_due(progress))
		return;
	fprintf(progress->stream, "\r%s: %" PRIu64, what, done >> 20);
	if (total)
		fprintf(progress->stream, " of %" PRIu64 " MiB, %.0f %%\033[K", total >> 20,
			100.0 * (double)done / (double)total);
	else
		fputs(" MiB\033[K", progress->stream);
	fflush(progress->stream);
}

void progress_count(struct progress *progress, const char *what, uint64_t done, uint64_t total)
{
	if (!is_due(progress))
		return;
	fprintf(progress->stream, "\r%s: %" PRIu64 " of %" PRIu64 "\033[K", what, done, total);
	fflush(progress->stream);
}

void progress_erase(struct progress *progress)
{
	if (!progress->drawn)
		return;
	fputs("\r\033[K", progress->stream);
	fflush(progress->stream);
	progress->drawn = false;
}
