#include "decode/process/jitcode.h"

#include "decode/process/counterclock.h"
#include "decode/symbol/jit/jitdump.h"
#include "perffile/format.h"
#include "util/array.h"
#include "util/hash.h"
#include "util/index.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NEVER UINT64_MAX

/* Code at [start, end), valid from @time on. */
struct jit_load {
	uint64_t time; /* ns of the recording's clock; 0: no time */
	uint64_t start, end;
	uint64_t offset; /* of its bytes in the dump, in bytes */
	uint64_t number; /* index in the order of the dump */
};

/* A jitdump, and how much of it the replay has applied. */
struct jit_dump {
	struct tree_node node; /* in jit_code.waiting, by the time of loads[next] */
	const struct dso *dso;
	uint32_t pid;
	struct jit_load *loads; /* sorted by time */
	size_t nr, room, next;
};

void jit_code_init(struct jit_code *jit, const struct perffile *file)
{
	*jit = (struct jit_code){.file = file, .due = NEVER};
}

static void free_dump(struct jit_dump *dump)
{
	if (dump)
		free(dump->loads);
	free(dump);
}

void jit_code_free(struct jit_code *jit)
{
	for (size_t i = 0; i < jit->nr_dumps; i++)
		free_dump(jit->dumps[i]);
	free(jit->dumps);
	*jit = (struct jit_code){.due = NEVER};
}

/* ---- the clock ------------------------------------------------------------------------------- */

/*
 * Whether times of @dump can be converted to the recording's clock: they are ns of CLOCK_MONOTONIC
 * and all events use that clock (perf record -k mono), or they are TSC counts and all events use
 * perf's default clock.
 */
static bool has_our_clock(const struct jit_code *jit, const struct jitdump *dump)
{
	if (dump->arch_clock && (!counter_clock_is_known(&jit->counter)))
		return false;
	for (size_t i = 0; i < perffile_nr_events(jit->file); i++) {
		const struct attr *attr = &perffile_event(jit->file, i)->attr;
		const bool chosen = attr->flags & ATTR_USE_CLOCKID;

		if (dump->arch_clock ? chosen : !chosen || attr->clockid != CLOCK_MONOTONIC)
			return false;
	}
	return true;
}

/* ---- reading a dump -------------------------------------------------------------------------- */

/* The place of the bytes of code @index in the dump, needed when the code is moved. */
struct code_place {
	uint64_t index, offset, size;
};

struct code_table {
	struct code_place *places;
	size_t room;
	struct index by_index;
};

static struct code_place *find_place(const struct code_table *table, uint64_t index)
{
	const uint64_t hash = hash_u64(index);
	uint32_t number;

	for (size_t at = index_first(&table->by_index, hash);
	     index_next(&table->by_index, hash, &at, &number);) {
		/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): it was added */
		if (table->places[number].index == index)
			return &table->places[number];
	}
	return NULL;
}

static bool keep_place(struct code_table *table, const struct jitdump_code *code)
{
	const struct code_place place = {code->index, code->offset, code->size};
	struct code_place *known = find_place(table, code->index);

	if (known) {
		*known = place;
		return true;
	}
	if (!array_grow(table->places, table->room, table->by_index.nr + 1))
		return false;
	table->places[table->by_index.nr] = place;
	return index_add(&table->by_index, hash_u64(code->index));
}

/* Sets the offset of code that was moved. Returns false if the dump does not have its bytes. */
static bool find_moved(const struct code_table *table, struct jitdump_code *code)
{
	const struct code_place *place = find_place(table, code->index);

	if (!place || code->size > place->size)
		return false;
	code->offset = place->offset;
	return true;
}

static bool add_load(struct jit_dump *dump, const struct jitdump_code *code, uint64_t time)
{
	if (!array_grow(dump->loads, dump->room, dump->nr + 1))
		return false;
	dump->loads[dump->nr] = (struct jit_load){
		.time = time,
		.start = code->start,
		.end = code->start + code->size,
		.offset = code->offset,
		.number = dump->nr,
	};
	dump->nr++;
	return true;
}

/* Adds all code of @from; if not @timed, with time 0. Returns false if memory is out. */
static bool read_loads(const struct jit_code *jit, struct jit_dump *dump, struct jitdump *from,
		       bool timed)
{
	struct code_table table = {0};
	struct jitdump_code code;
	bool ok = true;

	while (ok && jitdump_next(from, &code)) {
		uint64_t time = timed ? code.time : 0;

		if (timed && from->arch_clock)
			time = counter_clock_ns(&jit->counter, time);
		if (!code.moved)
			ok = keep_place(&table, &code);
		else if (!find_moved(&table, &code))
			continue;
		ok = ok && add_load(dump, &code, time);
	}
	free(table.places);
	index_free(&table.by_index);
	return ok;
}

