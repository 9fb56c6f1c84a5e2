#include "decode/symbol/symbol.h"

#include "decode/symbol/dataname.h"
#include "decode/symbol/disasm.h"
#include "decode/symbol/find/binary.h"
#include "decode/symbol/find/presentfile.h"
#include "decode/symbol/find/servers.h"
#include "decode/symbol/jit/mapsymbols.h"
#include "decode/symbol/kernel/kernel.h"
#include "decode/symbol/loadahead.h"
#include "decode/symbol/loader.h"
#include "decode/symbol/lookup.h"
#include "decode/symbol/resolver.h"
#include "util/array.h"
#include "util/clock.h"
#include "util/cores.h"

#include <pthread.h>
#include <stdlib.h>

enum {
	/* Maximum bytes of names looked up in a binary; a browser has about 100 MB. */
	MAX_NAMES = 256 * 1024 * 1024,
	/* At most 1/LOOK_SHARE of the time is spent on checking JIT code again. */
	LOOK_SHARE = 20,
};

struct symbolizer {
	struct load_context context;
	struct kernel kernel;
	struct servers servers;
	bool loads_ahead; /* until somebody asks for a name */
	struct load_ahead ahead;
	struct unwindinfo *unwindinfo; /* NULL until it is asked for */
	struct codefiles *codefiles;   /* the same */
	struct kernelcode *kernelcode; /* the same */
	struct binary **binaries;      /* by dso number; NULL until first needed */
	size_t nr_binaries, room;
	uint64_t look_again; /* clock_now() in ns; before it, JIT code is not checked again */
};

/* Reports the progress of a fetch to the user. */
static void tell_fetch(void *arg, uint64_t done, uint64_t total)
{
	struct load_context *context = arg;

	pthread_mutex_lock(&context->talk);
	if (context->settings.fetching)
		context->settings.fetching(context->settings.fetching_arg, done, total);
	pthread_mutex_unlock(&context->talk);
}

/* Files that are fetched, and those of recordings that still grow, may be others in the end. */
static bool may_load_ahead(const struct symbol_settings *settings)
{
	return cores_choose(settings->threads) > 1 && !settings->debuginfod && !settings->growing &&
	       resolver_most_threads() > LOAD_AHEAD_MAX;
}

struct symbolizer *symbolizer_create(const struct symbol_settings *settings)
{
	struct symbolizer *symbolizer = calloc(1, sizeof(*symbolizer));

	if (!symbolizer)
		return NULL;
	symbolizer->context.settings = *settings;
	symbolizer->context.recording_end = INT64_MAX;
	symbolizer->context.kernel = &symbolizer->kernel;
	symbolizer->context.servers = &symbolizer->servers;
	kernel_init(&symbolizer->kernel);
	pthread_mutex_init(&symbolizer->context.talk, NULL);
	helpers_init(&symbolizer->context.helpers);
	servers_init(&symbolizer->servers);
	symbolizer->loads_ahead = may_load_ahead(settings);
	load_ahead_init(&symbolizer->ahead, &symbolizer->context);
	symbolizer->servers.progress = tell_fetch;
	symbolizer->servers.progress_arg = &symbolizer->context;
	return symbolizer;
}

void symbolizer_destroy(struct symbolizer *symbolizer)
{
	if (!symbolizer)
		return;
	load_ahead_deinit(&symbolizer->ahead);
	for (size_t i = 0; i < symbolizer->nr_binaries; i++)
		binary_free(symbolizer->binaries[i]);
	free(symbolizer->binaries);
	unwindinfo_destroy(symbolizer->unwindinfo);
	codefiles_destroy(symbolizer->codefiles);
	kernelcode_destroy(symbolizer->kernelcode);
	kernel_deinit(&symbolizer->kernel);
	servers_deinit(&symbolizer->servers);
	pthread_mutex_destroy(&symbolizer->context.talk);
	helpers_deinit(&symbolizer->context.helpers);
	free(symbolizer);
}

