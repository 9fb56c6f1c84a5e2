/* Several names of one file: it is read once for all of them, and each has its own answers. */
#include "decode/symbol/symbol.h"
#include "tests/support/suite.h"
#include "tests/support/toolchain.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

/* The file's bytes lie at this address. */
enum { FILE_AT = 0x400000, NR_NAMES = 5 };

static const uint8_t other_id[20] = {0xff, 1};

static const char *const source =
	"__attribute__((noinline)) int work(int n)\n{\n	return n * 3;\n}\n"
	"int main(int argc, char **argv)\n{\n	(void)argv;\n"
	"	return work(argc);\n}\n";

/* A program a/x in a scratch directory, and a symbolizer that looks nowhere else. */
struct fixture {
	struct scratch_path dir, nowhere;
	struct symbol_settings settings;
	struct dso_table dsos;
	uint64_t work; /* byte offset of work() in x */
};

static void setup(struct fixture *f, const char *flags)
{
	*f = (struct fixture){.dir = scratch_make()};
	f->nowhere = scratch_join(f->dir.text, "nowhere");
	f->settings = (struct symbol_settings){.debug_dir = f->nowhere.text,
					       .build_id_cache = f->nowhere.text};
	toolchain_run(f->dir.text, "mkdir -p a b nowhere");
	toolchain_build(f->dir.text, "x.c", source,
			"gcc %s " TOOLCHAIN_FIXED " -fdebug-prefix-map=\"$PWD\"=/src -o a/x x.c",
			flags);
	f->work = toolchain_address(f->dir.text, "a/x", "work") - FILE_AT;
}

static void teardown(struct fixture *f)
{
	dso_table_free(&f->dsos);
	scratch_remove(f->dir.text);
}

/* A list of one place, in work(), for each of @names. */
struct lists {
	struct place places[NR_NAMES];
	struct place_list lists[NR_NAMES];
	size_t nr;
};

static struct dso *add_name(struct fixture *f, struct lists *l, const char *name, const uint8_t *id)
{
	struct dso *dso = dso_table_get(&f->dsos, DSO_USER, scratch_join(f->dir.text, name).text,
					id, id ? 20 : 0);

	l->places[l->nr] = (struct place){.address = f->work};
	l->lists[l->nr] =
		(struct place_list){.dso = dso, .places = &l->places[l->nr], .nr_places = 1};
	l->nr++;
	return dso;
}

static struct symbolizer *resolve(struct fixture *f, struct lists *l)
{
	struct symbolizer *symbolizer = symbolizer_create(&f->settings);
	struct error err;

	ck_assert_int_eq(symbolizer_resolve(symbolizer, l->lists, l->nr, NULL, NULL, &err), 0);
	return symbolizer;
}

static const char *reason_of(const struct lists *l, size_t number)
{
	return reason_name(l->places[number].symbol->reason);
}

static const char *const names[NR_NAMES] = {"a/x", "a//x", "b/../a/x", "a/link", "b/y"};

/* The answers are the same ones, so they were found in the same place. */
START_TEST(read_once)
{
	struct fixture f;
	struct lists l = {0};
	struct symbolizer *symbolizer;

	setup(&f, _i < 2 ? "-g" : "-g -Wl,--build-id=sha1");
	f.settings.threads = _i % 2 ? 4 : 1;
	toolchain_run(f.dir.text, "ln -s x a/link && ln a/x b/y");
	for (size_t i = 0; i < NR_NAMES; i++)
		add_name(&f, &l, names[i], NULL);
	symbolizer = resolve(&f, &l);
	ck_assert_str_eq(l.places[0].symbol->function, "work");
	ck_assert_str_eq(l.places[0].symbol->filename, "/src/x.c");
	ck_assert_uint_eq(l.places[0].symbol->line, 1);
	for (size_t i = 0; i < NR_NAMES; i++) {
		struct symbol_origin origin = symbolizer_origin(symbolizer, l.lists[i].dso);

		ck_assert_ptr_eq(l.places[i].symbol, l.places[0].symbol);
		ck_assert_str_eq(origin.file, scratch_join(f.dir.text, names[i]).text);
		ck_assert_str_eq(origin.found_by, "recorded-path");
		ck_assert(!origin.lacks_debug_info);
	}
	symbolizer_destroy(symbolizer);
	teardown(&f);
}
END_TEST

