#include "util/json.h"

#include "util/text.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void json_start(struct json *json, struct outfile *out, unsigned lines)
{
	*json = (struct json){.out = out, .lines = lines};
}

static void put(struct json *json, const char *text)
{
	outfile_string(json->out, text);
}

/* Returns the escape sequence for @code, possibly written to @room; NULL if it needs none. */
static const char *escape(uint32_t code, char room[8])
{
	static const char letters[] = "\bb\ff\nn\rr\tt\"\"\\\\";

	if (code == TEXT_INVALID)
		return TEXT_REPLACEMENT;
	if (code >= 0x20 && code != '"' && code != '\\')
		return NULL;
	for (const char *pair = letters; *pair; pair += 2) {
		if ((uint32_t)*pair == code) {
			snprintf(room, 8, "\\%c", pair[1]);
			return room;
		}
	}
	snprintf(room, 8, "\\u%04x", (unsigned)code);
	return room;
}

static void put_string(struct json *json, const char *text)
{
	const char *from = text, *end = text + strlen(text);
	char room[8];

	put(json, "\"");
	while (text < end) {
		uint32_t code;
		size_t len = text_decode(text, (size_t)(end - text), &code);
		const char *instead = escape(code, room);

		if (instead) {
			outfile_append(json->out, from, (size_t)(text - from));
			put(json, instead);
			from = text + len;
		}
		text += len;
	}
	outfile_append(json->out, from, (size_t)(text - from));
	put(json, "\"");
}

static void put_line(struct json *json)
{
	put(json, "\n");
	for (unsigned i = 0; i < json->depth; i++)
		put(json, "  ");
}

/* Writes what precedes a value: comma, line break, key. */
static void begin(struct json *json, const char *key)
{
	const uint32_t bit = 1u << json->depth;
	const bool has_line = json->depth <= json->lines;

	if (json->filled & bit)
		put(json, has_line ? "," : ", ");
	if (json->depth && has_line)
		put_line(json);
	json->filled |= bit;
	if (!key)
		return;
	put_string(json, key);
	put(json, ": ");
}

void json_open(struct json *json, const char *key, char bracket)
{
	begin(json, key);
	put(json, bracket == '{' ? "{" : "[");
	json->depth++;
	json->filled &= ~(1u << json->depth);
	json->objects &= ~(1u << json->depth);
	if (bracket == '{')
		json->objects |= 1u << json->depth;
}

void json_close(struct json *json)
{
	const uint32_t bit = 1u << json->depth;
	const bool has_lines = json->depth <= json->lines;

	json->depth--;
	if (json->filled & bit && has_lines)
		put_line(json);
	put(json, json->objects & bit ? "}" : "]");
}

void json_end(struct json *json)
{
	put(json, "\n");
}

void json_text(struct json *json, const char *key, const char *text)
{
	begin(json, key);
	put_string(json, text);
}

void json_bool(struct json *json, const char *key, bool value)
{
	begin(json, key);
	put(json, value ? "true" : "false");
}

void json_digits(struct json *json, const char *key, const char *digits)
{
	begin(json, key);
	put(json, digits);
}

void json_u64(struct json *json, const char *key, uint64_t value)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRIu64, value);
	json_digits(json, key, digits);
}

/* The program never sets a locale, so the decimal point is a period. */
void json_number(struct json *json, const char *key, double value, unsigned decimals)
{
	char text[DBL_MAX_10_EXP + 16];
	int len;

	if (!isfinite(value)) {
		json_null(json, key);
		return;
	}
	begin(json, key);
	len = snprintf(text, sizeof(text), "%.*f", (int)decimals, value);
	if (decimals) {
		while (text[len - 1] == '0')
			text[--len] = '\0';
		if (text[len - 1] == '.')
			text[--len] = '\0';
	}
	put(json, strcmp(text, "-0") == 0 ? "0" : text);
}

void json_null(struct json *json, const char *key)
{
	begin(json, key);
	put(json, "null");
}
