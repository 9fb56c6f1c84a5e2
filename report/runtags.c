#include "report/runtags.h"

#include <string.h>
#include <strings.h>

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
static const char digits[] = "0123456789";

static bool is_key(const char *key, size_t len)
{
	if (len == 0 || len > RUNTAGS_KEY_MAX || !memchr(letters, key[0], sizeof(letters) - 1))
		return false;
	for (size_t i = 0; i < len; i++)
		if (!memchr(letters, key[i], sizeof(letters) - 1) &&
		    !memchr(digits, key[i], sizeof(digits) - 1))
			return false;
	return true;
}

int runtags_add(struct runtags *tags, const char *arg, struct error *err)
{
	const char *equals = strchr(arg, '=');
	struct runtag *tag;

	if (!equals || !is_key(arg, (size_t)(equals - arg)))
		return error_set(err, ERROR_USAGE,
				 "option --tag: '%s' is not KEY=VALUE, such as version=1.4: a KEY "
				 "has letters, digits and _, at most %d, and no digit in front",
				 arg, RUNTAGS_KEY_MAX);
	if (strlen(equals + 1) > RUNTAGS_VALUE_MAX)
		return error_set(err, ERROR_USAGE,
				 "option --tag: the value of '%.*s' is longer than %d bytes",
				 (int)(equals - arg), arg, RUNTAGS_VALUE_MAX);
	if (tags->nr == RUNTAGS_MAX)
		return error_set(err, ERROR_USAGE, "option --tag: at most %d may be given",
				 RUNTAGS_MAX);
	tag = &tags->list[tags->nr];
	memcpy(tag->key, arg, (size_t)(equals - arg));
	tag->key[equals - arg] = '\0';
	tag->value = equals + 1;
	for (size_t i = 0; i < tags->nr; i++)
		if (strcasecmp(tags->list[i].key, tag->key) == 0)
			return error_set(
				err, ERROR_USAGE,
				"option --tag: '%s' is given twice: a column has one value",
				tag->key);
	tags->nr++;
	tags->on = true;
	return 0;
}
