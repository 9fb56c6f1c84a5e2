#include "decode/compare/remarks.h"

#include "util/array.h"
#include "util/textfile.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct maker {
	struct remarks *remarks;
	const struct match_input *input;
	const struct match *match;
	struct error *err;
};

/* Adds a line. */
__attribute__((format(printf, 2, 3))) static int add(struct maker *m, const char *fmt, ...)
{
	struct remarks *remarks = m->remarks;
	va_list args;
	char *line;
	int len;

	va_start(args, fmt);
	len = vasprintf(&line, fmt, args);
	va_end(args);
	if (len < 0)
		return error_nomem(m->err, "comparing runs");
	if (!array_grow(remarks->lines, remarks->room, remarks->nr + 1)) {
		free(line);
		return error_nomem(m->err, "comparing runs");
	}
	remarks->lines[remarks->nr++] = line;
	return 0;
}

/* Of the @nr @names those that @side has, as "a, b and c", and how many they are. To be freed; NULL
 * with err filled. */
static char *join_names(struct maker *m, const struct event_name *names, size_t nr, unsigned side,
			size_t *nr_joined)
{
	struct textfile text;
	const char *last = NULL;
	char *joined;

	*nr_joined = 0;
	if (textfile_open(&text)) {
		for (size_t i = 0; i < nr; i++) {
			if (!(names[i].sides & side))
				continue;
			if (last)
				fprintf(text.out, "%s%s", *nr_joined > 1 ? ", " : "", last);
			last = names[i].name;
			++*nr_joined;
		}
		if (last)
			fprintf(text.out, "%s%s", *nr_joined > 1 ? " and " : "", last);
	}
	joined = textfile_close(&text);
	if (!joined)
		error_nomem(m->err, "comparing runs");
	return joined;
}

/* How many names from the first of @names on are of one matched event. */
static size_t count_names(const struct event_name *names, size_t nr)
{
	size_t i = 0;

	while (i < nr && names[i].event == names->event)
		i++;
	return i;
}

/* The @nr @names of a matched event, if they are more than one that both sides have. */
static int tell_names(struct maker *m, const struct event_name *names, size_t nr)
{
	size_t nr_old, nr_new;
	char *old_names, *new_names = NULL;
	int rc = -1;

	if (nr < 2)
		return 0;
	old_names = join_names(m, names, nr, SIDE_OLD, &nr_old);
	if (old_names)
		new_names = join_names(m, names, nr, SIDE_NEW, &nr_new);
	if (new_names)
		rc = add(m, "%s of the old side%s compared with %s of the new one%s", old_names,
			 nr_old > 1 ? ", added up, are" : " is", new_names,
			 nr_new > 1 ? ", added up" : "");
	free(old_names);
	free(new_names);
	return rc;
}

static int tell_events(struct maker *m)
{
	const struct match *match = m->match;
	const struct event_name *name;
	size_t i = 0, nr;

	for (; i < match->nr_names && match->names[i].event != MATCH_NONE; i += nr) {
		nr = count_names(&match->names[i], match->nr_names - i);
		if (tell_names(m, &match->names[i], nr) < 0)
			return -1;
	}
	for (; i < match->nr_names; i++) {
		name = &match->names[i];
		if (add(m, "%s has samples on the %s side only: it is left out", name->name,
			name->sides == SIDE_NEW ? "new" : "old") < 0)
			return -1;
	}
	return 0;
}

/* Runs that lack an event that others of their side have. */
static int tell_missing(struct maker *m)
{
	for (size_t i = 0; i < m->match->nr_events; i++) {
		for (size_t run = 0; run < m->input->nr_runs; run++) {
			if (m->match->events[i].totals[run].samples == 0 &&
			    add(m, "%s has no samples of %s", m->input->runs[run].label,
				m->match->events[i].name) < 0)
				return -1;
		}
	}
	return 0;
}

