/*
 * Which file holds the symbols of the recorded kernel (vmlinux), or those of one of its modules.
 *
 * A file is used only if its build id is the recorded one or, if none was recorded, if the user or
 * the recording names the file. Of several right ones the one that holds most is used.
 */
#ifndef READPERF_DECODE_SYMBOL_KERNEL_KERNELFILE_H
#define READPERF_DECODE_SYMBOL_KERNEL_KERNELFILE_H

#include "decode/symbol/elf/elffile.h"
#include "decode/symbol/find/candidate.h"
#include "decode/symbol/origin.h"
#include "decode/symbol/symbolsettings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What debuginfod's servers are asked for if no file of this machine holds it. */
enum fetch {
	FETCH_NOTHING,
	FETCH_NAMES,  /* the file that has the names */
	FETCH_SOURCE, /* the file that has the source lines, which may be large */
};

/** What is looked for. */
struct kernelfile_query {
	const struct symbol_settings *settings;
	const char *path;    /* DSO_MODULE: as recorded; else NULL */
	const char *release; /* of the recorded kernel, as in uname(2); NULL if unknown */
	const char *symbol;  /* that a vmlinux must have to be of use; NULL: none */
	bool for_source;     /* the names are known: only a file with DWARF helps */
	enum fetch fetch;
	struct servers *servers; /* that is asked; NULL without fetch */
	const uint8_t *build_id;
	size_t build_id_len; /* bytes; 0 if unknown */
};

/**
 * Looks for the kernel's vmlinux, of which only symbols and DWARF count.
 *
 * @return the file, for the caller to close, its name and rule in @origin; NULL if there is none,
 * or with *@nomem set if memory is out. All that was looked at is added to @tried.
 */
struct elffile *kernelfile_vmlinux(const struct kernelfile_query *query, struct candidates *tried,
				   struct symbol_origin *origin, bool *nomem);

/** As kernelfile_vmlinux() for a module: a relocatable file, packed or not. */
struct elffile *kernelfile_module(const struct kernelfile_query *query, struct candidates *tried,
				  struct symbol_origin *origin, bool *nomem);

#endif
