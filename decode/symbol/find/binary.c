#include "decode/symbol/find/binary.h"

#include "decode/symbol/cfi/cfi.h"
#include "decode/symbol/elf/elfsection.h"
#include "decode/symbol/elf/elfsym.h"
#include "decode/symbol/elf/plt.h"
#include "decode/symbol/go/gosymbols.h"

#include <stdlib.h>

void binary_set_reason(struct binary *binary, enum reason reason)
{
	binary->reason = reason;
	binary->is_loaded = true;
}

/*
 * What a file has where symbols were stripped, all but @nr of them: those for dynamic linking, and
 * a Go program its table of functions.
 */
static int read_rest(struct binary *binary, size_t nr)
{
	struct symtab *table = &binary->symbols.table;

	if (nr < binary->go.nr && gosymbols_add(&binary->go, table, &binary->strings) < 0)
		return -1;
	return nr ? 0 : elfsym_read(binary->runtime, ELFSYM_DYNSYM, table, &nr);
}

/* Reads the first of these tables that has symbols, or else what there is. */
static int read_best_table(struct binary *binary)
{
	const struct {
		const struct elffile *file;
		enum elfsym_table table;
	} tables[] = {
		{binary->runtime, ELFSYM_SYMTAB},
		{binary->debug, ELFSYM_SYMTAB},
	};
	size_t nr = 0;

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]) && nr == 0; i++) {
		if (tables[i].file &&
		    elfsym_read(tables[i].file, tables[i].table, &binary->symbols.table, &nr) < 0)
			return -1;
		if (tables[i].file == binary->debug && binary->debug_is_partial)
			nr = 0;
	}
	if (read_rest(binary, nr) < 0)
		return -1;
	return symtab_build(&binary->symbols.table);
}

int binary_read_elf(struct binary *binary)
{
	binary->is_loaded = true;
	(void)gotable_open(&binary->go, binary->runtime);
	if (read_best_table(binary) < 0)
		return -1;
	return plt_read(binary->runtime, &binary->symbols.table, &binary->stubs.table,
			&binary->strings);
}

/* NULL: memory is out. */
static struct cfi *cfi_of(struct binary *binary)
{
	if (!binary->cfi)
		binary->cfi = cfi_open(binary->runtime, NULL);
	return binary->cfi;
}

int binary_is_one_function(struct binary *binary, uint64_t one, uint64_t other, bool *is_one)
{
	*is_one = false;
	if (!binary->runtime)
		return 0;
	if (!cfi_of(binary) || !cfi_is_one_function(binary->cfi, one, other, is_one))
		return -1;
	if (*is_one || !binary->symbols.table.has_local)
		return 0;
	return cfi_is_one_gap(binary->cfi, one, other, is_one) ? 0 : -1;
}

int binary_is_signal(struct binary *binary, uint64_t address, bool *is_signal)
{
	*is_signal = false;
	if (!binary->runtime)
		return 0;
	return cfi_of(binary) && cfi_is_signal(binary->cfi, address, is_signal) ? 0 : -1;
}

/* Where the DWARF is, but for the main file. */
static struct debug_files files_of(struct binary *binary)
{
	return (struct debug_files){
		.alternate = binary->alternate,
		.package = binary->package,
		.root = binary->root,
		.tally = &binary->splits,
	};
}

int binary_open_debuginfo(struct binary *binary, bool inlined)
{
	struct debug_files files = files_of(binary);
	const struct elffile *mains[] = {binary->runtime, binary->debug};
	bool nomem = false;

	if (binary->tried_debuginfo)
		return 0;
	binary->tried_debuginfo = true;
	for (size_t i = 0; i < 2 && !binary->debuginfo && !nomem; i++) {
		files.main = mains[i];
		if (files.main)
			binary->debuginfo =
				debuginfo_open(&files, &binary->strings, inlined, &nomem);
	}
	return nomem ? -1 : 0;
}

/* Returns the file whose DWARF binary_open_debuginfo() will try first, or NULL. */
static const struct elffile *debug_file_of(const struct binary *binary)
{
	return binary->runtime && debuginfo_exists(binary->runtime) ? binary->runtime
								    : binary->debug;
}

bool binary_has_debug_part(const struct binary *binary)
{
	const struct elffile *file = debug_file_of(binary);

	return !binary->tried_debuginfo && file && debuginfo_has_part(file);
}