/* Renamings that changed nothing, as mistyped ones do. */
static int tell_renames(struct maker *m)
{
	const struct renames *renames = m->input->renames;

	for (size_t i = 0; i < renames->nr; i++) {
		const char *text = rename_text(renames, i), *name = rename_name(renames, i);
		int rc = 0;

		if (!m->match->fitted[i] && name)
			rc = add(m,
				 "--rename '%s': no function of the old side is called %s, and no "
				 "two binaries are %s and %s",
				 text, name, name, rename_to(renames, i));
		else if (!m->match->fitted[i])
			rc = add(m, "--rename '%s': it fits no function of the old side", text);
		if (rc < 0)
			return -1;
	}
	return 0;
}

/* The recorded event of @run that counts for the matched event @number, or NULL. */
static const struct profile_event *find_event(const struct maker *m, size_t run, size_t number)
{
	const struct profile *profile = &m->input->runs[run];

	for (size_t i = 0; i < profile->nr_events; i++)
		if (profile->events[i].recorded && match_event(m->match, run, i) == number)
			return &profile->events[i];
	return NULL;
}

static const char *rate_unit(const struct profile_event *event)
{
	return event->is_frequency ? "Hz" : "events a sample";
}

/* The first run that was sampled otherwise than the first of all. */
static int tell_rate(struct maker *m, size_t number)
{
	const struct profile_event *first = NULL, *event;
	size_t first_run = 0;

	for (size_t run = 0; run < m->input->nr_runs; run++) {
		event = find_event(m, run, number);
		if (!event)
			continue;
		if (!first) {
			first = event;
			first_run = run;
		} else if (first->rate != event->rate ||
			   first->is_frequency != event->is_frequency) {
			return add(m,
				   "%s was sampled otherwise: %" PRIu64 " %s in %s, %" PRIu64
				   " %s in %s",
				   m->match->events[number].name, first->rate, rate_unit(first),
				   m->input->runs[first_run].label, event->rate, rate_unit(event),
				   m->input->runs[run].label);
		}
	}
	return 0;
}

/* The part of its samples that a run lost, in percent. */
static double lost_percent(const struct profile_event *event)
{
	double all = (double)event->taken + (double)event->dropped;

	return all > 0 ? 100 * (double)event->dropped / all : 0;
}

/* The runs that lost the least and the most, if that is more than 1 % apart: so much may be missing
 * from a function of one of them. */
static int tell_losses(struct maker *m, size_t number)
{
	double least = 0, most = 0;
	size_t least_run = SIZE_MAX, most_run = 0;

	for (size_t run = 0; run < m->input->nr_runs; run++) {
		const struct profile_event *event = find_event(m, run, number);
		double lost = event ? lost_percent(event) : 0;

		if (!event)
			continue;
		if (least_run == SIZE_MAX || lost < least) {
			least = lost;
			least_run = run;
		}
		if (lost > most) {
			most = lost;
			most_run = run;
		}
	}
	if (least_run == SIZE_MAX || most - least <= 1)
		return 0;
	return add(m, "%s: the kernel dropped %.1f %% of the samples of %s, but %.1f %% of %s",
		   m->match->events[number].name, most, m->input->runs[most_run].label, least,
		   m->input->runs[least_run].label);
}

/* The first run on another number of CPUs than the first of all. */
static int tell_cpus(struct maker *m)
{
	const struct profile *first = NULL;

	for (size_t run = 0; run < m->input->nr_runs; run++) {
		const struct profile *profile = &m->input->runs[run];

		if (!profile->cpus)
			continue;
		if (first && first->cpus != profile->cpus)
			return add(m, "%s had %" PRIu64 " CPUs, %s %" PRIu64, first->label,
				   first->cpus, profile->label, profile->cpus);
		first = first ? first : profile;
	}
	return 0;
}

