/* The code of the procedure linkage table: which slot of the global offset table a stub uses. */
#ifndef READPERF_DECODE_SYMBOL_ELF_STUBCODE_H
#define READPERF_DECODE_SYMBOL_ELF_STUBCODE_H

#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The code at the start of @code, which runs at @address. */
struct stubcode {
	uint16_t machine;     /* EM_ */
	struct span code;     /* not only of this stub; in the byte order of the file */
	uint64_t address;     /* of its first byte */
	uint64_t got_address; /* of the global offset table, which i386 finds its slots by */
};

/**
 * Sets *@slot to the address of the slot that holds where the stub @at jumps to. Returns the bytes
 * of its instructions, 0 for other code, such as the first entry, which calls the dynamic linker.
 */
size_t stubcode_slot(const struct stubcode *at, uint64_t *slot);

/**
 * Sets *@index to the index into .rel[a].plt that a lazy x86 stub of an IBT binary pushes: endbr;
 * push imm32; [bnd] jmp. Returns false for other code. Callers enter the matching stub of .plt.sec.
 */
bool stubcode_index(const struct stubcode *at, uint32_t *index);

#endif
