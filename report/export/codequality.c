/*
 * diff.codequality.json: the failing functions, for the code view of GitLab merge requests. Only
 * functions with a known source file and line; GitLab drops findings with equal fingerprints.
 */
#include "report/export/export.h"
#include "report/export/forms.h"
#include "report/export/pick.h"
#include "report/export/sourcepath.h"
#include "report/export/words.h"
#include "util/json.h"

#include <stdio.h>
#include <stdlib.h>

enum { FUNCTIONS_MAX = 5000, LINES = 1 };

/* The severity by the change as a part of the total. */
static const char *severity_of(const struct diff_row *row)
{
	if (row->delta_percent < 1)
		return "minor";
	if (row->delta_percent < 5)
		return "major";
	return row->delta_percent < 20 ? "critical" : "blocker";
}

static void put_finding(struct json *json, const struct export_view *view,
			const struct picked *picked)
{
	const struct diff_row *row = picked->row;
	char *name = pick_name(view, picked), *words = words_of_row(view, row);
	char fingerprint[PICK_FINGERPRINT], check[64];

	if (name && words) {
		pick_fingerprint(fingerprint, name);
		snprintf(check, sizeof(check), "performance/%s",
			 verdict_name(row->verdict, row->measure));
		json_open(json, NULL, '{');
		json_text(json, "description", words);
		json_text(json, "check_name", check);
		json_text(json, "fingerprint", fingerprint);
		json_text(json, "severity", severity_of(row));
		json_open(json, "location", '{');
		json_text(json, "path", sourcepath_strip(view->settings, row->filename));
		json_open(json, "lines", '{');
		json_u64(json, "begin", row->line);
		json_close(json);
		json_close(json);
		json_close(json);
	}
	free(name);
	free(words);
}

void codequality_write(const struct export_view *view)
{
	struct json json;
	struct picks picks;

	json_start(&json, view->out, LINES);
	json_open(&json, NULL, '[');
	for (size_t event = 0; event < view->diff->nr_events; event++) {
		if (pick_rows(&picks, view, &view->diff->events[event], PICK_FAILING,
			      FUNCTIONS_MAX)) {
			for (size_t i = 0; i < picks.nr; i++)
				if (*picks.rows[i].row->filename && picks.rows[i].row->line)
					put_finding(&json, view, &picks.rows[i]);
		}
		pick_free(&picks);
	}
	json_close(&json);
	json_end(&json);
}
