/*
 * The rows of a DWARF line program (versions 2 to 5): the source line of an address.
 *
 * A row is valid from its address to the next row of its sequence. Of rows with the same address
 * the last one counts, as in perf, addr2line and llvm-symbolizer. is_stmt is ignored: all addresses
 * between two rows belong to the first.
 */
#ifndef READPERF_DECODE_SYMBOL_DWARF_LINETABLE_H
#define READPERF_DECODE_SYMBOL_DWARF_LINETABLE_H

#include "decode/symbol/dwarf/linefiles.h"
#include "decode/symbol/elf/ranges.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct line_table_row {
	uint64_t address; /* virtual; the first one of the row */
	uint32_t file;	  /* number in line_files */
	uint32_t line;	  /* 0: the compiler says that the code belongs to no line */
};

/** Rows of one contiguous piece of code, ascending. */
struct line_sequence {
	uint32_t first_row, nr_rows;
};

/** All zero is an empty table. */
struct line_table {
	struct line_table_row *rows;
	size_t nr_rows, rows_room;
	struct line_sequence *sequences;
	size_t nr_sequences, sequences_room;
	struct ranges ranges; /* items are sequence numbers */
	size_t cursor;
};

/**
 * Runs the program whose header was read into @files, and adds the files that the program itself
 * defines. Keeps the sequences before damage. Returns -1 if memory is out, else 0.
 */
int line_table_read(struct line_table *table, struct line_files *files);

/**
 * Sets *@address to the one that @program sets before its first row, where its first sequence
 * starts. Returns false if it sets none.
 */
bool line_table_start(const struct line_program *program, uint64_t *address);

/** Returns the row for @address, or NULL; cheap for a series of ascending addresses. */
const struct line_table_row *line_table_find(struct line_table *table, uint64_t address);

void line_table_free(struct line_table *table);

#endif
