#include "decode/symbol/dwarf/assembled.h"

#include "decode/symbol/dwarf/linetable.h"
#include "decode/symbol/dwarf/path.h"

#include <stdlib.h>
#include <string.h>

enum { OWN_FILE = 0 }; /* number of the unit's own file, from version 5 on: section 6.2.4 */

bool assembled_is_from(const char *name)
{
	const size_t len = strlen(name);

	return len > 2 && name[len - 2] == '.' && (name[len - 1] == 's' || name[len - 1] == 'S');
}

int assembled_path(const struct line_files *table, struct intern *strings, const char **path)
{
	*path = NULL;
	if (table->program.version < 5 || !table->nr_dirs || !line_files_have(table, OWN_FILE) ||
	    !assembled_is_from(table->files[OWN_FILE].name))
		return 0;
	*path = path_keep(strings, line_files_path(table, OWN_FILE, table->dirs[0]));
	return *path ? 0 : -1;
}

/* The line program that starts where a unit's code does. */
struct start {
	uint64_t address;
	uint64_t program; /* its offset in .debug_line */
	size_t nr;	  /* of such programs that are open; not 1: whose is whose is not known */
};

static int by_address(const void *left, const void *right)
{
	const struct start *a = left, *b = right;

	return a->address < b->address ? -1 : a->address > b->address;
}

/* Ascending by address, each once. */
struct start_list {
	struct start *list;
	size_t nr;
};

static struct start *find_start(const struct start_list *starts, uint64_t address)
{
	const struct start key = {.address = address};

	return bsearch(&key, starts->list, starts->nr, sizeof(key), by_address);
}

/* Lists the starts of the @nr @places. -1 if memory is out. */
static int list_starts(struct start_list *starts, const struct debug_place *places, size_t nr)
{
	starts->nr = 0;
	starts->list = malloc(nr * sizeof(*starts->list));
	if (!starts->list)
		return -1;
	for (size_t i = 0; i < nr; i++)
		starts->list[i] = (struct start){.address = places[i].start};
	qsort(starts->list, nr, sizeof(*starts->list), by_address);
	for (size_t i = 0; i < nr; i++)
		if (i == 0 || by_address(&starts->list[i - 1], &starts->list[i]) != 0)
			starts->list[starts->nr++] = starts->list[i];
	return 0;
}

static void find_programs(const struct line_sections *sections, const struct start_list *starts)
{
	struct line_program program;
	uint64_t offset = 0, next = 0, address;

	for (; line_files_skim(&program, sections, &next); offset = next) {
		struct start *start =
			line_table_start(&program, &address) ? find_start(starts, address) : NULL;

		if (start) {
			start->program = offset;
			start->nr++;
		}
	}
}

/* Returns the index of the first of the @nr places that is in the unit of the last one. */
static size_t first_of_last_unit(const struct debug_place *places, size_t nr)
{
	size_t first = nr - 1;

	while (first > 0 && places[first - 1].unit == places[nr - 1].unit)
		first--;
	return first;
}

/* Returns the start of the unit of @places with the line program; NULL if it is to be read. */
static const struct start *program_of(const struct start_list *starts,
				      const struct debug_place *places, size_t nr)
{
	const struct start *found = NULL;

	for (size_t i = 0; i < nr; i++) {
		const struct start *start = find_start(starts, places[i].start);

		if (!places[i].is_named)
			return NULL;
		if (start->nr == 1)
			found = start;
	}
	return found;
}

/* Sets the file name of the @nr @places of one unit, if it was assembled. -1 if memory is out. */
static int name_file(const struct line_sections *sections, struct intern *strings,
		     const struct start_list *starts, struct debug_place *places, size_t nr)
{
	const struct start *start = program_of(starts, places, nr);
	struct line_files table = {0};
	const char *path;
	int rc;

	if (!start)
		return 0;
	rc = line_files_read(&table, sections, start->program);
	if (rc == 0)
		rc = assembled_path(&table, strings, &path);
	for (size_t i = 0; i < nr && rc == 0; i++)
		places[i].filename = path;
	line_files_free(&table);
	return rc;
}

int assembled_find(const struct line_sections *sections, struct intern *strings,
		   struct debug_place *places, size_t *nr)
{
	struct start_list starts;
	int rc = list_starts(&starts, places, *nr);

	if (rc == 0)
		find_programs(sections, &starts);
	while (rc == 0 && *nr > 0) {
		const size_t first = first_of_last_unit(places, *nr);

		rc = name_file(sections, strings, &starts, &places[first], *nr - first);
		if (rc < 0 || !places[first].filename)
			break;
		*nr = first;
	}
	free(starts.list);
	return rc;
}
