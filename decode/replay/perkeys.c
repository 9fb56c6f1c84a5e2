#include "decode/replay/perkeys.h"

#include "perffile/format.h"
#include "util/options.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *word;
	enum per_kind kind;
} kinds[] = {
	{"comm", PER_COMM}, {"pid", PER_PID},	    {"tid", PER_TID},
	{"cpu", PER_CPU},   {"cgroup", PER_CGROUP}, {"data_symbol", PER_DATA_SYMBOL},
};

static bool is_word(const char *text, size_t len, const char *word)
{
	return strlen(word) == len && memcmp(text, word, len) == 0;
}

static bool parse_key(struct per_key *key, const char *text, size_t len)
{
	static const char slice[] = "slice:";

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		key->kind = kinds[i].kind;
		if (is_word(text, len, kinds[i].word))
			return true;
	}
	if (len >= sizeof(slice) - 1 && memcmp(text, slice, sizeof(slice) - 1) == 0) {
		key->kind = PER_SLICE;
		return option_parse_length(text + sizeof(slice) - 1, len - (sizeof(slice) - 1),
					   &key->length);
	}
	key->kind = PER_FIELD;
	return !is_word(text, len, "slice") && samplefield_parse(&key->field, text, len);
}

static int add_key(struct perkeys *keys, const char *text, size_t len, struct error *err)
{
	struct per_key *key = &keys->list[keys->nr];

	if (keys->nr == PERKEYS_MAX)
		return error_set(err, ERROR_USAGE, "option --per: takes at most %d keys",
				 PERKEYS_MAX);
	if (!parse_key(key, text, len))
		return error_set(err, ERROR_USAGE,
				 "option --per: '%.*s' is not one of comm, pid, tid, cpu, cgroup, "
				 "data_symbol, slice:LENGTH (such as slice:100ms) or a field of a "
				 "tracepoint "
				 "(sched_switch.prev_comm)",
				 (int)len, text);
	key->name = key->kind == PER_SLICE ? strdup("slice") : strndup(text, len);
	if (!key->name)
		return error_nomem(err, "reading the options");
	for (size_t i = 0; i < keys->nr; i++) {
		if (strcmp(keys->list[i].name, key->name) != 0)
			continue;
		free(key->name);
		return error_set(err, ERROR_USAGE, "option --per: '%.*s' is given twice", (int)len,
				 text);
	}
	keys->names[keys->nr++] = key->name;
	return 0;
}

int perkeys_add(struct perkeys *keys, const char *list, struct error *err)
{
	for (;;) {
		const size_t len = strcspn(list, ",");

		if (add_key(keys, list, len, err) < 0)
			return -1;
		if (!list[len])
			return 0;
		list += len + 1;
	}
}

const char *perkeys_lacks(const struct perkeys *keys, uint64_t sample_type, const char **how,
			  const char **key)
{
	static const struct {
		uint64_t field;
		const char *name, *how;
	} needs[] = {
		[PER_CPU] = {SAMPLE_CPU, "CPU", "--sample-cpu"},
		[PER_CGROUP] = {SAMPLE_CGROUP, "cgroup", "--all-cgroups"},
		[PER_DATA_SYMBOL] = {SAMPLE_ADDR, "data address", "--data"},
		[PER_SLICE] = {SAMPLE_TIME, "time", "--timestamp"},
		[PER_FIELD] = {0},
	};

	for (size_t i = 0; i < keys->nr; i++) {
		const enum per_kind kind = keys->list[i].kind;

		*how = needs[kind].how;
		*key = keys->list[i].name;
		if (needs[kind].field && !(sample_type & needs[kind].field))
			return needs[kind].name;
	}
	return NULL;
}

void perkeys_cut(struct perkeys *keys, size_t nr)
{
	while (keys->nr > nr)
		free(keys->list[--keys->nr].name);
}

void perkeys_free(struct perkeys *keys)
{
	perkeys_cut(keys, 0);
}
