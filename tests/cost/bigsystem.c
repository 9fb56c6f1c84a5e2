/*
 * bigsystem OUT [OPTIONS]: writes the recording of a busy machine that never was, of any length,
 * and prints how many records of each type it has.
 *
 *   --cpus N       (8)         perf reads their buffers in turn; then comes a FINISHED_ROUND
 *   --processes N  (1000)      lives; one in eight is a fork of another, the others exec. Pids are
 *                              used again
 *   --records N    (100000)    of the kernel: FORK, COMM, MMAP2, SAMPLE and EXIT
 *   --rounds N     (N / 16384) FINISHED_ROUNDs, about; --no-rounds: none
 *   --seed N       (1)         same numbers, same bytes
 *   --stay N       (0)         records of a process on a CPU before another gets it, on average; 0:
 *                              whose record is next, and which CPU it is on, has no order
 *   --lost N       (0)         samples that the event lost, as perf record reads them at its end
 *   --pipe                     as written into a pipe; OUT may be -, and nothing is printed
 *   --expect DIR               DIR/processes.csv, DIR/binaries.csv: exact answers, in no order
 *
 * Everything happens in the order of time; a record waits in its CPU's buffer until that is read.
 * So a round's records are all that is ever held.
 */
#include "tests/cost/bigsystem.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void fail(const char *fmt, ...)
{
	va_list args;

	fputs("bigsystem: ", stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

void *allocate(size_t nr, size_t size)
{
	void *block = calloc(nr, size);

	if (!block)
		fail("no memory");
	return block;
}

/* splitmix64 */
uint64_t draw(struct system *sys, uint64_t below)
{
	uint64_t z = sys->random += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (z ^ (z >> 31)) % below;
}

/* ---- the buffers ---- */

/* perf record reads the next CPU's buffer; when it has read them all a round is finished. */
static void read_next_buffer(struct system *sys)
{
	flush(sys, &sys->buffers[sys->next_read]);
	sys->next_read = (sys->next_read + 1) % sys->options.cpus;
	if (sys->next_read == 0)
		write_round(sys);
}

static void write_records(struct system *sys)
{
	const uint64_t reads = sys->options.rounds * sys->options.cpus;
	const uint64_t per_read = sys->options.records / reads + 1;

	for (uint64_t nr = 1; sys->nr_live || sys->next_life < sys->options.processes; nr++) {
		step(sys);
		if (nr % per_read == 0)
			read_next_buffer(sys);
	}
	/* The first CPUs may have been written to since this round read them. */
	while (sys->next_read != 0)
		read_next_buffer(sys);
	do
		read_next_buffer(sys);
	while (sys->next_read != 0);
}

/* ---- the file ---- */

static struct perf_event_attr attr_of_event(void)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(struct perf_event_attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_type = SAMPLE_TYPE,
		.sample_freq = 1000,
		.freq = 1,
		.sample_id_all = 1,
	};
}

static void put_ids(struct system *sys)
{
	for (uint64_t cpu = 0; cpu < sys->options.cpus; cpu++)
		put_u64(&sys->own, 1 + cpu);
}

static void write_pipe_header(struct system *sys)
{
	struct perf_event_attr attr = attr_of_event();
	size_t at;

	put(&sys->own, "PERFILE2", 8);
	put_u64(&sys->own, 16);
	at = begin_record(sys, &sys->own, TYPE_ATTR, 0);
	put(&sys->own, &attr, sizeof(attr));
	put_ids(sys);
	end_record(&sys->own, at);
	flush(sys, &sys->own);
}

/* Header, attr, ids; the data takes the rest of the file. Written again when its size is known. */
static void write_file_header(struct system *sys, uint64_t data_size)
{
	static const uint8_t no_features[FEATURE_BYTES];
	struct perf_event_attr attr = attr_of_event();
	const uint64_t header = 104, attr_size = sizeof(attr) + 16, ids = 8 * sys->options.cpus;
	struct buffer *own = &sys->own;

	put(own, "PERFILE2", 8);
	put_u64(own, header);
	put_u64(own, attr_size);
	put_u64(own, header);
	put_u64(own, attr_size);
	put_u64(own, header + attr_size + ids);
	put_u64(own, data_size);
	put_u64(own, 0); /* event types */
	put_u64(own, 0);
	put(own, no_features, sizeof(no_features));
	put(own, &attr, sizeof(attr));
	put_u64(own, header + attr_size);
	put_u64(own, ids);
	put_ids(sys);
	flush(sys, own);
}

static void write_recording(struct system *sys)
{
	uint64_t start;

	if (sys->options.pipe)
		write_pipe_header(sys);
	else
		write_file_header(sys, 0);
	start = sys->written;
	write_start(sys);
	write_records(sys);
	if (sys->options.lost)
		write_lost_samples(sys);
	if (sys->options.pipe)
		return;
	if (fseek(sys->out, 0, SEEK_SET) != 0)
		fail("%s: %s", sys->options.out, strerror(errno));
	write_file_header(sys, sys->written - start);
}

/* ---- the answers ---- */

static FILE *expect_open(const struct system *sys, const char *name)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", sys->options.expect, name);
	file = fopen(path, "w");
	if (!file)
		fail("%s: %s", path, strerror(errno));
	return file;
}

static void expect_close(FILE *file)
{
	if (fclose(file) != 0)
		fail("cannot write what is expected: %s", strerror(errno));
}

static void expect_start(struct system *sys)
{
	sys->lives = expect_open(sys, "processes.csv");
	fputs("1,init,1,,,0,0,cpu-clock,,1,/nonexistent/sbin/init\n", sys->lives);
}

