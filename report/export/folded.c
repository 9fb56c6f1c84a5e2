/* Folded stacks: the form of FlameGraph's scripts, which speedscope and others read, too. */
#include "report/export/framename.h"
#include "report/export/ownfile.h"
#include "report/export/runexport.h"
#include "report/export/runforms.h"
#include "util/array.h"
#include "util/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The frames of the path at hand, with ';' between them. */
struct frames {
	char *text;
	size_t room, len;
	size_t *ends; /* of the text up to each depth */
	size_t ends_room;
	struct framename name;
};

static bool put_bytes(struct frames *frames, const char *bytes, size_t len)
{
	if (!array_grow(frames->text, frames->room, frames->len + len))
		return false;
	/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): @len is not 0 */
	memcpy(frames->text + frames->len, bytes, len);
	frames->len += len;
	return true;
}

/* There is no escaping: what would end a frame or a line is put in other words. */
static bool put_text(struct frames *frames, const char *text)
{
	size_t len = strlen(text);

	while (len > 0) {
		uint32_t code;
		const size_t bytes = text_decode(text, len, &code);
		bool ok;

		if (code == TEXT_INVALID)
			ok = put_bytes(frames, TEXT_REPLACEMENT, strlen(TEXT_REPLACEMENT));
		else if (code == ';')
			ok = put_bytes(frames, ":", 1);
		else if (code < ' ' || (code >= 0x7f && code < 0xa0))
			ok = put_bytes(frames, " ", 1);
		else
			ok = put_bytes(frames, text, bytes);
		if (!ok)
			return false;
		text += bytes;
		len -= bytes;
	}
	return true;
}

static bool put_name(struct frames *frames, const char *name)
{
	return name && put_text(frames, name);
}

/* What colours frames in flame graphs. */
static const char *suffix_of(const struct path_stat *path)
{
	static const char *const suffixes[] = {
		[CODE_USER] = "", [CODE_KERNEL] = "_[k]", [CODE_JIT] = "_[j]"};

	return path->inlined ? "_[i]" : suffixes[path->function->code];
}

/* A chain that was cut begins with the reason, lest its outermost frame look like a root. */
static bool put_end(struct frames *frames, const struct path_stat *path)
{
	return !path->cut || (put_name(frames, framename_of_end(&frames->name, path->end)) &&
			      put_bytes(frames, ";", 1));
}

/* Takes the path's last frame in, in place of what stood at its depth and below. */
static bool put_frame(struct frames *frames, const struct path_stat *path)
{
	if (!array_grow(frames->ends, frames->ends_room, (size_t)path->depth + 1))
		return false;
	frames->len = path->depth ? frames->ends[path->depth - 1] : 0;
	if (path->depth ? !put_bytes(frames, ";", 1) : !put_end(frames, path))
		return false;
	if (!put_name(frames, framename_of(&frames->name, path->function)) ||
	    !put_text(frames, suffix_of(path)))
		return false;
	frames->ends[path->depth] = frames->len;
	return true;
}

static void append_line(const struct runexport_view *view, const struct frames *frames,
			uint64_t weight)
{
	char number[24];
	const int len = snprintf(number, sizeof(number), " %" PRIu64 "\n", weight);

	outfile_append(view->out, frames->text, frames->len);
	outfile_append(view->out, number, (size_t)len);
}

/* The paths of the view's event and of others: those of a hardware trace are apart. */
static struct rows paths_of(const struct runexport_view *view)
{
	const struct trace_profile *traced = view->results->traced;

	if (traced && traced->stat.event == view->event)
		return (struct rows){.first = traced->paths, .nr = traced->nr_paths};
	return results_rows(view->results, &pathstat_paths);
}

void folded_write(const struct runexport_view *view)
{
	const struct rows rows = paths_of(view);
	const struct path_stat *paths = rows.first;
	struct frames frames = {0};
	struct error err;
	bool ok = true;

	for (size_t i = 0; ok && i < rows.nr; i++) {
		const uint64_t weight =
			view->settings->periods ? paths[i].self.period : paths[i].self.samples;

		if (paths[i].function->event != view->event)
			continue; /* they stand together */
		ok = put_frame(&frames, &paths[i]);
		if (ok && weight)
			append_line(view, &frames, weight);
	}
	if (!ok) {
		error_nomem(&err, "exporting stacks");
		outfile_fail(view->out, &err);
	}
	free(frames.text);
	free(frames.ends);
	framename_free(&frames.name);
}

/* Whether it ends with a number, after a space. */
static bool is_line(const char *line, size_t len)
{
	size_t digits = 0;

	while (digits < len && line[len - 1 - digits] >= '0' && line[len - 1 - digits] <= '9')
		digits++;
	return digits > 0 && digits < len && line[len - 1 - digits] == ' ';
}

/* A first line may be longer than what is read of the file. */
bool folded_is_own(const struct ownfile *file)
{
	const size_t len = file->tail_len;

	return (ownfile_has_lines(file, is_line) || !memchr(file->head, '\n', file->head_len)) &&
	       file->tail[len - 1] == '\n' && is_line(file->tail, len - 1);
}
