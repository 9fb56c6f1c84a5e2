/* CoreSight traces: what is known of CPUs, frames, sections, and the decoding of a small program.
 */
#include "decode/trace/csdecode.h"
#include "decode/trace/csframe.h"
#include "decode/trace/csinfo.h"
#include "decode/trace/cssection.h"

#include "tests/support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define ETM3 UINT64_C(0x3030303030303030)
#define ETM4 UINT64_C(0x4040404040404040)
#define ETE  UINT64_C(0x5050505050505050)

/* ---- CPUs ---- */

static int read_info(struct csinfo *info, const uint64_t *words, size_t nr)
{
	const struct record_auxtrace_info record = {TRACE_CORESIGHT,
						    span_make(words, nr * sizeof(*words), false)};

	return csinfo_read(info, &record);
}

/* Of all kinds, with more words than are known, and fewer. */
START_TEST(units)
{
	const uint64_t words[] = {2,
				  UINT64_C(8) << 32 | 4,
				  1,
				  ETM4,
				  3,
				  9,
				  0x840,
				  0x12,
				  0xa0,
				  0xa1,
				  0xa2,
				  0xa8,
				  0xcc,
				  1,
				  77,
				  ETE,
				  4,
				  9,
				  0x8080,
				  0x13,
				  0xb0,
				  0xb1,
				  0xb2,
				  0xb8,
				  0xcc,
				  0x4770,
				  1,
				  ETM3,
				  5,
				  4,
				  0,
				  0x14,
				  0,
				  0,
				  ETM4,
				  6,
				  2,
				  0x40,
				  UINT64_C(1) << 31 | 0x70};
	struct csinfo info;
	const struct csinfo_cpu *cpu;

	ck_assert_int_eq(read_info(&info, words, sizeof(words) / 8), 1);
	ck_assert(info.pmu == 8 && info.snapshot && info.nr_cpus == 4);
	cpu = csinfo_of_cpu(&info, 3);
	ck_assert(cpu->protocol == CSINFO_ETM4 && cpu->id == 0x12 && cpu->configr == 0x840);
	ck_assert(cpu->idr0 == 0xa0 && cpu->idr1 == 0xa1 && cpu->idr2 == 0xa2 && cpu->idr8 == 0xa8);
	ck_assert(cpu->has_kernel_time && cpu->devarch == 0);
	cpu = csinfo_of_id(&info, 0x13, 0);
	ck_assert(cpu->protocol == CSINFO_ETE && cpu->cpu == 4 && cpu->devarch == 0x4770);
	ck_assert(cpu->has_kernel_time && cpu->idr8 == 0xb8);
	ck_assert(csinfo_is_decoded(cpu));
	cpu = csinfo_of_id(&info, 0x14, 0);
	ck_assert(cpu->protocol == CSINFO_ETM3 && !csinfo_is_decoded(cpu));
	ck_assert(!csinfo_is_decoded(NULL));
	cpu = csinfo_of_cpu(&info, 6);
	ck_assert(cpu->id == 0 && cpu->configr == 0x40 && cpu->idr0 == 0 && !cpu->has_kernel_time);
	ck_assert_ptr_null(csinfo_of_cpu(&info, 7));
	ck_assert_ptr_null(csinfo_of_id(&info, 0, 3));
	csinfo_free(&info);
}
END_TEST

/* Version 0 tells no lengths. */
START_TEST(old_units)
{
	const uint64_t words[] = {0,	UINT64_C(8) << 32 | 2,
				  0,	ETM4,
				  0,	0x40,
				  0x10, 1,
				  2,	3,
				  4,	5,
				  ETM3, 1,
				  0,	0x11,
				  0,	0};
	struct csinfo info;

	ck_assert_int_eq(read_info(&info, words, sizeof(words) / 8), 1);
	ck_assert_uint_eq(csinfo_of_id(&info, 0x10, 0)->idr8, 4);
	ck_assert_uint_eq(csinfo_of_id(&info, 0x11, 0)->cpu, 1);
	csinfo_free(&info);
}
END_TEST

