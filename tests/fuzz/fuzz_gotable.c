/*
 * An ELF image with Go's table of functions: what an address is in covers it, and so does what is
 * said of the code there; functions follow one another.
 */
#include "decode/symbol/go/gorow.h"
#include "decode/symbol/go/gosymbols.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

enum { MAX_FUNCTIONS = 64 };

static void check_source(const struct gosource *source)
{
	fuzz_check(source->filename && memchr(source->filename, 0, 1 << 16));
}

static void look_up(const struct gotable *table, const struct elffile *file, uint64_t address)
{
	struct gofunction function;
	struct golines lines = {0};
	struct gosource source;
	struct govalue frame;
	struct cfi_row row;

	if (!gotable_find(table, address, &function)) {
		fuzz_check(!gorow_find(table, file, address, &row) || row.is_signal);
		return;
	}
	fuzz_check(address >= function.start && address < function.end);
	fuzz_check(gotable_code_end(table, &function) > function.start &&
		   gotable_code_end(table, &function) <= function.end);
	if (gotable_source(table, &function, address, &lines, &source))
		check_source(&source);
	if (gotable_definition(table, &function, &source))
		check_source(&source);
	if (gotable_frame(table, &function, address, &frame))
		fuzz_check(frame.value >= -8 && address >= frame.start && address < frame.end);
	if (gorow_find(table, file, address, &row))
		fuzz_check(row.ra_column < CFI_NR_REGS &&
			   (row.is_signal || (row.start == frame.start && row.end == frame.end)));
}

static void look_up_all(const struct gotable *table, const struct elffile *file)
{
	struct gofunction function;
	uint64_t last = 0;

	for (uint64_t i = 0; i < table->nr && i < MAX_FUNCTIONS; i++) {
		if (!gotable_get(table, i, &function))
			continue;
		look_up(table, file, function.start - 1);
		look_up(table, file, function.start);
		look_up(table, file, function.start + (function.end - function.start) / 2);
		look_up(table, file, function.end - 1);
		last = function.end;
	}
	look_up(table, file, last);
}

/* However damaged, they can become symbols. */
static void check_symbols(const struct gotable *table)
{
	struct symtab symbols = {0};
	struct intern strings = {0};

	fuzz_check(gosymbols_add(table, &symbols, &strings) == 0);
	fuzz_check(symtab_build(&symbols) == 0);
	symtab_free(&symbols);
	intern_free(&strings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *image = fuzz_text(data, size);
	bool nomem = false;
	struct elffile *file = elffile_from_memory(image, size, &nomem);
	struct gotable table;

	fuzz_check(!nomem);
	if (file && gotable_open(&table, file)) {
		look_up_all(&table, file);
		check_symbols(&table);
	}
	elffile_close(file);
	free(image);
	return 0;
}
