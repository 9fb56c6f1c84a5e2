/* The text of /proc/kallsyms: what is found is named, lies where it was asked for, and in order. */
#include "decode/symbol/kernel/kallsyms.h"
#include "decode/symbol/kernel/kallsymsnear.h"
#include "tests/fuzz/fuzz.h"

static void check_table(const struct kallsyms *kallsyms, const char *module, uint64_t start,
			uint64_t end)
{
	struct symtab table = {0};
	uint64_t last = 0;

	fuzz_check(kallsyms_read(kallsyms, module, start, end, &table) == 0);
	for (size_t i = 0; i < table.nr; i++) {
		const struct symtab_entry *entry = &table.entries[i];
		size_t cursor = 0;

		fuzz_check(entry->start >= last && entry->end >= entry->start && entry->name[0]);
		fuzz_check(entry->start == entry->end ||
			   symtab_find(&table, entry->start, &cursor));
		last = entry->start;
	}
	symtab_free(&table);
}

/* What is copied for places at the first symbols are whole lines, if there is anything. */
static void check_near(const struct kallsyms *kallsyms, const char *text, size_t size)
{
	enum { PLACES_MAX = 8 };
	const struct kallsyms_lines lines = kallsymsnear_lines(text, size);
	struct place places[PLACES_MAX] = {0};
	struct place_list list = {.places = places};
	uint64_t address;
	bool nomem;
	char *near;

	while (list.nr_places < PLACES_MAX && list.nr_places < kallsyms->nr) {
		places[list.nr_places].address = kallsyms->symbols[list.nr_places].address;
		list.nr_places++;
	}
	kallsymsnear_find(&lines, places[0].address, "_etext", &address);
	near = kallsymsnear_copy(&lines, &list, &size, &nomem);
	fuzz_check(!near || size == 0 || near[size - 1] == '\n');
	free(near);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { MODULES_MAX = 4 };
	struct kallsyms kallsyms;
	uint64_t address;

	fuzz_check(kallsyms_parse(&kallsyms, fuzz_text(data, size), size) == 0);
	for (size_t i = 0; i < kallsyms.nr; i++)
		fuzz_check(kallsyms_name(&kallsyms, &kallsyms.symbols[i])[0]);
	check_near(&kallsyms, (const char *)data, size);
	kallsyms_address(&kallsyms, "_text", &address);
	check_table(&kallsyms, "", 0, UINT64_MAX);
	for (size_t i = 0; i < kallsyms.nr && i < MODULES_MAX; i++) {
		const struct kallsyms_symbol *symbol = &kallsyms.symbols[i];

		check_table(&kallsyms, kallsyms_module(&kallsyms, symbol), symbol->address,
			    symbol->address + size);
	}
	kallsyms_free(&kallsyms);
	return 0;
}
