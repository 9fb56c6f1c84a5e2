#include "decode/symbol/reason.h"

#include <assert.h>
#include <stddef.h>

static const struct {
	const char *name, *meaning, *advice;
} reasons[] = {
	[REASON_NONE] = {"", "The function is known.", NULL},
	[REASON_NO_MAPPING] = {"no-mapping", "The address is in no mapping known to the recording.",
			       NULL},
	[REASON_NO_FILE] = {"no-file", "The mapping has no file, as with [heap] and [stack].",
			    NULL},
	[REASON_FILE_MISSING] =
		{"file-missing",
		 "The binary is neither at its recorded path nor in any other place searched.",
		 "point --symfs or --buildid-dir at it, or use --debuginfod"},
	[REASON_FILE_UNREADABLE] = {"file-unreadable",
				    "The file exists, but it is not a readable regular ELF file.",
				    "make it readable, or run as root"},
	[REASON_FILE_TRUNCATED] =
		{"file-truncated",
		 "The file is truncated: it was only partly copied, or is still being written.",
		 "copy the whole file again"},
	[REASON_FILE_REPLACED] = {"file-replaced",
				  "The file at the binary's path was replaced during the "
				  "recording, so the one there now is not the one that ran.",
				  "do not rebuild while recording, and record build ids (perf "
				  "record --buildid-mmap)"},
	[REASON_FILE_CHANGED] =
		{"file-changed",
		 "The file was modified while its names were being read, so they may be wrong.",
		 "run readperf again once the file no longer changes"},
	[REASON_FILE_EXCESSIVE] = {"file-excessive",
				   "The names in the file are longer than those of any real "
				   "program, so it was not read to its end.",
				   NULL},
	[REASON_BUILD_ID_MISMATCH] = {"build-id-mismatch",
				      "The file exists, but its build id is not the recorded one, "
				      "so its names would be wrong.",
				      "it was rebuilt or updated since: record again, or point "
				      "--buildid-dir or --symfs at the old build"},
	[REASON_NO_SYMBOLS] = {"no-symbols",
			       "The binary has neither symbols nor debugging information.",
			       "install its debug symbols, or use --debuginfod"},
	[REASON_OUTSIDE_SYMBOLS] = {"outside-symbols",
				    "The binary has symbols, but none covers the address.",
				    "install its debug symbols, or use --debuginfod"},
	[REASON_KERNEL_HIDDEN] =
		{"kernel-hidden",
		 "The kernel hides its addresses from this user (kernel.kptr_restrict).",
		 "run as root after: echo 0 > /proc/sys/kernel/kptr_restrict"},
	[REASON_KERNEL_OTHER] =
		{"kernel-other", "The running kernel is not the one that was recorded.",
		 "pass its vmlinux to --vmlinux, or a copy of its /proc/kallsyms to --kallsyms"},
	[REASON_VDSO_OTHER] =
		{"vdso-other",
		 "No build id was recorded for the vdso, and nothing proves that the running "
		 "kernel has the same one.",
		 "run readperf on the recorded machine under the same kernel, or record to a file "
		 "with build ids (perf record without -B, -z and --buildid-mmap)"},
	[REASON_JIT_MAP_MISSING] = {"jit-map-missing",
				    "The code was generated at run time, and there is neither a "
				    "perf map nor a jitdump of it.",
				    "make the runtime write one (node: --perf-basic-prof or "
				    "--perf-prof; java 17: -XX:+UnlockDiagnosticVMOptions "
				    "-XX:+DumpPerfMapAtExit; python 3.12: -X perf)"},
	[REASON_JIT_MAP_REFUSED] = {"jit-map-refused",
				    "The code was generated at run time, but its perf map cannot "
				    "be read, is a symbolic link or belongs to another user.",
				    "run as the owner of the map, or as root"},
	[REASON_GUEST] = {"guest", "The code ran in a guest whose symbols are not available.",
			  NULL},
	[REASON_NO_LINES] = {"no-lines", "For lines only: the binary has no line table.", NULL},
	[REASON_OUTSIDE_LINES] =
		{"outside-lines",
		 "For lines only: the binary's line table does not cover the address.", NULL},
	[REASON_NO_LINE] = {"no-line",
			    "For lines only: the compiler assigned the code to no source line.",
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
