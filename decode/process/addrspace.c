#include "decode/process/addrspace.h"

#include "util/removed.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define KERNEL_NAME "[kernel.kallsyms]"
/* Beside [vdso] in the table of build ids: tools/perf/util/vdso.h. */
#define VDSO_32_NAME "[vdso32]"

static bool starts_with(const char *str, const char *prefix)
{
	return strncmp(str, prefix, strlen(prefix)) == 0;
}

bool addrspaces_init(struct addrspaces *spaces, const struct perffile *file,
		     const struct build_ids_present *present)
{
	*spaces = (struct addrspaces){
		.build_ids = {.file = file, .present = present},
		.all_build_ids = {.file = file, .present = present},
	};
	spaces->unmapped = dso_table_get(&spaces->dsos, DSO_UNMAPPED, "[unmapped]", NULL, 0);
	spaces->guest = dso_table_get(&spaces->dsos, DSO_GUEST, "[guest]", NULL, 0);
	spaces->vsyscall = dso_table_get(&spaces->dsos, DSO_NONE, "[vsyscall]", NULL, 0);
	return kernel_space_init(&spaces->kernel) && spaces->unmapped && spaces->guest &&
	       spaces->vsyscall && build_ids_update(&spaces->build_ids);
}

/*
 * Returns the dso of @name, with the build id of the record, or else of the recording's table. NULL
 * if memory is out.
 */
static struct dso *get_dso(struct addrspaces *spaces, enum dso_kind kind, const char *name,
			   const struct record *rec)
{
	bool kernel = kind == DSO_KERNEL || kind == DSO_MODULE;
	struct build_id id = rec->mmap.build_id;

	if (id.len == 0)
		id = build_ids_find(&spaces->build_ids, name, kernel);
	return dso_table_get(&spaces->dsos, kind, name, id.bytes, id.len);
}

/* start + len; 2^64, which does not fit, becomes 2^64 - 1. */
static uint64_t range_end(uint64_t start, uint64_t len)
{
	uint64_t end;

	return __builtin_add_overflow(start, len, &end) ? UINT64_MAX : end;
}

/* ---- the kernel ------------------------------------------------------------------------------ */

/*
 * Bytes behind the range of the kernel's record that are the kernel's, too, where no module is:
 * perf ends it at _etext, but the code that starts the system is behind the data, and each stack of
 * an idle first CPU ends in it. Far more than a kernel has; modules and BPF programs are elsewhere.
 */
#define KERNEL_BEHIND (UINT64_C(128) << 20)

/*
 * In "[kernel.kallsyms]_text" the name is followed by a reference symbol, and pgoff is its address
 * at run time. Some writers give no range: then it is all addresses that no module claims.
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
	spaces->host = dso;
	return kernel_space_map(&spaces->kernel, start, end, dso, ++processes->version) &&
	       kernel_space_fill(&spaces->kernel, end, range_end(end, KERNEL_BEHIND), dso,
				 ++processes->version);
}

static bool map_module(struct addrspaces *spaces, struct process_table *processes,
		       const struct record *rec)
{
	struct dso *dso = get_dso(spaces, DSO_MODULE, rec->mmap.filename, rec);

	if (!dso)
		return false;
	dso->start = rec->mmap.start;
	dso->end = range_end(rec->mmap.start, rec->mmap.len);
	return kernel_space_map(&spaces->kernel, dso->start, dso->end, dso, ++processes->version);
}

bool addrspaces_ksymbol(struct addrspaces *spaces, struct process_table *processes,
			const struct record *rec)
{
	const struct record_ksymbol *ksymbol = &rec->ksymbol;
	uint64_t end = range_end(ksymbol->addr, ksymbol->len);
	const struct dso *dso;

	if (ksymbol->flags & KSYMBOL_UNREGISTER)
		return kernel_space_unregister(&spaces->kernel, ksymbol->addr,
					       ++processes->version);
	/* A BPF program that the kernel interprets has no code. */
	if (ksymbol->len == 0 || ksymbol->name_len == 0)
		return true;
	dso = dso_table_get(&spaces->dsos, DSO_KSYMBOL, ksymbol->name, NULL, 0);
	return dso && kernel_space_register(&spaces->kernel, ksymbol->addr, end, dso,
					    ++processes->version);
}

/* ---- guests ---------------------------------------------------------------------------------- */

/*
 * "[guest.kernel.kallsyms]_text", "[guest.kernel.kallsyms.PID]_text": the name without the
 * reference symbol is the guest kernel's; the range may be missing, as for the host. Any other name
 * is a module.
 */
