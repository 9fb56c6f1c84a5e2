/*
 * The calls on the paths of the page's tree: which frame is below which, each pair once.
 *
 * A frame is told by its key: of functions twice the number, plus 1 if it is inlined; then words.
 */
#ifndef READPERF_REPORT_EXPORT_PAGECALLS_H
#define READPERF_REPORT_EXPORT_PAGECALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A call, and where it leads: all zero is a free slot. */
struct page_call {
	uint32_t caller; /* key plus 1 */
	uint32_t callee; /* key */
	uint32_t number;
};

/** All zero is empty. */
struct pagecalls {
	struct page_call *slots;
	size_t nr_slots; /* a power of two, or 0 */
	size_t nr;	 /* calls, numbered from 0 in the order of their first time */
};

/** Sets *@number to that of the call, which is new or not. Returns false if memory is out. */
bool pagecalls_get(struct pagecalls *calls, uint32_t caller, uint32_t callee, uint32_t *number);

void pagecalls_free(struct pagecalls *calls);

#endif
