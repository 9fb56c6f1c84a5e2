#include "decode/trace/cspacket.h"

#include "util/span.h"

/* Bits of registers. */
enum {
	IDR0_CYCLES = 1 << 7,
	IDR0_PATHLESS = 3 << 15,
	IDR0_MARKER = 1 << 23,
	IDR0_CYCLES_ALONE = 1 << 29,
	IDR0_TRANSACTIONS_ALONE = 1 << 30,
	THREAD_32 = 4, /* sizes, in IDR2 */
	VMID_8 = 1,
	VMID_16 = 2,
	VMID_32 = 4,
	/* More is not built; it bounds what waits. */
	SPECULATION_MAX = 1 << 12,
};

/* Types of exceptions without an address, of ETE. */
enum { ETE_RESET = 0, ETE_TRANSACTION_FAILED = 0x18 };

static uint8_t vmid_bytes(uint32_t idr2)
{
	switch (idr2 >> 10 & 0x1f) {
	case VMID_8:
		return 1;
	case VMID_16:
		return 2;
	case VMID_32:
		return 4;
	default:
		return 0;
	}
}

struct cspacket_unit cspacket_unit_of(const struct csinfo_cpu *cpu)
{
	const bool is_ete = cpu->protocol == CSINFO_ETE;
	const uint32_t alone = IDR0_CYCLES | IDR0_CYCLES_ALONE;

