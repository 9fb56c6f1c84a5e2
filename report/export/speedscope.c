/*
 * The JSON of speedscope: the functions, and for each event a profile of stacks, the heaviest first
 * in each place, as stacks have no times.
 *
 * Paths of functions are walked twice: the stacks, then their weights.
 */
#include "report/export/framename.h"
#include "report/export/runexport.h"
#include "report/export/runforms.h"
#include "util/array.h"
#include "util/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char schema[] = "https://www.speedscope.app/file-format-schema.json";

enum { LINES = 3 }; /* values down to this depth have their own line */

/* The file in the making. Frames are the functions by number, then the ends of chains. */
struct speedscope {
	const struct runexport_view *view;
	struct json json;
	const struct path_stat *paths;
	size_t nr_paths;
	const char **ends; /* of chains that are cut, each once */
	size_t nr_ends, ends_room;
	uint32_t *stack; /* frames of the path at hand, by depth */
	size_t stack_room;
	struct framename name;
	bool failed; /* memory is out */
};

static size_t frame_of_end(struct speedscope *to, const char *end)
{
	size_t i = 0;

	while (i < to->nr_ends && to->ends[i] != end)
		i++;
	if (i == to->nr_ends) {
		if (!array_grow(to->ends, to->ends_room, i + 1)) {
			to->failed = true;
			return 0;
		}
		to->ends[to->nr_ends++] = end;
	}
	return to->view->results->nr_functions + i;
}

static void put_frame(struct speedscope *to, const char *name, const char *file, uint32_t line)
{
	if (!name) {
		to->failed = true;
		return;
	}
	json_open(&to->json, NULL, '{');
	json_text(&to->json, "name", name);
	if (*file)
		json_text(&to->json, "file", file);
	if (line)
		json_u64(&to->json, "line", line);
	json_close(&to->json);
}

static void put_frames(struct speedscope *to)
{
	const struct results *results = to->view->results;

	json_open(&to->json, "shared", '{');
	json_open(&to->json, "frames", '[');
	for (size_t i = 0; i < results->nr_functions; i++) {
		const struct function_stat *function = &results->functions[i];

		put_frame(to, framename_of(&to->name, function),
			  *function->filename ? function->filename : function->binary,
			  function->line);
	}
	for (size_t i = 0; i < to->nr_paths; i++)
		if (to->paths[i].cut && !to->paths[i].depth)
			frame_of_end(to, to->paths[i].end);
	for (size_t i = 0; i < to->nr_ends; i++)
		put_frame(to, framename_of_end(&to->name, to->ends[i]), "", 0);
	json_close(&to->json);
	json_close(&to->json);
}

static uint64_t weight_of(const struct speedscope *to, const struct path_stat *path)
{
	return to->view->settings->periods ? path->self.period : path->self.samples;
}

/* Takes the path's last frame in, in place of what stood at its depth. */
static bool put_on_stack(struct speedscope *to, const struct path_stat *path)
{
	if (!array_grow(to->stack, to->stack_room, (size_t)path->depth + 1))
		return false;
	to->stack[path->depth] = (uint32_t)(path->function - to->view->results->functions);
	return true;
}

static void put_stack(struct speedscope *to, const struct path_stat *path)
{
	json_open(&to->json, NULL, '[');
	if (path->cut)
		json_u64(&to->json, NULL, frame_of_end(to, path->end));
	for (size_t i = 0; i <= path->depth; i++)
		json_u64(&to->json, NULL, to->stack[i]);
	json_close(&to->json);
}

static void put_stacks(struct speedscope *to, const struct event *event)
{
	json_open(&to->json, "samples", '[');
	for (size_t i = 0; i < to->nr_paths && !to->failed; i++) {
		const struct path_stat *path = &to->paths[i];

		if (path->function->event != event)
			continue;
		to->failed |= !put_on_stack(to, path);
		if (!to->failed && weight_of(to, path))
			put_stack(to, path);
	}
	json_close(&to->json);
}

static void put_weights(struct speedscope *to, const struct event *event)
{
	json_open(&to->json, "weights", '[');
	for (size_t i = 0; i < to->nr_paths; i++) {
		const struct path_stat *path = &to->paths[i];

		if (path->function->event == event && weight_of(to, path))
			json_u64(&to->json, NULL, weight_of(to, path));
	}
	json_close(&to->json);
}

static void put_profile(struct speedscope *to, const struct event_stat *stat)
{
	const bool periods = to->view->settings->periods;
	struct json *json = &to->json;

	json_open(json, NULL, '{');
	json_text(json, "type", "sampled");
	json_text(json, "name", stat->event->name);
	json_text(json, "unit", periods && stat->event->is_time ? "nanoseconds" : "none");
	json_u64(json, "startValue", 0);
	json_u64(json, "endValue", periods ? stat->total.period : stat->total.samples);
	put_stacks(to, stat->event);
	put_weights(to, stat->event);
	json_close(json);
}

static void put_all(struct speedscope *to)
{
	const struct results *results = to->view->results;
	struct json *json = &to->json;

	json_start(json, to->view->out, LINES);
	json_open(json, NULL, '{');
	json_text(json, "$schema", schema);
	json_text(json, "exporter", "readperf@" READPERF_VERSION);
	json_text(json, "name", "readperf");
	json_u64(json, "activeProfileIndex", 0);
	put_frames(to);
	json_open(json, "profiles", '[');
	for (size_t i = 0; i < results->nr_sampled; i++)
		put_profile(to, &results->events[results->sampled[i]]);
	json_close(json);
	json_close(json);
	json_end(json);
}

void speedscope_write(const struct runexport_view *view)
{
	const struct rows rows = results_rows(view->results, &pathstat_paths);
	struct speedscope to = {.view = view, .paths = rows.first, .nr_paths = rows.nr};
	struct error err;

	put_all(&to);
	if (to.failed) {
		error_nomem(&err, "exporting stacks");
		outfile_fail(view->out, &err);
	}
	free(to.ends);
	free(to.stack);
	framename_free(&to.name);
}
