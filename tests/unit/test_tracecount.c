/* Hardware traces: blocks become legs, and legs are counted by call path. */
#include "decode/trace/ptclock.h"
#include "decode/trace/tracecount.h"
#include "decode/trace/traceleg.h"
#include "decode/trace/traceworld.h"
#include "tests/support/suite.h"

#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Functions of 256 bytes; in the second one lies the third. */
enum { CALLER = 0x1000, CALLEE = 0x1100, INNER = 0x1180, INNER_END = 0x11c0, END = 0x1200 };

struct fixture {
	struct tracecode code;
	struct tracespots spots;
	struct trace_legs legs;
	pthread_mutex_t lock;
};

/* What is at @ip: function @number of [start, end), and nothing else in [@ip, @same_end). */
static void put_spot(struct fixture *f, uint64_t ip, uint32_t number, uint64_t start, uint64_t end,
		     uint64_t same_end)
{
	f->spots.list[(ip ^ ip >> 15) % TRACESPOTS_NR] = (struct trace_spot){
		.ip = ip,
		.end = end,
		.same_start = start,
		.same_end = same_end,
		.function = number,
		.is_entry = ip == start,
	};
}

static void setup(struct fixture *f)
{
	*f = (struct fixture){.lock = PTHREAD_MUTEX_INITIALIZER};
	tracecode_init(&f->code, NULL, NULL, &f->lock);
	ck_assert(tracespots_init(&f->spots, &f->code));
	put_spot(f, CALLER, 7, CALLER, CALLEE, CALLEE);
	put_spot(f, CALLER + 0x20, 7, CALLER, CALLEE, CALLEE);
	put_spot(f, CALLER + 0xf0, 7, CALLER, CALLEE, CALLEE);
	put_spot(f, CALLEE, 3, CALLEE, END, INNER);
	put_spot(f, INNER, 5, INNER, INNER_END, INNER_END);
	put_spot(f, INNER_END, 3, CALLEE, END, CALLEE);
	f->code.found = calloc(8, sizeof(*f->code.found));
	f->code.found_room = 8;
}

static void teardown(struct fixture *f)
{
	tracelegs_free(&f->legs);
	tracespots_free(&f->spots);
	tracecode_free(&f->code);
}

static void check_leg(const struct fixture *f, size_t number, const struct trace_leg *leg)
{
	const struct trace_leg *is = &f->legs.list[number];

	ck_assert_uint_lt(number, f->legs.nr);
	ck_assert_uint_eq(is->ip, leg->ip);
	ck_assert_uint_eq(is->end_ip, leg->end_ip);
	ck_assert_uint_eq(is->nr, leg->nr);
	ck_assert_uint_eq(is->function, leg->function);
	ck_assert_int_eq(is->flow, leg->flow);
	ck_assert_int_eq(is->is_entry, leg->is_entry);
	ck_assert_int_eq(is->arrival, 0);
}

/* ---- legs ---- */

START_TEST(legs_of_blocks)
{
	static const struct ptblock blocks[] = {
		{CALLER, CALLER + 9, 3, PTFLOW_BRANCH},
		{CALLER + 4, CALLER + 9, 2, PTFLOW_BRANCH}, /* a loop */
		{CALLER + 10, CALLER + 0x1c, 4, PTFLOW_CALL},
		{CALLEE, CALLEE + 5, 1, PTFLOW_JUMP},
		{CALLEE + 0x40, CALLEE + 0x44, 2, PTFLOW_RETURN},
		{CALLER + 0x20, CALLER + 0x2f, 5, PTFLOW_CALL},
		{CALLER, CALLER + 3, 1, PTFLOW_OTHER}, /* calls itself */
	};
	struct fixture f;

	setup(&f);
	ck_assert(tracelegs_add(&f.legs, &f.spots, NULL, blocks, 7));
	ck_assert_uint_eq(f.legs.nr, 4);
	check_leg(&f, 0, &(struct trace_leg){CALLER, CALLER + 0x1c, 9, 7, PTFLOW_CALL, 0, true});
	check_leg(&f, 1, &(struct trace_leg){CALLEE, CALLEE + 0x44, 3, 3, PTFLOW_RETURN, 0, true});
	check_leg(&f, 2,
		  &(struct trace_leg){CALLER + 0x20, CALLER + 0x2f, 5, 7, PTFLOW_CALL, 0, false});
	check_leg(&f, 3, &(struct trace_leg){CALLER, CALLER + 3, 1, 7, PTFLOW_OTHER, 0, true});
	/* None goes on in those of the next call. */
	ck_assert(tracelegs_add(&f.legs, &f.spots, NULL, blocks, 1));
	ck_assert_uint_eq(f.legs.nr, 5);
	teardown(&f);
}
END_TEST

