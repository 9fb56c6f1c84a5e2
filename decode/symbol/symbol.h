/*
 * The door of decode/symbol/: a place in a binary becomes a function with its source file.
 *
 * Knows ELF, DWARF and kallsyms; nothing of perf.data. Each binary is indexed once and its sorted
 * addresses are swept once over the index.
 */
#ifndef READPERF_DECODE_SYMBOL_SYMBOL_H
#define READPERF_DECODE_SYMBOL_SYMBOL_H

#include "decode/symbol/answer.h"
#include "decode/symbol/dso.h"
#include "decode/symbol/origin.h"
#include "decode/symbol/reason.h"
#include "decode/symbol/symbolsettings.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbolizer;

/** @settings is copied; the strings it points at must live as long. NULL if memory is out. */
struct symbolizer *symbolizer_create(const struct symbol_settings *settings);

/** Tells of the kernel, before anything in it or its modules is looked up. Copied, but borrowed. */
void symbolizer_set_kernel(struct symbolizer *symbolizer, const struct symbol_kernel *kernel);

/**
 * Tells when the recording ended at the latest, in ns since 1970 (INT64_MAX: not known), before
 * symbolizer_resolve().
 */
void symbolizer_set_end(struct symbolizer *symbolizer, int64_t end);

/**
 * Gives every place of the @nr_lists lists that has no symbol yet its symbol, never NULL, and its
 * details; lists are worked on in parallel, and the answers do not depend on the number of threads.
 * The symbols live until symbolizer_destroy(). A list per dso; a binary that cannot be used is a
 * reason in its symbols, not an error. Each call reads the binaries anew of which it has to look
 * something up.
 *
 * @tick, unless NULL, is called from any thread, never concurrently, with the number of lists done.
 * @return 0, or -1 with @err filled if memory is out.
 */
int symbolizer_resolve(struct symbolizer *symbolizer, struct place_list *lists, size_t nr_lists,
		       void (*tick)(void *arg, size_t done), void *tick_arg, struct error *err);

/**
 * The function at one @address of @dso, at once, for a filter that must decide while the recording
 * is read: the dso's index is kept. Only function and reason are set, not the source. While the
 * recording is growing, the index of a DSO_JIT is made anew when there is no name and its map has
 * changed, but not so often that it takes more than a small part of the time. NULL with @err filled
 * if memory is out.
 */
const struct symbol *symbolizer_find(struct symbolizer *symbolizer, const struct dso *dso,
				     uint64_t address, struct error *err);

/** Where the symbols of @dso came from; the strings live as long as the symbolizer. */
struct symbol_origin symbolizer_origin(const struct symbolizer *symbolizer, const struct dso *dso);

void symbolizer_destroy(struct symbolizer *symbolizer);

#endif
