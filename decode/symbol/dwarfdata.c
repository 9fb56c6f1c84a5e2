#include "decode/symbol/dwarfdata.h"

#include "decode/symbol/strtab.h"
#include "decode/symbol/unitcheck.h"

#include <elfutils/libdw.h>
#include <string.h>

enum {
	MAX_SPLIT_MB = 16384, /* of split units; a browser's have 5 GB */
	MAX_REUSE = 4, /* how often as many abbreviations as .debug_info has bytes are read */
};

/* The bytes of a section by its name behind ".debug_", compressed the old way or not. */
static struct span debug_section(const struct elf_file *file, const char *name)
{
	const char *const formats[] = {".debug_", ".zdebug_"};
	char full[32];
	size_t number = 0;

	for (size_t i = 0; i < 2 && !number; i++) {
		strcpy(full, formats[i]);
		strncat(full, name, sizeof(full) - strlen(full) - 1);
		number = elf_section_named(file, full);
	}
	return elf_section_bytes(file, number);
}

/* Has libdw read @file; NULL if it has no DWARF, or such that libdw has no bounds for. */
static Dwarf *begin(const struct elf_file *file, bool *nomem)
{
	struct span abbrevs = debug_section(file, "abbrev");

	if (file->is_bloated || !units_can_be_read(debug_section(file, "info"), abbrevs, nomem) ||
	    !units_can_be_read(debug_section(file, "types"), abbrevs, nomem))
		return NULL;
	elf_unpack_dwarf(file);
	return dwarf_begin_elf(file->elf, DWARF_C_READ, NULL);
}

static void open_line_sections(struct unit_sources *sources, const struct elf_file *file)
{
	sources->sections.line = debug_section(file, "line");
	sources->sections.line_str = strtab_make(debug_section(file, "line_str"));
	sources->sections.str = strtab_make(debug_section(file, "str"));
	sources->bytes_left = MAX_REUSE * span_left(&sources->sections.line);
}

static void open_sections(struct dwarf_data *data, const struct elf_file *file)
{
	struct span new_lists = debug_section(file, "rnglists");

	data->addresses = debug_section(file, "addr");
	data->old_ranges = debug_section(file, "ranges");
	data->split_left = MAX_SPLIT_MB * UINT64_C(1048576);
	data->abbrevs = debug_section(file, "abbrev");
	data->info = debug_section(file, "info");
	data->types = debug_section(file, "types");
	data->abbrevs_left = MAX_REUSE * span_left(&data->info) + span_left(&data->abbrevs);
	data->ranges_left =
		span_left(&data->info) + span_left(&data->old_ranges) + span_left(&new_lists);
	open_line_sections(&data->sources, file);
}

static void open_alternate(struct dwarf_alternate *alternate, const struct elf_file *file,
			   bool *nomem)
{
	alternate->dw = begin(file, nomem);
	if (!alternate->dw)
		return;
	alternate->info = debug_section(file, "info");
	alternate->types = debug_section(file, "types");
	open_line_sections(&alternate->sources, file);
}

bool dwarf_data_open(struct dwarf_data *data, const struct dwarf_files *files,
		     struct intern *strings, bool wants_inlined, bool *nomem)
{
	struct span info = debug_section(files->main, "info");

	*nomem = false;
	if (!span_left(&info))
		return false;
	data->dw = begin(files->main, nomem);
	if (!data->dw)
		return false;
	data->files = *files;
	data->strings = data->sources.strings = data->alternate.sources.strings = strings;
	data->wants_inlined = wants_inlined;
	open_sections(data, files->main);
	if (files->alternate)
		open_alternate(&data->alternate, files->alternate, nomem);
	dwarf_setalt(data->dw, data->alternate.dw);
	return !*nomem;
}

void dwarf_data_close(struct dwarf_data *data)
{
	die_layouts_free(&data->layouts);
	unit_sources_free(&data->sources);
	unit_sources_free(&data->alternate.sources);
	dwarf_end(data->dw);
	dwarf_end(data->alternate.dw);
}