static int by_time(const void *left, const void *right)
{
	const struct jit_load *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

/* ---- the order of what is to come ------------------------------------------------------------ */

static uint64_t next_time(const struct tree_node *node)
{
	const struct jit_dump *dump = tree_entry(node, struct jit_dump, node);

	return dump->loads[dump->next].time;
}

static int compare_dumps(const struct tree_node *a, const struct tree_node *b)
{
	return next_time(a) < next_time(b) ? -1 : next_time(a) > next_time(b);
}

static void set_due(struct jit_code *jit)
{
	const struct tree_node *first = tree_first(&jit->waiting);

	jit->due = first ? next_time(first) : NEVER;
}

static void wait_for(struct jit_code *jit, struct jit_dump *dump)
{
	if (dump->next < dump->nr)
		tree_insert(&jit->waiting, &dump->node, compare_dumps);
	set_due(jit);
}

/* ---- the replay ------------------------------------------------------------------------------ */

/* Makes a jit_dump for @dso and adds it to @jit; NULL if memory is out. */
static struct jit_dump *new_dump(struct jit_code *jit, const struct dso *dso, uint32_t pid)
{
	struct jit_dump *dump = calloc(1, sizeof(*dump));

	if (!dump || !array_grow(jit->dumps, jit->room, jit->nr_dumps + 1)) {
		free(dump);
		return NULL;
	}
	dump->dso = dso;
	dump->pid = pid;
	jit->dumps[jit->nr_dumps++] = dump;
	return dump;
}

/* Returns the dso of the anonymous memory of process @pid; NULL if memory is out. */
static struct dso *get_memory(struct dso_table *dsos, uint32_t pid)
{
	char path[DSO_PERF_MAP_MAX];

	return dso_table_get_instance(dsos, DSO_JIT, dso_perf_map(path, pid), pid);
}

/* Notes in the memory of process @pid that the dump of its code, at @path, is not complete. */
static bool note_lost(struct dso_table *dsos, uint32_t pid, const char *path)
{
	struct dso *memory = get_memory(dsos, pid);

	if (!memory)
		return false;
	memory->lost_dump = intern_keep(&dsos->strings, path);
	return memory->lost_dump;
}

/*
 * For a process that still runs: stores the dump in the dso of the process's anonymous memory, so
 * that code written later can be found there. Returns false if memory is out.
 */
static bool expect_rest(struct dso_table *dsos, const struct jit_dump *dump, size_t read)
{
	struct dso *memory = get_memory(dsos, dump->pid);

	if (!memory)
		return false;
	memory->dump = dump->dso;
	memory->dump_read = read;
	return true;
}

/* Returns the dso of the dump at @place; NULL if memory is out. */
static const struct dso *get_dso(struct dso_table *dsos, const struct jitdump_place *place,
				 uint32_t root)
{
	if (place->root)
		return dso_table_get_in_root(dsos, DSO_JITDUMP, place->path, NULL, 0, place->root,
					     root);
	return dso_table_get(dsos, DSO_JITDUMP, place->path, NULL, 0);
}

static bool read_dump(struct jit_code *jit, struct dso_table *dsos,
		      const struct jitdump_place *place, uint32_t pid, struct jitdump *from)
{
	const size_t nr_dsos = dsos->nr_dsos;
	const struct dso *dso = get_dso(dsos, place, roots_find(jit->roots, pid));
	const bool timed = has_our_clock(jit, from);
	struct jit_dump *dump;

	if (!dso || dso->number < nr_dsos)
		return dso; /* it was read before */
	dump = new_dump(jit, dso, pid);
	if (!dump || !read_loads(jit, dump, from, timed))
		return false;
	if (perffile_bytes_total(jit->file) == 0 && !expect_rest(dsos, dump, from->read))
		return false;
	if (perffile_bytes_total(jit->file) && from->read < from->size &&
	    !note_lost(dsos, pid, place->path))
		return false;
	if (dump->nr)
		qsort(dump->loads, dump->nr, sizeof(*dump->loads), by_time);
	jit->nr_untimed += !timed && dump->nr;
	wait_for(jit, dump);
	return true;
}

bool jit_code_mmap(struct jit_code *jit, struct dso_table *dsos, struct process_table *processes,
		   const struct record *rec)
{
	const uint32_t root = roots_find(jit->roots, rec->pid);
	const char *dir = root ? roots_dir(jit->roots, root) : jit->symfs;
	struct jitdump_place place;
	struct file_bytes file;
	struct jitdump dump;
	uint32_t inner_pid;
	bool ok;

	if (rec->misc & MISC_MMAP_DATA || !jitdump_is_name(rec->mmap.filename, &inner_pid))
		return true;
	if (!jitdump_find(rec->mmap.filename, rec->pid, dir, &place, &file, &dump))
		return note_lost(dsos, rec->pid, rec->mmap.filename);
	ok = read_dump(jit, dsos, &place, rec->pid, &dump);
	file_unmap(&file);
	/* Code without a time is mapped now. */
	return ok && (jit->due != 0 || jit_code_apply(jit, processes, 0));
}

static bool map_load(const struct jit_code *jit, struct process_table *processes,
		     const struct jit_dump *dump, const struct jit_load *load)
{
	const struct jit_watcher *watcher = &jit->watcher;
	struct process *process = process_find(processes, dump->pid);
	const struct map map = {.start = load->start,
				.end = load->end,
				.pgoff = load->offset,
				.dso = dump->dso,
				.is_code = true};
	const struct map *there;
	bool displaces;

	if (!process)
		return true;
	there = maptree_from(process->maps->code, load->start);
	displaces = there && there->start < load->end;
	return map_set_insert_code(&process->maps, &map, ++processes->version) &&
	       (load->time == 0 || !watcher->mapped ||
		watcher->mapped(watcher->arg, process, load->time, displaces));
}

bool jit_code_apply(struct jit_code *jit, struct process_table *processes, uint64_t time)
{
	bool ok = true;

	while (ok && jit->due <= time && !tree_empty(&jit->waiting)) {
		struct jit_dump *dump =
			tree_entry(tree_first(&jit->waiting), struct jit_dump, node);

		tree_remove(&jit->waiting, &dump->node);
		while (ok && dump->next < dump->nr && dump->loads[dump->next].time <= time)
			ok = map_load(jit, processes, dump, &dump->loads[dump->next++]);
		wait_for(jit, dump);
	}
	return ok;
}
