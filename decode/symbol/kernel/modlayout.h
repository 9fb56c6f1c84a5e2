/*
 * Computes where the kernel loaded the sections of a module, whose file was never linked: sets the
 * addresses of sections or marks them as unplaced.
 *
 * Only permanent code is placed: init code (.init...) is freed after loading, and data is never
 * sampled.
 */
#ifndef READPERF_DECODE_SYMBOL_KERNEL_MODLAYOUT_H
#define READPERF_DECODE_SYMBOL_KERNEL_MODLAYOUT_H

#include "decode/symbol/elf/elffile.h"
#include "decode/symbol/elf/symtab.h"

#include <stdint.h>

/**
 * Places the code of @file as the kernel does for a module whose code starts at address @start: one
 * section after the other, in the order of the file (kernel/module/main.c, layout_sections()).
 */
void modlayout_compute(struct elffile *file, uint64_t start);

/**
 * Call it after modlayout_compute(). Places each section by the symbols @known, which are at their
 * run-time addresses. A section for which they give no address or different ones becomes unplaced.
 * Returns -1 if memory is out.
 */
int modlayout_learn(struct elffile *file, const struct symtab *known);

#endif
