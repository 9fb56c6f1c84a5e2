/* Plain samples: counted in bulk, where nothing is asked of them but where they are. */
#include "decode/replay/countsample.h"
#include "decode/replay/crew.h"
#include "decode/replay/gapsamples.h"
#include "decode/replay/state.h"
#include "perffile/format.h"
#include "util/prefetch.h"

/* Whether @file may have a hardware trace, which comes from an event of a PMU of its own. */
static bool may_have_trace(const struct perffile *file)
{
	for (size_t i = 0; i < perffile_nr_events(file); i++)
		if (perffile_event(file, i)->attr.type > ATTR_TYPE_BREAKPOINT)
			return true;
	return perffile_events_come(file);
}

/* Whether samples of @file may tell of switches of threads: those of tracepoints and of waits. */
static bool may_tell_switches(const struct perffile *file)
{
	for (size_t i = 0; i < perffile_nr_events(file); i++) {
		const struct event *event = perffile_event(file, i);

		if (event->offcpu || event->attr.type == ATTR_TYPE_TRACEPOINT)
			return true;
	}
	return perffile_events_come(file);
}

/* Whether samples can be split by the keys of --per in bulk. Those with call chains cannot. */
static bool can_split(const struct replay *replay)
{
	const struct perffile *file = replay->file;

	for (size_t i = 0; i < perffile_nr_events(file); i++)
		if (perffile_event(file, i)->chains)
			return false;
	return !perffile_events_come(file) && samplesplit_takes_plain(&replay->by_keys);
}

/* Whether the filters can be asked in bulk. */
static bool can_filter(const struct replay *replay)
{
	return filter_is_of_threads(replay->settings.filter) && !replay->settings.noise;
}

bool replay_takes_plain(const struct replay *replay)
{
	return stacks_take_recorded(&replay->stacks) && (!replay->filtered || can_filter(replay)) &&
	       (!replay->split || can_split(replay)) && !replay->numbered &&
	       !(replay->switched.wanted && may_tell_switches(replay->file)) &&
	       !(replay->tracing.wanted && may_have_trace(replay->file)) &&
	       aggregates_take_plain(&replay->aggregates);
}

bool replay_takes_gaps(const struct replay *replay)
{
	return replay_takes_plain(replay) && !replay->split;
}

bool replay_takes_leaps(const struct replay *replay)
{
	return replay_takes_gaps(replay) && !replay->settings.noise;
}

/* Samples that follow each other, of one thread and event on one CPU, not yet counted for these. */
struct same_samples {
	const struct plain_sample *first;
	size_t nr;
	struct thread *thread;
	struct tally tally;
	bool left_out; /* a filter leaves them out */
};

/* Whether @sample is of the thread and the event, and on the CPU, of @first, and @timed takes the
 * time of both or of neither. @timed: NULL if all times pass. */
static inline bool goes_on(const struct plain_sample *sample, const struct plain_sample *first,
			   const struct filter *timed)
{
	return sample->tid == first->tid && sample->pid == first->pid &&
	       sample->cpu == first->cpu && sample->event == first->event &&
	       (!timed ||
		filter_takes_time(timed, sample->time) == filter_takes_time(timed, first->time));
}

/* The samples to come have the keys of @sample of @thread. Returns false if memory is out. */
static bool set_tuple(struct replay *replay, const struct plain_sample *sample,
		      const struct thread *thread)
{
	const struct split_sample keys = {
		.thread = thread,
		.time = sample->time,
		.pid = sample->pid,
		.tid = sample->tid,
		.cpu = sample->cpu,
		.has = plain_sample_has(sample),
	};

	return samplesplit_tuple(&replay->by_keys, replay->file, &keys, &replay->addresses.tag,
				 &replay->failed) == 0;
}

static bool is_left_out(const struct replay *replay, const struct plain_sample *sample,
			const struct thread *thread)
{
	const char *comm = intern_get(&replay->processes.strings, thread->comm);

	return !filter_plain(replay->settings.filter, sample, comm);
}

/* Starts @same with @sample. Returns false if its thread is not known, or memory is out. */
static bool start_same(struct replay *replay, struct same_samples *same,
		       const struct plain_sample *sample, bool known)
{
	struct process_table *processes = &replay->processes;

	*same = (struct same_samples){.first = sample};
	if (known) {
		same->thread = process_thread_known(processes, sample->pid, sample->tid);
	} else {
		processes->now = sample->time; /* of a thread that is new */
		same->thread = process_thread_of_sample(processes, sample->pid, sample->tid);
	}
	if (!same->thread)
		return false;
	same->left_out = replay->filtered && is_left_out(replay, sample, same->thread);
	return !replay->split || same->left_out || set_tuple(replay, sample, same->thread);
}

