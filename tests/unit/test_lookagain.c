/*
 * Memory is out while a function is looked up: whoever asks again is told all, as if nothing had
 * been.
 */
#include "decode/symbol/symbol.h"
#include "tests/support/machine.h"
#include "tests/support/suite.h"
#include "tests/support/toolchain.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- an allocator that fails once ------------------------------------------------------------ */

static size_t left; /* allocations until one fails; 0: none does */

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
enum { IS_OURS = 1 };

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t nr, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t align, size_t size);

static bool fails(void)
{
	if (left == 0 || --left > 0)
		return false;
	errno = ENOMEM;
	return true;
}

void *malloc(size_t size)
{
	return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t nr, size_t size)
{
	return fails() ? NULL : __libc_calloc(nr, size);
}

void *realloc(void *block, size_t size)
{
	return fails() ? NULL : __libc_realloc(block, size);
}

void *aligned_alloc(size_t align, size_t size)
{
	return fails() ? NULL : __libc_memalign(align, size);
}

#else
enum { IS_OURS = 0 }; /* sanitizers bring their own */
#endif

/* ---- the test -------------------------------------------------------------------------------- */

/* The program's bytes lie at this address. */
enum { FILE_AT = 0x400000 };

static const char source[] = "__attribute__((noinline)) int work(int n)\n{\n	return n * 3;\n}\n"
			     "int main(int argc, char **argv)\n{\n	(void)argv;\n"
			     "	return work(argc);\n}\n";

static void check(const struct symbol *symbol, const struct symbol_extent *extent)
{
	ck_assert_ptr_nonnull(symbol);
	ck_assert_str_eq(symbol->function, "work");
	ck_assert_str_eq(symbol->filename, "/src/x.c");
	ck_assert_uint_eq(symbol->line, 1);
	ck_assert_uint_gt(extent->end, extent->start);
}

/* Looks @address of @dso up by a symbolizer of its own, whose allocation number @nr fails, and then
 * once more. Returns whether there were so many. */
static bool look_twice(const struct symbol_settings *settings, const struct dso *dso,
		       uint64_t address, size_t nr)
{
	struct symbolizer *symbolizer = symbolizer_create(settings);
	struct symbol_extent extent = {0};
	const struct symbol *symbol;
	struct error err;
	bool failed;

	ck_assert_ptr_nonnull(symbolizer);
	left = nr;
	symbol = symbolizer_function(symbolizer, dso, address, &extent, &err);
	failed = left == 0;
	left = 0;
	if (symbol) /* it did without, such as libelf does */
		ck_assert_str_eq(symbol->function, "work");
	else
		ck_assert_str_eq(err.text, "out of memory while looking up a function");
	symbol = symbolizer_function(symbolizer, dso, address, &extent, &err);
	check(symbol, &extent);
	symbolizer_destroy(symbolizer);
	return failed;
}

START_TEST(who_asks_again_is_told_all)
{
	const struct scratch_path dir = scratch_make();
	const struct symbol_settings settings = {.debug_dir = "/nonexistent",
						 .build_id_cache = "/nonexistent"};
	struct dso_table dsos = {0};
	const struct dso *dso;
	uint64_t address;
	size_t nr = 1;

	if (!IS_OURS) {
		machine_lacks("there is another malloc() than glibc's");
		scratch_remove(dir.text);
		return;
	}
	toolchain_build(dir.text, "x.c", source,
			"gcc -g " TOOLCHAIN_FIXED " -fdebug-prefix-map=\"$PWD\"=/src -o x x.c");
	address = toolchain_address(dir.text, "x", "work") - FILE_AT;
	dso = dso_table_get(&dsos, DSO_USER, scratch_join(dir.text, "x").text, NULL, 0);
	while (look_twice(&settings, dso, address, nr))
		nr++;
	ck_assert_uint_ge(nr, 20);
	dso_table_free(&dsos);
	scratch_remove(dir.text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("lookagain");
	TCase *tcase = tcase_create("lookagain");

	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, who_asks_again_is_told_all);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
