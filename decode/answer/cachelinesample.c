#include "decode/answer/cachelinesample.h"

#include "decode/answer/memoryaccess.h"
#include "perffile/format.h"

#include <string.h>

/* Of no file: the same address of another process is other memory. */
static bool is_private(const struct dso *dso)
{
	switch (dso->kind) {
	case DSO_JIT:
	case DSO_UNMAPPED:
		return true;
	case DSO_NONE: /* but "/SYSV..." is shared memory */
		return dso->path[0] == '[' || strncmp(dso->path, "//", 2) == 0;
	default:
		return false;
	}
}

static bool is_kernel_address(uint64_t addr)
{
	return addr >> 63;
}

/* Each process has a copy of its own of what it writes there, such as a program's variables. */
static bool is_own_copy(const struct process *process, uint64_t addr)
{
	const struct map *map = addrspaces_user_map(NULL, process, addr);

	return map && map->is_own;
}

/* The kernel's data is mapped nowhere: its addresses are those of all processes. */
static void set_data(struct cacheline_key *key, const struct addrspaces *spaces,
		     const struct process *process, uint64_t addr)
{
	struct location at = addrspaces_locate(spaces, process, CPUMODE_USER, addr);
	const bool is_kernel = at.dso == spaces->unmapped && is_kernel_address(addr);

	if (is_kernel)
		at = addrspaces_locate(spaces, process, CPUMODE_KERNEL, addr);
	key->data_place = at.place;
	key->data_dso = at.dso->number;
	key->pid = CACHELINE_SHARED;
	if (!is_kernel && is_private(at.dso)) {
		/* Its mapping may begin anywhere in it: only the address tells the line. */
		key->data_place = addr;
		key->pid = process->pid;
	} else if (!is_kernel && is_own_copy(process, addr)) {
		key->pid = process->pid;
	}
}

/*
 * As tools/perf/util/mem-events.c counts, but a cache of another core of the same node is local
 * whatever its level is.
 */
static void count_load(uint64_t *counts, const struct memory_access *access)
{
	const bool is_far = access->level == MEMORY_CACHE || access->level == MEMORY_L4;
	const bool is_near = access->level == MEMORY_L2 || access->level == MEMORY_L3;

	counts[CACHELINE_LOADS] = 1;
	if (access->missed)
		return;
	if (access->hitm && !access->remote && (access->other_core || is_near))
		counts[CACHELINE_HITM_LOCAL] = 1;
	else if (access->hitm && (access->remote || is_far))
		counts[CACHELINE_HITM_REMOTE] = 1;
	if (access->peer)
		counts[CACHELINE_PEER] = 1;
	if (access->level == MEMORY_RAM)
		counts[CACHELINE_RAM] = 1;
}

static void count_store(uint64_t *counts, const struct memory_access *access)
{
	counts[CACHELINE_STORES] = 1;
	if (access->level == MEMORY_L1 && access->missed)
		counts[CACHELINE_L1MISS_STORES] = 1;
	else if (access->level == MEMORY_L1)
		counts[CACHELINE_L1HIT_STORES] = 1;
}

bool cacheline_sample_access(struct cacheline_sink *sink, const struct addrspaces *spaces,
			     const struct cacheline_access *of)
{
	const struct memory_access access = memory_access_of(of->data_src);
	struct cacheline_cell cell = {.counts[CACHELINE_RECORDS] = 1};

	sink->totals.samples++;
	if (!access.load && !access.store) {
		sink->totals.no_op++;
		return true;
	}
	if (!of->addr) {
		sink->totals.no_addr++;
		return true;
	}
	cell.key.code_dso = of->code.dso->number;
	cell.key.code_place = of->code.place;
	cell.key.tid = of->tid;
	cell.key.cpu = of->cpu;
	set_data(&cell.key, spaces, of->process, of->addr);
	if (access.load)
		count_load(cell.counts, &access);
	else
		count_store(cell.counts, &access);
	if (!cacheline_add(&sink->count, &cell))
		return false;
	sink->totals.beyond = sink->count.beyond;
	return true;
}

bool cacheline_sample_count(struct cacheline_sink *sink, const struct addrspaces *spaces,
			    const struct process *process, const struct record *rec)
{
	const uint64_t fields = SAMPLE_DATA_SRC | SAMPLE_ADDR;
	struct cacheline_access access = {
		.process = process,
		.addr = rec->sample.addr,
		.data_src = rec->sample.extra.data_src,
		.tid = rec->has & HAS_TID ? rec->tid : PID_NONE,
		.cpu = record_cpu(rec),
	};

	if (!rec->event->layout.has_extra || (rec->event->attr.sample_type & fields) != fields)
		return true;
	access.code = addrspaces_locate(spaces, process, record_cpumode(rec), rec->sample.ip);
	return cacheline_sample_access(sink, spaces, &access);
}
