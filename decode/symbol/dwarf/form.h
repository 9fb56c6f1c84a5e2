/*
 * The forms of DWARF values (DWARF 5, section 7.5.6, and GNU's own): their sizes, and reading
 * values.
 */
#ifndef READPERF_DECODE_SYMBOL_DWARF_FORM_H
#define READPERF_DECODE_SYMBOL_DWARF_FORM_H

#include "util/span.h"

#include <stdint.h>

enum form_kind {
	FORM_UNKNOWN, /* its size is unknown */
	FORM_FIXED,   /* only the fixed bytes */
	FORM_LEB,     /* a LEB128 number */
	FORM_STRING,  /* a NUL-terminated string */
	FORM_BLOCK1,  /* bytes after their number: 1, 2 or 4 bytes, or an ULEB128 */
	FORM_BLOCK2,
	FORM_BLOCK4,
	FORM_BLOCK,
};

/** The size of values: `fixed` bytes, then one value of variable size. */
struct form_part {
	uint32_t fixed;
	enum form_kind kind;
};

/** What differs between units: bytes of an address and of a section offset, version of DWARF. */
struct form_context {
	uint8_t address, offset;
	uint16_t version;
};

/** A value as stored in the file; all zero if there is none. */
struct form_value {
	unsigned form;	  /* DW_FORM_ */
	uint64_t number;  /* the number, offset, index or address, if it is one */
	const char *text; /* of DW_FORM_string: borrowed; NULL if not terminated */
};

/** Returns the size of a value of @form, a DW_FORM_ or any other number. */
struct form_part form_size(uint64_t form, const struct form_context *context);

/** Skips the value or values of size @part. @values fails if the size is unknown. */
void form_skip(struct span *values, struct form_part part);

/** Takes a number or address of 1, 2, 3, 4 or 8 bytes. Skips any other @size and returns 0. */
uint64_t form_take(struct span *values, unsigned size);

/**
 * Takes a value of @form off @values. @constant, from the abbreviation, is the value of a
 * DW_FORM_implicit_const. A value that is neither a number nor a DW_FORM_string, such as a block,
 * is skipped. @values fails if the value is not complete.
 */
struct form_value form_read(struct span *values, uint64_t form, int64_t constant,
			    const struct form_context *context);

#endif
