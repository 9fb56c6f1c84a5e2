/*
 * How the kernel changed its own code while it was traced, as TEXT_POKE records tell: its bytes at
 * each moment. Memory grows with these records.
 */
#ifndef READPERF_DECODE_TRACE_TRACEPOKE_H
#define READPERF_DECODE_TRACE_TRACEPOKE_H

#include "perffile/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	TRACEPOKE_BYTES = 16,
	TRACEPOKE_RANGES_MAX = 256,
};

/** Bytes of a slot; bit N of @known: byte N is known. */
struct trace_bytes {
	uint8_t bytes[TRACEPOKE_BYTES];
	uint16_t known;
};

/** A change in the slot: TRACEPOKE_BYTES bytes at the multiple @slot of that. */
struct trace_poke {
	uint64_t slot; /* address */
	uint64_t time; /* ns */
	uint64_t nr;   /* order of the records */
	/* Of this change; once they are sorted, of all changes so far, and of those to come. */
	struct trace_bytes before, after;
};

/** Addresses [start, end). */
struct trace_range {
	uint64_t start, end;
};

/** All zero is empty. */
struct tracepokes {
	struct trace_poke *list; /* sorted: by slot, then by time */
	size_t nr, room;
	uint64_t nr_records;
	/* In order, and apart; all changes lie there. */
	struct trace_range ranges[TRACEPOKE_RANGES_MAX];
	size_t nr_ranges;
};

/** Takes note of @rec, a TEXT_POKE. Returns false if memory is out. */
bool tracepokes_record(struct tracepokes *pokes, const struct record *rec);

/** Sorts what was noted, and sets the ranges; call it before the function below. */
void tracepokes_sort(struct tracepokes *pokes);

/**
 * Writes what changes say of the @len bytes of code at @ip as they were at @time (ns) to @code,
 * whose first @got bytes are the code at another time. Returns how many bytes are known, from the
 * first on.
 */
size_t tracepokes_apply(const struct tracepokes *pokes, uint64_t time, uint64_t ip, uint8_t *code,
			size_t got, size_t len);

void tracepokes_free(struct tracepokes *pokes);

#endif
