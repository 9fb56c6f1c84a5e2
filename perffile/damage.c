#include "perffile/damage.h"

static const struct {
	const char *name, *meaning;
} causes[NR_DAMAGES] = {
	[DAMAGE_SIZE] = {"size", "a size that leads to no other record"},
	[DAMAGE_TYPE] = {"type", "a type that no perf has, with no record behind it"},
	[DAMAGE_SHORT] = {"short", "fewer bytes than the type needs"},
	[DAMAGE_LIST] = {"list", "a list that is longer than the record"},
	[DAMAGE_STRING] = {"string", "a name without an end"},
	[DAMAGE_ID] = {"id", "a sample of an event that the file does not describe"},
	[DAMAGE_PACKED] = {"compressed", "bytes that cannot be unpacked"},
	[DAMAGE_PAYLOAD] = {"payload", "a payload that is not there"},
};

const char *damage_name(enum damage_cause cause)
{
	return causes[cause].name;
}

const char *damage_meaning(enum damage_cause cause)
{
	return causes[cause].meaning;
}
