/*
 * The answer for a place in a binary that is loaded: its function, by symbols and DWARF, as it is
 * shown, with its source. Answers are kept in the binary, each once.
 */
#ifndef READPERF_DECODE_SYMBOL_LOOKUP_H
#define READPERF_DECODE_SYMBOL_LOOKUP_H

#include "decode/symbol/answer.h"
#include "decode/symbol/find/binary.h"
#include "decode/symbol/reason.h"
#include "decode/symbol/symbolsettings.h"

#include <stdbool.h>
#include <stdint.h>

/** What is asked about a place. */
struct lookup_query {
	const struct symbol_settings *settings;
	bool with_source;	     /* the symbol's file and line are wanted */
	struct place_detail *detail; /* is filled; NULL if it is not wanted */
};

/**
 * The symbol at @place (see enum dso_kind); cheap for a series of ascending places. NULL if memory
 * is out.
 */
const struct symbol *lookup_place(struct binary *binary, uint64_t place,
				  const struct lookup_query *how);

/** The symbol that stands for not having one because of @reason; it lives forever. */
const struct symbol *lookup_unknown(enum reason reason);

#endif
