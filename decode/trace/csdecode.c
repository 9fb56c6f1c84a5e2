#include "decode/trace/csdecode.h"

#include "decode/trace/cspacket.h"
#include "decode/trace/cswaiting.h"

#include <stdlib.h>
#include <string.h>

/* More things that wait for an instruction are not of a trace. */
enum { WAITING_MAX = 1 << 16 };

enum phase {
	PHASE_LOST,	 /* where packets begin is not known */
	PHASE_WANT_SYNC, /* decoding goes on at the next synchronization */
	PHASE_WANT_INFO, /* and behind what it tells of itself */
	PHASE_DECODING,
};

struct csdecode {
	struct csdecode_user user;
	struct cspacket_unit start, unit;
	struct cswaiting waiting;
	struct csflow flow;
	enum phase phase;
	uint8_t held[CSPACKET_BYTES_MAX]; /* of a packet whose end comes with the next bytes */
	size_t nr_held;
	uint64_t at;	    /* bytes, up to the packet at hand */
	size_t nr_zeros;    /* the last ones, while it is lost */
	bool has_exception; /* its address comes next, which is, or not: */
	bool is_target;	    /* where the branch before led */
	bool has_lost;	    /* packets were lost before tracing goes on */
	struct csdecode_losses losses;
	bool nomem;
};

struct csdecode *csdecode_open(const struct csinfo_cpu *cpu, const struct csdecode_user *user)
{
	struct csdecode *decoder = calloc(1, sizeof(*decoder));

	if (!decoder)
		return NULL;
	decoder->user = *user;
	decoder->start = decoder->unit = cspacket_unit_of(cpu);
	csflow_start(&decoder->flow, cpu, user->read, user->arg);
	return decoder;
}

/* ---- what was executed ----------------------------------------------------------------------- */

static void tell(struct csdecode *decoder, struct cselement *elements, size_t nr, uint32_t at)
{
	for (size_t i = 0; i < nr && !decoder->nomem; i++) {
		elements[i].at = at;
		decoder->nomem = !decoder->user.take(decoder->user.arg, &elements[i]);
	}
}

static void tell_one(struct csdecode *decoder, enum cselement_kind kind,
		     const struct cswaiting_item *item)
{
	struct cselement element = {.kind = kind, .value = item->value};

	tell(decoder, &element, 1, item->at);
}

static void go_on(struct csdecode *decoder, const struct cswaiting_item *item)
{
	const bool has_lost = decoder->has_lost;

	decoder->has_lost = false;
	csflow_forget_calls(&decoder->flow);
	tell_one(decoder, has_lost ? CSELEMENT_OVERFLOW : CSELEMENT_ON, item);
}

/* An instruction that waits no more. */
static void execute(struct csdecode *decoder, const struct cswaiting_item *item)
{
	struct cselement elements[CSFLOW_ELEMENTS];
	struct csflow *flow = &decoder->flow;
	size_t nr = 0;

	switch (item->kind) {
	case CSWAITING_BRANCH:
		nr = csflow_branch(flow, item->flag, elements);
		break;
	case CSWAITING_BRANCH_AT:
		nr = csflow_branch_at(flow, item->value, elements);
		break;
	case CSWAITING_EXCEPTION:
		nr = csflow_except_at(flow, item->value, item->flag, elements);
		break;
	default:
		break;
	}
	tell(decoder, elements, nr, item->at);
	if (item->kind == CSWAITING_EXCEPTION || item->kind == CSWAITING_RESET)
		tell_one(decoder, CSELEMENT_EXCEPTION, item);
	if (item->kind == CSWAITING_PATHLESS)
		tell_one(decoder, CSELEMENT_ON, item);
	if (item->kind == CSWAITING_PATHLESS || item->kind == CSWAITING_RESET)
		csflow_lose(flow);
}

static void apply(struct csdecode *decoder, const struct cswaiting_item *item)
{
	switch (item->kind) {
	case CSWAITING_ADDRESS:
		csflow_go_to(&decoder->flow, item->value);
		break;
	case CSWAITING_MODE:
		csflow_set_context(&decoder->flow, item->flag);
		break;
	case CSWAITING_THREAD:
		tell_one(decoder, CSELEMENT_CONTEXT, item);
		break;
	case CSWAITING_ON:
		go_on(decoder, item);
		break;
	case CSWAITING_TIME:
		tell_one(decoder, CSELEMENT_TIME, item);
		break;
	case CSWAITING_CYCLES:
		tell_one(decoder, CSELEMENT_CYCLES, item);
		break;
	default:
		execute(decoder, item);
	}
}

/* All but the newest @left instructions were executed for certain. */
static void settle(struct csdecode *decoder, size_t left)
{
	struct cswaiting_item item;

	while (!decoder->nomem && cswaiting_take(&decoder->waiting, left, &item))
		apply(decoder, &item);
}

