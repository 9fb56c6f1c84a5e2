#include "perffile/order/leap.h"

#include "perffile/record/raw.h"
#include "util/hash.h"

#include <string.h>

void leap_clear(struct leap *leap)
{
	for (size_t i = 0; i < leap->nr_processes; i++)
		leap->slots[leap->processes[i].slot] = 0;
	leap->nr_processes = leap->nr_records = leap->at = 0;
	leap->end = leap->newest = 0;
	leap->last = NULL;
}

/* The slot of @pid: its process's, or an empty one. */
static inline size_t slot_of(const struct leap *leap, uint32_t pid)
{
	size_t i = hash_u64(pid) % LEAP_SLOTS;

	while (leap->slots[i] && leap->processes[leap->slots[i] - 1].pid != pid)
		i = (i + 1) % LEAP_SLOTS;
	return i;
}

/* Returns the process with @pid; NULL if it is calm. */
static struct leap_process *find(struct leap *leap, uint32_t pid)
{
	const uint16_t number = leap->slots[slot_of(leap, pid)];

	return number ? &leap->processes[number - 1] : NULL;
}

static void add(struct leap *leap, uint32_t pid)
{
	const size_t slot = slot_of(leap, pid);
	struct leap_process *process;

	if (leap->slots[slot])
		return;
	process = &leap->processes[leap->nr_processes++];
	*process = (struct leap_process){.pid = pid, .slot = (uint16_t)slot};
	leap->slots[slot] = (uint16_t)leap->nr_processes;
}

bool leap_note(struct leap *leap, const struct record_scope *scope)
{
	if (scope->all || leap->nr_records == LEAP_RECORDS_MAX ||
	    leap->nr_processes + scope->nr > LEAP_PROCESSES_MAX)
		return false;
	for (size_t i = 0; i < scope->nr; i++)
		add(leap, scope->pids[i]);
	leap->nr_records++;
	return true;
}

/* What is looked at of a sample; 0 if it is cut before. */
struct glance {
	uint64_t time; /* ns */
	uint32_t pid;
};

/* Where that is: bytes from a sample's start. */
struct glance_at {
	size_t time, pid;
	bool swap;
};

/* Looks at the first sample of @left, and moves over it. */
static inline struct glance look(struct raw_stretch *left, const struct glance_at *at)
{
	const struct raw_record raw = raw_take(left, at->swap);
	struct glance glance = {0};

	if (raw.size >= at->time + sizeof(glance.time))
		memcpy(&glance.time, raw.bytes + at->time, sizeof(glance.time));
	if (raw.size >= at->pid + sizeof(glance.pid))
		memcpy(&glance.pid, raw.bytes + at->pid, sizeof(glance.pid));
	if (at->swap) {
		glance.time = __builtin_bswap64(glance.time);
		glance.pid = __builtin_bswap32(glance.pid);
	}
	return glance;
}

struct leap_process *leap_take(struct leap *leap, struct taken *taken)
{
	const struct event_set *set = taken->finder->set;
	const struct glance_at at = {set->sample_time, set->sample_pid, taken->swap};
	const uint8_t *const end = taken->end;
	const uint64_t bound = taken->bound;
	struct raw_stretch left = {.bytes = taken->bytes}, after = left;
	struct glance glance = look(&after, &at);
	struct leap_process *const process = find(leap, glance.pid);

	for (;;) {
		const struct glance before = glance;

		left = after;
		taken->last = before.time;
		if (left.bytes == end)
			break;
		glance = look(&after, &at);
		if (glance.time >= bound ||
		    (glance.pid != before.pid && (process || find(leap, glance.pid))))
			break;
	}
	taken->time = glance.time;
	taken->bytes = left.bytes;
	taken->nr = left.nr;
	return process;
}

void leap_keep(struct leap_process *process, struct run *run)
{
	run->kept = true;
	tree_insert_near(&process->kept, &run->node, run_compare);
}

/* The kept run of @process with the earliest sample; NULL: there is none. */
static struct run *first_kept(const struct leap_process *process)
{
	struct tree_node *node = tree_first(&process->kept);

	return node ? tree_entry(node, struct run, node) : NULL;
}

struct run *leap_older(struct leap *leap, const struct record_scope *scope, uint64_t time,
		       uint64_t nr)
{
	for (size_t i = 0; i < scope->nr; i++) {
		struct leap_process *process = find(leap, scope->pids[i]);
		struct run *run = process ? first_kept(process) : NULL;

		if (run && (run->time < time || (run->time == time && run->nr < nr))) {
			leap->last = process;
			return run;
		}
	}
	return NULL;
}

struct run *leap_rest(struct leap *leap)
{
	for (; leap->at < leap->nr_processes; leap->at++) {
		struct run *run = first_kept(&leap->processes[leap->at]);

		if (run) {
			leap->last = &leap->processes[leap->at];
			return run;
		}
	}
	return NULL;
}

void leap_remove(struct leap *leap, struct run *run)
{
	tree_remove(&leap->last->kept, &run->node);
}

void leap_add(struct leap *leap, struct run *run)
{
	tree_insert(&leap->last->kept, &run->node, run_compare);
}

void leap_move(struct leap *leap, struct run *run)
{
	leap_remove(leap, run);
	leap_add(leap, run);
}