/* The time in ns from which on something ends or begins that samples depend on. */
static uint64_t due_time(const struct replay *replay)
{
	const struct time_slices *slices = &replay->slices;
	uint64_t end = UINT64_MAX;

	if (replay->settings.noise)
		end = slices->begun ? slices->end : 0;
	return end < replay->jit.due ? end : replay->jit.due;
}

/* Code that a JIT compiler makes comes, and slices end, at their time. Returns false if memory is
 * out. */
static bool move_on(struct replay *replay, uint64_t time)
{
	replay->processes.now = time;
	if (replay->settings.noise && !replay_count_slice(replay, true, time))
		return false;
	return time < replay->jit.due || jit_code_apply(&replay->jit, &replay->processes, time);
}

/* Samples with chains that wait to be counted. */
struct waiting_chains {
	struct stack_plain samples[STACKS_PLAIN_MAX];
	size_t nr;
	bool swap;
};

/* Counts what waits. Returns false if memory is out. */
static bool flush(struct replay *replay, struct waiting_chains *waiting)
{
	const size_t nr = waiting->nr;

	waiting->nr = 0;
	return nr == 0 ||
	       (replay_claim_stacks(replay) &&
		stacks_make_room(&replay->stacks, &replay->failed) == 0 &&
		stacks_count_plain(&replay->stacks, waiting->samples, nr, waiting->swap));
}

/* Passes @same, which the filters take, to the aggregates. Returns false if memory is out. */
static bool pass_on(const struct replay *replay, const struct same_samples *same, bool swap)
{
	const struct plain_samples samples = {
		.samples = same->first,
		.nr = same->nr,
		.first = same->first->time,
		.last = same->first[same->nr - 1].time,
		.swap = swap,
	};

	return aggregates_plain(&replay->aggregates, &samples);
}

/* Counts @samples of @event on @cpu for their thread and event. Returns false if memory is out. */
static bool count_for_thread(struct replay *replay, struct thread *thread,
			     const struct event *event, uint32_t cpu, struct tally samples)
{
	struct tally *tally = tallies_at(&thread->tallies, event->number);

	if (!tally)
		return false;
	tally_add(tally, samples.samples, samples.period);
	return eventstat_samples(&replay->events, cpu, event, samples);
}

/* Counts @same for their thread and event, and has the crew count the rest, if it @shares them.
 * Returns false if memory is out. */
static bool count_same(struct replay *replay, const struct same_samples *same, bool shares,
		       bool swap)
{
	const struct event *event = same->first->event;

	if (same->left_out)
		return eventstat_left_out(&replay->events, event, same->tally);
	if (!count_for_thread(replay, same->thread, event, same->first->cpu, same->tally) ||
	    (replay->filtered && !pass_on(replay, same, swap)))
		return false;
	return !shares || crew_add_plain(replay->crew, same->thread->process->maps, same->first,
					 same->nr, swap);
}

/* Samples that follow each other, and how they are counted. */
struct plain_row {
	const struct plain_sample *at, *end;
	uint64_t due; /* ns: something is to be done before those from then on are counted */
	bool shares;  /* the crew counts them */
	bool known;   /* only samples of known threads are counted */
	bool swap;    /* as in struct plain_samples */
};

/* So many samples ahead one is fetched into the cache: the reader, on another core, wrote it. */
enum { SAMPLES_AHEAD = 16, PACKED_AHEAD = 64 };

/* What is done with each of some samples that go on. */
enum each_sample {
	EACH_LEFT,    /* to the crew, or out */
	EACH_COUNTED, /* it is counted where it is */
	EACH_WAITS,   /* the same, and it has a call chain */
};

/* Where @process executes @ip in @cpumode; takes note of the dso. */
__attribute__((always_inline)) static inline struct location
locate(struct replay *replay, const struct process *process, enum cpumode cpumode, uint64_t ip)
{
	const struct location at = addrspaces_locate(&replay->spaces, process, cpumode, ip);

	if (!dso_set_has(&replay->met, at.dso))
		replay_meet(replay, at.dso);
	return at;
}

/* Counts @sample of @process and event number @event at its address, or has it wait. Returns false
 * if memory is out. */
__attribute__((always_inline)) static inline bool
count_place(struct replay *replay, const struct process *process, uint32_t event,
	    const struct plain_sample *sample, enum each_sample each,
	    struct waiting_chains *waiting)
{
	const struct location at =
		locate(replay, process, (enum cpumode)sample->cpumode, sample->ip);

