#include "util/outfile.h"

#include "util/behind.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEMP_ATTEMPTS = 100 };

/* Creates @path and its parents. An existing part is no error here; open() checks it. */
static int make_dirs(char *path)
{
	for (char *slash = path + 1;; slash++) {
		char c = *slash;

		if (c != '/' && c != '\0')
			continue;
		*slash = '\0';
		int rc = mkdir(path, 0777);
		*slash = c;
		if (rc < 0 && errno != EEXIST)
			return -1;
		if (!c)
			return 0;
	}
}

int outfile_open_dir(const char *path, struct error *err)
{
	int flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
	int fd = open(path, flags), rc, errnum;
	char *copy;

	if (fd >= 0)
		return fd;
	if (errno != ENOENT || !*path)
		return error_io(err, path, "cannot be used as the output directory", errno);
	copy = strdup(path);
	if (!copy)
		return error_nomem(err, "making the output directory");
	rc = make_dirs(copy);
	errnum = errno;
	free(copy);
	if (rc < 0)
		return error_io(err, path, "cannot make the output directory", errnum);
	fd = open(path, flags);
	if (fd < 0)
		return error_io(err, path, "cannot be used as the output directory", errno);
	return fd;
}

/* Writes the path in /proc of the file behind @fd, for linkat(). */
static void proc_path(int fd, char path[32])
{
	snprintf(path, 32, "/proc/self/fd/%d", fd);
}

