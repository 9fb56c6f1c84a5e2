#include "decode/trace/cstrace.h"

#include "decode/trace/cschannel.h"
#include "decode/trace/csframe.h"

#include <stdlib.h>
#include <string.h>

enum {
	/* Bytes that are given to a decoder at once. */
	PART_BYTES = 64,
	/* Instructions between two looks whether to stop: some milliseconds. */
	LOOK_EVERY = 1 << 18,
	SHOW_BYTES = 1 << 20,
	ID_MAX = 0x6f,
};

/* ---- records --------------------------------------------------------------------------------- */

static bool note_info(struct cstrace *cs, struct hardware_trace *tracing, const struct record *rec)
{
	int rc;

	if (rec->auxtrace_info.type != TRACE_CORESIGHT)
		return true;
	csinfo_free(&cs->info);
	rc = csinfo_read(&cs->info, &rec->auxtrace_info);
	tracing->type = TRACE_CORESIGHT;
	tracing->has_info = rc > 0;
	tracing->info.pmu = cs->info.pmu;
	tracing->info.per_cpu = true;
	tracing->info.snapshot = cs->info.snapshot;
	tracing->world.switches = PTINFO_SWITCH_CPU_WIDE;
	return rc >= 0;
}

/* There are gaps in it. Full buffers are noted where those of all traces are. */
static bool note_gaps(struct hardware_trace *tracing, const struct record *rec)
{
	return !(rec->aux.flags & AUX_PARTIAL) || tracestate_lose(tracing, rec, TRACE_LOSS_PARTIAL);
}

bool cstrace_record(struct cstrace *cs, struct hardware_trace *tracing, const struct record *rec)
{
	if (rec->type == RECORD_AUXTRACE_INFO)
		return note_info(cs, tracing, rec);
	if (tracing->type != TRACE_CORESIGHT)
		return true;
	if (rec->type == RECORD_AUX_OUTPUT_HW_ID && rec->has & HAS_CPU)
		csinfo_note_id(&cs->info, rec->cpu, rec->hw_id);
	return rec->type != RECORD_AUX ||
	       (note_gaps(tracing, rec) && cssections_note(&cs->sections, rec));
}

/* ---- sections -------------------------------------------------------------------------------- */

/* The decoding of a recording. */
struct cs_run {
	struct cs_decoding decoding;
	const struct csinfo *info;
	struct cs_channel *channels; /* of each CPU */
	uint8_t frame[CSFRAME_BYTES];
	size_t nr_frame; /* bytes of a frame whose end comes in the next piece */
	uint8_t id;	 /* the trace that frames are of */
	uint64_t done, total, shown;
};

static bool lose(struct cs_run *run, enum trace_loss_kind kind, uint64_t bytes)
{
	return !bytes || cschannel_lose(&run->decoding, NULL, kind, 0, bytes) != UINT32_MAX;
}

static int nomem(struct error *err)
{
	return error_nomem(err, "decoding the hardware trace");
}

static int put(struct cs_run *run, const struct csinfo_cpu *cpu, const uint8_t *bytes, size_t nr,
	       struct error *err)
{
	if (cpu && cpu->protocol == CSINFO_ETM3)
		run->decoding.tracing->totals.old_bytes += nr;
	if (csinfo_is_decoded(cpu))
		return cschannel_put(&run->channels[cpu - run->info->cpus], bytes, nr);
	return lose(run, TRACE_LOSS_SOURCE, nr) ? 0 : nomem(err);
}

/* Ends the decoding of what came so far: something is missing behind it. */
static int end_channels(struct cs_run *run)
{
	for (size_t i = 0; i < run->info->nr_cpus; i++)
		if (run->channels[i].is_used && cschannel_end(&run->channels[i]) < 0)
			return -1;
	return 0;
}

static int put_frame(struct cs_run *run, const uint8_t frame[CSFRAME_BYTES], struct error *err)
{
	struct csframe_run runs[CSFRAME_DATA_MAX];
	size_t nr;

	if (csframe_is_barrier(frame)) {
		run->id = 0;
		return end_channels(run);
	}
	nr = csframe_divide(frame, &run->id, runs);
	for (size_t i = 0; i < nr; i++) {
		const uint8_t id = runs[i].id;
		const struct csinfo_cpu *cpu =
			csinfo_of_id(run->info, id, run->decoding.section->cpu);

		if (id != 0 && id <= ID_MAX && put(run, cpu, runs[i].bytes, runs[i].nr, err) < 0)
			return -1;
	}
	return 0;
}

/* Whether to stop, which somebody is asked for now and then. */
static bool is_over(struct cs_run *run)
{
	struct cs_decoding *decoding = &run->decoding;

	if (decoding->since_look >= LOOK_EVERY) {
		decoding->since_look = 0;
		tracestate_stops(decoding->tracing, decoding->sources);
	}
	return decoding->tracing->totals.stopped;
}

static void show(struct cs_run *run, size_t nr)
{
	const struct trace_sources *sources = run->decoding.sources;

	run->done += nr;
	run->decoding.since_look += nr;
	if (sources->show && run->done - run->shown >= SHOW_BYTES) {
		sources->show(sources->arg, run->done, run->total);
		run->shown = run->done;
	}
}

