/* Real binaries for tests, made by the machine's own compilers. */
#ifndef READPERF_TESTS_SUPPORT_TOOLCHAIN_H
#define READPERF_TESTS_SUPPORT_TOOLCHAIN_H

#include "tests/support/scratch.h"

#include <stdint.h>

/** Runs the formatted shell command in @dir; the test fails if the command does. */
void toolchain_run(const char *dir, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/**
 * Compiles @text, kept as DIR/@file, by the formatted command, in which "gcc -o x x.c" is all that
 * is needed. Programs linked with TOOLCHAIN_FIXED have byte 0 of the file at address 0x400000.
 */
void toolchain_build(const char *dir, const char *file, const char *text, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#ifdef __x86_64__
#define TOOLCHAIN_MACHINE "x86_64"
#else
#define TOOLCHAIN_MACHINE "another"
#endif

#define TOOLCHAIN_FIXED "-no-pie -Wl,-Ttext-segment=0x400000"

/**
 * Calls @take for each symbol of DIR/@file that has an address, as libelf reads them: nm(1) opens
 * plugins first, for longer than a compiler runs.
 */
void toolchain_symbols(const char *dir, const char *file,
		       void (*take)(void *arg, const char *symbol, uint64_t address), void *arg);

/** The address of @symbol in DIR/@file; the test fails if there is none. */
uint64_t toolchain_address(const char *dir, const char *file, const char *symbol);

#endif
