/*
 * What the files share that decode Intel PT by libipt.
 */
#ifndef READPERF_DECODE_TRACE_PTSHARED_H
#define READPERF_DECODE_TRACE_PTSHARED_H

#ifdef HAVE_LIBIPT

#include "decode/trace/ptfiles.h"
#include "decode/trace/ptlate.h"
#include "decode/trace/ptstep.h"

#include <intel-pt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ptsections;
struct ptimage_reader;

/** A part of an address space. */
struct ptsection {
	uint64_t start, size; /* addresses [start, start + size) */
	/* Of the library; of what is in no section: PTSECTION_NONE and the number of the image. */
	uint32_t number;
};

#define PTSECTION_NONE ((uint32_t)1 << 31)

struct ptimage {
	struct ptsections *sections;
	struct pt_image *image;
	uint32_t number;	/* among all images of these sections, from 1 on */
	struct ptsection *list; /* by address, once it is_sorted */
	size_t nr, room;
	bool is_sorted;
	bool overlaps;	       /* sections do, then: what is in them differs between images */
	struct ptsection here; /* what was asked for last; size 0: nothing */
	struct ptfiles files;  /* what is in no section, as the library cannot open its file */
	const struct ptimage_reader *reader; /* of what is in neither; NULL: none */
};

/** The library's configuration for @config, without flags. */
void ptshared_configure(struct pt_config *to, const struct ptconfig *config);

/** Sets up @late for @config. */
void ptshared_late(struct ptlate *late, const struct ptconfig *config);

/** The flow of a block whose last instruction is of @class: an enum ptstep_flow. */
uint8_t ptshared_flow(enum pt_insn_class class);

/** Whether @event says again, at a PSB, that tracing is on or off: libipt does from 2.1 on. */
bool ptshared_is_repeated(const struct pt_event *event);

/** Sets *@step to what @event is. Returns false if nothing needs to know of it. */
bool ptshared_step(const struct pt_event *event, struct ptstep *step);

/** Sets *@step to the end of the bytes: whether the decoder has @stopped, and tracing @runs. */
void ptshared_end(const struct ptconfig *config, bool stopped, bool runs, struct ptstep *step);

/**
 * Whether @event is the mode of execution at a PSB where the code is that of the stop: once the
 * decoder has read up to that, the code that was to be decoded reaches to it.
 */
bool ptshared_is_stop(const struct ptconfig *config, const struct pt_event *event);

#endif

#endif
