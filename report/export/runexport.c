#include "report/export/runexport.h"

#include "report/export/database.h"
#include "report/export/runforms.h"
#include "util/options.h"

#include <stdio.h>
#include <string.h>

const struct runexport_form runexport_forms[NR_RUNEXPORTS] = {
	{.name = "folded",
	 .file = "stacks",
	 .ending = ".folded",
	 .mark = {.is_own = folded_is_own},
	 .answers = {&pathstat_paths},
	 .files = RUNEXPORT_EACH_EVENT,
	 .of_traces = true,
	 .without_sources = true,
	 .write = folded_write},
	{.name = "html",
	 .file = "report",
	 .ending = ".html",
	 .mark = {.starts = {"<!DOCTYPE html>"}, .has = "<title>readperf</title>"},
	 .answers = {&pathstat_paths, &pathstat_cells, &pathstat_slices, &processstat_thread_lives,
		     &headerstat_facts, &linestat_addresses, &timelinestat_parts, &linestat_code,
		     &sourcestat_texts},
	 .files = RUNEXPORT_ALL_EVENTS,
	 .of_traces = true,
	 .is_page = true,
	 .write = html_write},
	{.name = "bolt",
	 .file = "bolt",
	 .ending = ".preagg",
	 .mark = {.is_own = bolt_is_own},
	 .answers = {&branchstat_branches, &branchstat_blocks},
	 .files = RUNEXPORT_EACH_EVENT,
	 .write = bolt_write},
	{.name = "json",
	 .file = "results",
	 .ending = ".jsonl",
	 .mark = {.starts = {"{\"period\": "}, .has = ", \"samples\": "},
	 .answers = {&answer_core},
	 .files = RUNEXPORT_ALL_EVENTS,
	 .write = resultsjson_write},
	{.name = "callgrind",
	 .file = "callgrind",
	 .ending = ".out",
	 .mark = {.starts = {"# callgrind format\n"}, .has = "\ncreator: readperf "},
	 .answers = {&linestat_addresses, &pathstat_calls},
	 .files = RUNEXPORT_ALL_EVENTS,
	 .write = callgrind_write},
	{.name = "speedscope",
	 .file = "profile",
	 .ending = ".speedscope.json",
	 .mark = {.starts = {"{\n  \"$schema\": "}, .has = "\n  \"exporter\": \"readperf@"},
	 .answers = {&pathstat_paths},
	 .files = RUNEXPORT_ALL_EVENTS,
	 .write = speedscope_write},
	{.name = "pprof",
	 .file = "profile",
	 .ending = ".pb.gz",
	 .mark = {.is_own = pprof_is_own},
	 .answers = {&chainstat_places, &chainstat_chains, &runstat_run},
	 .files = RUNEXPORT_EACH_EVENT,
	 .is_signed = true,
	 .write = pprof_write},
	{.name = "firefox",
	 .file = "profile",
	 .ending = ".firefox.json",
	 .mark = {.starts = {"{\n  \"meta\": {\n    \"interval\": "},
		  .has = ",\n    \"processType\": 0,\n"},
	 .answers = {&chainstat_places, &chainstat_chains, &chainstat_samples,
		     &processstat_thread_lives, &runstat_run},
	 .files = RUNEXPORT_EACH_EVENT,
	 .write = firefox_write},
	{.name = "sqlite",
	 .file = "readperf",
	 .ending = ".sqlite",
	 .mark = {.is_own = sqlite_is_own},
	 .answers = {&answer_core},
	 .files = RUNEXPORT_ALL_EVENTS,
	 .write = sqlite_write,
	 .of_tables = true,
	 .library = database_library,
	 .needs = "libsqlite3"},
	{.name = "parquet",
	 .ending = ".parquet",
	 .mark = {.starts = {"PAR1"}, .ends_with = "readperf version "},
	 .answers = {&answer_core},
	 .files = RUNEXPORT_EACH_TABLE,
	 .write = parquet_write,
	 .of_tables = true},
};

