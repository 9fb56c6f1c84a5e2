#include "decode/symbol/go/gosymbols.h"

#include <elf.h>

int gosymbols_add(const struct gotable *table, struct symtab *symbols)
{
	struct gofunction function;

	if (symtab_expect(symbols, table->nr) < 0)
		return -1;
	for (uint64_t i = 0; i < table->nr; i++) {
		struct symtab_entry entry = {.type = STT_FUNC, .binding = STB_LOCAL};

		if (!gotable_get(table, i, &function))
			continue;
		entry.name = gotable_name(table, &function);
		if (!entry.name || !entry.name[0])
			continue;
		entry.start = function.start;
		entry.end = gotable_code_end(table, &function);
		if (symtab_add(symbols, &entry) < 0)
			return -1;
	}
	return 0;
}
