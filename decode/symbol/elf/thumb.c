#include "decode/symbol/elf/thumb.h"

#include "decode/symbol/elf/elfsym.h"
#include "util/array.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

static int compare_marks(const void *a, const void *b)
{
	const struct thumb_mark *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

/* In a relocatable file values are offsets in sections. */
static uint64_t address_of(const struct elffile *file, const struct elfsym *sym)
{
	if (!file->is_relocatable || sym->section >= file->nr_sections)
		return sym->value;
	return file->sections[sym->section].addr + sym->value;
}

static bool is_mark(const char *name)
{
	return name[0] == '$' && name[1] && strchr("adt", name[1]) &&
	       (name[2] == '\0' || name[2] == '.');
}

int thumb_read(struct thumb *thumb, const struct elffile *file)
{
	struct elfsyms table;
	struct elfsym sym;

	if (file->machine != EM_ARM)
		return 0;
	table = elfsyms_of(file, elfsym_section(file, ELFSYM_SYMTAB));
	for (uint64_t i = 0; elfsym_get(&table, i, &sym); i++) {
		if (!is_mark(sym.name))
			continue;
		if (!array_grow(thumb->marks, thumb->room, thumb->nr + 1))
			return -1;
		thumb->marks[thumb->nr++] = (struct thumb_mark){.address = address_of(file, &sym),
								.thumb = sym.name[1] == 't'};
	}
	if (thumb->nr)
		qsort(thumb->marks, thumb->nr, sizeof(*thumb->marks), compare_marks);
	return 0;
}

bool thumb_at(const struct thumb *thumb, uint64_t address)
{
	size_t low = 0, high = thumb->nr; /* the first mark behind the address is in [low, high] */

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (thumb->marks[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && thumb->marks[low - 1].thumb;
}

void thumb_free(struct thumb *thumb)
{
	free(thumb->marks);
	*thumb = (struct thumb){0};
}