/* A function inside another one is one of its own, whether code jumps there or runs into it. */
START_TEST(functions_inside_others)
{
	static const struct ptblock blocks[] = {
		{CALLEE, CALLEE + 7, 2, PTFLOW_JUMP},
		{INNER, INNER + 7, 2, PTFLOW_JUMP},
		{INNER_END, INNER_END + 7, 2, PTFLOW_JUMP},
		{CALLEE, CALLEE + 3, 1, PTFLOW_OTHER},
	};
	struct fixture f;

	setup(&f);
	ck_assert(tracelegs_add(&f.legs, &f.spots, NULL, blocks, 4));
	ck_assert_uint_eq(f.legs.nr, 3);
	check_leg(&f, 0, &(struct trace_leg){CALLEE, CALLEE + 7, 2, 3, PTFLOW_JUMP, 0, true});
	check_leg(&f, 1, &(struct trace_leg){INNER, INNER + 7, 2, 5, PTFLOW_JUMP, 0, true});
	check_leg(&f, 2, &(struct trace_leg){INNER_END, CALLEE + 3, 3, 3, PTFLOW_OTHER, 0, false});
	teardown(&f);
}
END_TEST

/* A block that runs on into the next function is divided by its bytes. */
START_TEST(blocks_that_run_on)
{
	static const struct ptblock blocks[] = {
		{CALLER, CALLER + 9, 3, PTFLOW_JUMP},
		{CALLER + 0xf0, CALLEE + 0x0f, 8, PTFLOW_BRANCH},
		{CALLEE + 0x20, CALLEE + 0x2f, 3, PTFLOW_RETURN},
	};
	struct fixture f;

	setup(&f);
	ck_assert(tracelegs_add(&f.legs, &f.spots, NULL, blocks, 3));
	ck_assert_uint_eq(f.legs.nr, 3);
	check_leg(&f, 0, &(struct trace_leg){CALLER, CALLER + 9, 3, 7, PTFLOW_JUMP, 0, true});
	check_leg(&f, 1,
		  &(struct trace_leg){CALLER + 0xf0, CALLEE + 0x0f, 4, 7, PTFLOW_OTHER, 0, false});
	check_leg(&f, 2, &(struct trace_leg){CALLEE, CALLEE + 0x2f, 7, 3, PTFLOW_RETURN, 0, true});
	teardown(&f);
}
END_TEST

/* Functions of a byte each do not make any number of legs. */
START_TEST(blocks_of_many_functions)
{
	const struct ptblock block = {0x2000, 0x2000 + 999, 1000, PTFLOW_RETURN};
	struct fixture f;
	uint64_t nr = 0;

	setup(&f);
	for (uint64_t ip = 0x2000; ip < 0x2000 + 1000; ip++)
		put_spot(&f, ip, 1, ip, ip + 1, ip + 1);
	ck_assert(tracelegs_add(&f.legs, &f.spots, NULL, &block, 1));
	ck_assert_uint_eq(f.legs.nr, 64);
	for (size_t i = 0; i < f.legs.nr; i++)
		nr += f.legs.list[i].nr;
	ck_assert_uint_eq(nr, 1000);
	check_leg(&f, 63, &(struct trace_leg){0x203f, 0x23e7, 937, 1, PTFLOW_RETURN, 0, true});
	teardown(&f);
}
END_TEST

/* ---- counting ---- */

/* Functions are numbered in the order in which they are counted, not in which they were found. */
START_TEST(numbers_of_functions)
{
	struct fixture f;

	setup(&f);
	for (size_t i = 0; i < 8; i++)
		f.code.found[i].start = 100 + i;
	ck_assert_uint_eq(tracecode_number(&f.code, 6), 0);
	ck_assert_uint_eq(tracecode_number(&f.code, 2), 1);
	ck_assert_uint_eq(tracecode_number(&f.code, 6), 0);
	ck_assert_uint_eq(tracecode_number(&f.code, 7), 2);
	ck_assert_uint_eq(f.code.nr_functions, 3);
	ck_assert_uint_eq(f.code.functions[0].start, 106);
	ck_assert_uint_eq(f.code.functions[1].start, 102);
	ck_assert_uint_eq(f.code.functions[2].start, 107);
	teardown(&f);
}
END_TEST

