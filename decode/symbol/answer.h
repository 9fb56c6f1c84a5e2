/* A place in a binary and its answer: the function there and the source of that function. */
#ifndef READPERF_DECODE_SYMBOL_ANSWER_H
#define READPERF_DECODE_SYMBOL_ANSWER_H

#include "decode/symbol/dso.h"
#include "decode/symbol/reason.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A function of a binary, or why there is none (function is then "[unknown]"). */
struct symbol {
	const char *function; /* demangled as the settings request */
	const char *filename; /* source file of the definition; "" if unknown */
	uint32_t line;	      /* line of the definition, from 1; 0 if unknown */
	enum reason reason;
	/* The function that this copy was inlined into; NULL if the function has its own code. */
	const struct symbol *inlined_into;
	uint64_t size; /* bytes of its code according to the symbol table; 0 if unknown */
};

/** An address of a dso (for its meaning see enum dso_kind) and, once resolved, its symbol. */
struct place {
	uint64_t address;
	const struct symbol *symbol;
};

/** The exact location of a place in the binary and in the source. */
struct place_detail {
	bool wanted;	  /* set by the caller: fill the members below */
	uint64_t address; /* as in the output of nm and objdump; for a kernel or without a file, the
			     place's own address */
	uint64_t offset;  /* bytes from the start of the function; 0 if there is none */
	const char *filename; /* source file of the statement; "" if unknown */
	uint32_t line;	      /* line of the statement, from 1; 0 if unknown */
	enum reason reason;   /* why there is no line, or REASON_NONE */
};

/** All addresses to look up in one dso, ascending and distinct. */
struct place_list {
	const struct dso *dso;
	struct place *places;
	size_t nr_places;
	struct place_detail *details; /* one per place, or NULL if none is wanted */
};

#endif
