/* Packets of CoreSight traces, the branches that they tell of, and what waits until it is certain.
 */
#include "decode/trace/csbranch.h"
#include "decode/trace/cspacket.h"
#include "decode/trace/cswaiting.h"

#include "tests/support/suite.h"

#include <check.h>
#include <string.h>

/* ---- packets ---- */

static const struct csinfo_cpu etm4 = {
	.protocol = CSINFO_ETM4,
	.configr = CSINFO_CONTEXT,
	.idr0 = 0x28000ea1,
	.idr1 = 0x4100f422,
	.idr2 = 0x20001088,
};

static struct cspacket_unit unit;

static void set_up(void)
{
	unit = cspacket_unit_of(&etm4);
}

static void set_up_ete(void)
{
	struct csinfo_cpu ete = etm4;

	ete.protocol = CSINFO_ETE;
	ete.devarch = 0x47705a13;
	ete.idr0 = 0x0801cea1; /* paths that are not told; cycles commit */
	ete.idr8 = 20;
	unit = cspacket_unit_of(&ete);
}

/* Reads one packet, which is all of @bytes; less of them is not enough. */
static struct cspacket read_all(const char *bytes, size_t nr)
{
	const uint8_t *at = (const uint8_t *)bytes;
	struct cspacket packet;

	for (size_t i = 1; i < nr; i++) {
		const struct cspacket_unit before = unit;

		ck_assert(!cspacket_read(&unit, at, i, &packet));
		ck_assert_mem_eq(&before, &unit, sizeof(unit));
	}
	ck_assert(cspacket_read(&unit, at, nr, &packet));
	ck_assert_uint_eq(packet.size, nr);
	return packet;
}

#define READ(bytes) read_all(bytes, sizeof(bytes) - 1)

static void check_value(struct cspacket packet, enum cspacket_kind kind, uint64_t value)
{
	ck_assert_int_eq(packet.kind, kind);
	ck_assert_uint_eq(packet.value, value);
}

static void check_nr(struct cspacket packet, enum cspacket_kind kind, uint32_t nr)
{
	ck_assert_int_eq(packet.kind, kind);
	ck_assert_uint_eq(packet.nr, nr);
}

static void check_bad(uint8_t header)
{
	uint8_t bytes[CSPACKET_BYTES_MAX] = {header, 0x01};
	struct cspacket packet;

	ck_assert(cspacket_read(&unit, bytes, sizeof(bytes), &packet));
	ck_assert_int_eq(packet.kind, CSPACKET_BAD);
	ck_assert_uint_eq(packet.size, 1);
}

/* The oldest branch is bit 0. */
START_TEST(atoms)
{
	static const struct {
		uint8_t header, nr;
		uint32_t atoms;
	} all[] = {{0xf6, 1, 0},	{0xf7, 1, 1},	{0xd9, 2, 1},	 {0xdb, 2, 3},
		   {0xfe, 3, 6},	{0xdc, 4, 0xe}, {0xdd, 4, 0},	 {0xde, 4, 0xa},
		   {0xdf, 4, 5},	{0xd5, 5, 0},	{0xd6, 5, 0x0a}, {0xd7, 5, 0x15},
		   {0xf5, 5, 0x1e},	{0xc0, 4, 0xf}, {0xe0, 4, 7},	 {0xd4, 24, 0xffffff},
		   {0xf4, 24, 0x7fffff}};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		const struct cspacket packet = read_all((const char *)&all[i].header, 1);

		ck_assert_int_eq(packet.kind, CSPACKET_ATOMS);
		ck_assert_uint_eq(packet.nr_atoms, all[i].nr);
		ck_assert_uint_eq(packet.atoms, all[i].atoms);
	}
}
END_TEST

