/* DWARF expressions of call frame information: each operator, limits, and damage. */
#include "decode/stack/unwind/unwindexpr.h"
#include "tests/support/suite.h"
#include "util/leb.h"

#include <check.h>
#include <dwarf.h>
#include <string.h>

/* Bytes and their number. */
#define CODE(...)                                                     \
	{                                                             \
		{__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}) \
	}

#define BASE UINT64_C(0x7fff0000)

enum { STACK_BYTES = 20 };

static const bool swap = __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__;

struct code {
	uint8_t bytes[80];
	size_t len;
};

/* Byte N of the stack is 0x80 + N; R7 is its address, R6 -1, R8 is not known. */
static enum unwind_expr_end evaluate(const uint8_t *bytes, size_t len, uint8_t word, bool swapped,
				     const uint64_t *first, uint64_t *value)
{
	struct unwind_regs regs = {.pc = 0x1000};
	struct unwind_stack stack = {.size = STACK_BYTES, .base = BASE, .word = word};
	uint8_t dump[STACK_BYTES];

	for (size_t i = 0; i < STACK_BYTES; i++)
		dump[i] = (uint8_t)(0x80 + i);
	stack.bytes = dump;
	stack.swap = swapped;
	regs.values[7] = BASE;
	regs.values[6] = UINT64_MAX;
	regs.values[65] = 65;
	regs.known[6] = regs.known[7] = regs.known[65] = true;
	return unwind_expr(span_make(bytes, len, swap), &regs, &stack, first, value);
}

enum { OK = UNWIND_EXPR_VALUE, CUT = UNWIND_EXPR_CUT, BAD = UNWIND_EXPR_BAD };

#define ALL	 UINT64_MAX
#define LIT(n)	 (DW_OP_lit0 + (n))
#define MINUS(n) DW_OP_const1s, 0x100 - (n)

