#include "decode/trace/traceworld.h"

#include "decode/trace/ptinfo.h"
#include "util/array.h"
#include "util/hash.h"

#include <stdlib.h>

/* ---- taking note ----------------------------------------------------------------------------- */

static bool note_thread(struct traceworld *world, const struct record *rec)
{
	if (!array_grow(world->threads, world->threads_room, world->nr_threads + 1))
		return false;
	world->threads[world->nr_threads++] =
		(struct trace_thread){rec->time, world->nr, rec->pid, rec->tid};
	return true;
}

/* The number of the last space of @pid, in world->newest; NULL: it has none. */
static size_t *find_newest(const struct traceworld *world, uint32_t pid)
{
	const uint64_t hash = hash_u64(pid);
	uint32_t number;

	for (size_t at = index_first(&world->by_pid, hash);
	     index_next(&world->by_pid, hash, &at, &number);)
		if (world->spaces[world->newest[number]].pid == pid)
			return &world->newest[number];
	return NULL;
}

static bool set_newest(struct traceworld *world, uint32_t pid, size_t space)
{
	const size_t nr = world->by_pid.nr;
	size_t *newest = find_newest(world, pid);

	if (newest) {
		*newest = space;
		return true;
	}
	if (!array_grow(world->newest, world->newest_room, nr + 1) ||
	    !index_add(&world->by_pid, hash_u64(pid)))
		return false;
	world->newest[nr] = space;
	return true;
}

static bool note_space(struct traceworld *world, const struct process *process, uint64_t time)
{
	const size_t nr = world->nr_spaces;

	if (!array_grow(world->spaces, world->spaces_room, nr + 1) ||
	    !set_newest(world, process->pid, nr))
		return false;
	world->spaces[nr] = (struct trace_space){
		.time = time,
		.nr = world->nr,
		.life = process->life,
		.pid = process->pid,
		.comm = process->comm,
		.maps = map_set_share(process->maps),
	};
	world->nr_spaces++;
	return true;
}

static bool note_process(struct traceworld *world, const struct process_table *processes,
			 const struct record *rec)
{
	const struct process *process = process_find(processes, rec->pid);

	return !process || note_space(world, process, rec->time);
}

bool traceworld_code(struct traceworld *world, const struct process *process, uint64_t time,
		     bool displaces)
{
	const size_t *newest = find_newest(world, process->pid);
	struct trace_space *space;

	world->nr++;
	if (displaces || !newest || world->spaces[*newest].life != process->life)
		return note_space(world, process, time);
	space = &world->spaces[*newest];
	map_set_release(space->maps);
	space->maps = map_set_share(process->maps);
	return true;
}

bool traceworld_run(struct traceworld *world, uint64_t time, uint32_t cpu, uint32_t pid,
		    uint32_t tid)
{
	if (!array_grow(world->runs, world->runs_room, world->nr_runs + 1))
		return false;
	world->runs[world->nr_runs++] = (struct trace_switch){time, world->nr, cpu, pid, tid};
	return true;
}

static bool note_switch(struct traceworld *world, const struct record *rec)
{
	const bool leaves = rec->misc & MISC_SWITCH_OUT;

	if (!(rec->has & HAS_CPU))
		return true;
	if (!leaves)
		return traceworld_run(world, rec->time, rec->cpu, rec->pid, rec->tid);
	if (rec->type == RECORD_SWITCH_CPU_WIDE)
		return traceworld_run(world, rec->time, rec->cpu, rec->cpu_switch.next_prev_pid,
				      rec->cpu_switch.next_prev_tid);
	return true;
}

bool traceworld_record(struct traceworld *world, const struct process_table *processes,
		       const struct record *rec)
{
	world->nr++;
	switch (rec->type) {
	case RECORD_MMAP:
	case RECORD_MMAP2:
		if ((rec->misc & MISC_MMAP_DATA && !world->has_data) ||
		    record_cpumode(rec) == CPUMODE_KERNEL)
			return true;
		return note_process(world, processes, rec);
	case RECORD_COMM:
	case RECORD_FORK:
		return note_thread(world, rec) && note_process(world, processes, rec);
	case RECORD_ITRACE_START:
		return note_thread(world, rec) &&
		       (!(rec->has & HAS_CPU) ||
			traceworld_run(world, rec->time, rec->cpu, rec->pid, rec->tid));
	case RECORD_SWITCH:
	case RECORD_SWITCH_CPU_WIDE:
		return world->switches == PTINFO_SCHED_SWITCH || note_switch(world, rec);
	default:
		return true;
	}
}

