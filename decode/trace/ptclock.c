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

unsigned ptclock_read(struct ptclock *clock, const uint8_t *bytes, size_t end)
{
	unsigned branches = 0;

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
