#include "decode/replay/countsample.h"

#include "decode/replay/crew.h"
#include "decode/replay/state.h"
#include "decode/stack/deferred.h"
#include "perffile/format.h"

#include <stdlib.h>

/*
 * Whether the sample passes the filters by its own fields. If it has counter values, their events
 * are checked in count_values().
 */
static bool fields_chosen(const struct filter *filter, const struct record *rec)
{
	return rec->sample.read.given ? filter_record_of_any_event(filter, rec)
				      : filter_record(filter, rec);
}

/* Returns 1 if the sample passes all filters, 0 if not, -1 with @err filled. */
static int sample_chosen(struct replay *replay, const struct record *rec,
			 const struct thread *thread, const struct location *at, struct error *err)
{
	const struct filter *filter = replay->settings.filter;
	const struct symbol *symbol;

	if (!fields_chosen(filter, rec) ||
	    !filter_comm(filter, intern_get(&replay->processes.strings, thread->comm)) ||
	    !filter_binary(filter, at->dso->path))
		return 0;
	if (!filter->symbols)
		return 1;
	replay_tell_kernel(replay);
	symbol = symbolizer_find(replay->symbolizer, at->dso, at->place, err);
	if (!symbol)
		return -1;
	return filter_symbol(filter, symbol->function);
}

/* Returns as sample_chosen(), which is asked if the fields of a tracepoint pass. */
static int filter_sample(struct replay *replay, const struct record *rec,
			 const struct thread *thread, const struct location *at, struct error *err)
{
	int passes = 1;

	if (replay->where.where->nr)
		passes = where_passes(&replay->where, replay->file, rec, thread->process, err);
	return passes > 0 ? sample_chosen(replay, rec, thread, at, err) : passes;
}

/* The thread, process and location of a sample. */
struct sample_place {
	struct thread *thread;
	struct process *process;
	struct location at;
	uint32_t tuple; /* of the keys of --per */
};

/*
 * The rarer work before counting: filters, slices of time, the keys of --per. Returns as
 * sample_chosen().
 */
static int look_at_sample(struct replay *replay, const struct record *rec,
			  struct sample_place *place, struct error *err)
{
	int chosen = 1;

	if (replay->filtered)
		chosen = filter_sample(replay, rec, place->thread, &place->at, err);
	if (chosen > 0 && replay->settings.noise &&
	    !replay_count_slice(replay, rec->has & HAS_TIME, rec->time))
		return replay_fail(replay, "counting samples", err);
	if (chosen > 0 && replay->split &&
	    samplesplit_tuple(&replay->by_keys, replay->file,
			      &(struct split_sample){place->thread, rec->time, rec->pid, rec->tid,
						     rec->cpu, rec->has, rec},
			      &place->tuple, err) < 0)
		return -1;
	return chosen;
}

/* If there is a window, counts the sample in it for @number of @kind (see enum recentcount_kind)
 * and the tuple of keys @tuple. */
static bool count_recent(struct replay *replay, const struct record *rec, uint32_t tuple,
			 size_t kind, uint32_t number, uint64_t period)
{
	return !replay->windowed || !(rec->has & HAS_TIME) ||
	       recentcount_count(
		       &replay->window, rec->time,
		       &(struct recentcount_count){(uint32_t)kind, number, tuple, {1, period}});
}

/* As count_recent(), and in the whole recording for the tuple. */
static bool count_aside(struct replay *replay, const struct record *rec, uint32_t tuple,
			size_t kind, uint32_t number, uint64_t period)
{
	if (!count_recent(replay, rec, tuple, kind, number, period))
		return false;
	if (!replay->split ||
	    splitcount_add(&replay->by_keys.counts, tuple, (uint32_t)kind, number, period))
		return true;
	samplesplit_fail(&replay->by_keys, &replay->failed);
	return false;
}

bool count_sample_split(void *arg, uint32_t address, uint32_t tuple, uint64_t period)
{
	struct replay *replay = arg;

	if (splitcount_add(&replay->by_keys.counts, tuple, RECENT_ADDRESS, address, period))
		return true;
	samplesplit_fail(&replay->by_keys, &replay->failed);
	return false;
}

static struct logged_sample logged(const struct stack_sample *sample, uint32_t number)
{
	const struct record *rec = sample->rec;

