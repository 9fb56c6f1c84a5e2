/* Stubs of the procedure linkage table: their code, and the names that they get. See test_elf.c. */
#include "decode/symbol/elf/elfsym.h"
#include "decode/symbol/elf/plt.h"
#include "decode/symbol/elf/stubcode.h"
#include "tests/support/machine.h"
#include "tests/support/suite.h"
#include "tests/support/toolchain.h"

#include <check.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* What linkers made; the slots are those of the relocations. */
static const struct {
	uint16_t machine;
	uint64_t address, got_address;
	const char *code; /* hexadecimal */
	size_t size;	  /* 0: no stub */
	uint64_t slot;
} codes[] = {
	/* jmp *0xa4fe2(%rip) */
	{EM_X86_64, 0x401018, 0, "ff25e24f0a006690", 6, 0x4a6000},
	/* endbr64; bnd jmp *0x2fbd(%rip) */
	{EM_X86_64, 0x1050, 0, "f30f1efaf2ff25bd2f00000f1f440000", 11, 0x4018},
	/* push; jmp: the first entry */
	{EM_X86_64, 0x1020, 0, "ff35e22f0000ff25e42f00000f1f4000", 0, 0},
	/* %ebx has nothing to do with it */
	{EM_X86_64, 0x1010, 0x3ff4, "ffa30c000000680000000000e9e0ffff", 0, 0},
	{EM_386, 0x1010, 0x3ff4, "ffa30c0000006800000000e9e0ffffff", 6, 0x4000},
	{EM_386, 0x1030, 0x3ff4, "ffa3fcffffff6690", 6, 0x3ff0},
	{EM_386, 0x1040, 0x3ff4, "f30f1efbffa30c000000660f1f440000", 10, 0x4000},
	{EM_386, 0x8049030, 0x804bff4, "ff2500c004086800000000e9e0ffffff", 6, 0x804c000},
	{EM_386, 0x8049070, 0x804bfe0, "f30f1efbff25ecbf0408660f1f440000", 10, 0x804bfec},
	{EM_386, 0xf7049030, 0, "ff2500c004f86800000000e9e0ffffff", 6, 0xf804c000},
	{EM_386, 0x1000, 0x3ff4, "ffb304000000ffa30800000000000000", 0, 0},
	{EM_386, 0x1010, 0x3ff4, "ffa30c0000", 0, 0},
	/* lld: adrp, ldr, add, br */
	{EM_AARCH64, 0x10450, 0, "10010090 11c642f9 10221691 20021fd6", 16, 0x30588},
	/* adrp back by a page */
	{EM_AARCH64, 0x10450, 0, "f0fffff0 11c642f9 10221691 20021fd6", 16, 0xf588},
	/* with autia1716 */
	{EM_AARCH64, 0x104f0, 0, "10010090 113243f9 10821991 9f2103d5 20021fd6", 20, 0x30660},
	/* bti c before it */
	{EM_AARCH64, 0x10ffc, 0, "5f2403d5 10010090 113243f9 10821991 9f2103d5 20021fd6", 24,
	 0x31660},
	{EM_AARCH64, 0x10430, 0, "f07bbfa9 10010090 11c242f9 10021691", 0, 0},
	{EM_AARCH64, 0x10450, 0, "10010090 11c642f9 10221691", 0, 0},
	/* GNU ld: add ip, pc, #0, 12; add ip, ip, #1, 20; ldr pc, [ip, #0xdc4]! */
	{EM_ARM, 0x240, 0, "00c68fe2 01ca8ce2 c4fdbce5", 12, 0x200c},
	/* lld */
	{EM_ARM, 0x102e0, 0, "00c68fe2 20ca8ce2 acf0bce5 d4d4d4d4", 12, 0x30394},
	/* for callers in Thumb code, whose linker may write a branch for the nop */
	{EM_ARM, 0x23c, 0, "7847c046 00c68fe2 01ca8ce2 c4fdbce5", 16, 0x200c},
	{EM_ARM, 0x23c, 0, "7847fde7 00c68fe2 01ca8ce2 c4fdbce5", 16, 0x200c},
	/* --long-plt */
	{EM_ARM, 0x240, 0, "02c28fe2 00c68ce2 01ca8ce2 c4fdbce5", 16, 0x2000200c},
	{EM_ARM, 0x22c, 0, "04e02de5 04e09fe5 0ee08fe0 08f0bee5 c41d0000", 0, 0},
	{EM_ARM, 0x240, 0, "00c68fe2 01ca8ce2", 0, 0},
	{EM_RISCV, 0x370, 0, "172e0000 033e0eca 67030e00 13000000", 16, 0x2010},
	{EM_RISCV, 0x1410, 0, "172e0000 033e8e13 67030e00 13000000", 16, 0x3548},
	{EM_RISCV, 0x12d0, 0, "172e0000 032e4e0b 67030e00 13000000", 16, 0x3384},
	/* back by two pages */
	{EM_RISCV, 0x5370, 0, "17eeffff 033e0e00 67030e00 13000000", 16, 0x3370},
	{EM_RISCV, 0x350, 0, "97230000 3303c341 03be03cb 130343fd", 0, 0},
	{EM_RISCV, 0x370, 0, "172e0000 033e0eca", 0, 0},
	{EM_MIPS, 0x370, 0, "172e0000 033e0eca 67030e00 13000000", 0, 0},
};

