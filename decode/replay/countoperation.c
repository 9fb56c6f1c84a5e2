#include "decode/replay/countoperation.h"

#include "decode/replay/state.h"

/* What the operations of a trace are counted with. */
struct operation_count {
	struct replay *replay;
	const struct trace_sources *sources;
	bool has_events;
	unsigned events; /* those that the filters choose: bits of enum spe_event */
};

static unsigned chosen_events(const struct filter *filter, const struct event *events)
{
	unsigned chosen = 0;

	for (unsigned i = 0; i < NR_SPE_EVENTS; i++)
		if (filter_of_event(filter, &events[i]))
			chosen |= 1u << i;
	return chosen;
}

/* Returns 1 if @operation passes the filters, 0 if not, -1 with @err filled. */
static int is_chosen(const struct operation_count *count, const struct spe_operation *operation,
		     struct error *err)
{
	struct replay *replay = count->replay;
	const struct filter *filter = replay->settings.filter;
	const struct trace_moment moment = {
		.pid = operation->process.pid,
		.tid = operation->tid,
		.cpu = operation->cpu,
		.comm = operation->comm,
		.time = operation->time,
	};
	const struct symbol *symbol;

	if (!count->sources->chosen(count->sources->arg, &moment) ||
	    !filter_binary(filter, operation->at.dso->path))
		return 0;
	if (!filter->symbols)
		return 1;
	symbol = symbolizer_find(replay->symbolizer, operation->at.dso, operation->at.place, err);
	return symbol ? filter_symbol(filter, symbol->function) : -1;
}

static int take(void *arg, const struct spe_operation *operation, struct error *err)
{
	struct operation_count *count = arg;
	struct replay *replay = count->replay;
	struct spe_operation chosen = *operation;
	int rc = 1;

	if (!count->has_events)
		count->events = chosen_events(replay->settings.filter, operation->events);
	count->has_events = true;
	chosen.counts_for &= count->events;
	if (replay->filtered)
		rc = chosen.counts_for ? is_chosen(count, operation, err) : 0;
	if (rc <= 0)
		return rc;
	replay->operations.chosen++;
	return aggregates_operation(&replay->aggregates, &chosen)
		       ? 0
		       : error_nomem(err, "counting operations");
}

static void tell_outcome(struct replay *replay)
{
	const struct spetrace *spe = &replay->spe;
	struct operation_outcome *outcome = &replay->operations;

	outcome->bytes = replay->tracing.totals.bytes;
	outcome->lost_bytes = replay->tracing.totals.lost_bytes;
	outcome->undone = replay->tracing.totals.undone;
	outcome->stopped = replay->tracing.totals.stopped;
	outcome->records = spe->totals.records;
	outcome->threadless = spe->totals.threadless;
	outcome->timeless = spe->totals.timeless;
	outcome->repeated = spe->totals.repeated;
	outcome->collisions = spe->totals.collisions;
	outcome->filters = spe->filters;
	outcome->is_old = spe->info.is_old;
	replay->results.operations = outcome;
}

int count_operations(struct replay *replay, const struct trace_sources *sources, struct error *err)
{
	struct operation_count count = {.replay = replay, .sources = sources};
	const struct spe_taker taker = {.take = take, .arg = &count};

	if (!replay->tracing.has_info)
		return 0;
	if (spetrace_decode(&replay->spe, &replay->tracing, sources, &taker, err) < 0)
		return -1;
	tell_outcome(replay);
	return 0;
}
