#include "util/codec/unwrapped.h"

#include "util/codec/wrappedfile.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { READ_BYTES = 64 << 10 };

/* As pread(), but goes on after signals. */
static ssize_t read_at(int fd, void *to, size_t size, uint64_t at)
{
	ssize_t got;

	do {
		got = pread(fd, to, size, (off_t)at);
	} while (got < 0 && errno == EINTR);
	return got;
}

size_t unwrapped_start(int fd, char *start, size_t size)
{
	enum { PACKED_MAX = 1 << 20 }; /* a block of bzip2, which is unpacked as one, has 900 kB */
	const ssize_t got = read_at(fd, start, size, 0);
	const size_t len = got > 0 ? (size_t)got : 0;
	const struct codec *codec = codec_by_magic((const uint8_t *)start, len);
	size_t nr = 0;
	ssize_t nr_packed;
	uint8_t *packed;

	if (!codec)
		return len;
	packed = malloc(PACKED_MAX);
	nr_packed = packed ? read_at(fd, packed, PACKED_MAX, 0) : -1;
	if (nr_packed > 0)
		nr = codec_start(codec, packed, (size_t)nr_packed, start, size);
	free(packed);
	return nr;
}

static int unpack(struct wrappedfile *unwrap, struct spool *copy, int fd, uint8_t *buffer,
		  struct error *err)
{
	uint64_t done = 0;
	int rc = 1;

	while (rc > 0) {
		const ssize_t got = read_at(fd, buffer, READ_BYTES, done);

		if (got < 0)
			return error_io(err, unwrap->name, "cannot be read", errno);
		if (got == 0)
			break;
		rc = wrappedfile_put(unwrap, copy, buffer, (size_t)got, err);
		done += (uint64_t)got;
	}
	if (rc >= 0 && !wrappedfile_is_whole(unwrap))
		return error_set(err, ERROR_FORMAT,
				 "%s: is compressed, and truncated or damaged: not all of it can "
				 "be unpacked",
				 unwrap->name);
	return rc < 0 ? -1 : 0;
}

int unwrapped_file(int fd, const char *name, struct error *err)
{
	uint8_t *buffer = malloc(READ_BYTES);
	const ssize_t got = buffer ? read_at(fd, buffer, READ_BYTES, 0) : 0;
	const size_t len = got > 0 ? (size_t)got : 0;
	struct wrappedfile unwrap;
	struct spool copy = {0};
	int unpacked = -1;

	if (!buffer)
		return error_nomem(err, "decompressing a file");
	if (!codec_by_magic(buffer, len)) {
		unpacked = fd;
	} else if (wrappedfile_start(&unwrap, name, buffer, len, UINT64_MAX, err) == 0) {
		if (unpack(&unwrap, &copy, fd, buffer, err) == 0)
			unpacked = spool_take_file(&copy, err);
		wrappedfile_free(&unwrap);
		spool_free(&copy);
	}
	free(buffer);
	if (unpacked >= 0)
		(void)lseek(unpacked, 0, SEEK_SET); /* does not fail for a regular file */
	return unpacked;
}
