/*
 * A jitdump: the code that a JIT compiler made, each piece with its time, its name and its bytes.
 *
 * The layout is that of tools/perf/Documentation/jitdump-specification.txt. A dump is complete at
 * no time while its process runs, and a killed process leaves its last record cut: whole records
 * count.
 */
#ifndef READPERF_DECODE_SYMBOL_JIT_JITDUMP_H
#define READPERF_DECODE_SYMBOL_JIT_JITDUMP_H

#include "decode/symbol/file/file.h"
#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A dump and how far it has been read. */
struct jitdump {
	const uint8_t *bytes;
	uint32_t pid;	 /* what the process calls itself */
	bool arch_clock; /* times are ticks of the processor's counter, else ns of CLOCK_MONOTONIC
			  */
	struct span records; /* not read yet */
	size_t read;	     /* bytes up to the end of the last whole record that was read */
	struct span debug;   /* body of the last DEBUG_INFO, for the code behind it */
	struct span eh_frame; /* of the last UNWINDING_INFO, for the code behind it */
	uint16_t machine;     /* EM_ of the code */
};

/** Code that came to lie at addresses [start, start + size). */
struct jitdump_code {
	uint64_t time;
	uint64_t start, size; /* size is not 0, and the end is no more than 2^64 - 1 */
	uint64_t index;	      /* the compiler's number for it */
	bool moved;	      /* it is older code of that index; what follows is not set then */
	uint64_t offset;      /* of its bytes in the dump */
	const char *name;     /* lives in the dump */
	struct span debug;    /* for jitdump_source() */
	struct span eh_frame; /* how to unwind it; empty if the dump does not tell */
};

/** Reads the header of the @size bytes at @bytes, which must outlive @dump. False: no jitdump. */
bool jitdump_init(struct jitdump *dump, const void *bytes, size_t size);

/** As jitdump_init(), to read on where another reading stood at its @read bytes. */
bool jitdump_resume(struct jitdump *dump, const void *bytes, size_t size, size_t read);

/** Takes the next code; false at the end of the whole records. What is no code is passed over. */
bool jitdump_next(struct jitdump *dump, struct jitdump_code *code);

/**
 * The source of @code: where its first instruction comes from. Returns NULL if the dump does not
 * tell, else the filename, which lives in the dump, with the line, 0 if unknown, in *@line.
 */
const char *jitdump_source(const struct jitdump_code *code, uint32_t *line);

/**
 * True if the file name of @path is that of a jitdump, "jit-PID.dump", with the PID. A process that
 * writes one maps it with PROT_EXEC, as a mark for the recording.
 */
bool jitdump_is_name(const char *path, uint32_t *pid);

/** Where a jitdump was found. */
struct jitdump_place {
	const char *root; /* the directory that `path` is seen in; NULL: the system's root */
	char path[PATH_MAX];
};

/**
 * Maps the jitdump that process @pid, a pid of the recording, mapped as @recorded: by that path
 * below @root, unless that is NULL; as long as the process runs in a container, by the path that
 * leads there; or else by that path. The file must be its user's own (see file_map_own()) and name
 * the pid that its name has.
 *
 * @return false if there is none; else @file is for file_unmap() and @dump reads it.
 */
bool jitdump_find(const char *recorded, uint32_t pid, const char *root, struct jitdump_place *place,
		  struct file_bytes *file, struct jitdump *dump);

#endif
