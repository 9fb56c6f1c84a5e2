/* Structs in the compact protocol of Thrift, put together in memory. */
#ifndef READPERF_REPORT_EXPORT_THRIFT_H
#define READPERF_REPORT_EXPORT_THRIFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { THRIFT_DEPTH_MAX = 8 };

/** Types of fields and of elements. */
enum thrift_type {
	THRIFT_I32 = 5,
	THRIFT_I64 = 6,
	THRIFT_BYTES = 8,
	THRIFT_LIST = 9,
	THRIFT_STRUCT = 12
};

/** A struct in the making. All zero is empty. */
struct thrift {
	uint8_t *bytes;
	size_t len, room;
	unsigned last[THRIFT_DEPTH_MAX]; /* number of the field before, in each struct that is open
					  */
	unsigned depth;
	bool failed; /* memory was out: the bytes are of no use */
};

/** Empties the struct; its memory is used again. */
void thrift_clear(struct thrift *to);

/** Appends a number of 7 bits a byte, without a field. */
void thrift_varint(struct thrift *to, uint64_t value);

/** Appends @len bytes as they are. */
void thrift_raw(struct thrift *to, const void *bytes, size_t len);

/** Begins @field of @type in the struct; what follows is its value. Fields come in their order. */
void thrift_field(struct thrift *to, unsigned field, enum thrift_type type);

/** Fields with their values; without field 0: elements of a list. */
void thrift_i32(struct thrift *to, unsigned field, int32_t value);
void thrift_i64(struct thrift *to, unsigned field, int64_t value);
void thrift_bytes(struct thrift *to, unsigned field, const void *bytes, size_t len);

/** Begins a list of @nr elements, which follow. */
void thrift_list(struct thrift *to, unsigned field, enum thrift_type type, size_t nr);

/** Begins a struct in the struct, at most THRIFT_DEPTH_MAX deep, and ends it, or the whole one. */
void thrift_open(struct thrift *to, unsigned field);
void thrift_close(struct thrift *to);

void thrift_free(struct thrift *to);

#endif
