/*
 * What the files share that decode Intel PT by libipt, an optional library.
 */
#ifndef READPERF_DECODE_TRACE_PTLIBRARY_H
#define READPERF_DECODE_TRACE_PTLIBRARY_H

#include "decode/trace/ptcode.h"
#include "decode/trace/ptdecode.h"
#include "decode/trace/ptimage.h"

#include <intel-pt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ptsections {
	struct pt_image_section_cache *cache;
	struct ptcodes codes; /* what is known of code in them */
	uint32_t nr_images;   /* that were made so far */
};

/** A part of an address space. */
struct ptsection {
	uint64_t start, size; /* addresses [start, start + size) */
	uint32_t number;      /* of the library; of what is in none: ptcode.c's */
};

struct ptimage {
	struct ptsections *sections;
	struct pt_image *image;
	uint32_t number;
	struct ptsection *list; /* by address, once it is_sorted */
	size_t nr, room;
	bool is_sorted;
	struct ptsection here; /* the one that was asked for last */
};

/** The library's configuration for @config, without flags. */
void ptlibrary_configure(struct pt_config *to, const struct ptdecode_config *config);

/** The flow of a block whose last instruction is of @class: an enum ptstep_flow. */
uint8_t ptlibrary_flow(enum pt_insn_class class);

/** Sets *@step to what @event is. Returns false if nothing needs to know of it. */
bool ptlibrary_step(const struct pt_event *event, struct ptstep *step);

/**
 * Whether @event, which a decoder has at @offset, is the mode of execution at the PSB of
 * config->stop, and that of its address: the code that was to be decoded reaches to it.
 */
bool ptlibrary_is_stop(const struct ptdecode_config *config, const struct pt_event *event,
		       uint64_t offset);

#endif
