#include "perffile/tracewords.h"

#include "perffile/feature/tracing.h"
#include "util/array.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	NEST_MAX = 64,	  /* brackets within brackets */
	WORDS_MAX = 4096, /* of a field */
};

struct traceword {
	uint64_t value;
	struct span text;
};

static void skip_blanks(struct span *s)
{
	while (span_left(s) > 0 && (*s->pos == ' ' || *s->pos == '\t'))
		s->pos++;
}

/* Takes @token, after blanks, if it is next. */
static bool take_token(struct span *s, const char *token)
{
	const size_t len = strlen(token);

	skip_blanks(s);
	if (span_left(s) < len || memcmp(s->pos, token, len) != 0)
		return false;
	span_skip(s, len);
	return true;
}

static bool is_letter(uint8_t c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(uint8_t c)
{
	return c >= '0' && c <= '9';
}

/* The value of a digit of any base; 99: it is none. */
static unsigned digit_value(uint8_t c)
{
	if (is_digit(c))
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10u : 99;
}

/* Takes a number of C: 12, 014, 0xc, with suffixes. Fails @s if it is none. */
static uint64_t take_literal(struct span *s)
{
	unsigned base = 10;
	uint64_t value = 0;

	skip_blanks(s);
	if (span_left(s) == 0 || !is_digit(*s->pos)) {
		span_fail(s);
		return 0;
	}
	if (take_token(s, "0x") || take_token(s, "0X"))
		base = 16;
	else if (*s->pos == '0')
		base = 8;
	for (; span_left(s) > 0 && digit_value(*s->pos) < base; s->pos++) {
		if (__builtin_mul_overflow(value, base, &value))
			span_fail(s);
		else
			value += digit_value(*s->pos);
		if (s->failed)
			return 0;
	}
	while (span_left(s) > 0 && strchr("uUlL", *s->pos) && *s->pos)
		s->pos++;
	return value;
}

/* Skips "(unsigned long)" or the like: letters, digits, blanks and stars between brackets. */
static bool take_cast(struct span *s)
{
	struct span at = *s;

	if (!take_token(&at, "("))
		return false;
	skip_blanks(&at);
	if (span_left(&at) == 0 || !is_letter(*at.pos))
		return false;
	while (span_left(&at) > 0 &&
	       (is_letter(*at.pos) || is_digit(*at.pos) || *at.pos == ' ' || *at.pos == '*'))
		at.pos++;
	if (!take_token(&at, ")"))
		return false;
	*s = at;
	return true;
}

/* Operators between two values, by rising strength; the first that fits is taken. */
static const struct operator
{
	const char *token;
	unsigned strength;
}
operators[] = {
	{"|", 1}, {"^", 2}, {"&", 3}, {"<<", 4}, {">>", 4}, {"+", 5}, {"-", 5}, {"*", 6},
};

static uint64_t apply_operator(const struct operator* op, uint64_t a, uint64_t b)
{
	switch (op->token[0]) {
	case '|':
		return a | b;
	case '^':
		return a ^ b;
	case '&':
		return a & b;
	case '<':
		return b < 64 ? a << b : 0;
	case '>':
		return b < 64 ? a >> b : 0;
	case '+':
		return a + b;
	case '-':
		return a - b;
	default:
		return a * b;
	}
}

/* Takes an operator stronger than @strength; NULL if none is next. */
static const struct operator* take_operator(struct span *s, unsigned strength)
{
	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		struct span at = *s;

		if (operators[i].strength <= strength || !take_token(&at, operators[i].token))
			continue;
		*s = at;
		return &operators[i];
	}
	return NULL;
}

static uint64_t take_constant(struct span *s, unsigned strength, unsigned depth);

/* A number, a constant in brackets, or one with a cast, a - or ~ before it. */
static uint64_t take_operand(struct span *s, unsigned depth)
{
	uint64_t value;

	if (depth == NEST_MAX) {
		span_fail(s);
		return 0;
	}
	if (take_cast(s))
		return take_operand(s, depth + 1);
	if (take_token(s, "~"))
		return ~take_operand(s, depth + 1);
	if (take_token(s, "-"))
		return 0 - take_operand(s, depth + 1);
	if (!take_token(s, "("))
		return take_literal(s);
	value = take_constant(s, 0, depth + 1);
	if (!take_token(s, ")"))
		span_fail(s);
	return value;
}

/*
 * Takes a constant expression, as far as its operators are stronger than @strength. Fails @s if it
 * is none.
 */
static uint64_t take_constant(struct span *s, unsigned strength, unsigned depth)
{
	uint64_t value = take_operand(s, depth);
	const struct operator* op;

	while (!s->failed && (op = take_operator(s, strength)) != NULL)
		value = apply_operator(op, value, take_constant(s, op->strength, depth + 1));
	return value;
}

