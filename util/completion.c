#include "util/completion.h"

#include <stdbool.h>
#include <string.h>

/* How the argument of an option is completed. */
enum argument {
	ARGUMENT_NONE,
	ARGUMENT_UNKNOWN,
	ARGUMENT_FILE,
	ARGUMENT_DIRECTORY,
	ARGUMENT_WORD,
	ARGUMENT_LIST, /* comma-separated words */
};

static const char list_mark[] = "LIST:";

static enum argument argument_of(const struct option_spec *spec)
{
	if (!spec->arg)
		return ARGUMENT_NONE;
	if (strcmp(spec->arg, "FILE") == 0 || strcmp(spec->arg, "DIR|FILE") == 0)
		return ARGUMENT_FILE;
	if (strcmp(spec->arg, "DIR") == 0)
		return ARGUMENT_DIRECTORY;
	if (strncmp(spec->arg, list_mark, strlen(list_mark)) == 0)
		return ARGUMENT_LIST;
	return strchr(spec->arg, '|') ? ARGUMENT_WORD : ARGUMENT_UNKNOWN;
}

static bool is_typed(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
}

/* Prints the words of an option's argument, separated by spaces. */
static void print_words(FILE *out, const struct option_spec *spec)
{
	const char *word = spec->arg, *separator = "";

	if (argument_of(spec) == ARGUMENT_LIST)
		word += strlen(list_mark);
	for (; *word; word += *word == '|') {
		fputs(separator, out);
		for (; is_typed(*word); word++)
			fputc(*word, out);
		word += strcspn(word, "|");
		separator = " ";
	}
}

/* Headings and options without help are not completed. */
static bool is_listed(const struct option_spec *spec)
{
	return spec->name && spec->help;
}

/* ---- bash ------------------------------------------------------------------------------------ */

/* Prints the part of the script that completes the argument of @spec. */
static void bash_argument(FILE *out, const struct option_spec *spec)
{
	fprintf(out, "\t--%s", spec->name);
	if (spec->key < OPTION_LONG_ONLY)
		fprintf(out, " | -%c", spec->key);
	switch (argument_of(spec)) {
	case ARGUMENT_FILE:
		fputs(") mapfile -t COMPREPLY < <(compgen -f -- \"$cur\") ;;\n", out);
		break;
	case ARGUMENT_DIRECTORY:
		fputs(") mapfile -t COMPREPLY < <(compgen -d -- \"$cur\") ;;\n", out);
		break;
	case ARGUMENT_LIST: /* the text up to the last comma is kept */
		fputs(") mapfile -t COMPREPLY < <(compgen -P \"${cur%\"${cur##*,}\"}\" -W \"", out);
		print_words(out, spec);
		fputs("\" -- \"${cur##*,}\") ;;\n", out);
		break;
	case ARGUMENT_WORD:
		fputs(") mapfile -t COMPREPLY < <(compgen -W \"", out);
		print_words(out, spec);
		fputs("\" -- \"$cur\") ;;\n", out);
		break;
	default:
		fputs(") COMPREPLY=() ;;\n", out);
	}
}

/* Prints a shell function that completes the word at the cursor for one command. */
static void bash_function(FILE *out, const char *program, const struct option_command *command)
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
		if (is_listed(&command->specs[i]) && command->specs[i].arg)
			bash_argument(out, &command->specs[i]);
	fputs("\t*)\n"
	      "\t\tif [[ $cur == -* ]]; then\n"
	      "\t\t\tmapfile -t COMPREPLY < <(compgen -W \"",
	      out);
	for (size_t i = 0; i < command->nr; i++)
		if (is_listed(&command->specs[i]))
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

