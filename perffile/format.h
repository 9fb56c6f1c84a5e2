/*
 * Constants of the on-disk format, defined by include/uapi/linux/perf_event.h (attr flags, sample
 * fields) and tools/perf/util/header.h (file header, features).
 */
#ifndef READPERF_PERFFILE_FORMAT_H
#define READPERF_PERFFILE_FORMAT_H

#include "util/span.h"

#include <stdint.h>
#include <string.h>

#define FORMAT_MAGIC2 0x32454c4946524550u /* "PERFILE2" read as a little-endian u64 */
#define FORMAT_MAGIC1 0x454c494646524550u /* "PERFFILE" */

enum {
	HEADER_BYTES = 104,	/* file header with the feature bitmap */
	HEADER_BYTES_OLD = 72,	/* without it */
	HEADER_BYTES_PIPE = 16, /* magic and size only: records follow at once */
	HEADER_FEATURE_BITS = 256,
	SECTION_BYTES = 16,	 /* u64 offset, u64 size */
	RECORD_HEADER_BYTES = 8, /* u32 type, u16 misc, u16 size */
	RECORD_BYTES_MAX = 65535,
	ATTR_BYTES_V0 = 64,
};

/* perf's own limits on the numbers in a header. */
enum { EVENTS_MAX = 65536, EVENT_IDS_MAX = 1 << 24 };

enum feature {
	FEATURE_TRACING_DATA = 1,
	FEATURE_BUILD_ID = 2,
	FEATURE_HOSTNAME = 3,
	FEATURE_OSRELEASE = 4,
	FEATURE_VERSION = 5,
	FEATURE_ARCH = 6,
	FEATURE_NRCPUS = 7,
	FEATURE_CPUDESC = 8,
	FEATURE_CPUID = 9,
	FEATURE_TOTAL_MEM = 10,
	FEATURE_CMDLINE = 11,
	FEATURE_EVENT_DESC = 12,
	FEATURE_CPU_TOPOLOGY = 13,
	FEATURE_NUMA_TOPOLOGY = 14,
	FEATURE_BRANCH_STACK = 15,
	FEATURE_PMU_MAPPINGS = 16,
	FEATURE_GROUP_DESC = 17,
	FEATURE_AUXTRACE = 18,
	FEATURE_STAT = 19,
	FEATURE_CACHE = 20,
	FEATURE_SAMPLE_TIME = 21,
	FEATURE_MEM_TOPOLOGY = 22,
	FEATURE_CLOCKID = 23,
	FEATURE_DIR_FORMAT = 24,
	FEATURE_BPF_PROG_INFO = 25,
	FEATURE_BPF_BTF = 26,
	FEATURE_COMPRESSED = 27,
	FEATURE_CPU_PMU_CAPS = 28,
	FEATURE_CLOCK_DATA = 29,
	FEATURE_HYBRID_TOPOLOGY = 30,
	FEATURE_PMU_CAPS = 31,
	FEATURE_CPU_DOMAIN_INFO = 32,
	FEATURE_E_MACHINE = 33,
	FEATURE_CLN_SIZE = 34,
	FEATURE_LAST = 34, /* perf's newest */
	/* simpleperf's: system/extras/simpleperf/record_file_format.h */
	FEATURE_FILE = 128,
	FEATURE_META_INFO = 129,
	FEATURE_DEBUG_UNWIND = 130,
	FEATURE_DEBUG_UNWIND_FILE = 131,
	FEATURE_FILE2 = 132,
};

/* attr.flags, by bit number. */
#define ATTR_INHERIT	     (UINT64_C(1) << 1)
#define ATTR_EXCLUDE_USER    (UINT64_C(1) << 4)
#define ATTR_EXCLUDE_KERNEL  (UINT64_C(1) << 5)
#define ATTR_EXCLUDE_HV	     (UINT64_C(1) << 6)
#define ATTR_FREQ	     (UINT64_C(1) << 10)
#define ATTR_PRECISE_SHIFT   15
#define ATTR_SAMPLE_ID_ALL   (UINT64_C(1) << 18)
#define ATTR_EXCLUDE_HOST    (UINT64_C(1) << 19)
#define ATTR_EXCLUDE_GUEST   (UINT64_C(1) << 20)
#define ATTR_NO_USER_CHAIN   (UINT64_C(1) << 22)
#define ATTR_USE_CLOCKID     (UINT64_C(1) << 25)
#define ATTR_DEFER_CALLCHAIN (UINT64_C(1) << 38)

