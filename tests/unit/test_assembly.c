/* The instructions of places, and the code of functions with many samples, from a real binary. */
#include "decode/symbol/symbol.h"

#include "tests/support/machine.h"
#include "tests/support/suite.h"
#include "tests/support/toolchain.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

/* The file's bytes lie at this address. */
enum { FILE_AT = 0x400000 };

/* loop: at 0 dec, 3 jne 0, 5 call other, 10 a byte that is no instruction, 11 ret; size 12 */
static const char *const source = ".text\n.globl _start, loop, other\n"
				  ".type loop, @function\n.type other, @function\n"
				  "_start: jmp loop\n"
				  "loop:\n	dec %rdi\n	jne loop\n	call other\n"
				  "	.byte 0x06\n	ret\n.size loop, . - loop\n"
				  "other: .byte 0x48\n	nop\n	ret\n.size other, . - other\n";

struct program {
	struct scratch_path dir;
	struct symbol_settings settings;
	struct dso_table dsos;
	struct symbolizer *symbolizer;
	uint64_t loop, other; /* addresses */
};

static bool start(struct program *p)
{
	char name[32];

	if (!symbolizer_disassembler(name)) {
		machine_lacks("readperf was built without capstone");
		return false;
	}
#ifndef __x86_64__
	machine_lacks("this is no x86-64");
	return false;
#endif
	*p = (struct program){.dir = scratch_make()};
	p->settings = (struct symbol_settings){
		.demangle = DEMANGLE_FULL, .debug_dir = p->dir.text, .build_id_cache = p->dir.text};
	toolchain_build(p->dir.text, "x.s", source,
			"gcc -g -nostdlib -no-pie " TOOLCHAIN_FIXED " -o x x.s");
	p->loop = toolchain_address(p->dir.text, "x", "loop");
	p->other = toolchain_address(p->dir.text, "x", "other");
	p->symbolizer = symbolizer_create(&p->settings);
	return true;
}

static void end(struct program *p)
{
	symbolizer_destroy(p->symbolizer);
	dso_table_free(&p->dsos);
	scratch_remove(p->dir.text);
}

/* Looks up the @nr @places of the file @name with @details, which want what @wishes says. */
static void look_up(struct program *p, const char *name, struct place *places,
		    struct place_detail *details, size_t nr, unsigned wishes)
{
	struct dso *dso =
		dso_table_get(&p->dsos, DSO_USER, scratch_join(p->dir.text, name).text, NULL, 0);
	struct place_list list = {.dso = dso,
				  .places = places,
				  .nr_places = nr,
				  .details = details,
				  .wishes = WISH_DETAILS | wishes,
				  .nr_events = 1};
	struct error err;

	for (size_t i = 0; i < nr; i++)
		details[i].wanted = true;
	ck_assert_int_eq(symbolizer_resolve(p->symbolizer, &list, 1, NULL, NULL, &err), 0);
}

START_TEST(instructions_of_places)
{
	struct program p;
	struct place places[3] = {{0}};
	struct place_detail details[3] = {{0}};

	if (!start(&p))
		return;
	places[0].address = p.loop + 3 - FILE_AT;
	places[1].address = p.loop + 5 - FILE_AT;
	places[2].address = p.loop + 10 - FILE_AT;
	look_up(&p, "x", places, details, 3, WISH_INSTRUCTIONS);
	ck_assert_str_eq(strrchr(details[0].instruction, ' ') - 3, "jne 0x401002");
	ck_assert_str_eq(strchr(details[1].instruction, '<'), "<other>");
	ck_assert_str_eq(details[2].instruction, ".byte 0x06");
	ck_assert_ptr_null(details[0].code);
	ck_assert_str_eq(details[0].code_lack, "");
	ck_assert_uint_eq(details[0].code_start, p.loop);
	ck_assert_uint_eq(details[0].code_end, p.loop + 12);
	end(&p);
}
END_TEST

/* What nobody asks for is not read. */
START_TEST(nothing_without_a_wish)
{
	struct program p;
	struct place place = {0};
	struct place_detail detail = {.share = 1};

	if (!start(&p))
		return;
	place.address = p.loop - FILE_AT;
	look_up(&p, "x", &place, &detail, 1, 0);
	ck_assert_str_eq(detail.instruction, "");
	ck_assert_ptr_null(detail.code);
	end(&p);
}
END_TEST

