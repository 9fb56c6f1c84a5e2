/*
 * Reads mutants of recordings as a user would and tells of those that end the program, take long or
 * much memory, or leak: `make mutants`. A process reads some of them one after the other; if there
 * is something to tell of it, each of them is read again in a process of its own.
 *
 *	mutants [--first=SEED] [--number=N] [--build-ids=DIR] [--keep=DIR] RECORDING...
 *
 * A mutant is all in its seed and in the list of the recordings: --first=SEED --number=1 makes it
 * again. What is told of, or is the only one, is kept as DIR/mutant-SEED.data. Exit status 1 if
 * there was something to tell.
 *
 * To be built with sanitizers, and run with exitcode=99 in ASAN_OPTIONS and UBSAN_OPTIONS.
 */
#include "main/status.h"
#include "tests/fuzz/commands.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/mutate.h"

#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	RECORDINGS_MAX = 256,
	ROOM = 1 << 16,	      /* bytes that a mutant may have more than its recording */
	SECONDS_MAX = 10,     /* of the processor's time */
	WAIT_MAX = 120,	      /* seconds; one that waits for something uses no time */
	LARGE_KIB = 1 << 20,  /* 1 GiB */
	EXIT_SANITIZER = 99,  /* as set in ASAN_OPTIONS and UBSAN_OPTIONS */
	BATCH = 32,	      /* mutants that a process reads */
	PROGRESS_EVERY = 320, /* batches */
};

/* What can become of a mutant. */
enum outcome { FINE, KILLED, SLOW, LARGE, LEAKED, WRONG_STATUS, NR_OUTCOMES };

static const char *const outcomes[NR_OUTCOMES] = {"fine",  "killed", "slow",
						  "large", "leaked", "of a wrong exit status"};

struct recording {
	const char *path;
	struct layout layout;
};

/* What a process leaves, in memory that it shares with its parent. */
struct tally {
	uint64_t nr_unusable; /* no recordings any more */
	double longest;	      /* seconds of the processor's time for one of them */
};

struct run {
	struct recording recordings[RECORDINGS_MAX];
	size_t nr_recordings;
	uint64_t first, number; /* seeds */
	const char *build_ids, *keep;
	char input[PATH_MAX], said[PATH_MAX], output[PATH_MAX];
	struct tally *batch; /* of the batch under way */
	uint64_t nr[NR_OUTCOMES];
	uint64_t nr_unusable;
	double longest; /* seconds */
	long largest;	/* KiB */
};

/* ---- a mutant -------------------------------------------------------------------------------- */

/* Writes the mutant of @seed; returns the recording that it is of. */
static const struct recording *make_mutant(const struct run *run, uint64_t seed)
{
	uint64_t random = seed * 2 + 1;
	const struct recording *of = &run->recordings[mutate_below(&random, run->nr_recordings)];
	const struct recording *other = &run->recordings[mutate_below(&random, run->nr_recordings)];
	size_t room = of->layout.size + ROOM, size;
	uint8_t *bytes = malloc(room);

	fuzz_check(bytes);
	memcpy(bytes, of->layout.bytes, of->layout.size);
	size = mutate(bytes, of->layout.size, room, &other->layout, mutate_random(&random));
	fuzz_dir_put("mutant", bytes, size);
	free(bytes);
	return of;
}

static unsigned command_of(uint64_t seed)
{
	return (unsigned)(seed % 1000);
}

static bool is_expected(int status)
{
	return status == EXIT_OK || status == EXIT_UNUSABLE || status == EXIT_INCOMPLETE ||
	       status == EXIT_GATE;
}

