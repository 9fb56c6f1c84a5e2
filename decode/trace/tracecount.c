#include "decode/trace/tracecount.h"

#include "util/array.h"
#include "util/hash.h"

#include <stdlib.h>
#include <string.h>

enum {
	NODES_MAX = 1 << 21,
	DEPTH_MAX = 1 << 16,
	/* Calls that are searched for the one that execution goes back to. */
	SEARCH_MAX = 1024,
	INSTRUCTION_BYTES = 15, /* the longest */
};

/* A call that has not returned. */
struct activation {
	uint32_t node;	  /* where it is now, which jumps may have changed */
	uint32_t entered; /* what was called */
	bool called, jumped;
	uint64_t from, to;	       /* it returns to an address in [from, to]; 0: unknown */
	uint64_t called_at, jumped_at; /* ns on the thread's own clock */
	uint32_t gaps;		       /* of the thread at that time */
};

/* The calls of a thread, outermost first. */
struct trace_stack {
	uint32_t tid, process;
	uint32_t depth;
	size_t room;
	struct activation *calls;
	uint64_t ns;	   /* that were counted for it so far */
	uint32_t gaps;	   /* stretches without time so far */
	bool untimed;	   /* this is one */
	uint64_t last_end; /* address of the last instruction */
	uint8_t last_flow; /* enum ptstep_flow */
};

/* The blocks that are being counted: what has passed, and what of it was given to nodes. */
struct spread {
	uint64_t total, passed;	     /* instructions */
	uint64_t run;		     /* of them not yet given, all of the current node */
	uint64_t ns, cycles;	     /* to be spread */
	double ns_each, cycles_each; /* of an instruction */
	uint64_t ns_given, cycles_given;
};

bool tracecount_init(struct tracecount *count, struct tracecode *code)
{
	*count = (struct tracecount){.code = code, .chosen = true};
	count->blocks = malloc(TRACECOUNT_BLOCKS * sizeof(*count->blocks));
	return count->blocks;
}

/* ---- paths ----------------------------------------------------------------------------------- */

/* The number of a new node; TRACE_NO_NODE if memory is out. */
static uint32_t add_node(struct tracecount *count, uint64_t hash, const struct trace_node *node)
{
	const size_t nr = count->by_path.nr;

	if (!array_grow(count->nodes, count->nodes_room, nr + 1) ||
	    !index_add(&count->by_path, hash))
		return TRACE_NO_NODE;
	count->nodes[nr] = *node;
	return (uint32_t)nr;
}

/*
 * The node of @function called from @parent; of too many different ones, called from the root.
 * TRACE_NO_NODE if memory is out.
 */
static uint32_t child_of(struct tracecount *count, uint32_t parent, uint32_t function)
{
	const uint32_t process = count->nodes[parent].process, last = count->nodes[parent].last;
	const uint64_t hash = hash_u64((uint64_t)parent << 32 | function);
	uint32_t number;

	if (last && count->nodes[last].function == function)
		return last;
	for (size_t at = index_first(&count->by_path, hash);
	     index_next(&count->by_path, hash, &at, &number);)
		if (count->nodes[number].parent == parent &&
		    count->nodes[number].function == function) {
			count->nodes[parent].last = number;
			return number;
		}
	if (count->by_path.nr >= NODES_MAX && count->nodes[parent].parent != TRACE_NO_NODE)
		return child_of(count, count->processes[process].root, function);
	return add_node(count, hash,
			&(struct trace_node){.parent = parent,
					     .function = function,
					     .process = process,
					     .min_ns = UINT64_MAX});
}

static struct activation *top(struct trace_stack *stack)
{
	return &stack->calls[stack->depth - 1];
}

static uint32_t function_at(const struct tracecount *count, const struct activation *call)
{
	return count->nodes[call->node].function;
}