/* Short addresses change the low bits of the last one; three are remembered. */
START_TEST(addresses)
{
	struct cspacket packet = READ("\x85\x41\x42\x43\x44\x45\x46\x47\x48\x90\x21\x22\x23\x24");

	check_value(packet, CSPACKET_ADDRESS, 0x4847464544438504);
	ck_assert(packet.has_context && packet.is_64 && packet.has_thread);
	ck_assert_uint_eq(packet.thread, 0x24232221);
	check_value(READ("\x95\x05"), CSPACKET_ADDRESS, 0x4847464544438414);
	check_value(READ("\x95\x85\x11"), CSPACKET_ADDRESS, 0x4847464544422214);
	check_value(READ("\x96\x85\x11"), CSPACKET_ADDRESS, 0x484746454442110a);
	check_value(READ("\x92"), CSPACKET_ADDRESS, 0x4847464544438414);
	check_value(READ("\x90"), CSPACKET_ADDRESS, 0x4847464544438414);
	check_value(READ("\x9a\x01\x02\x03\x04"), CSPACKET_ADDRESS, 0x4847464504030404);
	check_value(READ("\x9e\x01\xff\x03\x04\x05\x06\x07\x08"), CSPACKET_ADDRESS,
		    0x080706050403ff02);
	/* Code of 32 bits has no more than that. */
	packet = READ("\x82\x01\x02\x03\x04\x20");
	check_value(packet, CSPACKET_ADDRESS, 0x0807060504030404);
	ck_assert(packet.has_context && !packet.is_64 && !packet.has_thread);
	check_value(READ("\x9a\x01\x02\x03\x04"), CSPACKET_ADDRESS, 0x04030404);
	check_bad(0x84);
	check_bad(0x93);
	check_bad(0xb0);
}
END_TEST

/* The thread is that of EL1, or of EL2. */
START_TEST(contexts)
{
	struct csinfo_cpu cpu = etm4;
	struct cspacket packet = READ("\x81\xd0\x01\x02\x03\x04\x05\x06\x07\x08");

	ck_assert_int_eq(packet.kind, CSPACKET_CONTEXT);
	ck_assert(packet.has_context && packet.is_64 && packet.has_thread);
	ck_assert_uint_eq(packet.thread, 0x08070605);
	ck_assert(!READ("\x81\x10").has_thread);
	ck_assert_int_eq(READ("\x80").kind, CSPACKET_NOTHING);
	cpu.configr = CSINFO_CONTEXT_EL2;
	unit = cspacket_unit_of(&cpu);
	ck_assert_uint_eq(READ("\x81\xd0\x01\x02\x03\x04\x05\x06\x07\x08").thread, 0x04030201);
	ck_assert(!READ("\x81\x90\x01\x02\x03\x04").has_thread);
	/* Sizes of one byte, and none. */
	cpu.idr2 = 1 << 10;
	unit = cspacket_unit_of(&cpu);
	ck_assert_uint_eq(READ("\x81\xd0\x01").thread, 1);
}
END_TEST

START_TEST(clocks)
{
	check_value(READ("\x02\x81\x82\x83\x84\x85\x86\x87\x88\x89"), CSPACKET_TIME,
		    0x89101c305080c101);
	check_value(READ("\x02\xff\x01"), CSPACKET_TIME, 0x89101c305080c0ff);
	check_value(READ("\x03\x05\xff\xff\xff"), CSPACKET_TIME, 0x89101c305080c085);
	/* Counts begin with what is told behind a synchronization. */
	check_nr(READ("\x01\x0f\x81\x01\x05\x06\x90\x01"), CSPACKET_INFO, 6);
	check_value(READ("\x0e\x05"), CSPACKET_CYCLES, 0x95);
	check_value(READ("\x0e\x85\x01"), CSPACKET_CYCLES, 0x115);
	check_value(READ("\x0f"), CSPACKET_CYCLES, 0);
	check_value(READ("\x0c\x23"), CSPACKET_CYCLES, 0x93);
	check_value(READ("\x1e"), CSPACKET_CYCLES, 0x92);
	ck_assert_uint_eq(READ("\x1e").nr, 0);
	check_nr(READ("\x01\x80\x80"
		      "\x00"),
		 CSPACKET_INFO, 0);
	check_value(READ("\x1e"), CSPACKET_CYCLES, 2);
}
END_TEST

/* Speculation; an exception; what tells nothing. */
START_TEST(others)
{
	struct cspacket packet;

	ck_assert_int_eq(READ("\0\0\0\0\0\0\0\0\0\0\0\x80").kind, CSPACKET_SYNC);
	ck_assert_int_eq(READ("\0\3").kind, CSPACKET_DISCARD);
	ck_assert_int_eq(READ("\0\5").kind, CSPACKET_OVERFLOW);
	ck_assert_int_eq(READ("\4").kind, CSPACKET_ON);
	ck_assert_int_eq(READ("\7").kind, CSPACKET_NOTHING);
	ck_assert_int_eq(READ("\x71").kind, CSPACKET_NOTHING);
	check_nr(READ("\x2d\x85\x01"), CSPACKET_COMMIT, 0x85);
	packet = READ("\x2e\x05");
	check_nr(packet, CSPACKET_CANCEL, 5);
	ck_assert(!packet.is_wrong);
	ck_assert(READ("\x2f\x05").is_wrong);
	packet = READ("\x32");
	check_nr(packet, CSPACKET_CANCEL, 0);
	ck_assert(packet.is_wrong && packet.nr_atoms == 2 && packet.atoms == 3);
	packet = READ("\x37");
	check_nr(packet, CSPACKET_CANCEL, 1);
	ck_assert(packet.is_wrong && packet.nr_atoms == 1 && packet.atoms == 0);
	packet = READ("\x3b");
	check_nr(packet, CSPACKET_CANCEL, 3);
	ck_assert(packet.is_wrong && packet.nr_atoms == 1 && packet.atoms == 1);
	ck_assert(!READ("\6\x03").is_target);
	packet = READ("\6\xc2\0");
	ck_assert(packet.kind == CSPACKET_EXCEPTION && packet.is_target);
	check_bad(0x05);
	check_bad(0x08);
	check_bad(0x09);
	check_bad(0x0a);
	check_bad(0x20);
	check_bad(0x6c);
	check_bad(0xa0);
}
END_TEST

