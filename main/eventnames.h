/* Keeps the names of a recording's events as --event-names wants them, while it is read. */
#ifndef READPERF_MAIN_EVENTNAMES_H
#define READPERF_MAIN_EVENTNAMES_H

#include "decode/vendor/vendornames.h"
#include "perffile/perffile.h"
#include "perffile/record.h"
#include "util/error.h"

#include <stdbool.h>

/** All zero leaves the names as they are recorded. */
struct eventnames {
	bool vendor; /* the vendor's names are wanted */
	struct vendornames names;
	bool called;	    /* the events are called by them, as far as the file is read */
	unsigned nr_called; /* how often */
};

/** Asks for the vendors' names, before other threads run: they need the process's environment. */
void eventnames_ask(void);

/** Names the events if that is due before @rec. Returns 0, or -1 with @err filled. */
int eventnames_renew(struct eventnames *names, struct perffile *file, const struct record *rec,
		     struct error *err);

/** eventnames_renew(), which costs nothing where nobody wants it. */
static inline int eventnames_keep(struct eventnames *names, struct perffile *file,
				  const struct record *rec, struct error *err)
{
	return names->vendor ? eventnames_renew(names, file, rec, err) : 0;
}

/** Prints why codes are left among the names of the recording called @input. */
void eventnames_print_note(struct eventnames *names, const char *input,
			   const struct perffile *file);

void eventnames_free(struct eventnames *names);

#endif
