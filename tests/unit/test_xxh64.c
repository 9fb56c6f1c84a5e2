/* XXH64: values as xxh64sum(1) prints them, in one piece and in any two. */
#include "util/xxh64.h"

#include "tests/support/suite.h"

#include <check.h>

static uint64_t hash_in_two(const uint8_t *bytes, size_t len, size_t first)
{
	struct xxh64 hash;

	xxh64_start(&hash);
	xxh64_add(&hash, bytes, first);
	xxh64_add(&hash, bytes + first, len - first);
	return xxh64_sum(&hash);
}

START_TEST(known_values)
{
	/* of the first bytes of 0, 1, 2, ... */
	static const struct {
		size_t len;
		uint64_t hash;
	} known[] = {
		{0, 0xef46db3751d8e999},   {1, 0xe934a84adb052768},   {3, 0xe5c7bb4533bc65dd},
		{4, 0xffced8604453cc1e},   {7, 0x14cc643f630c72d2},   {8, 0x884a173614b81b8d},
		{12, 0x424af23f1f08dca5},  {31, 0xc346d2b59b4d8ee1},  {32, 0xcbf59c5116ff32b4},
		{33, 0x0c535d1acafb8ead},  {63, 0xe26aa9e2a95f8e4f},  {64, 0xf7c67301db6713f0},
		{100, 0x6ac1e58032166597}, {255, 0x0f7d97507caad693},
	};
	uint8_t bytes[256];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)i;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		for (size_t first = 0; first <= known[i].len; first++)
			ck_assert_uint_eq(hash_in_two(bytes, known[i].len, first), known[i].hash);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("xxh64");
	TCase *tcase = tcase_create("xxh64");

	tcase_add_test(tcase, known_values);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
