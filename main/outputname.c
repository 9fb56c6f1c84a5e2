#include "main/outputname.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *ending;
	const char *of_tables, *of_diff; /* options for such a file; NULL: there is none */
} files[] = {
	{".csv", "--tables=results ", ""},
	{".html", "--export=html ", "--export=html "},
	{".json", "--export=json ", "--export=json "},
	{".jsonl", "--export=json ", "--export=json "},
	{".md", NULL, "--export=markdown "},
	{".xml", NULL, "--export=junit "},
	{".sarif", NULL, "--export=sarif "},
	{".folded", "--export=folded ", NULL},
	{".pb.gz", "--export=pprof ", NULL},
	{".preagg", "--export=bolt ", NULL},
	{".sqlite", "--export=sqlite ", NULL},
	{".db", "--export=sqlite ", NULL},
	{".parquet", "--tables=results --export=parquet ", NULL},
	{".xlsx", NULL, NULL},
	{".tsv", NULL, NULL},
	{".txt", NULL, NULL},
	{".svg", NULL, NULL},
};

bool outputname_is_file(const char *name, enum command command, const char **options)
{
	const size_t len = strlen(name);

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		const size_t end = strlen(files[i].ending);

		if (len < end || strcmp(name + len - end, files[i].ending) != 0)
			continue;
		*options = command == COMMAND_DIFF ? files[i].of_diff : files[i].of_tables;
		return true;
	}
	return false;
}
