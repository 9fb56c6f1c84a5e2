#include "perffile/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int check_kind(struct source *source, struct error *err)
{
	struct stat st;

	if (fstat(source->fd, &st) < 0)
		return error_io(err, source->name, "cannot look at it", errno);
	if (S_ISDIR(st.st_mode))
		return error_set(err, ERROR_UNSUPPORTED,
				 "%s: is a directory; directory recordings are not read yet",
				 source->name);
	if (!S_ISREG(st.st_mode))
		return error_set(err, ERROR_UNSUPPORTED, "%s: is not a regular file", source->name);
	if (st.st_size == 0)
		return error_set(err, ERROR_FORMAT,
				 "%s: is empty, expected a recording made by perf record",
				 source->name);
	source->size = (uint64_t)st.st_size;
	return 0;
}

int source_open(struct source *source, const char *path, struct error *err)
{
	*source = (struct source){.fd = -1, .name = strdup(path)};
	if (!source->name)
		return error_nomem(err, "opening the recording");
	/* O_NONBLOCK: opening a FIFO must not wait for its writer. */
	source->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (source->fd < 0) {
		error_io(err, path, "cannot open it", errno);
		source_close(source);
		return -1;
	}
	if (check_kind(source, err) < 0) {
		source_close(source);
		return -1;
	}
	(void)posix_fadvise(source->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	return 0;
}

ssize_t source_read(const struct source *source, uint64_t offset, void *to, size_t len,
		    struct error *err)
{
	size_t done = 0;

	while (done < len) {
		ssize_t got =
			pread(source->fd, (char *)to + done, len - done, (off_t)(offset + done));

		if (got == 0)
			break;
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_set(err, ERROR_IO, "%s: cannot read at byte %llu: %s",
					 source->name, (unsigned long long)(offset + done),
					 strerror(errno));
		done += (size_t)got;
	}
	return (ssize_t)done;
}

void source_close(struct source *source)
{
	if (source->fd >= 0)
		close(source->fd);
	free(source->name);
	*source = (struct source){.fd = -1};
}
