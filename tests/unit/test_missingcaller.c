/* Samples whose immediate caller is missing: each sample stands in one place. */
#include "decode/answer/missingcaller.h"
#include "tests/support/recording.h"
#include "tests/support/suite.h"
#include "tests/support/toolchain.h"

#include <check.h>
#include <linux/perf_event.h>

/* Samples stand at the first instruction of both, where no frame is set up yet. */
static const char *const source =
	"__attribute__((noinline)) int inner(int n)\n{\n	return n * 3;\n}\n"
	"__attribute__((noinline)) int outer(int n)\n{\n	return inner(n) + 1;\n}\n"
	"int main(int argc, char **argv)\n{\n	(void)argv;\n	return outer(argc);\n}\n";

/* Both as Go has them: all CFA are found by SP, but only inner() is without a frame. */
static const char *const go_source =
	"	.cfi_sections .debug_frame\n"
	"	.text\n"
	"	.globl main, inner, outer\n"
	"inner:	.cfi_startproc\n	nop\n	ret\n	.cfi_endproc\n"
	"main:	.cfi_startproc\n"
	"	sub $24, %rsp\n"
	"	.cfi_adjust_cfa_offset 24\n"
	"	mov %rbp, 16(%rsp)\n"
	"	lea 16(%rsp), %rbp\n"
	"outer:	call inner\n"
	"	mov 16(%rsp), %rbp\n"
	"	add $24, %rsp\n"
	"	.cfi_adjust_cfa_offset -24\n"
	"	ret\n"
	"	.cfi_endproc\n"
	"	.section .note.GNU-stack,\"\",@progbits\n";

enum { INNER, OUTER, KERNEL, NR_PLACES, FILE_AT = 0x400000 };

struct world {
	struct scratch_path dir;
	struct perffile *file;
	struct dso_table dsos;
	struct symbol_settings settings;
	struct symbolizer *symbolizer;
	struct address_table addresses;
	uint32_t numbers[NR_PLACES];
	struct pathstore paths;
};

static uint32_t add_address(struct world *world, const struct dso *dso, uint64_t place)
{
	return address_get(&world->addresses, 0, dso->number, place);
}

/* @build makes the program x, with the places inner and outer. */
static void setup_program(struct world *world, void (*build)(const char *dir))
{
	const struct mkperf_event event = {.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
							  PERF_SAMPLE_CALLCHAIN};
	struct mkperf *m = mkperf_new(&(struct mkperf_options){0});
	const struct dso *program, *kernel;
	const char *dir;

	*world = (struct world){.dir = scratch_make()};
	dir = world->dir.text;
	mkperf_event(m, &event);
	world->file = recording_open(m);
	build(dir);
	program = dso_table_get(&world->dsos, DSO_USER, scratch_join(dir, "x").text, NULL, 0);
	kernel = dso_table_get(&world->dsos, DSO_KERNEL, "[kernel.kallsyms]", NULL, 0);
	world->settings = (struct symbol_settings){.debug_dir = dir, .build_id_cache = dir};
	world->symbolizer = symbolizer_create(&world->settings);
	world->numbers[INNER] =
		add_address(world, program, toolchain_address(dir, "x", "inner") - FILE_AT);
	world->numbers[OUTER] =
		add_address(world, program, toolchain_address(dir, "x", "outer") - FILE_AT);
	world->numbers[KERNEL] = add_address(world, kernel, 0x1000);
	pathstore_init(&world->paths, 0);
}

static void build_c(const char *dir)
{
	toolchain_build(dir, "x.c", source, "gcc -O1 " TOOLCHAIN_FIXED " -o x x.c");
}

static void setup(struct world *world)
{
	setup_program(world, build_c);
}

static void teardown(struct world *world)
{
	pathstore_free(&world->paths);
	address_table_free(&world->addresses);
	symbolizer_destroy(world->symbolizer);
	dso_table_free(&world->dsos);
	perffile_close(world->file);
	scratch_remove(world->dir.text);
}

/* Counts a sample of period @period on the path to the @nr @places, outermost first. */
static void add_sample(struct world *world, enum chain_end end, const unsigned *places, size_t nr,
		       uint64_t period)
{
	struct callpath_ref path = callpath_root(end);

	for (size_t i = 0; i < nr; i++)
		path = callpath_get(&world->paths.now, path, world->numbers[places[i]]);
	tally_add(&callpath_at(&world->paths.now, path.number)->here, 1, period);
}

