#include "decode/process/process.h"

#include "decode/count/readcount.h"

#include <stdlib.h>

void process_table_init(struct process_table *table, const struct process_hooks *hooks)
{
	*table = (struct process_table){.hooks = *hooks};
	list_init(&table->processes);
	list_init(&table->exits);
}

struct process *process_find(const struct process_table *table, uint32_t pid)
{
	struct chain_node *node = chains_first(&table->by_pid, pid);

	return node ? chain_entry(node, struct process, by_pid) : NULL;
}

/* Sets the comm of the idle task: perf calls it so, but no record has its name. */
static bool name_idle(struct process_table *table, struct process *process)
{
	process->known = true;
	process->comm = intern_string(&table->strings, "swapper");
	return process->comm != INTERN_NOMEM;
}

struct process *process_new(struct process_table *table, uint32_t pid)
{
	struct process *process = calloc(1, sizeof(*process));

	if (!process)
		return NULL;
	process->pid = pid;
	process->life = ++table->nr_lives;
	process->begin = table->now;
	process->maps = map_set_create(++table->version);
	if (!process->maps || (pid == 0 && !name_idle(table, process)) ||
	    !chains_add(&table->by_pid, &process->by_pid, pid)) {
		map_set_release(process->maps);
		free(process);
		return NULL;
	}
	list_init(&process->threads);
	list_append(&table->processes, &process->in_table);
	return process;
}

/*
 * Whether only late samples can still refer to @process. An EXIT at the current time is not enough:
 * records with the same time come in any order.
 */
static bool is_over(const struct process_table *table, const struct process *process)
{
	if (!process->ended || table->now <= process->exit)
		return false;
	for (struct list *at = process->threads.next; at != &process->threads; at = at->next) {
		if (!list_entry(at, struct thread, in_process)->ended)
			/* a thread from before the recording, which has only samples */
			return false;
	}
	return true;
}

struct process *process_get(struct process_table *table, uint32_t pid)
{
	struct process *process = process_find(table, pid);

	if (process && is_over(table, process)) {
		if (!process_retire(table, process))
			return NULL;
		process = NULL;
	}
	if (!process)
		process = process_new(table, pid);
	if (process) {
		process->known = true;
		process->timed |= table->now != 0;
	}
	return process;
}

/* Removes @process, which must have no threads, from the table and frees it. */
static void process_delete(struct process_table *table, struct process *process)
{
	chains_remove(&table->by_pid, &process->by_pid);
	list_remove(&process->in_table);
	map_set_release(process->maps);
	tallies_free(&process->retired);
	free(process);
}

bool process_retire(struct process_table *table, struct process *process)
{
	while (!list_empty(&process->threads)) {
		if (!process_thread_retire(
			    table, list_entry(process->threads.next, struct thread, in_process)))
			return false;
	}
	if (!table->hooks.retire(table->hooks.arg, process, NULL))
		return false;
	process_delete(table, process);
	return true;
}

static uint32_t thread_key(uint32_t pid, uint32_t tid)
{
	return (uint32_t)hash_u64((uint64_t)pid << 32 | tid);
}

struct thread *process_thread_find(const struct process_table *table, uint32_t pid, uint32_t tid)
{
	struct chain_node *node = chains_first(&table->by_ids, thread_key(pid, tid));

	for (; node; node = chains_next(node)) {
		struct thread *thread = chain_entry(node, struct thread, by_ids);

		if (thread->tid == tid && thread->pid == pid)
			return thread;
	}
	return NULL;
}

struct thread *process_thread_new(struct process_table *table, struct process *process,
				  uint32_t tid)
{
	struct thread *thread = calloc(1, sizeof(*thread));

	if (!thread)
		return NULL;
	if (!chains_add(&table->by_ids, &thread->by_ids, thread_key(process->pid, tid))) {
		free(thread);
		return NULL;
	}
	thread->pid = process->pid;
	thread->tid = tid;
	thread->process = process;
	thread->comm = process->comm;
	thread->life = ++table->nr_lives;
	thread->begin = table->now;
	list_append(&process->threads, &thread->in_process);
	list_init(&thread->in_exits);
	process->nr_threads++;
	return thread;
}

