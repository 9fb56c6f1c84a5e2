#include "decode/replay/counttrace.h"

#include "decode/replay/countoperation.h"
#include "decode/replay/state.h"
#include "decode/trace/ptlibrary.h"

#include <stdio.h>

/* A sample of sched_switch tells who runs next. */
static bool note_sched_switch(struct replay *replay, const struct record *rec)
{
	struct hardware_trace *tracing = &replay->tracing;
	struct schedevent_sample told;

	if (!schedevents_read(&replay->switched.events, replay->file, rec, &told))
		return false;
	if (told.kind != SCHEDEVENT_SWITCH || told.bare || !(rec->has & HAS_CPU))
		return true;
	return traceworld_run(&tracing->world, rec->time, rec->cpu, PID_NONE, told.next_pid);
}

static bool note_code(void *arg, const struct process *process, uint64_t time, bool displaces)
{
	struct hardware_trace *tracing = arg;

	return !tracing->type || traceworld_code(&tracing->world, process, time, displaces);
}

void count_trace_start(struct replay *replay)
{
	replay->tracing.wanted = replay->aggregates.traces & AGGREGATE_CODE;
	if (replay->aggregates.traces)
		replay->jit.watcher = (struct jit_watcher){note_code, &replay->tracing};
}

int count_trace(struct replay *replay, const struct record *rec, struct error *err)
{
	struct hardware_trace *tracing = &replay->tracing;

	if (!spetrace_record(&replay->spe, tracing, rec) ||
	    (tracing->wanted && !cstrace_record(&replay->cs, tracing, rec)))
		return error_nomem(err, "keeping the hardware trace");
	tracing->wanted |= tracing->type == TRACE_ARM_SPE;
	/* What says its type comes before all that belongs to a trace. */
	if (!tracing->wanted || (!tracing->type && rec->type != RECORD_AUXTRACE_INFO))
		return 0;
	if (rec->type == RECORD_SAMPLE && tracing->info.switches == PTINFO_SCHED_SWITCH &&
	    !note_sched_switch(replay, rec))
		return error_nomem(err, "following threads");
	return hardware_trace_record(tracing, &replay->processes, rec, err);
}

const char *replay_trace_decoder(uint32_t type, char name[32])
{
	name[0] = '\0';
	if (type == TRACE_INTEL_PT)
		return ptlibrary_name(name);
	snprintf(name, 32, "%s", perffile_trace_name(type));
	return type == TRACE_CORESIGHT ? name : NULL;
}

bool replay_needs_traces(const struct needs *needs)
{
	for (size_t i = 0; i < needs->nr; i++)
		if (needs->list[i]->by->traces)
			return true;
	return false;
}

static bool is_chosen(void *arg, const struct trace_moment *moment)
{
	const struct replay *replay = arg;
	const struct filter *filter = replay->settings.filter;
	const struct record rec = {
		.type = RECORD_SAMPLE,
		.has = (moment->pid != PID_NONE ? HAS_PID : 0) |
		       (moment->tid != PID_NONE ? HAS_TID : 0) |
		       (moment->cpu != TRACE_OF_NONE ? HAS_CPU : 0) | (moment->time ? HAS_TIME : 0),
		.pid = moment->pid,
		.tid = moment->tid,
		.cpu = moment->cpu,
		.time = moment->time,
	};

	if (moment->event && filter->events && !filter_of_event(filter, moment->event) &&
	    !filter_event(filter, hardware_trace_event(&replay->tracing)))
		return false;
	if (filter->where.nr || !filter_record_of_any_event(filter, &rec))
		return false;
	if (!filter->comms)
		return true;
	return moment->comm != UINT32_MAX &&
	       filter_comm(filter, intern_get(&replay->processes.strings, moment->comm));
}

static bool is_named(void *arg, const char *binary, const char *function)
{
	const struct filter *filter = ((struct replay *)arg)->settings.filter;

	return (!filter->binaries || filter_binary(filter, binary)) &&
	       (!filter->symbols || filter_symbol(filter, function));
}

static void show(void *arg, uint64_t done, uint64_t total)
{
	const struct replay_progress *progress = &((struct replay *)arg)->settings.progress;

	progress->show(progress->arg, REPLAY_TRACING, done, total);
}

static bool stop(void *arg)
{
	const struct replay_settings *settings = &((struct replay *)arg)->settings;

	return settings->stop(settings->stop_arg);
}

int count_trace_decode(struct replay *replay, struct error *err)
{
	const struct trace_sources sources = {
		.file = replay->file,
		.spaces = &replay->spaces,
		.symbolizer = replay->symbolizer,
		.clock = &replay->jit.counter,
		.chosen = replay->filtered ? is_chosen : NULL,
		.is_named = replay->filtered ? is_named : NULL,
		.show = replay->settings.progress.show ? show : NULL,
		.stop = replay->settings.stop ? stop : NULL,
		.arg = replay,
		.threads = replay->settings.symbols.threads,
	};

	/* The trace may go on behind the last record. */
	if (replay->tracing.type &&
	    !jit_code_apply(&replay->jit, &replay->processes, UINT64_MAX - 1))
		return error_nomem(err, "following processes");
	if (replay->tracing.type == TRACE_ARM_SPE)
		return count_operations(replay, &sources, err);
	if (!replay->tracing.wanted)
		return 0;
	if (replay->tracing.type == TRACE_CORESIGHT)
		return cstrace_decode(&replay->cs, &replay->tracing, &sources, err);
	return hardware_trace_decode(&replay->tracing, &sources, err);
}