	return (struct logged_sample){
		.time = rec->has & HAS_TIME ? rec->time : SAMPLELOG_TIMELESS,
		.period = sample->period,
		.number = number,
		.thread = sample->thread < UINT32_MAX ? (uint32_t)sample->thread : 0,
	};
}

/* Keeps the sample on the path @number if an answer needs samples one by one. */
static bool log_sample(struct replay *replay, const struct stack_sample *sample, uint32_t number)
{
	struct logged_sample kept;

	if (!replay->log.on)
		return true;
	kept = logged(sample, number);
	return samplelog_add(&replay->log, &kept, replay->stacks.paths.nr_aside, &replay->failed) ==
	       0;
}

/* The first stack that is to be unwound: where the files of binaries are looked for is known now.
 */
static bool prepare_unwinding(struct replay *replay)
{
	struct unwindinfo *info = symbolizer_unwindinfo(replay->symbolizer);

	replay_tell_kernel(replay);
	stacks_prepare(&replay->stacks, info, perffile_machine(replay->file));
	return info;
}

/* Sets what the path of @rec needs to be known. */
static bool prepare_stack(struct replay *replay, const struct record *rec)
{
	struct stacks *stacks = &replay->stacks;

	if (user_part_is_lbr(stacks->mode, rec))
		stacks->unwinder.branches_kept = perffile_branches_kept(replay->file);
	return !stacks_need_info(stacks, rec) || prepare_unwinding(replay);
}

static bool count_stack(struct replay *replay, const struct stack_sample *sample)
{
	struct stacks *stacks = &replay->stacks;
	uint32_t path;

	if (!replay_claim_stacks(replay) || stacks_make_room(stacks, &replay->failed) < 0 ||
	    !prepare_stack(replay, sample->rec))
		return false;
	path = stacks_count(stacks, sample);
	replay->path = path;
	return path != CALLPATH_NONE &&
	       count_aside(replay, sample->rec, sample->tuple, RECENT_PATH + stacks->paths.nr_aside,
			   path, sample->period) &&
	       log_sample(replay, sample, path);
}

/* Finds the path of @sample, and has the crew count it: with a crew nothing else needs it. */
static bool leave_path_to_crew(struct replay *replay, const struct stack_sample *sample)
{
	if (!prepare_stack(replay, sample->rec))
		return false;
	if (crew_add_path(replay->crew, sample))
		return true;
	(void)crew_check(replay->crew, &replay->failed);
	return false;
}

/* The path of @held is known, and so is the place of the wait that it tells of. */
static bool place_wait(struct replay *replay, const struct deferred *held, bool came)
{
	return held->wait == WAIT_NO_PATH ||
	       switches_resolve(&replay->switched.switches, held->wait,
				(uint32_t)replay->stacks.paths.nr_aside, replay->path, came);
}

/*
 * Counts the waiting samples in @held and frees them. @ips: the user part of their chains; empty if
 * it did not come.
 */
static bool count_held(struct replay *replay, struct deferred *held, struct span ips)
{
	bool ok = true;

	stacks_share_tail(&replay->stacks, ips);
	while (held) {
		struct deferred *next = held->next;

		ok = ok && count_stack(replay, &held->sample) &&
		     place_wait(replay, held, span_left(&ips) > 0);
		free(held);
		held = next;
	}
	stacks_end_tail(&replay->stacks);
	return ok;
}

/* Counts the sample of @thread on its call path, or keeps it until the rest of its chain comes. */
static bool count_path(struct replay *replay, struct thread *thread,
		       const struct stack_sample *sample)
{
	uint64_t cookie;

	if (!deferred_cookie(sample->rec, &cookie)) {
		if (replay->crew && crew_takes_path(replay->crew))
			return leave_path_to_crew(replay, sample);
		return count_stack(replay, sample);
	}
	if (!count_held(replay, deferred_take_others(&thread->deferred, cookie),
			(struct span){0}) ||
	    !deferred_hold(&thread->deferred, sample, cookie))
		return false;
	replay->path = CALLPATH_NONE;
	replay->held = thread->deferred;
	return true;
}

bool count_sample_deferred(struct replay *replay, const struct record *rec)
{
	struct thread *thread;

	if (!(rec->has & HAS_PID) || !(rec->has & HAS_TID))
		return true;
	thread = process_thread_of_sample(&replay->processes, rec->pid, rec->tid);
	if (!thread ||
	    !count_held(replay, deferred_take_others(&thread->deferred, rec->deferred.cookie),
			(struct span){0}))
		return false;
	return count_held(replay, deferred_take_all(&thread->deferred), rec->deferred.ips);
}

