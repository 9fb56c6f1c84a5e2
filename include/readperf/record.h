/*
 * Records: what stands in a record's header, and its fields by name.
 *
 *	#include <readperf/recording.h>
 *	#include <inttypes.h>
 *	#include <stdio.h>
 *
 *	int main(int argc, char **argv)
 *	{
 *		struct readperf_recording *recording;
 *		const struct readperf_record *record;
 *		uint64_t time, last = 0;
 *
 *		recording = readperf_recording_open(argc > 1 ? argv[1] : "perf.data", NULL);
 *		while (recording && readperf_recording_next(recording, &record, NULL) > 0)
 *			if (readperf_record_type(record) == READPERF_RECORD_SAMPLE &&
 *			    readperf_record_number(record, READPERF_FIELD_TIME, &time))
 *				last = time;
 *		printf("the last sample was at %" PRIu64 " ns\n", last);
 *		readperf_recording_close(recording);
 *		return 0;
 *	}
 *
 * Which fields a record has depends on its type and on what was recorded: every function for fields
 * says whether it is there. readperf_field_name() tells what fields there are at all.
 */
#ifndef READPERF_RECORD_H
#define READPERF_RECORD_H

#include <readperf/error.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct readperf_record;
struct readperf_event;

/** Types that programs ask for often, as the kernel numbers them; there are more. */
enum readperf_record_type {
	READPERF_RECORD_MMAP = 1,
	READPERF_RECORD_LOST = 2,
	READPERF_RECORD_COMM = 3,
	READPERF_RECORD_EXIT = 4,
	READPERF_RECORD_FORK = 7,
	READPERF_RECORD_READ = 8,
	READPERF_RECORD_SAMPLE = 9,
	READPERF_RECORD_MMAP2 = 10,
	READPERF_RECORD_LOST_SAMPLES = 13,
	READPERF_RECORD_SWITCH = 14,
	READPERF_RECORD_SWITCH_CPU_WIDE = 15,
	READPERF_RECORD_NAMESPACES = 16,
	READPERF_RECORD_KSYMBOL = 17,
	READPERF_RECORD_BPF_EVENT = 18,
	READPERF_RECORD_CGROUP = 19,
	READPERF_RECORD_TEXT_POKE = 20,
};

/** Where the processor was: bits 0 to 2 of misc. */
enum readperf_cpumode {
	READPERF_CPUMODE_UNKNOWN = 0,
	READPERF_CPUMODE_KERNEL = 1,
	READPERF_CPUMODE_USER = 2,
	READPERF_CPUMODE_HYPERVISOR = 3,
	READPERF_CPUMODE_GUEST_KERNEL = 4,
	READPERF_CPUMODE_GUEST_USER = 5,
};

/** Returns the type: enum readperf_record_type, or another number of the kernel's or of perf's. */
READPERF_API uint32_t readperf_record_type(const struct readperf_record *record);

/** Returns perf's name of @type without PERF_RECORD_ ("MMAP2"), NULL if it has none. Static. */
READPERF_API const char *readperf_record_type_name(uint32_t type);

/** Returns the header's misc, whose bits depend on the type. */
READPERF_API uint16_t readperf_record_misc(const struct readperf_record *record);

/** Returns the cpumode of @record. */
READPERF_API int readperf_record_cpumode(const struct readperf_record *record);

/** Returns its size in bytes with the header. */
READPERF_API uint32_t readperf_record_size(const struct readperf_record *record);

/** Returns its place in the recording, from 0; records in compressed ones count unpacked. */
READPERF_API uint64_t readperf_record_index(const struct readperf_record *record);

/** Returns where it is in the file, in bytes; if it is in a compressed record, where that is. */
READPERF_API uint64_t readperf_record_offset(const struct readperf_record *record);

/** Returns 1 if it is older than a record before it, else 0. */
READPERF_API int readperf_record_is_late(const struct readperf_record *record);

/** Returns the event it belongs to, which the recording owns; NULL if there is none. */
READPERF_API const struct readperf_event *
readperf_record_event(const struct readperf_record *record);

/* ---- fields ---------------------------------------------------------------------------------- */

/** What a field is. */
enum readperf_field_kind {
	READPERF_KIND_NUMBER = 1, /* readperf_record_number() */
	READPERF_KIND_TEXT = 2,	  /* readperf_record_text() */
	READPERF_KIND_BYTES = 3,  /* readperf_record_bytes() */
	READPERF_KIND_WORDS = 4,  /* readperf_record_words(): of 64 bits */
};

