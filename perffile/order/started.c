#include "perffile/order/started.h"

/* Puts the run at @i where those are that were looked at first. */
static void put_first(struct started *started, size_t i)
{
	struct run *run = started->runs[i];

	started->runs[i] = started->runs[0];
	started->times[i] = started->times[0];
	started->runs[0] = run;
	started->times[0] = run->time;
}

struct run *started_first(struct started *started)
{
	size_t first = 0;

	if (started->nr == 0)
		return NULL;
	for (size_t i = 1; i < started->nr; i++)
		if (started->times[i] < started->times[first] ||
		    (started->times[i] == started->times[first] &&
		     started->runs[i]->nr < started->runs[first]->nr))
			first = i;
	put_first(started, first);
	started->at = 0;
	return started->runs[0];
}
