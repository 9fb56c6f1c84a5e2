/*
 * The texts of lines and addresses: which function a line is of, what its source file says, and
 * what is missing.
 */
#ifndef READPERF_DECODE_ANSWER_LINETEXT_H
#define READPERF_DECODE_ANSWER_LINETEXT_H

#include "decode/results/functionrows.h"
#include "decode/symbol/symbol.h"
#include "util/intern.h"

#include <stdbool.h>
#include <stddef.h>

/** What a row of lines counts for one function of one dso. */
struct line_share {
	size_t row;
	const char *function;
	const struct dso *dso;
	uint64_t period;
};

/** Rows of lines, and all of their shares: each row has at least one. */
struct linetext_rows {
	struct line_stat *lines;
	size_t nr;
	struct line_share *shares;
	size_t nr_shares;
};

/**
 * Sets function and source of all @rows, with texts kept in @strings, and @lacks. Sorts the shares.
 * Returns -1 if memory is out, else 0.
 */
int linetext_fill(const struct linetext_rows *rows, const struct symbolizer *symbolizer,
		  struct intern *strings, struct textless_stat *lacks);

/** Counts the @nr rows that lack an instruction. Returns whether there is one. */
bool linetext_count_instructions(const struct address_stat *addresses, size_t nr,
				 struct textless_stat *lacks);

#endif
