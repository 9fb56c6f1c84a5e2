#include "decode/compare/renameoffer.h"

#include "decode/compare/name.h"
#include "decode/compare/rename.h"
#include "util/array.h"
#include "util/charwidth.h"
#include "util/text.h"
#include "util/textfile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	SAMPLES_MIN = 10,    /* one side lacks so many by chance in one of 20000 cases */
	NAMESAKES_MAX = 100, /* a name that more functions have tells nothing */
	LEFT_MAX = 256,	     /* functions of a side that are looked at, the largest */
	BINARIES_MAX = 32,   /* the same of binaries */
	SHOWN_MAX = 5,
	SHOWN_BYTES = 800, /* a note is cut at 1000 */
};

static const double size_factor = 1.1, value_factor = 1.25; /* at most */

/* A function with a name. */
struct named {
	const struct diff_row *row;
	bool alone; /* a renaming of it or to it is for no other function */
};

/* All functions of a binary. */
struct binary {
	const char *path;      /* of its largest function */
	double largest, value; /* of that one, of all */
	uint64_t samples[2];   /* by side; of all events */
	uint32_t code;	       /* its number */
	uint8_t place;	       /* among those that one side lacks, + 1 */
};

/* What two binaries have in common. */
struct common {
	double values[2]; /* by side */
	size_t nr;	  /* names of functions */
	bool sized;	  /* one of these functions has code of nearly the same size */
};

/* One that may be another: their places on the old and the new side. */
struct likeness {
	size_t places[2];
	double badness;
};

struct search {
	const struct diff *diff;
	const struct diff_event *event;
	struct remarks *remarks;
	struct named *named; /* by name, then by binary */
	size_t nr_named;
	struct binary *binaries; /* by number */
	/* Those that the other side lacks, by side, the largest first. */
	struct binary *left_binaries[2][BINARIES_MAX];
	const struct diff_row *left[2][LEFT_MAX];
	size_t nr_left_binaries[2], nr_left[2];
	struct common common[BINARIES_MAX][BINARIES_MAX];
	struct likeness *likes;
	size_t nr_likes, likes_room;
};

static uint64_t samples_of(const struct diff_row *row, int side)
{
	return side ? row->new_sum.samples : row->old_sum.samples;
}

/* Whether only @side has it, and that not by chance. */
static bool is_left(const struct diff_row *row, int side)
{
	return samples_of(row, !side) == 0 && samples_of(row, side) >= SAMPLES_MIN;
}

static bool is_near(double a, double b, double factor)
{
	return a > 0 && b > 0 && fabs(log(a / b)) <= log(factor);
}

/* ---- functions by name ----------------------------------------------------------------------- */

/* Equal names are one string (struct match). */
static int compare_named(const void *a, const void *b)
{
	const struct matched_function *x = ((const struct named *)a)->row->matched;
	const struct matched_function *y = ((const struct named *)b)->row->matched;

	if (x->function != y->function)
		return (uintptr_t)x->function < (uintptr_t)y->function ? -1 : 1;
	return x->code < y->code ? -1 : x->code > y->code;
}

static bool gather_named(struct search *s)
{
	s->named = calloc(s->event->nr_rows + 1, sizeof(*s->named));
	for (size_t i = 0; s->named && i < s->event->nr_rows; i++)
		if (s->event->rows[i].matched->named)
			s->named[s->nr_named++].row = &s->event->rows[i];
	if (s->nr_named > 1)
		qsort(s->named, s->nr_named, sizeof(*s->named), compare_named);
	return s->named;
}

/* How many of the functions from @first on have its name. */
static size_t count_namesakes(const struct search *s, size_t first)
{
	const char *name = s->named[first].row->function;
	size_t i = first;

	while (i < s->nr_named && s->named[i].row->function == name)
		i++;
	return i - first;
}

static uint32_t code_of(const struct named *named)
{
	return named->row->matched->code;
}

/* The @nr functions of one name: one that is gone must be the only one of the old side, one that is
 * new the only one of its binary. */
static void mark_alone(struct named *named, size_t nr)
{
	size_t nr_old = 0;

	for (size_t i = 0; i < nr; i++)
		nr_old += samples_of(named[i].row, 0) > 0;
	for (size_t i = 0; i < nr; i++) {
		bool gone = samples_of(named[i].row, 1) == 0;

		named[i].alone = (!gone || nr_old == 1) &&
				 (i == 0 || code_of(&named[i - 1]) != code_of(&named[i])) &&
				 (i + 1 == nr || code_of(&named[i + 1]) != code_of(&named[i]));
	}
}

/* ---- binaries -------------------------------------------------------------------------------- */

