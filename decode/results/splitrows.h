/*
 * Functions and call chains, split by keys (--per).
 */
#ifndef READPERF_DECODE_RESULTS_SPLITROWS_H
#define READPERF_DECODE_RESULTS_SPLITROWS_H

#include "decode/results/functionrows.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The value of a key of --per. */
struct split_value {
	const char *text; /* "": the sample has none */
	bool is_number;	  /* @text is a decimal number */
};

/** What a function counted for one combination of the keys' values. */
struct split_row {
	const struct function_stat *function; /* with its counts in the whole recording */
	const struct split_value *values;     /* by key */
	struct tally self, children, inlined; /* those of the combination */
	uint32_t tuple;			      /* number of the combination, by first appearance */
};

/** The function of @row with the counts of the combination, without noise. */
static inline struct function_stat split_row_function(const struct split_row *row)
{
	struct function_stat function = *row->function;

	function.self = row->self;
	function.children = row->children;
	function.inlined = row->inlined;
	function.noise = function.children_noise = function.noise_df = 0;
	return function;
}

/** What a call chain counted itself for one combination of the keys' values. */
struct chain_split {
	uint32_t chain; /* number of the row of chainstat_chains */
	uint32_t tuple; /* number of the combination */
	struct tally self;
};

/** The functions, split by keys. All rows of a function add up to it. */
struct split_stat {
	const char *const *keys; /* names of the columns */
	size_t nr_keys;
	const struct split_row *rows; /* as the functions; with equal ones by tuple */
	size_t nr_rows;
	const struct split_value *values; /* of all combinations: @nr_keys for each */
	/* Of call chains, in the order of their rows; none unless those are requested. Some may
	 * have counted nothing. */
	const struct chain_split *chains;
	size_t nr_chains;
};

#endif
