#include "report/export/runexport.h"

#include "report/export/runforms.h"
#include "util/options.h"

#include <stdio.h>
#include <string.h>

const struct runexport_form runexport_forms[NR_RUNEXPORTS] = {
	{"folded", "stacks", ".folded", {&pathstat_paths}, false, folded_write},
	{"html",
	 "report",
	 ".html",
	 {&pathstat_paths, &pathstat_cells, &pathstat_slices, &processstat_thread_lives,
	  &headerstat_facts, &linestat_addresses, &timelinestat_parts, &linestat_code,
	  &sourcestat_texts},
	 true,
	 html_write},
	{"bolt", "bolt", ".preagg", {&branchstat_branches, &branchstat_blocks}, false, bolt_write},
	{"json", "results", ".jsonl", {&answer_core}, true, resultsjson_write},
	{"callgrind",
	 "callgrind",
	 ".out",
	 {&linestat_addresses, &pathstat_calls},
	 true,
	 callgrind_write},
	{"speedscope", "profile", ".speedscope.json", {&pathstat_paths}, true, speedscope_write},
	{"pprof", "profile", ".pb.gz", {&chainstat_places, &chainstat_chains}, false, pprof_write},
	{"firefox",
	 "profile",
	 ".firefox.json",
	 {&chainstat_places, &chainstat_chains, &chainstat_samples, &processstat_thread_lives},
	 false,
	 firefox_write},
};

int runexport_parse(const char *list, unsigned *chosen, struct error *err)
{
	const char *word;
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
		*chosen |= 1u << number;
	}
	return 0;
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

/* How many of the sampled events before the @number-th have its name. */
static size_t count_namesakes(const struct results *results, size_t number, const char *name)
{
	size_t nr = 0;

	for (size_t i = 0; i < number; i++) {
		char other[EVENT_NAME_MAX];

		name_event(other, results->events[results->sampled[i]].event);
		nr += strcmp(other, name) == 0;
	}
	return nr;
}

size_t runexport_count(const struct runexport_form *form, const struct results *results)
{
	return form->of_all ? 1 : results->nr_sampled;
}

void runexport_name(char name[RUNEXPORT_NAME_MAX], const struct runexport_form *form,
		    const struct results *results, size_t number)
{
	char event[EVENT_NAME_MAX];

	if (runexport_count(form, results) == 1) {
		snprintf(name, RUNEXPORT_NAME_MAX, "%s%s", form->file, form->ending);
		return;
	}
	name_event(event, results->events[results->sampled[number]].event);
	/* No event's own name has a tilde then. */
	if (count_namesakes(results, number, event))
		snprintf(name, RUNEXPORT_NAME_MAX, "%s.%s~%zu%s", form->file, event, number + 1,
			 form->ending);
	else
		snprintf(name, RUNEXPORT_NAME_MAX, "%s.%s%s", form->file, event, form->ending);
}
