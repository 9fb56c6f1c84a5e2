/*
 * A lane of call paths: one thread finds the addresses on them, the same or another one counts
 * them, in the order in which they came. All are counted in one table, so that new paths are made
 * once.
 */
#ifndef READPERF_DECODE_REPLAY_PATHLANE_H
#define READPERF_DECODE_REPLAY_PATHLANE_H

#include "decode/stack/stack.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct path_lane;

/** Makes a lane for samples that are counted in @stacks, borrowed, which is the lane's from
 * path_lane_add() until path_lane_await(). NULL if memory is out. */
struct path_lane *path_lane_create(struct stacks *stacks);

/**
 * Finds the path of @sample, as stacks_name(), and leaves the rest to path_lane_work(). Sets
 * *@nr_waiting to the number of pieces of work that wait, if it is one more now, else 0. Returns
 * false if it failed, as path_lane_await() tells, or memory is out.
 */
bool path_lane_add(struct path_lane *lane, const struct stack_sample *sample, size_t *nr_waiting);

/** Does a piece of work, in any thread. Returns false if there is none, or another thread is at
 * it. */
bool path_lane_work(struct path_lane *lane);

/** Waits until all paths are counted, and does what nobody else does. Returns 0, or -1 with @err
 * filled if not all could be counted. */
int path_lane_await(struct path_lane *lane, struct error *err);

/** As pathstore_nr_made(). *@nr_left: samples that were added and are not counted yet. */
uint64_t path_lane_nr_made(struct path_lane *lane, uint64_t *nr_left);

/** NULL is fine. No thread may be at work. */
void path_lane_destroy(struct path_lane *lane);

#endif
