/*
 * The bytes of code that a trace's decoder reads: an image of each address space, made of the files
 * that are mapped there. Each thread that decodes has images of its own.
 */
#ifndef READPERF_DECODE_TRACE_TRACEIMAGE_H
#define READPERF_DECODE_TRACE_TRACEIMAGE_H

#include "decode/process/maps.h"
#include "decode/symbol/symbol.h"
#include "decode/trace/ptdecode.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { TRACEIMAGES_MAX = 64 };

/** The code of an address space. */
struct trace_image {
	struct map_set *maps; /* shared */
	struct ptdecode_image *image;
	uint64_t used; /* when it was asked for last */
	struct traceimages *images;
	struct ptdecode_reader jit; /* reads code that was made at run time: */
	const struct map *code;	    /* read last, and all bytes of its dump */
	const uint8_t *bytes;
	uint64_t size;
};

/** Images, those that were used last. */
struct traceimages {
	struct symbolizer *symbolizer; /* borrowed, as is what guards it, and maps: */
	pthread_mutex_t *lock;
	bool has_kernel;
	struct ptdecode_sections *sections;
	struct trace_image list[TRACEIMAGES_MAX];
	uint64_t uses;
	uint64_t replaced; /* how often an image was displaced, and others were not */
};

/**
 * Starts; traceimages_free() even if it fails. @has_kernel: the kernel's code is needed, too.
 * Returns false if memory is out.
 */
bool traceimages_init(struct traceimages *images, struct symbolizer *symbolizer,
		      pthread_mutex_t *lock, bool has_kernel);

/** The image of the code in @maps, valid until @images->replaced changes. NULL if memory is out. */
struct ptdecode_image *traceimages_get(struct traceimages *images, struct map_set *maps);

void traceimages_free(struct traceimages *images);

#endif
