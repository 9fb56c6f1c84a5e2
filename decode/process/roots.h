/*
 * Processes that have another root directory than ours: those of containers.
 *
 * The user gives the root of a process, which its children inherit. Or it is found: the recording
 * tells the mount namespace of a process (perf record --namespaces), and a process that still runs
 * there shows its files in /proc/PID/root.
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

/** Roots that the user gives. All zero has none. */
struct given_roots {
	struct given_root *list;
	size_t nr, room;
};

/**
 * Adds "PID=DIR"; @arg must live as long. Returns 0, or -1 with @err filled: ERROR_USAGE if it is
 * not that or DIR is no directory.
 */
int roots_given_add(struct given_roots *given, const char *arg, struct error *err);

void roots_given_free(struct given_roots *given);

/** A process with a root, or a namespace with one: @key is its pid, or its inode. */
struct root_entry {
	uint64_t key;
	uint32_t root; /* number in the strings; 0: ours */
	bool given;    /* by the user: nothing changes it */
};

/** Entries by key. */
struct root_map {
	struct root_entry *entries;
	size_t room;
	struct index by_key;
};

/** All zero has none. */
struct roots {
	struct root_map processes, namespaces;
	uint64_t own_namespace; /* inode of our mount namespace; 0: not known yet */
	struct intern strings;	/* the directories: first those that the user gave */
	uint32_t last_given;	/* number of the last of these; 0: there is none */
};

/** Takes over what the user gave. Returns false if memory is out. */
bool roots_init(struct roots *roots, const struct given_roots *given);

/** Follows FORK and NAMESPACES; any other record is fine, too. False: memory is out. */
bool roots_apply(struct roots *roots, const struct record *rec);

/** The number of the root of process @pid: 0 if it is ours. @roots may be NULL. */
uint32_t roots_find(const struct roots *roots, uint32_t pid);

/** True if the user gave the root of this very process, which has one. */
bool roots_is_given(const struct roots *roots, uint32_t pid);

/** True if the user named the directory of root @number; else it was found. */
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
