#include "decode/trace/hardwaretrace.h"

#include "decode/trace/ptlibrary.h"
#include "decode/trace/tracerun.h"
#include "perffile/format.h"
#include "util/cores.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

const char *hardware_trace_event(const struct hardware_trace *tracing)
{
	return tracing->type == TRACE_CORESIGHT ? "cs_etm:instructions" : "intel_pt:instructions";
}

/* ---- records --------------------------------------------------------------------------------- */

static bool note_info(struct hardware_trace *tracing, const struct record *rec)
{
	if (rec->auxtrace_info.type != TRACE_INTEL_PT)
		return true;
	tracing->type = rec->auxtrace_info.type;
	tracing->has_info = ptinfo_read(&tracing->info, &rec->auxtrace_info);
	tracing->world.switches = tracing->info.switches;
	return true;
}

/* A full buffer: what came next is lost. */
static bool note_aux(struct hardware_trace *tracing, const struct record *rec)
{
	return !(rec->aux.flags & AUX_TRUNCATED) ||
	       tracestate_lose(tracing, rec, TRACE_LOSS_TRUNCATED);
}

int hardware_trace_record(struct hardware_trace *tracing, const struct process_table *processes,
			  const struct record *rec, struct error *err)
{
	bool ok = true;

	switch (rec->type) {
	case RECORD_SAMPLE:
		if (!span_left(&rec->sample.extra.aux))
			return 0;
		return tracebuffers_sample(&tracing->buffers, rec, tracing->info.per_cpu, err);
	case RECORD_AUXTRACE_INFO:
		ok = note_info(tracing, rec);
		break;
	case RECORD_AUXTRACE:
		ok = tracebuffers_piece(&tracing->buffers, rec, tracing->info.snapshot);
		break;
	case RECORD_AUX:
		ok = note_aux(tracing, rec);
		break;
	case RECORD_TEXT_POKE:
		ok = tracepokes_record(&tracing->pokes, rec);
		break;
	default:
		ok = traceworld_record(&tracing->world, processes, rec);
		break;
	}
	return ok ? 0 : error_nomem(err, "keeping the hardware trace");
}

/* ---- what is decoded ------------------------------------------------------------------------- */

/* "GenuineIntel,6,94,3"; others are left at 0. */
static void read_cpu(struct ptconfig *config, const char *cpuid)
{
	static const char vendor[] = "GenuineIntel";
	unsigned long numbers[3];

	if (!cpuid || strncmp(cpuid, vendor, sizeof(vendor) - 1) != 0)
		return;
	cpuid += sizeof(vendor) - 1;
	for (size_t i = 0; i < 3; i++) {
		char *end = NULL;

		if (*cpuid != ',')
			return;
		numbers[i] = strtoul(cpuid + 1, &end, 10);
		if (numbers[i] > UINT8_MAX)
			return;
		cpuid = end;
	}
	config->family = (uint16_t)numbers[0];
	config->model = (uint8_t)numbers[1];
	config->stepping = (uint8_t)numbers[2];
}

static void configure(struct trace_decoding *decoding)
{
	struct hardware_trace *tracing = decoding->tracing;
	const struct ptinfo *info = &tracing->info;
	const uint64_t config = tracing->event->attr.config;

	tracing->clock = ptinfo_finest(info, config);
	tracing->has_cycles = tracing->clock == PTINFO_CYC;
	decoding->setup = (struct trace_setup){
		.info = info,
		.clock = tracing->clock,
		.world = &tracing->world,
		.pokes = tracing->event->attr.flags & ATTR_EXCLUDE_KERNEL ? NULL : &tracing->pokes,
	};
	decoding->setup.cpu = (struct ptconfig){
		.mtc_period = ptinfo_mtc_period(info, config),
		.max_ratio = info->max_ratio,
		.ctc_numerator = info->ctc_numerator,
		.ctc_denominator = info->ctc_denominator,
		/* Where the kernel is traced, threads change at any of them. */
		.has_ticks = tracing->clock > PTINFO_TSC || decoding->setup.pokes,
		.has_cycles = tracing->has_cycles,
	};
	read_cpu(&decoding->setup.cpu, perffile_cpuid(decoding->sources->file));
	tracing->totals.unknown_cpu = !ptlibrary_knows_cpu(&decoding->setup.cpu);
	decoding->total = tracebuffers_bytes(&tracing->buffers);
}

/* ---- all buffers ----------------------------------------------------------------------------- */

/* Buffers that are decoded together. */
struct group {
	struct trace_decoding *decoding;
	struct trace_run *runs;
	size_t nr;
	struct tracepieces pieces;
};

/* The run that is behind all others; NULL: all have ended. */
static struct trace_run *next_run(const struct group *group)
{
	struct trace_run *next = NULL;

	for (size_t i = 0; i < group->nr; i++) {
		struct trace_run *run = &group->runs[i];

		if (!run->ended && (!next || run->time < next->time))
			next = run;
	}
	return next;
}

/* Starts the runs, whose buffers' pieces end at @ends, and leads each to what is due first. */
static int start_runs(struct group *group, struct trace_buffer *buffers, const size_t *ends,
		      struct error *err)
{
	size_t first = 0;

	for (size_t i = 0; i < group->nr; i++) {
		if (tracerun_start(group->decoding, &group->runs[i], &buffers[i],
				   group->pieces.list + first, group->pieces.list + ends[i],
				   err) < 0 ||
		    tracerun_advance(group->decoding, &group->runs[i], err) < 0)
			return -1;
		first = ends[i];
	}
	return 0;
}

