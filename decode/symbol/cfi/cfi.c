#include "decode/symbol/cfi/cfi.h"

#include "decode/symbol/cfi/cfiindex.h"
#include "decode/symbol/elf/elfsection.h"

#include <stdlib.h>

/* In the order in which they are asked. */
enum { EH_FRAME, DEBUG_FRAME, DEBUG_FRAME_OF_DEBUG, NR_SECTIONS };

struct cfi {
	struct cfi_section sections[NR_SECTIONS];
	struct cfi_index indexes[NR_SECTIONS];
	const struct elffile *runtime, *debug;
	bool is_debug_open;
};

static struct cfi_section make_section(const struct elffile *file, struct span bytes, uint64_t addr,
				       bool is_eh)
{
	return (struct cfi_section){
		.bytes = bytes,
		.addr = addr,
		.is_eh = is_eh,
		.is_64bit = file->is_64bit,
		.machine = file->machine,
	};
}

static struct cfi_section section_of(const struct elffile *file, size_t number, bool is_eh)
{
	return make_section(file, elfsection_bytes(file, number), file->sections[number].addr,
			    is_eh);
}

/* .eh_frame with the linker's table, if there is one. */
static void open_eh_frame(struct cfi *cfi, const struct elffile *file)
{
	const size_t number = elffile_section_named(file, ".eh_frame");
	const size_t hdr = elffile_section_named(file, ".eh_frame_hdr");
	struct cfi_section *section = &cfi->sections[EH_FRAME];
	struct span table = {0};
	uint64_t table_addr = 0;

	if (number) {
		*section = section_of(file, number, true);
		if (hdr) {
			table = elfsection_bytes(file, hdr);
			table_addr = file->sections[hdr].addr;
		}
		cfi_index_init(&cfi->indexes[EH_FRAME], section, table, table_addr);
	}
}

/* Of a file without section headers: the linker's table says where .eh_frame begins, which ends
 * with its segment. */
static void open_loaded_eh_frame(struct cfi *cfi, const struct elffile *file)
{
	struct cfi_section *section = &cfi->sections[EH_FRAME];
	uint64_t table_addr, addr;
	struct span table;

	if (!elffile_eh_frame_hdr(file, &table_addr))
		return;
	table = elffile_bytes_at(file, table_addr);
	if (!cfi_index_eh_frame(table, table_addr, file->is_64bit, &addr))
		return;
	*section = make_section(file, elffile_bytes_at(file, addr), addr, true);
	cfi_index_init(&cfi->indexes[EH_FRAME], section, table, table_addr);
}

/* Only when it is needed: it is often packed. */
static void open_debug_frames(struct cfi *cfi)
{
	const struct elffile *files[] = {cfi->runtime, cfi->debug};

	cfi->is_debug_open = true;
	for (size_t i = 0; i < 2; i++) {
		struct cfi_section *section = &cfi->sections[DEBUG_FRAME + i];
		size_t number = 0;

		if (!files[i])
			continue;
		number = elffile_section_named(files[i], ".debug_frame");
		if (!number)
			number = elffile_section_named(files[i], ".zdebug_frame");
		if (!number)
			continue;
		*section = section_of(files[i], number, false);
		cfi_index_init(&cfi->indexes[DEBUG_FRAME + i], section, (struct span){0}, 0);
	}
}

struct cfi *cfi_open(const struct elffile *runtime, const struct elffile *debug)
{
	struct cfi *cfi = calloc(1, sizeof(*cfi));

	if (!cfi)
		return NULL;
	cfi->runtime = runtime;
	cfi->debug = debug;
	if (runtime && runtime->nr_sections)
		open_eh_frame(cfi, runtime);
	else if (runtime)
		open_loaded_eh_frame(cfi, runtime);
	return cfi;
}

struct cfi *cfi_open_eh_frame(struct span eh_frame, uint64_t addr, uint16_t machine)
{
	struct cfi *cfi = calloc(1, sizeof(*cfi));