/* What only ETE has, and what it has not. */
START_TEST(ete)
{
	struct cspacket packet = READ("\xaa\x01\x02\x03\x04\x85\x01");

	ck_assert(packet.kind == CSPACKET_PATHLESS && packet.has_address);
	ck_assert_uint_eq(packet.value, 0x04030404);
	ck_assert(!READ("\xac\x05").has_address);
	ck_assert_int_eq(READ("\xaf").kind, CSPACKET_PATHLESS);
	check_value(READ("\xb8\x01\x02\x03\x04\x05\x06\x07\x08"), CSPACKET_SOURCE,
		    0x0807060504030404);
	check_value(READ("\xb4\x02"), CSPACKET_SOURCE, 0x0807060504030408);
	check_value(READ("\xb1"), CSPACKET_SOURCE, 0x0807060504030404);
	ck_assert_int_eq(READ("\6\1\0").kind, CSPACKET_RESET);
	ck_assert_int_eq(READ("\6\x31\0").kind, CSPACKET_NOTHING);
	ck_assert_int_eq(READ("\x09\1\2\3\4\5\6\7\x08\x09").kind, CSPACKET_NOTHING);
	ck_assert_int_eq(READ("\x0a").kind, CSPACKET_TRANSACTION);
	ck_assert_int_eq(READ("\x0b").kind, CSPACKET_NOTHING);
	check_nr(READ("\x0c\x20"), CSPACKET_CYCLES, 3);
	check_nr(READ("\x0d\x20"), CSPACKET_CYCLES, 7);
	check_nr(READ("\x0e\x85\x01\x04"), CSPACKET_CYCLES, 0x85);
	check_nr(READ("\x1e"), CSPACKET_CYCLES, 4);
	check_bad(0x07);
	check_bad(0xa3);
	check_bad(0xb3);
	check_bad(0xba);
}
END_TEST

/* From version 1.1 on times count from a marker on. */
START_TEST(marker)
{
	struct csinfo_cpu cpu = etm4;

	cpu.protocol = CSINFO_ETE;
	cpu.devarch = 0x47715a13;
	cpu.idr0 |= 1 << 23;
	unit = cspacket_unit_of(&cpu);
	ck_assert_int_eq(READ("\x02\x05").kind, CSPACKET_NOTHING);
	ck_assert_int_eq(READ("\x88").kind, CSPACKET_NOTHING);
	check_value(READ("\x02\x05"), CSPACKET_TIME, 5);
}
END_TEST

/* No packet is as long as these. */
START_TEST(endless)
{
	uint8_t bytes[CSPACKET_BYTES_MAX + 1] = {0x01};
	struct cspacket packet;

	memset(bytes + 1, 0x80, CSPACKET_BYTES_MAX);
	ck_assert(!cspacket_read(&unit, bytes, CSPACKET_BYTES_MAX - 1, &packet));
	ck_assert(cspacket_read(&unit, bytes, CSPACKET_BYTES_MAX, &packet));
	ck_assert_int_eq(packet.kind, CSPACKET_BAD);
	ck_assert(cspacket_read(&unit, bytes, sizeof(bytes), &packet));
	ck_assert_int_eq(packet.kind, CSPACKET_BAD);
}
END_TEST

/* ---- branches ---- */

