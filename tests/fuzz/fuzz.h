/*
 * What the fuzz targets share. A target is a file fuzz_NAME.c with LLVMFuzzerTestOneInput(); it is
 * linked with libFuzzer, or with driver.c, which runs it over given files and needs no clang.
 *
 * Whatever the bytes are, a target ends soon, touches no byte outside them, leaks nothing and opens
 * no file of the machine. What it can check of the answer it checks, with fuzz_check().
 */
#ifndef READPERF_TESTS_FUZZ_FUZZ_H
#define READPERF_TESTS_FUZZ_FUZZ_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/** The target, called once for each input. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Ends the program, saying where, unless @condition holds. */
#define fuzz_check(condition)                                                                   \
	do {                                                                                    \
		if (!(condition)) {                                                             \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
			abort();                                                                \
		}                                                                               \
	} while (0)

/** Bytes as a file without a name. */
struct fuzz_file {
	int fd;
	char path[32]; /* that leads to it */
};

struct fuzz_file fuzz_file_make(const void *bytes, size_t size);
void fuzz_file_close(struct fuzz_file *file);

/** A copy of the bytes with a NUL behind them, to be freed. */
char *fuzz_text(const uint8_t *data, size_t size);

/** The input as a series of choices: zeros when it is used up. */
struct fuzz_choices {
	const uint8_t *pos, *end;
};

struct fuzz_choices fuzz_choices_of(const uint8_t *data, size_t size);
bool fuzz_choices_left(const struct fuzz_choices *choices);
uint8_t fuzz_u8(struct fuzz_choices *choices);
uint64_t fuzz_u64(struct fuzz_choices *choices);

/** One of 0 to @nr - 1. */
unsigned fuzz_pick(struct fuzz_choices *choices, unsigned nr);

/** The next @len bytes, fewer at the end, their number in *@got; they live in the input. */
const uint8_t *fuzz_bytes(struct fuzz_choices *choices, size_t len, size_t *got);

/** A directory of this process alone, which is made at the first call and removed at its end. */
const char *fuzz_dir(void);

/** A directory in that one, in which nothing is. */
const char *fuzz_empty_dir(void);

/** Makes the directory NAME in that one; one that is there loses what is in it. */
void fuzz_dir_make(const char *name);

/** Writes the bytes to the file NAME in that directory. */
void fuzz_dir_put(const char *name, const void *bytes, size_t size);

#endif