/* Returns the number of bytes that @text has, which are put to @bytes. */
static size_t parse(const char *text, uint8_t *bytes)
{
	size_t nr = 0;

	for (; *text; text++) {
		char digits[3] = {text[0], text[1], '\0'};

		if (*text == ' ')
			continue;
		bytes[nr++] = (uint8_t)strtoul(digits, NULL, 16);
		text++;
	}
	return nr;
}

START_TEST(code)
{
	uint8_t bytes[32];
	size_t nr = parse(codes[_i].code, bytes);
	struct stubcode at = {
		.machine = codes[_i].machine,
		.code = span_make(bytes, nr, false),
		.address = codes[_i].address,
		.got_address = codes[_i].got_address,
	};
	uint64_t slot = 0;

	ck_assert_uint_eq(stubcode_slot(&at, &slot), codes[_i].size);
	if (codes[_i].size)
		ck_assert_uint_eq(slot, codes[_i].slot);
}
END_TEST

/* endbr; push $2 on x86-64, where i386 pushes the offset of the third relocation. */
START_TEST(a_lazy_stub_says_its_relocation)
{
	static const uint8_t x86_64[] = "\xf3\x0f\x1e\xfa\x68\x02\0\0\0\xf2\xe9\xd1\xff\xff\xff";
	static const uint8_t i386[] = "\xf3\x0f\x1e\xfb\x68\x10\0\0\0\xe9\xd2\xff\xff\xff";
	struct stubcode at = {.machine = EM_X86_64, .code = span_make(x86_64, 15, false)};
	uint32_t index = 0;

	ck_assert(stubcode_index(&at, &index));
	ck_assert_uint_eq(index, 2);
	at = (struct stubcode){.machine = EM_386, .code = span_make(i386, 14, false)};
	index = 0;
	ck_assert(stubcode_index(&at, &index));
	ck_assert_uint_eq(index, 2);
	at.code = span_make(i386, 8, false);
	ck_assert(!stubcode_index(&at, &index));
	at = (struct stubcode){.machine = EM_RISCV, .code = span_make(i386, 14, false)};
	ck_assert(!stubcode_index(&at, &index));
}
END_TEST