/* Ids that records tell: those of two sinks may be the same. */
START_TEST(told_ids)
{
	const uint64_t words[] = {
		2, UINT64_C(8) << 32 | 2, 0, ETM4, 0, 2, 0x40, 0, ETM4, 1, 2, 0x40, 0};
	const uint64_t minor = UINT64_C(1) << 56;
	struct csinfo info;

	ck_assert_int_eq(read_info(&info, words, sizeof(words) / 8), 1);
	ck_assert_ptr_null(csinfo_of_id(&info, 0x10, 0));
	csinfo_note_id(&info, 0, 0x70);
	csinfo_note_id(&info, 0, UINT64_C(1) << 60 | 0x10);
	csinfo_note_id(&info, 9, 0x10);
	ck_assert_ptr_null(csinfo_of_id(&info, 0x10, 0));
	csinfo_note_id(&info, 0, minor | 0xa00 | 0x10);
	csinfo_note_id(&info, 1, minor | 0xb00 | 0x10);
	ck_assert_uint_eq(csinfo_of_id(&info, 0x10, 0)->cpu, 0);
	ck_assert_uint_eq(csinfo_of_id(&info, 0x10, 1)->cpu, 1);
	ck_assert_uint_eq(csinfo_of_id(&info, 0x10, UINT32_MAX)->cpu, 0);
	csinfo_note_id(&info, 1, 0x11);
	ck_assert_uint_eq(csinfo_of_id(&info, 0x11, 0)->cpu, 1);
	csinfo_free(&info);
}
END_TEST

/* Words that make no sense, and all lengths up to the right one. */
START_TEST(bad_info)
{
	uint64_t words[] = {1, UINT64_C(8) << 32 | 1, 0, ETM4, 0, 2, 0x40, 0x10};
	static const uint64_t bad[][2] = {
		{1, UINT64_C(8) << 32}, {1, UINT32_MAX},	{1, 2}, {3, 1}, {5, 3},
		{5, UINT64_MAX},	{5, UINT64_MAX / 8 + 2}};
	struct csinfo info;

	for (size_t nr = 0; nr < 8; nr++) {
		ck_assert_int_eq(read_info(&info, words, nr), 0);
		csinfo_free(&info);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const uint64_t good = words[bad[i][0]];

		words[bad[i][0]] = bad[i][1];
		ck_assert_int_eq(read_info(&info, words, 8), 0);
		csinfo_free(&info);
		words[bad[i][0]] = good;
	}
	ck_assert_int_eq(read_info(&info, words, 8), 1);
	csinfo_free(&info);
}
END_TEST

/* ---- frames ---- */

/* A frame of the trace in Arm's manual's way: ids at once, and behind the next byte. */
START_TEST(divided)
{
	const uint8_t frame[16] = {0x21, 0xa1, 0xa2, 0xa3, 0x25, 0xb1, 0xb2, 0xa4,
				   0x21, 0xb3, 0xa6, 0xa7, 0xa8, 0xa9, 0x01, 0x12};
	struct csframe_run runs[CSFRAME_DATA_MAX];
	uint8_t id = 0;

	ck_assert_uint_eq(csframe_divide(frame, &id, runs), 3);
	ck_assert(runs[0].id == 0x10 && runs[0].nr == 3);
	ck_assert_mem_eq(runs[0].bytes, "\xa1\xa3\xa3", 3);
	ck_assert(runs[1].id == 0x12 && runs[1].nr == 4);
	ck_assert_mem_eq(runs[1].bytes, "\xb1\xb2\xa4\xb3", 4);
	ck_assert(runs[2].id == 0x10 && runs[2].nr == 4);
	ck_assert_mem_eq(runs[2].bytes, "\xa6\xa7\xa8\xa9", 4);
	ck_assert_uint_eq(id, 0);
}
END_TEST

START_TEST(full_frame)
{
	uint8_t frame[16] = {0}, id = 0x33;
	struct csframe_run runs[CSFRAME_DATA_MAX];

	frame[15] = 0xff;
	ck_assert_uint_eq(csframe_divide(frame, &id, runs), 1);
	ck_assert(runs[0].id == 0x33 && runs[0].nr == 15);
	ck_assert_mem_eq(runs[0].bytes, "\1\0\1\0\1\0\1\0\1\0\1\0\1\0\1", 15);
	ck_assert_uint_eq(id, 0x33);
	ck_assert(!csframe_is_barrier(frame));
	for (size_t i = 0; i < 16; i++)
		frame[i] = i % 4 == 3 ? 0x7f : 0xff;
	ck_assert(csframe_is_barrier(frame));
}
END_TEST

