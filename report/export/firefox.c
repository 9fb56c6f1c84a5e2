/*
 * A processed profile for the Firefox Profiler, of one event: its samples by thread, in the order
 * of time.
 *
 * All threads share the tables of stacks, frames and functions. A row of the stack table is a
 * function on a call chain; those that are inlined at an address follow the one that has the code.
 * Tables have a list for each column, so chains are read once for each; what samples need is put
 * aside while the first list is written.
 */
#include "perffile/format.h"
#include "report/export/firefoxtables.h"
#include "report/export/firefoxthreads.h"
#include "report/export/firefoxvalues.h"
#include "report/export/runforms.h"

#include <string.h>

enum {
	FORMAT = 66,	   /* of processed profiles; newer viewers read older ones */
	GECKO_FORMAT = 24, /* that goes with it */
	LINES = 3,	   /* values down to this depth have their own line */
};

static void put_categories(struct firefox *to)
{
	static const char *const categories[][2] = {
		{"Other", "grey"},
		[CODE_USER + 1] = {"User", "yellow"},
		[CODE_KERNEL + 1] = {"Kernel", "orange"},
		[CODE_JIT + 1] = {"JIT", "blue"},
	};
	struct json *json = &to->json;

	json_open(json, "categories", '[');
	for (size_t i = 0; i < sizeof(categories) / sizeof(categories[0]); i++) {
		json_open(json, NULL, '{');
		json_text(json, "name", categories[i][0]);
		json_text(json, "color", categories[i][1]);
		json_open(json, "subcategories", '[');
		json_text(json, NULL, "Other");
		json_close(json);
		json_close(json);
	}
	json_close(json);
}

/* The time between two samples of a thread, as far as the recording says. */
static void put_interval(struct firefox *to)
{
	const struct event *event = to->view->event;
	const uint64_t period = event->attr.sample_period;

	if (event->attr.flags & ATTR_FREQ && period)
		json_number(&to->json, "interval", 1000.0 / (double)period,
			    FIREFOXVALUES_NS_DIGITS);
	else if (event->is_time && period)
		firefoxvalues_ms(to, "interval", period);
	else
		json_u64(&to->json, "interval", 1);
}

/* The wall clock at the first sample of the event, if the recording itself tells it: the time of
 * its file may differ between copies. */
static void put_start(struct firefox *to)
{
	const struct run_stat *run = results_rows(to->results, &runstat_run).first;

	if (run && strcmp(run->start_by, "clock") == 0 && to->start >= run->first)
		firefoxvalues_ms(to, "startTime", run->start + (to->start - run->first));
	else
		json_u64(&to->json, "startTime", 0);
}

static void put_meta(struct firefox *to)
{
	struct json *json = &to->json;

	json_open(json, "meta", '{');
	put_interval(to);
	put_start(to);
	json_u64(json, "processType", 0);
	json_text(json, "product", to->view->event->name);
	json_u64(json, "stackwalk", 1);
	json_u64(json, "version", GECKO_FORMAT);
	json_u64(json, "preprocessedProfileVersion", FORMAT);
	json_bool(json, "symbolicated", true);
	put_categories(to);
	firefoxvalues_empty(to, "markerSchema");
	json_open(json, "sampleUnits", '{');
	json_text(json, "time", "ms");
	json_text(json, "eventDelay", "ms");
	json_text(json, "threadCPUDelta", "ns");
	json_close(json);
	json_text(json, "importedFrom", "readperf " READPERF_VERSION);
	json_bool(json, "usesOnlyOneStackType", true);
	json_bool(json, "sourceCodeIsNotOnSearchfox", true);
	json_close(json);
}

/* The build id as Breakpad has it: its first 16 bytes as a GUID, whose first three numbers are
 * little-endian there, and an age of 0. */
static void format_breakpad_id(char id[34], const char *build_id)
{
	static const uint8_t places[16] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
	const size_t len = strlen(build_id);

	memset(id, '0', 33);
	id[33] = '\0';
	for (size_t i = 0; i < 32; i++) {
		const size_t from = 2 * (size_t)places[i / 2] + i % 2;
		const char digit = from < len ? build_id[from] : '0';

		id[i] = digit;
		if (digit >= 'a' && digit <= 'f')
			id[i] = "ABCDEF"[digit - 'a'];
	}
	if (!len)
		id[0] = '\0';
}

static void put_libs(struct firefox *to)
{
	struct json *json = &to->json;
	char id[34];

	json_open(json, "libs", '[');
	for (size_t i = 0; i < to->nr_libs; i++) {
		const struct function_stat *function = to->lib_functions[i];

		format_breakpad_id(id, function->build_id);
		json_open(json, NULL, '{');
		json_text(json, "arch", "");
		json_text(json, "name", firefoxvalues_base_name(function->binary));
		json_text(json, "path", function->binary);
		json_text(json, "debugName", firefoxvalues_base_name(function->binary));
		json_text(json, "debugPath", function->binary);
		json_text(json, "breakpadId", id);
		if (*function->build_id)
			json_text(json, "codeId", function->build_id);
		else
			json_null(json, "codeId");
		json_close(json);
	}
	json_close(json);
}

static void put_profile(struct firefox *to)
{
	json_start(&to->json, to->view->out, LINES);
	json_open(&to->json, NULL, '{');
	put_meta(to);
	put_libs(to);
	firefoxthreads_put(to);
	firefoxtables_put(to);
	json_close(&to->json);
	json_end(&to->json);
}

void firefox_write(const struct runexport_view *view)
{
	const struct rows places = results_rows(view->results, &chainstat_places);
	struct firefox to = {
		.view = view,
		.results = view->results,
		.places = places.first,
		.nr_places = places.nr,
	};

	firefoxindex_make(&to);
	if (!to.failed)
		put_profile(&to);
	if (to.failed)
		outfile_fail(view->out, &to.err);
	firefoxindex_free(&to);
}
