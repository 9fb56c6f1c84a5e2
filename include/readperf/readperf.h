/*
 * libreadperf: reads recordings of Linux perf. This header includes all others; each can be used
 * alone: recording.h and record.h (records), replay.h (processes, maps, call chains), symbols.h
 * (functions and source lines), table.h (the tables of readperf), settings.h, error.h.
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
