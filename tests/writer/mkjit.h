/*
 * A writer of jitdumps for tests, in memory, in either byte order.
 *
 *	struct mkjit dump = {.swap = true};
 *	mkjit_header(&dump, pid, 0);
 *	mkjit_code(&dump, &(struct mkjit_code){.time = 5, .start = 0x1000, .size = 16, .name =
 *"f"}); mkjit_save(&dump, path);
 *
 * What does not fit is a bug of the test, which fails.
 */
#ifndef READPERF_TESTS_WRITER_MKJIT_H
#define READPERF_TESTS_WRITER_MKJIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** All zero is an empty dump in this machine's byte order. */
struct mkjit {
	uint8_t bytes[1 << 16];
	size_t len;
	bool swap;
};

/** A LOAD; or, with @moved_from, a MOVE of code that was loaded with the same index. */
struct mkjit_code {
	uint64_t time, start, size, index;
	const char *name;
	uint64_t moved_from;
};

struct mkjit_line {
	uint64_t addr;
	uint32_t line;
	const char *filename;
};

void mkjit_u32(struct mkjit *dump, uint32_t value);
void mkjit_u64(struct mkjit *dump, uint64_t value);

/** @flags: 1 if times are counts of the processor's counter. */
void mkjit_header(struct mkjit *dump, uint32_t pid, uint64_t flags);

/** Returns the offset of the code's bytes; 0 for a MOVE. */
uint64_t mkjit_code(struct mkjit *dump, const struct mkjit_code *code);

/** DEBUG_INFO of the code at @start, which must follow. */
void mkjit_debug(struct mkjit *dump, uint64_t start, const struct mkjit_line *lines, size_t nr);

/** A record with any @id over @len zero bytes. */
void mkjit_record(struct mkjit *dump, uint32_t id, uint64_t time, size_t len);

/** Writes the dump to the file @path. */
void mkjit_save(const struct mkjit *dump, const char *path);

#endif
