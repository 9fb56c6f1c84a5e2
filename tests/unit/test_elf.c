/* ELF files: headers, symbols and stubs, also damaged. */
#include "decode/symbol/elf/elffile.h"
#include "decode/symbol/elf/elfsection.h"
#include "decode/symbol/elf/elfsym.h"
#include "decode/symbol/elf/note.h"
#include "decode/symbol/elf/plt.h"
#include "tests/support/machine.h"
#include "tests/support/suite.h"
#include "tests/support/toolchain.h"

#include <check.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LIBDEFLATE
static const bool unpacks = true;
#else
static const bool unpacks = false; /* libelf does, when a section is asked for */
#endif

#define LINK_BARE                                              \
	"gcc -static -nostdlib -nostartfiles " TOOLCHAIN_FIXED \
	" -Wl,-e,sized -Wl,--build-id=0x000102030405060708090a0b0c0d0e0f10111213 -o x x.S"

/* Each symbol 256 bytes behind the one before. */
static const char *const symbols_source =
	"	.text\n"
	"	.balign 4096\n"
	"base:	.skip 256\n"
	"	.globl sized\n	.type sized,%function\n	.size sized,64\n"
	"sized:	.skip 256\n"
	"	.type sizeless,%function\n"
	"sizeless:	.skip 128\n"
	"	.globl hidden_label\n	.hidden hidden_label\n"
	"hidden_label:	.skip 128\n"
	"	.globl label\n"
	"label:	.skip 256\n"
	"	.type wide,%function\n	.size wide,256\n"
	"wide:	.skip 64\n"
	"label_in_wide:	.skip 64\n"
	"	.type inner,%function\n	.size inner,32\n"
	"inner:	.skip 128\n"
	"	.type table,%object\n	.size table,16\n"
	"table:	.skip 256\n"
	"	.type alias_local,%function\n	.size alias_local,16\n"
	"	.globl alias_global_longer,__alias_global_longest,alias_global\n"
	"	.type alias_global_longer,%function\n	.size alias_global_longer,16\n"
	"	.type __alias_global_longest,%function\n	.size __alias_global_longest,16\n"
	"	.type alias_global,%function\n	.size alias_global,32\n"
	"	.weak alias_weak_and_very_long\n"
	"	.type alias_weak_and_very_long,%function\n	.size alias_weak_and_very_long,16\n"
	"alias_local:\nalias_global_longer:\n__alias_global_longest:\nalias_global:\n"
	"alias_weak_and_very_long:	.skip 256\n"
	"	.type last,%function\n"
	"last:	.skip 16\n"
	"	.section .init,\"ax\",%progbits\n"
	"label_elsewhere:	.skip 16\n"
	"	.section .data\n"
	"	.type variable,%object\n	.size variable,4\n"
	"variable:	.long 1\n";

static struct elffile *open_file(const char *dir, const char *name)
{
	bool nomem = true;
	int fd = open(scratch_join(dir, name).text, O_RDONLY);
	struct elffile *file;

	ck_assert_int_ge(fd, 0);
	file = elffile_open(fd, &nomem);
	ck_assert(!nomem);
	ck_assert_int_lt(fcntl(fd, F_GETFD), 0); /* closed, whatever came of it */
	return file;
}

START_TEST(a_build_id_is_read_from_notes)
{
	/* Of another type, of another owner, and the real one, which is followed by nothing. */
	static const uint8_t notes[] = {
		4, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 'G', 'N', 'U', 0, 9,   9,  9, 9,
		4, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 'X', 'Y', 'Z', 0, 9,   0,  0, 0,
		4, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0, 0xa, 0xb};
	const bool swap = __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__;
	uint8_t id[DSO_BUILD_ID_MAX];

	ck_assert_uint_eq(note_build_id(span_make(notes, sizeof(notes), swap), 4, id), 2);
	ck_assert_mem_eq(id, "\x0a\x0b", 2);
	for (size_t len = 0; len < sizeof(notes); len++)
		ck_assert_uint_eq(note_build_id(span_make(notes, len, swap), 4, id), 0);
}
END_TEST

START_TEST(headers_are_read)
{
	struct scratch_path dir = scratch_make();
	struct elffile *file;
	uint64_t address = 0;
	uint8_t other[20];
	size_t text;

	toolchain_build(dir.text, "x.S", symbols_source, LINK_BARE);
	file = open_file(dir.text, "x");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(file->build_id_len, 20);
	for (uint8_t i = 0; i < 20; i++)
		ck_assert_uint_eq(file->build_id[i], i);
	memcpy(other, file->build_id, 20);
	ck_assert(elffile_has_build_id(file, other, 20));
	ck_assert(!elffile_has_build_id(file, other, 19));
	ck_assert(!elffile_has_build_id(file, other, 0));
	other[19] ^= 1;
	ck_assert(!elffile_has_build_id(file, other, 20));
	ck_assert(elffile_has_code(file));
	text = elffile_section_named(file, ".text");
	ck_assert_uint_gt(text, 0);
	ck_assert_uint_eq(elffile_section_named(file, ".nothing"), 0);
	ck_assert(elffile_offset_to_address(file, file->sections[text].offset + 5, &address));
	ck_assert_uint_eq(address, toolchain_address(dir.text, "x", "base") + 5);
	ck_assert(!elffile_offset_to_address(file, UINT64_MAX, &address));
	elffile_close(file);
	scratch_remove(dir.text);
}
END_TEST