#define ADD_SAMPLE(world, end, period, ...)                     \
	add_sample(world, end, (const unsigned[]){__VA_ARGS__}, \
		   sizeof((const unsigned[]){__VA_ARGS__}) / sizeof(unsigned), period)

static struct tally count_missing(const struct world *world)
{
	struct tally of_events[1] = {{0}};
	struct place_set places = {0};
	const struct missing_caller_input input = {
		.file = world->file,
		.paths = &world->paths,
		.addresses = &world->addresses,
		.places = &places,
		.dsos = &world->dsos,
		.info = symbolizer_unwindinfo(world->symbolizer),
	};
	struct error err;

	ck_assert(missing_caller_is_possible(world->file));
	ck_assert_int_eq(resolve_collect(&places, &world->dsos, &world->addresses, 0, NULL, &err),
			 0);
	ck_assert_int_eq(missing_caller_count(&input, of_events, &err), 0);
	resolve_free(&places);
	return of_events[0];
}

static void check_missing(struct world *world, uint64_t samples, uint64_t period)
{
	const struct tally missing = count_missing(world);

	ck_assert_uint_eq(missing.samples, samples);
	ck_assert_uint_eq(missing.period, period);
}

START_TEST(each_sample_stands_in_one_place)
{
	struct world world;

	setup(&world);
	check_missing(&world, 0, 0);
	ADD_SAMPLE(&world, CHAIN_COMPLETE, 1, OUTER, INNER);
	check_missing(&world, 1, 1);
	/* Execution of user code stands where it entered the kernel, however deep it is there. */
	ADD_SAMPLE(&world, CHAIN_COMPLETE, 10, OUTER, KERNEL);
	ADD_SAMPLE(&world, CHAIN_COMPLETE, 100, OUTER, KERNEL, KERNEL);
	check_missing(&world, 3, 111);
	/* The kernel alone. */
	ADD_SAMPLE(&world, CHAIN_COMPLETE, 1000, KERNEL, KERNEL);
	check_missing(&world, 3, 111);
	/* Code of no file between two functions: the sample stands in the inner one alone. */
	ADD_SAMPLE(&world, CHAIN_COMPLETE, 10000, OUTER, KERNEL, INNER);
	check_missing(&world, 4, 10111);
	teardown(&world);
}
END_TEST

/* What is missing of the chain may be the place itself, unless only its depth is limited. */
START_TEST(of_chains_that_are_whole)
{
	struct world world;

	setup(&world);
	ADD_SAMPLE(&world, CHAIN_STACK_CUT, 1, OUTER, INNER);
	ADD_SAMPLE(&world, CHAIN_STACK_CUT, 10, OUTER, KERNEL);
	check_missing(&world, 0, 0);
	ADD_SAMPLE(&world, CHAIN_DEPTH_LIMIT, 100, OUTER, INNER);
	check_missing(&world, 1, 100);
	teardown(&world);
}
END_TEST

static void build_bare(const char *dir)
{
	toolchain_build(dir, "x.s", go_source, "gcc " TOOLCHAIN_FIXED " -o x x.s");
}

static void build_go(const char *dir)
{
	build_bare(dir);
	toolchain_run(dir, "objcopy --add-section .note.go.buildid=x.s x");
}

static void build_go_pie(const char *dir)
{
	build_bare(dir);
	toolchain_run(dir, "objcopy --add-section .data.rel.ro.gopclntab=x.s x");
}

/* Code by another compiler has no frame pointer where its CFI does not speak of it. */
START_TEST(frames_of_go)
{
	void (*const builds[])(const char *) = {build_bare, build_go, build_go_pie};
	const uint64_t expected[] = {11, 1, 1};
	struct world world;

	setup_program(&world, builds[_i]);
	ADD_SAMPLE(&world, CHAIN_COMPLETE, 1, OUTER, INNER);
	ADD_SAMPLE(&world, CHAIN_COMPLETE, 10, OUTER);
	check_missing(&world, _i == 0 ? 2 : 1, expected[_i]);
	teardown(&world);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("missingcaller");
	TCase *tc = tcase_create("missingcaller");

	tcase_add_test(tc, each_sample_stands_in_one_place);
	tcase_add_test(tc, of_chains_that_are_whole);
#ifdef __x86_64__
	tcase_add_loop_test(tc, frames_of_go, 0, 3);
#endif
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
