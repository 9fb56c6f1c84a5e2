/* Paths of functions, and calls, against a model that keeps every stack and looks at each of them.
 */
#include "decode/answer/calllist.h"
#include "decode/answer/focuslist.h"
#include "decode/answer/pathlist.h"

#include "tests/support/suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	NR_STACKS = 400,
	DEPTH_MAX = 8,
	LIST_MAX = 3, /* functions of an address */
	NR_ADDRESSES = 12,
	NR_FUNCTIONS = 6,
	NR_EVENTS = 3, /* of the last one no chains are recorded */
	NR_ROWS = NR_EVENTS * NR_FUNCTIONS,
};

/* A function on a stack. */
struct frame {
	uint32_t row;
	bool inlined;
};

struct stack {
	struct frame frames[DEPTH_MAX * LIST_MAX]; /* outermost first */
	size_t depth;
	uint64_t period;
	enum chain_end end;
};

static const struct event events[NR_EVENTS] = {
	{.number = 0, .name = "cycles", .chains = true},
	{.number = 1, .name = "faults", .chains = true},
	{.number = 2, .name = "flat"},
};

/* What is counted, and the lists made of it. */
struct world {
	struct stack stacks[NR_STACKS];
	struct function_stat functions[NR_ROWS];
	char names[NR_ROWS][8];
	struct address_rows rows; /* of NR_ADDRESSES addresses for each event */
	struct pathstore store;
	struct path_list paths;
	struct call_list calls;
};

static void make_rows(struct address_rows *rows)
{
	ck_assert(address_rows_init(rows, (size_t)NR_ADDRESSES * NR_EVENTS));
	for (uint32_t i = 0; i < NR_ADDRESSES * NR_EVENTS; i++) {
		const uint32_t first = i / NR_ADDRESSES * NR_FUNCTIONS;
		size_t nr = (size_t)(rand() % LIST_MAX) + 1;

		rows->list_of[i] = address_rows_start(rows);
		while (nr-- > 0)
			ck_assert(address_rows_append(rows, rows->list_of[i],
						      first + (uint32_t)rand() % NR_FUNCTIONS));
	}
}

/* Two functions of each event share a name. */
static void make_functions(struct world *world)
{
	for (uint32_t i = 0; i < NR_ROWS; i++) {
		const uint32_t number = i % NR_FUNCTIONS;

		sprintf(world->names[i], "f%u", number ? number : 1);
		world->functions[i] = (struct function_stat){.event = &events[i / NR_FUNCTIONS],
							     .binary = "/opt/demo",
							     .function = world->names[i],
							     .filename = "",
							     .build_id = "",
							     .reason = "",
							     .number = i};
	}
}

/* Appends the functions of @address to the stack. */
static void push_address(const struct address_rows *rows, struct stack *stack, uint32_t address)
{
	const struct row_list list = address_rows_of(rows, address);

	for (size_t i = list.nr; i-- > 0;)
		stack->frames[stack->depth++] = (struct frame){list.rows[i], i + 1 < list.nr};
}

/* A stack of random addresses of an event, few of them near its root; it counts where it belongs.
 */
static void add_stack(struct world *world, struct stack *stack)
{
	const uint32_t event = (uint32_t)rand() % NR_EVENTS, first = event * NR_ADDRESSES;
	const size_t depth = events[event].chains ? (size_t)rand() % DEPTH_MAX + 1 : 1;
	struct callpath_ref path;
	uint32_t innermost;

	*stack = (struct stack){.period = (uint64_t)rand() % 1000,
				.end = (enum chain_end)(rand() % CHAIN_END_NR)};
	path = callpath_root(stack->end);
	for (size_t i = 0; i < depth; i++) {
		const uint32_t address = first + (uint32_t)rand() % (i < 3 ? 3 : NR_ADDRESSES);

		if (events[event].chains) {
			push_address(&world->rows, stack, address);
			path = callpath_get(&world->store.now, path, address);
		} else { /* a path of its function alone, whatever that is inlined into */
			stack->end = CHAIN_MISSING;
			stack->frames[stack->depth++] = (struct frame){
				address_rows_innermost(&world->rows, address), false};
		}
	}
	if (events[event].chains)
		tally_add(&callpath_at(&world->store.now, path.number)->here, 1, stack->period);
	innermost = stack->frames[stack->depth - 1].row;
	tally_add(&world->functions[innermost].self, 1, stack->period);
}

