#include "decode/symbol/kernel/module.h"

#include "decode/symbol/elf/elfsym.h"
#include "decode/symbol/kernel/kallsyms.h"
#include "decode/symbol/kernel/kernel.h"
#include "decode/symbol/kernel/kernelfile.h"
#include "decode/symbol/kernel/modlayout.h"
#include "decode/symbol/kernel/modname.h"
#include "decode/symbol/kernel/relocate.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { NAME_BYTES = 256 };

/* ---- kallsyms -------------------------------------------------------------------------------- */

/*
 * Returns REASON_NONE if kallsyms is valid for modules, else the reason. Modules move at every
 * boot, so a shifted kallsyms is not, unless the user named it.
 */
static enum reason judge_kallsyms(const struct kernel *kernel,
				  const struct symbol_settings *settings)
{
	if (kernel->reason == REASON_NONE && kernel->shift && !settings->kallsyms)
		return REASON_KERNEL_OTHER;
	return kernel->reason;
}

/* Reads the symbols from kallsyms; if it has none, sets the reason. -1 if memory is out. */
static int try_kallsyms(struct binary *binary, const struct dso *dso,
			const struct load_context *context)
{
	const struct kernel *kernel = context->kernel;
	uint64_t end = dso->end > dso->start ? dso->end : UINT64_MAX;
	char name[NAME_BYTES];

	binary_set_reason(binary, judge_kallsyms(kernel, &context->settings));
	if (binary->reason != REASON_NONE)
		return 0;
	modname_of(dso->path, name, sizeof(name));
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

/*
 * Reads the build id of the loaded module if the running kernel is the recorded one. Returns its
 * length in bytes, 0 if unknown; sets *@nomem if memory is out.
 */
static size_t running_build_id(const struct kernel *kernel, const char *path,
			       uint8_t id[DSO_BUILD_ID_MAX], bool *nomem)
{
	char name[NAME_BYTES], notes[PATH_MAX];

	if (kernel->reason != REASON_NONE || strcmp(kernel->rule, "running-kernel") != 0)
		return 0;
	modname_of(path, name, sizeof(name));
	for (char *at = name; (at = strchr(at, '-')) != NULL; at++)
		*at = '_'; /* as in sysfs */
	snprintf(notes, sizeof(notes), "/sys/module/%s/notes/.note.gnu.build-id", name);
	return kernel_note_build_id(notes, id, nomem);
}

/*
 * Servers are asked for names only if kallsyms has none, and for DWARF only if the user wants lines
 * or inlined functions, as the download may be slow.
 */
static enum fetch what_to_fetch(const struct binary *binary, const struct symbol_settings *settings,
				bool has_names)
{
	if (!settings->debuginfod)
		return FETCH_NOTHING;
	if (binary->wants_lines || settings->inlined)
		return FETCH_SOURCE;
	return has_names ? FETCH_NOTHING : FETCH_NAMES;
}

static struct elffile *find_file(struct binary *binary, const struct dso *dso,
				 struct load_context *context, struct candidates *tried,
				 struct symbol_origin *origin, bool *nomem)
{
	const bool has_names = binary->reason == REASON_NONE;
	uint8_t id[DSO_BUILD_ID_MAX];
	struct kernelfile_query query = {
		.settings = &context->settings,
		.path = dso->path,
		.release = context->kernel->recorded.release,
		.for_source = has_names && !binary->wants_code,
		.fetch = what_to_fetch(binary, &context->settings, has_names),
		.servers = context->servers,
		.build_id = dso->build_id,
		.build_id_len = dso->build_id_len,
	};

	if (!dso->build_id_len) {
		query.build_id = id;
		query.build_id_len = running_build_id(context->kernel, dso->path, id, nomem);
	}
	return *nomem ? NULL : kernelfile_module(&query, tried, origin, nomem);
}

/* Sets the run-time addresses in the sections and DWARF of binary->debug. -1 if memory is out. */
static int relocate(struct binary *binary, const struct dso *dso, struct candidates *tried,
		    const struct symbol_origin *origin)
{
	const bool has_names = binary->reason == REASON_NONE;
	bool nomem = false;

	modlayout_compute(binary->debug, dso->start);
	if (has_names && modlayout_learn(binary->debug, &binary->symbols.table) < 0)
		return -1;
	if (!(candidate_info(binary->debug) & HAS_DWARF) || relocate_dwarf(binary->debug, &nomem))
		return 0;
	if (nomem)
		return -1;
	binary->tried_debuginfo = true;
	return candidates_add(tried, origin->found_by, NULL, origin->file, FATE_UNRELOCATED);
}

/*
 * Opens the module's file, and reads its symbols if kallsyms has none. Without a file, @binary is
 * unchanged. -1 if memory is out.
 */
static int try_file(struct binary *binary, const struct dso *dso, struct load_context *context,
		    struct candidates *tried)
{
	struct symbol_origin origin = {0};
	bool nomem = false;
	size_t nr;

	binary->debug = find_file(binary, dso, context, tried, &origin, &nomem);
	if (nomem)
		return -1;
	if (!binary->debug)
		return 0;
	binary->root = context->settings.symfs;
	if (relocate(binary, dso, tried, &origin) < 0)
		return -1;
	if (binary->reason == REASON_NONE) {
		if (!binary->tried_debuginfo) {
			binary->origin.debug_file = origin.file;
			binary->origin.debug_found_by = origin.found_by;
		}
		return 0;
	}
	binary->origin = origin;
	binary_set_reason(binary, REASON_NONE);
	if (elfsym_read(binary->debug, ELFSYM_SYMTAB, &binary->symbols.table, &nr) < 0)
		return -1;
	return symtab_build(&binary->symbols.table);
}

static int load(struct binary *binary, const struct dso *dso, struct load_context *context,
		struct candidates *tried)
{
	struct kernel *kernel = context->kernel;
	bool has_names;

	if (kernel_load(kernel, &context->settings) < 0 || try_kallsyms(binary, dso, context) < 0)
		return -1;
	has_names = binary->reason == REASON_NONE;
	if (!context->settings.kallsyms && try_file(binary, dso, context, tried) < 0)
		return -1;
	return has_names ? 0 : candidates_append(tried, &kernel->tried);
}

int module_load(struct binary *binary, const struct dso *dso, struct load_context *context)
{
	struct candidates tried = {.strings = &binary->strings,
				   .archive = context->settings.archive};
	int rc = load(binary, dso, context, &tried);

	if (rc == 0)
		binary->origin.refused = candidates_refused(&tried);
	candidates_free(&tried);
	return rc < 0 || !binary->origin.refused ? -1 : 0;
}

/* ---- code that was made at run time ---------------------------------------------------------- */

int module_load_ksymbol(struct binary *binary, const struct dso *dso, struct load_context *context)
{
	const struct symtab_entry all = {.end = UINT64_MAX, .name = dso->path, .sizeless = true};

	(void)context;
	binary_set_reason(binary, REASON_NONE);
	if (symtab_add(&binary->symbols.table, &all) < 0)
		return -1;
	return symtab_build(&binary->symbols.table);
}
