/*
 * Writes JSON (RFC 8259) to an output file.
 *
 *	struct json json;
 *
 *	json_start(&json, out, 1);
 *	json_open(&json, NULL, '{');
 *	json_text(&json, "name", name);
 *	json_open(&json, "values", '[');
 *	json_number(&json, NULL, 1.5, 4);
 *	json_close(&json);
 *	json_close(&json);
 *	json_end(&json);
 *
 * In an object each value has a key; in a list and at the top the key is NULL. Text becomes UTF-8:
 * invalid bytes become U+FFFD. Numbers that are not finite become null, as JSON has none.
 */
#ifndef READPERF_UTIL_JSON_H
#define READPERF_UTIL_JSON_H

#include "util/outfile.h"

#include <stdbool.h>
#include <stdint.h>

/** A JSON text being written to @out, which is borrowed. */
struct json {
	struct outfile *out;
	unsigned depth;	  /* at most 31, so that each has a bit */
	unsigned lines;	  /* elements at this depth or less get a line of their own */
	uint32_t objects; /* bit per depth: is an object */
	uint32_t filled;  /* bit per depth: has an element */
};

/** Starts a text in @out, which is borrowed; elements at depth @lines or less get a line each. */
void json_start(struct json *json, struct outfile *out, unsigned lines);

/** Opens an object or a list; @bracket is '{' or '['. */
void json_open(struct json *json, const char *key, char bracket);

/** Closes the object or list opened last. */
void json_close(struct json *json);

/** Ends the last line. */
void json_end(struct json *json);

/** Write a value. @key is NULL in a list and at the top. */
void json_text(struct json *json, const char *key, const char *text);
void json_bool(struct json *json, const char *key, bool value);
void json_u64(struct json *json, const char *key, uint64_t value);

/** Writes the number @digits as it is: it must be one in JSON. */
void json_digits(struct json *json, const char *key, const char *digits);

/** Writes a number with @decimals (0 to 9) decimals, less trailing zeros; null if not finite. */
void json_number(struct json *json, const char *key, double value, unsigned decimals);

/** Writes null. */
void json_null(struct json *json, const char *key);

#endif
