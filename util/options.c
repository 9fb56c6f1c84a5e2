#include "util/options.h"

#include "util/clock.h"
#include "util/text.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { HELP_COLUMN = 28, HELP_MIN_COLUMNS = 40 };

/* What getopt_long() wants to be told: both ends are terminated. */
struct getopt_tables {
	struct option *longs;
	char *letters; /* ":o:qv": the colon in front makes a missing argument ':' */
};

static const char list_mark[] = "LIST:";

static bool is_list(const struct option_spec *spec)
{
	return strncmp(spec->arg, list_mark, sizeof(list_mark) - 1) == 0;
}

/* How much of the argument's name is shown. */
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

/* How many long names start as "--NAME" or "--NAME=VALUE" in @word does. */
static size_t count_names(const struct option_spec *specs, size_t nr, const char *word)
{
	size_t len = strcspn(word + 2, "="), count = 0;

	for (size_t i = 0; i < nr; i++)
		count += specs[i].name && strncmp(specs[i].name, word + 2, len) == 0;
	return count;
}

/* getopt_long() has returned @code, '?' or ':'. @word is the word it stopped at. */
static int wrong_usage(const struct option_spec *specs, size_t nr, int code, const char *word,
		       struct error *err)
{
	const struct option_spec *spec = find_spec(specs, nr, optopt);

	if (code == ':' && spec)
		return error_set(err, ERROR_USAGE, "option --%s needs an argument: %.*s",
				 spec->name, shown_length(spec), spec->arg);
	if (spec)
		return error_set(err, ERROR_USAGE, "option --%s takes no argument", spec->name);
	if (optopt)
		return error_set(err, ERROR_USAGE, "unknown option -%c", optopt);
	if (count_names(specs, nr, word) > 1)
		return error_set(err, ERROR_USAGE, "option %s is ambiguous", word);
	return error_set(err, ERROR_USAGE, "unknown option %s", word);
}

int options_parse(const struct option_spec *specs, size_t nr, int argc, char **argv,
		  option_apply apply, void *settings, struct error *err)
{
	struct getopt_tables tables;
	int code, rc = 0;

	if (getopt_tables_make(&tables, specs, nr, err) < 0)
		return -1;
	opterr = 0;
	optind = 0; /* glibc and musl start afresh, so that a second command line can be parsed */
	while (rc >= 0) {
		optopt = 0;
		code = getopt_long(argc, argv, tables.letters, tables.longs, NULL);
		if (code == -1)
			break;
		if (code == '?' || code == ':')
			rc = wrong_usage(specs, nr, code, argv[optind - 1], err);
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

/* The words of "a|b|c" for compgen. */
static void completion_words(FILE *out, const char *words)
{
	fputs("-W \"", out);
	for (; *words; words++)
		fputc(*words == '|' ? ' ' : *words, out);
	fputc('"', out);
}

/* The part of the script that completes the argument of @spec, if it can be known. */
static void completion_argument(FILE *out, const struct option_spec *spec)
{
	const char *action = NULL;

	if (!spec->name || !spec->arg || !spec->help)
		return;
	if (strcmp(spec->arg, "FILE") == 0 || strcmp(spec->arg, "DIR|FILE") == 0)
		action = "-f";
	else if (strcmp(spec->arg, "DIR") == 0)
		action = "-d";
	fprintf(out, "\t--%s", spec->name);
	if (spec->key < OPTION_LONG_ONLY)
		fprintf(out, " | -%c", spec->key);
	if (action) {
		fprintf(out, ") mapfile -t COMPREPLY < <(compgen %s -- \"$cur\") ;;\n", action);
	} else if (is_list(spec)) { /* what stands up to the last comma stays */
		fputs(") mapfile -t COMPREPLY < <(compgen -P \"${cur%\"${cur##*,}\"}\" ", out);
		completion_words(out, spec->arg + strlen(list_mark));
		fputs(" -- \"${cur##*,}\") ;;\n", out);
	} else if (strchr(spec->arg, '|')) {
		fputs(") mapfile -t COMPREPLY < <(compgen ", out);
		completion_words(out, spec->arg);
		fputs(" -- \"$cur\") ;;\n", out);
	} else {
		fputs(") COMPREPLY=() ;;\n", out);
	}
}

/* A function of the script: what the cursor stands at, among the options of one command. */
static void completion_function(FILE *out, const char *program,
				const struct option_command *command)
{
	fprintf(out, "_%s%s%s()\n{\n", program, command->word ? "_" : "",
		command->word ? command->word : "");
	fputs("\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
	      "\t# bash breaks --name=value into three words\n"
	      "\tif [[ $cur == = ]]; then\n"
	      "\t\tcur=\n"
	      "\telif [[ $prev == = ]]; then\n"
	      "\t\tprev=${COMP_WORDS[COMP_CWORD - 2]}\n"
	      "\tfi\n"
	      "\tcase $prev in\n",
	      out);
	for (size_t i = 0; i < command->nr; i++)
		completion_argument(out, &command->specs[i]);
	fputs("\t*)\n"
	      "\t\tif [[ $cur == -* ]]; then\n"
	      "\t\t\tmapfile -t COMPREPLY < <(compgen -W \"",
	      out);
	for (size_t i = 0; i < command->nr; i++)
		if (command->specs[i].name && command->specs[i].help)
			fprintf(out, "--%s%s ", command->specs[i].name,
				command->specs[i].arg ? "=" : "");
	fputs("\" -- \"$cur\")\n"
	      "\t\t\t[[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n"
	      "\t\telse\n"
	      "\t\t\tmapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
	      "\t\tfi\n"
	      "\t\t;;\n"
	      "\tesac\n"
	      "}\n",
	      out);
}

/* The function that bash calls; the word of a command is completed, too. */
static void completion_entry(FILE *out, const char *program, const struct option_command *commands,
			     size_t nr)
{
	fprintf(out, "_%s_command()\n{\n\tcase $COMP_CWORD,${COMP_WORDS[1]} in\n\t1,[!-]*)\n",
		program);
	fprintf(out, "\t\t_%s\n\t\tmapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W \"",
		program);
	for (size_t i = 1; i < nr; i++)
		fprintf(out, "%s ", commands[i].word);
	fputs("\" -- \"${COMP_WORDS[1]}\")\n\t\t;;\n", out);
	for (size_t i = 1; i < nr; i++)
		fprintf(out, "\t*,%s) _%s_%s ;;\n", commands[i].word, program, commands[i].word);
	fprintf(out, "\t*) _%s ;;\n\tesac\n}\n", program);
}

void options_print_completion(FILE *out, const char *program, const struct option_command *commands,
			      size_t nr)
{
	fprintf(out, "# bash completion for %s\n", program);
	for (size_t i = 0; i < nr; i++)
		completion_function(out, program, &commands[i]);
	if (nr > 1)
		completion_entry(out, program, commands, nr);
	fprintf(out, "complete -o filenames -F _%s%s %s\n", program, nr > 1 ? "_command" : "",
		program);
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
