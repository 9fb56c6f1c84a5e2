#include "util/options.h"

#include "util/clock.h"
#include "util/text.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HELP_COLUMN = 28, HELP_MIN_COLUMNS = 40 };

/* The tables for getopt_long(); both are terminated. */
struct getopt_tables {
	struct option *longs;
	char *letters; /* ":o:qv"; the leading colon makes it return ':' for a missing argument */
};

static const char list_mark[] = "LIST:";

static bool is_list(const struct option_spec *spec)
{
	return strncmp(spec->arg, list_mark, sizeof(list_mark) - 1) == 0;
}

/* Returns how many characters of the argument's name are printed. */
static int shown_length(const struct option_spec *spec)
{
	return (int)(is_list(spec) ? strlen("LIST") : strlen(spec->arg));
}

static void getopt_tables_free(struct getopt_tables *tables)
{
	free(tables->longs);
	free(tables->letters);
}

static int getopt_tables_make(struct getopt_tables *tables, const struct option_spec *specs,
			      size_t nr, struct error *err)
{
	struct option *next = calloc(nr + 1, sizeof(*next));
	char *letter = calloc(nr + 1, 2);

	*tables = (struct getopt_tables){.longs = next, .letters = letter};
	if (!next || !letter) {
		getopt_tables_free(tables);
		error_nomem(err, "reading the command line");
		return -1;
	}
	*letter++ = ':';
	for (const struct option_spec *spec = specs; spec < specs + nr; spec++) {
		if (!spec->name)
			continue;
		next->name = spec->name;
		next->has_arg = spec->arg ? required_argument : no_argument;
		next->val = spec->key;
		next++;
		if (spec->key >= OPTION_LONG_ONLY)
			continue;
		*letter++ = (char)spec->key;
		if (spec->arg)
			*letter++ = ':';
	}
	return 0;
}

static const struct option_spec *find_spec(const struct option_spec *specs, size_t nr, int key)
{
	for (size_t i = 0; i < nr; i++)
		if (specs[i].name && specs[i].key == key)
			return &specs[i];
	return NULL;
}

/*
 * Lists the long names that start with NAME of @word, "--NAME" or "--NAME=VALUE", as far as there
 * is room. Returns how many there are.
 */
static size_t list_names(const struct option_spec *specs, size_t nr, const char *word, char *list,
			 size_t size)
{
	const size_t len = strcspn(word + 2, "=");
	size_t count = 0, at = 0;

	*list = '\0';
	for (size_t i = 0; i < nr; i++) {
		if (!specs[i].name || strncmp(specs[i].name, word + 2, len) != 0)
			continue;
		if (at < size)
			at += (size_t)snprintf(list + at, size - at, "%s--%s", count ? ", " : "",
					       specs[i].name);
		count++;
	}
	return count;
}

enum { NAME_MAX_TYPED = 32 }; /* longer words are like no option's name */

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* How many letters must be added, left out or changed to make @name of the first @len of @typed,
 * NAME_MAX_TYPED at most. */
static size_t distance(const char *name, const char *typed, size_t len)
{
	size_t row[NAME_MAX_TYPED +
		   1]; /* of what precedes a letter of @name, by letters of @typed */

	for (size_t j = 0; j <= len; j++)
		row[j] = j;
	for (size_t i = 1; *name; i++, name++) {
		size_t before = row[0];

		row[0] = i;
		for (size_t j = 1; j <= len; j++) {
			const size_t same = before + (*name != typed[j - 1]);

			before = row[j];
			row[j] = least(same, least(row[j], row[j - 1]) + 1);
		}
	}
	return row[len];
}

/* The listed long name that @word, "--NAME" or "--NAME=VALUE", may be a misspelling of: it differs
 * in up to a third of its letters, two at most. NULL if there is none. */
static const char *nearest_name(const struct option_spec *specs, size_t nr, const char *word)
{
	const size_t len = strcspn(word + 2, "=");
	size_t best = least(len / 3, 2) + 1;
	const char *name = NULL;

	for (size_t i = 0; i < nr && len <= NAME_MAX_TYPED; i++) {
		const size_t differ = specs[i].name && specs[i].help
					      ? distance(specs[i].name, word + 2, len)
					      : best;

		if (differ >= best)
			continue;
		best = differ;
		name = specs[i].name;
	}
	return name;
}

