/* The DWARF of a file, opened for a test; any failure to open the file fails the test. */
#ifndef READPERF_TESTS_SUPPORT_DEBUGFILE_H
#define READPERF_TESTS_SUPPORT_DEBUGFILE_H

#include "decode/symbol/dwarf/debuginfo.h"

/** info is NULL if there is no DWARF. */
struct debugfile {
	struct elffile *file;
	struct debuginfo *info;
	struct intern strings;
};

/** Opens DIR/@name. */
struct elffile *debugfile_elf(const char *dir, const char *name);

/** Opens the DWARF of DIR/@name, with inlined functions. */
void debugfile_open(struct debugfile *opened, const char *dir, const char *name);

/** Returns the function at the virtual @address, or NULL. */
const struct debug_function *debugfile_find(struct debugfile *opened, uint64_t address);

void debugfile_close(struct debugfile *opened);

#endif