bool count_sample_retire(void *arg, struct process *process, struct thread *thread)
{
	struct replay *replay = arg;

	if (thread && !count_held(replay, deferred_take_all(&thread->deferred), (struct span){0}))
		return false;
	return aggregates_retire(&replay->aggregates, process, thread, &replay->failed) == 0;
}

void count_sample_release(struct thread *thread)
{
	deferred_free(thread->deferred);
}

static bool log_waiting(struct replay *replay, const struct stack_sample *sample, uint32_t path)
{
	struct logged_sample kept;

	if (!replay->log.on)
		return true;
	kept = logged(sample, path);
	return samplelog_add_waiting(&replay->log, &kept);
}

/* Counts the waiting samples of @process temporarily, with the chains that they have. */
static bool count_waiting(struct replay *replay, const struct process *process)
{
	const struct list *head = &process->threads;

	for (const struct list *at = head->next; at != head; at = at->next) {
		const struct deferred *held = list_entry(at, struct thread, in_process)->deferred;

		for (; held; held = held->next) {
			const uint32_t path = stacks_count_waiting(&replay->stacks, &held->sample);

			if (path == CALLPATH_NONE ||
			    !count_aside(replay, &held->rec, held->sample.tuple, RECENT_WAITING,
					 path, held->sample.period) ||
			    !log_waiting(replay, &held->sample, path))
				return false;
			if (held->wait != WAIT_NO_PATH)
				pending_waits_place(&replay->switched.switches.pending, held->wait,
						    path);
		}
	}
	return true;
}

bool count_sample_waiting(struct replay *replay)
{
	const struct list *head = &replay->processes.processes;

	stacks_forget_waiting(&replay->stacks);
	recentcount_forget_waiting(&replay->window);
	splitcount_forget_waiting(&replay->by_keys.counts);
	samplelog_forget_waiting(&replay->log);
	for (const struct list *at = head->next; at != head; at = at->next) {
		if (!count_waiting(replay, list_entry(at, struct process, in_table)))
			return false;
	}
	return true;
}

/* Whether the crew can find the path of @rec, without other samples. Returns 1, 0, or -1 if memory
 * is out. */
static int crew_can_count(struct replay *replay, const struct record *rec)
{
	struct stacks *stacks = &replay->stacks;
	uint64_t cookie;

	if (!crew_takes(replay->crew, 1, CREW_STACKS) || deferred_cookie(rec, &cookie) ||
	    user_part_is_lbr(stacks->mode, rec))
		return 0;
	if (!user_part_needs_info(stacks->mode, rec))
		return 1;
	if (stacks_need_info(stacks, rec) && !prepare_unwinding(replay))
		return -1;
	crew_prepare(replay->crew, stacks->unwinder.places.info, stacks->unwinder.machine);
	/* Without it the binaries are asked, one after the other. */
	return stacks->unwinder.machine != NULL;
}

/* Leaves the sample to the crew. */
static bool leave_to_crew(struct replay *replay, const struct record *rec,
			  const struct sample_place *place, const struct event *event,
			  uint64_t period)
{
	const struct stack_sample sample = {.rec = rec, .event = event, .period = period};

	return replay_heed_crew(replay) && crew_add(replay->crew, place->process->maps, &sample);
}

/* Counts the sample at its address at once: call paths, window, log and aggregates need the number.
 */
__attribute__((noinline)) static bool count_address(struct replay *replay, const struct record *rec,
						    const struct sample_place *place,
						    const struct event *event, uint64_t period)
{
	const struct location *at = &place->at;
	const uint32_t address =
		address_get(&replay->addresses, event->number, at->dso->number, at->place);
	struct stack_sample sample;

	if (address == ADDRESS_NONE)
		return false;
	tally_add(&replay->addresses.addresses[address].self, 1, period);
	if (!count_aside(replay, rec, place->tuple, RECENT_ADDRESS, address, period))
		return false;
	if (!aggregates_sample(
		    &replay->aggregates,
		    &(struct counted_sample){rec, event, place->process, address, period},
		    &replay->failed))
		return false;
	sample = (struct stack_sample){place->process,	    rec,	 event, period, address,
				       place->thread->life, place->tuple};
	return event->chains ? count_path(replay, place->thread, &sample)
			     : log_sample(replay, &sample, SAMPLELOG_ADDRESS | address);
}

