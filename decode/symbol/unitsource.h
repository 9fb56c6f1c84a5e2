/*
 * The source of one DWARF unit: the paths of its files and the lines of its addresses.
 */
#ifndef READPERF_DECODE_SYMBOL_UNITSOURCE_H
#define READPERF_DECODE_SYMBOL_UNITSOURCE_H

#include "decode/symbol/linefiles.h"
#include "decode/symbol/linetable.h"
#include "util/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** All zero is one without files and lines. */
struct unit_source {
	const char *comp_dir; /* borrowed; NULL if the unit does not say */
	struct line_files files;
	const char **paths; /* by number of the file; NULL until asked for */
	size_t nr_paths, paths_room;
	bool has_lines; /* the table was read, or could not be */
	struct line_table lines;
};

/** A statement's place in the source. */
struct source_line {
	const char *filename; /* absolute if DWARF says from where; "" if unknown */
	uint32_t line;	      /* 0: the compiler says that the code belongs to no line */
};

/** Reads the table of files whose header is at @offset of .debug_line; -1 if memory is out. */
int unit_source_read(struct unit_source *source, const struct line_sections *sections,
		     uint64_t offset);

/** Sets *@path to the path of file @number, kept in @strings; "" if unknown. -1: memory is out. */
int unit_source_path(struct unit_source *source, uint64_t number, struct intern *strings,
		     const char **path);

/**
 * Sets *@line to the line of virtual @address and *@found to whether there is one. The line program
 * is run the first time, unless it has more than *@bytes_left, which is lowered by its length; this
 * bounds what many units with one program can cost. Returns -1 if memory is out.
 */
int unit_source_line(struct unit_source *source, uint64_t address, struct intern *strings,
		     size_t *bytes_left, struct source_line *line, bool *found);

void unit_source_free(struct unit_source *source);

#endif