static const struct {
	uint32_t word;
	enum csbranch_kind kind;
	uint64_t target;
} branches[] = {
	{0x14000002, CSBRANCH_DIRECT, 0x400008},      /* b +8 */
	{0x17ffffff, CSBRANCH_DIRECT, 0x3ffffc},      /* b -4 */
	{0x97ffffff, CSBRANCH_CALL, 0x3ffffc},	      /* bl -4 */
	{0x54ffffe1, CSBRANCH_CONDITIONAL, 0x3ffffc}, /* b.ne -4 */
	{0x54000051, CSBRANCH_CONDITIONAL, 0x400008}, /* bc.ne +8 */
	{0xb4000040, CSBRANCH_CONDITIONAL, 0x400008}, /* cbz x0 */
	{0x35ffffe0, CSBRANCH_CONDITIONAL, 0x3ffffc}, /* cbnz w0 */
	{0xb7fffffe, CSBRANCH_CONDITIONAL, 0x3ffffc}, /* tbnz x30, #63 */
	{0xd61f0060, CSBRANCH_INDIRECT, 0},	      /* br x3 */
	{0xd61f0c7f, CSBRANCH_INDIRECT, 0},	      /* brabz x3 */
	{0xd71f0864, CSBRANCH_INDIRECT, 0},	      /* braa x3, x4 */
	{0xd63f0060, CSBRANCH_INDIRECT_CALL, 0},      /* blr x3 */
	{0xd63f087f, CSBRANCH_INDIRECT_CALL, 0},      /* blraaz x3 */
	{0xd73f0c64, CSBRANCH_INDIRECT_CALL, 0},      /* blrab x3, x4 */
	{0xd65f03c0, CSBRANCH_RETURN, 0},	      /* ret */
	{0xd65f0bff, CSBRANCH_RETURN, 0},	      /* retaa */
	{0xd65f0fff, CSBRANCH_RETURN, 0},	      /* retab */
	{0x5500001f, CSBRANCH_RETURN, 0},	      /* retaasppc */
	{0xd69f03e0, CSBRANCH_EXCEPTION_RETURN, 0},   /* eret */
	{0xd69f0bff, CSBRANCH_EXCEPTION_RETURN, 0},   /* eretaa */
	{0xd69f0fff, CSBRANCH_EXCEPTION_RETURN, 0},   /* eretab */
	{0xd6bf03e0, CSBRANCH_NONE, 0},		      /* drps */
	{0xd5033fdf, CSBRANCH_BARRIER, 0},	      /* isb */
	{0xd5033f9f, CSBRANCH_NONE, 0},		      /* dsb sy */
	{0xd5033fbf, CSBRANCH_NONE, 0},		      /* dmb sy */
	{0xd503205f, CSBRANCH_WAIT, 0},		      /* wfe */
	{0xd503207f, CSBRANCH_WAIT, 0},		      /* wfi */
	{0xd503201f, CSBRANCH_NONE, 0},		      /* nop */
	{0xd4000001, CSBRANCH_NONE, 0},		      /* svc */
	{0x8b000021, CSBRANCH_NONE, 0},		      /* add x1, x1, x0 */
	{0x00000000, CSBRANCH_INVALID, 0},	      /* udf */
	{0x0000ffff, CSBRANCH_INVALID, 0},
};

START_TEST(branch)
{
	const struct csbranch read = csbranch_read(branches[_i].word, 0x400000);

	ck_assert_int_eq(read.kind, branches[_i].kind);
	ck_assert_uint_eq(read.target, branches[_i].target);
}
END_TEST

/* ---- what waits ---- */

static void add(struct cswaiting *waiting, enum cswaiting_kind kind, uint64_t value)
{
	const struct cswaiting_item item = {.kind = (uint8_t)kind, .flag = true, .value = value};

	ck_assert(cswaiting_add(waiting, &item));
}

static void check_taken(struct cswaiting *waiting, size_t left, enum cswaiting_kind kind,
			uint64_t value, bool flag)
{
	struct cswaiting_item item;

	ck_assert(cswaiting_take(waiting, left, &item));
	ck_assert_int_eq(item.kind, kind);
	ck_assert_uint_eq(item.value, value);
	ck_assert_int_eq(item.flag, flag);
}

/* The oldest ones go first; what is no instruction goes with those before it. */
START_TEST(in_order)
{
	struct cswaiting waiting = {0};
	struct cswaiting_item item;

	cswaiting_clear(&waiting, 1);
	add(&waiting, CSWAITING_TIME, 1);
	add(&waiting, CSWAITING_BRANCH, 2);
	add(&waiting, CSWAITING_ADDRESS, 3);
	add(&waiting, CSWAITING_BRANCH, 4);
	ck_assert_uint_eq(waiting.nr, 3);
	ck_assert(!cswaiting_take(&waiting, 3, &item));
	check_taken(&waiting, 2, CSWAITING_TIME, 1, true);
	ck_assert(!cswaiting_take(&waiting, 2, &item));
	check_taken(&waiting, 1, CSWAITING_BRANCH, 2, true);
	check_taken(&waiting, 1, CSWAITING_ADDRESS, 3, true);
	ck_assert(!cswaiting_take(&waiting, 1, &item));
	check_taken(&waiting, 0, CSWAITING_BRANCH, 4, true);
	ck_assert(!cswaiting_take(&waiting, 0, &item));
	/* It does not grow as items come and go. */
	for (uint64_t i = 0; i < 1000; i++) {
		add(&waiting, CSWAITING_BRANCH, i);
		if (i >= 3)
			check_taken(&waiting, 3, CSWAITING_BRANCH, i - 3, true);
	}
	ck_assert_uint_le(waiting.room, 64);
	cswaiting_free(&waiting);
}
END_TEST

