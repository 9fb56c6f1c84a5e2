/*
 * Names as comparisons take them: without what differs between versions, compilers and machines.
 *
 * Each function writes the name that is compared to @to, which has room for @name; it is never
 * longer than that, and ends with a NUL.
 */
#ifndef READPERF_DECODE_COMPARE_NAMES_NAME_H
#define READPERF_DECODE_COMPARE_NAMES_NAME_H

#include <stdbool.h>

/**
 * An event without its modifier letters: "cycles:u" and "cycles:P" are "cycles", "cpu/mem/pp" is
 * "cpu/mem/". The letters are those of perf-list(1).
 */
void name_of_event(char *to, const char *name);

/**
 * A function without what compilers append to a part or a copy of it, in any number and order:
 * ".isra.0", ".constprop.1", ".part.2", ".cold", ".llvm.123", ".lto_priv.0", ".localalias",
 * ".__uniq.123" and the same as c++filt shows it, " [clone .cold]"; and without Rust's hash:
 * "::h0123456789abcdef", or "17h0123456789abcdefE" at the end of a linker's name.
 */
void name_of_function(char *to, const char *name);

/** What follows the last slash. A pointer into @path. */
const char *name_base(const char *path);

/**
 * The name by which binaries are paired: the base name, or "[jit]" for code made at run time, which
 * has no name of its own. perf takes it from "perf-PID.map"
 * (tools/perf/Documentation/jit-interface.txt), from "jit-PID.dump" (jitdump-specification.txt
 * there), or as perf inject --jit writes it, each function in its own "jitted-PID-NUMBER.so"
 * (tools/perf/util/jitdump.c). A pointer into @path or to a constant.
 */
const char *name_of_code(const char *path);

/**
 * A binary by its base name without version: "libc-2.36.so", "libc-2.37.so" and "libc.so.6" become
 * "libc.so", "python3.11" becomes "python" and "gcc-12" "gcc". "bzip2" and "cc1" stay: a single
 * number without a dot or a dash belongs to the name. All names of the kernel become "vmlinux", and
 * "ext4.ko.xz" becomes the module "[ext4]".
 */
void name_of_binary(char *to, const char *name);

/**
 * Whether @binary, as a table has it, is the kernel's code: the kernel, a module, or another name
 * in brackets that no process maps. A table does not say in which mode a sample was taken, and a
 * recording must be judged as its table is.
 */
bool name_is_kernel(const char *binary);

/** Whether the event @name counts ns: one of the clocks. */
bool name_is_time(const char *name);

#endif
