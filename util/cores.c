#include "util/cores.h"

#include "util/cpuquota.h"

#include <sched.h>
#include <unistd.h>

/* Returns the number of cores in the affinity of this thread; at least 1. */
static size_t count_allowed(void)
{
	cpu_set_t set;
	long online;

	/* It fails where there are more than 1024 processors. */
	if (sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 0)
		return (size_t)CPU_COUNT(&set);
	online = sysconf(_SC_NPROCESSORS_ONLN);
	return online > 0 ? (size_t)online : 1;
}

size_t cores_choose(size_t threads)
{
	const size_t allowed = threads ? threads : count_allowed();
	const size_t granted = threads ? threads : cpuquota_cores("");

	return allowed < granted ? allowed : granted;
}