static struct elffile *open_file(const char *dir, const char *name)
{
	bool nomem;
	int fd = open(scratch_join(dir, name).text, O_RDONLY | O_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	return elffile_open(fd, &nomem);
}

/* Puts the names of the stubs of DIR/@name to @out, each with its section, address and size. */
static void list_stubs(const char *dir, const char *name, char *out, size_t room)
{
	struct symtab symbols = {0}, stubs = {0};
	struct intern strings = {0};
	struct elffile *file = open_file(dir, name);
	size_t nr = 0, at = 0;

	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(elfsym_read(file, ELFSYM_SYMTAB, &symbols, &nr), 0);
	ck_assert_int_eq(symtab_build(&symbols), 0);
	ck_assert_int_eq(plt_read(file, &symbols, &stubs, &strings), 0);
	out[0] = '\0';
	for (size_t i = 0; i < stubs.nr && at < room; i++) {
		const struct symtab_entry *stub = &stubs.entries[i];

		for (size_t n = 1; n < file->nr_sections; n++)
			if (stub->start - file->sections[n].addr < file->sections[n].size)
				at += (size_t)snprintf(
					out + at, room - at, "%s+%u:%u:%s\n",
					file->sections[n].name,
					(unsigned)(stub->start - file->sections[n].addr),
					(unsigned)(stub->end - stub->start), stub->name);
	}
	symtab_free(&symbols);
	symtab_free(&stubs);
	intern_free(&strings);
	elffile_close(file);
}

/* One stub of each kind: a linker puts several of a kind in the order that it likes. */
static const char *const caller = "void one(void);\nvoid two(void);\nvoid *volatile taken;\n"
				  "void f(void) { one();\n#ifdef TAKEN\n"
				  "taken = (void *)two; two();\n#endif\n}\n";

static const struct {
	const char *flags, *stubs;
} i386_links[] = {
	{"-fcf-protection=none -fPIC -shared -DTAKEN -Wl,-z,lazy",
	 ".plt+16:16:one@plt\n.plt.got+0:8:two@plt\n"},
	{"-fcf-protection=none -fPIC -shared -DTAKEN -Wl,-z,now",
	 ".plt+16:16:one@plt\n.plt.got+0:8:two@plt\n"},
	{"-fcf-protection -fPIC -shared -DTAKEN -Wl,-z,ibtplt",
	 ".plt+16:16:one@plt\n.plt.got+0:16:two@plt\n.plt.sec+0:16:one@plt\n"},
	{"-fcf-protection=none -fno-pic -no-pie -Wl,-e,f -Wl,-z,lazy ./lib.so",
	 ".plt+16:16:one@plt\n"},
	{"-fcf-protection -fno-pic -no-pie -Wl,-e,f -Wl,-z,ibtplt -Wl,-z,now ./lib.so",
	 ".plt+16:16:one@plt\n.plt.sec+0:16:one@plt\n"},
};

START_TEST(stubs_of_i386)
{
	struct scratch_path dir = scratch_make();
	char stubs[4096], *lacks;

	toolchain_build(dir.text, "lib.c", "void one(void) {}",
			"gcc -m32 -O1 -fPIC -shared -nostdlib -o lib.so lib.c 2>err || "
			"echo no >lacks; echo >>lacks");
	lacks = scratch_read(dir.text, "lacks");
	if (lacks[0] == 'n') {
		machine_lacks("gcc cannot link for i386");
	} else {
		toolchain_build(dir.text, "x.c", caller, "gcc -m32 -O1 -nostdlib -o x x.c %s",
				i386_links[_i].flags);
		list_stubs(dir.text, "x", stubs, sizeof(stubs));
		ck_assert_str_eq(stubs, i386_links[_i].stubs);
	}
	free(lacks);
	scratch_remove(dir.text);
}
END_TEST

static const struct {
	const char *target, *call, *stubs;
} others[] = {
	{"aarch64-linux-gnu", "bl &",
	 ".plt+32:16:two@plt\n.plt+48:16:one@plt\n.plt+64:16:three@plt\n"},
	{"armv7-linux-gnueabihf", "bl &",
	 ".plt+32:12:two@plt\n.plt+48:12:one@plt\n.plt+64:12:three@plt\n"},
	{"riscv64-linux-gnu", "call &@plt",
	 ".plt+32:16:two@plt\n.plt+48:16:one@plt\n.plt+64:16:three@plt\n"},
	{"riscv32-linux-gnu", "call &@plt",
	 ".plt+32:16:two@plt\n.plt+48:16:one@plt\n.plt+64:16:three@plt\n"},
	{"i686-linux-gnu", "call &@plt",
	 ".plt+16:16:two@plt\n.plt+32:16:one@plt\n.plt+48:16:three@plt\n"},
};

/* lld gives them the order of the calls. */
START_TEST(stubs_of_other_machines)
{
	struct scratch_path dir;
	char stubs[4096];

	if (!machine_has("clang") || !machine_has("ld.lld"))
		return;
	dir = scratch_make();
	toolchain_run(dir.text,
		      "for f in two one three; do echo $f; done | "
		      "sed 's/.*/%s/; 1s/^/.globl f\\nf: /' >x.s && "
		      "clang --target=%s -c -o x.o x.s && ld.lld -shared -o x x.o",
		      others[_i].call, others[_i].target);
	list_stubs(dir.text, "x", stubs, sizeof(stubs));
	ck_assert_str_eq(stubs, others[_i].stubs);
	scratch_remove(dir.text);
}
END_TEST

static const struct {
	const char *flags, *stubs;
} static_links[] = {
	{"", ".plt+0:8:chosen@plt\n"},
	{"-m32", ".plt+0:8:chosen@plt\n"},
	{"-fcf-protection -Wl,-z,ibtplt", ".plt+0:16:chosen@plt\n"},
	{"-fcf-protection -Wl,-z,ibtplt -m32", ".plt+0:16:chosen@plt\n"},
};

/* A function that is chosen when the program starts: .plt has no first entry. */
START_TEST(stubs_of_static_programs)
{
	struct scratch_path dir = scratch_make();
	char stubs[4096], *lacks;

	if (strcmp(TOOLCHAIN_MACHINE, "x86_64") != 0) {
		machine_lacks("stubs are tested on x86-64");
		scratch_remove(dir.text);
		return;
	}
	toolchain_build(dir.text, "x.c",
			"static void one(void) {}\n"
			"static void *choose(void) { return (void *)one; }\n"
			"void chosen(void) __attribute__((ifunc(\"choose\")));\n"
			"void start(void) { chosen(); }\n",
			"gcc -O1 -static -nostdlib -fno-pic -no-pie -Wl,-e,start -o x x.c %s "
			"2>err || echo no >lacks; echo >>lacks",
			static_links[_i].flags);
	lacks = scratch_read(dir.text, "lacks");
	if (lacks[0] == 'n') {
		machine_lacks("gcc cannot link for i386");
	} else {
		list_stubs(dir.text, "x", stubs, sizeof(stubs));
		ck_assert_str_eq(stubs, static_links[_i].stubs);
	}
	free(lacks);
	scratch_remove(dir.text);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("plt");
	TCase *tc = tcase_create("plt");

	tcase_set_timeout(tc, 0);
	tcase_add_loop_test(tc, code, 0, NR(codes));
	tcase_add_test(tc, a_lazy_stub_says_its_relocation);
	tcase_add_loop_test(tc, stubs_of_i386, 0, NR(i386_links));
	tcase_add_loop_test(tc, stubs_of_other_machines, 0, NR(others));
	tcase_add_loop_test(tc, stubs_of_static_programs, 0, NR(static_links));
	suite_add_tcase(s, tc);
	return suite_run(s);
}
