/*
 * Function statistics: what was counted by address becomes rows of event, binary, function, source.
 */
#ifndef READPERF_DECODE_ANSWER_FUNCSTAT_H
#define READPERF_DECODE_ANSWER_FUNCSTAT_H

#include "decode/answer/children.h"
#include "decode/answer/recent.h"
#include "decode/answer/resolve.h"
#include "decode/count/address.h"
#include "decode/count/addressrows.h"
#include "decode/count/timeslice.h"
#include "decode/results.h"
#include "decode/stack/pathstore.h"
#include "decode/symbol/symbol.h"
#include "perffile/perffile.h"
#include "util/error.h"
#include "util/index.h"
#include "util/intern.h"

#include <stddef.h>
#include <stdint.h>

/** What tells rows apart; numbers in the strings, except event and reason. */
struct function_key {
	uint32_t event, binary, build_id, function, filename, reason;
};

/** All zero is an empty one. */
struct funcstat {
	struct function_stat *rows;
	struct function_key *keys; /* of the rows, while they are made */
	size_t rows_room, keys_room;
	struct index index;
	struct intern strings;
	struct address_rows of_addresses;
	struct chain_ends *ends; /* of samples that have call chains, by number of the event */
	struct recent recent;	 /* empty unless there is a window */
};

/** What the rows are made from; all borrowed. */
struct funcstat_input {
	const struct perffile *file;
	const struct dso_table *dsos;
	const struct address_table *addresses;
	const struct pathstore *paths;
	const struct place_set *places;	  /* of the addresses, resolved */
	const struct time_slices *slices; /* NULL: no noise of rows is asked for */
	const struct recentcount *window; /* NULL: nor what it counted */
	size_t nr_events;
};

/**
 * Makes the rows, sorted as results.csv has them, and which of them addresses count for. @stat is
 * empty, or has rows of an earlier call, which are made anew. Returns 0, or -1 with @err filled.
 */
int funcstat_make(struct funcstat *stat, const struct funcstat_input *input, struct error *err);

static inline size_t funcstat_count(const struct funcstat *stat)
{
	return stat->index.nr;
}

void funcstat_free(struct funcstat *stat);

#endif
