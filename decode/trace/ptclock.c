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

unsigned ptclock_read(struct ptclock *clock, const uint8_t *bytes, size_t end)
{
	unsigned branches = 0;

	for (read_short(clock, bytes, end); clock->at < end; read_short(clock, bytes, end)) {
		const struct ptpacket packet = ptpacket_read(bytes + clock->at, end - clock->at);

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
