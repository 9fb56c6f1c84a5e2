#include "decode/trace/ptpacket.h"

#include <string.h>

static struct ptpacket packet(enum ptpacket_kind kind, uint32_t size)
{
	return (struct ptpacket){.kind = kind, .size = size};
}

/* Packets that begin with 02, by their second byte. */
static struct ptpacket read_extended(uint8_t second)
{
	if ((second & 0x1f) == 0x12) /* PTW, of 4 or 8 bytes */
		return packet(PTPACKET_OTHER, second & 0x20 ? 10 : 6);
	switch (second) {
	case 0x82:
		return packet(PTPACKET_PSB, PTPACKET_PSB_BYTES);
	case 0x23:
		return packet(PTPACKET_PSBEND, 2);
	case 0xf3:
		return packet(PTPACKET_OVF, 2);
	case 0x83: /* TraceStop */
	case 0x62: /* EXSTOP */
	case 0xe2:
		return packet(PTPACKET_OTHER, 2);
	case 0x63: /* BBP */
		return packet(PTPACKET_OTHER, 3);
	case 0x03: /* CBR */
		return packet(PTPACKET_TIMING, 4);
	case 0x22: /* PWRE */
	case 0x13: /* CFE */
		return packet(PTPACKET_OTHER, 4);
	case 0x73: /* TMA */
		return packet(PTPACKET_TIMING, 7);
	case 0xc8: /* VMCS */
	case 0xa2: /* PWRX */
		return packet(PTPACKET_OTHER, 7);
	case 0x43: /* PIP */
		return packet(PTPACKET_OTHER, 8);
	case 0xc2: /* MWAIT */
		return packet(PTPACKET_OTHER, 10);
	case 0xc3: /* MNT */
	case 0x53: /* EVD */
		return packet(PTPACKET_OTHER, 11);
	default:
		return packet(PTPACKET_BAD, 0);
	}
}

static struct ptpacket read_cyc(const uint8_t *bytes, size_t len)
{
	struct ptpacket cyc = {PTPACKET_CYC, 1, bytes[0] >> 3};
	bool more = bytes[0] & 4;
	unsigned shift = 5;

	for (; more && cyc.size < len && shift < 64; shift += 7) {
		more = bytes[cyc.size] & 1;
		cyc.value |= (uint64_t)(bytes[cyc.size++] >> 1) << shift;
	}
	return more ? packet(PTPACKET_BAD, 0) : cyc;
}

static struct ptpacket read_tsc(const uint8_t *bytes, size_t len)
{
	struct ptpacket tsc = {PTPACKET_TSC, 8, 0};

	for (size_t i = tsc.size - 1; i >= 1 && len >= tsc.size; i--)
		tsc.value = tsc.value << 8 | bytes[i];
	return tsc;
}

/* Of the fewer bytes of an address the rest is 0 behind a PSB, or the sign's (0x7d). */
static struct ptpacket read_fup(const uint8_t *bytes, size_t len, uint32_t size)
{
	struct ptpacket fup = {PTPACKET_FUP, size, 0};

	for (size_t i = size - 1; i >= 1 && len >= size; i--)
		fup.value = fup.value << 8 | bytes[i];
	if (bytes[0] == 0x7d && fup.value >> 47)
		fup.value |= UINT64_MAX << 48;
	return fup;
}

/* Packets whose lowest bit is set. */
static struct ptpacket read_odd(const uint8_t *bytes, size_t len)
{
	const uint8_t first = bytes[0];
	const uint32_t size = ptpacket_ip_bytes(first);

	if ((first & 3) == 3)
		return read_cyc(bytes, len);
	if (first == 0x19)
		return read_tsc(bytes, len);
	if (first == 0x99) /* MODE */
		return packet(PTPACKET_OTHER, 2);
	if (first == 0x59) /* MTC */
		return packet(PTPACKET_TIMING, 2);
	switch (first & 0x1f) {
	case 0x0d: /* TIP */
	case 0x11: /* TIP.PGE */
	case 0x01: /* TIP.PGD */
		return packet(size ? PTPACKET_OTHER : PTPACKET_BAD, size);
	case 0x1d:
		return size ? read_fup(bytes, len, size) : packet(PTPACKET_BAD, 0);
	default:
		return packet(PTPACKET_BAD, 0);
	}
}

