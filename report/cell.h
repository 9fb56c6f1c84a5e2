/*
 * What stands in a column of a row: a value of one of few types. Tables make cells, writers turn
 * them into a form; neither knows of the other.
 */
#ifndef READPERF_REPORT_CELL_H
#define READPERF_REPORT_CELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** The types of cells, which are those of columns, but that any cell may be empty instead. */
enum cell_type {
	CELL_EMPTY,   /* nothing is known */
	CELL_U64,     /* 0 to 2^64-1 */
	CELL_I32,     /* 32 bits with a sign */
	CELL_HEX,     /* 64 bits that are read as hexadecimal: an address, flags */
	CELL_DECIMAL, /* a number with a fixed number of decimals */
	CELL_PERCENT, /* a decimal too: what a part is of a whole, exactly, with 4 decimals */
	CELL_TEXT,    /* bytes, which need not be UTF-8 */
	CELL_MIXED,   /* of a column only: its cells are of any type, and read as text */
	NR_CELL_TYPES,
};

/** Decimals of a CELL_PERCENT. */
enum { CELL_PERCENT_DECIMALS = 4 };

/** A text is borrowed: its bytes live as long as what the row was made from, or its scratch. */
struct cell {
	enum cell_type type;
	unsigned decimals; /* of a CELL_DECIMAL, 0 to 9 */
	union {
		uint64_t u64; /* of a CELL_U64 or CELL_HEX */
		int32_t i32;
		double decimal; /* the cell counts as empty if it is not finite */
		struct {
			uint64_t part, total;
		} percent;
		struct {
			const char *bytes;
			size_t len;
		} text;
	};
};

/* Each of these sets a cell. They do not return one: to copy cells costs more than to write them.
 */

static inline void cell_empty(struct cell *cell)
{
	cell->type = CELL_EMPTY;
}

static inline void cell_u64(struct cell *cell, uint64_t value)
{
	cell->type = CELL_U64;
	cell->u64 = value;
}

/** @value if it is known, else empty. */
static inline void cell_u64_if(struct cell *cell, bool known, uint64_t value)
{
	cell->type = known ? CELL_U64 : CELL_EMPTY;
	cell->u64 = value;
}

/** Empty if @value is 0, which stands for: not known. */
static inline void cell_u64_known(struct cell *cell, uint64_t value)
{
	cell_u64_if(cell, value != 0, value);
}

static inline void cell_i32(struct cell *cell, int32_t value)
{
	cell->type = CELL_I32;
	cell->i32 = value;
}

/** @value if it is known, else empty. */
static inline void cell_i32_if(struct cell *cell, bool known, int32_t value)
{
	cell->type = known ? CELL_I32 : CELL_EMPTY;
	cell->i32 = value;
}

static inline void cell_hex(struct cell *cell, uint64_t value)
{
	cell->type = CELL_HEX;
	cell->u64 = value;
}

/** @value if it is known, else empty. */
static inline void cell_hex_if(struct cell *cell, bool known, uint64_t value)
{
	cell->type = known ? CELL_HEX : CELL_EMPTY;
	cell->u64 = value;
}

/** @value with @decimals (0 to 9) decimals. */
static inline void cell_decimal(struct cell *cell, double value, unsigned decimals)
{
	cell->type = CELL_DECIMAL;
	cell->decimals = decimals;
	cell->decimal = value;
}

/** The percentage that @part is of @total; 0 of nothing. */
static inline void cell_percent(struct cell *cell, uint64_t part, uint64_t total)
{
	cell->type = CELL_PERCENT;
	cell->percent.part = part;
	cell->percent.total = total;
}

static inline void cell_bytes(struct cell *cell, const char *bytes, size_t len)
{
	cell->type = CELL_TEXT;
	cell->text.bytes = bytes;
	cell->text.len = len;
}

static inline void cell_text(struct cell *cell, const char *text)
{
	cell_bytes(cell, text, strlen(text));
}

/** Texts that exist nowhere else and are made for a row. All zero is empty. */
struct scratch {
	size_t used;
	char bytes[256];
};

/** A text made by @format in @scratch, cut to the room that is left there. */
void cell_format(struct cell *cell, struct scratch *scratch, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** "u64": the name of @type, as the manual page has it. */
const char *cell_type_name(enum cell_type type);

#endif
