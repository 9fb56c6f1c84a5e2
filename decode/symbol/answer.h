/* A place in a binary, and what is found out about it: the function there and its source. */
#ifndef READPERF_DECODE_SYMBOL_ANSWER_H
#define READPERF_DECODE_SYMBOL_ANSWER_H

#include "decode/symbol/dso.h"
#include "decode/symbol/reason.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A function of a binary, or the reason why there is none (then function is "[unknown]"). */
struct symbol {
	const char *function; /* demangled as the settings say */
	const char *filename; /* source file that defines it, "" if unknown */
	uint32_t line;	      /* line of its definition, 0 if unknown */
	enum reason reason;
	/* The function that this copy of it was inlined into; NULL for one with code of its own. */
	const struct symbol *inlined_into;
	uint64_t size; /* bytes of its code, as the symbol table has it; 0 if unknown */
};

/** An address of a dso, counted as enum dso_kind says, and, once resolved, its symbol. */
struct place {
	uint64_t address;
	const struct symbol *symbol;
};

/** Where exactly a place is, in the binary and in the source. */
struct place_detail {
	bool wanted;	  /* set by the caller: what follows is to be found out */
	uint64_t address; /* as nm and objdump show it; the place itself in a kernel or without a
			     file */
	uint64_t offset;  /* bytes from the start of the function with the code; 0 without */
	const char *filename; /* of the statement; "" if unknown */
	uint32_t line;	      /* of the statement; 0 if unknown */
	enum reason reason;   /* why there is no line */
};

/** All the addresses of one dso, ascending and distinct. */
struct place_list {
	const struct dso *dso;
	struct place *places;
	size_t nr_places;
	struct place_detail *details; /* one for each place, or NULL if none is wanted */
};

#endif
