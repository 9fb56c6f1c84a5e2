#include "perffile/damage.h"

static const struct {
	const char *name, *meaning;
} causes[NR_DAMAGES] = {
	[DAMAGE_SIZE] = {"size", "a record size that leads to no further record"},
	[DAMAGE_TYPE] = {"type", "an unknown record type with no valid record after it"},
	[DAMAGE_SHORT] = {"short", "fewer bytes than the type needs"},
	[DAMAGE_LIST] = {"list", "a list longer than the record"},
	[DAMAGE_STRING] = {"string", "an unterminated name"},
	[DAMAGE_ID] = {"id", "a sample of an event the file does not describe"},
	[DAMAGE_PACKED] = {"compressed", "bytes that cannot be decompressed"},
	[DAMAGE_PAYLOAD] = {"payload", "a missing payload"},
};

const char *damage_name(enum damage_cause cause)
{
	return causes[cause].name;
}

const char *damage_meaning(enum damage_cause cause)
{
	return causes[cause].meaning;
}
