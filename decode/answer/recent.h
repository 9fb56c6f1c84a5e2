/*
 * The rows of functions with what the window alone has counted.
 */
#ifndef READPERF_DECODE_ANSWER_RECENT_H
#define READPERF_DECODE_ANSWER_RECENT_H

#include "decode/count/address.h"
#include "decode/count/addressrows.h"
#include "decode/count/recentcount.h"
#include "decode/results.h"
#include "decode/stack/pathstore.h"
#include "util/error.h"

#include <stddef.h>
#include <stdint.h>

/** All zero is an empty one. */
struct recent {
	struct window_event *events;
	struct function_stat *functions;
	struct window_stat stat; /* of these */
};

/** What it is made from; all borrowed. */
struct recent_input {
	const struct recentcount *window;
	const struct address_table *addresses;
	const struct pathstore *paths;
	size_t nr_events;
	const struct address_rows *of_addresses; /* numbers of @rows */
	const struct function_stat *rows;	 /* of the whole recording */
	size_t nr_rows;
};

/**
 * Makes recent->stat, with those of the rows that have samples in the window, in the order of
 * @input's. @recent is empty; recent_free() all the same. Returns 0, or -1 with @err filled.
 */
int recent_make(struct recent *recent, const struct recent_input *input, struct error *err);

void recent_free(struct recent *recent);

#endif