/* A name that the recording has another build for, one whose file was replaced, one of a copy. */
START_TEST(what_only_looks_the_same)
{
	struct fixture f;
	struct lists l = {0};
	struct symbolizer *symbolizer;

	setup(&f, "-g");
	toolchain_run(f.dir.text, "ln a/x b/y && cp a/x b/copy");
	add_name(&f, &l, "a/x", NULL);
	add_name(&f, &l, "a//x", other_id);
	add_name(&f, &l, "b/y", NULL)->replaced = true;
	add_name(&f, &l, "b/copy", NULL);
	add_name(&f, &l, "a/./x", NULL);
	symbolizer = resolve(&f, &l);
	ck_assert_str_eq(l.places[0].symbol->function, "work");
	ck_assert_str_eq(reason_of(&l, 1), "build-id-mismatch");
	ck_assert_str_eq(reason_of(&l, 2), "file-replaced");
	ck_assert_str_eq(l.places[3].symbol->function, "work");
	ck_assert_ptr_ne(l.places[3].symbol, l.places[0].symbol);
	ck_assert_str_eq(l.places[4].symbol->function, "work");
	symbolizer_destroy(symbolizer);
	teardown(&f);
}
END_TEST

/* Its debug file is found by the link in it, beside one of its names only: in any order. */
START_TEST(debug_files_of_their_own)
{
	static const char *const orders[][4] = {
		{"a/x", "b/y", "a//x", "b//y"},
		{"b/y", "a/x", "b//y", "a//x"},
		{"b/y", "b//y", "a/x", "a//x"},
	};
	struct fixture f;
	struct lists l = {0};
	struct symbolizer *symbolizer;

	setup(&f, _i < 3 ? "-g" : "-g -gz");
	toolchain_run(f.dir.text,
		      "objcopy --only-keep-debug a/x a/x.debug && strip --strip-all a/x && "
		      "(cd a && objcopy --add-gnu-debuglink=x.debug x) && ln a/x b/y");
	for (size_t i = 0; i < 4; i++)
		add_name(&f, &l, orders[_i % 3][i], NULL);
	symbolizer = resolve(&f, &l);
	for (size_t i = 0; i < l.nr; i++) {
		struct symbol_origin origin = symbolizer_origin(symbolizer, l.lists[i].dso);

		if (orders[_i % 3][i][0] == 'a') {
			ck_assert_str_eq(l.places[i].symbol->function, "work");
			ck_assert_str_eq(l.places[i].symbol->filename, "/src/x.c");
			ck_assert_str_eq(origin.debug_found_by, "debug-link");
		} else {
			ck_assert_str_eq(reason_of(&l, i), "no-symbols");
			ck_assert_str_eq(origin.debug_file, "");
		}
	}
	symbolizer_destroy(symbolizer);
	teardown(&f);
}
END_TEST

/* What a filter has asked for before is found again, and no other name's answers are disturbed. */
START_TEST(asked_for_by_a_filter)
{
	struct fixture f;
	struct lists l = {0};
	struct symbolizer *symbolizer;
	struct error err;

	setup(&f, "-g");
	for (size_t i = 0; i < 3; i++)
		add_name(&f, &l, names[i], NULL);
	symbolizer = symbolizer_create(&f.settings);
	for (size_t round = 0; round < 2; round++) {
		for (size_t i = round; i < 3; i++) {
			const struct symbol *symbol =
				symbolizer_find(symbolizer, l.lists[i].dso, f.work, &err);

			ck_assert_str_eq(symbol->function, "work");
			l.places[i].symbol = NULL;
		}
		ck_assert_int_eq(symbolizer_resolve(symbolizer, l.lists, l.nr, NULL, NULL, &err),
				 0);
		for (size_t i = 0; i < 3; i++) {
			ck_assert_str_eq(l.places[i].symbol->function, "work");
			ck_assert_str_eq(l.places[i].symbol->filename, "/src/x.c");
		}
	}
	symbolizer_destroy(symbolizer);
	teardown(&f);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("aliases");
	TCase *tcase = tcase_create("aliases");

	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(tcase, read_once, 0, 4);
	tcase_add_test(tcase, what_only_looks_the_same);
	tcase_add_loop_test(tcase, debug_files_of_their_own, 0, 6);
	tcase_add_test(tcase, asked_for_by_a_filter);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
