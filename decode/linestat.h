/*
 * Line statistics: what was counted by address becomes rows of event, binary and source line, and
 * rows of single addresses.
 */
#ifndef READPERF_DECODE_LINESTAT_H
#define READPERF_DECODE_LINESTAT_H

#include "decode/address.h"
#include "decode/placeset.h"
#include "decode/results.h"
#include "perffile/perffile.h"
#include "util/error.h"
#include "util/index.h"
#include "util/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What tells rows of lines apart; numbers in the strings, except event, line and reason. */
struct line_key {
	uint32_t event, binary, build_id, filename, line, reason;
};

/** All zero is an empty one. */
struct linestat {
	struct line_stat *lines;
	struct line_key *keys; /* of the lines, while they are made */
	size_t lines_room, keys_room;
	struct index index; /* of the lines */
	struct address_stat *addresses;
	size_t nr_addresses;
	struct intern strings;
};

/** What the rows are made from, all borrowed, and which are wanted. */
struct linestat_input {
	const struct perffile *file;
	const struct dso_table *dsos;
	const struct address_table *addresses;
	const struct place_set *places; /* of the addresses, resolved, with details */
	bool lines, each_address;
};

/** Makes the rows, sorted as their tables have them. Returns 0, or -1 with @err filled. */
int linestat_make(struct linestat *stat, const struct linestat_input *input, struct error *err);

void linestat_free(struct linestat *stat);

#endif
