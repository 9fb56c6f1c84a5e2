/*
 * The few lines of a kernel's list of symbols that name some places, found by bisection: a list has
 * 100,000 lines and more, and a recording some hundred places.
 *
 * The kernel looks up its own symbols by bisection, too (get_symbol_pos() in kernel/kallsyms.c), so
 * they are in the order of their addresses. Those of modules, and of code that was made at run
 * time, come after them, each with a module's name.
 */
#ifndef READPERF_DECODE_SYMBOL_KERNEL_KALLSYMSNEAR_H
#define READPERF_DECODE_SYMBOL_KERNEL_KALLSYMSNEAR_H

#include "decode/symbol/answer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The lines of the kernel's own symbols. */
struct kallsyms_lines {
	const char *start, *end; /* they are whole lines */
};

/** Finds those in the @size bytes at @text, as of /proc/kallsyms, which stay borrowed. */
struct kallsyms_lines kallsymsnear_lines(const char *text, size_t size);

/** As kallsyms_address(), for the first such line from that of @from on. */
bool kallsymsnear_find(const struct kallsyms_lines *lines, uint64_t from, const char *name,
		       uint64_t *address);

/**
 * Copies the lines from which kallsyms_read_kernel() has the same answers for @places as from all.
 *
 * @return a text as kallsyms_parse() takes it, of *@size bytes; NULL if the places or the lines do
 * not ascend, or with *@nomem set if memory is out.
 */
char *kallsymsnear_copy(const struct kallsyms_lines *lines, const struct place_list *places,
			size_t *size, bool *nomem);

#endif