struct unwindinfo *symbolizer_unwindinfo(struct symbolizer *symbolizer)
{
	if (!symbolizer->unwindinfo)
		symbolizer->unwindinfo = unwindinfo_create(&symbolizer->context);
	return symbolizer->unwindinfo;
}

struct codefiles *symbolizer_codefiles(struct symbolizer *symbolizer)
{
	if (!symbolizer->codefiles)
		symbolizer->codefiles = codefiles_create(&symbolizer->context);
	return symbolizer->codefiles;
}

const struct kernelcode *symbolizer_kernelcode(struct symbolizer *symbolizer)
{
	if (!symbolizer->kernelcode)
		symbolizer->kernelcode = kernelcode_create(&symbolizer->context, "/proc/kcore");
	return symbolizer->kernelcode;
}

void symbolizer_set_kernel(struct symbolizer *symbolizer, const struct symbol_kernel *kernel)
{
	symbolizer->kernel.recorded = *kernel;
}

void symbolizer_expect_kernel(struct symbolizer *symbolizer)
{
	if (symbolizer->context.settings.threads != 1)
		kernel_read_ahead(&symbolizer->kernel, &symbolizer->context.settings);
}

void symbolizer_set_end(struct symbolizer *symbolizer, int64_t end)
{
	symbolizer->context.recording_end = end;
}

void symbolizer_set_size(struct symbolizer *symbolizer, uint64_t size)
{
	symbolizer->ahead.recording_size = size;
}

/* As make_binary(), while binaries may be loaded ahead. */
static int add_binary(struct symbolizer *symbolizer, const struct dso *dso)
{
	size_t need = (size_t)dso->number + 1;

	if (!array_grow(symbolizer->binaries, symbolizer->room, need))
		return -1;
	while (symbolizer->nr_binaries < need)
		symbolizer->binaries[symbolizer->nr_binaries++] = NULL;
	if (!symbolizer->binaries[dso->number]) {
		symbolizer->binaries[dso->number] = calloc(1, sizeof(struct binary));
		if (symbolizer->binaries[dso->number])
			symbolizer->binaries[dso->number]->strings.limit = MAX_NAMES;
	}
	if (dso->kind == DSO_KERNEL)
		symbolizer->kernel.recorded.dso = dso;
	return symbolizer->binaries[dso->number] ? 0 : -1;
}

/* Allocates the binary of @dso unless it exists. -1 if memory is out. */
static int make_binary(struct symbolizer *symbolizer, const struct dso *dso)
{
	if (symbolizer->loads_ahead)
		load_ahead_end(&symbolizer->ahead);
	symbolizer->loads_ahead = false;
	return add_binary(symbolizer, dso);
}

void symbolizer_expect(struct symbolizer *symbolizer, const struct dso *dso, unsigned wishes)
{
	if (symbolizer->loads_ahead && dso->kind == DSO_MODULE &&
	    symbolizer->context.settings.threads != 1)
		kernel_expect_module(&symbolizer->kernel, &symbolizer->context.settings);
	if (symbolizer->loads_ahead && load_ahead_takes(&symbolizer->ahead, dso) &&
	    add_binary(symbolizer, dso) == 0)
		load_ahead_add(&symbolizer->ahead, symbolizer->binaries[dso->number], dso, wishes);
}

struct file_id symbolizer_present_file(const struct symbolizer *symbolizer, const char *root,
				       const char *path, const uint8_t *build_id, size_t len)
{
	return presentfile_id(root, path, build_id, len, &symbolizer->context.settings);
}

size_t symbolizer_nr_busy(struct symbolizer *symbolizer)
{
	return (size_t)load_ahead_is_busy(&symbolizer->ahead) +
	       (size_t)kernel_ahead_is_busy(&symbolizer->kernel);
}

void symbolizer_expect_place(struct symbolizer *symbolizer, uint32_t dso, uint64_t place)
{
	if (symbolizer->loads_ahead)
		load_ahead_place(&symbolizer->ahead, dso, place);
}

/* ---- where it came from ---------------------------------------------------------------------- */

static const char *or_empty(const char *str)
{
	return str ? str : "";
}

