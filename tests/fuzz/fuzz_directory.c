/*
 * A directory recording that the bytes choose, in whatever shape, with whatever else lies there and
 * some of its files empty or missing: its answers are those of the records that are left in a
 * single file. Or some of its files are damaged or not regular files: then the sums hold at least.
 */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/replay.h"
#include "tests/fuzz/scenario.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	FILES_MAX = 5,
	DAMAGES = 32,	/* bytes of choices */
	BEYOND = 65536, /* what a damaged file can have too much of, in bytes */
};

/* ---- the directory --------------------------------------------------------------------------- */

static void path_of(char path[PATH_MAX], unsigned number)
{
	if (number == 0)
		snprintf(path, PATH_MAX, "%s/recording/data", fuzz_dir());
	else
		snprintf(path, PATH_MAX, "%s/recording/data.%u", fuzz_dir(), number - 1);
}

/* Packs the file with the header, if the choice is so. */
static void wrap_first(struct mkperf *m, unsigned choice)
{
	size_t size = 0, packed_size = 0;
	const uint8_t *bytes;
	uint8_t *packed;

	if (choice >= MKPERF_WRAPPERS)
		return;
	bytes = mkperf_finish(m, &size);
	packed = mkperf_wrap((enum mkperf_wrapper)choice, bytes, size, &packed_size);
	fuzz_check(packed);
	fuzz_dir_put("recording/data", packed, packed_size);
	free(packed);
}

/* Empties or removes the data.N whose bit N + 1 is set in @lost. */
static void lose_files(unsigned nr, unsigned lost, bool empty)
{
	for (unsigned i = 1; i < nr; i++) {
		char path[PATH_MAX];

		path_of(path, i);
		if ((lost >> i & 1) && access(path, F_OK) == 0)
			fuzz_check((empty ? truncate(path, 0) : unlink(path)) == 0);
	}
}

/* What is none of the recording's, or has nothing in it. */
static void put_others(unsigned choice)
{
	if (choice & 1)
		fuzz_dir_put("recording/data.99", "", 0);
	if (choice & 2)
		fuzz_dir_put("recording/notes", "PERFILE2", 8);
	if (choice & 4)
		fuzz_dir_make("recording/kcore_dir");
}

/* ---- damage ---------------------------------------------------------------------------------- */

static void flip_bits(const char *path, struct fuzz_choices *choices)
{
	unsigned nr = 1 + fuzz_pick(choices, 6);
	int fd = open(path, O_RDWR | O_CLOEXEC);
	struct stat st;

	fuzz_check(fd >= 0 && fstat(fd, &st) == 0);
	for (unsigned i = 0; i < nr && st.st_size; i++) {
		off_t at = (fuzz_u8(choices) * 256 + fuzz_u8(choices)) % st.st_size;
		uint8_t byte;

		fuzz_check(pread(fd, &byte, 1, at) == 1);
		byte ^= (uint8_t)(1U << fuzz_pick(choices, 8));
		fuzz_check(pwrite(fd, &byte, 1, at) == 1);
	}
	close(fd);
}

static void change_size(const char *path, struct fuzz_choices *choices)
{
	off_t size = fuzz_u8(choices) * 256 + fuzz_u8(choices);
	struct stat st;

	if (stat(path, &st) == 0)
		fuzz_check(truncate(path, size % (st.st_size + (size & 1 ? BEYOND : 1))) == 0);
}

/* Puts something that is no regular file of its own in place of @path. */
static void replace(const char *path, unsigned choice)
{
	static const char *const targets[] = {"/dev/zero", "/dev/null", "nothing",
					      "data",	   "data.0",	"."};

	unlink(path);
	switch (choice) {
	case 0: /* missing */
		return;
	case 1:
		fuzz_check(mkdir(path, 0700) == 0);
		return;
	case 2:
		fuzz_check(mkfifo(path, 0600) == 0);
		return;
	case 3:
		fuzz_check(mknod(path, S_IFSOCK | 0600, 0) == 0);
		return;
	default:
		fuzz_check(symlink(targets[choice - 4], path) == 0);
	}
}