static int decode_runs(struct group *group, struct trace_buffer *buffers, const size_t *ends,
		       struct error *err)
{
	const struct trace_totals *totals = &group->decoding->tracing->totals;
	struct trace_run *run;

	if (!traceahead_begin(&group->decoding->ahead, &group->pieces))
		return error_nomem(err, "decoding the hardware trace");
	if (start_runs(group, buffers, ends, err) < 0)
		return -1;
	while (!totals->stopped && (run = next_run(group)))
		if (tracerun_advance(group->decoding, run, err) < 0)
			return -1;
	return 0;
}

/* Loads the @group->nr buffers; @ends gets the numbers of their pieces. */
static int load(struct group *group, struct trace_buffer *buffers, size_t *ends, struct error *err)
{
	struct hardware_trace *tracing = group->decoding->tracing;

	for (size_t i = 0; i < group->nr; i++) {
		if (tracebuffer_load(&tracing->buffers, &buffers[i], group->decoding->sources->file,
				     err) < 0)
			return -1;
		if (!tracepieces_add(&group->pieces, &buffers[i]))
			return error_nomem(err, "decoding the hardware trace");
		ends[i] = group->pieces.nr;
	}
	return 0;
}

/* Decodes @nr buffers together. */
static int decode_buffers(struct trace_decoding *decoding, struct trace_buffer *buffers, size_t nr,
			  struct error *err)
{
	struct group group = {.decoding = decoding, .nr = nr};
	size_t *ends = calloc(nr, sizeof(*ends));
	int rc = -1;

	group.runs = calloc(nr, sizeof(*group.runs));
	if (!group.runs || !ends)
		error_nomem(err, "decoding the hardware trace");
	else
		rc = load(&group, buffers, ends, err);
	if (rc == 0)
		rc = decode_runs(&group, buffers, ends, err);
	traceahead_end(&decoding->ahead);
	for (size_t i = 0; i < nr; i++) {
		if (group.runs)
			tracerun_end(&group.runs[i]);
		tracebuffer_unload(&decoding->tracing->buffers, &buffers[i]);
	}
	tracepieces_free(&group.pieces);
	free(group.runs);
	free(ends);
	return rc;
}

/* Buffers of CPUs are decoded together, as threads move between them; those of threads alone. */
static int decode_all(struct trace_decoding *decoding, struct error *err)
{
	struct tracebuffers *buffers = &decoding->tracing->buffers;
	size_t nr_alone = 0;

	for (size_t i = 0; i < buffers->nr; i++) {
		struct trace_buffer buffer = buffers->list[i];

		if (buffer.tid == TRACE_OF_NONE)
			continue;
		buffers->list[i] = buffers->list[nr_alone];
		buffers->list[nr_alone++] = buffer;
	}
	for (size_t i = 0; i < nr_alone && !decoding->tracing->totals.stopped; i++)
		if (decode_buffers(decoding, &buffers->list[i], 1, err) < 0)
			return -1;
	if (nr_alone == buffers->nr || decoding->tracing->totals.stopped)
		return 0;
	return decode_buffers(decoding, &buffers->list[nr_alone], buffers->nr - nr_alone, err);
}

/* Decodes with what @decoding has. @lock guards the symbolizer. */
static int decode_with(struct trace_decoding *decoding, pthread_mutex_t *lock, struct error *err)
{
	struct hardware_trace *tracing = decoding->tracing;
	const struct trace_sources *sources = decoding->sources;
	const size_t nr_threads = cores_choose(sources->threads);
	int rc = -1;

	tracecode_init(&tracing->code, sources->spaces, sources->symbolizer, lock);
	tracecount_init(&tracing->count, &tracing->code);
	if (!tracekit_init(&decoding->kit, &tracing->code, decoding->setup.pokes) ||
	    !traceahead_init(&decoding->ahead, &decoding->setup, nr_threads, &tracing->code))
		error_nomem(err, "decoding the hardware trace");
	else
		rc = decode_all(decoding, err);
	traceahead_free(&decoding->ahead);
	tracekit_free(&decoding->kit);
	return rc;
}

int hardware_trace_decode(struct hardware_trace *tracing, const struct trace_sources *sources,
			  struct error *err)
{
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	struct trace_decoding *decoding;
	char name[32];
	int rc;

	if (tracing->is_decoded || !tracing->has_info || !ptlibrary_name(name))
		return 0;
	tracing->is_decoded = true;
	tracing->event = tracestate_event(sources->file, tracing->info.pmu);
	tracing->totals.no_event = !tracing->event;
	if (!tracing->event)
		return 0;
	decoding = calloc(1, sizeof(*decoding));
	if (!decoding)
		return error_nomem(err, "decoding the hardware trace");
	decoding->tracing = tracing;
	decoding->sources = sources;
	configure(decoding);
	traceworld_sort(&tracing->world);
	tracepokes_sort(&tracing->pokes);
	tracestate_stops(tracing, sources);
	rc = decode_with(decoding, &lock, err);
	if (tracing->totals.stopped)
		tracing->totals.undone = decoding->total - decoding->done;
	tracing->totals.bytes = decoding->total;
	tracing->code.lock = NULL;
	free(decoding);
	if (rc == 0 && sources->is_named)
		tracecode_leave_out(&tracing->code, sources->is_named, sources->arg);
	return rc;
}

void hardware_trace_free(struct hardware_trace *tracing)
{
	tracecount_free(&tracing->count);
	tracecode_free(&tracing->code);
	tracebuffers_free(&tracing->buffers);
	traceworld_free(&tracing->world);
	tracepokes_free(&tracing->pokes);
	traceloss_free(&tracing->losses);
	*tracing = (struct hardware_trace){0};
}