/* ---- sections ---- */

static struct record aux(uint32_t cpu, uint64_t time, uint64_t offset, uint64_t len, uint64_t flags)
{
	return (struct record){
		.type = RECORD_AUX,
		.has = HAS_CPU | HAS_TIME | HAS_TID,
		.cpu = cpu,
		.tid = 5,
		.time = time,
		.aux = {.offset = offset, .len = len, .flags = flags},
	};
}

/* Two buffers of CPUs, one in two pieces that overlap by a word that was filled, and one of a
 * thread. */
START_TEST(sections_of_buffers)
{
	struct trace_piece of_0[] = {{.place = {.len = 104}, .offset = 0},
				     {.place = {.len = 100}, .offset = 100, .start = 104}};
	struct trace_piece of_1[] = {{.place = {.len = 64}, .offset = 1000}};
	struct trace_piece of_5[] = {{.place = {.len = 32}, .offset = 0}};
	struct trace_buffer list[] = {
		{.cpu = 0, .tid = TRACE_OF_NONE, .pieces = of_0, .nr_pieces = 2, .size = 204},
		{.cpu = 1, .tid = TRACE_OF_NONE, .pieces = of_1, .nr_pieces = 1, .size = 64},
		{.cpu = TRACE_OF_NONE, .tid = 7, .pieces = of_5, .nr_pieces = 1, .size = 32},
	};
	const struct tracebuffers buffers = {.list = list, .nr = 3};
	const struct record records[] = {
		aux(0, 500, 0, 90, AUX_TRUNCATED),
		aux(1, 400, 1064, 64, AUX_OVERWRITE),
		aux(0, 600, 80, 60, 0x100), /* 10 bytes of it are in the one before */
		aux(0, 700, 85, 5, 0),	    /* nothing is left of it */
		aux(3, 100, 0, 50, 0),	    /* nobody's */
		aux(0, 800, UINT64_MAX, 50, 0),
		aux(0, 800, 150, 0, 0),
	};
	struct cssections sections = {0};
	size_t start, end;

	for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++)
		ck_assert(cssections_note(&sections, &records[i]));
	ck_assert(cssections_settle(&sections, &buffers));
	ck_assert_uint_eq(sections.nr, 4);
	/* No record tells of the thread's buffer: it comes first, and as a whole. */
	ck_assert(sections.list[0].buffer == &list[2] && sections.list[0].time == 0);
	ck_assert(sections.list[0].len == 32 && !sections.list[0].is_raw);
	ck_assert(sections.list[1].buffer == &list[1] && sections.list[1].offset == 1000);
	ck_assert(sections.list[2].time == 500 && sections.list[2].is_cut);
	ck_assert(sections.list[3].offset == 90 && sections.list[3].len == 50);
	ck_assert(sections.list[3].is_raw && !sections.list[3].is_cut);
	ck_assert_uint_eq(cssection_first_piece(&sections.list[3]), 0);
	ck_assert(cssection_bytes(&sections.list[3], 0, &start, &end));
	ck_assert(start == 90 && end == 100);
	ck_assert(cssection_bytes(&sections.list[3], 1, &start, &end));
	ck_assert(start == 104 && end == 144);
	ck_assert(!cssection_bytes(&sections.list[2], 1, &start, &end));
	cssections_free(&sections);
}
END_TEST

/* ---- a program ---- */

enum { START = 0x400000, NR_CODE = 7, ELEMENTS_MAX = 64 };

/* Two rounds of a loop that calls a function, then a call of the system. */
static const uint32_t program[NR_CODE] = {
	0xd2800040, /* 400000: mov x0, #2 */
	0x94000004, /* 400004: bl 400014 */
	0xf1000400, /* 400008: subs x0, x0, #1 */
	0x54ffffc1, /* 40000c: b.ne 400004 */
	0xd4000001, /* 400010: svc #0 */
	0x8b000021, /* 400014: add x1, x1, x0 */
	0xd65f03c0, /* 400018: ret */
};

