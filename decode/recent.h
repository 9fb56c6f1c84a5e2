/*
 * The functions once more, with what they counted in the window alone.
 */
#ifndef READPERF_DECODE_RECENT_H
#define READPERF_DECODE_RECENT_H

#include "decode/address.h"
#include "decode/pathstore.h"
#include "decode/results.h"
#include "decode/window.h"
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
	const struct window *window;
	const struct address_table *addresses;
	const struct pathstore *paths;
	size_t nr_events;
	/* What addresses count for: @links[@link_of[number]], with numbers of @rows. */
	const struct row_link *links;
	const uint32_t *link_of;
	const struct function_stat *rows; /* of the whole recording */
	size_t nr_rows;
};

/**
 * Makes recent->stat, with those of the rows that have samples in the window, in the order of
 * @input's. @recent is empty; recent_free() all the same. Returns 0, or -1 with @err filled.
 */
int recent_make(struct recent *recent, const struct recent_input *input, struct error *err);

void recent_free(struct recent *recent);

#endif