struct thread *process_thread_get(struct process_table *table, struct process *process,
				  uint32_t tid)
{
	struct thread *thread = process_thread_find(table, process->pid, tid);

	if (thread && thread->ended && table->now > thread->exit) {
		if (!process_thread_retire(table, thread))
			return NULL;
		thread = NULL;
	}
	if (!thread)
		thread = process_thread_new(table, process, tid);
	if (!thread)
		return NULL;
	thread->timed |= table->now != 0;
	if (thread->known)
		return thread;
	thread->known = true;
	process->nr_live++;
	process->ended = false;
	return thread;
}

static void thread_free(const struct process_table *table, struct thread *thread)
{
	if (table->hooks.release)
		table->hooks.release(thread);
	if (thread->counters)
		readcount_free(thread->counters);
	free(thread->counters);
	free(thread->switched);
	tallies_free(&thread->tallies);
	free(thread);
}

/* Removes @thread from the table and frees it. */
static void thread_delete(struct process_table *table, struct thread *thread)
{
	/* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): the list has no freed threads */
	struct thread **recent = &table->recent[thread->tid % RECENT_THREADS];

	if (*recent == thread)
		*recent = NULL;
	if (thread->known && !thread->ended)
		thread->process->nr_live--;
	if (!list_empty(&thread->in_exits))
		table->nr_exits--;
	list_remove(&thread->in_exits);
	list_remove(&thread->in_process);
	chains_remove(&table->by_ids, &thread->by_ids);
	thread_free(table, thread);
}

bool process_thread_retire(struct process_table *table, struct thread *thread)
{
	/* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): the list has no freed threads */
	if (!table->hooks.retire(table->hooks.arg, thread->process, thread) ||
	    !tallies_add(&thread->process->retired, &thread->tallies))
		return false;
	thread_delete(table, thread);
	return true;
}

void process_thread_undo(struct process_table *table, struct thread *thread)
{
	thread->process->nr_threads--;
	thread_delete(table, thread);
}

/* Makes a thread that so far appears only in a sample. NULL if memory is out. */
static struct thread *thread_from_sample(struct process_table *table, uint32_t pid, uint32_t tid)
{
	struct process *process = process_find(table, pid);

	if (!process)
		process = process_new(table, pid);
	return process ? process_thread_new(table, process, tid) : NULL;
}

struct thread *process_thread_known(struct process_table *table, uint32_t pid, uint32_t tid)
{
	struct thread **recent = &table->recent[tid % RECENT_THREADS];
	struct thread *thread = *recent;

	if (thread && thread->tid == tid && thread->pid == pid)
		return thread;
	thread = process_thread_find(table, pid, tid);
	if (thread)
		*recent = thread;
	return thread;
}

struct thread *process_thread_of_sample(struct process_table *table, uint32_t pid, uint32_t tid)
{
	struct thread *thread = process_thread_known(table, pid, tid);

	return thread ? thread : thread_from_sample(table, pid, tid);
}

bool process_map(struct process_table *table, struct process *process, const struct map *map)
{
	const struct dso *dso = map->dso;

	process->nr_mmaps++;
	/* The kernel maps a program before its interpreter and its libraries. */
	if (map->is_code && dso->kind == DSO_USER && (process->exe_pending || process->exe == 0)) {
		process->exe = intern_string(&table->strings, dso->path);
		if (process->exe == INTERN_NOMEM)
			return false;
		process->exe_pending = false;
	}
	return map_set_insert(&process->maps, map, ++table->version);
}

void process_table_free(struct process_table *table)
{
	while (!list_empty(&table->processes)) {
		struct process *process =
			list_entry(table->processes.next, struct process, in_table);

		while (!list_empty(&process->threads))
			thread_delete(table,
				      list_entry(process->threads.next, struct thread, in_process));
		process_delete(table, process);
	}
	chains_free(&table->by_pid);
	chains_free(&table->by_ids);
	intern_free(&table->strings);
}
