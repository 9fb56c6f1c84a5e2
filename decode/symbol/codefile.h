/*
 * The files that hold the code of dsos, as open descriptors: what a trace's decoder reads.
 *
 * They are found as those for symbols are, so a file with another build id is never used. Code
 * that is in no file of its own (the vdso, a file in an archive) is copied into memory that looks
 * like one.
 */
#ifndef READPERF_DECODE_SYMBOL_CODEFILE_H
#define READPERF_DECODE_SYMBOL_CODEFILE_H

#include "decode/symbol/dso.h"
#include "decode/symbol/reason.h"

#include <stddef.h>
#include <stdint.h>

struct codefiles;
struct elffile;
struct load_context;

/** A file whose byte N is at place N of the dso (see enum dso_kind). */
struct codefile {
	int fd;	       /* -1: there is none */
	uint64_t size; /* bytes */
	/* The same bytes of a DSO_JITDUMP, of which small parts are read; else NULL. */
	const uint8_t *bytes;
	enum reason reason; /* why there is none */
};

/**
 * Opens the file of @elf again, which must still be the one that was checked; its bytes, if it has
 * none. Returns a descriptor for the caller to close, -1 if that failed.
 */
int codefile_open_elf(const struct elffile *elf);

/** @context is borrowed. NULL if memory is out. */
struct codefiles *codefiles_create(struct load_context *context);

/**
 * The file of @dso, which stays open as long as @files, as its bytes stay; the struct is valid
 * until the next call. NULL if memory is out.
 */
const struct codefile *codefiles_get(struct codefiles *files, const struct dso *dso);

/** NULL is fine. */
void codefiles_destroy(struct codefiles *files);

#endif