static const struct {
	struct code code;
	int end;
	uint64_t of_8, of_4; /* the value with words of so many bytes */
} expressions[] = {
	/* constants */
	{CODE(LIT(0)), OK, 0, 0},
	{CODE(LIT(31)), OK, 31, 31},
	{CODE(DW_OP_const1u, 0xfe), OK, 0xfe, 0xfe},
	{CODE(DW_OP_const1s, 0xfe), OK, ALL - 1, 0xfffffffe},
	{CODE(DW_OP_const2u, 0xfe, 0xff), OK, 0xfffe, 0xfffe},
	{CODE(DW_OP_const2s, 0xfe, 0xff), OK, ALL - 1, 0xfffffffe},
	{CODE(DW_OP_const4u, 0xfe, 0xff, 0xff, 0xff), OK, 0xfffffffe, 0xfffffffe},
	{CODE(DW_OP_const4s, 0xfe, 0xff, 0xff, 0xff), OK, ALL - 1, 0xfffffffe},
	{CODE(DW_OP_const8u, 1, 2, 3, 4, 5, 6, 7, 8), OK, 0x0807060504030201, 0x04030201},
	{CODE(DW_OP_const8s, 1, 2, 3, 4, 5, 6, 7, 8), OK, 0x0807060504030201, 0x04030201},
	{CODE(DW_OP_constu, 0x80, 2), OK, 0x100, 0x100},
	{CODE(DW_OP_consts, 0x7e), OK, ALL - 1, 0xfffffffe},
	/* registers */
	{CODE(DW_OP_breg7, 8), OK, BASE + 8, BASE + 8},
	{CODE(DW_OP_breg7, 0x78), OK, BASE - 8, BASE - 8},
	{CODE(DW_OP_breg6, 1), OK, 0, 0},
	{CODE(DW_OP_bregx, 65, 1), OK, 66, 66},
	{CODE(DW_OP_breg8, 0), BAD, 0, 0},
	{CODE(DW_OP_bregx, 66, 0), BAD, 0, 0},
	/* memory */
	{CODE(DW_OP_breg7, 0, DW_OP_deref), OK, 0x8786858483828180, 0x83828180},
	{CODE(DW_OP_breg7, 8, DW_OP_deref), OK, 0x8f8e8d8c8b8a8988, 0x8b8a8988},
	{CODE(DW_OP_breg7, 0, DW_OP_deref_size, 1), OK, 0x80, 0x80},
	{CODE(DW_OP_breg7, 0, DW_OP_deref_size, 2), OK, 0x8180, 0x8180},
	{CODE(DW_OP_breg7, 16, DW_OP_deref_size, 4), OK, 0x93929190, 0x93929190},
	{CODE(DW_OP_breg7, 19, DW_OP_deref_size, 1), OK, 0x93, 0x93},
	{CODE(DW_OP_breg7, 19, DW_OP_deref_size, 2), CUT, 0, 0},
	{CODE(DW_OP_breg7, 17, DW_OP_deref), CUT, 0, 0},
	{CODE(DW_OP_breg7, 40, DW_OP_deref), CUT, 0, 0},
	{CODE(DW_OP_breg7, 0x7f, DW_OP_deref), BAD, 0, 0},
	{CODE(DW_OP_breg7, 0, DW_OP_deref_size, 0), BAD, 0, 0},
	{CODE(DW_OP_breg7, 0, DW_OP_deref_size, 3), BAD, 0, 0},
	{CODE(DW_OP_breg7, 0, DW_OP_deref_size, 16), BAD, 0, 0},
	/* the order of the stack */
	{CODE(LIT(3), DW_OP_dup, DW_OP_plus), OK, 6, 6},
	{CODE(LIT(3), LIT(4), DW_OP_drop), OK, 3, 3},
	{CODE(LIT(9), LIT(4), DW_OP_over, DW_OP_minus, DW_OP_plus), OK, 4, 4},
	{CODE(LIT(1), LIT(2), LIT(3), DW_OP_pick, 2), OK, 1, 1},
	{CODE(LIT(1), LIT(2), LIT(3), DW_OP_pick, 0), OK, 3, 3},
	{CODE(LIT(1), LIT(2), LIT(3), DW_OP_pick, 3), BAD, 0, 0},
	{CODE(LIT(1), LIT(3), DW_OP_swap, DW_OP_minus), OK, 2, 2},
	/* 1 2 3 becomes 3 1 2: 3 - (1 - 2) */
	{CODE(LIT(1), LIT(2), LIT(3), DW_OP_rot, DW_OP_minus, DW_OP_minus), OK, 4, 4},
	{CODE(DW_OP_dup), BAD, 0, 0},
	{CODE(DW_OP_drop), BAD, 0, 0},
	{CODE(LIT(1), DW_OP_over), BAD, 0, 0},
	{CODE(LIT(1), DW_OP_swap), BAD, 0, 0},
	{CODE(LIT(1), LIT(2), DW_OP_rot), BAD, 0, 0},
	/* arithmetic */
	{CODE(MINUS(5), DW_OP_abs), OK, 5, 5},
	{CODE(LIT(5), DW_OP_abs), OK, 5, 5},
	{CODE(LIT(5), DW_OP_neg), OK, ALL - 4, 0xfffffffb},
	{CODE(LIT(5), DW_OP_not), OK, ALL - 5, 0xfffffffa},
	{CODE(LIT(12), LIT(10), DW_OP_and), OK, 8, 8},
	{CODE(LIT(12), LIT(10), DW_OP_or), OK, 14, 14},
	{CODE(LIT(12), LIT(10), DW_OP_xor), OK, 6, 6},
	{CODE(LIT(12), LIT(10), DW_OP_plus), OK, 22, 22},
	{CODE(LIT(10), LIT(12), DW_OP_minus), OK, ALL - 1, 0xfffffffe},
	{CODE(LIT(12), MINUS(2), DW_OP_mul), OK, ALL - 23, 0xffffffe8},
	{CODE(MINUS(12), LIT(5), DW_OP_div), OK, ALL - 1, 0xfffffffe},
	{CODE(LIT(12), LIT(0), DW_OP_div), BAD, 0, 0},
	{CODE(LIT(12), LIT(5), DW_OP_mod), OK, 2, 2},
	{CODE(MINUS(1), LIT(16), DW_OP_mod), OK, 15, 15},
	{CODE(LIT(12), LIT(0), DW_OP_mod), BAD, 0, 0},
	{CODE(LIT(1), DW_OP_plus_uconst, 0x80, 2), OK, 0x101, 0x101},
	{CODE(DW_OP_plus_uconst, 1), BAD, 0, 0},
	{CODE(LIT(3), LIT(4), DW_OP_shl), OK, 48, 48},
	{CODE(LIT(3), DW_OP_const1u, 64, DW_OP_shl), OK, 0, 0},
	{CODE(LIT(3), DW_OP_const1u, 31, DW_OP_shl), OK, 0x180000000, 0x80000000},
	{CODE(MINUS(1), LIT(4), DW_OP_shr), OK, ALL >> 4, 0x0fffffff},
	{CODE(MINUS(1), DW_OP_const1u, 64, DW_OP_shr), OK, 0, 0},
	{CODE(MINUS(16), LIT(2), DW_OP_shra), OK, ALL - 3, 0xfffffffc},
	{CODE(MINUS(16), DW_OP_const1u, 200, DW_OP_shra), OK, ALL, 0xffffffff},
	{CODE(LIT(16), DW_OP_const1u, 200, DW_OP_shra), OK, 0, 0},
	{CODE(LIT(1), DW_OP_plus), BAD, 0, 0},
	/* comparisons have a sign */
	{CODE(LIT(1), LIT(1), DW_OP_eq, LIT(1), LIT(2), DW_OP_eq, DW_OP_minus), OK, 1, 1},
	{CODE(LIT(1), LIT(1), DW_OP_ne, LIT(1), LIT(2), DW_OP_ne, DW_OP_plus), OK, 1, 1},
	{CODE(MINUS(1), LIT(1), DW_OP_lt), OK, 1, 1},
	{CODE(MINUS(1), LIT(1), DW_OP_le), OK, 1, 1},
	{CODE(MINUS(1), LIT(1), DW_OP_gt), OK, 0, 0},
	{CODE(MINUS(1), LIT(1), DW_OP_ge), OK, 0, 0},
	{CODE(LIT(1), LIT(1), DW_OP_lt), OK, 0, 0},
	{CODE(LIT(1), LIT(1), DW_OP_le), OK, 1, 1},
	{CODE(LIT(1), LIT(1), DW_OP_gt), OK, 0, 0},
	{CODE(LIT(1), LIT(1), DW_OP_ge), OK, 1, 1},
	/* jumps */
	{CODE(LIT(1), DW_OP_skip, 1, 0, LIT(2), DW_OP_nop), OK, 1, 1},
	{CODE(LIT(1), DW_OP_skip, 0, 0), OK, 1, 1},
	{CODE(LIT(1), DW_OP_skip, 1, 0), BAD, 0, 0},
	{CODE(LIT(1), DW_OP_skip, 0xf0, 0xff), BAD, 0, 0},
	{CODE(LIT(1), DW_OP_skip, 0), BAD, 0, 0},
	{CODE(LIT(1), DW_OP_skip), BAD, 0, 0},
	{CODE(LIT(7), LIT(1), DW_OP_bra, 1, 0, LIT(2)), OK, 7, 7},
	{CODE(LIT(7), LIT(0), DW_OP_bra, 1, 0, LIT(2)), OK, 2, 2},
	{CODE(LIT(7), LIT(1), DW_OP_bra, 0), BAD, 0, 0},
	/* 5, 4, ... 0: a loop that ends */
	{CODE(LIT(5), LIT(1), DW_OP_minus, DW_OP_dup, DW_OP_bra, 0xfa, 0xff), OK, 0, 0},
	/* loops that do not */
	{CODE(LIT(1), DW_OP_skip, 0xfd, 0xff), BAD, 0, 0},
	{CODE(LIT(1), DW_OP_bra, 0xfc, 0xff), BAD, 0, 0},
	{CODE(DW_OP_breg7, 0, DW_OP_skip, 0xfb, 0xff), BAD, 0, 0},
	/* nothing, operators of no CFI, cut off */
	{{.len = 0}, BAD, 0, 0},
	{CODE(DW_OP_nop), BAD, 0, 0},
	{CODE(DW_OP_reg7), BAD, 0, 0},
	{CODE(LIT(1), DW_OP_xderef), BAD, 0, 0},
	{CODE(DW_OP_call_frame_cfa), BAD, 0, 0},
	{CODE(LIT(1), DW_OP_stack_value), BAD, 0, 0},
	{CODE(0), BAD, 0, 0},
	{CODE(DW_OP_const2u, 1), BAD, 0, 0},
	{CODE(DW_OP_breg7), BAD, 0, 0},
	/* the entry of a procedure linkage table, had R7 been the PC */
	{CODE(DW_OP_breg7, 8, DW_OP_bregx, 65, 10, LIT(15), DW_OP_and, LIT(11), DW_OP_ge, LIT(3),
	      DW_OP_shl, DW_OP_plus),
	 OK, BASE + 16, BASE + 16},
};