/** The fields. Numbers never change; newer versions add fields at the end. */
enum readperf_field {
	READPERF_FIELD_PID = 1,
	READPERF_FIELD_TID = 2,
	READPERF_FIELD_TIME = 3, /* ns of the recording's clock */
	READPERF_FIELD_CPU = 4,
	/* of samples; some of other records, too */
	READPERF_FIELD_IP = 5,
	READPERF_FIELD_ADDR = 6, /* also KSYMBOL, MMAP: where it starts */
	READPERF_FIELD_PERIOD = 7,
	READPERF_FIELD_ID = 8,
	READPERF_FIELD_STREAM_ID = 9,
	READPERF_FIELD_CALLCHAIN = 10, /* words, innermost first; from -4095 on: markers */
	READPERF_FIELD_RAW = 11,       /* bytes: of a tracepoint */
	READPERF_FIELD_BRANCHES = 12,  /* words: from, to, flags (little-endian); newest first */
	READPERF_FIELD_REGS_USER = 13, /* words: for each bit of attr.sample_regs_user */
	READPERF_FIELD_REGS_INTR = 14,
	READPERF_FIELD_STACK_USER = 15, /* bytes */
	READPERF_FIELD_WEIGHT = 16,	/* of WEIGHT_STRUCT: var1_dw, the latency */
	READPERF_FIELD_DATA_SRC = 17,
	READPERF_FIELD_TRANSACTION = 18,
	READPERF_FIELD_PHYS_ADDR = 19,
	READPERF_FIELD_CGROUP = 20,
	READPERF_FIELD_DATA_PAGE_SIZE = 21,
	READPERF_FIELD_CODE_PAGE_SIZE = 22,
	READPERF_FIELD_AUX = 23,    /* bytes */
	READPERF_FIELD_VALUES = 24, /* words: value and id of each counter */
	READPERF_FIELD_ENABLED = 25,
	READPERF_FIELD_RUNNING = 26,
	/* of other records */
	READPERF_FIELD_LEN = 27,
	READPERF_FIELD_PGOFF = 28,
	READPERF_FIELD_PROT = 29,
	READPERF_FIELD_FLAGS = 30,
	READPERF_FIELD_FILENAME = 31, /* text */
	READPERF_FIELD_BUILD_ID = 32, /* bytes */
	READPERF_FIELD_MAJ = 33,
	READPERF_FIELD_MIN = 34,
	READPERF_FIELD_INO = 35,
	READPERF_FIELD_INO_GENERATION = 36,
	READPERF_FIELD_COMM = 37, /* text */
	READPERF_FIELD_PPID = 38,
	READPERF_FIELD_PTID = 39,
	READPERF_FIELD_LOST = 40,
	READPERF_FIELD_OFFSET = 41,
	READPERF_FIELD_NEXT_PREV_PID = 42,
	READPERF_FIELD_NEXT_PREV_TID = 43,
	READPERF_FIELD_NAMESPACES = 44, /* words: device and inode of each kind */
	READPERF_FIELD_KIND = 45,	/* what the record calls type */
	READPERF_FIELD_NAME = 46,	/* text: KSYMBOL */
	READPERF_FIELD_TAG = 47,	/* bytes */
	READPERF_FIELD_PATH = 48,	/* text: CGROUP */
	READPERF_FIELD_OLD_BYTES = 49,
	READPERF_FIELD_NEW_BYTES = 50,
	READPERF_FIELD_HW_ID = 51,
	READPERF_FIELD_COOKIE = 52,
	READPERF_FIELD_NR = 53,
	READPERF_FIELD_ENTRIES = 54, /* bytes, as perf lays them out */
	READPERF_FIELD_REFERENCE = 55,
	READPERF_FIELD_IDX = 56,
	READPERF_FIELD_PRIV = 57, /* words */
	READPERF_FIELD_CODE = 58,
	READPERF_FIELD_MESSAGE = 59, /* text */
	READPERF_FIELD_VALUE = 60,
	READPERF_FIELD_THREAD = 61,
	READPERF_FIELD_DATA = 62, /* bytes */
	READPERF_FIELD_TIME_SHIFT = 63,
	READPERF_FIELD_TIME_MULT = 64,
	READPERF_FIELD_TIME_ZERO = 65,
	/* of samples with WEIGHT_STRUCT */
	READPERF_FIELD_VAR2_W = 66, /* the instruction's latency */
	READPERF_FIELD_VAR3_W = 67, /* cycles of a stage of the pipeline, or until it retired */
};

/** Returns the name of @field in lower case ("stream_id"), NULL if there is none. Static. */
READPERF_API const char *readperf_field_name(int field);

/** Returns what @field is, enum readperf_field_kind; 0 if there is no such field. */
READPERF_API int readperf_field_kind(int field);

/** Returns 1 if @record has @field, else 0; a list may be empty all the same. */
READPERF_API int readperf_record_has(const struct readperf_record *record, int field);

/** Sets *@value to a number and returns 1; 0, with *@value 0, if it does not have it. */
READPERF_API int readperf_record_number(const struct readperf_record *record, int field,
					uint64_t *value);

/**
 * Sets values[i] to a number of records[i], for @nr records, and has[i] to whether that has it: 0
 * where it does not. @has may be NULL. Returns how many have it.
 */
READPERF_API size_t readperf_records_numbers(const struct readperf_record *const *records,
					     size_t nr, int field, uint64_t *values, uint8_t *has);

/**
 * Returns a text of @record, valid as long as that, and NUL-terminated; NULL if it does not have
 * it. Its bytes are as recorded and need not be UTF-8.
 */
READPERF_API const char *readperf_record_text(const struct readperf_record *record, int field);

/**
 * Returns bytes of @record, valid as long as that, and sets *@len to their number; NULL and 0 if it
 * does not have them.
 */
READPERF_API const unsigned char *readperf_record_bytes(const struct readperf_record *record,
							int field, size_t *len);

/**
 * Copies up to @room words to @words, in the byte order of this machine, and returns how many there
 * are; 0 if @record does not have them. @words may be NULL if @room is 0.
 */
READPERF_API size_t readperf_record_words(const struct readperf_record *record, int field,
					  uint64_t *words, size_t room);

#ifdef __cplusplus
}
#endif

#endif
