#include "decode/symbol/dwarf/unitsource.h"

#include "decode/symbol/dwarf/path.h"
#include "util/array.h"
#include "util/hash.h"

#include <stdlib.h>

static uint64_t hash_place(uint64_t offset, const char *comp_dir)
{
	return hash_u64(hash_add(offset, (uint64_t)(uintptr_t)comp_dir));
}

/* Returns a new source, empty if bytes_left does not allow reading it; NULL if memory is out. */
static struct unit_source *read_source(struct unit_sources *sources, uint64_t offset,
				       const char *comp_dir)
{
	uint64_t size = line_files_size(&sources->sections, offset);
	struct unit_source *source = calloc(1, sizeof(*source));

	if (!source)
		return NULL;
	sources->is_short |= size == 0 && span_left(&sources->sections.line) < sources->line_size;
	source->offset = offset;
	source->comp_dir = comp_dir;
	if (size > sources->bytes_left)
		return source;
	sources->bytes_left -= size;
	if (line_files_read(&source->files, &sources->sections, offset) == 0)
		return source;
	line_files_free(&source->files);
	free(source);
	return NULL;
}

static void free_source(struct unit_source *source)
{
	line_files_free(&source->files);
	line_table_free(&source->lines);
	free(source->paths);
	free(source);
}

struct unit_source *unit_sources_get(struct unit_sources *sources, uint64_t offset,
				     const char *comp_dir)
{
	uint64_t hash = hash_place(offset, comp_dir);
	size_t at = index_first(&sources->by_place, hash), nr = sources->by_place.nr;
	struct unit_source *source;
	uint32_t number;

	while (index_next(&sources->by_place, hash, &at, &number)) {
		source = sources->list[number];
		if (source->offset == offset && source->comp_dir == comp_dir)
			return source;
	}
	if (!array_grow(sources->list, sources->room, nr + 1))
		return NULL;
	source = read_source(sources, offset, comp_dir);
	if (!source)
		return NULL;
	sources->list[nr] = source;
	if (index_add(&sources->by_place, hash))
		return source;
	free_source(source);
	return NULL;
}

int unit_source_path(struct unit_sources *sources, struct unit_source *source, uint64_t number,
		     const char **path)
{
	*path = "";
	if (!line_files_have(&source->files, number))
		return 0;
	if (!array_grow(source->paths, source->paths_room, (size_t)number + 1))
		return -1;
	while (source->nr_paths <= number)
		source->paths[source->nr_paths++] = NULL;
	if (!source->paths[number]) {
		source->paths[number] =
			path_keep(sources->strings,
				  line_files_path(&source->files, number, source->comp_dir));
		if (!source->paths[number])
			return -1;
	}
	*path = source->paths[number];
	return 0;
}

int unit_source_line(struct unit_sources *sources, struct unit_source *source, uint64_t address,
		     struct source_line *line, bool *found)
{
	const struct line_table_row *row;

	*found = false;
	if (!source->has_lines && line_table_read(&source->lines, &source->files) < 0)
		return -1;
	source->has_lines = true;
	row = line_table_find(&source->lines, address);
	if (!row)
		return 0;
	*found = true;
	line->line = row->line;
	return unit_source_path(sources, source, row->file, &line->filename);
}

void unit_sources_free(struct unit_sources *sources)
{
	for (size_t i = 0; i < sources->by_place.nr; i++)
		free_source(sources->list[i]);
	free(sources->list);
	index_free(&sources->by_place);
	*sources = (struct unit_sources){0};
}
