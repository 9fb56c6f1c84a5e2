#include "decode/compare/remarks/lacknames.h"

#include "decode/compare/names/name.h"

#include <stdio.h>
#include <stdlib.h>

/* What only one side has of a binary, in percent of the side's period; by side. */
struct one_sided {
	double named[2], unnamed[2];
	const char *path[2]; /* of a row without a name */
};

/* Adds @row of @side. Values that include callees overlap, so the largest one stands for all. */
static void add_row(struct one_sided *binary, const struct diff_row *row, int side, bool children)
{
	const double percent = side ? row->new_percent : row->old_percent;
	double *sum = &(row->matched->named ? binary->named : binary->unnamed)[side];

	if (!row->matched->named)
		binary->path[side] = row->binary;
	if (!children)
		*sum += percent;
	else if (percent > *sum)
		*sum = percent;
}

static bool lacks_names(const struct one_sided *binary, int side)
{
	return binary->unnamed[side] > 0 && binary->named[!side] > 0 &&
	       binary->unnamed[side] >= binary->named[!side] / 4;
}

/* A binary whose names @side lacks; NULL: there is none. */
struct lack {
	const struct one_sided *binary;
	int side;
	size_t nr; /* number of such binaries */
};

static struct lack find_largest(const struct one_sided *binaries, size_t nr)
{
	struct lack found = {0};

	for (size_t i = 0; i < nr; i++) {
		for (int side = 0; side < 2; side++) {
			if (!lacks_names(&binaries[i], side))
				continue;
			found.nr++;
			if (found.binary &&
			    found.binary->unnamed[found.side] >= binaries[i].unnamed[side])
				continue;
			found.binary = &binaries[i];
			found.side = side;
		}
	}
	return found;
}

/* Returns whether there is one. */
static bool tell(struct diff *diff, const char *event, const struct lack *lack, bool gated)
{
	const struct one_sided *binary = lack->binary;
	char others[64] = "";

	if (!binary)
		return false;
	if (lack->nr > 1)
		snprintf(others, sizeof(others), "; %zu more binar%s likewise", lack->nr - 1,
			 lack->nr > 2 ? "ies" : "y");
	remarks_add(&diff->remarks,
		    "%s: %.1f %% of the %s side is code of %s without names, so functions of it "
		    "look %s%s%s",
		    event, binary->unnamed[lack->side], lack->side ? "new" : "old",
		    name_base(binary->path[lack->side]), lack->side ? "gone" : "new", others,
		    gated ? ": --fail-on does not see how these changed" : "");
	return true;
}

void lacknames_tell(struct diff *diff, bool gated)
{
	const size_t nr = match_nr_codes(&diff->match);
	bool told = false;

	for (size_t i = 0; i < diff->nr_events && !told; i++) {
		const struct diff_event *event = &diff->events[i];
		struct one_sided *binaries = calloc(nr, sizeof(*binaries));

		diff->remarks.nomem |= !binaries;
		for (size_t k = 0; binaries && k < event->nr_rows; k++) {
			const struct diff_row *row = &event->rows[k];

			if (row->verdict == VERDICT_GONE || row->verdict == VERDICT_NEW)
				add_row(&binaries[row->matched->code], row,
					row->verdict == VERDICT_NEW, diff->children);
		}
		if (binaries) {
			const struct lack lack = find_largest(binaries, nr);

			told = tell(diff, event->name, &lack, gated);
		}
		free(binaries);
	}
}