START_TEST(an_old_build_id_may_be_filled_with_zeros)
{
	struct scratch_path dir = scratch_make();
	uint8_t recorded[20] = {0xab, 0xcd};
	struct elffile *file;

	toolchain_build(dir.text, "x.c", "int main(void) { return 0; }",
			"gcc -Wl,--build-id=0xabcd -o x x.c");
	file = open_file(dir.text, "x");
	ck_assert_uint_eq(file->build_id_len, 2);
	ck_assert(elffile_has_build_id(file, recorded, 20));
	recorded[7] = 1;
	ck_assert(!elffile_has_build_id(file, recorded, 20));
	elffile_close(file);
	scratch_remove(dir.text);
}
END_TEST

START_TEST(what_is_no_elf_file_is_refused)
{
	struct scratch_path dir = scratch_make();

	scratch_write(dir.text, "empty", "");
	scratch_write(dir.text, "text", "#!/bin/sh\necho\n");
	scratch_write(dir.text, "magic",
		      "\x7f"
		      "ELF");
	scratch_write(dir.text, "ar", "!<arch>\n");
	ck_assert_ptr_null(open_file(dir.text, "empty"));
	ck_assert_ptr_null(open_file(dir.text, "text"));
	ck_assert_ptr_null(open_file(dir.text, "magic"));
	ck_assert_ptr_null(open_file(dir.text, "ar"));
	scratch_remove(dir.text);
}
END_TEST

/* The bytes of .debug_info of DIR/@name, for the caller to free; *@size of them. */
static char *debug_info(const char *dir, const char *name, size_t *size)
{
	struct elffile *file = open_file(dir, name);
	struct span bytes = elfsection_bytes(file, elffile_section_named(file, ".debug_info"));
	char *copy = malloc(span_left(&bytes) + 1);

	*size = span_left(&bytes);
	span_bytes(&bytes, copy, *size);
	elffile_close(file);
	return copy;
}

static bool objcopy_packs(const char *dir, const char *how)
{
	char command[512];

	snprintf(command, sizeof(command),
		 "cd %s && objcopy --compress-debug-sections=%s plain packed 2>/dev/null", dir,
		 how);
	if (system(command) == 0)
		return true;
	machine_lacks("this objcopy does not know %s", how);
	return false;
}

static const char *const packers[] = {"zlib", "zstd"};

START_TEST(compressed_sections_are_expanded)
{
	struct scratch_path dir = scratch_make();
	size_t plain_size, packed_size;
	char *plain, *packed;

	toolchain_build(dir.text, "x.c",
			"#include <stdio.h>\nint main(void) { return puts(\"\"); }",
			"gcc -g -gz=none -o plain x.c");
	plain = debug_info(dir.text, "plain", &plain_size);
	ck_assert_uint_gt(plain_size, 0);
	if (objcopy_packs(dir.text, packers[_i])) {
		packed = debug_info(dir.text, "packed", &packed_size);
		ck_assert_uint_eq(packed_size, plain_size);
		ck_assert_mem_eq(packed, plain, plain_size);
		free(packed);
	}
	free(plain);
	scratch_remove(dir.text);
}
END_TEST

/* What the header says is the size: nothing is unpacked to another one, or to memory without end.
 */
START_TEST(compressed_sections_of_another_size)
{
	static const uint64_t sizes[] = {0, 1, 100, 1 << 20, UINT64_C(1) << 40, UINT64_MAX};
	struct scratch_path dir = scratch_make();
	size_t size;

	toolchain_build(dir.text, "x.c",
			"#include <stdio.h>\nint main(void) { return puts(\"\"); }",
			"gcc -g -gz=none -o plain x.c");
	for (size_t i = 0; objcopy_packs(dir.text, packers[_i]) && i < 6; i++) {
		struct elffile *file = open_file(dir.text, "packed");
		uint64_t offset = file->sections[elffile_section_named(file, ".debug_info")].offset;
		FILE *out = fopen(scratch_join(dir.text, "packed").text, "r+");

		elffile_close(file);
		ck_assert_ptr_nonnull(out);
		fseek(out, (long)offset + 8, SEEK_SET); /* ch_size of an Elf64_Chdr */
		fwrite(&sizes[i], sizeof(sizes[i]), 1, out);
		fclose(out);
		free(debug_info(dir.text, "packed", &size));
		ck_assert_uint_eq(size, 0);
	}
	scratch_remove(dir.text);
}
END_TEST

/* Writes the 8 bytes of @value at @offset of DIR/@name. */
static void patch(const char *dir, const char *name, uint64_t offset, uint64_t value)
{
	FILE *file = fopen(scratch_join(dir, name).text, "r+");

	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fseek(file, (long)offset, SEEK_SET), 0);
	ck_assert_uint_eq(fwrite(&value, sizeof(value), 1, file), 1);
	ck_assert_int_eq(fclose(file), 0);
}

