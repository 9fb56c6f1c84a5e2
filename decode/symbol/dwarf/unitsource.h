/*
 * The source of DWARF units: the paths of their files and the lines of their addresses.
 *
 * Units with the same offset in .debug_line share what is read there.
 */
#ifndef READPERF_DECODE_SYMBOL_DWARF_UNITSOURCE_H
#define READPERF_DECODE_SYMBOL_DWARF_UNITSOURCE_H

#include "decode/symbol/dwarf/debugtypes.h"
#include "decode/symbol/dwarf/linefiles.h"
#include "decode/symbol/dwarf/linetable.h"
#include "util/index.h"
#include "util/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The line program at one offset in .debug_line: its files and lines. */
struct unit_source {
	uint64_t offset;
	const char *comp_dir; /* borrowed; NULL if the unit has none */
	struct line_files files;
	const char **paths; /* by file number; NULL until requested */
	size_t nr_paths, paths_room;
	bool has_lines; /* the program was run */
	struct line_table lines;
};

/** Nothing was read if all is zero but the sections, line_size and strings, which are borrowed. */
struct unit_sources {
	struct line_sections sections;
	size_t line_size;	/* bytes of all of .debug_line; sections.line may be its start */
	bool is_short;		/* sticky: what was asked for may be behind that */
	struct intern *strings; /* keeps the paths */
	struct unit_source **list;
	size_t room;
	struct index by_place;
	/*
	 * Bytes of the section that may still be read: limits the cost of damaged files whose line
	 * programs overlap.
	 */
	uint64_t bytes_left;
};

/**
 * Returns the source of a unit that has @offset in .debug_line and was compiled in @comp_dir (or
 * NULL). It is valid until unit_sources_free(), and empty if the header cannot be read or no bytes
 * are left. NULL if memory is out.
 */
struct unit_source *unit_sources_get(struct unit_sources *sources, uint64_t offset,
				     const char *comp_dir);

/**
 * Sets *@path to the path of file @number, kept in sources->strings; "" if unknown. Returns -1 if
 * memory is out, else 0.
 */
int unit_source_path(struct unit_sources *sources, struct unit_source *source, uint64_t number,
		     const char **path);

/**
 * Sets *@line to the line of virtual @address, and *@found to whether there is one. Runs the line
 * program on the first call. Returns -1 if memory is out, else 0.
 */
int unit_source_line(struct unit_sources *sources, struct unit_source *source, uint64_t address,
		     struct source_line *line, bool *found);

void unit_sources_free(struct unit_sources *sources);

#endif
