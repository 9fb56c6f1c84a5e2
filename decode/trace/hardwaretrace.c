#include "decode/trace/hardwaretrace.h"

#include "decode/trace/ptdecode.h"
#include "decode/trace/ptpacket.h"

#include <stdlib.h>
#include <string.h>

const char hardware_trace_event[] = "intel_pt:instructions";

/* Between two calls that show progress. */
enum { SHOW_BYTES = 4 << 20 };

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
	const struct trace_loss loss = {
		.kind = TRACE_LOSS_TRUNCATED,
		.cpu = tracing->info.per_cpu && rec->has & HAS_CPU ? rec->cpu : TRACE_OF_NONE,
		.tid = !tracing->info.per_cpu && rec->has & HAS_TID ? rec->tid : TRACE_OF_NONE,
		.dso = UINT32_MAX,
		.time = rec->time,
		.count = 1,
	};

	return !(rec->aux.flags & AUX_TRUNCATED) ||
	       traceloss_add(&tracing->losses, &loss) != UINT32_MAX;
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
	default:
		ok = traceworld_record(&tracing->world, processes, rec);
		break;
	}
	return ok ? 0 : error_nomem(err, "keeping the hardware trace");
}

/* ---- one buffer ------------------------------------------------------------------------------ */

/* The decoding of a buffer. */
struct trace_run {
	struct trace_buffer *buffer;
	struct ptdecode *decoder; /* of the stretch; NULL: before the first one, and at the end */
	size_t stretch;		  /* number of the next one */
	size_t base;		  /* of the stretch: its start in the buffer */
	bool ended;
	uint64_t time;	   /* ns, of what comes next; 0: unknown */
	struct ptstep due; /* what comes next, once it is this run's turn */
	bool is_due;
	const struct trace_space *space; /* NULL: unknown */
	uint32_t pid, tid;
	uint8_t arrival;      /* enum trace_arrival, of the next block */
	size_t packets_at;    /* offset in the stretch up to which packets have been read */
	uint64_t cycles;      /* that have passed since the clock moved last */
	uint64_t cycles_held; /* that the clock does not tell of yet */
	uint64_t clock;	      /* ns: where it goes once as many branches as @branches come */
	unsigned branches;
	size_t shown; /* bytes that progress was told of */
	uint64_t last_ip;
	uint32_t loss;	  /* number of the loss that the next clock value ends */
	uint64_t lost_at; /* ns when it began; 0: there is none */
};

struct decoding {
	struct hardware_trace *tracing;
	const struct trace_sources *sources;
	struct ptdecode_config cpu;
	struct trace_run *runs;
	size_t nr_runs;
	uint64_t done, total; /* bytes */
};

/* "GenuineIntel,6,94,3"; others are left at 0. */
static void read_cpu(struct ptdecode_config *config, const char *cpuid)
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

static uint64_t ns_of(const struct decoding *decoding, const struct ptstep *step)
{
	const struct hardware_trace *tracing = decoding->tracing;

	if (!step->has_tsc || tracing->clock == PTINFO_NO_CLOCK)
		return 0;
	return ptinfo_ns(&tracing->info, step->tsc);
}

/* Opens the decoder of the next stretch. Returns 0, or -1 if memory is out. */
static int open_stretch(struct decoding *decoding, struct trace_run *run)
{
	const struct trace_buffer *buffer = run->buffer;
	struct ptdecode_config config = decoding->cpu;
	bool unknown_cpu;

	ptdecode_close(run->decoder);
	run->decoder = NULL;
	run->ended = run->stretch == buffer->nr_stretches;
	if (run->ended)
		return 0;
	run->base = buffer->stretches[run->stretch].start;
	config.bytes = buffer->bytes + run->base;
	config.size = buffer->stretches[run->stretch++].end - run->base;
	run->packets_at = run->shown = 0;
	run->cycles = run->cycles_held = run->branches = 0;
	run->decoder = ptdecode_open(&config, &unknown_cpu);
	decoding->tracing->totals.unknown_cpu |= unknown_cpu;
	return run->decoder ? 0 : -1;
}

/* ---- who runs -------------------------------------------------------------------------------- */

