#include "decode/replay.h"

#include "decode/address.h"
#include "decode/addrspace.h"
#include "decode/deferred.h"
#include "decode/funcstat.h"
#include "decode/linestat.h"
#include "decode/placeset.h"
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
	struct address_table addresses;
	struct stacks stacks;
	struct readcount counters;
	struct symbolizer *symbolizer;
	struct funcstat functions;
	struct linestat lines;
	struct recordstat records;
	struct facts header;
	bool header_wanted, lines_wanted, addresses_wanted, inlined;
	struct event_stat *events; /* by the event's number */
	size_t nr_events, events_room;
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
	replay->filter = settings->filter;
	replay->filtered = filter_active(settings->filter);
	replay->header_wanted = settings->header;
	replay->lines_wanted = settings->lines;
	replay->addresses_wanted = settings->addresses;
	replay->inlined = settings->symbols.inlined;
	replay->symbolizer = symbolizer_create(&settings->symbols);
	if (!addrspaces_init(&replay->spaces, file) || !replay->symbolizer) {
		error_nomem(err, "starting the replay");
		replay_destroy(replay);
		return NULL;
	}
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

/* Makes room for all events there are; a pipe tells of them one by one. */
static bool know_events(struct replay *replay)
{
	const size_t nr = perffile_nr_events(replay->file);

	if (!array_grow(replay->events, replay->events_room, nr + 1))
		return false;
	for (; replay->nr_events < nr; replay->nr_events++)
		replay->events[replay->nr_events] = (struct event_stat){
			.event = perffile_event(replay->file, replay->nr_events)};
	return true;
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

	if ((event->number >= replay->nr_events && !know_events(replay)) || !tally)
		return false;
	tally_add(tally, 1, period);
	tally_add(&replay->events[event->number].total, 1, period);
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
	if (chosen <= 0)
		return chosen;
	if (rec->sample.read.given)
		counted = count_values(replay, rec, &place);
	else
		counted = count_event(replay, rec, &place, rec->event, rec->sample.period);
	return counted ? 1 : error_nomem(err, "counting samples");
}

/* LOST has the id of the event whose buffer was full; the others tell by their trailer alone. */
static bool count_lost(struct replay *replay, const struct record *rec)
{
	const struct event *event = rec->event;
	uint64_t *lost;

	if (rec->type == RECORD_LOST && perffile_event_by_id(replay->file, rec->lost.id))
		event = perffile_event_by_id(replay->file, rec->lost.id);
	if (!event || (rec->type == RECORD_LOST_SAMPLES && rec->misc & MISC_LOST_BY_FILTER))
		return true;
	if (event->number >= replay->nr_events && !know_events(replay))
		return false;
	lost = &replay->events[event->number].lost;
	if (__builtin_add_overflow(*lost, rec->lost.lost, lost))
		*lost = UINT64_MAX;
	return true;
}

/* What the record changes in processes and maps. */
static bool apply_sideband(struct replay *replay, const struct record *rec)
{
	struct process_table *processes = &replay->processes;

	switch (rec->type) {
	case RECORD_MMAP:
	case RECORD_MMAP2:
		return addrspaces_mmap(&replay->spaces, processes, rec);
	case RECORD_COMM:
		return process_comm(processes, rec->pid, rec->tid, rec->comm.comm,
				    rec->comm.comm_len, rec->misc & MISC_COMM_EXEC);
	case RECORD_FORK:
		return process_fork(processes, rec->pid, rec->task.ppid, rec->tid, rec->task.ptid,
				    rec->time, !(rec->misc & MISC_FORK_EXEC));
	case RECORD_LOST:
	case RECORD_LOST_SAMPLES:
		return count_lost(replay, rec);
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
	for (size_t i = 0; i < replay->nr_events; i++) {
		struct event_stat *stat = &replay->events[i];

		stat->pmu = perffile_pmu_name(replay->file, stat->event->attr.type);
	}
	if (!processstat_make(&replay->processes_stat, &replay->processes, replay->nr_events) ||
	    !recordstat_make(&replay->records, perffile_counts(replay->file)))
		return error_nomem(err, "adding up processes and records");
	return replay->header_wanted ? perffile_describe(replay->file, &replay->header, err) : 0;
}

/* Resolves the addresses, each once, and adds them up by function, and by line if that is wanted.
 */
static int sum_up_places(struct replay *replay, void (*tick)(void *arg, size_t done, size_t total),
			 void *tick_arg, struct error *err)
{
	const struct dso_table *dsos = &replay->spaces.dsos;
	struct place_set places = {0};
	const struct funcstat_input functions = {
		.file = replay->file,
		.dsos = dsos,
		.addresses = &replay->addresses,
		.paths = &replay->stacks.paths,
		.places = &places,
	};
	const struct linestat_input lines = {
		.file = replay->file,
		.dsos = dsos,
		.addresses = &replay->addresses,
		.places = &places,
		.lines = replay->lines_wanted,
		.each_address = replay->addresses_wanted,
	};
	bool details = lines.lines || lines.each_address;
	int rc = place_set_make(&places, dsos, &replay->addresses, details, err);

	if (rc == 0)
		rc = place_set_resolve(&places, replay->symbolizer, tick, tick_arg, err);
	if (rc == 0)
		rc = funcstat_make(&replay->functions, &functions, err);
	if (rc == 0 && details)
		rc = linestat_make(&replay->lines, &lines, err);
	place_set_free(&places);
	return rc;
}

const struct results *replay_finish(struct replay *replay,
				    void (*tick)(void *arg, size_t done, size_t total),
				    void *tick_arg, struct error *err)
{
	if (!know_events(replay) || !addrspaces_finish(&replay->spaces) ||
	    !flush_deferred(replay) || !address_flush(&replay->addresses)) {
		error_nomem(err, "counting samples");
		return NULL;
	}
	if (sum_up_places(replay, tick, tick_arg, err) < 0)
		return NULL;
	if (sum_up(replay, err) < 0)
		return NULL;
	replay->results = (struct results){
		.events = replay->events,
		.nr_events = replay->nr_events,
		.functions = replay->functions.rows,
		.nr_functions = funcstat_count(&replay->functions),
		.lines = replay->lines.lines,
		.nr_lines = replay->lines.index.nr,
		.addresses = replay->lines.addresses,
		.nr_addresses = replay->lines.nr_addresses,
		.inlined = replay->inlined,
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
	funcstat_free(&replay->functions);
	linestat_free(&replay->lines);
	processstat_free(&replay->processes_stat);
	recordstat_free(&replay->records);
	facts_free(&replay->header);
	stacks_free(&replay->stacks);
	readcount_free(&replay->counters);
	address_table_free(&replay->addresses);
	addrspaces_free(&replay->spaces);
	for (size_t i = 0; i < replay->processes.by_tid.nr; i++)
		free_held(deferred_take_all(&replay->processes.threads[i]));
	process_table_free(&replay->processes);
	symbolizer_destroy(replay->symbolizer);
	free(replay->events);
	free(replay);
}
