/*
 * The timeline: how many samples each event had in each part of the recording.
 *
 * Parts are equally long. They begin short, and become twice as long whenever the recording has got
 * longer than all of them: memory and work do not grow with it.
 */
#include "decode/answer/aggregate.h"
#include "util/array.h"

#include <stdlib.h>
#include <string.h>

enum { PARTS = 1024 };

/* Of one event. */
struct timeline {
	uint64_t samples[PARTS];
};

/* All zero is empty. */
struct timelinestat {
	const struct perffile *file;
	struct timeline *events; /* by number */
	size_t nr, room;
	uint64_t start, length; /* of the first part, in ns; length 0: no sample has a time yet */
	struct timeline_part *rows;
	size_t nr_rows;
};

static bool start(void *state, const struct aggregate_view *view, unsigned wanted)
{
	struct timelinestat *stat = state;

	(void)wanted;
	stat->file = view->file;
	return true;
}

static bool know_event(struct timelinestat *stat, size_t number)
{
	if (!array_grow(stat->events, stat->room, number + 1))
		return false;
	for (; stat->nr <= number; stat->nr++)
		stat->events[stat->nr] = (struct timeline){0};
	return true;
}

/* Two parts become one. */
static void double_length(struct timelinestat *stat)
{
	for (size_t i = 0; i < stat->nr; i++) {
		uint64_t *samples = stat->events[i].samples;

		for (size_t at = 0; at < PARTS / 2; at++)
			samples[at] = samples[2 * at] + samples[2 * at + 1];
		memset(samples + PARTS / 2, 0, PARTS / 2 * sizeof(*samples));
	}
	stat->length *= 2;
}

static bool take(void *state, const struct record *rec)
{
	struct timelinestat *stat = state;
	uint64_t since;

	if (rec->type != RECORD_SAMPLE || !rec->event || !(rec->has & HAS_TIME))
		return true;
	if (rec->event->number >= stat->nr && !know_event(stat, rec->event->number))
		return false;
	if (stat->length == 0) {
		stat->start = rec->time;
		stat->length = 1;
	}
	since = rec->time > stat->start ? rec->time - stat->start
					: 0; /* late ones: the first part */
	while (since / stat->length >= PARTS)
		double_length(stat);
	stat->events[rec->event->number].samples[since / stat->length]++;
	return true;
}

/* The number of parts up to the last one with samples of any event. */
static size_t count_parts(const struct timelinestat *stat)
{
	size_t nr = 0;

	for (size_t i = 0; i < stat->nr; i++)
		for (size_t at = nr; at < PARTS; at++)
			if (stat->events[i].samples[at])
				nr = at + 1;
	return nr;
}

static int finish(void *state, const struct aggregate_view *view, struct results *results,
		  struct error *err)
{
	struct timelinestat *stat = state;
	const size_t nr_parts = count_parts(stat);

	(void)view;
	(void)results;
	free(stat->rows);
	stat->nr_rows = 0;
	stat->rows = calloc(stat->nr * nr_parts + 1, sizeof(*stat->rows));
	if (!stat->rows)
		return error_nomem(err, "adding up the timeline");
	for (size_t i = 0; i < stat->nr; i++)
		for (size_t at = 0; at < nr_parts; at++)
			stat->rows[stat->nr_rows++] = (struct timeline_part){
				.event = perffile_event(stat->file, i),
				.start = stat->start + at * stat->length,
				.length = stat->length,
				.samples = stat->events[i].samples[at],
			};
	return 0;
}

static struct rows rows(void *state, unsigned number)
{
	const struct timelinestat *stat = state;

	(void)number;
	return (struct rows){.first = stat->rows, .nr = stat->nr_rows};
}

static void end(void *state)
{
	struct timelinestat *stat = state;

	free(stat->events);
	free(stat->rows);
}

static const struct aggregate aggregate = {
	.state_bytes = sizeof(struct timelinestat),
	.start = start,
	.record = take,
	.finish = finish,
	.rows = rows,
	.free = end,
};

const struct answer timelinestat_parts = {&aggregate, 0};
