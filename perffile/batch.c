#include "perffile/batch.h"

#include "perffile/format.h"
#include "util/prefetch.h"

/* ---- filling it ------------------------------------------------------------------------------ */

void batch_begin(struct batch *batch, uint64_t number, size_t most_bytes, bool packs,
		 struct block_pool *pool)
{
	for (size_t i = 0; i < batch->nr_blocks; i++)
		block_release(pool, batch->blocks[i]);
	batch->number = number;
	batch->most_bytes = most_bytes;
	batch->packs = packs;
	batch->nr = batch->nr_packed = batch->nr_samples = batch->nr_runs = batch->nr_blocks =
		batch->bytes = 0;
}

static void hold(struct batch *batch, struct block *block)
{
	if (block_hold(block, batch->number))
		batch->blocks[batch->nr_blocks++] = block;
}

void batch_add(struct batch *batch, const struct raw_stretch *stretch)
{
	hold(batch, stretch->block);
	batch->nr_before[batch->nr] = batch->nr_samples;
	batch->stretches[batch->nr++] = *stretch;
	batch->bytes += (size_t)(stretch->end - stretch->bytes);
}

/* Adds the samples that @taker has taken to the last run, or to a new one. */
static void add_to_runs(struct batch *batch, const struct plain_taker *taker)
{
	struct sample_run *run = &batch->runs[batch->nr_runs];

	if (batch->nr_runs > 0 && run[-1].stretch == batch->nr &&
	    run[-1].gap_end == taker->gap_end) {
		run--;
		run->first = taker->first < run->first ? taker->first : run->first;
		run->last = taker->last > run->last ? taker->last : run->last;
		return;
	}
	*run = (struct sample_run){taker->from, batch->nr, taker->first, taker->last,
				   taker->gap_end};
	batch->nr_runs++;
}

/* Has @taker put samples into @batch. */
static void give_room(struct batch *batch, struct plain_taker *taker)
{
	taker->samples = batch->samples;
	taker->packed = batch->packs ? batch->packed : NULL;
	taker->runs = batch->packed_runs;
	taker->room = batch->packs ? BATCH_PACKED_RUNS : BATCH_SAMPLES;
	taker->nr_packed = batch->nr_packed;
	taker->packed_room = BATCH_PACKED;
}

/* Adds the plain samples that @stretch begins with. Returns whether there are any. */
static bool add_samples(struct batch *batch, struct raw_stretch *stretch, struct plain_taker *taker)
{
	const uint8_t *from = stretch->bytes;

	give_room(batch, taker);
	taker->nr = taker->from = batch->nr_samples;
	(void)plain_take(stretch, taker);
	if (taker->nr == batch->nr_samples)
		return false;
	hold(batch, stretch->block);
	add_to_runs(batch, taker);
	batch->nr_samples = taker->nr;
	batch->nr_packed = taker->nr_packed;
	batch->bytes += (size_t)(stretch->bytes - from);
	return true;
}

void batch_add_decoded(struct batch *batch, struct raw_stretch *stretch, struct plain_taker *taker)
{
	struct raw_stretch other;

	if (add_samples(batch, stretch, taker))
		return;
	other = *stretch;
	/* Samples that are not plain are followed by such. */
	if (raw_take(stretch, taker->swap).type == RECORD_SAMPLE)
		stretch->bytes = stretch->end;
	other.end = stretch->bytes;
	batch_add(batch, &other);
}

/* ---- reading it ------------------------------------------------------------------------------ */

/* Where the samples end that come before the next stretch. */
static inline size_t samples_end(const struct batch *batch, const struct batch_place *place)
{
	return place->stretch < batch->nr ? batch->nr_before[place->stretch] : batch->nr_samples;
}

bool batch_has_any(const struct batch *batch, const struct batch_place *place)
{
	return place->stretch < batch->nr || place->sample < batch->nr_samples;
}

bool batch_has_plain(const struct batch *batch, const struct batch_place *place)
{
	return place->sample < samples_end(batch, place);
}

