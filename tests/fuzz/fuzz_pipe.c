/* A recording that comes through a pipe, in pieces of any size, from its bytes to the answers. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/replay.h"

#include <fcntl.h>
#include <unistd.h>

/* What has not been written yet. */
struct feed {
	const uint8_t *pos, *end;
	int fd; /* the pipe's end to write to; -1 when all is written */
	uint64_t random;
};

/* Called when the reader has nothing to read: the next piece is written, or the pipe is closed. */
static bool feed_more(void *arg, int fd)
{
	enum { PIECE_MAX = 5000 }; /* less than any pipe holds */
	struct feed *feed = arg;
	size_t left = (size_t)(feed->end - feed->pos), piece;

	(void)fd;
	feed->random = feed->random * 6364136223846793005 + 1442695040888963407;
	piece = (feed->random >> 33) % (feed->random >> 63 ? PIECE_MAX : 32) + 1;
	if (left == 0) {
		if (feed->fd >= 0)
			close(feed->fd);
		feed->fd = -1;
		return true;
	}
	piece = piece < left ? piece : left;
	fuzz_check(write(feed->fd, feed->pos, piece) == (ssize_t)piece);
	feed->pos += piece;
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct fuzz_way way = {.spilled = size & 1, .update = size & 2 ? size % 64 : 0};
	struct feed feed = {.pos = data, .end = data + size, .random = size};
	struct error err = {0};
	struct perffile *file;
	char path[32];
	int ends[2];

	fuzz_check(pipe2(ends, O_CLOEXEC) == 0);
	feed.fd = ends[1];
	snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
	file = perffile_open(path, &err);
	close(ends[0]);
	fuzz_check(file);
	perffile_set_wait(file, feed_more, &feed);
	fuzz_replay(file, &way);
	perffile_close(file);
	if (feed.fd >= 0)
		close(feed.fd);
	return 0;
}
