/* Names of functions, one in each line: demangling ends, and gives a text or nothing. */
#include "decode/symbol/demangle.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);

	for (char *name = strtok(text, "\n"); name; name = strtok(NULL, "\n")) {
		char *plain = demangle(name, DEMANGLE_FULL),
		     *brief = demangle(name, DEMANGLE_SHORT);

		fuzz_check(!plain || plain[0]);
		free(plain);
		free(brief);
		fuzz_check(!demangle(name, DEMANGLE_NONE));
	}
	free(text);
	return 0;
}
