#include "decode/symbol/file/file.h"

#include "decode/symbol/file/rootpath.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum {
	FIRST_BYTES = 64 * 1024,
	PROCESS_ROOT = 32, /* bytes of "/proc/PID/root" */
	/* O_NONBLOCK: should it have become a FIFO since, opening must not wait for its writer. */
	READ_FLAGS = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY,
};

/* What is asked of a file before it is opened, besides being regular. */
enum demand {
	DEMAND_NONE,
	DEMAND_STORED, /* it lies in memory or on a disk: the kernel does not make it up */
	DEMAND_OWN,    /* as for file_read_own() */
};

/*
 * Files that the kernel makes up call themselves regular, too, but reading may do something: it
 * takes messages out of /proc/kmsg and events out of a trace. None of them is a binary.
 */
static bool is_stored(int fd)
{
	static const unsigned made_up[] = {PROC_SUPER_MAGIC, SYSFS_MAGIC, TRACEFS_MAGIC,
					   DEBUGFS_MAGIC};
	struct statfs st;

	if (fstatfs(fd, &st) < 0)
		return false;
	for (size_t i = 0; i < sizeof(made_up) / sizeof(made_up[0]); i++) {
		if ((unsigned)st.f_type == made_up[i])
			return false;
	}
	return true;
}

static bool is_own(const struct stat *st)
{
	const uid_t self = geteuid();

	return self == 0 || st->st_uid == self || st->st_uid == 0;
}

/*
 * The part of @path behind "/proc/PID/root", which goes to @root: the root of a process, whose
 * links must not lead into ours. NULL if it begins otherwise.
 */
static const char *split_process_root(const char *path, char root[PROCESS_ROOT])
{
	unsigned pid;
	int len = 0;

	/* NOLINTNEXTLINE(cert-err34-c): nine digits fit */
	if (sscanf(path, "/proc/%9u/root%n", &pid, &len) != 1 || len == 0 || path[len] != '/')
		return NULL;
	snprintf(root, PROCESS_ROOT, "%.*s", len, path);
	return path + len;
}

/* As open(), @path being seen from @root; NULL: the running system's. */
static int open_below(const char *root, const char *path, int flags)
{
	char process[PROCESS_ROOT];
	const char *behind = root ? NULL : split_process_root(path, process);

	if (behind)
		return rootpath_open(process, behind, flags);
	return root ? rootpath_open(root, path, flags) : open(path, flags);
}

static enum file_status judge(int fd, enum demand demand)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return FILE_UNREADABLE;
	if (S_ISDIR(st.st_mode))
		return FILE_DIRECTORY;
	if (!S_ISREG(st.st_mode) || (demand == DEMAND_OWN && !is_own(&st)) ||
	    (demand == DEMAND_STORED && !is_stored(fd)))
		return FILE_UNREADABLE;
	return FILE_OPEN;
}

/* Opens for reading what @place, an O_PATH descriptor, stands for; without /proc by its path. */
static int open_place(int place, const char *root, const char *path, int flags)
{
	char link[64];
	int fd;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", place);
	fd = open(link, READ_FLAGS);
	if (fd < 0 && errno == ENOENT)
		fd = open_below(root, path, READ_FLAGS | flags);
	return fd;
}

/*
 * @root: NULL for the running system's. What a file is must be known before it is opened: opening
 * is enough to have some devices do something.
 */
static enum file_status open_regular(const char *root, const char *path, enum demand demand,
				     int *fd)
{
	const int flags = demand == DEMAND_OWN ? O_NOFOLLOW : 0;
	const int place = open_below(root, path, O_PATH | O_CLOEXEC | flags);
	enum file_status status;

	*fd = -1;
	if (place < 0)
		return errno == ENOENT || errno == ENOTDIR ? FILE_MISSING : FILE_UNREADABLE;
	status = judge(place, demand);
	if (status == FILE_OPEN) {
		*fd = open_place(place, root, path, flags);
		status = *fd < 0 ? FILE_UNREADABLE : judge(*fd, demand);
	}
	close(place);
	if (status != FILE_OPEN && *fd >= 0) {
		close(*fd);
		*fd = -1;
	}
	return status;
}

enum file_status file_open_in(const char *root, const char *path, int *fd)
{
	return open_regular(root, path, DEMAND_STORED, fd);
}

struct file_stamp file_stamp_of(int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return (struct file_stamp){0};
	return (struct file_stamp){
		.device = st.st_dev,
		.inode = st.st_ino,
		.size = (uint64_t)st.st_size,
		.seconds = st.st_mtim.tv_sec,
		.ns = st.st_mtim.tv_nsec,
	};
}

struct file_stamp file_stamp_in(const char *root, const char *path)
{
	struct file_stamp stamp = {0};
	const int place = open_below(root, path, O_PATH | O_CLOEXEC);

	if (place < 0)
		return stamp;
	stamp = file_stamp_of(place);
	close(place);
	return stamp;
}

bool file_stamp_same(const struct file_stamp *a, const struct file_stamp *b)
{
	return a->inode != 0 && a->device == b->device && a->inode == b->inode &&
	       a->size == b->size && a->seconds == b->seconds && a->ns == b->ns;
}

