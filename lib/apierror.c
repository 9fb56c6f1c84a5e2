#include "lib/apierror.h"

#include <string.h>

_Static_assert((int)READPERF_ERROR_USAGE == (int)ERROR_USAGE &&
		       (int)READPERF_ERROR_NOMEM == (int)ERROR_NOMEM,
	       "the kinds are the same");
_Static_assert(sizeof(((struct readperf_error *)0)->text) == sizeof(((struct error *)0)->text),
	       "texts fit");

int apierror_copy(struct readperf_error *to, const struct error *from)
{
	if (!to)
		return -1;
	to->kind = (int32_t)from->kind;
	to->zero = 0;
	to->offset = from->offset;
	memcpy(to->text, from->text, sizeof(to->text));
	return -1;
}

int apierror_nomem(struct readperf_error *to, const char *what)
{
	struct error err;

	error_nomem(&err, what);
	return apierror_copy(to, &err);
}

int apierror_null(struct readperf_error *to, const char *argument)
{
	struct error err;

	error_set(&err, ERROR_USAGE, "%s: the argument is NULL", argument);
	return apierror_copy(to, &err);
}

const char *readperf_version(void)
{
	return READPERF_VERSION;
}
