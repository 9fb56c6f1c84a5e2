/*
 * Branches for BOLT: its pre-aggregated form, which perf2bolt --pa reads beside the binary that
 * most branches are in.
 *
 *	B FROM TO COUNT MISPREDICTED	a branch
 *	F START END COUNT		a run of code: a branch to START, the next one from END
 *
 * Addresses are those of the binary. All other code stands as X:0: readers that do not know the X
 * take it for an address where there is no code.
 */
#include "report/export/ownfile.h"
#include "report/export/runexport.h"
#include "report/export/runforms.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_line(const struct runexport_view *view, const char *line, int len)
{
	outfile_append(view->out, line, (size_t)len);
}

static bool is_in(const struct branch_place *place, const struct branch_place *main)
{
	return place->is_file && place->dso == main->dso;
}

enum { ADDRESS_TEXT = 24, LINE_TEXT = 160 };

static const char *address_text(char text[ADDRESS_TEXT], const struct branch_place *place,
				const struct branch_place *main)
{
	if (is_in(place, main))
		snprintf(text, ADDRESS_TEXT, "%" PRIx64, place->address);
	else
		snprintf(text, ADDRESS_TEXT, "X:0");
	return text;
}

static void put_branch(const struct runexport_view *view, const struct branch_stat *branch,
		       const struct branch_place *main)
{
	char from[ADDRESS_TEXT], to[ADDRESS_TEXT], line[LINE_TEXT];

	put_line(view, line,
		 snprintf(line, sizeof(line), "B %s %s %" PRIu64 " %" PRIu64 "\n",
			  address_text(from, branch->from, main),
			  address_text(to, branch->to, main), branch->count, branch->mispredicted));
}

static void put_block(const struct runexport_view *view, const struct block_stat *block)
{
	char line[LINE_TEXT];

	put_line(view, line,
		 snprintf(line, sizeof(line), "F %" PRIx64 " %" PRIx64 " %" PRIu64 "\n",
			  block->start->address, block->end, block->count));
}

/*
 * A place in the file with the most branches of the event; NULL if there is none. @counts has a 0
 * for each dso.
 */
static const struct branch_place *find_main(const struct runexport_view *view,
					    const struct rows *rows, uint64_t *counts)
{
	const struct branch_stat *branches = rows->first;
	const struct branch_place *main = NULL;

	for (size_t i = 0; i < rows->nr; i++)
		if (branches[i].event == view->event && branches[i].from->is_file)
			counts[branches[i].from->dso] += branches[i].count;
	for (size_t i = 0; i < rows->nr; i++) {
		const struct branch_place *from = branches[i].from;

		if (branches[i].event == view->event && from->is_file &&
		    (!main || counts[from->dso] > counts[main->dso]))
			main = from;
	}
	return main;
}

static size_t count_dsos(const struct rows *rows)
{
	const struct branch_stat *branches = rows->first;
	size_t nr = 0;

	for (size_t i = 0; i < rows->nr; i++)
		if (branches[i].from->dso >= nr)
			nr = (size_t)branches[i].from->dso + 1;
	return nr;
}

/* Whether there is something to export; if not, says why. */
static bool check(const struct runexport_view *view, const struct branch_place *main)
{
	struct error err;

	if (main && main->is_found)
		return true;
	if (main)
		error_set(&err, ERROR_UNSUPPORTED,
			  "option --export: BOLT needs the addresses of %s, which was not found: "
			  "--symfs or --buildid-dir say where it is",
			  main->binary);
	else
		error_set(&err, ERROR_UNSUPPORTED,
			  "option --export: the samples of %s have no branches of a program for "
			  "BOLT: perf record -b records them",
			  view->event->name);
	outfile_fail(view->out, &err);
	return false;
}

void bolt_write(const struct runexport_view *view)
{
	const struct rows of_branches = results_rows(view->results, &branchstat_branches);
	const struct rows of_blocks = results_rows(view->results, &branchstat_blocks);
	const struct branch_stat *branches = of_branches.first;
	const struct block_stat *blocks = of_blocks.first;
	uint64_t *counts = calloc(count_dsos(&of_branches) + 1, sizeof(*counts));
	const struct branch_place *main;
	struct error err;

	if (!counts) {
		error_nomem(&err, "exporting branches");
		outfile_fail(view->out, &err);
		return;
	}
	main = find_main(view, &of_branches, counts);
	free(counts);
	if (!check(view, main))
		return;
	for (size_t i = 0; i < of_branches.nr; i++)
		if (branches[i].event == view->event &&
		    (is_in(branches[i].from, main) || is_in(branches[i].to, main)))
			put_branch(view, &branches[i], main);
	for (size_t i = 0; i < of_blocks.nr; i++)
		if (blocks[i].event == view->event && is_in(blocks[i].start, main))
			put_block(view, &blocks[i]);
}

/* Whether behind its letter there is nothing but numbers and code elsewhere. */
static bool is_line(const char *line, size_t len)
{
	static const char letters[] = "BF", others[] = " 0123456789abcdefX:";
	size_t at = 1;

	if (len < 2 || !memchr(letters, line[0], strlen(letters)) || line[1] != ' ')
		return false;
	while (at < len && memchr(others, line[at], strlen(others)))
		at++;
	return at == len;
}

bool bolt_is_own(const struct ownfile *file)
{
	return ownfile_has_lines(file, is_line);
}
