/* Plain samples: counted in bulk, where nothing is asked of them but where they are. */
#include "decode/replay/countsample.h"
#include "decode/replay/state.h"

bool replay_takes_plain(const struct replay *replay)
{
	return stacks_take_recorded(&replay->stacks) && !replay->filtered && !replay->split &&
	       !replay->numbered && !replay->switched.wanted && !replay->tracing.wanted &&
	       aggregates_take_plain(&replay->aggregates);
}

/* Samples that follow each other, of one thread and event on one CPU, not yet counted for these. */
struct same_samples {
	const struct plain_sample *first;
	struct thread *thread;
	struct tally tally;
};

/* Whether @sample is of the thread and the event, and on the CPU, of the one before it. */
static inline bool goes_on(const struct plain_sample *sample, const struct plain_sample *before)
{
	return sample->tid == before->tid && sample->pid == before->pid &&
	       sample->cpu == before->cpu && sample->event == before->event;
}

/* Counts @same for their thread and event. Returns false if memory is out. */
static bool count_same(struct replay *replay, const struct same_samples *same)
{
	const struct event *event = same->first->event;
	struct tally *tally = tallies_at(&same->thread->tallies, event->number);

	if (!tally)
		return false;
	tally_add(tally, same->tally.samples, same->tally.period);
	return eventstat_samples(&replay->events, same->first->cpu, event, same->tally);
}

/* Starts @same with @sample. Returns false if memory is out. */
static bool start_same(struct replay *replay, struct same_samples *same,
		       const struct plain_sample *sample)
{
	*same = (struct same_samples){.first = sample};
	same->thread = process_thread_of_sample(&replay->processes, sample->pid, sample->tid);
	return same->thread;
}

/* Code that a JIT compiler makes comes, and slices end, at their time. Returns false if memory is
 * out. */
static inline bool move_on(struct replay *replay, uint64_t time)
{
	replay->processes.now = time;
	if (replay->settings.noise &&
	    !time_slices_sample(&replay->slices, &replay->addresses, true, time))
		return false;
	return time < replay->jit.due || jit_code_apply(&replay->jit, &replay->processes, time);
}

/* Counts @sample of @process at its address @at and on its call path. Returns false if memory is
 * out. */
static bool count_chain(struct replay *replay, const struct process *process,
			const struct plain_sample *sample, bool swap, const struct location *at)
{
	struct address_table *addresses = &replay->addresses;
	const uint32_t leaf =
		address_get(addresses, sample->event->number, at->dso->number, at->place);

	if (leaf == ADDRESS_NONE || stacks_make_room(&replay->stacks, &replay->failed) < 0)
		return false;
	tally_add(&addresses->addresses[leaf].self, 1, sample->period);
	return stacks_count_plain(&replay->stacks, process, sample, swap, leaf) != CALLPATH_NONE;
}

/* Counts @sample of @thread at its address. Returns false if memory is out. */
static inline bool count_place(struct replay *replay, const struct thread *thread,
			       const struct plain_sample *sample, bool swap)
{
	const struct location at = addrspaces_locate(&replay->spaces, thread->process,
						     (enum cpumode)sample->cpumode, sample->ip);

	if (at.dso != replay->sampled)
		count_sample_in(replay, at.dso);
	if (sample->event->chains)
		return count_chain(replay, thread->process, sample, swap, &at);
	return address_add(&replay->addresses, sample->event->number, at.dso->number, at.place,
			   sample->period);
}

static bool count_all(struct replay *replay, const struct plain_samples *samples)
{
	struct same_samples same = {0};

	for (size_t i = 0; i < samples->nr; i++) {
		const struct plain_sample *sample = &samples->samples[i];

		if (!move_on(replay, sample->time))
			return false;
		if (i == 0 || !goes_on(sample, sample - 1)) {
			if ((i && !count_same(replay, &same)) || !start_same(replay, &same, sample))
				return false;
		}
		tally_add(&same.tally, 1, sample->period);
		if (!count_place(replay, same.thread, sample, samples->swap))
			return false;
	}
	return samples->nr == 0 || count_same(replay, &same);
}

int replay_apply_plain(struct replay *replay, const struct plain_samples *samples,
		       struct error *err)
{
	if (!count_all(replay, samples) || !aggregates_plain(&replay->aggregates, samples))
		return replay_fail(replay, "counting samples", err);
	return 0;
}
