/* Sums what each function and its callees counted, from the call paths. */
#ifndef READPERF_DECODE_ANSWER_CHILDREN_H
#define READPERF_DECODE_ANSWER_CHILDREN_H

#include "decode/answer/pathlist.h"
#include "decode/count/addressrows.h"
#include "decode/count/tally.h"
#include "decode/results/functionrows.h"
#include "decode/stack/pathstore.h"
#include "util/error.h"
#include "util/helpers.h"

/** Samples by why their call chains end. */
struct chain_ends {
	struct tally by_end[CHAIN_END_NR];
};

/** Where the ends of chains are counted, too. */
struct children_ends {
	const struct function_stat *functions; /* by number of the row */
	struct chain_ends *of_events;	       /* by number of the event */
	size_t nr_events;
};

/**
 * Adds to @totals[row] what was counted on each call path that contains @row, once per path even if
 * the function is recursive; and to @ends, unless NULL. @recount: as for pathstore_visit().
 * @walk: through the only table, so that it can be summed in pieces; or NULL, as with a @recount.
 * @helpers: who waits there sums tables or pieces, too; or NULL. Returns 0, or -1 with @err filled.
 */
int children_sum(const struct pathstore *paths, const struct path_recount *recount,
		 const struct path_walk *walk, const struct address_rows *rows,
		 struct helpers *helpers, struct tally *totals, const struct children_ends *ends,
		 struct error *err);

/**
 * The same of a list of all paths, in its order, whose functions are at @functions; much faster.
 * @list.has_waiting is false.
 */
int children_sum_list(const struct path_list *list, const struct function_stat *functions,
		      size_t nr_functions, struct tally *totals, const struct children_ends *ends,
		      struct error *err);

#endif
