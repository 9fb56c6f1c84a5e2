/*
 * What a recording says of itself, as rows of key and value: the table header.csv.
 *
 * Adding is sticky like reading from a span: when memory is out, or a span that a fact would come
 * from has failed, nothing is added, and one test at the end suffices.
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

/** The facts in the order of their adding, with their strings. All zero: none. */
struct facts {
	struct fact *rows;
	size_t nr_rows, room;
	struct intern strings;
	bool nomem;
	bool full; /* there were more than 2^20: the last row has the key "cut" */
};

/* Each takes the fact's key as printf does. A key of more than 511 bytes is cut. */

/** The first @len bytes of @text, up to a NUL among them. */
void fact_text(struct facts *facts, const char *text, size_t len, const char *key, ...)
	__attribute__((format(printf, 4, 5)));

/** A number in decimal. */
void fact_number(struct facts *facts, uint64_t number, const char *key, ...)
	__attribute__((format(printf, 3, 4)));

/** A number in lower-case hexadecimal with 0x. */
void fact_hex(struct facts *facts, uint64_t number, const char *key, ...)
	__attribute__((format(printf, 3, 4)));

/** The next u32 or u64 of @s, in decimal; nothing if it is not there. */
void fact_u32(struct facts *facts, struct span *s, const char *key, ...)
	__attribute__((format(printf, 3, 4)));
void fact_u64(struct facts *facts, struct span *s, const char *key, ...)
	__attribute__((format(printf, 3, 4)));

/** The next string of @s as features have them; nothing if it is not there. */
void fact_string(struct facts *facts, struct span *s, const char *key, ...)
	__attribute__((format(printf, 3, 4)));

void facts_free(struct facts *facts);

/** A value that is put together; all zero is empty. */
struct fact_value {
	char *text;
	size_t len, room;
	bool nomem;
};

/** Appends @len bytes. */
void fact_value_add(struct fact_value *value, const char *text, size_t len);

/** Appends a number in decimal, @before in front of it unless the value is empty. */
void fact_value_number(struct fact_value *value, const char *before, uint64_t number);

/** Appends the @len bytes at @arg so that a shell would read them as one word. */
void fact_value_quoted(struct fact_value *value, const char *arg, size_t len);

/** Makes a fact of @value, unless @s has failed, and frees it. */
void fact_take(struct facts *facts, const struct span *s, struct fact_value *value, const char *key,
	       ...) __attribute__((format(printf, 4, 5)));

#endif
