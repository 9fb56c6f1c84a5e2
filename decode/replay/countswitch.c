#include "decode/replay/countswitch.h"

#include "decode/replay/state.h"
#include "decode/stack/deferred.h"
#include "util/intern.h"

/* Bytes of a name up to a NUL that are kept. */
enum { COMM_MAX = 16 };

/*
 * The name of the thread of @rec: its own or, if that is not known, @told, which a tracepoint has.
 * INTERN_NOMEM if memory is out.
 */
static uint32_t comm_of(struct replay *replay, const struct record *rec, const struct span *told)
{
	const struct process *process = process_find(&replay->processes, rec->pid);
	const struct thread *thread = NULL;
	size_t len = span_left(told);
	uint32_t comm;

	if (rec->has & HAS_TID)
		thread = process_thread_find(&replay->processes, rec->pid, rec->tid);
	comm = thread ? thread->comm : process ? process->comm : 0;
	if (comm != 0 || len == 0)
		return comm;
	return intern(&replay->processes.strings, (const char *)told->pos,
		      len < COMM_MAX ? len : COMM_MAX);
}

/*
 * The call chain of the sample comes later: the place of the wait of @thread, a number of the
 * scheduler's or 0, is known then. False if memory is out.
 */
static bool set_pending(struct replay *replay, uint32_t thread, struct wait_place *place)
{
	struct switches *switches = &replay->switched.switches;

	if (!replay->held)
		return true;
	if (!pending_waits_begin(&switches->pending, thread, &replay->held->wait))
		return false;
	if (replay->held->wait == WAIT_NO_PATH) {
		switches->gaps.chainless++;
		return true;
	}
	place->table = WAIT_PENDING;
	place->path = replay->held->wait;
	return true;
}

/* Sets the place where the thread of @rec leaves. False if memory is out. */
static bool set_place(struct replay *replay, const struct record *rec, const struct span *told,
		      uint32_t path, struct wait_place *place)
{
	const bool stacked = path != WAIT_NO_PATH;

	*place = (struct wait_place){
		.pid = rec->has & HAS_PID ? rec->pid : PID_NONE,
		.comm = comm_of(replay, rec, told),
		.table = stacked ? (uint32_t)replay->stacks.paths.nr_aside : 0,
		.path = path,
		.event = rec->event ? rec->event->number : 0,
	};
	return place->comm != INTERN_NOMEM;
}

static uint32_t tid_of(const struct record *rec)
{
	return rec->has & HAS_TID ? rec->tid : PID_NONE;
}

static bool count_sched_switch(struct replay *replay, const struct record *rec, bool chosen,
			       uint32_t path, const struct schedevent_sample *told)
{
	struct switch_replay *switched = &replay->switched;
	struct switch_out out = {.time = rec->time,
				 .number = told->pid,
				 .tid = tid_of(rec),
				 .preempted = told->can_run,
				 .dead = told->dead,
				 .chosen = chosen};

	if (!set_place(replay, rec, &told->comm, path, &out.place) ||
	    !set_pending(replay, told->pid, &out.place))
		return false;
	out.place.source = WAIT_SCHED_SWITCH;
	out.place.state = told->state;
	out.place.has_state = !told->bare;
	switched->traced = switched->waits = true;
	switched->foreign |= out.tid != PID_NONE && out.tid != told->pid;
	if (told->bare)
		return switches_leave(&switched->switches, &out);
	if (rec->has & HAS_CPU)
		return switches_switch(&switched->switches, &out, rec->cpu, told->next_pid);
	return switches_leave(&switched->switches, &out) &&
	       switches_enter(&switched->switches, told->next_pid, rec->time, false);
}

/* A sample of perf record --off-cpu: a wait, or the sum of the waits at a place if it has no time.
 */
static bool count_offcpu(struct replay *replay, const struct record *rec, uint32_t path)
{
	const uint64_t ns = rec->sample.period;
	const struct wait_sum sum = {.wait = ns, .count = 1, .max = rec->has & HAS_TIME ? ns : 0};
	struct wait_place place;

	replay->switched.waits = true;
	if (!set_place(replay, rec, &(struct span){0}, path, &place) ||
	    !set_pending(replay, 0, &place))
		return false;
	place.source = WAIT_OFFCPU_TIME;
	return switches_add_wait(&replay->switched.switches, &place, &sum);
}

static bool count_sample_switch(struct replay *replay, const struct record *rec, bool chosen,
				uint32_t path)
{
	struct schedevent_sample told;

	if (!rec->event)
		return true;
	if (rec->event->offcpu)
		return !chosen || count_offcpu(replay, rec, path);
	if (!(rec->has & HAS_TIME))
		return true;
	if (!schedevents_read(&replay->switched.events, replay->file, rec, &told))
		return false;
	replay->switched.nr_some += told.kind == SCHEDEVENT_SOME;
	if (told.kind == SCHEDEVENT_SWITCH)
		return count_sched_switch(replay, rec, chosen, path, &told);
	return told.kind != SCHEDEVENT_WAKE ||
	       switches_wake(&replay->switched.switches, told.pid, rec->time);
}

static bool count_switch_record(struct replay *replay, const struct record *rec, bool chosen)
{
	struct switch_replay *switched = &replay->switched;
	struct switch_out out = {.time = rec->time,
				 .number = tid_of(rec),
				 .tid = tid_of(rec),
				 .preempted = rec->misc & MISC_SWITCH_PREEMPT,
				 .chosen = chosen,
				 .again = switched->traced};

	if (!(rec->has & HAS_TIME) || out.tid == PID_NONE || switched->foreign)
		return true;
	switched->waits = true;
	if (!(rec->misc & MISC_SWITCH_OUT))
		return switches_enter(&switched->switches, out.number, rec->time, out.again);
	if (!set_place(replay, rec, &(struct span){0}, WAIT_NO_PATH, &out.place))
		return false;
	out.place.source = WAIT_SWITCH;
	return switches_leave(&switched->switches, &out);
}

static void count_loss(struct switches *switches, const struct record *rec)
{
	struct loss loss = {0};

	loss_add(&loss, rec);
	if (loss.lost || loss.lost_samples)
		switches_lose(switches);
}

bool count_switch(struct replay *replay, const struct record *rec, bool chosen, uint32_t path)
{
	struct switch_replay *switched = &replay->switched;

	if (rec->type == RECORD_FORK)
		return switched->foreign ||
		       switches_fork(&switched->switches, rec->pid, rec->tid, rec->task.time != 0);
	/* What the filters leave out is as if it had not been recorded, but for the time only: who
	 * comes, and who is woken, is told by samples of other threads. */
	if (!filter_time(replay->settings.filter, rec) &&
	    !(rec->type == RECORD_SAMPLE && rec->event && rec->event->offcpu))
		return true;
	switch (rec->type) {
	case RECORD_SAMPLE:
		return count_sample_switch(replay, rec, chosen, path);
	case RECORD_SWITCH:
	case RECORD_SWITCH_CPU_WIDE:
		return count_switch_record(replay, rec, chosen);
	case RECORD_LOST:
	case RECORD_LOST_SAMPLES:
		count_loss(&switched->switches, rec);
		return true;
	case RECORD_EXIT:
		if (!switched->traced)
			switches_exit(&switched->switches, rec->tid);
		return true;
	default:
		return true;
	}
}

void count_switch_free(struct switch_replay *switched)
{
	schedevents_free(&switched->events);
	switches_free(&switched->switches);
}
