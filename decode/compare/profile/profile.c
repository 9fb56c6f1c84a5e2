#include "decode/compare/profile/profile.h"

#include "decode/compare/names/name.h"
#include "decode/compare/profile/workload.h"
#include "util/array.h"
#include "util/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bits of attr.flags and attr.sample_type: include/uapi/linux/perf_event.h. */
enum {
	ATTR_FREQ_BIT = 10,
	ATTR_ENABLE_ON_EXEC_BIT = 12,
	ATTR_USE_CLOCKID_BIT = 25,
	SAMPLE_CALLCHAIN_BIT = 5,
};

void profile_tally_add(struct tally *tally, const struct tally *more)
{
	if (__builtin_add_overflow(tally->samples, more->samples, &tally->samples))
		tally->samples = UINT64_MAX;
	if (__builtin_add_overflow(tally->period, more->period, &tally->period))
		tally->period = UINT64_MAX;
}

void profile_share(struct profile *profile, struct rowkeys *keys)
{
	profile->keys = keys;
	keys->users++;
}

static int nomem(struct error *err)
{
	return error_nomem(err, "keeping a profile");
}

static int have_keys(struct profile *profile, struct error *err)
{
	if (!profile->keys)
		profile->keys = rowkeys_make();
	return profile->keys ? 0 : nomem(err);
}

int profile_add_event(struct profile *profile, const struct profile_event *event, struct error *err)
{
	struct profile_event copy = *event;

	if (have_keys(profile, err) < 0)
		return -1;
	copy.name = rowkeys_name(profile->keys, event->name);
	if (!copy.name ||
	    !array_grow(profile->events, profile->events_room, profile->nr_events + 1))
		return nomem(err);
	profile->events[profile->nr_events++] = copy;
	return 0;
}

int profile_add_row(struct profile *profile, const struct row_key *key,
		    const struct profile_row *row, struct error *err)
{
	struct profile_row copy = *row;

	if (have_keys(profile, err) < 0)
		return -1;
	copy.key = rowkeys_number(profile->keys, key);
	if (copy.key == ROWKEYS_NOMEM ||
	    !array_grow(profile->rows, profile->rows_room, profile->nr_rows + 1))
		return nomem(err);
	profile->rows[profile->nr_rows++] = copy;
	profile->chains = profile->chains || row->children.samples != row->self.samples ||
			  row->children.period != row->self.period;
	return 0;
}

static int take_events(struct profile *profile, const struct results *results, struct error *err)
{
	for (size_t i = 0; i < results->nr_events; i++) {
		const struct event_stat *stat = &results->events[i];
		const struct attr *attr = &stat->event->attr;
		const struct profile_event event = {
			.name = stat->event->name,
			.total = stat->total,
			.recorded = true,
			.rate = attr->sample_period,
			.is_frequency = attr->flags >> ATTR_FREQ_BIT & 1,
			.taken = stat->taken.samples,
			.dropped = stat->dropped,
			.chains = stat->chains_from,
		};

		/* Only the leader of a group has this flag. With a delay (-D) only the dummy has
		 * it, which perf adds. */
		if (!stat->event->dummy)
			profile->started |= attr->flags >> ATTR_ENABLE_ON_EXEC_BIT & 1;
		profile->chains |= attr->sample_type >> SAMPLE_CALLCHAIN_BIT & 1;
		profile->clock = attr->flags >> ATTR_USE_CLOCKID_BIT & 1 ? attr->clockid
									 : PROFILE_PERF_CLOCK;
		if (profile_add_event(profile, &event, err) < 0)
			return -1;
	}
	return 0;
}

static int take_row(struct profile *profile, const struct function_stat *stat, const char *keys,
		    struct error *err)
{
	const struct row_key key = {
		.event = stat->event->name,
		.function = stat->function,
		.filename = stat->filename,
		.binary = stat->binary,
		.build_id = stat->build_id,
		.reason = stat->reason,
		.keys = keys,
		.line = stat->line,
		.size = stat->size,
	};
	const struct profile_row row = {
		.event = stat->event->number,
		.self = stat->self,
		.children = stat->children,
		.noise = stat->noise,
		.children_noise = stat->children_noise,
		.noise_df = stat->noise_df,
	};

	return profile_add_row(profile, &key, &row, err);
}

static const char *value_of(const void *arg, size_t number)
{
	const struct split_row *row = arg;

	return row->values[number].text;
}

/* Takes the rows of functions that are split by keys. */
static int take_split(struct profile *profile, const struct split_stat *split, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; i < split->nr_rows && rc == 0; i++) {
		const struct split_row *row = &split->rows[i];
		const struct function_stat function = split_row_function(row);
		char *keys = rowkeys_text(split->keys, split->nr_keys, value_of, row);

		rc = keys ? take_row(profile, &function, keys, err) : nomem(err);
		free(keys);
	}
	return rc;
}

