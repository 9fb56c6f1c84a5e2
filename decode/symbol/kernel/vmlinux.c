#include "decode/symbol/kernel/vmlinux.h"

#include "decode/symbol/elf/elfsym.h"
#include "decode/symbol/kernel/kallsyms.h"
#include "decode/symbol/kernel/kernel.h"
#include "decode/symbol/kernel/kernelfile.h"

uint64_t vmlinux_shift(const struct elffile *file, const struct dso *dso)
{
	uint64_t address;

	if (!dso->reference_address || !dso->reference_symbol ||
	    !elfsym_address(file, dso->reference_symbol, &address))
		return 0;
	return address - dso->reference_address;
}

/* Leaves @binary unloaded if no vmlinux fits. -1 if memory is out. */
static int try_vmlinux(struct binary *binary, const struct dso *dso, struct load_context *context,
		       enum fetch fetch, struct candidates *tried)
{
	const struct kernelfile_query query = {
		.settings = &context->settings,
		.release = context->kernel->recorded.release,
		.symbol = dso->reference_address ? dso->reference_symbol : NULL,
		.fetch = fetch,
		.servers = context->servers,
		.build_id = dso->build_id,
		.build_id_len = dso->build_id_len,
	};
	bool nomem = false;
	size_t nr;

	binary->debug = kernelfile_vmlinux(&query, tried, &binary->origin, &nomem);
	if (nomem)
		return -1;
	if (!binary->debug)
		return 0;
	binary->root = context->settings.symfs;
	binary->shift = vmlinux_shift(binary->debug, dso);
	binary_set_reason(binary, REASON_NONE);
	if (elfsym_read(binary->debug, ELFSYM_SYMTAB, &binary->symbols.table, &nr) < 0)
		return -1;
	return symtab_build(&binary->symbols.table);
}

static int use_kallsyms(struct binary *binary, const struct kernel *kernel)
{
	binary_set_reason(binary, kernel->reason);
	if (kernel->reason != REASON_NONE)
		return 0;
	binary->origin.file = kernel->path;
	binary->origin.found_by = kernel->rule;
	binary->shift = kernel->shift;
	return kallsyms_read_kernel(&kernel->kallsyms, binary->expected, binary->shift,
				    &binary->symbols.table);
}

/* Leaves @binary unloaded if there is no copy for what will be looked up. -1 if memory is out. */
static int try_copy(struct binary *binary, struct load_context *context)
{
	const char *path;
	bool nomem;

	path = kernel_own_symbols(context->kernel, &context->settings, binary->expected,
				  &binary->symbols.table, &nomem);
	if (!path)
		return nomem ? -1 : 0;
	binary_set_reason(binary, REASON_NONE);
	binary->origin.file = path;
	binary->origin.found_by = "build-id-cache";
	return 0;
}

/*
 * A kernel's debug file has hundreds of megabytes. It is fetched for its DWARF only if the user
 * wants lines or inlined functions, and for its names only if nothing else has them.
 */
static int load_with_servers(struct binary *binary, const struct dso *dso,
			     struct load_context *context, struct candidates *tried)
{
	const struct symbol_settings *settings = &context->settings;
	const bool wants_source = binary->wants_lines || settings->inlined;

	if (try_vmlinux(binary, dso, context,
			settings->debuginfod && wants_source ? FETCH_SOURCE : FETCH_NOTHING,
			tried) < 0)
		return -1;
	if (binary->is_loaded || !settings->debuginfod || wants_source)
		return 0;
	if (kernel_load(context->kernel, settings) < 0)
		return -1;
	if (context->kernel->reason == REASON_NONE)
		return 0;
	return try_vmlinux(binary, dso, context, FETCH_NAMES, tried);
}

/* What to do if the file that the user named cannot be used, nor what else was tried; or NULL. */
static const char *advice_on_given(const struct symbol_settings *settings)
{
	if (settings->kallsyms)
		return "give --kallsyms a copy of the recorded kernel's /proc/kallsyms, made as "
		       "root";
	return settings->vmlinux ? "give --vmlinux the recorded kernel's" : NULL;
}

static int load(struct binary *binary, const struct dso *dso, struct load_context *context,
		struct candidates *tried)
{
	const struct symbol_settings *settings = &context->settings;
	struct kernel *kernel = context->kernel;

	/* Without the reference address, the kernel's offset at that boot is unknown. */
	if (!settings->kallsyms && (dso->reference_address || settings->vmlinux) &&
	    load_with_servers(binary, dso, context, tried) < 0)
		return -1;
	if (!binary->is_loaded && try_copy(binary, context) < 0)
		return -1;
	if (binary->is_loaded)
		return 0;
	if (kernel_load(kernel, settings) < 0 || use_kallsyms(binary, kernel) < 0)
		return -1;
	if (settings->vmlinux && binary->reason != REASON_NONE)
		binary_set_reason(binary, candidates_reason(tried));
	if (binary->reason != REASON_NONE)
		binary->origin.file_advice = advice_on_given(settings);
	return candidates_append(tried, &kernel->tried);
}

int vmlinux_load(struct binary *binary, const struct dso *dso, struct load_context *context)
{
	struct candidates tried = {.strings = &binary->strings,
				   .archive = context->settings.archive};
	int rc = load(binary, dso, context, &tried);

	if (rc == 0)
		binary->origin.refused = candidates_refused(&tried);
	candidates_free(&tried);
	return rc < 0 || !binary->origin.refused ? -1 : 0;
}
