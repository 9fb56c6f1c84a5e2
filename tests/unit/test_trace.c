/* Hardware traces: their packets, their clock, their pieces, and the world over time. */
#include "decode/trace/ptdecode.h"
#include "decode/trace/ptinfo.h"
#include "decode/trace/ptlibrary.h"
#include "decode/trace/ptpacket.h"
#include "decode/trace/traceahead.h"
#include "decode/trace/tracebuffer.h"
#include "decode/trace/tracepiece.h"
#include "decode/trace/tracepoke.h"
#include "decode/trace/traceworld.h"

#include "tests/support/machine.h"
#include "tests/support/recording.h"
#include "tests/support/suite.h"
#include "util/tempfile.h"

#include <check.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- packets ---- */

static const struct {
	const char *bytes;
	size_t len;
	struct ptpacket packet;
} packets[] = {
	{"\0", 1, {PTPACKET_TIMING, 1, 0}},
	{"\x06", 1, {PTPACKET_TNT, 1, 1}},
	{"\xfe", 1, {PTPACKET_TNT, 1, 6}},
	{"\x02\xa3\1\0\0\0\0\0", 8, {PTPACKET_TNT, 8, 0}},
	{"\x02\xa3\xff\xff\xff\xff\xff\xff", 8, {PTPACKET_TNT, 8, 47}},
	{"\x02\xa3\xff\xff\xff\xff\xff", 7, {PTPACKET_BAD, 0, 0}},
	{"\x0d", 1, {PTPACKET_OTHER, 1, 0}},		 /* TIP, no address */
	{"\x2d\1\2", 3, {PTPACKET_OTHER, 3, 0}},	 /* 16 bits */
	{"\x71\1\2\3\4\5\6", 7, {PTPACKET_OTHER, 7, 0}}, /* PGE, 48 bits */
	{"\xdd\1\2\3\4\5\6\7\x8", 9, {PTPACKET_FUP, 9, 0x0807060504030201}},
	{"\xed", 1, {PTPACKET_BAD, 0, 0}}, /* no such size */
	{"\x2d\1", 2, {PTPACKET_BAD, 0, 0}},
	{"\x19\1\2\3\4\5\6\7", 8, {PTPACKET_TSC, 8, 0x07060504030201}},
	{"\x19\1\2\3\4\5\6", 7, {PTPACKET_BAD, 0, 0}},
	{"\x59\1", 2, {PTPACKET_TIMING, 2, 0}},
	{"\x99\1", 2, {PTPACKET_OTHER, 2, 0}},
	{"\x5b", 1, {PTPACKET_CYC, 1, 11}},
	{"\xff\xff\x04", 3, {PTPACKET_CYC, 3, 31 | 127 << 5 | 2 << 12}},
	{"\xff\xff", 2, {PTPACKET_BAD, 0, 0}},
	{"\x07\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 11, {PTPACKET_BAD, 0, 0}},
	{"\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82",
	 16,
	 {PTPACKET_PSB, 16, 0}},
	{"\x02\x23", 2, {PTPACKET_PSBEND, 2, 0}},
	{"\x02\xf3", 2, {PTPACKET_OVF, 2, 0}},
	{"\x1d", 1, {PTPACKET_FUP, 1, 0}}, /* no address */
	{"\x3d\1\2", 3, {PTPACKET_FUP, 3, 0x0201}},
	{"\x7d\1\2\3\4\5\6", 7, {PTPACKET_FUP, 7, 0x060504030201}},
	{"\x7d\1\2\3\4\5\x86", 7, {PTPACKET_FUP, 7, 0xffff860504030201}},
	{"\x9d\1\2\3\4\5\x86", 7, {PTPACKET_FUP, 7, 0x860504030201}},
	{"\x7d\1\2\3\4\5", 6, {PTPACKET_BAD, 0, 0}},
	{"\x02\x12\1\2\3\4", 6, {PTPACKET_OTHER, 6, 0}},
	{"\x02\xb2\1\2\3\4\5\6\7\x8", 10, {PTPACKET_OTHER, 10, 0}},
	{"\x02\x13\1\2", 4, {PTPACKET_OTHER, 4, 0}},
	{"\x02\x53\1\2\3\4\5\6\7\x8\x9", 11, {PTPACKET_OTHER, 11, 0}},
	{"\x02\x03\1\0", 4, {PTPACKET_TIMING, 4, 0}},
	{"\x02\xff", 2, {PTPACKET_BAD, 0, 0}},
	{"\x02", 1, {PTPACKET_BAD, 0, 0}},
	{"", 0, {PTPACKET_BAD, 0, 0}},
};

START_TEST(packet)
{
	const struct ptpacket got =
		ptpacket_read((const uint8_t *)packets[_i].bytes, packets[_i].len);

	ck_assert_int_eq(got.kind, packets[_i].packet.kind);
	ck_assert_uint_eq(got.size, packets[_i].packet.size);
	ck_assert_uint_eq(got.value, packets[_i].packet.value);
}
END_TEST

enum { PSB_PLUS = 16 + 8 + 2 };

/* A PSB with a TSC, at @to. */
static void put_psb(uint8_t *to, uint8_t tsc)
{
	memset(to, 0, PSB_PLUS);
	for (size_t i = 0; i < 16; i += 2)
		memcpy(to + i, "\x02\x82", 2);
	to[16] = 0x19;
	to[17] = tsc;
	memcpy(to + 24, "\x02\x23", 2);
}

/* What was seen before ends at the first PSB with a later time. */
START_TEST(seen)
{
	uint8_t bytes[3 * PSB_PLUS + 1] = {0xff};
	uint64_t tsc = 0;

	for (unsigned i = 0; i < 3; i++)
		put_psb(bytes + 1 + (size_t)i * PSB_PLUS, (uint8_t)(10 * i + 10));
	ck_assert_uint_eq(ptpacket_find_psb(bytes, sizeof(bytes), 0), 1);
	ck_assert_uint_eq(ptpacket_find_psb(bytes, sizeof(bytes), 2), 1 + PSB_PLUS);
	ck_assert_uint_eq(ptpacket_find_psb(bytes, PSB_PLUS, 2), PSB_PLUS);
	ck_assert(ptpacket_last_tsc(bytes, sizeof(bytes), &tsc));
	ck_assert_uint_eq(tsc, 30);
	ck_assert(!ptpacket_last_tsc(bytes, 10, &tsc));
	ck_assert_uint_eq(ptpacket_skip_seen(bytes, sizeof(bytes), 5), 1);
	ck_assert_uint_eq(ptpacket_skip_seen(bytes, sizeof(bytes), 20), 1 + 2 * PSB_PLUS);
	ck_assert_uint_eq(ptpacket_skip_seen(bytes, sizeof(bytes), 30), sizeof(bytes));
}
END_TEST

/* What belongs to a PSB ends with its PSBEND, or where it is broken off. */
START_TEST(packets_of_psb)
{
	uint8_t bytes[2 * PSB_PLUS] = {0};
	struct ptpacket_psb psb;

	put_psb(bytes, 10);
	psb = ptpacket_read_psb(bytes, sizeof(bytes), 0);
	ck_assert(psb.end == PSB_PLUS && psb.tsc == 10 && psb.ip == 0);
	memcpy(bytes + 24, "\x5d\1\2\3\4\x02\x23", 7); /* FUP */
	psb = ptpacket_read_psb(bytes, sizeof(bytes), 0);
	ck_assert(psb.end == PSB_PLUS + 5 && psb.tsc == 10 && psb.ip == 0x04030201);
	psb = ptpacket_read_psb(bytes, PSB_PLUS + 4, 0);
	ck_assert(psb.end == PSB_PLUS + 3 && psb.ip == 0x04030201);
	memcpy(bytes + 24, "\x02\xf3", 2); /* OVF */
	psb = ptpacket_read_psb(bytes, sizeof(bytes), 0);
	ck_assert(psb.end == 24 && psb.tsc == 10 && psb.ip == 0);
	psb = ptpacket_read_psb(bytes, sizeof(bytes), sizeof(bytes));
	ck_assert(psb.end == sizeof(bytes) && psb.tsc == 0 && psb.ip == 0);
}
END_TEST

/* Pieces begin with a PSB and end with the next one that is far enough, in each stretch. */
START_TEST(cut_in_pieces)
{
	enum { SIZE = 50000 };
	static const size_t psbs[] = {100, 5000, 16500, 33000, 40000, 41000};
	uint8_t *bytes = calloc(1, SIZE);
	struct trace_stretch stretches[] = {{0, 39000}, {39000, 39500}, {39500, SIZE}};
	const struct trace_buffer buffer = {
		.bytes = bytes, .size = SIZE, .stretches = stretches, .nr_stretches = 3};
	struct tracepieces pieces = {0};

	ck_assert_ptr_nonnull(bytes);
	for (size_t i = 0; i < 6; i++)
		put_psb(bytes + psbs[i], (uint8_t)(i + 1));
	ck_assert(tracepieces_add(&pieces, &buffer));
	ck_assert_uint_eq(pieces.nr, 4);
	ck_assert(pieces.list[0].start == 100 && pieces.list[0].stop == 16500);
	ck_assert(pieces.list[0].end == 16500 + PSB_PLUS && pieces.list[0].tsc == 1);
	ck_assert(pieces.list[1].start == 16500 && pieces.list[1].stop == 33000);
	ck_assert(pieces.list[2].start == 33000 && pieces.list[2].stop == 39000);
	ck_assert(pieces.list[3].start == 40000 && pieces.list[3].end == SIZE);
	ck_assert(pieces.list[0].first && !pieces.list[1].first && !pieces.list[2].first);
	ck_assert(pieces.list[3].first);
	tracepieces_free(&pieces);
	free(bytes);
}
END_TEST

/* ---- decoding ---- */

/* A PSB+ at 0x400000, whose code is: nop; jmp 0x400000. */
#define LOOPS                                                              \
	"\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82" \
	"\x99\x01\x7d\0\0\x40\0\0\0\x02\x23"

static const struct {
	const char *bytes;
	size_t len;
	struct ptstep step; /* behind the PSB */
} loops[] = {
	/* An interrupt at its second instruction. */
	{LOOPS "\x3d\1\0\x01", sizeof(LOOPS) + 3, {.kind = PTSTEP_DISABLED}},
	/* It never reaches the address of the interrupt: the branch is not one of its. */
	{LOOPS "\x06\x3d\2\0\x01",
	 sizeof(LOOPS) + 4,
	 {.kind = PTSTEP_ERROR, .error = PTERROR_MISMATCH, .ip = 0x400000}},
};

/* A decoder of a trace of code that lies at 0x400000. */
struct decoding {
	struct ptsections *sections;
	struct ptcodes *codes;
	struct ptimage *image;
	struct ptdecode *decoder;
	int fd;
};

static struct decoding start_decoding(const char *trace, size_t len, const void *code,
				      size_t code_len)
{
	const struct ptconfig config = {
		.bytes = (const uint8_t *)trace,
		.size = len,
		.stop = len,
	};
	struct error err;
	struct decoding decoding = {
		.sections = ptimage_sections_create(),
		.codes = ptcode_open(),
		.fd = tempfile_create(&err),
	};

	if (!decoding.sections)
		machine_lacks("readperf was built without libipt");
	decoding.image = ptimage_create(decoding.sections);
	ck_assert_int_eq(tempfile_append(decoding.fd, code, code_len, &err), 0);
	ck_assert(ptimage_add(decoding.image, decoding.fd, 0, code_len, 0x400000));
	decoding.decoder = ptdecode_open(&config, decoding.codes);
	ck_assert(ptdecode_set_image(decoding.decoder, decoding.image));
	return decoding;
}

static void end_decoding(const struct decoding *decoding)
{
	ptdecode_close(decoding->decoder);
	ptimage_destroy(decoding->image);
	ptcode_close(decoding->codes);
	ptimage_sections_destroy(decoding->sections);
	close(decoding->fd);
}

/* Nothing in the trace ends a loop that the code does not end. */
START_TEST(endless_loop)
{
	const struct decoding decoding =
		start_decoding(loops[_i].bytes, loops[_i].len, "\x90\xeb\xfd", 3);
	struct ptblock blocks[64];
	struct ptstep step;

	ptdecode_next(decoding.decoder, blocks, 64, &step);
	ck_assert_int_eq(step.kind, PTSTEP_SYNC);
	do
		ck_assert_uint_lt(ptdecode_next(decoding.decoder, blocks, 64, &step), 64);
	while (step.kind == PTSTEP_TICK || step.kind == PTSTEP_ENABLED);
	ck_assert_int_eq(step.kind, loops[_i].step.kind);
	if (step.kind == PTSTEP_ERROR)
		ck_assert_int_eq(step.error, loops[_i].step.error);
	ck_assert_uint_eq(step.ip, loops[_i].step.ip);
	end_decoding(&decoding);
}
END_TEST

static void check_block(const struct ptblock *block, uint64_t ip, uint64_t end_ip, uint32_t nr,
			uint8_t flow)
{
	ck_assert_uint_eq(block->ip, ip);
	ck_assert_uint_eq(block->end_ip, end_ip);
	ck_assert_uint_eq(block->nr, nr);
	ck_assert_int_eq(block->flow, flow);
}

/* Reads one byte of code, a return, at an address that is in no file. */
static size_t read_return(void *arg, uint64_t ip, uint8_t *to, size_t len)
{
	(void)len;
	if (ip != *(uint64_t *)arg)
		return 0;
	*to = 0xc3;
	return 1;
}

/* The library cannot open files where no more may be open; their code is decoded all the same. */
START_TEST(code_of_open_files)
{
	static const char bytes[] = LOOPS "\x04";
	/* nop; nop; je 0x400000; ret */
	struct decoding decoding =
		start_decoding(bytes, sizeof(bytes) - 1, "\x90\x90\x74\xfc\xc3", 5);
	struct ptsections *sections = ptimage_sections_create();
	struct ptimage *image = ptimage_create(sections);
	uint64_t outside = 0x400005;
	const struct ptimage_reader reader = {read_return, &outside};
	struct rlimit before, none;
	const struct ptcode *code;
	struct ptblock blocks[3];
	struct ptstep step;

	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = (struct rlimit){.rlim_max = before.rlim_max};
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
	ck_assert(ptimage_add(image, decoding.fd, 1, 4, 0x400001));
	ck_assert(ptimage_add(image, decoding.fd, 0, 1, 0x400000));
	ptimage_read_by(image, &reader);
	ck_assert(ptdecode_set_image(decoding.decoder, image));
	do
		ck_assert_uint_eq(ptdecode_next(decoding.decoder, blocks, 0, &step), 0);
	while (step.kind != PTSTEP_MORE);
	ck_assert_uint_eq(ptdecode_next(decoding.decoder, blocks, 1, &step), 1);
	check_block(&blocks[0], 0x400000, 0x400002, 3, PTFLOW_BRANCH);
	code = ptcode_get(decoding.codes, image, 0x400001);
	ck_assert_ptr_nonnull(code);
	ck_assert_uint_eq(code->target, 0x400000);
	ck_assert_uint_eq(code->nr, 2);
	code = ptcode_get(decoding.codes, image, outside);
	ck_assert_ptr_nonnull(code);
	ck_assert_int_eq(code->flow, PTFLOW_RETURN);
	ck_assert_ptr_null(ptcode_get(decoding.codes, image, 0x400006));
	/* the test program itself opens files at its end */
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
	ptimage_destroy(image);
	ptimage_sections_destroy(sections);
	end_decoding(&decoding);
}
END_TEST

/* Blocks do not depend on what the library knows of the code: it ends them where it was before. */
START_TEST(whole_blocks)
{
	/* From its second instruction on, and twice from the first one; the third branch falls
	 * through. */
	char bytes[] = LOOPS "\x1c";
	struct decoding decoding;
	struct ptblock blocks[3];
	struct ptstep step;

	bytes[19] = 1;
	/* nop; nop; je 0x400000; ret */
	decoding = start_decoding(bytes, sizeof(bytes) - 1, "\x90\x90\x74\xfc\xc3", 5);
	do
		ck_assert_uint_eq(ptdecode_next(decoding.decoder, blocks, 0, &step), 0);
	while (step.kind != PTSTEP_MORE);
	ck_assert_uint_eq(ptdecode_next(decoding.decoder, blocks, 2, &step), 2);
	ck_assert_int_eq(step.kind, PTSTEP_MORE);
	check_block(&blocks[0], 0x400001, 0x400002, 2, PTFLOW_BRANCH);
	check_block(&blocks[1], 0x400000, 0x400002, 3, PTFLOW_BRANCH);
	ck_assert_uint_ge(ptdecode_next(decoding.decoder, blocks, 3, &step), 1);
	check_block(&blocks[0], 0x400000, 0x400002, 3, PTFLOW_BRANCH);
	end_decoding(&decoding);
}
END_TEST

/* Of a jump to an address that the trace tells the library says once that it is one. */
START_TEST(jumps_to_told_addresses)
{
	/* Two bytes of an address each time: there and back, three times. */
	static const char bytes[] = LOOPS "\x2d\x40\0\x2d\0\0\x2d\x40\0\x2d\0\0\x2d\x40\0\x2d\0\0";
	uint8_t code[0x43] = {0x90, 0xff, 0xe0, [0x40] = 0x90, 0xff, 0xe0}; /* nop; jmp *%rax */
	const size_t room = _i ? 1 : 64;
	const struct decoding decoding =
		start_decoding(bytes, sizeof(bytes) - 1, code, sizeof(code));
	struct ptblock blocks[64];
	struct ptstep step;
	size_t nr, all = 0;

	do {
		nr = ptdecode_next(decoding.decoder, blocks, room, &step);
		ck_assert_uint_le(nr, room);
		for (size_t i = 0; i < nr; i++, all++) {
			const uint64_t ip = all % 2 ? 0x400040 : 0x400000;

			ck_assert_uint_eq(blocks[i].ip, ip);
			ck_assert_uint_eq(blocks[i].end_ip, ip + 1);
			ck_assert_uint_eq(blocks[i].nr, 2);
		}
	} while (step.kind != PTSTEP_END && step.kind != PTSTEP_ERROR);
	ck_assert_uint_ge(all, 6);
	end_decoding(&decoding);
}
END_TEST

/* What cannot be decoded reaches to the next piece: the end there tells the cycles all the same. */
START_TEST(cycles_at_the_end)
{
	static const char bytes[] = LOOPS "\x1b\x0e\x2b" LOOPS;
	const struct ptconfig config = {
		.bytes = (const uint8_t *)bytes,
		.size = sizeof(bytes) - 1,
		.stop = sizeof(LOOPS) + 2,
		.stop_ip = 0x400000,
		.has_ticks = true,
		.has_cycles = true,
	};
	struct ptdecode *decoder;
	struct ptblock blocks[64];
	struct ptstep step;
	char name[32];

	if (!ptlibrary_name(name))
		machine_lacks("readperf was built without libipt");
	decoder = ptdecode_open(&config, NULL);
	ptdecode_next(decoder, blocks, 64, &step);
	ck_assert_int_eq(step.kind, PTSTEP_SYNC);
	ck_assert_uint_eq(ptdecode_next(decoder, blocks, 64, &step), 0);
	ck_assert_int_eq(step.kind, PTSTEP_ERROR);
	memset(&step, 0xff, sizeof(step));
	ck_assert_uint_eq(ptdecode_next(decoder, blocks, 64, &step), 0);
	ck_assert_int_eq(step.kind, PTSTEP_END);
	ck_assert_uint_eq(step.cycles, 3);
	ck_assert_uint_eq(step.cycles_read, 8);
	ptdecode_close(decoder);
}
END_TEST

/* There are no more logs than threads need, however many pieces there are. */
START_TEST(many_pieces_ahead)
{
	enum { NR = 1000 };
	struct trace_buffer buffer = {.bytes = (uint8_t[sizeof(LOOPS)]){0}, .size = sizeof(LOOPS)};
	struct tracepieces pieces = {.list = calloc(NR, sizeof(struct tracepiece)), .nr = NR};
	struct traceahead *ahead = calloc(1, sizeof(*ahead));
	const struct traceworld world = {0};
	const struct trace_setup setup = {.world = &world};
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	struct tracecode code;
	char name[32];

	if (!ptlibrary_name(name))
		machine_lacks("readperf was built without libipt");
	memcpy(buffer.bytes, LOOPS, sizeof(LOOPS) - 1);
	for (size_t i = 0; i < NR; i++)
		pieces.list[i] = (struct tracepiece){
			.buffer = &buffer, .stop = buffer.size, .end = buffer.size, .tsc = i + 1};
	tracecode_init(&code, NULL, NULL, &lock);
	ck_assert(traceahead_init(ahead, &setup, 2, &code));
	ck_assert(traceahead_begin(ahead, &pieces));
	for (size_t i = 0; i < NR; i++)
		if (traceahead_get(ahead, &pieces.list[i]))
			traceahead_release(ahead, &pieces.list[i]);
	traceahead_end(ahead);
	ck_assert_uint_eq(ahead->nr_logs, 0);
	ck_assert_uint_le(ahead->nr_spare, 4);
	traceahead_free(ahead);
	tracecode_free(&code);
	tracepieces_free(&pieces);
	free(ahead);
}
END_TEST

/* ---- the clock ---- */

START_TEST(clock_of_info)
{
	const uint64_t words[] = {8, 2, 10,	1000,	 1,  1 << 10, 1 << 11, 3,
				  1, 1, 1 << 9, 0x3c000, 84, 2,	      2,       24};
	struct record_auxtrace_info record = {TRACE_INTEL_PT,
					      span_make(words, sizeof(words), false)};
	struct ptinfo info;

	ck_assert(ptinfo_read(&info, &record));
	ck_assert(info.pmu == 8 && info.has_clock && info.per_cpu && info.snapshot);
	ck_assert(info.switches == PTINFO_SWITCH_CPU_WIDE && info.max_ratio == 24);
	ck_assert(info.ctc_numerator == 84 && info.ctc_denominator == 2);
	ck_assert_uint_eq(ptinfo_ns(&info, 4 * 7 + 3), 1000 + 70 + 7);
	ck_assert_int_eq(ptinfo_finest(&info, 1), PTINFO_NO_CLOCK);
	ck_assert_int_eq(ptinfo_finest(&info, 1 << 10), PTINFO_TSC);
	ck_assert_int_eq(ptinfo_finest(&info, 1 << 10 | 1 << 9), PTINFO_MTC);
	ck_assert_int_eq(ptinfo_finest(&info, 1 << 10 | 1 << 9 | 2), PTINFO_CYC);
	ck_assert_uint_eq(ptinfo_mtc_period(&info, 3 << 14), 3);
	record.priv = span_make(words, sizeof(words[0]) * 10, false);
	ck_assert(ptinfo_read(&info, &record) && info.max_ratio == 0 && info.mtc_period == 0);
	ck_assert_uint_eq(ptinfo_mtc_period(&info, UINT64_MAX), 0);
	record.priv = span_make(words, sizeof(words[0]) * 9 + 7, false);
	ck_assert(!ptinfo_read(&info, &record));
}
END_TEST

/* Shifts and factors that cannot be: there is no clock. */
START_TEST(no_clock)
{
	uint64_t words[10] = {8, 2, 10, 1000, 1};
	const struct record_auxtrace_info record = {TRACE_INTEL_PT,
						    span_make(words, sizeof(words), false)};
	static const uint64_t bad[][2] = {{1, 64}, {2, 0}, {2, UINT64_MAX}, {4, 0}};
	struct ptinfo info;

	words[bad[_i][0]] = bad[_i][1];
	ck_assert(ptinfo_read(&info, &record));
	ck_assert(!info.has_clock);
}
END_TEST

/* ---- pieces ---- */

static void put_piece(struct mkperf *m, const void *bytes, size_t len, uint64_t offset,
		      uint32_t idx)
{
	mkperf_begin(m, MKPERF_RECORD_AUXTRACE, 0);
	mkperf_u64(m, len);
	mkperf_u64(m, offset);
	mkperf_u64(m, 0);
	mkperf_u32(m, idx);
	mkperf_u32(m, 42);
	mkperf_u32(m, UINT32_MAX);
	mkperf_u32(m, 0);
	mkperf_end(m);
	mkperf_payload(m, bytes, len);
}

static struct mkperf *new_recording(void)
{
	struct mkperf *m = mkperf_new(&(struct mkperf_options){0});

	mkperf_event(m, &(struct mkperf_event){.sample_type = PERF_SAMPLE_IP});
	return m;
}

/* Opens @m, takes note of all its pieces, and loads the first buffer. */
static struct perffile *load(struct mkperf *m, struct tracebuffers *buffers, bool apart)
{
	struct perffile *file = recording_open(m);
	const struct record *rec;

	while ((rec = recording_next(file)))
		if (rec->type == RECORD_AUXTRACE)
			ck_assert(tracebuffers_piece(buffers, rec, apart));
	ck_assert_int_eq(tracebuffer_load(buffers, &buffers->list[0], file, NULL), 0);
	return file;
}

/* Pieces of two buffers; those of the first go on, but for the last, which leaves a gap. _i: not in
 * memory. */
START_TEST(pieces)
{
	struct mkperf *m = new_recording();
	struct tracebuffers buffers = {.in_memory = _i ? TRACE_MEMORY_MAX - 23 : 0};
	const size_t before = buffers.in_memory;
	const struct trace_buffer *first;
	struct perffile *file;

	put_piece(m, "aaaaaaaa", 8, 0, 7);
	put_piece(m, "xxxxxxxx", 8, 0, 9);
	put_piece(m, "bbbbbbbb", 8, 5, 7); /* 3 bytes of the first one are padding */
	put_piece(m, "cccccccc", 8, 64, 7);
	file = load(m, &buffers, false);
	ck_assert_uint_eq(buffers.nr, 2);
	first = &buffers.list[0];
	ck_assert(first->is_mapped == (_i != 0));
	ck_assert_uint_eq(buffers.in_memory, before + (_i ? 0 : 24));
	ck_assert(first->idx == 7 && first->tid == 42 && first->cpu == TRACE_OF_NONE);
	ck_assert_uint_eq(first->size, 24);
	ck_assert_mem_eq(first->bytes, "aaaaaaaabbbbbbbbcccccccc", 24);
	ck_assert_uint_eq(first->nr_stretches, 2);
	ck_assert(first->stretches[0].start == 0 && first->stretches[0].end == 16);
	ck_assert(first->stretches[1].start == 16 && first->stretches[1].end == 24);
	tracebuffer_unload(&buffers, &buffers.list[0]);
	ck_assert_uint_eq(buffers.in_memory, before);
	tracebuffers_free(&buffers);
	perffile_close(file);
}
END_TEST

/* Of snapshots what was in the one before is left out. _i: 1 without times, 2 the second one lacks
 * the end of the first. */
START_TEST(snapshots)
{
	enum { PIECE = 80 };
	struct mkperf *m = new_recording();
	struct tracebuffers buffers = {0};
	uint8_t bytes[2][PIECE] = {{0}};
	const struct trace_stretch *stretches;
	struct perffile *file;

	put_psb(bytes[0], 10);
	put_psb(bytes[0] + 40, 20);
	put_psb(bytes[1] + 2, 20);
	put_psb(bytes[1] + 48, 30);
	bytes[0][PIECE - 1] = _i == 2 ? 0x06 : 0;
	for (size_t i = 0; i < 2 && _i == 1; i++)
		for (size_t k = 0; k + 8 < PIECE; k++)
			if (bytes[i][k] == 0x19)
				memset(&bytes[i][k], 0, 8);
	put_piece(m, bytes[0], PIECE, 0, 0);
	put_piece(m, bytes[1], PIECE, 100, 0);
	file = load(m, &buffers, true);
	stretches = buffers.list[0].stretches;
	ck_assert_uint_eq(buffers.list[0].nr_stretches, 2);
	ck_assert_uint_eq(stretches[0].end, _i == 2 ? PIECE : 40);
	ck_assert_uint_eq(stretches[1].start, PIECE + (_i == 2 ? 48 : 2));
	ck_assert_uint_eq(stretches[1].end, 2 * PIECE);
	tracebuffers_free(&buffers);
	perffile_close(file);
}
END_TEST

/* A piece cannot be in another one, whatever sizes are told. */
START_TEST(lying_places)
{
	struct tracebuffers buffers = {0};
	struct record rec = {.type = RECORD_AUXTRACE};

	rec.auxtrace.place = (struct trace_place){.offset = 100, .len = 1000};
	ck_assert(tracebuffers_piece(&buffers, &rec, false));
	rec.auxtrace.place = (struct trace_place){.offset = 200, .len = 1000};
	ck_assert(tracebuffers_piece(&buffers, &rec, false));
	rec.auxtrace.place = (struct trace_place){.offset = 200, .len = 0};
	ck_assert(tracebuffers_piece(&buffers, &rec, false));
	ck_assert_uint_eq(buffers.list[0].nr_pieces, 1);
	for (rec.auxtrace.idx = 1; rec.auxtrace.idx < 20000; rec.auxtrace.idx++) {
		rec.auxtrace.place = (struct trace_place){.len = 8, .spooled = true};
		ck_assert(tracebuffers_piece(&buffers, &rec, false));
	}
	ck_assert_uint_eq(buffers.nr, 16384);
	ck_assert_uint_eq(buffers.nr_beyond, 20000 - 16384);
	tracebuffers_free(&buffers);
}
END_TEST

/* ---- the world ---- */

static bool ignore_end(void *arg, struct process *process, struct thread *thread)
{
	(void)arg;
	(void)process;
	(void)thread;
	return true;
}

/* Maps stay as they were at each time, also when they change later. */
START_TEST(world_over_time)
{
	struct process_table processes;
	struct traceworld world = {0};
	const struct dso one = {.kind = DSO_USER, .path = "one"},
			 two = {.kind = DSO_USER, .path = "two"};
	struct record rec = {.type = RECORD_MMAP2, .pid = 5, .tid = 5, .misc = CPUMODE_USER};
	struct process *process;

	process_table_init(&processes, &(struct process_hooks){.retire = ignore_end});
	process = process_get(&processes, 5);
	ck_assert(process_map(
		&processes, process,
		&(struct map){.start = 0x1000, .end = 0x2000, .dso = &one, .is_code = true}));
	rec.time = 100;
	ck_assert(traceworld_record(&world, &processes, &rec));
	ck_assert(process_map(
		&processes, process,
		&(struct map){.start = 0x1000, .end = 0x2000, .dso = &two, .is_code = true}));
	rec.time = 200;
	ck_assert(traceworld_record(&world, &processes, &rec));
	rec.misc |= MISC_MMAP_DATA; /* no code */
	rec.time = 300;
	ck_assert(traceworld_record(&world, &processes, &rec));
	traceworld_sort(&world);
	ck_assert_uint_eq(world.nr_spaces, 2);
	ck_assert_ptr_null(traceworld_space(&world, 4, 150));
	ck_assert_ptr_null(traceworld_space(&world, 6, 150));
	ck_assert_uint_eq(traceworld_space(&world, 5, 50)->time, 100);
	ck_assert_ptr_eq(map_set_find(traceworld_space(&world, 5, 199)->maps, 0x1800)->dso, &one);
	ck_assert_ptr_eq(map_set_find(traceworld_space(&world, 5, 200)->maps, 0x1800)->dso, &two);
	traceworld_free(&world);
	process_table_free(&processes);
}
END_TEST

static void make_code(struct traceworld *world, struct process_table *processes, uint32_t pid,
		      uint64_t start, const struct dso *dso, uint64_t time, bool displaces)
{
	struct process *process = process_get(processes, pid);
	const struct map map = {.start = start, .end = start + 0x100, .dso = dso, .is_code = true};

	ck_assert(map_set_insert_code(&process->maps, &map, ++processes->version));
	ck_assert(traceworld_code(world, process, time, displaces));
}

static const struct dso *find_code(const struct traceworld *world, uint64_t time, uint64_t address)
{
	const struct map *map = map_set_find(traceworld_space(world, 5, time)->maps, address);

	return map ? map->dso : NULL;
}

/* Code where none was before is there from the start; what displaces other code, from its time on.
 */
START_TEST(code_over_time)
{
	struct process_table processes;
	struct traceworld world = {0};
	const struct dso one = {.kind = DSO_JITDUMP, .path = "one"},
			 two = {.kind = DSO_JITDUMP, .path = "two"},
			 three = {.kind = DSO_JITDUMP, .path = "three"};
	struct record rec = {.type = RECORD_COMM, .pid = 5, .tid = 5, .time = 100};

	process_table_init(&processes, &(struct process_hooks){.retire = ignore_end});
	ck_assert_ptr_nonnull(process_get(&processes, 5));
	ck_assert(traceworld_record(&world, &processes, &rec));
	make_code(&world, &processes, 5, 0x1000, &one, 200, false);
	make_code(&world, &processes, 6, 0x1000, &three, 250, false);
	make_code(&world, &processes, 5, 0x2000, &two, 300, false);
	make_code(&world, &processes, 5, 0x1000, &two, 400, true);
	make_code(&world, &processes, 5, 0x3000, &three, 500, false);
	traceworld_sort(&world);
	ck_assert_uint_eq(world.nr_spaces, 3);
	ck_assert_ptr_eq(find_code(&world, 150, 0x1000), &one);
	ck_assert_ptr_eq(find_code(&world, 150, 0x20ff), &two);
	ck_assert_ptr_null(find_code(&world, 399, 0x3000));
	ck_assert_ptr_eq(find_code(&world, 399, 0x1000), &one);
	ck_assert_ptr_eq(find_code(&world, 400, 0x1000), &two);
	ck_assert_ptr_eq(find_code(&world, 400, 0x3000), &three);
	ck_assert_uint_eq(traceworld_space(&world, 6, 100)->time, 250);
	traceworld_free(&world);
	process_table_free(&processes);
}
END_TEST

/* Switches in any order: who runs on a CPU, and whose thread it is. */
START_TEST(who_runs)
{
	struct process_table processes;
	struct traceworld world = {.switches = PTINFO_SWITCH_CPU_WIDE};
	struct record rec = {.type = RECORD_SWITCH_CPU_WIDE, .has = HAS_CPU, .cpu = 2};

	process_table_init(&processes, &(struct process_hooks){.retire = ignore_end});
	rec.time = 300;
	rec.pid = rec.tid = 9;
	ck_assert(traceworld_record(&world, &processes, &rec));
	rec.time = 200;
	rec.misc = MISC_SWITCH_OUT;
	rec.cpu_switch = (struct record_switch){7, 8};
	ck_assert(traceworld_record(&world, &processes, &rec));
	rec = (struct record){.type = RECORD_ITRACE_START, .has = HAS_CPU, .cpu = 2, .time = 100};
	rec.pid = 5;
	rec.tid = 6;
	ck_assert(traceworld_record(&world, &processes, &rec));
	traceworld_sort(&world);
	ck_assert_ptr_null(traceworld_running(&world, 2, 99));
	ck_assert_ptr_null(traceworld_running(&world, 1, 250));
	ck_assert_uint_eq(traceworld_running(&world, 2, 100)->tid, 6);
	ck_assert_uint_eq(traceworld_running(&world, 2, 299)->tid, 8);
	ck_assert_uint_eq(traceworld_running(&world, 2, UINT64_MAX)->pid, 9);
	ck_assert_uint_eq(traceworld_pid(&world, 6, 0), 5);
	ck_assert_uint_eq(traceworld_pid(&world, 7, 0), PID_NONE);
	traceworld_free(&world);
	process_table_free(&processes);
}
END_TEST

/* ---- the kernel's changes ---- */

#define KERNEL 0xffffffff81000000

static void poke(struct tracepokes *pokes, uint64_t time, uint64_t address, const char *before,
		 const char *after)
{
	const struct record rec = {
		.type = RECORD_TEXT_POKE,
		.time = time,
		.text_poke = {.addr = address,
			      .old_bytes = span_make(before, strlen(before), false),
			      .new_bytes = span_make(after, strlen(after), false)},
	};

	ck_assert(tracepokes_record(pokes, &rec));
}

/* The code at @ip at @time, which is @base at another. */
static const char *code_at(const struct tracepokes *pokes, uint64_t time, uint64_t ip,
			   const char *base, char code[17])
{
	const size_t got = strlen(base);

	memcpy(code, base, got);
	code[tracepokes_apply(pokes, time, ip, (uint8_t *)code, got, 16)] = '\0';
	return code;
}

/* Changes that overlap, over the border of a slot, not in the order of their times. */
START_TEST(pokes_over_time)
{
	const uint64_t at = KERNEL + 14;
	struct tracepokes pokes = {0};
	char code[17];

	poke(&pokes, 300, at + 1, "BCD", "XYZ");
	poke(&pokes, 100, at, "abcd", "ABCD");
	poke(&pokes, 300, at + 3, "Z", "!");
	tracepokes_sort(&pokes);
	ck_assert_uint_eq(pokes.nr, 5);
	ck_assert_str_eq(code_at(&pokes, 99, at - 2, "0123456789", code), "01abcd6789");
	ck_assert_str_eq(code_at(&pokes, 100, at - 2, "0123456789", code), "01ABCD6789");
	ck_assert_str_eq(code_at(&pokes, 299, at + 2, "0123456789", code), "CD23456789");
	ck_assert_str_eq(code_at(&pokes, 300, at - 2, "0123456789", code), "01AXY!6789");
	ck_assert_str_eq(code_at(&pokes, UINT64_MAX, at, "", code), "AXY!");
	ck_assert_str_eq(code_at(&pokes, 300, at - 16, "0123", code), "0123");
	ck_assert_str_eq(code_at(&pokes, 300, at + 18, "0123", code), "0123");
	ck_assert_uint_eq(pokes.nr_ranges, 1);
	ck_assert(pokes.ranges[0].start == KERNEL && pokes.ranges[0].end == KERNEL + 32);
	tracepokes_free(&pokes);
}
END_TEST

/* Code comes where none was, and goes: then its bytes are what they were. */
START_TEST(pokes_of_unknown_code)
{
	struct tracepokes pokes = {0};
	char code[17];

	poke(&pokes, 100, KERNEL, "", "new");
	poke(&pokes, 200, KERNEL + 1, "ew", "");
	tracepokes_sort(&pokes);
	ck_assert_str_eq(code_at(&pokes, 99, KERNEL, "", code), "");
	ck_assert_str_eq(code_at(&pokes, 100, KERNEL, "", code), "new");
	ck_assert_str_eq(code_at(&pokes, 200, KERNEL, "", code), "new");
	tracepokes_free(&pokes);
}
END_TEST

/* Ranges are apart by a page, or by more if there are too many. */
START_TEST(pokes_far_apart)
{
	struct tracepokes pokes = {0};

	for (uint64_t i = 0; i < 3; i++)
		poke(&pokes, 1, KERNEL + i * 4112, "a", "b");
	poke(&pokes, 1, KERNEL + 3 * 4112 - 16, "a", "b");
	tracepokes_sort(&pokes);
	ck_assert_uint_eq(pokes.nr_ranges, 3);
	ck_assert_uint_eq(pokes.ranges[1].start, KERNEL + 4112);
	ck_assert_uint_eq(pokes.ranges[1].end, KERNEL + 4112 + 16);
	ck_assert_uint_eq(pokes.ranges[2].end, KERNEL + 3 * 4112);
	tracepokes_free(&pokes);
	for (uint64_t i = 0; i < 1024; i++)
		poke(&pokes, 1, KERNEL + (i / 4 << 20) + (i % 4 << 13), "a", "b");
	tracepokes_sort(&pokes);
	ck_assert_uint_eq(pokes.nr_ranges, 256);
	ck_assert_uint_eq(pokes.ranges[255].start, KERNEL + (255 << 20));
	ck_assert_uint_eq(pokes.ranges[255].end, KERNEL + (255 << 20) + (3 << 13) + 16);
	tracepokes_free(&pokes);
}
END_TEST

/* Addresses of processes, of the end of all addresses, and of nothing. */
START_TEST(pokes_without_place)
{
	struct tracepokes pokes = {0};
	char code[17];

	poke(&pokes, 1, 0x400000, "a", "b");
	poke(&pokes, 1, UINT64_MAX, "ab", "cd");
	poke(&pokes, 1, KERNEL + 1, "", "");
	tracepokes_sort(&pokes);
	ck_assert(pokes.nr == 0 && pokes.nr_ranges == 0);
	ck_assert_str_eq(code_at(&pokes, 1, 0x400000, "01", code), "01");
	tracepokes_free(&pokes);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("trace");
	TCase *tcase = tcase_create("trace");

	tcase_add_loop_test(tcase, packet, 0, sizeof(packets) / sizeof(packets[0]));
	tcase_add_test(tcase, seen);
	tcase_add_test(tcase, packets_of_psb);
	tcase_add_test(tcase, cut_in_pieces);
	tcase_add_loop_test(tcase, endless_loop, 0, sizeof(loops) / sizeof(loops[0]));
	tcase_add_test(tcase, code_of_open_files);
	tcase_add_test(tcase, whole_blocks);
	tcase_add_loop_test(tcase, jumps_to_told_addresses, 0, 2);
	tcase_add_test(tcase, cycles_at_the_end);
	tcase_add_test(tcase, many_pieces_ahead);
	tcase_add_test(tcase, clock_of_info);
	tcase_add_loop_test(tcase, no_clock, 0, 4);
	tcase_add_loop_test(tcase, pieces, 0, 2);
	tcase_add_loop_test(tcase, snapshots, 0, 3);
	tcase_add_test(tcase, lying_places);
	tcase_add_test(tcase, world_over_time);
	tcase_add_test(tcase, code_over_time);
	tcase_add_test(tcase, who_runs);
	tcase_add_test(tcase, pokes_over_time);
	tcase_add_test(tcase, pokes_of_unknown_code);
	tcase_add_test(tcase, pokes_far_apart);
	tcase_add_test(tcase, pokes_without_place);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
