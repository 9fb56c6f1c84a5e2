#include "decode/trace/spetrace.h"

#include "decode/process/counterclock.h"
#include "decode/trace/spesource.h"
#include "perffile/format.h"

#include <stdlib.h>

/* Between two calls that show progress. */
enum {
	SHOW_BYTES = 4 << 20,
	/* Operations between two looks whether to stop: some milliseconds. */
	LOOK_EVERY = 1 << 12,
};

/* ---- records --------------------------------------------------------------------------------- */

static bool note_info(struct spetrace *spe, struct hardware_trace *tracing,
		      const struct record *rec)
{
	int rc;

	if (rec->auxtrace_info.type != TRACE_ARM_SPE)
		return true;
	speinfo_free(&spe->info);
	rc = speinfo_read(&spe->info, &rec->auxtrace_info);
	tracing->type = TRACE_ARM_SPE;
	tracing->has_info = rc > 0;
	tracing->info.pmu = spe->info.pmu;
	tracing->info.per_cpu = spe->info.per_cpu;
	tracing->world.switches = PTINFO_SWITCH_CPU_WIDE;
	tracing->world.has_data = true;
	return rc >= 0;
}

static bool note_aux(struct spetrace *spe, struct hardware_trace *tracing, const struct record *rec)
{
	const uint64_t flags = rec->aux.flags;

	spe->is_snapshot |= (flags & AUX_OVERWRITE) != 0;
	spe->totals.collisions += (flags & AUX_COLLISION) != 0;
	return (!(flags & AUX_COLLISION) || tracestate_lose(tracing, rec, TRACE_LOSS_COLLISION)) &&
	       (!(flags & AUX_PARTIAL) || tracestate_lose(tracing, rec, TRACE_LOSS_PARTIAL));
}

bool spetrace_record(struct spetrace *spe, struct hardware_trace *tracing, const struct record *rec)
{
	switch (rec->type) {
	case RECORD_AUXTRACE_INFO:
		return note_info(spe, tracing, rec);
	case RECORD_AUX:
		return note_aux(spe, tracing, rec);
	default:
		return true;
	}
}

/* ---- one operation --------------------------------------------------------------------------- */

struct spe_decoding {
	struct spetrace *spe;
	struct hardware_trace *tracing;
	const struct trace_sources *sources;
	const struct spe_taker *taker;
	const struct trace_buffer *buffer;
	struct speinfo_cpu cpu; /* of the buffer */
	uint64_t newest;	/* count of the timer: the latest of earlier pieces */
	uint64_t time;		/* ns, of the operation before; 0: unknown */
	uint64_t done, total;	/* bytes */
	uint64_t read;		/* of them */
	uint64_t since_look;	/* operations since somebody looked whether to stop */
};

static unsigned events_of(const struct sperecord *record)
{
	static const struct {
		uint64_t of_record;
		enum spe_event event;
	} bits[] = {
		{SPE_MISPREDICTED, SPE_EVENT_BRANCH_MISS},
		{SPE_L1D_ACCESS, SPE_EVENT_L1D_ACCESS},
		{SPE_L1D_MISS, SPE_EVENT_L1D_MISS},
		{SPE_L2_ACCESS, SPE_EVENT_L2_ACCESS},
		{SPE_L2_MISS, SPE_EVENT_L2_MISS},
		{SPE_LLC_ACCESS, SPE_EVENT_LLC_ACCESS},
		{SPE_LLC_MISS, SPE_EVENT_LLC_MISS},
		{SPE_TLB_ACCESS, SPE_EVENT_TLB_ACCESS},
		{SPE_TLB_WALK, SPE_EVENT_TLB_MISS},
		{SPE_REMOTE_ACCESS, SPE_EVENT_REMOTE_ACCESS},
	};
	unsigned events = 1u << SPE_EVENT_INSTRUCTIONS;

	for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++)
		if (record->events & bits[i].of_record)
			events |= 1u << bits[i].event;
	if (record->has & SPE_HAS_OPERATION && record->class == SPE_CLASS_BRANCH)
		events |= 1u << SPE_EVENT_BRANCH;
	return events;
}

/*
 * Sets the thread: the one that the record tells, if it is a thread of the recording (the processor
 * may know it by another number), or that of the buffer, or the one that ran on the CPU.
 */
static void find_thread(const struct spe_decoding *decoding, const struct sperecord *record,
			struct spe_operation *operation)
{
	const struct traceworld *world = &decoding->tracing->world;
	const struct trace_buffer *buffer = decoding->buffer;
	const uint64_t time = operation->time ? operation->time : UINT64_MAX;
	const struct trace_switch *running;