static void expect_binaries(const struct system *sys)
{
	FILE *file = expect_open(sys, "binaries.csv");
	char name[64];

	for (unsigned i = 0; i < NR_BINARIES; i++) {
		if (sys->binaries[i].samples)
			fprintf(file, "%s,%" PRIu64 ",%" PRIu64 "\n",
				binary_name(i, name, sizeof(name)), sys->binaries[i].samples,
				sys->binaries[i].period);
	}
	expect_close(file);
}

static void print_counts(const struct system *sys)
{
	static const struct {
		unsigned type;
		const char *name;
	} types[] = {
		{PERF_RECORD_MMAP, "MMAP"},	{PERF_RECORD_COMM, "COMM"},
		{PERF_RECORD_EXIT, "EXIT"},	{PERF_RECORD_FORK, "FORK"},
		{PERF_RECORD_SAMPLE, "SAMPLE"}, {PERF_RECORD_MMAP2, "MMAP2"},
		{TYPE_ATTR, "HEADER_ATTR"},	{TYPE_FINISHED_ROUND, "FINISHED_ROUND"},
	};

	printf("record,count\n");
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (sys->counts[types[i].type])
			printf("%s,%" PRIu64 "\n", types[i].name, sys->counts[types[i].type]);
	}
}

/* ---- the command line ---- */

static uint64_t number_of(const char *arg)
{
	char *end;
	uint64_t number = strtoull(arg, &end, 10);

	if (*arg < '0' || *arg > '9' || *end)
		fail("not a number: %s", arg);
	return number;
}

static void parse_option(struct options *options, int key)
{
	switch (key) {
	case 'c':
		options->cpus = number_of(optarg);
		break;
	case 'p':
		options->processes = number_of(optarg);
		break;
	case 'n':
		options->records = number_of(optarg);
		break;
	case 'r':
		options->rounds = number_of(optarg);
		break;
	case 's':
		options->seed = number_of(optarg);
		break;
	case 'l':
		options->lost = number_of(optarg);
		break;
	case 't':
		options->stay = number_of(optarg);
		break;
	case 'e':
		options->expect = optarg;
		break;
	case 'R':
		options->no_rounds = true;
		break;
	case 'P':
		options->pipe = true;
		break;
	default:
		exit(2);
	}
}

static struct options parse(int argc, char **argv)
{
	static const struct option names[] = {
		{"cpus", 1, NULL, 'c'},
		{"processes", 1, NULL, 'p'},
		{"records", 1, NULL, 'n'},
		{"rounds", 1, NULL, 'r'},
		{"no-rounds", 0, NULL, 'R'},
		{"seed", 1, NULL, 's'},
		{"lost", 1, NULL, 'l'},
		{"pipe", 0, NULL, 'P'},
		{"expect", 1, NULL, 'e'},
		{"stay", 1, NULL, 't'},
		{0},
	};
	struct options options = {.cpus = 8, .processes = 1000, .records = 100000, .seed = 1};
	int key;

	while ((key = getopt_long(argc, argv, "", names, NULL)) != -1)
		parse_option(&options, key);
	if (argc - optind != 1)
		fail("usage: bigsystem OUT [OPTIONS]");
	options.out = argv[optind];
	if (options.cpus == 0 || options.cpus > 4096 || options.processes == 0 ||
	    options.processes > 1000000000)
		fail("from 1 to 4096 CPUs, from 1 to 1000000000 processes");
	if (options.rounds == 0)
		options.rounds = options.records / 16384 + 1;
	if (options.rounds > options.records)
		fail("more rounds than records");
	return options;
}

/* Room for four processes a CPU; with few lives there are few pids, so that they come again. */
static void system_init(struct system *sys)
{
	const struct options *options = &sys->options;
	const uint64_t lives = options->processes, forks = lives / 8, start_records = 3;
	const uint64_t others =
		start_records + (lives - forks) * EXEC_RECORDS + forks * FORK_RECORDS;

	if (options->records < others)
		fail("%" PRIu64 " records at least, for so many processes", others);
	sys->samples = options->records - others;
	sys->max_live = lives < 4 * options->cpus ? lives : 4 * options->cpus;
	sys->nr_pids = (uint32_t)(lives < 60000 ? sys->max_live + lives / 2 : 32768) + 2;
	sys->last_pid = INIT_PID;
	sys->random = options->seed;
	sys->time = UINT64_C(1000000000);
	sys->buffers = allocate(options->cpus, sizeof(*sys->buffers));
	sys->live = allocate(sys->max_live, sizeof(*sys->live));
	sys->on_cpu = allocate(options->cpus, sizeof(*sys->on_cpu));
	sys->pid_used = allocate(sys->nr_pids, 1);
}

static void system_free(struct system *sys)
{
	for (uint64_t cpu = 0; cpu < sys->options.cpus; cpu++)
		free(sys->buffers[cpu].bytes);
	free(sys->buffers);
	free(sys->own.bytes);
	free(sys->live);
	free(sys->on_cpu);
	free(sys->pid_used);
}

int main(int argc, char **argv)
{
	struct system sys = {.options = parse(argc, argv)};
	const bool to_stdout = sys.options.pipe && strcmp(sys.options.out, "-") == 0;

	system_init(&sys);
	sys.out = to_stdout ? stdout : fopen(sys.options.out, "wb");
	if (!sys.out)
		fail("%s: %s", sys.options.out, strerror(errno));
	if (sys.options.expect)
		expect_start(&sys);
	write_recording(&sys);
	if (fclose(sys.out) != 0)
		fail("%s: %s", sys.options.out, strerror(errno));
	if (sys.options.expect) {
		expect_close(sys.lives);
		expect_binaries(&sys);
	}
	if (!to_stdout)
		print_counts(&sys);
	system_free(&sys);
	return 0;
}
