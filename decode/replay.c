#include "decode/replay.h"

#include "decode/address.h"
#include "decode/addrspace.h"
#include "decode/binarystat.h"
#include "decode/deferred.h"
#include "decode/eventstat.h"
#include "decode/funcstat.h"
#include "decode/process.h"
#include "decode/processstat.h"
#include "decode/readcount.h"
#include "decode/recordstat.h"
#include "decode/stack.h"
#include "perffile/format.h"
#include "util/array.h"

#include <stdlib.h>

struct replay {
	const struct perffile *file;
	const struct filter *filter;
	bool filtered;
	struct process_table processes;
	struct addrspaces spaces;
	struct roots roots;
	struct address_table addresses;
	struct stacks stacks;
	struct readcount counters;
	struct symbol_settings symbol_settings;
	struct symbolizer *symbolizer;
	struct known_symbols known; /* of snapshots */
	struct funcstat functions;
	struct binarystat binaries;
	struct recordstat records;
	struct facts header;
	bool header_wanted;
	struct eventstat events;
	struct processstat processes_stat;
	struct results results;
};

struct replay *replay_create(const struct replay_settings *settings, const struct perffile *file,
			     struct error *err)
{
	struct replay *replay = calloc(1, sizeof(*replay));

	if (!replay) {
		error_nomem(err, "starting the replay");
		return NULL;
	}
	replay->file = file;
	replay->events.file = file;
	replay->filter = settings->filter;
	replay->filtered = filter_active(settings->filter);
	replay->header_wanted = settings->header;
	replay->symbol_settings = settings->symbols;
	replay->symbolizer = symbolizer_create(&settings->symbols);
	if (!addrspaces_init(&replay->spaces, file) ||
	    !roots_init(&replay->roots, settings->roots) || !replay->symbolizer) {
		error_nomem(err, "starting the replay");
		replay_destroy(replay);
		return NULL;
	}
	replay->spaces.roots = &replay->roots;
	return replay;
}

/* Whether the sample passes the filters that ask where it fell: 1, 0, or -1 if memory is out. */
static int sample_chosen(struct replay *replay, const struct record *rec,
			 const struct thread *thread, const struct location *at, struct error *err)
{
	const struct filter *filter = replay->filter;
	const struct symbol *symbol;

	if (!filter_record(filter, rec) ||
	    !filter_comm(filter, intern_get(&replay->processes.strings, thread->comm)) ||
	    !filter_binary(filter, at->dso->path))
		return 0;
	if (!filter->symbols)
		return 1;
	symbol = symbolizer_find(replay->symbolizer, at->dso, at->place, err);
	if (!symbol)
		return -1;
	return filter_symbol(filter, symbol->function);
}

/* Where and of whom a sample was taken. */
struct sample_place {
	struct thread *thread;
	struct process *process;
	struct location at;
};

/* Counts the waiting samples at @held, which are freed; with @ips they get their user part first.
 */
static bool count_held(struct replay *replay, struct process *process, struct deferred *held,
		       const struct span *ips)
{
	bool ok = process->maps; /* a life that has ended has no maps to look its callers up in */

	while (held) {
		struct deferred *next = held->next;

		if (ips && ok)
			held = deferred_merge(held, *ips);
		if (!held)
			ok = false;
		else if (ok)
			ok = stacks_count(&replay->stacks, &replay->addresses, &replay->spaces,
					  process, &held->rec, held->event, held->period,
					  held->leaf);
		free(held);
		held = next;
	}
	return ok || !process->maps;
}

/* Counts the sample on its call path, at once or when the rest of its chain has come. */
static bool count_path(struct replay *replay, const struct record *rec,
		       const struct sample_place *place, const struct event *event, uint64_t period,
		       uint32_t address)
{
	struct thread *thread = place->thread;
	uint64_t cookie;

	if (!deferred_cookie(rec, &cookie))
		return stacks_count(&replay->stacks, &replay->addresses, &replay->spaces,
				    place->process, rec, event, period, address);
	return count_held(replay, place->process, deferred_take_others(thread, cookie), NULL) &&
	       deferred_hold(thread, rec, cookie, event, period, address);
}

/* CALLCHAIN_DEFERRED: the user part of the samples of this thread that wait for this cookie. */
static bool apply_deferred(struct replay *replay, const struct record *rec)
{
	struct thread *thread;

	if (!(rec->has & HAS_PID) || !(rec->has & HAS_TID))
		return true;
	thread = thread_of_sample(&replay->processes, rec->pid, rec->tid);
	if (!thread || !count_held(replay, thread->process,
				   deferred_take_others(thread, rec->deferred.cookie), NULL))
		return false;
	return count_held(replay, thread->process, deferred_take_all(thread), &rec->deferred.ips);
}

/* At the end nothing more can come. */
static bool flush_deferred(struct replay *replay)
{
	for (size_t i = 0; i < replay->processes.by_tid.nr; i++) {
		struct thread *thread = &replay->processes.threads[i];

		if (thread->deferred &&
		    !count_held(replay, thread->process, deferred_take_all(thread), NULL))
			return false;
	}
	return true;
}

