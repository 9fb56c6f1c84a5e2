/*
 * Address spaces: convert an address of a process or the kernel to a place in a binary.
 *
 * They are built from MMAP records. Names and cpumodes are interpreted as in tools/perf/util/map.c
 * and machine.c.
 */
#ifndef READPERF_DECODE_PROCESS_ADDRSPACE_H
#define READPERF_DECODE_PROCESS_ADDRSPACE_H

#include "decode/process/buildids.h"
#include "decode/process/fileidentity.h"
#include "decode/process/guests.h"
#include "decode/process/kernelspace.h"
#include "decode/process/process.h"
#include "decode/process/roots.h"
#include "decode/symbol/dso.h"
#include "perffile/perffile.h"
#include "perffile/record.h"

#include <stdbool.h>
#include <stdint.h>

struct addrspaces {
	struct dso_table dsos;
	struct file_identities files;
	/* Of the recording's table: as it was when the file was opened, and as it is now. The
	 * replay uses only the first, so that mappings do not depend on when results are made. */
	struct build_ids build_ids, all_build_ids;
	struct kernel_space kernel;
	struct guests guests;
	const struct dso *host;	    /* the kernel; NULL until it is mapped */
	const struct dso *unmapped; /* for addresses outside all mappings */
	const struct dso *guest;    /* the same for guests */
	const struct dso *vsyscall; /* the page that the kernel shows every x86-64 process */
	/* roots of processes in containers; set before the first record */
	const struct roots *roots;
	bool has_vdso_64; /* a 64-bit process has mapped its vdso */
};

/** A place in a dso; samples are counted by it. */
struct location {
	const struct dso *dso; /* never NULL */
	uint64_t place;	       /* see enum dso_kind */
};

/** The maps that a thread found last in a set that it does not change. */
struct found_maps {
	struct map_pair pair;
	uint64_t version; /* of the set */
};

/**
 * The maps that were found last: of a thread that looks addresses up while others do, too. All zero
 * is empty.
 */
struct map_memo {
	struct found_maps user, kernel;
};

/**
 * Initializes @spaces; @file and @present, which may be NULL, must outlive it. Returns false if
 * memory is out; call addrspaces_free() even then.
 */
bool addrspaces_init(struct addrspaces *spaces, const struct perffile *file,
		     const struct build_ids_present *present);

/**
 * Applies an MMAP or MMAP2 record to the maps of its address space. Returns false if memory is out.
 */
bool addrspaces_mmap(struct addrspaces *spaces, struct process_table *processes,
		     const struct record *rec);

/** Applies a KSYMBOL record. Returns false if memory is out. */
bool addrspaces_ksymbol(struct addrspaces *spaces, struct process_table *processes,
			const struct record *rec);

/**
 * Sets the build ids that the recording contained only after the binaries were mapped, as in a
 * pipe. Call it each time before results are made. Returns false if memory is out.
 */
bool addrspaces_finish(struct addrspaces *spaces);

/* What addrspaces_find() and addrspaces_user_map() do if it is in none of the maps that were found
 * last. */
struct location addrspaces_search(const struct addrspaces *spaces, struct map_memo *memo,
				  const struct process *process, enum cpumode cpumode,
				  uint64_t addr);
const struct map *addrspaces_search_user(struct map_memo *memo, const struct process *process,
					 uint64_t addr);

/* The maps of @process that were found last; NULL if there are none. */
static inline struct map_pair *addrspaces_found_user(struct map_memo *memo,
						     const struct process *process)
{
	if (!process->maps)
		return NULL;
	if (!memo)
		return &process->maps->found;
	return memo->user.version == process->maps->version ? &memo->user.pair : NULL;
}

/* The same of the kernel; also NULL if generated code may be at @addr. */
static inline struct map_pair *addrspaces_found_kernel(const struct kernel_space *kernel,
						       struct map_memo *memo, uint64_t addr)
{
	if (memo)
		return memo->kernel.version == kernel->version ? &memo->kernel.pair : NULL;
	if (addr >= kernel->ksymbols_start && addr < kernel->ksymbols_end)
		return NULL;
	return &kernel->binaries->found;
}

/** The map of @process that contains @addr, or NULL; @memo: as in addrspaces_find(). */
static inline const struct map *addrspaces_user_map(struct map_memo *memo,
						    const struct process *process, uint64_t addr)
{
	struct map_pair *found = addrspaces_found_user(memo, process);
	const struct map *map = found ? map_pair_find(found, addr) : NULL;

	return map ? map : addrspaces_search_user(memo, process, addr);
}

/**
 * Returns the location of @addr, executed by @process in mode @cpumode. If @memo is not NULL,
 * threads may call it at the same time, each with a memo of its own, as long as nothing changes
 * @spaces and @process, and no guest has maps.
 */
static inline struct location addrspaces_find(const struct addrspaces *spaces,
					      struct map_memo *memo, const struct process *process,
					      enum cpumode cpumode, uint64_t addr)
{
	const struct map_pair *found = NULL;
	const struct map *map;

	if (cpumode == CPUMODE_USER)
		found = addrspaces_found_user(memo, process);
	else if (cpumode == CPUMODE_KERNEL)
		found = addrspaces_found_kernel(&spaces->kernel, memo, addr);
	map = found ? map_pair_find(found, addr) : NULL;
	if (map)
		return (struct location){map->dso, map_place(map, addr)};
	return addrspaces_search(spaces, memo, process, cpumode, addr);
}

/** As addrspaces_find(), for one thread. */
static inline struct location addrspaces_locate(const struct addrspaces *spaces,
						const struct process *process, enum cpumode cpumode,
						uint64_t addr)
{
	return addrspaces_find(spaces, NULL, process, cpumode, addr);
}

void addrspaces_free(struct addrspaces *spaces);

#endif
