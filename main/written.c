#include "main/written.h"

#include "main/say.h"
#include "report/diffreport.h"
#include "report/report.h"
#include "util/textfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The names of the files, separated by commas. The caller frees the text; NULL if memory is out. */
static char *list_files(const struct settings *settings, const struct results *results)
{
	const struct export_settings exports = diffsettings_exports(&settings->diff);
	struct report_settings report = settings->report;
	struct textfile list;

	report.exports = &exports;
	if (textfile_open(&list) && settings->command == COMMAND_DIFF)
		diffreport_list_files(list.out, &report);
	else if (list.out)
		report_list_files(list.out, &report, results);
	return textfile_close(&list);
}

void written_say(const struct settings *settings, const struct results *results)
{
	const char *dir = settings->report.dir;
	char *files;

	if (settings->quiet || settings->report.to_stdout)
		return;
	files = list_files(settings, results);
	if (!files || *files)
		say(NULL, "wrote %s into %s", files ? files : "the tables",
		    strcmp(dir, ".") == 0 ? "the current directory" : dir);
	free(files);
}
