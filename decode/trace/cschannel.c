#include "decode/trace/cschannel.h"

#include "decode/process/counterclock.h"
#include "decode/trace/cscode.h"

#include <stdlib.h>

enum { LEGS_MAX = TRACECOUNT_LEGS / 2 };

/* ---- what is lost ---------------------------------------------------------------------------- */

uint32_t cschannel_lose(struct cs_decoding *decoding, const struct cs_channel *channel,
			enum trace_loss_kind kind, uint64_t ip, uint64_t bytes)
{
	struct hardware_trace *tracing = decoding->tracing;
	struct trace_loss loss = {
		.kind = kind,
		.cpu = channel ? channel->cpu->cpu : decoding->section->cpu,
		.tid = decoding->section->buffer->tid,
		.dso = UINT32_MAX,
		.time = channel && channel->now ? channel->now : decoding->section->time,
		.ip = ip,
		.bytes = bytes,
		.count = 1,
	};

	if (channel && channel->who.space && ip)
		loss.dso =
			tracecode_locate(&tracing->code, channel->who.space->maps, ip).dso->number;
	tracing->totals.lost_bytes += bytes;
	return traceloss_add(&tracing->losses, &loss);
}

/* The bytes since the code was lost are over at byte @at: those that lose_bytes() does not count.
 */
static void find_again(struct cs_channel *channel, uint32_t at)
{
	struct hardware_trace *tracing = channel->decoding->tracing;
	uint32_t bytes;

	if (!channel->is_lost)
		return;
	channel->is_lost = false;
	bytes = at - channel->lost_at -
		(uint32_t)(csdecode_losses(channel->decoder).unsynced - channel->unsynced);
	tracing->losses.list[channel->loss].bytes += bytes;
	tracing->totals.lost_bytes += bytes;
}

static bool lose_code(struct cs_channel *channel, const struct cselement *element)
{
	const enum trace_loss_kind kind = element->kind == CSELEMENT_MISMATCH ? TRACE_LOSS_MISMATCH
					  : element->value >> 63	      ? TRACE_LOSS_KERNEL
									      : TRACE_LOSS_NO_CODE;

	find_again(channel, element->at);
	channel->is_lost = true;
	channel->lost_at = element->at;
	channel->unsynced = csdecode_losses(channel->decoder).unsynced;
	channel->arrival = TRACE_RESUMES;
	channel->decoding->tracing->totals.errors++;
	channel->loss = cschannel_lose(channel->decoding, channel, kind, element->value, 0);
	return channel->loss != UINT32_MAX;
}

/* Counts what the decoder could not make sense of since the last call. */
static bool lose_bytes(struct cs_channel *channel)
{
	const struct csdecode_losses now = csdecode_losses(channel->decoder);
	const uint64_t unsynced = now.unsynced - channel->told.unsynced;
	const uint64_t bad = now.bad - channel->told.bad;
	uint32_t loss = 0;

	channel->told = now;
	channel->decoding->tracing->totals.errors += bad;
	if (bad)
		loss = cschannel_lose(channel->decoding, channel, TRACE_LOSS_BAD_PACKET, 0,
				      unsynced);
	else if (unsynced)
		loss = cschannel_lose(channel->decoding, channel, TRACE_LOSS_CUT, 0, unsynced);
	if (loss == UINT32_MAX)
		return false;
	if (bad)
		channel->decoding->tracing->losses.list[loss].count += bad - 1;
	return true;
}

/* ---- counting -------------------------------------------------------------------------------- */

static int count_legs(struct cs_channel *channel, uint64_t ns, struct error *err)
{
	struct cs_decoding *decoding = channel->decoding;
	struct tracecount *count = &decoding->tracing->count;
	const uint64_t cycles = channel->cycles;
	const size_t nr = channel->legs.nr;

	channel->legs.nr = channel->cycles = 0;
	if (tracecount_restart(count, channel->clock, err) < 0)
		return -1;
	if (!tracecount_run(count, channel->who.space, channel->who.tid))
		return error_nomem(err, "decoding the hardware trace");
	count->chosen = tracestate_chooses(decoding->tracing, decoding->sources, &channel->who,
					   channel->cpu->cpu,
					   channel->now ? channel->now : decoding->section->time);
	if (!tracelegs_copy(&count->legs, channel->legs.list, nr))
		return error_nomem(err, "decoding the hardware trace");
	if (tracecount_clock(count, ns, cycles, err) < 0)
		return -1;
	return tracecount_restart(count, 0, err);
}

/* Counts what waits; the clock is at @ns, 0: unknown. Returns false if that failed. */
static bool deliver(struct cs_channel *channel, uint64_t ns)
{
	struct cs_decoding *decoding = channel->decoding;

	if (channel->legs.nr && count_legs(channel, ns, decoding->err) < 0)
		decoding->failed = true;
	channel->clock = ns;
	return !decoding->failed;
}

static bool add_block(struct cs_channel *channel, const struct cselement *element)
{
	struct trace_legs *legs = &channel->legs;
	size_t first;

	find_again(channel, element->at);
	if (!channel->who.space)
		return true;
	if (legs->nr >= LEGS_MAX && !deliver(channel, 0))
		return false;
	first = legs->nr;
	if (!tracelegs_add(legs, &channel->decoding->spots, channel->who.space->maps,
			   &element->block, 1))
		return false;
	legs->list[first].arrival = channel->arrival;
	channel->arrival = TRACE_FLOWS;
	channel->decoding->since_look += element->block.nr;
	return true;
}

