/*
 * The bytes of code that a trace's decoder reads: an image of each address space, made of the files
 * that are mapped there. Each thread that decodes has images of its own.
 */
#ifndef READPERF_DECODE_TRACE_TRACEIMAGE_H
#define READPERF_DECODE_TRACE_TRACEIMAGE_H

#include "decode/process/maps.h"
#include "decode/symbol/symbol.h"
#include "decode/trace/ptcode.h"
#include "decode/trace/ptimage.h"
#include "decode/trace/tracepoke.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	TRACEIMAGES_MAX = 64,
	TRACEIMAGE_PAGE = 4096, /* bytes of the kernel that are read at once, and: */
	TRACEIMAGE_BEHIND = 64, /* those behind them that an instruction may have */
};

/** The code of an address space. */
struct trace_image {
	struct map_set *maps; /* shared */
	struct ptimage *image;
	uint64_t used; /* when it was asked for last */
	struct traceimages *images;
	struct ptimage_reader reader; /* of code that was made at run time, and of the kernel's */
	const struct map *code;	      /* made at run time, read last, and all bytes of its dump */
	const uint8_t *bytes;
	uint64_t size;
};

/** A page of the kernel: the @nr bytes from @address on. */
struct trace_page {
	uint64_t address;
	size_t nr;
	uint8_t bytes[TRACEIMAGE_PAGE + TRACEIMAGE_BEHIND];
};

/** Images, those that were used last. */
struct traceimages {
	struct symbolizer *symbolizer; /* borrowed, as is what guards it, and maps: */
	pthread_mutex_t *lock;
	const struct tracepokes *pokes; /* NULL: the kernel's code is not needed */
	uint64_t time;			/* ns, of the code that changes */
	const struct kernelcode *kernel;
	struct trace_page page; /* what of it was read last */
	struct ptsections *sections;
	struct ptcodes *codes; /* what is known of their code */
	struct trace_image list[TRACEIMAGES_MAX];
	uint64_t uses;
	uint64_t replaced; /* how often an image was displaced, and others were not */
};

/**
 * Starts; traceimages_free() even if it fails. @pokes: how the kernel's code changed, borrowed;
 * NULL if its code is not needed. Returns false if memory is out.
 */
bool traceimages_init(struct traceimages *images, struct symbolizer *symbolizer,
		      pthread_mutex_t *lock, const struct tracepokes *pokes);

/**
 * The image of the code in @maps, valid until @images->replaced changes. What the kernel changed is
 * as it was at @images->time, which may be set at any time. NULL if memory is out.
 */
struct ptimage *traceimages_get(struct traceimages *images, struct map_set *maps);

void traceimages_free(struct traceimages *images);

#endif