/* Takes a text in quotes; escapes stay as they are. Returns false if there is none. */
static bool take_quoted(struct span *s, struct span *text)
{
	if (!take_token(s, "\""))
		return false;
	*text = *s;
	while (span_left(s) > 0 && *s->pos != '"')
		span_skip(s, *s->pos == '\\' && span_left(s) > 1 ? 2 : 1);
	text->end = s->pos;
	return take_token(s, "\"");
}

/* Moves past the } that closes what @s is in. Returns false if there is none. */
static bool leave_braces(struct span *s)
{
	struct span text;

	while (span_left(s) > 0 && *s->pos != '}') {
		if (*s->pos != '"')
			span_skip(s, 1);
		else if (!take_quoted(s, &text))
			return false;
	}
	return take_token(s, "}");
}

/* Takes "{ 1, "S" }, ...". Those that are no constants are left out. Returns -1 if memory is out.
 */
static int take_words(struct tracewords *words, struct span *s)
{
	while (words->nr < WORDS_MAX && take_token(s, "{")) {
		struct span pair = *s;
		struct traceword word = {.value = take_constant(&pair, 0, 0)};
		bool whole = !pair.failed && take_token(&pair, ",") &&
			     take_quoted(&pair, &word.text) && take_token(&pair, "}");

		if (whole)
			*s = pair;
		else if (!leave_braces(s))
			return 0;
		if (whole && !array_grow(words->list, words->room, words->nr + 1))
			return -1;
		if (whole)
			words->list[words->nr++] = word;
		take_token(s, ",");
	}
	return 0;
}

/* Takes "REC->NAME", in brackets and with casts, and "& MASK" behind it. */
static bool take_argument(struct span *s, const struct tracefield *field, uint64_t *mask,
			  unsigned depth)
{
	const size_t len = span_left(&field->name);

	*mask = UINT64_MAX;
	while (take_cast(s))
		;
	if (take_token(s, "REC->")) {
		if (span_left(s) < len || memcmp(s->pos, field->name.pos, len) != 0)
			return false;
		span_skip(s, len);
		if (span_left(s) > 0 && (is_letter(*s->pos) || is_digit(*s->pos)))
			return false;
	} else if (depth == NEST_MAX || !take_token(s, "(") ||
		   !take_argument(s, field, mask, depth + 1) || !take_token(s, ")")) {
		return false;
	}
	if (take_token(s, "&"))
		*mask &= take_constant(s, 3, 0);
	return !s->failed;
}

/*
 * Takes "REC->NAME & BIT ? "+" : """ behind the words of flags: a sign for a bit that has no word.
 * sched_switch has it for a preempted task.
 */
static void take_sign(struct tracewords *words, struct span *s, const struct tracefield *field)
{
	struct span sign, none;
	uint64_t bit;

	if (!take_token(s, ",") || !take_argument(s, field, &bit, 0) || !take_token(s, "?") ||
	    !take_quoted(s, &sign) || !take_token(s, ":") || !take_quoted(s, &none))
		return;
	if (__builtin_popcountll(bit) != 1 || bit & words->mask || span_left(&sign) != 1 ||
	    is_letter(*sign.pos) || is_digit(*sign.pos) || span_left(&none) > 0)
		return;
	words->sign = sign;
	words->sign_bit = bit;
}

/* Takes what follows the "(" of a call: the argument, and the words. Returns -1 if memory is out.
 */
static int take_call(struct tracewords *words, struct span *s, const struct tracefield *field)
{
	struct span none;

	if (!take_argument(s, field, &words->mask, 0) || !take_token(s, ","))
		return 0;
	if (words->flags && (!take_quoted(s, &words->between) || !take_token(s, ",")))
		return 0;
	if (take_words(words, s) < 0)
		return -1;
	/* the kernel's way to give a word to no flag: value ? __print_flags(...) : "none" */
	if (words->flags && take_token(s, ")") && take_token(s, ":") && take_quoted(s, &none)) {
		words->none = none;
		take_sign(words, s, field);
	}
	return 0;
}

static const struct {
	const char *name;
	bool flags;
} calls[] = {
	{"__print_flags(", true},
	{"__print_flags_u64(", true},
	{"__print_symbolic(", false},
	{"__print_symbolic_u64(", false},
};

/* Takes the name of a call up to its bracket. Returns false if none is next. */
static bool take_call_name(struct span *s, bool *flags)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		*flags = calls[i].flags;
		if (take_token(s, calls[i].name))
			return true;
	}
	return false;
}

/*
 * Looks for calls in the print format @s, each after the end of the one before it, so that the time
 * does not grow faster than the text. Returns -1 if memory is out.
 */
static int find_words(struct tracewords *words, struct span s, const struct tracefield *field)
{
	static const char start[] = "__print_";

	while (span_left(&s) > 0 && words->nr == 0) {
		const uint8_t *at = memmem(s.pos, span_left(&s), start, sizeof(start) - 1);

		if (!at)
			return 0;
		s.pos = at;
		if (!take_call_name(&s, &words->flags))
			span_skip(&s, sizeof(start) - 1);
		else if (take_call(words, &s, field) < 0)
			return -1;
	}
	return 0;
}

