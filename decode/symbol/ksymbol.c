/* The symbol of code that the kernel made at run time: the recording itself names it. */
#include "decode/symbol/source.h"

int source_load_ksymbol(struct binary *binary, const struct dso *dso,
			struct source_context *context)
{
	const struct symtab_entry all = {.end = UINT64_MAX, .name = dso->path, .sizeless = true};

	(void)context;
	binary_set_reason(binary, REASON_NONE);
	if (symtab_add(&binary->symbols.table, &all) < 0)
		return -1;
	return symtab_build(&binary->symbols.table);
}