/* A small file may unpack to 256 MiB in all; one that claims more is not unpacked at all. */
START_TEST(sections_that_would_fill_the_memory_stay_packed)
{
	struct scratch_path dir = scratch_make();
	uint64_t info;
	struct elffile *file;
	struct span bytes;

	toolchain_build(dir.text, "x.c", "int main(void) { return 0; }",
			"gcc -g -gz=none -o plain x.c");
	if (!objcopy_packs(dir.text, "zlib"))
		return;
	file = open_file(dir.text, "packed");
	ck_assert(!file->is_bloated);
	info = file->sections[elffile_section_named(file, ".debug_info")].offset;
	elffile_close(file);
	patch(dir.text, "packed", info + 8, 200 << 20); /* ch_size of an Elf64_Chdr */
	file = open_file(dir.text, "packed");
	ck_assert(!file->is_bloated);
	elffile_close(file);
	patch(dir.text, "packed", info + 8, 257 << 20);
	file = open_file(dir.text, "packed");
	ck_assert(file->is_bloated);
	bytes = elfsection_bytes(file, elffile_section_named(file, ".debug_info"));
	ck_assert_uint_eq(span_left(&bytes), 0);
	elffile_close(file);
	scratch_remove(dir.text);
}
END_TEST

/* Writes bytes that can be packed to 3/4, always the same ones, to DIR/noise. */
static void write_noise(const char *dir)
{
	enum { SIZE = 256 * 1024 };
	FILE *out = fopen(scratch_join(dir, "noise").text, "w");
	uint32_t seed = 1;

	ck_assert_ptr_nonnull(out);
	for (size_t i = 0; i < SIZE; i++) {
		seed = seed * 1664525 + 1013904223;
		fputc((int)(seed >> 26), out);
	}
	ck_assert_int_eq(fclose(out), 0);
}

/* Whether section @name has been unpacked without being asked for. */
static bool is_unpacked(const struct elffile *file, const char *name)
{
	return file->sections[elffile_section_named(file, name)].unpacked;
}

/* One of those that are asked for is not there. */
START_TEST(sections_are_unpacked_together)
{
	static const char *const names[] = {".debug_info", ".debug_line", ".debug_str"};
	struct scratch_path dir = scratch_make();
	size_t numbers[4] = {0}; /* one is missing */
	struct elffile *file;
	char *noise;

	write_noise(dir.text);
	toolchain_build(dir.text, "x.S",
			".section .debug_info\n.incbin \"noise\",0,200000\n"
			".section .debug_line\n.incbin \"noise\",100,200000\n"
			".section .debug_str\n.incbin \"noise\",200,50000\n",
			"gcc -c -o plain x.S");
	noise = scratch_read(dir.text, "noise");
	if (!objcopy_packs(dir.text, "zlib"))
		return;
	file = open_file(dir.text, "packed");
	for (size_t i = 0; i < 3; i++)
		numbers[i] = elffile_section_named(file, names[i]);
	elfsection_unpack(file, numbers, 4);
	for (size_t i = 0; i < 3; i++) {
		struct span bytes;

		ck_assert(is_unpacked(file, names[i]) == unpacks);
		bytes = elfsection_bytes(file, numbers[i]);
		ck_assert_uint_eq(span_left(&bytes), i < 2 ? 200000 : 50000);
		ck_assert_mem_eq(bytes.pos, noise + 100 * i, span_left(&bytes));
	}
	elfsection_unpack(file, numbers, 4); /* nothing is left to do */
	elffile_close(file);
	free(noise);
	scratch_remove(dir.text);
}
END_TEST

/* A section that cannot be unpacked is empty; the others are there. */
START_TEST(one_of_several_sections_is_damaged)
{
	struct scratch_path dir = scratch_make();
	size_t numbers[2];
	struct elffile *file;
	struct span bytes;

	write_noise(dir.text);
	toolchain_build(dir.text, "x.S",
			".section .debug_info\n.incbin \"noise\",0,200000\n"
			".section .debug_line\n.incbin \"noise\",100,200000\n",
			"gcc -c -o plain x.S");
	if (!objcopy_packs(dir.text, "zlib"))
		return;
	file = open_file(dir.text, "packed");
	numbers[0] = elffile_section_named(file, ".debug_info");
	numbers[1] = elffile_section_named(file, ".debug_line");
	patch(dir.text, "packed", file->sections[numbers[0]].offset + 60000, 0);
	elffile_close(file);
	file = open_file(dir.text, "packed");
	elfsection_unpack(file, numbers, 2);
	ck_assert(!is_unpacked(file, ".debug_info"));
	bytes = elfsection_bytes(file, numbers[0]);
	ck_assert_uint_eq(span_left(&bytes), 0);
	bytes = elfsection_bytes(file, numbers[1]);
	ck_assert_uint_eq(span_left(&bytes), 200000);
	elffile_close(file);
	scratch_remove(dir.text);
}
END_TEST

