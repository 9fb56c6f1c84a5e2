/*
 * The answers that can be asked for, and the rows of each.
 */
#ifndef READPERF_DECODE_RESULTS_ANSWERS_H
#define READPERF_DECODE_RESULTS_ANSWERS_H

#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * Rows that are made one at a time, because all of them may not fit in memory. They can be read
 * repeatedly, but only one row_source of a run can be read at a time.
 */
struct row_source {
	void *arg;
	/* Goes back to the first row. Returns 0, or -1 with @err filled. */
	int (*start)(void *arg, struct error *err);
	/* Fills the row (a process_stat or a thread_stat), which is valid until the next call.
	 * Returns 1, 0 at the end, -1 with @err filled. */
	int (*next)(void *arg, void *row, struct error *err);
};

/** Rows of one type: an array, or a row_source if @source.start is set. */
struct rows {
	const void *first;
	size_t nr;
	struct row_source source;
};

struct aggregate;

/** An answer to request beside events and functions: the rows @number of the aggregate @by. */
struct answer {
	const struct aggregate *by; /* NULL: no aggregate is needed */
	unsigned number;
};

/* The comments give their row type and order, and which of them are row sources. */
extern const struct answer answer_core;	       /* events and functions only */
extern const struct answer recordstat_records; /* record_stat; by type, ascending */
/* const char *, by event: the name that its CPU's vendor has for its code; "" if unknown */
extern const struct answer eventmeaning_names;
extern const struct answer headerstat_facts;	/* fact */
extern const struct answer runstat_run;		/* run_stat, one row */
extern const struct answer binarystat_binaries; /* binary_stat; by event, period, name */
extern const struct answer processstat_lives;	/* process_stat, row source; by pid, life */
/* thread_stat, row source; by process, tid, life */
extern const struct answer processstat_thread_lives;
extern const struct answer linestat_lines;     /* line_stat; in the order of functions */
extern const struct answer linestat_addresses; /* address_stat; by event, binary, address */
/* the same, with their instructions; with the code of functions that have many samples */
extern const struct answer linestat_instructions, linestat_code;
extern const struct answer sourcestat_texts;   /* source_stat; by file and line */
extern const struct answer counterstat_counts; /* counter_stat, row source; as recorded */
extern const struct answer counterstat_totals; /* counter_total; by place, then event */
extern const struct answer metricstat_metrics; /* metric_stat; by metric, then denominator */
/* path_stat; by event, then callers before callees, then by period */
extern const struct answer pathstat_paths;
extern const struct answer pathstat_cells;   /* path_cell; by path, thread, slice */
extern const struct answer pathstat_slices;  /* path_slices, one row, if cells are needed, too */
extern const struct answer chainstat_places; /* place_stat; each has its number */
/* chain_stat, row source; callers first, equal chains may have several rows */
extern const struct answer chainstat_chains;
/* sample_stat, row source; by thread, time, order in the recording */
extern const struct answer chainstat_samples;
extern const struct answer timelinestat_parts; /* timeline_part; by event, time */
extern const struct answer pathstat_calls;     /* call_stat; by event, period, names */
/* focus_stat; by event, period of the function, then as paths */
extern const struct answer focusstat_callers; /* of the functions that were asked for */
extern const struct answer focusstat_callees; /* what these called */

extern const struct answer branchstat_branches; /* branch_stat; by event, count, places */
extern const struct answer branchstat_blocks;	/* block_stat; by event, cycles, count, place */
extern const struct answer memorystat_accesses; /* memory_stat; by event, latency, samples */
/* cacheline_stat; by line_hitm and line_records, then line, offset, records */
extern const struct answer cachelinestat_accesses;
/* offcpu_stat; by wait, then children_wait, descending, then pid, names */
extern const struct answer offcpustat_waits;
extern const struct answer syscallstat_calls; /* syscall_stat; by total, count, then pid, names */
/* trace_stat; by event, instructions, then pid, names */
extern const struct answer tracestat_functions;
/* no rows: struct results has it */
extern const struct answer tracestat_profile;
extern const struct answer tracestat_losses;  /* trace_loss_stat; by kind, then cpu, tid, binary */
extern const struct answer spestat_functions; /* spe_stat; by event, records, then names */
extern const struct answer slicestat_slices;  /* slice_stat; by event, start, then names */

enum { ANSWERS_MAX = 64 };

/** The answers that a run must make, each once. All zero is empty. */
struct needs {
	const struct answer *list[ANSWERS_MAX];
	size_t nr;
};

/** Adds @answer unless it is already there. */
static inline void needs_add(struct needs *needs, const struct answer *answer)
{
	for (size_t i = 0; i < needs->nr; i++)
		if (needs->list[i] == answer)
			return;
	if (answer->by && needs->nr < ANSWERS_MAX)
		needs->list[needs->nr++] = answer;
}

static inline bool needs_have(const struct needs *needs, const struct answer *answer)
{
	for (size_t i = 0; i < needs->nr; i++)
		if (needs->list[i] == answer)
			return true;
	return false;
}

/** An answer, and its rows. */
struct answered {
	const struct answer *answer;
	struct rows rows;
};

#endif