/* ---- order ----------------------------------------------------------------------------------- */

static int compare_u64(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_spaces(const void *a, const void *b)
{
	const struct trace_space *x = a, *y = b;
	const int by_pid = compare_u64(x->pid, y->pid), by_time = compare_u64(x->time, y->time);

	return by_pid ? by_pid : by_time ? by_time : compare_u64(x->nr, y->nr);
}

static int compare_runs(const void *a, const void *b)
{
	const struct trace_switch *x = a, *y = b;
	const int by_cpu = compare_u64(x->cpu, y->cpu), by_time = compare_u64(x->time, y->time);

	return by_cpu ? by_cpu : by_time ? by_time : compare_u64(x->nr, y->nr);
}

static int compare_threads(const void *a, const void *b)
{
	const struct trace_thread *x = a, *y = b;
	const int by_tid = compare_u64(x->tid, y->tid), by_time = compare_u64(x->time, y->time);

	return by_tid ? by_tid : by_time ? by_time : compare_u64(x->nr, y->nr);
}

void traceworld_sort(struct traceworld *world)
{
	if (world->nr_spaces)
		qsort(world->spaces, world->nr_spaces, sizeof(*world->spaces), compare_spaces);
	if (world->nr_runs)
		qsort(world->runs, world->nr_runs, sizeof(*world->runs), compare_runs);
	if (world->nr_threads)
		qsort(world->threads, world->nr_threads, sizeof(*world->threads), compare_threads);
}

/* ---- looking up ------------------------------------------------------------------------------ */

/*
 * The last of the @nr elements at @first that is not after @key by @compare; with @number of equal
 * keys the last of them, as the key's nr is the highest. NULL if all are after it.
 */
static const void *last_before(const void *first, size_t nr, size_t size, const void *key,
			       int (*compare)(const void *, const void *))
{
	size_t low = 0, high = nr;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (compare((const char *)first + middle * size, key) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? (const char *)first + (low - 1) * size : NULL;
}

const struct trace_space *traceworld_space(const struct traceworld *world, uint32_t pid,
					   uint64_t time)
{
	const struct trace_space key = {.time = time, .nr = UINT64_MAX, .pid = pid};
	const struct trace_space *found, *next;

	found = last_before(world->spaces, world->nr_spaces, sizeof(key), &key, compare_spaces);
	if (found && found->pid == pid)
		return found;
	next = found ? found + 1 : world->spaces;
	return next && next < world->spaces + world->nr_spaces && next->pid == pid ? next : NULL;
}

const struct trace_switch *traceworld_running(const struct traceworld *world, uint32_t cpu,
					      uint64_t time)
{
	const struct trace_switch key = {.time = time, .nr = UINT64_MAX, .cpu = cpu};
	const struct trace_switch *found;

	found = last_before(world->runs, world->nr_runs, sizeof(key), &key, compare_runs);
	return found && found->cpu == cpu ? found : NULL;
}

uint32_t traceworld_pid(const struct traceworld *world, uint32_t tid, uint64_t time)
{
	const struct trace_thread key = {.time = time, .nr = UINT64_MAX, .tid = tid};
	const struct trace_thread *found, *next;

	found = last_before(world->threads, world->nr_threads, sizeof(key), &key, compare_threads);
	if (found && found->tid == tid)
		return found->pid;
	next = found ? found + 1 : world->threads;
	if (next && next < world->threads + world->nr_threads && next->tid == tid)
		return next->pid;
	return PID_NONE;
}

struct trace_who traceworld_who(const struct traceworld *world, uint32_t cpu, uint32_t tid,
				uint64_t ns)
{
	const uint64_t time = ns ? ns : UINT64_MAX;
	struct trace_who who = {.pid = PID_NONE, .tid = tid};

	if (tid == UINT32_MAX) {
		const struct trace_switch *running = traceworld_running(world, cpu, time);

		if (!running)
			return who;
		who.tid = running->tid;
		who.pid = running->pid;
	}
	if (who.pid == PID_NONE)
		who.pid = traceworld_pid(world, who.tid, time);
	if (who.pid != PID_NONE)
		who.space = traceworld_space(world, who.pid, time);
	return who;
}

void traceworld_free(struct traceworld *world)
{
	for (size_t i = 0; i < world->nr_spaces; i++)
		map_set_release(world->spaces[i].maps);
	free(world->spaces);
	free(world->newest);
	index_free(&world->by_pid);
	free(world->runs);
	free(world->threads);
	*world = (struct traceworld){0};
}
