#include "decode/trace/tracecalls.h"

#include "util/array.h"

#include <string.h>

enum {
	DEPTH_MAX = 1 << 16,
	/* Calls that are searched for the one that execution goes back to. */
	SEARCH_MAX = 1024,
	INSTRUCTION_BYTES = 15, /* the longest */
};

/* Where execution has come to. */
struct arrived {
	uint64_t ip;
	uint32_t function;
	bool is_entry; /* the address is its first one */
};

static uint32_t function_at(const struct trace_stack *stack, const struct trace_call *call)
{
	return stack->paths->nodes[call->node].function;
}

/* The node that the function of the innermost call was called from. */
static uint32_t caller_node(const struct trace_stack *stack)
{
	return stack->depth > 1 ? stack->calls[stack->depth - 2].node : stack->root;
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
static void pop(struct trace_stack *stack)
{
	const struct trace_call *call = tracecalls_top(stack);
	const bool is_timed = stack->chosen && !stack->untimed && call->gaps == stack->gaps;

	if (is_timed && call->called)
		note_time(&stack->paths->nodes[call->entered], stack->ns - call->called_at);
	if (is_timed && call->jumped)
		note_time(&stack->paths->nodes[call->node], stack->ns - call->jumped_at);
	stack->depth--;
}

/* Makes room for another call. False if memory is out. */
__attribute__((noinline)) static bool make_room(struct trace_stack *stack)
{
	if (!array_grow(stack->calls, stack->room, stack->depth + 1))
		return false;
	if (stack->depth == DEPTH_MAX) { /* the outermost half is forgotten */
		stack->depth = DEPTH_MAX / 2;
		memmove(stack->calls, stack->calls + DEPTH_MAX / 2,
			stack->depth * sizeof(*stack->calls));
	}
	return true;
}

/* Begins a call of @function, which is to return to [from, to]. False if memory is out. */
static bool push(struct trace_stack *stack, uint32_t function, uint64_t from, uint64_t to)
{
	const uint32_t caller = stack->depth ? tracecalls_top(stack)->node : stack->root;
	const uint32_t node = tracepaths_child(stack->paths, stack->root, caller, function);

	if (node == TRACE_NO_NODE)
		return false;
	if ((stack->depth == stack->room || stack->depth == DEPTH_MAX) && !make_room(stack))
		return false;
	stack->calls[stack->depth++] = (struct trace_call){
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
static bool replace(struct trace_stack *stack, uint32_t function, bool is_entry)
{
	struct trace_call *call = tracecalls_top(stack);
	const uint32_t node =
		tracepaths_child(stack->paths, stack->root, caller_node(stack), function);

	if (node == TRACE_NO_NODE)
		return false;
	if (stack->chosen && call->jumped && !stack->untimed && call->gaps == stack->gaps)
		note_time(&stack->paths->nodes[call->node], stack->ns - call->jumped_at);
	call->node = node;
	call->jumped = is_entry;
	call->jumped_at = stack->ns;
	if (is_entry && stack->chosen)
		stack->paths->nodes[node].jumps++;
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
static uint32_t depth_of_function(const struct trace_stack *stack, uint32_t function)
{
	for (uint32_t i = stack->depth, nr = 0; i > 0 && nr < SEARCH_MAX; i--, nr++)
		if (function_at(stack, &stack->calls[i - 1]) == function)
			return i;
	return 0;
}

static void pop_to(struct trace_stack *stack, uint32_t depth)
{
	while (stack->depth > depth)
		pop(stack);
}

/*
 * Execution is in @at's function, and nothing says how it came there: it has gone back to it, as
 * exceptions do, or the part of the function that is apart from it has.
 */
static bool settle(struct trace_stack *stack, const struct arrived *at)
{
	const uint32_t depth = depth_of_function(stack, at->function);

	if (depth)
		pop_to(stack, depth);
	return depth || replace(stack, at->function, false);
}

static bool call(struct trace_stack *stack, const struct arrived *at)
{
	const uint64_t from = stack->last_end;

	if (!push(stack, at->function, from + 1, from + INSTRUCTION_BYTES))
		return false;
	stack->paths->nodes[tracecalls_top(stack)->node].calls += stack->chosen;
	return true;
}

/* The system starts a handler of a signal, which returns to where the thread was. */
static bool call_handler(struct trace_stack *stack, const struct arrived *at)
{
	const uint64_t from = stack->last_end;

	if (!push(stack, at->function, from, from + INSTRUCTION_BYTES))
		return false;
	stack->paths->nodes[tracecalls_top(stack)->node].jumps += stack->chosen;
	return true;
}

static bool come_back(struct trace_stack *stack, const struct arrived *at)
{
	const uint32_t depth = depth_of_return(stack, at->ip);

	if (depth)
		pop_to(stack, depth);
	else if (stack->depth == 1 && function_at(stack, tracecalls_top(stack)) != at->function)
		return replace(stack, at->function, false);
	return function_at(stack, tracecalls_top(stack)) == at->function || settle(stack, at);
}

static bool resume(struct trace_stack *stack, const struct arrived *at)
{
	const bool stays = function_at(stack, tracecalls_top(stack)) == at->function;

	if (!stays && at->is_entry && !depth_of_return(stack, at->ip))
		return call_handler(stack, at);
	return stays || come_back(stack, at);
}

/* What came before is not known: execution is in a function that has not returned, or anew. */
static bool resync(struct trace_stack *stack, const struct arrived *at)
{
	const uint32_t depth = depth_of_function(stack, at->function);

	stack->depth = depth;
	return depth || push(stack, at->function, 0, 0);
}

bool tracecalls_arrive(struct trace_stack *stack, const struct trace_leg *leg, uint32_t function)
{
	const struct arrived at = {leg->ip, function, leg->is_entry};

	if (stack->depth == 0 || leg->arrival == TRACE_RESYNCS)
		return resync(stack, &at);
	if (leg->arrival == TRACE_RESUMES)
		return resume(stack, &at);
	if (leg->arrival == TRACE_INTERRUPTS)
		return call_handler(stack, &at);
	switch (stack->last_flow) {
	case PTFLOW_CALL:
	case PTFLOW_FAR_CALL:
		return call(stack, &at);
	case PTFLOW_RETURN:
	case PTFLOW_FAR_RETURN:
		return come_back(stack, &at);
	default:
		if (function_at(stack, tracecalls_top(stack)) == function)
			return true;
		return at.is_entry ? replace(stack, function, true) : settle(stack, &at);
	}
}
