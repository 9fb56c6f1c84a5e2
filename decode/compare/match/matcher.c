#include "decode/compare/match/matcher.h"

int matcher_nomem(struct matcher *m)
{
	return error_nomem(m->err, "matching functions");
}

uint32_t matcher_gather(struct matcher *m, const char *name,
			void (*name_of)(char *to, const char *name), unsigned side)
{
	uint32_t exact = intern_string(&m->match->strings, name), common;

	if (exact == INTERN_NOMEM || namelist_has(&m->list, exact, side))
		return exact;
	common = namelist_intern(&m->match->strings, name, name_of);
	if (common == INTERN_NOMEM || !namelist_add(&m->list, exact, common, side))
		return INTERN_NOMEM;
	return exact;
}
