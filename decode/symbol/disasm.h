/*
 * Instructions as text; the only file that uses capstone, which a build may lack.
 */
#ifndef READPERF_DECODE_SYMBOL_DISASM_H
#define READPERF_DECODE_SYMBOL_DISASM_H

#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DISASM_TEXT = 256 }; /* bytes of an instruction's text, with its NUL */

/** disasm_code.target of an instruction that goes on to the next one, or nobody knows where. */
#define DISASM_NOWHERE UINT64_MAX

struct disasm;

/** What is code: the ELF header's machine (EM_), word size and byte order. */
struct disasm_machine {
	uint16_t machine;
	bool is_64bit, is_big_endian;
};

struct disasm_code {
	char text[DISASM_TEXT]; /* mnemonic and operands; ".byte ..." for what is no instruction */
	size_t size;		/* bytes; at least 1 */
	uint64_t target;	/* where a jump or call leads, or DISASM_NOWHERE */
};

/**
 * Returns the name and version of the library, such as "capstone 4.0", written to @name; NULL if it
 * is not installed, or was not when this was built.
 */
const char *disasm_library(char name[32]);

/**
 * Returns a disassembler of @machine's code, for disasm_close(); NULL if the library is not built
 * in or does not know the machine, or with *@nomem set if memory is out.
 */
struct disasm *disasm_open(const struct disasm_machine *machine, bool *nomem);

/** Sets whether the code that follows is Thumb code; only of EM_ARM. */
void disasm_set_thumb(struct disasm *disasm, bool thumb);

/**
 * Takes the first instruction of @bytes, which lies at @address. False at the end, also of an
 * instruction that is cut there.
 */
bool disasm_next(struct disasm *disasm, struct span *bytes, uint64_t address,
		 struct disasm_code *code);

/** Frees @disasm, which may be NULL. */
void disasm_close(struct disasm *disasm);

#endif