/* Its trace, ETMv4 with context ids: thread 42. */
static const uint8_t trace[] = {
	0,    0,    0,	  0,	0, 0, 0, 0, 0, 0, 0, 0x80, /* A-Sync */
	0x01, 0x00,					   /* Trace Info */
	0x04,						   /* Trace On */
	0x85, 0x00, 0x00, 0x40, 0, 0, 0, 0, 0,		   /* Address 400000 */
	0xb0, 42,   0,	  0,	0,			   /* Context: 64 bits, EL0 */
	0xf7, 0xf7, 0x95, 0x02,				   /* E, E, Address 400008 */
	0xff, 0x95, 0x02,				   /* E E E, Address 400008 */
	0xf6,						   /* N */
	0x06, 0x05, 0x95, 0x05,				   /* Exception: call; 400014 */
};

static const struct csinfo_cpu unit = {
	.protocol = CSINFO_ETM4,
	.id = 0x10,
	.configr = CSINFO_CONTEXT,
	.idr0 = 0x28000ea1,
	.idr1 = 0x4100f422,
	.idr2 = 0x20001088,
};

struct seen {
	struct cselement list[ELEMENTS_MAX];
	size_t nr, instructions, calls, reads;
	uint32_t code[NR_CODE];
	bool is_missing;
	bool endless; /* all of memory is code without branches */
	size_t fails_at;
	struct csdecode *decoder;
};

static bool take(void *arg, const struct cselement *element)
{
	struct seen *seen = arg;

	ck_assert_uint_lt(seen->nr, ELEMENTS_MAX);
	seen->list[seen->nr++] = *element;
	if (element->kind == CSELEMENT_CONTEXT)
		csdecode_forget_code(seen->decoder);
	if (element->kind == CSELEMENT_BLOCK) {
		seen->instructions += element->block.nr;
		seen->calls += element->block.flow == PTFLOW_CALL;
	}
	return seen->nr != seen->fails_at;
}

static size_t read_code(void *arg, uint64_t address, uint8_t *to, size_t len)
{
	static const uint8_t nop[] = {0x1f, 0x20, 0x03, 0xd5};
	struct seen *seen = arg;
	const size_t size = sizeof(seen->code);

	seen->reads++;
	for (size_t i = 0; i < len && seen->endless; i++)
		to[i] = nop[(address + i) % 4];
	if (seen->endless)
		return len;
	if (seen->is_missing || address < START || address >= START + size)
		return 0;
	if (len > START + size - address)
		len = START + size - address;
	memcpy(to, (const uint8_t *)seen->code + (address - START), len);
	return len;
}

static void open_unit(struct seen *seen, const struct csinfo_cpu *cpu)
{
	const struct csdecode_user user = {take, read_code, seen};

	*seen = (struct seen){0};
	memcpy(seen->code, program, sizeof(program));
	seen->decoder = csdecode_open(cpu, &user);
	ck_assert_ptr_nonnull(seen->decoder);
}

static void open_seen(struct seen *seen)
{
	open_unit(seen, &unit);
}

static void check_block(const struct cselement *element, uint64_t ip, uint64_t end_ip, uint32_t nr,
			enum ptstep_flow flow)
{
	ck_assert_int_eq(element->kind, CSELEMENT_BLOCK);
	ck_assert_uint_eq(element->block.ip, ip);
	ck_assert_uint_eq(element->block.end_ip, end_ip);
	ck_assert_uint_eq(element->block.nr, nr);
	ck_assert_int_eq(element->block.flow, flow);
}

