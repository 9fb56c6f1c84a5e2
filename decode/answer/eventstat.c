#include "decode/answer/eventstat.h"

#include "util/array.h"

#include <stdlib.h>

/* Makes room for all events known so far; a pipe adds them one by one. */
static bool know_events(struct eventstat *stat)
{
	const size_t nr = perffile_nr_events(stat->file);

	if (!array_grow(stat->counts, stat->room, nr + 1))
		return false;
	for (; stat->nr < nr; stat->nr++)
		stat->counts[stat->nr] = (struct event_counts){0};
	return true;
}

static struct event_counts *counts_of(struct eventstat *stat, const struct event *event)
{
	if (event->number >= stat->nr && !know_events(stat))
		return NULL;
	return &stat->counts[event->number];
}

static bool add_block(struct event_counts *counts, size_t at)
{
	struct cpu_block *block;

	if (!array_grow(counts->blocks, counts->blocks_room, at + 1))
		return false;
	while (counts->nr_blocks <= at)
		counts->blocks[counts->nr_blocks++] = NULL;
	block = calloc(1, sizeof(*block));
	if (!block)
		return false;
	for (uint32_t i = 0; i < EVENTSTAT_BLOCK_CPUS; i++) {
		block->cpus[i].has_cpu = true;
		block->cpus[i].cpu = (uint32_t)at * EVENTSTAT_BLOCK_CPUS + i;
	}
	counts->blocks[at] = block;
	return true;
}

/* The counters for @cpu, or `elsewhere`. NULL if memory is out. */
static struct cpu_stat *place_of(struct event_counts *counts, uint32_t cpu)
{
	const size_t at = cpu / EVENTSTAT_BLOCK_CPUS;

	if (cpu >= EVENTSTAT_CPUS)
		return &counts->elsewhere;
	if ((at >= counts->nr_blocks || !counts->blocks[at]) && !add_block(counts, at))
		return NULL;
	return &counts->blocks[at]->cpus[cpu % EVENTSTAT_BLOCK_CPUS];
}

bool eventstat_samples(struct eventstat *stat, uint32_t cpu, const struct event *event,
		       struct tally samples)
{
	struct event_counts *counts = counts_of(stat, event);
	struct cpu_stat *place = counts ? place_of(counts, cpu) : NULL;

	if (!place)
		return false;
	tally_add(&place->total, samples.samples, samples.period);
	return true;
}

bool eventstat_left_out(struct eventstat *stat, const struct event *event, struct tally samples)
{
	struct event_counts *counts = counts_of(stat, event);

	if (!counts)
		return false;
	tally_add(&counts->left_out, samples.samples, samples.period);
	return true;
}

/*
 * The event of @rec. The id in the body comes first: without sample_id_all there is no other. An
 * inherited event has ids that the file does not list; then the trailer names an event that it does
 * list.
 */
static const struct event *event_of(const struct eventstat *stat, const struct record *rec)
{
	const struct event *event = NULL;

	if (rec->type == RECORD_LOST)
		event = perffile_event_by_id(stat->file, rec->lost.id);
	else if (rec->type != RECORD_LOST_SAMPLES)
		event = perffile_event_by_id(stat->file, rec->throttle.id);
	return event ? event : rec->event;
}

static void count_loss(struct event_counts *counts, struct cpu_stat *place,
		       const struct record *rec)
{
	uint64_t *sum = rec->type == RECORD_LOST ? &place->lost : &place->lost_samples;

	if (rec->type == RECORD_LOST_SAMPLES && rec->misc & MISC_LOST_BY_FILTER)
		return;
	loss_add(&counts->loss, rec);
	*sum = loss_sum(*sum, rec->lost.lost);
}

bool eventstat_trouble(struct eventstat *stat, const struct record *rec)
{
	const struct event *event = event_of(stat, rec);
	struct event_counts *counts;
	struct cpu_stat *place;

	if (!event)
		return true;
	counts = counts_of(stat, event);
	if (!counts)
		return false;
	/* perf record's own LOST_SAMPLES have a trailer of zeros except for the id: no CPU. */
	place = rec->type == RECORD_LOST_SAMPLES && loss_is_read_at_end(rec)
			? &counts->elsewhere
			: place_of(counts, record_cpu(rec));
	if (!place)
		return false;
	if (rec->type == RECORD_THROTTLE)
		place->throttled++;
	else if (rec->type == RECORD_UNTHROTTLE)
		place->unthrottled++;
	else
		count_loss(counts, place, rec);
	return true;
}

static bool is_empty(const struct cpu_stat *cpu)
{
	return !(cpu->total.samples | cpu->lost | cpu->lost_samples | cpu->throttled |
		 cpu->unthrottled);
}

static size_t count_cpus(const struct cpu_block *block)
{
	size_t nr = 0;

	for (size_t i = 0; block && i < EVENTSTAT_BLOCK_CPUS; i++)
		nr += !is_empty(&block->cpus[i]);
	return nr;
}

