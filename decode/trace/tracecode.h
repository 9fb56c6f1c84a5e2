/* The functions at the addresses that a trace leads through. */
#ifndef READPERF_DECODE_TRACE_TRACECODE_H
#define READPERF_DECODE_TRACE_TRACECODE_H

#include "decode/process/addrspace.h"
#include "decode/process/maps.h"
#include "decode/symbol/dso.h"
#include "decode/symbol/symbol.h"
#include "util/error.h"
#include "util/index.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A function: its symbol and where it starts in its dso, or all code of a dso without a name. */
struct trace_function {
	const struct dso *dso;
	const struct symbol *symbol;
	uint64_t start;	  /* a place; 0 without a name */
	bool is_left_out; /* by a filter */
};

/** What is at an address. */
struct trace_spot {
	uint64_t ip;
	const struct map_set *maps; /* where that was looked up */
	uint64_t end;		    /* address behind the function; UINT64_MAX: unknown */
	uint32_t function;	    /* its number */
	bool is_entry;		    /* the address is its first one */
};

enum { TRACECODE_SPOTS = 1 << 15 };

/** All zero but what is borrowed. */
struct tracecode {
	const struct addrspaces *spaces; /* for the kernel */
	struct symbolizer *symbolizer;
	pthread_mutex_t *lock; /* guards it */
	struct trace_function *functions;
	size_t functions_room;
	struct index by_start;	  /* index of functions */
	struct trace_spot *spots; /* those seen last, by address */
};

/** Starts; tracecode_free() even if it fails. Returns false if memory is out. */
bool tracecode_init(struct tracecode *code, const struct addrspaces *spaces,
		    struct symbolizer *symbolizer, pthread_mutex_t *lock);

/** As tracecode_find(), for an address that is not among the last ones. */
const struct trace_spot *tracecode_look_up(struct tracecode *code, struct map_set *maps,
					   uint64_t ip, struct error *err);

/**
 * What is at address @ip of a process with @maps, or of the kernel; valid until the next call. NULL
 * with @err filled if memory is out.
 */
static inline const struct trace_spot *tracecode_find(struct tracecode *code, struct map_set *maps,
						      uint64_t ip, struct error *err)
{
	const struct trace_spot *spot = &code->spots[(ip ^ ip >> 15) % TRACECODE_SPOTS];

	return spot->ip == ip && spot->maps == maps ? spot : tracecode_look_up(code, maps, ip, err);
}

/** Where @ip is. */
struct location tracecode_locate(const struct tracecode *code, struct map_set *maps, uint64_t ip);

/** Marks the functions of which @is_named, called with @arg, says that a filter leaves them out. */
void tracecode_leave_out(struct tracecode *code,
			 bool (*is_named)(void *arg, const char *binary, const char *function),
			 void *arg);

void tracecode_free(struct tracecode *code);

#endif
