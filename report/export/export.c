#include "report/export/export.h"

#include "report/export/forms.h"
#include "util/options.h"

#include <stdio.h>
#include <string.h>

const struct export_form export_forms[NR_EXPORTS] = {
	{"markdown", "diff.md", markdown_write, false},
	{"junit", "diff.junit.xml", junit_write, false},
	{"json", "diff.json", rowsjson_write, false},
	{"sarif", "diff.sarif", sarif_write, false},
	{"codequality", "diff.codequality.json", codequality_write, false},
	{"benchmark", "diff.benchmark.json", benchmark_write, false},
	{"github", "diff.github.txt", github_write, false},
	{"html", "diff.html", diffhtml_write, true},
};

static int find_form(const char *word, size_t len)
{
	for (int i = 0; i < NR_EXPORTS; i++)
		if (strlen(export_forms[i].name) == len &&
		    memcmp(export_forms[i].name, word, len) == 0)
			return i;
	return -1;
}

static int unknown_form(const char *word, size_t len, struct error *err)
{
	char names[160] = "";
	size_t used = 0;

	for (int i = 0; i < NR_EXPORTS && used < sizeof(names); i++)
		used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s", i ? ", " : "",
					 export_forms[i].name);
	return error_set(err, ERROR_USAGE, "option --export: '%.*s' is not one of %s", (int)len,
			 word, names);
}

int export_parse(const char *list, unsigned *chosen, struct error *err)
{
	const char *word;
	size_t len;

	while ((word = option_list_next(&list, &len)) != NULL) {
		int number = find_form(word, len);

		if (number < 0)
			return unknown_form(word, len, err);
		*chosen |= 1u << number;
	}
	return 0;
}

bool export_needs_paths(unsigned chosen)
{
	for (int i = 0; i < NR_EXPORTS; i++)
		if (chosen & 1u << i && export_forms[i].paths)
			return true;
	return false;
}
