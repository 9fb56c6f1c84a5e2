/* Calls a recording's events by the vendor's names of their codes: --event-names=vendor. */
#ifndef READPERF_DECODE_VENDOR_VENDOREVENTS_H
#define READPERF_DECODE_VENDOR_VENDOREVENTS_H

#include "decode/vendor/vendornames.h"
#include "perffile/perffile.h"
#include "util/error.h"

#include <stdbool.h>

/**
 * Whether @name is a code: "r01d1:u", "raw 0x1d1", "cpu/event=0xd1,umask=0x1/pp",
 * "cpu_atom/config=0xc0/". Other names were given by somebody, and stay.
 */
bool vendorevents_is_code(const char *name);

/**
 * Calls each event of @file whose name is a code by the vendor's name of it, with the modifiers of
 * the code: "MEM_LOAD_RETIRED.L1_HIT:pp". Names that would be the same are followed by the codes:
 * "INST_RETIRED.ANY_P (r00c0)". Events without a vendor's name keep theirs. It may be called again
 * when the file tells more of its events or its CPU.
 *
 * @return 0, or -1 with @err filled if memory is out.
 */
int vendorevents_call(struct vendornames *names, struct perffile *file, struct error *err);

/**
 * Sets *@lack to why codes among the names of @file's events were not replaced, a part of a
 * sentence, or to NULL if none is left. Returns 0, or -1 with @err filled if memory is out.
 */
int vendorevents_lack(struct vendornames *names, const struct perffile *file, const char **lack,
		      struct error *err);

#endif
