#include "decode/trace/ptclock.h"

#include "decode/trace/ptpacket.h"

/* Whether a packet tells what was executed. From PSB to PSBEND packets repeat what is known. */
static bool is_of_code(struct ptclock *clock, enum ptpacket_kind kind)
{
	const bool in_psb = clock->in_psb || kind == PTPACKET_PSB;

	clock->in_psb = in_psb && kind != PTPACKET_PSBEND && kind != PTPACKET_OVF;
	return !in_psb && kind != PTPACKET_CYC && kind != PTPACKET_TIMING && kind != PTPACKET_TSC;
}

/* Reads the CYC of one byte that come next: most packets are such ones. */
static void read_short(struct ptclock *clock, const uint8_t *bytes, size_t end)
{
	for (; clock->at < end && (bytes[clock->at] & 7) == 3; clock->at++)
		clock->read += bytes[clock->at] >> 3;
}

/* Bytes of the packet that begins with @first, if that is a TIP or a TNT of one byte, as most are
 * that tell of code. 0: it is another one. */
static size_t bytes_of_code(uint8_t first)
{
	if ((first & 0x1f) == 0x0d)
		return ptpacket_ip_bytes(first);
	return (first & 1) == 0 && first > 2;
}

/* Reads such a packet. Returns false if another one comes next. */
static bool read_code(struct ptclock *clock, const uint8_t *bytes, size_t end, unsigned *branches)
{
	const uint8_t first = bytes[clock->at];
	const size_t size = bytes_of_code(first);

	if (clock->in_psb || size == 0 || size > end - clock->at)
		return false;
	clock->at += size;
	clock->told = clock->read;
	*branches = first & 1 ? 0 : 30 - (unsigned)__builtin_clz(first);
	return true;
}

static bool is_padding(const uint8_t *bytes, size_t at, size_t end)
{
	while (at < end && bytes[at] == 0)
		at++;
	return at == end;
}

/* Whether @packet, the next one, was asked for. What a decoder has read ahead is a TNT at @end, or
 * an event, such as a FUP and its TIP. */
static bool is_asked_for(const struct ptclock *clock, const uint8_t *bytes, size_t end,
			 const struct ptpacket *packet, bool *is_bound)
{
	const bool is_tip = (bytes[clock->at] & 0x1f) == 0x0d, was_bound = *is_bound;

	*is_bound = packet->kind == PTPACKET_FUP;
	if (packet->kind == PTPACKET_TNT)
		return !is_padding(bytes, clock->at + packet->size, end);
	return clock->ahead == PTCLOCK_TNT || (is_tip && !was_bound);
}

/* As ptclock_read() of a decoder that reads ahead. */
static unsigned read_asked(struct ptclock *clock, const uint8_t *bytes, size_t end)
{
	unsigned branches = 0, branches_before = 0;
	bool is_bound = false, is_ahead = false;
	struct ptclock before = *clock;

	while (clock->at < end) {
		const struct ptpacket packet = ptpacket_read(bytes + clock->at, end - clock->at);
		struct ptclock at = *clock;

		if (packet.kind == PTPACKET_CYC)
			clock->read += packet.value;
		if (is_of_code(clock, packet.kind)) {
			const bool is_asked = is_asked_for(&at, bytes, end, &packet, &is_bound);

			if (!is_asked && !is_ahead) {
				before = at;
				branches_before = branches;
			}
			is_ahead = !is_asked;
			clock->told = clock->read;
			branches = packet.kind == PTPACKET_TNT ? (unsigned)packet.value : 0;
		}
		clock->at = packet.kind == PTPACKET_BAD ? end : clock->at + packet.size;
	}
	if (!is_ahead)
		return branches;
	*clock = before;
	return branches_before;
}

unsigned ptclock_read(struct ptclock *clock, const uint8_t *bytes, size_t end)
{
	unsigned branches = 0;

	if (clock->ahead != PTCLOCK_NOTHING)
		return read_asked(clock, bytes, end);
	for (read_short(clock, bytes, end); clock->at < end; read_short(clock, bytes, end)) {
		struct ptpacket packet;

		if (read_code(clock, bytes, end, &branches))
			continue;
		packet = ptpacket_read(bytes + clock->at, end - clock->at);
		clock->at = packet.kind == PTPACKET_BAD ? end : clock->at + packet.size;
		if (packet.kind == PTPACKET_CYC)
			clock->read += packet.value;
		if (!is_of_code(clock, packet.kind))
			continue;
		clock->told = clock->read;
		branches = packet.kind == PTPACKET_TNT ? (unsigned)packet.value : 0;
	}
	return branches;
}
