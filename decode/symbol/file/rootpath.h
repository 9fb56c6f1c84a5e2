/*
 * Files below a directory that stands for the root of another system: of another machine's files,
 * of a container. A link in it, absolute or with "..", never leads out of it.
 */
#ifndef READPERF_DECODE_SYMBOL_FILE_ROOTPATH_H
#define READPERF_DECODE_SYMBOL_FILE_ROOTPATH_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/**
 * As open(@path, @flags) of open(2), with @root for the root directory. @path may start with '/' or
 * not. Returns the descriptor, or -1 with errno set.
 */
int rootpath_open(const char *root, const char *path, int flags);

/**
 * The same below the open directory @rootdir, one name after the other: for kernels before 5.6,
 * which lack openat2(2). What changes meanwhile may mislead it.
 */
int rootpath_walk(int rootdir, const char *path, int flags);

/** As readlink(2) for @path, seen from the root, which has no links but perhaps its last name. */
typedef ssize_t (*rootpath_read_link)(const void *arg, const char *path, char *target, size_t size);

/**
 * Follows the links in @path (@follows: one at its very end, too), which may start with '/' or not,
 * below a root that @read_link(@arg) knows, and writes to @resolved where it leads: without links,
 * "." and "..", seen from the root;
 * "" is the root itself. Returns 0, or -1 with errno set.
 */
int rootpath_resolve(const char *path, bool follows, rootpath_read_link read_link, const void *arg,
		     char resolved[PATH_MAX]);

#endif
