#include "decode/answer/counterset.h"

#include "decode/metric.h"
#include "util/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Records that are kept: 400 MB of a recording. */
enum { READS_MAX = 1 << 23 };

enum { NO_CPU = UINT32_MAX };

/* Types of EVENT_UPDATE, a tag of STAT_CONFIG. */
enum { UPDATE_UNIT = 0, UPDATE_SCALE = 1, CONFIG_AGGR_MODE = 0 };

/* ---- records --------------------------------------------------------------------------------- */

static bool take_read(struct counterset *set, const struct record *rec)
{
	const struct record_stat_value *stat = &rec->stat_value;

	if (!rec->event)
		return true; /* a counter that the recording does not describe */
	if (set->nr_reads >= READS_MAX) {
		set->full = true;
		return true;
	}
	if (!array_grow(set->reads, set->room, set->nr_reads + 1))
		return false;
	set->reads[set->nr_reads++] = (struct counter_read){
		.value = stat->value,
		.enabled = stat->enabled,
		.running = stat->running,
		.event = rec->event->number,
		.cpu = rec->cpu,
		.thread = stat->thread,
		.round = (uint32_t)set->nr_rounds,
	};
	return true;
}

static bool take_round(struct counterset *set, const struct record *rec)
{
	if (set->nr_rounds >= READS_MAX) {
		set->full = true;
		return true;
	}
	if (!array_grow(set->rounds, set->rounds_room, set->nr_rounds + 1))
		return false;
	set->rounds[set->nr_rounds++] = rec->time;
	return true;
}

/* u64 tid, char comm[16] each. As in perf, the first list counts. */
static bool take_threads(struct counterset *set, const struct record *rec)
{
	enum { COMM_BYTES = 16 };
	struct span entries = rec->list.entries;

	if (set->nr_threads > 0)
		return true;
	for (uint64_t i = 0; i < rec->list.nr; i++) {
		struct counter_thread thread = {.tid = span_u64(&entries)};
		struct span comm = span_take(&entries, COMM_BYTES);
		const char *text = (const char *)comm.pos;

		if (entries.failed)
			break;
		thread.comm = intern(&set->strings, text, strnlen(text, COMM_BYTES));
		if (thread.comm == INTERN_NOMEM ||
		    !array_grow(set->threads, set->threads_room, set->nr_threads + 1))
			return false;
		set->threads[set->nr_threads++] = thread;
	}
	return true;
}

static void take_config(struct counterset *set, const struct record *rec)
{
	struct span entries = rec->list.entries;

	for (uint64_t i = 0; i < rec->list.nr && !entries.failed; i++) {
		const uint64_t tag = span_u64(&entries), value = span_u64(&entries);

		if (!entries.failed && tag == CONFIG_AGGR_MODE)
			set->mode = value;
	}
}

static struct counter_unit *unit_of(struct counterset *set, size_t event)
{
	if (!array_grow(set->units, set->units_room, event + 1))
		return NULL;
	for (; set->nr_units <= event; set->nr_units++)
		set->units[set->nr_units] = (struct counter_unit){0};
	return &set->units[event];
}

/* The unit and the scale of an event; other news of events are perffile's. */
static bool take_update(struct counterset *set, const struct perffile *file,
			const struct record *rec)
{
	enum { UNIT_MAX = 32 };
	const struct record_event_update *update = &rec->event_update;
	const struct event *event = perffile_event_by_id(file, update->id);
	struct span data = update->data;
	struct counter_unit *unit;
	uint64_t bits;

	if (!event || update->type > UPDATE_SCALE)
		return true;
	unit = unit_of(set, event->number);
	if (!unit)
		return false;
	if (update->type == UPDATE_UNIT) {
		const size_t room = span_left(&data) < UNIT_MAX ? span_left(&data) : UNIT_MAX;
		const char *text = (const char *)data.pos;

		unit->unit = intern(&set->strings, text, strnlen(text, room));
		return unit->unit != INTERN_NOMEM;
	}
	bits = span_u64(&data);
	memcpy(&unit->scale, &bits, sizeof(bits));
	if (data.failed || !isfinite(unit->scale) || unit->scale <= 0)
		unit->scale = 0;
	return true;
}

bool counterset_record(struct counterset *set, const struct perffile *file,
		       const struct record *rec)
{
	switch (rec->type) {
	case RECORD_STAT:
		return take_read(set, rec);
	case RECORD_STAT_ROUND:
		return take_round(set, rec);
	case RECORD_THREAD_MAP:
		return take_threads(set, rec);
	case RECORD_STAT_CONFIG:
		take_config(set, rec);
		return true;
	case RECORD_EVENT_UPDATE:
		return take_update(set, file, rec);
	default:
		return true;
	}
}

/* ---- sums ------------------------------------------------------------------------------------ */

struct counter_value counterset_count(uint64_t value, uint64_t enabled, uint64_t running)
{
	struct counter_value counted = {value, enabled, running, running ? value : 0};
	unsigned __int128 scaled;

	if (running == 0 || running >= enabled)
		return counted;
	scaled = (unsigned __int128)value * enabled / running;
	counted.scaled = scaled > UINT64_MAX ? UINT64_MAX : (uint64_t)scaled;
	return counted;
}