/* A TNT has a bit for each branch, below the highest set bit of all. */
static struct ptpacket read_tnt(const uint8_t *bytes, size_t len)
{
	struct ptpacket tnt = {PTPACKET_TNT, 1, 0};
	uint64_t bits = bytes[0] >> 1;

	if (bytes[0] == 2) {
		tnt.size = 8;
		for (size_t i = tnt.size; i > 2 && len >= tnt.size; i--)
			bits = bits << 8 | bytes[i - 1];
		bits &= ((uint64_t)1 << 48) - 1;
	}
	tnt.value = bits ? 63 - (uint64_t)__builtin_clzll(bits) : 0;
	return tnt;
}

struct ptpacket ptpacket_read(const uint8_t *bytes, size_t len)
{
	struct ptpacket read;

	if (len == 0)
		return packet(PTPACKET_BAD, 0);
	if (bytes[0] == 0) /* PAD */
		read = packet(PTPACKET_TIMING, 1);
	else if (bytes[0] & 1)
		read = read_odd(bytes, len);
	else if (bytes[0] != 2 || (len > 1 && bytes[1] == 0xa3))
		read = read_tnt(bytes, len);
	else
		read = len > 1 ? read_extended(bytes[1]) : packet(PTPACKET_BAD, 0);
	return read.size <= len ? read : packet(PTPACKET_BAD, 0);
}

size_t ptpacket_find_psb(const uint8_t *bytes, size_t len, size_t from)
{
	static const uint8_t psb[PTPACKET_PSB_BYTES] = {2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82,
							2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82};
	const uint8_t *found =
		from < len ? memmem(bytes + from, len - from, psb, sizeof(psb)) : NULL;

	return found ? (size_t)(found - bytes) : len;
}

/* Sets *@tsc to the TSC in the PSB+ at @at. Returns false if there is none. */
static bool tsc_of_psb(const uint8_t *bytes, size_t len, size_t at, uint64_t *tsc)
{
	struct ptpacket read;

	for (;; at += read.size) {
		read = ptpacket_read(bytes + at, len - at);
		if (read.kind == PTPACKET_BAD || read.kind == PTPACKET_PSBEND)
			return false;
		if (read.kind == PTPACKET_TSC) {
			*tsc = read.value;
			return true;
		}
	}
}

bool ptpacket_last_tsc(const uint8_t *bytes, size_t len, uint64_t *tsc)
{
	struct ptpacket read;
	bool any = false;

	for (size_t at = ptpacket_find_psb(bytes, len, 0); at < len; at += read.size) {
		read = ptpacket_read(bytes + at, len - at);
		if (read.kind == PTPACKET_BAD) {
			at = ptpacket_find_psb(bytes, len, at + 1);
			read.size = 0;
		} else if (read.kind == PTPACKET_TSC) {
			*tsc = read.value;
			any = true;
		}
	}
	return any;
}

size_t ptpacket_skip_seen(const uint8_t *bytes, size_t len, uint64_t seen)
{
	size_t at = ptpacket_find_psb(bytes, len, 0);
	uint64_t tsc = 0;

	while (at < len && (!tsc_of_psb(bytes, len, at, &tsc) || tsc <= seen))
		at = ptpacket_find_psb(bytes, len, at + PTPACKET_PSB_BYTES);
	return at;
}

struct ptpacket_psb ptpacket_read_psb(const uint8_t *bytes, size_t len, size_t psb)
{
	struct ptpacket_psb read = {.end = psb};

	while (read.end < len) {
		const struct ptpacket packet = ptpacket_read(bytes + read.end, len - read.end);

		if (packet.kind == PTPACKET_BAD || packet.kind == PTPACKET_OVF)
			break;
		read.end += packet.size;
		if (packet.kind == PTPACKET_TSC)
			read.tsc = packet.value;
		else if (packet.kind == PTPACKET_FUP)
			read.ip = packet.value;
		else if (packet.kind == PTPACKET_PSBEND)
			break;
	}
	return read;
}
