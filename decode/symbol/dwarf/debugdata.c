#include "decode/symbol/dwarf/debugdata.h"

#include "decode/symbol/dwarf/die.h"
#include "decode/symbol/dwarf/value.h"

#include <dwarf.h>

enum {
	MAX_SPLIT_MB = 16384, /* to read of split units; a browser's have 5 GB */
	MAX_REUSE = 4,	      /* how many times the size of .debug_line is read of it */
};

static bool open_file(struct debug_file *file, const struct elffile *elf, struct intern *strings)
{
	struct debug_sections *sections = &file->units.sections;

	if (!debug_sections_open(sections, elf))
		return false;
	file->sources = (struct unit_sources){
		.sections = {sections->line, sections->line_str, sections->str},
		.strings = strings,
		.bytes_left = MAX_REUSE * span_left(&sections->line),
	};
	return true;
}

bool debug_data_open(struct debug_data *data, const struct debug_files *files,
		     struct intern *strings, bool wants_inlined)
{
	const struct debug_sections *sections = &data->main.units.sections;

	if (!open_file(&data->main, files->main, strings))
		return false;
	data->files = *files;
	data->strings = strings;
	data->split_left = MAX_SPLIT_MB * UINT64_C(1048576);
	data->ranges_left = span_left(&sections->info) + span_left(&sections->ranges) +
			    span_left(&sections->rnglists);
	data->main.units.inlined = wants_inlined;
	if (files->alternate && open_file(&data->alternate, files->alternate, strings))
		data->main.units.alternate = &data->alternate.units;
	return true;
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
	close_file(&data->main);
	close_file(&data->alternate);
}
