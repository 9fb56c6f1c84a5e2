/* The kernel's modules: what they are called, and where their files lie. */
#ifndef READPERF_DECODE_SYMBOL_KERNEL_MODNAME_H
#define READPERF_DECODE_SYMBOL_KERNEL_MODNAME_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/**
 * Writes the name of the module that was recorded as @path: "/lib/modules/.../snd-pcm.ko.xz" and
 * "[snd_pcm]" are snd-pcm and snd_pcm, a BPF program is of the module "bpf". Cut to @size bytes.
 */
void modname_of(const char *path, char *name, size_t size);

/** As strcmp() of the names of modules, in which '-' and '_' are the same. */
int modname_compare(const char *a, const char *b);

/**
 * Looks in modules.dep (modules.dep(5)) of the kernel @release, below @root (NULL: the system's),
 * for the module that was recorded as @recorded.
 *
 * @return 0 with its absolute path in @path, "" if it is not there; -1 if memory is out.
 */
int modname_find_path(const char *root, const char *release, const char *recorded,
		      char path[PATH_MAX]);

#endif
