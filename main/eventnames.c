#include "main/eventnames.h"

#include "decode/vendor/pmucodes.h"
#include "decode/vendor/vendorevents.h"

#include <stdio.h>
#include <stdlib.h>

void eventnames_ask(void)
{
	(void)setenv(PMUCODES_ASKED, "1", 1);
}

/* Whether @rec may tell of events or of the CPU; that of a file is known before its records. */
static bool tells(const struct record *rec)
{
	return rec->type == RECORD_HEADER_ATTR || rec->type == RECORD_HEADER_EVENT_TYPE ||
	       rec->type == RECORD_HEADER_FEATURE || rec->type == RECORD_EVENT_UPDATE;
}

int eventnames_renew(struct eventnames *names, struct perffile *file, const struct record *rec,
		     struct error *err)
{
	enum { CALLS_MAX = 64 }; /* a stream may tell of events without end */

	if (tells(rec)) {
		names->called = false;
		return 0;
	}
	if (names->called || names->nr_called == CALLS_MAX)
		return 0;
	names->called = true;
	names->nr_called++;
	return vendorevents_call(&names->names, file, err);
}

void eventnames_print_note(struct eventnames *names, const char *input, const struct perffile *file)
{
	struct error err = {0};
	const char *lack;

	if (names->vendor && vendorevents_lack(&names->names, file, &lack, &err) == 0 && lack)
		fprintf(stderr, "readperf: %s: note: some events keep their codes as names: %s\n",
			input, lack);
}

void eventnames_free(struct eventnames *names)
{
	vendornames_free(&names->names);
}
