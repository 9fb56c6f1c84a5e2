/*
 * libFuzzer target: an ELF image, from its bytes to the functions, the functions inlined into them
 * and the source lines of its code.
 *
 * Whatever the bytes are, looking up ends, no byte outside them is touched and nothing leaks; an
 * answer has its strings, and a chain of inlined functions its bound.
 */
#include "decode/symbol/dwarf.h"
#include "decode/symbol/modlayout.h"
#include "decode/symbol/relocate.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { NR_STEPS = 512 };

static void look_up(struct dwarf *dwarf, uint64_t address)
{
	const struct dwarf_function *function, *chain[DWARF_MAX_INLINED];
	struct source_line line;
	bool found;
	size_t nr = 0;

	if (dwarf_find(dwarf, address, &function) < 0 ||
	    (function && dwarf_find_inlined(dwarf, address, function, chain, &nr) < 0) ||
	    dwarf_find_line(dwarf, address, &line, &found) < 0)
		abort();
	if (function && (!function->name || !function->filename))
		abort();
	for (size_t i = 0; i < nr; i++)
		if (!chain[i]->name || !chain[i]->filename)
			abort();
	if (found && !line.filename)
		abort();
}

/* Addresses all over the code, ascending and then back again. */
static void look_up_all(struct dwarf *dwarf, const struct elf_file *file)
{
	for (size_t i = 0; i < file->nr_segments && i < 8; i++) {
		const struct elf_segment *segment = &file->segments[i];
		uint64_t step = segment->size / NR_STEPS + 1;

		for (uint64_t k = 0; k < NR_STEPS; k++)
			look_up(dwarf, segment->addr + k * step);
		for (uint64_t k = NR_STEPS; k-- > 0;)
			look_up(dwarf, segment->addr + k * step);
	}
	for (size_t i = 0; i < file->nr_sections && file->is_relocatable && i < 64; i++)
		for (uint64_t k = 0; k < file->sections[i].size && k < 64; k++)
			look_up(dwarf, file->sections[i].addr + k);
	look_up(dwarf, 0);
	look_up(dwarf, UINT64_MAX);
}

/* The image as a file of its own; libelf may write into it. */
static struct elf_file *open_image(const uint8_t *data, size_t size)
{
	void *image = malloc(size + 1);
	bool nomem = false;

	if (!image)
		abort();
	memcpy(image, data, size);
	return elf_file_adopt(image, size, &nomem);
}

/* The image stands for the file with the DWARF that it refers to, too. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct elf_file *file = open_image(data, size), *alternate = open_image(data, size);
	struct intern strings = {0};
	struct dwarf *dwarf = NULL;
	/* No .dwo file is found: what the image names is none of ours to open. */
	const struct dwarf_files files = {file, alternate, alternate, "/nonexistent"};
	bool nomem = false, is_fine = true;

	if (file && file->is_relocatable) {
		modlayout_compute(file, 0xc0450000);
		is_fine = relocate_dwarf(file, &nomem);
	}
	if (file && alternate && is_fine)
		dwarf = dwarf_open(&files, &strings, true, &nomem);
	if (dwarf)
		look_up_all(dwarf, file);
	dwarf_close(dwarf);
	elf_file_close(alternate);
	elf_file_close(file);
	intern_free(&strings);
	return 0;
}