int runexport_parse(const char *list, unsigned *chosen, struct error *err)
{
	const char *word;
	char name[32];
	size_t len;

	while ((word = option_list_next(&list, &len)) != NULL) {
		int number = 0;

		while (number < NR_RUNEXPORTS &&
		       (strlen(runexport_forms[number].name) != len ||
			memcmp(runexport_forms[number].name, word, len) != 0))
			number++;
		if (number == NR_RUNEXPORTS)
			return error_set(err, ERROR_USAGE,
					 "option --export: '%.*s' is not one of " RUNEXPORT_WORDS,
					 (int)len, word);
		if (runexport_forms[number].library && !runexport_forms[number].library(name))
			return error_set(err, ERROR_USAGE,
					 "option --export: there is no %s, or readperf was built "
					 "without it, so it writes no '%.*s'",
					 runexport_forms[number].needs, (int)len, word);
		*chosen |= 1u << number;
	}
	return 0;
}

const char *runexport_database(char name[32])
{
	return database_library(name);
}

bool runexport_of_tables(unsigned chosen)
{
	for (int i = 0; i < NR_RUNEXPORTS; i++)
		if (chosen & 1u << i && runexport_forms[i].of_tables)
			return true;
	return false;
}

bool runexport_of_traces(unsigned chosen)
{
	for (int i = 0; i < NR_RUNEXPORTS; i++)
		if (chosen & 1u << i && runexport_forms[i].of_traces)
			return true;
	return false;
}

bool runexport_is_signed(unsigned chosen)
{
	for (int i = 0; i < NR_RUNEXPORTS; i++)
		if (chosen & 1u << i && runexport_forms[i].is_signed)
			return true;
	return false;
}

bool runexport_of_each_table(unsigned chosen)
{
	for (int i = 0; i < NR_RUNEXPORTS; i++)
		if (chosen & 1u << i && runexport_forms[i].files == RUNEXPORT_EACH_TABLE)
			return true;
	return false;
}

bool runexport_needs_sources(unsigned chosen)
{
	for (int i = 0; i < NR_RUNEXPORTS; i++)
		if (chosen & 1u << i && !runexport_forms[i].of_tables &&
		    !runexport_forms[i].without_sources)
			return true;
	return false;
}

void runexport_add_needs(unsigned chosen, struct needs *needs)
{
	for (int i = 0; i < NR_RUNEXPORTS; i++)
		for (size_t j = 0; chosen & 1u << i && j < RUNEXPORT_ANSWERS_MAX; j++)
			if (runexport_forms[i].answers[j])
				needs_add(needs, runexport_forms[i].answers[j]);
}

enum { EVENT_NAME_MAX = 100 };

/* What is no letter, digit, dot, dash or underscore becomes an underscore. */
static void name_event(char name[EVENT_NAME_MAX], const struct event *event)
{
	static const char fit[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				  "0123456789.-_";

	snprintf(name, EVENT_NAME_MAX, "%s", event->name);
	for (char *at = name; *(at += strspn(at, fit)); at++)
		*at = '_';
}

const struct event *runexport_event(const struct runexport_form *form,
				    const struct results *results, size_t number)
{
	if (form->of_traces)
		return results_walked(results, number)->event;
	return results->events[results->sampled[number]].event;
}

/* How many of the form's events before the @number-th have its name. */
static size_t count_namesakes(const struct runexport_form *form, const struct results *results,
			      size_t number, const char *name)
{
	size_t nr = 0;

	for (size_t i = 0; i < number; i++) {
		char other[EVENT_NAME_MAX];

		name_event(other, runexport_event(form, results, i));
		nr += strcmp(other, name) == 0;
	}
	return nr;
}

size_t runexport_count(const struct runexport_form *form, const struct results *results)
{
	if (form->files != RUNEXPORT_EACH_EVENT)
		return 1;
	return form->of_traces ? results_nr_walked(results) : results->nr_sampled;
}

void runexport_name(char name[RUNEXPORT_NAME_MAX], const struct runexport_form *form,
		    const struct results *results, size_t number)
{
	char event[EVENT_NAME_MAX];

	if (runexport_count(form, results) == 1) {
		snprintf(name, RUNEXPORT_NAME_MAX, "%s%s", form->file, form->ending);
		return;
	}
	name_event(event, runexport_event(form, results, number));
	/* No event's own name has a tilde then. */
	if (count_namesakes(form, results, number, event))
		snprintf(name, RUNEXPORT_NAME_MAX, "%s.%s~%zu%s", form->file, event, number + 1,
			 form->ending);
	else
		snprintf(name, RUNEXPORT_NAME_MAX, "%s.%s%s", form->file, event, form->ending);
}
