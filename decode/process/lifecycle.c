#include "decode/process/lifecycle.h"

/* State of a life when a FORK of its pid or tid is applied. */
struct life {
	uint64_t begin, fork; /* ns; 0: unknown */
	bool known, ended;
	bool made_up; /* perf made up all that is known of it, and it has no samples */
};

static bool has_samples(const struct process *process)
{
	for (struct list *at = process->threads.next; at != &process->threads; at = at->next)
		if (tallies_any(&list_entry(at, struct thread, in_process)->tallies))
			return true;
	return tallies_any(&process->retired);
}

static struct life life_of_process(const struct process *process)
{
	return (struct life){
		.begin = process->begin,
		.fork = process->has_fork ? process->fork : 0,
		.known = process->known,
		.ended = process->ended,
		.made_up = process->known && !process->timed && !has_samples(process),
	};
}

static struct life life_of_thread(const struct thread *thread)
{
	return (struct life){
		.begin = thread->begin,
		.fork = thread->has_fork ? thread->fork : 0,
		.known = thread->known,
		.ended = thread->ended,
		.made_up = thread->known && !thread->timed && !tallies_any(&thread->tallies),
	};
}

/*
 * Whether a FORK at @time is about this life and not about the next one with its number. FORK is
 * the first record of a life, except for records that were written late or synthesized by perf, and
 * in recordings without times. What begins while perf looks at the processes of the machine has
 * both: what perf synthesized, and then its FORK.
 */
static bool is_of_life(const struct life *life, uint64_t time)
{
	if (life->ended)
		return false;
	if (time == 0 || life->fork)
		return time == 0 || life->fork == time;
	return life->begin >= time || (life->begin == 0 && (!life->known || life->made_up));
}

/* Copies what a child inherits from its parent until it calls exec. */
static void inherit(struct process *child, const struct process *parent, bool copy_maps)
{
	child->comm = parent->comm;
	if (!copy_maps)
		return;
	child->exe = parent->exe;
	child->is_32bit = parent->is_32bit;
	map_set_release(child->maps);
	child->maps = map_set_share(parent->maps);
}

/* A process begins with one thread: FORKs of its own tell of those that perf has made up already.
 */
static void undo_other_threads(struct process_table *table, const struct process *process)
{
	struct list *at = process->threads.next;

	while (at != &process->threads) {
		struct thread *thread = list_entry(at, struct thread, in_process);

		at = at->next;
		if (thread->tid != process->pid)
			process_thread_undo(table, thread);
	}
}

static struct process *fork_process(struct process_table *table, const struct fork_task *task)
{
	const struct process *parent;
	struct process *child = process_find(table, task->pid);
	bool made_up = false;

	if (child) {
		const struct life life = life_of_process(child);

		if (is_of_life(&life, task->time)) {
			made_up = life.made_up && task->time;
		} else {
			if (!process_retire(table, child))
				return NULL;
			child = NULL;
		}
	}
	if (!child)
		child = process_new(table, task->pid);
	parent = process_find(table, task->ppid);
	if (!child)
		return NULL;
	if (made_up)
		undo_other_threads(table, child);
	if (parent && (!child->known || made_up))
		inherit(child, parent, task->copy_maps);
	child->known = true;
	child->ppid = task->ppid;
	child->has_ppid = true;
	if (task->time) {
		child->timed = true;
		child->has_fork = true;
		child->fork = task->time;
	}
	return child;
}

/* The comm of the thread that called fork, or that of @thread if unknown. */
static uint32_t maker_comm(const struct process_table *table, const struct fork_task *task,
			   const struct thread *thread)
{
	const struct thread *maker = process_thread_find(table, task->ppid, task->ptid);

	return maker ? maker->comm : thread->comm;
}

/* Returns the thread of @process that the FORK is about, made if it is new. NULL if that failed. */
static struct thread *fork_thread(struct process_table *table, struct process *process,
				  const struct fork_task *task)
{
	struct thread *thread = process_thread_find(table, task->pid, task->tid);
	bool made_up = false;

	if (thread) {
		const struct life life = life_of_thread(thread);

		if (is_of_life(&life, task->time)) {
			made_up = life.made_up && task->time;
		} else {
			if (!process_thread_retire(table, thread))
				return NULL;
			thread = NULL;
		}
	}
	if (thread && thread->known && !made_up)
		return thread;
	thread = process_thread_get(table, process, task->tid);
	if (thread)
		thread->comm = maker_comm(table, task, thread);
	return thread;
}

/* Retires the process whose pid is now the tid of another process's thread: it must have ended. */
static bool retire_namesake(struct process_table *table, const struct fork_task *task)
{
	struct process *process = process_find(table, task->tid);

	if (!process || task->tid == task->pid || process->begin >= task->time)
		return true;
	return process_retire(table, process);
}