/* The number of the first section of @type. */
static size_t header_of(const struct elffile *file, uint32_t type)
{
	for (size_t i = 1; i < file->nr_sections; i++)
		if (file->sections[i].type == type)
			return i;
	ck_abort_msg("no section of type %u", type);
}

/* The second table lies over the same bytes: 50,000 such would be 50,000 times the symbols. */
START_TEST(a_file_has_one_symbol_table)
{
	enum { SH_TYPE = 4, SH_OFFSET = 24, SH_SIZE = 32, SH_LINK = 40, HEADER_BYTES = 64 };
	struct scratch_path dir = scratch_make();
	struct symtab once = {0}, twice = {0};
	size_t symtab, comment, nr, nr_again;
	uint64_t headers;
	struct elffile *file;
	FILE *in;

	toolchain_build(dir.text, "x.c", "int main(void) { return 0; }", "gcc -g0 -o x x.c");
	file = open_file(dir.text, "x");
	ck_assert_int_eq(elfsym_read(file, ELFSYM_SYMTAB, &once, &nr), 0);
	ck_assert_uint_gt(nr, 0);
	symtab = header_of(file, ELFSYM_SYMTAB);
	comment = elffile_section_named(file, ".comment");
	in = fopen(scratch_join(dir.text, "x").text, "r");
	fseek(in, 40, SEEK_SET); /* e_shoff */
	ck_assert_uint_eq(fread(&headers, sizeof(headers), 1, in), 1);
	fclose(in);
	patch(dir.text, "x", headers + comment * HEADER_BYTES + SH_OFFSET,
	      file->sections[symtab].offset);
	patch(dir.text, "x", headers + comment * HEADER_BYTES + SH_SIZE,
	      file->sections[symtab].size);
	patch(dir.text, "x", headers + comment * HEADER_BYTES + SH_LINK,
	      file->sections[symtab].link);
	patch(dir.text, "x", headers + comment * HEADER_BYTES + SH_TYPE, ELFSYM_SYMTAB);
	elffile_close(file);
	symtab_free(&once);
	file = open_file(dir.text, "x");
	ck_assert_int_eq(elfsym_read(file, ELFSYM_SYMTAB, &twice, &nr_again), 0);
	ck_assert_uint_eq(nr_again, nr);
	symtab_free(&twice);
	elffile_close(file);
	scratch_remove(dir.text);
}
END_TEST

/* What perf would show at @address; "-" for nothing. */
static const char *name_at(struct symtab *table, uint64_t address)
{
	size_t cursor = 0;
	const struct range *range = symtab_find(table, address, &cursor);

	return range ? symtab_best(table, range, false)->name : "-";
}

START_TEST(symbols_cover_what_perf_says)
{
	static const struct {
		unsigned offset;
		const char *name;
	} expected[] = {
		{0x000, "base"},
		{0x0ff, "base"},
		{0x100, "sized"},
		{0x13f, "sized"},
		{0x140, "-"},
		{0x1ff, "-"},
		{0x200, "sizeless"},
		{0x280, "sizeless"},
		{0x2ff, "sizeless"},
		{0x300, "label"},
		{0x3ff, "label"},
		{0x400, "wide"},
		{0x440, "wide"},
		{0x480, "inner"},
		{0x49f, "inner"},
		{0x4a0, "wide"},
		{0x4ff, "wide"},
		{0x500, "table"},
		{0x510, "-"},
		{0x600, "alias_global_longer"},
		{0x60f, "alias_global_longer"},
		{0x610, "alias_global"},
		{0x61f, "alias_global"},
		{0x620, "-"},
		{0x700, "last"},
		{0x70f, "last"},
		{0x710, "-"},
	};
	struct scratch_path dir = scratch_make();
	struct symtab table = {0};
	struct elffile *file;
	uint64_t base;
	size_t nr = 0;

	toolchain_build(dir.text, "x.S", symbols_source, LINK_BARE);
	file = open_file(dir.text, "x");
	base = toolchain_address(dir.text, "x", "base");
	ck_assert_int_eq(elfsym_read(file, ELFSYM_SYMTAB, &table, &nr), 0);
	ck_assert_uint_eq(nr, 14);
	ck_assert_int_eq(symtab_build(&table), 0);
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		ck_assert_str_eq(name_at(&table, base + expected[i].offset), expected[i].name);
	ck_assert_str_eq(name_at(&table, base - 1), "-");
	ck_assert_str_eq(name_at(&table, toolchain_address(dir.text, "x", "variable")), "-");
	ck_assert_str_eq(name_at(&table, toolchain_address(dir.text, "x", "label_elsewhere")), "-");
	symtab_free(&table);
	elffile_close(file);
	scratch_remove(dir.text);
}
END_TEST

/*
 * Marks between code and data are no symbols; "f" begins with one and has one in it. On x86 a label
 * of such a name is as good as any.
 */
static const struct {
	const char *target, *source;
	size_t nr;
} marked[] = {
	{"aarch64-linux-gnu", "$x: $x.1: $d: $d.2:", 1},
	{"armv7-linux-gnueabihf", "$a: $t: $d: $d.7:", 1},
	{"riscv64-linux-gnu", "$x: $d: $xrv64i2p0: $d.3:", 1},
	{"x86_64-linux-gnu", "\"$x\": \"$d\":", 3},
};

