#include "decode/symbol/dwarf/debugdata.h"

#include "decode/symbol/dwarf/die.h"
#include "decode/symbol/dwarf/value.h"

#include <dwarf.h>

enum {
	MAX_SPLIT_MB = 16384, /* to read of split units; a browser's have 5 GB */
	MAX_REUSE = 4,	      /* how many times the size of .debug_line is read of it */
};

/* Sets up the sources of @file, whose sections are open. */
static void init_sources(struct debug_file *file, struct intern *strings)
{
	const struct debug_sections *sections = &file->units.sections;

	file->sources = (struct unit_sources){
		.sections = {sections->line, sections->line_str, sections->str},
		.strings = strings,
		.line_size = sections->line_size,
		.bytes_left = MAX_REUSE * sections->line_size,
	};
}

static bool open_file(struct debug_file *file, const struct elffile *elf, struct intern *strings)
{
	if (!debug_sections_open(&file->units.sections, elf))
		return false;
	init_sources(file, strings);
	return true;
}

/* Opens all but the main file. */
static void open_others(struct debug_data *data, const struct debug_files *files,
			struct intern *strings)
{
	const struct debug_sections *sections = &data->main.units.sections;

	data->files = *files;
	data->strings = strings;
	data->split_left = MAX_SPLIT_MB * UINT64_C(1048576);
	data->ranges_left =
		sections->info_size + span_left(&sections->ranges) + span_left(&sections->rnglists);
	if (files->alternate && open_file(&data->alternate, files->alternate, strings))
		data->main.units.alternate = &data->alternate.units;
}

bool debug_data_open(struct debug_data *data, const struct debug_files *files,
		     struct intern *strings, bool wants_inlined)
{
	if (!open_file(&data->main, files->main, strings))
		return false;
	data->main.units.inlined = wants_inlined;
	open_others(data, files, strings);
	return true;
}

bool debug_data_open_part(struct debug_data *data, const struct debug_files *files,
			  struct intern *strings, uint64_t info_size)
{
	if (!debug_sections_open_part(&data->main.units.sections, files->main, info_size))
		return false;
	init_sources(&data->main, strings);
	open_others(data, files, strings);
	return true;
}

bool debug_data_is_short(const struct debug_data *data)
{
	return data->main.units.is_short || data->main.sources.is_short;
}

bool debug_data_lacks_memory(const struct debug_data *data)
{
	return data->main.units.nomem || data->alternate.units.nomem;
}

static int read_source(struct unit_sources *sources, struct unit *unit)
{
	struct form_value offset, comp_dir;
	struct die first;

	if (!die_first(unit, &first))
		return 0;
	offset = die_value(&first, DW_AT_stmt_list);
	if (!offset.form)
		return 0;
	comp_dir = die_value(&first, DW_AT_comp_dir);
	unit->source = unit_sources_get(sources, offset.number, value_string(unit, comp_dir));
	return unit->source ? 0 : -1;
}

int debug_data_source(struct debug_data *data, struct unit *unit, struct unit_sources **sources,
		      struct unit_source **source)
{
	int rc = 0;

	if (unit->skeleton)
		unit = unit->skeleton;
	*sources = unit->set == &data->main.units ? &data->main.sources : &data->alternate.sources;
	if (!unit->has_source)
		rc = read_source(*sources, unit);
	unit->has_source = true;
	*source = unit->source;
	return rc;
}

static void close_file(struct debug_file *file)
{
	unit_sources_free(&file->sources);
	unit_set_free(&file->units);
}

void debug_data_close(struct debug_data *data)
{
	scoped_names_free(&data->scoped);
	close_file(&data->main);
	close_file(&data->alternate);
}
