/* Settings of symbol lookup: where symbols are, and how names are printed. */
#ifndef READPERF_DECODE_SYMBOL_SYMBOLSETTINGS_H
#define READPERF_DECODE_SYMBOL_SYMBOLSETTINGS_H

#include "decode/symbol/demangle.h"
#include "decode/symbol/dso.h"
#include "util/error.h"

#include <stdbool.h>
#include <stdint.h>

struct archive;
struct source_dirs;

/** All zero means the defaults. */
struct symbol_settings {
	enum demangle demangle;
	const char *vmlinux;   /* file tried first for the kernel's symbols; or NULL */
	const char *kallsyms;  /* file used in place of /proc/kallsyms, without a check; or NULL */
	const char *debug_dir; /* directory of separate debug files; NULL: /usr/lib/debug */
	const char *build_id_cache;    /* directory or archive; NULL: $HOME/.debug */
	const struct archive *archive; /* build_id_cache if it is one; or NULL */
	const char *symfs; /* root directory for recorded paths; NULL: the system's root */
	const struct source_dirs *source_dirs; /* where source files have moved; NULL: nowhere */
	bool debuginfod; /* ask the servers in DEBUGINFOD_URLS for files not found otherwise */
	/* Unless NULL, called with the bytes fetched and the total (0: unknown) of a file being
	 * fetched; from any thread, but never concurrently with itself or a tick. */
	void (*fetching)(void *arg, uint64_t done, uint64_t total);
	void *fetching_arg;
	unsigned threads; /* 0: one per core (util/cores.h) */
	bool inlined;	  /* attribute an address to the innermost function inlined there */
	/* Nobody asks for the source of functions: it may be missing, but where functions of a
	 * binary share a name, it tells them apart. One call of symbolizer_resolve() must have all
	 * places then. */
	bool names_only;
	/* The recording is still being written: symbolizer_find() tries again for addresses
	 * without a name, as JIT compilers append to their maps. */
	bool growing;
};

/** Whether the source of each function is looked up. */
static inline bool symbol_settings_want_sources(const struct symbol_settings *settings)
{
	return !settings->names_only || settings->inlined;
}

/**
 * Sets the path that the command line's @option without its dashes stands for: symfs, buildid-dir,
 * debug-dir, vmlinux or kallsyms. @path must outlive @settings. What was named must be there:
 * without it names would be missing without notice. An archive for buildid-dir is not opened
 * (decode/replay/bundle.h).
 *
 * @return 0, or -1 with @err filled (ERROR_USAGE); the path is set then, too.
 */
int symbol_settings_set_path(struct symbol_settings *settings, const char *option, const char *path,
			     struct error *err);

/** The kernel of a recording; a member is NULL if it was not recorded. */
struct symbol_kernel {
	const struct dso *dso;			  /* its DSO_KERNEL */
	const char *release, *hostname, *machine; /* as in uname(2) */
	const char *kcore_dir; /* directory with the copy of kallsyms from `perf record --kcore` */
};

#endif
