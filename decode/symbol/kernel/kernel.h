/*
 * The recorded kernel: a kallsyms that fits the recording, if any, and whether it is the running
 * kernel. The first thread that needs kallsyms chooses and reads it.
 */
#ifndef READPERF_DECODE_SYMBOL_KERNEL_KERNEL_H
#define READPERF_DECODE_SYMBOL_KERNEL_KERNEL_H

#include "decode/symbol/answer.h"
#include "decode/symbol/dso.h"
#include "decode/symbol/find/candidate.h"
#include "decode/symbol/kernel/kallsyms.h"
#include "decode/symbol/kernel/kallsymsahead.h"
#include "decode/symbol/kernel/kernelcopy.h"
#include "decode/symbol/reason.h"
#include "decode/symbol/symbolsettings.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct kernel {
	pthread_mutex_t lock; /* members below change only under it, until is_loaded */
	bool is_loaded;
	bool has_modules;   /* with samples */
	enum reason reason; /* why there is no kallsyms, or REASON_NONE */
	struct kallsyms kallsyms;
	struct kallsyms_ahead ahead; /* the running kernel's text */
	/* For kernel_own_symbols(): what names the places that it was asked for first, and all. */
	struct kernelcopy near, copy;
	uint64_t shift;		 /* recorded address + shift = address in kallsyms */
	const char *path, *rule; /* file of kallsyms and the rule that found it */
	bool is_running;	 /* kallsyms is of the running kernel, which is the recorded one */
	struct candidates tried;
	struct intern strings; /* strings of tried */

	/* Set before any thread starts. */
	struct symbol_kernel recorded;
};

/** Initializes @kernel, for kernel_deinit(). Nothing is read yet. */
void kernel_init(struct kernel *kernel);
void kernel_deinit(struct kernel *kernel);

/**
 * Starts to read the running kernel's symbols in another thread if kernel_load() will use them, as
 * far as that is known: the running kernel has the recorded build id or, if none is recorded, the
 * host, machine and release are the same, and the user names no file; and there is no copy for
 * kernel_own_symbols(), or modules are to be named, too.
 */
void kernel_read_ahead(struct kernel *kernel, const struct symbol_settings *settings);

/** The symbols of a module will be asked for: as kernel_read_ahead(), if the recorded kernel is
 * known or as soon as it is. */
void kernel_expect_module(struct kernel *kernel, const struct symbol_settings *settings);

/** Whether a thread that kernel_read_ahead() has started is at work. */
bool kernel_ahead_is_busy(struct kernel *kernel);

/**
 * Chooses and reads kallsyms unless that was done; kernel->reason says why there is none. Returns
 * -1 if memory is out.
 */
int kernel_load(struct kernel *kernel, const struct symbol_settings *settings);

/**
 * The recorded kernel's own symbols, for the places of @expected, from perf's copy of the running
 * kernel's list: reading that takes a tenth of the time. It is used where kernel_load() would use
 * the running kernel's, if the kernel was at the same place and all these places are its own:
 * modules and code made at run time may have come since. They are added to the empty @table; their
 * names are @kernel's.
 *
 * @return the path of the copy, which is @kernel's; NULL if there is none, if @expected is NULL, or
 * with *@nomem set if memory is out.
 */
const char *kernel_own_symbols(struct kernel *kernel, const struct symbol_settings *settings,
			       const struct place_list *expected, struct symtab *table,
			       bool *nomem);

/**
 * Sets *@runs to whether the running kernel is the recorded one. A recorded build id decides.
 * Without one, it is if hostname, machine and release are equal, or if the kernel was moved at
 * boot, to its recorded address, for which kallsyms may be read. Returns -1 if memory is out.
 */
int kernel_runs(struct kernel *kernel, const struct symbol_settings *settings, bool *runs);

/**
 * Reads the build id from the ELF notes in the file @path, such as /sys/kernel/notes.
 *
 * @return the number of bytes written to @id, 0 if there is none; also if memory is out, with
 * *@nomem set.
 */
size_t kernel_note_build_id(const char *path, uint8_t id[DSO_BUILD_ID_MAX], bool *nomem);

#endif
