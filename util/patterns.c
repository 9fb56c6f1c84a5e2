#include "util/patterns.h"

#include "util/text.h"
#include "util/versioned.h"

#include <fnmatch.h>
#include <stddef.h>
#include <string.h>

static bool matches_any(char *const *patterns, const char *name)
{
	for (; *patterns; patterns++) {
		if (strcmp(*patterns, name) == 0 || fnmatch(*patterns, name, 0) == 0)
			return true;
	}
	return false;
}

static bool matches_as_shown(char *const *patterns, const char *name)
{
	enum { NAME_MAX_SHOWN = 4096 };
	const size_t len = strlen(name);
	char shown[3 * NAME_MAX_SHOWN + 1];

	if (len > NAME_MAX_SHOWN || text_is_ascii(name))
		return false;
	*text_repair(shown, name, len) = '\0';
	return matches_any(patterns, shown);
}

bool patterns_match(char *const *patterns, const char *name)
{
	return matches_any(patterns, name) || matches_as_shown(patterns, name);
}

bool patterns_match_function(char *const *patterns, const char *name)
{
	enum { STEM_MAX = 256 }; /* C functions have versions */
	const size_t len = strlen(name), stem = versioned_stem(name, len);
	char plain[STEM_MAX];

	if (patterns_match(patterns, name))
		return true;
	if (stem == len || stem >= sizeof(plain))
		return false;
	memcpy(plain, name, stem);
	plain[stem] = '\0';
	return patterns_match(patterns, plain);
}