/* Decodes bytes [at, end) of a buffer, in frames. */
static int put_frames(struct cs_run *run, const uint8_t *at, const uint8_t *end, struct error *err)
{
	while (at < end && !is_over(run)) {
		const size_t left = (size_t)(end - at), lacks = CSFRAME_BYTES - run->nr_frame;
		const size_t nr = left < lacks ? left : lacks;

		memcpy(run->frame + run->nr_frame, at, nr);
		run->nr_frame += nr;
		at += nr;
		show(run, nr);
		if (run->nr_frame < CSFRAME_BYTES)
			break;
		run->nr_frame = 0;
		if (put_frame(run, run->frame, err) < 0)
			return -1;
	}
	return 0;
}

/* The same for the trace of one CPU. */
static int put_raw(struct cs_run *run, const uint8_t *at, const uint8_t *end, struct error *err)
{
	const struct csinfo_cpu *cpu = csinfo_of_cpu(run->info, run->decoding.section->cpu);

	while (at < end && !is_over(run)) {
		const size_t left = (size_t)(end - at), nr = left < PART_BYTES ? left : PART_BYTES;

		if (put(run, cpu, at, nr, err) < 0)
			return -1;
		at += nr;
		show(run, nr);
	}
	return 0;
}

static int decode_section(struct cs_run *run, const struct cssection *section, struct error *err)
{
	const struct trace_buffer *buffer = section->buffer;
	size_t start, end, i = cssection_first_piece(section);

	run->decoding.section = section;
	run->nr_frame = run->id = 0;
	for (; i < buffer->nr_pieces && cssection_bytes(section, i, &start, &end); i++)
		if ((section->is_raw ? put_raw : put_frames)(run, buffer->bytes + start,
							     buffer->bytes + end, err) < 0)
			return -1;
	if (end_channels(run) < 0)
		return -1;
	return lose(run, TRACE_LOSS_CUT, run->nr_frame) ? 0 : nomem(err);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static int decode_sections(struct cs_run *run, const struct cssections *sections, struct error *err)
{
	for (size_t i = 0; i < sections->nr && !run->decoding.tracing->totals.stopped; i++)
		if (decode_section(run, &sections->list[i], err) < 0)
			return -1;
	return 0;
}

static int load(struct cs_run *run, struct tracebuffers *buffers, struct error *err)
{
	for (size_t i = 0; i < buffers->nr; i++) {
		if (tracebuffer_load(buffers, &buffers->list[i], run->decoding.sources->file, err) <
		    0)
			return -1;
		run->total += buffers->list[i].size;
	}
	return 0;
}

static int decode(struct cs_run *run, struct cstrace *cs, struct error *err)
{
	struct hardware_trace *tracing = run->decoding.tracing;
	struct tracebuffers *buffers = &tracing->buffers;
	int rc = load(run, buffers, err);

	run->channels = calloc(cs->info.nr_cpus, sizeof(*run->channels));
	if (rc == 0 && (!run->channels || !cssections_settle(&cs->sections, buffers)))
		rc = nomem(err);
	for (size_t i = 0; i < cs->info.nr_cpus && rc == 0 && run->channels; i++) {
		run->channels[i].decoding = &run->decoding;
		run->channels[i].cpu = &cs->info.cpus[i];
		tracing->has_cycles |= cs->info.cpus[i].configr & CSINFO_CYCLES;
	}
	if (rc == 0)
		rc = decode_sections(run, &cs->sections, err);
	for (size_t i = 0; i < cs->info.nr_cpus && run->channels; i++)
		cschannel_free(&run->channels[i]);
	free(run->channels);
	for (size_t i = 0; i < buffers->nr; i++)
		tracebuffer_unload(buffers, &buffers->list[i]);
	return rc;
}

static int decode_with(struct cs_run *run, struct cstrace *cs, pthread_mutex_t *lock,
		       struct error *err)
{
	struct hardware_trace *tracing = run->decoding.tracing;
	const struct trace_sources *sources = run->decoding.sources;
	int rc;

	tracecode_init(&tracing->code, sources->spaces, sources->symbolizer, lock);
	tracecount_init(&tracing->count, &tracing->code);
	rc = tracespots_init(&run->decoding.spots, &tracing->code) ? decode(run, cs, err)
								   : nomem(err);
	tracespots_free(&run->decoding.spots);
	return rc;
}

int cstrace_decode(struct cstrace *cs, struct hardware_trace *tracing,
		   const struct trace_sources *sources, struct error *err)
{
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	struct cs_run run = {
		.decoding = {.tracing = tracing,
			     .sources = sources,
			     .clock = sources->clock,
			     .err = err},
		.info = &cs->info,
	};
	int rc;

	if (tracing->is_decoded || !tracing->has_info)
		return 0;
	tracing->is_decoded = true;
	tracing->event = tracestate_event(sources->file, tracing->info.pmu);
	tracing->totals.no_event = !tracing->event;
	if (!tracing->event)
		return 0;
	traceworld_sort(&tracing->world);
	tracestate_stops(tracing, sources);
	rc = decode_with(&run, cs, &lock, err);
	if (tracing->totals.stopped)
		tracing->totals.undone = run.total - run.done;
	tracing->totals.bytes = run.total;
	tracing->code.lock = NULL;
	if (rc == 0 && sources->is_named)
		tracecode_leave_out(&tracing->code, sources->is_named, sources->arg);
	return rc;
}

void cstrace_free(struct cstrace *cs)
{
	csinfo_free(&cs->info);
	cssections_free(&cs->sections);
	*cs = (struct cstrace){0};
}
