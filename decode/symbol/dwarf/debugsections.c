#include "decode/symbol/dwarf/debugsections.h"

#include "decode/symbol/elf/elfsection.h"
#include "decode/symbol/elf/strtab.h"

#include <elf.h>
#include <stdio.h>

/* Returns the number of the section whose name is @before, @name and @behind; 0 if there is none.
 */
static size_t number_of(const struct elffile *file, const char *before, const char *name,
			const char *behind)
{
	char full[40];

	snprintf(full, sizeof(full), "%s%s%s", before, name, behind);
	return elffile_section_named(file, full);
}

/* Returns the section whose name is @before, @name and @behind, as in .debug_info.dwo. */
static struct span find(const struct elffile *file, const char *before, const char *name,
			const char *behind)
{
	return elfsection_bytes(file, number_of(file, before, name, behind));
}

/* Returns a section, compressed in GNU's old format (.zdebug_*) or not. */
static struct span find_any(const struct elffile *file, const char *name)
{
	struct span bytes = find(file, ".debug_", name, "");

	return span_left(&bytes) ? bytes : find(file, ".zdebug_", name, "");
}

/* Unpacks what will be asked for and takes long, the longest first. */
static void unpack_together(const struct elffile *file)
{
	static const char *const names[] = {"info", "line", "str", "abbrev", "ranges", "rnglists"};
	enum { NR = sizeof(names) / sizeof(names[0]) };
	size_t numbers[NR];

	_Static_assert(NR <= (int)ELFSECTION_TOGETHER, "they are unpacked together");
	for (size_t i = 0; i < NR; i++)
		numbers[i] = number_of(file, ".debug_", names[i], "");
	elfsection_unpack(file, numbers, NR);
}

/* Sets all but info, abbrevs and line. */
static void open_others(struct debug_sections *sections, const struct elffile *file)
{
	sections->types = find_any(file, "types");
	sections->str = strtab_make(find_any(file, "str"));
	sections->line_str = strtab_make(find_any(file, "line_str"));
	sections->str_offsets = find_any(file, "str_offsets");
	sections->addresses = find_any(file, "addr");
	sections->ranges = find_any(file, "ranges");
	sections->rnglists = find_any(file, "rnglists");
}

bool debug_sections_open(struct debug_sections *sections, const struct elffile *file)
{
	*sections = (struct debug_sections){0};
	if (file->is_bloated)
		return false;
	if (debug_sections_exist(file))
		unpack_together(file);
	sections->info = find_any(file, "info");
	if (!span_left(&sections->info))
		return false;
	sections->abbrevs = find_any(file, "abbrev");
	sections->line = find_any(file, "line");
	sections->info_size = span_left(&sections->info);
	sections->abbrevs_size = span_left(&sections->abbrevs);
	sections->line_size = span_left(&sections->line);
	open_others(sections, file);
	return true;
}

static size_t size_of(const struct elffile *file, const char *name)
{
	return (size_t)elfsection_size(file, number_of(file, ".debug_", name, ""));
}

/* Returns the number of .debug_info, compressed in GNU's old format or not; 0 if there is none. */
static size_t info_number(const struct elffile *file)
{
	const size_t number = number_of(file, ".debug_", "info", "");

	return number ? number : number_of(file, ".zdebug_", "info", "");
}

bool debug_sections_exist(const struct elffile *file)
{
	return info_number(file);
}

uint64_t debug_sections_size(const struct elffile *file)
{
	return elfsection_size(file, info_number(file));
}

uint64_t debug_sections_line_size(const struct elffile *file)
{
	return size_of(file, "line");
}

bool debug_sections_are_packed(const struct elffile *file)
{
	const struct elffile_section *info = &file->sections[info_number(file)];

	return (info->flags & SHF_COMPRESSED) && !info->unpacked;
}

/* True if one of the sections that are read in part is in GNU's old compressed format. */
static bool is_packed_by_gnu(const struct elffile *file)
{
	return number_of(file, ".zdebug_", "info", "") ||
	       number_of(file, ".zdebug_", "abbrev", "") || number_of(file, ".zdebug_", "line", "");
}

bool debug_sections_open_part(struct debug_sections *sections, const struct elffile *file,
			      uint64_t info_size)
{
	*sections = (struct debug_sections){0};
	if (file->is_bloated || is_packed_by_gnu(file))
		return false;
	sections->info_size = size_of(file, "info");
	if (!sections->info_size)
		return false;
	/* Of the others as much will be needed. */
	if (elfsection_start_is_whole(file, number_of(file, ".debug_", "info", ""), info_size))
		unpack_together(file);
	sections->info = debug_sections_start(file, "info", info_size);
	sections->abbrevs_size = size_of(file, "abbrev");
	sections->line_size = size_of(file, "line");
	open_others(sections, file);
	return true;
}

struct span debug_sections_start(const struct elffile *file, const char *name, uint64_t size)
{
	return elfsection_start(file, number_of(file, ".debug_", name, ""), size);
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
