/* Which call chains the user wants, and how much of them. */
#ifndef READPERF_DECODE_STACK_STACKSETTINGS_H
#define READPERF_DECODE_STACK_STACKSETTINGS_H

#include <stddef.h>

/** Where chains are taken from: --unwind. */
enum user_part_mode {
	USER_PART_AUTO, /* whatever the sample has */
	USER_PART_DWARF,
	USER_PART_LBR,
	USER_PART_RECORDED, /* the recorder's own chain: frame pointers */
	USER_PART_NONE,	    /* no callers at all, not even those in the kernel */
};

/** The words for them, in their order. */
#define USER_PART_WORDS "auto|dwarf|lbr|fp|none"

/** All zero is the default. */
struct stack_settings {
	enum user_part_mode mode;
	size_t max_frames; /* of the user part; 0: UNWIND_MAX_FRAMES */
	size_t paths_max;  /* distinct call paths in memory before they are moved to a temporary
			    * file;  0: the default */
};

#endif
