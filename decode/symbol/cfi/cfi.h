/*
 * The call frame information of a binary: where the caller's registers are, by address.
 *
 * It is .eh_frame of the file that ran and, for addresses that this does not cover, .debug_frame of
 * that file or of its separate debug file. Our own reader and not libdw's: that one runs the
 * program of a function anew for each address that is asked for and keeps a tree of all functions
 * (440 to 800 ns for each address, measured; ours takes 100 to 450).
 */
#ifndef READPERF_DECODE_SYMBOL_CFI_CFI_H
#define READPERF_DECODE_SYMBOL_CFI_CFI_H

#include "decode/symbol/cfi/cfirow.h"
#include "decode/symbol/elf/elffile.h"
#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cfi;

/** Where a row was found; the last is for what Go has instead. */
enum cfi_source { CFI_NONE, CFI_EH_FRAME, CFI_DEBUG_FRAME, CFI_GO_TABLE, CFI_SOURCE_NR };

/**
 * Opens the CFI of @runtime and @debug, either of which may be NULL; both must live as long. NULL
 * if memory is out.
 */
struct cfi *cfi_open(const struct elffile *runtime, const struct elffile *debug);

/**
 * As cfi_open() for the bytes of an .eh_frame at the address @addr, of code of @machine (EM_) that
 * belongs to no file; they must live as long.
 */
struct cfi *cfi_open_eh_frame(struct span eh_frame, uint64_t addr, uint16_t machine);

/** True if there is CFI of any address. */
bool cfi_is_any(const struct cfi *cfi);

/**
 * Finds the row for @address, an address of the binary's own. *@source becomes where it is from,
 * CFI_NONE if there is none. Returns false if memory is out.
 */
bool cfi_find(struct cfi *cfi, uint64_t address, struct cfi_row *row, enum cfi_source *source);

/**
 * The number of the only FDE of .eh_frame that may cover @address, an address of the binary's own;
 * *@nr gets how many there are. SIZE_MAX if they have no numbers: the linker made no table.
 */
size_t cfi_fde_number(const struct cfi *cfi, uint64_t address, size_t *nr);

/** Whether cfi_fde_number() may be called while another thread uses @cfi; else this alone may. */
bool cfi_is_settled(const struct cfi *cfi);

/**
 * Sets *@is_one to whether one FDE of .eh_frame covers both addresses of the binary's own, so that
 * they are in one function: compilers write an FDE for each. Returns false if memory is out.
 */
bool cfi_is_one_function(struct cfi *cfi, uint64_t one, uint64_t other, bool *is_one);

/**
 * Sets *@is_one to whether no FDE of .eh_frame covers either address of the binary's own or begins
 * between them, while others come before and after: then no compiler's function begins there.
 * Returns false if memory is out.
 */
bool cfi_is_one_gap(struct cfi *cfi, uint64_t one, uint64_t other, bool *is_one);

/**
 * Sets *@is_signal to whether an FDE of .eh_frame covers @address that is of a trampoline of signal
 * handlers. Returns false if memory is out.
 */
bool cfi_is_signal(struct cfi *cfi, uint64_t address, bool *is_signal);

/** NULL is fine. */
void cfi_close(struct cfi *cfi);

#endif