START_TEST(operators)
{
	const struct code *code = &expressions[_i].code;
	uint64_t value = 0;

	for (uint8_t word = 4; word <= 8; word += 4) {
		ck_assert_int_eq(evaluate(code->bytes, code->len, word, swap, NULL, &value),
				 expressions[_i].end);
		if (expressions[_i].end == OK)
			ck_assert_uint_eq(value,
					  word == 8 ? expressions[_i].of_8 : expressions[_i].of_4);
	}
}
END_TEST

/* Memory in the other byte order: the part that is asked for is turned round. */
START_TEST(memory_of_another_byte_order)
{
	static const uint8_t word[] = {DW_OP_breg7, 0, DW_OP_deref},
			     half[] = {DW_OP_breg7, 0, DW_OP_deref_size, 2};
	uint64_t value;

	ck_assert_int_eq(evaluate(word, sizeof(word), 8, !swap, NULL, &value), OK);
	ck_assert_uint_eq(value, 0x8081828384858687);
	ck_assert_int_eq(evaluate(half, sizeof(half), 8, !swap, NULL, &value), OK);
	ck_assert_uint_eq(value, 0x8081);
}
END_TEST

START_TEST(addresses)
{
	static const uint8_t code[] = {DW_OP_addr, 1,	      2,	 3,	   4,
				       DW_OP_nop,  DW_OP_nop, DW_OP_nop, DW_OP_nop};
	uint64_t value;

	ck_assert_int_eq(evaluate(code, sizeof(code), 8, swap, NULL, &value), OK);
	ck_assert_uint_eq(value, 0x9696969604030201);
	ck_assert_int_eq(evaluate(code, sizeof(code), 4, swap, NULL, &value), OK);
	ck_assert_uint_eq(value, 0x04030201);
}
END_TEST

