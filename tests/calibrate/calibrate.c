/*
 * How often verdicts are right: comparisons of one and the same program, and of one with a function
 * that has more work.
 *
 *	calibrate DIR KIND...
 *
 * Reads the recordings DIR/KIND.1.data, DIR/KIND.2.data, ... of each program, and splits them into
 * sides: in turn, and by chance (always the same chance). Beside the method stand the one before,
 * and an oracle that knows how each function's runs differ.
 */
#include "decode/compare/diff.h"
#include "tests/calibrate/before.h"
#include "tests/calibrate/oracle.h"
#include "tests/calibrate/runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	NR_DESIGNS = 5,
	NR_SPLITS = 8,	   /* of all runs of a program */
	NR_KINDS_MAX = 64, /* of programs */
	NR_INCREASES = 4,
	NR_PLACES = 3,
};

static const size_t designs[NR_DESIGNS] = {1, 2, 3, 5, 10}; /* runs a side */
static const double increases[NR_INCREASES] = {0.05, 0.1, 0.2, 0.5};
/* Functions by their part of the time: from, to. */
static const double places[NR_PLACES][2] = {{0.02, 0.045}, {0.07, 0.14}, {0.18, 0.35}};
static const char *const place_names[NR_PLACES] = {"3 %", "10 %", "25 %"};

enum method { BEFORE, NOW, ORACLE, NR_METHODS };
static const char *const method_names[] = {"before", "now", "oracle"};

/** What is counted over comparisons. */
struct tally_of {
	double comparisons, any, gate, rows, rows_called, totals, held, intervals;
};

struct program {
	const char *name;
	struct runs runs;
};

/** A comparison of runs of one program, some of which may be changed. */
struct trial {
	struct program *program;
	struct run_share (*shares)[2][RUNS_MAX]; /* by function and side */
	struct run_total totals[2][RUNS_MAX];
	struct comparison *functions;
	struct side sides[2];
};

static uint64_t random_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static double random_part(uint64_t *state)
{
	return (double)(random_next(state) >> 11) * 0x1p-53;
}

/* Poisson's distribution by its smallest steps for few, by the normal one for many. */
static uint64_t random_poisson(uint64_t *state, double mean)
{
	double product = random_part(state), limit = exp(-mean);
	uint64_t count = 0;

	if (mean > 100) {
		double normal = 0;

		for (int i = 0; i < 12; i++)
			normal += random_part(state);
		return (uint64_t)fmax(0, mean + (normal - 6) * sqrt(mean) + 0.5);
	}
	for (; product > limit; product *= random_part(state))
		count++;
	return count;
}

/* An order of the @nr runs: as recorded, or by chance. */
static void make_order(size_t *order, size_t nr, size_t split)
{
	uint64_t state = 0x9e3779b97f4a7c15u * (split + 1);

	for (size_t i = 0; i < nr; i++)
		order[i] = i;
	for (size_t i = nr; split > 0 && i > 1; i--) {
		size_t other = random_next(&state) % i, one = order[i - 1];

		order[i - 1] = order[other];
		order[other] = one;
	}
}

/* Sides of @m runs each, in turn, from place @first of @order on. */
static void take_sides(struct trial *trial, const size_t *order, size_t first, size_t m)
{
	const struct runs *runs = &trial->program->runs;

	for (int side = 0; side < 2; side++) {
		trial->sides[side] = (struct side){trial->totals[side], m};
		for (size_t i = 0; i < m; i++) {
			size_t run = order[first + 2 * i + (size_t)side];

			trial->totals[side][i] = runs->totals[run];
			for (size_t f = 0; f < runs->nr_functions; f++)
				trial->shares[f][side][i] = runs->functions[f].shares[run];
		}
	}
	for (size_t f = 0; f < runs->nr_functions; f++)
		trial->functions[f] = (struct comparison){.old_runs = trial->shares[f][0],
							  .new_runs = trial->shares[f][1],
							  .kernel = runs->functions[f].kernel};
}