/* Sets the thread that runs at @ns, and its address space. */
static void find_thread(const struct hardware_trace *tracing, struct trace_run *run, uint64_t ns)
{
	const struct trace_buffer *buffer = run->buffer;
	const uint64_t time = ns ? ns : UINT64_MAX;
	const struct trace_switch *running;

	if (buffer->tid != TRACE_OF_NONE) {
		run->tid = buffer->tid;
		run->pid = traceworld_pid(&tracing->world, run->tid, time);
	} else {
		running = traceworld_running(&tracing->world, buffer->cpu, time);
		run->tid = running ? running->tid : TRACE_OF_NONE;
		run->pid = running ? running->pid : PID_NONE;
		if (running && run->pid == PID_NONE)
			run->pid = traceworld_pid(&tracing->world, run->tid, time);
	}
	run->space =
		run->pid == PID_NONE ? NULL : traceworld_space(&tracing->world, run->pid, time);
}

static bool is_chosen(const struct decoding *decoding, const struct trace_run *run, uint64_t ns)
{
	const struct trace_sources *sources = decoding->sources;
	const struct trace_moment moment = {
		.event = decoding->tracing->event,
		.pid = run->pid,
		.tid = run->tid,
		.cpu = run->buffer->cpu,
		.comm = run->space ? run->space->comm : 0,
		.time = ns,
	};

	return !sources->chosen || sources->chosen(sources->chosen_arg, &moment);
}

/* The thread of @run goes on at @ns, decoded with the code that it has now. */
static int go_on(struct decoding *decoding, struct trace_run *run, uint64_t ns, struct error *err)
{
	struct hardware_trace *tracing = decoding->tracing;
	struct ptdecode_image *image;

	if (tracecount_restart(&tracing->count, ns, err) < 0)
		return -1;
	if (!run->space) {
		tracing->count.stack = NULL;
		return 0;
	}
	image = tracecode_image(&tracing->code, run->space->maps);
	if (!image || !ptdecode_set_image(run->decoder, image) ||
	    !tracecount_run(&tracing->count, run->space, run->tid))
		return error_nomem(err, "decoding the hardware trace");
	tracing->count.chosen = is_chosen(decoding, run, ns);
	return 0;
}

/* ---- what is lost ---------------------------------------------------------------------------- */

static enum trace_loss_kind kind_of(const struct ptstep *step, uint64_t ip)
{
	if (step->error == PTERROR_BAD_PACKET)
		return TRACE_LOSS_BAD_PACKET;
	if (ip >> 63)
		return TRACE_LOSS_KERNEL;
	return step->error == PTERROR_NO_CODE ? TRACE_LOSS_NO_CODE : TRACE_LOSS_MISMATCH;
}

static bool add_loss(struct decoding *decoding, struct trace_run *run, struct trace_loss *loss)
{
	struct hardware_trace *tracing = decoding->tracing;

	loss->cpu = run->buffer->cpu;
	loss->tid = run->buffer->tid;
	loss->time = tracing->count.clock;
	loss->count = 1;
	tracing->totals.lost_bytes += loss->bytes;
	run->lost_at = loss->time;
	run->loss = traceloss_add(&tracing->losses, loss);
	return run->loss != UINT32_MAX;
}

/* What was lost is over at @ns. */
static void end_loss(struct hardware_trace *tracing, struct trace_run *run, uint64_t ns)
{
	if (run->lost_at == 0 || ns == 0)
		return;
	if (ns > run->lost_at)
		tracing->losses.list[run->loss].ns += ns - run->lost_at;
	run->lost_at = 0;
}

static int lose(struct decoding *decoding, struct trace_run *run, const struct ptstep *step,
		struct error *err)
{
	const uint64_t ip = step->ip ? step->ip : run->last_ip;
	struct trace_loss loss = {.kind = kind_of(step, ip),
				  .dso = UINT32_MAX,
				  .ip = ip,
				  .bytes = step->resumed_at - step->offset};

	if (step->error == PTERROR_NOMEM)
		return error_nomem(err, "decoding the hardware trace");
	decoding->tracing->totals.errors++;
	run->branches = 0;
	if (run->space && ip && loss.kind != TRACE_LOSS_BAD_PACKET)
		loss.dso = tracecode_locate(&decoding->tracing->code, run->space->maps, ip)
				   .dso->number;
	if (!add_loss(decoding, run, &loss))
		return error_nomem(err, "decoding the hardware trace");
	run->arrival = TRACE_RESYNCS;
	return tracecount_restart(&decoding->tracing->count, 0, err);
}

