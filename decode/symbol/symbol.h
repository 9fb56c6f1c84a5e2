/*
 * The interface of decode/symbol/: resolves a place in a binary to a function and its source file.
 *
 * It handles ELF, DWARF and kallsyms and does not depend on perf.data. Each binary is indexed once,
 * and its sorted addresses are looked up in one pass.
 */
#ifndef READPERF_DECODE_SYMBOL_SYMBOL_H
#define READPERF_DECODE_SYMBOL_SYMBOL_H

#include "decode/symbol/answer.h"
#include "decode/symbol/codefile.h"
#include "decode/symbol/dso.h"
#include "decode/symbol/file/sourcefile.h"
#include "decode/symbol/kernelcode.h"
#include "decode/symbol/origin.h"
#include "decode/symbol/reason.h"
#include "decode/symbol/symbolsettings.h"
#include "decode/symbol/unwindinfo.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbolizer;

/**
 * Returns a symbolizer, for symbolizer_destroy(). @settings is copied; what its pointers point to
 * must outlive the symbolizer. NULL if memory is out.
 */
struct symbolizer *symbolizer_create(const struct symbol_settings *settings);

/**
 * Sets the recorded kernel; call it before any kernel or module address is looked up. The struct is
 * copied; what its pointers point to must outlive the symbolizer.
 */
void symbolizer_set_kernel(struct symbolizer *symbolizer, const struct symbol_kernel *kernel);

/**
 * Starts to read what the kernel's symbols need, if the recording's kernel, set before, is the
 * running one and there may be more than one thread. It saves time, and changes nothing else.
 */
void symbolizer_expect_kernel(struct symbolizer *symbolizer);

/**
 * Call it at samples in @dso, whose symbols will be looked up, with @wishes (enum place_wish): a
 * thread may load them until the first of the functions below is called. @dso must outlive the
 * symbolizer.
 */
void symbolizer_expect(struct symbolizer *symbolizer, const struct dso *dso, unsigned wishes);

/** Returns how many threads are reading what was expected. */
size_t symbolizer_nr_busy(struct symbolizer *symbolizer);

/**
 * Returns the identity, without a generation, of the file that is at the recorded @path below @root
 * (NULL: of the system) now. All zero if there is none, or if its build id is not the @len bytes at
 * @build_id (0: unknown).
 */
struct file_id symbolizer_present_file(const struct symbolizer *symbolizer, const char *root,
				       const char *path, const uint8_t *build_id, size_t len);

/** Tells that @place of the dso with number @dso will be looked up, after symbolizer_expect(). */
void symbolizer_expect_place(struct symbolizer *symbolizer, uint32_t dso, uint64_t place);

/**
 * Sets the size of the recording in bytes, 0 (the default) if unknown; call it before
 * symbolizer_expect(). It tells what is worth doing ahead, and changes nothing else.
 */
void symbolizer_set_size(struct symbolizer *symbolizer, uint64_t size);

/**
 * Sets the latest time the recording can have ended, in ns since 1970 (INT64_MAX: unknown); call it
 * before symbolizer_resolve().
 */
void symbolizer_set_end(struct symbolizer *symbolizer, int64_t end);

/**
 * Sets the symbol of every place that has none yet in the @nr_lists lists, never to NULL, and its
 * details if wanted. Each dso has one list. Lists are processed in parallel; the result does not
 * depend on the number of threads. The symbols are valid until symbolizer_destroy(). A binary that
 * cannot be used is no error: its symbols have the reason. Each call opens the binaries it needs
 * again.
 *
 * @tick, unless NULL, is called with the number of finished lists, from any thread but never
 * concurrently.
 * @return 0, or -1 with @err set if memory is out.
 */
int symbolizer_resolve(struct symbolizer *symbolizer, struct place_list *lists, size_t nr_lists,
		       void (*tick)(void *arg, size_t done), void *tick_arg, struct error *err);

/**
 * Returns the function at @address of @dso, for a filter that decides while the recording is being
 * read; the dso's index stays loaded. Only function and reason are set, not the source. With
 * settings.growing, a DSO_JIT whose map has changed is indexed again if the address has no name,
 * but only as often as takes a small part of the time. The symbol is valid until
 * symbolizer_destroy(). Returns NULL with @err set if memory is out.
 */
const struct symbol *symbolizer_find(struct symbolizer *symbolizer, const struct dso *dso,
				     uint64_t address, struct error *err);

/**
 * As symbolizer_find() with the source: fills @detail, too, unless it is NULL. The strings of the
 * detail and the source of the symbol are valid until the next call for the same dso.
 */
const struct symbol *symbolizer_find_detail(struct symbolizer *symbolizer, const struct dso *dso,
					    uint64_t address, struct place_detail *detail,
					    struct error *err);

/**
 * Sets name and reason of the @nr places of data in the file @dso, a DSO_USER. The names are valid
 * until symbolizer_destroy(). Returns 0, or -1 with @err set if memory is out.
 */
int symbolizer_name_data(struct symbolizer *symbolizer, const struct dso *dso,
			 struct data_name *names, size_t nr, struct error *err);

/** Returns where the symbols of @dso came from; the strings are valid as long as the symbolizer. */
struct symbol_origin symbolizer_origin(const struct symbolizer *symbolizer, const struct dso *dso);

/**
 * Reads the source file @filename of code of @dso, for sourcefile_close(). Sets *@newer if it was
 * written after the binary or the recording, so that its lines may not be those of the code.
 * Returns -1 if memory is out, else 0.
 */
int symbolizer_read_source(const struct symbolizer *symbolizer, const struct dso *dso,
			   const char *filename, struct sourcefile *file, bool *newer);

/**
 * Returns what disassembles instructions, such as "capstone 4.0", written to @name; NULL if that is
 * not there.
 */
const char *symbolizer_disassembler(char name[32]);

/**
 * How to unwind the code of dsos whose files are found as those for symbols are; it lives as long
 * as the symbolizer. NULL if memory is out.
 */
struct unwindinfo *symbolizer_unwindinfo(struct symbolizer *symbolizer);

/**
 * Places of a function's code in its dso, [start, end); @end 0: unknown. Other functions may lie
 * among them, but not in [same_start, same_end) around the place that was looked up, which is empty
 * if unknown.
 */
struct symbol_extent {
	uint64_t start, end;
	uint64_t same_start, same_end;
};

/**
 * Returns the function whose own code is at @address of @dso, with its source and not as one that
 * is inlined there, and sets *@extent; without a name start is @address. The dso's index stays
 * loaded. The symbol is valid until symbolizer_destroy(). NULL with @err set if memory is out.
 */
const struct symbol *symbolizer_function(struct symbolizer *symbolizer, const struct dso *dso,
					 uint64_t address, struct symbol_extent *extent,
					 struct error *err);

/** The files with the code of dsos; it lives as long as the symbolizer. NULL if memory is out. */
struct codefiles *symbolizer_codefiles(struct symbolizer *symbolizer);

/** The kernel's code, as long as the symbolizer lives. NULL if memory is out. */
const struct kernelcode *symbolizer_kernelcode(struct symbolizer *symbolizer);

/** Frees @symbolizer and all its symbols; it may be NULL. */
void symbolizer_destroy(struct symbolizer *symbolizer);

#endif
