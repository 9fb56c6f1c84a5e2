/*
 * What call chains counted for each combination of the keys of --per, by the rows that chainstat
 * gives chains.
 */
#ifndef READPERF_DECODE_ANSWER_SPLITCHAIN_H
#define READPERF_DECODE_ANSWER_SPLITCHAIN_H

#include "decode/count/splitcount.h"
#include "decode/results/splitrows.h"
#include "decode/stack/pathstore.h"
#include "util/error.h"

#include <stddef.h>

/** All zero is empty. */
struct splitchains {
	struct chain_split *rows; /* by chain, then by tuple; some may have counted nothing */
	size_t nr;
};

/**
 * Makes the rows from @counts of the chains in @paths; replaces those of an earlier call. Returns
 * 0, or -1 with @err filled.
 */
int splitchains_make(struct splitchains *chains, const struct splitcount *counts,
		     const struct pathstore *paths, struct error *err);

void splitchains_free(struct splitchains *chains);

#endif