static void add(struct csdecode *decoder, enum cswaiting_kind kind, uint64_t value, bool flag)
{
	const struct cswaiting_item item = {
		.kind = (uint8_t)kind,
		.flag = flag,
		.at = (uint32_t)decoder->at,
		.value = value,
	};

	decoder->nomem |= !cswaiting_add(&decoder->waiting, &item);
	settle(decoder, decoder->unit.speculation_max);
}

/* ---- packets --------------------------------------------------------------------------------- */

static void add_atoms(struct csdecode *decoder, const struct cspacket *packet)
{
	for (unsigned i = 0; i < packet->nr_atoms && !decoder->nomem; i++)
		add(decoder, CSWAITING_BRANCH, 0, packet->atoms >> i & 1);
}

static void add_context(struct csdecode *decoder, const struct cspacket *packet)
{
	if (packet->has_context)
		add(decoder, CSWAITING_MODE, 0, packet->is_64);
	if (packet->has_thread)
		add(decoder, CSWAITING_THREAD, packet->thread, false);
}

static void add_address(struct csdecode *decoder, const struct cspacket *packet)
{
	add_context(decoder, packet);
	if (decoder->has_exception)
		add(decoder, CSWAITING_EXCEPTION, packet->value, decoder->is_target);
	else
		add(decoder, CSWAITING_ADDRESS, packet->value, false);
	decoder->has_exception = false;
}

static void add_pathless(struct csdecode *decoder, const struct cspacket *packet)
{
	add(decoder, CSWAITING_PATHLESS, 0, false);
	if (packet->has_address)
		add(decoder, CSWAITING_ADDRESS, packet->value, false);
}

/* Returns false if so many do not wait. */
static bool commit(struct csdecode *decoder, uint32_t nr)
{
	const size_t waits = decoder->waiting.nr;

	settle(decoder, nr < waits ? waits - nr : 0);
	return nr <= waits;
}

static bool cancel(struct csdecode *decoder, const struct cspacket *packet)
{
	add_atoms(decoder, packet);
	return cswaiting_cancel(&decoder->waiting, packet->nr) &&
	       (!packet->is_wrong || cswaiting_turn(&decoder->waiting));
}

/* Nothing that waits was executed; what comes next begins anew. */
static void discard(struct csdecode *decoder, enum phase phase)
{
	cswaiting_clear(&decoder->waiting, 0);
	csflow_restart(&decoder->flow);
	decoder->has_exception = false;
	decoder->phase = phase;
}

/* Returns false if the packet makes no sense here. */
static bool decode_other(struct csdecode *decoder, const struct cspacket *packet)
{
	switch (packet->kind) {
	case CSPACKET_SOURCE:
		add(decoder, CSWAITING_BRANCH_AT, packet->value, false);
		return true;
	case CSPACKET_RESET:
		add(decoder, CSWAITING_RESET, 0, false);
		return true;
	case CSPACKET_PATHLESS:
		add_pathless(decoder, packet);
		return true;
	case CSPACKET_TRANSACTION:
		add(decoder, CSWAITING_TRANSACTION, 0, false);
		return true;
	case CSPACKET_CYCLES:
		(void)commit(decoder, packet->nr);
		add(decoder, CSWAITING_CYCLES, packet->value, false);
		return true;
	case CSPACKET_COMMIT:
		return commit(decoder, packet->nr);
	case CSPACKET_CANCEL:
		return cancel(decoder, packet);
	case CSPACKET_OVERFLOW:
		decoder->has_lost = true;
		discard(decoder, PHASE_WANT_SYNC);
		return true;
	case CSPACKET_DISCARD:
		discard(decoder, PHASE_WANT_SYNC);
		return true;
	default:
		return true;
	}
}