START_TEST(marks_between_code_and_data_are_no_symbols)
{
	struct symtab table = {0};
	struct scratch_path dir;
	struct elffile *file;
	size_t nr = 0;

	if (!machine_has("clang"))
		return;
	dir = scratch_make();
	toolchain_build(dir.text, "x.s", "", "true");
	toolchain_run(dir.text,
		      "printf '.text\\n.globl f\\n.type f,%%%%function\\nf:\\n%%s\\n.skip 8\\n"
		      ".size f,8\\n' '%s' | sed 's/: /:\\n/g' > x.s && "
		      "clang --target=%s -c -o x x.s",
		      marked[_i].source, marked[_i].target);
	file = open_file(dir.text, "x");
	ck_assert_int_eq(elfsym_read(file, ELFSYM_SYMTAB, &table, &nr), 0);
	ck_assert_uint_eq(nr, marked[_i].nr);
	symtab_free(&table);
	elffile_close(file);
	scratch_remove(dir.text);
}
END_TEST

START_TEST(thumb_code_lies_at_even_addresses)
{
	struct symtab table = {0};
	struct scratch_path dir;
	struct elffile *file;
	size_t nr = 0;

	if (!machine_has("clang"))
		return;
	dir = scratch_make();
	toolchain_build(dir.text, "x.s",
			".text\n.thumb\n.skip 4\n.globl f\n.thumb_func\n"
			".type f,%function\nf: nop\nnop\n.size f,4\n",
			"clang --target=armv7-linux-gnueabihf -c -o x x.s");
	file = open_file(dir.text, "x");
	ck_assert_int_eq(elfsym_read(file, ELFSYM_SYMTAB, &table, &nr), 0);
	ck_assert_int_eq(symtab_build(&table), 0);
	ck_assert_str_eq(name_at(&table, 3), "-");
	ck_assert_str_eq(name_at(&table, 4), "f");
	ck_assert_str_eq(name_at(&table, 7), "f");
	ck_assert_str_eq(name_at(&table, 8), "-");
	symtab_free(&table);
	elffile_close(file);
	scratch_remove(dir.text);
}
END_TEST

START_TEST(a_function_chosen_at_start_has_its_resolver_name)
{
	struct scratch_path dir = scratch_make();
	struct symtab table = {0};
	struct elffile *file;
	size_t nr = 0;

	/* The resolver's code is what the symbol, of type GNU_IFUNC, is at. */
	toolchain_build(dir.text, "x.c",
			"static int one(void) { return 1; }\n"
			"static void *choose(void) { return (void *)one; }\n"
			"int f(void) __attribute__((ifunc(\"choose\")));\n"
			"int main(void) { return f(); }\n",
			"gcc -O1 " TOOLCHAIN_FIXED " -o x x.c");
	file = open_file(dir.text, "x");
	ck_assert_int_eq(elfsym_read(file, ELFSYM_SYMTAB, &table, &nr), 0);
	ck_assert_int_eq(symtab_build(&table), 0);
	ck_assert_str_eq(name_at(&table, toolchain_address(dir.text, "x", "choose")), "f");
	ck_assert_str_eq(name_at(&table, toolchain_address(dir.text, "x", "one")), "one");
	symtab_free(&table);
	elffile_close(file);
	scratch_remove(dir.text);
}
END_TEST

START_TEST(aliases_are_weighed_by_the_names_that_are_shown)
{
	static const struct symtab_entry entries[] = {
		{.start = 16,
		 .end = 32,
		 .name = "_ZN1a4longEv",
		 .binding = STB_GLOBAL,
		 .type = STT_FUNC},
		{.start = 16,
		 .end = 32,
		 .name = "_ZN1a1bEiiiiiiiii",
		 .binding = STB_GLOBAL,
		 .type = STT_FUNC},
	};
	struct symtab table = {0};
	const struct range *range;
	size_t cursor = 0;

	ck_assert_int_eq(symtab_add(&table, &entries[0]), 0);
	ck_assert_int_eq(symtab_add(&table, &entries[1]), 0);
	ck_assert_int_eq(symtab_build(&table), 0);
	range = symtab_find(&table, 20, &cursor);
	ck_assert_ptr_nonnull(range);
	ck_assert_str_eq(symtab_best(&table, range, true)->name, "_ZN1a4longEv");
	ck_assert_str_eq(symtab_best(&table, range, false)->name, "_ZN1a1bEiiiiiiiii");
	symtab_free(&table);
}
END_TEST

static int by_start(const void *left, const void *right)
{
	const struct symtab_entry *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	return a->order < b->order ? -1 : 1;
}