START_TEST(code_of_a_function)
{
	struct program p;
	struct place places[2] = {{0}};
	struct place_detail details[2] = {{.share = 0.01}, {.share = 0.0001}};
	const struct code *code;

	if (!start(&p))
		return;
	places[0].address = p.loop + 3 - FILE_AT;
	places[1].address = p.other + 1 - FILE_AT;
	look_up(&p, "x", places, details, 2, WISH_CODE);
	code = details[0].code;
	ck_assert_ptr_nonnull(code);
	ck_assert_uint_eq(code->start, p.loop);
	ck_assert_uint_eq(code->end, p.loop + 12);
	ck_assert_uint_eq(code->nr, 5);
	ck_assert_str_eq(code->instructions[0].text, "decq %rdi");
	ck_assert_uint_eq(code->instructions[0].target, UINT64_MAX);
	ck_assert_uint_eq(code->instructions[0].line, 7);
	ck_assert_uint_eq(code->instructions[1].address, p.loop + 3);
	ck_assert_uint_eq(code->instructions[1].target, p.loop);
	ck_assert_uint_eq(code->instructions[2].target, UINT64_MAX);
	ck_assert_str_eq(code->instructions[4].text, "retq");
	ck_assert_str_eq(details[0].instruction, "");
	/* Its function has too small a part of the samples. */
	ck_assert_ptr_null(details[1].code);
	ck_assert_str_eq(details[1].code_lack, "few samples, or too large a function");
	end(&p);
}
END_TEST

/* 48 90 would be one instruction, but a sample shows that one starts at its second byte. */
START_TEST(samples_are_where_instructions_start)
{
	struct program p;
	struct place place = {0};
	struct place_detail detail = {.share = 1};

	if (!start(&p))
		return;
	place.address = p.other + 1 - FILE_AT;
	look_up(&p, "x", &place, &detail, 1, WISH_CODE);
	ck_assert_ptr_nonnull(detail.code);
	ck_assert_uint_eq(detail.code->nr, 3);
	ck_assert_str_eq(detail.code->instructions[0].text, ".byte 0x48");
	ck_assert_str_eq(detail.code->instructions[1].text, "nop");
	ck_assert_str_eq(detail.code->instructions[2].text, "retq");
	end(&p);
}
END_TEST

START_TEST(code_between_functions)
{
	struct program p;
	struct place place = {0};
	struct place_detail detail = {.share = 1};

	if (!start(&p))
		return;
	toolchain_run(p.dir.text, "strip --keep-symbol=other -o bare x");
	place.address = p.loop - FILE_AT;
	look_up(&p, "bare", &place, &detail, 1, WISH_CODE);
	ck_assert_ptr_null(detail.code);
	ck_assert_str_eq(detail.code_lack, "nothing says where its function begins and ends");
	end(&p);
}
END_TEST

/* Of a large function only what is near samples is kept. */
START_TEST(a_large_function)
{
	struct program p;
	struct place place = {0};
	struct place_detail detail = {.share = 1};

	if (!start(&p))
		return;
	toolchain_build(
		p.dir.text, "large.s",
		".text\n.globl _start\n.type _start, @function\n_start: .fill 10000, 1, 0x90\n"
		".size _start, . - _start\n",
		"gcc -nostdlib -no-pie " TOOLCHAIN_FIXED " -o large large.s");
	place.address = toolchain_address(p.dir.text, "large", "_start") + 5000 - FILE_AT;
	look_up(&p, "large", &place, &detail, 1, WISH_CODE);
	ck_assert_ptr_nonnull(detail.code);
	ck_assert_uint_eq(detail.code->nr, 512);
	ck_assert_uint_eq(detail.code->instructions[0].address, detail.code->start + 5000 - 255);
	end(&p);
}
END_TEST

START_TEST(why_there_is_no_code)
{
	static const struct {
		const char *name, *make, *why;
	} cases[] = {
		{"gone", "true", "the binary was not found"},
		{"debug", "objcopy --only-keep-debug x debug", "the binary was not found"},
	};
	struct program p;

	if (!start(&p))
		return;
	for (size_t i = 0; i < 2; i++) {
		struct place place = {.address = p.loop - FILE_AT};
		struct place_detail detail = {.share = 1};

		toolchain_run(p.dir.text, "%s", cases[i].make);
		look_up(&p, cases[i].name, &place, &detail, 1, WISH_CODE | WISH_INSTRUCTIONS);
		ck_assert_str_eq(detail.instruction, "");
		ck_assert_ptr_null(detail.code);
		ck_assert_str_eq(detail.code_lack, cases[i].why);
	}
	end(&p);
}
END_TEST

#define BUILD_ID                                                                      \
	".section .note.gnu.build-id, \"a\", %note\n.long 4, 20, 3\n.asciz \"GNU\"\n" \
	".byte 1, 2, 3\n.zero 17\n"

/* A module's file was never linked: relocations tell what its operands are. At 0 call *outside,
 * 5 call inside, 10 mov data+8(%rip), 17 a store of an address to data, 28 mov $.rodata+4, 35 jmp
 * far, 40 the other one */
static const char *const module =
	".text\n.globl work, inside, data\n.type work, @function\n.type inside, @function\n"
	"work:\n	call outside\n	call inside\n	mov data+8(%rip), %rax\n"
	"	movq $work, data(%rip)\n	mov $.rodata+4, %rdi\n	jmp far\n"
	".size work, . - work\n"
	"inside:\n	jmp work + 5\n.size inside, . - inside\n"
	".section .text.unlikely, \"ax\", @progbits\n.type far, @function\nfar: ret\n"
	".size far, . - far\n"
	".section .init.text, \"ax\", @progbits\n.globl once\nonce: ret\n"
	".data\ndata: .quad 0, once\n"
	".section .rodata\n.quad 0\n" BUILD_ID;

