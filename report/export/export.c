#include "report/export/export.h"

#include "report/export/forms.h"
#include "util/options.h"

#include <stdio.h>
#include <string.h>

const struct export_form export_forms[NR_EXPORTS] = {
	{.name = "markdown",
	 .file = "diff.md",
	 .mark = {.starts = {"### Performance: "}},
	 .write = markdown_write},
	{.name = "junit",
	 .file = "diff.junit.xml",
	 .mark = {.starts = {"<?xml "}, .has = "<testsuites name=\"readperf diff\">"},
	 .write = junit_write},
	{.name = "json",
	 .file = "diff.json",
	 .mark = {.starts = {"{\n  \"format\": "}, .has = "\n  \"readperf\": \""},
	 .write = rowsjson_write},
	{.name = "sarif",
	 .file = "diff.sarif",
	 .mark = {.starts = {"{\n  \"$schema\": "}, .has = "\"driver\": {\"name\": \"readperf\""},
	 .write = sarif_write},
	{.name = "codequality",
	 .file = "diff.codequality.json",
	 .mark = {.starts = {"[\n  {\"description\": ", "[]\n"}},
	 .write = codequality_write},
	{.name = "benchmark",
	 .file = "diff.benchmark.json",
	 .mark = {.starts = {"[\n  {\"name\": ", "[]\n"}},
	 .write = benchmark_write},
	{.name = "github",
	 .file = "diff.github.txt",
	 .mark = {.starts = {"::error ", "::warning "}},
	 .write = github_write},
	{.name = "html",
	 .file = "diff.html",
	 .mark = {.starts = {"<!DOCTYPE html>"}, .has = "<title>readperf diff</title>"},
	 .write = diffhtml_write,
	 .paths = true},
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