/* By start, aliases the widest first, then as they came: few starts, so that there are many. */
START_TEST(entries_are_sorted_however_they_come)
{
	enum { NR = 3000 };
	struct symtab_entry expected[NR];
	struct symtab table = {0};
	uint32_t seed = 1;

	for (size_t i = 0; i < NR; i++) {
		struct symtab_entry entry = {.name = "f", .type = STT_FUNC};

		seed = seed * 1664525 + 1013904223;
		entry.start = (uint64_t)(seed >> 22) << 33;
		entry.end = entry.start + 1 + (seed >> 8) % 4;
		ck_assert_int_eq(symtab_add(&table, &entry), 0);
	}
	memcpy(expected, table.entries, sizeof(expected));
	qsort(expected, NR, sizeof(expected[0]), by_start);
	ck_assert_int_eq(symtab_build(&table), 0);
	ck_assert_uint_eq(table.nr, NR);
	for (size_t i = 0; i < NR; i++)
		ck_assert_uint_eq(table.entries[i].order, expected[i].order);
	symtab_free(&table);
}
END_TEST

/* Up to where ranges_same_end() says, the answer is that for @address, which is @found. */
static void check_same_end(const struct ranges *ranges, uint64_t address, const struct range *found,
			   size_t cursor)
{
	const uint64_t end = ranges_same_end(ranges, address, cursor);

	ck_assert_uint_gt(end, address);
	for (uint64_t at = address; at < 600 && at < end; at++)
		ck_assert_ptr_eq(ranges_find(ranges, at, &cursor), found);
	if (end < 600)
		ck_assert_ptr_ne(ranges_find(ranges, end, &cursor), found);
	else
		ck_assert_uint_eq(end, UINT64_MAX);
}

START_TEST(ranges_nest_and_sweep)
{
	static const struct range in[] = {
		{100, 200, 0}, {120, 130, 1}, {150, 250, 2}, {150, 160, 3},
		{300, 300, 4}, {400, 500, 5}, {400, 500, 6},
	};
	struct ranges ranges = {0};
	size_t cursor = 0;

	for (size_t i = 0; i < sizeof(in) / sizeof(in[0]); i++)
		ck_assert_int_eq(ranges_add(&ranges, in[i].start, in[i].end, in[i].item), 0);
	ck_assert_int_eq(ranges_build(&ranges), 0);
	for (uint64_t address = 0; address < 600; address++) {
		const struct range *found = ranges_find(&ranges, address, &cursor);
		const struct range *best = NULL;
		size_t fresh = 0;

		for (size_t i = 0; i < sizeof(in) / sizeof(in[0]); i++)
			if (in[i].start <= address && address < in[i].end &&
			    (!best || in[i].start > best->start ||
			     (in[i].start == best->start && in[i].end <= best->end)))
				best = &in[i];
		ck_assert_int_eq(found ? (int)found->item : -1, best ? (int)best->item : -1);
		ck_assert_ptr_eq(ranges_find(&ranges, address, &fresh), found);
		check_same_end(&ranges, address, found, cursor);
		check_same_end(&ranges, address, found, fresh);
	}
	cursor = ranges.nr;
	ck_assert_uint_eq(ranges_find(&ranges, 100, &cursor)->item, 0);
	ranges_free(&ranges);
	cursor = 0;
	ck_assert_int_eq(ranges_build(&ranges), 0);
	ck_assert_ptr_null(ranges_find(&ranges, 0, &cursor));
	ck_assert_uint_eq(ranges_same_end(&ranges, 0, cursor), UINT64_MAX);
}
END_TEST

/* Checks that the stub main() calls, found by objdump(1), has this name. */
static void check_stub(const char *dir, const char *name)
{
	struct symtab symbols = {0}, stubs = {0};
	struct intern strings = {0};
	struct elffile *file = open_file(dir, "x");
	uint64_t address;
	size_t nr = 0, found = 0;
	char *calls;

	ck_assert_int_eq(elfsym_read(file, ELFSYM_DYNSYM, &symbols, &nr), 0);
	ck_assert_int_eq(symtab_build(&symbols), 0);
	ck_assert_int_eq(plt_read(file, &symbols, &stubs, &strings), 0);
	toolchain_run(dir,
		      "objdump -d --no-show-raw-insn x | grep -o 'call.*<%s>' | "
		      "sed 's/[^0-9a-f]*//; s/call *//; s/ .*//' > calls",
		      name);
	calls = scratch_read(dir, "calls");
	for (char *pos = calls, *end; (address = strtoull(pos, &end, 16)) != 0;
	     pos = end, found++) {
		ck_assert_str_eq(name_at(&stubs, address), name);
		ck_assert_str_eq(name_at(&stubs, address + 7), name);
	}
	ck_assert_uint_gt(found, 0);
	free(calls);
	symtab_free(&symbols);
	symtab_free(&stubs);
	intern_free(&strings);
	elffile_close(file);
}

START_TEST(stubs_have_the_name_of_their_function)
{
	static const char *const flags[] = {
		"-fno-plt -fplt -Wl,-z,lazy",
		"-Wl,-z,now",
		"-fcf-protection -Wl,-z,ibtplt",
		"-Wl,-z,ibtplt -Wl,-z,now -no-pie",
	};
	struct scratch_path dir = scratch_make();

	if (strcmp(TOOLCHAIN_MACHINE, "x86_64") != 0) {
		machine_lacks("stubs are tested on x86-64");
		scratch_remove(dir.text);
		return;
	}
	toolchain_build(
		dir.text, "x.c",
		"#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
		"int main(int n, char **v) { puts(v[0]); srand((unsigned)n); return rand(); }",
		"gcc -O1 %s -o x x.c", flags[_i]);
	check_stub(dir.text, "puts@plt");
	check_stub(dir.text, "srand@plt");
	scratch_remove(dir.text);
}
END_TEST

