/*
 * How to unwind the code of each dso: the door of decode/symbol/cfi/.
 *
 * A dso's files are looked for, as those for its symbols are, when the first of its places is asked
 * for. Each place is looked up once; what is kept grows with distinct places. Threads may ask at
 * the same time.
 */
#ifndef READPERF_DECODE_SYMBOL_UNWINDINFO_H
#define READPERF_DECODE_SYMBOL_UNWINDINFO_H

#include "decode/symbol/cfi/cfirow.h"
#include "decode/symbol/cfi/cfirule.h"
#include "decode/symbol/dso.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct load_context;
struct unwindinfo;

/** @context is borrowed. NULL if memory is out. */
struct unwindinfo *unwindinfo_create(struct load_context *context);

/**
 * The rule of the code at @place of @dso (see enum dso_kind); CFI_RULE_NONE if nothing tells. It
 * lives as long as @info. NULL if memory is out.
 */
const struct cfi_rule *unwindinfo_rule(struct unwindinfo *info, const struct dso *dso,
				       uint64_t place);

/**
 * Sets @rule as unwindinfo_rule() without keeping it, for places that are asked for once. Up to
 * *@end, all places have a rule of this kind that finds the CFA and the return address by the same
 * registers, unless functions overlap. False if memory is out.
 */
bool unwindinfo_peek(struct unwindinfo *info, const struct dso *dso, uint64_t place,
		     struct cfi_rule *rule, uint64_t *end);

/** The row of a place whose rule is not CFI_RULE_NONE. False if there is none. */
bool unwindinfo_row(struct unwindinfo *info, const struct dso *dso, uint64_t place,
		    struct cfi_row *row);

/** EM_ of the code of @dso; 0 if its file was not found or it is no file. */
uint16_t unwindinfo_machine(struct unwindinfo *info, const struct dso *dso);

/** True if the files of @dso have unwinding information of any code. */
bool unwindinfo_is_any(struct unwindinfo *info, const struct dso *dso);

/** True if @place of @dso is in the first instructions of a program: right behind its entry. */
bool unwindinfo_is_entry(struct unwindinfo *info, const struct dso *dso, uint64_t place);

/**
 * True if @rule of a place of @dso need not speak of the frame pointer where the code has one: Go's
 * compiler tells of SP alone.
 */
bool unwindinfo_omits_fp(struct unwindinfo *info, const struct dso *dso,
			 const struct cfi_rule *rule);

/**
 * Copies the @nr bytes of code from @place of @dso on to @bytes. False if no file has them: of code
 * that was made at run time, or if the file was not found.
 */
bool unwindinfo_code(struct unwindinfo *info, const struct dso *dso, uint64_t place, uint8_t *bytes,
		     size_t nr);

/** NULL is fine. */
void unwindinfo_destroy(struct unwindinfo *info);

#endif
