#include "decode/compare/names/rename.h"

#include "decode/compare/names/name.h"
#include "util/array.h"
#include "util/textfile.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS = 10 };

struct rename_rule {
	char *text;	/* the rule as given */
	char *name;	/* the name to replace; NULL if the rule has a regex */
	char *function; /* the same in the form of name_of_function() */
	regex_t regex;
	char *to;
};

static void free_rule(struct rename_rule *rule)
{
	free(rule->text);
	if (!rule->name)
		regfree(&rule->regex);
	free(rule->name);
	free(rule->function);
	free(rule->to);
}

/* Whether @to refers only to groups that the regular expression has. */
static bool groups_exist(const char *to, size_t nr_groups)
{
	for (; *to; to++) {
		if (*to != '\\')
			continue;
		to++;
		if (*to != '\\' && (*to < '0' || *to > '9' || (size_t)(*to - '0') > nr_groups))
			return false;
	}
	return true;
}

/* The slash that ends the regular expression at @text: one followed by an equals sign; or NULL. */
static const char *end_of_regex(const char *text)
{
	for (; *text; text++) {
		if (*text == '\\' && text[1])
			text++;
		else if (*text == '/')
			return text[1] == '=' ? text : NULL;
	}
	return NULL;
}

/* Compiles the @len bytes at @text into @rule; "\/" means a slash. */
static int compile(struct rename_rule *rule, const char *text, size_t len, const char *whole,
		   struct error *err)
{
	char *pattern = malloc(len + 1), *to = pattern, why[256];
	int code;

	if (!pattern)
		return error_nomem(err, "reading a renaming");
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\\' && text[i + 1] == '/')
			i++;
		else if (text[i] == '\\')
			*to++ = text[i++];
		*to++ = text[i];
	}
	*to = '\0';
	code = regcomp(&rule->regex, pattern, REG_EXTENDED);
	free(pattern);
	if (code == 0)
		return 0;
	if (code == REG_ESPACE)
		return error_nomem(err, "reading a renaming");
	regerror(code, &rule->regex, why, sizeof(why));
	return error_set(err, ERROR_USAGE, "option --rename: '%s': %s", whole, why);
}

static int parse_regex(struct rename_rule *rule, const char *text, struct error *err)
{
	const char *end = end_of_regex(text + 1);

	if (!end)
		return error_set(err, ERROR_USAGE, "option --rename: '%s' is not /REGEX/=NEW",
				 text);
	if (compile(rule, text + 1, (size_t)(end - text - 1), text, err) < 0)
		return -1;
	rule->to = strdup(end + 2);
	if (!rule->to)
		error_nomem(err, "reading a renaming");
	else if (groups_exist(rule->to, rule->regex.re_nsub))
		return 0;
	else
		error_set(err, ERROR_USAGE,
			  "option --rename: '%s': after a backslash the new name must have another "
			  "one or the number of a pair of parentheses",
			  text);
	free_rule(rule);
	return -1;
}

/* Whether @text is a regex: a path has no slash right before the equals sign. */
static bool is_regex(const char *text)
{
	return *text == '/' && (end_of_regex(text + 1) || !strchr(text, '='));
}

static int parse_plain(struct rename_rule *rule, const char *text, struct error *err)
{
	const char *equals = strchr(text, '=');

	if (!equals || equals == text || !equals[1])
		return error_set(err, ERROR_USAGE, "option --rename: '%s' is not OLD=NEW", text);
	rule->name = strndup(text, (size_t)(equals - text));
	rule->function = malloc((size_t)(equals - text) + 1);
	rule->to = strdup(equals + 1);
	if (rule->name && rule->function && rule->to) {
		name_of_function(rule->function, rule->name);
		return 0;
	}
	free(rule->name);
	free(rule->function);
	free(rule->to);
	error_nomem(err, "reading a renaming");
	return -1;
}

int rename_add(struct renames *renames, const char *text, struct error *err)
{
	struct rename_rule rule = {0};

	if (!array_grow(renames->rules, renames->room, renames->nr + 1))
		return error_nomem(err, "reading a renaming");
	if ((is_regex(text) ? parse_regex : parse_plain)(&rule, text, err) < 0)
		return -1;
	rule.text = strdup(text);
	if (!rule.text) {
		free_rule(&rule);
		return error_nomem(err, "reading a renaming");
	}
	renames->rules[renames->nr++] = rule;
	return 0;
}

