#include "decode/count/samplelog.h"

#include "util/array.h"
#include "util/tempfile.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void samplelog_init(struct sample_log *log, bool on)
{
	*log = (struct sample_log){.on = on, .first = UINT64_MAX, .fd = -1};
}

static int file_buffer(struct sample_log *log, struct error *err)
{
	if (log->fd < 0)
		log->fd = tempfile_create(err);
	if (log->fd < 0 ||
	    tempfile_append(log->fd, log->buffer, log->nr_buffered * sizeof(*log->buffer), err) < 0)
		return -1;
	log->nr_filed += log->nr_buffered;
	log->nr_buffered = 0;
	return 0;
}

/* The samples so far are of tables before @table. */
static bool end_tables(struct sample_log *log, size_t table)
{
	if (!array_grow(log->ends, log->ends_room, table))
		return false;
	while (log->nr_ends < table)
		log->ends[log->nr_ends++] = log->nr_filed + log->nr_buffered;
	return true;
}

static void note_time(struct sample_log *log, uint64_t time)
{
	if (time == SAMPLELOG_TIMELESS)
		return;
	if (time < log->first)
		log->first = time;
	if (time > log->last)
		log->last = time;
}

int samplelog_add(struct sample_log *log, const struct logged_sample *sample, size_t table,
		  struct error *err)
{
	if (!log->buffer)
		log->buffer = calloc(SAMPLELOG_BUFFERED, sizeof(*log->buffer));
	if (!log->buffer || (table > log->nr_ends && !end_tables(log, table)))
		return error_nomem(err, "keeping samples");
	if (log->nr_buffered == SAMPLELOG_BUFFERED && file_buffer(log, err) < 0)
		return -1;
	note_time(log, sample->time);
	log->buffer[log->nr_buffered++] = *sample;
	return 0;
}

bool samplelog_add_waiting(struct sample_log *log, const struct logged_sample *sample)
{
	if (!array_grow(log->waiting, log->waiting_room, log->nr_waiting + 1))
		return false;
	note_time(log, sample->time);
	log->waiting[log->nr_waiting++] = *sample;
	return true;
}

void samplelog_forget_waiting(struct sample_log *log)
{
	log->nr_waiting = 0;
}

void samplelog_range(const struct sample_log *log, size_t table, uint64_t *first, uint64_t *end)
{
	const uint64_t all = log->nr_filed + log->nr_buffered;

	*first = table == 0 ? 0 : table - 1 < log->nr_ends ? log->ends[table - 1] : all;
	*end = table < log->nr_ends ? log->ends[table] : all;
}

int samplelog_read(const struct sample_log *log, uint64_t first, size_t nr,
		   struct logged_sample *to, struct error *err)
{
	size_t filed = 0;

	if (first < log->nr_filed) {
		const uint64_t left = log->nr_filed - first;

		filed = left < nr ? (size_t)left : nr;
		if (tempfile_read(log->fd, to, filed * sizeof(*to), first * sizeof(*to), err) < 0)
			return -1;
		first += filed;
	}
	if (nr > filed)
		memcpy(to + filed, log->buffer + (first - log->nr_filed),
		       (nr - filed) * sizeof(*to));
	return 0;
}

void samplelog_free(struct sample_log *log)
{
	free(log->buffer);
	free(log->ends);
	free(log->waiting);
	if (log->fd >= 0)
		close(log->fd);
	samplelog_init(log, false);
}
