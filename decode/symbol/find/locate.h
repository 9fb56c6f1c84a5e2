/*
 * Finds the files of a recorded binary: the one that ran, and its separate debug files.
 *
 * A file whose build id differs from the recorded one is never used. Without a recorded build id,
 * the file at the recorded path is accepted. Of the files that belong to the binary, those with the
 * most complete information are used, wherever they are.
 */
#ifndef READPERF_DECODE_SYMBOL_FIND_LOCATE_H
#define READPERF_DECODE_SYMBOL_FIND_LOCATE_H

#include "decode/symbol/dso.h"
#include "decode/symbol/elf/elffile.h"
#include "decode/symbol/origin.h"
#include "decode/symbol/reason.h"
#include "decode/symbol/symbolsettings.h"
#include "util/intern.h"

/** The files found, for the caller to close; any may be NULL. */
struct located {
	struct elffile *runtime;   /* the file that ran, or a debug file with code addresses */
	struct elffile *debug;	   /* has symbols or DWARF that runtime lacks */
	struct elffile *alternate; /* holds DWARF that runtime's or debug's refers to */
	struct elffile *package;   /* holds split units of runtime's or debug's DWARF */
	const char *root;      /* root directory for recorded paths; NULL: the system's. Borrowed */
	bool debug_is_partial; /* debug has only the symbols that .dynsym of runtime lacks */
	struct symbol_origin origin; /* its strings are in the caller's table */
};

struct servers;

/**
 * Searches for the files of @dso, a DSO_USER or DSO_VDSO. @strings keeps the strings of
 * found->origin, which is always filled. @servers are asked last, if the settings say so. Files
 * that are among @known (NULL: none) are shared, not read again.
 *
 * @return REASON_NONE, or why found->runtime is NULL. Sets *@nomem to true if memory is out, else
 * to false.
 */
enum reason locate_files(const struct dso *dso, const struct symbol_settings *settings,
			 struct servers *servers, const struct located *known,
			 struct intern *strings, struct located *found, bool *nomem);

#endif
