/*
 * Safe opening of files whose paths come from an untrusted recording: opens only regular files and
 * never blocks. In "/proc/PID/root/..." links stay below the root of that process, as they do for
 * the process.
 */
#ifndef READPERF_DECODE_SYMBOL_FILE_FILE_H
#define READPERF_DECODE_SYMBOL_FILE_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum file_status {
	FILE_OPEN,
	FILE_MISSING, /* no such file */
	FILE_DIRECTORY,
	FILE_UNREADABLE, /* exists, but is not a regular file or cannot be read */
	/* It may be all right, but the system could not open or read it: */
	FILE_NO_DESCRIPTOR, /* too many files are open */
	FILE_NO_MEMORY,
	FILE_DEFECTIVE, /* input/output error */
};

/**
 * Opens the regular file @path for reading, seen from the directory @root (NULL: the system's
 * root). Does not open a device, FIFO, socket or directory, nor a file that the kernel generates in
 * /proc, /sys or a trace. On FILE_OPEN the caller closes *@fd, else it is -1.
 */
enum file_status file_open_in(const char *root, const char *path, int *fd);

/**
 * Sets @dir to the directory of the regular file @path after following symbolic links, both seen
 * from @root as for file_open_in(). Returns false if it cannot be found out.
 */
bool file_real_directory(const char *root, const char *path, char dir[PATH_MAX]);

/**
 * Reads all of the regular file @path, even if fstat() gives too small a size, as in /proc.
 *
 * @return its bytes, NUL-terminated, for the caller to free, with the number before the NUL in
 * *@size; NULL with *@status set if it cannot be read or has more than @limit bytes, and with
 * FILE_OPEN there if memory is out.
 */
char *file_read(const char *path, size_t limit, size_t *size, enum file_status *status);

/** As file_read(), with @path seen from the directory @root (NULL: the system's root). */
char *file_read_in(const char *root, const char *path, size_t limit, size_t *size,
		   enum file_status *status);

/** As file_read() for the rest of the open file @fd, which stays open. */
char *file_read_rest(int fd, size_t limit, size_t *size, enum file_status *status);

/**
 * As file_read_in() for a file in a directory where anybody may create one, such as /tmp: it must
 * not be a symbolic link, and this user or root must own it (root accepts any owner). Otherwise
 * *@status is FILE_UNREADABLE.
 */
char *file_read_own(const char *root, const char *path, size_t limit, size_t *size,
		    enum file_status *status);

/** Identity and state of a file, for detecting changes. All zero: unknown. */
struct file_stamp {
	uint64_t device, inode, size; /* size in bytes */
	int64_t seconds, ns;	      /* time of the last modification */
	int64_t changed; /* ns since 1970: its content, its owner or one of its names changed */
};

/** Returns the stamp of the open file @fd; all zero on error. */
struct file_stamp file_stamp_of(int fd);

/** As file_stamp_of() for @path, seen from @root as for file_open_in(), without opening it. */
struct file_stamp file_stamp_in(const char *root, const char *path);

/** True if both are known and show the same file in the same state. */
bool file_stamp_same(const struct file_stamp *a, const struct file_stamp *b);

/**
 * True if the file of @stamp, at @path seen from @root as for file_open_in(), was written or
 * truncated since. False if that file is no longer there: an opened one stays as it is.
 */
bool file_has_changed(const char *root, const char *path, const struct file_stamp *stamp);

/** The bytes of a file, mapped into memory. */
struct file_bytes {
	void *bytes; /* NULL if there are none */
	size_t size;
};

/**
 * Maps all of the open regular file @fd, until file_unmap(). Returns false if it is empty or cannot
 * be mapped.
 */
bool file_map(int fd, struct file_bytes *file);

/**
 * Maps all of the file @path, seen from @root, under the conditions of file_read_own(). On
 * FILE_OPEN the caller must call file_unmap().
 */
enum file_status file_map_own(const char *root, const char *path, struct file_bytes *file);

void file_unmap(struct file_bytes *file);

/**
 * Sets *@crc to the CRC-32 of all of @fd's file, as stored in .gnu_debuglink. Returns false if it
 * cannot be read or has more than 4 GiB: a sparse file takes no disk space, but days to read.
 */
bool file_crc32(int fd, uint32_t *crc);

#endif