static const struct trace_leg call_and_return[] = {
	{CALLER, CALLER + 0x1c, 60, 7, PTFLOW_CALL, TRACE_RESYNCS, true},
	{CALLEE, CALLEE + 0x44, 30, 3, PTFLOW_RETURN, TRACE_FLOWS, true},
	{CALLER + 0x20, CALLER + 0x2f, 10, 7, PTFLOW_OTHER, TRACE_FLOWS, false},
};

/* Time and cycles between two clock values are those of the instructions, each an equal part. */
START_TEST(time_of_legs)
{
	const struct trace_space space = {.life = 1, .pid = 9};
	struct tracecount count;
	struct trace_sums sums;
	const struct trace_node *caller, *callee;
	struct fixture f;
	struct error err;

	setup(&f);
	tracecount_init(&count, &f.code);
	ck_assert(tracecount_run(&count, &space, 9));
	ck_assert_int_eq(tracecount_restart(&count, 1000, &err), 0);
	ck_assert(tracelegs_copy(&count.legs, call_and_return, 3));
	ck_assert_int_eq(tracecount_take(&count, &err), 0);
	ck_assert_int_eq(tracecount_clock(&count, 1200, 50, &err), 0);
	ck_assert_uint_eq(count.paths.nr, 3);
	caller = &count.paths.nodes[1];
	callee = &count.paths.nodes[2];
	ck_assert(caller->parent == 0 && caller->function == 0 && caller->calls == 0);
	ck_assert(caller->instructions == 70 && caller->ns == 140 && caller->cycles == 35);
	ck_assert(callee->parent == 1 && callee->function == 1 && callee->calls == 1);
	ck_assert(callee->instructions == 30 && callee->ns == 60 && callee->cycles == 15);
	ck_assert(callee->nr_timed == 1 && callee->min_ns == 60 && callee->max_ns == 60);
	sums = tracepaths_sums(&count.paths);
	ck_assert(sums.instructions == 100 && sums.ns == 200 && sums.cycles == 50);
	tracecount_free(&count);
	teardown(&f);
}
END_TEST

/* More legs than can wait are counted without time, and not lost. */
START_TEST(many_legs)
{
	const struct trace_space space = {.life = 1, .pid = 9};
	const size_t nr = TRACECOUNT_LEGS + 10;
	struct trace_leg *legs = calloc(nr, sizeof(*legs));
	struct tracecount count;
	struct trace_sums sums;
	struct fixture f;
	struct error err;

	setup(&f);
	for (size_t i = 0; i < nr; i++)
		legs[i] = (struct trace_leg){CALLER, CALLER + 9, 2, 7, PTFLOW_JUMP, 0, true};
	tracecount_init(&count, &f.code);
	ck_assert(tracecount_run(&count, &space, 9));
	ck_assert_int_eq(tracecount_restart(&count, 1000, &err), 0);
	ck_assert(tracelegs_copy(&count.legs, legs, nr));
	ck_assert_int_eq(tracecount_take(&count, &err), 0);
	ck_assert_uint_eq(count.legs.nr, 10);
	ck_assert_int_eq(tracecount_clock(&count, 1300, 0, &err), 0);
	sums = tracepaths_sums(&count.paths);
	ck_assert_uint_eq(sums.instructions, 2 * nr);
	ck_assert_uint_eq(sums.ns, 300);
	tracecount_free(&count);
	teardown(&f);
	free(legs);
}
END_TEST

/* ---- calls ---- */

/* What execution comes to, and the path that it is on then: functions, the innermost one last. */
struct arrival {
	uint32_t function;
	uint64_t ip, end_ip;
	uint8_t flow, arrival;
	bool is_entry;
	const char *path; /* functions are letters, 1 is A */
};

