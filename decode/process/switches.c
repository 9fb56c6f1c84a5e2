#include "decode/process/switches.h"

#include "util/array.h"

#include <stdlib.h>

enum { CPUS_MAX = 1 << 16 };

enum switch_phase {
	UNSEEN,
	EARLY, /* woken, and it has not left in the recording */
	RUNNING,
	AWAY,
	WOKEN, /* after it left */
};

struct switch_thread {
	struct chain_node by_number;
	enum switch_phase phase;
	uint32_t tid, cpu;	 /* cpu: if it runs, and if that is known */
	struct wait_place place; /* where it left; its pid and comm are those known last */
	uint64_t since;		 /* ns: it was woken (EARLY), runs, or is away */
	uint64_t woken;		 /* ns: WOKEN */
	uint64_t early;		 /* ns that EARLY took */
	uint64_t losses;	 /* switches->losses then */
	/* What is missing of it, unless it is one of which nothing else is known: of the threads of
	 * other processes, samples of sched_switch tell that they come, but not that they leave. */
	uint64_t begins, missed;
	bool has_cpu, has_early, preempted, chosen, forked, exiting;
};

/* The last switch of a CPU. */
struct switch_cpu {
	uint32_t prev, next;
	uint32_t event; /* number of the event that tells of it */
	bool known;
};

static struct switch_thread *find_thread(const struct switches *switches, uint32_t number)
{
	struct chain_node *node = chains_first(&switches->threads, number);

	return node ? chain_entry(node, struct switch_thread, by_number) : NULL;
}

static struct switch_thread *get_thread(struct switches *switches, uint32_t number)
{
	struct switch_thread *thread = find_thread(switches, number);

	if (thread)
		return thread;
	thread = calloc(1, sizeof(*thread));
	if (!thread || !chains_add(&switches->threads, &thread->by_number, number)) {
		free(thread);
		return NULL;
	}
	thread->place.pid = thread->tid = PID_NONE;
	return thread;
}

static void remove_thread(struct switches *switches, struct switch_thread *thread)
{
	chains_remove(&switches->threads, &thread->by_number);
	free(thread);
}

/* ---- places that are known later ------------------------------------------------------------- */

bool switches_add_wait(struct switches *switches, const struct wait_place *place,
		       const struct wait_sum *sum)
{
	if (place->table != WAIT_PENDING)
		return waits_add(&switches->waits, place, sum);
	pending_waits_add(&switches->pending, place, sum);
	return true;
}

bool switches_resolve(struct switches *switches, uint32_t number, uint32_t table, uint32_t path,
		      bool came)
{
	struct pending_wait wait = pending_waits_end(&switches->pending, number);
	struct switch_thread *thread = find_thread(switches, wait.thread);
	struct wait_place *place = &wait.entry.place;

	if (thread && thread->place.table == WAIT_PENDING && thread->place.path == number) {
		thread->place.table = table;
		thread->place.path = path;
	}
	if (wait.entry.sum.count == 0)
		return true; /* it has not ended */
	switches->gaps.chainless += !came;
	place->table = table;
	place->path = path;
	return waits_add(&switches->waits, place, &wait.entry.sum);
}

/* ---- time that has passed -------------------------------------------------------------------- */

static void add(uint64_t *to, uint64_t more)
{
	if (__builtin_add_overflow(*to, more, to))
		*to = UINT64_MAX;
}

/*
 * Sets *@times to those of @thread; NULL if it has no record of its own that would tell of it.
 * Returns false if memory is out.
 */
static bool find_times(const struct switches *switches, const struct switch_thread *thread,
		       struct switch_times **times)
{
	const uint32_t pid = thread->place.pid, tid = thread->tid;
	struct thread *of = NULL;

	*times = NULL;
	if (pid != PID_NONE && tid != PID_NONE)
		of = process_thread_find(switches->processes, pid, tid);
	if (!of)
		return true;
	if (!of->switched)
		of->switched = calloc(1, sizeof(*of->switched));
	*times = of->switched;
	return *times;
}

/* Whether the phase of @thread, which ends at @time, is known from its begin to its end. */
static bool is_whole(struct switches *switches, const struct switch_thread *thread, uint64_t time)
{
	if (thread->losses != switches->losses) {
		switches->gaps.lost++;
		return false;
	}
	if (time < thread->since || (thread->phase == WOKEN && time < thread->woken)) {
		switches->gaps.backwards++;
		return false;
	}
	return true;
}

static void begin_phase(struct switches *switches, struct switch_thread *thread,
			enum switch_phase phase, uint64_t time)
{
	thread->phase = phase;
	thread->since = time;
	thread->losses = switches->losses;
}

/* The absence of @thread, which ends at @time. */
static struct wait_sum absence_of(const struct switch_thread *thread, uint64_t time)
{
	const uint64_t woken = thread->phase == WOKEN ? thread->woken : time;
	struct wait_sum sum = {.count = 1, .max = time - thread->since};

