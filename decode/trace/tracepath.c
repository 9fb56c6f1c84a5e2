#include "decode/trace/tracepath.h"

#include "util/array.h"
#include "util/hash.h"

#include <stdlib.h>

enum { NODES_MAX = 1 << 21 };

/* The number of a new node; TRACE_NO_NODE if memory is out. */
static uint32_t add_node(struct trace_paths *paths, uint64_t hash, const struct trace_node *node)
{
	if (!array_grow(paths->nodes, paths->room, paths->nr + 1) ||
	    !index_add(&paths->by_call, hash))
		return TRACE_NO_NODE;
	paths->nodes[paths->nr] = *node;
	return (uint32_t)paths->nr++;
}

uint32_t tracepaths_add_root(struct trace_paths *paths, uint32_t process)
{
	const struct trace_node root = {
		.parent = TRACE_NO_NODE, .function = UINT32_MAX, .process = process};

	return add_node(paths, hash_u64((uint64_t)TRACE_NO_NODE << 32 | process), &root);
}

/* The same child as tracepaths_child(), if it is not the last one: apart, because that is rare. */
__attribute__((noinline)) static uint32_t look_up(struct trace_paths *paths, uint32_t root,
						  uint32_t parent, uint32_t function)
{
	const uint64_t hash = hash_u64((uint64_t)parent << 32 | function);
	uint32_t number;

	for (size_t at = index_first(&paths->by_call, hash);
	     index_next(&paths->by_call, hash, &at, &number);)
		if (paths->nodes[number].parent == parent &&
		    paths->nodes[number].function == function) {
			paths->nodes[parent].last = number;
			return number;
		}
	if (paths->nr >= NODES_MAX && parent != root)
		return tracepaths_child(paths, root, root, function);
	return add_node(paths, hash,
			&(struct trace_node){.parent = parent,
					     .function = function,
					     .process = paths->nodes[parent].process,
					     .min_ns = UINT64_MAX});
}

uint32_t tracepaths_child(struct trace_paths *paths, uint32_t root, uint32_t parent,
			  uint32_t function)
{
	const uint32_t last = paths->nodes[parent].last;

	if (last && paths->nodes[last].function == function)
		return last;
	return look_up(paths, root, parent, function);
}

struct trace_sums tracepaths_sums(const struct trace_paths *paths)
{
	struct trace_sums sums = {0};

	for (size_t i = 0; i < paths->nr; i++) {
		sums.instructions += paths->nodes[i].instructions;
		sums.ns += paths->nodes[i].ns;
		sums.cycles += paths->nodes[i].cycles;
	}
	return sums;
}

void tracepaths_free(struct trace_paths *paths)
{
	free(paths->nodes);
	index_free(&paths->by_call);
	*paths = (struct trace_paths){0};
}
