/*
 * The small symbol table that Fedora and others leave in stripped binaries: an ELF file, packed by
 * xz, in the section .gnu_debugdata. It has the functions that .dynsym has not. (gdb's manual,
 * "MiniDebugInfo")
 */
#ifndef READPERF_DECODE_SYMBOL_ELF_MINIDEBUG_H
#define READPERF_DECODE_SYMBOL_ELF_MINIDEBUG_H

#include "decode/symbol/elf/elffile.h"

#include <stdbool.h>

/**
 * The ELF file in @file's .gnu_debugdata, for the caller to close. NULL if there is none that can
 * be used, or with *@nomem set if memory is out.
 */
struct elffile *minidebug_open(const struct elffile *file, bool *nomem);

#endif
