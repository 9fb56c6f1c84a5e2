#include "perffile/input/source.h"

#include "util/clock.h"
#include "util/codec/codec.h"
#include "util/codec/wrappedfile.h"
#include "util/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COPY_BYTES = 256 * 1024, TICK_BYTES = 16 << 20 };

static int refuse_device(const struct source *source, const struct stat *st, struct error *err)
{
	if (!S_ISCHR(st->st_mode) && !S_ISBLK(st->st_mode))
		return 0;
	return error_set(err, ERROR_UNSUPPORTED, "%s: is a device, expected a file or a pipe",
			 source->name);
}

static int check_kind(struct source *source, struct error *err)
{
	struct stat st;

	if (fstat(source->fd, &st) < 0)
		return error_io(err, source->name, "cannot look at it", errno);
	if (S_ISREG(st.st_mode)) {
		source->size = (uint64_t)st.st_size;
		source->written = clock_since_1970(&st.st_mtim);
		(void)posix_fadvise(source->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
		return 0;
	}
	source->stream = true;
	source->size = UINT64_MAX;
	if (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode))
		return 0;
	if (S_ISDIR(st.st_mode))
		return error_set(err, ERROR_UNSUPPORTED, "%s: is a directory, expected a recording",
				 source->name);
	return refuse_device(source, &st, err);
}

int source_start(struct source *source, struct error *err)
{
	ssize_t got = source_read(source, 0, source->head, sizeof(source->head), err);

	if (got < 0)
		return -1;
	source->head_len = (size_t)got;
	if (got == 0)
		return error_set(err, ERROR_FORMAT,
				 "%s: is empty, expected a recording made by perf record",
				 source->name);
	return 0;
}

static int name_source(struct source *source, const char *name, struct error *err)
{
	*source = (struct source){.fd = -1, .written = INT64_MAX};
	source->name = strdup(name);
	return source->name ? 0 : error_nomem(err, "opening the recording");
}

/* Takes the descriptor @fd, -1 if it could not be opened. */
static int take_fd(struct source *source, int fd, struct error *err)
{
	source->fd = fd;
	if (source->fd < 0)
		error_io(err, source->name, "cannot open it", errno);
	if (source->fd < 0 || check_kind(source, err) < 0) {
		source_close(source);
		return -1;
	}
	return 0;
}

int source_open_fd(struct source *source, int fd, const char *name, struct error *err)
{
	if (name_source(source, name, err) < 0)
		return -1;
	return take_fd(source, fcntl(fd, F_DUPFD_CLOEXEC, 0), err);
}

int source_open(struct source *source, const char *path, struct error *err)
{
	struct stat st;

	if (strcmp(path, "-") == 0)
		return source_open_fd(source, STDIN_FILENO, "standard input", err);
	if (name_source(source, path, err) < 0)
		return -1;
	/* A link in a directory recording may lead to a device, and opening some has effects. */
	if (stat(path, &st) == 0 && refuse_device(source, &st, err) < 0) {
		source_close(source);
		return -1;
	}
	/* O_NONBLOCK: opening a device or a FIFO must not block; await_data() waits */
	return take_fd(source, open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK), err);
}

/* Copies the part of [offset, offset + len) that is in the head of a stream. Returns its length. */
static size_t copy_head(const struct source *source, uint64_t offset, void *to, size_t len)
{
	if (!source->stream || offset >= source->head_len)
		return 0;
	if (len > source->head_len - offset)
		len = (size_t)(source->head_len - offset);
	memcpy(to, source->head + offset, len);
	return len;
}

/* Waits until a read would not block, at the end too. Returns false once the stream has ended. */
static bool await_data(struct source *source)
{
	struct pollfd pollfd = {.fd = source->fd, .events = POLLIN};

	while (!source->ended && poll(&pollfd, 1, 0) <= 0) {
		if (!source->wait)
			(void)poll(&pollfd, 1, -1);
		else if (!source->wait(source->wait_arg, source->fd))
			source->ended = true;
	}
	return !source->ended;
}

/* Whether the read of a stream that failed means its end: what has come is of use. */
static bool breaks_off(const struct source *source, int errnum)
{
	return source->head_len && errnum != EINTR && errnum != EAGAIN;
}

/*
 * Like pread(), but returns 0 also if the user has ended the stream or it has broken off; notes the
 * end.
 */
static ssize_t read_stream(struct source *source, void *to, size_t len, uint64_t offset)
{
	ssize_t got = await_data(source) ? read(source->fd, to, len) : 0;

	if (got < 0 && breaks_off(source, errno)) {
		source->broken = errno;
		source->broken_at = offset;
		got = 0;
	}
	if (got == 0)
		source->ended = true;
	return got;
}

/*
 * Opens again a file closed by source_rest(). Returns -1 with errno set if it cannot be opened or
 * another file has its name now.
 */