	return (struct cspacket_unit){
		.is_ete = is_ete,
		.has_pathless = cpu->idr0 & IDR0_PATHLESS,
		.transactions_count = !(cpu->idr0 & IDR0_TRANSACTIONS_ALONE),
		.cycles_commit = (cpu->idr0 & alone) != alone,
		/* From ETE 1.1 on. */
		.wants_marker = is_ete && cpu->devarch >> 16 & 0xf && (cpu->idr0 & IDR0_MARKER),
		.thread_is_vmid = cpu->configr & CSINFO_CONTEXT_EL2,
		.thread_bytes = (cpu->idr2 >> 5 & 0x1f) == THREAD_32 ? 4 : 0,
		.vmid_bytes = vmid_bytes(cpu->idr2),
		.speculation_max = cpu->idr8 < SPECULATION_MAX ? cpu->idr8 : SPECULATION_MAX,
	};
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Seven bits of each byte, the lowest first, of @max bytes at most; bit 7: there is one more. */
static uint32_t read_number(struct span *from, unsigned max)
{
	uint64_t value = 0;
	uint8_t byte = 0x80;

	for (unsigned i = 0; i < max && byte & 0x80; i++) {
		byte = span_u8(from);
		value |= (uint64_t)(byte & 0x7f) << 7 * i;
	}
	return (uint32_t)value;
}

static uint32_t read_bytes(struct span *from, unsigned nr)
{
	uint32_t value = 0;

	for (unsigned i = 0; i < nr; i++)
		value |= (uint32_t)span_u8(from) << 8 * i;
	return value;
}

/* ---- addresses and contexts ------------------------------------------------------------------ */

enum address_form { ADDRESS_SAME, ADDRESS_SHORT, ADDRESS_32, ADDRESS_64 };

static uint64_t low_bits(unsigned nr)
{
	return (UINT64_C(1) << nr) - 1;
}

/* The first bytes have fewer bits of code whose instructions are at even addresses (@shift 1), or
 * at multiples of 4 (2). */
static uint64_t read_short(struct span *from, uint64_t before, unsigned shift)
{
	const uint8_t first = span_u8(from);
	uint64_t value = (uint64_t)(first & 0x7f) << shift;
	unsigned bits = 7 + shift;

	if (first & 0x80) {
		value |= (uint64_t)span_u8(from) << bits;
		bits += 8;
	}
	return (before & ~low_bits(bits)) | value;
}

static uint64_t read_long(struct span *from, unsigned shift)
{
	uint64_t value = (uint64_t)(span_u8(from) & 0x7f) << shift;

	value |= (uint64_t)(span_u8(from) & (shift == 2 ? 0x7f : 0xff)) << (7 + shift);
	return value | (uint64_t)read_bytes(from, 2) << 16;
}

/* Reads an address, of @form; @low: the two lowest bits of its header, counted from 0. */
static void read_address(struct cspacket_unit *unit, struct span *from, enum address_form form,
			 unsigned low, struct cspacket *packet)
{
	const unsigned shift = low ? 1 : 2;
	uint64_t *last = unit->addresses, value;

	if (form == ADDRESS_SAME)
		value = last[low];
	else if (form == ADDRESS_SHORT)
		value = read_short(from, last[0], shift);
	else
		value = read_long(from, shift);
	if (form == ADDRESS_64)
		value |= (uint64_t)read_bytes(from, 4) << 32;
	else if (form == ADDRESS_32 && unit->is_64)
		value |= last[0] & ~low_bits(32);
	last[2] = last[1];
	last[1] = last[0];
	last[0] = value;
	packet->value = value;
	packet->has_address = true;
}

static void read_context(struct cspacket_unit *unit, struct span *from, struct cspacket *packet)
{
	const uint8_t told = span_u8(from);
	const bool has_vmid = told & 0x40, has_thread = told & 0x80;
	const uint32_t vmid = read_bytes(from, has_vmid ? unit->vmid_bytes : 0);
	const uint32_t thread = read_bytes(from, has_thread ? unit->thread_bytes : 0);

	unit->is_64 = told & 0x10;
	packet->has_context = true;
	packet->is_64 = unit->is_64;
	packet->has_thread = unit->thread_is_vmid ? has_vmid : has_thread;
	packet->thread = unit->thread_is_vmid ? vmid : thread;
}

/* Headers 0x80 to 0x9e. */
static enum cspacket_kind read_place(struct cspacket_unit *unit, struct span *from, uint8_t header,
				     struct cspacket *packet)
{
	switch (header) {
	case 0x80: /* the one before */
		return CSPACKET_NOTHING;
	case 0x81:
		read_context(unit, from, packet);
		return CSPACKET_CONTEXT;
	case 0x82:
	case 0x83:
		read_address(unit, from, ADDRESS_32, header - 0x82U, packet);
		read_context(unit, from, packet);
		return CSPACKET_ADDRESS;
	case 0x85:
	case 0x86:
		read_address(unit, from, ADDRESS_64, header - 0x85U, packet);
		read_context(unit, from, packet);
		return CSPACKET_ADDRESS;
	case 0x88:
		unit->has_marker = true;
		return CSPACKET_NOTHING;
	case 0x90:
	case 0x91:
	case 0x92:
		read_address(unit, from, ADDRESS_SAME, header - 0x90U, packet);
		return CSPACKET_ADDRESS;
	case 0x95:
	case 0x96:
		read_address(unit, from, ADDRESS_SHORT, header - 0x95U, packet);
		return CSPACKET_ADDRESS;
	case 0x9a:
	case 0x9b:
		read_address(unit, from, ADDRESS_32, header - 0x9aU, packet);
		return CSPACKET_ADDRESS;
	case 0x9d:
	case 0x9e:
		read_address(unit, from, ADDRESS_64, header - 0x9dU, packet);
		return CSPACKET_ADDRESS;
	default:
		return CSPACKET_BAD;
	}
}

/* Headers 0xb0 to 0xbf. */
static enum cspacket_kind read_source(struct cspacket_unit *unit, struct span *from, uint8_t header,
				      struct cspacket *packet)
{
	if (!unit->is_ete || header > 0xb9 || header == 0xb3)
		return CSPACKET_BAD;
	if (header < 0xb3)
		read_address(unit, from, ADDRESS_SAME, header & 3U, packet);
	else if (header < 0xb6)
		read_address(unit, from, ADDRESS_SHORT, header & 1U, packet);
	else
		read_address(unit, from, header < 0xb8 ? ADDRESS_32 : ADDRESS_64, header & 1U,
			     packet);
	return CSPACKET_SOURCE;
}

/* Headers 0xa0 to 0xaf: how many instructions, which cannot be used, and where they lead. */
static enum cspacket_kind read_pathless(struct cspacket_unit *unit, struct span *from,
					uint8_t header, struct cspacket *packet)
{
	const unsigned type = header & 0xf;

	if (!unit->has_pathless)
		return CSPACKET_BAD;
	if (type < 3)
		read_address(unit, from, ADDRESS_SAME, type, packet);
	else if (type == 5 || type == 6)
		read_address(unit, from, ADDRESS_SHORT, type - 5, packet);
	else if (type == 0xa || type == 0xb)
		read_address(unit, from, ADDRESS_32, type - 0xa, packet);
	else if (type != 0xc && type != 0xf)
		return CSPACKET_BAD;
	if (type != 0xf)
		(void)read_number(from, 5);
	return CSPACKET_PATHLESS;
}

/* ---- branches -------------------------------------------------------------------------------- */

/* Headers from 0xc0 on. */
static enum cspacket_kind read_atoms(uint8_t header, struct cspacket *packet)
{
	static const uint8_t of_four[] = {0xe, 0x0, 0xa, 0x5};
	static const uint8_t of_five[] = {0, 0x0, 0xa, 0x15};
	const unsigned low = header & 3;

