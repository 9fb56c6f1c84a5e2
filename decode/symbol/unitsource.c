#include "decode/symbol/unitsource.h"

#include "util/array.h"

#include <stdlib.h>

int unit_source_read(struct unit_source *source, const struct line_sections *sections,
		     uint64_t offset)
{
	return line_files_read(&source->files, sections, offset);
}

int unit_source_path(struct unit_source *source, uint64_t number, struct intern *strings,
		     const char **path)
{
	char *joined;

	*path = "";
	if (number >= source->files.nr_files)
		return 0;
	if (!array_grow(source->paths, source->paths_room, (size_t)number + 1))
		return -1;
	while (source->nr_paths <= number)
		source->paths[source->nr_paths++] = NULL;
	if (!source->paths[number]) {
		joined = line_files_path(&source->files, number, source->comp_dir);
		source->paths[number] = joined ? intern_keep(strings, joined) : "";
		free(joined);
		if (!source->paths[number])
			return -1;
	}
	*path = source->paths[number];
	return 0;
}

static int read_lines(struct unit_source *source, size_t *bytes_left)
{
	size_t len = span_left(&source->files.program.opcodes);

	if (source->has_lines)
		return 0;
	source->has_lines = true;
	if (len > *bytes_left)
		return 0;
	*bytes_left -= len;
	return line_table_read(&source->lines, &source->files);
}

int unit_source_line(struct unit_source *source, uint64_t address, struct intern *strings,
		     size_t *bytes_left, struct source_line *line, bool *found)
{
	const struct line_row *row;

	*found = false;
	if (read_lines(source, bytes_left) < 0)
		return -1;
	row = line_table_find(&source->lines, address);
	if (!row)
		return 0;
	*found = true;
	line->line = row->line;
	return unit_source_path(source, row->file, strings, &line->filename);
}

void unit_source_free(struct unit_source *source)
{
	line_files_free(&source->files);
	line_table_free(&source->lines);
	free(source->paths);
	*source = (struct unit_source){0};
}
