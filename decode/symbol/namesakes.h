/*
 * Functions of a binary that have the same name.
 *
 * Where nobody asks for source files, a name stands for a function, and no DWARF is read for it.
 * What two functions share does not: only their files tell whether they are one, such as copies of
 * a function in a header, or two. A symbol is one function then, though DWARF may know a file for
 * a part of it only, as of code in assembly language.
 */
#ifndef READPERF_DECODE_SYMBOL_NAMESAKES_H
#define READPERF_DECODE_SYMBOL_NAMESAKES_H

#include "decode/symbol/answer.h"
#include "util/index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A name, by the address of its string, and where the first function with it starts. */
struct namesake {
	const char *function;
	uint64_t start;
	bool shared; /* another function has it, too */
};

/** All zero is empty. */
struct namesakes {
	struct namesake *list;
	size_t room;
	struct index by_name;
	size_t last; /* number of the one noted last */
	bool any_shared;
};

/**
 * Notes that @symbol is the answer for a function that starts at the address @start. Cheap if it is
 * the one noted last. Equal names must be one string. Returns -1 if memory is out, else 0.
 */
int namesakes_note(struct namesakes *namesakes, const struct symbol *symbol, uint64_t start);

/** Sets the symbols of all places of @list from @first on whose name is shared to NULL. */
void namesakes_clear(struct namesakes *namesakes, const struct place_list *list, size_t first);

void namesakes_free(struct namesakes *namesakes);

#endif
