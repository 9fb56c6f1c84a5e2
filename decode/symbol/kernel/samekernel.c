#include "decode/symbol/kernel/samekernel.h"

#include "decode/symbol/kernel/kallsymsnear.h"

#include <string.h>
#include <sys/utsname.h>

/* What kernels are moved by: on x86-64, CONFIG_PHYSICAL_ALIGN or a multiple of it; nowhere less
 * than a page. */
enum { X86_64_STEP = 2 << 20, LEAST_STEP = 4096 };

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

bool samekernel_is_elsewhere(const struct dso *dso, const char *head, size_t size)
{
	const struct kallsyms_lines lines = kallsymsnear_lines(head, size);
	uint64_t address;

	return dso->reference_symbol &&
	       kallsymsnear_find(&lines, 0, dso->reference_symbol, &address) && address != 0 &&
	       address != dso->reference_address;
}

bool samekernel_can_shift(const char *machine, uint64_t shift)
{
	return shift % (is_same(machine, "x86_64") ? X86_64_STEP : LEAST_STEP) == 0;
}

/* ---- lists of symbols ------------------------------------------------------------------------ */

/* The kernel's own symbol at or behind @symbol; the end of the list if there is none. */
static const struct kallsyms_symbol *own_from(const struct kallsyms *kallsyms,
					      const struct kallsyms_symbol *symbol)
{
	while (symbol < kallsyms->symbols + kallsyms->nr && symbol->module)
		symbol++;
	return symbol;
}

bool samekernel_are_lists_of_one(const struct kallsyms *one, const struct kallsyms *other)
{
	const struct kallsyms_symbol *a = own_from(one, one->symbols);
	const struct kallsyms_symbol *b = own_from(other, other->symbols);
	const struct kallsyms_symbol *a_end = one->symbols + one->nr;
	const struct kallsyms_symbol *b_end = other->symbols + other->nr;
	const uint64_t shift = a < a_end && b < b_end ? b->address - a->address : 0;

	while (a < a_end && b < b_end) {
		if (a->address + shift != b->address ||
		    strcmp(kallsyms_name(one, a), kallsyms_name(other, b)) != 0)
			return false;
		a = own_from(one, a + 1);
		b = own_from(other, b + 1);
	}
	return a == a_end && b == b_end;
}