static bool map_guest(struct addrspaces *spaces, struct process_table *processes,
		      const struct record *rec)
{
	const char *name = rec->mmap.filename;
	struct map map = {.start = rec->mmap.start, .pgoff = rec->mmap.start, .is_code = true};
	char kernel[64];

	map.end = range_end(map.start, rec->mmap.len);
	if (starts_with(name, "[guest.kernel.kallsyms") || starts_with(name, KERNEL_NAME)) {
		int len = (int)(strcspn(name, "]") + 1);

		snprintf(kernel, sizeof(kernel), "%.*s", len, name);
		name = kernel;
		if (map.end == map.start)
			map.end = UINT64_MAX;
	}
	map.dso = dso_table_get(&spaces->dsos, DSO_GUEST, name, NULL, 0);
	return map.dso && guests_map(&spaces->guests, rec->pid, &map, ++processes->version);
}

/* ---- processes ------------------------------------------------------------------------------- */

/*
 * Whether it is memory without a file. If it is executable, JIT compilers write there. A program
 * can give its memory a name, which /proc/PID/maps shows in brackets.
 */
static bool is_anonymous(const struct record_mmap *mmap)
{
	const char *name = mmap->filename;

	return starts_with(name, "//anon") || starts_with(name, "[anon:") ||
	       starts_with(name, "[anon_shmem:") || starts_with(name, "/dev/zero") ||
	       starts_with(name, "/anon_hugepage") || mmap->flags & MAP_FLAG_HUGETLB;
}

static bool has_no_file(const char *name)
{
	return starts_with(name, "[heap]") || starts_with(name, "[stack") ||
	       starts_with(name, "/SYSV") || starts_with(name, "[vsyscall]") ||
	       starts_with(name, "//");
}

/*
 * Whether it is a file in memory (memfd) that a JIT compiler uses: it maps the file twice, to write
 * and to execute. A program can also be started from a memfd, and a build id means that the file is
 * a program or library.
 */
static bool is_jit_file(const struct addrspaces *spaces, const struct process *process,
			const struct record *rec)
{
	return starts_with(rec->mmap.filename, "/memfd:") && process->exe &&
	       !process->exe_pending && rec->mmap.build_id.len == 0 &&
	       build_ids_find(&spaces->build_ids, rec->mmap.filename, false).len == 0;
}

/* Returns the dso of a mapping of @process without a file on disk. NULL if memory is out. */
static struct dso *get_jit_dso(struct addrspaces *spaces, const struct process *process,
			       const struct record_mmap *mmap)
{
	const uint32_t root = roots_find(spaces->roots, process->pid);
	const char *name = mmap->filename;
	char perf_map[DSO_PERF_MAP_MAX];
	struct dso *dso;

	if (is_anonymous(mmap))
		name = dso_perf_map(perf_map, process->pid);
	dso = dso_table_get_instance(&spaces->dsos, DSO_JIT, name, process->pid);
	if (dso)
		dso->is_lost = roots_is_lost(spaces->roots, process->pid);
	if (dso && root) {
		dso->root = roots_dir(spaces->roots, root);
		dso->is_root_given = roots_is_given(spaces->roots, process->pid);
	}
	return dso;
}

static bool is_below_4g(const struct record_mmap *mmap)
{
	return range_end(mmap->start, mmap->len) <= UINT64_C(1) << 32;
}

/*
 * Returns the dso of the vdso of 32-bit processes, NULL if memory is out. Its build id is needed
 * while stacks are unwound, if the recording has it by then.
 */
static struct dso *get_vdso_32(struct addrspaces *spaces, const char *name)
{
	struct dso *dso = dso_table_get_instance(&spaces->dsos, DSO_VDSO, name, DSO_VDSO_32);

	if (dso && dso->build_id_len == 0 &&
	    build_ids_find(&spaces->build_ids, VDSO_32_NAME, false).len)
		dso->is_told_late = build_ids_set(&spaces->build_ids, dso, VDSO_32_NAME);
	return dso;
}

/*
 * The kernel has one vdso for 64-bit and one for 32-bit processes, with the same name. A vdso below
 * 4 GiB is the 32-bit one: a 64-bit process has its vdso beside its stack, far above.
 */
static struct dso *get_vdso(struct addrspaces *spaces, const struct record *rec)
{
	const char *name = rec->mmap.filename;

	if (rec->mmap.build_id.len == 0 && is_below_4g(&rec->mmap))
		return get_vdso_32(spaces, name);
	spaces->has_vdso_64 = true;
	return get_dso(spaces, DSO_VDSO, name, rec);
}