START_TEST(a_stub_to_a_function_chosen_at_start_has_that_function_s_name)
{
	struct scratch_path dir = scratch_make();
	struct symtab symbols = {0}, stubs = {0};
	struct intern strings = {0};
	struct elffile *file;
	uint64_t stub;
	size_t nr = 0;
	char *text;

	if (strcmp(TOOLCHAIN_MACHINE, "x86_64") != 0) {
		machine_lacks("stubs are tested on x86-64");
		scratch_remove(dir.text);
		return;
	}
	/* As in libc, where the resolver is the better of two aliases, but not what is called. */
	toolchain_build(dir.text, "x.c",
			"static int one(void) { return 1; }\n"
			"void *choose(void) { return (void *)one; }\n"
			"__asm__(\".hidden f\\n.weak f\\n.type f, @gnu_indirect_function\\n\"\n"
			"\".set f, choose\\n.size f, 4\\n\");\n"
			"extern int f(void) __attribute__((visibility(\"hidden\")));\n"
			"int main(void) { return f() + 1; }\n",
			"gcc -O1 -no-pie -o x x.c");
	file = open_file(dir.text, "x");
	ck_assert_int_eq(elfsym_read(file, ELFSYM_SYMTAB, &symbols, &nr), 0);
	ck_assert_int_eq(symtab_build(&symbols), 0);
	ck_assert_int_eq(plt_read(file, &symbols, &stubs, &strings), 0);
	toolchain_run(dir.text,
		      "objdump -d -j .plt x | sed -n 's/ <[*]ABS[*][^-]*@plt>:$//p' > at");
	text = scratch_read(dir.text, "at");
	stub = strtoull(text, NULL, 16);
	ck_assert_uint_ne(stub, 0);
	ck_assert_str_eq(name_at(&stubs, stub), "f@plt");
	ck_assert_str_eq(name_at(&symbols, toolchain_address(dir.text, "x", "choose")), "choose");
	free(text);
	symtab_free(&symbols);
	symtab_free(&stubs);
	intern_free(&strings);
	elffile_close(file);
	scratch_remove(dir.text);
}
END_TEST

enum { IMAGE_BYTES = 1 << 20 };

/* Reads DIR/x into @image, which has IMAGE_BYTES. Returns its size. */
static size_t read_image(const char *dir, char *image)
{
	FILE *file = fopen(scratch_join(dir, "x").text, "r");
	size_t size;

	ck_assert_ptr_nonnull(file);
	size = fread(image, 1, IMAGE_BYTES, file);
	fclose(file);
	return size;
}

/* Returns where the @image of an ELF file has the value of the dynamic entry @tag. */
static Elf64_Xword *dynamic_value(char *image, Elf64_Sxword tag)
{
	const Elf64_Ehdr *header = (const void *)image;
	const Elf64_Phdr *segment = (const void *)(image + header->e_phoff);
	Elf64_Dyn *entry;

	while (segment->p_type != PT_DYNAMIC)
		segment++;
	entry = (void *)(image + segment->p_offset);
	while (entry->d_tag != tag) {
		ck_assert_int_ne(entry->d_tag, DT_NULL);
		entry++;
	}
	return &entry->d_un.d_val;
}

/* Returns the number of named stubs in the @image of a file. */
static size_t count_stubs(char *image, size_t size)
{
	struct symtab symbols = {0}, stubs = {0};
	struct intern strings = {0};
	bool nomem;
	struct elffile *file = elffile_from_memory(image, size, &nomem);
	size_t nr;

	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(plt_read(file, &symbols, &stubs, &strings), 0);
	nr = stubs.nr;
	symtab_free(&stubs);
	intern_free(&strings);
	elffile_close(file);
	return nr;
}

/* Two functions that are called and have their address taken: their stubs' slots are in .rela.dyn.
 */
START_TEST(relocations_without_symbols_are_passed_over)
{
	struct scratch_path dir = scratch_make();
	static _Alignas(8) char image[IMAGE_BYTES];
	Elf64_Xword *count, relative;
	size_t size;

	if (strcmp(TOOLCHAIN_MACHINE, "x86_64") != 0) {
		machine_lacks("stubs are tested on x86-64");
		scratch_remove(dir.text);
		return;
	}
	toolchain_build(dir.text, "x.c",
			"int one(void); int two(void); static int x[9]; int *pointers[] = {x, x + "
			"1, x + 2};\n"
			"void *volatile taken;\n"
			"int f(void) { taken = one; taken = two; return one() + two(); }\n",
			"gcc -O1 -fPIC -shared -nostdlib -Wl,-z,lazy "
			"-Wl,-z,nopack-relative-relocs -Wl,--hash-style=gnu -o x x.c");
	size = read_image(dir.text, image);
	count = dynamic_value(image, DT_RELACOUNT);
	relative = *count;
	ck_assert_uint_eq(relative, 3);
	ck_assert_uint_eq(count_stubs(image, size), 2);
	*count = 0;
	ck_assert_uint_eq(count_stubs(image, size), 2);
	*count = relative + 1; /* it is believed */
	ck_assert_uint_eq(count_stubs(image, size), 1);
	*count = UINT64_MAX / 24 + 2;
	ck_assert_uint_eq(count_stubs(image, size), 2);
	scratch_remove(dir.text);
}
END_TEST

