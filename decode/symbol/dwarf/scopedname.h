/*
 * Names of C++ functions that have no linkage name, with the scopes they are in: gcc gives none to
 * a function that is local, or that exists only inlined.
 *
 * Namespaces, classes and enclosing functions are named as by the demangler, but without parameters
 * and template arguments of functions: "ns::f()::{lambda#2}::operator()". Lambdas and other
 * nameless classes are numbered in the function, class or namespace they are in, in the order of
 * the entries, which a change elsewhere leaves as it is.
 */
#ifndef READPERF_DECODE_SYMBOL_DWARF_SCOPEDNAME_H
#define READPERF_DECODE_SYMBOL_DWARF_SCOPEDNAME_H

#include "decode/symbol/dwarf/die.h"
#include "util/index.h"
#include "util/intern.h"

#include <stddef.h>
#include <stdint.h>

struct scoped_name {
	const uint8_t *entry; /* values of the function's entry */
	const char *name;
};

/** The names found so far; all zero is none. */
struct scoped_names {
	struct scoped_name *list;
	size_t room;
	struct index by_entry;
	uint64_t entries; /* read in search of scopes */
};

/**
 * Returns the name of the function whose DW_AT_name @name is in the entry @die, with its scopes;
 * without them if they are not found. Kept in @strings. NULL if memory is out.
 */
const char *scoped_names_get(struct scoped_names *names, const struct die *die, const char *name,
			     struct intern *strings);

void scoped_names_free(struct scoped_names *names);

#endif
