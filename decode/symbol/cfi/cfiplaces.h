/*
 * The rules of single places of a dso. Threads look for them without a lock, while another one adds
 * more.
 */
#ifndef READPERF_DECODE_SYMBOL_CFI_CFIPLACES_H
#define READPERF_DECODE_SYMBOL_CFI_CFIPLACES_H

#include "decode/symbol/cfi/cfirule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cfi_place_table;

/** All zero is empty. */
struct cfi_places {
	struct cfi_place_table *_Atomic table; /* NULL: nothing was added */
	size_t nr;
};

/** Whether anything was added: then what was written before that is seen. */
bool cfi_places_any(const struct cfi_places *places);

/** The rule of @place; NULL if it is not known. */
const struct cfi_rule *cfi_places_find(const struct cfi_places *places, uint64_t place);

/**
 * Adds @place, which is not known, with @rule, which is borrowed. One thread at a time may do so.
 * Does nothing if there are too many. Returns false if memory is out.
 */
bool cfi_places_add(struct cfi_places *places, uint64_t place, const struct cfi_rule *rule);

void cfi_places_free(struct cfi_places *places);

#endif
