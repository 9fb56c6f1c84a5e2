/*
 * Address spaces: which dso, and which place in it, an address of a process or the kernel means.
 *
 * MMAP records make them. Names and cpumodes are read as tools/perf/util/map.c and machine.c do.
 */
#ifndef READPERF_DECODE_ADDRSPACE_H
#define READPERF_DECODE_ADDRSPACE_H

#include "decode/process.h"
#include "decode/symbol/dso.h"
#include "perffile/perffile.h"
#include "perffile/record.h"

#include <stdbool.h>
#include <stdint.h>

enum { RECENT_DSOS = 512 };

struct addrspaces {
	struct dso_table dsos;
	struct map_set *kernel;	     /* the kernel's text and its modules */
	const struct dso *unmapped;  /* for addresses outside every mapping */
	const struct dso *guest;     /* for guest modes */
	const struct perffile *file; /* has the recording's table of build ids */
	struct index build_id_names; /* of that table, by filename and kernel or user */
	/* Ordinary files that were mapped lately without a build id of the record's own, by the
	 * hash of their path: most mappings are of the same few libraries. */
	const struct dso *recent[RECENT_DSOS];
};

/** A place in a dso: what samples are counted by. */
struct location {
	const struct dso *dso; /* never NULL */
	uint64_t place;	       /* see enum dso_kind */
};

/** @file must outlive the spaces. Returns false if memory is out; addrspaces_free() all the same.
 */
bool addrspaces_init(struct addrspaces *spaces, const struct perffile *file);

/** Applies an MMAP or MMAP2 record to the kernel's maps or its process's. False: memory is out. */
bool addrspaces_mmap(struct addrspaces *spaces, struct process_table *processes,
		     const struct record *rec);

/**
 * Gives the binaries their build ids that the recording told only after they were mapped, as a pipe
 * does. To be called when the records have ended. False: memory is out.
 */
bool addrspaces_finish(struct addrspaces *spaces);

/** Where @addr lies, met in mode @cpumode by @process. */
struct location addrspaces_locate(const struct addrspaces *spaces, const struct process *process,
				  enum cpumode cpumode, uint64_t addr);

void addrspaces_free(struct addrspaces *spaces);

#endif