	if (thread->preempted) {
		sum.preempt = time - thread->since;
	} else {
		sum.wait = woken - thread->since;
		sum.delay = time - woken;
	}
	return sum;
}

static bool count_absence(struct switches *switches, const struct switch_thread *thread,
			  const struct wait_sum *sum)
{
	struct switch_times *times;

	if (!find_times(switches, thread, &times))
		return false;
	if (times) {
		add(&times->off, sum->wait);
		add(&times->delay, sum->delay);
		add(&times->delay, sum->preempt);
	}
	return !thread->chosen || switches_add_wait(switches, &thread->place, sum);
}

/*
 * The delay before the thread was first seen to run: where it had left is not known. It is all that
 * counts of a wait that began outside of the recording; a new thread has only waited to run.
 */
static bool count_early(struct switches *switches, struct switch_thread *thread)
{
	const struct wait_sum sum = {
		.delay = thread->early,
		.count = thread->forked,
		.max = thread->forked ? thread->early : 0,
	};
	const struct wait_place there = thread->place;
	bool ok;

	thread->has_early = false;
	thread->place.table = 0;
	thread->place.path = WAIT_NO_PATH;
	thread->place.state = 0;
	thread->place.has_state = false;
	ok = count_absence(switches, thread, &sum);
	thread->place = there;
	return ok;
}

/* ---- what records tell ----------------------------------------------------------------------- */

/* Counts what is missing of @thread, which leaves. */
static void count_missing(struct switches *switches, struct switch_thread *thread)
{
	switches->gaps.begins += thread->begins;
	switches->gaps.missed += thread->missed;
	thread->begins = thread->missed = 0;
}

static bool count_leaving(struct switches *switches, struct switch_thread *thread,
			  const struct switch_out *out)
{
	struct switch_times *times;

	if (!find_times(switches, thread, &times))
		return false;
	if (times) {
		times->switches++;
		times->preemptions += out->preempted;
	}
	thread->missed += thread->phase == AWAY || thread->phase == WOKEN;
	count_missing(switches, thread);
	if (thread->phase == RUNNING && is_whole(switches, thread, out->time) && times)
		add(&times->on, out->time - thread->since);
	return !thread->has_early || count_early(switches, thread);
}

/* Notes who leaves, and where; records of a thread that has exited have no ids of their own. */
static void note_leaving(struct switch_thread *thread, const struct switch_out *out)
{
	const uint32_t pid = out->tid == PID_NONE ? thread->place.pid : out->place.pid;

	thread->place = out->place;
	thread->place.pid = pid;
	if (out->tid != PID_NONE)
		thread->tid = out->tid;
	thread->chosen = out->chosen;
}

/* Why @thread left may only be told by the second record of it. Returns false if memory is out. */
static bool learn_preempted(struct switches *switches, struct switch_thread *thread,
			    const struct switch_out *out)
{
	struct switch_times *times;

	if (thread->phase != AWAY || thread->place.has_state || !out->preempted ||
	    thread->preempted)
		return true;
	thread->preempted = true;
	if (!find_times(switches, thread, &times))
		return false;
	if (times)
		times->preemptions++;
	return true;
}

bool switches_leave(struct switches *switches, const struct switch_out *out)
{
	struct switch_thread *thread = find_thread(switches, out->number);

	if (out->number == 0)
		return true;
	if (out->again && (!thread || thread->phase != RUNNING))
		return !thread || learn_preempted(switches, thread, out);
	if (!thread)
		thread = get_thread(switches, out->number);
	if (!thread)
		return false;
	note_leaving(thread, out);
	if (!count_leaving(switches, thread, out))
		return false;
	if (out->dead || thread->exiting) {
		remove_thread(switches, thread);
		return true;
	}
	thread->preempted = out->preempted;
	begin_phase(switches, thread, AWAY, out->time);
	return true;
}

/* What was until the thread comes, at @time. */
static bool end_absence(struct switches *switches, struct switch_thread *thread, uint64_t time)
{
	struct wait_sum sum;

	if (thread->phase != AWAY && thread->phase != WOKEN)
		thread->begins += !thread->forked;
	if (thread->phase == UNSEEN || !is_whole(switches, thread, time))
		return true;
	if (thread->phase == EARLY) {
		thread->has_early = true;
		thread->early = time - thread->since;
		return true;
	}
	sum = absence_of(thread, time);
	return count_absence(switches, thread, &sum);
}

bool switches_enter(struct switches *switches, uint32_t number, uint64_t time, bool again)
{
	struct switch_thread *thread;

	if (number == 0)
		return true;
	thread = get_thread(switches, number);
	if (!thread)
		return false;
	if (thread->phase == RUNNING) {
		if (again)
			return true;
		thread->missed++;
	} else if (!end_absence(switches, thread, time)) {
		return false;
	}
	thread->has_cpu = false;
	begin_phase(switches, thread, RUNNING, time);
	return true;
}

