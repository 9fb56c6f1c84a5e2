#include "decode/symbol/jit/jitunwind.h"

#include "decode/symbol/file/file.h"
#include "decode/symbol/jit/jitdump.h"
#include "util/array.h"

#include <stdlib.h>

/* Bytes of .eh_frame for one function. Each address goes through all of it. */
enum { MAX_EH_FRAME = 1 << 15 };

/* Code with unwinding information, by ascending offset: the dump is read from its start. */
struct unwind_code {
	uint64_t offset, size; /* bytes of the dump */
	struct span eh_frame;
};

struct jit_unwind {
	struct file_bytes file;
	struct unwind_code *list;
	size_t nr, room;
	uint16_t machine;
};

static bool add_code(struct jit_unwind *jit, const struct jitdump_code *code)
{
	const size_t size = span_left(&code->eh_frame);

	if (code->moved || size == 0 || size > MAX_EH_FRAME)
		return true;
	if (!array_grow(jit->list, jit->room, jit->nr + 1))
		return false;
	jit->list[jit->nr++] = (struct unwind_code){code->offset, code->size, code->eh_frame};
	return true;
}

struct jit_unwind *jit_unwind_open(const struct dso *dso, bool *nomem)
{
	struct jit_unwind *jit = calloc(1, sizeof(*jit));
	struct jitdump_code code;
	struct jitdump dump;

	if (!jit) {
		*nomem = true;
		return NULL;
	}
	if (file_map_own(dso->root, dso->path, &jit->file) != FILE_OPEN ||
	    !jitdump_init(&dump, jit->file.bytes, jit->file.size)) {
		jit_unwind_close(jit);
		return NULL;
	}
	jit->machine = dump.machine;
	while (jitdump_next(&dump, &code)) {
		if (!add_code(jit, &code)) {
			*nomem = true;
			jit_unwind_close(jit);
			return NULL;
		}
	}
	return jit;
}

uint16_t jit_unwind_machine(const struct jit_unwind *jit)
{
	return jit->machine;
}

/* The code that holds byte @place; NULL if none does, or nothing tells how to unwind it. */
static const struct unwind_code *find_code(const struct jit_unwind *jit, uint64_t place)
{
	size_t low = 0, high = jit->nr;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (jit->list[middle].offset <= place)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || place - jit->list[low - 1].offset >= jit->list[low - 1].size)
		return NULL;
	return &jit->list[low - 1];
}

bool jit_unwind_find(const struct jit_unwind *jit, uint64_t place, struct cfi_row *row,
		     enum cfi_source *source)
{
	const struct unwind_code *code = find_code(jit, place);
	struct cfi *cfi;
	bool ok;

	*source = CFI_NONE;
	if (!code)
		return true;
	/* Addresses in it count as if it lay behind the code, at the next multiple of 8: so
	 * tools/perf/util/genelf.c puts the two into one file. */
	cfi = cfi_open_eh_frame(code->eh_frame, code->offset + ((code->size + 7) & ~7ull),
				jit->machine);
	if (!cfi)
		return false;
	ok = cfi_find(cfi, place, row, source);
	cfi_close(cfi);
	return ok;
}

void jit_unwind_close(struct jit_unwind *jit)
{
	if (!jit)
		return;
	file_unmap(&jit->file);
	free(jit->list);
	free(jit);
}
