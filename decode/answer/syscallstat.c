/*
 * System call statistics: how long threads were in them, from the tracepoints at their begin and
 * end.
 *
 * Calls count by process, name of the thread and number, which is that of the machine's own
 * programs where one of 32 bits has another; a thread is in one at a time. Memory grows with the
 * number of threads, and of different calls, up to a limit of each.
 */
#include "decode/answer/aggregate.h"
#include "decode/process/syscallevent.h"
#include "perffile/format.h"
#include "perffile/syscallname.h"
#include "util/array.h"
#include "util/hash.h"
#include "util/index.h"
#include "util/intern.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 1 << 22 };

/* Calls that are told apart. */
struct call_cell {
	uint64_t number;
	uint32_t pid, comm; /* a string of the process table */
	uint64_t count, failed, total, max, unfinished;
};

/* A thread, and the call that it is in. */
struct call_thread {
	uint64_t begin;	 /* ns */
	uint64_t number; /* of the call, as its program knows it */
	uint32_t pid, tid;
	uint32_t cell;	/* of the call */
	uint32_t era;	/* that of the begin; 0: in none */
	uint32_t execs; /* of a leader: number + 1 of a thread that called exec; 0: none did */
};

/* Numbers of the calls that start programs, which the machine's own have and those of 32 bits. */
struct exec_numbers {
	const char *machine; /* whose they are */
	bool known;
	uint64_t execve, execveat, execve_32;
};

/* All zero is empty, but for what is borrowed, and the era. */
struct syscallstat {
	const struct perffile *file;
	const struct process_table *processes;
	struct syscallevents events;
	struct call_cell *cells;
	struct call_thread *threads;
	size_t cells_room, threads_room;
	struct index by_call, by_thread;
	uint32_t era; /* from 1 on; another one after each loss of records */
	struct syscallnumbers numbers;
	struct exec_numbers exec;
	struct syscall_totals totals;
	struct syscall_stat *rows;
	size_t nr_rows;
	struct intern names;
};

static bool start(void *state, const struct aggregate_view *view, unsigned wanted)
{
	struct syscallstat *stat = state;

	(void)wanted;
	stat->file = view->file;
	stat->processes = view->processes;
	stat->era = 1;
	return true;
}

/* ---- counting -------------------------------------------------------------------------------- */

/* Finds thread @tid of @pid, or makes it. Returns false if memory is out; *@found NULL: too many.
 */
static bool thread_of(struct syscallstat *stat, uint32_t pid, uint32_t tid,
		      struct call_thread **found)
{
	struct index *ix = &stat->by_thread;
	const uint64_t hash = hash_u64((uint64_t)pid << 32 | tid);
	uint32_t number;

	*found = NULL;
	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);) {
		*found = &stat->threads[number];
		if ((*found)->pid == pid && (*found)->tid == tid)
			return true;
	}
	*found = NULL;
	if (ix->nr >= LIMIT)
		return true;
	if (!array_grow(stat->threads, stat->threads_room, ix->nr + 1) || !index_add(ix, hash))
		return false;
	*found = &stat->threads[ix->nr - 1];
	**found = (struct call_thread){.pid = pid, .tid = tid};
	return true;
}

/* The same for the calls @number by threads of @pid that are called @comm. */
static bool cell_of(struct syscallstat *stat, uint32_t pid, uint32_t comm, uint64_t number,
		    struct call_cell **found)
{
	struct index *ix = &stat->by_call;
	const uint64_t hash = hash_add(hash_u64((uint64_t)pid << 32 | comm), number);
	uint32_t at_number;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &at_number);) {
		*found = &stat->cells[at_number];
		if ((*found)->pid == pid && (*found)->comm == comm && (*found)->number == number)
			return true;
	}
	*found = NULL;
	if (ix->nr >= LIMIT)
		return true;
	if (!array_grow(stat->cells, stat->cells_room, ix->nr + 1) || !index_add(ix, hash))
		return false;
	*found = &stat->cells[ix->nr - 1];
	**found = (struct call_cell){.pid = pid, .comm = comm, .number = number};
	return true;
}

/* The number of the call @number of a thread of @process, which may be NULL, in cells. */
static uint64_t native_number(struct syscallstat *stat, const struct process *process,
			      uint64_t number)
{
	const char *machine = perffile_machine(stat->file);

	return machine && process && process->is_32bit
		       ? syscallname_native(&stat->numbers, machine, number)
		       : number;
}