/* The node that the function of the innermost call was called from. */
static uint32_t caller_node(const struct tracecount *count)
{
	const struct trace_stack *stack = count->stack;

	return stack->depth > 1 ? stack->calls[stack->depth - 2].node
				: count->processes[stack->process].root;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void note_time(struct trace_node *node, uint64_t ns)
{
	node->nr_timed++;
	if (ns < node->min_ns)
		node->min_ns = ns;
	if (ns > node->max_ns)
		node->max_ns = ns;
}

/* Ends the innermost call. */
static void pop(struct tracecount *count)
{
	struct trace_stack *stack = count->stack;
	const struct activation *call = top(stack);
	const bool is_timed = count->chosen && !stack->untimed && call->gaps == stack->gaps;

	if (is_timed && call->called)
		note_time(&count->nodes[call->entered], stack->ns - call->called_at);
	if (is_timed && call->jumped)
		note_time(&count->nodes[call->node], stack->ns - call->jumped_at);
	stack->depth--;
}

/* Begins a call of @function, which is to return to [from, to]. False if memory is out. */
static bool push(struct tracecount *count, uint32_t function, uint64_t from, uint64_t to)
{
	struct trace_stack *stack = count->stack;
	const uint32_t caller =
		stack->depth ? top(stack)->node : count->processes[stack->process].root;
	const uint32_t node = child_of(count, caller, function);

	if (node == TRACE_NO_NODE || !array_grow(stack->calls, stack->room, stack->depth + 1))
		return false;
	if (stack->depth == DEPTH_MAX) { /* the outermost half is forgotten */
		stack->depth = DEPTH_MAX / 2;
		memmove(stack->calls, stack->calls + DEPTH_MAX / 2,
			stack->depth * sizeof(*stack->calls));
	}
	stack->calls[stack->depth++] = (struct activation){
		.node = node,
		.entered = node,
		.called = from != 0,
		.from = from,
		.to = to,
		.called_at = stack->ns,
		.gaps = stack->gaps,
	};
	return true;
}

/* The innermost call goes on in @function. False if memory is out. */
static bool replace(struct tracecount *count, uint32_t function, bool is_entry)
{
	struct trace_stack *stack = count->stack;
	struct activation *call = top(stack);
	const uint32_t node = child_of(count, caller_node(count), function);

	if (node == TRACE_NO_NODE)
		return false;
	if (count->chosen && call->jumped && !stack->untimed && call->gaps == stack->gaps)
		note_time(&count->nodes[call->node], stack->ns - call->jumped_at);
	call->node = node;
	call->jumped = is_entry;
	call->jumped_at = stack->ns;
	if (is_entry && count->chosen)
		count->nodes[node].jumps++;
	return true;
}

/* The number of calls to keep so that execution goes back to @ip; 0 if no call was from there. */
static uint32_t depth_of_return(const struct trace_stack *stack, uint64_t ip)
{
	for (uint32_t i = stack->depth, nr = 0; i > 1 && nr < SEARCH_MAX; i--, nr++)
		if (ip >= stack->calls[i - 1].from && ip <= stack->calls[i - 1].to)
			return i - 1;
	return 0;
}

/* The same for one that is in @function. */
static uint32_t depth_of_function(const struct tracecount *count, uint32_t function)
{
	const struct trace_stack *stack = count->stack;

	for (uint32_t i = stack->depth, nr = 0; i > 0 && nr < SEARCH_MAX; i--, nr++)
		if (function_at(count, &stack->calls[i - 1]) == function)
			return i;
	return 0;
}

static void pop_to(struct tracecount *count, uint32_t depth)
{
	while (count->stack->depth > depth)
		pop(count);
}

/*
 * Execution is in @spot's function, and nothing says how it came there: it has gone back to it, as
 * exceptions do, or the part of the function that is apart from it has.
 */
static bool settle(struct tracecount *count, const struct trace_spot *spot)
{
	const uint32_t depth = depth_of_function(count, spot->function);

	if (depth)
		pop_to(count, depth);
	return depth || replace(count, spot->function, false);
}

static bool call(struct tracecount *count, const struct trace_spot *spot)
{
	const uint64_t from = count->stack->last_end;

	if (!push(count, spot->function, from + 1, from + INSTRUCTION_BYTES))
		return false;
	count->nodes[top(count->stack)->node].calls += count->chosen;
	return true;
}

/* The system starts a handler of a signal, which returns to where the thread was. */
static bool call_handler(struct tracecount *count, const struct trace_spot *spot)
{
	const uint64_t from = count->stack->last_end;

	if (!push(count, spot->function, from, from + INSTRUCTION_BYTES))
		return false;
	count->nodes[top(count->stack)->node].jumps += count->chosen;
	return true;
}

static bool come_back(struct tracecount *count, const struct trace_spot *spot)
{
	const uint32_t depth = depth_of_return(count->stack, spot->ip);

	if (depth)
		pop_to(count, depth);
	else if (count->stack->depth == 1 &&
		 function_at(count, top(count->stack)) != spot->function)
		return replace(count, spot->function, false);
	return function_at(count, top(count->stack)) == spot->function || settle(count, spot);
}

static bool resume(struct tracecount *count, const struct trace_spot *spot)
{
	const bool stays = function_at(count, top(count->stack)) == spot->function;

	if (!stays && spot->is_entry && !depth_of_return(count->stack, spot->ip))
		return call_handler(count, spot);
	return stays || come_back(count, spot);
}

/* What came before is not known: execution is in a function that has not returned, or anew. */
static bool resync(struct tracecount *count, const struct trace_spot *spot)
{
	const uint32_t depth = depth_of_function(count, spot->function);

	count->stack->depth = depth;
	return depth || push(count, spot->function, 0, 0);
}

/* Execution has come to @spot. Returns false if memory is out. */
static bool arrive(struct tracecount *count, const struct ptblock *block,
		   const struct trace_spot *spot)
{
	struct trace_stack *stack = count->stack;

	if (stack->depth == 0 || block->arrival == TRACE_RESYNCS)
		return resync(count, spot);
	if (block->arrival == TRACE_RESUMES)
		return resume(count, spot);
	if (block->arrival == TRACE_INTERRUPTS)
		return call_handler(count, spot);
	switch (stack->last_flow) {
	case PTFLOW_CALL:
	case PTFLOW_FAR_CALL:
		return call(count, spot);
	case PTFLOW_RETURN:
	case PTFLOW_FAR_RETURN:
		return come_back(count, spot);
	default:
		if (function_at(count, top(stack)) == spot->function)
			return true;
		return spot->is_entry ? replace(count, spot->function, true) : settle(count, spot);
	}
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static uint64_t share(uint64_t whole, uint64_t part, uint64_t total)
{
	if (whole == 0 || total == 0)
		return 0;
	if (whole <= UINT32_MAX && part <= UINT32_MAX)
		return whole * part / total;
	return (uint64_t)(__extension__(unsigned __int128) whole * part / total);
}

/* The part of @whole, @each an instruction, that is over when the instructions have passed. */
static uint64_t part_of(const struct spread *spread, uint64_t whole, double each)
{
	const uint64_t over = (uint64_t)((double)spread->passed * each);

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
		node = &count->nodes[top(count->stack)->node];
		node->instructions += spread->run;
		node->ns += ns;
		node->cycles += cycles;
		count->instructions += spread->run;
		count->ns += ns;
		count->cycles += cycles;
	}
	spread->run = 0;
}

/*
 * The instructions of @block that lie before @end, an address inside it: it runs on from one
 * function into the next. Only the bytes are known, so these are in proportion to them.
 */
static uint32_t nr_before(const struct ptblock *block, uint64_t end)
{
	const uint64_t bytes = block->end_ip - block->ip + 1;
	const uint64_t nr = share(block->nr, end - block->ip, bytes);

	return nr < 1 ? 1 : nr >= block->nr ? block->nr - 1 : (uint32_t)nr;
}

static bool is_call_or_return(uint8_t flow)
{
	return flow != PTFLOW_OTHER && flow != PTFLOW_BRANCH && flow != PTFLOW_JUMP;
}

/* Counts a block. -1 with @err filled if memory is out. */
static int count_block(struct tracecount *count, struct ptblock block, struct spread *spread,
		       struct error *err)
{
	struct trace_stack *stack = count->stack;

	for (;;) {
		const struct trace_spot *spot =
			tracecode_find(count->code, count->maps, block.ip, err);
		uint32_t nr = block.nr;

		if (!spot)
			return -1;
		if (stack->depth == 0 || block.arrival != TRACE_FLOWS ||
		    is_call_or_return(stack->last_flow) ||
		    function_at(count, top(stack)) != spot->function) {
			if (stack->depth)
				give(count, spread);
			if (!arrive(count, &block, spot))
				return error_nomem(err, "decoding the hardware trace");
		}
		if (block.end_ip >= spot->end && block.nr > 1)
			nr = nr_before(&block, spot->end);
		spread->run += nr;
		if (nr == block.nr)
			break;
		block.nr -= nr;
		block.ip = spot->end;
		block.arrival = TRACE_FLOWS;
		stack->last_flow = PTFLOW_OTHER;
	}
	stack->last_flow = block.flow;
	stack->last_end = block.end_ip;
	return 0;
}

/* Counts the blocks that wait; @is_timed: @ns is known. */
static int count_blocks(struct tracecount *count, bool is_timed, uint64_t ns, uint64_t cycles,
			struct error *err)
{
	struct spread spread = {.ns = ns, .cycles = cycles};
	int rc = 0;

	if (count->nr_blocks && count->stack) {
		for (size_t i = 0; i < count->nr_blocks; i++)
			spread.total += count->blocks[i].nr;
		spread.ns_each = (double)ns / (double)spread.total;
		spread.cycles_each = (double)cycles / (double)spread.total;
		count->stack->untimed = !is_timed;
		count->stack->gaps += !is_timed;
		for (size_t i = 0; i < count->nr_blocks && rc == 0; i++)
			rc = count_block(count, count->blocks[i], &spread, err);
		if (rc == 0)
			give(count, &spread);
	}
	count->nr_blocks = 0;
	return rc;
}

int tracecount_add(struct tracecount *count, const struct ptblock *blocks, size_t nr,
		   enum trace_arrival arrival, struct error *err)
{
	const size_t first = count->nr_blocks;

	if (nr == 0)
		return 0;
	if (nr > TRACECOUNT_BLOCKS - first) {
		if (tracecount_clock(count, 0, 0, err) < 0)
			return -1;
		return tracecount_add(count, blocks, nr, arrival, err);
	}
	memcpy(&count->blocks[first], blocks, nr * sizeof(*blocks));
	count->blocks[first].arrival = (uint8_t)arrival;
	count->nr_blocks += nr;
	return 0;
}

int tracecount_clock(struct tracecount *count, uint64_t ns, uint64_t cycles, struct error *err)
{
	const bool is_timed = count->clock && ns;
	const uint64_t passed = is_timed && ns > count->clock ? ns - count->clock : 0;

	count->cycles_waiting += cycles;
	/* Time that passes without instructions is that of the next ones; without it, they wait. */
	if (is_timed && (count->nr_blocks == 0 || passed == 0))
		return 0;
	if (ns)
		count->clock = ns;
	cycles = count->cycles_waiting;
	count->cycles_waiting = 0;
	return count_blocks(count, is_timed, passed, cycles, err);
}

int tracecount_restart(struct tracecount *count, uint64_t ns, struct error *err)
{
	const int rc = count_blocks(count, false, 0, 0, err);

	count->clock = ns;
	return rc;
}

/* ---- threads --------------------------------------------------------------------------------- */

/* The number of a process; UINT32_MAX if memory is out. */
static uint32_t process_of(struct tracecount *count, const struct trace_space *space)
{
	struct index *ix = &count->by_life;
	const uint64_t hash = hash_u64(space->life);
	struct trace_node root = {.parent = TRACE_NO_NODE, .function = UINT32_MAX};
	uint32_t number;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);) {
		if (count->processes[number].life != space->life)
			continue;
		count->processes[number].comm = space->comm;
		return number;
	}
	root.process = (uint32_t)ix->nr;
	if (!array_grow(count->processes, count->processes_room, ix->nr + 1))
		return UINT32_MAX;
	number = add_node(count, hash_u64((uint64_t)TRACE_NO_NODE << 32 | root.process), &root);
	if (number == TRACE_NO_NODE || !index_add(ix, hash))
		return UINT32_MAX;
	count->processes[root.process] =
		(struct trace_process){space->life, space->pid, space->comm, number};
	return root.process;
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
	stack->process = process;
	stack->tid = tid;
	count->stacks[ix->nr - 1] = stack;
	return stack;
}

bool tracecount_run(struct tracecount *count, const struct trace_space *space, uint32_t tid)
{
	const uint32_t process = process_of(count, space);

	if (process == UINT32_MAX)
		return false;
	count->maps = space->maps;
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
	free(count->blocks);
	free(count->nodes);
	free(count->processes);
	index_free(&count->by_path);
	index_free(&count->by_life);
	index_free(&count->by_thread);
	*count = (struct tracecount){0};
}
