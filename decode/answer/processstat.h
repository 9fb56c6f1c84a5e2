/*
 * Process statistics: the rows of processes.csv and threads.csv.
 *
 * Retired lives are rows in a sorter, which moves them to a temporary file when there are many.
 * Lives that are not retired are rows in a second sorter, which is filled anew each time the tables
 * are written.
 */
#ifndef READPERF_DECODE_ANSWER_PROCESSSTAT_H
#define READPERF_DECODE_ANSWER_PROCESSSTAT_H

#include "decode/process/process.h"
#include "decode/process/switches.h"
#include "decode/results/answers.h"
#include "util/error.h"
#include "util/sorter.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What one life counted for one event. A life without samples has a row for the first event. */
struct life_row {
	uint64_t life;	      /* 0 for pid -1 */
	uint64_t thread_life; /* 0: this is the row of the process */
	int32_t pid, tid;     /* both -1: samples whose process is unknown */
	uint32_t event;	      /* event number */
	uint32_t comm, exe;   /* string numbers */
	int32_t ppid;
	bool has_fork, has_exit, has_ppid;
	uint64_t fork, exit;
	/* set only in the first row of a life, because rows are added up */
	uint64_t nr_mmaps, nr_threads;
	bool has_switches;
	struct switch_times switched;
	struct tally tally;
};

/** All zero is empty; processstat_free() accepts it. */
struct processstat {
	struct sorter *retired, *living;
	const struct intern *strings;
	bool threads; /* threads have rows too */
	size_t budget;
	size_t nr_events;
	struct tally *by_event;		 /* counts of the life that was read last, by event */
	uint32_t *events;		 /* events that it has samples of, ascending */
	size_t nr_counted;		 /* length of events */
	const struct life_row *heads[2]; /* next row of each sorter; NULL at its end */
	struct life_row process;	 /* process of the threads that are being read */
};

/**
 * Initializes @stat. @threads: threads.csv is wanted. @budget: bytes of rows to keep in memory, 0
 * for the default. @strings holds the names and must outlive the rows. Returns false if memory is
 * out.
 */
bool processstat_init(struct processstat *stat, const struct intern *strings, bool threads,
		      size_t budget);

/**
 * Adds the rows of @thread, or of @process if @thread is NULL, which is about to be freed. Returns
 * 0, or -1 with @err filled.
 */
int processstat_retire(struct processstat *stat, const struct process *process,
		       const struct thread *thread, struct error *err);

/**
 * Makes the rows of the lives that are now in @table; they are merged with those of retired lives.
 * Call it again after more records were applied. Returns 0, or -1 with @err filled.
 */
int processstat_make(struct processstat *stat, const struct process_table *table, size_t nr_events,
		     struct error *err);

/** The rows as the last processstat_make() left them. */
struct row_source processstat_processes(struct processstat *stat);
struct row_source processstat_threads(struct processstat *stat);

void processstat_free(struct processstat *stat);

#endif
