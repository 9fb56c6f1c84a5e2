/* Binaries that a thread loads: what it has loaded, and what is dropped. */
#include "decode/symbol/loadahead.h"

#include "tests/support/suite.h"
#include "tests/support/toolchain.h"

#include <check.h>
#include <sched.h>
#include <string.h>

/* A program x, to be loaded ahead. */
struct fixture {
	struct scratch_path dir, none;
	struct load_context context;
	struct load_ahead ahead;
	struct dso_table dsos;
	struct dso *dso;
	struct binary binary;
};

static void setup(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	f->dir = scratch_make();
	f->none = scratch_join(f->dir.text, "none");
	f->context.settings.debug_dir = f->context.settings.build_id_cache = f->none.text;
	toolchain_build(f->dir.text, "x.c", "int main(void) { return 0; }\n",
			"printf '#include <stdio.h>\n#include <stdlib.h>\n"
			"__asm__(\".cfi_startproc; sizeless: .skip 16; .cfi_endproc; bare: .skip "
			"16\");\nint f(void) { return 1; }\n' >y.c && "
			"gcc -g -gz=zlib " TOOLCHAIN_FIXED " -o x x.c y.c");
	f->dso = dso_table_get(&f->dsos, DSO_USER, scratch_join(f->dir.text, "x").text, NULL, 0);
	f->binary.strings.limit = 1 << 20;
	helpers_init(&f->context.helpers);
	load_ahead_init(&f->ahead, &f->context);
}

static void teardown(struct fixture *f)
{
	load_ahead_deinit(&f->ahead);
	helpers_deinit(&f->context.helpers);
	binary_unload(&f->binary);
	intern_free(&f->binary.strings);
	dso_table_free(&f->dsos);
	scratch_remove(f->dir.text);
}

/* Waits until the thread has begun with the binary: load_ahead_end() waits for the rest. */
static void await_taken(struct load_ahead *ahead)
{
	size_t nr_taken;

	do {
		sched_yield();
		pthread_mutex_lock(&ahead->helpers->lock);
		nr_taken = ahead->nr_taken;
		pthread_mutex_unlock(&ahead->helpers->lock);
	} while (nr_taken == 0);
}

static void add(struct fixture *f)
{
	ck_assert(load_ahead_takes(&f->ahead, f->dso));
	load_ahead_add(&f->ahead, &f->binary, f->dso, 0);
	ck_assert(!load_ahead_takes(&f->ahead, f->dso));
	await_taken(&f->ahead);
}

START_TEST(a_binary_is_loaded)
{
	struct fixture f;

	setup(&f);
	add(&f);
	load_ahead_end(&f.ahead);
	ck_assert(f.binary.is_loaded);
	ck_assert_int_eq(f.binary.reason, REASON_NONE);
	ck_assert_uint_gt(f.binary.symbols.table.nr, 0);
	ck_assert(!f.binary.tried_debuginfo);
	teardown(&f);
}
END_TEST

/* Who stops it may use the binary when it is not being loaded any more. */
START_TEST(a_binary_is_awaited)
{
	const struct dso *busy;
	struct fixture f;

	setup(&f);
	add(&f);
	busy = load_ahead_stop(&f.ahead);
	ck_assert(!busy || busy == f.dso);
	load_ahead_await(&f.ahead, &f.binary);
	ck_assert(f.binary.is_loaded);
	ck_assert_uint_gt(f.binary.symbols.table.nr, 0);
	ck_assert_ptr_null(load_ahead_stop(&f.ahead));
	teardown(&f);
}
END_TEST

/* Bytes of DWARF that are unpacked of the binary so far. */
static size_t wait_for_unpacked(struct fixture *f, size_t nr_places)
{
	size_t nr_unpacked;

	do {
		sched_yield();
		pthread_mutex_lock(&f->ahead.helpers->lock);
		nr_unpacked = f->ahead.items[0].nr_unpacked;
		pthread_mutex_unlock(&f->ahead.helpers->lock);
	} while (nr_unpacked < nr_places);
	load_ahead_end(&f->ahead);
	return binary_unpacked(&f->binary);
}