/* Gives function @f more work on the new side, as much as @increase of it, by chance. */
static void add_work(struct trial *trial, size_t f, double increase, uint64_t *state)
{
	for (size_t i = 0; i < trial->sides[1].nr_runs; i++) {
		struct run_share *share = &trial->shares[f][1][i];
		uint64_t more = random_poisson(state, (double)share->samples * increase);
		uint64_t period = share->samples ? more * (share->period / share->samples) : 0;

		share->samples += more;
		share->period += period;
		trial->totals[1][i].samples += more;
		trial->totals[1][i].period += period;
	}
}

static void compare(struct trial *trial, enum method method, enum measure measure)
{
	const struct runs *runs = &trial->program->runs;
	struct error err = {0};
	int rc;

	if (method == BEFORE)
		rc = before_compare(measure, &trial->sides[0], &trial->sides[1], trial->functions,
				    runs->nr_functions, &err);
	else if (method == NOW)
		rc = verdict_judge(measure, DEFAULT_RUN_DEVIATION, &trial->sides[0],
				   &trial->sides[1], trial->functions, runs->nr_functions, &err);
	else
		rc = oracle_compare(runs, &trial->sides[0], &trial->sides[1], trial->functions,
				    runs->nr_functions, &err);
	if (rc < 0) {
		fprintf(stderr, "calibrate: %s\n", err.text);
		exit(1);
	}
}

static uint64_t samples_of(const struct trial *trial, size_t f)
{
	uint64_t sum = 0;

	for (int side = 0; side < 2; side++)
		for (size_t i = 0; i < trial->sides[side].nr_runs; i++)
			sum += trial->shares[f][side][i].samples;
	return sum;
}

/* What 1 % of the old side is in the unit of @measure. */
static double point_of(const struct trial *trial, enum measure measure)
{
	double period = 0;

	for (size_t i = 0; i < trial->sides[0].nr_runs; i++)
		period += (double)trial->totals[0][i].period;
	return measure == MEASURE_SHARE ? 1 : period / 100 / (double)trial->sides[0].nr_runs;
}

/* Counts a comparison of runs without a change; says what it calls one if that is asked for. */
static void count_same(const struct trial *trial, enum method method, enum measure measure,
		       struct tally_of *to)
{
	const struct runs *runs = &trial->program->runs;
	bool any = false, gate = false;

	for (size_t f = 0; f < runs->nr_functions; f++) {
		const struct change *change = &trial->functions[f].change;
		uint64_t samples = samples_of(trial, f);
		bool called = verdict_is_change(change->verdict);

		if (!samples)
			continue;
		to->rows++;
		to->rows_called += called;
		any |= called;
		gate |= change->verdict == VERDICT_MORE && change->ratio >= 1.1 &&
			(method == BEFORE || change->q_value < DIFF_GATE_CHANCE) &&
			change->delta >= 0.5 * point_of(trial, measure);
		if (called && method == NOW && getenv("CALLED"))
			printf("  %s %zuv%zu %d: %s %s %.4g -> %.4g p %.2g q %.2g\n",
			       trial->program->name, trial->sides[0].nr_runs,
			       trial->sides[1].nr_runs, (int)measure,
			       intern_get(&runs->names, (uint32_t)f),
			       verdict_name(change->verdict, measure), change->old_value,
			       change->new_value, change->p_value, change->q_value);
		if (samples >= 20) {
			to->intervals++;
			to->held += change->ci_low <= 0 && change->ci_high >= 0;
		}
	}
	to->comparisons++;
	to->any += any;
	to->gate += gate;
	if (method == NOW)
		to->totals += verdict_is_change(total_compare(measure, DEFAULT_RUN_DEVIATION,
							      &trial->sides[0], &trial->sides[1])
							.verdict);
}

/* All comparisons of @m runs a side of a program in which nothing has changed. */
static void same_program(struct trial *trial, size_t m, enum method method, enum measure measure,
			 struct tally_of *to)
{
	const size_t nr = trial->program->runs.nr;
	size_t order[RUNS_MAX];