/* Opens a nameless file; -1 if there are none, or if they cannot be named later. */
static int open_nameless(int dirfd)
{
	char proc[32];
	int fd = openat(dirfd, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);

	if (fd < 0)
		return -1;
	proc_path(fd, proc);
	if (access(proc, F_OK) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* The name differs by process and attempt; O_EXCL and linkat() refuse an existing one. */
static void make_temp_name(struct outfile *file, int attempt)
{
	sprintf(file->temp, ".%s.%ld-%d", file->name, (long)getpid(), attempt);
}

static int open_hidden(struct outfile *file)
{
	int flags = O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC;
	int fd;

	for (int attempt = 0; attempt < TEMP_ATTEMPTS; attempt++) {
		make_temp_name(file, attempt);
		fd = openat(file->dirfd, file->temp, flags, 0666);
		if (fd >= 0 || errno != EEXIST)
			break;
	}
	if (fd < 0)
		*file->temp = '\0';
	return fd;
}

/* Opens a file that nobody else knows, for reading, too. Returns the descriptor; -1 with errno. */
static int open_new(struct outfile *file)
{
	int fd = open_nameless(file->dirfd);

	return fd < 0 ? open_hidden(file) : fd;
}

/* Removes the hidden name, if there is one. */
static void remove_hidden(struct outfile *file)
{
	if (*file->temp)
		unlinkat(file->dirfd, file->temp, 0);
	*file->temp = '\0';
}

/* Checks early for a directory with the final name, as the rename comes after all the work. */
static int check_place(const struct outfile *file, struct error *err)
{
	struct stat st;

	if (fstatat(file->dirfd, file->name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode))
		return error_io(err, file->path, "cannot be replaced", EISDIR);
	return 0;
}

/* Whoever restricted who may read the file that is replaced meant its successor, too. */
static void keep_mode(const struct outfile *file)
{
	struct stat st;

	if (fstatat(file->dirfd, file->name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode))
		(void)fchmod(file->fd, st.st_mode & 0777);
}

static char *join_path(const char *dir, const char *name)
{
	char *path;

	if (strcmp(dir, ".") == 0)
		return strdup(name);
	const char *slash = *dir && dir[strlen(dir) - 1] == '/' ? "" : "/";
	return asprintf(&path, "%s%s%s", dir, slash, name) < 0 ? NULL : path;
}

static struct outfile *outfile_alloc(int dirfd, const char *dir, const char *name)
{
	struct outfile *file = calloc(1, sizeof(*file));

	if (!file)
		return NULL;
	file->fd = -1;
	file->dirfd = dirfd;
	file->path = join_path(dir, name);
	file->name = strdup(name);
	file->temp = calloc(1, strlen(name) + 32); /* '.', pid, attempt */
	file->buffer = malloc(OUTFILE_BUFFER);
	if (!file->path || !file->name || !file->temp || !file->buffer) {
		outfile_close(file);
		return NULL;
	}
	file->pos = file->whole = file->buffer;
	file->end = file->buffer + OUTFILE_BUFFER;
	return file;
}

struct outfile *outfile_create(int dirfd, const char *dir, const char *name, struct error *err)
{
	struct outfile *file = outfile_alloc(dirfd, dir, name);

	if (!file) {
		error_nomem(err, "opening an output file");
		return NULL;
	}
	if (check_place(file, err) < 0) {
		outfile_close(file);
		return NULL;
	}
	file->fd = open_new(file);
	if (file->fd < 0) {
		error_io(err, file->path, "cannot be created", errno);
		outfile_close(file);
		return NULL;
	}
	keep_mode(file); /* a hidden name can be read by others from now on */
	return file;
}

struct outfile *outfile_stream(int fd, const char *called, struct error *err)
{
	struct outfile *file = outfile_alloc(-1, ".", called);

	if (!file) {
		error_nomem(err, "opening an output file");
		return NULL;
	}
	file->stream = true;
	file->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (file->fd < 0) {
		error_io(err, called, "cannot be written", errno);
		outfile_close(file);
		return NULL;
	}
	return file;
}

/* Takes note of what became of @len bytes. */
static void note_written(struct outfile *file, size_t len, int errnum)
{
	if (!errnum)
		file->size += len;
	else if (!file->errnum)
		file->errnum = errnum;
}

/* Waits until the thread, if there is one, has written what it was given. */
static void settle(struct outfile *file)
{
	if (!file->behind)
		return;
	note_written(file, file->other_len, behind_settle(file->behind));
	file->other_len = 0;
}

/* Whether a thread writes; it is started if it may be. */
static bool writes_behind(struct outfile *file)
{
	if (file->may_start) {
		file->may_start = false;
		file->other = malloc(OUTFILE_BUFFER);
		file->behind = file->other ? behind_start(file->fd) : NULL;
	}
	return file->behind && !file->growing;
}

/* Gives the first @len bytes of the buffer, of which @rest are left, to the thread. */
static void hand_over(struct outfile *file, size_t len, size_t rest)
{
	char *given = file->buffer;

	behind_write(file->behind, given, len);
	memcpy(file->other, given + len, rest);
	file->buffer = file->other;
	file->end = file->buffer + OUTFILE_BUFFER;
	file->other = given;
	file->other_len = len;
}

/* Writes the first @len bytes of the buffer, of which @rest are left. */
static void write_now(struct outfile *file, size_t len, size_t rest)
{
	const bool failed = file->errnum;

	if (!failed)
		note_written(file, len, behind_write_now(file->fd, file->buffer, len));
	if (file->errnum && file->growing && !failed && ftruncate(file->fd, (off_t)file->size) < 0)
		file->errnum = errno;
	memmove(file->buffer, file->buffer + len, rest);
}

/* Writes the buffer up to @end, which is at most pos; the rest stays in the buffer. */
static void write_up_to(struct outfile *file, const char *end)
{
	size_t len = (size_t)(end - file->buffer), rest = (size_t)(file->pos - end);

	settle(file);
	if (!file->errnum && writes_behind(file))
		hand_over(file, len, rest);
	else
		write_now(file, len, rest);
	file->pos = file->buffer + rest;
	file->whole = file->buffer;
}

void outfile_write_behind(struct outfile *file)
{
	file->may_start = true;
}

void outfile_make_room(struct outfile *file, size_t len)
{
	if (file->growing)
		write_up_to(file, file->whole);
	if ((size_t)(file->end - file->pos) < len)
		write_up_to(file, file->pos);
}

void outfile_append(struct outfile *file, const char *bytes, size_t len)
{
	while (len) {
		size_t part = len < OUTFILE_BUFFER ? len : OUTFILE_BUFFER;

		memcpy(outfile_reserve(file, part), bytes, part);
		file->pos += part;
		bytes += part;
		len -= part;
	}
}

void outfile_fail(struct outfile *file, const struct error *why)
{
	file->failed = *why;
}

int outfile_check(const struct outfile *file, struct error *err)
{
	if (file->failed.kind != ERROR_NONE) {
		if (err)
			*err = file->failed;
		return -1;
	}
	if (!file->errnum)
		return 0;
	return error_io(err, file->path, "cannot be written", file->errnum);
}

/* Gives a nameless file its hidden name. It must still be open: closing it deletes it. */
static int link_nameless(struct outfile *file)
{
	char proc[32];
	int rc = -1;

	proc_path(file->fd, proc);
	for (int attempt = 0; attempt < TEMP_ATTEMPTS; attempt++) {
		make_temp_name(file, attempt);
		rc = linkat(AT_FDCWD, proc, file->dirfd, file->temp, AT_SYMLINK_FOLLOW);
		if (rc == 0 || errno != EEXIST)
			break;
	}
	if (rc < 0)
		*file->temp = '\0';
	return rc;
}

/* Whether the growing file is still what its name stands for. */
static bool is_in_place(const struct outfile *file)
{
	struct stat ours, there;

	return fstat(file->fd, &ours) == 0 &&
	       fstatat(file->dirfd, file->name, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
	       ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

/* Copies the first @size bytes of the file @from to @to. Returns 0, or the errno. */
static int copy_bytes(int from, int to, uint64_t size)
{
	char bytes[1 << 13]; /* the stack may be small */
	uint64_t at = 0;

	while (at < size) {
		const size_t len = size - at < sizeof(bytes) ? (size_t)(size - at) : sizeof(bytes);
		const ssize_t n = pread(from, bytes, len, (off_t)at);
		const int errnum = n > 0   ? behind_write_now(to, bytes, (size_t)n)
				   : n < 0 ? errno
					   : EIO;

		if (errnum && errnum != EINTR)
			return errnum;
		at += n > 0 ? (uint64_t)n : 0;
	}
	return 0;
}

/*
 * Copies the growing file, which somebody has moved or deleted, to a new one and goes on there.
 * Returns 0, or the errno.
 */
static int renew(struct outfile *file)
{
	const int fd = open_new(file);
	struct stat st;
	int errnum;

	if (fd < 0)
		return errno;
	errnum = fstat(file->fd, &st) < 0 ? errno : copy_bytes(file->fd, fd, file->size);
	if (errnum) {
		close(fd);
		remove_hidden(file);
		return errnum;
	}
	(void)fchmod(fd, st.st_mode & 0777);
	behind_stop(file->behind); /* it knows the old file */
	file->behind = NULL;
	close(file->fd);
	file->fd = fd;
	file->growing = false;
	return 0;
}

/* If the growing file is no longer in its place, lets it be published again. */
static int look_for_place(struct outfile *file, struct error *err)
{
	const int errnum = !file->growing || is_in_place(file) ? 0 : renew(file);

	return errnum ? error_io(err, file->path, "cannot be put in place again", errnum) : 0;
}

int outfile_grow(struct outfile *file, struct error *err)
{
	if (look_for_place(file, err) < 0)
		return -1;
	write_up_to(file, file->whole);
	settle(file);
	if (outfile_check(file, err) < 0)
		return -1;
	if (file->growing)
		return 0;
	keep_mode(file);
	if (!*file->temp && link_nameless(file) < 0)
		return error_io(err, file->path, "cannot be renamed into place", errno);
	if (outfile_publish(file, err) < 0)
		return -1;
	file->growing = true;
	return 0;
}

bool outfile_vanishes(const struct outfile *file)
{
	return !*file->temp;
}

int outfile_finish(struct outfile *file, struct error *err)
{
	bool has_no_place;
	int rc;

	if (file->fd < 0)
		return outfile_check(file, err);
	if (look_for_place(file, err) < 0)
		return -1;
	has_no_place = !file->growing && !file->stream;
	file->may_start = false;
	write_up_to(file, file->pos);
	settle(file);
	if (has_no_place)
		keep_mode(file);
	if (!file->errnum && has_no_place && !*file->temp && link_nameless(file) < 0)
		file->errnum = errno;
	rc = close(file->fd);
	file->fd = -1;
	if (rc < 0 && errno != EINTR && !file->errnum)
		file->errnum = errno;
	return outfile_check(file, err);
}

/* Has the files with the hidden and the final name change places. Returns 0, or -1 with errno. */
static int exchange(const struct outfile *file)
{
	return renameat2(file->dirfd, file->temp, file->dirfd, file->name, RENAME_EXCHANGE);
}

/*
 * Gives the file its final name, and deletes an old one with that name. Where a file is renamed
 * onto another, ext4 writes all of it to disk at once, which may take longer than making it. An old
 * one that cannot be deleted stays: it is a directory. Returns 0, or -1 with errno.
 */
static int rename_into_place(const struct outfile *file)
{
	int errnum;

	if (exchange(file) < 0) /* there is none, or the file system cannot */
		return renameat(file->dirfd, file->temp, file->dirfd, file->name);
	if (unlinkat(file->dirfd, file->temp, 0) == 0)
		return 0;
	errnum = errno;
	(void)exchange(file);
	errno = errnum;
	return -1;
}

int outfile_publish(struct outfile *file, struct error *err)
{
	if (file->growing || file->stream)
		return 0;
	if (rename_into_place(file) < 0)
		return error_io(err, file->path, "cannot be renamed into place", errno);
	*file->temp = '\0';
	return 0;
}

void outfile_close(struct outfile *file)
{
	if (!file)
		return;
	behind_stop(file->behind);
	if (file->fd >= 0)
		close(file->fd);
	if (file->temp)
		remove_hidden(file);
	free(file->buffer);
	free(file->other);
	free(file->temp);
	free(file->name);
	free(file->path);
	free(file);
}
