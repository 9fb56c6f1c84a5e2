#include "decode/compare/remarks/remarks.h"

#include "decode/compare/remarks/alike.h"
#include "decode/compare/remarks/lacknames.h"
#include "decode/compare/remarks/renameoffer.h"
#include "decode/compare/remarks/runfacts.h"
#include "util/textfile.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- what cannot be compared ----------------------------------------------------------------- */

/*
 * The @nr @names that @side has, as "a, b and c", at most five; sets *@nr_names to their number.
 * The caller frees the text; NULL if memory is out.
 */
static char *join_names(const struct event_name *names, size_t nr, unsigned side, size_t *nr_names)
{
	enum { NAMES_MAX = 5 };
	struct textfile text;
	size_t nr_joined = 0;

	*nr_names = 0;
	for (size_t i = 0; i < nr; i++)
		*nr_names += (names[i].sides & side) != 0;
	if (!textfile_open(&text))
		return textfile_close(&text);
	for (size_t i = 0; i < nr && nr_joined < NAMES_MAX; i++) {
		const char *between = nr_joined + 1 == *nr_names ? " and " : ", ";

		if (names[i].sides & side)
			fprintf(text.out, "%s%s", nr_joined++ ? between : "", names[i].name);
	}
	if (*nr_names > nr_joined)
		fprintf(text.out, " and %zu more", *nr_names - nr_joined);
	return textfile_close(&text);
}

static int check_events(const struct diff *diff, struct error *err)
{
	const struct match *match = &diff->match;
	char *names[2] = {NULL};
	size_t nr[2];

	if (match->nr_events)
		return 0;
	names[0] = join_names(match->names, match->nr_names, SIDE_OLD, &nr[0]);
	names[1] = join_names(match->names, match->nr_names, SIDE_NEW, &nr[1]);
	if (names[0] && names[1])
		error_set(err, ERROR_FORMAT,
			  "%s: no event has samples on both sides: the old side has %s, the new "
			  "one %s",
			  diff->runs[diff->nr_old].label, nr[0] ? names[0] : "none",
			  nr[1] ? names[1] : "none");
	else
		error_nomem(err, "comparing runs");
	free(names[0]);
	free(names[1]);
	return -1;
}

static int check_seconds(const struct diff *diff, struct error *err)
{
	for (size_t run = 0; run < diff->nr_runs; run++) {
		const struct profile *profile = &diff->runs[run];

		if (!profile->recorded)
			return error_set(err, ERROR_FORMAT,
					 "%s: a table does not say how long the run took, which "
					 "--by=rate needs: use the recording",
					 profile->label);
		if (!(profile->seconds > 0))
			return error_set(err, ERROR_FORMAT,
					 "%s: its samples do not say how long the run took, which "
					 "--by=rate needs",
					 profile->label);
	}
	return 0;
}

static int check_chains(const struct diff *diff, struct error *err)
{
	for (size_t run = 1; run < diff->nr_runs; run++) {
		const struct profile *profile = &diff->runs[run];
		bool without = !profile->chains;

		if (profile->chains != diff->runs[0].chains)
			return error_set(err, ERROR_FORMAT,
					 "%s: has no call chains, which --%s needs: %s has",
					 diff->runs[without ? run : 0].label,
					 diff->calls ? "calls" : "children",
					 diff->runs[without ? 0 : run].label);
	}
	return 0;
}

/* With --inline a sample counts for the innermost inlined function, so both sides must agree. */
static int check_inlined(const struct diff *diff, struct error *err)
{
	for (size_t run = 1; run < diff->nr_runs; run++) {
		const struct profile *profile = &diff->runs[run];

		if (profile->inlined != diff->runs[0].inlined)
			return error_set(err, ERROR_FORMAT,
					 "%s: was made with --inline, but %s without",
					 diff->runs[profile->inlined ? run : 0].label,
					 diff->runs[profile->inlined ? 0 : run].label);
	}
	return 0;
}

int remarks_check(const struct diff *diff, struct error *err)
{
	if (check_events(diff, err) < 0 ||
	    (diff->measure == MEASURE_RATE && check_seconds(diff, err) < 0) ||
	    (diff->children && check_chains(diff, err) < 0))
		return -1;
	return check_inlined(diff, err);
}

/* ---- what is compared ------------------------------------------------------------------------ */

/* Users expect periods, so only shares are explained. */
static void tell_measure(struct diff *diff)
{
	static const char advice[] = "--by=period compares the periods";

	if (!diff->measure_was_open || diff->measure != MEASURE_SHARE)
		return;
	if (diff->same_seconds) {
		remarks_add(&diff->remarks,
			    "shares are compared, because --time takes the same seconds of each "
			    "run, whatever was done in them: %s",
			    advice);
		return;
	}
	for (size_t run = 0; run < diff->nr_runs; run++) {
		const struct profile *profile = &diff->runs[run];

		if (profile->started)
			continue;
		if (profile->recorded)
			remarks_add(&diff->remarks,
				    "shares are compared, because perf did not start the program "
				    "in %s (-a, -p, -D): %s",
				    profile->label, advice);
		else
			remarks_add(&diff->remarks,
				    "shares are compared, because %s is a table, which does not "
				    "say whether perf started the program: %s",
				    profile->label, advice);
		return;
	}
}

/* The number of names, from the first of @names on, of the same matched event. */
static size_t count_names(const struct event_name *names, size_t nr)
{
	size_t i = 0;

	while (i < nr && names[i].event == names->event)
		i++;
	return i;
}

