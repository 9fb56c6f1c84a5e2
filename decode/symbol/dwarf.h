/*
 * The functions of one binary as its DWARF describes them: where they are defined in the source.
 *
 * Only the units that addresses fall into are read, each once. The only file that talks to libdw is
 * dwarf.c.
 */
#ifndef READPERF_DECODE_SYMBOL_DWARF_H
#define READPERF_DECODE_SYMBOL_DWARF_H

#include "decode/symbol/elf.h"
#include "util/intern.h"

#include <stdbool.h>
#include <stdint.h>

struct dwarf;

/** The strings are kept by whoever gave the table to dwarf_open(). */
struct dwarf_function {
	uint64_t start;	      /* lowest address of the part that was looked up */
	const char *name;     /* linkage name, else the plain one; "" if it has none */
	const char *filename; /* absolute if DWARF says from where; "" if unknown */
	uint32_t line;	      /* 0 if unknown */
};

/**
 * Opens the DWARF of @file, which must live longer; its strings are kept in @strings. Returns NULL
 * if @file has none, or with *@nomem set if memory is out.
 */
struct dwarf *dwarf_open(const struct elf_file *file, struct intern *strings, bool *nomem);

/**
 * Finds the innermost function (inlined ones do not count) that covers the virtual @address; cheap
 * for a series of ascending addresses. *@function is NULL if none does, else it lives until
 * dwarf_close(). Returns -1 if memory is out.
 */
int dwarf_find(struct dwarf *dwarf, uint64_t address, const struct dwarf_function **function);

void dwarf_close(struct dwarf *dwarf);

#endif
