#include "decode/count/timeslice.h"

#include "util/array.h"

#include <stdlib.h>

enum {
	DEFAULT_MOST = 1 << 24,	      /* counts in all slices: 128 MB */
	FEWEST = TIME_SLICES_MAX / 4, /* slices are not joined to save memory below this number */
	FEWEST_FOR_NOISE = 8,	      /* minimum number of slices for an estimate */
};

/* Merges the counts of two neighbours, both by ascending number, into @to. */
static void join_counts(struct time_slice *to, const struct time_slice *a,
			const struct time_slice *b)
{
	size_t i = 0, j = 0;

	while (i < a->nr || j < b->nr) {
		struct time_slice_count *out = &to->counts[to->nr++];

		if (j == b->nr || (i < a->nr && a->counts[i].number < b->counts[j].number)) {
			*out = a->counts[i++];
		} else if (i == a->nr || b->counts[j].number < a->counts[i].number) {
			*out = b->counts[j++];
		} else {
			*out = a->counts[i++];
			out->period += b->counts[j++].period;
		}
	}
}

/* Joins @b to @a. Returns false, with nothing changed, if memory is out. */
static bool join_slices(struct time_slice *a, struct time_slice *b)
{
	struct time_slice both = {.counts = calloc(a->nr + b->nr + 1, sizeof(*both.counts))};
	struct time_slice_count *smaller;

	if (!both.counts)
		return false;
	join_counts(&both, a, b);
	smaller = realloc(both.counts, (both.nr + 1) * sizeof(*both.counts));
	if (smaller)
		both.counts = smaller;
	free(a->counts);
	free(b->counts);
	*a = both;
	*b = (struct time_slice){0};
	return true;
}

/* Joins each two neighbouring slices; new slices are twice as long. */
static bool join_all(struct time_slices *slices)
{
	size_t nr = 0;

	slices->nr_counts = 0;
	for (size_t i = 0; i < slices->nr; i += 2) {
		if (i + 1 < slices->nr && !join_slices(&slices->list[i], &slices->list[i + 1]))
			return false;
		slices->list[nr] = slices->list[i];
		if (nr != i)
			slices->list[i] = (struct time_slice){0};
		slices->nr_counts += slices->list[nr++].nr;
	}
	slices->nr = nr;
	slices->length *= 2;
	return true;
}

/* The number of addresses that have counted since the last slice ended. */
static size_t count_changed(const struct time_slices *slices, const struct address *addresses,
			    size_t nr)
{
	size_t changed = 0;

	for (size_t i = 0; i < nr; i++)
		changed += addresses[i].self.period != slices->seen[i];
	return changed;
}

/* Extends @seen to @nr addresses; new ones start at 0. Returns false if memory is out. */
static bool see_all(struct time_slices *slices, size_t nr)
{
	if (!array_grow(slices->seen, slices->seen_room, nr))
		return false;
	while (slices->nr_seen < nr)
		slices->seen[slices->nr_seen++] = 0;
	return true;
}

/* Adds a slice with what was counted since the last slice ended. Returns false if memory is out. */
static bool note_slice(struct time_slices *slices, struct address_table *table)
{
	struct time_slice *slice = &slices->list[slices->nr];
	size_t nr;

	if (!address_flush(table) || !see_all(slices, address_count(table)))
		return false;
	nr = count_changed(slices, table->addresses, slices->nr_seen);
	slice->counts = calloc(nr + 1, sizeof(*slice->counts));
	if (!slice->counts)
		return false;
	for (size_t i = 0; slice->nr < nr; i++) {
		uint64_t period = table->addresses[i].self.period;

		if (period == slices->seen[i])
			continue;
		slice->counts[slice->nr++] = (struct time_slice_count){
			.number = (uint32_t)i,
			.period = (float)(period - slices->seen[i]),
		};
		slices->seen[i] = period;
	}
	slices->nr++;
	slices->nr_counts += nr;
	return true;
}

static bool too_many(const struct time_slices *slices)
{
	size_t most = slices->most ? slices->most : DEFAULT_MOST;

	return slices->nr == TIME_SLICES_MAX || (slices->nr_counts > most && slices->nr > FEWEST);
}

bool time_slices_end(struct time_slices *slices, struct address_table *addresses, uint64_t time)
{
	if (!slices->begun) {
		slices->begun = true;
		if (slices->length == 0)
			slices->length = TIME_SLICE_FIRST_LENGTH;
	} else if (!note_slice(slices, addresses)) {
		return false;
	}
	if (too_many(slices) && !join_all(slices))
		return false;
	/* A pause makes no empty slices: the next slice begins with this sample. */
	if (__builtin_add_overflow(time, slices->length, &slices->end))
		slices->end = UINT64_MAX;
	return true;
}

