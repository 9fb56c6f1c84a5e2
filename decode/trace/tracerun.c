#include "decode/trace/tracerun.h"

enum {
	/* Legs and steps between two looks whether to stop: some milliseconds. */
	LOOK_EVERY = 1 << 16,
	LEGS_AT_ONCE = 1 << 12, /* of a log */
};

/* ---- pieces ---------------------------------------------------------------------------------- */

static int nomem(struct error *err)
{
	return error_nomem(err, "decoding the hardware trace");
}

static void show(struct trace_decoding *decoding, const struct tracepiece *piece)
{
	const struct trace_sources *sources = decoding->sources;

	decoding->done += piece->stop - piece->start;
	if (sources->show)
		sources->show(sources->arg, decoding->done, decoding->total);
}

/* Goes on with the next piece. Returns false if memory is out. */
static bool open_piece(struct trace_decoding *decoding, struct trace_run *run)
{
	struct tracepiece *piece = run->next;

	run->piece = NULL;
	run->ended = piece == run->end;
	if (run->ended)
		return true;
	run->piece = run->next++;
	run->legs_read = run->steps_read = 0;
	run->joined = run->joined && !piece->first;
	run->cycles_before += run->cycles_read;
	run->cycles_read = 0;
	if (piece->first)
		run->cycles_before = run->cycles_given = 0;
	run->is_logged = traceahead_get(&decoding->ahead, piece);
	return run->is_logged || tracereader_open(&run->reader, piece);
}

static bool close_piece(struct trace_decoding *decoding, struct trace_run *run)
{
	show(decoding, run->piece);
	if (run->is_logged)
		traceahead_release(&decoding->ahead, run->piece);
	return open_piece(decoding, run);
}

/* As tracereader_next(), from the log of the piece. */
static void read_log(struct trace_run *run, struct trace_legs *legs, struct ptstep *step)
{
	const struct tracelog *log = &run->piece->log;
	const struct trace_leg *from = log->legs.list + run->legs_read;
	size_t nr = log->ends[run->steps_read] - run->legs_read;

	if (nr > LEGS_AT_ONCE) {
		nr = LEGS_AT_ONCE;
		step->kind = PTSTEP_MORE;
	} else {
		*step = log->steps[run->steps_read++];
	}
	run->legs_read += nr;
	if (!tracelegs_copy(legs, from, nr))
		*step = (struct ptstep){.kind = PTSTEP_ERROR, .error = PTERROR_NOMEM};
}

/* ---- who runs -------------------------------------------------------------------------------- */

static bool is_chosen(const struct trace_decoding *decoding, const struct trace_run *run,
		      uint64_t ns)
{
	return tracestate_chooses(decoding->tracing, decoding->sources, &run->who, run->buffer->cpu,
				  ns);
}

/* The thread of @run goes on at @ns. */
static int go_on(struct trace_decoding *decoding, struct trace_run *run, uint64_t ns,
		 struct error *err)
{
	struct tracecount *count = &decoding->tracing->count;

	if (tracecount_restart(count, ns, err) < 0)
		return -1;
	if (!run->who.space) {
		count->stack = NULL;
		return 0;
	}
	if (!tracecount_run(count, run->who.space, run->who.tid))
		return nomem(err);
	count->chosen = is_chosen(decoding, run, ns);
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

static bool add_loss(struct trace_decoding *decoding, struct trace_run *run,
		     struct trace_loss *loss)
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

static int lose(struct trace_decoding *decoding, struct trace_run *run, const struct ptstep *step,
		struct error *err)
{
	const uint64_t ip = step->ip ? step->ip : run->last_ip;
	struct trace_loss loss = {.kind = kind_of(step, ip),
				  .dso = UINT32_MAX,
				  .ip = ip,
				  .bytes = step->resumed_at - step->offset};

	if (step->error == PTERROR_NOMEM)
		return nomem(err);
	decoding->tracing->totals.errors++;
	if (run->who.space && ip && loss.kind != TRACE_LOSS_BAD_PACKET)
		loss.dso = tracecode_locate(&decoding->tracing->code, run->who.space->maps, ip)
				   .dso->number;
	if (!add_loss(decoding, run, &loss))
		return nomem(err);
	run->arrival = TRACE_RESYNCS;
	return tracecount_restart(&decoding->tracing->count, 0, err);
}

static int overflow(struct trace_decoding *decoding, struct trace_run *run,
		    const struct ptstep *step, struct error *err)
{
	struct trace_loss loss = {.kind = TRACE_LOSS_OVERFLOW, .dso = UINT32_MAX, .ip = step->ip};

	decoding->tracing->totals.overflows++;
	run->arrival = TRACE_RESYNCS;
	if (!add_loss(decoding, run, &loss))
		return nomem(err);
	return tracecount_restart(&decoding->tracing->count, tracesetup_ns(&decoding->setup, step),
				  err);
}

/* ---- the clock ------------------------------------------------------------------------------- */

/* Moves the clock to @step. */
static int move_clock(struct trace_decoding *decoding, struct trace_run *run,
		      const struct ptstep *step, struct error *err)
{
	struct tracecount *count = &decoding->tracing->count;
	const uint64_t ns = tracesetup_ns(&decoding->setup, step);
	const uint64_t cycles = run->cycles_before + step->cycles - run->cycles_given;

	run->cycles_given += cycles;
	run->cycles_read = step->cycles_read;
	end_loss(decoding->tracing, run, ns);
	if (tracecount_clock(count, ns, cycles, err) < 0)
		return -1;
	count->chosen = is_chosen(decoding, run, ns);
	return 0;
}

/* ---- steps ----------------------------------------------------------------------------------- */

/*
 * Sets *@step to what comes next; what was executed before waits to be counted. Returns the number
 * of its legs.
 */
static size_t next_step(struct trace_decoding *decoding, struct trace_run *run, struct ptstep *step)
{
	struct trace_legs *legs = &decoding->tracing->count.legs;
	const size_t first = legs->nr;

	if (run->is_logged)
		read_log(run, legs, step);
	else
		tracereader_next(&run->reader, legs, step);
	if (legs->nr == first)
		return 0;
	run->last_ip = legs->list[legs->nr - 1].end_ip;
	legs->list[first].arrival = run->arrival;
	run->arrival = TRACE_FLOWS;
	return legs->nr - first;
}

/* What may change the thread: tracing goes on, or decoding begins. */
static int enter(struct trace_decoding *decoding, struct trace_run *run, const struct ptstep *step,
		 struct error *err)
{
	const uint64_t ns = tracesetup_ns(&decoding->setup, step);

