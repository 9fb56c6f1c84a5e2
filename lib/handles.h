/*
 * What the handles of the library stand for. Records, events and binaries are those of the rooms
 * under another name; recordings have something of their own.
 */
#ifndef READPERF_LIB_HANDLES_H
#define READPERF_LIB_HANDLES_H

#include "decode/symbol/symbol.h"
#include "lib/handlemark.h"
#include "perffile/perffile.h"

#include <readperf/recording.h>
#include <readperf/symbols.h>

#include <stddef.h>

enum { HANDLES_BATCH_MAX = 256 }; /* records: few enough to stay in the cache */

struct readperf_recording {
	struct handle_mark mark;
	struct perffile *file;
	char *name;   /* as the caller gave it */
	bool by_path; /* it was opened by its name */
	int (*wait)(void *arg, int fd);
	void *wait_arg;
	bool told_break;      /* that it broke off */
	struct record *batch; /* room for HANDLES_BATCH_MAX; NULL: no batch was asked for */
};

struct readperf_symbol {
	const struct symbol *symbol;
	const struct place_detail *detail;
	const struct readperf_symbol *outer; /* NULL: the function with the code */
};

struct readperf_symbols {
	struct handle_mark mark;
	struct symbolizer *symbolizer;
	struct dso_table own;	/* of binaries that the caller named */
	struct dso_table *dsos; /* @own, or that of the replay: one symbolizer knows one */
	struct place_detail detail;
	struct readperf_symbol *found; /* the symbol found last, innermost first */
	size_t found_room;
};

static inline const struct record *handles_record(const struct readperf_record *record)
{
	return (const struct record *)(const void *)record;
}

static inline const struct readperf_record *handles_public_record(const struct record *record)
{
	return (const struct readperf_record *)(const void *)record;
}

static inline const struct event *handles_event(const struct readperf_event *event)
{
	return (const struct event *)(const void *)event;
}

static inline const struct dso *handles_dso(const struct readperf_binary *binary)
{
	return (const struct dso *)(const void *)binary;
}

static inline const struct readperf_binary *handles_binary(const struct dso *dso)
{
	return (const struct readperf_binary *)(const void *)dso;
}

static inline const struct readperf_event *handles_public_event(const struct event *event)
{
	return (const struct readperf_event *)(const void *)event;
}

#endif
