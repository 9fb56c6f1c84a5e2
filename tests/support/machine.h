/* What the machine lets unit tests do: a test that it does not is skipped, which is counted. */
#ifndef READPERF_TESTS_SUPPORT_MACHINE_H
#define READPERF_TESTS_SUPPORT_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * Says that the test is skipped because of what @fmt makes, as "there is no xz". The test returns
 * after it: tests/run.sh counts the line instead of the check.
 */
void machine_lacks(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/** True if @program is installed; else the test is skipped for it. */
bool machine_has(const char *program);

/** True if /proc is mounted; else the test is skipped. */
bool machine_has_proc(void);

/**
 * The address of the running kernel's symbol @name; 0 if the kernel does not show it: the test is
 * skipped.
 */
uint64_t machine_kernel_symbol(const char *name);

#endif