	for (size_t split = 0; split < NR_SPLITS; split++) {
		make_order(order, nr, split);
		for (size_t first = 0; first + 2 * m <= nr; first += 2 * m) {
			take_sides(trial, order, first, m);
			compare(trial, method, measure);
			count_same(trial, method, measure, to);
		}
	}
}

static double part_of(const struct runs *runs, size_t f)
{
	double part = 0, all = 0;

	for (size_t i = 0; i < runs->nr; i++) {
		part += (double)runs->functions[f].shares[i].period;
		all += (double)runs->totals[i].period;
	}
	return part / all;
}

/** How often a change was found, and how often its interval held it. */
struct found {
	double trials, found, held;
};

/* Function @f of a program has @increase more work in the runs of the new side. */
static void changed_program(struct trial *trial, size_t f, size_t m, double increase,
			    struct found found[NR_METHODS])
{
	const struct runs *runs = &trial->program->runs;
	uint64_t state = 0x2545f4914f6cdd1du + f;
	size_t order[RUNS_MAX];

	for (size_t split = 0; split < NR_SPLITS / 2; split++) {
		make_order(order, runs->nr, split);
		for (size_t first = 0; first + 2 * m <= runs->nr; first += 2 * m) {
			double truth = part_of(runs, f) * increase;

			take_sides(trial, order, first, m);
			add_work(trial, f, increase, &state);
			for (int method = 0; method < NR_METHODS; method++) {
				const struct change *change = &trial->functions[f].change;
				double point;

				compare(trial, (enum method)method, MEASURE_PERIOD);
				point = 100 * point_of(trial, MEASURE_PERIOD);
				found[method].trials++;
				found[method].found += change->verdict == VERDICT_MORE;
				found[method].held += change->ci_low <= truth * point &&
						      truth * point <= change->ci_high;
			}
		}
	}
}

static struct trial make_trial(struct program *program)
{
	const size_t nr = program->runs.nr_functions;
	struct trial trial = {.program = program};

	trial.shares = calloc(nr + 1, sizeof(*trial.shares));
	trial.functions = calloc(nr + 1, sizeof(*trial.functions));
	if (!trial.shares || !trial.functions)
		exit(1);
	return trial;
}

static void free_trial(struct trial *trial)
{
	free(trial->shares);
	free(trial->functions);
}

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

/* The mean over programs of what @value tells of each, which share no run. */
static void print_mean(const struct tally_of *list, size_t nr, size_t part, size_t whole)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < nr; i++) {
		const double *values = (const double *)&list[i];
		double value = percent(values[part], values[whole]);

		sum += value;
		squares += value * value;
	}
	sum /= (double)nr;
	printf(" %5.1f +- %-4.1f", sum,
	       nr > 1 ? sqrt(fmax(squares / (double)nr - sum * sum, 0) / (double)(nr - 1)) : 0);
}

enum { COMPARISONS, ANY, GATE, ROWS, ROWS_CALLED, TOTALS, HELD, INTERVALS };

/* A line of the table: @m runs a side. */
static void print_same_row(struct program *programs, size_t nr, size_t m, enum method method,
			   enum measure measure)
{
	static struct tally_of list[NR_KINDS_MAX];
	double comparisons = 0;

	for (size_t i = 0; i < nr; i++) {
		struct trial trial = make_trial(&programs[i]);

		list[i] = (struct tally_of){0};
		same_program(&trial, m, method, measure, &list[i]);
		comparisons += list[i].comparisons;
		free_trial(&trial);
	}
	if (comparisons == 0)
		return; /* too few runs */
	printf("%2zuv%-2zu  %-6s  %11.0f  ", m, m, method_names[method], comparisons);
	print_mean(list, nr, ANY, COMPARISONS);
	print_mean(list, nr, GATE, COMPARISONS);
	if (method == NOW)
		print_mean(list, nr, TOTALS, COMPARISONS);
	else
		printf("%14s", "");
	print_mean(list, nr, HELD, INTERVALS);
	printf("\n");
	fflush(stdout);
}

