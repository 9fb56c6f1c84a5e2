/*
 * The files that may hold a binary or its debug information. Each that is tried is noted with its
 * fate. A file is used only if something proves that it belongs to the binary.
 */
#ifndef READPERF_DECODE_SYMBOL_FIND_CANDIDATE_H
#define READPERF_DECODE_SYMBOL_FIND_CANDIDATE_H

#include "decode/symbol/elf/elffile.h"
#include "decode/symbol/file/archive.h"
#include "decode/symbol/find/servers.h"
#include "decode/symbol/reason.h"
#include "util/intern.h"
#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What became of a candidate. */
enum fate {
	FATE_USED,
	FATE_NOT_NEEDED, /* the right one, but another one holds as much */
	FATE_MISSING,
	FATE_NO_ANSWER,	 /* of a debuginfod server */
	FATE_NO_LIBRARY, /* to ask one with */
	FATE_DIRECTORY,
	FATE_UNREADABLE, /* no regular file, or one that may not be read */
	FATE_NOT_ELF,
	FATE_TRUNCATED,
	FATE_OTHER_BUILD,
	FATE_OTHER_CHECKSUM,
	FATE_NO_CODE, /* a debug file that does not say where in its binary the code is */
	FATE_NO_SYMBOLS,
	FATE_UNPROVEN,	  /* kallsyms of a kernel that nothing shows to be the recorded one */
	FATE_UNRELOCATED, /* of the DWARF of a module alone: it is not read */
	FATE_HIDDEN,	  /* kallsyms in which all addresses are 0 */
	FATE_SPARSE,	  /* an entry of an archive that lacks the file's holes */
	FATE_NR
};

struct candidate {
	const char *rule; /* why it was looked at: "recorded-path", ...; a constant */
	const char *root; /* the directory that stands for the root, NULL for the system's */
	const char *path; /* kept in the candidates' strings */
	enum fate fate;
};

enum { CANDIDATES_KNOWN = 4 };

/** All zero but for `strings`, `archive` and `known`, which are borrowed. */
struct candidates {
	struct candidate *list; /* in the order in which they were tried */
	size_t nr, room;
	struct intern *strings;
	const struct archive *archive; /* that paths may lead into; or NULL */
	/* Open files: one that is found again is not read again. NULL among them is fine. */
	struct elffile *known[CANDIDATES_KNOWN];
};

/**
 * What proves that a file belongs to the binary. Without a build id and a checksum the file at the
 * path is believed to be the one.
 */
struct proof {
	const uint8_t *build_id;
	size_t build_id_len;
	bool is_alternate;   /* the build id is one that link_alternate() gave */
	const uint32_t *crc; /* of all of the file; asked for where no build id is known. Or NULL */
};

/** Adds a candidate with @fate, to be seen in symbol_origin. Returns -1 if memory is out. */
int candidates_add(struct candidates *tried, const char *rule, const char *root, const char *path,
		   enum fate fate);

/** Adds all of @others. Returns -1 if memory is out. */
int candidates_append(struct candidates *tried, const struct candidates *others);

/** True if @path below @root was tried before. */
bool candidates_have(const struct candidates *tried, const char *root, const char *path);

/**
 * Opens the file @path below @root and adds it as a candidate; one that is proven is returned, for
 * the caller to close, with FATE_USED. A packed one (see unpack.h) is unpacked in memory. NULL,
 * with its fate added, if it cannot be used, or with *@nomem set if memory is out.
 */
struct elffile *candidates_open(struct candidates *tried, const char *rule, const char *root,
				const char *path, const struct proof *proof, bool *nomem);

/** As candidates_open() for the file of @kind that the servers have, by the build id of @proof. */
struct elffile *candidates_fetch(struct candidates *tried, struct servers *servers,
				 enum servers_kind kind, const struct proof *proof, bool *nomem);

/**
 * Looks for @path, as the system knows it, in @tried's archive. Returns FATE_USED with the file's
 * @bytes, which live as long as the archive; FATE_NR if @path does not lead into the archive; else
 * why what is there cannot be used.
 */
enum fate candidates_find_archived(const struct candidates *tried, const char *path,
				   struct span *bytes);

/** What a file holds; a higher sum is better. */
enum { HAS_DWARF = 1, HAS_SYMTAB = 2, HAS_ALL = 3 };

/** What @file holds, the sum of these; 0 without a file. */
unsigned candidate_info(const struct elffile *file);

/** Forgets the last candidate if it is no file. */
void candidates_forget_absent(struct candidates *tried);

/** Why names are missing: what the first file says that is there but cannot be used. */
enum reason candidates_reason(const struct candidates *tried);

/**
 * "PATH: WHY; PATH: WHY" of all that are not used; kept in the strings. NULL if memory is out.
 */
const char *candidates_refused(const struct candidates *tried);

/** The path of @candidate as the system knows it, kept in @strings; NULL if memory is out. */
const char *candidate_path(const struct candidate *candidate, struct intern *strings);

void candidates_free(struct candidates *tried);

#endif
