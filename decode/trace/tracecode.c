#include "decode/trace/tracecode.h"

#include "util/array.h"
#include "util/hash.h"

#include <stdlib.h>
#include <string.h>

void tracecode_init(struct tracecode *code, const struct addrspaces *spaces,
		    struct symbolizer *symbolizer, pthread_mutex_t *lock)
{
	*code = (struct tracecode){.spaces = spaces, .symbolizer = symbolizer, .lock = lock};
}

/* ---- functions ------------------------------------------------------------------------------- */

static bool is_kernel(uint64_t ip)
{
	return ip >> 63;
}

struct location tracecode_locate(const struct tracecode *code, struct map_set *maps, uint64_t ip)
{
	const struct process process = {.maps = maps};

	return addrspaces_locate(code->spaces, &process,
				 is_kernel(ip) ? CPUMODE_KERNEL : CPUMODE_USER, ip);
}

/* The number of a function that was found. UINT32_MAX if memory is out. */
static uint32_t number_of_found(struct tracecode *code, const struct trace_function *function)
{
	const uint64_t hash =
		hash_add(hash_u64(function->start),
			 (uint64_t)function->dso->number << 8 | function->symbol->reason);
	struct index *ix = &code->by_start;
	uint32_t number;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);) {
		const struct trace_function *other = &code->found[number];

		if (other->dso == function->dso && other->start == function->start &&
		    other->symbol->reason == function->symbol->reason)
			return number;
	}
	if (!array_grow(code->found, code->found_room, ix->nr + 1) || !index_add(ix, hash))
		return UINT32_MAX;
	code->found[ix->nr - 1] = *function;
	return (uint32_t)(ix->nr - 1);
}

uint32_t tracecode_add(struct tracecode *code, uint32_t found)
{
	const size_t before = code->nr_numbers;
	bool ok = true;

	if (found >= before) {
		ok = array_grow(code->numbers, code->nr_numbers, (size_t)found + 1);
		if (ok)
			memset(code->numbers + before, 0,
			       (code->nr_numbers - before) * sizeof(*code->numbers));
	}
	if (!ok || !array_grow(code->functions, code->functions_room, code->nr_functions + 1))
		return UINT32_MAX;
	pthread_mutex_lock(code->lock);
	code->functions[code->nr_functions] = code->found[found];
	pthread_mutex_unlock(code->lock);
	code->numbers[found] = (uint32_t)++code->nr_functions;
	return code->numbers[found] - 1;
}

void tracecode_leave_out(struct tracecode *code,
			 bool (*is_named)(void *arg, const char *binary, const char *function),
			 void *arg)
{
	for (size_t i = 0; i < code->nr_functions; i++) {
		struct trace_function *function = &code->functions[i];

		function->is_left_out =
			!is_named(arg, function->dso->path, function->symbol->function);
	}
}

void tracecode_free(struct tracecode *code)
{
	free(code->found);
	free(code->functions);
	free(code->numbers);
	index_free(&code->by_start);
	*code = (struct tracecode){0};
}

/* ---- addresses ------------------------------------------------------------------------------- */

bool tracespots_init(struct tracespots *spots, struct tracecode *code)
{
	spots->code = code;
	spots->list = calloc(TRACESPOTS_NR, sizeof(*spots->list));
	if (spots->list)
		spots->list[0].ip = 1; /* not what is looked for there */
	return spots->list;
}

const struct trace_spot *tracespots_look_up(struct tracespots *spots, struct map_set *maps,
					    uint64_t ip)
{
	struct trace_spot *spot = &spots->list[(ip ^ ip >> 15) % TRACESPOTS_NR];
	struct tracecode *code = spots->code;
	struct symbol_extent extent = {0};
	struct trace_function function = {0};
	uint32_t number = UINT32_MAX;
	struct location at;
	bool named = false;

	pthread_mutex_lock(code->lock);
	at = tracecode_locate(code, maps, ip);
	function.dso = at.dso;
	function.symbol = symbolizer_function(code->symbolizer, at.dso, at.place, &extent, NULL);
	if (function.symbol) {
		named = function.symbol->reason == REASON_NONE;
		function.start = named ? extent.start : 0;
		number = number_of_found(code, &function);
	}
	pthread_mutex_unlock(code->lock);
	if (number == UINT32_MAX)
		return NULL;
	*spot = (struct trace_spot){
		.ip = ip,
		.maps = maps,
		.end = named && extent.end > at.place ? ip + (extent.end - at.place) : UINT64_MAX,
		.same_start = ip - (at.place - extent.same_start),
		.same_end = ip + (extent.same_end - at.place),
		.function = number,
		.is_entry = named && extent.start == at.place,
	};
	return spot;
}

void tracespots_free(struct tracespots *spots)
{
	free(spots->list);
	*spots = (struct tracespots){0};
}
