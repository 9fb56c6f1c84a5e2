/*
 * diff.github.txt: what fails, as GitHub workflow commands, which become annotations when a step
 * prints them.
 */
#include "report/export/export.h"
#include "report/export/forms.h"
#include "report/export/pick.h"
#include "report/export/sourcepath.h"
#include "report/export/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_MAX = 10 }; /* per level and step: GitHub shows no more */

/* Writes the text of a message; in a property the characters in @more must be escaped too. */
static void put_escaped(struct outfile *out, const char *text, const char *more)
{
	char code[4];

	for (; *text; text++) {
		if ((unsigned char)*text >= 0x20 && *text != '%' && !strchr(more, *text)) {
			outfile_append(out, text, 1);
			continue;
		}
		snprintf(code, sizeof(code), "%%%02X", (unsigned)(unsigned char)*text);
		outfile_string(out, code);
	}
}

static void put_property(struct outfile *out, const char *name, const char *value)
{
	outfile_string(out, name);
	put_escaped(out, value, ":,");
}

static void put_annotation(const struct export_view *view, const struct diff_row *row)
{
	struct outfile *out = view->out;
	char *words = words_of_row(view, row);
	char line[32];

	if (!words)
		return;
	outfile_string(out, pick_is_gated(view->settings) ? "::error " : "::warning ");
	if (*row->filename)
		put_property(out, "file=", sourcepath_strip(view->settings, row->filename));
	if (*row->filename && row->line) {
		snprintf(line, sizeof(line), ",line=%u", (unsigned)row->line);
		outfile_string(out, line);
	}
	put_property(out, *row->filename ? ",title=" : "title=", row->function);
	outfile_string(out, "::");
	put_escaped(out, words, "");
	outfile_string(out, "\n");
	free(words);
}

static void put_total(const struct export_view *view, const struct diff_event *event)
{
	char words[VALUETEXT_TOTAL_MAX];

	valuetext_total(words, view->diff, event);
	outfile_string(view->out, pick_is_gated(view->settings) ? "::error " : "::warning ");
	put_property(view->out, "title=", event->name);
	outfile_string(view->out, "::");
	put_escaped(view->out, words, "");
	outfile_string(view->out, "\n");
}

void github_write(const struct export_view *view)
{
	size_t room = SHOWN_MAX;

	for (size_t i = 0; i < view->diff->nr_events && room; i++) {
		const struct diff_event *event = &view->diff->events[i];
		struct picks picks;

		if (pick_total_fails(view, event)) {
			put_total(view, event);
			room--;
		}
		if (pick_rows(&picks, view, event, PICK_FAILING, room)) {
			for (size_t row = 0; row < picks.nr; row++)
				put_annotation(view, picks.rows[row].row);
			room -= picks.nr;
		}
		pick_free(&picks);
	}
}