static const struct arrival calls[] = {
	{1, 0x100, 0x10b, PTFLOW_CALL, TRACE_RESYNCS, false, "A"},
	{2, 0x200, 0x20b, PTFLOW_JUMP, TRACE_FLOWS, true, "AB"},
	{3, 0x300, 0x30b, PTFLOW_CALL, TRACE_FLOWS, true, "AC"}, /* by a jump */
	{4, 0x400, 0x40b, PTFLOW_RETURN, TRACE_FLOWS, true, "ACD"},
	{3, 0x310, 0x318, PTFLOW_RETURN, TRACE_FLOWS, false, "AC"},
	{1, 0x110, 0x11b, PTFLOW_CALL, TRACE_FLOWS, false, "A"},
	{1, 0x100, 0x10b, PTFLOW_CALL, TRACE_FLOWS, true, "AA"}, /* itself */
	{4, 0x400, 0x405, PTFLOW_OTHER, TRACE_FLOWS, true, "AAD"},
	{5, 0x500, 0x50b, PTFLOW_RETURN, TRACE_INTERRUPTS, true, "AADE"},
	{4, 0x405, 0x40b, PTFLOW_OTHER, TRACE_FLOWS, false, "AAD"},
	/* The system starts a handler where it went on without trace, and it returns. */
	{5, 0x500, 0x50b, PTFLOW_RETURN, TRACE_RESUMES, true, "AADE"},
	{4, 0x40b, 0x40f, PTFLOW_OTHER, TRACE_FLOWS, false, "AAD"},
	/* Nothing says how it left two calls, as an exception does. */
	{1, 0x150, 0x15b, PTFLOW_CALL, TRACE_FLOWS, false, "AA"},
	{2, 0x200, 0x20b, PTFLOW_RETURN, TRACE_FLOWS, true, "AAB"},
	/* It returns to another place than it came from. */
	{6, 0x600, 0x60b, PTFLOW_RETURN, TRACE_FLOWS, false, "AAF"},
	{1, 0x160, 0x16b, PTFLOW_CALL, TRACE_RESYNCS, false, "AA"},
	{7, 0x700, 0x70b, PTFLOW_RETURN, TRACE_RESYNCS, true, "G"},
	{1, 0x110, 0x11b, PTFLOW_RETURN, TRACE_FLOWS, false, "A"}, /* into what called the first */
};

/* The path of @stack's innermost call, as in struct arrival. */
static void path_of(const struct trace_stack *stack, char path[8])
{
	const struct trace_node *nodes = stack->paths->nodes;
	size_t at = 8;

	path[--at] = '\0';
	for (uint32_t i = tracecalls_top(stack)->node; i != stack->root; i = nodes[i].parent)
		path[--at] = (char)('A' + nodes[i].function - 1);
	memmove(path, path + at, 8 - at);
}

/* 10 ns later. */
static void come_to(struct trace_stack *stack, const struct arrival *at)
{
	const struct trace_leg leg = {
		.ip = at->ip,
		.end_ip = at->end_ip,
		.nr = 1,
		.function = at->function,
		.flow = at->flow,
		.arrival = at->arrival,
		.is_entry = at->is_entry,
	};

	ck_assert(tracecalls_arrive(stack, &leg, at->function));
	stack->last_flow = at->flow;
	stack->last_end = at->end_ip;
	stack->ns += 10;
}

START_TEST(paths_of_calls)
{
	struct trace_paths paths = {0};
	struct trace_stack stack = {.paths = &paths, .chosen = true};
	char path[8];

	stack.root = tracepaths_add_root(&paths, 4);
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		come_to(&stack, &calls[i]);
		path_of(&stack, path);
		ck_assert_str_eq(path, calls[i].path);
		ck_assert_uint_eq(paths.nodes[tracecalls_top(&stack)->node].process, 4);
	}
	free(stack.calls);
	tracepaths_free(&paths);
}
END_TEST

/* Calls and their times: of what was called, and of what a jump led to from there. */
START_TEST(times_of_calls)
{
	struct trace_paths paths = {0};
	struct trace_stack stack = {.paths = &paths, .chosen = true};
	const struct trace_node *nodes;

	stack.root = tracepaths_add_root(&paths, 0);
	for (size_t i = 0; i < 6; i++)
		come_to(&stack, &calls[i]);
	nodes = paths.nodes; /* the root, then A, B, C and D in the order of their calls */
	ck_assert_uint_eq(paths.nr, 5);
	ck_assert(nodes[1].calls == 0 && nodes[1].jumps == 0 && nodes[1].nr_timed == 0);
	ck_assert(nodes[2].calls == 1 && nodes[2].jumps == 0 && nodes[2].nr_timed == 1);
	ck_assert(nodes[2].min_ns == 40 && nodes[2].max_ns == 40);
	ck_assert(nodes[3].calls == 0 && nodes[3].jumps == 1 && nodes[3].nr_timed == 1);
	ck_assert(nodes[3].min_ns == 30 && nodes[3].max_ns == 30);
	ck_assert(nodes[4].calls == 1 && nodes[4].nr_timed == 1 && nodes[4].min_ns == 10);
	free(stack.calls);
	tracepaths_free(&paths);
}
END_TEST