/* The stack begins with what it is given. */
START_TEST(a_first_value)
{
	static const uint8_t code[] = {DW_OP_plus_uconst, 8};
	const uint64_t first = 0x100;
	uint64_t value;

	ck_assert_int_eq(evaluate(code, sizeof(code), 8, swap, &first, &value), OK);
	ck_assert_uint_eq(value, 0x108);
	ck_assert_int_eq(evaluate(code, 0, 8, swap, &first, &value), OK);
	ck_assert_uint_eq(value, 0x100);
}
END_TEST

/* 64 values and 1000 steps are what there is room and time for. */
START_TEST(limits)
{
	uint8_t code[1002];
	uint64_t value;

	memset(code, LIT(1), sizeof(code));
	ck_assert_int_eq(evaluate(code, 64, 8, swap, NULL, &value), OK);
	ck_assert_int_eq(evaluate(code, 65, 8, swap, NULL, &value), BAD);
	memset(code + 1, DW_OP_nop, sizeof(code) - 1);
	ck_assert_int_eq(evaluate(code, 1000, 8, swap, NULL, &value), OK);
	ck_assert_int_eq(evaluate(code, 1001, 8, swap, NULL, &value), BAD);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("unwindexpr");
	TCase *tcase = tcase_create("unwindexpr");

	tcase_add_loop_test(tcase, operators, 0, sizeof(expressions) / sizeof(expressions[0]));
	tcase_add_test(tcase, memory_of_another_byte_order);
	tcase_add_test(tcase, addresses);
	tcase_add_test(tcase, a_first_value);
	tcase_add_test(tcase, limits);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
