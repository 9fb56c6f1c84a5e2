#include "decode/symbol/go/gosymbols.h"

#include <elf.h>
#include <string.h>

enum { DOTTED_MAX = 512 }; /* longer names have no middle dot */

/* The name of a symbol, where "." stands for the middle dot of the table. NULL if memory is out. */
static const char *symbol_name(const char *name, struct intern *strings)
{
	static const char dot[] = "\xc2\xb7";
	char plain[DOTTED_MAX];
	const char *at = strstr(name, dot);
	size_t len = 0;

	if (!at || strlen(name) >= sizeof(plain))
		return name;
	for (; at; at = strstr(name, dot)) {
		memcpy(plain + len, name, (size_t)(at - name));
		len += (size_t)(at - name);
		plain[len++] = '.';
		name = at + sizeof(dot) - 1;
	}
	memcpy(plain + len, name, strlen(name) + 1);
	return intern_keep(strings, plain);
}

static int add(const struct gotable *table, const struct gofunction *function,
	       struct symtab *symbols, struct intern *strings)
{
	const char *name = gotable_name(table, function);
	struct symtab_entry entry = {
		.start = function->start,
		.end = gotable_code_end(table, function),
		.type = STT_FUNC,
		.binding = STB_GLOBAL,
	};

	if (!name || !name[0])
		return 0;
	entry.name = symbol_name(name, strings);
	return entry.name ? symtab_add(symbols, &entry) : -1;
}

int gosymbols_add(const struct gotable *table, struct symtab *symbols, struct intern *strings)
{
	struct gofunction function;

	if (symtab_expect(symbols, table->nr) < 0)
		return -1;
	for (uint64_t i = 0; i < table->nr; i++)
		if (gotable_get(table, i, &function) && add(table, &function, symbols, strings) < 0)
			return -1;
	return 0;
}