/* Says that @word, "-X", "--NAME" or "--NAME=VALUE", is unknown. */
static int unknown(const struct option_spec *specs, size_t nr, const char *word, struct error *err)
{
	const char *name = word[1] == '-' ? nearest_name(specs, nr, word) : NULL;

	if (name)
		return error_set(err, ERROR_USAGE, "unknown option %s: did you mean --%s?", word,
				 name);
	return error_set(err, ERROR_USAGE, "unknown option %s", word);
}

/* Sets @err after getopt_long() returned @code, '?' or ':', at the argument @word. @apply may say
 * what an unknown option means. */
static int wrong_usage(const struct option_spec *specs, size_t nr, int code, const char *word,
		       option_apply apply, void *settings, struct error *err)
{
	const struct option_spec *spec = find_spec(specs, nr, optopt);
	const char letter[] = {'-', (char)optopt, '\0'};
	char names[200];

	if (code == ':' && spec)
		return error_set(err, ERROR_USAGE, "option --%s needs an argument: %.*s",
				 spec->name, shown_length(spec), spec->arg);
	if (spec)
		return error_set(err, ERROR_USAGE, "option --%s takes no argument", spec->name);
	if (optopt)
		word = letter;
	else if (list_names(specs, nr, word, names, sizeof(names)) > 1)
		return error_set(err, ERROR_USAGE, "option %s is ambiguous: %s", word, names);
	if (apply(settings, OPTION_UNKNOWN, word, err) < 0)
		return -1;
	return unknown(specs, nr, word, err);
}

int options_parse(const struct option_spec *specs, size_t nr, int argc, char **argv,
		  option_apply apply, void *settings, struct error *err)
{
	struct getopt_tables tables;
	int code, rc = 0;

	if (getopt_tables_make(&tables, specs, nr, err) < 0)
		return -1;
	opterr = 0;
	optind = 0; /* restarts glibc's and musl's getopt_long() for another command line */
	while (rc >= 0) {
		optopt = 0;
		code = getopt_long(argc, argv, tables.letters, tables.longs, NULL);
		if (code == -1)
			break;
		if (code == '?' || code == ':')
			rc = wrong_usage(specs, nr, code, argv[optind - 1], apply, settings, err);
		else
			rc = apply(settings, code, optarg, err);
	}
	getopt_tables_free(&tables);
	return rc < 0 ? -1 : optind;
}

size_t options_select(const struct option_spec *specs, size_t nr, unsigned command,
		      struct option_spec *to)
{
	size_t chosen = 0;
	bool taken = true;

	for (size_t i = 0; i < nr; i++) {
		if (!specs[i].name)
			taken = specs[i].key == 0 || (unsigned)specs[i].key & command;
		if (taken)
			to[chosen++] = specs[i];
	}
	return chosen;
}

void options_print_help(FILE *out, const struct option_spec *specs, size_t nr, size_t columns)
{
	if (columns < HELP_MIN_COLUMNS)
		columns = HELP_MIN_COLUMNS;
	for (const struct option_spec *spec = specs; spec < specs + nr; spec++) {
		int used = 6;

		if (!spec->help)
			continue;
		if (!spec->name) {
			fprintf(out, "%s%s:\n", spec == specs ? "" : "\n", spec->help);
			continue;
		}
		if (spec->key < OPTION_LONG_ONLY)
			fprintf(out, "  -%c, ", spec->key);
		else
			fprintf(out, "      ");
		used += fprintf(out, "--%s", spec->name);
		if (spec->arg)
			used += fprintf(out, "=%.*s", shown_length(spec), spec->arg);
		if (used > HELP_COLUMN - 2)
			fprintf(out, "\n%*s", HELP_COLUMN, "");
		else
			fprintf(out, "%*s", HELP_COLUMN - used, "");
		text_wrap(out, spec->help, HELP_COLUMN, HELP_COLUMN, columns);
	}
}

void options_print_roff(FILE *out, const struct option_spec *specs, size_t nr)
{
	for (const struct option_spec *spec = specs; spec < specs + nr; spec++) {
		if (!spec->help)
			continue;
		if (!spec->name) {
			fprintf(out, ".SS %s\n", spec->help);
			continue;
		}
		fputs(".TP\n", out);
		if (spec->key < OPTION_LONG_ONLY)
			fprintf(out, "\\fB\\-%c\\fR, ", spec->key);
		fputs("\\fB\\-\\-", out);
		text_print_roff(out, spec->name);
		fputs("\\fR", out);
		if (spec->arg)
			fprintf(out, "=\\fI%.*s\\fR", shown_length(spec), spec->arg);
		fputc('\n', out);
		text_print_roff(out, spec->help);
		fputc('\n', out);
	}
}