static bool sum_binaries(struct search *s)
{
	const struct diff *diff = s->diff;

	s->binaries = calloc(diff->match.strings.nr_strings + 2, sizeof(*s->binaries));
	if (!s->binaries)
		return false;
	for (size_t i = 0; i < diff->nr_rows; i++) {
		const struct diff_row *row = &diff->rows[i];
		struct binary *binary = &s->binaries[row->matched->code];

		for (int side = 0; side < 2; side++)
			binary->samples[side] += samples_of(row, side);
	}
	for (size_t i = 0; i < s->event->nr_rows; i++) {
		const struct diff_row *row = &s->event->rows[i];
		struct binary *binary = &s->binaries[row->matched->code];
		double value = row->old_value + row->new_value;

		binary->code = row->matched->code;
		binary->value += value;
		if (!binary->path || value > binary->largest) {
			binary->path = row->binary;
			binary->largest = value;
		}
	}
	return true;
}

static int compare_binaries(const void *a, const void *b)
{
	const struct binary *x = *(struct binary *const *)a, *y = *(struct binary *const *)b;

	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	return x->code < y->code ? -1 : x->code > y->code;
}

/* Lists the binaries that only @side has. */
static bool list_binaries(struct search *s, int side)
{
	const size_t nr = s->diff->match.strings.nr_strings + 2;
	struct binary **left = calloc(nr, sizeof(*left));
	const bool ok = left;
	size_t nr_left = 0;

	for (size_t i = 0; ok && i < nr; i++)
		if (s->binaries[i].path && s->binaries[i].samples[!side] == 0 &&
		    s->binaries[i].samples[side] >= SAMPLES_MIN)
			left[nr_left++] = &s->binaries[i];
	if (nr_left > 1)
		qsort(left, nr_left, sizeof(*left), compare_binaries);
	for (size_t i = 0; i < nr_left && i < BINARIES_MAX; i++) {
		s->left_binaries[side][i] = left[i];
		left[i]->place = (uint8_t)(i + 1);
		s->nr_left_binaries[side] = i + 1;
	}
	free(left);
	return ok;
}

/* Whether the function is the first of its binary among those of one name. */
static bool is_first(const struct named *named, size_t i)
{
	return i == 0 || code_of(&named[i - 1]) != code_of(&named[i]);
}

/* What the @nr functions of one name say of binaries that may be one. */
static void note_common(struct search *s, const struct named *named, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const struct binary *old_one = &s->binaries[code_of(&named[i])];

		if (!old_one->place || old_one->samples[0] == 0)
			continue;
		for (size_t k = 0; k < nr; k++) {
			const struct binary *new_one = &s->binaries[code_of(&named[k])];
			struct common *common;

			if (!new_one->place || new_one->samples[1] == 0)
				continue;
			common = &s->common[old_one->place - 1][new_one->place - 1];
			common->values[0] += is_first(named, k) ? named[i].row->old_value : 0;
			common->values[1] += is_first(named, i) ? named[k].row->new_value : 0;
			common->nr += is_first(named, i) && is_first(named, k);
			common->sized |=
				is_near((double)named[i].row->matched->size[0],
					(double)named[k].row->matched->size[1], size_factor);
		}
	}
}

static void add_like(struct search *s, size_t old_place, size_t new_place, double badness)
{
	if (!array_grow(s->likes, s->likes_room, s->nr_likes + 1))
		s->remarks->nomem = true;
	else
		s->likes[s->nr_likes++] = (struct likeness){{old_place, new_place}, badness};
}

static void pair_binaries(struct search *s)
{
	for (size_t i = 0; i < s->nr_left_binaries[0]; i++) {
		for (size_t k = 0; k < s->nr_left_binaries[1]; k++) {
			const struct common *common = &s->common[i][k];
			double wholes[2] = {s->left_binaries[0][i]->value,
					    s->left_binaries[1][k]->value};
			double part = 0;

			if (wholes[0] > 0 && wholes[1] > 0)
				part = fmin(common->values[0] / wholes[0],
					    common->values[1] / wholes[1]);
			if (part >= 0.5 && (common->nr > 1 || common->sized))
				add_like(s, i, k, 1 - part);
		}
	}
}

/* ---- functions ------------------------------------------------------------------------------- */

/* By value, then by name. */
static int compare_rows(const void *a, const void *b)
{
	const struct diff_row *x = *(const struct diff_row *const *)a;
	const struct diff_row *y = *(const struct diff_row *const *)b;
	double left = x->old_value + x->new_value, right = y->old_value + y->new_value;
	int order;

	if (left != right)
		return left > right ? -1 : 1;
	order = strcmp(x->function, y->function);
	return order ? order : strcmp(x->binary, y->binary);
}

