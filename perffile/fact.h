/*
 * Facts about a recording as rows of key and value: the table header.csv.
 *
 * Errors are sticky, as with spans: once memory is out, or the span that a fact is read from has
 * failed, nothing is added, and one test at the end is enough.
 */
#ifndef READPERF_PERFFILE_FACT_H
#define READPERF_PERFFILE_FACT_H

#include "util/intern.h"
#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fact {
	const char *key, *value;
};

/** Facts in the order they were added, with their strings. All zero: none. */
struct facts {
	struct fact *rows;
	size_t nr_rows, room;
	struct intern strings;
	bool nomem;
	bool full; /* more than 2^20 facts: the last row has the key "cut" */
};

/* Each function formats the fact's key as printf does. Keys are cut after 511 bytes. */

/** Adds the first @len bytes of @text, up to a NUL. */
void fact_text(struct facts *facts, const char *text, size_t len, const char *key, ...)
	__attribute__((format(printf, 4, 5)));

/** Adds a number in decimal. */
void fact_number(struct facts *facts, uint64_t number, const char *key, ...)
	__attribute__((format(printf, 3, 4)));

/** Adds a number in lower-case hexadecimal with 0x. */
void fact_hex(struct facts *facts, uint64_t number, const char *key, ...)
	__attribute__((format(printf, 3, 4)));

/** Takes the next u32 or u64 from @s and adds it in decimal; adds nothing if @s fails. */
void fact_u32(struct facts *facts, struct span *s, const char *key, ...)
	__attribute__((format(printf, 3, 4)));
void fact_u64(struct facts *facts, struct span *s, const char *key, ...)
	__attribute__((format(printf, 3, 4)));

/** Takes the next string from @s (format_string()) and adds it; adds nothing if @s fails. */
void fact_string(struct facts *facts, struct span *s, const char *key, ...)
	__attribute__((format(printf, 3, 4)));

void facts_free(struct facts *facts);

/** A value built from pieces; all zero is empty. */
struct fact_value {
	char *text;
	size_t len, room;
	bool nomem;
};

/** Appends @len bytes of @text. */
void fact_value_add(struct fact_value *value, const char *text, size_t len);

/** Appends a number in decimal, after @before unless the value is empty. */
void fact_value_number(struct fact_value *value, const char *before, uint64_t number);

/** Appends the @len bytes at @arg, quoted if needed so that a shell reads one word. */
void fact_value_quoted(struct fact_value *value, const char *arg, size_t len);

/** Adds @value as a fact, unless @s has failed, and frees @value. */
void fact_take(struct facts *facts, const struct span *s, struct fact_value *value, const char *key,
	       ...) __attribute__((format(printf, 4, 5)));

#endif