START_TEST(small_program)
{
	struct seen seen;

	open_seen(&seen);
	ck_assert(csdecode_put(seen.decoder, trace, sizeof(trace)));
	csdecode_end(seen.decoder);
	ck_assert_uint_eq(seen.nr, 10);
	ck_assert_int_eq(seen.list[0].kind, CSELEMENT_ON);
	ck_assert_int_eq(seen.list[1].kind, CSELEMENT_CONTEXT);
	ck_assert_uint_eq(seen.list[1].value, 42);
	check_block(&seen.list[2], 0x400000, 0x400004, 2, PTFLOW_CALL);
	check_block(&seen.list[3], 0x400014, 0x400018, 2, PTFLOW_RETURN);
	check_block(&seen.list[4], 0x400008, 0x40000c, 2, PTFLOW_BRANCH);
	check_block(&seen.list[5], 0x400004, 0x400004, 1, PTFLOW_CALL);
	check_block(&seen.list[6], 0x400014, 0x400018, 2, PTFLOW_RETURN);
	check_block(&seen.list[7], 0x400008, 0x40000c, 2, PTFLOW_BRANCH);
	check_block(&seen.list[8], 0x400010, 0x400010, 1, PTFLOW_OTHER);
	ck_assert_int_eq(seen.list[9].kind, CSELEMENT_EXCEPTION);
	ck_assert(csdecode_losses(seen.decoder).unsynced == 0);
	ck_assert(csdecode_losses(seen.decoder).bad == 0);
	ck_assert_uint_eq(csdecode_at(seen.decoder), sizeof(trace));
	csdecode_close(seen.decoder);
}
END_TEST

/* Wherever it is cut, nothing is told that was not executed; what comes next is decoded whole. */
START_TEST(cut_anywhere)
{
	size_t before = 0;

	for (size_t cut = 0; cut <= sizeof(trace); cut++) {
		struct seen seen;

		open_seen(&seen);
		ck_assert(csdecode_put(seen.decoder, trace, cut));
		csdecode_end(seen.decoder);
		ck_assert_uint_le(seen.instructions, 12);
		ck_assert_uint_ge(seen.instructions, before > 1 ? before - 1 : 0);
		before = seen.instructions;
		seen.instructions = seen.calls = 0;
		for (size_t i = 0; i < sizeof(trace); i++)
			ck_assert(csdecode_put(seen.decoder, &trace[i], 1));
		csdecode_end(seen.decoder);
		ck_assert_uint_eq(seen.instructions, 12);
		ck_assert_uint_eq(seen.calls, 2);
		csdecode_close(seen.decoder);
	}
	ck_assert_uint_eq(before, 12);
}
END_TEST

/* Bytes that are no packets are counted, and left behind. */
START_TEST(bad_bytes)
{
	uint8_t bytes[8 + sizeof(trace)];
	struct seen seen;

	open_seen(&seen);
	memset(bytes, 0xcc, 8);
	memcpy(bytes + 8, trace, sizeof(trace));
	ck_assert(csdecode_put(seen.decoder, bytes, sizeof(bytes)));
	ck_assert_uint_eq(csdecode_losses(seen.decoder).unsynced, 8);
	ck_assert_uint_eq(csdecode_losses(seen.decoder).bad, 0);
	memset(bytes, 0x08, 8); /* reserved */
	ck_assert(csdecode_put(seen.decoder, bytes, sizeof(bytes)));
	csdecode_end(seen.decoder);
	ck_assert_uint_ge(csdecode_losses(seen.decoder).bad, 1);
	ck_assert_uint_eq(seen.instructions, 24);
	csdecode_close(seen.decoder);
}
END_TEST

/* Other code is at the same addresses once another thread runs. */
START_TEST(other_code)
{
	uint8_t next[sizeof(trace) - 14];
	struct seen seen;

	open_seen(&seen);
	ck_assert(csdecode_put(seen.decoder, trace, sizeof(trace)));
	memcpy(next, trace + 14, sizeof(next));
	next[11] = 43;
	/* The exception is told once something comes behind it. */
	ck_assert(csdecode_put(seen.decoder, next, 1));
	seen.code[0] = 0x94000005; /* bl 400014 at once */
	seen.instructions = 0;
	ck_assert(csdecode_put(seen.decoder, next + 1, 15));
	csdecode_end(seen.decoder);
	ck_assert_uint_eq(seen.list[seen.nr - 1].block.ip, 0x400000);
	ck_assert_uint_eq(seen.list[seen.nr - 1].block.end_ip, 0x400000);
	ck_assert_uint_eq(seen.list[seen.nr - 2].value, 43);
	csdecode_close(seen.decoder);
}
END_TEST