/* Whether @name would come through a terminal unchanged. */
static bool is_plain(const char *name)
{
	for (size_t left = strlen(name); left;) {
		uint32_t code;
		size_t len = text_decode(name, left, &code);

		if (code == TEXT_INVALID || charwidth(code) < 0)
			return false;
		name += len;
		left -= len;
	}
	return true;
}

/* Lists the functions that only @side has. */
static bool list_functions(struct search *s, int side)
{
	const struct diff_row **left = calloc(s->nr_named + 1, sizeof(*left));
	const bool ok = left;
	size_t nr = 0;

	for (size_t i = 0; ok && i < s->nr_named; i++) {
		const struct diff_row *row = s->named[i].row;

		if (s->named[i].alone && is_left(row, side) && row->matched->size[side] > 0 &&
		    is_plain(row->function))
			left[nr++] = row;
	}
	if (nr > 1)
		qsort(left, nr, sizeof(*left), compare_rows);
	s->nr_left[side] = nr < LEFT_MAX ? nr : LEFT_MAX;
	if (ok)
		memcpy(s->left[side], left, s->nr_left[side] * sizeof(*left));
	free(left);
	return ok;
}

/* How unlike two names are: what of the longer one is in neither their start nor their end. */
static double unlikeness(const char *a, const char *b)
{
	size_t len_a = strlen(a), len_b = strlen(b), start = 0, end = 0;
	size_t less = len_a < len_b ? len_a : len_b, more = len_a + len_b - less;

	while (start < less && a[start] == b[start])
		start++;
	while (start + end < less && a[len_a - 1 - end] == b[len_b - 1 - end])
		end++;
	return 1 - (double)(start + end) / (double)more;
}

/* How many unlike functions come as near by chance, of sizes and values that are anything within a
 * hundredfold, where two differ by the logarithm @off; @grain is as fine as they are told apart. */
static double chance_of(double off, double grain)
{
	return fmin(2 * (fabs(off) + grain) / log(100), 1);
}

/* Whether @a of the old side may be @b of the new one; *@badness becomes the number of pairs as
 * near that are expected by chance among all that were left. */
static bool is_like(const struct search *s, const struct diff_row *a, const struct diff_row *b,
		    double *badness)
{
	const double size = (double)a->matched->size[0], new_size = (double)b->matched->size[1];
	const double error = sqrt(1 / (double)a->old_sum.samples + 1 / (double)b->new_sum.samples);

	if (a->matched->code != b->matched->code || !is_near(size, new_size, size_factor) ||
	    !is_near(a->old_value, b->new_value, value_factor * exp(2 * error)))
		return false;
	*badness = (double)s->nr_left[0] * (double)s->nr_left[1] *
		   chance_of(log(size / new_size), 1 / size) *
		   chance_of(log(a->old_value / b->new_value), error) *
		   unlikeness(a->function, b->function);
	return *badness <= 0.5;
}

static void pair_functions(struct search *s)
{
	double badness;

	for (size_t i = 0; i < s->nr_left[0]; i++)
		for (size_t k = 0; k < s->nr_left[1]; k++)
			if (is_like(s, s->left[0][i], s->left[1][k], &badness))
				add_like(s, i, k, badness);
}

/* ---- what is offered ------------------------------------------------------------------------- */

static int compare_places(const void *a, const void *b)
{
	const struct likeness *x = a, *y = b;

	for (int side = 0; side < 2; side++)
		if (x->places[side] != y->places[side])
			return x->places[side] < y->places[side] ? -1 : 1;
	return 0;
}

static int compare_badness(const void *a, const void *b)
{
	const struct likeness *x = a, *y = b;

	if (x->badness != y->badness)
		return x->badness < y->badness ? -1 : 1;
	return compare_places(a, b);
}

/* Keeps the best, each place of a side once; in the order of the old side. */
static void keep_best(struct search *s)
{
	bool used[2][LEFT_MAX] = {{false}};
	size_t nr = 0;

	if (s->nr_likes > 1)
		qsort(s->likes, s->nr_likes, sizeof(*s->likes), compare_badness);
	for (size_t i = 0; i < s->nr_likes; i++) {
		const size_t *places = s->likes[i].places;

		if (used[0][places[0]] || used[1][places[1]])
			continue;
		used[0][places[0]] = used[1][places[1]] = true;
		s->likes[nr++] = s->likes[i];
	}
	s->nr_likes = nr;
	if (nr > 1)
		qsort(s->likes, nr, sizeof(*s->likes), compare_places);
}

/* Whether a function of the old side is called @name. */
static bool is_function(const struct search *s, const char *name)
{
	for (size_t i = 0; i < s->nr_named; i++)
		if (samples_of(s->named[i].row, 0) && strcmp(s->named[i].row->function, name) == 0)
			return true;
	return false;
}

/* The renaming of a binary, or nothing if none can be written: by its file name, which stands for
 * all paths that it has in runs, unless that would rename a function, too. Code of JIT compilers
 * has no file of its own. */
