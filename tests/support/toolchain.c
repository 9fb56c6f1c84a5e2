#include "tests/support/toolchain.h"

#include "tests/support/suite.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 2, 0))) static void run(const char *dir, const char *fmt,
						      va_list args)
{
	char command[2048];
	int len = snprintf(command, sizeof(command), "cd '%s' && ", dir);

	vsnprintf(command + len, sizeof(command) - (size_t)len, fmt, args);
	ck_assert_msg(system(command) == 0, "failed: %s", command);
}

void toolchain_run(const char *dir, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	run(dir, fmt, args);
	va_end(args);
}

void toolchain_build(const char *dir, const char *file, const char *text, const char *fmt, ...)
{
	va_list args;

	scratch_write(dir, file, text);
	va_start(args, fmt);
	run(dir, fmt, args);
	va_end(args);
}

void toolchain_symbols(const char *dir, const char *file,
		       void (*take)(void *arg, const char *symbol, uint64_t address), void *arg)
{
	char command[512], line[4096], name[4096];
	uint64_t address;
	FILE *nm;

	snprintf(command, sizeof(command), "nm '%s/%s'", dir, file);
	nm = popen(command, "r");
	ck_assert_ptr_nonnull(nm);
	while (fgets(line, sizeof(line), nm))
		if (sscanf(line, "%" SCNx64 " %*c %4095s", &address, name) == 2)
			take(arg, name, address);
	pclose(nm);
}

struct wanted {
	const char *symbol;
	uint64_t address; /* 0: not found */
};

static void take_wanted(void *arg, const char *symbol, uint64_t address)
{
	struct wanted *wanted = arg;

	if (strcmp(symbol, wanted->symbol) == 0)
		wanted->address = address;
}

uint64_t toolchain_address(const char *dir, const char *file, const char *symbol)
{
	struct wanted wanted = {.symbol = symbol};

	toolchain_symbols(dir, file, take_wanted, &wanted);
	ck_assert_msg(wanted.address != 0, "%s: no symbol %s", file, symbol);
	return wanted.address;
}