static struct world *make_world(int seed)
{
	struct world *world = calloc(1, sizeof(*world));

	ck_assert_ptr_nonnull(world);
	srand((unsigned)seed + 1);
	make_rows(&world->rows);
	make_functions(world);
	pathstore_init(&world->store, seed % 2 ? 50 : 0);
	for (size_t i = 0; i < NR_STACKS; i++) {
		if (pathstore_full(&world->store))
			ck_assert_int_eq(pathstore_put_aside(&world->store, NULL), 0);
		add_stack(world, &world->stacks[i]);
	}
	ck_assert((world->store.nr_aside > 1) == (seed % 2));
	ck_assert_int_eq(pathlist_make(&world->paths, &world->store, &world->rows, world->functions,
				       NR_ROWS, NULL),
			 0);
	ck_assert(calllist_make(&world->calls, &world->paths));
	return world;
}

static void free_world(struct world *world)
{
	pathlist_free(&world->paths);
	calllist_free(&world->calls);
	pathstore_free(&world->store);
	address_rows_free(&world->rows);
	free(world);
}

/* Whether @stack begins with the path @at. */
static bool is_on(const struct world *world, const struct stack *stack, uint32_t at)
{
	const struct path_stat *path = &world->paths.rows[at];

	if (stack->depth <= path->depth || strcmp(chain_end_word(stack->end), path->end) != 0)
		return false;
	for (;; at = path->parent) {
		const struct frame *frame;

		path = &world->paths.rows[at];
		frame = &stack->frames[path->depth];
		if (frame->row != path->function->number || frame->inlined != path->inlined)
			return false;
		if (path->parent == PATH_NO_PARENT)
			return path->depth == 0;
	}
}

START_TEST(each_path_has_its_stacks)
{
	struct world *world = make_world(_i);
	uint64_t samples = 0;

	for (uint32_t at = 0; at < world->paths.nr; at++) {
		const struct path_stat *path = &world->paths.rows[at];
		struct tally self = {0}, total = {0};

		for (size_t i = 0; i < NR_STACKS; i++) {
			const struct stack *stack = &world->stacks[i];

			if (!is_on(world, stack, at))
				continue;
			tally_add(&total, 1, stack->period);
			if (stack->depth == (size_t)path->depth + 1)
				tally_add(&self, 1, stack->period);
		}
		ck_assert_uint_eq(path->self.samples, self.samples);
		ck_assert_uint_eq(path->self.period, self.period);
		ck_assert_uint_eq(path->total.samples, total.samples);
		ck_assert_uint_eq(path->total.period, total.period);
		ck_assert_uint_gt(path->total.samples, 0);
		ck_assert_int_eq(path->cut, path->function->event->chains &&
						    strcmp(path->end, "complete") != 0 &&
						    strcmp(path->end, "recorded") != 0);
		samples += path->self.samples;
	}
	ck_assert_uint_eq(samples, NR_STACKS);
	free_world(world);
}
END_TEST

/* Negative, 0 or positive: the order of rows with the same parent, which no two share. */
static int compare_siblings(const struct path_stat *x, const struct path_stat *y)
{
	if (x->function->event != y->function->event)
		return (int)x->function->event->number - (int)y->function->event->number;
	if (x->total.period != y->total.period)
		return x->total.period > y->total.period ? -1 : 1;
	return strcmp(x->function->function, y->function->function);
}

/* Each path stands below its caller's, and siblings by their totals. */
START_TEST(paths_have_an_order)
{
	struct world *world = make_world(_i);
	const struct path_stat *rows = world->paths.rows;

	for (uint32_t at = 0; at < world->paths.nr; at++) {
		const uint32_t parent = rows[at].parent;
		uint32_t sibling = at;

		if (parent == PATH_NO_PARENT) {
			ck_assert_uint_eq(rows[at].depth, 0);
			ck_assert(!rows[at].inlined);
		} else {
			ck_assert_uint_lt(parent, at);
			ck_assert_uint_eq(rows[at].depth, rows[parent].depth + 1);
		}
		if (at == 0 || rows[at - 1].depth < rows[at].depth) {
			ck_assert_uint_eq(parent, at ? at - 1 : PATH_NO_PARENT);
			continue;
		}
		while (rows[--sibling].depth > rows[at].depth)
			;
		ck_assert_uint_eq(rows[sibling].parent, parent);
		ck_assert_int_le(compare_siblings(&rows[sibling], &rows[at]), 0);
	}
	free_world(world);
}
END_TEST