	if (each == EACH_COUNTED)
		return address_add(&replay->addresses, event, at.dso->number, at.place,
				   sample->period);
	waiting->samples[waiting->nr++] = (struct stack_plain){sample, process, at};
	return waiting->nr < STACKS_PLAIN_MAX || flush(replay, waiting);
}

/* Takes from @row the samples that go on from its first one, which @same starts with, up to the
 * time that is due. @each is a constant, for speed. Returns false if memory is out. */
__attribute__((always_inline)) static inline bool
take_each(struct replay *replay, struct plain_row *row, struct same_samples *same,
	  struct waiting_chains *waiting, enum each_sample each)
{
	const struct filter *timed =
		replay->settings.filter->has_time ? replay->settings.filter : NULL;
	const struct plain_sample *const first = row->at, *const end = row->end, *sample = first;
	const struct process *process = same->thread->process;
	const uint32_t event = first->event->number;
	const uint64_t due = row->due;
	struct tally tally = {0};

	do {
		prefetch_read(sample + SAMPLES_AHEAD);
		tally_add(&tally, 1, sample->period);
		if (each != EACH_LEFT &&
		    !count_place(replay, process, event, sample, each, waiting))
			return false;
		sample++;
	} while (sample < end && sample->time < due && goes_on(sample, first, timed));
	row->at = sample;
	same->nr = (size_t)(sample - first);
	same->tally = tally;
	return true;
}

static bool take_same(struct replay *replay, struct plain_row *row, struct same_samples *same,
		      struct waiting_chains *waiting)
{
	if (row->shares || same->left_out)
		return take_each(replay, row, same, waiting, EACH_LEFT);
	if (same->first->event->chains)
		return take_each(replay, row, same, waiting, EACH_WAITS);
	return take_each(replay, row, same, waiting, EACH_COUNTED);
}

/* Counts the first ones of @row, up to the time that is due. Returns false if memory is out. */
static bool count_until(struct replay *replay, struct plain_row *row)
{
	struct waiting_chains waiting;
	struct same_samples same;

	waiting.swap = row->swap;
	waiting.nr = 0;
	do {
		if (!start_same(replay, &same, row->at, row->known))
			return row->known && flush(replay, &waiting);
		if (!take_same(replay, row, &same, &waiting) ||
		    !count_same(replay, &same, row->shares, row->swap))
			return false;
	} while (row->at < row->end && row->at->time < row->due);
	return flush(replay, &waiting);
}

/* Counts @row, whose samples are in the order of time. Returns false if memory is out. */
static bool count_ordered(struct replay *replay, struct plain_row *row)
{
	while (row->at < row->end) {
		if (row->at->time >= due_time(replay) && !move_on(replay, row->at->time))
			return false;
		row->due = due_time(replay);
		if (!count_until(replay, row))
			return false;
	}
	return true;
}

/* ---- gaps: samples in any order -------------------------------------------------------------- */

bool replay_end_gap(struct replay *replay)
{
	struct gap_samples *gap = &replay->gap;
	struct plain_row row = {.at = gap->list, .swap = gap->swap};
	bool ok;

	if (gap->nr == 0)
		return true;
	gap_samples_sort(gap);
	row.end = gap->list + gap->nr;
	ok = count_ordered(replay, &row);
	gap_samples_clear(gap);
	return ok;
}

/* The samples to come are of the gap that ends at @gap_end. Returns false if memory is out. */
static bool start_gap(struct replay *replay, uint64_t gap_end)
{
	if (replay->gap.end != gap_end && !replay_end_gap(replay))
		return false;
	replay->gap.end = gap_end;
	return true;
}

/* Has the first samples of @row wait: all, or those of the first one's thread. Returns false if
 * memory is out. */
static bool wait_in_gap(struct replay *replay, struct plain_row *row, bool all)
{
	struct gap_samples *gap = &replay->gap;
	const struct plain_sample *const first = row->at;

	do
		row->at++;
	while (row->at < row->end &&
	       (all || (row->at->tid == first->tid && row->at->pid == first->pid)));
	return gap_samples_hold(gap, first, (size_t)(row->at - first), row->swap) &&
	       (!gap_samples_full(gap) || replay_end_gap(replay));
}

/* Counts samples of the gap that ends at @gap_end. Those wait whose thread is not known yet, or
 * all, if something is due in the gap. Returns false if memory is out. */
