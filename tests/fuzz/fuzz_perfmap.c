/* The text of a /tmp/perf-PID.map: the code that is found is in order and without overlap. */
#include "decode/symbol/jit/perfmap.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct symtab table = {0};
	char *text = fuzz_text(data, size);
	uint64_t end = 0;

	fuzz_check(perfmap_read(&table, text, size) == 0);
	for (size_t i = 0; i < table.nr; i++) {
		const struct symtab_entry *entry = &table.entries[i];
		size_t cursor = 0;

		fuzz_check(entry->start >= end && entry->end > entry->start && entry->name[0]);
		fuzz_check(symtab_find(&table, entry->start, &cursor));
		end = entry->end;
	}
	symtab_free(&table);
	free(text);
	return 0;
}
