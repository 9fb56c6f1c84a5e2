/* Unwinding information in jitdumps: for the code that follows it, as V8 writes it. */
#include "decode/symbol/cfi/cfi.h"
#include "decode/symbol/jit/jitunwind.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"
#include "tests/writer/mkjit.h"

#include <check.h>
#include <dwarf.h>
#include <string.h>

enum { UNWINDING = 4, PREFIX = 16, CODE_BYTES = 20 };

/* A CIE and an FDE of a function of 20 bytes that lies 24 bytes, 4 of which fill up, before them.
 */
static const uint8_t eh_frame[] = {
	/* CIE: zR, factors 1 and -8, return address 16; addresses are 4 bytes, from where they are
	 */
	20, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b, DW_CFA_def_cfa, 7, 8,
	DW_CFA_offset | 16, 1, 0, 0,
	/* FDE: the function's start is 24 + 32 bytes before this field; after 4 bytes a push */
	20, 0, 0, 0, 28, 0, 0, 0, 0xc8, 0xff, 0xff, 0xff, CODE_BYTES, 0, 0, 0, 0,
	DW_CFA_advance_loc | 4, DW_CFA_def_cfa_offset, 16, 0, 0, 0, 0,
	/* the end */
	0, 0, 0, 0};

static struct mkjit dump;
static struct scratch_path dir;

static void setup(void)
{
	dump = (struct mkjit){0};
	dir = scratch_make();
	mkjit_header(&dump, 1, 0);
}

static void teardown(void)
{
	scratch_remove(dir.text);
}

/* @size and @hdr_size: what the record says of its bytes, which are those of .eh_frame and @filled
 * zeros. */
static void put_unwinding(uint64_t size, uint64_t hdr_size, size_t filled)
{
	const size_t at = dump.len + PREFIX;

	mkjit_record(&dump, UNWINDING, 1, 24 + sizeof(eh_frame) + filled);
	memcpy(dump.bytes + at, &size, 8);
	memcpy(dump.bytes + at + 8, &hdr_size, 8);
	memcpy(dump.bytes + at + 24, eh_frame, sizeof(eh_frame));
}

static uint64_t put_code(void)
{
	return mkjit_code(
		&dump,
		&(struct mkjit_code){.time = 2, .start = 0x1000, .size = CODE_BYTES, .name = "f"});
}

static struct jit_unwind *open_dump(void)
{
	struct scratch_path path = scratch_join(dir.text, "jit-1.dump");
	struct dso dso = {.kind = DSO_JITDUMP, .path = path.text};
	struct jit_unwind *jit;
	bool nomem = false;

	mkjit_save(&dump, path.text);
	jit = jit_unwind_open(&dso, &nomem);
	ck_assert_ptr_nonnull(jit);
	return jit;
}

/* The offset of the CFA at byte @place; 0 if nothing is known of it. */
static int64_t cfa_at(const struct jit_unwind *jit, uint64_t place)
{
	enum cfi_source source;
	struct cfi_row row;

	ck_assert(jit_unwind_find(jit, place, &row, &source));
	if (source == CFI_NONE)
		return 0;
	ck_assert_int_eq(source, CFI_EH_FRAME);
	ck_assert_int_eq(row.cfa.how, CFI_REGISTER);
	return row.cfa.offset;
}

START_TEST(code_behind_its_unwinding_information)
{
	struct jit_unwind *jit;
	uint64_t known, unknown;

	put_unwinding(sizeof(eh_frame) + 8, 8, 8);
	known = put_code();
	unknown = put_code(); /* it is for one only */
	jit = open_dump();
	ck_assert_int_eq(cfa_at(jit, known), 8);
	ck_assert_int_eq(cfa_at(jit, known + 3), 8);
	ck_assert_int_eq(cfa_at(jit, known + 4), 16);
	ck_assert_int_eq(cfa_at(jit, known + CODE_BYTES - 1), 16);
	ck_assert_int_eq(cfa_at(jit, known + CODE_BYTES), 0);
	ck_assert_int_eq(cfa_at(jit, known - 1), 0);
	ck_assert_int_eq(cfa_at(jit, unknown), 0);
	ck_assert_int_eq(cfa_at(jit, 0), 0);
	ck_assert_int_eq(cfa_at(jit, UINT64_MAX), 0);
	jit_unwind_close(jit);
}
END_TEST

/* Sizes that are none: of the header more than of all, of all more than is there. */
START_TEST(damaged_records)
{
	static const uint64_t sizes[][2] = {{8, 9},
					    {sizeof(eh_frame) + 1, 0},
					    {UINT64_MAX, 0},
					    {UINT64_MAX, UINT64_MAX},
					    {0, 0}};
	struct jit_unwind *jit;
	uint64_t code;

	put_unwinding(sizes[_i][0], sizes[_i][1], 0);
	code = put_code();
	jit = open_dump();
	ck_assert_int_eq(cfa_at(jit, code), 0);
	jit_unwind_close(jit);
}
END_TEST

/* Each address goes through it anew, so it may not be as long as a library's. */
START_TEST(too_much_for_one_function)
{
	struct jit_unwind *jit;
	uint64_t code;

	put_unwinding(sizeof(eh_frame) + 0x8000, 0, 0x8000);
	code = put_code();
	jit = open_dump();
	ck_assert_int_eq(cfa_at(jit, code), 0);
	jit_unwind_close(jit);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("jitunwind");
	TCase *tcase = tcase_create("jitunwind");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, code_behind_its_unwinding_information);
	tcase_add_loop_test(tcase, damaged_records, 0, 5);
	tcase_add_test(tcase, too_much_for_one_function);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
