#include "decode/replay/filter.h"

#include "perffile/format.h"
#include "perffile/perffile.h"
#include "util/array.h"
#include "util/patterns.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Sets @item to the next item of *@list, up to its comma, and moves *@list past the comma. Returns
 * false at the end. Commas between brackets are part of the item: "f(int, char)" and "map<int,
 * char>::at" are one name each. So is a character after a backslash, as fnmatch(3) reads it.
 */
static bool next_item(const char **list, const char **item, size_t *len)
{
	const char *at = *list;
	int depth = 0;

	if (!at)
		return false;
	for (; *at && (*at != ',' || depth > 0); at++) {
		if (*at == '\\' && at[1])
			at++;
		else if (*at == '(' || *at == '<')
			depth++;
		else if ((*at == ')' || *at == '>') && depth > 0)
			depth--;
	}
	*item = *list;
	*len = (size_t)(at - *list);
	*list = *at ? at + 1 : NULL;
	return true;
}

static int add_patterns(char ***patterns, const char *list, struct error *err)
{
	const char *item;
	size_t len, nr = 0;

	while (*patterns && (*patterns)[nr])
		nr++;
	while (next_item(&list, &item, &len)) {
		char **grown = realloc(*patterns, (nr + 2) * sizeof(*grown));

		if (!grown)
			return error_nomem(err, "reading the filters");
		*patterns = grown;
		grown[nr] = strndup(item, len);
		grown[nr + 1] = NULL;
		if (!grown[nr++])
			return error_nomem(err, "reading the filters");
	}
	return 0;
}

/* Parses a 32-bit integer that @item begins with. Returns what is behind it; NULL: there is none.
 */
static const char *parse_number(const char *item, uint32_t *number)
{
	unsigned long long value;
	char *end;

	if (item[0] < '0' || item[0] > '9')
		return NULL;
	errno = 0;
	value = strtoull(item, &end, 10);
	*number = (uint32_t)value;
	return errno == 0 && value <= UINT32_MAX ? end : NULL;
}

/* Parses a number, or two with '-' between them; -1 is one, because perf writes it. */
static bool parse_range(const char *item, size_t len, struct number_range *range)
{
	const char *at;

	if (len == 2 && item[0] == '-' && item[1] == '1') {
		range->first = range->last = UINT32_MAX;
		return true;
	}
	at = parse_number(item, &range->first);
	range->last = range->first;
	if (at && *at == '-')
		at = parse_number(at + 1, &range->last);
	return at == item + len && range->first <= range->last;
}

static int add_numbers(struct number_range **ranges, size_t *nr, const char *option,
		       const char *list, struct error *err)
{
	const char *item;
	size_t len;

	while (next_item(&list, &item, &len)) {
		struct number_range *grown = realloc(*ranges, (*nr + 1) * sizeof(*grown));

		if (!grown)
			return error_nomem(err, "reading the filters");
		*ranges = grown;
		if (!parse_range(item, len, &grown[*nr]))
			return error_set(
				err, ERROR_USAGE,
				"option --%s: '%.*s' is neither a number nor a range such as 0-3",
				option, (int)len, item);
		(*nr)++;
	}
	return 0;
}

static int set_time(struct filter *filter, const char *range, struct error *err)
{
	if (timerange_parse(&filter->time, range, err) < 0)
		return -1;
	filter->has_time = true;
	filter->awaits_times = filter->time.unit != TIME_CLOCK;
	/* until the times are known, everything is before the first sample */
	timerange_place(&filter->time, &(struct sample_times){UINT64_MAX, UINT64_MAX},
			&filter->from, &filter->to);
	return 0;
}

void filter_place(struct filter *filter, const struct sample_times *times)
{
	filter->awaits_times = false;
	timerange_place(&filter->time, times, &filter->from, &filter->to);
}

int filter_find_times(struct filter *filter, const struct perffile *file,
		      void (*show)(void *arg, uint64_t done, uint64_t total), void *arg,
		      struct error *err)
{
	const bool percent = filter->time.unit == TIME_PERCENT;
	const struct times_search search = {.last = percent, .show = show, .arg = arg};
	struct sample_times times;
	int rc;

	if (!filter->awaits_times)
		return 0;
	if (perffile_is_stream(file))
		return percent ? error_set(err, ERROR_USAGE,
					   "option --time: percentages of a stream are not known "
					   "before it "
					   "ends: save it to a file, and read that")
			       : 0;
	rc = perffile_sample_times(file, &search, &times, err);
	if (rc > 0)
		filter_place(filter, &times);
	filter->awaits_times = false; /* without times, no sample passes */
	return rc < 0 ? -1 : 0;
}

/* Adds patterns of what always has a name: an empty one comes from a variable without a value. */
static int add_names(char ***patterns, const char *option, const char *list, struct error *err)
{
	const char *rest = list, *item;
	size_t len;

	while (next_item(&rest, &item, &len))
		if (len == 0)
			return error_set(err, ERROR_USAGE, "option --%s: a name in '%s' is empty",
					 option, list);
	return add_patterns(patterns, list, err);
}

