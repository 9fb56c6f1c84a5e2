#include "decode/symbol/go/gotext.h"

#include "decode/symbol/elf/elfsection.h"

#include <stdbool.h>

enum {
	HEADER_START = 2, /* a number of the table's header, after its first 8 bytes */
	/* Of the words that describe the program to its runtime (moduledata), since Go 1.26 in a
	 * section of their own: where the table is, and where the code begins. */
	MODULE_TABLE = 0,
	MODULE_TEXT = 22,
};

/* What is written to @address when the program is loaded, as an addend says; 0 if nothing is. */
static uint64_t addend_of(const struct elffile *file, uint64_t address)
{
	struct span relocations = elfsection_bytes(file, elffile_section_named(file, ".rela.dyn"));

	while (file->is_64bit && span_left(&relocations)) {
		const uint64_t place = span_u64(&relocations);
		uint64_t addend;

		span_skip(&relocations, 8); /* its kind and symbol */
		addend = span_u64(&relocations);
		if (place == address && !relocations.failed)
			return addend;
	}
	return 0;
}

/* The word at @address of the loaded program. */
static uint64_t word_at(const struct elffile *file, uint64_t address, unsigned bytes)
{
	struct span there = elffile_bytes_at(file, address);
	const uint64_t word = gotext_word(&there, bytes);

	return word ? word : addend_of(file, address);
}

static bool address_of(const struct elffile *file, struct span table, uint64_t *address)
{
	const struct span image = elffile_image(file);

	if (table.pos < image.pos || table.pos >= image.end) /* unpacked: it is not loaded so */
		return false;
	return elffile_offset_to_address(file, (uint64_t)(table.pos - image.pos), address);
}

uint64_t gotext_find(const struct elffile *file, struct span table, uint64_t start, unsigned word)
{
	const size_t module = elffile_section_named(file, ".go.module");
	uint64_t address, described;

	if (start)
		return start;
	if (!address_of(file, table, &address))
		return 0;
	if (!module)
		return word_at(file, address + 8 + HEADER_START * word, word);
	described = file->sections[module].addr;
	if (word_at(file, described + MODULE_TABLE * word, word) != address)
		return 0;
	return word_at(file, described + MODULE_TEXT * word, word);
}
