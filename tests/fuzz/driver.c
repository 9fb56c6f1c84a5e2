/*
 * A fuzz target without a fuzzer: runs it once over each of the files, and over each of the files
 * in the directories, that are named, saying on standard error which one is next. The line on
 * standard output says how many there were.
 */
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the target itself prints goes nowhere. Returns where standard output went. */
static int divert_output(void)
{
	int out = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

	fuzz_check(out >= 0 && nowhere >= 0);
	dup2(nowhere, STDOUT_FILENO);
	close(nowhere);
	return out;
}

static size_t run_file(const char *path)
{
	FILE *in = fopen(path, "rb");
	struct stat st;
	uint8_t *data;
	size_t size;

	fprintf(stderr, "%s\n", path);
	fuzz_check(in && fstat(fileno(in), &st) == 0);
	/* No larger than the input, so that a byte behind it is nobody's. */
	data = malloc((size_t)st.st_size + (st.st_size == 0));
	fuzz_check(data);
	size = fread(data, 1, (size_t)st.st_size, in);
	fclose(in);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	return 1;
}

/* Returns how many inputs there were. */
static size_t run_path(const char *path)
{
	struct dirent **entries;
	int nr = scandir(path, &entries, NULL, alphasort);
	size_t nr_run = 0;
	struct stat st;

	if (nr < 0)
		return run_file(path);
	for (int i = 0; i < nr; i++) {
		char inside[PATH_MAX];

		snprintf(inside, sizeof(inside), "%s/%s", path, entries[i]->d_name);
		if (stat(inside, &st) == 0 && S_ISREG(st.st_mode))
			nr_run += run_file(inside);
		free(entries[i]);
	}
	free(entries);
	return nr_run;
}

int main(int argc, char **argv)
{
	enum { SKIPPED = 77 }; /* to tests/run.sh */
	int out = divert_output();
	size_t nr = 0;

	if (access("/proc/self/fd", X_OK) != 0) {
		dprintf(out, "/proc is not mounted, by which inputs get their names\n");
		return SKIPPED;
	}
	for (int i = 1; i < argc; i++)
		nr += run_path(argv[i]);
	dprintf(out, "%zu inputs\n", nr);
	close(out);
	return nr == 0;
}