	packet->nr_atoms = 5;
	if (header >= 0xf8) {
		packet->nr_atoms = 3;
		packet->atoms = header & 7;
	} else if (header >= 0xf6) {
		packet->nr_atoms = 1;
		packet->atoms = header & 1;
	} else if (header == 0xf5) {
		packet->atoms = 0x1e;
	} else if ((header & 0x1f) <= 0x14) {
		packet->nr_atoms = (uint8_t)((header & 0x1f) + 4);
		packet->atoms = (uint32_t)low_bits(packet->nr_atoms - (header >> 5 & 1));
	} else if (header >= 0xdc) {
		packet->nr_atoms = 4;
		packet->atoms = of_four[low];
	} else if (header >= 0xd8) {
		packet->nr_atoms = 2;
		packet->atoms = low;
	} else {
		packet->atoms = of_five[low];
	}
	return CSPACKET_ATOMS;
}

/* Headers 0x2d to 0x3f: what became of speculation. */
static enum cspacket_kind read_speculation(struct span *from, uint8_t header,
					   struct cspacket *packet)
{
	static const uint8_t nr[] = {0, 1, 2, 1}, atoms[] = {0, 1, 3, 0};

	if (header == 0x2d) {
		packet->nr = read_number(from, 5);
		return CSPACKET_COMMIT;
	}
	packet->is_wrong = header != 0x2e;
	if (header < 0x30) {
		packet->nr = read_number(from, 5);
	} else if (header < 0x38) {
		packet->nr_atoms = nr[header & 3];
		packet->atoms = atoms[header & 3];
		packet->nr = header >> 2 & 1;
	} else {
		packet->nr_atoms = header & 1;
		packet->atoms = header & 1;
		packet->nr = (header >> 1 & 3) + 2U;
	}
	return CSPACKET_CANCEL;
}

static enum cspacket_kind read_exception(const struct cspacket_unit *unit, struct span *from,
					 struct cspacket *packet)
{
	const uint8_t told = span_u8(from), type = told >> 1 & 0x1f;
	const bool is_alone = unit->is_ete && (type == ETE_RESET || type == ETE_TRANSACTION_FAILED);

	packet->is_target = (told & 0x41) == 0x40;
	if (told & 0x80 || is_alone)
		(void)span_u8(from);
	if (!is_alone)
		return CSPACKET_EXCEPTION;
	return type == ETE_RESET ? CSPACKET_RESET : CSPACKET_NOTHING;
}

/* ---- clocks ---------------------------------------------------------------------------------- */

/* Headers 0x02 and 0x03. The second one has cycles, too: those since they were told last, which the
 * next ones include. */
static enum cspacket_kind read_time(struct cspacket_unit *unit, struct span *from, uint8_t header,
				    struct cspacket *packet)
{
	uint64_t value = 0;
	unsigned bits = 0;
	uint8_t byte = 0x80;

	while (bits < 56 && byte & 0x80) {
		byte = span_u8(from);
		value |= (uint64_t)(byte & 0x7f) << bits;
		bits += 7;
	}
	if (byte & 0x80) {
		value |= (uint64_t)span_u8(from) << 56;
		bits = 64;
	}
	if (unit->has_time && bits < 64)
		value |= unit->time & ~low_bits(bits);
	if (header & 1)
		(void)read_number(from, 3);
	unit->time = value;
	unit->has_time = true;
	packet->value = value;
	return unit->wants_marker && !unit->has_marker ? CSPACKET_NOTHING : CSPACKET_TIME;
}

/* Headers 0x0c to 0x1f. */
static enum cspacket_kind read_cycles(const struct cspacket_unit *unit, struct span *from,
				      uint8_t header, struct cspacket *packet)
{
	packet->value = unit->threshold;
	if (header >= 0x10) {
		packet->nr = (header >> 2 & 3) + 1U;
		packet->value += header & 3;
	} else if (header >= 0x0e) {
		packet->nr = unit->cycles_commit ? read_number(from, 5) : 0;
		packet->value = header & 1 ? 0 : packet->value + read_number(from, 3);
	} else {
		const uint8_t told = span_u8(from);
		const int64_t nr =
			(told >> 4) + (header & 1 ? unit->speculation_max - INT64_C(15) : 1);

		packet->nr = nr > 0 ? (uint32_t)nr : 0;
		packet->value += told & 0xf;
	}
	if (!unit->cycles_commit)
		packet->nr = 0;
	return CSPACKET_CYCLES;
}

/* ---- the rest -------------------------------------------------------------------------------- */

static enum cspacket_kind read_info(struct cspacket_unit *unit, struct span *from,
				    struct cspacket *packet)
{
	enum { INFO = 1, KEY = 2, SPECULATION = 4, THRESHOLD = 8, WINDOW = 16 };
	const uint8_t has = span_u8(from);
	uint8_t more = has;

