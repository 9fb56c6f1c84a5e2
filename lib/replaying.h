/* A replay with what its results need. */
#ifndef READPERF_LIB_REPLAYING_H
#define READPERF_LIB_REPLAYING_H

#include "decode/replay/moment.h"
#include "lib/choices.h"
#include "lib/handles.h"
#include "report/export/recordlog.h"

#include <readperf/replay.h>

struct readperf_replay {
	struct handle_mark mark;
	struct replay *replay;
	struct readperf_settings defaults;	  /* all zero */
	const struct readperf_settings *settings; /* the caller's, or @defaults */
	struct filter filter;			  /* its own, with the times of the recording */
	struct runtags tags;			  /* of the settings, with the recording's own */
	const struct results *results;		  /* of the last snapshot; NULL: there is none */
	struct recordlog *records; /* the rows of the table of records; NULL: not chosen */
	struct moment_chain chain;
	struct readperf_symbols symbols;
};

#endif
