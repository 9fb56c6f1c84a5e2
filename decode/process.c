#include "decode/process.h"

#include "util/array.h"
#include "util/hash.h"

#include <stdlib.h>

/* The slot of the current life of @pid, or NULL. */
static struct process **find_current(const struct process_table *table, uint32_t pid)
{
	const struct index *ix = &table->by_pid;
	uint64_t hash = hash_u64(pid);
	uint32_t number;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);) {
		if (table->current[number]->pid == pid)
			return &table->current[number];
	}
	return NULL;
}

static struct thread *find_thread(const struct process_table *table, uint32_t tid)
{
	const struct index *ix = &table->by_tid;
	uint64_t hash = hash_u64(tid);
	uint32_t number;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);) {
		if (table->threads[number].tid == tid)
			return &table->threads[number];
	}
	return NULL;
}

/* Appends a life of @pid; it is in the table, but not yet the current one. */
static struct process *new_life(struct process_table *table, uint32_t pid)
{
	struct process *process;

	if (!array_grow(table->lives, table->lives_room, table->nr_lives + 1))
		return NULL;
	process = calloc(1, sizeof(*process));
	if (!process)
		return NULL;
	process->pid = pid;
	process->maps = map_set_create(++table->version);
	if (!process->maps) {
		free(process);
		return NULL;
	}
	table->lives[table->nr_lives++] = process;
	return process;
}

/* Makes a new life the current one of its pid. */
static bool set_current(struct process_table *table, struct process *process)
{
	struct process **slot = find_current(table, process->pid);

	table->last = NULL;
	if (slot) {
		map_set_release((*slot)->maps);
		(*slot)->maps = NULL;
		*slot = process;
		return true;
	}
	if (!array_grow(table->current, table->current_room, table->by_pid.nr + 1))
		return false;
	table->current[table->by_pid.nr] = process;
	return index_add(&table->by_pid, hash_u64(process->pid));
}

struct process *process_get(struct process_table *table, uint32_t pid)
{
	struct process **slot, *process = table->last;

	if (process && process->pid == pid)
		return process;
	slot = find_current(table, pid);
	process = slot ? *slot : new_life(table, pid);
	if (!process || (!slot && !set_current(table, process)))
		return NULL;
	if (!slot && pid == 0) { /* the idle task: perf calls it so, no record does */
		process->known = true;
		process->comm = intern_string(&table->strings, "swapper");
		if (process->comm == INTERN_NOMEM)
			return NULL;
	}
	table->last = process;
	return process;
}

struct thread *thread_of_sample(struct process_table *table, uint32_t pid, uint32_t tid)
{
	uint32_t *recent = &table->recent[tid % RECENT_THREADS];
	struct process *process;
	struct thread *thread;

	if (*recent < table->by_tid.nr) {
		thread = &table->threads[*recent];
		process = thread->process;
		/* A life that has ended has given its maps back. */
		if (thread->tid == tid && process && process->pid == pid && process->maps)
			return thread;
	}
	process = process_get(table, pid);
	thread = process ? thread_get(table, process, tid) : NULL;
	if (thread)
		*recent = (uint32_t)(thread - table->threads);
	return thread;
}

struct thread *thread_get(struct process_table *table, struct process *process, uint32_t tid)
{
	struct thread *thread = find_thread(table, tid);

	if (thread && thread->process == process)
		return thread;
	if (!thread) {
		if (!array_grow(table->threads, table->threads_room, table->by_tid.nr + 1))
			return NULL;
		thread = &table->threads[table->by_tid.nr];
		*thread = (struct thread){.tid = tid};
		if (!index_add(&table->by_tid, hash_u64(tid)))
			return NULL;
	}
	process->threads++;
	process->live++;
	thread->live = true;
	thread->process = process;
	thread->comm = process->comm;
	return thread;
}

/* What a child has from its parent. */
static void inherit(struct process *child, const struct process *parent, bool copy_maps)
{
	child->comm = parent->comm;
	if (!copy_maps)
		return;
	child->exe = parent->exe;
	map_set_release(child->maps);
	child->maps = map_set_share(parent->maps);
}

static struct process *fork_process(struct process_table *table, uint32_t pid, uint32_t ppid,
				    uint64_t time, bool copy_maps)
{
	struct process *parent = process_get(table, ppid);
	struct process **slot = find_current(table, pid), *child = slot ? *slot : NULL;

	if (!parent)
		return NULL;
	/* A life that only samples or children told of so far is this one; any other has ended. */
	if (!child || child->known) {
		child = new_life(table, pid);
		if (!child || !set_current(table, child))
			return NULL;
	}
	inherit(child, parent, copy_maps);
	child->ppid = ppid;
	child->has_ppid = true;
	child->has_fork = time != 0;
	child->fork = time;
	return child;
}