bool file_has_changed(const char *root, const char *path, const struct file_stamp *stamp)
{
	struct file_stamp now;
	int fd;

	if (file_open_in(root, path, &fd) != FILE_OPEN)
		return false;
	now = file_stamp_of(fd);
	close(fd);
	return now.device == stamp->device && now.inode == stamp->inode &&
	       (now.size != stamp->size || now.seconds != stamp->seconds || now.ns != stamp->ns);
}

/* Where @fd's file lies, as the kernel says; false if it does not say. */
static bool path_of(int fd, char path[PATH_MAX])
{
	char link[64];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	/* NOLINTNEXTLINE(readability-suspicious-call-argument): the link leads to the path */
	len = readlink(link, path, PATH_MAX - 1);
	if (len <= 0 || path[0] != '/')
		return false;
	path[len] = '\0';
	return true;
}

bool file_real_directory(const char *root, const char *path, char dir[PATH_MAX])
{
	char above[PATH_MAX] = "";
	bool is_known;
	size_t len;
	int fd;

	if (open_regular(root, path, DEMAND_STORED, &fd) != FILE_OPEN)
		return false;
	is_known = path_of(fd, dir) && (!root || realpath(root, above));
	close(fd);
	if (!is_known)
		return false;
	*strrchr(dir, '/') = '\0';
	len = strcmp(above, "/") == 0 ? 0 : strlen(above);
	if (strncmp(dir, above, len) != 0 || (dir[len] != '/' && dir[len] != '\0'))
		return false;
	memmove(dir, dir + len, strlen(dir + len) + 1);
	return true;
}

/* Reads until the end of the file; the size of a file of /proc or /sys is not known before. */
char *file_read_rest(int fd, size_t limit, size_t *size, enum file_status *status)
{
	size_t room = FIRST_BYTES, used = 0;
	char *bytes;

	/* Not to read all of @limit for nothing: a hole costs its maker none of that. */
	if (file_stamp_of(fd).size > limit) {
		*status = FILE_UNREADABLE;
		return NULL;
	}
	bytes = malloc(room + 1);
	*status = FILE_OPEN;
	while (bytes) {
		ssize_t got = read(fd, bytes + used, room - used);
		char *grown;

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 || used + (size_t)got > limit) {
			*status = FILE_UNREADABLE;
			break;
		}
		if (got == 0) {
			bytes[used] = '\0';
			*size = used;
			return bytes;
		}
		used += (size_t)got;
		if (used < room)
			continue;
		room *= 2;
		grown = realloc(bytes, room + 1);
		if (!grown)
			break;
		bytes = grown;
	}
	free(bytes);
	return NULL;
}

static char *read_regular(const char *root, const char *path, enum demand demand, size_t limit,
			  size_t *size, enum file_status *status)
{
	char *bytes;
	int fd;

	*status = open_regular(root, path, demand, &fd);
	if (*status != FILE_OPEN)
		return NULL;
	bytes = file_read_rest(fd, limit, size, status);
	close(fd);
	return bytes;
}

char *file_read(const char *path, size_t limit, size_t *size, enum file_status *status)
{
	return read_regular(NULL, path, DEMAND_NONE, limit, size, status);
}

char *file_read_in(const char *root, const char *path, size_t limit, size_t *size,
		   enum file_status *status)
{
	return read_regular(root, path, DEMAND_NONE, limit, size, status);
}

char *file_read_own(const char *root, const char *path, size_t limit, size_t *size,
		    enum file_status *status)
{
	return read_regular(root, path, DEMAND_OWN, limit, size, status);
}

bool file_map(int fd, struct file_bytes *file)
{
	struct stat st;
	void *bytes;

	*file = (struct file_bytes){0};
	if (fstat(fd, &st) < 0 || st.st_size <= 0 || (uintmax_t)st.st_size > SIZE_MAX)
		return false;
	bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return false;
	*file = (struct file_bytes){bytes, (size_t)st.st_size};
	return true;
}

enum file_status file_map_own(const char *root, const char *path, struct file_bytes *file)
{
	enum file_status status;
	int fd;

	*file = (struct file_bytes){0};
	status = open_regular(root, path, DEMAND_OWN, &fd);
	if (status != FILE_OPEN)
		return status;
	if (!file_map(fd, file))
		status = FILE_UNREADABLE;
	close(fd);
	return status;
}

void file_unmap(struct file_bytes *file)
{
	if (file->bytes)
		munmap(file->bytes, file->size);
	*file = (struct file_bytes){0};
}

/* One byte's step of the reflected polynomial of IEEE 802.3, for all 256 values of the byte. */
static void fill_crc_table(uint32_t table[256])
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t value = i;

		for (int bit = 0; bit < 8; bit++)
			value = value & 1 ? value >> 1 ^ 0xedb88320u : value >> 1;
		table[i] = value;
	}
}

bool file_crc32(int fd, uint32_t *crc)
{
	const off_t max_bytes = (off_t)4 << 30;
	uint8_t bytes[16 * 1024];
	uint32_t table[256], value = UINT32_MAX;
	off_t at = 0;
	ssize_t got = -1;

	fill_crc_table(table);
	while (at <= max_bytes && (got = pread(fd, bytes, sizeof(bytes), at)) > 0) {
		for (ssize_t i = 0; i < got; i++)
			value = table[(value ^ bytes[i]) & 0xff] ^ value >> 8;
		at += got;
	}
	*crc = ~value;
	return got == 0;
}
