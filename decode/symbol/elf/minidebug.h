/*
 * MiniDebugInfo: the small symbol table that Fedora and others leave in stripped binaries. It is an
 * xz-compressed ELF file in section .gnu_debugdata, with the functions that .dynsym lacks. (gdb's
 * manual, "MiniDebugInfo")
 */
#ifndef READPERF_DECODE_SYMBOL_ELF_MINIDEBUG_H
#define READPERF_DECODE_SYMBOL_ELF_MINIDEBUG_H

#include "decode/symbol/elf/elffile.h"

#include <stdbool.h>

/**
 * Opens the ELF file in @file's .gnu_debugdata; the caller closes it. Returns NULL if there is none
 * or it is unusable, or with *@nomem set if memory is out.
 */
struct elffile *minidebug_open(const struct elffile *file, bool *nomem);

#endif
