#include "decode/replay/where.h"

#include "util/array.h"

#include <stdlib.h>
#include <string.h>

/* A number of 65 bits. */
struct wide {
	bool negative;
	uint64_t bits; /* two's complement if negative */
};

enum where_operator { WHERE_EQ, WHERE_NE, WHERE_LE, WHERE_GE, WHERE_LT, WHERE_GT };

struct where_comparison {
	struct field_name field;
	enum where_operator op;
	struct wide number;
	char *text; /* NULL: compare with the number */
};

struct where_test {
	struct samplefield field;
	struct wide number; /* of a word, too */
};

static const struct {
	const char *token;
	enum where_operator op;
} tokens[] = {{"==", WHERE_EQ}, {"!=", WHERE_NE}, {"<=", WHERE_LE},
	      {">=", WHERE_GE}, {"<", WHERE_LT},  {">", WHERE_GT}};

static int wrong(const char *text, const char *at, const char *expected, struct error *err)
{
	return error_set(err, ERROR_USAGE, "option --where: '%s': %s was expected at '%s'", text,
			 expected, at);
}

static const char *skip_blanks(const char *at)
{
	return at + strspn(at, " \t");
}

static const char *take_operator(const char *at, enum where_operator *op)
{
	for (size_t i = 0; i < sizeof(tokens) / sizeof(tokens[0]); i++) {
		const size_t len = strlen(tokens[i].token);

		*op = tokens[i].op;
		if (strncmp(at, tokens[i].token, len) == 0)
			return at + len;
	}
	return NULL;
}

static unsigned digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 99;
}

/* Takes a number. Returns what follows it, NULL if there is none or it does not fit. */
static const char *take_number(const char *at, struct wide *number)
{
	unsigned base = 10;
	const char *first;

	*number = (struct wide){.negative = *at == '-'};
	at += number->negative;
	if (at[0] == '0' && (at[1] | 0x20) == 'x') {
		base = 16;
		at += 2;
	}
	for (first = at; digit_of(*at) < base; at++)
		if (__builtin_mul_overflow(number->bits, base, &number->bits) ||
		    __builtin_add_overflow(number->bits, digit_of(*at), &number->bits))
			return NULL;
	if (number->negative && number->bits > (uint64_t)INT64_MAX + 1)
		return NULL;
	number->negative = number->negative && number->bits;
	if (number->negative)
		number->bits = 0 - number->bits;
	return at > first ? at : NULL;
}

/* Takes a text in quotes of either kind, or a number. Returns what follows it, or NULL. */
static const char *take_value(const char *at, struct where_comparison *comparison)
{
	const char *end;

	if (*at != '\'' && *at != '"')
		return take_number(at, &comparison->number);
	end = strchr(at + 1, *at);
	if (!end)
		return NULL;
	comparison->text = strndup(at + 1, (size_t)(end - at - 1));
	return end + 1;
}

/* Takes a comparison from *@at. Returns 0, or -1 with @err filled. */
static int take_comparison(const char *text, const char **at, struct where_comparison *comparison,
			   struct error *err)
{
	const char *name = skip_blanks(*at), *value, *end;
	const size_t len = strcspn(name, " \t=!<>");

	if (!samplefield_parse(&comparison->field, name, len))
		return wrong(text, name, "a field of a tracepoint", err);
	end = take_operator(skip_blanks(name + len), &comparison->op);
	if (!end)
		return wrong(text, skip_blanks(name + len), "one of == != < <= > >=", err);
	value = skip_blanks(end);
	end = take_value(value, comparison);
	if (!end)
		return wrong(text, value, "a number, or a text in quotes", err);
	*at = end;
	return 0;
}

/* Moves *@at past "and". Returns whether another comparison follows; sets *@wrong_here if neither
 * that nor the end does. */
static bool take_and(const char **at, bool *wrong_here)
{
	const char *word = skip_blanks(*at);

	*wrong_here = false;
	if (!*word)
		return false;
	if (word > *at && strncmp(word, "and", 3) == 0 &&
	    (!word[3] || word[3] == ' ' || word[3] == '\t')) {
		*at = word + 3;
		return true;
	}
	*wrong_here = true;
	return false;
}

int where_add(struct where *where, const char *text, struct error *err)
{
	const char *at = text;
	bool wrong_here;

	do {
		if (!array_grow(where->list, where->room, where->nr + 1))
			return error_nomem(err, "reading the options");
		where->list[where->nr] = (struct where_comparison){0};
		if (take_comparison(text, &at, &where->list[where->nr], err) < 0)
			return -1;
		where->nr++;
	} while (take_and(&at, &wrong_here));
	return wrong_here ? wrong(text, skip_blanks(at), "'and', or the end", err) : 0;
}

