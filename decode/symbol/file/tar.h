/*
 * Reads the entries of a tar archive in memory, one after the other.
 *
 * Formats: the old one, ustar, pax (POSIX.1-2017, pax, "ustar Interchange Format" and "pax Extended
 * Header") and GNU's (GNU tar manual, "Basic Tar Format") with long names and sizes in base 256.
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
	TAR_HARDLINK, /* another name of an earlier entry */
	TAR_SPARSE,   /* a file stored without its holes */
	TAR_OTHER,    /* a device, a FIFO, or not a file at all */
};

/** An entry. Its strings are valid until the next call of tar_next(). */
struct tar_entry {
	enum tar_kind kind;
	const char *path;      /* as stored; "" if it is too long for PATH_MAX */
	const char *link;      /* target of a link; "" if the header has none */
	uint64_t offset, size; /* of its content in the archive, in bytes */
	bool is_cut;	       /* its bytes reach past the end of the archive */
};

enum tar_state {
	TAR_READING,
	TAR_WHOLE,   /* the end mark was read */
	TAR_CUT,     /* the archive ends without the end mark */
	TAR_DAMAGED, /* a header or extension is not valid */
};

/** The state of reading an archive. */
struct tar {
	const uint8_t *bytes;
	uint64_t size, at;
	enum tar_state state;
	/* From extensions, which override the next header. */
	bool has_path, has_link, has_size, is_sparse;
	uint64_t next_size;
	char path[PATH_MAX], link[PATH_MAX];
};

/** Starts reading the @size bytes at @bytes, which must stay valid as long as @tar is used. */
void tar_start(struct tar *tar, const void *bytes, uint64_t size);

/** Reads the next entry. Returns false at the end, with the reason in tar->state. */
bool tar_next(struct tar *tar, struct tar_entry *entry);

#endif
