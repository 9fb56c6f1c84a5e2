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

/** All zero but what is borrowed. */
struct tracecode {
	const struct addrspaces *spaces; /* for the kernel */
	struct symbolizer *symbolizer;
	pthread_mutex_t *lock; /* guards it, and: */
	struct trace_function *found;
	size_t found_room;
	struct index by_start; /* index of those that were found, by whichever thread */
	/* Those that were counted, in the order in which they came, which no thread changes. */
	struct trace_function *functions;
	size_t nr_functions, functions_room;
	uint32_t *numbers; /* by number of what was found: number among them + 1; 0: none yet */
	size_t nr_numbers;
};

/** Starts; tracecode_free() at the end. */
void tracecode_init(struct tracecode *code, const struct addrspaces *spaces,
		    struct symbolizer *symbolizer, pthread_mutex_t *lock);

/** As tracecode_number(), for one without a number. */
uint32_t tracecode_add(struct tracecode *code, uint32_t found);

/**
 * The number of the function that has the number @found among those that were found; UINT32_MAX if
 * memory is out. For one thread.
 */
static inline uint32_t tracecode_number(struct tracecode *code, uint32_t found)
{
	if (found < code->nr_numbers && code->numbers[found])
		return code->numbers[found] - 1;
	return tracecode_add(code, found);
}

/** Where @ip is. */
struct location tracecode_locate(const struct tracecode *code, struct map_set *maps, uint64_t ip);

/** Marks the functions of which @is_named, called with @arg, says that a filter leaves them out. */
void tracecode_leave_out(struct tracecode *code,
			 bool (*is_named)(void *arg, const char *binary, const char *function),
			 void *arg);

void tracecode_free(struct tracecode *code);

/** What is at an address. */
struct trace_spot {
	uint64_t ip;
	const struct map_set *maps; /* where that was looked up */
	uint64_t end;		    /* address behind the function; UINT64_MAX: unknown */
	uint64_t same_start;	    /* [same_start, same_end) around it is the same function, too */
	uint64_t same_end;
	uint32_t function; /* its number among those that were found */
	bool is_entry;	   /* the address is its first one */
};

enum { TRACESPOTS_NR = 1 << 15 };

/** What is at the addresses that a thread came to last. */
struct tracespots {
	struct tracecode *code; /* borrowed */
	struct trace_spot *list;
};

/** Starts; tracespots_free() even if it fails. Returns false if memory is out. */
bool tracespots_init(struct tracespots *spots, struct tracecode *code);

/** As tracespots_find(), for an address that is not among the last ones. */
const struct trace_spot *tracespots_look_up(struct tracespots *spots, struct map_set *maps,
					    uint64_t ip);

/**
 * What is at address @ip of a process with @maps, or of the kernel; valid until the next call. NULL
 * if memory is out.
 */
static inline const struct trace_spot *tracespots_find(struct tracespots *spots,
						       struct map_set *maps, uint64_t ip)
{
	const struct trace_spot *spot = &spots->list[(ip ^ ip >> 15) % TRACESPOTS_NR];

	return spot->ip == ip && spot->maps == maps ? spot : tracespots_look_up(spots, maps, ip);
}

void tracespots_free(struct tracespots *spots);

#endif
