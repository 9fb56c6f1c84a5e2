#include "decode/answer/waitfunction.h"

#include <string.h>

/* What the names of the scheduler's own functions begin with, and of those that take its samples.
 */
static const char *const scheduler[] = {
	"schedule",	    "__schedule",
	"io_schedule",	    "preempt_schedule",
	"__cond_resched",   "_cond_resched",
	"perf_trace_sched", "__traceiter_sched",
	"trace_sched",	    "__perf_event_task_sched_out",
};

static const struct function_stat *innermost(const struct wait_stack *stack, size_t frame)
{
	return &stack->functions[stack->frames[frame].rows[0]];
}

static bool is_kernel(const struct wait_stack *stack, size_t frame)
{
	return innermost(stack, frame)->code == CODE_KERNEL;
}

static bool is_scheduler(const char *name)
{
	for (size_t i = 0; i < sizeof(scheduler) / sizeof(scheduler[0]); i++)
		if (strncmp(name, scheduler[i], strlen(scheduler[i])) == 0)
			return true;
	return false;
}

struct wait_function wait_function_of(const struct wait_stack *stack)
{
	struct wait_function at = {.within = ADDRESS_ROWS_NONE};
	size_t above = stack->nr; /* frames that are outside of those looked at */

	while (above > 1 && is_kernel(stack, above - 1) &&
	       is_scheduler(innermost(stack, above - 1)->function))
		above--;
	at.frame = above - 1;
	if (is_kernel(stack, at.frame) && !innermost(stack, at.frame)->reason[0])
		at.within = stack->frames[at.frame].rows[0];
	while (above > 0 && is_kernel(stack, above - 1))
		above--;
	if (above > 0)
		at.frame = above - 1;
	at.row = stack->frames[at.frame].rows[0];
	return at;
}