static int overflow(struct decoding *decoding, struct trace_run *run, const struct ptstep *step,
		    struct error *err)
{
	struct trace_loss loss = {.kind = TRACE_LOSS_OVERFLOW, .dso = UINT32_MAX, .ip = step->ip};

	decoding->tracing->totals.overflows++;
	run->branches = 0;
	run->arrival = TRACE_RESYNCS;
	if (!add_loss(decoding, run, &loss))
		return error_nomem(err, "decoding the hardware trace");
	return tracecount_restart(&decoding->tracing->count, ns_of(decoding, step), err);
}

/* ---- steps ----------------------------------------------------------------------------------- */

/*
 * Reads the packets that were decoded since the last call: adds up the cycles of CYC packets in
 * @run, and sets *@branches to the number of branches that the last packet tells of. The decoder
 * has already read the clock of the next packet, but its time is that of the last one.
 */
static void read_packets(struct trace_run *run, uint64_t *branches)
{
	const uint8_t *bytes = run->buffer->bytes + run->base;
	const size_t end = ptdecode_offset(run->decoder);

	while (run->packets_at < end) {
		const struct ptpacket packet =
			ptpacket_read(bytes + run->packets_at, end - run->packets_at);

		run->packets_at = packet.kind == PTPACKET_BAD ? end : run->packets_at + packet.size;
		if (packet.kind == PTPACKET_CYC)
			run->cycles_held += packet.value;
		if (packet.kind == PTPACKET_CYC || packet.kind == PTPACKET_TIMING ||
		    packet.kind == PTPACKET_TSC)
			continue;
		run->cycles += run->cycles_held;
		run->cycles_held = 0;
		*branches = packet.kind == PTPACKET_TNT ? packet.value : 0;
	}
}

/* Moves the clock to @ns, and to the cycles that have passed. */
static int move_clock(struct decoding *decoding, struct trace_run *run, uint64_t ns,
		      struct error *err)
{
	struct tracecount *count = &decoding->tracing->count;
	const uint64_t cycles = run->cycles;

	run->cycles = run->branches = 0;
	end_loss(decoding->tracing, run, ns);
	if (tracecount_clock(count, ns, cycles, err) < 0)
		return -1;
	count->chosen = is_chosen(decoding, run, ns);
	return 0;
}

/* Moves the clock as far as it is due, if its branches have not been seen: something else came. */
static int catch_up(struct decoding *decoding, struct trace_run *run, struct error *err)
{
	return run->branches ? move_clock(decoding, run, run->clock, err) : 0;
}

/*
 * Gets ready for the next clock value; sets *@branches as read_packets() does, or to 0 where cycles
 * are not counted.
 */
static int end_clock(struct decoding *decoding, struct trace_run *run, uint64_t *branches,
		     struct error *err)
{
	*branches = 0;
	if (catch_up(decoding, run, err) < 0)
		return -1;
	if (decoding->tracing->clock == PTINFO_CYC)
		read_packets(run, branches);
	return 0;
}

/*
 * The clock of a packet of several branches is that of the last of them, of which the first was
 * seen.
 */
static int tick(struct decoding *decoding, struct trace_run *run, const struct ptstep *step,
		struct error *err)
{
	uint64_t branches;

	if (end_clock(decoding, run, &branches, err) < 0)
		return -1;
	run->clock = ns_of(decoding, step);
	run->branches = branches > 1 ? (unsigned)branches - 1 : 0;
	return run->branches ? 0 : move_clock(decoding, run, run->clock, err);
}

static int stop(struct decoding *decoding, struct trace_run *run, const struct ptstep *step,
		struct error *err)
{
	uint64_t branches;

	if (end_clock(decoding, run, &branches, err) < 0)
		return -1;
	return move_clock(decoding, run, ns_of(decoding, step), err);
}

static int add_block(struct decoding *decoding, struct trace_run *run, const struct ptstep *step,
		     struct error *err)
{
	const struct trace_block block = {
		.ip = step->ip,
		.end_ip = step->end_ip,
		.nr = step->nr,
		.flow = (uint8_t)step->flow,
		.arrival = run->arrival,
	};