static size_t run_end(const struct batch *batch, size_t run)
{
	return run + 1 < batch->nr_runs ? batch->runs[run + 1].start : batch->nr_samples;
}

/* Returns the run of the next sample, which is there. */
static const struct sample_run *next_run(const struct batch *batch, struct batch_place *place)
{
	while (run_end(batch, place->run) <= place->sample)
		place->run++;
	return &batch->runs[place->run];
}

/* Finds the times of @samples, of which others of their run were taken before. */
static void find_times(struct plain_samples *samples)
{
	samples->first = UINT64_MAX;
	samples->last = 0;
	for (size_t i = 0; i < samples->nr; i++) {
		const uint64_t time = samples->samples[i].time;

		samples->first = time < samples->first ? time : samples->first;
		samples->last = time > samples->last ? time : samples->last;
	}
}

/* Takes the packed runs from the next one up to number @end. */
static void take_packed(const struct batch *batch, const struct batch_place *place, size_t end,
			struct plain_samples *samples)
{
	samples->samples = NULL;
	samples->runs = &batch->packed_runs[place->sample];
	samples->nr_runs = end - place->sample;
	samples->nr = 0;
	samples->first = UINT64_MAX;
	samples->last = 0;
	for (size_t i = 0; i < samples->nr_runs; i++) {
		const struct packed_run *run = &samples->runs[i];

		samples->nr += run->nr;
		samples->first = run->first < samples->first ? run->first : samples->first;
		samples->last = run->last > samples->last ? run->last : samples->last;
	}
}

void batch_take_plain(const struct batch *batch, struct batch_place *place,
		      struct plain_samples *samples)
{
	const struct sample_run *run = next_run(batch, place);
	const size_t end = run_end(batch, place->run);

	samples->gap_end = run->gap_end;
	if (batch->packs) {
		take_packed(batch, place, end, samples);
	} else {
		samples->samples = &batch->samples[place->sample];
		samples->nr = end - place->sample;
		samples->first = run->first;
		samples->last = run->last;
		if (place->sample != run->start)
			find_times(samples);
	}
	place->sample = end;
}

/* The block that @bytes of a sample are in. */
static struct block *block_of(const struct batch *batch, const uint8_t *bytes)
{
	size_t i = 0;

	while (bytes < batch->blocks[i]->bytes ||
	       bytes >= batch->blocks[i]->bytes + batch->blocks[i]->room)
		i++;
	return batch->blocks[i];
}

/* Takes a decoded sample as a record. */
static void take_one(const struct batch *batch, struct batch_place *place, bool swap,
		     struct raw_stretch *stretch)
{
	const struct sample_run *run = next_run(batch, place);
	const struct plain_sample *sample = &batch->samples[place->sample++];
	struct raw_stretch after;

	*stretch = (struct raw_stretch){.bytes = sample->bytes,
					.block = block_of(batch, sample->bytes),
					.nr = sample->nr,
					.gap_end = run->gap_end,
					.sorted = true};
	after = *stretch;
	(void)raw_take(&after, swap);
	stretch->end = after.bytes;
}

/* Takes the samples of a packed run as records. */
static void take_run(const struct batch *batch, struct batch_place *place,
		     struct raw_stretch *stretch)
{
	const struct sample_run *of_gap = next_run(batch, place);
	const struct packed_run *run = &batch->packed_runs[place->sample++];

	*stretch = plain_records(run);
	stretch->block = block_of(batch, run->bytes);
	stretch->gap_end = of_gap->gap_end;
}

void batch_take(const struct batch *batch, struct batch_place *place, bool swap,
		struct raw_stretch *stretch)
{
	if (batch_has_plain(batch, place)) {
		if (batch->packs)
			take_run(batch, place, stretch);
		else
			take_one(batch, place, swap, stretch);
		return;
	}
	*stretch = batch->stretches[place->stretch++];
	prefetch_read(&batch->stretches[place->stretch + 2 * BATCH_PREFETCH]);
	prefetch_read(batch->stretches[place->stretch + BATCH_PREFETCH].bytes);
}