bool lifecycle_fork(struct process_table *table, const struct fork_task *task)
{
	struct process *process;
	struct thread *thread;

	if (!retire_namesake(table, task))
		return false;
	process =
		task->pid == task->ppid ? process_get(table, task->pid) : fork_process(table, task);
	thread = process ? fork_thread(table, process, task) : NULL;
	if (!thread)
		return false;
	if (task->time) {
		thread->has_fork = true;
		thread->fork = task->time;
	}
	if (task->tid == task->pid && task->pid != task->ppid)
		process->comm = thread->comm;
	return true;
}

/* Retires the thread that ended first, and its process if it was the last one. */
static bool forget_oldest(struct process_table *table)
{
	struct thread *thread = list_entry(table->exits.next, struct thread, in_exits);
	struct process *process = thread->process;

	if (!process_thread_retire(table, thread))
		return false;
	return !process->ended || !list_empty(&process->threads) || process_retire(table, process);
}

/* Marks @thread as ended. Only late samples are expected after this. */
static void end_thread(struct process_table *table, struct thread *thread)
{
	thread->ended = true;
	thread->ended_at = table->now;
	if (thread->known)
		thread->process->nr_live--;
	list_append(&table->exits, &thread->in_exits);
	table->nr_exits++;
}

/* Whether the thread that ended first is to be forgotten. */
static bool is_over(const struct process_table *table)
{
	const struct thread *thread;

	if (table->nr_exits <= RECENT_EXITS || table->keep_ended)
		return false;
	thread = list_entry(table->exits.next, struct thread, in_exits);
	return thread->ended_at == 0 || table->nr_exits > RECENT_EXITS_MAX ||
	       (table->now > thread->ended_at && table->now - thread->ended_at >= RECENT_NS);
}

static bool forget_old(struct process_table *table)
{
	while (is_over(table)) {
		if (!forget_oldest(table))
			return false;
	}
	return true;
}

bool lifecycle_exit(struct process_table *table, uint32_t pid, uint32_t tid, uint64_t time)
{
	struct process *process = process_find(table, pid);
	struct thread *thread = process_thread_find(table, pid, tid);

	if (!process)
		process = process_get(table, pid);
	if (process && (!thread || !thread->ended))
		thread = process_thread_get(table, process, tid);
	if (!process || !thread)
		return false;
	process->known = true;
	process->timed |= time != 0;
	if (time > process->exit)
		process->exit = time;
	if (thread->ended)
		return true;
	thread->has_exit = time != 0;
	thread->exit = time;
	end_thread(table, thread);
	/* The process ends with its last thread, which need not be the main thread. */
	process->ended = process->nr_live == 0;
	return forget_old(table);
}

/*
 * Ends all threads but @thread. After exec one thread remains, whose tid is the pid even if another
 * thread called exec. The other threads have exited; the thread that called exec has no EXIT with
 * its old tid, because it continues.
 */
static bool end_others(struct process_table *table, struct process *process,
		       const struct thread *thread)
{
	for (struct list *at = process->threads.next; at != &process->threads; at = at->next) {
		struct thread *other = list_entry(at, struct thread, in_process);

		if (other != thread && !other->ended)
			end_thread(table, other);
	}
	return forget_old(table);
}

static bool start_program(struct process_table *table, struct process *process,
			  const struct thread *thread)
{
	/* perf keeps the old maps and lets new ones displace them, so an address that only the old
	 * program had still resolves, to the wrong binary. Here the new program starts without
	 * maps. */
	struct map_set *maps = map_set_create(++table->version);

	if (!maps)
		return false;
	map_set_release(process->maps);
	process->maps = maps;
	process->exe = 0;
	process->exe_pending = true;
	process->is_32bit = false;
	return end_others(table, process, thread);
}

/*
 * As process_thread_get(), for a thread that calls exec. If an EXIT was seen for the tid, it was
 * another thread, which is retired.
 */
static struct thread *thread_of_exec(struct process_table *table, struct process *process,
				     uint32_t tid)
{
	struct thread *thread = process_thread_find(table, process->pid, tid);

	if (thread && thread->ended && !process_thread_retire(table, thread))
		return NULL;
	return process_thread_get(table, process, tid);
}

bool lifecycle_comm(struct process_table *table, uint32_t pid, uint32_t tid, const char *comm,
		    size_t len, bool exec)
{
	uint32_t number = intern(&table->strings, comm, len);
	struct process *process = number == INTERN_NOMEM ? NULL : process_get(table, pid);
	struct thread *thread = NULL;

	if (process)
		thread = exec ? thread_of_exec(table, process, tid)
			      : process_thread_get(table, process, tid);
	if (!thread)
		return false;
	thread->comm = number;
	if (tid == pid)
		process->comm = number;
	return !exec || start_program(table, process, thread);
}