static void print_binary(const struct search *s, const struct likeness *like, FILE *out)
{
	const char *from = s->left_binaries[0][like->places[0]]->path;
	const char *to = s->left_binaries[1][like->places[1]]->path;

	if (!is_function(s, name_base(from))) {
		from = name_base(from);
		to = name_base(to);
	}
	if (!strchr(from, '=') && is_plain(from) && is_plain(to) &&
	    name_of_code(from) == name_base(from) && name_of_code(to) == name_base(to))
		fprintf(out, "%s=%s", from, to);
}

static void print_function(const struct search *s, const struct likeness *like, FILE *out)
{
	rename_print(out, s->left[0][like->places[0]]->function,
		     s->left[1][like->places[1]]->function);
}

typedef void print_fn(const struct search *s, const struct likeness *like, FILE *out);

/* The rule of a renaming: to be freed; "" if none can be written, NULL if memory is out. */
static char *make_rule(const struct search *s, const struct likeness *like, print_fn *print)
{
	struct textfile rule;

	if (textfile_open(&rule))
		print(s, like, rule.out);
	return textfile_close(&rule);
}

/* Appends @rule as an option that a shell reads as one word. False if it is too long for the line,
 * or none. */
static bool append_option(char line[SHOWN_BYTES], const char *rule)
{
	static const char option[] = " --rename '", quote[] = "'\\''";
	char *to = line + strlen(line), *end = line + SHOWN_BYTES - sizeof(quote);
	char *const start = to;

	if (!*rule || to + sizeof(option) > end)
		return false;
	to = stpcpy(to, option);
	for (; *rule && to < end; rule++) {
		if (*rule == '\'')
			to = stpcpy(to, quote);
		else
			*to++ = *rule;
	}
	if (*rule) {
		*start = '\0';
		return false;
	}
	strcpy(to, "'");
	return true;
}

/* Offers what keep_best() has left, and forgets it. */
static void tell(struct search *s, const char *what, print_fn *print)
{
	char line[SHOWN_BYTES] = "", others[64] = "";
	size_t nr_shown = 0;

	for (size_t i = 0; i < s->nr_likes && nr_shown < SHOWN_MAX; i++) {
		char *rule = make_rule(s, &s->likes[i], print);

		s->remarks->nomem |= !rule;
		nr_shown += rule && append_option(line, rule);
		free(rule);
	}
	if (s->nr_likes > nr_shown)
		snprintf(others, sizeof(others), " and %zu more", s->nr_likes - nr_shown);
	if (nr_shown)
		remarks_add(s->remarks, "%s:%s%s", what, line, others);
	s->nr_likes = 0;
}

/* The event with the most samples. */
static const struct diff_event *main_event(const struct diff *diff)
{
	const struct diff_event *event = NULL;
	uint64_t most = 0;

	for (size_t i = 0; i < diff->nr_events; i++) {
		uint64_t samples = diff->events[i].total[0].samples;

		if (!event || samples > most) {
			event = &diff->events[i];
			most = samples;
		}
	}
	return event;
}

/* Whether anything at all is gone and anything new. */
static bool has_left(const struct diff_event *event)
{
	bool left[2] = {false};

	for (size_t i = 0; event && i < event->nr_rows; i++)
		for (int side = 0; side < 2; side++)
			left[side] |= is_left(&event->rows[i], side);
	return left[0] && left[1];
}

/* False if memory is out. */
static bool prepare(struct search *s)
{
	if (!gather_named(s) || !sum_binaries(s))
		return false;
	for (int side = 0; side < 2; side++)
		if (!list_binaries(s, side))
			return false;
	for (size_t i = 0, nr; i < s->nr_named; i += nr) {
		nr = count_namesakes(s, i);
		mark_alone(&s->named[i], nr);
		if (nr <= NAMESAKES_MAX)
			note_common(s, &s->named[i], nr);
	}
	return list_functions(s, 0) && list_functions(s, 1);
}

void renameoffer_tell(struct remarks *remarks, const struct diff *diff)
{
	struct search *s;

	if (!has_left(main_event(diff)))
		return;
	s = calloc(1, sizeof(*s));
	remarks->nomem |= !s;
	if (!s)
		return;
	s->diff = diff;
	s->event = main_event(diff);
	s->remarks = remarks;
	if (prepare(s)) {
		pair_binaries(s);
		keep_best(s);
		tell(s, "possibly renamed binaries, with the same functions", print_binary);
		pair_functions(s);
		keep_best(s);
		tell(s, "possibly renamed functions, with nearly the same period and code",
		     print_function);
	} else {
		remarks->nomem = true;
	}
	free(s->named);
	free(s->binaries);
	free(s->likes);
	free(s);
}
