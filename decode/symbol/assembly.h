/*
 * The instructions of sampled places, and the code of the functions that have many of the samples,
 * read from a binary while it is loaded.
 */
#ifndef READPERF_DECODE_SYMBOL_ASSEMBLY_H
#define READPERF_DECODE_SYMBOL_ASSEMBLY_H

#include "decode/symbol/answer.h"
#include "decode/symbol/find/binary.h"
#include "decode/symbol/symbolsettings.h"

/**
 * Reads what @list wishes for from @in, in which its places were looked up; texts and code are
 * valid as long as the answers of @in. Returns -1 if memory is out, else 0.
 */
int assembly_read(struct binary *in, struct place_list *list,
		  const struct symbol_settings *settings);

#endif