/* A thread may have no name, and an address no binary. */
int filter_add(struct filter *filter, const char *option, const char *list, struct error *err)
{
	if (strcmp(option, "event") == 0)
		return add_names(&filter->events, option, list, err);
	if (strcmp(option, "comm") == 0)
		return add_patterns(&filter->comms, list, err);
	if (strcmp(option, "binary") == 0)
		return add_patterns(&filter->binaries, list, err);
	if (strcmp(option, "symbol") == 0)
		return add_names(&filter->symbols, option, list, err);
	if (strcmp(option, "pid") == 0)
		return add_numbers(&filter->pids, &filter->nr_pids, option, list, err);
	if (strcmp(option, "tid") == 0)
		return add_numbers(&filter->tids, &filter->nr_tids, option, list, err);
	if (strcmp(option, "cpu") == 0)
		return add_numbers(&filter->cpus, &filter->nr_cpus, option, list, err);
	if (strcmp(option, "where") == 0)
		return where_add(&filter->where, list, err);
	return set_time(filter, list, err);
}

bool filter_active(const struct filter *filter)
{
	return filter->events || filter->comms || filter->binaries || filter->symbols ||
	       filter->nr_pids || filter->nr_tids || filter->nr_cpus || filter->has_time ||
	       filter->where.nr;
}

const char *filter_lacks(const struct filter *filter, uint64_t sample_type, const char **how)
{
	const struct {
		bool asked;
		uint64_t field;
		const char *name, *how;
	} needs[] = {
		{filter->nr_cpus, SAMPLE_CPU, "CPU", "--sample-cpu"},
		{filter->has_time, SAMPLE_TIME, "time", "--timestamp"},
	};

	for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++) {
		*how = needs[i].how;
		if (needs[i].asked && !(sample_type & needs[i].field))
			return needs[i].name;
	}
	return NULL;
}

static bool matches(char *const *patterns, const char *name)
{
	return !patterns || patterns_match(patterns, name);
}

static bool has_number(const struct number_range *ranges, size_t nr, uint32_t number, bool given)
{
	if (nr == 0)
		return true;
	for (size_t i = 0; given && i < nr; i++) {
		if (number >= ranges[i].first && number <= ranges[i].last)
			return true;
	}
	return false;
}

/* Whether the numbers of a record pass, of which those in @has (HAS_) are given. */
static bool have_numbers(const struct filter *filter, uint32_t pid, uint32_t tid, uint32_t cpu,
			 unsigned has)
{
	return has_number(filter->pids, filter->nr_pids, pid, has & HAS_PID) &&
	       has_number(filter->tids, filter->nr_tids, tid, has & HAS_TID) &&
	       has_number(filter->cpus, filter->nr_cpus, cpu, has & HAS_CPU);
}

/*
 * Where a recording does not name its events, because it was not closed, names are made, with ":H"
 * for what perf record does anyway: to leave guests out.
 */
bool filter_event(const struct filter *filter, const char *name)
{
	const size_t len = strlen(name);
	char without[512]; /* names that are made are shorter */

	if (matches(filter->events, name))
		return true;
	if (len < 2 || len >= sizeof(without) || strcmp(name + len - 2, ":H") != 0)
		return false;
	memcpy(without, name, len - 2);
	without[len - 2] = '\0';
	return matches(filter->events, without);
}

bool filter_of_event(const struct filter *filter, const struct event *event)
{
	return filter_event(filter, event->name) ||
	       (event->recorded && filter_event(filter, event->recorded));
}

bool filter_time(const struct filter *filter, const struct record *rec)
{
	return !filter->has_time || (rec->has & HAS_TIME && filter_takes_time(filter, rec->time));
}

bool filter_record(const struct filter *filter, const struct record *rec)
{
	if (filter->events && (!rec->event || !filter_of_event(filter, rec->event)))
		return false;
	return filter_record_of_any_event(filter, rec);
}

bool filter_record_of_any_event(const struct filter *filter, const struct record *rec)
{
	return filter_time(filter, rec) &&
	       have_numbers(filter, rec->pid, rec->tid, rec->cpu, rec->has);
}

bool filter_comm(const struct filter *filter, const char *comm)
{
	return matches(filter->comms, comm);
}

bool filter_is_of_threads(const struct filter *filter)
{
	return !filter->binaries && !filter->symbols && !filter->where.nr;
}

bool filter_plain(const struct filter *filter, const struct plain_sample *sample, const char *comm)
{
	return filter_takes_time(filter, sample->time) &&
	       (!filter->events || filter_of_event(filter, sample->event)) &&
	       have_numbers(filter, sample->pid, sample->tid, sample->cpu,
			    plain_sample_has(sample)) &&
	       filter_comm(filter, comm);
}

bool filter_binary(const struct filter *filter, const char *path)
{
	const char *slash = strrchr(path, '/');

	return matches(filter->binaries, path) || (slash && matches(filter->binaries, slash + 1));
}

bool filter_symbol(const struct filter *filter, const char *function)
{
	return !filter->symbols || patterns_match_function(filter->symbols, function);
}

static void free_patterns(char **patterns)
{
	for (char **at = patterns; at && *at; at++)
		free(*at);
	free(patterns);
}

void filter_free(struct filter *filter)
{
	free_patterns(filter->events);
	free_patterns(filter->comms);
	free_patterns(filter->binaries);
	free_patterns(filter->symbols);
	free(filter->pids);
	free(filter->tids);
	free(filter->cpus);
	where_free(&filter->where);
	*filter = (struct filter){0};
}
