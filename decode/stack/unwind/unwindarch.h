/*
 * What unwinding must know of an architecture: which of its registers perf records where, what they
 * are called in DWARF, and how it lays out frames where no CFI says.
 *
 * perf's numbers are those of arch/.../include/uapi/asm/perf_regs.h, DWARF's those of each ABI.
 */
#ifndef READPERF_DECODE_STACK_UNWIND_UNWINDARCH_H
#define READPERF_DECODE_STACK_UNWIND_UNWINDARCH_H

#include <stdbool.h>
#include <stdint.h>

/** No register. */
enum { UNWIND_NO_REG = 255 };

/** Bytes from the frame pointer. */
struct unwind_frame_record {
	bool is_known;
	int8_t ra, fp; /* where the caller's are */
	int8_t sp;     /* what the caller's SP is */
	bool by_sp;    /* it is SP that points at the caller's frame, and @ra counts from there */
};

struct unwind_arch {
	uint16_t machine;     /* EM_ */
	uint8_t word;	      /* bytes of an address */
	uint8_t sp, fp, link; /* DWARF numbers; link: UNWIND_NO_REG if calls push the address */
	uint8_t perf_pc;      /* perf's number of the PC */
	uint64_t saved;	      /* by DWARF number: functions restore it before they return */
	const uint8_t *dwarf; /* by perf's number; UNWIND_NO_REG: is not needed */
	uint8_t nr_dwarf;
	struct unwind_frame_record frame;
};

/**
 * The architecture of a sample's registers: of a recording made on @machine, as uname(2) or perf
 * names it, with the ABI @abi (see struct sample_regs). NULL if it is not known.
 */
const struct unwind_arch *unwind_arch_find(const char *machine, uint64_t abi);

/** The architecture of code for @machine, an EM_; NULL if it is not known. */
const struct unwind_arch *unwind_arch_of(uint16_t machine);

#endif
