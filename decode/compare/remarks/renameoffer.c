#include "decode/compare/remarks/renameoffer.h"

#include "decode/compare/names/name.h"
#include "decode/compare/names/rename.h"
#include "decode/compare/remarks/likebinaries.h"
#include "decode/compare/remarks/likefunctions.h"
#include "decode/compare/remarks/likeness.h"
#include "util/textfile.h"

#include <stdlib.h>
#include <string.h>

enum {
	SHOWN_MAX = 5,
	SHOWN_BYTES = 4096, /* templates have long names; what does not fit is only counted */
};

/* Possible renamings, and the list that offers are added to. */
struct offers {
	struct remarks *remarks;
	struct likefunctions functions;
	struct likebinaries binaries;
	struct likenesses likes;
};

/*
 * Prints the renaming of a binary by its file name, which applies to all its paths. Prints nothing
 * if that would rename a function too, or for code of JIT compilers, which has no file.
 */
static void print_binary(const struct offers *o, const struct likeness *like, FILE *out)
{
	const char *from = o->binaries.left[0][like->places[0]]->path;
	const char *to = o->binaries.left[1][like->places[1]]->path;

	if (!likefunctions_is_old(&o->functions, name_base(from))) {
		from = name_base(from);
		to = name_base(to);
	}
	if (!strchr(from, '=') && likeness_is_plain(from) && likeness_is_plain(to) &&
	    name_of_code(from) == name_base(from) && name_of_code(to) == name_base(to))
		fprintf(out, "%s=%s", from, to);
}

static void print_function(const struct offers *o, const struct likeness *like, FILE *out)
{
	rename_print(out, o->functions.left[0][like->places[0]]->matched->name,
		     o->functions.left[1][like->places[1]]->matched->name);
}

typedef void print_fn(const struct offers *o, const struct likeness *like, FILE *out);

/*
 * Returns the rule of a renaming, which the caller frees; "" if none can be written, NULL if memory
 * is out.
 */
static char *make_rule(const struct offers *o, const struct likeness *like, print_fn *print)
{
	struct textfile rule;

	if (textfile_open(&rule))
		print(o, like, rule.out);
	return textfile_close(&rule);
}

/* Appends @rule as an option quoted for a shell. Returns false if it does not fit. */
static bool append_option(char line[SHOWN_BYTES], const char *rule)
{
	static const char option[] = " --rename '", quote[] = "'\\''";
	char *to = line + strlen(line), *end = line + SHOWN_BYTES - sizeof(quote);
	char *const start = to;

	if (to + sizeof(option) > end)
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

/* Offers the best pairs, and empties the list. */
static void tell(struct offers *o, const char *what, print_fn *print)
{
	char line[SHOWN_BYTES] = "", others[64] = "";
	size_t nr_shown = 0, nr_long = 0;

	likeness_keep_best(&o->likes);
	for (size_t i = 0; i < o->likes.nr && nr_shown < SHOWN_MAX; i++) {
		char *rule = make_rule(o, &o->likes.list[i], print);

		o->remarks->nomem |= !rule;
		if (rule && *rule) {
			const bool fits = append_option(line, rule);

			nr_shown += fits;
			nr_long += !fits;
		}
		free(rule);
	}
	if (o->likes.nr > nr_shown)
		snprintf(others, sizeof(others), " and %zu more", o->likes.nr - nr_shown);
	if (nr_shown)
		remarks_add(o->remarks, "%s:%s%s", what, line, others);
	else if (nr_long)
		remarks_add(o->remarks, "%s: %zu, whose names are too long to show", what, nr_long);
	o->likes.nr = 0;
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

/* Whether @event has functions that are gone and functions that are new. */
static bool has_left(const struct diff_event *event)
{
	bool left[2] = {false};

	for (size_t i = 0; event && i < event->nr_rows; i++)
		for (int side = 0; side < 2; side++)
			left[side] |= likeness_is_left(&event->rows[i], side);
	return left[0] && left[1];
}

void renameoffer_tell(struct diff *diff)
{
	const struct diff_event *event = main_event(diff);
	struct offers *o;

	if (!has_left(event))
		return;
	o = calloc(1, sizeof(*o));
	diff->remarks.nomem |= !o;
	if (!o)
		return;
	o->remarks = &diff->remarks;
	if (likefunctions_make(&o->functions, event) &&
	    likebinaries_make(&o->binaries, diff, event, &o->functions)) {
		likebinaries_pair(&o->binaries, &o->likes);
		tell(o, "possibly renamed binaries, with the same functions", print_binary);
		likefunctions_pair(&o->functions, &o->likes);
		tell(o, "possibly renamed functions, with nearly the same period and code",
		     print_function);
		diff->remarks.nomem |= o->likes.nomem;
	} else {
		diff->remarks.nomem = true;
	}
	likebinaries_free(&o->binaries);
	likefunctions_free(&o->functions);
	free(o->likes.list);
	free(o);
}