/* Code that never ends is not read for ever; code that is not there is told. */
START_TEST(no_code)
{
	struct seen seen;

	open_seen(&seen);
	seen.endless = true;
	ck_assert(csdecode_put(seen.decoder, trace, sizeof(trace)));
	csdecode_end(seen.decoder);
	ck_assert_uint_le(seen.reads, sizeof(trace) * 1024);
	ck_assert_uint_eq(seen.calls, 0);
	csdecode_close(seen.decoder);
	open_seen(&seen);
	seen.is_missing = true;
	ck_assert(csdecode_put(seen.decoder, trace, sizeof(trace)));
	csdecode_end(seen.decoder);
	ck_assert_uint_eq(seen.instructions, 0);
	ck_assert_int_eq(seen.list[2].kind, CSELEMENT_NO_CODE);
	ck_assert_uint_eq(seen.list[2].value, START);
	csdecode_close(seen.decoder);
}
END_TEST

/* ---- what else traces tell ---- */

/* Decodes @bytes behind a synchronization and address 400000, of thread 42. What is seen of that is
 * left out. */
static void decode(struct seen *seen, const struct csinfo_cpu *cpu, const char *bytes, size_t nr)
{
	enum { BEGIN = 29, ELEMENTS = 2 };

	open_unit(seen, cpu);
	ck_assert(csdecode_put(seen->decoder, trace, BEGIN));
	ck_assert_uint_eq(seen->nr, ELEMENTS);
	seen->nr = 0;
	ck_assert(csdecode_put(seen->decoder, (const uint8_t *)bytes, nr));
}

#define DECODE(seen, cpu, bytes) decode(seen, cpu, bytes, sizeof(bytes) - 1)

static void check_loss(const struct seen *seen, size_t i, enum cselement_kind kind, uint64_t value)
{
	ck_assert_uint_eq(seen->nr, i + 1);
	ck_assert_int_eq(seen->list[i].kind, kind);
	ck_assert_uint_eq(seen->list[i].value, value);
}

static void close_good(struct seen *seen, uint64_t bad)
{
	ck_assert_uint_eq(csdecode_losses(seen->decoder).bad, bad);
	csdecode_close(seen->decoder);
}

/* Where returns lead to is not told if it is where their calls were. */
START_TEST(returns)
{
	struct csinfo_cpu cpu = unit;
	struct seen seen;

	cpu.configr |= 1 << 12;
	DECODE(&seen, &cpu, "\xff\xfb\xf6");
	ck_assert_uint_eq(seen.nr, 7);
	ck_assert_uint_eq(seen.instructions, 14);
	check_block(&seen.list[2], 0x400008, 0x40000c, 2, PTFLOW_BRANCH);
	check_block(&seen.list[5], 0x400008, 0x40000c, 2, PTFLOW_BRANCH);
	check_block(&seen.list[6], 0x400010, 0x400018, 3, PTFLOW_BRANCH);
	close_good(&seen, 0);
	/* More returns than calls: the code is not what was executed. */
	DECODE(&seen, &cpu, "\x95\x05\xff\xff");
	check_block(&seen.list[0], 0x400014, 0x400018, 2, PTFLOW_RETURN);
	check_loss(&seen, 1, CSELEMENT_MISMATCH, 0x400018);
	close_good(&seen, 0);
	/* Without such returns, nothing is known up to the next address. */
	DECODE(&seen, &unit, "\xff\xff\x95\x04\xf7");
	ck_assert_uint_eq(seen.nr, 3);
	check_block(&seen.list[2], 0x400010, 0x400018, 3, PTFLOW_RETURN);
	close_good(&seen, 0);
}
END_TEST

/* What leads to an exception; its address may be where a branch led; what it leads to is unknown.
 */
