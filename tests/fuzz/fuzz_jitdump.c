/*
 * libFuzzer target: the bytes of a jitdump.
 *
 * Whatever they are, reading ends, and the code that is found lies inside them.
 */
#include "decode/symbol/jitdump.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_code(const struct jitdump_code *code, const uint8_t *data, size_t size)
{
	const char *end = (const char *)data + size, *filename;
	uint32_t line;

	if (code->size == 0 || code->start + code->size < code->start)
		abort();
	if (code->moved)
		return;
	if (code->offset > size || code->size > size - code->offset ||
	    code->name + strlen(code->name) >= end)
		abort();
	filename = jitdump_source(code, &line);
	if (filename && filename + strlen(filename) >= end)
		abort();
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