static int take_rows(struct profile *profile, const struct results *results, struct error *err)
{
	if (results->split)
		return take_split(profile, results->split, err);
	for (size_t i = 0; i < results->nr_functions; i++)
		if (take_row(profile, &results->functions[i], "", err) < 0)
			return -1;
	return 0;
}

/* The caller of a chain that is cut is its reason, in brackets as in calls.csv. */
static char *name_of_call(const struct call_stat *call)
{
	const char *callee = call->callee->function;
	char *name = NULL;
	int rc;

	if (call->caller)
		rc = asprintf(&name, "%s -> %s", call->caller->function, callee);
	else
		rc = asprintf(&name, "[%s] -> %s", call->cut ? call->end : "root", callee);
	return rc < 0 ? NULL : name;
}

static int take_calls(struct profile *profile, const struct results *results, struct error *err)
{
	const struct rows rows = results_rows(results, &pathstat_calls);
	const struct call_stat *calls = rows.first;
	int rc = 0;

	for (size_t i = 0; i < rows.nr && rc == 0; i++) {
		const struct function_stat *callee = calls[i].callee;
		char *name = name_of_call(&calls[i]);
		const struct row_key key = {
			.event = callee->event->name,
			.function = name,
			.filename = callee->filename,
			.binary = callee->binary,
			.build_id = callee->build_id,
			.reason = callee->reason,
			.line = callee->line,
		};
		const struct profile_row row = {
			.event = callee->event->number,
			.self = calls[i].self,
			.children = calls[i].total,
		};

		rc = name ? profile_add_row(profile, &key, &row, err) : nomem(err);
		free(name);
	}
	return rc;
}

/* The value of the header fact @key, or NULL. */
static const char *find_fact(const struct results *results, const char *key)
{
	const struct rows rows = results_rows(results, &headerstat_facts);
	const struct fact *facts = rows.first;

	for (size_t i = 0; i < rows.nr; i++) {
		if (strcmp(facts[i].key, key) == 0)
			return facts[i].value;
	}
	return NULL;
}

/* Keeps a copy of @text, unless it is NULL or "". Returns false if memory is out. */
static bool keep_origin(struct profile *profile, enum profile_origin which, const char *text)
{
	if (!text || (!*text && which != ORIGIN_INPUT))
		return true;
	profile->origin[which] = intern_keep(&profile->keys->strings, text);
	return profile->origin[which];
}

/* Keeps program and arguments that perf's @command starts. Returns false if memory is out. */
static bool take_workload(struct profile *profile, const char *command)
{
	const char *words = command ? workload_of(command) : NULL;
	const size_t size = words ? workload_word(words) + 1 : 0;
	char *word, *name;
	bool kept;

	if (size <= 1)
		return true;
	word = malloc(size);
	name = malloc(size);
	kept = word && name;
	if (kept) {
		workload_unquote(word, size, words);
		name_of_binary(name, word);
		kept = keep_origin(profile, ORIGIN_PROGRAM, name) &&
		       keep_origin(profile, ORIGIN_INPUT, workload_rest(words));
	}
	free(word);
	free(name);
	return kept;
}

static int take_origin(struct profile *profile, const struct results *results, struct error *err)
{
	const char *cpus = find_fact(results, "nrcpus.online");

	profile->cpus = cpus ? strtoull(cpus, NULL, 10) : 0;
	if (have_keys(profile, err) < 0)
		return -1;
	if (keep_origin(profile, ORIGIN_HOST, find_fact(results, "hostname")) &&
	    keep_origin(profile, ORIGIN_KERNEL, find_fact(results, "osrelease")) &&
	    keep_origin(profile, ORIGIN_CPU, find_fact(results, "cpudesc")) &&
	    take_workload(profile, find_fact(results, "cmdline")))
		return 0;
	return error_nomem(err, "keeping a profile");
}

int profile_from_results(struct profile *profile, const struct results *results,
			 enum profile_kind kind, struct sample_span span, struct error *err)
{
	profile->recorded = true;
	profile->seconds = (double)(span.last - span.first) / (double)NS_PER_SECOND;
	profile->span = span;
	profile->inlined = results->inlined;
	if (take_origin(profile, results, err) < 0 || take_events(profile, results, err) < 0)
		return -1;
	return kind == PROFILE_CALLS ? take_calls(profile, results, err)
				     : take_rows(profile, results, err);
}

void profile_free(struct profile *profile)
{
	free(profile->events);
	free(profile->rows);
	rowkeys_drop(profile->keys);
	*profile = (struct profile){.label = profile->label};
}
