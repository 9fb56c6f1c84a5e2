#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <ftw.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static void write_all(int fd, const void *bytes, size_t size)
{
	for (size_t done = 0; done < size;) {
		ssize_t n = write(fd, (const char *)bytes + done, size - done);

		fuzz_check(n > 0);
		done += (size_t)n;
	}
}

struct fuzz_file fuzz_file_make(const void *bytes, size_t size)
{
	struct fuzz_file file = {.fd = memfd_create("input", MFD_CLOEXEC)};

	fuzz_check(file.fd >= 0);
	write_all(file.fd, bytes, size);
	snprintf(file.path, sizeof(file.path), "/proc/self/fd/%d", file.fd);
	return file;
}

void fuzz_file_close(struct fuzz_file *file)
{
	close(file->fd);
	file->fd = -1;
}

char *fuzz_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	fuzz_check(text);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

/* ---- choices --------------------------------------------------------------------------------- */

struct fuzz_choices fuzz_choices_of(const uint8_t *data, size_t size)
{
	return (struct fuzz_choices){.pos = data, .end = size ? data + size : data};
}

bool fuzz_choices_left(const struct fuzz_choices *choices)
{
	return choices->pos != choices->end;
}

const uint8_t *fuzz_bytes(struct fuzz_choices *choices, size_t len, size_t *got)
{
	const uint8_t *bytes = choices->pos;
	size_t left = (size_t)(choices->end - choices->pos);

	*got = len < left ? len : left;
	if (*got)
		choices->pos += *got;
	return bytes;
}

uint8_t fuzz_u8(struct fuzz_choices *choices)
{
	return fuzz_choices_left(choices) ? *choices->pos++ : 0;
}

uint64_t fuzz_u64(struct fuzz_choices *choices)
{
	uint64_t value = 0;
	size_t got;
	const uint8_t *bytes = fuzz_bytes(choices, sizeof(value), &got);

	if (got)
		memcpy(&value, bytes, got);
	return value;
}

unsigned fuzz_pick(struct fuzz_choices *choices, unsigned nr)
{
	return fuzz_u8(choices) % nr;
}

/* ---- a directory ----------------------------------------------------------------------------- */

static char dir[64], empty_dir[80];
static pid_t dir_owner;

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *walk)
{
	(void)st, (void)type, (void)walk;
	return remove(path);
}

static void remove_dir(void)
{
	if (getpid() == dir_owner)
		nftw(dir, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

const char *fuzz_dir(void)
{
	/* In memory where there is such a file system: it is written to for each input. */
	const char *base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";

	if (dir[0])
		return dir;
	snprintf(dir, sizeof(dir), "%s/readperf-fuzz-XXXXXX", base);
	fuzz_check(mkdtemp(dir));
	dir_owner = getpid();
	fuzz_check(atexit(remove_dir) == 0);
	snprintf(empty_dir, sizeof(empty_dir), "%s/empty", dir);
	fuzz_check(mkdir(empty_dir, 0700) == 0);
	return dir;
}

const char *fuzz_empty_dir(void)
{
	fuzz_dir();
	return empty_dir;
}

void fuzz_dir_make(const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", fuzz_dir(), name);
	nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
	fuzz_check(mkdir(path, 0700) == 0);
}

void fuzz_dir_put(const char *name, const void *bytes, size_t size)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", fuzz_dir(), name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	fuzz_check(fd >= 0);
	write_all(fd, bytes, size);
	close(fd);
}
