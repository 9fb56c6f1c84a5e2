/*
 * The forms of DWARF values: their numbers (DWARF 5, section 7.5.6, and GNU's own) and sizes.
 */
#ifndef READPERF_DECODE_SYMBOL_FORM_H
#define READPERF_DECODE_SYMBOL_FORM_H

#include "decode/symbol/diescan.h"

#include "util/span.h"

#include <stdint.h>

enum form {
	FORM_ADDR = 0x01,
	FORM_BLOCK2 = 0x03,
	FORM_BLOCK4 = 0x04,
	FORM_DATA2 = 0x05,
	FORM_DATA4 = 0x06,
	FORM_DATA8 = 0x07,
	FORM_STRING = 0x08,
	FORM_BLOCK = 0x09,
	FORM_BLOCK1 = 0x0a,
	FORM_DATA1 = 0x0b,
	FORM_FLAG = 0x0c,
	FORM_SDATA = 0x0d,
	FORM_STRP = 0x0e,
	FORM_UDATA = 0x0f,
	FORM_REF_ADDR = 0x10,
	FORM_REF1 = 0x11,
	FORM_REF2 = 0x12,
	FORM_REF4 = 0x13,
	FORM_REF8 = 0x14,
	FORM_REF_UDATA = 0x15,
	FORM_SEC_OFFSET = 0x17,
	FORM_EXPRLOC = 0x18,
	FORM_FLAG_PRESENT = 0x19,
	FORM_STRX = 0x1a,
	FORM_ADDRX = 0x1b,
	FORM_REF_SUP4 = 0x1c,
	FORM_STRP_SUP = 0x1d,
	FORM_DATA16 = 0x1e,
	FORM_LINE_STRP = 0x1f,
	FORM_REF_SIG8 = 0x20,
	FORM_IMPLICIT_CONST = 0x21,
	FORM_LOCLISTX = 0x22,
	FORM_RNGLISTX = 0x23,
	FORM_REF_SUP8 = 0x24,
	FORM_STRX1 = 0x25,
	FORM_STRX2 = 0x26,
	FORM_STRX3 = 0x27,
	FORM_STRX4 = 0x28,
	FORM_ADDRX1 = 0x29,
	FORM_ADDRX2 = 0x2a,
	FORM_ADDRX3 = 0x2b,
	FORM_ADDRX4 = 0x2c,
	FORM_GNU_ADDR_INDEX = 0x1f01,
	FORM_GNU_STR_INDEX = 0x1f02,
	FORM_GNU_REF_ALT = 0x1f20,
	FORM_GNU_STRP_ALT = 0x1f21,
};

/** What differs between units: bytes of an address and of an offset, the version of DWARF. */
struct form_context {
	uint8_t address, offset;
	uint16_t version;
};

/** How to step over a value of @form, which may be any number; DIE_UNKNOWN if nobody knows. */
struct die_part form_size(unsigned form, const struct form_context *context);

/** Takes a value of @form that is a number, an offset or an index; 0, and steps over others. */
uint64_t form_number(struct span *values, unsigned form, const struct form_context *context);

#endif
