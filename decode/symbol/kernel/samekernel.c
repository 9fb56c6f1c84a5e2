#include "decode/symbol/kernel/samekernel.h"

#include <string.h>
#include <sys/utsname.h>

/* Where x86-64's is linked. */
#define X86_64_TEXT 0xffffffff81000000u

/* ---- names ----------------------------------------------------------------------------------- */

static bool is_same(const char *recorded, const char *own)
{
	return recorded && strcmp(recorded, own) == 0;
}

bool samekernel_is_same_system(const struct symbol_kernel *recorded)
{
	struct utsname own;

	return uname(&own) == 0 && is_same(recorded->hostname, own.nodename) &&
	       is_same(recorded->machine, own.machine) && is_same(recorded->release, own.release);
}

bool samekernel_is_denied(const struct symbol_kernel *recorded)
{
	struct utsname own;

	if (uname(&own) < 0)
		return false;
	return (recorded->machine && !is_same(recorded->machine, own.machine)) ||
	       (recorded->release && !is_same(recorded->release, own.release));
}

/* ---- places ---------------------------------------------------------------------------------- */

/*
 * Arm's kernels are linked within 4 GB behind the first kernel address, which is a power of two
 * from the end of all addresses. At boot they are moved by many times that.
 */
static bool is_arm64_moved(uint64_t text)
{
	const uint64_t from_end = -(text >> 32 << 32);

	return (from_end & (from_end - 1)) != 0;
}

bool samekernel_was_moved(const char *machine, uint64_t text)
{
	if (text == 0)
		return false;
	if (strcmp(machine, "x86_64") == 0)
		return text != X86_64_TEXT;
	return strcmp(machine, "aarch64") == 0 && is_arm64_moved(text);
}
