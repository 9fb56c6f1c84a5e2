/* What the user and the recording say of where symbols are, and how names are shown. */
#ifndef READPERF_DECODE_SYMBOL_SYMBOLSETTINGS_H
#define READPERF_DECODE_SYMBOL_SYMBOLSETTINGS_H

#include "decode/symbol/demangle.h"
#include "decode/symbol/dso.h"

#include <stdbool.h>
#include <stdint.h>

struct archive;

/** All zero are the defaults. */
struct symbol_settings {
	enum demangle demangle;
	const char *vmlinux;   /* file to look at first for the kernel's symbols; or NULL */
	const char *kallsyms;  /* file to use in place of /proc/kallsyms, taken as it is; or NULL */
	const char *debug_dir; /* where separate debug files are; NULL: /usr/lib/debug */
	const char *build_id_cache;    /* NULL: $HOME/.debug */
	const struct archive *archive; /* that build_id_cache names, if it is no directory */
	const char *symfs; /* directory that recorded paths are seen in; NULL: the root */
	bool debuginfod;   /* ask the servers in DEBUGINFOD_URLS for what is found nowhere else */
	/* Called, unless NULL, with the bytes done and in all (0: not known) of a file that is
	 * being fetched; from any thread, never concurrently with itself or a tick. */
	void (*fetching)(void *arg, uint64_t done, uint64_t total);
	void *fetching_arg;
	unsigned threads; /* 0: one per core */
	bool inlined;	  /* an address belongs to the innermost function that was inlined there */
	/* The recording is still being made: what symbolizer_find() has no name for may get one, as
	 * JIT compilers write their maps on. */
	bool growing;
};

/** What a recording says of the kernel it was made on; NULL for what it does not. */
struct symbol_kernel {
	const struct dso *dso;			  /* its DSO_KERNEL */
	const char *release, *hostname, *machine; /* as in uname(2) */
	const char *kcore_dir; /* directory with the copy of kallsyms that was made with it */
};

#endif
