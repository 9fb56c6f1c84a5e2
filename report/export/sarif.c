/*
 * diff.sarif: what fails, as SARIF 2.1.0, which code scanning shows beside the source. Functions
 * without a source file cannot be shown there; a notification gives their number. The notes on the
 * comparison are notifications, too.
 */
#include "report/export/export.h"
#include "report/export/forms.h"
#include "report/export/pick.h"
#include "report/export/sourcepath.h"
#include "report/export/words.h"
#include "util/json.h"

#include <stdio.h>
#include <stdlib.h>

enum {
	RESULTS_MAX = 5000, /* GitHub shows no more */
	LINES = 4, /* values down to this depth have their own line: each result is one line */
	RULE_MAX = 64,
};

struct sarif {
	struct json json;
	const struct export_view *view;
	size_t nr;	/* results written */
	size_t nr_cut;	/* results beyond RESULTS_MAX */
	size_t nr_lost; /* results without a source file */
};

static void rule_of(char id[RULE_MAX], enum verdict verdict, enum measure measure)
{
	snprintf(id, RULE_MAX, "performance/%s", verdict_name(verdict, measure));
}

static void put_message(struct json *json, const char *key, const char *text)
{
	json_open(json, key, '{');
	json_text(json, "text", text);
	json_close(json);
}

/*
 * Writes the rule: there is only one, because what fails has always increased. GitHub requires all
 * three of its texts.
 */
static void put_rule(struct json *json, enum measure measure)
{
	static const char *const names[] = {
		[MEASURE_PERIOD] = "Slower",
		[MEASURE_RATE] = "Higher",
		[MEASURE_SHARE] = "Larger",
	};
	static const char *const meanings[] = {
		[MEASURE_PERIOD] = "The function takes more per run than before",
		[MEASURE_RATE] = "The function takes more per second than before",
		[MEASURE_SHARE] = "The function has a larger share of the whole than before",
	};
	char id[RULE_MAX];

	rule_of(id, VERDICT_MORE, measure);
	json_open(json, "rules", '[');
	json_open(json, NULL, '{');
	json_text(json, "id", id);
	json_text(json, "name", names[measure]);
	put_message(json, "shortDescription", meanings[measure]);
	put_message(json, "fullDescription",
		    "Runs before and after a change were compared. The difference is larger than "
		    "the noise within and between the runs can explain.");
	put_message(json, "help",
		    "Record both sides again, in turn, to see whether it is real. The manual page "
		    "readperf-diff explains how verdicts are reached.");
	json_close(json);
	json_close(json);
}

static void put_driver(struct json *json, enum measure measure)
{
	json_open(json, "tool", '{');
	json_open(json, "driver", '{');
	json_text(json, "name", "readperf");
	json_text(json, "version", READPERF_VERSION);
	put_rule(json, measure);
	json_close(json);
	json_close(json);
}

static void put_location(struct json *json, const struct diff_row *row, const char *uri)
{
	json_open(json, "locations", '[');
	json_open(json, NULL, '{');
	json_open(json, "physicalLocation", '{');
	json_open(json, "artifactLocation", '{');
	json_text(json, "uri", uri);
	json_close(json);
	if (row->line) {
		json_open(json, "region", '{');
		json_u64(json, "startLine", row->line);
		json_close(json);
	}
	json_close(json);
	json_close(json);
	json_close(json);
}

static void put_result(struct sarif *sarif, const struct picked *picked)
{
	const struct export_view *view = sarif->view;
	const struct diff_row *row = picked->row;
	struct json *json = &sarif->json;
	char *name = pick_name(view, picked), *words = words_of_row(view, row);
	char *uri = sourcepath_uri(sourcepath_strip(view->settings, row->filename));
	char fingerprint[PICK_FINGERPRINT], rule[RULE_MAX];

	if (!uri)
		pick_nomem(view);
	if (name && words && uri) {
		pick_fingerprint(fingerprint, name);
		rule_of(rule, row->verdict, row->measure);
		json_open(json, NULL, '{');
		json_text(json, "ruleId", rule);
		json_text(json, "level", pick_is_gated(view->settings) ? "error" : "warning");
		put_message(json, "message", words);
		put_location(json, row, uri);
		json_open(json, "partialFingerprints", '{');
		json_text(json, "readperfFunction/v1", fingerprint);
		json_close(json);
		json_close(json);
	}
	free(name);
	free(words);
	free(uri);
}

static void put_failing(struct sarif *sarif, const struct picked *picked)
{
	if (!*picked->row->filename) {
		sarif->nr_lost++;
	} else if (sarif->nr == RESULTS_MAX) {
		sarif->nr_cut++;
	} else {
		put_result(sarif, picked);
		sarif->nr++;
	}
}

static void put_event(struct sarif *sarif, const struct diff_event *event)
{
	struct picks picks;

	if (pick_rows(&picks, sarif->view, event, PICK_FAILING, event->nr_rows)) {
		for (size_t i = 0; i < picks.nr; i++)
			put_failing(sarif, &picks.rows[i]);
	}
	pick_free(&picks);
}

static void put_notification(struct json *json, const char *words)
{
	json_open(json, NULL, '{');
	json_text(json, "level", "note");
	put_message(json, "message", words);
	json_close(json);
}

static void put_number(struct json *json, size_t nr, const char *text)
{
	char words[128];

	if (!nr)
		return;
	snprintf(words, sizeof(words), "%s: %zu", text, nr);
	put_notification(json, words);
}

static void put_invocation(struct sarif *sarif)
{
	const struct remarks *remarks = &sarif->view->diff->remarks;
	struct json *json = &sarif->json;

	json_open(json, "invocations", '[');
	json_open(json, NULL, '{');
	json_bool(json, "executionSuccessful", true);
	json_open(json, "toolExecutionNotifications", '[');
	put_number(json, sarif->nr_lost, "failing functions whose source file is not known");
	put_number(json, sarif->nr_cut, "failing functions beyond the limit of this format");
	for (size_t i = 0; i < remarks->nr; i++)
		put_notification(json, remarks->lines[i]);
	json_close(json);
	json_close(json);
	json_close(json);
}

void sarif_write(const struct export_view *view)
{
	struct sarif sarif = {.view = view};
	struct json *json = &sarif.json;

	json_start(json, view->out, LINES);
	json_open(json, NULL, '{');
	json_text(json, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
	json_text(json, "version", "2.1.0");
	json_open(json, "runs", '[');
	json_open(json, NULL, '{');
	put_driver(json, view->diff->measure);
	json_open(json, "results", '[');
	for (size_t i = 0; i < view->diff->nr_events; i++)
		put_event(&sarif, &view->diff->events[i]);
	json_close(json);
	put_invocation(&sarif);
	json_close(json);
	json_close(json);
	json_close(json);
	json_end(json);
}
