/*
 * What handles begin with. In a build for debugging (make DEBUG=1) a function that is given a
 * handle after its end aborts and says so; handles then stay in memory for that.
 */
#ifndef READPERF_LIB_HANDLEMARK_H
#define READPERF_LIB_HANDLEMARK_H

#include <stdint.h>

/** Other words than memory has by chance. */
enum handle_kind {
	HANDLE_RECORDING = 0x52504601,
	HANDLE_FACTS,
	HANDLE_SETTINGS,
	HANDLE_REPLAY,
	HANDLE_SYMBOLS,
	HANDLE_TABLE,
};

struct handle_mark {
	uint32_t kind; /* enum handle_kind; its complement after the end; not set but for debugging
			*/
};

#ifdef READPERF_DEBUG

/** Makes it the mark of a handle of @kind. */
void handlemark_begin(struct handle_mark *mark, enum handle_kind kind);

/** Aborts with a message unless it is that of a handle of @kind before its end. */
void handlemark_check(const struct handle_mark *mark, enum handle_kind kind);

/** Makes it the mark of a handle that was ended. */
void handlemark_end(struct handle_mark *mark);

/** Ends the handle that begins with @mark, where free() would. */
void handlemark_free(struct handle_mark *mark);

#else

#include <stdlib.h>

static inline void handlemark_begin(struct handle_mark *mark, enum handle_kind kind)
{
	(void)mark;
	(void)kind;
}

static inline void handlemark_check(const struct handle_mark *mark, enum handle_kind kind)
{
	(void)mark;
	(void)kind;
}

static inline void handlemark_end(struct handle_mark *mark)
{
	(void)mark;
}

static inline void handlemark_free(struct handle_mark *mark)
{
	free(mark);
}

#endif

#endif