/* ---- paths ---- */

START_TEST(children_of_paths)
{
	struct trace_paths paths = {0};
	const uint32_t first = tracepaths_add_root(&paths, 7);
	const uint32_t second = tracepaths_add_root(&paths, 8);
	const uint32_t a = tracepaths_child(&paths, first, first, 1);
	const uint32_t b = tracepaths_child(&paths, first, a, 2);
	struct trace_sums sums;

	ck_assert(first == 0 && second == 1 && a == 2 && b == 3);
	ck_assert_uint_eq(tracepaths_child(&paths, first, a, 1), 4);
	ck_assert_uint_eq(tracepaths_child(&paths, first, a, 2), b);
	ck_assert_uint_eq(tracepaths_child(&paths, first, a, 2), b);
	ck_assert_uint_eq(tracepaths_child(&paths, second, second, 1), 5);
	ck_assert_uint_eq(paths.nr, 6);
	ck_assert(paths.nodes[b].parent == a && paths.nodes[b].process == 7);
	ck_assert(paths.nodes[5].parent == second && paths.nodes[5].process == 8);
	paths.nodes[a].instructions = 5;
	paths.nodes[b].instructions = 6;
	paths.nodes[b].ns = 7;
	paths.nodes[5].cycles = 8;
	sums = tracepaths_sums(&paths);
	ck_assert(sums.instructions == 11 && sums.ns == 7 && sums.cycles == 8);
	tracepaths_free(&paths);
}
END_TEST

/* Of too many paths the new ones begin at the root. */
START_TEST(too_many_paths)
{
	struct trace_paths paths = {0};
	const uint32_t root = tracepaths_add_root(&paths, 0);
	const uint32_t a = tracepaths_child(&paths, root, root, 0);
	uint32_t last;
	bool ok = true;

	for (uint32_t i = 2; i < 1 << 21; i++)
		ok = ok && tracepaths_child(&paths, root, a, i) == i;
	ck_assert(ok);
	last = tracepaths_child(&paths, root, a, 1 << 21);
	ck_assert_uint_eq(last, 1 << 21);
	ck_assert_uint_eq(paths.nodes[last].parent, root);
	ck_assert_uint_eq(tracepaths_child(&paths, root, 5, 1 << 21), last);
	ck_assert_uint_eq(tracepaths_child(&paths, root, a, 2), 2);
	tracepaths_free(&paths);
}
END_TEST

/* ---- cycles ---- */

#define PSB "\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82"

/* The clock of the next packet has been read, but is not that of the code before it. */
START_TEST(cycles_of_packets)
{
	/* CYC 3, TNT of 2, CYC 5; then TNT of 6, CYC 1, a PSB with a FUP, TIP, CYC 2. */
	static const char bytes[] = "\x1b\x0e\x2b"
				    "\xfe\x0b" PSB "\x3d\1\2\x02\x23\x2d\1\2\x13";
	struct ptclock clock = {0};

	ck_assert_uint_eq(ptclock_read(&clock, (const uint8_t *)bytes, 3), 2);
	ck_assert(clock.told == 3 && clock.read == 8 && clock.at == 3);
	ck_assert_uint_eq(ptclock_read(&clock, (const uint8_t *)bytes, 5), 6);
	ck_assert(clock.told == 8 && clock.read == 9 && clock.at == 5);
	ck_assert_uint_eq(ptclock_read(&clock, (const uint8_t *)bytes, 24), 0);
	ck_assert(clock.told == 8 && clock.read == 9 && clock.in_psb);
	ck_assert_uint_eq(ptclock_read(&clock, (const uint8_t *)bytes, sizeof(bytes) - 1), 0);
	ck_assert(clock.told == 9 && clock.read == 11 && !clock.in_psb);
}
END_TEST