START_TEST(places_have_their_dwarf_unpacked)
{
	struct fixture f;
	size_t bytes;

	setup(&f);
	add(&f);
	load_ahead_place(&f.ahead, f.dso->number + 1, 5); /* of a dso that was not added */
	load_ahead_place(&f.ahead, f.dso->number,
			 toolchain_address(f.dir.text, "x", "main") - 0x400000);
	bytes = wait_for_unpacked(&f, 1);
	ck_assert_uint_eq(f.ahead.items[0].nr_places, 1);
	ck_assert(!f.binary.tried_debuginfo);
#ifdef HAVE_LIBDEFLATE
	ck_assert_uint_gt(bytes, 0);
#else
	ck_assert_uint_eq(bytes, 0);
#endif
	for (size_t i = 0; i < 2 * LOAD_AHEAD_PLACES; i++)
		load_ahead_place(&f.ahead, f.dso->number, i);
	ck_assert_uint_eq(f.ahead.items[0].nr_places, LOAD_AHEAD_PLACES);
	teardown(&f);
}
END_TEST

/* Where names are enough, no DWARF is unpacked for places that have one. */
START_TEST(names_need_no_dwarf)
{
	static const char *const names[] = {"main", "sizeless", "bare"};
	struct fixture f;

	setup(&f);
	f.context.settings.names_only = true;
	add(&f);
	load_ahead_place(&f.ahead, f.dso->number,
			 toolchain_address(f.dir.text, "x", names[_i]) + 1 - 0x400000);
	ck_assert_uint_eq(wait_for_unpacked(&f, 1), 0);
	ck_assert_uint_gt(f.binary.symbols.table.nr, 0);
	teardown(&f);
}
END_TEST

/* Others are expected anywhere then. */
START_TEST(many_places_have_all_unpacked)
{
	struct fixture f;
	struct load_ahead_item *item = &f.ahead.items[0];
	uint64_t place;
	size_t info;

	setup(&f);
	place = toolchain_address(f.dir.text, "x", "main") - 0x400000;
	add(&f);
	pthread_mutex_lock(&f.ahead.helpers->lock); /* so that it finds all at once */
	for (size_t i = 0; i < LOAD_AHEAD_PLACES; i++)
		item->places[i] = place;
	item->nr_places = LOAD_AHEAD_PLACES;
	pthread_cond_signal(&f.ahead.helpers->changed);
	pthread_mutex_unlock(&f.ahead.helpers->lock);
	ck_assert_uint_gt(wait_for_unpacked(&f, LOAD_AHEAD_PLACES), 0);
	info = elffile_section_named(f.binary.runtime, ".debug_info");
	ck_assert_ptr_nonnull(f.binary.runtime->sections[info].unpacked);
	teardown(&f);
}
END_TEST

/* What it takes is little beside a long recording. */
START_TEST(a_long_recording_has_all_unpacked)
{
	struct fixture f;
	size_t info;

	setup(&f);
	add(&f);
	while (load_ahead_is_busy(&f.ahead))
		sched_yield();
	f.ahead.recording_size = 12 * f.ahead.items[0].debug_size - (_i == 0);
	load_ahead_place(&f.ahead, f.dso->number,
			 toolchain_address(f.dir.text, "x", "main") - 0x400000);
	(void)wait_for_unpacked(&f, 1);
	info = elffile_section_named(f.binary.runtime, ".debug_info");
#ifdef HAVE_LIBDEFLATE
	ck_assert(!f.binary.runtime->sections[info].unpacked == (_i == 0));
#else
	ck_assert_ptr_nonnull(f.binary.runtime->sections[info].unpacked);
#endif
	teardown(&f);
}
END_TEST