static void add(uint64_t *sum, uint64_t value)
{
	if (__builtin_add_overflow(*sum, value, sum))
		*sum = UINT64_MAX;
}

/* The increase since @before. A counter that goes back has started over. */
static uint64_t increase(uint64_t before, uint64_t value)
{
	return value >= before ? value - before : value;
}

/* A record by its counter, then in the order of the records. */
struct counter_key {
	uint32_t event, cpu, thread, read;
};

static int compare_keys(const void *left, const void *right)
{
	const struct counter_key *a = left, *b = right;

	if (a->event != b->event)
		return a->event < b->event ? -1 : 1;
	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return a->read < b->read ? -1 : a->read > b->read;
}

static bool same_counter(const struct counter_key *a, const struct counter_key *b)
{
	return a->event == b->event && a->cpu == b->cpu && a->thread == b->thread;
}

/* Which numbers tell places apart. */
static uint64_t place_key(const struct counter_total *total)
{
	const struct stat_counter *counter = &total->counter;

	switch (total->place) {
	case COUNTER_OF_CPU:
		return counter->cpu;
	case COUNTER_OF_SOCKET:
		return counter->socket;
	case COUNTER_OF_DIE:
		return (uint64_t)counter->socket << 32 | counter->die;
	case COUNTER_OF_CORE:
		return (uint64_t)counter->socket << 32 | counter->core;
	case COUNTER_OF_THREAD:
		return counter->tid;
	default:
		return 0;
	}
}

static int compare_totals(const void *left, const void *right)
{
	const struct counter_total *a = left, *b = right;
	const uint64_t key = place_key(a), other = place_key(b);

	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	if (key != other)
		return key < other ? -1 : 1;
	return a->counter.event->number < b->counter.event->number   ? -1
	       : a->counter.event->number > b->counter.event->number ? 1
								     : 0;
}

/* Whether perf of @major.@minor or later recorded. Unknown versions are old ones. */
static bool is_version(const struct perffile *file, unsigned long major, unsigned long minor)
{
	const char *text = perffile_version(file);
	char *end;
	unsigned long number;

	if (!text)
		return false;
	number = strtoul(text, &end, 10);
	if (number != major || *end != '.')
		return number > major;
	return strtoul(end + 1, NULL, 10) >= minor;
}

/*
 * What perf stat added its counters up by. The numbers of its modes changed with versions 6.5 and
 * 6.9; modes that topology does not tell are shown as the whole.
 */
static enum counter_place place_of_mode(const struct perffile *file, uint64_t mode)
{
	static const enum counter_place places[] = {COUNTER_OF_CPU, COUNTER_OF_ALL,
						    COUNTER_OF_SOCKET, COUNTER_OF_DIE};
	unsigned core = 4;

	if (mode < sizeof(places) / sizeof(places[0]))
		return places[mode];
	if (is_version(file, 6, 9))
		core = 6;
	else if (is_version(file, 6, 5))
		core = 5;
	return mode == core	  ? COUNTER_OF_CORE
	       : mode == core + 1 ? COUNTER_OF_THREAD
				  : COUNTER_OF_ALL;
}

/* @place, or all if the counter does not say where it is. */
static enum counter_place place_if_known(enum counter_place place,
					 const struct stat_counter *counter)
{
	if (place == COUNTER_OF_CPU)
		return counter->has_cpu ? place : COUNTER_OF_ALL;
	if (place == COUNTER_OF_THREAD)
		return counter->has_tid ? place : COUNTER_OF_ALL;
	return counter->has_place ? place : COUNTER_OF_ALL;
}

/* Adds @from, which is of the same place and event, to @to. */
static void add_total(struct counter_value *to, const struct counter_value *from)
{
	add(&to->value, from->value);
	add(&to->enabled, from->enabled);
	add(&to->running, from->running);
	add(&to->scaled, from->scaled);
}

/* Sorts the @nr totals, one of each counter, and adds up those of the same place and event. */
static size_t add_up(struct counter_total *totals, size_t nr)
{
	size_t to = 0;

	qsort(totals, nr, sizeof(*totals), compare_totals);
	for (size_t i = 1; i < nr; i++) {
		if (compare_totals(&totals[to], &totals[i]) == 0)
			add_total(&totals[to].counted, &totals[i].counted);
		else
			totals[++to] = totals[i];
	}
	return nr ? to + 1 : 0;
}

/* Whether the counters of @totals[first] and of @totals[i] are of one place. */
static bool same_place(const struct counter_total *totals, size_t first, size_t i)
{
	return totals[first].place == totals[i].place &&
	       place_key(&totals[first]) == place_key(&totals[i]);
}

static void add_metrics(struct counter_total *totals, size_t nr)
{
	for (size_t first = 0, end; first < nr; first = end) {
		for (end = first; end < nr && same_place(totals, first, end);)
			end++;
		for (size_t i = first; i < end; i++)
			metric_remark(&totals[i], totals + first, end - first);
	}
}

/* Makes the rows from @keys, which are sorted, and a total of each counter. Returns their number.
 */
