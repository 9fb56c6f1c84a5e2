/*
 * What tells whether two kernels are the same where no build id does: the names of the system, the
 * place where the kernel was loaded, and its list of symbols.
 */
#ifndef READPERF_DECODE_SYMBOL_KERNEL_SAMEKERNEL_H
#define READPERF_DECODE_SYMBOL_KERNEL_SAMEKERNEL_H

#include "decode/symbol/kernel/kallsyms.h"
#include "decode/symbol/symbolsettings.h"

#include <stdbool.h>
#include <stdint.h>

/** Whether host, machine and release were recorded and are those of the running system. */
bool samekernel_is_same_system(const struct symbol_kernel *recorded);

/**
 * Whether the recorded release or machine is not the running system's. Its host may be called
 * otherwise: containers have names of their own.
 */
bool samekernel_is_denied(const struct symbol_kernel *recorded);

/**
 * Whether the running kernel's code, which is at @text, was moved at boot, to a place that is
 * likely no other kernel's. @machine is as in uname(2); false for those whose places are not known.
 */
bool samekernel_was_moved(const char *machine, uint64_t text);

/**
 * Whether a list of symbols that begins with the @size bytes at @head is of a kernel that is
 * elsewhere than @dso was recorded: the symbol that tells its place is among them, and has another
 * address. Where lists are hidden, all addresses are 0.
 */
bool samekernel_is_elsewhere(const struct dso *dso, const char *head, size_t size);

/**
 * Whether a kernel can be moved by @shift from one boot to another. @machine is as in uname(2), or
 * NULL if it is not known.
 */
bool samekernel_can_shift(const char *machine, uint64_t shift);

/**
 * Whether @one and @other have the same symbols, at the same distances. Those of modules do not
 * count, for they come and go.
 */
bool samekernel_are_lists_of_one(const struct kallsyms *one, const struct kallsyms *other);

#endif