struct symbol_origin symbolizer_origin(const struct symbolizer *symbolizer, const struct dso *dso)
{
	struct symbol_origin origin = {0};

	if (dso->number < symbolizer->nr_binaries && symbolizer->binaries[dso->number])
		origin = symbolizer->binaries[dso->number]->origin;
	return (struct symbol_origin){
		.file = or_empty(origin.file),
		.found_by = or_empty(origin.found_by),
		.debug_file = or_empty(origin.debug_file),
		.debug_found_by = or_empty(origin.debug_found_by),
		.refused = or_empty(origin.refused),
		.file_advice = origin.file_advice,
		.symbols_advice = origin.symbols_advice,
		.doubt = {or_empty(origin.doubt.word), or_empty(origin.doubt.why)},
		.lacks_debug_info = origin.lacks_debug_info,
		.written = origin.written,
	};
}

int symbolizer_read_source(const struct symbolizer *symbolizer, const struct dso *dso,
			   const char *filename, struct sourcefile *file, bool *newer)
{
	const struct symbol_settings *settings = &symbolizer->context.settings;
	const int64_t built = symbolizer_origin(symbolizer, dso).written;
	const int64_t end = symbolizer->context.recording_end;

	*newer = false;
	if (sourcefile_read(file, settings->source_dirs, dso->root ? dso->root : settings->symfs,
			    filename) < 0)
		return -1;
	*newer = file->bytes && (file->written > end || (built && file->written > built));
	return 0;
}

const char *symbolizer_disassembler(char name[32])
{
	return disasm_library(name);
}

/* ---- lists ----------------------------------------------------------------------------------- */

int symbolizer_resolve(struct symbolizer *symbolizer, struct place_list *lists, size_t nr_lists,
		       void (*tick)(void *arg, size_t done), void *tick_arg, struct error *err)
{
	struct resolver resolver = {
		.context = &symbolizer->context,
		.ahead = &symbolizer->ahead,
		.tick = tick,
		.tick_arg = tick_arg,
	};
	int rc = 0;

	if (nr_lists == 0)
		return 0;
	symbolizer->loads_ahead = false;
	resolver.last = load_ahead_stop(&symbolizer->ahead);
	for (size_t i = 0; i < nr_lists && rc == 0; i++)
		rc = add_binary(symbolizer, lists[i].dso);
	resolver.binaries = symbolizer->binaries;
	if (rc == 0)
		rc = resolver_run(&resolver, lists, nr_lists);
	load_ahead_end(&symbolizer->ahead);
	return rc < 0 ? error_nomem(err, "looking up symbols") : 0;
}

/* ---- at once --------------------------------------------------------------------------------- */

/* Returns the symbol, with its source if there is a @detail to fill; NULL if memory is out. */
static const struct symbol *find(struct symbolizer *symbolizer, struct binary *binary,
				 const struct dso *dso, uint64_t address,
				 struct place_detail *detail)
{
	const struct lookup_query how = {
		.settings = &symbolizer->context.settings, .with_source = detail, .detail = detail};

	if (detail && !binary->wants_lines) {
		binary_unload(binary);
		binary->wants_lines = true;
	}
	if (!binary->is_loaded && loader_load(binary, dso, &symbolizer->context) < 0)
		return NULL;
	return lookup_place(binary, address, &how);
}

/* As find() for an address without a name. Returns @symbol, the reason, if it still has none. */
static const struct symbol *find_again(struct symbolizer *symbolizer, struct binary *binary,
				       const struct dso *dso, uint64_t address,
				       const struct symbol *symbol, struct place_detail *detail)
{
	const uint64_t begun = clock_now();
	uint64_t done;

	if (begun < symbolizer->look_again)
		return symbol;
	if (mapsymbols_state(dso, &symbolizer->context) != binary->jit_state) {
		binary_unload(binary);
		symbol = find(symbolizer, binary, dso, address, detail);
	}
	done = clock_now();
	symbolizer->look_again = done + LOOK_SHARE * (done - begun);
	return symbol;
}

