/*
 * The header of a DWARF line program (versions 2 to 5): its table of source files.
 *
 * linetable.c runs the program after the header, which is most of the section.
 */
#ifndef READPERF_DECODE_SYMBOL_DWARF_LINEFILES_H
#define READPERF_DECODE_SYMBOL_DWARF_LINEFILES_H

#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The sections with the headers and their strings. */
struct line_sections {
	struct span line;	   /* .debug_line */
	struct span line_str, str; /* .debug_line_str, .debug_str, from strtab_make() */
};

struct line_file {
	const char *name; /* "" if it cannot be read */
	uint64_t dir;	  /* number of its directory */
};

/** A line program and its parameters from the header. */
struct line_program {
	struct span opcodes; /* empty if the header's length exceeds the unit */
	uint16_t version;    /* of the header */
	uint8_t min_instruction_length, line_range, opcode_base;
	int8_t line_base;
	uint8_t nr_operands[UINT8_MAX]; /* LEB128 operands of the standard opcodes, by opcode */
};

/** All zero is an empty table. Strings are valid as long as the sections. */
struct line_files {
	struct line_program program;
	const char **dirs;
	size_t nr_dirs, dirs_room;
	struct line_file *files;
	size_t nr_files, files_room;
};

/**
 * Returns about how many bytes of .debug_line the header at @offset and its program have; 0 if the
 * header cannot be read.
 */
uint64_t line_files_size(const struct line_sections *sections, uint64_t offset);

/**
 * Reads the header at *@offset of .debug_line without its tables of files, and moves *@offset to
 * the next one. Returns false if it cannot be read.
 */
bool line_files_skim(struct line_program *program, const struct line_sections *sections,
		     uint64_t *offset);

/**
 * Reads the header at @offset of .debug_line; of a damaged one the entries before the damage. Files
 * and directories get the numbers that DW_AT_decl_file uses, from 0. Returns -1 if memory is out,
 * else 0.
 */
int line_files_read(struct line_files *table, const struct line_sections *sections,
		    uint64_t offset);

/**
 * Adds file @name in directory number @dir at the end of the table. Returns -1 if memory is out,
 * else 0.
 */
int line_files_add(struct line_files *table, const char *name, uint64_t dir);

/** True if there is a file @number and it has a name. */
bool line_files_have(const struct line_files *table, uint64_t number);

/**
 * Returns the path of file @number, which must exist; absolute if its name, its directory or
 * @comp_dir (which may be NULL) is.
 *
 * @return the string for the caller to free; NULL if memory is out.
 */
char *line_files_path(const struct line_files *table, uint64_t number, const char *comp_dir);

void line_files_free(struct line_files *table);

#endif
