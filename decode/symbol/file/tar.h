/*
 * The entries of a tar archive that lies in memory, one after the other.
 *
 * Understood are the old format, ustar, pax (POSIX.1-2017, pax, "ustar Interchange Format" and "pax
 * Extended Header") and GNU's (GNU tar manual, "Basic Tar Format"): long names, sizes in base 256.
 */
#ifndef READPERF_DECODE_SYMBOL_FILE_TAR_H
#define READPERF_DECODE_SYMBOL_FILE_TAR_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tar_kind {
	TAR_FILE,
	TAR_DIRECTORY,
	TAR_SYMLINK,
	TAR_HARDLINK, /* another name of an entry before it */
	TAR_SPARSE,   /* a file with its holes left out */
	TAR_OTHER,    /* a device, a FIFO, what is no file at all */
};

/** The strings live until the next entry is taken. */
struct tar_entry {
	enum tar_kind kind;
	const char *path;      /* as written; "" if it is longer than any path */
	const char *link;      /* what a link leads to; "" for all else */
	uint64_t offset, size; /* of its bytes in the archive */
	bool is_cut;	       /* the archive ends before they do */
};

enum tar_state {
	TAR_READING,
	TAR_WHOLE,   /* the mark of the end was met */
	TAR_CUT,     /* the archive ends without it */
	TAR_DAMAGED, /* what stands there is no header */
};

/** How far an archive has been read. */
struct tar {
	const uint8_t *bytes;
	uint64_t size, at;
	enum tar_state state;
	/* What stands before a header to overrule it. */
	bool has_path, has_link, has_size, is_sparse;
	uint64_t next_size;
	char path[PATH_MAX], link[PATH_MAX];
};

/** Starts at the first of the @size bytes at @bytes, which must live as long. */
void tar_start(struct tar *tar, const void *bytes, uint64_t size);

/** Takes the next entry; false at the end, with tar->state saying why it is there. */
bool tar_next(struct tar *tar, struct tar_entry *entry);

#endif