void where_free(struct where *where)
{
	for (size_t i = 0; i < where->nr; i++)
		free(where->list[i].text);
	free(where->list);
	*where = (struct where){0};
}

/* Checks that what the field is compared with is of its kind. */
static int check_kind(struct where_test *test, const struct where_comparison *comparison,
		      struct error *err)
{
	const char *name = comparison->field.name;

	test->number = comparison->number;
	if (!samplefield_is_number(&test->field)) {
		if (comparison->text)
			return 0;
		if (test->field.field.kind == TRACEFIELD_ARRAY)
			return error_set(err, ERROR_USAGE,
					 "option --where: '%s' is a list of numbers: name one of "
					 "them, as %s[0], or put all into quotes",
					 name, name);
		return error_set(err, ERROR_USAGE,
				 "option --where: '%s' is a text: put what it is compared with "
				 "into quotes",
				 name);
	}
	if (!comparison->text)
		return 0;
	if (comparison->op != WHERE_EQ && comparison->op != WHERE_NE)
		return error_set(err, ERROR_USAGE,
				 "option --where: '%s' is a number: compare it with a number, or "
				 "by == and != with a word",
				 name);
	if (samplefield_value(&test->field, comparison->text, &test->number.bits)) {
		test->number.negative =
			test->field.field.is_signed && (int64_t)test->number.bits < 0;
		return 0;
	}
	return error_set(err, ERROR_USAGE, "option --where: '%s' has no value called '%s'", name,
			 comparison->text);
}

static int bind_tests(struct where_tests *tests, const struct perffile *file, struct error *err)
{
	const struct where *where = tests->where;

	if (!tests->list)
		tests->list = calloc(where->nr, sizeof(*tests->list));
	if (!tests->list)
		return error_nomem(err, "looking for fields of tracepoints");
	for (size_t i = 0; i < where->nr; i++) {
		struct where_test *test = &tests->list[i];

		test->field.name = where->list[i].field;
		if (samplefield_bind(&test->field, file, "where", err) < 0 ||
		    check_kind(test, &where->list[i], err) < 0)
			return -1;
	}
	tests->nr_events = perffile_nr_events(file);
	return 0;
}

/* Returns below 0, 0 or above 0, as @a is less than, equal to or greater than @b. */
static int compare_wide(const struct wide *a, const struct wide *b)
{
	if (a->negative != b->negative)
		return a->negative ? -1 : 1;
	return (a->bits > b->bits) - (a->bits < b->bits);
}

static bool is_true(enum where_operator op, int order)
{
	switch (op) {
	case WHERE_EQ:
		return order == 0;
	case WHERE_NE:
		return order != 0;
	case WHERE_LT:
		return order < 0;
	case WHERE_LE:
		return order <= 0;
	case WHERE_GT:
		return order > 0;
	default:
		return order >= 0;
	}
}

static bool passes_test(const struct where_test *test, const struct where_comparison *comparison,
			const struct record *rec, const struct process *process)
{
	char text[SAMPLEFIELD_TEXT];
	struct wide value;

	if (!samplefield_is_number(&test->field))
		return samplefield_text(&test->field, rec, text) &&
		       is_true(comparison->op, strcmp(text, comparison->text));
	if (!samplefield_number(&test->field, rec, &value.bits))
		return false;
	if (comparison->text)
		value.bits = samplefield_common(&test->field, value.bits, process->is_32bit);
	value.negative = test->field.field.is_signed && (int64_t)value.bits < 0;
	return is_true(comparison->op, compare_wide(&value, &test->number));
}

int where_passes(struct where_tests *tests, const struct perffile *file, const struct record *rec,
		 const struct process *process, struct error *err)
{
	if (tests->nr_events != perffile_nr_events(file) && bind_tests(tests, file, err) < 0)
		return -1;
	for (size_t i = 0; i < tests->where->nr; i++)
		if (!passes_test(&tests->list[i], &tests->where->list[i], rec, process))
			return 0;
	return 1;
}

void where_tests_free(struct where_tests *tests)
{
	for (size_t i = 0; tests->list && i < tests->where->nr; i++)
		samplefield_free(&tests->list[i].field);
	free(tests->list);
	tests->list = NULL;
}
