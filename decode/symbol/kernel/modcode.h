/*
 * The code of a module, whose file was never linked: its bytes, which lack what their operands
 * refer to, and the relocations that name it.
 */
#ifndef READPERF_DECODE_SYMBOL_KERNEL_MODCODE_H
#define READPERF_DECODE_SYMBOL_KERNEL_MODCODE_H

#include "decode/symbol/elf/elffile.h"
#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What an instruction adds its operand to, which the addend of its relocation allows for. */
enum modcode_base { MODCODE_NOTHING, MODCODE_START, MODCODE_END };

/** An operand that is not in the bytes. */
struct modcode_operand {
	uint64_t address; /* run-time address of its first byte */
	const char
		*name;	 /* of the symbol or section that it refers to; valid as long as the file */
	uint64_t value;	 /* run-time address of that, if @is_placed */
	uint64_t addend; /* distance from it, two's complement */
	bool is_placed;	 /* it is code of the module */
	enum modcode_base base;
};

/** The operands of a file by address. All zero is none. */
struct modcode {
	struct modcode_operand *list;
	size_t nr, room;
};

/**
 * Reads the operands in the placed code (modlayout.h) of @file, which is relocatable; those that
 * are damaged are left out. Returns -1 if memory is out, else 0; modcode_free() in both cases.
 */
int modcode_read(struct modcode *code, const struct elffile *file);

/**
 * The operands from run-time @address on, of which *@nr are below @end; NULL if none is.
 */
const struct modcode_operand *modcode_find(const struct modcode *code, uint64_t address,
					   uint64_t end, size_t *nr);

/** The bytes of @file's placed code from run-time @address to the end of the section; or none. */
struct span modcode_bytes_at(const struct elffile *file, uint64_t address);

/** How far behind its symbol is what @operand of the instruction [start, end) refers to. */
uint64_t modcode_offset(const struct modcode_operand *operand, uint64_t start, uint64_t end);

void modcode_free(struct modcode *code);

#endif
