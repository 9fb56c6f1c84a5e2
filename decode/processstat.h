/* Process statistics: the rows of processes.csv from the lives that the replay followed. */
#ifndef READPERF_DECODE_PROCESSSTAT_H
#define READPERF_DECODE_PROCESSSTAT_H

#include "decode/process.h"
#include "decode/results.h"

#include <stdbool.h>
#include <stddef.h>

/** All zero is an empty one. */
struct processstat {
	struct process_stat *rows;
	size_t nr_rows;
	struct tally *none;    /* what a life without samples has by event */
	struct tally *unknown; /* what pid -1 has by event */
};

/**
 * Makes a row for each known life of @table, by pid and then in time order. Lives that nothing but
 * their samples told of are added to pid -1. May be called again when the table has changed: the
 * rows are made anew. Returns false if memory is out.
 */
bool processstat_make(struct processstat *stat, struct process_table *table, size_t nr_events);

void processstat_free(struct processstat *stat);

#endif
