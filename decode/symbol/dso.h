/*
 * A dso: one binary that code ran from, as the recording names it (perf's word for it).
 *
 * A dso is identified by kind, path and build id, lives in its table until dso_table_free(), and is
 * never owned by the maps that point at it. Nothing here opens a file.
 */
#ifndef READPERF_DECODE_SYMBOL_DSO_H
#define READPERF_DECODE_SYMBOL_DSO_H

#include "util/index.h"
#include "util/intern.h"

#include <stddef.h>
#include <stdint.h>

/* Bytes of a build id; characters of one in hexadecimal digits, with the NUL. */
enum { DSO_BUILD_ID_MAX = 20, DSO_BUILD_ID_TEXT = 2 * DSO_BUILD_ID_MAX + 1 };

enum dso_kind {
	DSO_USER,   /* an ELF file; an address is a byte offset in it */
	DSO_VDSO,   /* [vdso]; an address is a byte offset in its ELF image */
	DSO_KERNEL, /* [kernel.kallsyms]; an address is the one at run time */
	DSO_MODULE, /* a kernel module, by .ko path or [name]; an address is the one at run time */
	DSO_GUEST,  /* a guest's kernel: nothing is looked up */
	DSO_JIT,  /* anonymous executable memory of a process; an address is the one at run time */
	DSO_NONE, /* a mapping that no file stands behind ([heap], [stack]); nothing to look up */
	DSO_UNMAPPED, /* addresses outside every mapping; path "[unmapped]" */
};

struct dso {
	uint32_t number; /* place in the table, from 0 */
	enum dso_kind kind;
	const char *path; /* as recorded; "[kernel.kallsyms]" without the reference symbol */
	uint8_t build_id[DSO_BUILD_ID_MAX];
	uint8_t build_id_len; /* bytes; 0 if the recording has none */
	/* DSO_KERNEL: where the reference symbol (_text or _stext) was at run time, 0 if hidden. */
	uint64_t reference_address;
	const char *reference_symbol; /* NULL if unknown */
	uint64_t start, end;	      /* DSO_MODULE: where it was loaded, [start, end) */
};

struct dso_table {
	struct dso **dsos; /* by number */
	size_t nr_dsos, room;
	struct index by_identity;
	struct intern strings;
};

/**
 * The dso with this identity, made if it is new. @path is copied; @build_id may be NULL if
 * @build_id_len is 0. Returns NULL if memory is out.
 */
struct dso *dso_table_get(struct dso_table *table, enum dso_kind kind, const char *path,
			  const uint8_t *build_id, size_t build_id_len);

/** Writes the build id in lower-case hexadecimal digits to @text; "" if the dso has none. */
void dso_format_build_id(const struct dso *dso, char text[DSO_BUILD_ID_TEXT]);

void dso_table_free(struct dso_table *table);

#endif