/* A CYC of two bytes between two of one byte. */
START_TEST(cycles_of_long_packets)
{
	static const char bytes[] = "\x1b\x0f\x02\x2b\x0e\x0b";
	struct ptclock clock = {0};

	ck_assert_uint_eq(ptclock_read(&clock, (const uint8_t *)bytes, sizeof(bytes) - 1), 2);
	ck_assert(clock.told == 41 && clock.read == 42 && clock.at == 6);
}
END_TEST

/* What is no packet ends it. */
START_TEST(cycles_of_damage)
{
	static const char bytes[] = "\x1b\xed\x1b\x0e";
	struct ptclock clock = {0};

	ck_assert_uint_eq(ptclock_read(&clock, (const uint8_t *)bytes, 4), 0);
	ck_assert(clock.at == 4 && clock.read == 3);
}
END_TEST

/* A decoder that reads ahead has read a TNT, or an event, that is not the code before it. */
START_TEST(cycles_of_a_decoder_ahead)
{
	/* CYC 3, TIP, CYC 5, TNT of 2; CYC 1, FUP, TIP.PGD; CYC 2, TIP.PGE, CYC 4, TNT of 2 */
	static const char bytes[] = "\x1b\x2d\1\2\x2b\x0e"
				    "\x0b\x3d\1\2\x01"
				    "\x13\x31\1\2\x23\x0e";
	struct ptclock clock = {.ahead = PTCLOCK_EVENT};

	ck_assert_uint_eq(ptclock_read(&clock, (const uint8_t *)bytes, 6), 0);
	ck_assert(clock.told == 3 && clock.read == 8 && clock.at == 5);
	ck_assert_uint_eq(ptclock_read(&clock, (const uint8_t *)bytes, 11), 2);
	ck_assert(clock.told == 8 && clock.read == 9 && clock.at == 7);
	clock.ahead = PTCLOCK_TNT;
	ck_assert_uint_eq(ptclock_read(&clock, (const uint8_t *)bytes, 17), 0);
	ck_assert(clock.told == 11 && clock.read == 15 && clock.at == 16);
	clock.ahead = PTCLOCK_NOTHING;
	ck_assert_uint_eq(ptclock_read(&clock, (const uint8_t *)bytes, 17), 2);
	ck_assert(clock.told == 15 && clock.read == 15 && clock.at == 17);
}
END_TEST

/* A TIP behind a FUP is where an event leads to. */
START_TEST(cycles_of_events_ahead)
{
	/* TNT of 2, CYC 5, FUP, TIP, CYC 6; then TNT of 2, CYC 7, TNT of 2, and padding */
	static const char bytes[] = "\x0e\x2b\x3d\1\2\x2d\1\2\x33\x0e\x3b\x0e\0\0";
	struct ptclock clock = {.ahead = PTCLOCK_EVENT};

	ck_assert_uint_eq(ptclock_read(&clock, (const uint8_t *)bytes, 9), 2);
	ck_assert(clock.told == 0 && clock.read == 5 && clock.at == 2);
	ck_assert_uint_eq(ptclock_read(&clock, (const uint8_t *)bytes, sizeof(bytes) - 1), 2);
	ck_assert(clock.told == 11 && clock.read == 18 && clock.at == 11);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("tracecount");
	TCase *tcase = tcase_create("tracecount");

	tcase_add_test(tcase, legs_of_blocks);
	tcase_add_test(tcase, functions_inside_others);
	tcase_add_test(tcase, blocks_that_run_on);
	tcase_add_test(tcase, blocks_of_many_functions);
	tcase_add_test(tcase, numbers_of_functions);
	tcase_add_test(tcase, time_of_legs);
	tcase_add_test(tcase, many_legs);
	tcase_add_test(tcase, paths_of_calls);
	tcase_add_test(tcase, times_of_calls);
	tcase_add_test(tcase, children_of_paths);
	tcase_add_test(tcase, too_many_paths);
	tcase_add_test(tcase, cycles_of_packets);
	tcase_add_test(tcase, cycles_of_long_packets);
	tcase_add_test(tcase, cycles_of_damage);
	tcase_add_test(tcase, cycles_of_a_decoder_ahead);
	tcase_add_test(tcase, cycles_of_events_ahead);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
