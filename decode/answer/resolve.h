/* The distinct places of all counted addresses, each resolved once for all events. */
#ifndef READPERF_DECODE_ANSWER_RESOLVE_H
#define READPERF_DECODE_ANSWER_RESOLVE_H

#include "decode/answer/placesort.h"
#include "decode/count/address.h"
#include "decode/symbol/symbol.h"
#include "util/error.h"
#include "util/helpers.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Collects the places of @addresses, whose dsos are in @dsos. With @wishes (enum place_wish), the
 * details of every place that has samples are collected too; with WISH_CALLERS of all places.
 * @helpers: who waits there sorts, too; or NULL. Returns 0, or -1 with @err filled; call
 * resolve_free() even then.
 */
int resolve_collect(struct place_set *set, const struct dso_table *dsos,
		    const struct address_table *addresses, unsigned wishes, struct helpers *helpers,
		    struct error *err);

/**
 * Resolves the symbol of every place. @tick may be NULL; else it is called as by
 * symbolizer_resolve(), with the totals of all lists. Returns 0, or -1 with @err filled.
 */
int resolve_symbols(struct place_set *set, struct symbolizer *symbolizer,
		    void (*tick)(void *arg, size_t done, size_t total), void *tick_arg,
		    struct error *err);

void resolve_free(struct place_set *set);

#endif
