/* Text in XML: what is escaped, and what XML cannot hold. */
#include "util/xml.h"

#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

static const struct {
	const char *text, *body, *attribute;
} texts[] = {
	{"", "", " a=\"\""},
	{"a<b>&'\"]]>", "a&lt;b&gt;&amp;'\"]]&gt;", " a=\"a&lt;b&gt;&amp;'&quot;]]&gt;\""},
	{"a\tb\nc\rd", "a\tb\nc&#13;d", " a=\"a&#9;b&#10;c&#13;d\""},
	{"\x01\x08\x1b[2J\x1f\x7f", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd[2J\xef\xbf\xbd\x7f",
	 " a=\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd[2J\xef\xbf\xbd\x7f\""},
	/* U+FFFE and U+FFFF are characters of UTF-8, but not of XML */
	{"\xef\xbf\xbe\xef\xbf\xbf\xef\xbf\xbd", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd",
	 " a=\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
	{"\xc3\xa4\xff", "\xc3\xa4\xef\xbf\xbd", " a=\"\xc3\xa4\xef\xbf\xbd\""},
};

static void check_written(const char *text, bool attribute, const char *expected)
{
	struct scratch_path dir = scratch_make();
	struct error err = {0};
	int fd = outfile_open_dir(dir.text, &err);
	struct outfile *out = outfile_create(fd, dir.text, "t.xml", &err);
	char *got;

	ck_assert_msg(out, "%s", err.text);
	if (attribute)
		xml_attribute(out, "a", text);
	else
		xml_text(out, text);
	ck_assert_int_eq(outfile_finish(out, &err), 0);
	ck_assert_int_eq(outfile_publish(out, &err), 0);
	outfile_close(out);
	close(fd);
	got = scratch_read(dir.text, "t.xml");
	ck_assert_str_eq(got, expected);
	free(got);
	scratch_remove(dir.text);
}

START_TEST(escaped)
{
	check_written(texts[_i].text, false, texts[_i].body);
	check_written(texts[_i].text, true, texts[_i].attribute);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("xml");
	TCase *tcase = tcase_create("xml");

	tcase_add_loop_test(tcase, escaped, 0, (int)(sizeof(texts) / sizeof(texts[0])));
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
