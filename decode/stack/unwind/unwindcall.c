#include "decode/stack/unwind/unwindcall.h"

#include <elf.h>

enum { CALL = 0xe8, INDIRECT = 0xff, NOP = 0x90 };

bool unwind_call_knows(const struct unwind_arch *arch)
{
	return arch->machine == EM_X86_64 || arch->machine == EM_386;
}

/* Bytes of the indirect call at @code: FF /2 with an address in a register or in memory. 0: there
 * is none. */
static int indirect_size(const uint8_t *code)
{
	const uint8_t mode = code[1] >> 6, rm = code[1] & 7;
	const int sib = rm == 4;

	if (code[0] != INDIRECT || (code[1] >> 3 & 7) != 2)
		return 0;
	if (mode == 3)
		return 2;
	if (mode == 1)
		return 3 + sib;
	if (mode == 2 || rm == 5)
		return 6 + sib;
	return sib && (code[2] & 7) == 5 ? 7 : 2 + sib;
}

bool unwind_call_returns(const uint8_t *at)
{
	if (at[-5] == CALL)
		return true;
	for (int size = 2; size <= UNWIND_CALL_BEFORE; size++) {
		if (indirect_size(at - size) == size)
			return true;
	}
	/* Go's first functions return to the second byte of goexit(), which is a call. */
	return at[-1] == NOP && at[0] == CALL;
}

bool unwind_call_is_system(const uint8_t *code)
{
	for (int i = 0; i + 1 < UNWIND_CALL_SYSTEM; i++) {
		if ((code[i] == 0x0f && code[i + 1] == 0x05) || /* syscall */
		    (code[i] == 0xcd && code[i + 1] == 0x80))	/* int 0x80 */
			return true;
	}
	return false;
}
