/*
 * The lines of a DWARF line program (versions 2 to 5): which source line an address belongs to.
 *
 * A row holds from its address to the next row of its sequence; of rows with the same address the
 * last one counts, as for perf, addr2line and llvm-symbolizer. Whether a row begins a statement
 * does not matter: every address between two rows belongs to the first.
 */
#ifndef READPERF_DECODE_SYMBOL_DWARF_LINETABLE_H
#define READPERF_DECODE_SYMBOL_DWARF_LINETABLE_H

#include "decode/symbol/dwarf/linefiles.h"
#include "decode/symbol/elf/ranges.h"

#include <stddef.h>
#include <stdint.h>

struct line_table_row {
	uint64_t address; /* virtual, the first that it holds for */
	uint32_t file;	  /* number in the table of files */
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
	struct ranges ranges; /* of numbers of sequences */
	size_t cursor;
};

/**
 * Runs the program whose header was read to @files, which gets the files that the program itself
 * names; of a damaged one the sequences before the damage are kept. Returns -1 if memory is out.
 */
int line_table_read(struct line_table *table, struct line_files *files);

/** The row that holds for @address, or NULL; cheap for a series of ascending addresses. */
const struct line_table_row *line_table_find(struct line_table *table, uint64_t address);

void line_table_free(struct line_table *table);

#endif
