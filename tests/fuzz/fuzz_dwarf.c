/*
 * An ELF image, from its bytes to the functions, the functions inlined into them and the source
 * lines of its code: an answer has its strings, and a chain of inlined functions its bound.
 */
#include "decode/symbol/dwarf/debuginfo.h"
#include "decode/symbol/kernel/modlayout.h"
#include "decode/symbol/kernel/relocate.h"
#include "tests/fuzz/fuzz.h"

enum { NR_STEPS = 512 };

static void look_up(struct debuginfo *info, uint64_t address)
{
	const struct debug_function *function, *chain[DEBUGINFO_MAX_INLINED];
	struct source_line line;
	bool found;
	size_t nr = 0;

	fuzz_check(debuginfo_find(info, address, &function) == 0);
	if (function)
		fuzz_check(debuginfo_find_inlined(info, address, function, chain, &nr) == 0);
	fuzz_check(debuginfo_find_line(info, address, &line, &found) == 0);
	fuzz_check(!function || (function->name && function->filename));
	fuzz_check(nr <= DEBUGINFO_MAX_INLINED);
	for (size_t i = 0; i < nr; i++)
		fuzz_check(chain[i]->name && chain[i]->filename);
	fuzz_check(!found || line.filename);
}

/* Addresses all over the code, ascending and then back again. */
static void look_up_all(struct debuginfo *info, const struct elffile *file)
{
	for (size_t i = 0; i < file->nr_segments && i < 8; i++) {
		const struct elffile_segment *segment = &file->segments[i];
		uint64_t step = segment->size / NR_STEPS + 1;

		for (uint64_t k = 0; k < NR_STEPS; k++)
			look_up(info, segment->addr + k * step);
		for (uint64_t k = NR_STEPS; k-- > 0;)
			look_up(info, segment->addr + k * step);
	}
	for (size_t i = 0; i < file->nr_sections && file->is_relocatable && i < 64; i++)
		for (uint64_t k = 0; k < file->sections[i].size && k < 64; k++)
			look_up(info, file->sections[i].addr + k);
	look_up(info, 0);
	look_up(info, UINT64_MAX);
}

/* What some addresses need, which are looked up in it; others lead out of it. */
static void look_up_part(const struct debug_files *files, struct intern *strings,
			 const struct elffile *file)
{
	const struct debug_function *function;
	struct debuginfo *info;
	struct debug_place places[8];
	size_t nr = 0;
	bool nomem;

	for (size_t i = 0; i < file->nr_segments && nr < 6; i++)
		if (file->segments[i].executable)
			for (uint64_t k = 1; k <= 3; k++)
				places[nr++] = (struct debug_place){
					.address = file->segments[i].addr +
						   file->segments[i].size / 4 * k,
					.is_named = k < 3};
	info = debuginfo_open_part(files, strings, places, nr, &nomem);
	fuzz_check(!nomem);
	for (size_t i = 0; info && i < nr; i++) {
		fuzz_check(debuginfo_find(info, places[i].address, &function) == 0);
		fuzz_check(!function || (function->name && function->filename));
		fuzz_check(debuginfo_find(info, places[i].address + 1000, &function) == 0);
	}
	debuginfo_close(info);
}

/* The image as a file of its own; libelf may write into it. */
static struct elffile *open_image(const uint8_t *data, size_t size)
{
	bool nomem = false;

	return elffile_adopt(fuzz_text(data, size), size, &nomem);
}

/* The units that are looked for elsewhere are counted, each once. */
static void check_tally(const struct split_tally *tally, struct intern *strings)
{
	fuzz_check(tally->nr_missing <= tally->by_offset.nr);
	fuzz_check(split_tally_describe(tally, "", strings));
}

/*
 * The image stands for the file with the DWARF that it refers to, too: a supplement, a package of
 * split units or, for those that are not in it, the file /src/image.dwo.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct elffile *file = open_image(data, size), *alternate = open_image(data, size);
	struct intern strings = {0};
	struct debuginfo *info = NULL;
	struct split_tally tally = {0};
	const struct debug_files files = {
		.main = file,
		.alternate = alternate,
		.package = alternate,
		.root = fuzz_dir(),
		.tally = &tally,
	};
	bool nomem = false, is_fine = true;

	fuzz_dir_make("src");
	fuzz_dir_put("src/image.dwo", data, size);
	if (file && file->is_relocatable) {
		modlayout_compute(file, 0xc0450000);
		is_fine = relocate_dwarf(file, &nomem);
	}
	if (file && alternate && is_fine) {
		look_up_part(&files, &strings, file);
		info = debuginfo_open(&files, &strings, true, &nomem);
	}
	if (info) {
		look_up_all(info, file);
		fuzz_check(!debuginfo_has_changed(info));
	}
	check_tally(&tally, &strings);
	split_tally_free(&tally);
	debuginfo_close(info);
	elffile_close(alternate);
	elffile_close(file);
	intern_free(&strings);
	return 0;
}