START_TEST(exceptions)
{
	struct seen seen;

	DECODE(&seen, &unit, "\x06\x1d\x95\x01\xf7");
	check_block(&seen.list[0], 0x400000, 0x400000, 1, PTFLOW_OTHER);
	check_loss(&seen, 1, CSELEMENT_EXCEPTION, 0x400004);
	close_good(&seen, 0);
	DECODE(&seen, &unit, "\x06\x1d\x81\x90\x2b\0\0\0\x71\x95\x00");
	ck_assert_int_eq(seen.list[0].kind, CSELEMENT_CONTEXT);
	ck_assert_uint_eq(seen.list[0].value, 43);
	check_loss(&seen, 1, CSELEMENT_EXCEPTION, 0x400000);
	close_good(&seen, 0);
	DECODE(&seen, &unit, "\x06\x5c\x95\x06");
	check_loss(&seen, 0, CSELEMENT_EXCEPTION, 0x400018);
	close_good(&seen, 0);
	/* Past a branch of which nothing is told, and past the end of the code. */
	DECODE(&seen, &unit, "\x06\x1d\x95\x02");
	ck_assert_int_eq(seen.list[0].kind, CSELEMENT_MISMATCH);
	ck_assert_uint_eq(seen.list[0].value, 0x400004);
	check_loss(&seen, 1, CSELEMENT_EXCEPTION, 0x400008);
	close_good(&seen, 0);
	DECODE(&seen, &unit, "\x95\x07\x06\x1d\x95\x08");
	ck_assert_int_eq(seen.list[0].kind, CSELEMENT_NO_CODE);
	check_loss(&seen, 1, CSELEMENT_EXCEPTION, 0x400020);
	close_good(&seen, 0);
}
END_TEST

/* Packets that may not follow an exception: these, and no address at all, crashed a library. */
START_TEST(exception_alone)
{
	static const char *const next[] = {"\xf7", "\x06\x1d", "\x02\x05", "\x04", "\x2d\x01"};
	char bytes[8] = "\x06\x1d";
	struct seen seen;

	for (size_t i = 0; i < sizeof(next) / sizeof(next[0]); i++) {
		memcpy(bytes + 2, next[i], strlen(next[i]));
		decode(&seen, &unit, bytes, 2 + strlen(next[i]));
		ck_assert_uint_eq(seen.nr, 0);
		csdecode_end(seen.decoder);
		close_good(&seen, 1);
	}
}
END_TEST

/* Code that is never executed, that is not there, of 32 bits, at odd addresses. */
START_TEST(other_codes)
{
	struct seen seen;

	DECODE(&seen, &unit, "");
	seen.code[1] = 0x0000ffff;
	ck_assert(csdecode_put(seen.decoder, (const uint8_t *)"\xff", 1));
	check_loss(&seen, 0, CSELEMENT_MISMATCH, 0x400004);
	close_good(&seen, 0);
	DECODE(&seen, &unit, "\x95\x06\x81\x20\xff");
	check_loss(&seen, 0, CSELEMENT_NO_CODE, 0x400018);
	close_good(&seen, 0);
	DECODE(&seen, &unit, "\x96\x01\xff");
	check_loss(&seen, 0, CSELEMENT_MISMATCH, 0x400002);
	close_good(&seen, 0);
	/* The part that is there counts. */
	DECODE(&seen, &unit, "");
	seen.code[6] = 0xd503201f; /* nop */
	ck_assert(csdecode_put(seen.decoder, (const uint8_t *)"\x95\x05\xff", 3));
	check_block(&seen.list[0], 0x400014, 0x400018, 2, PTFLOW_OTHER);
	check_loss(&seen, 1, CSELEMENT_NO_CODE, 0x40001c);
	close_good(&seen, 0);
}
END_TEST

