/*
 * A CoreSight trace of any bytes through code of any bytes: decoding ends, and what it tells of is
 * within both. The first byte chooses what is recorded, the next ones are code.
 */
#include "decode/trace/csdecode.h"
#include "decode/trace/csframe.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

enum { CODE_BYTES = 256, START = 0x400000 };

/* What a byte of trace can stand for: atoms, and code between them. */
enum { ELEMENTS_OF_BYTE = 1 << 10 };

struct decoding {
	const uint8_t *code;
	struct csdecode *decoder;
	size_t nr;
};

static bool take(void *arg, const struct cselement *element)
{
	struct decoding *decoding = arg;
	const struct ptblock *block = &element->block;

	decoding->nr++;
	if (element->kind == CSELEMENT_CONTEXT && element->value & 1)
		csdecode_forget_code(decoding->decoder);
	if (element->kind != CSELEMENT_BLOCK)
		return true;
	fuzz_check(block->nr > 0 && block->ip <= block->end_ip);
	fuzz_check(block->ip >= START && block->end_ip < START + CODE_BYTES);
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct decoding decoding = {.code = data + 1};
	const struct csdecode_user user = {take, read_code, &decoding};
	struct csinfo_cpu cpu = {
		.id = 0x10, .idr0 = 0x28000ea1, .idr1 = 0x4100f422, .idr2 = 0x20001088};
	const uint8_t *trace = data + 1 + CODE_BYTES;
	char name[32];

	if (size <= CODE_BYTES + 1 || !csdecode_library(name))
		return 0;
	size -= 1 + CODE_BYTES;
	divide(trace, size);
	cpu.protocol = data[0] & 1 ? CSINFO_ETE : CSINFO_ETM4;
	cpu.devarch = 0x47705a13;
	cpu.configr = (data[0] & 2 ? CSINFO_CONTEXT : 0) | (data[0] & 4 ? CSINFO_TIME : 0) |
		      (data[0] & 8 ? CSINFO_CYCLES : 0) | (data[0] & 16 ? 1 << 12 : 0);
	decoding.decoder = csdecode_open(&cpu, &user);
	fuzz_check(decoding.decoder);
	fuzz_check(csdecode_put(decoding.decoder, trace, size / 2));
	if (data[0] & 32)
		fuzz_check(csdecode_end(decoding.decoder));
	fuzz_check(csdecode_put(decoding.decoder, trace + size / 2, size - size / 2));
	fuzz_check(csdecode_end(decoding.decoder));
	fuzz_check(decoding.nr <= (size + 64) * ELEMENTS_OF_BYTE);
	fuzz_check(csdecode_losses(decoding.decoder).unsynced <= size);
	csdecode_close(decoding.decoder);
	return 0;
}