bool process_fork(struct process_table *table, uint32_t pid, uint32_t ppid, uint32_t tid,
		  uint32_t ptid, uint64_t time, bool copy_maps)
{
	const struct thread *parent = find_thread(table, ptid);
	const bool has_parent = parent != NULL;
	const uint32_t comm = parent ? parent->comm : 0;
	struct process *process;
	struct thread *thread;

	process = pid == ppid ? process_get(table, pid)
			      : fork_process(table, pid, ppid, time, copy_maps);
	if (!process)
		return false;
	process->known = true;
	thread = find_thread(table, tid);
	if (thread) /* the tid is used again: whoever had it is gone */
		thread->process = NULL;
	thread = thread_get(table, process, tid);
	if (!thread)
		return false;
	if (has_parent) {
		thread->comm = comm;
		if (tid == pid)
			process->comm = comm;
	}
	return true;
}

/* Takes the maps from the life that ended RECENT_EXITS exits ago. */
static bool retire(struct process_table *table, struct process *process)
{
	struct process **slot = &table->exits[table->nr_exits++ % RECENT_EXITS];
	struct process *old = *slot;

	*slot = process;
	if (!old || !old->maps || map_set_empty(old->maps))
		return true;
	map_set_release(old->maps);
	old->maps = map_set_create(++table->version);
	return old->maps;
}

bool process_exit(struct process_table *table, uint32_t pid, uint32_t tid, uint64_t time)
{
	struct process *process = process_get(table, pid);
	struct thread *thread = process ? thread_get(table, process, tid) : NULL;

	if (!thread)
		return false;
	process->known = true;
	/* The process ends with its last thread, which need not be its first one. */
	if (tid == pid)
		process->has_exit = true;
	if (process->has_exit && time > process->exit)
		process->exit = time;
	if (!thread->live)
		return true;
	thread->live = false;
	return --process->live > 0 || retire(table, process);
}

bool process_comm(struct process_table *table, uint32_t pid, uint32_t tid, const char *comm,
		  size_t len, bool exec)
{
	struct process *process = process_get(table, pid);
	struct thread *thread = process ? thread_get(table, process, tid) : NULL;
	uint32_t number = intern(&table->strings, comm, len);

	if (!thread || number == INTERN_NOMEM)
		return false;
	process->known = true;
	thread->comm = number;
	if (tid == pid)
		process->comm = number;
	if (!exec)
		return true;
	/*
	 * perf keeps the old maps and lets the new ones displace them, so that an address that only
	 * the old program had still finds a binary: the wrong one.
	 */
	map_set_release(process->maps);
	process->exe = 0;
	process->exe_pending = true;
	process->maps = map_set_create(++table->version);
	return process->maps;
}

bool process_map(struct process_table *table, struct process *process, uint64_t start, uint64_t end,
		 uint64_t pgoff, const struct dso *dso, bool is_code)
{
	const struct map map = {
		.start = start, .end = end, .pgoff = pgoff, .dso = dso, .is_code = is_code};

	process->known = true;
	process->nr_mmaps++;
	/* The kernel maps a program before its interpreter and its libraries. */
	if (is_code && dso->kind == DSO_USER && (process->exe_pending || process->exe == 0)) {
		process->exe = intern_string(&table->strings, dso->path);
		if (process->exe == INTERN_NOMEM)
			return false;
		process->exe_pending = false;
	}
	return map_set_insert(&process->maps, &map, ++table->version);
}

struct tally *process_tally(struct process *process, size_t event)
{
	struct tally *grown;

	if (event < process->nr_by_event)
		return &process->by_event[event];
	/* No room to spare: there may be millions of lives. */
	grown = realloc(process->by_event, (event + 1) * sizeof(*grown));
	if (!grown)
		return NULL;
	process->by_event = grown;
	while (process->nr_by_event <= event)
		grown[process->nr_by_event++] = (struct tally){0};
	return &grown[event];
}

void process_table_free(struct process_table *table)
{
	for (size_t i = 0; i < table->nr_lives; i++) {
		map_set_release(table->lives[i]->maps);
		free(table->lives[i]->by_event);
		free(table->lives[i]);
	}
	free(table->lives);
	free(table->current);
	free(table->threads);
	index_free(&table->by_pid);
	index_free(&table->by_tid);
	intern_free(&table->strings);
	*table = (struct process_table){0};
}
