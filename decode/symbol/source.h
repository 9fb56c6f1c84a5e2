/*
 * Where the symbols of a kind of dso come from. A new kind is one file and one row in source.c.
 */
#ifndef READPERF_DECODE_SYMBOL_SOURCE_H
#define READPERF_DECODE_SYMBOL_SOURCE_H

#include "decode/symbol/binary.h"
#include "decode/symbol/kernel.h"
#include "decode/symbol/servers.h"
#include "decode/symbol/symbol.h"

/** What all loading shares. */
struct source_context {
	struct symbol_settings settings;
	struct kernel kernel;
	struct servers servers;
	int64_t recording_end; /* ns since 1970; INT64_MAX: not known */
	pthread_mutex_t talk;  /* held while the user's functions are called */
};

struct symbol_source {
	enum dso_kind kind;
	/* Fills the empty @binary or refuses it with a reason; -1 if memory is out. */
	int (*load)(struct binary *binary, const struct dso *dso, struct source_context *context);
	enum reason refusal; /* without load: why there never is a symbol */
};

/**
 * A number for the state of all the files that may have the names of @dso, a DSO_JIT: as long as it
 * is the same, loading it again shows nothing new. Opens none of them.
 */
uint64_t source_jit_state(const struct dso *dso, const struct source_context *context);

/** Loads @binary, which is empty, with what is known of @dso. Returns -1 if memory is out. */
int source_load(struct binary *binary, const struct dso *dso, struct source_context *context);

int source_load_user(struct binary *binary, const struct dso *dso, struct source_context *context);
int source_load_vdso(struct binary *binary, const struct dso *dso, struct source_context *context);
int source_load_kernel(struct binary *binary, const struct dso *dso,
		       struct source_context *context);
int source_load_module(struct binary *binary, const struct dso *dso,
		       struct source_context *context);
int source_load_ksymbol(struct binary *binary, const struct dso *dso,
			struct source_context *context);
int source_load_jit(struct binary *binary, const struct dso *dso, struct source_context *context);
int source_load_jitdump(struct binary *binary, const struct dso *dso,
			struct source_context *context);

#endif