/* Reports the @nr @names of a matched event, and that @more events have several names too. */
static void tell_names(struct diff *diff, const struct event_name *names, size_t nr, size_t more)
{
	size_t nr_old, nr_new;
	char *old_names = join_names(names, nr, SIDE_OLD, &nr_old);
	char *new_names = join_names(names, nr, SIDE_NEW, &nr_new);
	char others[64] = "";

	if (more)
		snprintf(others, sizeof(others), "; %zu more event%s likewise", more,
			 more > 1 ? "s" : "");
	if (old_names && new_names)
		remarks_add(&diff->remarks,
			    "%s of the old side%s compared with %s of the new one%s%s", old_names,
			    nr_old > 1 ? ", added up, are" : " is", new_names,
			    nr_new > 1 ? ", added up" : "", others);
	diff->remarks.nomem |= !old_names || !new_names;
	free(old_names);
	free(new_names);
}

/* Reports events that have another name on the other side or are missing there. */
static void tell_events(struct diff *diff)
{
	const struct match *match = &diff->match;
	const struct event_name *names = match->names, *first = NULL;
	size_t i = 0, nr, nr_first = 0, more = 0;

	for (; i < match->nr_names && names[i].event != MATCH_NONE; i += nr) {
		nr = count_names(&names[i], match->nr_names - i);
		more += nr > 1 && first;
		if (nr > 1 && !first) {
			first = &names[i];
			nr_first = nr;
		}
	}
	if (first)
		tell_names(diff, first, nr_first, more);
	for (unsigned side = SIDE_OLD; side <= SIDE_NEW; side++) {
		char *joined = join_names(&names[i], match->nr_names - i, side, &nr);

		diff->remarks.nomem |= !joined;
		if (joined && nr)
			remarks_add(&diff->remarks,
				    "%s ha%s samples on the %s side only: %s left out", joined,
				    nr > 1 ? "ve" : "s", side == SIDE_NEW ? "new" : "old",
				    nr > 1 ? "they are" : "it is");
		free(joined);
	}
}

/* Returns an event without samples in @run that other runs of its side have, or NULL. */
static const char *find_missing(const struct diff *diff, size_t run)
{
	for (size_t i = 0; i < diff->match.nr_events; i++)
		if (diff->match.events[i].totals[run].samples == 0)
			return diff->match.events[i].name;
	return NULL;
}

static void tell_missing(struct diff *diff)
{
	const char *event = NULL, *missing;
	size_t first = 0, more = 0;
	char others[64] = "";

	for (size_t run = 0; run < diff->nr_runs; run++) {
		missing = find_missing(diff, run);
		more += missing && event;
		if (missing && !event) {
			event = missing;
			first = run;
		}
	}
	if (more)
		snprintf(others, sizeof(others), "; %zu more run%s lack%s an event, too", more,
			 more > 1 ? "s" : "", more > 1 ? "" : "s");
	if (event)
		remarks_add(&diff->remarks, "%s has no samples of %s%s", diff->runs[first].label,
			    event, others);
}

/* Reports renamings that apply to nothing; they may be mistyped. */
static void tell_renames(struct diff *diff, const struct renames *renames)
{
	for (size_t i = 0; i < renames->nr; i++) {
		const char *text = rename_text(renames, i), *name = rename_name(renames, i);

		if (diff->match.fitted[i])
			continue;
		if (name)
			remarks_add(&diff->remarks,
				    "--rename '%s': no function of the old side is called %s, and "
				    "no two binaries are %s and %s",
				    text, name, name, rename_to(renames, i));
		else
			remarks_add(&diff->remarks,
				    "--rename '%s': it matches no function of the old side", text);
	}
}

/* ---- how far the verdicts go ----------------------------------------------------------------- */

/* With one run a side, any difference between two runs looks like a change. */
static void tell_one_run(struct diff *diff)
{
	const struct diff_event *most = NULL;

	for (size_t i = 0; diff->nr_runs == 2 && i < diff->nr_events; i++)
		if (!most || diff->events[i].nr_within > most->nr_within)
			most = &diff->events[i];
	if (most && most->nr_within)
		remarks_add(&diff->remarks,
			    "%s: %zu %sfunction%s by more than the noise within the two runs, but "
			    "so do two runs of one program: record at least 3 a side, alternately",
			    most->name, most->nr_within, most->nr_changed ? "more " : "",
			    most->nr_within > 1 ? "s differ" : " differs");
}

static void tell_gate(struct diff *diff)
{
	const size_t nr_new = diff->nr_runs - diff->nr_old;

	if (diff->nr_old < 3 || nr_new < 3)
		remarks_add(&diff->remarks,
			    "--fail-on has only %zu and %zu run%s to go by: a gate you can trust "
			    "needs at least 3 a side, recorded alternately",
			    diff->nr_old, nr_new, nr_new > 1 ? "s" : "");
}

/* Reports the first event whose functions all changed by the same ratio. */
static void tell_alike(struct diff *diff)
{
	char shown[32];
	double ratio;

	for (size_t i = 0; i < diff->nr_events; i++) {
		if (!alike_ratio(diff, &diff->events[i], &ratio))
			continue;
		snprintf(shown, sizeof(shown), ratio < 0.1 ? "%.2g" : "%.2f", ratio);
		remarks_add(&diff->remarks,
			    "%s: all functions changed by the same ratio, x%s: the cause is more "
			    "likely the machine, its load or the amount of work than the code",
			    diff->events[i].name, shown);
		return;
	}
}

int remarks_make(struct diff *diff, const struct match_input *input, bool gated, struct error *err)
{
	tell_measure(diff);
	tell_events(diff);
	tell_missing(diff);
	tell_renames(diff, input->renames);
	runfacts_tell(&diff->remarks, input, &diff->match);
	lacknames_tell(diff, gated);
	tell_one_run(diff);
	if (gated)
		tell_gate(diff);
	tell_alike(diff);
	renameoffer_tell(diff);
	return diff->remarks.nomem ? error_nomem(err, "comparing runs") : 0;
}