static size_t make_rows(struct counterset *set, const struct perffile *file,
			const struct counter_key *keys, enum counter_place place)
{
	size_t nr = 0;

	for (size_t i = 0; i < set->nr_reads; i++) {
		const struct counter_read *read = &set->reads[keys[i].read], *before = NULL;
		struct counter_read *row = &set->rows[keys[i].read];
		struct counter_total *total;

		if (i > 0 && same_counter(&keys[i - 1], &keys[i]))
			before = &set->reads[keys[i - 1].read];
		*row = *read;
		if (!before) {
			total = &set->totals[nr++];
			*total = (struct counter_total){
				.counter = counterset_counter(set, file, read),
				.time = set->nr_rounds ? set->rounds[set->nr_rounds - 1] : 0,
				.nr_intervals = set->nr_rounds ? set->nr_rounds : 1,
			};
			total->place = place_if_known(place, &total->counter);
		} else {
			total = &set->totals[nr - 1];
			row->value = increase(before->value, read->value);
			row->enabled = increase(before->enabled, read->enabled);
			row->running = increase(before->running, read->running);
		}
		if (read->round == set->nr_rounds && set->nr_rounds > 0)
			continue; /* after the last interval */
		add(&total->counted.value, row->value);
		add(&total->counted.enabled, row->enabled);
		add(&total->counted.running, row->running);
	}
	return nr;
}

static void forget_sums(struct counterset *set)
{
	free(set->rows);
	free(set->totals);
	free(set->whole);
	set->rows = NULL;
	set->totals = set->whole = NULL;
	set->nr_totals = set->nr_whole = 0;
}

/* Makes totals and whole of the @nr totals of counters. */
static void make_totals(struct counterset *set, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		struct counter_value *counted = &set->totals[i].counted;

		*counted = counterset_count(counted->value, counted->enabled, counted->running);
		set->whole[i] = set->totals[i];
		set->whole[i].place = COUNTER_OF_ALL;
	}
	set->nr_totals = add_up(set->totals, nr);
	set->nr_whole = add_up(set->whole, nr);
	add_metrics(set->totals, set->nr_totals);
}

int counterset_finish(struct counterset *set, const struct perffile *file, struct error *err)
{
	const size_t nr = set->nr_reads;
	struct counter_key *keys;

	forget_sums(set);
	if (nr == 0)
		return 0;
	if (set->full)
		return error_set(
			err, ERROR_FORMAT,
			"the recording has more than %d counts: perf stat record with a longer "
			"interval (-I) makes fewer",
			READS_MAX);
	keys = calloc(nr, sizeof(*keys));
	set->rows = calloc(nr, sizeof(*set->rows));
	set->totals = calloc(nr, sizeof(*set->totals));
	set->whole = calloc(nr, sizeof(*set->whole));
	if (!keys || !set->rows || !set->totals || !set->whole) {
		free(keys);
		return error_nomem(err, "adding up counters");
	}
	for (size_t i = 0; i < nr; i++) {
		const struct counter_read *read = &set->reads[i];

		keys[i] = (struct counter_key){read->event, read->cpu, read->thread, (uint32_t)i};
	}
	qsort(keys, nr, sizeof(*keys), compare_keys);
	make_totals(set, make_rows(set, file, keys, place_of_mode(file, set->mode)));
	free(keys);
	return 0;
}

struct stat_counter counterset_counter(const struct counterset *set, const struct perffile *file,
				       const struct counter_read *read)
{
	struct stat_counter counter = {.event = perffile_event(file, read->event),
				       .has_cpu = read->cpu != NO_CPU,
				       .cpu = read->cpu,
				       .comm = "",
				       .unit = "",
				       .scale = 1};
	struct cpu_place place;

	if (read->thread < set->nr_threads) {
		const struct counter_thread *thread = &set->threads[read->thread];

		/* -1: all threads */
		counter.has_tid = thread->tid <= INT32_MAX;
		counter.tid = (uint32_t)thread->tid;
		counter.comm = intern_get(&set->strings, thread->comm);
	}
	if (counter.has_cpu && perffile_cpu_place(file, read->cpu, &place)) {
		counter.has_place = true;
		counter.socket = place.socket;
		counter.die = place.die;
		counter.core = place.core;
	}
	if (read->event < set->nr_units) {
		counter.unit = intern_get(&set->strings, set->units[read->event].unit);
		if (set->units[read->event].scale > 0)
			counter.scale = set->units[read->event].scale;
	}
	return counter;
}

const struct counter_total *counterset_whole(const struct counterset *set,
					     const struct event *event)
{
	for (size_t i = 0; i < set->nr_whole; i++)
		if (set->whole[i].counter.event == event)
			return &set->whole[i];
	return NULL;
}

double counterset_scale(const struct counterset *set, const struct event *event)
{
	return event->number < set->nr_units ? set->units[event->number].scale : 0;
}

void counterset_free(struct counterset *set)
{
	forget_sums(set);
	free(set->reads);
	free(set->rounds);
	free(set->threads);
	free(set->units);
	intern_free(&set->strings);
}
