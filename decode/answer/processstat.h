/*
 * Process statistics: the rows of processes.csv and threads.csv.
 *
 * Lives that were retired are rows in a sorter, which puts them into a file when there are many.
 * Those that go on are rows of another one, made anew each time the tables are to be written.
 */
#ifndef READPERF_DECODE_ANSWER_PROCESSSTAT_H
#define READPERF_DECODE_ANSWER_PROCESSSTAT_H

#include "decode/process/process.h"
#include "decode/results.h"
#include "util/error.h"
#include "util/sorter.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What a life had of one event. A life without samples has a row for the first event. */
struct life_row {
	uint64_t life;	      /* 0 for pid -1 */
	uint64_t thread_life; /* 0: the row of the process */
	int32_t pid, tid;     /* both -1 for the samples of no known process */
	uint32_t event;	      /* its number */
	uint32_t comm, exe;   /* numbers of strings */
	int32_t ppid;
	bool has_fork, has_exit, has_ppid;
	uint64_t fork, exit;
	uint64_t nr_mmaps, nr_threads; /* in the first row of a life only: rows are added up */
	struct tally tally;
};

/** All zero is none, for processstat_free(). */
struct processstat {
	struct sorter *retired, *living;
	const struct intern *strings;
	bool threads; /* threads have rows, too */
	size_t budget;
	size_t nr_events;
	struct tally *by_event;		 /* of the row that was read last */
	uint32_t *events;		 /* that it has samples of, ascending */
	size_t nr_counted;		 /* of them */
	const struct life_row *heads[2]; /* the next row of each sorter, NULL at its end */
	struct life_row process;	 /* of the threads that are read */
};

/**
 * @threads: threads.csv is wanted. @budget: bytes of rows to keep in memory, 0 for the default.
 * @strings, which has the names, must outlive the rows. Returns false if memory is out.
 */
bool processstat_init(struct processstat *stat, const struct intern *strings, bool threads,
		      size_t budget);

/** Keeps what is to be told of @thread, or with NULL of @process. 0, or -1 with @err filled. */
int processstat_retire(struct processstat *stat, const struct process *process,
		       const struct thread *thread, struct error *err);

/**
 * Makes the rows of @table's lives as they are now, which go with those that were retired; to be
 * called again when more records were applied. Returns 0, or -1 with @err filled.
 */
int processstat_make(struct processstat *stat, const struct process_table *table, size_t nr_events,
		     struct error *err);

/** The rows as the last processstat_make() left them. */
struct row_source processstat_processes(struct processstat *stat);
struct row_source processstat_threads(struct processstat *stat);

void processstat_free(struct processstat *stat);

#endif
