/*
 * Writes small recordings in many shapes into a directory: what `make fuzz` starts from.
 *
 *	seeds DIR
 */
#include "tests/fuzz/scenario.h"

enum { NR_SEEDS = 24, CHOICES = 1500 };

static void write_seed(const char *dir, unsigned number)
{
	uint8_t bytes[CHOICES] = {0};
	uint64_t random = number;
	struct fuzz_choices choices = fuzz_choices_of(bytes, sizeof(bytes));
	struct mkperf_options shape;
	struct mkperf *m;
	char path[PATH_MAX];

	for (size_t i = 0; i < sizeof(bytes); i++) {
		random = random * 6364136223846793005 + 1442695040888963407;
		bytes[i] = (uint8_t)(random >> 56);
	}
	shape = scenario_shape(&choices);
	m = scenario_make(&shape, choices, number % 2);
	snprintf(path, sizeof(path), "%s/scenario-%02u", dir, number);
	if (!mkperf_save(m, path))
		fprintf(stderr, "%s: is not written: the choices make no recording\n", path);
	mkperf_free(m);
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: seeds DIR\n");
		return 2;
	}
	for (unsigned i = 0; i < NR_SEEDS; i++)
		write_seed(argv[1], i);
	return 0;
}
