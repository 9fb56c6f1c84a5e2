/*
 * Trace statistics: what the functions of each process did in a hardware trace, and what the trace
 * lacks.
 */
#include "decode/answer/aggregate.h"
#include "decode/answer/traceprofile.h"
#include "decode/trace/ptlibrary.h"
#include "perffile/tracesummary.h"
#include "util/intern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FUNCTIONS, LOSSES, PROFILE };

/* All zero is empty. */
struct tracestat {
	struct trace_stat *rows;
	size_t nr_rows;
	struct trace_loss_stat *losses;
	size_t nr_losses;
	struct trace_outcome outcome;
	char decoder[32];
};

/* The sums of a run of finish. */
struct summing {
	struct tracestat *stat;
	const struct hardware_trace *tracing;
	const struct process_table *processes;
	const struct traceprofile *profile;
	uint32_t *row_of;	 /* by function: its row among those of the process at hand, + 1 */
	uint32_t *on_path;	 /* by function: how often it is on the path at hand */
	struct trace_node *sums; /* by node: with all that it called */
	uint32_t *child, *sibling; /* by node: the first one, the next one; 0: none */
};

/* ---- functions ------------------------------------------------------------------------------- */

static bool alloc(struct summing *sum)
{
	const size_t nr = sum->profile->nr + 1;
	const size_t nr_nodes = sum->tracing->count.paths.nr + 1;

	sum->row_of = calloc(nr, sizeof(*sum->row_of));
	sum->on_path = calloc(nr, sizeof(*sum->on_path));
	sum->sums = calloc(nr_nodes, sizeof(*sum->sums));
	sum->child = calloc(nr_nodes, sizeof(*sum->child));
	sum->sibling = calloc(nr_nodes, sizeof(*sum->sibling));
	/* A function of a process has a node there. */
	sum->stat->rows = calloc(nr_nodes, sizeof(*sum->stat->rows));
	return sum->row_of && sum->on_path && sum->sums && sum->child && sum->sibling &&
	       sum->stat->rows;
}

static void free_summing(struct summing *sum)
{
	free(sum->row_of);
	free(sum->on_path);
	free(sum->sums);
	free(sum->child);
	free(sum->sibling);
}

/* Links the nodes to their children, and adds up what these did. Callers have lower numbers. */
static void sum_up_nodes(struct summing *sum)
{
	const struct tracecount *count = &sum->tracing->count;

	for (size_t i = count->paths.nr; i-- > 0;) {
		const struct trace_node *node = &count->paths.nodes[i];
		struct trace_node *all = &sum->sums[i], *parent;

		all->instructions += node->instructions;
		all->ns += node->ns;
		all->cycles += node->cycles;
		if (node->parent == TRACE_NO_NODE)
			continue;
		parent = &sum->sums[node->parent];
		parent->instructions += all->instructions;
		parent->ns += all->ns;
		parent->cycles += all->cycles;
		sum->sibling[i] = sum->child[node->parent];
		sum->child[node->parent] = (uint32_t)i;
	}
}

/* The row of @function of the process at hand. */
static struct trace_stat *row_of(struct summing *sum, uint32_t function,
				 const struct trace_process *process)
{
	const struct function_stat *of = &sum->profile->functions[function];
	struct trace_stat *row;

	if (sum->row_of[function])
		return &sum->stat->rows[sum->row_of[function] - 1];
	row = &sum->stat->rows[sum->stat->nr_rows++];
	*row = (struct trace_stat){
		.event = sum->tracing->event,
		.pid = process->pid,
		.comm = intern_get(&sum->processes->strings, process->comm),
		.binary = of->binary,
		.function = of->function,
		.filename = of->filename,
		.line = of->line,
		.build_id = of->build_id,
		.reason = of->reason,
		.min_ns = UINT64_MAX,
		.total = sum->stat->outcome.instructions,
		.clock = sum->stat->outcome.clock,
		.has_cycles = sum->stat->outcome.has_cycles,
	};
	sum->row_of[function] = (uint32_t)sum->stat->nr_rows;
	return row;
}

