/* Place of data in a binary -> the variable there. */
#ifndef READPERF_DECODE_SYMBOL_DATANAME_H
#define READPERF_DECODE_SYMBOL_DATANAME_H

#include "decode/symbol/answer.h"
#include "decode/symbol/find/binary.h"
#include "decode/symbol/symbolsettings.h"

#include <stddef.h>

/**
 * Fills the @nr names of places in @binary, which is loaded. Returns -1 if memory is out, else 0.
 */
int data_names_find(struct binary *binary, struct data_name *names, size_t nr,
		    const struct symbol_settings *settings);

#endif
