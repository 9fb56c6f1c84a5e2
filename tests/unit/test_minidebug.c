/* Symbols that are packed into a stripped binary. */
#include "decode/symbol/elf/minidebug.h"

#include "decode/symbol/symbol.h"
#include "tests/support/machine.h"
#include "tests/support/suite.h"
#include "tests/support/toolchain.h"
#include "util/codec/unpack.h"

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_AT = 0x400000 };

/* `shown` is in .dynsym alone, `hidden` in the packed symbols alone. */
static const char *const source = "static __attribute__((noinline)) int hidden(int n)\n{\n"
				  "	__asm__ volatile(\"\");\n	return n * 3;\n}\n"
				  "__attribute__((noinline)) int shown(int n)\n{\n"
				  "	return hidden(n) + 1;\n}\n"
				  "int main(int argc, char **argv)\n{\n	(void)argv;\n"
				  "	return shown(argc);\n}\n";

static struct scratch_path dir;
static uint64_t hidden, shown; /* byte offsets */

static void setup(void)
{
	dir = scratch_make();
	toolchain_build(dir.text, "x.c", source, "gcc -O1 -rdynamic " TOOLCHAIN_FIXED " -o x x.c");
	hidden = toolchain_address(dir.text, "x", "hidden") - FILE_AT;
	shown = toolchain_address(dir.text, "x", "shown") - FILE_AT;
	toolchain_run(dir.text, "echo hidden > names && "
				"objcopy -S --keep-symbols=names x mini && strip x");
}

static void teardown(void)
{
	scratch_remove(dir.text);
}

static void check_name(uint64_t address, const char *function)
{
	struct symbol_settings settings = {.debug_dir = "/none", .build_id_cache = "/none"};
	struct symbolizer *symbolizer = symbolizer_create(&settings);
	struct dso_table dsos = {0};
	const struct dso *dso =
		dso_table_get(&dsos, DSO_USER, scratch_join(dir.text, "x").text, NULL, 0);
	const struct symbol *symbol;
	struct symbol_origin origin;
	struct error err;

	symbol = symbolizer_find(symbolizer, dso, address, &err);
	ck_assert_ptr_nonnull(symbol);
	ck_assert_str_eq(symbol->function, function);
	origin = symbolizer_origin(symbolizer, dso);
	if (strcmp(function, "hidden") == 0) {
		ck_assert_str_eq(origin.debug_file, scratch_join(dir.text, "x").text);
		ck_assert_str_eq(origin.debug_found_by, "minidebuginfo");
	}
	symbolizer_destroy(symbolizer);
	dso_table_free(&dsos);
}

START_TEST(both_tables_are_used)
{
	if (!machine_has("xz"))
		return;
	check_name(hidden, "[unknown]");
	toolchain_run(dir.text, "xz mini && objcopy --add-section .gnu_debugdata=mini.xz x");
	check_name(hidden, "hidden");
	check_name(shown, "shown");
}
END_TEST

/* Not packed; cut; with a changed byte; packed twice; no ELF file: as if it were not there. */
static const char *const damages[] = {
	"cp mini mini.xz",
	"xz -k mini && truncate -s -20 mini.xz",
	"xz -k mini && printf X | dd of=mini.xz bs=1 seek=200 conv=notrunc 2>/dev/null",
	"xz -kc mini | xz > mini.xz",
	"echo text | xz > mini.xz",
	"echo | xz | head -c 0 > mini.xz && echo >> mini.xz",
};

START_TEST(what_cannot_be_used)
{
	if (!machine_has("xz"))
		return;
	toolchain_run(dir.text, "%s", damages[_i]);
	toolchain_run(dir.text, "objcopy --add-section .gnu_debugdata=mini.xz x");
	check_name(hidden, "[unknown]");
	check_name(shown, "shown");
}
END_TEST

START_TEST(it_unpacks_up_to_a_limit)
{
	static const size_t limits[] = {1000000, 999999, 262144, 1};
	bool nomem = false;
	size_t len, size;
	char *packed;
	FILE *file;

	if (!machine_has("xz"))
		return;
	toolchain_run(dir.text, "head -c 1000000 /dev/zero | xz > zeros.xz && "
				"stat -c %%s zeros.xz > size");
	packed = scratch_read(dir.text, "size");
	len = strtoul(packed, NULL, 10);
	packed = realloc(packed, len);
	file = fopen(scratch_join(dir.text, "zeros.xz").text, "r");
	ck_assert_uint_eq(fread(packed, 1, len, file), len);
	fclose(file);
	for (size_t i = 0; i < 4; i++) {
		char *bytes = unpack(span_make(packed, len, false), limits[i], &size, &nomem);

		ck_assert(!nomem);
		ck_assert_int_eq(bytes != NULL, i == 0);
		if (bytes)
			ck_assert_uint_eq(size, 1000000);
		free(bytes);
	}
	free(packed);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("minidebug");
	TCase *tcase = tcase_create("packed symbols");

	tcase_set_timeout(tcase, 0);
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, both_tables_are_used);
	tcase_add_loop_test(tcase, what_cannot_be_used, 0, sizeof(damages) / sizeof(damages[0]));
	tcase_add_test(tcase, it_unpacks_up_to_a_limit);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
