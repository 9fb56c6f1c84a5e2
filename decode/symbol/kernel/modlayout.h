/*
 * Where the kernel has put the sections of a module's file, which was never linked: they get their
 * addresses, or are marked as unplaced.
 *
 * Only code that stays is placed: what a module is started with (.init...) is freed soon, and data
 * is never sampled.
 */
#ifndef READPERF_DECODE_SYMBOL_KERNEL_MODLAYOUT_H
#define READPERF_DECODE_SYMBOL_KERNEL_MODLAYOUT_H

#include "decode/symbol/elf/elffile.h"
#include "decode/symbol/elf/symtab.h"

#include <stdint.h>

/**
 * Places the code of @file as the kernel does it for a module whose code starts at address @start:
 * one section behind the other as they stand in the file (kernel/module/main.c, layout_sections()).
 */
void modlayout_compute(struct elffile *file, uint64_t start);

/**
 * After modlayout_compute(): places each section where the symbols @known, at their addresses, say
 * that it is. A section that they do not tell of, or not with one voice, becomes unplaced. Returns
 * -1 if memory is out.
 */
int modlayout_learn(struct elffile *file, const struct symtab *known);

#endif