	if (record->has & SPE_HAS_CONTEXT) {
		operation->tid = record->context;
		operation->process.pid =
			record->context ? traceworld_pid(world, record->context, time) : 0;
		if (operation->process.pid != PID_NONE)
			return;
	}
	if (buffer->tid != TRACE_OF_NONE) {
		operation->tid = buffer->tid;
		operation->process.pid = traceworld_pid(world, buffer->tid, time);
		return;
	}
	running = operation->time ? traceworld_running(world, buffer->cpu, time) : NULL;
	if (!running)
		return;
	operation->tid = running->tid;
	operation->process.pid = running->pid;
	if (running->pid == PID_NONE)
		operation->process.pid = traceworld_pid(world, running->tid, time);
}

static void find_process(const struct spe_decoding *decoding, struct spe_operation *operation)
{
	const uint64_t time = operation->time ? operation->time : UINT64_MAX;
	const struct trace_space *space = NULL;

	if (operation->process.pid != PID_NONE)
		space = traceworld_space(&decoding->tracing->world, operation->process.pid, time);
	operation->process.maps = space ? space->maps : NULL;
	operation->comm = space ? space->comm : UINT32_MAX;
}

static int take_record(struct spe_decoding *decoding, const struct sperecord *record,
		       struct error *err)
{
	const struct trace_sources *sources = decoding->sources;
	struct spe_totals *totals = &decoding->spe->totals;
	struct spe_operation operation = {
		.record = record,
		.events = decoding->spe->events,
		.counts_for = events_of(record),
		.process.pid = PID_NONE,
		.tid = PID_NONE,
		.cpu = decoding->buffer->cpu,
		.data_src = spesource_data_src(record, &decoding->cpu),
	};