/* attr.sample_type. */
#define SAMPLE_IP	  (UINT64_C(1) << 0)
#define SAMPLE_TID	  (UINT64_C(1) << 1)
#define SAMPLE_TIME	  (UINT64_C(1) << 2)
#define SAMPLE_ADDR	  (UINT64_C(1) << 3)
#define SAMPLE_READ	  (UINT64_C(1) << 4)
#define SAMPLE_CALLCHAIN  (UINT64_C(1) << 5)
#define SAMPLE_ID	  (UINT64_C(1) << 6)
#define SAMPLE_CPU	  (UINT64_C(1) << 7)
#define SAMPLE_PERIOD	  (UINT64_C(1) << 8)
#define SAMPLE_STREAM_ID  (UINT64_C(1) << 9)
#define SAMPLE_IDENTIFIER (UINT64_C(1) << 16)

/* The fields after the call chain. */
#define SAMPLE_RAW	      (UINT64_C(1) << 10)
#define SAMPLE_BRANCH_STACK   (UINT64_C(1) << 11)
#define SAMPLE_REGS_USER      (UINT64_C(1) << 12)
#define SAMPLE_STACK_USER     (UINT64_C(1) << 13)
#define SAMPLE_WEIGHT	      (UINT64_C(1) << 14)
#define SAMPLE_DATA_SRC	      (UINT64_C(1) << 15)
#define SAMPLE_TRANSACTION    (UINT64_C(1) << 17)
#define SAMPLE_REGS_INTR      (UINT64_C(1) << 18)
#define SAMPLE_PHYS_ADDR      (UINT64_C(1) << 19)
#define SAMPLE_AUX	      (UINT64_C(1) << 20)
#define SAMPLE_CGROUP	      (UINT64_C(1) << 21)
#define SAMPLE_DATA_PAGE_SIZE (UINT64_C(1) << 22)
#define SAMPLE_CODE_PAGE_SIZE (UINT64_C(1) << 23)
#define SAMPLE_WEIGHT_STRUCT  (UINT64_C(1) << 24)
#define SAMPLE_UNKNOWN	      (~((UINT64_C(1) << 25) - 1))

/* attr.branch_sample_type: bits that add fields to a branch stack. */
#define BRANCH_CALL_STACK (UINT64_C(1) << 11)
#define BRANCH_HW_INDEX	  (UINT64_C(1) << 17)
#define BRANCH_COUNTERS	  (UINT64_C(1) << 19)

/* attr.read_format. */
#define READ_TOTAL_TIME_ENABLED (UINT64_C(1) << 0)
#define READ_TOTAL_TIME_RUNNING (UINT64_C(1) << 1)
#define READ_ID			(UINT64_C(1) << 2)
#define READ_GROUP		(UINT64_C(1) << 3)
#define READ_LOST		(UINT64_C(1) << 4)

/* attr.type. */
enum attr_type {
	ATTR_TYPE_HARDWARE = 0,
	ATTR_TYPE_SOFTWARE = 1,
	ATTR_TYPE_TRACEPOINT = 2,
	ATTR_TYPE_HW_CACHE = 3,
	ATTR_TYPE_RAW = 4,
	ATTR_TYPE_BREAKPOINT = 5,
};

/*
 * attr.config of software events (enum perf_sw_ids): two clocks, which count ns; one that never
 * takes a sample; one whose samples hold data written by a BPF program.
 */
enum {
	SOFTWARE_CPU_CLOCK = 0,
	SOFTWARE_TASK_CLOCK = 1,
	SOFTWARE_DUMMY = 9,
	SOFTWARE_BPF_OUTPUT = 10,
};

/* attr.bp_type (include/uapi/linux/hw_breakpoint.h). */
enum { BREAKPOINT_R = 1, BREAKPOINT_W = 2, BREAKPOINT_X = 4 };

/**
 * Takes a string of a feature section from @s: u32 length, which includes the NUL and the padding,
 * then the bytes. The result ends before the NUL.
 */
static inline struct span format_string(struct span *s)
{
	uint32_t len = span_u32(s);
	struct span string = span_take(s, len);

	if (!string.failed)
		string.end = string.pos + strnlen((const char *)string.pos, len);
	return string;
}

#endif
