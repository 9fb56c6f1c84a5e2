/*
 * Finds the file with the symbols of the recorded kernel (vmlinux) or of one of its modules.
 *
 * A file is used only if its build id is the recorded one or, if none was recorded, if the user or
 * the recording names the file. Of several right ones, the one with the most information is used.
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

/** What to fetch from debuginfod servers if no file on this machine has it. */
enum fetch {
	FETCH_NOTHING,
	FETCH_NAMES,  /* a file with the symbols */
	FETCH_SOURCE, /* a file with the DWARF, which may be large */
};

/** What to look for. */
struct kernelfile_query {
	const struct symbol_settings *settings;
	const char *path;    /* DSO_MODULE: as recorded; else NULL */
	const char *release; /* of the recorded kernel, as in uname(2); NULL if unknown */
	const char *symbol;  /* symbol that a vmlinux must have; NULL: none */
	bool for_source;     /* only a file with DWARF is useful: the names are known */
	bool for_code;	     /* only a file with the bytes of the code is useful */
	enum fetch fetch;
	struct servers *servers; /* servers to ask; may be NULL if fetch is FETCH_NOTHING */
	const uint8_t *build_id;
	size_t build_id_len; /* bytes; 0 if unknown */
};

/**
 * Looks for the kernel's vmlinux; only its symbols and DWARF matter. Adds all files tried to
 * @tried.
 *
 * @return the file, owned by the caller, with its path and rule in @origin; NULL if there is none,
 * or with *@nomem set if memory is out.
 */
struct elffile *kernelfile_vmlinux(const struct kernelfile_query *query, struct candidates *tried,
				   struct symbol_origin *origin, bool *nomem);

/** As kernelfile_vmlinux() for a module: a relocatable file, possibly compressed. */
struct elffile *kernelfile_module(const struct kernelfile_query *query, struct candidates *tried,
				  struct symbol_origin *origin, bool *nomem);

#endif
