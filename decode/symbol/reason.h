/* Why an address has no name, and what a user can do about it. */
#ifndef READPERF_DECODE_SYMBOL_REASON_H
#define READPERF_DECODE_SYMBOL_REASON_H

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

#endif