/* Whether @frame of @stack is entered by @call. */
static bool is_call(const struct call_stat *call, const struct stack *stack, size_t frame)
{
	const struct frame *callee = &stack->frames[frame];

	if (callee->row != call->callee->number || callee->inlined != call->inlined)
		return false;
	if (call->caller)
		return frame > 0 && stack->frames[frame - 1].row == call->caller->number;
	if (!call->callee->event->chains || !chain_end_is_cut(stack->end))
		return frame == 0 && !call->cut && !*call->end;
	return frame == 0 && call->cut && strcmp(call->end, chain_end_word(stack->end)) == 0;
}

static bool was_before(const struct stack *stack, size_t frame)
{
	for (size_t i = 0; i < frame; i++)
		if (stack->frames[i].row == stack->frames[frame].row)
			return true;
	return false;
}

/* Counts @stack for @call as often as it should, which is once. */
static void look_for(struct call_stat *expected, const struct call_stat *call,
		     const struct stack *stack)
{
	bool found = false;

	for (size_t frame = 0; frame < stack->depth; frame++) {
		if (!is_call(call, stack, frame))
			continue;
		found = true;
		expected->recursive |= was_before(stack, frame);
		if (frame + 1 == stack->depth)
			tally_add(&expected->self, 1, stack->period);
	}
	if (found)
		tally_add(&expected->total, 1, stack->period);
}

START_TEST(each_call_has_its_stacks)
{
	struct world *world = make_world(_i);

	for (size_t i = 0; i < world->calls.nr; i++) {
		const struct call_stat *call = &world->calls.rows[i];
		struct call_stat expected = {0};

		for (size_t k = 0; k < NR_STACKS; k++)
			look_for(&expected, call, &world->stacks[k]);
		ck_assert_uint_eq(call->total.samples, expected.total.samples);
		ck_assert_uint_eq(call->total.period, expected.total.period);
		ck_assert_uint_eq(call->self.samples, expected.self.samples);
		ck_assert_uint_eq(call->self.period, expected.self.period);
		ck_assert_int_eq(call->recursive, expected.recursive);
		ck_assert_uint_gt(call->total.samples, 0);
		if (i > 0 && call->callee->event == call[-1].callee->event)
			ck_assert_uint_le(call->total.period, call[-1].total.period);
	}
	free_world(world);
}
END_TEST

/* What the stacks of @row counted, each once. */
static struct tally inclusive_of(const struct world *world, uint32_t row)
{
	struct tally sum = {0};

	for (size_t i = 0; i < NR_STACKS; i++) {
		const struct stack *stack = &world->stacks[i];

		for (size_t frame = 0; frame < stack->depth; frame++) {
			if (stack->frames[frame].row != row)
				continue;
			tally_add(&sum, 1, stack->period);
			break;
		}
	}
	return sum;
}

/* Of each function, the sums over paths and over calls are those of the function. */
START_TEST(sums_are_those_of_functions)
{
	struct world *world = make_world(_i);

	for (uint32_t row = 0; row < NR_ROWS; row++) {
		const struct tally *self = &world->functions[row].self;
		const struct tally inclusive = inclusive_of(world, row);
		struct tally of_paths = {0}, of_calls = {0}, totals = {0};
		bool recursive = false;

		for (size_t i = 0; i < world->paths.nr; i++)
			if (world->paths.rows[i].function->number == row)
				tally_add(&of_paths, world->paths.rows[i].self.samples,
					  world->paths.rows[i].self.period);
		for (size_t i = 0; i < world->calls.nr; i++) {
			const struct call_stat *call = &world->calls.rows[i];

			if (call->callee->number != row)
				continue;
			tally_add(&of_calls, call->self.samples, call->self.period);
			tally_add(&totals, call->total.samples, call->total.period);
			recursive |= call->recursive;
		}
		ck_assert_uint_eq(of_paths.samples, self->samples);
		ck_assert_uint_eq(of_paths.period, self->period);
		ck_assert_uint_eq(of_calls.samples, self->samples);
		ck_assert_uint_eq(of_calls.period, self->period);
		if (recursive)
			ck_assert_uint_ge(totals.samples, inclusive.samples);
		else
			ck_assert_uint_eq(totals.samples, inclusive.samples);
	}
	free_world(world);
}
END_TEST

