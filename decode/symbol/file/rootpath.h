/*
 * Opening files below a directory that is used as the root: a copy of another machine's files, or a
 * container's root. Links in it, absolute or with "..", never lead out of it.
 */
#ifndef READPERF_DECODE_SYMBOL_FILE_ROOTPATH_H
#define READPERF_DECODE_SYMBOL_FILE_ROOTPATH_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/**
 * As open(2) for @path and @flags, with @root as the root directory. @path may start with '/' or
 * not. Returns the descriptor, or -1 with errno set.
 */
int rootpath_open(const char *root, const char *path, int flags);

/**
 * As rootpath_open() below the open directory @rootdir, one name after the other: for kernels
 * before 5.6, which lack openat2(2). Concurrent changes of the directories may mislead it.
 */
int rootpath_walk(int rootdir, const char *path, int flags);

/** As readlink(2). @path is seen from the root; only its last name may be a link. */
typedef ssize_t (*rootpath_read_link)(const void *arg, const char *path, char *target, size_t size);

/**
 * Resolves the links in @path, which may start with '/' or not, below a root whose links
 * @read_link(@arg) reads. @follows: also a link at the very end. Writes the result to @resolved,
 * seen from the root, without links, "." and ".."; "" is the root itself. Returns 0, or -1 with
 * errno set.
 */
int rootpath_resolve(const char *path, bool follows, rootpath_read_link read_link, const void *arg,
		     char resolved[PATH_MAX]);

#endif
