#include "perffile/damage.h"

static const struct {
	const char *name, *meaning;
} causes[NR_DAMAGES] = {
	[DAMAGE_SIZE] = {"size", "their size leads to no other record"},
	[DAMAGE_TYPE] = {"type", "their type is none, and no record follows"},
	[DAMAGE_SHORT] = {"short", "they are shorter than their type demands"},
	[DAMAGE_LIST] = {"list", "a list in them is longer than they are"},
	[DAMAGE_STRING] = {"string", "a name in them has no end"},
	[DAMAGE_ID] = {"id", "they are samples of an event that the file does not describe"},
	[DAMAGE_PACKED] = {"compressed", "they cannot be unpacked"},
	[DAMAGE_PAYLOAD] = {"payload", "the bytes that should follow them do not"},
};

const char *damage_name(enum damage_cause cause)
{
	return causes[cause].name;
}

const char *damage_meaning(enum damage_cause cause)
{
	return causes[cause].meaning;
}
