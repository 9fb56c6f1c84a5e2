#include "decode/symbol/jit/dumpsymbols.h"

#include "decode/symbol/file/file.h"
#include "decode/symbol/jit/jitdump.h"
#include "util/array.h"

#include <elf.h>

/* Adds @code with its source. *@room is the capacity of binary->sources. -1 if memory is out. */
static int add_code(struct binary *binary, const struct jitdump_code *code, size_t *room)
{
	struct symtab *table = &binary->symbols.table;
	const struct symtab_entry entry = {
		.start = code->offset,
		.end = code->offset + code->size,
		.name = code->name,
		.type = STT_FUNC,
		.binding = STB_GLOBAL,
	};
	struct jit_source source = {0};

	source.filename = jitdump_source(code, &source.line);
	if (!array_grow(binary->sources, *room, table->nr + 1))
		return -1;
	binary->sources[table->nr] = source;
	return symtab_add(table, &entry);
}

int dumpsymbols_load(struct binary *binary, const struct dso *dso, struct load_context *context)
{
	enum file_status status = file_map_own(dso->root, dso->path, &binary->file);
	struct jitdump_code code;
	struct jitdump dump;
	size_t room = 0;

	(void)context;
	if (status != FILE_OPEN || !jitdump_init(&dump, binary->file.bytes, binary->file.size)) {
		binary_set_reason(binary, status == FILE_MISSING ? REASON_JIT_MAP_MISSING
								 : REASON_JIT_MAP_REFUSED);
		return 0;
	}
	binary_set_reason(binary, REASON_NONE);
	binary->file_machine = dump.machine;
	while (jitdump_next(&dump, &code))
		if (!code.moved && add_code(binary, &code, &room) < 0)
			return -1;
	return symtab_build(&binary->symbols.table);
}
