#include "decode/trace/tracerun.h"

#include "decode/trace/ptpacket.h"

#include <string.h>

/* Blocks and steps between two looks whether to stop: some milliseconds. */
enum { LOOK_EVERY = 1 << 18 };

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
	run->packets_at = run->blocks_read = run->steps_read = 0;
	run->in_psb = false;
	run->joined = run->joined && !piece->first;
	if (piece->first)
		run->cycles = run->cycles_held = 0;
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

/* As tracereader_next(); sets *@blocks to the blocks. */
static size_t next_step(struct trace_decoding *decoding, struct trace_run *run,
			const struct ptblock **blocks, struct ptstep *step)
{
	const struct tracelog *log;
	size_t nr;

	if (!run->is_logged) {
		*blocks = decoding->batch;
		return tracereader_next(&run->reader, decoding->batch, TRACE_BATCH, step);
	}
	log = &run->piece->log;
	*blocks = log->blocks + run->blocks_read;
	nr = log->ends[run->steps_read] - run->blocks_read;
	if (nr > TRACE_BATCH) {
		nr = TRACE_BATCH;
		step->kind = PTSTEP_MORE;
	} else {
		*step = log->steps[run->steps_read++];
	}
	run->blocks_read += nr;
	return nr;
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
	run->branches = 0;
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
	run->branches = 0;
	run->arrival = TRACE_RESYNCS;
	if (!add_loss(decoding, run, &loss))
		return nomem(err);
	return tracecount_restart(&decoding->tracing->count, tracesetup_ns(&decoding->setup, step),
				  err);
}

/* ---- the clock ------------------------------------------------------------------------------- */

/* Whether a packet tells what was executed. From PSB to PSBEND packets repeat what is known. */
static bool is_of_code(struct trace_run *run, enum ptpacket_kind kind)
{
	const bool in_psb = run->in_psb || kind == PTPACKET_PSB;

	run->in_psb = in_psb && kind != PTPACKET_PSBEND && kind != PTPACKET_OVF;
	return !in_psb && kind != PTPACKET_CYC && kind != PTPACKET_TIMING && kind != PTPACKET_TSC;
}

/*
 * Reads the packets that were decoded since the last call: adds up the cycles of CYC packets in
 * @run, and sets *@branches to the number of branches that the last packet tells of. The decoder
 * has already read the clock of the next packet, but its time is that of the last one.
 */
static void read_packets(struct trace_run *run, size_t end, uint64_t *branches)
{
	const uint8_t *bytes = run->buffer->bytes + run->piece->start;

	while (run->packets_at < end) {
		const struct ptpacket packet =
			ptpacket_read(bytes + run->packets_at, end - run->packets_at);

		run->packets_at = packet.kind == PTPACKET_BAD ? end : run->packets_at + packet.size;
		if (packet.kind == PTPACKET_CYC)
			run->cycles_held += packet.value;
		if (!is_of_code(run, packet.kind))
			continue;
		run->cycles += run->cycles_held;
		run->cycles_held = 0;
		*branches = packet.kind == PTPACKET_TNT ? packet.value : 0;
	}
}

/* Moves the clock to @ns, and to the cycles that have passed. */
static int move_clock(struct trace_decoding *decoding, struct trace_run *run, uint64_t ns,
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
static int catch_up(struct trace_decoding *decoding, struct trace_run *run, struct error *err)
{
	return run->branches ? move_clock(decoding, run, run->clock, err) : 0;
}

/*
 * Gets ready for the next clock value; sets *@branches as read_packets() does, or to 0 where cycles
 * are not counted.
 */
static int end_clock(struct trace_decoding *decoding, struct trace_run *run,
		     const struct ptstep *step, uint64_t *branches, struct error *err)
{
	*branches = 0;
	if (catch_up(decoding, run, err) < 0)
		return -1;
	if (decoding->tracing->clock == PTINFO_CYC)
		read_packets(run, step->decoded, branches);
	return 0;
}

/*
 * The clock of a packet of several branches is that of the last of them, of which the first was
 * seen.
 */
static int tick(struct trace_decoding *decoding, struct trace_run *run, const struct ptstep *step,
		struct error *err)
{
	uint64_t branches;

	if (end_clock(decoding, run, step, &branches, err) < 0)
		return -1;
	run->clock = tracesetup_ns(&decoding->setup, step);
	run->branches = branches > 1 ? (unsigned)branches - 1 : 0;
	return run->branches ? 0 : move_clock(decoding, run, run->clock, err);
}

static int stop(struct trace_decoding *decoding, struct trace_run *run, const struct ptstep *step,
		struct error *err)
{
	uint64_t branches;

	if (end_clock(decoding, run, step, &branches, err) < 0)
		return -1;
	return move_clock(decoding, run, tracesetup_ns(&decoding->setup, step), err);
}

/* ---- steps ----------------------------------------------------------------------------------- */

static bool is_told_branch(const struct ptblock *block)
{
	return block->flow == PTFLOW_BRANCH || block->flow == PTFLOW_RETURN;
}

/* The number of the @nr @blocks that were executed until the clock moves; *@moves: it does then. */
static size_t until_clock(struct trace_run *run, const struct ptblock *blocks, size_t nr,
			  bool *moves)
{
	*moves = false;
	for (size_t i = 0; i < nr && run->branches; i++)
		if (is_told_branch(&blocks[i]) && --run->branches == 0) {
			*moves = true;
			return i + 1;
		}
	return nr;
}

static int add_blocks(struct trace_decoding *decoding, struct trace_run *run,
		      const struct ptblock *blocks, size_t nr, struct error *err)
{
	struct tracecount *count = &decoding->tracing->count;
	bool moves;

	if (nr)
		run->last_ip = blocks[nr - 1].end_ip;
	while (nr) {
		const size_t part = until_clock(run, blocks, nr, &moves);

		if (tracecount_add(count, blocks, part, run->arrival, err) < 0)
			return -1;
		run->arrival = TRACE_FLOWS;
		if (moves && move_clock(decoding, run, run->clock, err) < 0)
			return -1;
		blocks += part;
		nr -= part;
	}
	return 0;
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

	if (tick(decoding, run, step, err) < 0 || catch_up(decoding, run, err) < 0)
		return -1;
	run->who = traceworld_who(decoding->setup.world, run->buffer->cpu, run->buffer->tid, ns);
	run->arrival = TRACE_RESUMES;
	return go_on(decoding, run, ns, err);
}

static int end_piece(struct trace_decoding *decoding, struct trace_run *run,
		     const struct ptstep *step, struct error *err)
{
	run->joined = step->kind == PTSTEP_STOP;
	if (!run->joined && stop(decoding, run, step, err) < 0)
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
	run->reader = (struct tracereader){.setup = &decoding->setup, .images = &decoding->images};
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
	const struct ptblock *blocks;
	struct ptstep step;
	size_t nr;

	if (take_due(decoding, run, err) < 0)
		return -1;
	while (!run->ended) {
		nr = next_step(decoding, run, &blocks, &step);
		if (add_blocks(decoding, run, blocks, nr, err) < 0)
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