/* Adds the sample to its process, its event, its address and its call path. */
static bool count_event(struct replay *replay, const struct record *rec,
			const struct sample_place *place, const struct event *event,
			uint64_t period)
{
	const struct location *at = &place->at;
	struct tally *tally = process_tally(place->process, event->number);
	uint32_t address;

	if (!tally || !eventstat_sample(&replay->events, rec, event, period))
		return false;
	tally_add(tally, 1, period);
	if (!(event->attr.sample_type & SAMPLE_CALLCHAIN))
		return address_add(&replay->addresses, event->number, at->dso->number, at->place,
				   period);
	address = address_get(&replay->addresses, event->number, at->dso->number, at->place);
	if (address == ADDRESS_NONE)
		return false;
	tally_add(&replay->addresses.addresses[address].self, 1, period);
	return count_path(replay, rec, place, event, period, address);
}

/*
 * A sample that carries counter values counts for each of them, with what was added since the value
 * before. As in perf, a member of a group that did not count since then has no sample. Values
 * without ids are nobody's but for the first, which is the sample's own event's.
 */
static bool count_values(struct replay *replay, const struct record *rec,
			 const struct sample_place *place)
{
	const struct attr *attr = &rec->event->attr;
	bool ids = attr->read_format & READ_ID, group = ids && attr->read_format & READ_GROUP;
	bool per_thread = (attr->flags & ATTR_INHERIT) && (rec->has & HAS_TID);
	struct sample_read read = rec->sample.read;
	struct read_value value;

	while (sample_read_next(&read, &value)) {
		const struct event *event = rec->event;
		uint64_t delta;

		if (group)
			event = perffile_event_by_id(replay->file, value.id);
		if (!event)
			continue; /* a counter that the recording does not describe */
		if (!readcount_delta(&replay->counters, ids ? value.id : rec->sample.id,
				     per_thread ? rec->tid : 0, value.value, &delta))
			return false;
		if ((delta || !group) && !count_event(replay, rec, place, event, delta))
			return false;
		if (!ids)
			break;
	}
	return true;
}

static int apply_sample(struct replay *replay, const struct record *rec, struct error *err)
{
	const uint32_t pid = rec->has & HAS_PID ? rec->pid : PID_NONE;
	const uint32_t tid = rec->has & HAS_TID ? rec->tid : PID_NONE;
	struct thread *thread = thread_of_sample(&replay->processes, pid, tid);
	struct sample_place place;
	bool counted;
	int chosen = 1;

	if (!thread)
		return error_nomem(err, "counting samples");
	place.thread = thread;
	place.process = thread->process;
	place.at = addrspaces_locate(&replay->spaces, thread->process, record_cpumode(rec),
				     rec->sample.ip);
	if (replay->filtered)
		chosen = sample_chosen(replay, rec, thread, &place.at, err);
	if (chosen < 0)
		return -1;
	if (chosen == 0)
		counted = eventstat_left_out(&replay->events, rec);
	else if (rec->sample.read.given)
		counted = count_values(replay, rec, &place);
	else
		counted = count_event(replay, rec, &place, rec->event, rec->sample.period);
	return counted ? chosen : error_nomem(err, "counting samples");
}

/* What the record changes in processes and maps. */
static bool apply_sideband(struct replay *replay, const struct record *rec)
{
	struct process_table *processes = &replay->processes;

	switch (rec->type) {
	case RECORD_MMAP:
	case RECORD_MMAP2:
		return addrspaces_mmap(&replay->spaces, processes, rec);
	case RECORD_KSYMBOL:
		return addrspaces_ksymbol(&replay->spaces, processes, rec);
	case RECORD_COMM:
		return process_comm(processes, rec->pid, rec->tid, rec->comm.comm,
				    rec->comm.comm_len, rec->misc & MISC_COMM_EXEC);
	case RECORD_FORK:
		return roots_apply(&replay->roots, rec) &&
		       process_fork(processes, rec->pid, rec->task.ppid, rec->tid, rec->task.ptid,
				    rec->time, !(rec->misc & MISC_FORK_EXEC));
	case RECORD_NAMESPACES:
		return roots_apply(&replay->roots, rec);
	case RECORD_LOST:
	case RECORD_LOST_SAMPLES:
	case RECORD_THROTTLE:
	case RECORD_UNTHROTTLE:
		return eventstat_trouble(&replay->events, rec);
	case RECORD_EXIT:
		return process_exit(processes, rec->pid, rec->tid, rec->time);
	case RECORD_CALLCHAIN_DEFERRED:
		return apply_deferred(replay, rec);
	default:
		return true;
	}
}

/* Whether a record that is no sample passes: by its own fields, and by the name of its thread. */
static int other_chosen(struct replay *replay, const struct record *rec)
{
	const struct filter *filter = replay->filter;
	const struct process *process;

	if (filter->binaries || filter->symbols || !filter_record(filter, rec))
		return 0;
	if (!filter->comms)
		return 1;
	if (!(rec->has & HAS_PID))
		return 0;
	process = process_get(&replay->processes, rec->pid);
	if (!process)
		return -1;
	return filter_comm(filter, intern_get(&replay->processes.strings, process->comm));
}

