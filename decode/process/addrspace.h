/*
 * Address spaces: an address of a process or the kernel becomes a place in a binary.
 *
 * MMAP records make them. Names and cpumodes are read as tools/perf/util/map.c and machine.c do.
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
	/* Of the recording's table: what it had when it was opened, and what it has by now. The
	 * replay goes by the first alone, or what is mapped would depend on when the results were
	 * made. */
	struct build_ids build_ids, all_build_ids;
	struct kernel_space kernel;
	struct guests guests;
	const struct dso *host;	    /* the kernel; NULL until it is mapped */
	const struct dso *unmapped; /* for addresses outside every mapping */
	const struct dso *guest;    /* the same of a guest */
	const struct dso *vsyscall; /* the page that the kernel shows every process of x86-64 */
	const struct roots *roots;  /* of processes in containers; set before the first record */
	bool has_vdso_64;	    /* a process of 64 bits has mapped its vdso */
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

/** Applies a KSYMBOL record. False: memory is out. */
bool addrspaces_ksymbol(struct addrspaces *spaces, struct process_table *processes,
			const struct record *rec);

/**
 * Gives the binaries their build ids that the recording told only after they were mapped, as a pipe
 * does. To be called before the results are made, as often as they are. False: memory is out.
 */
bool addrspaces_finish(struct addrspaces *spaces);

/** Where @addr lies, met in mode @cpumode by @process. */
struct location addrspaces_locate(const struct addrspaces *spaces, const struct process *process,
				  enum cpumode cpumode, uint64_t addr);

void addrspaces_free(struct addrspaces *spaces);

#endif
