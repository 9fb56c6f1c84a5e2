/*
 * The files that may hold a binary or its debug information. Each file tried is listed with its
 * fate. A file is used only if there is proof that it belongs to the binary.
 */
#ifndef READPERF_DECODE_SYMBOL_FIND_CANDIDATE_H
#define READPERF_DECODE_SYMBOL_FIND_CANDIDATE_H

#include "decode/symbol/elf/elffile.h"
#include "decode/symbol/file/archive.h"
#include "decode/symbol/file/file.h"
#include "decode/symbol/find/servers.h"
#include "decode/symbol/reason.h"
#include "util/fileid.h"
#include "util/intern.h"
#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What became of a candidate. */
enum fate {
	FATE_USED,
	FATE_NOT_NEEDED, /* the right one, but another has the same information or more */
	FATE_MISSING,
	FATE_NO_ANSWER,	 /* from a debuginfod server */
	FATE_NO_LIBRARY, /* libdebuginfod is missing */
	FATE_DIRECTORY,
	FATE_UNREADABLE,    /* not a regular file, or no permission */
	FATE_NO_DESCRIPTOR, /* too many files were open */
	FATE_NO_MEMORY,
	FATE_DEFECTIVE, /* input/output error */
	FATE_EMPTY,
	FATE_NOT_ELF,
	FATE_TRUNCATED,
	FATE_OTHER_BUILD,
	FATE_OTHER_CHECKSUM,
	FATE_NO_CODE, /* a debug file without the addresses of its binary's code */
	FATE_NO_SYMBOLS,
	FATE_UNPROVEN,	   /* kallsyms of a kernel that may not be the recorded one */
	FATE_OTHER_KERNEL, /* kallsyms of a kernel that cannot be the recorded one */
	FATE_UNRELOCATED,  /* a module whose DWARF cannot be relocated and is not read */
	FATE_HIDDEN,	   /* kallsyms with all addresses 0 */
	FATE_SPARSE,	   /* a sparse file in an archive; its holes are not restored */
	FATE_NR
};

struct candidate {
	const char *rule; /* why it was tried: "recorded-path", ...; static */
	const char *root; /* root directory for the path, NULL for the system's; borrowed */
	const char *path; /* in the candidates' strings */
	enum fate fate;
};

enum { CANDIDATES_KNOWN = 4 };

/** All zero but `strings`, `archive` and `known`, which are borrowed. */
struct candidates {
	struct candidate *list; /* in the order they were tried */
	size_t nr, room;
	struct intern *strings;
	const struct archive *archive; /* archive that paths may lead into; or NULL */
	/* Open files, any may be NULL. If one is found again, it is shared instead of read
	 * again. */
	struct elffile *known[CANDIDATES_KNOWN];
};

/**
 * What proves that a file belongs to the binary. Without a build id, identity and checksum, any
 * file at the path is accepted.
 */
struct proof {
	const uint8_t *build_id;
	size_t build_id_len;
	bool is_alternate; /* the build id comes from link_alternate() */
	/* Checked if build_id_len is 0; or NULL. */
	const struct file_id *id; /* device and inode */
	const uint32_t *crc;	  /* CRC-32 of the whole file */
};

/**
 * Adds a candidate with @fate, which symbol_origin may report. @path is copied; @rule and @root are
 * borrowed. Returns -1 if memory is out.
 */
int candidates_add(struct candidates *tried, const char *rule, const char *root, const char *path,
		   enum fate fate);

/** Adds all of @others. Returns -1 if memory is out. */
int candidates_append(struct candidates *tried, const struct candidates *others);

/** What becomes of a file that was not opened; FATE_USED for FILE_OPEN. */
enum fate candidate_fate(enum file_status status);

/** True if @path below @root was tried before. */
bool candidates_have(const struct candidates *tried, const char *root, const char *path);

/**
 * Opens the file @path below @root and adds it as a candidate. A compressed file (see unpack.h) is
 * unpacked in memory.
 *
 * @return the file if it is proven (FATE_USED), owned by the caller; NULL if it cannot be used, for
 * the reason in its fate, or with *@nomem set if memory is out.
 */
struct elffile *candidates_open(struct candidates *tried, const char *rule, const char *root,
				const char *path, const struct proof *proof, bool *nomem);

/** As candidates_open() for the file of @kind that the servers have for @proof's build id. */
struct elffile *candidates_fetch(struct candidates *tried, struct servers *servers,
				 enum servers_kind kind, const struct proof *proof, bool *nomem);

/**
 * Looks for @path, a path of this system, in @tried's archive. Returns FATE_USED with the file's
 * @bytes, valid as long as the archive; FATE_NR if @path does not lead into the archive; else why
 * the entry cannot be used.
 */
enum fate candidates_find_archived(const struct candidates *tried, const char *path,
				   struct span *bytes);

/** What a file has; a higher sum is better. */
enum { HAS_DWARF = 1, HAS_SYMTAB = 2, HAS_ALL = 3 };

/** Returns what @file has, as a sum of HAS_*; 0 if it is NULL. */
unsigned candidate_info(const struct elffile *file);

/** Removes the last candidate if it is missing or a directory. */
void candidates_forget_absent(struct candidates *tried);

/** Removes the last candidate, which was not opened. */
void candidates_forget_last(struct candidates *tried);

/**
 * Returns why names are missing: the reason for the first file that exists but cannot be used, else
 * REASON_FILE_MISSING.
 */
enum reason candidates_reason(const struct candidates *tried);

/**
 * Returns "PATH: WHY; PATH: WHY" for all candidates that are not used, kept in their strings. NULL
 * if memory is out.
 */
const char *candidates_refused(const struct candidates *tried);

/** Returns the path of @candidate including its root, kept in @strings; NULL if memory is out. */
const char *candidate_path(const struct candidate *candidate, struct intern *strings);

/** Frees the list, but not the strings and the known files. */
void candidates_free(struct candidates *tried);

#endif
