#include "decode/trace/ptlibrary.h"

#ifdef HAVE_LIBIPT

#include <intel-pt.h>
#include <stdio.h>

const char *ptlibrary_name(char name[32])
{
	const struct pt_version version = pt_library_version();

	snprintf(name, 32, "libipt %u.%u", version.major, version.minor);
	return name;
}

bool ptlibrary_knows_cpu(const struct ptconfig *config)
{
	const struct pt_cpu cpu = {pcv_intel, config->family, config->model, config->stepping};
	struct pt_errata errata;

	return !config->family || pt_cpu_errata(&errata, &cpu) >= 0;
}

#endif
