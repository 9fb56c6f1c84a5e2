/*
 * JSON (RFC 8259) into an output file.
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
 * Each value has its key in an object, and NULL for a key in a list and at the top. Text becomes
 * UTF-8: bytes that are none become U+FFFD. There is no number in JSON that is not finite: it
 * becomes null.
 */
#ifndef READPERF_UTIL_JSON_H
#define READPERF_UTIL_JSON_H

#include "util/outfile.h"

#include <stdbool.h>
#include <stdint.h>

/** Nesting goes no deeper. */
enum { JSON_DEPTH_MAX = 31 };

/** What is being written to @out, which is borrowed. */
struct json {
	struct outfile *out;
	unsigned depth;
	unsigned lines;	  /* what stands as deep as this or less has a line of its own */
	uint32_t objects; /* bit by depth: it is an object */
	uint32_t filled;  /* bit by depth: it has an element */
};

void json_start(struct json *json, struct outfile *out, unsigned lines);

/** Opens an object or a list; @bracket is '{' or '['. */
void json_open(struct json *json, const char *key, char bracket);

/** Closes what was opened last. */
void json_close(struct json *json);

/** Ends the last line. */
void json_end(struct json *json);

void json_text(struct json *json, const char *key, const char *text);
void json_bool(struct json *json, const char *key, bool value);
void json_u64(struct json *json, const char *key, uint64_t value);

/** A number with at most @decimals (0 to 9) decimals, those that are zeros at its end left out. */
void json_number(struct json *json, const char *key, double value, unsigned decimals);

void json_null(struct json *json, const char *key);

#endif
