/* The table of dsos: one entry for each identity. */
#include "decode/symbol/dso.h"

#include "tests/support/suite.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

START_TEST(the_same_identity_is_the_same_dso)
{
	const uint8_t id[20] = {1, 2, 3};
	struct dso_table table = {0};
	char path[] = "/bin/true";
	struct dso *dso = dso_table_get(&table, DSO_USER, path, id, 20);

	ck_assert_uint_eq(dso->number, 0);
	ck_assert_int_eq(dso->kind, DSO_USER);
	ck_assert_uint_eq(dso->build_id_len, 20);
	ck_assert_mem_eq(dso->build_id, id, 20);
	ck_assert_uint_eq(dso->reference_address, 0);
	ck_assert_ptr_null(dso->reference_symbol);
	path[1] = 'X'; /* the path was copied */
	ck_assert_str_eq(dso->path, "/bin/true");
	ck_assert_ptr_eq(dso_table_get(&table, DSO_USER, "/bin/true", id, 20), dso);
	ck_assert_uint_eq(table.nr_dsos, 1);
	dso_table_free(&table);
	ck_assert_uint_eq(table.nr_dsos, 0);
}
END_TEST

START_TEST(kind_path_and_build_id_all_count)
{
	const uint8_t a[20] = {1}, b[20] = {2};
	struct dso_table table = {0};
	const struct dso *dsos[] = {
		dso_table_get(&table, DSO_USER, "/x", NULL, 0),
		dso_table_get(&table, DSO_MODULE, "/x", NULL, 0),
		dso_table_get(&table, DSO_USER, "/y", NULL, 0),
		dso_table_get(&table, DSO_USER, "/x", a, 20),
		dso_table_get(&table, DSO_USER, "/x", b, 20),
		dso_table_get(&table, DSO_USER, "/x", a, 8),
	};

	ck_assert_uint_eq(table.nr_dsos, 6);
	for (uint32_t i = 0; i < 6; i++) {
		ck_assert_uint_eq(dsos[i]->number, i);
		ck_assert_ptr_eq(table.dsos[i], dsos[i]);
	}
	dso_table_free(&table);
}
END_TEST

START_TEST(a_path_can_have_instances)
{
	struct dso_table table = {0};
	struct dso *first = dso_table_get(&table, DSO_JIT, "/x", NULL, 0);
	struct dso *second = dso_table_get_instance(&table, DSO_JIT, "/x", 7);

	ck_assert_ptr_ne(first, second);
	ck_assert_uint_eq(first->instance, 0);
	ck_assert_uint_eq(second->instance, 7);
	ck_assert_ptr_eq(dso_table_get_instance(&table, DSO_JIT, "/x", 0), first);
	ck_assert_ptr_eq(dso_table_get_instance(&table, DSO_JIT, "/x", 7), second);
	ck_assert_uint_eq(table.nr_dsos, 2);
	dso_table_free(&table);
}
END_TEST

START_TEST(a_build_id_is_cut_to_its_maximum)
{
	const uint8_t id[32] = {[19] = 9, [20] = 7};
	struct dso_table table = {0};
	const struct dso *dso = dso_table_get(&table, DSO_USER, "/x", id, 32);

	ck_assert_uint_eq(dso->build_id_len, DSO_BUILD_ID_MAX);
	ck_assert_uint_eq(dso->build_id[19], 9);
	dso_table_free(&table);
}
END_TEST

START_TEST(many_dsos_keep_their_places)
{
	struct dso_table table = {0};
	const struct dso *first = NULL;
	char path[32];

	for (uint32_t i = 0; i < 5000; i++) {
		snprintf(path, sizeof(path), "/lib/%u", i);
		const struct dso *dso = dso_table_get(&table, DSO_USER, path, NULL, 0);

		first = first ? first : dso;
		ck_assert_uint_eq(dso->number, i);
	}
	ck_assert_ptr_eq(dso_table_get(&table, DSO_USER, "/lib/0", NULL, 0), first);
	ck_assert_uint_eq(dso_table_get(&table, DSO_USER, "/lib/4999", NULL, 0)->number, 4999);
	ck_assert_uint_eq(table.nr_dsos, 5000);
	dso_table_free(&table);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("dso");
	TCase *tc = tcase_create("dso");

	tcase_add_test(tc, the_same_identity_is_the_same_dso);
	tcase_add_test(tc, kind_path_and_build_id_all_count);
	tcase_add_test(tc, a_path_can_have_instances);
	tcase_add_test(tc, a_build_id_is_cut_to_its_maximum);
	tcase_add_test(tc, many_dsos_keep_their_places);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
