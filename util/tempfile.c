#include "util/tempfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

static const char *directory(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/tmp";
}

int tempfile_create(struct error *err)
{
	char path[4096];
	int fd = open(directory(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0)
		return fd;
	/* The file system has no nameless files: create a name and remove it. */
	snprintf(path, sizeof(path), "%s/readperf-XXXXXX", directory());
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	else
		error_io(err, directory(), "cannot create a temporary file there", errno);
	return fd;
}

void tempfile_called(char called[TEMPFILE_CALLED_MAX])
{
	snprintf(called, TEMPFILE_CALLED_MAX, "a temporary file in %s", directory());
}

uint64_t tempfile_room(void)
{
	struct statvfs st;
	uint64_t bytes;

	if (statvfs(directory(), &st) < 0 ||
	    __builtin_mul_overflow((uint64_t)st.f_bavail, (uint64_t)st.f_frsize, &bytes))
		return UINT64_MAX;
	return bytes;
}

int tempfile_append(int fd, const void *bytes, size_t len, struct error *err)
{
	const char *from = bytes;

	while (len > 0) {
		ssize_t put = write(fd, from, len);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return error_io(err, directory(), "cannot write a temporary file there",
					errno);
		from += put;
		len -= (size_t)put;
	}
	return 0;
}

int tempfile_write(int fd, const void *bytes, size_t len, uint64_t offset, struct error *err)
{
	const char *from = bytes;

	while (len > 0) {
		ssize_t put = pwrite(fd, from, len, (off_t)offset);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return error_io(err, directory(), "cannot write a temporary file there",
					errno);
		from += put;
		offset += (uint64_t)put;
		len -= (size_t)put;
	}
	return 0;
}

int tempfile_read(int fd, void *to, size_t len, uint64_t offset, struct error *err)
{
	char *at = to;

	while (len > 0) {
		ssize_t got = pread(fd, at, len, (off_t)offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return error_io(err, directory(), "cannot read a temporary file there",
					got < 0 ? errno : EIO);
		at += got;
		offset += (uint64_t)got;
		len -= (size_t)got;
	}
	return 0;
}
