#include "report/export/firefoxvalues.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void firefoxvalues_string(struct firefox *to, const char *key, const char *text)
{
	const uint32_t number = text ? intern_string(&to->strings, text) : INTERN_NOMEM;

	if (number == INTERN_NOMEM)
		firefoxindex_nomem(to);
	json_u64(&to->json, key, number);
}

void firefoxvalues_if(struct firefox *to, const char *key, bool known, uint64_t number)
{
	if (known)
		json_u64(&to->json, key, number);
	else
		json_null(&to->json, key);
}

void firefoxvalues_format_ms(char text[FIREFOXVALUES_MS_MAX], uint64_t ns)
{
	snprintf(text, FIREFOXVALUES_MS_MAX, "%" PRIu64 ".%0*" PRIu64, ns / 1000000,
		 FIREFOXVALUES_NS_DIGITS, ns % 1000000);
}

void firefoxvalues_ms(struct firefox *to, const char *key, uint64_t ns)
{
	char text[FIREFOXVALUES_MS_MAX];

	firefoxvalues_format_ms(text, ns);
	json_digits(&to->json, key, text);
}

void firefoxvalues_empty(struct firefox *to, const char *key)
{
	json_open(&to->json, key, '[');
	json_close(&to->json);
}

void firefoxvalues_constants(struct firefox *to, const char *key, size_t nr, const char *value)
{
	json_open(&to->json, key, '[');
	for (size_t i = 0; i < nr; i++)
		json_digits(&to->json, NULL, value);
	json_close(&to->json);
}

void firefoxvalues_no_rows(struct firefox *to, const char *key, const char *const *columns)
{
	json_open(&to->json, key, '{');
	for (; *columns; columns++)
		firefoxvalues_empty(to, *columns);
	json_u64(&to->json, "length", 0);
	json_close(&to->json);
}

const char *firefoxvalues_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}