static bool count_gap(struct replay *replay, struct plain_row *row, uint64_t gap_end)
{
	bool all;

	if (!start_gap(replay, gap_end))
		return false;
	all = gap_end >= due_time(replay);
	row->due = UINT64_MAX;
	row->known = true;
	while (row->at < row->end) {
		if (!all && !count_until(replay, row))
			return false;
		if (row->at < row->end && !wait_in_gap(replay, row, all))
			return false;
	}
	return true;
}

/* By the first of @samples: mostly all events of a recording have chains, or none has. */
static enum crew_samples kind_of(const struct plain_samples *samples)
{
	return samples->samples->event->chains ? CREW_CHAINS : CREW_PLAIN;
}

static bool count_all(struct replay *replay, const struct plain_samples *samples)
{
	const struct plain_sample *first = samples->samples;
	struct plain_row row = {
		.at = first,
		.end = first + samples->nr,
		.shares = samples->are_held &&
			  crew_takes(replay->crew, samples->nr, kind_of(samples)),
		.swap = samples->swap,
	};

	if (row.shares && !replay_heed_crew(replay))
		return false;
	if (samples->gap_end ? !count_gap(replay, &row, samples->gap_end)
			     : !count_ordered(replay, &row))
		return false;
	replay->processes.now = samples->last;
	return true;
}

/* ---- packed samples -------------------------------------------------------------------------- */

bool replay_takes_packed(const struct replay *replay)
{
	return replay_takes_gaps(replay) && !replay->filtered && !replay->settings.noise &&
	       !crew_wants(replay->crew, CREW_PLAIN);
}

/* Counts @run, of @thread. Returns false if memory is out. */
static bool count_run(struct replay *replay, struct thread *thread, const struct packed_run *run)
{
	const struct process *process = thread->process;
	const uint32_t event = run->event->number;

	if (!count_for_thread(replay, thread, run->event, run->cpu,
			      (struct tally){run->nr, run->period}))
		return false;
	for (uint32_t i = 0; i < run->nr; i++) {
		const struct packed_sample *sample = &run->samples[i];
		const struct location at = locate(
			replay, process, (enum cpumode)packed_sample_cpumode(sample), sample->ip);

		prefetch_read(sample + PACKED_AHEAD);
		if (!address_add(&replay->addresses, event, at.dso->number, at.place,
				 packed_sample_period(sample)))
			return false;
	}
	return true;
}

/* Counts the samples of @run one by one. Returns false if memory is out. */
static bool count_unpacked(struct replay *replay, const struct packed_run *run, uint64_t gap_end)
{
	struct plain_sample some[PLAIN_SAMPLES_MAX];
	struct plain_samples samples = {.samples = some, .gap_end = gap_end};

	for (size_t i = 0; i < run->nr; i += samples.nr) {
		for (samples.nr = 0; samples.nr < PLAIN_SAMPLES_MAX && i + samples.nr < run->nr;
		     samples.nr++)
			some[samples.nr] = packed_run_at(run, i + samples.nr);
		samples.first = some[0].time;
		samples.last = some[samples.nr - 1].time;
		if (!count_all(replay, &samples))
			return false;
	}
	return true;
}

/* The thread of @run; NULL if memory is out or, if it has to be @known, if it is not. */
static struct thread *thread_of(struct replay *replay, const struct packed_run *run, bool known)
{
	struct process_table *processes = &replay->processes;

	if (known)
		return process_thread_known(processes, run->pid, run->tid);
	processes->now = run->first; /* of a thread that is new */
	return process_thread_of_sample(processes, run->pid, run->tid);
}

/* Counts packed samples: as count_all(). */
static bool count_packed(struct replay *replay, const struct plain_samples *samples)
{
	const bool known = samples->gap_end;
	const uint64_t end = known ? samples->gap_end : samples->last;
	bool ok = !known || start_gap(replay, samples->gap_end);
	const bool in_bulk = ok && end < due_time(replay);

	for (size_t i = 0; ok && i < samples->nr_runs; i++) {
		const struct packed_run *run = &samples->runs[i];
		struct thread *thread = in_bulk ? thread_of(replay, run, known) : NULL;

		if (thread)
			ok = count_run(replay, thread, run);
		else
			ok = (!in_bulk || known) && count_unpacked(replay, run, samples->gap_end);
	}
	replay->processes.now = samples->last;
	return ok;
}

int replay_apply_plain(struct replay *replay, const struct plain_samples *samples,
		       struct error *err)
{
	if (!(samples->samples ? count_all(replay, samples) : count_packed(replay, samples)) ||
	    (!replay->filtered && !aggregates_plain(&replay->aggregates, samples)))
		return replay_fail(replay, "counting samples", err);
	replay_tell_places(replay);
	return 0;
}
