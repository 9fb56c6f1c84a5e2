#include "decode/compare/profile/workload.h"

#include <stdbool.h>
#include <string.h>

/* The quotes are as fact_value_quoted() in perffile/fact.h writes them: 'it'\''s'. */
size_t workload_word(const char *words)
{
	bool quoted = false;
	size_t len = 0;

	for (; words[len] && (quoted || words[len] != ' '); len++) {
		if (words[len] == '\'')
			quoted = !quoted;
		else if (words[len] == '\\' && !quoted && words[len + 1])
			len++;
	}
	return len;
}

const char *workload_rest(const char *words)
{
	words += workload_word(words);
	return *words ? words + 1 : words;
}

void workload_unquote(char *to, size_t size, const char *words)
{
	const char *end = words + workload_word(words), *last = to + size - 1;
	bool quoted = false;

	for (; words < end && to < last; words++) {
		if (*words == '\'') {
			quoted = !quoted;
			continue;
		}
		if (*words == '\\' && !quoted)
			words++;
		*to++ = *words;
	}
	*to = '\0';
}

/* Whether the long option @name takes the next word as its argument. */
static bool takes_next(const char *name)
{
	static const char *const names[] = {
		"affinity",
		"branch-filter",
		"call-graph",
		"cgroup",
		"clang-opt",
		"clang-path",
		"clockid",
		"control",
		"count",
		"cpu",
		"delay",
		"event",
		"filter",
		"freq",
		"max-size",
		"mmap-flush",
		"mmap-pages",
		"num-thread-synthesize",
		"off-cpu-thresh",
		"output",
		"pid",
		"proc-map-timeout",
		"realtime",
		"setup-filter",
		"switch-max-files",
		"switch-output-event",
		"synth",
		"tid",
		"uid",
		"vmlinux",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/*
 * Whether one of the short options in @letters takes the next word as its argument. It must be the
 * last letter: any letters after it would be its argument.
 */
static bool letters_take_next(const char *letters)
{
	static const char needed[] = "CDFGcejkmoprtu", optional[] = "ISz";

	for (; *letters; letters++) {
		if (strchr(needed, *letters))
			return !letters[1];
		if (strchr(optional, *letters))
			return false;
	}
	return false;
}

/* The words after the options at the beginning of @words. */
static const char *skip_options(const char *words)
{
	while (*words) {
		char word[64]; /* longer than any option without its argument */

		workload_unquote(word, sizeof(word), words);
		if (word[0] != '-' || !word[1])
			break;
		words = workload_rest(words);
		if (strcmp(word, "--") == 0)
			break;
		if (word[1] == '-' ? takes_next(word + 2) : letters_take_next(word + 1))
			words = workload_rest(words);
	}
	return words;
}

/* Whether the file name of the first word begins with "perf". */
static bool is_perf(const char *words)
{
	const char *base = words + (*words == '\'');

	for (size_t i = workload_word(words); i > 0; i--) {
		if (words[i - 1] == '/') {
			base = words + i;
			break;
		}
	}
	return strncmp(base, "perf", 4) == 0;
}

const char *workload_of(const char *command)
{
	const char *words = workload_rest(command);
	char word[16];

	workload_unquote(word, sizeof(word), words);
	if (!is_perf(command) || strcmp(word, "record") != 0)
		return NULL;
	return skip_options(workload_rest(words));
}