static double seconds_used(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void limit_process(const struct run *run)
{
	const struct rlimit limit = {SECONDS_MAX, SECONDS_MAX};
	int said = open(run->said, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

	fuzz_check(said >= 0 && nowhere >= 0);
	dup2(nowhere, STDOUT_FILENO);
	dup2(said, STDERR_FILENO);
	setrlimit(RLIMIT_CPU, &limit);
	alarm(WAIT_MAX);
}

/* In a process of their own: never returns. */
static void read_mutants(const struct run *run, uint64_t first, uint64_t number)
{
	const struct command_paths paths = {.input = run->input,
					    .output = run->output,
					    .empty = fuzz_empty_dir(),
					    .build_ids = run->build_ids};
	double before = seconds_used(), after;

	limit_process(run);
	for (uint64_t seed = first; seed < first + number; seed++) {
		int status;

		make_mutant(run, seed);
		status = command_run(command_of(seed), &paths);
		if (!is_expected(status))
			exit(EXIT_USAGE);
		run->batch->nr_unusable += status == EXIT_UNUSABLE;
		after = seconds_used();
		if (after - before > run->batch->longest)
			run->batch->longest = after - before;
		before = after;
	}
	exit(EXIT_OK);
}

/* Whether the sanitizer found a leak and nothing else. */
static bool says_leak(const char *path)
{
	FILE *in = fopen(path, "r");
	char line[512];
	bool found = false;

	while (in && !found && fgets(line, sizeof(line), in))
		found = strstr(line, "ERROR: LeakSanitizer") != NULL;
	if (in)
		fclose(in);
	return found;
}

static enum outcome judge(const struct run *run, int status, const struct rusage *usage)
{
	if (WIFSIGNALED(status))
		return WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGALRM ||
				       WTERMSIG(status) == SIGKILL
			       ? SLOW
			       : KILLED;
	if (WEXITSTATUS(status) == EXIT_SANITIZER)
		return says_leak(run->said) ? LEAKED : KILLED;
	if (usage->ru_maxrss > LARGE_KIB)
		return LARGE;
	return WEXITSTATUS(status) == EXIT_OK ? FINE : WRONG_STATUS;
}

/* ---- a batch of them ------------------------------------------------------------------------- */

static void keep(const struct run *run, uint64_t seed)
{
	char to[PATH_MAX];
	FILE *in = fopen(run->input, "rb"), *out;
	int c;

	snprintf(to, sizeof(to), "%s/mutant-%" PRIu64 ".data", run->keep, seed);
	out = fopen(to, "wb");
	fuzz_check(in && out);
	while ((c = getc(in)) != EOF)
		putc(c, out);
	fclose(in);
	fuzz_check(fclose(out) == 0);
}

static void tell(const struct run *run, uint64_t seed, enum outcome outcome, int status)
{
	const struct recording *of = make_mutant(run, seed);

	printf("seed %" PRIu64 ": %s: of %s, by readperf %s, status %#x\n", seed, outcomes[outcome],
	       of->path, command_options(command_of(seed)), (unsigned)status);
	keep(run, seed);
}

static enum outcome try_batch(struct run *run, uint64_t first, uint64_t number, int *status)
{
	enum outcome outcome;
	struct rusage usage;
	pid_t pid;

	fflush(NULL);
	*run->batch = (struct tally){0};
	pid = fork();
	fuzz_check(pid >= 0);
	if (pid == 0)
		read_mutants(run, first, number);
	fuzz_check(wait4(pid, status, 0, &usage) == pid);
	outcome = judge(run, *status, &usage);
	if (outcome != FINE && number > 1)
		return outcome;
	run->nr[outcome] += number;
	run->nr_unusable += run->batch->nr_unusable;
	if (run->batch->longest > run->longest)
		run->longest = run->batch->longest;
	if (usage.ru_maxrss > run->largest)
		run->largest = usage.ru_maxrss;
	return outcome;
}

static void try_mutants(struct run *run, uint64_t first, uint64_t number)
{
	int status;

	if (number > 1 && try_batch(run, first, number, &status) == FINE)
		return;
	for (uint64_t seed = first; seed < first + number; seed++) {
		enum outcome outcome = try_batch(run, seed, 1, &status);

		if (outcome != FINE || run->number == 1)
			tell(run, seed, outcome, status);
	}
}

/* ---- all of them ----------------------------------------------------------------------------- */

static void load(struct run *run, const char *path)
{
	struct recording *recording = &run->recordings[run->nr_recordings++];
	FILE *in = fopen(path, "rb");
	struct stat st;
	uint8_t *bytes;
	size_t size;

	if (!in || fstat(fileno(in), &st) < 0 || !S_ISREG(st.st_mode)) {
		fprintf(stderr, "%s: is no file that can be read\n", path);
		exit(2);
	}
	bytes = malloc((size_t)st.st_size + 1);
	fuzz_check(bytes);
	size = fread(bytes, 1, (size_t)st.st_size, in);
	fclose(in);
	recording->path = path;
	layout_find(&recording->layout, bytes, size, size);
}

static void print_sums(const struct run *run, uint64_t done)
{
	printf("%" PRIu64 " mutants of %zu recordings:", done, run->nr_recordings);
	for (int i = KILLED; i < NR_OUTCOMES; i++)
		printf(" %" PRIu64 " %s%c", run->nr[i], outcomes[i],
		       i + 1 < NR_OUTCOMES ? ',' : ';');
	printf(" %" PRIu64 " were refused; the longest took %.2f s, the largest %ld MB\n",
	       run->nr_unusable, run->longest, run->largest / 1024);
	fflush(stdout);
}

static void parse(struct run *run, int argc, char **argv)
{
	static const struct option options[] = {{"first", required_argument, NULL, 'f'},
						{"number", required_argument, NULL, 'n'},
						{"build-ids", required_argument, NULL, 'b'},
						{"keep", required_argument, NULL, 'k'},
						{0}};
	int code;

	while ((code = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (code == 'f')
			run->first = strtoull(optarg, NULL, 10);
		else if (code == 'n')
			run->number = strtoull(optarg, NULL, 10);
		else if (code == 'b')
			run->build_ids = optarg;
		else if (code == 'k')
			run->keep = optarg;
		else
			exit(2);
	}
	for (int i = optind; i < argc && run->nr_recordings < RECORDINGS_MAX; i++)
		load(run, argv[i]);
	if (run->nr_recordings == 0) {
		fprintf(stderr, "usage: mutants [--first=SEED] [--number=N] [--build-ids=DIR] "
				"[--keep=DIR] RECORDING...\n");
		exit(2);
	}
}

int main(int argc, char **argv)
{
	static struct run run = {.number = 1000, .build_ids = "/nonexistent", .keep = "."};
	uint64_t done = 0;

	parse(&run, argc, argv);
	snprintf(run.input, sizeof(run.input), "%s/mutant", fuzz_dir());
	snprintf(run.said, sizeof(run.said), "%s/said", fuzz_dir());
	snprintf(run.output, sizeof(run.output), "%s/tables", fuzz_dir());
	run.batch = mmap(NULL, sizeof(*run.batch), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	fuzz_check(run.batch != MAP_FAILED);
	for (uint64_t batch = 1; done < run.number; batch++) {
		uint64_t left = run.number - done, number = left < BATCH ? left : BATCH;

		try_mutants(&run, run.first + done, number);
		done += number;
		if (batch % PROGRESS_EVERY == 0 && done < run.number)
			print_sums(&run, done);
	}
	print_sums(&run, done);
	for (size_t i = 0; i < run.nr_recordings; i++)
		free(run.recordings[i].layout.bytes);
	return run.nr[FINE] < run.number;
}
