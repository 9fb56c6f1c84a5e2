/*
 * The copy of the running kernel's symbols that perf keeps beside its binaries: perf record writes
 * one for each kernel that it meets first, at the place where the kernel was at that boot.
 */
#ifndef READPERF_DECODE_SYMBOL_KERNEL_KERNELCOPY_H
#define READPERF_DECODE_SYMBOL_KERNEL_KERNELCOPY_H

#include "decode/symbol/dso.h"
#include "decode/symbol/kernel/kallsyms.h"
#include "decode/symbol/symbolsettings.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/** A copy that was read. All zero is none. */
struct kernelcopy {
	char *path; /* NULL: none */
	struct kallsyms kallsyms;
	uint64_t start, end;	       /* the kernel's own code, [start, end) */
	uint64_t init_start, init_end; /* and what starts it; empty: not known */
};

/**
 * Sets @path to the copy for the build id of @dso, with the kernel where @dso says that it was
 * recorded. Returns false if there is none.
 */
bool kernelcopy_find(char path[PATH_MAX], const struct dso *dso,
		     const struct symbol_settings *settings);

/**
 * Reads the copy that kernelcopy_find() finds into @copy, which stays all zero if there is none or
 * it does not tell where the kernel's code ends. Returns 0, or -1 if memory is out.
 */
int kernelcopy_read(struct kernelcopy *copy, const struct dso *dso,
		    const struct symbol_settings *settings);

/**
 * As kernelcopy_read(), with no more symbols than name the places of @expected (NULL: none are
 * known): that takes a tenth of the time. @copy stays all zero, too, if that cannot be told from
 * the order of the lines.
 */
int kernelcopy_read_near(struct kernelcopy *copy, const struct dso *dso,
			 const struct symbol_settings *settings, const struct place_list *expected);

/** Whether @address is in the kernel's own code, of which @copy, which has a path, has all names.
 */
static inline bool kernelcopy_covers(const struct kernelcopy *copy, uint64_t address)
{
	return (address >= copy->start && address < copy->end) ||
	       (address >= copy->init_start && address < copy->init_end);
}

void kernelcopy_free(struct kernelcopy *copy);

#endif