/* Each of more symbols than are taken at once. */
START_TEST(all_functions_of_a_file_are_read)
{
	struct scratch_path dir = scratch_make();
	struct symtab symbols = {0};
	struct elffile *file;
	size_t nr = 0;

	toolchain_run(dir.text, "for i in $(seq 100); do echo \"void f$i(void) {}\"; done > x.c; "
				"gcc -c -o x x.c");
	file = open_file(dir.text, "x");
	ck_assert_int_eq(elfsym_read(file, ELFSYM_SYMTAB, &symbols, &nr), 0);
	ck_assert_uint_eq(nr, 100);
	symtab_free(&symbols);
	elffile_close(file);
	scratch_remove(dir.text);
}
END_TEST

/* Reads everything that a lookup would; the answers do not matter, only that there is an end. */
static void read_all(char *image, size_t size)
{
	struct symtab symbols = {0}, stubs = {0};
	struct intern strings = {0};
	bool nomem;
	struct elffile *file = elffile_from_memory(image, size, &nomem);
	size_t nr;

	if (!file)
		return;
	for (size_t i = 0; i < file->nr_sections; i++)
		elfsection_bytes(file, i);
	ck_assert_int_eq(elfsym_read(file, ELFSYM_SYMTAB, &symbols, &nr), 0);
	ck_assert_int_eq(elfsym_read(file, ELFSYM_DYNSYM, &symbols, &nr), 0);
	ck_assert_int_eq(symtab_build(&symbols), 0);
	ck_assert_int_eq(plt_read(file, &symbols, &stubs, &strings), 0);
	symtab_free(&symbols);
	symtab_free(&stubs);
	intern_free(&strings);
	elffile_close(file);
}

START_TEST(damaged_files_do_no_harm)
{
	struct scratch_path dir = scratch_make();
	char *image, *copy;
	size_t size;

	toolchain_build(dir.text, "x.c",
			"#include <stdio.h>\nint main(void) { return puts(\"\"); }",
			"gcc -o x x.c");
	image = malloc(IMAGE_BYTES);
	size = read_image(dir.text, image);
	ck_assert_uint_gt(size, 1000);
	srand(1);
	for (int round = 0; round < 1500; round++) {
		size_t len = round % 3 ? size : (size_t)rand() % size;

		copy = malloc(len + 1);
		memcpy(copy, image, len);
		for (int i = 0; i < round % 8 && len; i++) {
			/* Headers are where most harm could come from. */
			size_t from = rand() % 2 && len > 4096 ? len - 2048 : 0;
			size_t span = rand() % 2 && len - from > 1024 ? 1024 : len - from;

			copy[from + (size_t)rand() % span] = (char)rand();
		}
		read_all(copy, len);
		free(copy);
	}
	free(image);
	scratch_remove(dir.text);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("elf");
	TCase *tc = tcase_create("elf");

	tcase_set_timeout(tc, 0);
	tcase_add_test(tc, a_build_id_is_read_from_notes);
	tcase_add_test(tc, headers_are_read);
	tcase_add_test(tc, an_old_build_id_may_be_filled_with_zeros);
	tcase_add_test(tc, what_is_no_elf_file_is_refused);
	tcase_add_loop_test(tc, compressed_sections_are_expanded, 0, 2);
	tcase_add_loop_test(tc, compressed_sections_of_another_size, 0, 2);
	tcase_add_test(tc, sections_that_would_fill_the_memory_stay_packed);
	tcase_add_test(tc, sections_are_unpacked_together);
	tcase_add_test(tc, one_of_several_sections_is_damaged);
	tcase_add_test(tc, a_file_has_one_symbol_table);
	tcase_add_test(tc, symbols_cover_what_perf_says);
	tcase_add_loop_test(tc, marks_between_code_and_data_are_no_symbols, 0,
			    sizeof(marked) / sizeof(marked[0]));
	tcase_add_test(tc, thumb_code_lies_at_even_addresses);
	tcase_add_test(tc, a_function_chosen_at_start_has_its_resolver_name);
	tcase_add_test(tc, aliases_are_weighed_by_the_names_that_are_shown);
	tcase_add_test(tc, entries_are_sorted_however_they_come);
	tcase_add_test(tc, ranges_nest_and_sweep);
	tcase_add_loop_test(tc, stubs_have_the_name_of_their_function, 0, 4);
	tcase_add_test(tc, a_stub_to_a_function_chosen_at_start_has_that_function_s_name);
	tcase_add_test(tc, relocations_without_symbols_are_passed_over);
	tcase_add_test(tc, all_functions_of_a_file_are_read);
	tcase_add_test(tc, damaged_files_do_no_harm);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
