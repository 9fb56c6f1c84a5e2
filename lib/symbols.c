/* Symbols: readperf/symbols.h over decode/symbol/. */
#include "lib/symbols.h"

#include "lib/apierror.h"
#include "lib/choices.h"
#include "util/array.h"

#include <stdlib.h>

static struct symbolizer *symbolizer_of(const struct readperf_symbols *symbols)
{
	handlemark_check(&symbols->mark, HANDLE_SYMBOLS);
	return symbols->symbolizer;
}

struct readperf_symbols *readperf_symbols_create(const struct readperf_settings *settings,
						 struct readperf_error *err)
{
	static const struct symbol_settings defaults;
	struct readperf_symbols *symbols = calloc(1, sizeof(*symbols));

	if (settings)
		handlemark_check(&settings->mark, HANDLE_SETTINGS);
	if (symbols)
		symbols->symbolizer = symbolizer_create(settings ? &settings->symbols : &defaults);
	if (symbols && symbols->symbolizer) {
		handlemark_begin(&symbols->mark, HANDLE_SYMBOLS);
		symbols->dsos = &symbols->own;
		symbolizer_set_end(symbols->symbolizer, INT64_MAX);
		return symbols;
	}
	free(symbols);
	apierror_nomem(err, "making a symbolizer");
	return NULL;
}

void symbols_end(struct readperf_symbols *symbols)
{
	free(symbols->found);
	symbols->found = NULL;
	symbols->found_room = 0;
}

void readperf_symbols_free(struct readperf_symbols *symbols)
{
	if (!symbols)
		return;
	symbolizer_destroy(symbolizer_of(symbols));
	symbols_end(symbols);
	dso_table_free(&symbols->own);
	handlemark_free(&symbols->mark);
}

/* ---- binaries -------------------------------------------------------------------------------- */

const struct readperf_binary *readperf_symbols_binary(struct readperf_symbols *symbols,
						      const char *path,
						      const unsigned char *build_id, size_t len,
						      struct readperf_error *err)
{
	const struct dso *dso;
	struct error why;

	if (!symbols || !path || (!build_id && len)) {
		apierror_null(err, !symbols ? "symbols" : path ? "build_id" : "path");
		return NULL;
	}
	if (len > DSO_BUILD_ID_MAX) {
		error_set(&why, ERROR_USAGE, "build_id: %zu bytes are more than %d", len,
			  DSO_BUILD_ID_MAX);
		apierror_copy(err, &why);
		return NULL;
	}
	handlemark_check(&symbols->mark, HANDLE_SYMBOLS);
	dso = dso_table_get(symbols->dsos, DSO_USER, path, build_id, len);

	if (!dso)
		apierror_nomem(err, "noting a binary");
	return handles_binary(dso);
}

const char *readperf_binary_path(const struct readperf_binary *binary)
{
	return handles_dso(binary)->path;
}

const unsigned char *readperf_binary_build_id(const struct readperf_binary *binary, size_t *len)
{
	*len = handles_dso(binary)->build_id_len;
	return handles_dso(binary)->build_id;
}

int readperf_binary_is_kernel(const struct readperf_binary *binary)
{
	const enum dso_kind kind = handles_dso(binary)->kind;

	return kind == DSO_KERNEL || kind == DSO_MODULE || kind == DSO_KSYMBOL;
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Keeps @symbol and what it is inlined into, the innermost first. Returns false without memory. */
static bool keep(struct readperf_symbols *symbols, const struct symbol *symbol)
{
	size_t nr = 0;

	for (const struct symbol *at = symbol; at; at = at->inlined_into)
		nr++;
	if (!array_grow(symbols->found, symbols->found_room, nr))
		return false;
	for (size_t i = 0; i < nr; i++, symbol = symbol->inlined_into)
		symbols->found[i] = (struct readperf_symbol){
			symbol, &symbols->detail, i + 1 < nr ? &symbols->found[i + 1] : NULL};
	return true;
}

const struct readperf_symbol *readperf_symbols_find(struct readperf_symbols *symbols,
						    const struct readperf_binary *binary,
						    uint64_t place, struct readperf_error *err)
{
	const struct symbol *symbol;
	struct error why = {0};

	if (!symbols || !binary) {
		apierror_null(err, symbols ? "binary" : "symbols");
		return NULL;
	}
	symbols->detail = (struct place_detail){.filename = ""};
	symbol = symbolizer_find_detail(symbolizer_of(symbols), handles_dso(binary), place,
					&symbols->detail, &why);
	if (symbol && keep(symbols, symbol))
		return symbols->found;
	apierror_nomem(err, "looking up a symbol");
	return NULL;
}

const char *readperf_symbols_file(const struct readperf_symbols *symbols,
				  const struct readperf_binary *binary)
{
	return symbolizer_origin(symbolizer_of(symbols), handles_dso(binary)).file;
}

const char *readperf_symbols_refused(const struct readperf_symbols *symbols,
				     const struct readperf_binary *binary)
{
	return symbolizer_origin(symbolizer_of(symbols), handles_dso(binary)).refused;
}

const char *readperf_symbol_function(const struct readperf_symbol *symbol)
{
	return symbol->symbol->function;
}

const char *readperf_symbol_reason(const struct readperf_symbol *symbol)
{
	return reason_name(symbol->symbol->reason);
}

const char *readperf_symbol_advice(const struct readperf_symbol *symbol)
{
	return reason_advice(symbol->symbol->reason);
}

uint64_t readperf_symbol_offset(const struct readperf_symbol *symbol)
{
	return symbol->detail->offset;
}

uint64_t readperf_symbol_address(const struct readperf_symbol *symbol)
{
	return symbol->detail->address;
}

uint64_t readperf_symbol_size(const struct readperf_symbol *symbol)
{
	return symbol->symbol->size;
}

const char *readperf_symbol_filename(const struct readperf_symbol *symbol)
{
	return symbol->symbol->filename;
}

uint32_t readperf_symbol_line(const struct readperf_symbol *symbol)
{
	return symbol->symbol->line;
}

const char *readperf_symbol_statement_filename(const struct readperf_symbol *symbol)
{
	return symbol->detail->filename;
}

uint32_t readperf_symbol_statement_line(const struct readperf_symbol *symbol)
{
	return symbol->detail->line;
}

const struct readperf_symbol *readperf_symbol_inlined_into(const struct readperf_symbol *symbol)
{
	return symbol->outer;
}
