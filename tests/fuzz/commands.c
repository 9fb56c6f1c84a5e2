#include "tests/fuzz/commands.h"

#include "main/diffjob.h"
#include "main/eventnames.h"
#include "main/job.h"
#include "main/settings.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

enum { ARGS_MAX = 32 };

/* Words with spaces between them; a diff compares the recording with itself. */
static const char *const lines[] = {
	"--tables=all --inline",
	"--tables=all --csv=raw --demangle=none --threads=2 --verbose",
	"--verbose",
	"--tables=threads,lines,addresses --cpu=0,1,2,3 --time=0,99999999999999999",
	"--tables=all --comm=*a* --binary=*[de]* --quiet",
	"--tables=all --tid=0,1,2,100,101 --event=*c* --top=3",
	"--tables=all --symbol=*a* --inline",
	"diff --inline --children --tables=all",
	"diff --by=period --fail-on=slower:1",
	"diff --by=rate --label=a,b --rename=/(.*)_w(.*)/=\\2\\1 --rename=main=start --verbose",
	"--tables=results,threads,lines --interval=0.1 --window=0.1 --demangle=short",
	"--tables=results,overview --time=10%,90%",
	"--tables=results,slices --time=+0.1,",
};

enum { NR_LINES = sizeof(lines) / sizeof(lines[0]) };

const char *command_options(unsigned number)
{
	return lines[number % NR_LINES];
}

static int run_settings(const struct settings *settings)
{
	eventnames_ask();
	return settings->command == COMMAND_DIFF ? diffjob_run(settings) : job_run(settings, NULL);
}

/* @words is cut into pieces, which are added to @args. Returns how many there are then. */
static int add_words(char *words, char **args, int nr)
{
	for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
		fuzz_check(nr < ARGS_MAX - 1);
		args[nr++] = word;
	}
	return nr;
}

int command_run(unsigned number, const struct command_paths *paths)
{
	const bool diff = strncmp(command_options(number), "diff ", 5) == 0;
	char program[] = "readperf", *text = NULL, *args[ARGS_MAX] = {program};
	struct settings settings;
	struct error err = {0};
	int nr, status;

	/* No file of the machine is to be opened. */
	fuzz_check(asprintf(&text,
			    "%s --symfs=%s --debug-dir=/nonexistent --buildid-dir=%s "
			    "--kallsyms=/dev/null --output=%s %s %s",
			    command_options(number), paths->empty, paths->build_ids, paths->output,
			    paths->input, diff ? paths->input : "") > 0);
	nr = add_words(text, args, 1);
	status = settings_parse(&settings, nr, args, &err);
	fuzz_check(status == 0);
	status = run_settings(&settings);
	settings_free(&settings);
	free(text);
	return status;
}
