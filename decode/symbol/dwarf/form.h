/*
 * The forms of DWARF values (DWARF 5, section 7.5.6, and GNU's own): how large a value is, and what
 * stands there.
 */
#ifndef READPERF_DECODE_SYMBOL_DWARF_FORM_H
#define READPERF_DECODE_SYMBOL_DWARF_FORM_H

#include "util/span.h"

#include <stdint.h>

enum form_kind {
	FORM_UNKNOWN, /* nobody knows how to step over this one */
	FORM_FIXED,   /* nothing but the fixed bytes */
	FORM_LEB,     /* a LEB128 number */
	FORM_STRING,  /* a NUL-terminated string */
	FORM_BLOCK1,  /* bytes, counted by 1, 2 or 4 bytes or by an ULEB128 number */
	FORM_BLOCK2,
	FORM_BLOCK4,
	FORM_BLOCK,
};

/** `fixed` bytes, and behind them one value of variable size. */
struct form_part {
	uint32_t fixed;
	enum form_kind kind;
};

/** What differs between units: bytes of an address and of an offset, the version of DWARF. */
struct form_context {
	uint8_t address, offset;
	uint16_t version;
};

/** A value as it stands in the file; all zero is none. */
struct form_value {
	unsigned form;	  /* DW_FORM_ */
	uint64_t number;  /* if it is one, or an offset, index or address */
	const char *text; /* of DW_FORM_string: borrowed; NULL if it has no end */
};

/** How to step over a value of @form (DW_FORM_), which may be any number. */
struct form_part form_size(uint64_t form, const struct form_context *context);

/** Steps over the value or values that @part measures. */
void form_skip(struct span *values, struct form_part part);

/** Takes a number or address of @size bytes; 0, and steps over it, if no integer has that size. */
uint64_t form_take(struct span *values, unsigned size);

/**
 * Takes a value of @form, which is in the abbreviation, as @constant, if it is
 * DW_FORM_implicit_const. One that is no number, such as a block, is stepped over. @values fails if
 * the value is not all there.
 */
struct form_value form_read(struct span *values, uint64_t form, int64_t constant,
			    const struct form_context *context);

#endif
