/* The bytes of a jitdump: the code that is found lies inside them. */
#include "decode/symbol/jit/jitdump.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

static void check_code(const struct jitdump_code *code, const uint8_t *data, size_t size)
{
	const char *end = (const char *)data + size, *filename;
	uint32_t line;

	fuzz_check(code->size > 0 && code->start + code->size >= code->start);
	if (code->moved)
		return;
	fuzz_check(code->offset <= size && code->size <= size - code->offset);
	fuzz_check(code->name + strlen(code->name) < end);
	fuzz_check(span_left(&code->eh_frame) == 0 ||
		   (code->eh_frame.pos >= data && code->eh_frame.end <= data + size));
	filename = jitdump_source(code, &line);
	fuzz_check(!filename || filename + strlen(filename) < end);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct jitdump_code code;
	struct jitdump dump;

	if (!jitdump_init(&dump, data, size))
		return 0;
	while (jitdump_next(&dump, &code))
		check_code(&code, data, size);
	return 0;
}
