/*
 * Opening files whose names a stranger's recording chose: regular files only, never a wait.
 * Whatever else bears the name is not even opened. In "/proc/PID/root/..." links stay below the
 * root of that process, as they do for it.
 */
#ifndef READPERF_DECODE_SYMBOL_FILE_FILE_H
#define READPERF_DECODE_SYMBOL_FILE_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum file_status {
	FILE_OPEN,
	FILE_MISSING, /* nothing is there */
	FILE_DIRECTORY,
	FILE_UNREADABLE, /* something is, but it is no regular file or may not be read */
};

/**
 * Opens the regular file @path for reading, with the directory @root for the root (NULL: the
 * system's own); a device, FIFO, socket or directory is not opened, nor is what the kernel makes up
 * in /proc, /sys or a trace. On FILE_OPEN *@fd is for the caller to close.
 */
enum file_status file_open_in(const char *root, const char *path, int *fd);

/**
 * Sets @dir to the directory of the regular file @path, both seen from @root as for file_open_in(),
 * once symbolic links are followed. Returns false if that cannot be found out.
 */
bool file_real_directory(const char *root, const char *path, char dir[PATH_MAX]);

/**
 * Reads all of the regular file @path, of whatever size fstat() claims, up to @limit bytes.
 *
 * @return its bytes, NUL-terminated, with the number before the NUL in *@size, for the caller to
 * free; NULL with *@status set if it cannot be read, and with FILE_OPEN there if memory is out.
 */
char *file_read(const char *path, size_t limit, size_t *size, enum file_status *status);

/** As file_read(), with the directory @root for the root; NULL: the system's own. */
char *file_read_in(const char *root, const char *path, size_t limit, size_t *size,
		   enum file_status *status);

/** As file_read() of the rest of the open file @fd, which stays open. */
char *file_read_rest(int fd, size_t limit, size_t *size, enum file_status *status);

/**
 * As file_read_in() for a file in a directory where anybody may put one, such as /tmp: no symbolic
 * link, and of this user or root (root takes anybody's). Else *@status is FILE_UNREADABLE.
 */
char *file_read_own(const char *root, const char *path, size_t limit, size_t *size,
		    enum file_status *status);

/** What tells whether a file was written since. All zero: not known. */
struct file_stamp {
	uint64_t device, inode, size; /* size in bytes */
	int64_t seconds, ns;	      /* of the last change */
};

/** The stamp of the open file @fd. */
struct file_stamp file_stamp_of(int fd);

/** As file_stamp_of() of what is at @path below @root as for file_open_in(), without opening it. */
struct file_stamp file_stamp_in(const char *root, const char *path);

/** Whether both are known and of the same file in the same state. */
bool file_stamp_same(const struct file_stamp *a, const struct file_stamp *b);

/**
 * Whether the file of @stamp, which was at @path below @root as for file_open_in(), was written or
 * cut since. One that is no longer there was not: what was opened stays as it is.
 */
bool file_has_changed(const char *root, const char *path, const struct file_stamp *stamp);

/** The bytes of a file that lie mapped in memory. */
struct file_bytes {
	void *bytes; /* NULL if there are none */
	size_t size;
};

/** Maps all of the open regular file @fd; false if it is empty or cannot be mapped. */
bool file_map(int fd, struct file_bytes *file);

/**
 * Maps all of the file @path below @root, of an owner as for file_read_own(). On FILE_OPEN
 * file_unmap() it.
 */
enum file_status file_map_own(const char *root, const char *path, struct file_bytes *file);

void file_unmap(struct file_bytes *file);

/**
 * The CRC-32 of all of @fd's file, as .gnu_debuglink gives it; false if it cannot be read, or has
 * more than 4 GiB: a sparse file costs no disk, but would be read for days.
 */
bool file_crc32(int fd, uint32_t *crc);

#endif
