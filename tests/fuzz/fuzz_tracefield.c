/* The format of a tracepoint, a NUL, then raw data: values lie inside of it, words are found again.
 */
#include "perffile/tracefield.h"
#include "perffile/tracewords.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

static void check_words(const struct tracepoint *point, const struct tracefield *field,
			uint64_t value)
{
	struct tracewords words;
	uint64_t back;
	char text[64];

	if (!tracewords_read(&words, point, field))
		return;
	if (tracewords_write(&words, value, text, sizeof(text))) {
		fuzz_check(strlen(text) < sizeof(text));
		(void)tracewords_value(&words, text, strlen(text), &back);
	}
	tracewords_free(&words);
}

static void check_bytes(const struct tracefield *field, struct span raw)
{
	struct span bytes;
	uint64_t value;
	size_t nr = 0;

	if (!tracefield_bytes(field, raw, &bytes))
		return;
	fuzz_check(bytes.pos >= raw.pos && bytes.pos <= bytes.end && bytes.end <= raw.end);
	while (tracefield_take(field, &bytes, &value))
		nr++;
	fuzz_check(nr <= span_left(&raw));
}

static void check_field(const struct tracepoint *point, struct tracefield field, struct span raw)
{
	uint64_t value = 0;

	if (tracefield_number(&field, raw, &value))
		fuzz_check((uint64_t)field.offset + field.size <= span_left(&raw));
	check_words(point, &field, value);
	check_bytes(&field, raw);
	if (tracefield_element(&field, (uint32_t)value))
		check_words(point, &field, value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span raw = span_make(data, size, false), text;
	struct tracepoint point = {.long_size = 8};
	struct tracefield field;
	size_t len;

	if (!span_cstr(&raw, &len))
		return 0;
	point.format = span_make(data, len, size & 1);
	for (text = point.format; tracefield_next(&point, &text, &field);)
		check_field(&point, field, raw);
	return 0;
}
