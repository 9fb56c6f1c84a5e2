/*
 * A dso (perf's term): one binary that code ran from, as the recording names it.
 *
 * Kind, path, build id and instance identify a dso. Its table owns it until dso_table_free(); the
 * maps that point to it do not. Nothing here opens a file.
 */
#ifndef READPERF_DECODE_SYMBOL_DSO_H
#define READPERF_DECODE_SYMBOL_DSO_H

#include "util/fileid.h"
#include "util/index.h"
#include "util/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Instance of a DSO_VDSO of a 32-bit process, judged by its address; otherwise 0. */
enum { DSO_VDSO_32 = 1 };

/* Bytes of a build id; size of its text in hexadecimal digits, with the NUL. */
enum { DSO_BUILD_ID_MAX = 20, DSO_BUILD_ID_TEXT = 2 * DSO_BUILD_ID_MAX + 1 };

/* Room for the path of a map of JIT code, with the NUL. */
enum { DSO_PERF_MAP_MAX = 32 };

/* Path of a DSO_NONE that is memory without a file and is not executable. */
#define DSO_ANONYMOUS "[anon]"

enum dso_kind {
	DSO_USER,   /* an ELF file; an address is a byte offset in it */
	DSO_VDSO,   /* [vdso]; an address is a byte offset in its ELF image */
	DSO_KERNEL, /* [kernel.kallsyms]; an address is the run-time address */
	DSO_MODULE, /* a kernel module, by .ko path or [name]; an address is the run-time address */
	DSO_GUEST,  /* a guest's kernel or module; nothing is looked up */
	DSO_JIT, /* anonymous executable memory of a process; an address is the run-time address */
	DSO_KSYMBOL,  /* code that the kernel generated at run time; the path is its name; addresses
			 as for DSO_KERNEL */
	DSO_JITDUMP,  /* a jitdump, by the path where it is found; an address is the code's byte
			 offset in it */
	DSO_NONE,     /* a mapping without a file ([heap], [stack]); nothing is looked up */
	DSO_UNMAPPED, /* addresses outside every mapping; path "[unmapped]" */
};

struct dso {
	uint32_t number; /* index in the table, from 0 */
	enum dso_kind kind;
	const char *path; /* as recorded; "[kernel.kallsyms]" without the suffix for the reference
			     symbol */
	uint8_t build_id[DSO_BUILD_ID_MAX];
	uint8_t build_id_len; /* bytes; 0 if the recording has none */
	bool is_told_late;    /* the build id was found after the dso was made, so it is not part of
				 its identity */
	/* DSO_KERNEL: run-time address of the reference symbol (_text or _stext); 0 if hidden. */
	uint64_t reference_address;
	const char *reference_symbol; /* NULL if unknown */
	/* DSO_MODULE: addresses of its mapping, [start, end). DSO_USER: of a file that was deleted:
	 * its first mapping, in process @pid; all 0 of another file. */
	uint64_t start, end;
	uint32_t pid;
	/* DSO_USER: number of the file among those with its path; DSO_JIT: pid of the process;
	 * DSO_VDSO: word size, see DSO_VDSO_32. */
	uint32_t instance;
	/* DSO_USER, DSO_JIT, DSO_JITDUMP: directory that serves as the root for its path; NULL:
	 * the system's root. Borrowed. */
	const char *root;
	/* The user named that root: DSO_USER: for at least one process; DSO_JIT: for this
	 * process. */
	bool is_root_given;
	bool is_lost;	     /* DSO_JIT: its process was in a container that is gone */
	struct file_id file; /* DSO_USER: identity of the mapped file, as far as recorded */
	bool replaced;	     /* DSO_USER: the file now at its path is another one */
	/* DSO_JIT: a jitdump that its process was still writing, or NULL, and the number of its
	 * bytes that were read when the process mapped it. */
	const struct dso *dump;
	size_t dump_read;
	/* DSO_JIT: recorded path of a jitdump that was not found, or whose end is missing; NULL:
	 * none. */
	const char *lost_dump;
};

struct dso_table {
	struct dso **dsos; /* by dso number */
	size_t nr_dsos, room;
	struct index by_identity;
	struct intern strings;
};

/**
 * Returns the dso with this identity and instance 0, which the table owns; adds it if it is new.
 * @path is copied; @build_id may be NULL if @build_id_len is 0 and is cut to DSO_BUILD_ID_MAX
 * bytes. Returns NULL if memory is out.
 */
struct dso *dso_table_get(struct dso_table *table, enum dso_kind kind, const char *path,
			  const uint8_t *build_id, size_t build_id_len);

/** As dso_table_get(), but without a build id and with @instance. */
struct dso *dso_table_get_instance(struct dso_table *table, enum dso_kind kind, const char *path,
				   uint32_t instance);

/**
 * As dso_table_get() for a @kind of file whose path is below the root directory @root, which must
 * outlive the table. @number distinguishes the roots; it is not 0 for a DSO_USER.
 */
struct dso *dso_table_get_in_root(struct dso_table *table, enum dso_kind kind, const char *path,
				  const uint8_t *build_id, size_t build_id_len, const char *root,
				  uint32_t number);

/** Whether the build id of @dso is the @len bytes at @id; 0: whether it has none. */
static inline bool dso_has_build_id(const struct dso *dso, const uint8_t *id, size_t len)
{
	return dso->build_id_len == len && (len == 0 || memcmp(dso->build_id, id, len) == 0);
}

/** Writes the build id in lower-case hexadecimal digits to @text, "" if the dso has none. */
void dso_format_build_id(const struct dso *dso, char text[DSO_BUILD_ID_TEXT]);

/**
 * Writes to @path where process @pid, as it knows its own number, puts the symbols of code that it
 * makes: perf's path, which names such memory. Returns @path.
 */
const char *dso_perf_map(char path[DSO_PERF_MAP_MAX], uint32_t pid);

/** Whether @dso is memory without a file or a name, whatever it is used for. */
bool dso_is_anonymous(const struct dso *dso);

/** Frees all dsos of the table; it is empty then. */
void dso_table_free(struct dso_table *table);

#endif
