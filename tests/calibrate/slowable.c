/*
 * A program with a knob: a few functions whose work is known, one of which can be made slower.
 *
 *	slowable [ROUNDS [FUNCTION PERCENT]]
 *
 * Each round calls the functions in turn, with work in the proportion of `steps`. How much in all
 * is left to chance, which differs from run to run: rounds of one length would keep step with the
 * clock of the samples. FUNCTION (by its number) does PERCENT more work in each call. `rare` is
 * called now and then, by chance, with much work; `phase` in one third of the rounds.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { NR_FUNCTIONS = 8 };

static volatile uint64_t sink;

/* Each its own function with its own loop, so that a sample tells which one it was. */
#define WORKER(name)                                               \
	__attribute__((noinline)) static void name(uint64_t steps) \
	{                                                          \
		uint64_t v = steps;                                \
                                                                   \
		for (uint64_t i = 0; i < steps; i++)               \
			v = (v ^ (v >> 29)) * 0xbf58476d1ce4e5b9u; \
		sink = v;                                          \
	}

WORKER(half)
WORKER(fifth)
WORKER(tenth)
WORKER(twentieth)
WORKER(fiftieth)
WORKER(hundredth)
WORKER(rare)
WORKER(phase)

static void (*const functions[NR_FUNCTIONS])(uint64_t) = {half,	    fifth,     tenth, twentieth,
							  fiftieth, hundredth, rare,  phase};

/* Steps in each round, on average over all rounds. */
static const uint64_t steps[NR_FUNCTIONS] = {5000, 2000, 1000, 500, 200, 100, 500, 700};

static uint64_t random_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

int main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000;
	unsigned long slow = argc > 3 ? strtoul(argv[2], NULL, 10) : NR_FUNCTIONS;
	unsigned long percent = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
	struct timespec now;
	uint64_t state;

	clock_gettime(CLOCK_REALTIME, &now);
	state = (uint64_t)now.tv_nsec * 0x9e3779b97f4a7c15u | 1;
	for (unsigned long round = 0; round < rounds; round++) {
		uint64_t size = random_next(&state) % 201; /* percent */

		for (unsigned long i = 0; i < NR_FUNCTIONS; i++) {
			uint64_t work = steps[i] * (100 + (i == slow ? percent : 0)) / 100;

			if (functions[i] == rare)
				work = random_next(&state) % 400 ? 0 : work * 400;
			if (functions[i] == phase)
				work = round / (rounds / 3 + 1) == 1 ? work * 3 : 0;
			functions[i](work * size / 100);
		}
	}
	return 0;
}