	run->arrival = TRACE_FLOWS;
	run->last_ip = step->end_ip;
	if (tracecount_block(&decoding->tracing->count, &block, err) < 0)
		return -1;
	if (run->branches && (step->flow == PTFLOW_BRANCH || step->flow == PTFLOW_RETURN) &&
	    --run->branches == 0)
		return move_clock(decoding, run, run->clock, err);
	return 0;
}

/* What may change the thread: tracing goes on, or decoding begins. */
static int enter(struct decoding *decoding, struct trace_run *run, const struct ptstep *step,
		 struct error *err)
{
	run->arrival = step->kind == PTSTEP_SYNC ? TRACE_RESYNCS : TRACE_RESUMES;
	if (step->ip)
		run->last_ip = step->ip;
	end_loss(decoding->tracing, run, ns_of(decoding, step));
	return go_on(decoding, run, ns_of(decoding, step), err);
}

static int take_step(struct decoding *decoding, struct trace_run *run, const struct ptstep *step,
		     struct error *err)
{
	switch (step->kind) {
	case PTSTEP_BLOCK:
		return add_block(decoding, run, step, err);
	case PTSTEP_TICK:
		return tick(decoding, run, step, err);
	case PTSTEP_DISABLED:
		return stop(decoding, run, step, err);
	case PTSTEP_INTERRUPTED:
		run->arrival = TRACE_INTERRUPTS;
		return 0;
	case PTSTEP_ENABLED:
	case PTSTEP_SYNC:
		return enter(decoding, run, step, err);
	case PTSTEP_OVERFLOW:
		return overflow(decoding, run, step, err);
	case PTSTEP_ERROR:
		return lose(decoding, run, step, err);
	case PTSTEP_END:
	default:
		if (stop(decoding, run, step, err) < 0)
			return -1;
		return open_stretch(decoding, run) < 0
			       ? error_nomem(err, "decoding the hardware trace")
			       : 0;
	}
}

/* ---- all buffers ----------------------------------------------------------------------------- */

static void show(struct decoding *decoding, struct trace_run *run, bool at_end)
{
	const struct trace_sources *sources = decoding->sources;
	const size_t offset = at_end ? run->buffer->stretches[run->stretch - 1].end - run->base
				     : ptdecode_offset(run->decoder);

	if (offset < run->shown + SHOW_BYTES && !at_end)
		return;
	decoding->done += offset - run->shown;
	run->shown = offset;
	if (sources->show)
		sources->show(sources->show_arg, decoding->done, decoding->total);
}

/*
 * Reads steps of @run, and takes them, until another thread may run on its CPU: that step is due
 * when all other buffers have come as far.
 */
static int advance(struct decoding *decoding, struct trace_run *run, struct error *err)
{
	struct ptstep step = {0};
	unsigned nr = 0;

	if (run->is_due) {
		find_thread(decoding->tracing, run, run->time);
		run->is_due = false;
		if (take_step(decoding, run, &run->due, err) < 0)
			return -1;
	}
	while (!run->ended) {
		ptdecode_next(run->decoder, &step);
		if (step.kind == PTSTEP_ENABLED || step.kind == PTSTEP_SYNC) {
			run->due = step;
			run->is_due = true;
			run->time = ns_of(decoding, &step);
			return tracecount_restart(&decoding->tracing->count, 0, err);
		}
		if (step.kind == PTSTEP_END || ++nr % 1024 == 0)
			show(decoding, run, step.kind == PTSTEP_END);
		if (take_step(decoding, run, &step, err) < 0)
			return -1;
	}
	return 0;
}

/* The run that is behind all others; NULL: all have ended. */
static struct trace_run *next_run(struct decoding *decoding)
{
	struct trace_run *next = NULL;

	for (size_t i = 0; i < decoding->nr_runs; i++) {
		struct trace_run *run = &decoding->runs[i];

		if (!run->ended && (!next || run->time < next->time))
			next = run;
	}
	return next;
}

static int decode_runs(struct decoding *decoding, struct error *err)
{
	struct trace_run *run;

	for (size_t i = 0; i < decoding->nr_runs; i++) {
		if (open_stretch(decoding, &decoding->runs[i]) < 0)
			return error_nomem(err, "decoding the hardware trace");
		if (advance(decoding, &decoding->runs[i], err) < 0)
			return -1;
	}
	while ((run = next_run(decoding)))
		if (advance(decoding, run, err) < 0)
			return -1;
	return 0;
}

