/*
 * Function statistics: sums the counts by address into rows by event, binary, function and source.
 */
#ifndef READPERF_DECODE_ANSWER_FUNCSTAT_H
#define READPERF_DECODE_ANSWER_FUNCSTAT_H

#include "decode/answer/children.h"
#include "decode/answer/pathlist.h"
#include "decode/answer/recent.h"
#include "decode/answer/resolve.h"
#include "decode/count/address.h"
#include "decode/count/addressrows.h"
#include "decode/count/timeslice.h"
#include "decode/results/functionrows.h"
#include "decode/stack/pathstore.h"
#include "decode/symbol/symbol.h"
#include "perffile/perffile.h"
#include "util/error.h"
#include "util/helpers.h"
#include "util/index.h"
#include "util/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The key of a row. Members are string numbers, except event and reason. */
struct function_key {
	uint32_t event, binary, build_id, function, filename, reason;
};

/** All zero is empty. */
struct funcstat {
	struct function_stat *rows;
	struct function_key *keys; /* keys of the rows; needed only while rows are made */
	size_t rows_room, keys_room;
	struct index index;
	struct intern strings;
	const struct dso *last_dso; /* of the last key; and its strings */
	uint32_t last_binary, last_build_id;
	const char *last_filename; /* the same of the file */
	uint32_t last_filename_number;
	struct address_rows of_addresses;
	bool has_inlined;	 /* some address is in an inlined function */
	struct chain_ends *ends; /* of samples that have call chains, by number of the event */
	struct path_list paths;	 /* empty if they were not asked for, as are the cells */
	struct path_cells cells;
	struct recent recent; /* empty if there is no window */
};

/** The input for the rows; all borrowed. */
struct funcstat_input {
	const struct perffile *file;
	const struct dso_table *dsos;
	const struct address_table *addresses;
	const struct pathstore *paths;
	const struct path_walk *walk;	/* through its only table; NULL: not known */
	const struct place_set *places; /* resolved places of the addresses */
	struct helpers *helpers; /* threads that may sum call paths, too; NULL: there are none */
	const struct time_slices *slices; /* NULL: the noise of rows was not asked for */
	const struct recentcount *window; /* NULL: there is no window */
	size_t nr_events;
	bool lists_paths;	      /* the paths of functions are asked for, too */
	const struct sample_log *log; /* to make cells of them; NULL: these were not asked for */
};

/**
 * Makes the rows, sorted in the order of results.csv, and the numbers of those that addresses count
 * for; replaces the rows of an earlier call. @stat is empty at the first call. Returns 0, or -1
 * with
 * @err filled.
 */
int funcstat_make(struct funcstat *stat, const struct funcstat_input *input, struct error *err);

static inline size_t funcstat_count(const struct funcstat *stat)
{
	return stat->index.nr;
}

/** Where the code of a dso of this kind comes from. */
enum code_origin funcstat_origin(enum dso_kind kind);

/** The order of two struct function_stat in results.csv, as for qsort(). */
int funcstat_compare(const void *a, const void *b);

void funcstat_free(struct funcstat *stat);

#endif