	run->who = traceworld_who(decoding->setup.world, run->buffer->cpu, run->buffer->tid, ns);
	run->arrival = step->kind == PTSTEP_SYNC ? TRACE_RESYNCS : TRACE_RESUMES;
	if (step->ip)
		run->last_ip = step->ip;
	end_loss(decoding->tracing, run, ns);
	return go_on(decoding, run, ns, err);
}

/* Whether another thread runs from @step on, a tick of the clock. */
static bool is_switch(const struct trace_decoding *decoding, const struct trace_run *run,
		      const struct ptstep *step)
{
	struct trace_who who;

	if (step->kind != PTSTEP_TICK || !tracesetup_may_switch(&decoding->setup, step))
		return false;
	who = traceworld_who(decoding->setup.world, run->buffer->cpu, run->buffer->tid,
			     tracesetup_ns(&decoding->setup, step));
	return who.tid != run->who.tid || who.space != run->who.space;
}

/* The clock has moved, and another thread runs since. */
static int change(struct trace_decoding *decoding, struct trace_run *run, const struct ptstep *step,
		  struct error *err)
{
	const uint64_t ns = tracesetup_ns(&decoding->setup, step);

	if (move_clock(decoding, run, step, err) < 0)
		return -1;
	run->who = traceworld_who(decoding->setup.world, run->buffer->cpu, run->buffer->tid, ns);
	run->arrival = TRACE_RESUMES;
	return go_on(decoding, run, ns, err);
}

static int end_piece(struct trace_decoding *decoding, struct trace_run *run,
		     const struct ptstep *step, struct error *err)
{
	run->joined = step->kind == PTSTEP_STOP;
	if (!run->joined && move_clock(decoding, run, step, err) < 0)
		return -1;
	return close_piece(decoding, run) ? 0 : nomem(err);
}

static int take_step(struct trace_decoding *decoding, struct trace_run *run,
		     const struct ptstep *step, struct error *err)
{
	switch (step->kind) {
	case PTSTEP_MORE:
		return 0;
	case PTSTEP_TICK:
	case PTSTEP_DISABLED:
		return move_clock(decoding, run, step, err);
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
	default:
		return end_piece(decoding, run, step, err);
	}
}

/* ---- the run --------------------------------------------------------------------------------- */

int tracerun_start(struct trace_decoding *decoding, struct trace_run *run,
		   struct trace_buffer *buffer, struct tracepiece *first, struct tracepiece *end,
		   struct error *err)
{
	*run = (struct trace_run){.buffer = buffer, .next = first, .end = end};
	run->reader = (struct tracereader){.setup = &decoding->setup, .kit = &decoding->kit};
	return open_piece(decoding, run) ? 0 : nomem(err);
}

/* Takes the step that was due. */
static int take_due(struct trace_decoding *decoding, struct trace_run *run, struct error *err)
{
	if (!run->is_due)
		return 0;
	run->is_due = false;
	if (run->due.kind == PTSTEP_TICK)
		return change(decoding, run, &run->due, err);
	return take_step(decoding, run, &run->due, err);
}

/* Whether to stop, which somebody is asked for now and then. */
static bool is_over(struct trace_decoding *decoding, size_t nr)
{
	decoding->since_look += nr;
	if (decoding->since_look < LOOK_EVERY)
		return decoding->tracing->totals.stopped;
	decoding->since_look = 0;
	return tracestate_stops(decoding->tracing, decoding->sources);
}

/* Whether @step is the beginning of a piece before which nothing was lost. */
static bool is_joint(struct trace_run *run, const struct ptstep *step)
{
	const bool joined = run->joined;

	if (step->kind == PTSTEP_SYNC)
		run->joined = false;
	return joined && step->kind == PTSTEP_SYNC;
}

int tracerun_advance(struct trace_decoding *decoding, struct trace_run *run, struct error *err)
{
	struct ptstep step;
	size_t nr;

	if (take_due(decoding, run, err) < 0)
		return -1;
	while (!run->ended) {
		nr = next_step(decoding, run, &step);
		if (tracecount_take(&decoding->tracing->count, err) < 0)
			return -1;
		if (is_over(decoding, nr + 1))
			return tracecount_restart(&decoding->tracing->count, 0, err);
		if (is_joint(run, &step))
			continue;
		if (step.kind == PTSTEP_ENABLED || step.kind == PTSTEP_SYNC ||
		    is_switch(decoding, run, &step)) {
			run->due = step;
			run->is_due = true;
			run->time = tracesetup_ns(&decoding->setup, &step);
			return tracecount_restart(&decoding->tracing->count, 0, err);
		}
		if (take_step(decoding, run, &step, err) < 0)
			return -1;
	}
	return 0;
}

void tracerun_end(struct trace_run *run)
{
	tracereader_close(&run->reader);
}
