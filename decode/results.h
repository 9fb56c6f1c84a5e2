/*
 * The results of a run, which the reports print without further computation.
 *
 * Everything here and in decode/results/ is borrowed from the run and valid until replay_destroy().
 */
#ifndef READPERF_DECODE_RESULTS_H
#define READPERF_DECODE_RESULTS_H

#include "decode/results/answers.h"
#include "decode/results/binaryrows.h"
#include "decode/results/branchrows.h"
#include "decode/results/counterrows.h"
#include "decode/results/eventrows.h"
#include "decode/results/functionrows.h"
#include "decode/results/memoryrows.h"
#include "decode/results/pathrows.h"
#include "decode/results/processrows.h"
#include "decode/results/runrows.h"
#include "decode/results/splitrows.h"
#include "decode/results/timerows.h"
#include "decode/results/tracerows.h"
#include "decode/results/waitrows.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct results {
	const struct event_stat *events; /* in the order of the file */
	size_t nr_events;
	/* numbers of the events with samples; of the first event if none has */
	const uint32_t *sampled;
	size_t nr_sampled;
	const struct function_stat *functions; /* by event, then period descending, then name */
	size_t nr_functions;
	const struct window_stat *window; /* NULL: not requested, or no sample has a time */
	const struct split_stat *split;	  /* NULL: not requested */
	bool inlined;			  /* samples count for the innermost inlined function */
	/* Set by binarystat, if binaries were requested. */
	/* For each of the worst causes, the event with the most samples without a name; none if
	 * nearly all samples have one. */
	const struct unnamed_stat *unnamed;
	size_t nr_unnamed;
	/* Samples that have names, but are in binaries without debugging information; NULL if they
	 * are few, or neither lines nor inlined functions were requested. */
	const struct unnamed_stat *unlined;
	/* Samples that have names, in binaries that may not be the recorded ones; NULL: none. */
	const struct unnamed_stat *doubted;
	/* Set by linestat, with its lines and instructions; NULL: all have texts. */
	const struct textless_stat *no_source, *no_instruction;
	const struct branch_totals *branches;	   /* set by branchstat; NULL if nothing needs it */
	const struct memory_totals *memory;	   /* set by memorystat; NULL if nothing needs it */
	const struct cacheline_totals *cachelines; /* set by cachelinestat; NULL as above */
	/* What the waits and the times of threads lack; NULL if they were not requested, or if no
	 * record tells of any. */
	const struct offcpu_gaps *switch_gaps;
	bool switchless; /* waits were requested, and no record tells of any; set by offcpustat */
	const struct syscall_totals *syscalls; /* set by syscallstat; NULL as above */
	/* Set by tracestat; NULL if nothing needs it, or before the end. */
	const struct trace_outcome *trace;
	const struct operation_outcome *operations; /* NULL if none were decoded */
	const uint64_t *spe_beyond; /* operations beyond what fits in memory; set by spestat */
	const struct trace_profile *traced; /* NULL: nothing was decoded */
	uint64_t nr_sliceless;		    /* samples that are in no slice, as they have no time */
	/* the other answers; ends with one whose answer is NULL */
	struct answered answered[ANSWERS_MAX];
	bool window_untimed;	 /* there is no window, because no sample has a time */
	size_t nr_untimed_dumps; /* jitdumps whose clock is not the recording's */
	bool filtered;		 /* a filter is set: rows without chosen samples were left out */
	/* What a filter checks and no sample has, and perf record's option for it; NULL: none. */
	const char *lacks, *lacks_how;
	/* the same of the first key of --per that no sample has, and that key */
	const char *per_lacks, *per_lacks_how, *per_lacking;
};

/**
 * Number of the events that call paths may be of: those that were sampled, then that of a hardware
 * trace of which something was decoded; the first event is none of them if it stands for no sample
 * and there is a trace.
 */
static inline size_t results_nr_walked(const struct results *results)
{
	if (!results->traced)
		return results->nr_sampled;
	if (results->nr_sampled == 1 && !results->events[results->sampled[0]].total.samples)
		return 1;
	return results->nr_sampled + (results->traced->stat.total.samples != 0);
}

/** The @number-th of these events. */
static inline const struct event_stat *results_walked(const struct results *results, size_t number)
{
	const struct event_stat *sampled;

	if (number == results->nr_sampled)
		return &results->traced->stat;
	sampled = &results->events[results->sampled[number]];
	if (results->traced && results->nr_sampled == 1 && !sampled->total.samples)
		return &results->traced->stat;
	return sampled;
}

/** @answer and its rows; NULL if it was not requested. */
static inline const struct answered *results_find(const struct results *results,
						  const struct answer *answer)
{
	for (size_t i = 0; i < ANSWERS_MAX && results->answered[i].answer; i++)
		if (results->answered[i].answer == answer)
			return &results->answered[i];
	return NULL;
}

/** The rows of @answer; empty if it was not requested. */
static inline struct rows results_rows(const struct results *results, const struct answer *answer)
{
	const struct answered *answered = results_find(results, answer);

	return answered ? answered->rows : (struct rows){0};
}

#endif