/* Cancelled instructions take with them what came behind them, but for clocks. */
START_TEST(cancelled)
{
	struct cswaiting waiting = {0};

	cswaiting_clear(&waiting, 2);
	add(&waiting, CSWAITING_BRANCH, 1);
	add(&waiting, CSWAITING_MODE, 2);
	add(&waiting, CSWAITING_BRANCH, 3);
	add(&waiting, CSWAITING_ADDRESS, 4);
	add(&waiting, CSWAITING_TIME, 5);
	ck_assert(!cswaiting_cancel(&waiting, 5));
	ck_assert(cswaiting_cancel(&waiting, 1));
	ck_assert_uint_eq(waiting.nr, 3);
	check_taken(&waiting, 0, CSWAITING_BRANCH, 1, true);
	check_taken(&waiting, 0, CSWAITING_MODE, 2, true);
	check_taken(&waiting, 0, CSWAITING_TIME, 5, true);
	cswaiting_clear(&waiting, 2);
	add(&waiting, CSWAITING_BRANCH, 6);
	ck_assert(cswaiting_cancel(&waiting, 2));
	ck_assert(waiting.nr == 1 && waiting.nr_unseen == 1 && waiting.end == 0);
	cswaiting_free(&waiting);
}
END_TEST

START_TEST(turned)
{
	struct cswaiting waiting = {0};

	ck_assert(!cswaiting_turn(&waiting));
	cswaiting_clear(&waiting, 1);
	ck_assert(cswaiting_turn(&waiting));
	add(&waiting, CSWAITING_BRANCH, 1);
	add(&waiting, CSWAITING_BRANCH, 2);
	add(&waiting, CSWAITING_ADDRESS, 3);
	add(&waiting, CSWAITING_CYCLES, 4);
	ck_assert(cswaiting_turn(&waiting));
	check_taken(&waiting, 0, CSWAITING_BRANCH, 1, true);
	check_taken(&waiting, 0, CSWAITING_BRANCH, 2, false);
	check_taken(&waiting, 0, CSWAITING_CYCLES, 4, true);
	cswaiting_free(&waiting);
}
END_TEST

/* A branch behind which so much waits is not looked for: each packet could cost that. */
START_TEST(turned_too_late)
{
	struct cswaiting waiting = {0};

	cswaiting_clear(&waiting, 1);
	add(&waiting, CSWAITING_BRANCH, 1);
	for (uint64_t i = 0; i < 1023; i++)
		add(&waiting, CSWAITING_TIME, i);
	ck_assert(cswaiting_turn(&waiting));
	add(&waiting, CSWAITING_TIME, 1023);
	ck_assert(!cswaiting_turn(&waiting));
	check_taken(&waiting, 0, CSWAITING_BRANCH, 1, false);
	cswaiting_free(&waiting);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("cspacket");
	TCase *tcase = tcase_create("etm4"), *of_ete = tcase_create("ete");

	tcase_add_checked_fixture(tcase, set_up, NULL);
	tcase_add_test(tcase, atoms);
	tcase_add_test(tcase, addresses);
	tcase_add_test(tcase, contexts);
	tcase_add_test(tcase, clocks);
	tcase_add_test(tcase, others);
	tcase_add_test(tcase, endless);
	tcase_add_loop_test(tcase, branch, 0, sizeof(branches) / sizeof(branches[0]));
	tcase_add_test(tcase, in_order);
	tcase_add_test(tcase, cancelled);
	tcase_add_test(tcase, turned);
	tcase_add_test(tcase, turned_too_late);
	suite_add_tcase(suite, tcase);
	tcase_add_checked_fixture(of_ete, set_up_ete, NULL);
	tcase_add_test(of_ete, ete);
	tcase_add_test(of_ete, marker);
	suite_add_tcase(suite, of_ete);
	return suite_run(suite);
}
