#include "decode/vendor/pmucodes.h"

#include <stddef.h>

#ifdef HAVE_LIBPFM

#include "util/dynlib.h"

#include <perfmon/pfmlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CODE_NAME_MAX = 256 };

#define LIBRARY "libpfm.so.4"

/* The library's functions. */
struct pfm {
	__typeof__(&pfm_initialize) initialize;
	__typeof__(&pfm_get_pmu_info) get_pmu_info;
	__typeof__(&pfm_get_os_event_encoding) get_os_event_encoding;
	__typeof__(&pfm_get_event_next) get_event_next;
	__typeof__(&pfm_get_event_info) get_event_info;
	__typeof__(&pfm_get_event_attr_info) get_event_attr_info;
};

struct code_walk {
	const struct pfm *pfm;
	const char *list;
	bool (*take)(void *arg, const struct pmu_code *code);
	void *arg;
};

/* Returns false if the library is not installed. */
static bool load(struct pfm *pfm)
{
	void *library = dynlib_open(LIBRARY);

	return dynlib_find(library, "pfm_initialize", &pfm->initialize) &&
	       dynlib_find(library, "pfm_get_pmu_info", &pfm->get_pmu_info) &&
	       dynlib_find(library, "pfm_get_os_event_encoding", &pfm->get_os_event_encoding) &&
	       dynlib_find(library, "pfm_get_event_next", &pfm->get_event_next) &&
	       dynlib_find(library, "pfm_get_event_info", &pfm->get_event_info) &&
	       dynlib_find(library, "pfm_get_event_attr_info", &pfm->get_event_attr_info);
}

bool pmucodes_are_there(void)
{
	struct pfm pfm;

	return load(&pfm);
}

/* What libpfm4 keeps is the whole process's, so that only a program which asks for it gets it. */
static bool start(struct pfm *pfm)
{
	return getenv(PMUCODES_ASKED) && load(pfm) && pfm->initialize() == PFM_SUCCESS;
}

static bool find_list(const struct pfm *pfm, const char *list, pfm_pmu_info_t *info)
{
	for (int i = PFM_PMU_NONE; i < PFM_PMU_MAX; i++) {
		memset(info, 0, sizeof(*info));
		info->size = sizeof(*info);
		if (pfm->get_pmu_info((pfm_pmu_t)i, info) == PFM_SUCCESS &&
		    strcmp(info->name, list) == 0)
			return true;
	}
	return false;
}

/* The event with its umask; combinations that do not exist have no code. */
static bool encode(const struct code_walk *listing, struct pmu_code *code)
{
	char text[CODE_NAME_MAX];
	pfm_pmu_encode_arg_t to = {.size = sizeof(to)};
	int len = snprintf(text, sizeof(text), "%s::%s%s%s", listing->list, code->event,
			   *code->umask ? ":" : "", code->umask);

	if (len < 0 || (size_t)len >= sizeof(text) ||
	    listing->pfm->get_os_event_encoding(text, PFM_PLM0 | PFM_PLM3, PFM_OS_NONE, &to) !=
		    PFM_SUCCESS)
		return false;
	code->config = to.count > 0 ? to.codes[0] : 0;
	code->has_config1 = to.count > 1;
	code->config1 = code->has_config1 ? to.codes[1] : 0;
	free(to.codes);
	return to.count > 0;
}

static bool is_deprecated(const char *description)
{
	return description && strcasestr(description, "deprecated");
}

/* Takes the event with each of its umasks. Sets *@any if there is one. */
static bool take_umasks(const struct code_walk *listing, const pfm_event_info_t *event, bool *any)
{
	for (int i = 0; i < event->nattrs; i++) {
		pfm_event_attr_info_t umask = {.size = sizeof(umask)};
		struct pmu_code code = {.event = event->name};

		if (listing->pfm->get_event_attr_info(event->idx, i, PFM_OS_NONE, &umask) !=
			    PFM_SUCCESS ||
		    umask.type != PFM_ATTR_UMASK)
			continue;
		code.umask = umask.name;
		code.alias = event->equiv || umask.equiv;
		code.deprecated = is_deprecated(event->desc) || is_deprecated(umask.desc);
		if (!encode(listing, &code))
			continue;
		*any = true;
		if (!listing->take(listing->arg, &code))
			return false;
	}
	return true;
}

static bool take_event(const struct code_walk *listing, const pfm_event_info_t *event)
{
	struct pmu_code code = {.event = event->name,
				.umask = "",
				.alias = event->equiv,
				.deprecated = is_deprecated(event->desc)};
	bool any = false;

	if (!take_umasks(listing, event, &any))
		return false;
	return any || !encode(listing, &code) || listing->take(listing->arg, &code);
}

int pmucodes_list(const char *list, bool (*take)(void *arg, const struct pmu_code *code), void *arg)
{
	struct pfm pfm;
	const struct code_walk listing = {&pfm, list, take, arg};
	pfm_pmu_info_t pmu;

	if (!start(&pfm) || !find_list(&pfm, list, &pmu))
		return 0;
	for (int i = pmu.first_event; i != -1; i = pfm.get_event_next(i)) {
		pfm_event_info_t event = {.size = sizeof(event)};

		if (pfm.get_event_info(i, PFM_OS_NONE, &event) == PFM_SUCCESS &&
		    !take_event(&listing, &event))
			return -1;
	}
	return 1;
}

#else

bool pmucodes_are_there(void)
{
	return false;
}

int pmucodes_list(const char *list, bool (*take)(void *arg, const struct pmu_code *code), void *arg)
{
	(void)list;
	(void)take;
	(void)arg;
	return 0;
}

#endif