/*
 * Returns @symbol or, if it is NULL, what stands for it in @binary, which may be NULL, too. NULL if
 * memory is out: whoever asks again must not take what had been read by then for all there is.
 */
static const struct symbol *or_reason(const struct symbol *symbol, struct binary *binary)
{
	if (symbol || !binary)
		return symbol;
	if (binary->strings.is_full) {
		binary_set_reason(binary, REASON_FILE_EXCESSIVE);
		return lookup_unknown(REASON_FILE_EXCESSIVE);
	}
	binary_unload(binary);
	return NULL;
}

const struct symbol *symbolizer_find_detail(struct symbolizer *symbolizer, const struct dso *dso,
					    uint64_t address, struct place_detail *detail,
					    struct error *err)
{
	const bool growing = symbolizer->context.settings.growing && dso->kind == DSO_JIT;
	const struct symbol *symbol = NULL;
	struct binary *binary = NULL;

	if (make_binary(symbolizer, dso) == 0) {
		binary = symbolizer->binaries[dso->number];
		symbol = find(symbolizer, binary, dso, address, detail);
		if (growing && symbol && symbol->reason != REASON_NONE)
			symbol = find_again(symbolizer, binary, dso, address, symbol, detail);
	}
	symbol = or_reason(symbol, binary);
	if (!symbol)
		error_nomem(err, "looking up a symbol");
	return symbol;
}

const struct symbol *symbolizer_find(struct symbolizer *symbolizer, const struct dso *dso,
				     uint64_t address, struct error *err)
{
	return symbolizer_find_detail(symbolizer, dso, address, NULL, err);
}

int symbolizer_name_data(struct symbolizer *symbolizer, const struct dso *dso,
			 struct data_name *names, size_t nr, struct error *err)
{
	struct binary *binary = NULL;
	int rc = make_binary(symbolizer, dso);

	if (rc == 0) {
		binary = symbolizer->binaries[dso->number];
		if (!binary->is_loaded)
			rc = loader_load(binary, dso, &symbolizer->context);
	}
	if (rc == 0)
		rc = data_names_find(binary, names, nr, &symbolizer->context.settings);
	if (rc < 0 && binary && binary->strings.is_full) {
		for (size_t i = 0; i < nr; i++)
			names[i].reason = REASON_FILE_EXCESSIVE;
		rc = 0;
	}
	if (binary)
		binary_unload(binary);
	return rc < 0 ? error_nomem(err, "looking up data symbols") : 0;
}

/* As symbolizer_function(), in @binary. NULL if memory is out. */
static const struct symbol *find_function(struct symbolizer *symbolizer, struct binary *binary,
					  const struct dso *dso, uint64_t address,
					  struct symbol_extent *extent)
{
	struct symbol_settings settings = symbolizer->context.settings;
	struct place_detail detail = {0};
	const struct lookup_query how = {
		.settings = &settings, .with_source = true, .detail = &detail};
	const struct symbol *symbol;

	settings.inlined = false;
	if (!binary->is_loaded && loader_load(binary, dso, &symbolizer->context) < 0)
		return NULL;
	symbol = lookup_place(binary, address, &how);
	*extent = (struct symbol_extent){
		.start = address - detail.offset,
		.same_start = address - detail.same_before,
		.same_end = address + detail.same_after,
	};
	if (detail.code_end)
		extent->end = extent->start + (detail.code_end - detail.code_start);
	return symbol;
}

const struct symbol *symbolizer_function(struct symbolizer *symbolizer, const struct dso *dso,
					 uint64_t address, struct symbol_extent *extent,
					 struct error *err)
{
	const struct symbol *symbol = NULL;
	struct binary *binary = NULL;

	if (make_binary(symbolizer, dso) == 0) {
		binary = symbolizer->binaries[dso->number];
		symbol = find_function(symbolizer, binary, dso, address, extent);
	}
	symbol = or_reason(symbol, binary);
	if (!symbol)
		error_nomem(err, "looking up a function");
	return symbol;
}
