/*
 * libreadperf: reads recordings of Linux perf. This header includes the others, of which each can be
 * used alone. recording.h and record.h have records, replay.h processes, maps and call
 * chains, symbols.h functions and source lines, table.h the tables of readperf; settings.h and
 * error.h serve them all.
 *
 *	#include <readperf/readperf.h>
 *	#include <stdio.h>
 *
 *	int main(int argc, char **argv)
 *	{
 *		struct readperf_recording *recording;
 *		struct readperf_error err;
 *
 *		recording = readperf_recording_open(argc > 1 ? argv[1] : "perf.data", &err);
 *		if (!recording)
 *			return fprintf(stderr, "%s\n", err.text) > 0;
 *		for (size_t i = 0; i < readperf_recording_nr_events(recording); i++)
 *			puts(readperf_event_name(readperf_recording_event(recording, i)));
 *		readperf_recording_close(recording);
 *		return 0;
 *	}
 */
#ifndef READPERF_READPERF_H
#define READPERF_READPERF_H

#include <readperf/error.h>
#include <readperf/record.h>
#include <readperf/recording.h>
#include <readperf/replay.h>
#include <readperf/settings.h>
#include <readperf/symbols.h>
#include <readperf/table.h>

#endif