static bool decode_packet(struct csdecode *decoder, const struct cspacket *packet)
{
	const bool is_place = packet->kind == CSPACKET_ADDRESS || packet->kind == CSPACKET_CONTEXT;

	if (decoder->has_exception && !is_place && packet->kind != CSPACKET_NOTHING)
		return false;
	switch (packet->kind) {
	case CSPACKET_INFO:
		csflow_forget_calls(&decoder->flow);
		return true;
	case CSPACKET_ON:
		add(decoder, CSWAITING_ON, 0, false);
		return true;
	case CSPACKET_ATOMS:
		add_atoms(decoder, packet);
		return true;
	case CSPACKET_ADDRESS:
		add_address(decoder, packet);
		return true;
	case CSPACKET_CONTEXT:
		add_context(decoder, packet);
		return true;
	case CSPACKET_EXCEPTION:
		decoder->has_exception = true;
		decoder->is_target = packet->is_target;
		return true;
	case CSPACKET_TIME:
		add(decoder, CSWAITING_TIME, packet->value, false);
		return true;
	default:
		return decode_other(decoder, packet);
	}
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static void begin(struct csdecode *decoder, const struct cspacket *packet)
{
	const size_t max = decoder->unit.speculation_max;

	cswaiting_clear(&decoder->waiting, packet->nr < max ? packet->nr : max);
	csflow_restart(&decoder->flow);
	decoder->phase = PHASE_DECODING;
}

static void get_lost(struct csdecode *decoder)
{
	discard(decoder, PHASE_LOST);
	decoder->unit = decoder->start;
	decoder->nr_held = decoder->nr_zeros = 0;
}

/* Deals with a packet. Returns how many bytes it takes. */
static size_t put_packet(struct csdecode *decoder, const struct cspacket *packet)
{
	bool is_good = packet->kind != CSPACKET_BAD;

	if (is_good && decoder->phase == PHASE_WANT_SYNC) {
		if (packet->kind == CSPACKET_SYNC)
			decoder->phase = PHASE_WANT_INFO;
	} else if (is_good && decoder->phase == PHASE_WANT_INFO) {
		if (packet->kind == CSPACKET_INFO)
			begin(decoder, packet);
	} else if (is_good) {
		is_good = decode_packet(decoder, packet) &&
			  decoder->waiting.end - decoder->waiting.first <= WAITING_MAX;
	}
	decoder->at += packet->size;
	if (is_good)
		return packet->size;
	get_lost(decoder);
	decoder->losses.bad++;
	decoder->losses.unsynced += packet->size;
	return packet->size;
}

/* Looks for a synchronization in @nr bytes. Returns how many it has taken. */
static size_t find_sync(struct csdecode *decoder, const uint8_t *bytes, size_t nr)
{
	enum { ZEROS = CSPACKET_SYNC_BYTES - 1 };

	for (size_t i = 0; i < nr; i++) {
		const bool is_end = bytes[i] == 0x80 && decoder->nr_zeros >= ZEROS;

		decoder->nr_zeros = bytes[i] == 0 ? decoder->nr_zeros + 1 : 0;
		decoder->at++;
		decoder->losses.unsynced++;
		if (!is_end)
			continue;
		decoder->losses.unsynced -= CSPACKET_SYNC_BYTES;
		decoder->phase = PHASE_WANT_INFO;
		return i + 1;
	}
	return nr;
}

/* Decodes the packets in @nr bytes, up to where it is lost. Returns how many it has taken: what it
 * leaves is less than a packet. */
static size_t put_packets(struct csdecode *decoder, const uint8_t *bytes, size_t nr)
{
	size_t taken = 0;
	struct cspacket packet;

	while (taken < nr && !decoder->nomem) {
		if (decoder->phase == PHASE_LOST)
			taken += find_sync(decoder, bytes + taken, nr - taken);
		else if (cspacket_read(&decoder->unit, bytes + taken, nr - taken, &packet))
			taken += put_packet(decoder, &packet);
		else
			break;
	}
	return taken;
}

/* Adds a byte to those that are held, which begin with a packet. */
static void hold(struct csdecode *decoder, uint8_t byte)
{
	uint8_t held[CSPACKET_BYTES_MAX];
	size_t nr, taken;

	decoder->held[decoder->nr_held++] = byte;
	nr = decoder->nr_held;
	memcpy(held, decoder->held, nr);
	taken = put_packets(decoder, held, nr);
	decoder->nr_held = nr - taken;
	memcpy(decoder->held, held + taken, decoder->nr_held);
}

bool csdecode_put(struct csdecode *decoder, const uint8_t *bytes, size_t nr)
{
	size_t taken = 0;

	while (decoder->nr_held && taken < nr && !decoder->nomem)
		hold(decoder, bytes[taken++]);
	taken += put_packets(decoder, bytes + taken, nr - taken);
	while (taken < nr && !decoder->nomem)
		decoder->held[decoder->nr_held++] = bytes[taken++];
	return !decoder->nomem;
}

void csdecode_end(struct csdecode *decoder)
{
	decoder->at += decoder->nr_held;
	decoder->has_lost = false;
	get_lost(decoder);
}

void csdecode_forget_code(struct csdecode *decoder)
{
	csflow_forget_code(&decoder->flow);
}

uint32_t csdecode_at(const struct csdecode *decoder)
{
	return (uint32_t)decoder->at;
}

struct csdecode_losses csdecode_losses(const struct csdecode *decoder)
{
	return decoder->losses;
}

void csdecode_close(struct csdecode *decoder)
{
	if (decoder)
		cswaiting_free(&decoder->waiting);
	free(decoder);
}
