/*
 * The program: one of its jobs is done and its exit status chosen. Nothing but main/ prints
 * messages and nothing else exits.
 */
#include "main/diffjob.h"
#include "main/help.h"
#include "main/job.h"
#include "main/settings.h"
#include "main/status.h"
#include "util/error.h"

#include <stdio.h>

#ifndef READPERF_VERSION
#error "the Makefile says which version this is"
#endif

static int usage_error(const struct settings *settings, const struct error *err)
{
	if (err->kind == ERROR_NOMEM) {
		fprintf(stderr, "readperf: %s\n", err->text);
		return EXIT_UNUSABLE;
	}
	fprintf(stderr, "readperf: %s\nTry 'readperf%s --help'.\n", err->text,
		settings->command == COMMAND_DIFF ? " diff" : "");
	return EXIT_USAGE;
}

static int run_settings(const struct settings *settings)
{
	if (settings->help)
		help_print(settings->command);
	else if (settings->version)
		printf("readperf %s\n", READPERF_VERSION);
	else if (settings->describe)
		help_describe(settings->command, settings->describe);
	else
		return settings->command == COMMAND_DIFF ? diffjob_run(settings)
							 : job_run(settings);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		fprintf(stderr, "readperf: cannot write to standard output\n");
		return EXIT_UNUSABLE;
	}
	return EXIT_OK;
}

int main(int argc, char **argv)
{
	struct settings settings;
	struct error err = {0};
	int status;

	if (settings_parse(&settings, argc, argv, &err) < 0)
		status = usage_error(&settings, &err);
	else
		status = run_settings(&settings);
	settings_free(&settings);
	return status;
}