	if (operation.data_src)
		operation.counts_for |= 1u << SPE_EVENT_MEMORY;
	if (record->has & SPE_HAS_TIME && counter_clock_is_known(sources->clock))
		operation.time = counter_clock_ns(sources->clock, record->time);
	decoding->time = operation.time;
	find_thread(decoding, record, &operation);
	find_process(decoding, &operation);
	operation.at =
		addrspaces_locate(sources->spaces, &operation.process,
				  record->ip >> 63 ? CPUMODE_KERNEL : CPUMODE_USER, record->ip);
	totals->records++;
	totals->threadless += operation.process.pid == PID_NONE;
	totals->timeless += operation.time == 0;
	return decoding->taker->take(decoding->taker->arg, &operation, err);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static bool lose_bytes(struct spe_decoding *decoding, enum trace_loss_kind kind, size_t bytes)
{
	const struct trace_loss loss = {
		.kind = kind,
		.cpu = decoding->buffer->cpu,
		.tid = decoding->buffer->tid,
		.dso = UINT32_MAX,
		.time = decoding->time,
		.bytes = bytes,
		.count = 1,
	};

	decoding->tracing->totals.lost_bytes += bytes;
	return traceloss_add(&decoding->tracing->losses, &loss) != UINT32_MAX;
}

/* Whether @record was in a piece before this one. */
static bool is_repeated(const struct spe_decoding *decoding, const struct sperecord *record)
{
	return decoding->spe->is_snapshot && record->has & SPE_HAS_TIME &&
	       record->time <= decoding->newest;
}

static void show(struct spe_decoding *decoding, uint64_t done)
{
	const struct trace_sources *sources = decoding->sources;

	if (sources->show && done - decoding->done >= SHOW_BYTES) {
		sources->show(sources->arg, done, decoding->total);
		decoding->done = done;
	}
}

/* Whether to stop, which somebody is asked for now and then. */
static bool is_over(struct spe_decoding *decoding)
{
	if (++decoding->since_look >= LOOK_EVERY) {
		decoding->since_look = 0;
		tracestate_stops(decoding->tracing, decoding->sources);
	}
	return decoding->tracing->totals.stopped;
}

/* Takes what was found in @bytes. Returns 0, or -1 with @err filled. */
static int take_found(struct spe_decoding *decoding, enum sperecord_found found,
		      const struct sperecord *record, size_t bytes, struct error *err)
{
	if (found == SPERECORD_WHOLE) {
		if (!is_repeated(decoding, record))
			return take_record(decoding, record, err);
		decoding->spe->totals.repeated++;
		return 0;
	}
	if (!lose_bytes(decoding, found == SPERECORD_CUT ? TRACE_LOSS_CUT : TRACE_LOSS_BAD_PACKET,
			bytes))
		return error_nomem(err, "decoding the hardware trace");
	return 0;
}

/*
 * Decodes bytes that follow each other; @place is where the processor wrote the first. @before:
 * bytes of other buffers that are done.
 */
static int decode_stretch(struct spe_decoding *decoding, const struct trace_stretch *stretch,
			  uint64_t place, uint64_t before, struct error *err)
{
	struct spereader reader = {
		.bytes = decoding->buffer->bytes + stretch->start,
		.size = stretch->end - stretch->start,
		.place = place,
	};
	uint64_t newest = decoding->newest;
	enum sperecord_found found;
	struct sperecord record;
	size_t bytes;

	while (!is_over(decoding) &&
	       (found = sperecord_next(&reader, &record, &bytes)) != SPERECORD_END) {
		if (take_found(decoding, found, &record, bytes, err) < 0)
			return -1;
		if (found == SPERECORD_WHOLE && record.time > newest)
			newest = record.time;
		show(decoding, before + stretch->start + reader.at);
	}
	decoding->newest = newest;
	decoding->read += reader.at;
	return 0;
}

static int decode_buffer(struct spe_decoding *decoding, struct trace_buffer *buffer,
			 uint64_t before, struct error *err)
{
	struct hardware_trace *tracing = decoding->tracing;
	int rc = tracebuffer_load(&tracing->buffers, buffer, decoding->sources->file, err);
	size_t piece = 0;

	decoding->buffer = buffer;
	decoding->cpu = speinfo_of_cpu(&decoding->spe->info, buffer->cpu);
	decoding->newest = decoding->time = 0;
	for (size_t i = 0; i < buffer->nr_stretches && rc == 0; i++) {
		const struct trace_stretch *stretch = &buffer->stretches[i];

		while (piece + 1 < buffer->nr_pieces &&
		       buffer->pieces[piece].start < stretch->start)
			piece++;
		rc = decode_stretch(decoding, stretch, buffer->pieces[piece].offset, before, err);
	}
	tracing->totals.bytes += buffer->size;
	tracebuffer_unload(&tracing->buffers, buffer);
	return rc;
}

/* Finds the traced event, and makes those that operations count for. */
static void make_events(struct spetrace *spe, const struct perffile *file)
{
	static const char *const names[NR_SPE_EVENTS] = {
		[SPE_EVENT_INSTRUCTIONS] = "arm_spe:instructions",
		[SPE_EVENT_MEMORY] = "arm_spe:memory",
		[SPE_EVENT_BRANCH] = "arm_spe:branch",
		[SPE_EVENT_BRANCH_MISS] = "arm_spe:branch-miss",
		[SPE_EVENT_L1D_ACCESS] = "arm_spe:l1d-access",
		[SPE_EVENT_L1D_MISS] = "arm_spe:l1d-miss",
		[SPE_EVENT_L2_ACCESS] = "arm_spe:l2-access",
		[SPE_EVENT_L2_MISS] = "arm_spe:l2-miss",
		[SPE_EVENT_LLC_ACCESS] = "arm_spe:llc-access",
		[SPE_EVENT_LLC_MISS] = "arm_spe:llc-miss",
		[SPE_EVENT_TLB_ACCESS] = "arm_spe:tlb-access",
		[SPE_EVENT_TLB_MISS] = "arm_spe:tlb-miss",
		[SPE_EVENT_REMOTE_ACCESS] = "arm_spe:remote-access",
	};
	const size_t nr = perffile_nr_events(file);

	spe->event = tracestate_event(file, spe->info.pmu);
	if (!spe->event)
		return;
	for (unsigned i = 0; i < NR_SPE_EVENTS; i++) {
		spe->events[i] = *spe->event;
		spe->events[i].number = (unsigned)nr + i;
		spe->events[i].name = names[i];
		spe->events[i].recorded = event_recorded_name(spe->event);
	}
	speinfo_filters(&spe->event->attr, spe->filters);
	if (!(spe->event->attr.flags & ATTR_FREQ))
		spe->interval = spe->event->attr.sample_period;
}

int spetrace_decode(struct spetrace *spe, struct hardware_trace *tracing,
		    const struct trace_sources *sources, const struct spe_taker *taker,
		    struct error *err)
{
	struct spe_decoding decoding = {
		.spe = spe, .tracing = tracing, .sources = sources, .taker = taker};
	struct tracebuffers *buffers = &tracing->buffers;

	if (tracing->is_decoded)
		return 0;
	tracing->is_decoded = true;
	make_events(spe, sources->file);
	if (!spe->event)
		return 0;
	speinfo_set_cpuid(&spe->info, perffile_cpuid(sources->file));
	traceworld_sort(&tracing->world);
	decoding.total = tracebuffers_bytes(buffers);
	tracestate_stops(tracing, sources);
	for (size_t i = 0; i < buffers->nr && !tracing->totals.stopped; i++)
		if (decode_buffer(&decoding, &buffers->list[i], tracing->totals.bytes, err) < 0)
			return -1;
	if (tracing->totals.stopped) {
		tracing->totals.bytes = decoding.total;
		tracing->totals.undone = decoding.total - decoding.read;
	}
	return 0;
}

void spetrace_free(struct spetrace *spe)
{
	speinfo_free(&spe->info);
	*spe = (struct spetrace){0};
}