static int open_again(const struct source *source)
{
	int fd = open(source->name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;

	if (fd < 0 || (fstat(fd, &st) == 0 && st.st_dev == source->dev && st.st_ino == source->ino))
		return fd;
	close(fd);
	errno = ESTALE;
	return -1;
}

/* Like pread(), also for a file closed by source_rest(). */
static ssize_t read_file(const struct source *source, void *to, size_t len, uint64_t offset)
{
	int fd = source->fd < 0 ? open_again(source) : source->fd;
	ssize_t got = fd < 0 ? -1 : pread(fd, to, len, (off_t)offset);
	int why = errno;

	if (source->fd < 0 && fd >= 0)
		close(fd);
	errno = why;
	return got;
}

ssize_t source_read(struct source *source, uint64_t offset, void *to, size_t len, struct error *err)
{
	size_t done = copy_head(source, offset, to, len);

	/* Records of a live stream are used as they come: do not wait while there is data. */
	while (done < len && (done == 0 || !source->stream || source->head_len == 0)) {
		uint64_t at = offset + done;
		ssize_t got = source->stream
				      ? read_stream(source, (char *)to + done, len - done, at)
				      : read_file(source, (char *)to + done, len - done, at);

		if (got == 0 && source->stream)
			source->size = at;
		if (got == 0)
			break;
		if (got < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (got < 0)
			return error_at(err, ERROR_IO, at, "%s: cannot read at byte %llu: %s",
					source->name, (unsigned long long)at, strerror(errno));
		done += (size_t)got;
	}
	return (ssize_t)done;
}

ssize_t source_read_on(struct source *source, uint64_t offset, void *to, size_t len,
		       struct error *err)
{
	ssize_t got = source->stopped ? 0 : source_read(source, offset, to, len, err);

	if (got <= 0 || !source->tick)
		return got;
	source->nr_unticked += (uint64_t)got;
	if (source->nr_unticked < TICK_BYTES)
		return got;
	source->nr_unticked = 0;
	return source->tick(source->tick_arg, err) < 0 ? -1 : got;
}

int source_rest(struct source *source, struct error *err)
{
	struct stat st;

	if (fstat(source->fd, &st) < 0)
		return error_io(err, source->name, "cannot look at it", errno);
	source->dev = st.st_dev;
	source->ino = st.st_ino;
	close(source->fd);
	source->fd = -1;
	return 0;
}

/* Replaces the source by the regular file @fd, which is complete. */
static int become_file(struct source *source, int fd, struct error *err)
{
	struct stat st;

	close(source->fd);
	source->fd = fd;
	if (fstat(fd, &st) < 0)
		return error_io(err, source->name, "cannot look at its temporary copy", errno);
	source->stream = false;
	source->stopped = false;
	source->size = (uint64_t)st.st_size;
	source->head_len = 0;
	return source_start(source, err);
}

/* Writes @bytes to @copy. Returns 1 to go on, 0 to stop, -1 with @err filled. */
typedef int (*copy_step)(struct spool *copy, const uint8_t *bytes, size_t len, void *arg,
			 struct error *err);

static int copy_bytes(struct source *source, struct spool *copy, uint8_t *buffer, copy_step step,
		      void *arg, struct error *err)
{
	uint64_t offset = 0;
	int rc = 1;

	while (rc > 0) {
		ssize_t got = source_read_on(source, offset, buffer, COPY_BYTES, err);

		if (got <= 0)
			return got < 0 ? -1 : 0;
		rc = step(copy, buffer, (size_t)got, arg, err);
		offset += (uint64_t)got;
	}
	return rc;
}

static int copy_to_file(struct source *source, copy_step step, void *arg, struct error *err)
{
	uint8_t *buffer = malloc(COPY_BYTES);
	struct spool copy = {0};
	int fd = -1;

	if (!buffer)
		return error_nomem(err, "copying the recording");
	if (copy_bytes(source, &copy, buffer, step, arg, err) == 0)
		fd = spool_take_file(&copy, err);
	spool_free(&copy);
	free(buffer);
	return fd < 0 ? -1 : become_file(source, fd, err);
}

static int copy_plain(struct spool *copy, const uint8_t *bytes, size_t len, void *arg,
		      struct error *err)
{
	(void)arg;
	return spool_put(copy, bytes, len, err) < 0 ? -1 : 1;
}

int source_spool(struct source *source, struct error *err)
{
	return source->stream ? copy_to_file(source, copy_plain, NULL, err) : 0;
}

/* Unpacks @bytes into @copy. */
static int copy_unwrapped(struct spool *copy, const uint8_t *bytes, size_t len, void *arg,
			  struct error *err)
{
	return wrappedfile_put(arg, copy, bytes, len, err);
}

int source_unwrap(struct source *source, bool *cut, struct error *err)
{
	struct wrappedfile unwrap;
	int rc;

	*cut = false;
	if (!codec_by_magic(source->head, source->head_len))
		return 0;
	if (wrappedfile_start(&unwrap, source->name, source->head, source->head_len, UINT64_MAX,
			      err) < 0)
		return -1;
	rc = copy_to_file(source, copy_unwrapped, &unwrap, err);
	*cut = !wrappedfile_is_whole(&unwrap);
	wrappedfile_free(&unwrap);
	if (*cut && source->size == 0) /* it is not the file that is empty */
		return error_set(err, ERROR_FORMAT,
				 "%s: the compressed file that contains the recording is truncated "
				 "or damaged: nothing of it can be unpacked",
				 source->name);
	return rc;
}

void source_close(struct source *source)
{
	if (source->fd >= 0)
		close(source->fd);
	free(source->name);
	*source = (struct source){.fd = -1};
}
