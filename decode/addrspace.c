#include "decode/addrspace.h"

#include "util/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define KERNEL_NAME "[kernel.kallsyms]"

static bool starts_with(const char *str, const char *prefix)
{
	return strncmp(str, prefix, strlen(prefix)) == 0;
}

static bool is_kernel_misc(uint16_t misc)
{
	return (misc & CPUMODE_MASK) == CPUMODE_KERNEL;
}

static uint64_t hash_name(const char *name, bool kernel)
{
	return hash_bytes(name, strlen(name)) + kernel;
}

/* The build id that the recording's table has for @name; its len is 0 if it has none. */
static struct build_id find_build_id(const struct addrspaces *spaces, const char *name, bool kernel)
{
	const struct index *ix = &spaces->build_id_names;
	uint64_t hash = hash_name(name, kernel);
	uint32_t number;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);) {
		const struct named_build_id *entry = &perffile_build_ids(spaces->file)[number];

		if (is_kernel_misc(entry->misc) == kernel && strcmp(entry->filename, name) == 0)
			return entry->id;
	}
	return (struct build_id){0};
}

/* Enters what the recording's table has by now. */
static bool index_build_ids(struct addrspaces *spaces)
{
	struct index *ix = &spaces->build_id_names;

	while (ix->nr < perffile_nr_build_ids(spaces->file)) {
		const struct named_build_id *entry = &perffile_build_ids(spaces->file)[ix->nr];

		if (!index_add(ix, hash_name(entry->filename, is_kernel_misc(entry->misc))))
			return false;
	}
	return true;
}

bool addrspaces_init(struct addrspaces *spaces, const struct perffile *file)
{
	*spaces = (struct addrspaces){.kernel = map_set_create(0), .file = file};
	spaces->unmapped = dso_table_get(&spaces->dsos, DSO_UNMAPPED, "[unmapped]", NULL, 0);
	spaces->guest = dso_table_get(&spaces->dsos, DSO_GUEST, "[guest]", NULL, 0);
	return spaces->kernel && spaces->unmapped && spaces->guest && index_build_ids(spaces);
}

/* The dso of @name, with the build id of the record itself or else of the recording's table. */
static struct dso *get_dso(struct addrspaces *spaces, enum dso_kind kind, const char *name,
			   const struct record *rec)
{
	bool kernel = kind == DSO_KERNEL || kind == DSO_MODULE;
	struct build_id id = rec->mmap.build_id;

	if (id.len == 0)
		id = find_build_id(spaces, name, kernel);
	return dso_table_get(&spaces->dsos, kind, name, id.bytes, id.len);
}

/* Kernel addresses are looked up as they are. */
static bool map_kernel_code(struct addrspaces *spaces, struct process_table *processes,
			    uint64_t start, uint64_t end, const struct dso *dso)
{
	const struct map map = {
		.start = start, .end = end, .pgoff = start, .dso = dso, .is_code = true};

	return map_set_insert(&spaces->kernel, &map, ++processes->version);
}

/*
 * "[kernel.kallsyms]_text": behind the name stands a reference symbol, and pgoff is its address at
 * run time. Some writers give no range: then it is all that no module claims.
 */
static bool map_kernel(struct addrspaces *spaces, struct process_table *processes,
		       const struct record *rec)
{
	struct dso *dso = get_dso(spaces, DSO_KERNEL, KERNEL_NAME, rec);
	const char *symbol = rec->mmap.filename + strlen(KERNEL_NAME);
	uint64_t start = rec->mmap.start, end = start + rec->mmap.len;

	if (!dso)
		return false;
	if (*symbol && rec->mmap.pgoff) {
		dso->reference_symbol = intern_keep(&spaces->dsos.strings, symbol);
		dso->reference_address = rec->mmap.pgoff;
		if (!dso->reference_symbol)
			return false;
	}
	if (end <= start)
		end = UINT64_MAX;
	return map_kernel_code(spaces, processes, start, end, dso);
}

static bool map_module(struct addrspaces *spaces, struct process_table *processes,
		       const struct record *rec)
{
	struct dso *dso = get_dso(spaces, DSO_MODULE, rec->mmap.filename, rec);
	uint64_t start = rec->mmap.start, end;

	if (!dso)
		return false;
	if (__builtin_add_overflow(start, rec->mmap.len, &end))
		end = UINT64_MAX;
	dso->start = start;
	dso->end = end;
	return map_kernel_code(spaces, processes, start, end, dso);
}

/* Memory without a file that code may run from: what a JIT compiler writes. */
static bool is_anonymous(const char *name)
{
	return starts_with(name, "//anon") || starts_with(name, "/dev/zero") ||
	       starts_with(name, "/anon_hugepage");
}

static bool has_no_file(const char *name)
{
	return starts_with(name, "[heap]") || starts_with(name, "[stack") ||
	       starts_with(name, "/SYSV") || starts_with(name, "[vsyscall]") ||
	       starts_with(name, "//");
}

