/*
 * A job of a crew: samples of one batch, and the maps of their processes and of the kernel at their
 * time. One thread fills it, another may count what is in it.
 */
#ifndef READPERF_DECODE_REPLAY_COUNTJOB_H
#define READPERF_DECODE_REPLAY_COUNTJOB_H

#include "decode/process/addrspace.h"
#include "decode/replay/hand.h"
#include "decode/stack/stack.h"
#include "perffile/record.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	COUNT_JOB_GROUPS = 1024,
	COUNT_JOB_RECORDS = 64,
	COUNT_JOB_SETS = 64, /* of maps, which are known at once to be shared */
	COUNT_JOB_MET = 8,   /* dsos that the caller is told of at a time */
};

/** Plain samples in a row, of one process. */
struct count_job_group {
	struct map_set *maps;
	const struct plain_sample *samples;
	uint32_t nr;
};

/** A sample that is not plain. */
struct count_job_record {
	struct map_set *maps;
	struct stack_sample sample;
	struct record rec;
};

struct count_job {
	struct count_job *next; /* whoever has it may set it */
	/* when it is done: */
	const struct error *failed;	      /* NULL: it was done */
	const struct dso *met[COUNT_JOB_MET]; /* binaries that samples are in */
	size_t nr_met;
	/* before: */
	uint64_t batch;
	struct unwindinfo *info;
	const char *machine;
	bool swap;
	struct kernel_space kernel;
	struct map_set **shared; /* each is a reference */
	size_t nr_shared, shared_room;
	struct map_set *recent[COUNT_JOB_SETS]; /* some of them, by their addresses */
	size_t nr_groups, nr_records;
	struct count_job_group groups[COUNT_JOB_GROUPS];
	struct count_job_record records[COUNT_JOB_RECORDS];
};

/** Returns a job for count_job_begin() and count_job_free(); NULL if memory is out. */
struct count_job *count_job_create(void);

/** Makes @job, new or ended, an empty one for samples of @batch, with the maps of @kernel.
 * @info, @machine: as for stacks_prepare(). Returns false if memory is out: then only
 * count_job_end() and count_job_free() are for it. */
bool count_job_begin(struct count_job *job, uint64_t batch, const struct kernel_space *kernel,
		     struct unwindinfo *info, const char *machine);

/** Whether @job has no room for one more of either kind. */
bool count_job_is_full(const struct count_job *job);

/** Adds the @nr @samples, borrowed, of a process that has @maps, to @job, which is not full. @swap:
 * as in struct plain_samples. Returns false if memory is out. */
bool count_job_add_plain(struct count_job *job, struct map_set *maps,
			 const struct plain_sample *samples, size_t nr, bool swap);

/** The same for @sample, whose record is copied; its process is not used. */
bool count_job_add(struct count_job *job, struct map_set *maps, const struct stack_sample *sample);

/** Has @hand count what is in @job, and fills the members that tell what came of it. */
void count_job_do(struct count_job *job, struct hand *hand);

/** Gives the maps back, in the thread that has filled it. */
void count_job_end(struct count_job *job);

/** Ends @job if it was begun, and frees it. */
void count_job_free(struct count_job *job);

#endif