bool switches_wake(struct switches *switches, uint32_t number, uint64_t time)
{
	struct switch_thread *thread;

	if (number == 0)
		return true;
	thread = get_thread(switches, number);
	if (!thread)
		return false;
	if (thread->phase == UNSEEN) {
		begin_phase(switches, thread, EARLY, time);
	} else if (thread->phase == AWAY && !thread->preempted) {
		thread->phase = WOKEN;
		thread->woken = time > thread->since ? time : thread->since;
	}
	return true;
}

/* ---- CPUs ------------------------------------------------------------------------------------ */

/* The thread @number, which was seen to come to @cpu, is no longer there: its leaving is missing.
 */
static void lose_thread(struct switches *switches, uint32_t number, uint32_t cpu)
{
	struct switch_thread *thread = find_thread(switches, number);

	if (!thread || thread->phase != RUNNING || !thread->has_cpu || thread->cpu != cpu)
		return;
	thread->phase = UNSEEN;
	thread->missed++;
}

/* The last switch of @cpu; NULL with *@ok false if memory is out, NULL if there is no such CPU. */
static struct switch_cpu *cpu_of(struct switches *switches, uint32_t cpu, bool *ok)
{
	*ok = cpu >= CPUS_MAX || array_grow(switches->cpus, switches->cpus_room, cpu + 1);
	if (cpu >= CPUS_MAX || !*ok)
		return NULL;
	for (; switches->nr_cpus <= cpu; switches->nr_cpus++)
		switches->cpus[switches->nr_cpus] = (struct switch_cpu){0};
	return &switches->cpus[cpu];
}

/* Whether another event has told of this switch: several of one tracepoint may be recorded. */
static bool is_told_again(const struct switch_cpu *at, const struct switch_out *out, uint32_t next)
{
	return at->prev == out->number && at->next == next && at->event != out->place.event;
}

bool switches_switch(struct switches *switches, const struct switch_out *out, uint32_t cpu,
		     uint32_t next)
{
	struct switch_thread *thread;
	bool ok;
	struct switch_cpu *at = cpu_of(switches, cpu, &ok);

	if (!ok)
		return false;
	if (at && at->known && is_told_again(at, out, next))
		return true;
	if (at && at->known && at->next != out->number)
		lose_thread(switches, at->next, cpu);
	if (at)
		*at = (struct switch_cpu){out->number, next, out->place.event, true};
	if (!switches_leave(switches, out) || !switches_enter(switches, next, out->time, false))
		return false;
	thread = find_thread(switches, next);
	if (thread) {
		thread->has_cpu = true;
		thread->cpu = cpu;
	}
	return true;
}

/* ---- lives ----------------------------------------------------------------------------------- */

bool switches_fork(struct switches *switches, uint32_t pid, uint32_t tid, bool begins)
{
	struct switch_thread *thread = find_thread(switches, tid);

	if (tid == 0)
		return true;
	if (thread && begins)
		remove_thread(switches, thread);
	thread = get_thread(switches, tid);
	if (!thread)
		return false;
	thread->place.pid = pid;
	thread->tid = tid;
	thread->forked |= begins;
	return true;
}

void switches_exit(struct switches *switches, uint32_t tid)
{
	struct switch_thread *thread = find_thread(switches, tid);

	if (thread)
		thread->exiting = true;
}

void switches_lose(struct switches *switches)
{
	switches->losses++;
	for (size_t i = 0; i < switches->nr_cpus; i++)
		switches->cpus[i].known = false;
}

struct switch_gaps switches_gaps(const struct switches *switches)
{
	struct switch_gaps gaps = switches->gaps;

	gaps.chainless += pending_waits_count(&switches->pending);
	for (size_t i = 0; i < switches->threads.nr_heads; i++) {
		const struct chain_node *node = switches->threads.heads[i];

		for (; node; node = node->next) {
			const struct switch_thread *thread =
				chain_entry(node, struct switch_thread, by_number);

			gaps.ends += thread->phase == AWAY || thread->phase == WOKEN;
			if (thread->tid == PID_NONE)
				continue;
			gaps.begins += thread->begins;
			gaps.missed += thread->missed;
		}
	}
	return gaps;
}

void switches_free(struct switches *switches)
{
	for (size_t i = 0; i < switches->threads.nr_heads; i++) {
		struct chain_node *node = switches->threads.heads[i], *next;

		for (; node; node = next) {
			next = node->next;
			free(chain_entry(node, struct switch_thread, by_number));
		}
	}
	chains_free(&switches->threads);
	free(switches->cpus);
	waits_free(&switches->waits);
	pending_waits_free(&switches->pending);
	*switches = (struct switches){0};
}