/* ---- trees around functions ------------------------------------------------------------------ */

enum { CUT = 1000, STEPS_MAX = DEPTH_MAX * LIST_MAX + 2 };

/* What a stack says of a function: those that called it, one by one, or that it called. */
struct steps {
	uint32_t keys[STEPS_MAX]; /* the function's own row first; CUT + why where it was cut */
	size_t nr;		  /* 0: it is not on the stack */
	uint64_t period;
};

static void find_steps(struct steps *steps, const struct stack *stack, uint32_t row, bool callers)
{
	const bool chains = events[row / NR_FUNCTIONS].chains;
	size_t at = 0;

	*steps = (struct steps){.period = stack->period};
	while (at < stack->depth && stack->frames[at].row != row)
		at++;
	if (at == stack->depth)
		return;
	for (size_t i = at; callers && i + 1 > 0; i--)
		steps->keys[steps->nr++] = stack->frames[i].row;
	for (size_t i = at; !callers && i < stack->depth; i++)
		steps->keys[steps->nr++] = stack->frames[i].row;
	if (callers && chains && chain_end_is_cut(stack->end))
		steps->keys[steps->nr++] = CUT + stack->end;
}

static bool begin_alike(const struct steps *a, const struct steps *b, size_t nr)
{
	return a->nr >= nr && b->nr >= nr && memcmp(a->keys, b->keys, nr * sizeof(a->keys[0])) == 0;
}

/* What all stacks that begin as the first @nr steps of @of counted. */
static struct tally sum_alike(const struct steps *all, const struct steps *of, size_t nr)
{
	struct tally sum = {0};

	for (size_t i = 0; i < NR_STACKS; i++)
		if (begin_alike(&all[i], of, nr))
			tally_add(&sum, 1, all[i].period);
	return sum;
}

static struct event_stat event_of(const struct world *world, uint32_t number)
{
	struct event_stat stat = {.event = &events[number]};

	for (uint32_t i = 0; i < NR_FUNCTIONS; i++) {
		const struct tally *self = &world->functions[number * NR_FUNCTIONS + i].self;

		tally_add(&stat.total, self->samples, self->period);
	}
	return stat;
}

/* What the stacks counted that begin as the first @nr steps of @of and go on as too few do. *@ways:
 * in how many ways. */
static struct tally sum_left_out(const struct steps *all, const struct steps *of, size_t nr,
				 size_t *ways)
{
	struct tally sum = {0};

	*ways = 0;
	for (size_t i = 0; i < NR_STACKS; i++) {
		bool first = true;

		if (all[i].nr <= nr || !begin_alike(&all[i], of, nr) ||
		    sum_alike(all, &all[i], nr + 1).period >=
			    sum_alike(all, &all[i], 1).period / 100)
			continue;
		for (size_t k = 0; k < i && first; k++)
			first = !begin_alike(&all[k], &all[i], nr + 1);
		*ways += first;
		tally_add(&sum, 1, all[i].period);
	}
	return sum;
}

/* How many rows the tree of @all should have: each beginning once, if it counted enough, and one
 * for all that did not and go on from the same beginning. */
static size_t count_beginnings(const struct steps *all)
{
	size_t count = 0;

	for (size_t i = 0; i < NR_STACKS; i++) {
		for (size_t nr = 1; nr <= all[i].nr; nr++) {
			bool first = true;
			size_t ways;

			for (size_t k = 0; k < i && first; k++)
				first = !begin_alike(&all[k], &all[i], nr);
			if (!first || (nr > 1 && sum_alike(all, &all[i], nr).period <
							 sum_alike(all, &all[i], 1).period / 100))
				continue;
			sum_left_out(all, &all[i], nr, &ways);
			count += ways > 0 ? 2 : 1;
		}
	}
	return count;
}

/* Checks the tree that begins at @row and has @nr rows. */
static void check_tree(const struct steps *all, const struct focus_stat *row, size_t nr)
{
	struct steps now = {0};

	for (size_t i = 0; i < nr; i++) {
		struct tally expected;
		size_t ways = 0;

		ck_assert_uint_lt(row[i].depth, STEPS_MAX);
		now.nr = (size_t)row[i].depth + 1;
		if (row[i].left_out) {
			now.nr--;
		} else if (row[i].function) {
			now.keys[row[i].depth] = row[i].function->number;
		} else {
			enum chain_end end = 0;

			while (strcmp(chain_end_word(end), row[i].end) != 0)
				end++;
			now.keys[row[i].depth] = CUT + end;
		}
		expected = row[i].left_out ? sum_left_out(all, &now, now.nr, &ways)
					   : sum_alike(all, &now, now.nr);
		ck_assert_uint_eq(row[i].left_out, ways);
		ck_assert_uint_eq(row[i].total.samples, expected.samples);
		ck_assert_uint_eq(row[i].total.period, expected.period);
		ck_assert(i > 0 ? row[i].depth > 0 && row[i].depth <= row[i - 1].depth + 1
				: row[i].depth == 0);
	}
}

