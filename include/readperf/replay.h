/*
 * Replays: take the records of a recording and know, at each of them, which processes and threads
 * there are, what they have mapped, and what a call chain means. At the end they have tables.
 *
 *	#include <readperf/replay.h>
 *	#include <stdio.h>
 *
 *	int main(int argc, char **argv)
 *	{
 *		const char *path = argc > 1 ? argv[1] : "perf.data";
 *		struct readperf_recording *recording = readperf_recording_open(path, NULL);
 *		struct readperf_replay *replay = NULL;
 *		const struct readperf_record *record;
 *		long frames = 0;
 *
 *		if (recording)
 *			replay = readperf_replay_create(recording, NULL, NULL);
 *		while (replay && readperf_recording_next(recording, &record, NULL) > 0 &&
 *		       readperf_replay_apply(replay, record, NULL) >= 0)
 *			if (readperf_record_type(record) == READPERF_RECORD_SAMPLE)
 *				frames += readperf_replay_chain(replay, record, NULL);
 *		printf("%ld frames\n", frames);
 *		readperf_replay_free(replay);
 *		readperf_recording_close(recording);
 *		return 0;
 *	}
 */
#ifndef READPERF_REPLAY_H
#define READPERF_REPLAY_H

#include <readperf/error.h>
#include <readperf/record.h>
#include <readperf/recording.h>
#include <readperf/settings.h>
#include <readperf/symbols.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct readperf_replay;

/**
 * Makes a replay of @recording before its first record; @settings may be NULL. Both must outlive
 * it. The caller frees it with readperf_replay_free(). NULL with @err filled.
 */
READPERF_API struct readperf_replay *
readperf_replay_create(struct readperf_recording *recording,
		       const struct readperf_settings *settings, struct readperf_error *err);

/**
 * Applies @record, each one once and in the order in which the recording returns them; those of a
 * batch one after the other. What is asked of the replay is then as at that record. Returns 1 if it
 * passes the filters, 0 if not, -1 with @err filled; nothing may be applied after that.
 */
READPERF_API int readperf_replay_apply(struct readperf_replay *replay,
				       const struct readperf_record *record,
				       struct readperf_error *err);

/** Frees @replay and all that it owns. NULL is fine. */
READPERF_API void readperf_replay_free(struct readperf_replay *replay);

/* ---- who ------------------------------------------------------------------------------------- */

/**
 * Returns the name of the thread of @record at this moment, "" if it is not known; the replay owns
 * it until the next record is applied.
 */
READPERF_API const char *readperf_replay_comm(const struct readperf_replay *replay,
					      const struct readperf_record *record);

/** As readperf_replay_comm() for the thread @tid of the process @pid. */
READPERF_API const char *readperf_replay_thread_comm(const struct readperf_replay *replay,
						     uint32_t pid, uint32_t tid);

/**
 * Calls @each(@arg, pid, parent's pid or UINT32_MAX, comm) for each process that runs at this
 * moment, until it returns other than 0. Returns what it returned last, 0 if there is none.
 */
READPERF_API int readperf_replay_processes(const struct readperf_replay *replay,
					   int (*each)(void *arg, uint32_t pid, uint32_t ppid,
						       const char *comm),
					   void *arg);

/* ---- where ----------------------------------------------------------------------------------- */

/**
 * Calls @each(@arg, start, end, pgoff, binary) for each map [start, end) of the process @pid at
 * this moment, ascending, until it returns other than 0. Returns what it returned last, 0 if there
 * is none.
 */
READPERF_API int readperf_replay_maps(const struct readperf_replay *replay, uint32_t pid,
				      int (*each)(void *arg, uint64_t start, uint64_t end,
						  uint64_t pgoff,
						  const struct readperf_binary *binary),
				      void *arg);

/**
 * Returns the binary at the address @addr of the process @pid, or of the kernel if @cpumode says
 * so, and sets *@place to where in it; never NULL: "[unmapped]" is a binary, too. The replay owns
 * it.
 */
READPERF_API const struct readperf_binary *
readperf_replay_locate(const struct readperf_replay *replay, uint32_t pid, int cpumode,
		       uint64_t addr, uint64_t *place);

/**
 * Reads the call chain of @record, the sample that was applied last: recorded or unwound, innermost
 * first, at least its own address. Returns the number of frames, which are valid until the next
 * call, or -1 with @err filled if memory is out.
 */
READPERF_API long readperf_replay_chain(struct readperf_replay *replay,
					const struct readperf_record *record,
					struct readperf_error *err);

/** Returns the address of frame @number as it was recorded; 0 if the frame was unwound. */
READPERF_API uint64_t readperf_replay_frame_ip(const struct readperf_replay *replay, size_t number);

/**
 * Returns 1 if frame @number is that of a caller: its address is where the call returns to, and its
 * place is one byte before that, in the call.
 */
READPERF_API int readperf_replay_frame_returns(const struct readperf_replay *replay, size_t number);

/**
 * As readperf_replay_locate() for frame @number; of a caller it is where the call is. NULL, with
 * *@place 0, if there is no such frame.
 */
READPERF_API const struct readperf_binary *
readperf_replay_frame_place(const struct readperf_replay *replay, size_t number, uint64_t *place);

/** Returns the symbols of the binaries of @replay, which owns them. */
READPERF_API struct readperf_symbols *readperf_replay_symbols(struct readperf_replay *replay);

/* ---- tables ---------------------------------------------------------------------------------- */

/**
 * Adds up the records so far; more may follow. Tables that are read afterwards have these results.
 * Returns 0, or -1 with @err filled.
 */
READPERF_API int readperf_replay_snapshot(struct readperf_replay *replay,
					  struct readperf_error *err);

/** As readperf_replay_snapshot() after the last record. */
READPERF_API int readperf_replay_finish(struct readperf_replay *replay, struct readperf_error *err);

#ifdef __cplusplus
}
#endif

#endif
