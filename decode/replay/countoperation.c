#include "decode/replay/countoperation.h"

#include "decode/replay/state.h"

/* What the operations of a trace are counted with. */
struct operation_count {
	struct replay *replay;
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

static bool fields_chosen(const struct replay *replay, const struct spe_operation *operation)
{
	const struct filter *filter = replay->settings.filter;
	const uint32_t pid = operation->process.pid;
	const struct record rec = {
		.type = RECORD_SAMPLE,
		.has = (pid != PID_NONE ? HAS_PID : 0) |
		       (operation->tid != PID_NONE ? HAS_TID : 0) |
		       (operation->cpu != TRACE_OF_NONE ? HAS_CPU : 0) |
		       (operation->time ? HAS_TIME : 0),
		.pid = pid,
		.tid = operation->tid,
		.cpu = operation->cpu,
		.time = operation->time,
	};

	if (filter->where.nr || !filter_record_of_any_event(filter, &rec))
		return false;
	if (!filter->comms)
		return true;
	return operation->comm != UINT32_MAX &&
	       filter_comm(filter, intern_get(&replay->processes.strings, operation->comm));
}

/* Returns 1 if @operation passes the filters, 0 if not, -1 with @err filled. */
static int is_chosen(struct replay *replay, const struct spe_operation *operation,
		     struct error *err)
{
	const struct filter *filter = replay->settings.filter;
	const struct symbol *symbol;

	if (!fields_chosen(replay, operation) || !filter_binary(filter, operation->at.dso->path))
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
		rc = chosen.counts_for ? is_chosen(replay, operation, err) : 0;
	if (rc <= 0)
		return rc;
	replay->operations.chosen++;
	return aggregates_operation(&replay->aggregates, &chosen)
		       ? 0
		       : error_nomem(err, "counting operations");
}

static void show(void *arg, uint64_t done, uint64_t total)
{
	const struct replay *replay = ((struct operation_count *)arg)->replay;

	replay->settings.progress.show(replay->settings.progress.arg, REPLAY_TRACING, done, total);
}

static bool stop(void *arg)
{
	const struct replay_settings *settings = &((struct operation_count *)arg)->replay->settings;

	return settings->stop(settings->stop_arg);
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

int count_operations(struct replay *replay, struct error *err)
{
	struct operation_count count = {.replay = replay};
	const struct spe_sources sources = {
		.file = replay->file,
		.spaces = &replay->spaces,
		.clock = &replay->jit.counter,
		.take = take,
		.show = replay->settings.progress.show ? show : NULL,
		.stop = replay->settings.stop ? stop : NULL,
		.arg = &count,
	};

	if (!replay->tracing.has_info)
		return 0;
	if (spetrace_decode(&replay->spe, &replay->tracing, &sources, err) < 0)
		return -1;
	tell_outcome(replay);
	return 0;
}
