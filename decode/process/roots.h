/*
 * Processes whose root directory is not ours: processes in containers.
 *
 * The user gives the root of a process, which its children inherit. Otherwise it is found: the
 * recording has the mount namespace of a process (perf record --namespaces), and /proc/PID/root
 * shows its files while it still runs in that namespace, else that of another process there.
 */
#ifndef READPERF_DECODE_PROCESS_ROOTS_H
#define READPERF_DECODE_PROCESS_ROOTS_H

#include "perffile/record.h"
#include "util/error.h"
#include "util/index.h"
#include "util/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Files of process @pid and its children are below @dir. */
struct given_root {
	uint32_t pid;
	const char *dir;
};

/** Roots that the user gives. All zero is empty. */
struct given_roots {
	struct given_root *list;
	size_t nr, room;
};

/**
 * Adds "PID=DIR"; @arg must outlive @given. Returns 0, or -1 with @err filled: ERROR_USAGE if @arg
 * is malformed or DIR is not a directory.
 */
int roots_given_add(struct given_roots *given, const char *arg, struct error *err);

void roots_given_free(struct given_roots *given);

/**
 * Roots of a process, as numbers in the strings; 0: ours. It found files below the first one, of
 * its namespace, if it mapped them before it went to its own by chroot(2), as servers do.
 */
struct root_pair {
	uint32_t own, first;
	bool is_lost; /* it is in a mount namespace of which no process is left: not ours */
};

/** The roots of a process, or those that were found last in a mount namespace. */
struct root_entry {
	uint64_t key; /* the pid, or the inode */
	struct root_pair pair;
	bool given; /* given by the user: it does not change */
};

/** Root entries by key. */
struct root_map {
	struct root_entry *entries;
	size_t room;
	struct index by_key;
};

/** All zero is empty. */
struct roots {
	struct root_map processes, namespaces;
	uint64_t own_namespace; /* inode of our mount namespace; 0: unknown so far */
	struct intern strings;	/* the directories: those that the user gave come first */
	uint32_t last_given;	/* number of the last directory that the user gave; 0: none */
};

/** Initializes @roots with the roots that the user gave. Returns false if memory is out. */
bool roots_init(struct roots *roots, const struct given_roots *given);

/** Applies FORK and NAMESPACES; ignores other records. Returns false if memory is out. */
bool roots_apply(struct roots *roots, const struct record *rec);

/** Returns the number of the root of process @pid; 0: our root. @roots may be NULL. */
uint32_t roots_find(const struct roots *roots, uint32_t pid);

/**
 * Returns the number of the root below which process @pid has mapped the file @path: its own, or
 * the first one of its namespace if the file is only there.
 */
uint32_t roots_find_file(const struct roots *roots, uint32_t pid, const char *path);

/** Whether process @pid has files of its own, in a container, and none of its processes runs. */
bool roots_is_lost(const struct roots *roots, uint32_t pid);

/** Whether the user gave the root of this very process, which must have one. */
bool roots_is_given(const struct roots *roots, uint32_t pid);

/** Whether the user gave the directory of root @number; otherwise it was found. */
static inline bool roots_is_named(const struct roots *roots, uint32_t number)
{
	return number <= roots->last_given;
}

/** The directory of root @number. */
static inline const char *roots_dir(const struct roots *roots, uint32_t number)
{
	return intern_get(&roots->strings, number);
}

void roots_free(struct roots *roots);

#endif