static void add_node(struct trace_stat *row, const struct trace_node *node,
		     const struct trace_node *all, bool is_outermost)
{
	row->instructions += node->instructions;
	row->ns += node->ns;
	row->cycles += node->cycles;
	row->calls += node->calls;
	row->jumps += node->jumps;
	row->nr_timed += node->nr_timed;
	if (node->min_ns < row->min_ns)
		row->min_ns = node->min_ns;
	if (node->max_ns > row->max_ns)
		row->max_ns = node->max_ns;
	if (!is_outermost)
		return;
	row->all_instructions += all->instructions;
	row->all_ns += all->ns;
	row->all_cycles += all->cycles;
}

/* Adds node @number to its row as the walk comes to it. */
static void enter_node(struct summing *sum, uint32_t number, const struct trace_process *process)
{
	const struct trace_node *node = &sum->tracing->count.paths.nodes[number];
	const uint32_t function = sum->profile->function_of[node->function];

	sum->on_path[function]++;
	if (sum->sums[number].instructions || node->calls || node->jumps)
		add_node(row_of(sum, function, process), node, &sum->sums[number],
			 sum->on_path[function] == 1);
}

/* Walks over all paths of a process. */
static void walk(struct summing *sum, const struct trace_process *process)
{
	const struct trace_node *nodes = sum->tracing->count.paths.nodes;
	uint32_t at = sum->child[process->root];

	while (at) {
		enter_node(sum, at, process);
		if (sum->child[at]) {
			at = sum->child[at];
			continue;
		}
		for (;;) {
			sum->on_path[sum->profile->function_of[nodes[at].function]]--;
			if (sum->sibling[at]) {
				at = sum->sibling[at];
				break;
			}
			at = nodes[at].parent;
			if (at == process->root)
				return;
		}
	}
}

static int compare_rows(const void *a, const void *b)
{
	const struct trace_stat *x = a, *y = b;
	int order;

	if (x->instructions != y->instructions)
		return x->instructions > y->instructions ? -1 : 1;
	if (x->all_instructions != y->all_instructions)
		return x->all_instructions > y->all_instructions ? -1 : 1;
	if (x->pid != y->pid)
		return (int32_t)x->pid < (int32_t)y->pid ? -1 : 1;
	if ((order = strcmp(x->comm, y->comm)) != 0 ||
	    (order = strcmp(x->function, y->function)) != 0 ||
	    (order = strcmp(x->binary, y->binary)) != 0 ||
	    (order = strcmp(x->filename, y->filename)) != 0)
		return order;
	return strcmp(x->reason, y->reason);
}

/* Drops the rows that a filter leaves out, or in which nothing that counts was executed. */
static void drop_rows(struct summing *sum, size_t first)
{
	struct tracestat *stat = sum->stat;
	size_t nr = first;

	for (uint32_t i = 0; i < sum->tracing->code.nr_functions; i++) {
		const uint32_t row = sum->row_of[sum->profile->function_of[i]];

		if (row && sum->tracing->code.functions[i].is_left_out)
			stat->rows[row - 1].event = NULL;
	}
	for (size_t i = first; i < stat->nr_rows; i++)
		if (stat->rows[i].event)
			stat->rows[nr++] = stat->rows[i];
	stat->nr_rows = nr;
}

static bool make_rows(struct summing *sum)
{
	const struct tracecount *count = &sum->tracing->count;

	if (!alloc(sum))
		return false;
	sum_up_nodes(sum);
	for (size_t i = 0; i < count->by_life.nr; i++) {
		const size_t first = sum->stat->nr_rows;

		memset(sum->row_of, 0, sum->profile->nr * sizeof(*sum->row_of));
		walk(sum, &count->processes[i]);
		drop_rows(sum, first);
	}
	qsort(sum->stat->rows, sum->stat->nr_rows, sizeof(*sum->stat->rows), compare_rows);
	return true;
}

/* ---- losses ---------------------------------------------------------------------------------- */

static int compare_losses(const void *a, const void *b)
{
	const struct trace_loss_stat *x = a, *y = b;
	const int order = strcmp(x->kind, y->kind);

	if (order)
		return order;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return strcmp(x->binary, y->binary);
}

