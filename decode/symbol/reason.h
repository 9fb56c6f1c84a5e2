/* Why an address has no name, and what the user can do about it. */
#ifndef READPERF_DECODE_SYMBOL_REASON_H
#define READPERF_DECODE_SYMBOL_REASON_H

/** Why an address has no name; results.csv has reason_name() of it. */
enum reason {
	REASON_NONE,		/* the address has a name */
	REASON_NO_MAPPING,	/* the address is in no mapping of its process */
	REASON_NO_FILE,		/* the mapping has no file ([heap], [stack]) */
	REASON_FILE_MISSING,	/* no file at the recorded path or any other place searched */
	REASON_FILE_UNREADABLE, /* the file exists, but is not a readable regular ELF file */
	REASON_FILE_TRUNCATED,	/* the file exists, but its end is missing */
	REASON_FILE_REPLACED,	/* the recording shows that another file replaced it at its path */
	REASON_FILE_CHANGED,	/* the file was modified while it was being read */
	REASON_FILE_EXCESSIVE,	/* the names in the file are longer than any real one's */
	REASON_BUILD_ID_MISMATCH, /* the file exists, but has another build id */
	REASON_NO_SYMBOLS,	  /* the right file has neither symbols nor DWARF */
	REASON_OUTSIDE_SYMBOLS,	  /* the right file has symbols, but none covers the address */
	REASON_KERNEL_HIDDEN,	  /* kallsyms shows no addresses (kptr_restrict) */
	REASON_KERNEL_OTHER,	  /* the running kernel is not the recorded one */
	REASON_VDSO_OTHER,	  /* nothing proves that this machine's vdso is the recorded one */
	REASON_JIT_MAP_MISSING,	  /* anonymous code without a perf map or jitdump */
	REASON_JIT_MAP_REFUSED,	  /* the perf map is unreadable, or its type or owner is wrong */
	REASON_GUEST,		  /* code of a guest; nothing is looked up */
	/* For lines only: why the address of a function has no line. */
	REASON_NO_LINES,      /* the right file has no line table */
	REASON_OUTSIDE_LINES, /* the right file has one, but it does not cover the address */
	REASON_NO_LINE,	      /* the compiler assigned the code to no line */
	REASON_NR
};

/** Returns what the user can do about it: part of a sentence, "" if nothing. Static. */
const char *reason_advice(enum reason reason);

/** Returns its word: "no-mapping", "file-missing", ...; "" for REASON_NONE. Static. */
const char *reason_name(enum reason reason);

/** Returns one sentence that explains it, for the documentation. Static. */
const char *reason_meaning(enum reason reason);

#endif