static void print_same(struct program *programs, size_t nr, enum measure measure)
{
	printf("\nNothing has changed, by %s: percent of comparisons (mean of programs, +- its "
	       "standard error)\n",
	       measure == MEASURE_SHARE ? "share" : "period");
	printf("runs  method  comparisons  any verdict    gate fired     total called   interval "
	       "holds\n");
	for (size_t d = 0; d < NR_DESIGNS; d++)
		for (int method = BEFORE; method <= NOW; method++)
			print_same_row(programs, nr, designs[d], (enum method)method, measure);
}

/* Of each program the function whose part of the time is nearest to the middle of @place. */
static size_t pick(const struct runs *runs, const double place[2])
{
	size_t best = SIZE_MAX;
	double middle = sqrt(place[0] * place[1]);

	for (size_t f = 0; f < runs->nr_functions; f++) {
		double part = part_of(runs, f);

		if (part < place[0] || part > place[1])
			continue;
		if (best == SIZE_MAX ||
		    fabs(log(part / middle)) < fabs(log(part_of(runs, best) / middle)))
			best = f;
	}
	return best;
}

static void print_power_row(struct program *programs, size_t nr, size_t place, size_t m)
{
	printf("%-4s %2zuv%-2zu", place_names[place], m, m);
	for (size_t k = 0; k < NR_INCREASES; k++) {
		struct found found[NR_METHODS] = {{0}};
		double nr_programs = 0;

		for (size_t i = 0; i < nr; i++) {
			struct trial trial = make_trial(&programs[i]);
			size_t f = pick(&programs[i].runs, places[place]);

			if (f != SIZE_MAX)
				changed_program(&trial, f, m, increases[k], found);
			nr_programs += f != SIZE_MAX;
			free_trial(&trial);
		}
		for (int method = 0; method < NR_METHODS; method++)
			printf("%s%3.0f", method ? " " : "  | ",
			       percent(found[method].found, found[method].trials));
		printf(" (%3.0f)", percent(found[NOW].held, found[NOW].trials));
	}
	printf("\n");
	fflush(stdout);
}

static void print_power(struct program *programs, size_t nr)
{
	printf("\nA function has more work, by period: percent found before, now, by the oracle "
	       "(interval of now holds it)\n%-10s",
	       "");
	for (size_t k = 0; k < NR_INCREASES; k++)
		printf("  | +%-2.0f %%            ", 100 * increases[k]);
	printf("\n");
	for (size_t place = 0; place < NR_PLACES; place++)
		for (size_t d = 0; d < NR_DESIGNS; d++)
			print_power_row(programs, nr, place, designs[d]);
}

static void load(struct program *program, const char *dir, const char *kind)
{
	char path[4096];

	program->name = kind;
	for (size_t i = 1; i <= RUNS_MAX; i++) {
		snprintf(path, sizeof(path), "%s/%s.%zu.data", dir, kind, i);
		if (access(path, R_OK) != 0)
			break;
		runs_add(&program->runs, path);
	}
	printf("%s: %zu runs, %zu functions, %.0f samples a run\n", kind, program->runs.nr,
	       program->runs.nr_functions, (double)program->runs.totals[0].samples);
}

int main(int argc, char **argv)
{
	static struct program programs[NR_KINDS_MAX];
	size_t nr = 0;

	for (int i = 2; i < argc && nr < NR_KINDS_MAX; i++)
		load(&programs[nr++], argv[1], argv[i]);
	if (nr == 0) {
		fprintf(stderr, "usage: calibrate DIR KIND...\n");
		return 2;
	}
	print_same(programs, nr, MEASURE_PERIOD);
	print_same(programs, nr, MEASURE_SHARE);
	print_power(programs, nr);
	for (size_t i = 0; i < nr; i++)
		runs_free(&programs[i].runs);
	return 0;
}
