/* Record statistics: how many records of each type, and what was lost on the way. */
#ifndef READPERF_DECODE_RECORDSTAT_H
#define READPERF_DECODE_RECORDSTAT_H

#include "decode/results.h"
#include "perffile/perffile.h"
#include "perffile/record.h"
#include "util/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct type_count {
	uint32_t type;
	uint64_t count;
};

/** All zero is an empty one. */
struct recordstat {
	uint64_t named[RECORD_NAMED_MAX]; /* by type; types without a name stay 0 */
	struct type_count *unnamed;	  /* by type ascending */
	size_t nr_unnamed, unnamed_room;
	struct record_stat *rows;
	size_t nr_rows;
	struct intern strings;
};

/** Counts @rec by its type. Returns false if memory is out. */
bool recordstat_count(struct recordstat *stat, const struct record *rec);

/**
 * Makes the rows of stat.csv: every named type, 0 too, then the types without a name, then what
 * @counts says was lost, and which types were late. May be called again when more was counted: the
 * rows are made anew. Returns false if memory is out.
 */
bool recordstat_make(struct recordstat *stat, const struct perffile_counts *counts);

void recordstat_free(struct recordstat *stat);

#endif
