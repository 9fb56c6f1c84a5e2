#include "decode/replay/perkeys.h"

#include "util/clock.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *word;
	enum per_kind kind;
} kinds[] = {
	{"comm", PER_COMM}, {"pid", PER_PID},	    {"tid", PER_TID},
	{"cpu", PER_CPU},   {"cgroup", PER_CGROUP},
};

static const struct {
	const char *word;
	uint64_t ns;
} units[] = {{"ns", 1}, {"us", 1000}, {"ms", NS_PER_MS}, {"s", NS_PER_SECOND}};

static bool is_word(const char *text, size_t len, const char *word)
{
	return strlen(word) == len && memcmp(text, word, len) == 0;
}

/* Parses "100ms". Returns false if it is not a length of time above 0. */
static bool parse_length(const char *text, size_t len, uint64_t *length)
{
	size_t digits = 0;

	for (*length = 0; digits < len && text[digits] >= '0' && text[digits] <= '9'; digits++) {
		if (__builtin_mul_overflow(*length, 10u, length) ||
		    __builtin_add_overflow(*length, (uint64_t)(text[digits] - '0'), length))
			return false;
	}
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (is_word(text + digits, len - digits, units[i].word))
			return !__builtin_mul_overflow(*length, units[i].ns, length) &&
			       *length > 0 && *length <= INT64_MAX;
	}
	return false;
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
		return parse_length(text + sizeof(slice) - 1, len - (sizeof(slice) - 1),
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
				 "slice:LENGTH (such as slice:100ms) or a field of a tracepoint "
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

void perkeys_free(struct perkeys *keys)
{
	for (size_t i = 0; i < keys->nr; i++)
		free(keys->list[i].name);
	*keys = (struct perkeys){0};
}