bool time_slices_finish(struct time_slices *slices, struct address_table *addresses)
{
	if (!slices->begun)
		return true;
	if (!note_slice(slices, addresses) || (too_many(slices) && !join_all(slices)))
		return false;
	slices->begun = false; /* later samples get slices of their own */
	return true;
}

/* Sums for a row or an event while its slices are traversed. */
struct running {
	double total;	/* period in all slices */
	double now;	/* period in the current slice */
	double last;	/* y - p * Y of the slice before */
	double squares; /* sum of the squared differences */
	size_t nr;	/* slices in which the event counted */
};

static void add_slice(const struct time_slice *slice, const struct address_rows *of_addresses,
		      const struct function_stat *rows, struct running *of_rows,
		      struct running *of_events)
{
	for (size_t i = 0; i < slice->nr; i++) {
		uint32_t row = address_rows_innermost(of_addresses, slice->counts[i].number);

		of_rows[row].now += (double)slice->counts[i].period;
		of_events[rows[row].event->number].now += (double)slice->counts[i].period;
	}
}

/* Adds the step from the slice before to this one, for all rows whose event counted in it. */
static void step_slice(const struct function_stat *rows, struct running *of_rows, size_t nr_rows,
		       const struct running *of_events)
{
	for (size_t i = 0; i < nr_rows; i++) {
		const struct running *event = &of_events[rows[i].event->number];
		struct running *row = &of_rows[i];
		double rest;

		if (event->now <= 0)
			continue;
		rest = row->now - row->total / event->total * event->now;
		if (row->nr++)
			row->squares += (rest - row->last) * (rest - row->last);
		row->last = rest;
		row->now = 0;
	}
}

static void end_slice(struct running *of_events, size_t nr_events)
{
	for (size_t i = 0; i < nr_events; i++)
		of_events[i].now = 0;
}

/*
 * The variance of the sum of B slices is B times that of one slice, which is half the mean square
 * of the B - 1 differences. Its degrees of freedom are 2 / (3 / B) for normal residuals, and fewer
 * with few samples, whose residuals are less normal.
 */
static void set_noise(struct function_stat *row, const struct running *running, double event_total)
{
	double nr = (double)running->nr, samples = (double)row->self.samples;
	double part = running->total / event_total;
	double all = (double)row->children.period / event_total;

	if (running->nr < FEWEST_FOR_NOISE || !(running->total > 0) || !(running->squares > 0))
		return;
	row->noise = nr / (2 * (nr - 1)) * running->squares / (event_total * event_total);
	row->noise_df = 2 / (3 / nr + 1 / samples);
	if (all < 1)
		row->children_noise = row->noise * (all * (1 - all)) / (part * (1 - part));
}

static void sum_rows(const struct function_stat *rows, struct running *of_rows, size_t nr_rows,
		     struct running *of_events)
{
	for (size_t i = 0; i < nr_rows; i++) {
		of_rows[i].total = (double)rows[i].self.period;
		of_events[rows[i].event->number].total += of_rows[i].total;
	}
}

bool time_slices_noise(const struct time_slices *slices, const struct address_rows *of_addresses,
		       struct function_stat *rows, size_t nr_rows, size_t nr_events)
{
	struct running *of_rows = calloc(nr_rows + 1, sizeof(*of_rows));
	struct running *of_events = calloc(nr_events + 1, sizeof(*of_events));
	bool ok = of_rows && of_events;

	if (ok)
		sum_rows(rows, of_rows, nr_rows, of_events);
	for (size_t i = 0; ok && i < slices->nr; i++) {
		add_slice(&slices->list[i], of_addresses, rows, of_rows, of_events);
		step_slice(rows, of_rows, nr_rows, of_events);
		end_slice(of_events, nr_events);
	}
	for (size_t i = 0; ok && i < nr_rows; i++)
		set_noise(&rows[i], &of_rows[i], of_events[rows[i].event->number].total);
	free(of_rows);
	free(of_events);
	return ok;
}

void time_slices_free(struct time_slices *slices)
{
	for (size_t i = 0; i < TIME_SLICES_MAX; i++)
		free(slices->list[i].counts);
	free(slices->seen);
	*slices = (struct time_slices){.most = slices->most};
}
