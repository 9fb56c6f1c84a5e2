/* All DWARF of a binary: its files, their units and sources, and the limits of reading. */
#ifndef READPERF_DECODE_SYMBOL_DWARF_DEBUGDATA_H
#define READPERF_DECODE_SYMBOL_DWARF_DEBUGDATA_H

#include "decode/symbol/dwarf/debugtypes.h"
#include "decode/symbol/dwarf/scopedname.h"
#include "decode/symbol/dwarf/unit.h"
#include "decode/symbol/dwarf/unitsource.h"
#include "util/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The DWARF of one file. */
struct debug_file {
	struct unit_set units;
	struct unit_sources sources;
};

struct debug_data {
	struct debug_files files;
	struct debug_file main, alternate; /* alternate: dwz(1)'s, shared by several binaries */
	struct intern *strings;		   /* borrowed */
	struct scoped_names scoped;	   /* of functions without a linkage name */
	bool has_changed;		   /* a .dwo file changed while it was read */
	/*
	 * How many ranges, and how many bytes of split units, may still be read: limits the cost of
	 * damage.
	 */
	size_t ranges_left;
	uint64_t split_left;
};

/**
 * Opens the DWARF of @files in @data, which is all zero and must not move. The files must stay
 * valid as for debuginfo_open(); @strings keeps all strings. Returns false if there is no DWARF.
 * The caller calls debug_data_close() in either case.
 */
bool debug_data_open(struct debug_data *data, const struct debug_files *files,
		     struct intern *strings, bool wants_inlined);

/**
 * As debug_data_open() without inlined functions, and with only what debug_sections_open_part()
 * opens of files->main. What is asked for that is not there makes debug_data_is_short() true.
 */
bool debug_data_open_part(struct debug_data *data, const struct debug_files *files,
			  struct intern *strings, uint64_t info_size);

/** True if something was asked for that may be in the parts of sections that are not open. */
bool debug_data_is_short(const struct debug_data *data);

/** True if memory ran out while values were read, so that some are missing. */
bool debug_data_lacks_memory(const struct debug_data *data);

/**
 * Sets *@source to the source of @unit (for a split unit, of its skeleton), or to NULL if it has
 * none, and *@sources to its owner. Returns -1 if memory is out, else 0.
 */
int debug_data_source(struct debug_data *data, struct unit *unit, struct unit_sources **sources,
		      struct unit_source **source);

void debug_data_close(struct debug_data *data);

#endif