int option_number(const char *name, const char *arg, uint64_t min, uint64_t max, uint64_t *value,
		  struct error *err)
{
	uint64_t number = 0;
	bool right = *arg != '\0';

	for (const char *c = arg; *c && right; c++) {
		uint64_t digit = (uint64_t)(*c - '0');

		right = *c >= '0' && *c <= '9' && !__builtin_mul_overflow(number, 10, &number) &&
			!__builtin_add_overflow(number, digit, &number);
	}
	if (!right || number < min || number > max)
		return error_set(err, ERROR_USAGE,
				 "option --%s: '%s' is not a number from %llu to %llu", name, arg,
				 (unsigned long long)min, (unsigned long long)max);
	*value = number;
	return 0;
}

int option_bytes(const char *name, const char *arg, uint64_t min, uint64_t max, uint64_t *bytes,
		 struct error *err)
{
	static const char units[] = "KMG";
	const char *end = arg + strspn(arg, "0123456789");
	const char *unit = *end ? strchr(units, *end) : NULL;
	const unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
	uint64_t number = 0;
	bool right = end != arg && (*end == '\0' || (unit && end[1] == '\0'));

	for (const char *c = arg; right && c < end; c++)
		right = !__builtin_mul_overflow(number, 10, &number) &&
			!__builtin_add_overflow(number, (uint64_t)(*c - '0'), &number);
	right = right && number <= UINT64_MAX >> shift;
	number <<= shift;
	if (!right || number < min || number > max)
		return error_set(err, ERROR_USAGE,
				 "option --%s: '%s' is not a number of bytes from %llu to %llu, "
				 "such as 500K or 8M",
				 name, arg, (unsigned long long)min, (unsigned long long)max);
	*bytes = number;
	return 0;
}

int option_seconds(const char *name, const char *arg, uint64_t min, uint64_t *ns, struct error *err)
{
	const uint64_t max = NS_PER_SECOND * NS_PER_SECOND;
	uint64_t value = 0, digit = NS_PER_SECOND;
	bool fraction = false, right = *arg >= '0' && *arg <= '9';

	for (const char *c = arg; *c && right; c++) {
		if (*c == '.') {
			right = !fraction && c[1];
			fraction = true;
			continue;
		}
		right = *c >= '0' && *c <= '9' && value <= max;
		if (fraction)
			digit /= 10;
		else
			value *= 10;
		value += (uint64_t)(*c - '0') * digit;
	}
	if (!right || value < min || value > max)
		return error_set(err, ERROR_USAGE,
				 "option --%s: '%s' is not a number of seconds, %g or more", name,
				 arg, (double)min / (double)NS_PER_SECOND);
	*ns = value;
	return 0;
}

bool option_parse_length(const char *text, size_t len, uint64_t *ns)
{
	static const struct {
		const char *word;
		uint64_t ns;
	} units[] = {{"ns", 1}, {"us", NS_PER_MS / 1000}, {"ms", NS_PER_MS}, {"s", NS_PER_SECOND}};
	size_t digits = 0;

	for (*ns = 0; digits < len && text[digits] >= '0' && text[digits] <= '9'; digits++)
		if (__builtin_mul_overflow(*ns, 10u, ns) ||
		    __builtin_add_overflow(*ns, (uint64_t)(text[digits] - '0'), ns))
			return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strlen(units[i].word) == len - digits &&
		    memcmp(text + digits, units[i].word, len - digits) == 0)
			return !__builtin_mul_overflow(*ns, units[i].ns, ns) && *ns > 0 &&
			       *ns <= INT64_MAX;
	return false;
}

int option_length(const char *name, const char *arg, uint64_t *ns, struct error *err)
{
	if (option_parse_length(arg, strlen(arg), ns))
		return 0;
	return error_set(err, ERROR_USAGE,
			 "option --%s: '%s' is not a length of time such as 100ms (ns, us, "
			 "ms or s)",
			 name, arg);
}

int option_choice(const char *name, const char *arg, const char *choices, struct error *err)
{
	size_t len = strlen(arg);
	int place = 0;

	for (const char *word = choices;; word++, place++) {
		size_t word_len = strcspn(word, "|");

		if (word_len == len && memcmp(word, arg, len) == 0)
			return place;
		word += word_len;
		if (!*word)
			return error_set(err, ERROR_USAGE, "option --%s: '%s' is not one of %s",
					 name, arg, choices);
	}
}

const char *option_list_next(const char **list, size_t *len)
{
	const char *word = *list;

	if (!word)
		return NULL;
	*len = strcspn(word, ",");
	*list = word[*len] ? word + *len + 1 : NULL;
	return word;
}
