#include "decode/vendor/vendorevents.h"

#include "util/array.h"
#include "util/intern.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALLED_MAX = 1024 }; /* bytes of a name; longer ones are cut */

static size_t hex_digits(const char *text)
{
	return strspn(text, "0123456789abcdefABCDEF");
}

/* Whether the rest of @name after a code is "" or modifiers. */
static bool is_end(const char *name)
{
	return *name == '\0' || *name == ':' || *name == '/';
}

bool vendorevents_is_code(const char *name)
{
	const char *slash = strchr(name, '/');
	size_t len;

	if (slash)
		name = slash + 1;
	if (strncmp(name, "raw 0x", 6) == 0)
		return hex_digits(name + 6) > 0;
	if (slash && (strncmp(name, "event=", 6) == 0 || strncmp(name, "config=", 7) == 0 ||
		      strncmp(name, "umask=", 6) == 0))
		return true;
	if (strncmp(name, "read", 4) == 0 && is_end(name + 4))
		return false; /* the word */
	len = *name == 'r' ? hex_digits(name + 1) : 0;
	return len > 0 && is_end(name + 1 + len);
}

/* The modifiers of a code, "" if it has none. */
static const char *modifiers_of(const char *code)
{
	const char *at = strrchr(code, '/');

	at = at ? at + 1 : strchr(code, ':');
	if (!at)
		return "";
	at += *at == ':';
	for (const char *c = at; *c; c++)
		if (!isalpha((unsigned char)*c))
			return "";
	return at;
}

/* A name for each event of a file, and how many have it. */
struct calling {
	struct intern names;
	uint32_t *by_event; /* number of the name; 0: the event keeps its own */
	uint32_t *nr_of;    /* how many events have the name, by number of the name */
	size_t room;
};

/* Counts that an event has the name. Returns its number, INTERN_NOMEM if memory is out. */
static uint32_t count_name(struct calling *calling, const char *name)
{
	const size_t before = calling->names.nr_strings;
	const uint32_t number = intern_string(&calling->names, name);

	if (number == INTERN_NOMEM ||
	    !array_grow(calling->nr_of, calling->room, (size_t)number + 1))
		return INTERN_NOMEM;
	if (calling->names.nr_strings > before || number == 0)
		calling->nr_of[number] = 0;
	calling->nr_of[number]++;
	return number;
}

/* Writes the name by which @event is called, unless others have it; "" if it keeps its own. */
static int make_name(struct vendornames *names, const struct perffile *file,
		     const struct event *event, char name[CALLED_MAX], struct error *err)
{
	const char *recorded = event_recorded_name(event);
	const char *pmu = perffile_pmu_name(file, event->attr.type);
	const char *modifiers = modifiers_of(recorded);
	char found[VENDOR_NAME_MAX] = "";

	if (vendornames_is_raw(event, pmu) && vendorevents_is_code(recorded) &&
	    vendornames_find(names, perffile_cpuid(file), pmu, event, found, err) < 0)
		return -1;
	snprintf(name, CALLED_MAX, "%s%s%s", found, *found && *modifiers ? ":" : "",
		 *found ? modifiers : "");
	return 0;
}

static int choose_names(struct calling *calling, struct vendornames *names,
			const struct perffile *file, struct error *err)
{
	for (size_t i = 0; i < perffile_nr_events(file); i++) {
		const struct event *event = perffile_event(file, i);
		char name[CALLED_MAX];
		uint32_t number;

		if (make_name(names, file, event, name, err) < 0)
			return -1;
		number = count_name(calling, *name ? name : event_recorded_name(event));
		if (number == INTERN_NOMEM)
			return error_nomem(err, "naming events");
		calling->by_event[i] = *name ? number : 0;
	}
	return 0;
}

static int give_names(const struct calling *calling, struct perffile *file, struct error *err)
{
	for (size_t i = 0; i < perffile_nr_events(file); i++) {
		const uint32_t number = calling->by_event[i];
		const char *chosen = intern_get(&calling->names, number);
		char name[CALLED_MAX];

		if (number && calling->nr_of && calling->nr_of[number] > 1) {
			snprintf(name, sizeof(name), "%s (%s)", chosen,
				 event_recorded_name(perffile_event(file, i)));
			chosen = name;
		}
		if (perffile_call_event(file, i, number ? chosen : NULL, err) < 0)
			return -1;
	}
	return 0;
}

int vendorevents_call(struct vendornames *names, struct perffile *file, struct error *err)
{
	const size_t nr = perffile_nr_events(file);
	struct calling calling = {.by_event = calloc(nr + 1, sizeof(*calling.by_event))};
	int rc;

	if (!calling.by_event)
		return error_nomem(err, "naming events");
	rc = choose_names(&calling, names, file, err);
	if (rc == 0)
		rc = give_names(&calling, file, err);
	intern_free(&calling.names);
	free(calling.by_event);
	free(calling.nr_of);
	return rc;
}

/* The first event that still has a code for a name, or NULL. */
static const struct event *find_code(const struct perffile *file)
{
	for (size_t i = 0; i < perffile_nr_events(file); i++) {
		const struct event *event = perffile_event(file, i);

		if (!event->recorded && vendorevents_is_code(event->name) &&
		    vendornames_is_raw(event, perffile_pmu_name(file, event->attr.type)))
			return event;
	}
	return NULL;
}

int vendorevents_lack(struct vendornames *names, const struct perffile *file, const char **lack,
		      struct error *err)
{
	const struct event *event = find_code(file);
	const char *cpuid = perffile_cpuid(file);
	int known;

	*lack = NULL;
	if (!event)
		return 0;
	known = vendornames_know(names, cpuid, perffile_pmu_name(file, event->attr.type), err);
	if (known < 0)
		return -1;
	if (!vendornames_are_there())
		*lack = "there is no libpfm4";
	else if (!cpuid)
		*lack = "the recording does not tell its CPU";
	else
		*lack = known ? "libpfm4 does not know the code"
			      : "libpfm4 does not know the recorded CPU";
	return 0;
}
