/* The hash of a recording's files. */
#include "perffile/handle.h"
#include "perffile/perffile.h"
#include "util/xxh64.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 1 << 20 };

/* Returns 1, 0 if @path is no file, or -1 with @err filled. */
static int add_file(struct xxh64 *hash, const char *path, uint8_t chunk[CHUNK], struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	ssize_t n = 0;

	if (fd < 0)
		return error_io(err, path, "cannot be opened", errno);
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return 0;
	}
	while ((n = read(fd, chunk, CHUNK)) > 0 || (n < 0 && errno == EINTR))
		xxh64_add(hash, chunk, n > 0 ? (size_t)n : 0);
	if (n < 0)
		error_io(err, path, "cannot be read", errno);
	close(fd);
	return n < 0 ? -1 : 1;
}

int perffile_hash(const struct perffile *file, uint64_t *ret, struct error *err)
{
	const struct file_list *files = &file->files;
	uint8_t *chunk;
	struct xxh64 hash;
	int rc = 1;

	if (strcmp(files->paths[0], "-") == 0)
		return 0;
	chunk = malloc(CHUNK);
	if (!chunk)
		return error_nomem(err, "reading the recording");
	xxh64_start(&hash);
	for (size_t i = 0; i < files->nr_paths && rc > 0; i++)
		rc = add_file(&hash, files->paths[i], chunk, err);
	free(chunk);
	*ret = xxh64_sum(&hash);
	return rc;
}