/* What a table cannot say. */
static int tell_unknown(struct maker *m)
{
	const char *last = NULL;
	size_t nr = 0;

	for (size_t run = 0; run < m->input->nr_runs; run++) {
		if (m->input->runs[run].recorded)
			continue;
		last = m->input->runs[run].label;
		nr++;
	}
	if (nr > 1)
		return add(m,
			   "of the %zu runs that are tables, as %s, sampling, losses and CPUs are "
			   "not known, and their noise is taken for that of independent samples",
			   nr, last);
	if (nr == 0)
		return 0;
	return add(m,
		   "of %s, which is a table, sampling, losses and CPUs are not known, and its "
		   "noise is taken for that of independent samples",
		   last);
}

/* ---- what cannot be compared ----------------------------------------------------------------- */

static int check_events(struct maker *m)
{
	const struct match *match = m->match;
	char *names[2] = {NULL};
	size_t nr[2];

	if (match->nr_events)
		return 0;
	names[0] = join_names(m, match->names, match->nr_names, SIDE_OLD, &nr[0]);
	if (names[0])
		names[1] = join_names(m, match->names, match->nr_names, SIDE_NEW, &nr[1]);
	if (names[1])
		error_set(m->err, ERROR_FORMAT,
			  "%s: no event has samples on both sides: the old side has %s, the new "
			  "one %s",
			  m->input->runs[m->input->nr_old].label, nr[0] ? names[0] : "none",
			  nr[1] ? names[1] : "none");
	free(names[0]);
	free(names[1]);
	return -1;
}

static int check_seconds(struct maker *m)
{
	for (size_t run = 0; run < m->input->nr_runs; run++) {
		const struct profile *profile = &m->input->runs[run];

		if (!profile->recorded)
			return error_set(m->err, ERROR_FORMAT,
					 "%s: a table does not say how long the run was, which "
					 "--by=rate needs: give the recording",
					 profile->label);
		if (!(profile->seconds > 0))
			return error_set(m->err, ERROR_FORMAT,
					 "%s: its samples do not say how long the run was, which "
					 "--by=rate needs",
					 profile->label);
	}
	return 0;
}

static int check_chains(struct maker *m)
{
	for (size_t run = 1; run < m->input->nr_runs; run++) {
		const struct profile *profile = &m->input->runs[run];
		bool without = !profile->chains;

		if (profile->chains != m->input->runs[0].chains)
			return error_set(m->err, ERROR_FORMAT,
					 "%s: has no call chains, which --children needs: %s has",
					 m->input->runs[without ? run : 0].label,
					 m->input->runs[without ? 0 : run].label);
	}
	return 0;
}

/* What counts for the function that it was inlined from cannot be held against what does not. */
static int check_inlined(struct maker *m)
{
	for (size_t run = 1; run < m->input->nr_runs; run++) {
		const struct profile *profile = &m->input->runs[run];

		if (profile->inlined != m->input->runs[0].inlined)
			return error_set(m->err, ERROR_FORMAT,
					 "%s: was made with --inline, but %s without",
					 m->input->runs[profile->inlined ? run : 0].label,
					 m->input->runs[profile->inlined ? 0 : run].label);
	}
	return 0;
}

int remarks_make(struct remarks *remarks, const struct match_input *input,
		 const struct match *match, enum measure measure, struct error *err)
{
	struct maker m = {remarks, input, match, err};

	if (check_events(&m) < 0 || (measure == MEASURE_RATE && check_seconds(&m) < 0) ||
	    (input->children && check_chains(&m) < 0) || check_inlined(&m) < 0)
		return -1;
	if (tell_events(&m) < 0 || tell_missing(&m) < 0 || tell_renames(&m) < 0)
		return -1;
	for (size_t i = 0; i < match->nr_events; i++)
		if (tell_rate(&m, i) < 0 || tell_losses(&m, i) < 0)
			return -1;
	return tell_cpus(&m) < 0 ? -1 : tell_unknown(&m);
}

void remarks_free(struct remarks *remarks)
{
	for (size_t i = 0; i < remarks->nr; i++)
		free(remarks->lines[i]);
	free(remarks->lines);
	*remarks = (struct remarks){0};
}