static bool begin_call(struct syscallstat *stat, const struct record *rec,
		       struct call_thread *thread, uint64_t number)
{
	const struct thread *of = process_thread_find(stat->processes, rec->pid, rec->tid);
	const struct process *process = of ? of->process : process_find(stat->processes, rec->pid);
	struct call_cell *cell;

	thread->era = 0;
	if (!cell_of(stat, rec->pid, of ? of->comm : 0, native_number(stat, process, number),
		     &cell))
		return false;
	if (!cell) {
		stat->totals.beyond++;
		return true;
	}
	thread->cell = (uint32_t)(cell - stat->cells);
	thread->number = number;
	thread->begin = rec->time;
	thread->era = stat->era;
	return true;
}

/*
 * A call that begins and is left out ends the one before, whose end is missing. It may also be that
 * one, told by another tracepoint.
 */
static void pass_over(struct call_thread *thread, uint64_t number)
{
	if (thread->era && thread->number != number)
		thread->era = 0;
}

/* ---- exec ------------------------------------------------------------------------------------ */

static void know_exec(struct syscallstat *stat)
{
	struct exec_numbers *exec = &stat->exec;
	const char *machine = perffile_machine(stat->file);

	if (machine == exec->machine)
		return;
	*exec = (struct exec_numbers){.machine = machine};
	exec->known = syscallname_number(machine, "execve", &exec->execve) &&
		      syscallname_number(machine, "execveat", &exec->execveat);
	if (!syscallname_number_32(machine, "execve", &exec->execve_32))
		exec->execve_32 = exec->execve;
}

/* Whether @thread is in a call that may start a program. */
static bool is_in_exec(const struct syscallstat *stat, const struct call_thread *thread)
{
	uint64_t number;

	if (thread->era != stat->era || !stat->exec.known)
		return false;
	number = stat->cells[thread->cell].number;
	return number == stat->exec.execve || number == stat->exec.execveat;
}

/*
 * A thread that starts a program goes on as the leader of its process: takes note in the leader
 * that thread @number has begun to. Of several, the first one that does not fail succeeds.
 */
static bool note_exec(struct syscallstat *stat, uint32_t number)
{
	const struct call_thread *thread = &stat->threads[number];
	struct call_thread *leader;

	if (thread->tid == thread->pid || !is_in_exec(stat, thread))
		return true;
	if (!thread_of(stat, thread->pid, thread->pid, &leader))
		return false;
	if (leader && !(leader->execs && is_in_exec(stat, &stat->threads[leader->execs - 1])))
		leader->execs = number + 1;
	return true;
}

/*
 * Whether @told may be the end of a call that has started a program. By then the kernel calls it
 * execve, by the number that this has for the new program.
 */
static bool ends_exec(const struct syscallstat *stat, const struct syscallevent_sample *told)
{
	return !told->failed && stat->exec.known &&
	       (told->number == stat->exec.execve || told->number == stat->exec.execve_32);
}

static bool ends(const struct syscallstat *stat, const struct call_thread *thread,
		 const struct syscallevent_sample *told)
{
	return told->number == thread->number ||
	       (ends_exec(stat, told) && is_in_exec(stat, thread));
}

/* The thread whose call @told ends: @thread, or the one that goes on as @thread. */
static struct call_thread *ended_by(struct syscallstat *stat, struct call_thread *thread,
				    const struct syscallevent_sample *told)
{
	struct call_thread *other = thread->execs ? &stat->threads[thread->execs - 1] : NULL;

	if (!other || told->failed || is_in_exec(stat, thread) || !is_in_exec(stat, other) ||
	    !ends(stat, other, told))
		return thread;
	thread->execs = 0;
	return other;
}

/* ---- ends ------------------------------------------------------------------------------------ */

/* An end without its begin is of a call that began earlier, or where a new thread comes to life. */
static void end_call(struct syscallstat *stat, const struct record *rec, struct call_thread *thread,
		     const struct syscallevent_sample *told)
{
	const bool begun = thread->era == stat->era && ends(stat, thread, told);
	struct call_cell *cell;
	uint64_t ns;

	thread->era = 0;
	if (!begun)
		return;
	cell = &stat->cells[thread->cell];
	if (rec->time < thread->begin)
		return;
	ns = rec->time - thread->begin;
	cell->count++;
	cell->failed += told->failed;
	if (__builtin_add_overflow(cell->total, ns, &cell->total))
		cell->total = UINT64_MAX;
	if (ns > cell->max)
		cell->max = ns;
}

