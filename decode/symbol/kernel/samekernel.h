/*
 * What tells whether the running kernel is the recorded one where no build id does: the names of
 * the system, and the place where the kernel was loaded.
 */
#ifndef READPERF_DECODE_SYMBOL_KERNEL_SAMEKERNEL_H
#define READPERF_DECODE_SYMBOL_KERNEL_SAMEKERNEL_H

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

#endif
