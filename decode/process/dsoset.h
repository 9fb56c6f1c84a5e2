/* A set of dsos, by their numbers. */
#ifndef READPERF_DECODE_PROCESS_DSOSET_H
#define READPERF_DECODE_PROCESS_DSOSET_H

#include "decode/symbol/dso.h"

#include <stdbool.h>
#include <stddef.h>

/** All zero is empty. */
struct dso_set {
	bool *has; /* by number */
	size_t nr, room;
};

static inline bool dso_set_has(const struct dso_set *set, const struct dso *dso)
{
	return dso->number < set->nr && set->has[dso->number];
}

/** Adds @dso. Returns false if memory is out: then it is not in @set. */
bool dso_set_add(struct dso_set *set, const struct dso *dso);

void dso_set_free(struct dso_set *set);

#endif
