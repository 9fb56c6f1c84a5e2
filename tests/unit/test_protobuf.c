/* Messages of protocol buffers, and files in gzip. */
#include "report/export/protobuf.h"

#include "tests/support/suite.h"
#include "util/codec/gzipfile.h"
#include "util/codec/unpack.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_bytes(const struct protobuf *message, const char *bytes, size_t len)
{
	ck_assert(!message->failed);
	ck_assert_uint_eq(message->len, len);
	ck_assert_mem_eq(message->bytes, bytes, len);
}

START_TEST(numbers_and_bytes)
{
	struct protobuf message = {0};

	protobuf_u64(&message, 1, 150);
	protobuf_u64(&message, 2, 0); /* as if it were not there */
	protobuf_u64(&message, 15, UINT64_MAX);
	protobuf_bytes(&message, 2, "testing", 7);
	protobuf_bytes(&message, 6, NULL, 0);
	check_bytes(&message,
		    "\x08\x96\x01"
		    "\x78\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
		    "\x12\x07testing"
		    "\x32\x00",
		    25);
	protobuf_free(&message);
}
END_TEST

START_TEST(messages_in_messages_and_packed_lists)
{
	struct protobuf message = {0}, inner = {0};

	protobuf_number(&inner, 3);
	protobuf_number(&inner, 270);
	protobuf_number(&inner, 0);
	protobuf_message(&message, 4, &inner);
	protobuf_clear(&inner);
	protobuf_raw(&inner, "ab", 2);
	protobuf_raw(&inner, "c", 1);
	protobuf_message(&message, 16, &inner);
	check_bytes(&message,
		    "\x22\x04\x03\x8e\x02\x00\x82\x01\x03"
		    "abc",
		    12);
	inner.failed = true;
	protobuf_message(&message, 1, &inner);
	ck_assert(message.failed);
	protobuf_free(&inner);
	protobuf_free(&message);
}
END_TEST

/* More than its buffers hold, in parts of any size. */
START_TEST(gzip_gives_back_what_was_put)
{
	enum { SIZE = 1000000 };
	uint8_t *bytes = malloc(SIZE), *packed = malloc(2 * SIZE), *back;
	FILE *to = tmpfile();
	struct error err = {0};
	struct outfile *out = outfile_stream(fileno(to), "a test", &err);
	struct gzipfile *gzip = gzipfile_create(out);
	uint32_t value = 1;
	bool nomem = false;
	size_t len, size;

	for (size_t i = 0; i < SIZE; i++) {
		value = value * 1103515245 + 12345;
		bytes[i] = (uint8_t)(value >> 24);
	}
	for (size_t at = 0, part = 0; at < SIZE; at += part, part = 2 * part + 1) {
		part = part < SIZE - at ? part : SIZE - at;
		gzipfile_put(gzip, bytes + at, part);
	}
	ck_assert(gzipfile_end(gzip));
	ck_assert_int_eq(outfile_finish(out, &err), 0);
	outfile_close(out);
	rewind(to);
	len = fread(packed, 1, 2 * SIZE, to);
	fclose(to);
	/* neither a name nor a time */
	ck_assert_mem_eq(packed, "\x1f\x8b\x08\x00\x00\x00\x00\x00", 8);
	back = unpack(span_make(packed, len, false), SIZE, &size, &nomem);
	ck_assert_uint_eq(size, SIZE);
	ck_assert_mem_eq(back, bytes, SIZE);
	free(back);
	free(packed);
	free(bytes);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("protobuf");
	TCase *tc = tcase_create("protobuf");

	tcase_add_test(tc, numbers_and_bytes);
	tcase_add_test(tc, messages_in_messages_and_packed_lists);
	tcase_add_test(tc, gzip_gives_back_what_was_put);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
