#include "decode/trace/tracecode.h"

#include "util/array.h"
#include "util/hash.h"

#include <stdlib.h>

bool tracecode_init(struct tracecode *code, const struct addrspaces *spaces,
		    struct symbolizer *symbolizer, pthread_mutex_t *lock)
{
	*code = (struct tracecode){.spaces = spaces, .symbolizer = symbolizer, .lock = lock};
	code->spots = calloc(TRACECODE_SPOTS, sizeof(*code->spots));
	return code->spots;
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

/* The number of the function that starts at @start; UINT32_MAX if memory is out. */
static uint32_t function_of(struct tracecode *code, const struct dso *dso,
			    const struct symbol *symbol, uint64_t start)
{
	const uint64_t hash =
		hash_add(hash_u64(start), (uint64_t)dso->number << 8 | symbol->reason);
	struct index *ix = &code->by_start;
	uint32_t number;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);) {
		const struct trace_function *function = &code->functions[number];

		if (function->dso == dso && function->start == start &&
		    function->symbol->reason == symbol->reason)
			return number;
	}
	if (!array_grow(code->functions, code->functions_room, ix->nr + 1) || !index_add(ix, hash))
		return UINT32_MAX;
	code->functions[ix->nr - 1] = (struct trace_function){dso, symbol, start, false};
	return (uint32_t)(ix->nr - 1);
}

const struct trace_spot *tracecode_look_up(struct tracecode *code, struct map_set *maps,
					   uint64_t ip, struct error *err)
{
	struct trace_spot *spot = &code->spots[(ip ^ ip >> 15) % TRACECODE_SPOTS];
	const struct location at = tracecode_locate(code, maps, ip);
	struct symbol_extent extent = {0};
	const struct symbol *symbol;
	bool named;

	pthread_mutex_lock(code->lock);
	symbol = symbolizer_function(code->symbolizer, at.dso, at.place, &extent, err);
	pthread_mutex_unlock(code->lock);
	if (!symbol)
		return NULL;
	named = symbol->reason == REASON_NONE;
	*spot = (struct trace_spot){
		.ip = ip,
		.maps = maps,
		.end = named && extent.end > at.place ? ip + (extent.end - at.place) : UINT64_MAX,
		.function = function_of(code, at.dso, symbol, named ? extent.start : 0),
		.is_entry = named && extent.start == at.place,
	};
	if (spot->function != UINT32_MAX)
		return spot;
	spot->maps = NULL;
	error_nomem(err, "decoding the hardware trace");
	return NULL;
}

void tracecode_leave_out(struct tracecode *code,
			 bool (*is_named)(void *arg, const char *binary, const char *function),
			 void *arg)
{
	for (size_t i = 0; i < code->by_start.nr; i++) {
		struct trace_function *function = &code->functions[i];

		function->is_left_out =
			!is_named(arg, function->dso->path, function->symbol->function);
	}
}

void tracecode_free(struct tracecode *code)
{
	free(code->functions);
	free(code->spots);
	index_free(&code->by_start);
	*code = (struct tracecode){0};
}
