#include "decode/replay.h"

#include "decode/address.h"
#include "decode/addrspace.h"
#include "decode/binarystat.h"
#include "decode/blocks.h"
#include "decode/deferred.h"
#include "decode/eventstat.h"
#include "decode/funcstat.h"
#include "decode/jit.h"
#include "decode/known.h"
#include "decode/lifecycle.h"
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
	bool looked_at; /* samples are, before they count: for a filter, or for blocks of time */
	struct process_table processes;
	struct addrspaces spaces;
	struct jit jit;
	struct roots roots;
	struct address_table addresses;
	struct stacks stacks;
	struct readcount counters;
	struct symbol_settings symbol_settings;
	struct symbolizer *symbolizer;
	struct known_symbols known; /* of snapshots */
	struct funcstat functions;
	struct linestat lines;
	struct binarystat binaries;
	struct recordstat records;
	struct facts header;
	bool header_wanted, lines_wanted, addresses_wanted, inlined;
	struct eventstat events;
	struct processstat processes_stat;
	struct results results;
	struct blocks blocks;
	bool blocks_wanted;
	struct error failed; /* what stopped the replay, if it was not memory */
};

/* Fills @err with what made the work stop. Returns -1. */
static int fail(const struct replay *replay, const char *what, struct error *err)
{
	if (replay->failed.kind == ERROR_NONE)
		return error_nomem(err, what);
	if (err)
		*err = replay->failed;
	return -1;
}

static bool retire(void *arg, struct process *process, struct thread *thread);

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
	replay->lines_wanted = settings->lines;
	replay->addresses_wanted = settings->addresses;
	replay->inlined = settings->symbols.inlined;
	replay->blocks_wanted = settings->blocks;
	replay->looked_at = replay->filtered || replay->blocks_wanted;
	replay->symbol_settings = settings->symbols;
	stacks_init(&replay->stacks, settings->paths_max);
	jit_init(&replay->jit, file);
	replay->symbolizer = symbolizer_create(&settings->symbols);
	process_table_init(&replay->processes, retire, replay);
	if (!addrspaces_init(&replay->spaces, file) || !replay->symbolizer ||
	    !roots_init(&replay->roots, settings->roots) ||
	    !processstat_init(&replay->processes_stat, &replay->processes.strings,
			      settings->threads, settings->life_bytes)) {
		error_nomem(err, "starting the replay");
		replay_destroy(replay);
		return NULL;
	}
	replay->spaces.roots = replay->jit.roots = &replay->roots;
	replay->jit.symfs = settings->symbols.symfs;
	return replay;
}

/* What is known by now of the kernel. */
static void tell_kernel(struct replay *replay)
{
	symbolizer_set_kernel(replay->symbolizer,
			      &(struct symbol_kernel){
				      .dso = replay->spaces.host,
				      .release = perffile_release(replay->file),
				      .kcore_dir = perffile_kcore_dir(replay->file),
			      });
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
	tell_kernel(replay);
	symbol = symbolizer_find(replay->symbolizer, at->dso, at->place, err);
	if (!symbol)
		return -1;
	return filter_symbol(filter, symbol->function);
}

/* What is rarely asked for: whether the sample is chosen, and the end of a block of time. Returns
 * as sample_chosen(). */
static int look_at_sample(struct replay *replay, const struct record *rec,
			  const struct thread *thread, const struct location *at, struct error *err)
{
	int chosen = replay->filtered ? sample_chosen(replay, rec, thread, at, err) : 1;

	if (chosen > 0 && replay->blocks_wanted &&
	    !blocks_sample(&replay->blocks, &replay->addresses, rec->has & HAS_TIME, rec->time))
		return fail(replay, "counting samples", err);
	return chosen;
}

/* Where and of whom a sample was taken. */
struct sample_place {
	struct thread *thread;
	struct process *process;
	struct location at;
};

static bool count_stack(struct replay *replay, const struct process *process,
			const struct record *rec, const struct event *event, uint64_t period,
			uint32_t address)
{
	return stacks_make_room(&replay->stacks, &replay->failed) == 0 &&
	       stacks_count(&replay->stacks, &replay->addresses, &replay->spaces, process, rec,
			    event, period, address);
}

/* Counts the waiting samples at @held, which are freed; with @ips they get their user part first.
 */
