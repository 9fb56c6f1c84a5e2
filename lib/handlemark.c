#include "lib/handlemark.h"

#ifdef READPERF_DEBUG

#include <stdio.h>
#include <stdlib.h>

static const struct {
	const char *name, *end;
} kinds[] = {
	{"recording", "readperf_recording_close"}, {"facts", "readperf_facts_free"},
	{"settings", "readperf_settings_free"},	   {"replay", "readperf_replay_free"},
	{"symbols", "readperf_symbols_free"},	   {"table", "readperf_table_free"},
};

void handlemark_begin(struct handle_mark *mark, enum handle_kind kind)
{
	mark->kind = kind;
}

void handlemark_check(const struct handle_mark *mark, enum handle_kind kind)
{
	const char *name = kinds[kind - HANDLE_RECORDING].name;

	if (mark->kind == kind)
		return;
	if (mark->kind == ~(uint32_t)kind)
		fprintf(stderr, "libreadperf: %s: used after %s()\n", name,
			kinds[kind - HANDLE_RECORDING].end);
	else
		fprintf(stderr, "libreadperf: %s: the argument is none\n", name);
	abort();
}

void handlemark_end(struct handle_mark *mark)
{
	mark->kind = ~mark->kind;
}

void handlemark_free(struct handle_mark *mark)
{
	handlemark_end(mark);
}

#endif
