/* The rows of functions with only what they counted in the window. */
#ifndef READPERF_DECODE_ANSWER_RECENT_H
#define READPERF_DECODE_ANSWER_RECENT_H

#include "decode/count/address.h"
#include "decode/count/addressrows.h"
#include "decode/count/recentcount.h"
#include "decode/results/functionrows.h"
#include "decode/results/timerows.h"
#include "decode/stack/pathstore.h"
#include "util/error.h"

#include <stddef.h>
#include <stdint.h>

/** All zero is empty. */
struct recent {
	struct window_event *events;
	struct function_stat *functions;
	struct window_stat stat; /* of these */
};

/** The input; all borrowed. */
struct recent_input {
	const struct recentcount *window;
	const struct address_table *addresses;
	const struct pathstore *paths;
	size_t nr_events;
	const struct address_rows *of_addresses; /* lists of numbers in @rows, by address */
	const struct function_stat *rows;	 /* rows of the whole recording */
	size_t nr_rows;
};

/**
 * Fills recent->stat with the rows that have samples in the window, in the order of @input->rows.
 * @recent must be empty; call recent_free() even on error. Returns 0, or -1 with @err filled.
 */
int recent_make(struct recent *recent, const struct recent_input *input, struct error *err);

void recent_free(struct recent *recent);

#endif
