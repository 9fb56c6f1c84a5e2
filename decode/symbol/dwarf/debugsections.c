#include "decode/symbol/dwarf/debugsections.h"

#include "decode/symbol/elf/strtab.h"

#include <stdio.h>

/* Returns the section whose name is @before, @name and @behind, as in .debug_info.dwo. */
static struct span find(const struct elffile *file, const char *before, const char *name,
			const char *behind)
{
	char full[40];

	snprintf(full, sizeof(full), "%s%s%s", before, name, behind);
	return elffile_section_bytes(file, elffile_section_named(file, full));
}

/* Returns a section, compressed in GNU's old format (.zdebug_*) or not. */
static struct span find_any(const struct elffile *file, const char *name)
{
	struct span bytes = find(file, ".debug_", name, "");

	return span_left(&bytes) ? bytes : find(file, ".zdebug_", name, "");
}

bool debug_sections_open(struct debug_sections *sections, const struct elffile *file)
{
	*sections = (struct debug_sections){0};
	if (file->is_bloated)
		return false;
	sections->info = find_any(file, "info");
	if (!span_left(&sections->info))
		return false;
	sections->types = find_any(file, "types");
	sections->abbrevs = find_any(file, "abbrev");
	sections->str = strtab_make(find_any(file, "str"));
	sections->line_str = strtab_make(find_any(file, "line_str"));
	sections->str_offsets = find_any(file, "str_offsets");
	sections->addresses = find_any(file, "addr");
	sections->ranges = find_any(file, "ranges");
	sections->rnglists = find_any(file, "rnglists");
	sections->line = find_any(file, "line");
	return true;
}

void debug_sections_open_split(struct debug_sections *sections, const struct elffile *file)
{
	*sections = (struct debug_sections){
		.info = find(file, ".debug_", "info", ".dwo"),
		.abbrevs = find(file, ".debug_", "abbrev", ".dwo"),
		.str = strtab_make(find(file, ".debug_", "str", ".dwo")),
		.str_offsets = find(file, ".debug_", "str_offsets", ".dwo"),
		.rnglists = find(file, ".debug_", "rnglists", ".dwo"),
	};
}
