#include "decode/trace/tracecount.h"

#include "util/array.h"
#include "util/hash.h"

#include <stdlib.h>
#include <string.h>

/* The legs that are being counted: what has passed, and what of it was given to nodes. */
struct spread {
	uint64_t total, passed; /* instructions */
	uint64_t run;		/* of them not yet given, all of the current node */
	uint64_t ns;		/* to be spread */
	double ns_each;		/* of an instruction */
	uint64_t ns_given;
	uint64_t cycles; /* the same */
	double cycles_each;
	uint64_t cycles_given;
};

void tracecount_init(struct tracecount *count, struct tracecode *code)
{
	*count = (struct tracecount){.code = code, .chosen = true};
}

/* ---- legs ------------------------------------------------------------------------------------ */

/* The part of @whole, @each an instruction, that is over when the instructions have passed. */
static uint64_t part_of(const struct spread *spread, uint64_t whole, double each)
{
	uint64_t over;

	if (whole == 0)
		return 0;
	over = (uint64_t)((double)spread->passed * each);
	return spread->passed == spread->total || over > whole ? whole : over;
}

/* Gives the run to the current node, with its part of the time. */
static void give(struct tracecount *count, struct spread *spread)
{
	struct trace_node *node;
	uint64_t ns, cycles;

	if (spread->run == 0)
		return;
	spread->passed += spread->run;
	ns = part_of(spread, spread->ns, spread->ns_each) - spread->ns_given;
	cycles = part_of(spread, spread->cycles, spread->cycles_each) - spread->cycles_given;
	spread->ns_given += ns;
	spread->cycles_given += cycles;
	count->stack->ns += ns;
	if (count->chosen) {
		node = &count->paths.nodes[tracecalls_top(count->stack)->node];
		node->instructions += spread->run;
		node->ns += ns;
		node->cycles += cycles;
	}
	spread->run = 0;
}

/* Counts a leg. -1 with @err filled if memory is out. */
static int count_leg(struct tracecount *count, const struct trace_leg *leg, struct spread *spread,
		     struct error *err)
{
	struct trace_stack *stack = count->stack;
	const uint32_t function = tracecode_number(count->code, leg->function);

	if (function == UINT32_MAX)
		return error_nomem(err, "decoding the hardware trace");
	if (!tracecalls_stays(stack, leg, function)) {
		if (stack->depth)
			give(count, spread);
		if (!tracecalls_arrive(stack, leg, function))
			return error_nomem(err, "decoding the hardware trace");
	}
	spread->run += leg->nr;
	stack->last_flow = leg->flow;
	stack->last_end = leg->end_ip;
	return 0;
}

static uint64_t instructions_of(const struct trace_leg *legs, size_t nr)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += legs[i].nr;
	return sum;
}

/* Counts the first @nr legs that wait; @is_timed: @ns is known. */
static int count_legs(struct tracecount *count, size_t nr, bool is_timed, uint64_t ns,
		      uint64_t cycles, struct error *err)
{
	struct trace_legs *legs = &count->legs;
	struct spread spread = {.ns = ns, .cycles = cycles};
	int rc = 0;

	if (nr && count->stack) {
		spread.total = instructions_of(legs->list, nr);
		spread.ns_each = (double)ns / (double)spread.total;
		spread.cycles_each = (double)cycles / (double)spread.total;
		count->stack->chosen = count->chosen;
		count->stack->untimed = !is_timed;
		count->stack->gaps += !is_timed;
		for (size_t i = 0; i < nr && rc == 0; i++)
			rc = count_leg(count, &legs->list[i], &spread, err);
		if (rc == 0)
			give(count, &spread);
	}
	legs->nr -= nr;
	if (legs->nr)
		memmove(legs->list, legs->list + nr, legs->nr * sizeof(*legs->list));
	return rc;
}

static uint64_t take_cycles(struct tracecount *count)
{
	const uint64_t cycles = count->cycles_waiting;

	count->cycles_waiting = 0;
	return cycles;
}

int tracecount_take(struct tracecount *count, struct error *err)
{
	while (count->legs.nr > TRACECOUNT_LEGS)
		if (count_legs(count, TRACECOUNT_LEGS, false, 0, take_cycles(count), err) < 0)
			return -1;
	return 0;
}

int tracecount_clock(struct tracecount *count, uint64_t ns, uint64_t cycles, struct error *err)
{
	const bool is_timed = count->clock && ns;
	const uint64_t passed = is_timed && ns > count->clock ? ns - count->clock : 0;

	count->cycles_waiting += cycles;
	/* Time that passes without instructions is that of the next ones; without it, they wait. */
	if (is_timed && (count->legs.nr == 0 || passed == 0))
		return 0;
	if (ns)
		count->clock = ns;
	return count_legs(count, count->legs.nr, is_timed, passed, take_cycles(count), err);
}

int tracecount_restart(struct tracecount *count, uint64_t ns, struct error *err)
{
	const int rc = count_legs(count, count->legs.nr, false, 0, 0, err);

	count->clock = ns;
	return rc;
}

/* ---- threads --------------------------------------------------------------------------------- */

/* The number of a process; UINT32_MAX if memory is out. */
static uint32_t process_of(struct tracecount *count, const struct trace_space *space)
{
	struct index *ix = &count->by_life;
	const uint64_t hash = hash_u64(space->life);
	uint32_t number, process;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);) {
		if (count->processes[number].life != space->life)
			continue;
		count->processes[number].comm = space->comm;
		return number;
	}
	process = (uint32_t)ix->nr;
	if (!array_grow(count->processes, count->processes_room, ix->nr + 1))
		return UINT32_MAX;
	number = tracepaths_add_root(&count->paths, process);
	if (number == TRACE_NO_NODE || !index_add(ix, hash))
		return UINT32_MAX;
	count->processes[process] =
		(struct trace_process){space->life, space->pid, space->comm, number};
	return process;
}

/* The stack of a thread; NULL if memory is out. */
static struct trace_stack *stack_of(struct tracecount *count, uint32_t process, uint32_t tid)
{
	struct index *ix = &count->by_thread;
	const uint64_t hash = hash_u64((uint64_t)process << 32 | tid);
	struct trace_stack *stack;
	uint32_t number;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);)
		if (count->stacks[number]->process == process && count->stacks[number]->tid == tid)
			return count->stacks[number];
	if (!array_grow(count->stacks, count->stacks_room, ix->nr + 1))
		return NULL;
	stack = calloc(1, sizeof(*stack));
	if (!stack || !index_add(ix, hash)) {
		free(stack);
		return NULL;
	}
	*stack = (struct trace_stack){
		.paths = &count->paths,
		.process = process,
		.tid = tid,
		.root = count->processes[process].root,
	};
	count->stacks[ix->nr - 1] = stack;
	return stack;
}

bool tracecount_run(struct tracecount *count, const struct trace_space *space, uint32_t tid)
{
	const uint32_t process = process_of(count, space);

	if (process == UINT32_MAX)
		return false;
	count->stack = stack_of(count, process, tid);
	return count->stack;
}

void tracecount_free(struct tracecount *count)
{
	for (size_t i = 0; i < count->by_thread.nr; i++) {
		free(count->stacks[i]->calls);
		free(count->stacks[i]);
	}
	free(count->stacks);
	tracelegs_free(&count->legs);
	free(count->processes);
	tracepaths_free(&count->paths);
	index_free(&count->by_life);
	index_free(&count->by_thread);
	*count = (struct tracecount){0};
}