/* Prints the function that bash calls; it also completes the words of commands. */
static void bash_entry(FILE *out, const char *program, const struct option_command *commands,
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

static void print_bash(FILE *out, const char *program, const struct option_command *commands,
		       size_t nr)
{
	fprintf(out, "# bash completion for %s\n", program);
	for (size_t i = 0; i < nr; i++)
		bash_function(out, program, &commands[i]);
	if (nr > 1)
		bash_entry(out, program, commands, nr);
	fprintf(out, "complete -o filenames -F _%s%s %s\n", program, nr > 1 ? "_command" : "",
		program);
}

/* ---- zsh and fish ---------------------------------------------------------------------------- */

/* Prints @help up to its first ".", ":" or ";" for single quotes, with each @special escaped. */
static void print_beginning(FILE *out, const char *help, const char *special)
{
	for (; *help && !(strchr(".:;", help[0]) && (!help[1] || help[1] == ' ')); help++) {
		if (*help == '\'')
			fputs("'\\'", out);
		else if (strchr(special, *help))
			fputc('\\', out);
		fputc(*help, out);
	}
}

static void zsh_option(FILE *out, const struct option_spec *spec)
{
	const char *equals = spec->arg ? "=" : "";

	if (spec->key < OPTION_LONG_ONLY)
		fprintf(out, "\t\t'*'{-%c%s,--%s%s}'[", spec->key, spec->arg ? "+" : "", spec->name,
			equals);
	else
		fprintf(out, "\t\t'*--%s%s[", spec->name, equals);
	print_beginning(out, spec->help, "[]:\\");
	fputc(']', out);
	switch (argument_of(spec)) {
	case ARGUMENT_NONE:
		break;
	case ARGUMENT_FILE:
		fputs(":file:_files", out);
		break;
	case ARGUMENT_DIRECTORY:
		fputs(":directory:_files -/", out);
		break;
	case ARGUMENT_LIST:
		fprintf(out, ":%s:_values -s , %s ", spec->name, spec->name);
		print_words(out, spec);
		break;
	case ARGUMENT_WORD:
		fprintf(out, ":%s:(", spec->name);
		print_words(out, spec);
		fputc(')', out);
		break;
	case ARGUMENT_UNKNOWN:
		fprintf(out, ":%s: ", spec->name);
	}
	fputs("' \\\n", out);
}

static void print_zsh(FILE *out, const char *program, const struct option_command *commands,
		      size_t nr)
{
	fprintf(out, "#compdef %s\n\n_%s_first()\n{\n\t_alternative 'commands:command:(", program,
		program);
	for (size_t i = 1; i < nr; i++)
		fprintf(out, "%s%s", i > 1 ? " " : "", commands[i].word);
	fputs(")' 'files:file:_files'\n}\n", out);
	fprintf(out, "\n_%s()\n{\n\tcase $CURRENT,$words[2] in\n", program);
	for (size_t c = nr; c-- > 0;) {
		if (commands[c].word)
			fprintf(out, "\t<3->,%s)\n\t\tshift words\n\t\t(( CURRENT-- ))\n",
				commands[c].word);
		else
			fputs("\t*)\n", out);
		fputs("\t\t_arguments \\\n", out);
		for (size_t i = 0; i < commands[c].nr; i++)
			if (is_listed(&commands[c].specs[i]))
				zsh_option(out, &commands[c].specs[i]);
		if (!commands[c].word)
			fprintf(out, "\t\t'1:file:_%s_first' \\\n", program);
		fputs("\t\t'*:file:_files'\n\t\t;;\n", out);
	}
	fprintf(out, "\tesac\n}\n\n_%s \"$@\"\n", program);
}

static void fish_option(FILE *out, const struct option_spec *spec)
{
	if (spec->key < OPTION_LONG_ONLY)
		fprintf(out, " -s %c", spec->key);
	fprintf(out, " -l %s", spec->name);
	switch (argument_of(spec)) {
	case ARGUMENT_NONE:
		break;
	case ARGUMENT_FILE:
		fputs(" -r -F", out);
		break;
	case ARGUMENT_DIRECTORY:
		fputs(" -x -a '(__fish_complete_directories)'", out);
		break;
	case ARGUMENT_LIST:
		fputs(" -x -a '(__fish_append , ", out);
		print_words(out, spec);
		fputs(")'", out);
		break;
	case ARGUMENT_WORD:
		fputs(" -x -a '", out);
		print_words(out, spec);
		fputc('\'', out);
		break;
	case ARGUMENT_UNKNOWN:
		fputs(" -x", out);
	}
	fputs(" -d '", out);
	print_beginning(out, spec->help, "\\");
	fputs("'\n", out);
}

/* The first command's options are offered if no other command's word is present. */
static void print_fish(FILE *out, const char *program, const struct option_command *commands,
		       size_t nr)
{
	fprintf(out, "# fish completion for %s\n", program);
	for (size_t c = 0; c < nr; c++) {
		if (c > 0)
			fprintf(out, "complete -c %s -n __fish_use_subcommand -a %s\n", program,
				commands[c].word);
		for (size_t i = 0; i < commands[c].nr; i++) {
			if (!is_listed(&commands[c].specs[i]))
				continue;
			fprintf(out, "complete -c %s -n '%s__fish_seen_subcommand_from", program,
				c > 0 ? "" : "not ");
			for (size_t w = c > 0 ? c : 1; w < (c > 0 ? c + 1 : nr); w++)
				fprintf(out, " %s", commands[w].word);
			fputc('\'', out);
			fish_option(out, &commands[c].specs[i]);
		}
	}
}

void completion_print(FILE *out, enum completion_shell shell, const char *program,
		      const struct option_command *commands, size_t nr)
{
	if (shell == COMPLETION_BASH)
		print_bash(out, program, commands, nr);
	else if (shell == COMPLETION_ZSH)
		print_zsh(out, program, commands, nr);
	else
		print_fish(out, program, commands, nr);
}