/* In worlds of their own: two directions, @_i being odd or even. */
START_TEST(trees_have_their_stacks)
{
	struct world *world = make_world(_i / 2);
	struct event_stat stats[NR_EVENTS];
	char pattern[] = "f[1-3]", other[] = "nosuch";
	char *const patterns[] = {other, pattern, NULL};
	const struct focus_input input = {&world->paths, stats, patterns, _i % 2};
	static struct steps all[NR_STACKS];
	struct focus_list list;
	size_t trees = 0;

	for (uint32_t i = 0; i < NR_EVENTS; i++)
		stats[i] = event_of(world, i);
	ck_assert(focuslist_make(&list, &input));
	for (size_t i = 0, nr = 0; i < list.nr; i += nr) {
		const uint32_t row = list.rows[i].function->number;

		for (nr = 1; i + nr < list.nr && list.rows[i + nr].depth > 0; nr++)
			;
		for (size_t k = 0; k < NR_STACKS; k++)
			find_steps(&all[k], &world->stacks[k], row, input.callers);
		ck_assert_int_le(list.rows[i].function->function[1], '3');
		ck_assert_ptr_eq(list.rows[i].event, list.rows[i].function->event);
		check_tree(all, &list.rows[i], nr);
		ck_assert_uint_eq(nr, count_beginnings(all));
		trees++;
	}
	for (uint32_t row = 0; row < NR_ROWS; row++)
		trees -= world->names[row][1] <= '3' && inclusive_of(world, row).samples;
	ck_assert_uint_eq(trees, 0);
	focuslist_free(&list);
	free_world(world);
}
END_TEST

/* Main calls itself as often as the rows of a tree are deep, and once more or not. */
START_TEST(what_is_beyond_a_tree_has_a_row)
{
	enum { NR = FOCUS_DEPTH_MAX + 1 };
	const struct event_stat stats[1] = {{.event = &events[0], .total = {5, 50}}};
	const struct function_stat main = {.event = &events[0], .function = "main"};
	const struct function_stat leaf = {.event = &events[0], .function = "leaf", .number = 1};
	struct path_stat rows[NR];
	const struct path_list paths = {.rows = rows, .nr = FOCUS_DEPTH_MAX + (size_t)_i / 2};
	const bool callers = _i % 2;
	char name[] = "leaf", other[] = "main";
	char *const patterns[] = {callers ? name : other, NULL};
	const struct focus_input input = {&paths, stats, patterns, callers};
	struct focus_list list;

	for (uint32_t i = 0; i < paths.nr; i++)
		rows[i] = (struct path_stat){.function = i + 1 < paths.nr ? &main : &leaf,
					     .parent = i ? i - 1 : PATH_NO_PARENT,
					     .depth = i,
					     .total = {5, 50},
					     .end = "complete"};
	ck_assert(focuslist_make(&list, &input));
	ck_assert_uint_eq(list.nr, paths.nr);
	for (uint32_t i = 0; i < list.nr; i++) {
		ck_assert_uint_eq(list.rows[i].depth, i);
		ck_assert_uint_eq(list.rows[i].total.samples, 5);
		ck_assert_uint_eq(list.rows[i].total.period, 50);
		ck_assert_int_eq(list.rows[i].beyond, i == FOCUS_DEPTH_MAX);
		ck_assert_int_eq(list.rows[i].function == NULL, i == FOCUS_DEPTH_MAX);
		ck_assert_uint_eq(list.rows[i].left_out, 0);
	}
	focuslist_free(&list);
}
END_TEST