/* Makes a run of each of @nr buffers, and decodes them together. */
static int decode_buffers(struct decoding *decoding, struct trace_buffer *buffers, size_t nr,
			  struct error *err)
{
	struct hardware_trace *tracing = decoding->tracing;
	int rc = 0;

	decoding->runs = calloc(nr, sizeof(*decoding->runs));
	if (!decoding->runs)
		return error_nomem(err, "decoding the hardware trace");
	decoding->nr_runs = nr;
	for (size_t i = 0; i < nr && rc == 0; i++) {
		decoding->runs[i].buffer = &buffers[i];
		rc = tracebuffer_load(&tracing->buffers, &buffers[i], decoding->sources->file, err);
		tracing->totals.bytes += buffers[i].size;
	}
	if (rc == 0)
		rc = decode_runs(decoding, err);
	for (size_t i = 0; i < nr; i++) {
		ptdecode_close(decoding->runs[i].decoder);
		tracebuffer_unload(&buffers[i]);
	}
	free(decoding->runs);
	return rc;
}

/* Buffers of CPUs are decoded together, as threads move between them; those of threads alone. */
static int decode_all(struct decoding *decoding, struct error *err)
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
	for (size_t i = 0; i < nr_alone; i++)
		if (decode_buffers(decoding, &buffers->list[i], 1, err) < 0)
			return -1;
	if (nr_alone == buffers->nr)
		return 0;
	return decode_buffers(decoding, &buffers->list[nr_alone], buffers->nr - nr_alone, err);
}

/* Finds the event that was traced. */
static void find_event(struct hardware_trace *tracing, const struct perffile *file)
{
	for (size_t i = 0; i < perffile_nr_events(file) && !tracing->event; i++)
		if (perffile_event(file, i)->attr.type == tracing->info.pmu)
			tracing->event = perffile_event(file, i);
}

static void configure(struct decoding *decoding)
{
	struct hardware_trace *tracing = decoding->tracing;
	const struct ptinfo *info = &tracing->info;
	const uint64_t config = tracing->event->attr.config;

	tracing->clock = ptinfo_finest(info, config);
	decoding->cpu = (struct ptdecode_config){
		.mtc_period = ptinfo_mtc_period(info, config),
		.max_ratio = info->max_ratio,
		.ctc_numerator = info->ctc_numerator,
		.ctc_denominator = info->ctc_denominator,
	};
	read_cpu(&decoding->cpu, perffile_cpuid(decoding->sources->file));
	for (size_t i = 0; i < tracing->buffers.nr; i++)
		for (size_t k = 0; k < tracing->buffers.list[i].nr_pieces; k++)
			decoding->total += tracing->buffers.list[i].pieces[k].place.len;
}

/* Marks the functions that a filter leaves out. */
static void leave_out(struct hardware_trace *tracing, const struct trace_sources *sources)
{
	for (size_t i = 0; i < tracing->code.by_start.nr && sources->is_named; i++) {
		struct trace_function *function = &tracing->code.functions[i];

		function->is_left_out = !sources->is_named(sources->chosen_arg, function->dso->path,
							   function->symbol->function);
	}
}

int hardware_trace_decode(struct hardware_trace *tracing, const struct trace_sources *sources,
			  struct error *err)
{
	struct decoding decoding = {.tracing = tracing, .sources = sources};
	char name[32];

	if (tracing->is_decoded || !tracing->has_info || !ptdecode_library(name))
		return 0;
	tracing->is_decoded = true;
	find_event(tracing, sources->file);
	tracing->totals.no_event = !tracing->event;
	if (!tracing->event)
		return 0;
	configure(&decoding);
	traceworld_sort(&tracing->world);
	if (!tracecode_init(&tracing->code, sources->spaces, sources->symbolizer) ||
	    !tracecount_init(&tracing->count, &tracing->code))
		return error_nomem(err, "decoding the hardware trace");
	if (decode_all(&decoding, err) < 0)
		return -1;
	leave_out(tracing, sources);
	return 0;
}

void hardware_trace_free(struct hardware_trace *tracing)
{
	tracecount_free(&tracing->count);
	tracecode_free(&tracing->code);
	tracebuffers_free(&tracing->buffers);
	traceworld_free(&tracing->world);
	traceloss_free(&tracing->losses);
	*tracing = (struct hardware_trace){0};
}
