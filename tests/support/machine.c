#include "tests/support/machine.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void machine_lacks(const char *fmt, ...)
{
	va_list args;

	printf("skipped a test: ");
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
}

bool machine_has(const char *program)
{
	char command[128];

	snprintf(command, sizeof(command), "command -v %s >/dev/null 2>&1", program);
	if (system(command) == 0)
		return true;
	machine_lacks("there is no %s", program);
	return false;
}

bool machine_has_proc(void)
{
	if (access("/proc/self/fd", X_OK) == 0)
		return true;
	machine_lacks("/proc is not mounted");
	return false;
}

uint64_t machine_kernel_symbol(const char *name)
{
	FILE *in = fopen("/proc/kallsyms", "re");
	uint64_t address = 0, found = 0;
	char line[256];

	while (in && !found && fscanf(in, "%" SCNx64 " %*c %255[^\n]", &address, line) == 2)
		found = strcmp(line, name) == 0 ? address : 0;
	if (in)
		fclose(in);
	if (!found)
		machine_lacks("the kernel does not show its addresses");
	return found;
}