START_TEST(recursion_a_hundred_thousand_deep_needs_no_stack)
{
	enum { DEPTH = 100000 };
	struct address_rows rows = {
		.words = (uint32_t[]){1, 0}, .list_of = (uint32_t[]){0}, .nr_rows = 1};
	const struct function_stat function = {
		.event = &events[0], .function = "f", .self = {3, 30}};
	struct path_list paths;
	struct call_list calls;
	struct pathstore store;
	struct callpath_ref path = callpath_root(CHAIN_STACK_CUT);

	pathstore_init(&store, 0);
	for (int i = 0; i < DEPTH; i++)
		path = callpath_get(&store.now, path, 0);
	tally_add(&callpath_at(&store.now, path.number)->here, 3, 30);
	ck_assert_int_eq(pathlist_make(&paths, &store, &rows, &function, 1, NULL), 0);
	ck_assert_uint_eq(paths.nr, DEPTH);
	ck_assert_uint_eq(paths.rows[DEPTH - 1].depth, DEPTH - 1);
	ck_assert_uint_eq(paths.rows[DEPTH - 1].self.period, 30);
	ck_assert_uint_eq(paths.rows[0].total.period, 30);
	ck_assert(calllist_make(&calls, &paths));
	ck_assert_uint_eq(calls.nr, 2);
	pathlist_free(&paths);
	calllist_free(&calls);
	pathstore_free(&store);
}
END_TEST

/* Paths of equal functions are one, and each row follows its caller. */
START_TEST(given_paths)
{
	const struct function_stat functions[] = {
		{.event = &events[0], .function = "main", .number = 0},
		{.event = &events[0], .function = "f", .number = 1},
	};
	const struct given_path given[] = {
		{.function = PATH_NO_FUNCTION},
		{.caller = 0, .function = 0, .self = {1, 1}},
		{.caller = 1, .function = 1, .self = {20, 20}},
		{.function = PATH_NO_FUNCTION}, /* of another process */
		{.caller = 3, .function = 0, .self = {300, 300}},
		{.caller = 4, .function = 1, .self = {4000, 4000}},
		{.caller = 5, .function = 1}, /* nothing counts there */
	};
	struct path_list list;
	struct error err;

	ck_assert_int_eq(pathlist_make_given(&list, given, 7, functions, &err), 0);
	ck_assert_uint_eq(list.nr, 2);
	ck_assert(list.rows[0].function == &functions[0] && list.rows[0].parent == PATH_NO_PARENT);
	ck_assert(list.rows[1].function == &functions[1] && list.rows[1].parent == 0);
	ck_assert_uint_eq(list.rows[0].self.period, 301);
	ck_assert_uint_eq(list.rows[0].total.period, 4321);
	ck_assert_uint_eq(list.rows[1].self.samples, 4020);
	ck_assert(!list.rows[0].cut && strcmp(list.rows[1].end, "recorded") == 0);
	pathlist_free(&list);
	ck_assert_int_eq(pathlist_make_given(&list, given, 0, functions, &err), 0);
	ck_assert_uint_eq(list.nr, 0);
	pathlist_free(&list);
}
END_TEST

START_TEST(nothing_makes_no_rows)
{
	struct address_rows rows = {0};
	struct path_list paths;
	struct call_list calls;
	struct pathstore store;

	pathstore_init(&store, 0);
	ck_assert_int_eq(pathlist_make(&paths, &store, &rows, NULL, 0, NULL), 0);
	ck_assert_uint_eq(paths.nr, 0);
	ck_assert(calllist_make(&calls, &paths));
	ck_assert_uint_eq(calls.nr, 0);
	pathlist_free(&paths);
	calllist_free(&calls);
	pathstore_free(&store);
}
END_TEST

static Suite *suite(void)
{
	enum { NR_WORLDS = 20 };
	Suite *s = suite_create("paths");
	TCase *tc = tcase_create("paths");

	tcase_add_loop_test(tc, each_path_has_its_stacks, 0, NR_WORLDS);
	tcase_add_loop_test(tc, paths_have_an_order, 0, NR_WORLDS);
	tcase_add_loop_test(tc, each_call_has_its_stacks, 0, NR_WORLDS);
	tcase_add_loop_test(tc, sums_are_those_of_functions, 0, NR_WORLDS);
	tcase_add_loop_test(tc, trees_have_their_stacks, 0, 8);
	tcase_add_loop_test(tc, what_is_beyond_a_tree_has_a_row, 0, 4);
	tcase_add_test(tc, recursion_a_hundred_thousand_deep_needs_no_stack);
	tcase_add_test(tc, nothing_makes_no_rows);
	tcase_add_test(tc, given_paths);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
