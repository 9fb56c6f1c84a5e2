#include "perffile/fact.h"

#include "perffile/format.h"
#include "util/array.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FACTS_MAX = 1 << 20 };

static void add_row(struct facts *facts, const char *key, const char *text, size_t len)
{
	const char *kept = intern_keep(&facts->strings, key);
	uint32_t value = intern(&facts->strings, text, strnlen(text, len));

	if (!kept || value == INTERN_NOMEM ||
	    !array_grow(facts->rows, facts->room, facts->nr_rows + 1)) {
		facts->nomem = true;
		return;
	}
	facts->rows[facts->nr_rows++] =
		(struct fact){.key = kept, .value = intern_get(&facts->strings, value)};
}

__attribute__((format(printf, 4, 0))) static void add(struct facts *facts, const char *text,
						      size_t len, const char *key, va_list args)
{
	char made[512];

	if (facts->nomem || facts->full)
		return;
	if (facts->nr_rows == FACTS_MAX) {
		facts->full = true;
		add_row(facts, "cut", "1", 1);
		return;
	}
	vsnprintf(made, sizeof(made), key, args);
	add_row(facts, made, text, len);
}

__attribute__((format(printf, 3, 0))) static void add_number(struct facts *facts, uint64_t number,
							     const char *key, va_list args)
{
	char text[24];
	int len = snprintf(text, sizeof(text), "%" PRIu64, number);

	add(facts, text, (size_t)len, key, args);
}

void fact_text(struct facts *facts, const char *text, size_t len, const char *key, ...)
{
	va_list args;

	va_start(args, key);
	add(facts, text, len, key, args);
	va_end(args);
}

void fact_number(struct facts *facts, uint64_t number, const char *key, ...)
{
	va_list args;

	va_start(args, key);
	add_number(facts, number, key, args);
	va_end(args);
}

void fact_hex(struct facts *facts, uint64_t number, const char *key, ...)
{
	char text[24];
	int len = snprintf(text, sizeof(text), "0x%" PRIx64, number);
	va_list args;

	va_start(args, key);
	add(facts, text, (size_t)len, key, args);
	va_end(args);
}

void fact_u32(struct facts *facts, struct span *s, const char *key, ...)
{
	uint32_t number = span_u32(s);
	va_list args;

	va_start(args, key);
	if (!s->failed)
		add_number(facts, number, key, args);
	va_end(args);
}

void fact_u64(struct facts *facts, struct span *s, const char *key, ...)
{
	uint64_t number = span_u64(s);
	va_list args;

	va_start(args, key);
	if (!s->failed)
		add_number(facts, number, key, args);
	va_end(args);
}

void fact_string(struct facts *facts, struct span *s, const char *key, ...)
{
	struct span string = format_string(s);
	va_list args;

	va_start(args, key);
	if (!s->failed)
		add(facts, (const char *)string.pos, span_left(&string), key, args);
	va_end(args);
}

void facts_free(struct facts *facts)
{
	free(facts->rows);
	intern_free(&facts->strings);
	*facts = (struct facts){0};
}

void fact_value_add(struct fact_value *value, const char *text, size_t len)
{
	if (value->nomem)
		return;
	if (!array_grow(value->text, value->room, value->len + len + 1)) {
		value->nomem = true;
		return;
	}
	memcpy(value->text + value->len, text, len);
	value->len += len;
}

void fact_value_number(struct fact_value *value, const char *before, uint64_t number)
{
	char text[24];
	int len = snprintf(text, sizeof(text), "%" PRIu64, number);

	if (value->len)
		fact_value_add(value, before, strlen(before));
	fact_value_add(value, text, (size_t)len);
}

static bool is_plain(const char *arg, size_t len)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_@%+=:,./-";

	for (size_t i = 0; i < len; i++) {
		if (!memchr(plain, arg[i], sizeof(plain) - 1))
			return false;
	}
	return len > 0;
}

void fact_value_quoted(struct fact_value *value, const char *arg, size_t len)
{
	if (is_plain(arg, len)) {
		fact_value_add(value, arg, len);
		return;
	}
	fact_value_add(value, "'", 1);
	for (size_t i = 0; i < len; i++) {
		if (arg[i] == '\'')
			fact_value_add(value, "'\\''", 4);
		else
			fact_value_add(value, &arg[i], 1);
	}
	fact_value_add(value, "'", 1);
}

void fact_take(struct facts *facts, const struct span *s, struct fact_value *value, const char *key,
	       ...)
{
	va_list args;

	va_start(args, key);
	if (value->nomem)
		facts->nomem = true;
	else if (!s->failed)
		add(facts, value->text ? value->text : "", value->len, key, args);
	va_end(args);
	free(value->text);
	*value = (struct fact_value){0};
}