/* Whether a call counts is decided by its begin, so all ends are of use. */
static bool take(void *state, const struct record *rec, bool chosen)
{
	struct syscallstat *stat = state;
	struct syscallevent_sample told;
	struct call_thread *thread;

	if (rec->type == RECORD_LOST || rec->type == RECORD_LOST_SAMPLES)
		stat->era += stat->era < UINT32_MAX;
	if (rec->type != RECORD_SAMPLE)
		return true;
	if (!syscallevents_read(&stat->events, stat->file, rec, &told))
		return false;
	know_exec(stat);
	if (told.kind == SYSCALLEVENT_NONE || !(rec->has & HAS_TID) || !(rec->has & HAS_TIME))
		return true;
	stat->totals.samples += chosen;
	if (!thread_of(stat, rec->pid, rec->tid, &thread))
		return false;
	if (!thread)
		stat->totals.beyond += chosen;
	else if (told.kind == SYSCALLEVENT_EXIT)
		end_call(stat, rec, ended_by(stat, thread, &told), &told);
	else if (chosen)
		return begin_call(stat, rec, thread, told.number) &&
		       note_exec(stat, (uint32_t)(thread - stat->threads));
	else
		pass_over(thread, told.number);
	return true;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int compare_rows(const void *a, const void *b)
{
	const struct syscall_stat *x = a, *y = b;
	int order;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	if (x->pid != y->pid)
		return (int32_t)x->pid < (int32_t)y->pid ? -1 : 1;
	if ((order = strcmp(x->comm, y->comm)) != 0)
		return order;
	return strcmp(x->name, y->name);
}

/* The name of system call @number, or if there is none, the number. NULL if memory is out. */
static const char *name_of(struct syscallstat *stat, uint64_t number)
{
	const char *machine = perffile_machine(stat->file);
	char text[SYSCALLNAME_MAX];

	if (!machine || !syscallname_get(machine, number, text))
		snprintf(text, sizeof(text), "%" PRId64, syscallname_shown(number));
	return intern_keep(&stat->names, text);
}

static bool add_row(struct syscallstat *stat, const struct call_cell *cell)
{
	const char *name = name_of(stat, cell->number);

	if (!name)
		return false;
	stat->rows[stat->nr_rows++] = (struct syscall_stat){
		.pid = cell->pid,
		.comm = intern_get(&stat->processes->strings, cell->comm),
		.name = name,
		.count = cell->count,
		.failed = cell->failed,
		.total = cell->total,
		.max = cell->max,
		.unfinished = cell->unfinished,
	};
	return true;
}

/* Counts the calls that threads are still in. */
static void count_unfinished(struct syscallstat *stat)
{
	for (size_t i = 0; i < stat->by_call.nr; i++)
		stat->cells[i].unfinished = 0;
	for (size_t i = 0; i < stat->by_thread.nr; i++)
		if (stat->threads[i].era == stat->era)
			stat->cells[stat->threads[i].cell].unfinished++;
}

static int finish(void *state, const struct aggregate_view *view, struct results *results,
		  struct error *err)
{
	struct syscallstat *stat = state;

	(void)view;
	free(stat->rows);
	stat->nr_rows = 0;
	stat->rows = calloc(stat->by_call.nr + 1, sizeof(*stat->rows));
	if (!stat->rows)
		return error_nomem(err, "adding up system calls");
	count_unfinished(stat);
	for (size_t i = 0; i < stat->by_call.nr; i++)
		if ((stat->cells[i].count || stat->cells[i].unfinished) &&
		    !add_row(stat, &stat->cells[i]))
			return error_nomem(err, "adding up system calls");
	qsort(stat->rows, stat->nr_rows, sizeof(*stat->rows), compare_rows);
	results->syscalls = &stat->totals;
	return 0;
}

static struct rows rows(void *state, unsigned number)
{
	const struct syscallstat *stat = state;

	(void)number;
	return (struct rows){.first = stat->rows, .nr = stat->nr_rows};
}

static void end(void *state)
{
	struct syscallstat *stat = state;

	syscallevents_free(&stat->events);
	free(stat->cells);
	free(stat->threads);
	index_free(&stat->by_call);
	index_free(&stat->by_thread);
	free(stat->rows);
	intern_free(&stat->names);
}

static const struct aggregate aggregate = {
	.state_bytes = sizeof(struct syscallstat),
	.start = start,
	.any = take,
	.finish = finish,
	.rows = rows,
	.free = end,
};

const struct answer syscallstat_calls = {&aggregate, 0};