/* Who looks them up needs all of it. */
START_TEST(places_that_no_list_covers_have_all_unpacked)
{
	struct fixture f;
	size_t info;

	setup(&f);
	toolchain_run(f.dir.text, "gcc -g -c y.c && objcopy --remove-section=.debug_aranges y.o && "
				  "gcc -g -gz=zlib " TOOLCHAIN_FIXED " -o x x.c y.o");
	add(&f);
	load_ahead_place(&f.ahead, f.dso->number,
			 toolchain_address(f.dir.text, "x", "f") - 0x400000);
	ck_assert_uint_gt(wait_for_unpacked(&f, 1), 0);
	info = elffile_section_named(f.binary.runtime, ".debug_info");
	ck_assert_ptr_nonnull(f.binary.runtime->sections[info].unpacked);
	teardown(&f);
}
END_TEST

/* With all that was found out about it, as if it had not been loaded. */
START_TEST(what_has_changed_is_dropped)
{
	struct fixture f;

	setup(&f);
	add(&f);
	while (load_ahead_is_busy(&f.ahead))
		sched_yield();
	ck_assert_str_eq(f.binary.origin.file, f.dso->path);
	ck_assert_int_eq(split_tally_add(&f.binary.splits, 5, "x.dwo", &f.binary.strings), 0);
	if (_i == 0)
		f.dso->replaced = true;
	else if (_i == 1)
		f.dso->build_id_len = DSO_BUILD_ID_MAX;
	else
		f.dso->root = f.none.text;
	(void)load_ahead_stop(&f.ahead);
	load_ahead_await(&f.ahead, &f.binary);
	ck_assert(!f.binary.is_loaded);
	ck_assert_ptr_null(f.binary.runtime);
	ck_assert_ptr_null(f.binary.origin.file);
	ck_assert_uint_eq(f.binary.splits.nr_missing, 0);
	load_ahead_end(&f.ahead);
	teardown(&f);
}
END_TEST

/* Nobody needs it any more. */
START_TEST(what_nobody_awaits_is_dropped_at_the_end)
{
	struct fixture f;

	setup(&f);
	add(&f);
	f.dso->replaced = true;
	load_ahead_end(&f.ahead);
	ck_assert(!f.binary.is_loaded);
	ck_assert_ptr_null(f.binary.origin.file);
	teardown(&f);
}
END_TEST

/* Whoever awaited it has filled it since. */
START_TEST(what_was_awaited_is_left_alone)
{
	struct fixture f;

	setup(&f);
	add(&f);
	(void)load_ahead_stop(&f.ahead);
	f.dso->build_id_len = DSO_BUILD_ID_MAX;
	load_ahead_await(&f.ahead, &f.binary);
	ck_assert(!f.binary.is_loaded);
	f.binary.origin.refused = "x: other";
	binary_set_reason(&f.binary, REASON_BUILD_ID_MISMATCH);
	load_ahead_end(&f.ahead);
	ck_assert(f.binary.is_loaded);
	ck_assert_str_eq(f.binary.origin.refused, "x: other");
	teardown(&f);
}
END_TEST

START_TEST(other_kinds_are_not_loaded)
{
	struct fixture f;

	setup(&f);
	f.dso->replaced = true;
	ck_assert(!load_ahead_takes(&f.ahead, f.dso));
	f.dso->replaced = false;
	f.dso->kind = DSO_KERNEL;
	ck_assert(!load_ahead_takes(&f.ahead, f.dso));
	teardown(&f);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("loadahead");
	TCase *tc = tcase_create("loadahead");

	tcase_set_timeout(tc, 0);
	tcase_add_test(tc, a_binary_is_loaded);
	tcase_add_test(tc, a_binary_is_awaited);
	tcase_add_test(tc, places_have_their_dwarf_unpacked);
	tcase_add_loop_test(tc, names_need_no_dwarf, 0, 3);
	tcase_add_loop_test(tc, a_long_recording_has_all_unpacked, 0, 2);
	tcase_add_test(tc, many_places_have_all_unpacked);
	tcase_add_test(tc, places_that_no_list_covers_have_all_unpacked);
	tcase_add_loop_test(tc, what_has_changed_is_dropped, 0, 3);
	tcase_add_test(tc, what_nobody_awaits_is_dropped_at_the_end);
	tcase_add_test(tc, what_was_awaited_is_left_alone);
	tcase_add_test(tc, other_kinds_are_not_loaded);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
