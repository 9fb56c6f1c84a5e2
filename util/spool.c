#include "util/spool.h"

#include "util/tempfile.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_BYTES = 64 * 1024 };

static int open_file(struct spool *spool, struct error *err)
{
	if (spool->buffer)
		return 0;
	spool->buffer = malloc(BUFFER_BYTES);
	if (!spool->buffer)
		return error_nomem(err, "copying the recording");
	spool->fd = tempfile_create(err);
	if (spool->fd >= 0)
		return 0;
	free(spool->buffer);
	spool->buffer = NULL;
	return -1;
}

static int flush(struct spool *spool, struct error *err)
{
	size_t len = spool->nr_buffered;

	spool->nr_buffered = 0;
	return len ? tempfile_append(spool->fd, spool->buffer, len, err) : 0;
}

int spool_put(struct spool *spool, const void *bytes, size_t len, struct error *err)
{
	if (open_file(spool, err) < 0)
		return -1;
	if (len > BUFFER_BYTES - spool->nr_buffered && flush(spool, err) < 0)
		return -1;
	spool->size += len;
	if (len > BUFFER_BYTES)
		return tempfile_append(spool->fd, bytes, len, err);
	memcpy(spool->buffer + spool->nr_buffered, bytes, len);
	spool->nr_buffered += len;
	return 0;
}

int spool_get(struct spool *spool, uint64_t offset, void *to, size_t len, struct error *err)
{
	if (flush(spool, err) < 0)
		return -1;
	return tempfile_read(spool->fd, to, len, offset, err);
}

int spool_take_file(struct spool *spool, struct error *err)
{
	int fd = -1;

	if (open_file(spool, err) == 0 && flush(spool, err) == 0) {
		fd = spool->fd;
		free(spool->buffer);
		*spool = (struct spool){0};
	}
	return fd;
}

void spool_free(struct spool *spool)
{
	if (spool->buffer)
		close(spool->fd);
	free(spool->buffer);
	*spool = (struct spool){0};
}
