/* The DWARF of a binary as a whole: its files, their units and sources, and the bounds of reading.
 */
#ifndef READPERF_DECODE_SYMBOL_DWARF_DEBUGDATA_H
#define READPERF_DECODE_SYMBOL_DWARF_DEBUGDATA_H

#include "decode/symbol/dwarf/debugtypes.h"
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
	struct debug_file main, alternate; /* the latter for dwz(1): what several binaries have */
	struct intern *strings;		   /* borrowed */
	bool has_changed;		   /* a .dwo file, while it was read */
	/* How many ranges the file can hold, and how many bytes of split units are read: bounds
	   what damage can cost. */
	size_t ranges_left;
	uint64_t split_left;
};

/**
 * Fills @data, which is all zero and stays where it is, from @files, which must live longer, as for
 * debuginfo_open(). Returns false if there is no DWARF; debug_data_close() is fine all the same.
 */
bool debug_data_open(struct debug_data *data, const struct debug_files *files,
		     struct intern *strings, bool wants_inlined);

/** Whether memory was out while values were read, some of which are missing then. */
bool debug_data_lacks_memory(const struct debug_data *data);

/**
 * Sets *@source to the source of @unit, of a split one that of its skeleton; NULL if it has none.
 * It lives in *@sources. Returns -1 if memory is out.
 */
int debug_data_source(struct debug_data *data, struct unit *unit, struct unit_sources **sources,
		      struct unit_source **source);

void debug_data_close(struct debug_data *data);

#endif
