/*
 * The door of decode/symbol/: a place in a binary becomes a function with its source file.
 *
 * Knows ELF, DWARF and kallsyms; nothing of perf.data. Each binary is indexed once and its sorted
 * addresses are swept once over the index.
 */
#ifndef READPERF_DECODE_SYMBOL_SYMBOL_H
#define READPERF_DECODE_SYMBOL_SYMBOL_H

#include "decode/symbol/dso.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Why an address has no name; results.csv prints reason_name(). */
enum reason {
	REASON_NONE,		/* it has one */
	REASON_NO_MAPPING,	/* the address lies in no mapping of its process */
	REASON_NO_FILE,		/* the mapping has no file behind it ([heap], [stack]) */
	REASON_FILE_MISSING,	/* no file at the recorded path nor at any other place looked at */
	REASON_FILE_UNREADABLE, /* there is one, but it is no regular ELF file that can be read */
	REASON_FILE_TRUNCATED,	/* there is one, but its end is missing */
	REASON_FILE_REPLACED,	/* the recording shows that another file has come to the path */
	REASON_FILE_CHANGED,	/* there is one, but it was written while it was read */
	REASON_FILE_EXCESSIVE,	/* there is one, but its names are more than a real one has */
	REASON_BUILD_ID_MISMATCH, /* there is one, but of another build */
	REASON_NO_SYMBOLS,	  /* the right file has neither symbols nor DWARF */
	REASON_OUTSIDE_SYMBOLS,	  /* the right file has symbols, but none covers the address */
	REASON_KERNEL_HIDDEN,	  /* kallsyms shows no addresses (kptr_restrict) */
	REASON_KERNEL_OTHER,	  /* the running kernel is not the recorded one */
	REASON_VDSO_OTHER,	  /* nothing shows that our own vdso is the recorded one */
	REASON_JIT_MAP_MISSING,	  /* anonymous code and no map of it */
	REASON_JIT_MAP_REFUSED,	  /* there is one, but not of a kind or owner to be trusted */
	REASON_GUEST,		  /* code of a guest: nothing to look it up in */
	/* Of lines alone: why the address of a function has none. */
	REASON_NO_LINES,      /* the right file has no table of lines */
	REASON_OUTSIDE_LINES, /* the right file has one, but no line covers the address */
	REASON_NO_LINE,	      /* the compiler says that the code belongs to no line */
	REASON_NR
};

/** What a user can do about it: a part of a sentence, "" if there is nothing to be done. */
const char *reason_advice(enum reason reason);

/** The word for it: "no-mapping", "file-missing", ...; "" for REASON_NONE. */
const char *reason_name(enum reason reason);

/** One sentence on what it means, for the documentation. */
const char *reason_meaning(enum reason reason);

enum demangle {
	DEMANGLE_FULL,	/* with parameters: "ns::f(int, std::string)" */
	DEMANGLE_SHORT, /* without: "ns::f" */
	DEMANGLE_NONE,	/* the linker's name: "_ZN2ns1fEi" */
};

struct archive;

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

/** A function of a binary, or the reason why there is none (then function is "[unknown]"). */
struct symbol {
	const char *function; /* demangled as the settings say */
	const char *filename; /* source file that defines it, "" if unknown */
	uint32_t line;	      /* line of its definition, 0 if unknown */
	enum reason reason;
	/* The function that this copy of it was inlined into; NULL for one with code of its own. */
	const struct symbol *inlined_into;
	uint64_t size; /* bytes of its code, as the symbol table has it; 0 if unknown */
};

/** An address of a dso (see enum dso_kind for what it counts from) and, once resolved, its symbol.
 */
struct place {
	uint64_t address;
	const struct symbol *symbol;
};

/** Where exactly a place is, in the binary and in the source. */
struct place_detail {
	bool wanted;	  /* set by the caller: what follows is to be found out */
	uint64_t address; /* as nm and objdump show it; the place itself in a kernel or without a
			     file */
	uint64_t offset;  /* bytes from the start of the function with the code; 0 without */
	const char *filename; /* of the statement; "" if unknown */
	uint32_t line;	      /* of the statement; 0 if unknown */
	enum reason reason;   /* why there is no line */
};

/** All the addresses of one dso, ascending and distinct. */
struct place_list {
	const struct dso *dso;
	struct place *places;
	size_t nr_places;
	struct place_detail *details; /* one for each place, or NULL if none is wanted */
};

/** Why a file may not be the recorded one: a word, and a part of a sentence; "" both: it may. */
struct doubt {
	const char *word, *why;
};

/** Where the symbols of a dso came from, and why not from elsewhere; "" where there is nothing. */
struct symbol_origin {
	const char *file;	    /* the one that ran, or that says where its code was */
	const char *found_by;	    /* the rule that led to it: "recorded-path", ... */
	const char *debug_file;	    /* has what that file lacks */
	const char *debug_found_by; /* as found_by */
	const char *refused;	    /* "PATH: WHY; PATH: WHY": what else was tried */
	struct doubt doubt;	    /* about that file */
	bool lacks_debug_info;	    /* there are names, but neither lines nor inlined functions */
};

struct symbolizer;

/** What a recording says of the kernel it was made on; NULL for what it does not. */
struct symbol_kernel {
	const struct dso *dso;			  /* its DSO_KERNEL */
	const char *release, *hostname, *machine; /* as in uname(2) */
	const char *kcore_dir; /* directory with the copy of kallsyms that was made with it */
};

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