int replay_apply(struct replay *replay, const struct record *rec, struct error *err)
{
	int chosen = 1;

	if (rec->type == RECORD_SAMPLE) {
		chosen = apply_sample(replay, rec, err);
		if (chosen < 0)
			return -1;
	} else {
		if (!apply_sideband(replay, rec))
			return error_nomem(err, "following processes");
		if (replay->filtered)
			chosen = other_chosen(replay, rec);
		if (chosen < 0)
			return error_nomem(err, "following processes");
	}
	if (chosen && !recordstat_count(&replay->records, rec))
		return error_nomem(err, "counting records");
	return chosen;
}

/* Everything but the functions, which take the most work. */
static int sum_up(struct replay *replay, struct error *err)
{
	if (!eventstat_make(&replay->events) ||
	    !processstat_make(&replay->processes_stat, &replay->processes, replay->events.nr) ||
	    !binarystat_make(&replay->binaries, replay->functions.rows,
			     funcstat_count(&replay->functions), &replay->spaces.dsos,
			     replay->symbolizer) ||
	    !recordstat_make(&replay->records, perffile_counts(replay->file)))
		return error_nomem(err, "adding up events, processes, binaries and records");
	facts_free(&replay->header);
	return replay->header_wanted ? perffile_describe(replay->file, &replay->header, err) : 0;
}

/* The results of all that was applied so far; @known as in struct funcstat_input. */
static const struct results *make_results(struct replay *replay, struct known_symbols *known,
					  void (*tick)(void *arg, size_t done, size_t total),
					  void *tick_arg, struct error *err)
{
	const struct funcstat_input input = {
		.file = replay->file,
		.dsos = &replay->spaces.dsos,
		.addresses = &replay->addresses,
		.paths = &replay->stacks.paths,
		.symbolizer = replay->symbolizer,
		.known = known,
	};

	if (!addrspaces_finish(&replay->spaces) || !address_flush(&replay->addresses)) {
		error_nomem(err, "counting samples");
		return NULL;
	}
	if (funcstat_make(&replay->functions, &input, tick, tick_arg, err) < 0 ||
	    sum_up(replay, err) < 0)
		return NULL;
	replay->results = (struct results){
		.events = replay->events.rows,
		.nr_events = replay->events.nr,
		.functions = replay->functions.rows,
		.nr_functions = funcstat_count(&replay->functions),
		.binaries = replay->binaries.rows,
		.nr_binaries = replay->binaries.nr_rows,
		.unnamed = replay->binaries.has_unnamed ? &replay->binaries.unnamed : NULL,
		.processes = replay->processes_stat.rows,
		.nr_processes = replay->processes_stat.nr_rows,
		.records = replay->records.rows,
		.nr_records = replay->records.nr_rows,
		.header = replay->header.rows,
		.nr_header = replay->header.nr_rows,
		.filtered = replay->filtered,
	};
	return &replay->results;
}

const struct results *replay_snapshot(struct replay *replay,
				      void (*tick)(void *arg, size_t done, size_t total),
				      void *tick_arg, struct error *err)
{
	return make_results(replay, &replay->known, tick, tick_arg, err);
}

/* What snapshots have found out is no part of the answer: it may have been too early for it. */
static bool forget_symbols(struct replay *replay)
{
	if (replay->known.nr == 0)
		return true;
	free(replay->known.list);
	replay->known = (struct known_symbols){0};
	symbolizer_destroy(replay->symbolizer);
	replay->symbolizer = symbolizer_create(&replay->symbol_settings);
	return replay->symbolizer;
}

const struct results *replay_finish(struct replay *replay,
				    void (*tick)(void *arg, size_t done, size_t total),
				    void *tick_arg, struct error *err)
{
	if (!flush_deferred(replay) || !forget_symbols(replay)) {
		error_nomem(err, "counting samples");
		return NULL;
	}
	return make_results(replay, NULL, tick, tick_arg, err);
}

static void free_held(struct deferred *held)
{
	for (struct deferred *next; held; held = next) {
		next = held->next;
		free(held);
	}
}

void replay_destroy(struct replay *replay)
{
	if (!replay)
		return;
	binarystat_free(&replay->binaries);
	funcstat_free(&replay->functions);
	processstat_free(&replay->processes_stat);
	recordstat_free(&replay->records);
	facts_free(&replay->header);
	free(replay->known.list);
	stacks_free(&replay->stacks);
	readcount_free(&replay->counters);
	address_table_free(&replay->addresses);
	addrspaces_free(&replay->spaces);
	roots_free(&replay->roots);
	for (size_t i = 0; i < replay->processes.by_tid.nr; i++)
		free_held(deferred_take_all(&replay->processes.threads[i]));
	process_table_free(&replay->processes);
	symbolizer_destroy(replay->symbolizer);
	eventstat_free(&replay->events);
	free(replay);
}
