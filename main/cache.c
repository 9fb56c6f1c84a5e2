#include "main/cache.h"

#include "decode/replay/bundle.h"
#include "util/progress.h"

#include <stdio.h>

static void show_progress(void *arg, uint64_t done, uint64_t total)
{
	progress_bytes(arg, "unpacking binaries", done, total);
}

int cache_open(struct settings *settings, struct error *err)
{
	const char *path = settings->symbols.build_id_cache;
	struct progress progress;
	struct error note = {0};

	if (!path || !bundle_is_file(path))
		return 0;
	progress_start(&progress, settings->quiet ? NULL : stderr);
	settings->archive = bundle_open(path, show_progress, &progress, &note, err);
	settings->symbols.archive = settings->archive;
	progress_erase(&progress);
	if (note.kind != ERROR_NONE && !settings->quiet)
		fprintf(stderr, "readperf: %s\n", note.text);
	return settings->archive ? 0 : -1;
}