static bool move_clock(struct cs_channel *channel, uint64_t value)
{
	const struct cs_decoding *decoding = channel->decoding;
	uint64_t ns;

	if (!value || !channel->cpu->has_kernel_time || !counter_clock_is_known(decoding->clock))
		return true;
	ns = counter_clock_ns(decoding->clock, value);
	channel->now = ns;
	decoding->tracing->has_timestamps = true;
	/* One that has not moved tells of nothing. */
	return ns == channel->clock || deliver(channel, ns);
}

static bool add_cycles(struct cs_channel *channel, uint64_t cycles)
{
	channel->cycles += cycles;
	/* With times, both are spread from time to time. */
	return channel->cpu->configr & CSINFO_TIME || deliver(channel, 0);
}

/* ---- who runs -------------------------------------------------------------------------------- */

static struct trace_who find_who(const struct cs_channel *channel)
{
	const struct traceworld *world = &channel->decoding->tracing->world;
	const struct cssection *section = channel->decoding->section;
	const uint64_t ns = channel->now ? channel->now : section->time;
	const uint32_t cpu = channel->cpu->cpu;
	struct trace_who who = {.pid = PID_NONE};

	if (channel->context != UINT32_MAX)
		who = traceworld_who(world, cpu, channel->context, ns);
	if (!who.space && channel->context == UINT32_MAX)
		who = traceworld_who(world, cpu, section->buffer->tid, ns);
	/* The thread that was traced when the section ended. */
	if (!who.space && channel->context == UINT32_MAX && section->tid != TRACE_OF_NONE)
		who = traceworld_who(world, cpu, section->tid, ns);
	return who;
}

static bool is_same(const struct trace_who *a, const struct trace_who *b)
{
	return a->tid == b->tid && a->pid == b->pid &&
	       (a->space ? a->space->maps : NULL) == (b->space ? b->space->maps : NULL);
}

static bool set_who(struct cs_channel *channel)
{
	const struct trace_who who = find_who(channel);
	const bool is_new = !is_same(&who, &channel->who);

	if (is_new && !deliver(channel, 0))
		return false;
	if (is_new)
		csdecode_forget_code(channel->decoder);
	channel->who = who;
	return true;
}

static bool set_context(struct cs_channel *channel, uint64_t value)
{
	channel->context = (uint32_t)value;
	return set_who(channel);
}

/* Tracing goes on; until now it was off, or packets were lost. */
static bool go_on(struct cs_channel *channel, const struct cselement *element)
{
	struct trace_totals *totals = &channel->decoding->tracing->totals;

	find_again(channel, element->at);
	if (!deliver(channel, 0))
		return false;
	if (element->kind == CSELEMENT_OVERFLOW) {
		totals->overflows++;
		channel->arrival = TRACE_RESYNCS;
		if (cschannel_lose(channel->decoding, channel, TRACE_LOSS_OVERFLOW, 0, 0) ==
		    UINT32_MAX)
			return false;
	} else if (channel->arrival == TRACE_FLOWS) {
		channel->arrival = TRACE_RESUMES;
	}
	return set_who(channel);
}

/* ---- elements -------------------------------------------------------------------------------- */

static bool take(void *arg, const struct cselement *element)
{
	struct cs_channel *channel = arg;

	switch (element->kind) {
	case CSELEMENT_BLOCK:
		return add_block(channel, element);
	case CSELEMENT_CONTEXT:
		return set_context(channel, element->value);
	case CSELEMENT_TIME:
		return move_clock(channel, element->value);
	case CSELEMENT_CYCLES:
		return add_cycles(channel, element->value);
	case CSELEMENT_NO_CODE:
	case CSELEMENT_MISMATCH:
		return lose_code(channel, element);
	case CSELEMENT_EXCEPTION:
		channel->arrival = TRACE_RESUMES;
		return true;
	default:
		return go_on(channel, element);
	}
}

static size_t read_code(void *arg, uint64_t address, uint8_t *to, size_t len)
{
	const struct cs_channel *channel = arg;

	if (!channel->who.space || address >> 63)
		return 0;
	return cscode_read(channel->decoding->sources->symbolizer, channel->who.space->maps,
			   address, to, len);
}

/* ---- the trace ------------------------------------------------------------------------------- */

static int fail(struct cs_decoding *decoding)
{
	if (!decoding->failed)
		error_nomem(decoding->err, "decoding the hardware trace");
	decoding->failed = true;
	return -1;
}

/* The first bytes of a section come. */
static bool begin(struct cs_channel *channel)
{
	const struct csdecode_user user = {.take = take, .read = read_code, .arg = channel};

	if (!channel->decoder) {
		channel->decoder = csdecode_open(channel->cpu, &user);
		channel->who.pid = PID_NONE;
		channel->arrival = TRACE_RESYNCS;
	}
	channel->is_used = true;
	channel->context = UINT32_MAX;
	channel->now = channel->clock = 0;
	return channel->decoder && set_who(channel);
}

int cschannel_put(struct cs_channel *channel, const uint8_t *bytes, size_t nr)
{
	if (!channel->is_used && !begin(channel))
		return fail(channel->decoding);
	return csdecode_put(channel->decoder, bytes, nr) ? 0 : fail(channel->decoding);
}

int cschannel_end(struct cs_channel *channel)
{
	channel->is_used = false;
	csdecode_end(channel->decoder);
	if (!deliver(channel, 0) || !lose_bytes(channel))
		return fail(channel->decoding);
	find_again(channel, csdecode_at(channel->decoder));
	channel->arrival = channel->decoding->section->is_cut ? TRACE_RESYNCS : TRACE_RESUMES;
	return 0;
}

void cschannel_free(struct cs_channel *channel)
{
	csdecode_close(channel->decoder);
	tracelegs_free(&channel->legs);
}
