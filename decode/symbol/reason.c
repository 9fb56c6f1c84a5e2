#include "decode/symbol/symbol.h"

#include <assert.h>

static const struct {
	const char *name, *meaning;
} reasons[] = {
	[REASON_NONE] = {"", "The function is known."},
	[REASON_NO_MAPPING] = {"no-mapping",
			       "The address lies in no mapping that the recording knows of."},
	[REASON_NO_FILE] = {"no-file",
			    "The mapping has no file behind it, such as [heap] or [stack]."},
	[REASON_FILE_MISSING] = {"file-missing",
				 "The binary is neither at its recorded path nor at "
				 "any other place that was looked at."},
	[REASON_FILE_UNREADABLE] = {"file-unreadable", "There is such a file, but it is no regular "
						       "ELF file that can be read."},
	[REASON_BUILD_ID_MISMATCH] =
		{"build-id-mismatch",
		 "There is such a file, but of another build than the recorded "
		 "one, so its names would be wrong."},
	[REASON_NO_SYMBOLS] = {"no-symbols",
			       "The binary has neither symbols nor debugging information."},
	[REASON_OUTSIDE_SYMBOLS] = {"outside-symbols",
				    "The binary has symbols, but none covers the address."},
	[REASON_KERNEL_HIDDEN] = {"kernel-hidden", "The kernel does not show its addresses to this "
						   "user (kernel.kptr_restrict)."},
	[REASON_KERNEL_OTHER] = {"kernel-other",
				 "The running kernel is not the one that was recorded."},
	[REASON_JIT_MAP_MISSING] =
		{"jit-map-missing",
		 "The code was generated at run time, and no map of it is there."},
	[REASON_GUEST] = {"guest", "The code ran in a guest whose symbols are not at hand."},
	[REASON_NO_LINES] = {"no-lines", "Of lines alone: the binary has no table of lines."},
	[REASON_OUTSIDE_LINES] = {"outside-lines", "Of lines alone: the binary has a table of "
						   "lines, but none covers the address."},
	[REASON_NO_LINE] = {"no-line", "Of lines alone: the compiler says that the code belongs to "
				       "no line of the file."},
};

static_assert(sizeof(reasons) / sizeof(reasons[0]) == REASON_NR, "a word for every reason");

const char *reason_name(enum reason reason)
{
	return reasons[reason].name;
}

const char *reason_meaning(enum reason reason)
{
	return reasons[reason].meaning;
}
