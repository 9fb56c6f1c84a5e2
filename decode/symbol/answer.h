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

/**
 * A place of data, counted from the start of a mapping of its file, and, once resolved, the
 * variable there.
 */
struct data_name {
	uint64_t pgoff;	    /* where the mapping starts, a byte offset in the file */
	uint64_t distance;  /* from there, in bytes; may be past the mapping's end */
	bool is_code;	    /* the mapping is executable */
	bool is_of_file;    /* resolved: the file says that the memory there is its own */
	const char *name;   /* demangled as the settings request; NULL if there is none */
	enum reason reason; /* why */
};

/** An instruction. Addresses are printed ones, as in struct place_detail. */
struct instruction {
	uint64_t address;
	const char *text;
	const char *filename; /* source file of its statement; "" if unknown */
	uint32_t line;	      /* line of its statement; 0 if unknown */
	uint64_t target;      /* where in the same code it jumps to; UINT64_MAX: nowhere */
};

/** The code of a function, or those parts of it that are near samples. */
struct code {
	uint64_t start, end;		  /* printed addresses, [start, end) */
	struct instruction *instructions; /* ascending; there may be gaps */
	size_t nr;
};

/** What a list of places wants in its details, beside the line: bits. */
enum place_wish {
	WISH_DETAILS = 1,      /* the details at all */
	WISH_INSTRUCTIONS = 2, /* the instruction of each place */
	WISH_CODE = 4,	       /* the code of the functions that have many of the samples */
	WISH_CALLERS = 8,      /* details of places that only call chains have, too */
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
	/* Printed addresses [start, end) of the function with the code; both 0 if unknown. */
	uint64_t code_start, code_end;
	/* Bytes before the place and from it on of which the same symbol is known to be the answer;
	 * both 0 if unknown. */
	uint64_t same_before, same_after;
	bool placed;  /* address is a virtual one of a file that was read */
	double share; /* set by the caller: part of its event's period; summed over all events */
	const char *instruction; /* text; "" if unknown or not wished for */
	const struct code *code; /* that the place is in; NULL if not wished for or unknown */
	const char *code_lack;	 /* why there is none, a part of a sentence; "" if there is */
};

/** All addresses to look up in one dso, ascending and distinct. */
struct place_list {
	const struct dso *dso;
	struct place *places;
	size_t nr_places;
	struct place_detail *details; /* one per place, or NULL if none is wanted */
	unsigned wishes;	      /* enum place_wish */
	unsigned nr_events; /* that the shares are added up of; with WISH_CODE at least 1 */
};

/** True if nothing but the symbols of the places will be looked up. */
static inline bool place_list_wants_symbols_only(const struct place_list *list)
{
	return !list->details && !list->wishes;
}

#endif