int binary_open_debug_part(struct binary *binary, struct debug_place *places, size_t nr)
{
	struct debug_files files = files_of(binary);
	bool nomem = false;

	if (binary->tried_debuginfo)
		return 0;
	files.main = debug_file_of(binary);
	if (files.main)
		binary->debuginfo =
			debuginfo_open_part(&files, &binary->strings, places, nr, &nomem);
	binary->tried_debuginfo = binary->debuginfo;
	return nomem ? -1 : 0;
}

void binary_set_helpers(struct binary *binary, struct helpers *helpers)
{
	struct elffile *files[] = {binary->runtime, binary->debug, binary->alternate};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (files[i])
			files[i]->helpers = helpers;
}

void binary_expect_more(struct binary *binary, bool more)
{
	if (binary->runtime)
		binary->runtime->expects_more = more;
	if (binary->debug)
		binary->debug->expects_more = more;
}

static void close_debuginfo(struct binary *binary)
{
	debuginfo_close(binary->debuginfo);
	binary->debuginfo = NULL;
	binary->tried_debuginfo = false;
}

void binary_close_debug_part(struct binary *binary)
{
	if (binary->debuginfo && debuginfo_is_part(binary->debuginfo))
		close_debuginfo(binary);
}

int binary_find_debug_function(struct binary *binary, uint64_t address, bool inlined,
			       const struct debug_function **function)
{
	*function = NULL;
	for (;;) {
		if (binary_open_debuginfo(binary, inlined) < 0)
			return -1;
		if (!binary->debuginfo)
			return 0;
		if (debuginfo_find(binary->debuginfo, address, function) < 0)
			return -1;
		if (!debuginfo_is_short(binary->debuginfo))
			return 0;
		close_debuginfo(binary);
	}
}

void binary_unpack_debuginfo(const struct binary *binary, bool all)
{
	const struct elffile *file = debug_file_of(binary);

	if (file)
		debuginfo_unpack(file, all);
}

uint64_t binary_debug_size(const struct binary *binary)
{
	const struct elffile *file = debug_file_of(binary);

	return file ? debuginfo_size(file) : 0;
}

size_t binary_unpacked(const struct binary *binary)
{
	const struct elffile *files[] = {binary->runtime, binary->debug, binary->alternate};
	size_t bytes = 0;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		bytes += files[i] ? elfsection_unpacked(files[i]) : 0;
	return bytes;
}

bool binary_has_changed(const struct binary *binary)
{
	return elffile_has_changed(binary->runtime) || elffile_has_changed(binary->debug) ||
	       elffile_has_changed(binary->alternate) || elffile_has_changed(binary->package) ||
	       (binary->debuginfo && debuginfo_has_changed(binary->debuginfo));
}

/* ---- the end --------------------------------------------------------------------------------- */

static void free_symtab(struct named_symtab *symbols)
{
	symtab_free(&symbols->table);
	free(symbols->shown);
	*symbols = (struct named_symtab){0};
}

void binary_unload(struct binary *binary)
{
	close_debuginfo(binary);
	free_symtab(&binary->symbols);
	free_symtab(&binary->stubs);
	binary->go = (struct gotable){0};
	binary->go_lines = (struct golines){0};
	cfi_close(binary->cfi);
	binary->cfi = NULL;
	elffile_close(binary->runtime);
	elffile_close(binary->debug);
	elffile_close(binary->alternate);
	elffile_close(binary->package);
	binary->runtime = binary->debug = binary->alternate = binary->package = NULL;
	free(binary->text);
	binary->text = NULL;
	free(binary->sources);
	binary->sources = NULL;
	file_unmap(&binary->file);
	binary->file_machine = 0;
	binary->strings.taken = 0;
	binary->strings.is_full = false;
	binary->debug_is_partial = false;
	binary->same = NULL;
	binary->is_loaded = false;
	binary->reason = REASON_NONE;
}

void binary_forget(struct binary *binary)
{
	binary_unload(binary);
	binary->origin = (struct symbol_origin){0};
	split_tally_free(&binary->splits);
}

void binary_free(struct binary *binary)
{
	if (!binary)
		return;
	binary_unload(binary);
	for (size_t i = 0; i < binary->nr_codes; i++) {
		free(binary->codes[i]->instructions);
		free(binary->codes[i]);
	}
	free(binary->codes);
	for (size_t i = 0; i < binary->nr_answers; i++)
		free(binary->answers[i]);
	free(binary->answers);
	index_free(&binary->by_content);
	split_tally_free(&binary->splits);
	free(binary->names);
	index_free(&binary->by_name);
	intern_free(&binary->strings);
	free(binary);
}