/* Adds the sample to its thread, its event, its address and its call path. */
static bool count_event(struct replay *replay, const struct record *rec,
			const struct sample_place *place, const struct event *event,
			uint64_t period)
{
	const struct location *at = &place->at;
	struct tally *tally = tallies_at(&place->thread->tallies, event->number);

	if (!tally ||
	    !eventstat_samples(&replay->events, record_cpu(rec), event, (struct tally){1, period}))
		return false;
	tally_add(tally, 1, period);
	if (event->chains && replay->crew) {
		const int can = crew_can_count(replay, rec);

		if (can != 0)
			return can > 0 && leave_to_crew(replay, rec, place, event, period);
	}
	if (event->chains || replay->numbered)
		return count_address(replay, rec, place, event, period);
	replay->addresses.tag = place->tuple;
	return address_add(&replay->addresses, event->number, at->dso->number, at->place, period);
}

/* Counts the sample for @event if it is @chosen, else as left out. */
static bool count_choice(struct replay *replay, const struct record *rec,
			 const struct sample_place *place, const struct event *event,
			 uint64_t period, bool chosen)
{
	if (chosen)
		return count_event(replay, rec, place, event, period);
	return eventstat_left_out(&replay->events, event, (struct tally){1, period}) &&
	       count_recent(replay, rec, 0, RECENT_LEFT_OUT, event->number, period);
}

/*
 * Returns the previous values of the counters: those of the thread if counters are inherited. NULL
 * if memory is out.
 */
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
 * Counts a sample that carries counter values once for each value, with the increase since the
 * previous value. As in perf, a member of a group whose value did not change has no sample. Values
 * without ids are ignored except the first, which belongs to the sample's own event. A sample that
 * is left out updates the previous values too, so that its counts are not added to the next sample.
 *
 * Returns @chosen, but 0 if events are filtered and no value is of a chosen event; -1 if memory is
 * out.
 */
static int count_values(struct replay *replay, const struct record *rec,
			const struct sample_place *place, int chosen)
{
	const struct attr *attr = &rec->event->attr;
	const struct filter *filter = replay->settings.filter;
	bool ids = attr->read_format & READ_ID, group = ids && attr->read_format & READ_GROUP;
	bool counts = chosen && !filter->events;
	struct readcount *counters = counters_of(replay, rec, place->thread);
	struct sample_read read = rec->sample.read;
	struct read_value value;

	if (!counters)
		return -1;
	while (sample_read_next(&read, &value)) {
		const struct event *event = rec->event;
		bool passes;
		uint64_t delta;

		if (group)
			event = perffile_event_by_id(replay->file, value.id);
		if (!event)
			continue; /* a counter that the recording does not describe */
		if (!readcount_delta(counters, ids ? value.id : rec->sample.id, value.value,
				     &delta))
			return -1;
		if (group && delta == 0)
			continue;
		passes = chosen && filter_of_event(filter, event);
		if (!count_choice(replay, rec, place, event, delta, passes))
			return -1;
		counts |= passes;
		if (!ids)
			break;
	}
	return counts;
}

int count_sample(struct replay *replay, const struct record *rec, struct error *err)
{
	const uint32_t pid = rec->has & HAS_PID ? rec->pid : PID_NONE;
	const uint32_t tid = rec->has & HAS_TID ? rec->tid : PID_NONE;
	struct thread *thread = process_thread_of_sample(&replay->processes, pid, tid);
	struct sample_place place = {.tuple = 0};
	int chosen = 1;

	if (!thread)
		return error_nomem(err, "counting samples");
	place.thread = thread;
	place.process = thread->process;
	place.at = addrspaces_locate(&replay->spaces, thread->process, record_cpumode(rec),
				     rec->sample.ip);
	if (!dso_set_has(&replay->met, place.at.dso))
		replay_meet(replay, place.at.dso);
	if (replay->looked_at)
		chosen = look_at_sample(replay, rec, &place, err);
	if (chosen < 0)
		return -1;
	if (rec->sample.read.given)
		chosen = count_values(replay, rec, &place, chosen);
	else if (!count_choice(replay, rec, &place, rec->event, rec->sample.period, chosen))
		chosen = -1;
	return chosen < 0 ? replay_fail(replay, "counting samples", err) : chosen;
}
