/* The symbols of a kernel module: out of kallsyms, or of its own file. */
#include "decode/symbol/source.h"

#include "decode/symbol/elfsym.h"
#include "decode/symbol/kernelfile.h"
#include "decode/symbol/modname.h"

#include <elf.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { NAME_BYTES = 256 };

/* ---- kallsyms -------------------------------------------------------------------------------- */

/*
 * Whether kallsyms has this module's symbols: it moves with every boot, and they with it. What the
 * user gives is taken as it is.
 */
static enum reason judge_kallsyms(const struct kernel *kernel,
				  const struct symbol_settings *settings)
{
	if (kernel->reason == REASON_NONE && kernel->shift && !settings->kallsyms)
		return REASON_KERNEL_OTHER;
	return kernel->reason;
}

/* Leaves @binary without symbols, and with the reason for it, if kallsyms has none of the module.
 */
static int try_kallsyms(struct binary *binary, const struct dso *dso,
			const struct source_context *context)
{
	const struct kernel *kernel = &context->kernel;
	uint64_t end = dso->end > dso->start ? dso->end : UINT64_MAX;
	char name[NAME_BYTES];

	binary_set_reason(binary, judge_kallsyms(kernel, &context->settings));
	if (binary->reason != REASON_NONE)
		return 0;
	module_name(dso->path, name, sizeof(name));
	if (kallsyms_read(&kernel->kallsyms, name, dso->start, end, &binary->symbols.table) < 0)
		return -1;
	if (binary->symbols.table.nr == 0) {
		symtab_free(&binary->symbols.table);
		binary_set_reason(binary, REASON_NO_SYMBOLS);
		return 0;
	}
	binary->origin.file = kernel->path;
	binary->origin.found_by = kernel->rule;
	return 0;
}

/* ---- the module's file ----------------------------------------------------------------------- */

/* The build id of a loaded module of this @name, if the running kernel is the recorded one. */
static size_t running_build_id(const struct kernel *kernel, const char *path,
			       uint8_t id[DSO_BUILD_ID_MAX])
{
	char name[NAME_BYTES], notes[PATH_MAX];

	if (kernel->reason != REASON_NONE || strcmp(kernel->rule, "running-kernel") != 0)
		return 0;
	module_name(path, name, sizeof(name));
	for (char *at = name; (at = strchr(at, '-')) != NULL; at++)
		*at = '_'; /* sysfs spells all names so */
	snprintf(notes, sizeof(notes), "/sys/module/%s/notes/.note.gnu.build-id", name);
	return kernel_note_build_id(notes, id);
}

/*
 * Gives the sections of the module's code the places, from the start of the module on, where the
 * kernel puts them: one behind the other as they stand in the file, those for its start apart
 * (kernel/module/main.c, layout_sections()). No other section counts.
 */
static void lay_out(struct elf_file *file)
{
	const uint64_t code = SHF_ALLOC | SHF_EXECINSTR;
	uint64_t at = 0;

	for (size_t i = 1; i < file->nr_sections; i++) {
		struct elf_section *section = &file->sections[i];
		uint64_t align = section->align > 1 ? section->align : 1;
		bool fits = align <= UINT32_MAX && section->size <= UINT32_MAX;

		if ((section->flags & code) != code || strncmp(section->name, ".init", 5) == 0 ||
		    !fits) {
			section->flags &= ~(uint64_t)SHF_ALLOC;
			continue;
		}
		at = (at + align - 1) / align * align;
		section->addr = at;
		at += section->size;
	}
}

/* Leaves @binary as it is if there is no such file. */
static int try_file(struct binary *binary, const struct dso *dso,
		    const struct source_context *context, struct candidates *tried)
{
	uint8_t id[DSO_BUILD_ID_MAX];
	struct kernelfile_query query = {
		.settings = &context->settings,
		.path = dso->path,
		.release = context->kernel.recorded.release,
		.build_id = dso->build_id,
		.build_id_len = dso->build_id_len,
	};
	bool nomem = false;
	size_t nr;

	if (!dso->build_id_len) {
		query.build_id = id;
		query.build_id_len = running_build_id(&context->kernel, dso->path, id);
	}
	binary->debug = kernelfile_module(&query, tried, &binary->origin, &nomem);
	if (nomem)
		return -1;
	if (!binary->debug)
		return 0;
	lay_out(binary->debug);
	binary->shift = 0 - dso->start;
	/* Its DWARF counts from the start of each section, all of which are at 0 in it. */
	binary->tried_dwarf = true;
	binary_set_reason(binary, REASON_NONE);
	if (elfsym_read(binary->debug, ELFSYM_SYMTAB, &binary->symbols.table, &nr) < 0)
		return -1;
	return symtab_build(&binary->symbols.table);
}

static int load(struct binary *binary, const struct dso *dso, struct source_context *context,
		struct candidates *tried)
{
	struct kernel *kernel = &context->kernel;

	if (kernel_load(kernel, &context->settings) < 0 || try_kallsyms(binary, dso, context) < 0)
		return -1;
	if (binary->reason == REASON_NONE)
		return 0;
	if (!context->settings.kallsyms && try_file(binary, dso, context, tried) < 0)
		return -1;
	return candidates_append(tried, &kernel->tried);
}

int source_load_module(struct binary *binary, const struct dso *dso, struct source_context *context)
{
	struct candidates tried = {.strings = &binary->strings,
				   .archive = context->settings.archive};
	int rc = load(binary, dso, context, &tried);

	if (rc == 0)
		binary->origin.refused = candidates_refused(&tried);
	candidates_free(&tried);
	return rc < 0 || !binary->origin.refused ? -1 : 0;
}
