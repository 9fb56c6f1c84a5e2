/* The key data_symbol of --per: places of data get the texts of their variables. */
#ifndef READPERF_DECODE_REPLAY_SPLITDATA_H
#define READPERF_DECODE_REPLAY_SPLITDATA_H

#include "decode/process/dataplace.h"
#include "decode/symbol/symbol.h"
#include "util/error.h"
#include "util/intern.h"

#include <stdint.h>

/**
 * Returns for each place the number of its text in @strings: the name of the variable; "[heap]" and
 * the like for memory without a file; "[unknown] (no-symbols)" and the like otherwise. The caller
 * frees it. NULL with @err filled if memory is out, or without if @strings is full.
 */
uint32_t *splitdata_texts(const struct data_places *places, struct symbolizer *symbolizer,
			  struct intern *strings, struct error *err);

#endif