	if (!cfi)
		return NULL;
	cfi->is_debug_open = true;
	cfi->sections[EH_FRAME] = (struct cfi_section){
		.bytes = eh_frame,
		.addr = addr,
		.is_eh = true,
		.is_64bit = true,
		.machine = machine,
	};
	cfi_index_init(&cfi->indexes[EH_FRAME], &cfi->sections[EH_FRAME], (struct span){0}, 0);
	return cfi;
}

bool cfi_is_any(const struct cfi *cfi)
{
	for (size_t i = 0; i < NR_SECTIONS; i++) {
		if (span_left(&cfi->sections[i].bytes) > 0)
			return true;
	}
	return false;
}

/* Returns as cfi_index_find(). */
static int find_in(struct cfi *cfi, size_t i, uint64_t address, struct cfi_row *row)
{
	struct cfi_fde fde;
	int found;

	if (span_left(&cfi->sections[i].bytes) == 0)
		return 0;
	found = cfi_index_find(&cfi->indexes[i], address, &fde);
	if (found <= 0)
		return found;
	return cfi_run(&cfi->sections[i], &fde, address, row);
}

bool cfi_find(struct cfi *cfi, uint64_t address, struct cfi_row *row, enum cfi_source *source)
{
	*source = CFI_NONE;
	for (size_t i = 0; i < NR_SECTIONS; i++) {
		int found;

		if (i == DEBUG_FRAME && !cfi->is_debug_open)
			open_debug_frames(cfi);
		found = find_in(cfi, i, address, row);
		if (found < 0)
			return false;
		if (found) {
			*source = i == EH_FRAME ? CFI_EH_FRAME : CFI_DEBUG_FRAME;
			return true;
		}
	}
	return true;
}

size_t cfi_fde_number(const struct cfi *cfi, uint64_t address, size_t *nr)
{
	*nr = cfi->indexes[EH_FRAME].table.nr;
	return cfi_index_number(&cfi->indexes[EH_FRAME], address);
}

bool cfi_is_settled(const struct cfi *cfi)
{
	return cfi_index_is_settled(&cfi->indexes[EH_FRAME]);
}

/* The FDE of .eh_frame. Returns as cfi_index_find(). */
static int find_eh_fde(struct cfi *cfi, uint64_t address, struct cfi_fde *fde)
{
	if (span_left(&cfi->sections[EH_FRAME].bytes) == 0)
		return 0;
	return cfi_index_find(&cfi->indexes[EH_FRAME], address, fde);
}

bool cfi_is_one_function(struct cfi *cfi, uint64_t one, uint64_t other, bool *is_one)
{
	struct cfi_fde fde;
	const int found = find_eh_fde(cfi, other, &fde);

	*is_one = found > 0 && one >= fde.start && one < fde.end;
	return found >= 0;
}

bool cfi_is_one_gap(struct cfi *cfi, uint64_t one, uint64_t other, bool *is_one)
{
	struct cfi_index *index = &cfi->indexes[EH_FRAME];
	size_t before_one, before_other;
	int rc = 0;

	*is_one = false;
	if (span_left(&cfi->sections[EH_FRAME].bytes) > 0)
		rc = cfi_index_gap(index, one, &before_one);
	if (rc > 0)
		rc = cfi_index_gap(index, other, &before_other);
	*is_one = rc > 0 && before_one == before_other;
	return rc >= 0;
}

bool cfi_is_signal(struct cfi *cfi, uint64_t address, bool *is_signal)
{
	struct cfi_fde fde;
	const int found = find_eh_fde(cfi, address, &fde);

	*is_signal = found > 0 && fde.cie.is_signal;
	return found >= 0;
}

void cfi_close(struct cfi *cfi)
{
	if (!cfi)
		return;
	for (size_t i = 0; i < NR_SECTIONS; i++)
		cfi_index_free(&cfi->indexes[i]);
	free(cfi);
}