/* Damages some of the @nr files; those that have no records are not there. */
static void damage(unsigned nr, struct fuzz_choices *choices)
{
	for (unsigned i = 0; i < nr; i++) {
		unsigned kind = fuzz_pick(choices, 8);
		char path[PATH_MAX];

		path_of(path, i);
		if (kind < 3 && access(path, F_OK) == 0)
			flip_bits(path, choices);
		else if (kind == 3)
			change_size(path, choices);
		else if (kind == 4)
			replace(path, fuzz_pick(choices, 10));
	}
}

/* ---- the answers ----------------------------------------------------------------------------- */

/* Of a FIFO that nobody writes to: it ends. */
static bool wait_no_longer(void *arg, int fd)
{
	(void)arg, (void)fd;
	return false;
}

static uint64_t digest_of_directory(const struct fuzz_way *way)
{
	char path[PATH_MAX];
	struct error err = {0};
	struct perffile *file;
	uint64_t digest = 0;

	snprintf(path, sizeof(path), "%s/recording", fuzz_dir());
	file = perffile_open(path, &err);
	fuzz_check(err.kind != ERROR_NOMEM);
	if (file) {
		perffile_set_wait(file, wait_no_longer, NULL);
		digest = fuzz_replay(file, way);
	}
	perffile_close(file);
	return digest;
}

/* Of the records of all its files but the @lost ones in one, plain and in this machine's byte
 * order. */
static uint64_t digest_of_file(struct fuzz_choices choices, unsigned nr_files, unsigned lost)
{
	struct mkperf *m = scenario_make_directory(NULL, choices, nr_files);
	size_t size = 0;
	const uint8_t *bytes;
	uint64_t digest;

	mkperf_join(m, lost);
	bytes = mkperf_finish(m, &size);
	fuzz_check(bytes);
	digest = fuzz_replay_bytes(bytes, size, &(struct fuzz_way){0});
	fuzz_check(digest != 0);
	mkperf_free(m);
	return digest;
}

/* Writes the directory that the choices make. */
static void put_directory(const struct mkperf_options *shape, struct fuzz_choices choices,
			  unsigned nr_files, unsigned wrapper)
{
	struct mkperf *m = scenario_make_directory(shape, choices, nr_files);
	char path[PATH_MAX];

	fuzz_dir_make("recording");
	snprintf(path, sizeof(path), "%s/recording", fuzz_dir());
	fuzz_check(rmdir(path) == 0 && mkperf_save_directory(m, path));
	wrap_first(m, wrapper);
	mkperf_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_choices choices = fuzz_choices_of(data, size), damages;
	struct mkperf_options shape = scenario_shape(&choices);
	const struct fuzz_way way = {.spilled = fuzz_u8(&choices) & 1, .update = fuzz_u8(&choices)};
	const unsigned nr_files = 1 + fuzz_pick(&choices, FILES_MAX);
	const unsigned wrapper = fuzz_pick(&choices, 2 * MKPERF_WRAPPERS);
	const unsigned others = fuzz_u8(&choices), lost = fuzz_u8(&choices);
	const bool damaged = fuzz_u8(&choices) & 1;
	size_t got;
	const uint8_t *bytes = fuzz_bytes(&choices, damaged ? DAMAGES : 0, &got);

	shape.pipe = false;
	put_directory(&shape, choices, nr_files, wrapper);
	put_others(others);
	if (damaged) {
		damages = fuzz_choices_of(bytes, got);
		damage(nr_files, &damages);
		digest_of_directory(&way);
	} else {
		lose_files(nr_files, lost, others & 8);
		fuzz_check(digest_of_directory(&way) == digest_of_file(choices, nr_files, lost));
	}
	return 0;
}
