/*
 * Reads a jitdump: the code that a JIT compiler generated, with the time, name and bytes of each
 * piece.
 *
 * The layout is that of tools/perf/Documentation/jitdump-specification.txt. While its process runs,
 * a dump may grow at any time, and a killed process leaves a truncated last record: only whole
 * records are read.
 */
#ifndef READPERF_DECODE_SYMBOL_JIT_JITDUMP_H
#define READPERF_DECODE_SYMBOL_JIT_JITDUMP_H

#include "decode/symbol/file/file.h"
#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A dump and the reading position in it. */
struct jitdump {
	const uint8_t *bytes;
	uint32_t pid;	      /* pid of the process in its own pid namespace */
	bool arch_clock;      /* times are ticks of the CPU's counter, else ns of CLOCK_MONOTONIC */
	struct span records;  /* records not read yet */
	size_t size;	      /* bytes of all */
	size_t read;	      /* bytes up to the end of the last whole record read */
	struct span debug;    /* body of JIT_CODE_DEBUG_INFO for the next code */
	struct span eh_frame; /* of the last JIT_CODE_UNWINDING_INFO, for the next code */
	uint16_t machine;     /* EM_ of the code */
};

/** Code placed at addresses [start, start + size). */
struct jitdump_code {
	uint64_t time;	      /* unit: see jitdump.arch_clock */
	uint64_t start, size; /* size is not 0; the end does not exceed 2^64 - 1 */
	uint64_t index;	      /* the compiler's code index */
	bool moved;	      /* code of that index that was moved; the members below are not set */
	uint64_t offset;      /* of the code's bytes in the dump */
	const char *name;     /* points into the dump */
	struct span debug;    /* for jitdump_source() */
	struct span eh_frame; /* how to unwind it; empty if the dump does not tell */
};

/** Reads the header of the @size bytes at @bytes, which must outlive @dump. False: no jitdump. */
bool jitdump_init(struct jitdump *dump, const void *bytes, size_t size);

/** As jitdump_init(), but continues after the first @read bytes, the `read` of an earlier dump. */
bool jitdump_resume(struct jitdump *dump, const void *bytes, size_t size, size_t read);

/**
 * Reads the next code; skips other records and invalid code. Returns false after the last whole
 * record, also on later calls.
 */
bool jitdump_next(struct jitdump *dump, struct jitdump_code *code);

/**
 * Returns the source file of the first instruction of @code, a pointer into the dump, with the line
 * in *@line (0 if unknown); NULL if the dump has none.
 */
const char *jitdump_source(const struct jitdump_code *code, uint32_t *line);

/**
 * True if the file name of @path is that of a jitdump, "jit-PID.dump", with the PID in *@pid. A
 * process that writes one maps it with PROT_EXEC to mark it in the recording.
 */
bool jitdump_is_name(const char *path, uint32_t *pid);

/** Where a jitdump was found. */
struct jitdump_place {
	const char *root; /* root directory for `path`; NULL: the system's root */
	char path[PATH_MAX];
};

/**
 * Maps the jitdump that process @pid, a pid of the recording, mapped as @recorded. It is tried
 * below @root unless that is NULL; then, if the process still runs in a container, in that
 * container; then as recorded. The file must be its user's own (see file_map_own()) and contain the
 * pid that is in its name.
 *
 * @return false if there is none; else true, with @file for file_unmap() and @dump at the first
 * record. @place->root is @root or NULL.
 */
bool jitdump_find(const char *recorded, uint32_t pid, const char *root, struct jitdump_place *place,
		  struct file_bytes *file, struct jitdump *dump);

#endif