/* Returns the dso of a mapped file below root @root, which is not ours. NULL if memory is out. */
static struct dso *get_rooted_dso(struct addrspaces *spaces, const struct record *rec,
				  uint32_t root)
{
	const bool is_named = roots_is_named(spaces->roots, root);
	struct dso *dso = dso_table_get_in_root(&spaces->dsos, DSO_USER, rec->mmap.filename,
						rec->mmap.build_id.bytes, rec->mmap.build_id.len,
						roots_dir(spaces->roots, root), root);

	/* Other threads may be reading it. */
	if (dso && dso->is_root_given != is_named)
		dso->is_root_given = is_named;
	return dso;
}

/*
 * Returns the dso of a mapping of @process, whose root number is @root; sets *@pgoff to the place
 * of the mapping's start in the dso. NULL if memory is out.
 */
static const struct dso *classify(struct addrspaces *spaces, const struct process *process,
				  const struct record *rec, uint32_t root, uint64_t *pgoff)
{
	const char *name = rec->mmap.filename;

	if (strcmp(name, "[vdso]") == 0) {
		*pgoff = 0;
		return get_vdso(spaces, rec);
	}
	if (is_anonymous(&rec->mmap) && rec->misc & MISC_MMAP_DATA)
		return get_dso(spaces, DSO_NONE, DSO_ANONYMOUS, rec);
	if (is_anonymous(&rec->mmap) || is_jit_file(spaces, process, rec)) {
		*pgoff = rec->mmap.start;
		return get_jit_dso(spaces, process, &rec->mmap);
	}
	if (has_no_file(name))
		return get_dso(spaces, DSO_NONE, name, rec);
	if (root)
		return get_rooted_dso(spaces, rec, root);
	if (rec->mmap.build_id.len)
		return get_dso(spaces, DSO_USER, name, rec);
	return file_identity_get(&spaces->files, &spaces->dsos, &spaces->build_ids, &rec->mmap);
}

/*
 * Whether [start, end) is a part of the text of the process's main binary. The text is never
 * unmapped: anonymous memory in its place, on huge pages, is a copy of it.
 */
static bool is_program_text(const struct process_table *processes, const struct process *process,
			    uint64_t start, uint64_t end)
{
	const struct map *map = map_set_find(process->maps, start);

	return map && end <= map->end && map->is_code && map->dso->kind == DSO_USER &&
	       process->exe &&
	       strcmp(map->dso->path, intern_get(&processes->strings, process->exe)) == 0;
}

/* Takes note of what the kernel maps into each program: 32-bit Arm has vectors, or a vdso, too. */
static void note_bits(struct process *process, const struct record_mmap *mmap)
{
	if (strcmp(mmap->filename, "[vdso]") == 0 || strcmp(mmap->filename, "[vectors]") == 0)
		process->is_32bit = is_below_4g(mmap);
}

/* Takes note of @map, the first one of a dso, if its file was deleted: the process still has it. */
static void note_deleted(const struct addrspaces *spaces, const struct record *rec,
			 const struct map *map)
{
	struct dso *dso = spaces->dsos.dsos[map->dso->number];

	if (dso->kind != DSO_USER || removed_name_len(dso->path) == strlen(dso->path))
		return;
	dso->pid = rec->pid;
	dso->start = map->start;
	dso->end = map->end;
}

static bool map_user(struct addrspaces *spaces, struct process_table *processes,
		     struct process *process, const struct record *rec)
{
	const struct record_mmap *mmap = &rec->mmap;
	struct map map = {
		.start = mmap->start,
		.end = range_end(mmap->start, mmap->len),
		.pgoff = mmap->pgoff,
		.is_code = !(rec->misc & MISC_MMAP_DATA),
		.is_own = mmap->prot & MAP_PROT_WRITE && mmap->flags & MAP_FLAG_PRIVATE,
	};
	const size_t nr_dsos = spaces->dsos.nr_dsos;
	uint32_t root = roots_find_file(spaces->roots, process->pid, mmap->filename);

	if (mmap->build_id.len == 0 && root == 0)
		map.dso = file_identity_recent(&spaces->files, mmap);
	if (!map.dso)
		map.dso = classify(spaces, process, rec, root, &map.pgoff);
	if (!map.dso)
		return false;
	if (spaces->dsos.nr_dsos > nr_dsos)
		note_deleted(spaces, rec, &map);
	if (map.dso->kind == DSO_JIT && map.is_code &&
	    is_program_text(processes, process, map.start, map.end)) {
		process->known = true;
		process->nr_mmaps++;
		return true;
	}
	note_bits(process, mmap);
	return process_map(processes, process, &map);
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
		return map_guest(spaces, processes, rec);
	case CPUMODE_GUEST_USER:
		return true; /* programs of guests are not resolved */
	case CPUMODE_UNKNOWN:
	case CPUMODE_USER:
	case CPUMODE_HYPERVISOR:
	case CPUMODE_MASK:
	default:
		break;
	}
	process = process_get(processes, rec->pid);
	if (!process || !process_thread_get(processes, process, rec->tid))
		return false;
	return map_user(spaces, processes, process, rec);
}

