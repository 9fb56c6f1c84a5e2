/*
 * libFuzzer target: the text of a /tmp/perf-PID.map.
 *
 * Whatever the bytes are, reading ends, and the code that is found is in order and without overlap.
 */
#include "decode/symbol/perfmap.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct symtab table = {0};
	char *text = malloc(size + 1);
	uint64_t end = 0;

	if (!text)
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	if (perfmap_read(&table, text, size) < 0)
		abort();
	for (size_t i = 0; i < table.nr; i++) {
		const struct symtab_entry *entry = &table.entries[i];
		size_t cursor = 0;

		if (entry->start < end || entry->end <= entry->start || entry->name[0] == '\0' ||
		    !symtab_find(&table, entry->start, &cursor))
			abort();
		end = entry->end;
	}
	symtab_free(&table);
	free(text);
	return 0;
}
