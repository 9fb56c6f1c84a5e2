/*
 * The program: runs a job and sets the exit status. Only main/ prints messages; nothing else exits.
 */
#include "main/cache.h"
#include "main/descriptors.h"
#include "main/diffjob.h"
#include "main/eventnames.h"
#include "main/help.h"
#include "main/idle.h"
#include "main/job.h"
#include "main/manyjob.h"
#include "main/notes.h"
#include "main/sandbox.h"
#include "main/settings.h"
#include "main/status.h"
#include "util/buserror.h"
#include "util/cores.h"
#include "util/error.h"
#include "util/heap.h"
#include "util/largemem.h"

#include <signal.h>
#include <stdio.h>

#ifndef READPERF_VERSION
#error "the Makefile says which version this is"
#endif

static int fail(const struct settings *settings, const struct error *err)
{
	fprintf(stderr, "readperf: %s\n", err->text);
	if (err->kind != ERROR_USAGE)
		return EXIT_UNUSABLE;
	fprintf(stderr, "Try 'readperf%s --help'.\n",
		settings->command == COMMAND_DIFF ? " diff" : "");
	return EXIT_USAGE;
}

/* Prints information on the program itself, if it was requested. */
static int explain(const struct settings *settings)
{
	if (settings->help)
		help_print(settings->command);
	else if (settings->version)
		help_version(settings->verbose);
	else
		help_describe(settings->command, settings->describe);
	if (fflush(stdout) == 0 && !ferror(stdout))
		return EXIT_OK;
	fprintf(stderr, "readperf: cannot write to standard output\n");
	return EXIT_UNUSABLE;
}

static bool takes_several(const struct settings *settings)
{
	return settings->command != COMMAND_DIFF && settings->inputs.several;
}

/* The program works without the sandbox too. */
static int run_job(struct settings *settings, struct error *err)
{
	if (descriptors_ensure(takes_several(settings) ? manyjob_descriptors(settings)
						       : DESCRIPTORS_OF_RUN,
			       err) < 0)
		return fail(settings, err);
	settings->cores = cores_choose(0);
	if (!settings->symbols.threads)
		settings->symbols.threads = (unsigned)settings->cores;
	if (largemem_pages_are_slow())
		heap_use_large_pages(settings->symbols.threads);
	eventnames_ask();
	/* reaching the file size limit becomes a write error, as for a full disk */
	signal(SIGXFSZ, SIG_IGN);
	(void)sandbox_enter(settings->symbols.debuginfod);
	if (cache_open(settings, err) < 0)
		return fail(settings, err);
	if (!settings->quiet) {
		notes_print_directories(&settings->symbols);
		idle_print(settings);
	}
	if (settings->command == COMMAND_DIFF)
		return diffjob_run(settings);
	return takes_several(settings) ? manyjob_run(settings) : job_run(settings, NULL);
}

int main(int argc, char **argv)
{
	struct settings settings;
	struct error err = {0};
	int status;

	descriptors_fill_standard();
	descriptors_block_output();
	buserror_catch();
	if (settings_parse(&settings, argc, argv, &err) < 0)
		status = fail(&settings, &err);
	else if (settings.help || settings.version || settings.describe)
		status = explain(&settings);
	else
		status = run_job(&settings, &err);
	settings_free(&settings);
	return status;
}
