/*
 * Function statistics: what was counted by address becomes rows of event, binary, function, source.
 */
#ifndef READPERF_DECODE_FUNCSTAT_H
#define READPERF_DECODE_FUNCSTAT_H

#include "decode/address.h"
#include "decode/blocks.h"
#include "decode/pathstore.h"
#include "decode/results.h"
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
	uint32_t *row_of; /* by number of the address */
};

/** A symbol that was found before, and how much was known of its dso then. */
struct known_symbol {
	const struct symbol *symbol; /* NULL: to be looked up */
	uint8_t build_id_len;
	bool replaced;
};

/** By number of the address. All zero is an empty one. */
struct known_symbols {
	struct known_symbol *list;
	size_t nr, room;
};

/** What the rows are made from; all borrowed. */
struct funcstat_input {
	const struct perffile *file;
	const struct dso_table *dsos;
	const struct address_table *addresses;
	const struct pathstore *paths;
	struct symbolizer *symbolizer;
	struct known_symbols *known; /* of earlier calls; NULL: all are looked up */
	const struct blocks *blocks; /* NULL: no noise of rows is asked for */
	size_t nr_events;
};

/**
 * Resolves every address once and makes the rows, sorted as results.csv has them. What
 * @input->known holds is not looked up again. @stat is empty, or has rows of an earlier call, which
 * are made anew.
 * @tick as in symbolizer_resolve(). Returns 0, or -1 with @err filled.
 */
int funcstat_make(struct funcstat *stat, const struct funcstat_input *input,
		  void (*tick)(void *arg, size_t done, size_t total), void *tick_arg,
		  struct error *err);

static inline size_t funcstat_count(const struct funcstat *stat)
{
	return stat->index.nr;
}

void funcstat_free(struct funcstat *stat);

#endif
