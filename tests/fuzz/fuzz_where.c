/* What --where and --per take: words that are read, or refused with a message. */
#include "decode/replay/perkeys.h"
#include "decode/replay/where.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

static void check_where(const char *text)
{
	struct where where = {0};
	struct error err = {0};
	const int rc = where_add(&where, text, &err);

	fuzz_check(rc == 0 ? err.kind == ERROR_NONE && where.nr > 0 : err.kind == ERROR_USAGE);
	fuzz_check(where.nr <= strlen(text));
	where_free(&where);
}

static void check_per(const char *text)
{
	struct perkeys keys = {0};
	struct error err = {0};
	const int rc = perkeys_add(&keys, text, &err);

	fuzz_check(rc == 0 ? err.kind == ERROR_NONE && keys.nr > 0 : err.kind == ERROR_USAGE);
	fuzz_check(keys.nr <= PERKEYS_MAX);
	for (size_t i = 0; i < keys.nr; i++)
		fuzz_check(keys.list[i].kind != PER_SLICE || keys.list[i].length > 0);
	perkeys_free(&keys);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = strndup((const char *)data, size);

	fuzz_check(text);
	check_where(text);
	check_per(text);
	free(text);
	return 0;
}