static bool count_held(struct replay *replay, struct process *process, struct deferred *held,
		       const struct span *ips)
{
	bool ok = true;

	while (held) {
		struct deferred *next = held->next;

		if (ips && ok)
			held = deferred_merge(held, *ips);
		if (!held)
			ok = false;
		else if (ok)
			ok = count_stack(replay, process, &held->rec, held->event, held->period,
					 held->leaf);
		free(held);
		held = next;
	}
	return ok;
}

/* Counts the sample on its call path, at once or when the rest of its chain has come. */
static bool count_path(struct replay *replay, const struct record *rec,
		       const struct sample_place *place, const struct event *event, uint64_t period,
		       uint32_t address)
{
	struct thread *thread = place->thread;
	uint64_t cookie;

	if (!deferred_cookie(rec, &cookie))
		return count_stack(replay, place->process, rec, event, period, address);
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

/* Before a thread or a process is forgotten: nothing more can come of its samples. */
static bool retire(void *arg, struct process *process, struct thread *thread)
{
	struct replay *replay = arg;

	if (thread && !count_held(replay, process, deferred_take_all(thread), NULL))
		return false;
	return processstat_retire(&replay->processes_stat, process, thread, &replay->failed) == 0;
}

/* The samples of @process that wait count as they are, for now. */
static bool count_waiting(struct replay *replay, const struct process *process)
{
	const struct list *head = &process->threads;

	for (const struct list *at = head->next; at != head; at = at->next) {
		const struct deferred *held = list_entry(at, struct thread, in_process)->deferred;

		for (; held; held = held->next) {
			if (!stacks_count_waiting(&replay->stacks, &replay->addresses,
						  &replay->spaces, process, &held->rec, held->event,
						  held->period, held->leaf))
				return false;
		}
	}
	return true;
}

/* What still waits has its call path as far as it is known, until more of it comes. */
static bool count_all_waiting(struct replay *replay)
{
	const struct list *head = &replay->processes.processes;

	stacks_forget_waiting(&replay->stacks);
	for (const struct list *at = head->next; at != head; at = at->next) {
		if (!count_waiting(replay, list_entry(at, struct process, in_table)))
			return false;
	}
	return true;
}

/* Adds the sample to its thread, its event, its address and its call path. */
static bool count_event(struct replay *replay, const struct record *rec,
			const struct sample_place *place, const struct event *event,
			uint64_t period)
{
	const struct location *at = &place->at;
	struct tally *tally = tallies_at(&place->thread->tallies, event->number);
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

/* The last values of the counters: an inherited one counts for each thread on its own. */
static struct readcount *counters_of(struct replay *replay, const struct record *rec,
				     struct thread *thread)
{
	if (!(rec->event->attr.flags & ATTR_INHERIT) || !(rec->has & HAS_TID))
		return &replay->counters;
	if (!thread->counters)
		thread->counters = calloc(1, sizeof(*thread->counters));
	return thread->counters;
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
	struct readcount *counters = counters_of(replay, rec, place->thread);
	struct sample_read read = rec->sample.read;
	struct read_value value;

	if (!counters)
		return false;
	while (sample_read_next(&read, &value)) {
		const struct event *event = rec->event;
		uint64_t delta;

		if (group)
			event = perffile_event_by_id(replay->file, value.id);
		if (!event)
			continue; /* a counter that the recording does not describe */
		if (!readcount_delta(counters, ids ? value.id : rec->sample.id, value.value,
				     &delta))
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
	if (replay->looked_at)
		chosen = look_at_sample(replay, rec, thread, &place.at, err);
	if (chosen < 0)
		return -1;
	if (chosen == 0)
		counted = eventstat_left_out(&replay->events, rec);
	else if (rec->sample.read.given)
		counted = count_values(replay, rec, &place);
	else
		counted = count_event(replay, rec, &place, rec->event, rec->sample.period);
	return counted ? chosen : fail(replay, "counting samples", err);
}

static bool apply_fork(struct process_table *processes, const struct record *rec)
{
	const struct fork_task task = {
		.pid = rec->pid,
		.ppid = rec->task.ppid,
		.tid = rec->tid,
		.ptid = rec->task.ptid,
		.time = rec->time,
		.copy_maps = !(rec->misc & MISC_FORK_EXEC),
	};

	return lifecycle_fork(processes, &task);
}

/* What the record changes in processes and maps. */
static bool apply_sideband(struct replay *replay, const struct record *rec)
{
	struct process_table *processes = &replay->processes;

	switch (rec->type) {
	case RECORD_MMAP:
	case RECORD_MMAP2:
		return addrspaces_mmap(&replay->spaces, processes, rec) &&
		       jit_mmap(&replay->jit, &replay->spaces.dsos, processes, rec);
	case RECORD_TIME_CONV:
		replay->jit.counter = rec->time_conv;
		return true;
	case RECORD_KSYMBOL:
		return addrspaces_ksymbol(&replay->spaces, processes, rec);
	case RECORD_COMM:
		return lifecycle_comm(processes, rec->pid, rec->tid, rec->comm.comm,
				      rec->comm.comm_len,
				      /* late, the new program's maps may be there already */
				      (rec->misc & MISC_COMM_EXEC) && !rec->late);
	case RECORD_FORK:
		return roots_apply(&replay->roots, rec) && apply_fork(processes, rec);
	case RECORD_NAMESPACES:
		return roots_apply(&replay->roots, rec);
	case RECORD_LOST:
	case RECORD_LOST_SAMPLES:
	case RECORD_THROTTLE:
	case RECORD_UNTHROTTLE:
		return eventstat_trouble(&replay->events, rec);
	case RECORD_EXIT:
		return lifecycle_exit(processes, rec->pid, rec->tid, rec->time);
	case RECORD_CALLCHAIN_DEFERRED:
		return apply_deferred(replay, rec);
	default:
		return true;
	}
}

/* The name that the thread of @rec has now, "" if nothing told of it. */
static const char *comm_of(const struct process_table *processes, const struct record *rec)
{
	const struct process *process;
	const struct thread *thread = NULL;

	if (!(rec->has & HAS_PID))
		return "";
	process = process_find(processes, rec->pid);
	if (rec->has & HAS_TID)
		thread = thread_find(processes, rec->pid, rec->tid);
	if (thread || process)
		return intern_get(&processes->strings, thread ? thread->comm : process->comm);
	return "";
}

/* Whether a record that is no sample passes: by its own fields, and by the name of its thread. */
static bool other_chosen(const struct replay *replay, const struct record *rec)
{
	const struct filter *filter = replay->filter;

	if (filter->binaries || filter->symbols || !filter_record(filter, rec))
		return false;
	return !filter->comms || filter_comm(filter, comm_of(&replay->processes, rec));
}

int replay_apply(struct replay *replay, const struct record *rec, struct error *err)
{
	int chosen = 1;

	replay->processes.now = rec->time;
	if (rec->time >= replay->jit.due && !jit_apply(&replay->jit, &replay->processes, rec->time))
		return error_nomem(err, "following processes");
	if (rec->type == RECORD_SAMPLE) {
		chosen = apply_sample(replay, rec, err);
		if (chosen < 0)
			return -1;
	} else {
		if (!apply_sideband(replay, rec))
			return fail(replay, "following processes", err);
		if (replay->filtered)
			chosen = other_chosen(replay, rec);
	}
	if (chosen && !recordstat_count(&replay->records, rec))
		return error_nomem(err, "counting records");
	return chosen;
}

/* Everything but the functions, which take the most work. */
static int sum_up(struct replay *replay, struct error *err)
{
	if (!eventstat_make(&replay->events))
		return error_nomem(err, "adding up events");
	if (processstat_make(&replay->processes_stat, &replay->processes, replay->events.nr, err) <
	    0)
		return -1;
	if (!binarystat_make(&replay->binaries, replay->functions.rows,
			     funcstat_count(&replay->functions), &replay->spaces.dsos,
			     replay->symbolizer) ||
	    !recordstat_make(&replay->records, perffile_counts(replay->file)))
		return error_nomem(err, "adding up binaries and records");
	facts_free(&replay->header);
	return replay->header_wanted ? perffile_describe(replay->file, &replay->header, err) : 0;
}

/* Gives all places their symbols; those in @known, unless NULL, are not looked up again. */
static int resolve_places(struct replay *replay, struct place_set *places,
			  struct known_symbols *known,
			  void (*tick)(void *arg, size_t done, size_t total), void *tick_arg,
			  struct error *err)
{
	const struct dso_table *dsos = &replay->spaces.dsos;

	if (known)
		known_symbols_take(known, places, dsos, &replay->addresses);
	if (place_set_resolve(places, replay->symbolizer, tick, tick_arg, err) < 0)
		return -1;
	if (known && !known_symbols_keep(known, places, dsos, &replay->addresses))
		return error_nomem(err, "keeping symbols");
	return 0;
}

/* Resolves the addresses, each once, and adds them up by function, and by line if that is wanted.
 */
static int sum_up_places(struct replay *replay, struct known_symbols *known,
			 void (*tick)(void *arg, size_t done, size_t total), void *tick_arg,
			 struct error *err)
{
	const struct dso_table *dsos = &replay->spaces.dsos;
	struct place_set places = {0};
	const struct funcstat_input functions = {
		.file = replay->file,
		.dsos = dsos,
		.addresses = &replay->addresses,
		.paths = &replay->stacks.paths,
		.places = &places,
		.blocks = replay->blocks_wanted ? &replay->blocks : NULL,
		.nr_events = perffile_nr_events(replay->file),
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

	/* What is known of a place has no details. */
	if (rc == 0)
		rc = resolve_places(replay, &places, details ? NULL : known, tick, tick_arg, err);
	if (rc == 0)
		rc = funcstat_make(&replay->functions, &functions, err);
	if (rc == 0 && details)
		rc = linestat_make(&replay->lines, &lines, err);
	place_set_free(&places);
	return rc;
}

/* Whether it matters that a binary has no debugging information. */
static bool wants_debug_info(const struct replay *replay)
{
	return replay->lines_wanted || replay->addresses_wanted || replay->inlined;
}

/* The results of all that was applied so far; @known: symbols of earlier ones, or NULL. */
static const struct results *make_results(struct replay *replay, struct known_symbols *known,
					  void (*tick)(void *arg, size_t done, size_t total),
					  void *tick_arg, struct error *err)
{
	tell_kernel(replay);
	if (!addrspaces_finish(&replay->spaces) || !address_flush(&replay->addresses) ||
	    !blocks_finish(&replay->blocks, &replay->addresses)) {
		error_nomem(err, "counting samples");
		return NULL;
	}
	if (sum_up_places(replay, known, tick, tick_arg, err) < 0 || sum_up(replay, err) < 0)
		return NULL;
	replay->results = (struct results){
		.events = replay->events.rows,
		.nr_events = replay->events.nr,
		.functions = replay->functions.rows,
		.nr_functions = funcstat_count(&replay->functions),
		.lines = replay->lines.lines,
		.nr_lines = replay->lines.index.nr,
		.addresses = replay->lines.addresses,
		.nr_addresses = replay->lines.nr_addresses,
		.inlined = replay->inlined,
		.binaries = replay->binaries.rows,
		.nr_binaries = replay->binaries.nr_rows,
		.unnamed = replay->binaries.has_unnamed ? &replay->binaries.unnamed : NULL,
		.unlined = wants_debug_info(replay) && replay->binaries.has_unlined
				   ? &replay->binaries.unlined
				   : NULL,
		.processes = processstat_processes(&replay->processes_stat),
		.threads = processstat_threads(&replay->processes_stat),
		.records = replay->records.rows,
		.nr_records = replay->records.nr_rows,
		.header = replay->header.rows,
		.nr_header = replay->header.nr_rows,
		.nr_untimed_dumps = replay->jit.nr_untimed,
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
	known_symbols_free(&replay->known);
	symbolizer_destroy(replay->symbolizer);
	replay->symbolizer = symbolizer_create(&replay->symbol_settings);
	return replay->symbolizer;
}

const struct results *replay_finish(struct replay *replay,
				    void (*tick)(void *arg, size_t done, size_t total),
				    void *tick_arg, struct error *err)
{
	if (!count_all_waiting(replay) || !forget_symbols(replay)) {
		fail(replay, "counting samples", err);
		return NULL;
	}
	return make_results(replay, NULL, tick, tick_arg, err);
}

void replay_destroy(struct replay *replay)
{
	if (!replay)
		return;
	binarystat_free(&replay->binaries);
	funcstat_free(&replay->functions);
	linestat_free(&replay->lines);
	processstat_free(&replay->processes_stat);
	recordstat_free(&replay->records);
	facts_free(&replay->header);
	known_symbols_free(&replay->known);
	stacks_free(&replay->stacks);
	readcount_free(&replay->counters);
	address_table_free(&replay->addresses);
	jit_free(&replay->jit);
	blocks_free(&replay->blocks);
	addrspaces_free(&replay->spaces);
	roots_free(&replay->roots);
	process_table_free(&replay->processes);
	symbolizer_destroy(replay->symbolizer);
	eventstat_free(&replay->events);
	free(replay);
}