/* ---- looking up ------------------------------------------------------------------------------ */

/*
 * Processes have this page without mapping it: perf writes a mapping of it only for processes that
 * existed before the recording. arch/x86/include/uapi/asm/vsyscall.h
 */
static bool is_vsyscall(uint64_t addr)
{
	return addr >= 0xffffffffff600000 && addr < 0xffffffffff601000;
}

/* Takes note in @found that @map was found in the set that has @version. */
static void memorize(struct found_maps *found, const struct map *map, uint64_t version)
{
	if (found->version != version)
		*found = (struct found_maps){.version = version};
	map_pair_put(&found->pair, map);
}

/* The kernel's map that contains @addr, or NULL; @memo: as in addrspaces_find(). */
static const struct map *kernel_map(const struct kernel_space *kernel, struct map_memo *memo,
				    uint64_t addr)
{
	const struct map *map;
	bool alone;

	if (!memo)
		return kernel_space_find(kernel, addr);
	map = kernel_space_look(kernel, addr, &alone);
	if (map && alone)
		memorize(&memo->kernel, map, kernel->version);
	return map;
}

const struct map *addrspaces_search_user(struct map_memo *memo, const struct process *process,
					 uint64_t addr)
{
	struct map_set *maps = process->maps;
	const struct map *map;
	bool alone;

	if (!maps) /* its life has ended */
		return NULL;
	if (!memo)
		return map_set_search(maps, addr);
	map = map_set_look(maps, addr, &alone);
	if (map && alone)
		memorize(&memo->user, map, maps->version);
	return map;
}

struct location addrspaces_search(const struct addrspaces *spaces, struct map_memo *memo,
				  const struct process *process, enum cpumode cpumode,
				  uint64_t addr)
{
	const struct dso *otherwise = spaces->unmapped;
	const struct map *map = NULL;

	if (cpumode == CPUMODE_KERNEL) {
		map = kernel_map(&spaces->kernel, memo, addr);
	} else if (cpumode == CPUMODE_USER) {
		map = addrspaces_search_user(memo, process, addr);
		if (!map && is_vsyscall(addr))
			otherwise = spaces->vsyscall;
	} else if (cpumode == CPUMODE_GUEST_KERNEL || cpumode == CPUMODE_GUEST_USER) {
		if (!memo)
			map = guests_find(&spaces->guests, process->pid, addr);
		otherwise = spaces->guest;
	}
	if (!map)
		return (struct location){otherwise, addr};
	return (struct location){map->dso, map_place(map, addr)};
}

/* ---- the end --------------------------------------------------------------------------------- */

/* The name of @dso in the table of build ids. */
static const char *name_in_table(const struct addrspaces *spaces, const struct dso *dso)
{
	if (dso->kind == DSO_VDSO && dso->instance == DSO_VDSO_32 &&
	    (spaces->has_vdso_64 ||
	     build_ids_find(&spaces->all_build_ids, VDSO_32_NAME, false).len))
		return VDSO_32_NAME;
	return dso->path;
}

bool addrspaces_finish(struct addrspaces *spaces)
{
	if (!build_ids_update(&spaces->all_build_ids))
		return false;
	for (size_t i = 0; i < spaces->dsos.nr_dsos; i++) {
		struct dso *dso = spaces->dsos.dsos[i];
		bool kernel = dso->kind == DSO_KERNEL || dso->kind == DSO_MODULE;

		if (dso->build_id_len == 0 && !dso->replaced &&
		    (kernel || dso->kind == DSO_USER || dso->kind == DSO_VDSO))
			dso->is_told_late = build_ids_set(&spaces->all_build_ids, dso,
							  name_in_table(spaces, dso));
	}
	return true;
}

void addrspaces_free(struct addrspaces *spaces)
{
	kernel_space_free(&spaces->kernel);
	guests_free(&spaces->guests);
	file_identity_free(&spaces->files);
	build_ids_free(&spaces->build_ids);
	build_ids_free(&spaces->all_build_ids);
	dso_table_free(&spaces->dsos);
	*spaces = (struct addrspaces){0};
}
