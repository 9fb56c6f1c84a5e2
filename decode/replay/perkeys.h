/* The keys of --per: what splits the rows of functions. */
#ifndef READPERF_DECODE_REPLAY_PERKEYS_H
#define READPERF_DECODE_REPLAY_PERKEYS_H

#include "decode/replay/samplefield.h"
#include "util/error.h"

#include <stddef.h>
#include <stdint.h>

enum { PERKEYS_MAX = 8 };

enum per_kind {
	PER_COMM,
	PER_PID,
	PER_TID,
	PER_CPU, /* up to here, keys are of nothing but the thread and the CPU */
	PER_CGROUP,
	PER_DATA_SYMBOL, /* the variable that was accessed */
	PER_SLICE,	 /* of time */
	PER_FIELD,	 /* of a tracepoint */
};

/** One key. */
struct per_key {
	enum per_kind kind;
	char *name;	 /* as given, which is the name of its column; "slice" without its length */
	uint64_t length; /* of a slice, ns */
	struct field_name field;
};

/** All zero has none. */
struct perkeys {
	struct per_key list[PERKEYS_MAX];
	const char *names[PERKEYS_MAX]; /* of @list */
	size_t nr;
};

/**
 * Adds the comma-separated keys of @list: comm, pid, tid, cpu, cgroup, data_symbol, slice:LENGTH (a
 * number and ns, us, ms or s), or a field of a tracepoint, see samplefield.h. Returns 0, or -1 with
 * @err filled.
 */
int perkeys_add(struct perkeys *keys, const char *list, struct error *err);

/**
 * Looks for the first key that samples with the fields @sample_type (PERF_SAMPLE_...) do not have.
 * Returns its field, for example "CPU", with *@how set to the way to record that and *@key to the
 * key's name, borrowed; NULL if samples have all keys.
 */
const char *perkeys_lacks(const struct perkeys *keys, uint64_t sample_type, const char **how,
			  const char **key);

/** Keeps only the first @nr keys, which are so many at least. */
void perkeys_cut(struct perkeys *keys, size_t nr);

void perkeys_free(struct perkeys *keys);

#endif