enum { MODULE_BYTES = 0x4000, ID_BYTES = 20 };
static const uint64_t module_at = 0xffffffffc0450000;

/* The module in the root directory /, which is the test's. */
static struct dso *module_of(struct program *p, const char *path)
{
	static const uint8_t id[ID_BYTES] = {1, 2, 3};
	struct dso *dso = dso_table_get(&p->dsos, DSO_MODULE, path, id, ID_BYTES);

	symbolizer_destroy(p->symbolizer);
	p->settings.symfs = p->dir.text;
	p->symbolizer = symbolizer_create(&p->settings);
	dso->start = module_at;
	dso->end = module_at + MODULE_BYTES;
	return dso;
}

/* Reads the code at the start of the module /m.ko. */
static const struct code *read_module(struct program *p, struct place_detail *detail)
{
	struct place place = {.address = module_at + detail->offset};
	struct place_list list = {.dso = module_of(p, "/m.ko"),
				  .places = &place,
				  .nr_places = 1,
				  .details = detail,
				  .wishes = WISH_DETAILS | WISH_CODE | WISH_INSTRUCTIONS,
				  .nr_events = 1};
	struct error err;

	detail->wanted = true;
	detail->share = 1;
	ck_assert_int_eq(symbolizer_resolve(p->symbolizer, &list, 1, NULL, NULL, &err), 0);
	ck_assert_str_eq(detail->code_lack, "");
	ck_assert_ptr_nonnull(detail->code);
	ck_assert_uint_eq(detail->code->start, module_at);
	return detail->code;
}

START_TEST(code_of_a_module)
{
	static const struct {
		uint64_t offset;
		const char *text;
	} cases[] = {
		{0, "callq <outside>"},
		{5, "callq 0xffffffffc0450028 <inside>"},
		{10, "movq (%rip), %rax <data+0x8>"},
		{17, "movq $0, (%rip) <data> <work>"},
		{28, "movq $0, %rdi <.rodata+0x4>"},
		{35, "jmp 0xffffffffc045002a <far>"},
	};
	struct program p;
	struct place_detail detail = {.offset = 5};
	const struct code *code;

	if (!start(&p))
		return;
	toolchain_build(p.dir.text, "m.s", module, "gcc -c -o m.ko m.s");
	code = read_module(&p, &detail);
	ck_assert_str_eq(detail.instruction, cases[1].text);
	ck_assert_uint_eq(code->nr, 6);
	for (size_t i = 0; i < 6; i++) {
		ck_assert_uint_eq(code->instructions[i].address, module_at + cases[i].offset);
		ck_assert_str_eq(code->instructions[i].text, cases[i].text);
	}
	end(&p);
}
END_TEST

/* Calls of what is outside, and of what is further on in the module. */
static const struct {
	const char *target, *code, *texts[3];
} others[] = {
	{"aarch64-linux-gnu",
	 "	bl outside\n	cbz x3, far\n	add x0, x0, :lo12:data\n",
	 {"bl <outside>", "cbz x3, #0xffffffffc045000c <far>", "add x0, x0, #0 <data>"}},
	{"s390x-linux-gnu",
	 "	brasl %r14, outside\n	brasl %r14, far\n	br %r14\n",
	 {"brasl %r14, <outside>", "brasl %r14, 0xffffffffc045000e <far>", "br %r14"}},
};

START_TEST(code_of_a_module_for_another_machine)
{
	struct program p;
	struct place_detail detail = {0};
	const struct code *code;
	char text[1024];

	if (!machine_has("clang") || !start(&p))
		return;
	snprintf(text, sizeof(text),
		 ".text\n.globl far\n.type work, @function\nwork:\n%s"
		 ".size work, . - work\nfar: .long 0\n%s",
		 others[_i].code, BUILD_ID);
	toolchain_build(p.dir.text, "m.s", text, "clang --target=%s -c -o m.ko m.s",
			others[_i].target);
	code = read_module(&p, &detail);
	ck_assert_uint_eq(code->nr, 3);
	for (size_t i = 0; i < 3; i++)
		ck_assert_str_eq(code->instructions[i].text, others[_i].texts[i]);
	end(&p);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("assembly");
	TCase *tcase = tcase_create("instructions");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, instructions_of_places);
	tcase_add_test(tcase, nothing_without_a_wish);
	tcase_add_test(tcase, code_of_a_function);
	tcase_add_test(tcase, samples_are_where_instructions_start);
	tcase_add_test(tcase, code_between_functions);
	tcase_add_test(tcase, a_large_function);
	tcase_add_test(tcase, why_there_is_no_code);
	tcase_add_test(tcase, code_of_a_module);
	tcase_add_loop_test(tcase, code_of_a_module_for_another_machine, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
