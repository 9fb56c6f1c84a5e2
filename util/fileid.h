/*
 * The identity of a file, whatever its path: device, inode and, since inode numbers are reused, the
 * inode's generation.
 */
#ifndef READPERF_UTIL_FILEID_H
#define READPERF_UTIL_FILEID_H

#include <stdbool.h>
#include <stdint.h>

/** All zero: unknown. A generation of 0 may mean unknown. */
struct file_id {
	uint32_t maj, min; /* device numbers */
	uint64_t ino, generation;
};

static inline bool file_id_known(const struct file_id *id)
{
	return id->maj || id->min || id->ino;
}

static inline bool file_id_same(const struct file_id *a, const struct file_id *b)
{
	return a->ino == b->ino && a->generation == b->generation && a->min == b->min &&
	       a->maj == b->maj;
}

#endif
