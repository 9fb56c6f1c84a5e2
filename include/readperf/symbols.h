/*
 * Symbols: a place in a binary becomes a function and its source, or a reason why there is none.
 *
 *	#include <readperf/symbols.h>
 *	#include <stdio.h>
 *	#include <stdlib.h>
 *
 *	int main(int argc, char **argv)
 *	{
 *		const char *path = argc > 2 ? argv[1] : "/nonexistent";
 *		const uint64_t place = argc > 2 ? strtoull(argv[2], NULL, 0) : 0;
 *		struct readperf_symbols *symbols = readperf_symbols_create(NULL, NULL);
 *		const struct readperf_binary *binary = NULL;
 *		const struct readperf_symbol *symbol = NULL;
 *
 *		if (symbols)
 *			binary = readperf_symbols_binary(symbols, path, NULL, 0, NULL);
 *		if (binary)
 *			symbol = readperf_symbols_find(symbols, binary, place, NULL);
 *		if (symbol)
 *			printf("%s %s\n", readperf_symbol_function(symbol),
 *			       readperf_symbol_reason(symbol));
 *		readperf_symbols_free(symbols);
 *		return !symbol;
 *	}
 */
#ifndef READPERF_SYMBOLS_H
#define READPERF_SYMBOLS_H

#include <readperf/error.h>
#include <readperf/settings.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct readperf_symbols;
struct readperf_binary;
struct readperf_symbol;

/**
 * Makes a symbolizer of its own; @settings may be NULL, and must outlive it. A replay has one, too:
 * readperf_replay_symbols(). The caller frees it with readperf_symbols_free(). NULL with @err
 * filled if memory is out.
 */
READPERF_API struct readperf_symbols *
readperf_symbols_create(const struct readperf_settings *settings, struct readperf_error *err);

/** Frees @symbols and all that it returned; not that of a replay. NULL is fine. */
READPERF_API void readperf_symbols_free(struct readperf_symbols *symbols);

/**
 * Returns the binary at @path with the build id of @len (0: unknown, at most 20) bytes; the same
 * one for the same path and id. @symbols owns it. It need not exist. NULL with @err filled if
 * the id is longer, or memory is out.
 */
READPERF_API const struct readperf_binary *
readperf_symbols_binary(struct readperf_symbols *symbols, const char *path,
			const unsigned char *build_id, size_t len, struct readperf_error *err);

/** Returns the path as recorded ("[kernel.kallsyms]", "[unmapped]"); lives as long as @binary. */
READPERF_API const char *readperf_binary_path(const struct readperf_binary *binary);

/** Returns its build id, which lives as long as @binary, and its length, 0 if it is unknown. */
READPERF_API const unsigned char *readperf_binary_build_id(const struct readperf_binary *binary,
							   size_t *len);

/** Returns 1 if its code is the kernel's or a module's, else 0. */
READPERF_API int readperf_binary_is_kernel(const struct readperf_binary *binary);

/**
 * Looks up @place: a byte offset in the file of a binary, the address of kernel code. At an address
 * of a process it is the address less the start of the map there, and its pgoff. The symbol belongs
 * to @symbols and is valid until the next call. NULL with @err filled if memory is out: a binary
 * that cannot be used is not an error, but a reason.
 */
READPERF_API const struct readperf_symbol *
readperf_symbols_find(struct readperf_symbols *symbols, const struct readperf_binary *binary,
		      uint64_t place, struct readperf_error *err);

/**
 * Returns the path of the file that the names of @binary are read from; "" if there is none, or no
 * place of it was looked up yet. @symbols owns it.
 */
READPERF_API const char *readperf_symbols_file(const struct readperf_symbols *symbols,
					       const struct readperf_binary *binary);

/**
 * Returns why other files were not taken for the names of @binary ("PATH: WHY; ..."); "" if there
 * were none, or no place of it was looked up yet. @symbols owns it.
 */
READPERF_API const char *readperf_symbols_refused(const struct readperf_symbols *symbols,
						  const struct readperf_binary *binary);

/** Returns the function's name, "[unknown]" if there is none. Valid as long as @symbol. */
READPERF_API const char *readperf_symbol_function(const struct readperf_symbol *symbol);

/** Returns a word for why there is no name ("file-missing"), "" if there is one. Static. */
READPERF_API const char *readperf_symbol_reason(const struct readperf_symbol *symbol);

/** Returns what the user can do about the reason, a part of a sentence, or "". Static. */
READPERF_API const char *readperf_symbol_advice(const struct readperf_symbol *symbol);

/** Returns the bytes from the start of the function with the code to the place. */
READPERF_API uint64_t readperf_symbol_offset(const struct readperf_symbol *symbol);

/** Returns the address as nm and objdump print it. */
READPERF_API uint64_t readperf_symbol_address(const struct readperf_symbol *symbol);

/** Returns the bytes of code of the function, 0 if unknown. */
READPERF_API uint64_t readperf_symbol_size(const struct readperf_symbol *symbol);

/** Returns the source file that defines the function, "" if unknown. Valid as long as @symbol. */
READPERF_API const char *readperf_symbol_filename(const struct readperf_symbol *symbol);

/** Returns the line of that file on which the function begins, from 1; 0 if unknown. */
READPERF_API uint32_t readperf_symbol_line(const struct readperf_symbol *symbol);

/**
 * Returns the source file of the statement at the place, "" if unknown. Valid as long as @symbol.
 */
READPERF_API const char *readperf_symbol_statement_filename(const struct readperf_symbol *symbol);

/** Returns the line of that statement, from 1; 0 if unknown. */
READPERF_API uint32_t readperf_symbol_statement_line(const struct readperf_symbol *symbol);

/**
 * Returns the function that this one was inlined into at the place, valid as long as @symbol; NULL
 * if it has code of its own. Only with the setting "inline".
 */
READPERF_API const struct readperf_symbol *
readperf_symbol_inlined_into(const struct readperf_symbol *symbol);

#ifdef __cplusplus
}
#endif

#endif
