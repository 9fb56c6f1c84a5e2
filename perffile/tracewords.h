/*
 * Words for the values of a tracepoint's field: those of __print_flags() and __print_symbolic() in
 * its print format, where these are of the field itself and of constants.
 *
 * "S" for the state 1 of sched_switch, "ALLOC|ZERO" for flags. The format is untrusted: an
 * expression that nests deeply, or is no constant, has no word.
 */
#ifndef READPERF_PERFFILE_TRACEWORDS_H
#define READPERF_PERFFILE_TRACEWORDS_H

#include "perffile/tracefield.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct traceword;

/** All zero has no words. The texts are borrowed from the format. */
struct tracewords {
	struct traceword *list; /* in the order of the format */
	size_t nr, room;
	bool flags;	     /* several may hold at once; else each stands for one value */
	uint64_t mask;	     /* bits of the value that the words are about */
	struct span between; /* flags: what stands between two words */
	struct span none;    /* flags: the word for no flag; empty if there is none */
	struct span sign;    /* flags: what stands behind the words if `sign_bit` is set */
	uint64_t sign_bit;   /* 0: there is no sign */
};

/**
 * Reads the words for @field of @point. Without any, @words is empty. Returns false if memory is
 * out. The caller frees them with tracewords_free().
 */
bool tracewords_read(struct tracewords *words, const struct tracepoint *point,
		     const struct tracefield *field);

/**
 * Writes the words for @value, with a NUL, to @text of @size bytes (at least 1), cut if they do not
 * fit; bits that have none as a hexadecimal number. Returns false, and writes nothing, if there
 * is no word for it.
 */
bool tracewords_write(const struct tracewords *words, uint64_t value, char *text, size_t size);

/**
 * Sets *@value to the value whose words are the @len bytes @text, as tracewords_write() writes
 * them. Returns false if there is none.
 */
bool tracewords_value(const struct tracewords *words, const char *text, size_t len,
		      uint64_t *value);

void tracewords_free(struct tracewords *words);

#endif