static void print_escaped(FILE *out, const char *text, const char *special)
{
	for (; *text; text++) {
		if (strchr(special, *text))
			fputc('\\', out);
		fputc(*text, out);
	}
}

/* A name that has an equals sign or looks like a regex is printed as a regex. */
void rename_print(FILE *out, const char *old_name, const char *new_name)
{
	if (*old_name != '/' && !strchr(old_name, '=')) {
		fprintf(out, "%s=%s", old_name, new_name);
		return;
	}
	fputs("/^", out);
	print_escaped(out, old_name, "\\/.[]()*+?{}|^$");
	fputs("$/=", out);
	print_escaped(out, new_name, "\\");
}

const char *rename_text(const struct renames *renames, size_t i)
{
	return renames->rules[i].text;
}

const char *rename_name(const struct renames *renames, size_t i)
{
	return renames->rules[i].name;
}

const char *rename_to(const struct renames *renames, size_t i)
{
	return renames->rules[i].to;
}

/* Whether @name is the path or the base name of @binary. */
static bool is_binary(const char *name, const char *binary)
{
	return strcmp(name, binary) == 0 || strcmp(name, name_base(binary)) == 0;
}

void rename_find_binary(const struct renames *renames, const char *binary, bool *named)
{
	for (size_t i = 0; i < renames->nr; i++)
		if (renames->rules[i].name && is_binary(renames->rules[i].to, binary))
			named[i] = true;
}

const char *rename_binary(const struct renames *renames, const char *binary, const bool *named,
			  bool *fitted)
{
	const char *renamed = NULL;

	for (size_t i = 0; i < renames->nr; i++) {
		const struct rename_rule *rule = &renames->rules[i];

		if (!named[i] || !is_binary(rule->name, binary))
			continue;
		fitted[i] = true;
		renamed = renamed ? renamed : rule->to;
	}
	return renamed;
}

static void put_group(FILE *out, const char *name, const regmatch_t *group)
{
	if (group->rm_so >= 0)
		fwrite(name + group->rm_so, 1, (size_t)(group->rm_eo - group->rm_so), out);
}

/* Returns a copy of @name with the part groups[0] replaced; NULL if memory is out. */
static char *replace(const char *name, const char *to, const regmatch_t *groups)
{
	struct textfile text;

	if (!textfile_open(&text))
		return NULL;
	fwrite(name, 1, (size_t)groups->rm_so, text.out);
	for (; *to; to++) {
		if (*to != '\\')
			fputc(*to, text.out);
		else if (*++to == '\\')
			fputc('\\', text.out);
		else
			put_group(text.out, name, &groups[*to - '0']);
	}
	fputs(name + groups->rm_eo, text.out);
	return textfile_close(&text);
}

/* Returns 1 if @rule applies to @name, 0 if not, or -1 if memory is out. */
static int fits(const struct rename_rule *rule, const char *name, regmatch_t *groups)
{
	int code;

	if (rule->name)
		return strcmp(rule->function, name) == 0;
	code = regexec(&rule->regex, name, GROUPS, groups, 0);
	return code == REG_ESPACE ? -1 : code == 0;
}

int rename_apply(const struct renames *renames, const char *name, bool *fitted, char **renamed,
		 struct error *err)
{
	regmatch_t groups[GROUPS];

	*renamed = NULL;
	for (size_t i = 0; i < renames->nr; i++) {
		const struct rename_rule *rule = &renames->rules[i];
		int found = *renamed && fitted[i] ? 0 : fits(rule, name, groups);

		if (found == 0)
			continue;
		fitted[i] = true;
		if (found > 0 && !*renamed)
			*renamed = rule->name ? strdup(rule->to) : replace(name, rule->to, groups);
		if (found < 0 || !*renamed) {
			free(*renamed);
			return error_nomem(err, "renaming functions");
		}
	}
	return *renamed != NULL;
}

void renames_free(struct renames *renames)
{
	for (size_t i = 0; i < renames->nr; i++)
		free_rule(&renames->rules[i]);
	free(renames->rules);
	*renames = (struct renames){0};
}
