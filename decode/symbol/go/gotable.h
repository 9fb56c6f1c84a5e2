/*
 * The table of functions that Go's linker puts into each program, .gopclntab: their names, the
 * source lines of their code, and how much they have on the stack. The program needs it to run, so
 * strip(1) and `go build -ldflags=-s` leave it.
 *
 * The layout is as Go's debug/gosym and runtime/symtab.go have it; it changed with Go 1.16, 1.18
 * and 1.20. Every byte is read through a span: a function whose data is damaged has none.
 */
#ifndef READPERF_DECODE_SYMBOL_GO_GOTABLE_H
#define READPERF_DECODE_SYMBOL_GO_GOTABLE_H

#include "decode/symbol/elf/elffile.h"
#include "util/span.h"

#include <stdbool.h>
#include <stdint.h>

/** The release of Go with which a layout came. */
enum gotable_since { GOTABLE_1_2, GOTABLE_1_16, GOTABLE_1_18, GOTABLE_1_20 };

/** All zero is a table without functions. */
struct gotable {
	enum gotable_since since;
	unsigned word;	  /* bytes of an address */
	unsigned quantum; /* bytes of the shortest instruction */
	uint64_t nr;	  /* functions */
	uint64_t text;	  /* the address that those of functions count from */
	uint64_t end;	  /* address where the last function ends */
	/* The parts begin there; each may go on to the end of the section. */
	struct span functions; /* by address: where each begins, and where its data is */
	struct span data, names, units, files, values;
};

/** A function; its code is at the file's own addresses [start, end), with what pads it. */
struct gofunction {
	uint64_t start, end;
	struct span data;
};

/** What holds for the code at [start, end). */
struct govalue {
	uint64_t start, end;
	int32_t value;
};

/** True if Go's linker has made @file, also if it is stripped. */
bool gotable_is_go(const struct elffile *file);

/** Finds the table of @file, which must live as long. False if it has none that can be read, or one
 * whose functions do not ascend. */
bool gotable_open(struct gotable *table, const struct elffile *file);

/** Reads function number @i. False if it is damaged. */
bool gotable_get(const struct gotable *table, uint64_t i, struct gofunction *function);

/** Finds the function at @address. False if there is none. */
bool gotable_find(const struct gotable *table, uint64_t address, struct gofunction *function);

/** The name, valid as long as the file; NULL if it is damaged. */
const char *gotable_name(const struct gotable *table, const struct gofunction *function);

/**
 * How many bytes @function has on the stack at @address, above its return address where that is on
 * the stack. False if the table does not tell.
 */
bool gotable_frame(const struct gotable *table, const struct gofunction *function, uint64_t address,
		   struct govalue *frame);

/** Where the code of @function ends and what pads it begins. */
uint64_t gotable_code_end(const struct gotable *table, const struct gofunction *function);

/** Whether nothing calls @function, so that stacks begin with it. */
bool gotable_is_outermost(const struct gotable *table, const struct gofunction *function);

/** Where code is from. */
struct gosource {
	const char *filename; /* valid as long as the file */
	uint32_t line;	      /* from 1; 0 if unknown */
};

/** Where a search in a function's table of values was left; all zero at first. */
struct gocursor {
	uint64_t function;  /* where it starts */
	uint32_t offset;    /* of the table */
	struct span values; /* that follow */
	struct govalue value;
};

struct golines {
	struct gocursor files, lines;
};

/**
 * The source of the code at @address in @function. False if the table does not tell. Cheap for a
 * series of ascending addresses with the same @lines.
 */
bool gotable_source(const struct gotable *table, const struct gofunction *function,
		    uint64_t address, struct golines *lines, struct gosource *source);

/** The source of the definition of @function, as gotable_source(). */
bool gotable_definition(const struct gotable *table, const struct gofunction *function,
			struct gosource *source);

#endif
