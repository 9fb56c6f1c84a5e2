/*
 * The relocations of DWARF in a file that was never linked, as a kernel module is (ET_REL): its
 * entries say where code is only once the sections of code have addresses.
 *
 * What is done for each type of a machine is a table: see relocate.c.
 */
#ifndef READPERF_DECODE_SYMBOL_KERNEL_RELOCATE_H
#define READPERF_DECODE_SYMBOL_KERNEL_RELOCATE_H

#include "decode/symbol/elf/elffile.h"

#include <stdbool.h>

/**
 * Applies the relocations of the sections of DWARF in @file, whose sections of code have got their
 * `addr` or are `unplaced`; done once. Code without a place gets what the linker gives to code that
 * it has thrown away, so that nobody takes it for something at that address.
 *
 * @return true; false if one cannot be applied (its type is not known, or it leads out of a table),
 * and then the DWARF must not be read; or with *@nomem set if memory is out.
 */
bool relocate_dwarf(struct elffile *file, bool *nomem);

#endif
