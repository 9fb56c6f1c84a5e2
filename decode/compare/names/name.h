/*
 * Names as they are compared: without what differs between versions, compilers and machines.
 *
 * Each name_of_*() function that takes @to writes the name there, with a NUL. The result is never
 * longer than @name, so @to must have room for a copy of @name.
 */
#ifndef READPERF_DECODE_COMPARE_NAMES_NAME_H
#define READPERF_DECODE_COMPARE_NAMES_NAME_H

#include <stdbool.h>

/**
 * An event without its modifier letters: "cycles:u" and "cycles:P" are "cycles", "cpu/mem/pp" is
 * "cpu/mem/". The modifier letters are those in perf-list(1).
 */
void name_of_event(char *to, const char *name);

/**
 * A function without the suffixes that compilers append to a part or a copy of it, in any number
 * and order: ".isra.0", ".constprop.1", ".part.2", ".cold", ".llvm.123", ".lto_priv.0",
 * ".localalias", ".__uniq.123" and the same as c++filt shows it, " [clone .cold]"; and without
 * Rust's hash: "::h0123456789abcdef", or "17h0123456789abcdefE" at the end of a mangled name. In
 * "CALLER -> CALLEE" that is so of both functions.
 */
void name_of_function(char *to, const char *name);

/** The part of @path after its last slash; a pointer into @path. */
const char *name_base(const char *path);

/**
 * The name by which binaries are paired: the base name, or "[jit]" for code made at run time, which
 * has no fixed name. For such code perf uses "perf-PID.map"
 * (tools/perf/Documentation/jit-interface.txt), "jit-PID.dump" (jitdump-specification.txt there),
 * or after perf inject --jit one "jitted-PID-NUMBER.so" per function (tools/perf/util/jitdump.c).
 * Returns a pointer into @path or to a constant.
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
 * Whether @binary, a name in a table, is kernel code: the kernel, a module, or another name in
 * brackets that no process maps. The name alone decides because a table has no cpumode, and a
 * recording must get the same result as its table.
 */
bool name_is_kernel(const char *binary);

/** Whether periods of the event @name are in ns: it is one of the clocks. */
bool name_is_time(const char *name);

#endif