/* Up to 4 branches wait until it is certain that they were executed. */
START_TEST(speculation)
{
	struct csinfo_cpu cpu = unit;
	struct seen seen;

	cpu.idr8 = 4;
	DECODE(&seen, &cpu, "\xf7\xf7\x95\x02\xf7");
	ck_assert_uint_eq(seen.nr, 0);
	csdecode_put(seen.decoder, (const uint8_t *)"\x2d\x02", 2);
	ck_assert_uint_eq(seen.nr, 2);
	/* The third one was not taken; the fourth one was not executed; the fifth one is the oldest
	 * of too many. */
	csdecode_put(seen.decoder, (const uint8_t *)"\x30\xf7\x2e\x01\xff\xf7", 6);
	ck_assert_uint_eq(seen.nr, 3);
	check_block(&seen.list[2], 0x400008, 0x40000c, 2, PTFLOW_BRANCH);
	csdecode_put(seen.decoder, (const uint8_t *)"\x2d\x01", 2);
	ck_assert_uint_eq(seen.nr, 4);
	check_block(&seen.list[3], 0x400010, 0x400018, 3, PTFLOW_RETURN);
	close_good(&seen, 0);
	/* More than wait are neither executed nor cancelled. */
	DECODE(&seen, &cpu, "\xf7\x2d\x02");
	ck_assert_uint_eq(seen.nr, 1);
	close_good(&seen, 1);
	DECODE(&seen, &cpu, "\xf7\x2e\x02");
	close_good(&seen, 1);
	DECODE(&seen, &cpu, "\x30");
	close_good(&seen, 1);
	/* What was lost was not executed. */
	DECODE(&seen, &cpu, "\xf7\xf7\0\5\0\0\0\0\0\0\0\0\0\0\0\x80\1\0\4\x2d\1");
	check_loss(&seen, 0, CSELEMENT_OVERFLOW, 0);
	close_good(&seen, 1);
}
END_TEST

/* Addresses of branches that were taken, and code of which nothing is told. */
START_TEST(paths_of_ete)
{
	struct csinfo_cpu cpu = unit;
	struct seen seen;

	cpu.protocol = CSINFO_ETE;
	cpu.idr0 |= 1 << 15;
	DECODE(&seen, &cpu, "\xb4\x03\xf7");
	check_block(&seen.list[0], 0x400000, 0x40000c, 4, PTFLOW_BRANCH);
	check_block(&seen.list[1], 0x400004, 0x400004, 1, PTFLOW_CALL);
	close_good(&seen, 0);
	/* From where, is not known. */
	DECODE(&seen, &cpu, "\xac\x05\xb4\x03\xb4\x40");
	ck_assert_int_eq(seen.list[0].kind, CSELEMENT_ON);
	check_block(&seen.list[1], 0x40000c, 0x40000c, 1, PTFLOW_BRANCH);
	check_loss(&seen, 2, CSELEMENT_NO_CODE, 0x400100);
	close_good(&seen, 0);
	DECODE(&seen, &cpu, "\xa5\x05\x05\xf7");
	check_block(&seen.list[1], 0x400014, 0x400018, 2, PTFLOW_RETURN);
	close_good(&seen, 0);
	/* The processor begins anew. */
	DECODE(&seen, &cpu, "\6\1\0\xf7");
	check_loss(&seen, 0, CSELEMENT_EXCEPTION, 0);
	close_good(&seen, 0);
}
END_TEST

/* Without memory the decoding ends. */
START_TEST(no_memory)
{
	struct seen seen;

	open_seen(&seen);
	seen.fails_at = 3;
	ck_assert(!csdecode_put(seen.decoder, trace, sizeof(trace)));
	ck_assert_uint_eq(seen.nr, 3);
	csdecode_close(seen.decoder);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("coresight");
	TCase *tcase = tcase_create("coresight");

	tcase_add_test(tcase, units);
	tcase_add_test(tcase, old_units);
	tcase_add_test(tcase, told_ids);
	tcase_add_test(tcase, bad_info);
	tcase_add_test(tcase, divided);
	tcase_add_test(tcase, full_frame);
	tcase_add_test(tcase, sections_of_buffers);
	tcase_add_test(tcase, small_program);
	tcase_add_test(tcase, cut_anywhere);
	tcase_add_test(tcase, bad_bytes);
	tcase_add_test(tcase, other_code);
	tcase_add_test(tcase, no_code);
	tcase_add_test(tcase, returns);
	tcase_add_test(tcase, exceptions);
	tcase_add_test(tcase, exception_alone);
	tcase_add_test(tcase, other_codes);
	tcase_add_test(tcase, speculation);
	tcase_add_test(tcase, paths_of_ete);
	tcase_add_test(tcase, no_memory);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
