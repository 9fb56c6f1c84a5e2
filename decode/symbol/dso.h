/*
 * A dso: one binary that code ran from, as the recording names it (perf's word for it).
 *
 * A dso is identified by kind, path, build id and instance, lives in its table until
 * dso_table_free(), and is never owned by the maps that point at it. Nothing here opens a file.
 */
#ifndef READPERF_DECODE_SYMBOL_DSO_H
#define READPERF_DECODE_SYMBOL_DSO_H

#include "util/fileid.h"
#include "util/index.h"
#include "util/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The instance of a DSO_VDSO that lay in a process of 32 bits, as its address shows; else 0. */
enum { DSO_VDSO_32 = 1 };

/* Bytes of a build id; characters of one in hexadecimal digits, with the NUL. */
enum { DSO_BUILD_ID_MAX = 20, DSO_BUILD_ID_TEXT = 2 * DSO_BUILD_ID_MAX + 1 };

enum dso_kind {
	DSO_USER,   /* an ELF file; an address is a byte offset in it */
	DSO_VDSO,   /* [vdso]; an address is a byte offset in its ELF image */
	DSO_KERNEL, /* [kernel.kallsyms]; an address is the one at run time */
	DSO_MODULE, /* a kernel module, by .ko path or [name]; an address is the one at run time */
	DSO_GUEST,  /* a guest's kernel or module: nothing is looked up */
	DSO_JIT, /* anonymous executable memory of a process; an address is the one at run time */
	DSO_KSYMBOL, /* code that the kernel made at run time, named by its path; as DSO_KERNEL */
	DSO_JITDUMP, /* a jitdump, by the path at which it is found; an address is the byte offset
		      * of the code in it */
	DSO_NONE, /* a mapping that no file stands behind ([heap], [stack]); nothing to look up */
	DSO_UNMAPPED, /* addresses outside every mapping; path "[unmapped]" */
};

struct dso {
	uint32_t number; /* place in the table, from 0 */
	enum dso_kind kind;
	const char *path; /* as recorded; "[kernel.kallsyms]" without the reference symbol */
	uint8_t build_id[DSO_BUILD_ID_MAX];
	uint8_t build_id_len; /* bytes; 0 if the recording has none */
	bool is_told_late;    /* the build id: it is no part of the identity, which was without */
	/* DSO_KERNEL: where the reference symbol (_text or _stext) was at run time, 0 if hidden. */
	uint64_t reference_address;
	const char *reference_symbol; /* NULL if unknown */
	uint64_t start, end;	      /* DSO_MODULE: where it was loaded, [start, end) */
	/* DSO_USER: which of the files of its path; DSO_JIT: pid of the process; DSO_VDSO: its word
	 * size, see DSO_VDSO_32. */
	uint32_t instance;
	/* DSO_USER, DSO_JIT, DSO_JITDUMP: directory that its path is seen in; NULL: the system's
	 * root. */
	const char *root;
	/* The user says it: DSO_USER: of any process; DSO_JIT: of this very one. */
	bool is_root_given;
	struct file_id file; /* DSO_USER: the one that was mapped, as far as that was recorded */
	bool replaced; /* DSO_USER: another file has come to its path, so what lies there is not it
			*/
	/* DSO_JIT: a jitdump that its process was still writing, and the bytes of it that were read
	 * when the process mapped it; NULL: none. */
	const struct dso *dump;
	size_t dump_read;
};

struct dso_table {
	struct dso **dsos; /* by number */
	size_t nr_dsos, room;
	struct index by_identity;
	struct intern strings;
};

/**
 * The dso with this identity and instance 0, made if it is new. @path is copied; @build_id may be
 * NULL if
 * @build_id_len is 0. Returns NULL if memory is out.
 */
struct dso *dso_table_get(struct dso_table *table, enum dso_kind kind, const char *path,
			  const uint8_t *build_id, size_t build_id_len);

/** As dso_table_get(), without a build id: the dso with this @instance. */
struct dso *dso_table_get_instance(struct dso_table *table, enum dso_kind kind, const char *path,
				   uint32_t instance);

/**
 * As dso_table_get() for a @kind of file whose path is seen in the directory @root, which must live
 * as long. @number tells the roots apart; that of a DSO_USER is not 0.
 */
struct dso *dso_table_get_in_root(struct dso_table *table, enum dso_kind kind, const char *path,
				  const uint8_t *build_id, size_t build_id_len, const char *root,
				  uint32_t number);

/** Writes the build id in lower-case hexadecimal digits to @text; "" if the dso has none. */
void dso_format_build_id(const struct dso *dso, char text[DSO_BUILD_ID_TEXT]);

void dso_table_free(struct dso_table *table);

#endif
