#include "util/progress.h"

#include "util/clock.h"
#include "util/text.h"

#include <inttypes.h>

static const uint64_t PATIENCE_NS = 500 * NS_PER_MS, REDRAW_NS = 100 * NS_PER_MS;

void progress_start(struct progress *progress, FILE *stream)
{
	*progress = (struct progress){0};
	if (!stream || !text_terminal_redraws(stream))
		return;
	progress->stream = stream;
	progress->next = clock_now() + PATIENCE_NS;
}

static bool is_due(struct progress *progress)
{
	uint64_t now;

	if (!progress->stream)
		return false;
	now = clock_now();
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
	fprintf(progress->stream, "\r%s: %" PRIu64 " of %" PRIu64 " MiB, %.0f %%\033[K", what,
		done >> 20, total >> 20, 100.0 * (double)done / (double)total);
	fflush(progress->stream);
}

void progress_records(struct progress *progress, uint64_t bytes, uint64_t records)
{
	if (!is_due(progress))
		return;
	fprintf(progress->stream, "\rreading: %.1f MiB, %" PRIu64 " records\033[K",
		(double)bytes / (1 << 20), records);
	fflush(progress->stream);
}

void progress_count(struct progress *progress, const char *what, uint64_t done, uint64_t total)
{
	if (!is_due(progress))
		return;
	fprintf(progress->stream, "\r%s: %" PRIu64 " of %" PRIu64 "\033[K", what, done, total);
	fflush(progress->stream);
}

void progress_text(struct progress *progress, const char *what)
{
	if (!is_due(progress))
		return;
	fprintf(progress->stream, "\r%s\033[K", what);
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
