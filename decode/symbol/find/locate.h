/*
 * Which files hold a binary that was recorded: the one that ran, and its separate debug files.
 *
 * A file whose build id is not the recorded one is never used. Without a recorded build id the file
 * at the recorded path is believed to be the one. Of the files that belong to the binary those with
 * the most complete information are used, wherever they are.
 */
#ifndef READPERF_DECODE_SYMBOL_FIND_LOCATE_H
#define READPERF_DECODE_SYMBOL_FIND_LOCATE_H

#include "decode/symbol/dso.h"
#include "decode/symbol/elf/elffile.h"
#include "decode/symbol/origin.h"
#include "decode/symbol/reason.h"
#include "decode/symbol/symbolsettings.h"
#include "util/intern.h"

/** Files for the caller to close; any may be NULL. */
struct located {
	struct elffile *runtime;   /* ran, or is a debug file that says where the code was */
	struct elffile *debug;	   /* one with symbols or DWARF that runtime lacks */
	struct elffile *alternate; /* holds DWARF that runtime's or debug's refers to */
	struct elffile *package;   /* holds split units of runtime's or debug's DWARF */
	const char *root; /* directory that recorded paths are seen in; NULL: the root. Borrowed */
	bool debug_is_partial; /* debug has only those symbols that .dynsym of runtime lacks */
	struct symbol_origin origin; /* its strings are kept in the table that was given */
};

struct servers;

/**
 * Looks for the files of @dso, which is a DSO_USER or DSO_VDSO. @strings keeps the names in
 * found->origin, which is filled in any case. @servers are asked last, if the settings say so.
 * Files that are among those of @known (NULL: none) are the same ones, not read again.
 *
 * @return REASON_NONE, or why there is no found->runtime. With *@nomem set memory is out.
 */
enum reason locate_files(const struct dso *dso, const struct symbol_settings *settings,
			 struct servers *servers, const struct located *known,
			 struct intern *strings, struct located *found, bool *nomem);

#endif
