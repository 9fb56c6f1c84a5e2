/* Names of kernel modules and paths of their files. */
#ifndef READPERF_DECODE_SYMBOL_KERNEL_MODNAME_H
#define READPERF_DECODE_SYMBOL_KERNEL_MODNAME_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/**
 * Writes the name of the module recorded as @path to @name: "snd-pcm" for
 * "/lib/modules/.../snd-pcm.ko.xz", "snd_pcm" for "[snd_pcm]", "bpf" for a BPF program. Cut to
 * @size bytes, with the NUL.
 */
void modname_of(const char *path, char *name, size_t size);

/** As strcmp() for module names, in which '-' and '_' are equal. */
int modname_compare(const char *a, const char *b);

/**
 * Looks up the module recorded as @recorded in modules.dep (modules.dep(5)) of the kernel @release,
 * below @root (NULL: the system's root).
 *
 * @return 0 with its absolute path in @path, "" if it is not there; -1 if memory is out.
 */
int modname_find_path(const char *root, const char *release, const char *recorded,
		      char path[PATH_MAX]);

#endif