	while (more & 0x80)
		more = span_u8(from);
	if (has & INFO)
		(void)read_number(from, 5);
	if (has & KEY)
		(void)read_number(from, 5);
	if (has & SPECULATION)
		packet->nr = read_number(from, 5);
	unit->threshold = has & THRESHOLD ? read_number(from, 5) : 0;
	if (has & WINDOW)
		(void)read_number(from, 5);
	return CSPACKET_INFO;
}

/* Two bytes, or twelve. */
static enum cspacket_kind read_extension(struct span *from)
{
	uint8_t byte = span_u8(from);

	if (byte == 3)
		return CSPACKET_DISCARD;
	if (byte == 5)
		return CSPACKET_OVERFLOW;
	for (unsigned i = 2; i < CSPACKET_SYNC_BYTES - 1 && byte == 0; i++)
		byte = span_u8(from);
	if (from->failed)
		return CSPACKET_SYNC;
	return byte == 0 && span_u8(from) == 0x80 ? CSPACKET_SYNC : CSPACKET_BAD;
}

/* Headers up to 0x0b. */
static enum cspacket_kind read_first(struct cspacket_unit *unit, struct span *from, uint8_t header,
				     struct cspacket *packet)
{
	switch (header) {
	case 0x00:
		return read_extension(from);
	case 0x01:
		return read_info(unit, from, packet);
	case 0x02:
	case 0x03:
		return read_time(unit, from, header, packet);
	case 0x04:
		return CSPACKET_ON;
	case 0x06:
		return read_exception(unit, from, packet);
	case 0x07: /* return of an exception */
		return unit->is_ete ? CSPACKET_BAD : CSPACKET_NOTHING;
	case 0x09: /* words that the program itself writes */
		span_skip(from, 9);
		return unit->is_ete ? CSPACKET_NOTHING : CSPACKET_BAD;
	case 0x0a:
		if (!unit->is_ete)
			return CSPACKET_BAD;
		return unit->transactions_count ? CSPACKET_TRANSACTION : CSPACKET_NOTHING;
	case 0x0b:
		return unit->is_ete ? CSPACKET_NOTHING : CSPACKET_BAD;
	default:
		return CSPACKET_BAD;
	}
}

/* Those of loads, stores and conditional instructions are of configurations that are not decoded:
 * csinfo_is_decoded(). */
static enum cspacket_kind read_kind(struct cspacket_unit *unit, struct span *from, uint8_t header,
				    struct cspacket *packet)
{
	if (header >= 0xc0)
		return read_atoms(header, packet);
	if (header >= 0xb0)
		return read_source(unit, from, header, packet);
	if (header >= 0xa0)
		return read_pathless(unit, from, header, packet);
	if (header >= 0x80)
		return read_place(unit, from, header, packet);
	if (header >= 0x70) /* events */
		return CSPACKET_NOTHING;
	if (header >= 0x2d && header < 0x40)
		return read_speculation(from, header, packet);
	if (header >= 0x0c && header < 0x20)
		return read_cycles(unit, from, header, packet);
	return read_first(unit, from, header, packet);
}

bool cspacket_read(struct cspacket_unit *unit, const uint8_t *bytes, size_t len,
		   struct cspacket *packet)
{
	struct span from =
		span_make(bytes, len < CSPACKET_BYTES_MAX ? len : CSPACKET_BYTES_MAX, false);
	const uint8_t header = span_u8(&from);
	const struct cspacket_unit before = *unit;

	*packet = (struct cspacket){0};
	packet->kind = (uint8_t)read_kind(unit, &from, header, packet);
	packet->size = (uint8_t)(from.pos - bytes);
	if (!from.failed && packet->kind != CSPACKET_BAD)
		return true;
	*unit = before;
	*packet = (struct cspacket){.kind = CSPACKET_BAD, .size = 1};
	return !from.failed || len >= CSPACKET_BYTES_MAX;
}