bool tracewords_read(struct tracewords *words, const struct tracepoint *point,
		     const struct tracefield *field)
{
	struct span text = point->format, line;

	*words = (struct tracewords){0};
	if (field->kind != TRACEFIELD_NUMBER)
		return true;
	while (tracing_line(&text, &line)) {
		if (tracing_key(&line, "print fmt:") && find_words(words, line, field) < 0) {
			tracewords_free(words);
			return false;
		}
	}
	if (words->nr == 0)
		tracewords_free(words);
	return true;
}

/* Text that is being written. */
struct writing {
	char *text;
	size_t size, len;
	unsigned nr; /* words so far */
};

static void append(struct writing *to, struct span text)
{
	size_t len = span_left(&text), room = to->size - 1 - to->len;

	if (len > room)
		len = room;
	if (len)
		memcpy(to->text + to->len, text.pos, len);
	to->len += len;
	to->text[to->len] = '\0';
}

static void append_flag(struct writing *to, const struct tracewords *words, struct span text)
{
	if (to->nr++ > 0)
		append(to, words->between);
	append(to, text);
}

/* The word for no flag: that of a flag without bits, or the other one. */
static void write_none(const struct tracewords *words, struct writing *to)
{
	for (size_t i = 0; i < words->nr; i++) {
		if (words->list[i].value != 0)
			continue;
		append_flag(to, words, words->list[i].text);
		return;
	}
	if (span_left(&words->none) > 0)
		append_flag(to, words, words->none);
}

/* As the kernel: words in their order, each for bits that no word before it stood for. */
static bool write_flags(const struct tracewords *words, uint64_t value, struct writing *to)
{
	uint64_t left = value & words->mask;
	char number[24];

	if (left == 0)
		write_none(words, to);
	for (size_t i = 0; i < words->nr && left; i++) {
		const struct traceword *word = &words->list[i];

		if (word->value == 0 || (left & word->value) != word->value)
			continue;
		append_flag(to, words, word->text);
		left &= ~word->value;
	}
	if (to->nr == 0)
		return false;
	left |= value & ~words->mask & ~words->sign_bit;
	if (left) {
		snprintf(number, sizeof(number), "0x%" PRIx64, left);
		append_flag(to, words, span_make(number, strlen(number), false));
	}
	if (value & words->sign_bit)
		append(to, words->sign);
	return true;
}

bool tracewords_write(const struct tracewords *words, uint64_t value, char *text, size_t size)
{
	struct writing to = {text, size, 0, 0};

	if (words->flags)
		return write_flags(words, value, &to);
	for (size_t i = 0; i < words->nr; i++) {
		if (words->list[i].value != value || words->mask != UINT64_MAX)
			continue;
		append(&to, words->list[i].text);
		return true;
	}
	return false;
}

static bool is_text(const struct span *s, const char *text, size_t len)
{
	return span_left(s) == len && (len == 0 || memcmp(s->pos, text, len) == 0);
}

/* The value of one word. */
static bool word_value(const struct tracewords *words, const char *text, size_t len,
		       uint64_t *value)
{
	for (size_t i = 0; i < words->nr; i++) {
		*value = words->list[i].value;
		if (is_text(&words->list[i].text, text, len))
			return true;
	}
	*value = 0;
	return words->flags && len > 0 && is_text(&words->none, text, len);
}

/* The value of the bits without words, as they are written behind those that have some. */
static bool bits_value(const char *text, size_t len, uint64_t *value)
{
	struct span s = span_make(text, len, false);

	if (len < 2 || memcmp(text, "0x", 2) != 0)
		return false;
	*value = take_literal(&s);
	return !s.failed && span_left(&s) == 0;
}

/* The value of words with what stands between them, without a sign. */
static bool flags_value(const struct tracewords *words, const char *text, size_t len,
			uint64_t *value)
{
	const char *between = (const char *)words->between.pos;
	const size_t gap = words->flags ? span_left(&words->between) : 0;
	uint64_t one;

	if (gap == 0)
		return word_value(words, text, len, value);
	*value = 0;
	for (bool is_first = true;; is_first = false) {
		const char *end = memmem(text, len, between, gap);
		const size_t part = end ? (size_t)(end - text) : len;

		if (!word_value(words, text, part, &one) &&
		    (is_first || end || !bits_value(text, part, &one)))
			return false;
		*value |= one;
		if (!end)
			return true;
		text += part + gap;
		len -= part + gap;
	}
}

bool tracewords_value(const struct tracewords *words, const char *text, size_t len, uint64_t *value)
{
	const size_t sign = span_left(&words->sign);

	if (flags_value(words, text, len, value))
		return true;
	if (sign == 0 || len < sign || !is_text(&words->sign, text + len - sign, sign) ||
	    !flags_value(words, text, len - sign, value))
		return false;
	*value |= words->sign_bit;
	return true;
}

void tracewords_free(struct tracewords *words)
{
	free(words->list);
	*words = (struct tracewords){0};
}
