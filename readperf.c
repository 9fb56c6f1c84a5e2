/*
 * The program: one of its jobs is done and its exit status chosen. Nothing but main/ prints
 * messages and nothing else exits.
 */
#include "main/help.h"
#include "main/job.h"
#include "main/settings.h"
#include "main/status.h"
#include "util/error.h"

#include <stdio.h>

#ifndef READPERF_VERSION
#error "the Makefile says which version this is"
#endif

static int usage_error(const struct error *err)
{
	fprintf(stderr, "readperf: %s\nTry 'readperf --help'.\n", err->text);
	return EXIT_USAGE;
}

static int run_settings(const struct settings *settings)
{
	if (settings->help)
		help_print();
	else if (settings->version)
		printf("readperf %s\n", READPERF_VERSION);
	else if (settings->describe)
		help_describe(settings->describe);
	else
		return job_run(settings);
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
		status = usage_error(&err);
	else
		status = run_settings(&settings);
	settings_free(&settings);
	return status;
}