/* What a process's mapping is of; *@pgoff becomes what its addresses count from. */
static const struct dso *classify(struct addrspaces *spaces, const struct process *process,
				  const struct record *rec, uint64_t *pgoff)
{
	const char *name = rec->mmap.filename;
	char perf_map[64];

	if (strcmp(name, "[vdso]") == 0) {
		*pgoff = 0;
		return get_dso(spaces, DSO_VDSO, name, rec);
	}
	if (is_anonymous(name)) {
		/* perf's name for it: where a JIT compiler may leave its symbols */
		snprintf(perf_map, sizeof(perf_map), "/tmp/perf-%" PRIu32 ".map", process->pid);
		*pgoff = rec->mmap.start;
		return get_dso(spaces, DSO_JIT, perf_map, rec);
	}
	return get_dso(spaces, has_no_file(name) ? DSO_NONE : DSO_USER, name, rec);
}

/* As classify(), by way of what was mapped lately. */
static const struct dso *find_dso(struct addrspaces *spaces, const struct process *process,
				  const struct record *rec, uint64_t *pgoff)
{
	uint64_t hash = hash_bytes(rec->mmap.filename, rec->mmap.filename_len);
	const struct dso **recent = &spaces->recent[hash % RECENT_DSOS], *dso = *recent;

	if (dso && rec->mmap.build_id.len == 0 && strcmp(dso->path, rec->mmap.filename) == 0)
		return dso;
	dso = classify(spaces, process, rec, pgoff);
	if (dso && dso->kind == DSO_USER && rec->mmap.build_id.len == 0)
		*recent = dso;
	return dso;
}

static bool map_user(struct addrspaces *spaces, struct process_table *processes,
		     struct process *process, const struct record *rec)
{
	uint64_t start = rec->mmap.start, pgoff = rec->mmap.pgoff, end;
	const struct dso *dso = find_dso(spaces, process, rec, &pgoff);
	bool is_code = !(rec->misc & MISC_MMAP_DATA);

	if (!dso)
		return false;
	if (__builtin_add_overflow(start, rec->mmap.len, &end))
		end = UINT64_MAX;
	return process_map(processes, process, start, end, pgoff, dso, is_code);
}

bool addrspaces_mmap(struct addrspaces *spaces, struct process_table *processes,
		     const struct record *rec)
{
	struct process *process;

	switch (record_cpumode(rec)) {
	case CPUMODE_KERNEL:
		if (starts_with(rec->mmap.filename, KERNEL_NAME))
			return map_kernel(spaces, processes, rec);
		return map_module(spaces, processes, rec);
	case CPUMODE_GUEST_KERNEL:
	case CPUMODE_GUEST_USER:
		return true; /* guests are not looked into */
	case CPUMODE_UNKNOWN:
	case CPUMODE_USER:
	case CPUMODE_HYPERVISOR:
	case CPUMODE_MASK:
	default:
		break;
	}
	process = process_get(processes, rec->pid);
	if (!process || !thread_get(processes, process, rec->tid))
		return false;
	return map_user(spaces, processes, process, rec);
}

struct location addrspaces_locate(const struct addrspaces *spaces, const struct process *process,
				  enum cpumode cpumode, uint64_t addr)
{
	const struct map *map = NULL;

	if (cpumode == CPUMODE_KERNEL)
		map = map_set_find(spaces->kernel, addr);
	else if (cpumode == CPUMODE_USER && process->maps) /* none: its life has ended */
		map = map_set_find(process->maps, addr);
	else if (cpumode == CPUMODE_GUEST_KERNEL || cpumode == CPUMODE_GUEST_USER)
		return (struct location){spaces->guest, addr};
	if (!map)
		return (struct location){spaces->unmapped, addr};
	return (struct location){map->dso, map_place(map, addr)};
}

bool addrspaces_finish(struct addrspaces *spaces)
{
	if (!index_build_ids(spaces))
		return false;
	for (size_t i = 0; i < spaces->dsos.nr_dsos; i++) {
		struct dso *dso = spaces->dsos.dsos[i];
		bool kernel = dso->kind == DSO_KERNEL || dso->kind == DSO_MODULE;
		struct build_id id;

		if (dso->build_id_len ||
		    (!kernel && dso->kind != DSO_USER && dso->kind != DSO_VDSO))
			continue;
		id = find_build_id(spaces, dso->path, kernel);
		memcpy(dso->build_id, id.bytes, sizeof(dso->build_id));
		dso->build_id_len = id.len;
	}
	return true;
}

void addrspaces_free(struct addrspaces *spaces)
{
	map_set_release(spaces->kernel);
	index_free(&spaces->build_id_names);
	dso_table_free(&spaces->dsos);
	*spaces = (struct addrspaces){0};
}
