/* Sums what each function and its callees counted, from the call paths. */
#ifndef READPERF_DECODE_ANSWER_CHILDREN_H
#define READPERF_DECODE_ANSWER_CHILDREN_H

#include "decode/count/addressrows.h"
#include "decode/count/tally.h"
#include "decode/stack/pathstore.h"
#include "util/error.h"

/**
 * Adds to @totals[row] what was counted on each call path that contains @row, once per path even if
 * the function is recursive. @recount: as for pathstore_visit(). Returns 0, or -1 with @err filled.
 */
int children_sum(const struct pathstore *paths, const struct path_recount *recount,
		 const struct address_rows *rows, struct tally *totals, struct error *err);

#endif