/* The maximum number of CPU rows: one for each CPU of an event, and one for its `elsewhere`. */
static size_t count_rows(const struct eventstat *stat)
{
	size_t nr = stat->nr;

	for (size_t i = 0; i < stat->nr; i++) {
		for (size_t at = 0; at < stat->counts[i].nr_blocks; at++)
			nr += count_cpus(stat->counts[i].blocks[at]);
	}
	return nr;
}

/* Adds @cpu to the totals of @row and appends it to the row's CPUs. */
static void add_cpu(struct event_stat *row, struct cpu_stat *cpus, const struct cpu_stat *cpu)
{
	cpus[row->nr_cpus++] = *cpu;
	tally_add(&row->total, cpu->total.samples, cpu->total.period);
}

/* Fills @row from @counts; its CPUs go to @cpus. */
static void make_row(struct event_stat *row, const struct event_counts *counts,
		     struct cpu_stat *cpus, bool read_at_end)
{
	row->cpus = cpus;
	for (size_t at = 0; at < counts->nr_blocks; at++) {
		for (size_t i = 0; counts->blocks[at] && i < EVENTSTAT_BLOCK_CPUS; i++) {
			if (!is_empty(&counts->blocks[at]->cpus[i]))
				add_cpu(row, cpus, &counts->blocks[at]->cpus[i]);
		}
	}
	if (row->nr_cpus == 0 || !is_empty(&counts->elsewhere))
		add_cpu(row, cpus, &counts->elsewhere);
	row->dropped = loss_total(&counts->loss, read_at_end);
	row->taken = row->total;
	tally_add(&row->taken, counts->left_out.samples, counts->left_out.period);
}

/* Lists the events that have samples; if none has, the first event. */
static void note_sampled(struct eventstat *stat)
{
	stat->nr_sampled = 0;
	for (size_t i = 0; i < stat->nr; i++) {
		if (stat->rows[i].total.samples)
			stat->sampled[stat->nr_sampled++] = (uint32_t)i;
	}
	if (stat->nr_sampled == 0 && stat->nr)
		stat->sampled[stat->nr_sampled++] = 0;
}

bool eventstat_make(struct eventstat *stat)
{
	const bool read_at_end = perffile_counts(stat->file)->losses.read_at_end > 0;
	struct cpu_stat *cpus;

	if (!know_events(stat))
		return false;
	free(stat->rows);
	free(stat->cpus);
	free(stat->sampled);
	stat->rows = calloc(stat->nr + 1, sizeof(*stat->rows));
	stat->cpus = calloc(count_rows(stat) + 1, sizeof(*stat->cpus));
	stat->sampled = calloc(stat->nr + 1, sizeof(*stat->sampled));
	if (!stat->rows || !stat->cpus || !stat->sampled)
		return false;
	cpus = stat->cpus;
	for (size_t i = 0; i < stat->nr; i++) {
		struct event_stat *row = &stat->rows[i];

		row->event = perffile_event(stat->file, i);
		row->pmu = perffile_pmu_name(stat->file, row->event->attr.type);
		row->chains_from = stack_chains_from(&row->event->attr);
		make_row(row, &stat->counts[i], cpus, read_at_end);
		cpus += row->nr_cpus;
	}
	note_sampled(stat);
	return true;
}

/* Which of two reasons is behind more. */
static bool is_more(const struct tally *a, const struct tally *b)
{
	return a->period != b->period ? a->period > b->period : a->samples > b->samples;
}

static void set_cut(struct event_stat *row, const struct chain_ends *ends, enum user_part_mode mode)
{
	const struct tally none = {0}, *most = &none;

	row->cut = none;
	row->cut_reason = row->cut_advice = "";
	for (enum chain_end end = 0; end < CHAIN_END_NR; end++) {
		const struct tally *of = &ends->by_end[end];

		if (!chain_end_is_cut(end))
			continue;
		tally_add(&row->cut, of->samples, of->period);
		if (!is_more(of, most))
			continue;
		most = of;
		row->cut_reason = chain_end_word(end);
		row->cut_advice = chain_end_advice(end, &row->event->attr, mode);
	}
}

void eventstat_set_cut(struct eventstat *stat, const struct chain_ends *ends,
		       enum user_part_mode mode)
{
	for (size_t i = 0; i < stat->nr; i++)
		set_cut(&stat->rows[i], &ends[i], mode);
}

void eventstat_free(struct eventstat *stat)
{
	for (size_t i = 0; i < stat->nr; i++) {
		for (size_t at = 0; at < stat->counts[i].nr_blocks; at++)
			free(stat->counts[i].blocks[at]);
		free(stat->counts[i].blocks);
	}
	free(stat->counts);
	free(stat->rows);
	free(stat->cpus);
	free(stat->sampled);
	*stat = (struct eventstat){.file = stat->file};
}
