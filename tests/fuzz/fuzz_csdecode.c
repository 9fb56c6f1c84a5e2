/*
 * A CoreSight trace of any bytes through code of any bytes: decoding ends, what it tells of is
 * within both, and the same however the bytes are cut. The first byte chooses what is recorded, the
 * next ones are code.
 */
#include "decode/trace/csdecode.h"
#include "decode/trace/csframe.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

enum { CODE_BYTES = 256, START = 0x400000 };

/* What a byte of trace can stand for: atoms, and code between them. */
enum { ELEMENTS_OF_BYTE = 50 };

struct decoding {
	const uint8_t *code;
	struct csdecode *decoder;
	size_t nr;
	uint64_t sum; /* of all that was told */
};

static void note(struct decoding *decoding, uint64_t value)
{
	decoding->sum = (decoding->sum ^ value) * UINT64_C(0x100000001b3);
}

static bool take(void *arg, const struct cselement *element)
{
	struct decoding *decoding = arg;
	const struct ptblock *block = &element->block;

	decoding->nr++;
	note(decoding, element->kind);
	note(decoding, element->at);
	note(decoding, element->value);
	if (element->kind == CSELEMENT_CONTEXT && element->value & 1)
		csdecode_forget_code(decoding->decoder);
	if (element->kind != CSELEMENT_BLOCK)
		return true;
	note(decoding, block->ip);
	note(decoding, block->end_ip);
	note(decoding, block->flow);
	fuzz_check(block->ip <= block->end_ip && block->ip % 4 == 0);
	fuzz_check(block->nr == (block->end_ip - block->ip) / 4 + 1);
	fuzz_check(block->end_ip >= START && block->end_ip < START + CODE_BYTES);
	return true;
}

static size_t read_code(void *arg, uint64_t address, uint8_t *to, size_t len)
{
	const struct decoding *decoding = arg;

	if (address < START || address >= START + CODE_BYTES)
		return 0;
	if (len > START + CODE_BYTES - address)
		len = START + CODE_BYTES - address;
	memcpy(to, decoding->code + (address - START), len);
	return len;
}

/* The bytes as frames: none is made up. */
static void divide(const uint8_t *bytes, size_t size)
{
	struct csframe_run runs[CSFRAME_DATA_MAX];
	uint8_t id = 0;

	for (size_t at = 0; at + CSFRAME_BYTES <= size; at += CSFRAME_BYTES) {
		const size_t nr = csframe_divide(bytes + at, &id, runs);
		size_t all = 0;

		fuzz_check(nr <= CSFRAME_DATA_MAX && id < 0x80);
		for (size_t i = 0; i < nr; i++)
			all += runs[i].nr;
		fuzz_check(all <= CSFRAME_DATA_MAX);
	}
}

/* Decodes pieces of @step bytes. Returns what sums up all that was told. */
static uint64_t decode(const struct csinfo_cpu *cpu, const uint8_t *data, size_t size, size_t step)
{
	struct decoding decoding = {.code = data + 1};
	const struct csdecode_user user = {take, read_code, &decoding};
	const uint8_t *trace = data + 1 + CODE_BYTES;
	const size_t half = size / 2;
	struct csdecode_losses losses;

	decoding.decoder = csdecode_open(cpu, &user);
	fuzz_check(decoding.decoder);
	for (size_t at = 0, nr; at < size; at += nr) {
		nr = size - at < step ? size - at : step;
		if (at < half && nr > half - at)
			nr = half - at;
		fuzz_check(csdecode_put(decoding.decoder, trace + at, nr));
		if (at + nr == half && data[0] & 32)
			csdecode_end(decoding.decoder);
	}
	csdecode_end(decoding.decoder);
	losses = csdecode_losses(decoding.decoder);
	fuzz_check(decoding.nr <= (size + 64) * ELEMENTS_OF_BYTE);
	fuzz_check(losses.unsynced <= size && losses.bad <= size);
	fuzz_check(csdecode_at(decoding.decoder) == size);
	note(&decoding, losses.unsynced);
	note(&decoding, losses.bad);
	csdecode_close(decoding.decoder);
	return decoding.sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct csinfo_cpu cpu = {
		.id = 0x10,
		.idr0 = 0x28000ea1,
		.idr1 = 0x4100f422,
		.idr2 = 0x20001088,
		.devarch = 0x47715a13,
	};

	if (size <= CODE_BYTES + 1)
		return 0;
	size -= 1 + CODE_BYTES;
	divide(data + 1 + CODE_BYTES, size);
	cpu.protocol = data[0] & 1 ? CSINFO_ETE : CSINFO_ETM4;
	cpu.configr = (data[0] & 2 ? CSINFO_CONTEXT : 0) | (data[0] & 4 ? CSINFO_TIME : 0) |
		      (data[0] & 8 ? CSINFO_CYCLES : 0) | (data[0] & 16 ? 1 << 12 : 0);
	if (data[0] & 64)
		cpu.idr8 = 6;
	if (data[0] & 128)
		cpu.idr0 = 0x0881cea1; /* paths that are not told, cycles that commit, markers */
	fuzz_check(decode(&cpu, data, size, size) == decode(&cpu, data, size, 1));
	return 0;
}
