/* Which bytes before an address are a call that returns to it. */
#include "decode/stack/unwind/unwindcall.h"
#include "tests/support/suite.h"

#include <check.h>
#include <elf.h>
#include <string.h>

/* What is before the address, ending there; the last byte is at it. */
struct code {
	uint8_t bytes[UNWIND_CALL_BYTES];
	unsigned nr; /* of the bytes */
	bool is_call;
};

static const struct code codes[] = {
	{{0xe8, 1, 2, 3, 4, 0x55}, 6, true},		     /* call 0x4030201 */
	{{0xff, 0xd0, 0x55}, 3, true},			     /* call *%rax */
	{{0xff, 0xd7, 0x55}, 3, true},			     /* call *%rdi */
	{{0xff, 0x13, 0x55}, 3, true},			     /* call *(%rbx) */
	{{0xff, 0x14, 0xc3, 0x55}, 4, true},		     /* call *(%rbx,%rax,8) */
	{{0xff, 0x53, 0x10, 0x55}, 4, true},		     /* call *16(%rbx) */
	{{0xff, 0x54, 0x24, 0x10, 0x55}, 5, true},	     /* call *16(%rsp) */
	{{0xff, 0x15, 1, 2, 3, 4, 0x55}, 7, true},	     /* call *0x4030201(%rip) */
	{{0xff, 0x93, 1, 2, 3, 4, 0x55}, 7, true},	     /* call *0x4030201(%rbx) */
	{{0xff, 0x94, 0x24, 1, 2, 3, 4, 0x55}, 8, true},     /* call *0x4030201(%rsp) */
	{{0xff, 0x14, 0xc5, 1, 2, 3, 4, 0x55}, 8, true},     /* call *0x4030201(,%rax,8) */
	{{0x90, 0xe8}, 2, true},			     /* nop, then call: goexit() of Go */
	{{0xff, 0xe0, 0x55}, 3, false},			     /* jmp *%rax */
	{{0xff, 0x23, 0x55}, 3, false},			     /* jmp *(%rbx) */
	{{0xff, 0x15, 1, 2, 3, 0x55}, 6, false},	     /* a byte too early */
	{{0xff, 0xd0, 0x90, 0x55}, 4, false},		     /* a byte too late */
	{{0x14, 0xc5, 1, 2, 3, 4, 0x55}, 7, false},	     /* the rest of one */
	{{0xe9, 1, 2, 3, 4, 0x55}, 6, false},		     /* jmp 0x4030201 */
	{{0xc3, 0x0f, 0x1f, 0x44, 0, 0, 0x55}, 7, false},    /* ret, padding */
	{{0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0xe8}, 7, false}, /* padding of several bytes */
	{{0xc3, 0x90, 0x55}, 3, false},			     /* ret, padding */
};

START_TEST(calls_and_others)
{
	const struct code *code = &codes[_i];
	uint8_t bytes[UNWIND_CALL_BYTES] = {0};

	memcpy(bytes + UNWIND_CALL_BYTES - code->nr, code->bytes, code->nr);
	ck_assert(unwind_call_returns(bytes + UNWIND_CALL_BEFORE) == code->is_call);
}
END_TEST

START_TEST(machines)
{
	ck_assert(unwind_call_knows(unwind_arch_of(EM_X86_64)));
	ck_assert(unwind_call_knows(unwind_arch_of(EM_386)));
	ck_assert(!unwind_call_knows(unwind_arch_of(EM_AARCH64)));
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("unwindcall");
	TCase *tc = tcase_create("unwindcall");

	tcase_add_loop_test(tc, calls_and_others, 0, sizeof(codes) / sizeof(codes[0]));
	tcase_add_test(tc, machines);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
