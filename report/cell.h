/*
 * A cell: the value of one column in a row, of one of a few types. Tables make cells, and writers
 * format them; neither depends on the other.
 */
#ifndef READPERF_REPORT_CELL_H
#define READPERF_REPORT_CELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** The types of columns and cells. A cell has the type of its column or is empty. */
enum cell_type {
	CELL_EMPTY,   /* no value: it is unknown */
	CELL_U64,     /* 0 to 2^64 - 1 */
	CELL_I32,     /* signed, 32 bits */
	CELL_NUMBER,  /* the text of a decimal number of any size */
	CELL_HEX,     /* 64 bits shown in hexadecimal: an address, flags */
	CELL_DECIMAL, /* a number with a fixed number of decimals */
	CELL_PERCENT, /* also a decimal: part of a total, exact, with 4 decimals */
	CELL_RATIO,   /* also a decimal: with 6 decimals, or more where it has few digits else */
	CELL_TEXT,    /* bytes, which need not be UTF-8 */
	CELL_MIXED,   /* of columns only: cells of any type, read as text */
	NR_CELL_TYPES,
};

/** Number of decimals of a CELL_PERCENT. */
enum { CELL_PERCENT_DECIMALS = 4 };

/** Decimals of a CELL_RATIO. */
enum { CELL_RATIO_DECIMALS_MIN = 6, CELL_RATIO_DECIMALS_MAX = 30 };

/** A text is borrowed: its bytes are valid as long as the row's source, or the scratch. */
struct cell {
	enum cell_type type;
	unsigned decimals; /* for CELL_DECIMAL, 0 to 9, and CELL_RATIO */
	union {
		uint64_t u64; /* for CELL_U64 and CELL_HEX */
		int32_t i32;
		double decimal; /* if not finite, the cell is empty */
		struct {
			uint64_t part, total;
		} percent;
		struct {
			const char *bytes;
			size_t len;
		} text;
	};
};

/* Each of these functions sets a cell in place, because returning one would cost a copy. */

static inline void cell_empty(struct cell *cell)
{
	cell->type = CELL_EMPTY;
}

static inline void cell_u64(struct cell *cell, uint64_t value)
{
	cell->type = CELL_U64;
	cell->u64 = value;
}

/** Sets @value if @known, else empty. */
static inline void cell_u64_if(struct cell *cell, bool known, uint64_t value)
{
	cell->type = known ? CELL_U64 : CELL_EMPTY;
	cell->u64 = value;
}

/** Sets @value; empty if it is 0, which means unknown. */
static inline void cell_u64_known(struct cell *cell, uint64_t value)
{
	cell_u64_if(cell, value != 0, value);
}

static inline void cell_i32(struct cell *cell, int32_t value)
{
	cell->type = CELL_I32;
	cell->i32 = value;
}

/** Sets @value if @known, else empty. */
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

/** Sets @value if @known, else empty. */
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

/** As cell_decimal() if @known, else empty. */
static inline void cell_decimal_if(struct cell *cell, bool known, double value, unsigned decimals)
{
	cell_decimal(cell, value, decimals);
	if (!known)
		cell->type = CELL_EMPTY;
}

/** Returns the number from which on, rounded to @decimals decimals, a ratio has 6 digits. */
double cell_ratio_from(unsigned decimals);

/** Sets the ratio @value, if it is @known, with so many decimals that 6 digits are not zeros. */
void cell_ratio_if(struct cell *cell, bool known, double value);

/** Sets the percentage of @total that @part is; 0 if @total is 0. */
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

/** The decimal number written in @text. */
static inline void cell_number(struct cell *cell, const char *text)
{
	cell_text(cell, text);
	cell->type = CELL_NUMBER;
}

/** Buffer for texts that are made for a row. All zero is empty. */
struct scratch {
	size_t used;
	char bytes[256];
};

/** Sets a text formatted with @format in @scratch; it is truncated to the room left there. */
void cell_format(struct cell *cell, struct scratch *scratch, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** The name of @type in the manual page, such as "u64". */
const char *cell_type_name(enum cell_type type);

#endif
