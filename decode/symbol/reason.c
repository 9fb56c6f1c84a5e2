#include "decode/symbol/symbol.h"

#include <assert.h>

static const struct {
	const char *name, *meaning, *advice;
} reasons[] = {
	[REASON_NONE] = {"", "The function is known.", NULL},
	[REASON_NO_MAPPING] = {"no-mapping",
			       "The address lies in no mapping that the recording knows of.", NULL},
	[REASON_NO_FILE] = {"no-file",
			    "The mapping has no file behind it, such as [heap] or [stack].", NULL},
	[REASON_FILE_MISSING] =
		{"file-missing",
		 "The binary is neither at its recorded path nor at "
		 "any other place that was looked at.",
		 "say where it is with --symfs or --buildid-dir, or use --debuginfod"},
	[REASON_FILE_UNREADABLE] = {"file-unreadable",
				    "There is such a file, but it is no regular "
				    "ELF file that can be read.",
				    "make it readable, or run as root"},
	[REASON_FILE_TRUNCATED] = {"file-truncated",
				   "There is such a file, but its end is missing: it was copied in "
				   "part, or is being written.",
				   "copy the whole file again"},
	[REASON_FILE_REPLACED] = {"file-replaced",
				  "Another file came to the path of the binary "
				  "while the recording was made, so what "
				  "lies there now is not what ran.",
				  "record without rebuilding meanwhile, and with build ids (perf "
				  "record --buildid-mmap)"},
	[REASON_FILE_CHANGED] = {"file-changed",
				 "The file was written or cut while its names were read, so they "
				 "may be wrong.",
				 "run readperf again when nothing writes to the file"},
	[REASON_FILE_EXCESSIVE] = {"file-excessive",
				   "The names in the file are so long that it was given up, as no "
				   "real program has such names.",
				   NULL},
	[REASON_BUILD_ID_MISMATCH] =
		{"build-id-mismatch",
		 "There is such a file, but of another build than the recorded "
		 "one, so its names would be wrong.",
		 "it was rebuilt or updated since: record anew, or point --buildid-dir or --symfs "
		 "at the old one"},
	[REASON_NO_SYMBOLS] = {"no-symbols",
			       "The binary has neither symbols nor debugging information.",
			       "install its debug symbols, or use --debuginfod"},
	[REASON_OUTSIDE_SYMBOLS] = {"outside-symbols",
				    "The binary has symbols, but none covers the address.",
				    "install its debug symbols, or use --debuginfod"},
	[REASON_KERNEL_HIDDEN] = {"kernel-hidden",
				  "The kernel does not show its addresses to this "
				  "user (kernel.kptr_restrict).",
				  "run as root after: echo 0 > /proc/sys/kernel/kptr_restrict"},
	[REASON_KERNEL_OTHER] = {"kernel-other",
				 "The running kernel is not the one that was recorded.",
				 "give --vmlinux its vmlinux, or --kallsyms its "
				 "/proc/kallsyms"},
	[REASON_VDSO_OTHER] =
		{"vdso-other",
		 "The vdso has no recorded build id, and nothing shows that the running kernel's "
		 "is the same.",
		 "run readperf on the machine that was recorded, under the same kernel, or record "
		 "into a file with build ids (perf record without -B, -z and --buildid-mmap)"},
	[REASON_JIT_MAP_MISSING] =
		{"jit-map-missing",
		 "The code was generated at run time, and neither a map nor a dump of it is there.",
		 "let the runtime write one (node: --perf-basic-prof or --perf-prof; java: an "
		 "agent)"},
	[REASON_JIT_MAP_REFUSED] = {"jit-map-refused",
				    "The code was generated at run time, and there is a map of it, "
				    "but it cannot be read, "
				    "is a symbolic link or belongs to another user.",
				    "run as the user whose map it is, or as root"},
	[REASON_GUEST] = {"guest", "The code ran in a guest whose symbols are not at hand.", NULL},
	[REASON_NO_LINES] = {"no-lines", "Of lines alone: the binary has no table of lines.", NULL},
	[REASON_OUTSIDE_LINES] = {"outside-lines",
				  "Of lines alone: the binary has a table of "
				  "lines, but none covers the address.",
				  NULL},
	[REASON_NO_LINE] = {"no-line",
			    "Of lines alone: the compiler says that the code belongs to "
			    "no line of the file.",
			    NULL},
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

const char *reason_advice(enum reason reason)
{
	return reasons[reason].advice ? reasons[reason].advice : "";
}
