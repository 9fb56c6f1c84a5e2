#include "decode/trace/tracestate.h"

bool tracestate_lose(struct hardware_trace *tracing, const struct record *rec,
		     enum trace_loss_kind kind)
{
	const bool per_cpu = tracing->info.per_cpu;
	const struct trace_loss loss = {
		.kind = kind,
		.cpu = per_cpu ? record_cpu(rec) : TRACE_OF_NONE,
		.tid = !per_cpu && rec->has & HAS_TID ? rec->tid : TRACE_OF_NONE,
		.dso = UINT32_MAX,
		.time = rec->time,
		.count = 1,
	};

	return traceloss_add(&tracing->losses, &loss) != UINT32_MAX;
}

const struct event *tracestate_event(const struct perffile *file, uint32_t pmu)
{
	for (size_t i = 0; i < perffile_nr_events(file); i++)
		if (perffile_event(file, i)->attr.type == pmu)
			return perffile_event(file, i);
	return NULL;
}

bool tracestate_stops(struct hardware_trace *tracing, const struct trace_sources *sources)
{
	tracing->totals.stopped |= sources->stop && sources->stop(sources->arg);
	return tracing->totals.stopped;
}

bool tracestate_chooses(const struct hardware_trace *tracing, const struct trace_sources *sources,
			const struct trace_who *who, uint32_t cpu, uint64_t ns)
{
	const struct trace_moment moment = {
		.event = tracing->event,
		.pid = who->pid,
		.tid = who->tid,
		.cpu = cpu,
		.comm = who->space ? who->space->comm : UINT32_MAX,
		.time = ns,
	};

	return !sources->chosen || sources->chosen(sources->arg, &moment);
}