static bool make_losses(struct tracestat *stat, const struct aggregate_view *view)
{
	const struct hardware_trace *tracing = view->tracing;
	const size_t nr = tracing->losses.index.nr;

	stat->losses = calloc(nr + 1, sizeof(*stat->losses));
	if (!stat->losses)
		return false;
	for (size_t i = 0; i < nr; i++) {
		const struct trace_loss *loss = &tracing->losses.list[i];

		stat->losses[stat->nr_losses++] = (struct trace_loss_stat){
			.event = tracing->event ? tracing->event : view->spe->event,
			.cpu = (int32_t)loss->cpu,
			.tid = (int32_t)loss->tid,
			.kind = traceloss_word(loss->kind),
			.binary = loss->dso == UINT32_MAX ? "" : view->dsos->dsos[loss->dso]->path,
			.time = loss->time,
			.ip = loss->ip,
			.bytes = loss->bytes,
			.ns = loss->ns,
			.count = loss->count,
		};
	}
	qsort(stat->losses, stat->nr_losses, sizeof(*stat->losses), compare_losses);
	return true;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static const char *clock_word(const struct hardware_trace *tracing)
{
	static const char *const words[] = {[PTINFO_NO_CLOCK] = "",
					    [PTINFO_TSC] = "tsc",
					    [PTINFO_MTC] = "mtc",
					    [PTINFO_CYC] = "cyc"};

	return tracing->has_timestamps ? "timestamp" : words[tracing->clock];
}

static const char *library(const struct hardware_trace *tracing, char name[32])
{
	if (tracing->type == TRACE_INTEL_PT)
		return ptlibrary_name(name);
	if (tracing->type != TRACE_CORESIGHT)
		return NULL;
	snprintf(name, 32, "%s", perffile_trace_name(tracing->type));
	return name;
}

static void make_outcome(struct tracestat *stat, const struct hardware_trace *tracing)
{
	const struct trace_sums sums = tracepaths_sums(&tracing->count.paths);

	stat->outcome = (struct trace_outcome){
		.decoder = library(tracing, stat->decoder),
		.clock = clock_word(tracing),
		.bytes = tracing->totals.bytes,
		.lost_bytes = tracing->totals.lost_bytes,
		.undone = tracing->totals.undone,
		.stopped = tracing->totals.stopped,
		.instructions = sums.instructions,
		.ns = sums.ns,
		.cycles = sums.cycles,
		.overflows = tracing->totals.overflows,
		.errors = tracing->totals.errors,
		.old_bytes = tracing->totals.old_bytes,
		.unknown_cpu = tracing->totals.unknown_cpu,
		.has_cycles = tracing->has_cycles,
	};
}

static int finish(void *state, const struct aggregate_view *view, struct results *results,
		  struct error *err)
{
	struct tracestat *stat = state;
	struct summing sum = {.stat = stat,
			      .tracing = view->tracing,
			      .processes = view->processes,
			      .profile = view->traced};
	bool ok = true;

	make_outcome(stat, view->tracing);
	results->trace = &stat->outcome;
	if (!view->tracing->is_decoded || stat->losses)
		return 0;
	if (view->tracing->event)
		ok = make_rows(&sum);
	if (view->tracing->event || view->spe->event)
		ok = ok && make_losses(stat, view);
	free_summing(&sum);
	return ok ? 0 : error_nomem(err, "adding up the hardware trace");
}

static struct rows rows(void *state, unsigned number)
{
	const struct tracestat *stat = state;

	if (number == LOSSES)
		return (struct rows){.first = stat->losses, .nr = stat->nr_losses};
	if (number == PROFILE)
		return (struct rows){0};
	return (struct rows){.first = stat->rows, .nr = stat->nr_rows};
}

static void end(void *state)
{
	struct tracestat *stat = state;

	free(stat->rows);
	free(stat->losses);
}

static const struct aggregate aggregate = {
	.state_bytes = sizeof(struct tracestat),
	.traces = AGGREGATE_CODE | AGGREGATE_OPERATIONS,
	.finish = finish,
	.rows = rows,
	.free = end,
};

const struct answer tracestat_functions = {&aggregate, FUNCTIONS};
const struct answer tracestat_losses = {&aggregate, LOSSES};
const struct answer tracestat_profile = {&aggregate, PROFILE};
