#include "decode/symbol/sourceline.h"

#include "util/cutstring.h"

/* Sets @line to what is kept of @filename, valid as answers are. -1 if memory is out. */
static int keep(struct binary *binary, const char *filename, uint32_t number,
		struct source_line *line)
{
	*line = (struct source_line){cutstring_keep(&binary->strings, filename), number};
	return line->filename ? 0 : -1;
}

int sourceline_find(struct binary *binary, uint64_t address, struct source_line *line, bool *found)
{
	struct gofunction function;
	struct gosource source;

	*found = false;
	if (binary->debuginfo && debuginfo_find_line(binary->debuginfo, address, line, found) < 0)
		return -1;
	if (*found)
		return 0;
	*found = gotable_find(&binary->go, address, &function) &&
		 gotable_source(&binary->go, &function, address, &binary->go_lines, &source);
	return *found ? keep(binary, source.filename, source.line, line) : 0;
}

int sourceline_of_symbol(struct binary *binary, const struct symtab_entry *symbol,
			 struct source_line *line, bool *found)
{
	struct jit_source source = {0};
	struct gofunction function;
	struct gosource of_go;

	if (binary->sources)
		source = binary->sources[symbol->order];
	else if (gotable_find(&binary->go, symbol->start, &function) &&
		 function.start == symbol->start &&
		 gotable_definition(&binary->go, &function, &of_go))
		source = (struct jit_source){of_go.filename, of_go.line};
	*found = source.filename;
	return *found ? keep(binary, source.filename, source.line, line) : 0;
}
