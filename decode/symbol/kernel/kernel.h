/*
 * What is known of the recorded kernel: its kallsyms, if one fits the recording, which the first
 * thread that needs it chooses and reads; and whether the running kernel is the same.
 */
#ifndef READPERF_DECODE_SYMBOL_KERNEL_KERNEL_H
#define READPERF_DECODE_SYMBOL_KERNEL_KERNEL_H

#include "decode/symbol/dso.h"
#include "decode/symbol/find/candidate.h"
#include "decode/symbol/kernel/kallsyms.h"
#include "decode/symbol/reason.h"
#include "decode/symbol/symbolsettings.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct kernel {
	pthread_mutex_t lock; /* guards what follows until it is loaded; then nothing changes */
	bool is_loaded;
	enum reason reason; /* why there is no kallsyms, or REASON_NONE */
	struct kallsyms kallsyms;
	uint64_t shift;		 /* added to a recorded address to get the one in kallsyms */
	const char *path, *rule; /* where kallsyms came from */
	bool is_running;	 /* it is that of the running kernel, which is the recorded one */
	struct candidates tried;
	struct intern strings; /* of tried */

	/* Set before any thread starts. */
	struct symbol_kernel recorded;
};

/** Prepares @kernel; kernel_deinit() ends it. Nothing is read yet. */
void kernel_init(struct kernel *kernel);
void kernel_deinit(struct kernel *kernel);

/** Chooses and reads kallsyms unless that was done. Returns -1 if memory is out. */
int kernel_load(struct kernel *kernel, const struct symbol_settings *settings);

/**
 * Sets *@runs if the running kernel is the recorded one. The build id shows it if one was recorded;
 * else the equal names of host, hardware and release do, or the place of the kernel in memory, for
 * which kallsyms may be read. Returns -1 if memory is out.
 */
int kernel_runs(struct kernel *kernel, const struct symbol_settings *settings, bool *runs);

/**
 * Looks for the build id among the notes that the running kernel shows at @path.
 *
 * @return the bytes put into @id, 0 if there is none.
 */
size_t kernel_note_build_id(const char *path, uint8_t id[DSO_BUILD_ID_MAX]);

#endif
